//! Hand-written lines of both streams, understood; and what happens when they are not as they should be.

use std::time::Duration;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::chess::{Color, Variant};
use crate::odd_fields;

const ACCOUNT: &str = include_str!("../../../tests/data/wire/account.ndjson");
const GAME: &str = include_str!("../../../tests/data/wire/game.ndjson");
const ODD: &str = include_str!("../../../tests/data/wire/odd.ndjson");

fn account_event(line: &str) -> AccountEvent {
    AccountEvent::from_line(line.as_bytes())
}

fn game_event(line: &str) -> GameEvent {
    GameEvent::from_line(line.as_bytes())
}

/// The line of a file that holds this text.
fn line_with<'a>(lines: &'a str, text: &str) -> &'a str {
    lines.lines().find(|line| line.contains(text)).unwrap()
}

fn full(text: &str) -> GameFull {
    match game_event(line_with(GAME, text)) {
        GameEvent::Full(full) => full,
        other => panic!("{other:?}"),
    }
}

fn state(line: &str) -> GameState {
    match game_event(line) {
        GameEvent::State(state) => state,
        other => panic!("{other:?}"),
    }
}

fn challenge(text: &str) -> Challenge {
    match account_event(line_with(ACCOUNT, text)) {
        AccountEvent::Challenge(challenge)
        | AccountEvent::ChallengeCanceled(challenge)
        | AccountEvent::ChallengeDeclined(challenge) => challenge,
        other => panic!("{other:?}"),
    }
}

fn game(text: &str) -> GameInfo {
    match account_event(line_with(ACCOUNT, text)) {
        AccountEvent::GameStart(info) | AccountEvent::GameFinish(info) => info,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_line_is_understood() {
    for line in ACCOUNT.lines() {
        assert_eq!(account_event(line).oddity(), None, "{line}");
    }
    for line in GAME.lines() {
        assert_eq!(game_event(line).oddity(), None, "{line}");
    }
}

#[test]
fn odd_lines_are_kept_as_they_came() {
    for line in ODD.lines() {
        assert_eq!(account_event(line), AccountEvent::Unknown(line.to_owned()));
        assert_eq!(game_event(line), GameEvent::Unknown(line.to_owned()));
    }
    assert_eq!(game_event("").oddity().as_deref(), Some("not JSON"));
    assert_eq!(game_event("[1]").oddity().as_deref(), Some("without type"));
    assert_eq!(game_event(r#"{"type":"novel"}"#).oddity().as_deref(), Some("novel"));
}

#[test]
fn a_long_odd_line_is_cut_between_characters() {
    let line = format!("x{}", "é".repeat(10_000));
    let GameEvent::Unknown(kept) = game_event(&line) else { panic!() };
    assert!(line.starts_with(&kept) && (2000..=2048).contains(&kept.len()), "{}", kept.len());
    assert!(matches!(GameEvent::from_line(&[0xff, b'{', 0xfe]), GameEvent::Unknown(_)));
}

#[test]
fn what_is_written_is_read_back_the_same() {
    for line in ACCOUNT.lines().chain(ODD.lines()) {
        let event = account_event(line);
        let written = serde_json::to_string(&event).unwrap();
        assert_eq!(serde_json::from_str::<AccountEvent>(&written).unwrap(), event, "{written}");
    }
    for line in GAME.lines().chain(ODD.lines()) {
        let event = game_event(line);
        let written = serde_json::to_string(&event).unwrap();
        assert_eq!(serde_json::from_str::<GameEvent>(&written).unwrap(), event, "{written}");
    }
}

#[test]
fn a_game_starts_with_who_and_what() {
    let info = game("Qz7Lm2XaB4td");
    assert_eq!(info.id.as_str(), "Qz7Lm2Xa");
    assert_eq!(info.color, Some(Color::Black));
    assert_eq!(info.variant.known(), Some(Variant::Standard));
    assert_eq!((info.speed, info.source.as_deref()), (Some(Speed::Blitz), Some("friend")));
    assert_eq!((info.is_my_turn, info.has_moved, info.rated), (false, false, false));
    assert_eq!(info.seconds_left, Some(Duration::from_secs(180)));
    assert_eq!((info.status, info.winner), (Some(Status::Started), None));
    assert_eq!(info.compat_bot, Some(true));
    assert_eq!(info.opponent.unwrap().id.unwrap().as_str(), "ferncastle");

    let ai = game("aP3wVt9kL0xe").opponent.unwrap();
    assert_eq!((ai.id, ai.ai, ai.rating), (None, Some(3), None));
    assert_eq!(game("tR8nYc4bQ1mz").tournament_id.as_deref(), Some("Wk2sArn0"));
    let finished = game("hB6sNq1yW8dk");
    assert_eq!((finished.status, finished.winner), (Some(Status::Resign), Some(Color::Black)));
}

#[test]
fn a_game_that_bots_may_not_play_says_so() {
    let with = |compat: Value| {
        let line = json!({ "type": "gameStart", "game": { "gameId": "Qz7Lm2Xa", "compat": compat } });
        let AccountEvent::GameStart(info) = account_event(&line.to_string()) else { panic!("{line}") };
        info.suits_bots()
    };
    assert!(!with(json!({ "bot": false, "board": true })));
    assert!(with(json!({ "bot": true })) && with(json!(null)) && with(json!({})));
}

#[test]
fn a_challenge_is_read_whole() {
    let first = challenge(r#""challenge":{"id":"Qz7Lm2Xa""#);
    let challenger = first.challenger.clone().unwrap();
    assert_eq!(
        (challenger.id.as_str(), challenger.rating, challenger.title.clone()),
        ("ferncastle", Some(1874), None)
    );
    assert!(!challenger.is_bot() && first.dest_user.clone().unwrap().is_bot());
    let (limit, increment) = (Duration::from_secs(180), Duration::from_secs(2));
    assert_eq!(first.time_control, TimeControl::Clock { limit, increment });
    assert_eq!((first.color, first.final_color), (ColorWish::White, Some(Color::White)));
    assert_eq!((first.compat_bot, first.suits_bots(), first.rematch_of), (Some(true), true, None));

    let slow = challenge("gH5uEw1n");
    assert_eq!(slow.time_control, TimeControl::Correspondence { days: 3 });
    assert_eq!(slow.variant.known(), Some(Variant::FromPosition));
    assert_eq!(slow.initial_fen.as_deref(), Some("8/5pk1/6p1/8/3K4/8/1R6/8 b - - 3 41"));
    assert!(slow.challenger.as_ref().unwrap().provisional);
    assert_eq!((slow.compat_bot, slow.suits_bots()), (None, true), "replayed lines do not say");

    assert_eq!(challenge("nR4gTz8c").rematch_of.unwrap().as_str(), "Qz7Lm2Xa");
    assert_eq!(challenge("uL3iPa6w").time_control, TimeControl::Unlimited);
    let antichess = challenge("bX0rKo7p").variant;
    assert_eq!((antichess.as_str(), antichess.known()), ("antichess", Some(Variant::Antichess)));
    let declined = challenge("mT9eLc5d");
    assert_eq!(DeclineReason::from_key(&declined.decline_reason.unwrap()), Some(DeclineReason::TooFast));
    assert_eq!(declined.status, ChallengeStatus::Declined);
}

#[test]
fn a_challenge_of_nobody_is_a_challenge() {
    for challenger in [json!(null), json!({}), json!({ "rating": 1500 })] {
        let line = json!({ "type": "challenge", "challenge": { "id": "Qz7Lm2Xa", "status": "offline",
            "challenger": challenger, "destUser": null } });
        let AccountEvent::Challenge(challenge) = account_event(&line.to_string()) else { panic!("{line}") };
        assert_eq!((challenge.challenger, challenge.dest_user), (None, None));
        assert_eq!(challenge.status, ChallengeStatus::Offline);
        assert_eq!(challenge.time_control, TimeControl::Unlimited);
        assert_eq!(challenge.speed, Speed::Correspondence);
    }
}

#[test]
fn the_fastest_games_are_not_for_bots_also_when_nobody_says_so() {
    let line = json!({ "type": "challenge", "challenge": { "id": "Qz7Lm2Xa",
        "timeControl": { "type": "clock", "limit": 15, "increment": 0 } } });
    let AccountEvent::Challenge(challenge) = account_event(&line.to_string()) else { panic!() };
    assert!(!challenge.suits_bots());
}

#[test]
fn a_new_challenge_is_answered_flat_or_wrapped() {
    let flat = json!({ "id": "Qz7Lm2Xa", "speed": "blitz" });
    let wrapped = json!({ "challenge": { "id": "Qz7Lm2Xa", "speed": "blitz" } });
    let read = Challenge::from_answer(flat).unwrap();
    assert_eq!(Challenge::from_answer(wrapped), Ok(read));
    assert!(Challenge::from_answer(json!({ "ok": true })).is_err());
}

#[test]
fn a_full_game_is_read_whole() {
    let blitz = full("Qz7Lm2Xa");
    assert_eq!((blitz.initial_fen.clone(), blitz.speed.clone()), (InitialFen::Start, Some(Speed::Blitz)));
    let clock = ClockSettings { initial: Duration::from_secs(180), increment: Duration::from_secs(2) };
    assert_eq!(blitz.clock, Some(clock));
    assert_eq!(blitz.color_of(&"Quillbot-Dev".parse().unwrap()), Some(Color::Black));
    assert_eq!(blitz.color_of(&"somebody".parse().unwrap()), None);
    assert_eq!(blitz.state.moves().count(), 0, "no moves are not one empty move");

    let ai = full("aP3wVt9k");
    assert_eq!(ai.black, Player { ai_level: Some(3), ..Player::default() });
    assert_eq!(ai.state.moves().collect::<Vec<_>>(), ["d2d4", "g8f6", "c2c4", "e7e6"]);
    let slow = full("gH5uEw1n");
    assert_eq!((slow.clock, slow.days_per_turn), (None, Some(3)));
    assert_eq!(slow.initial_fen, InitialFen::Fen("8/5pk1/6p1/8/3K4/8/1R6/8 b - - 3 41".to_owned()));
    let unlimited = full("yU1kPf8z");
    assert_eq!((unlimited.clock, unlimited.white.id), (None, None), "a clock of null, an anonymous player");
    assert_eq!(unlimited.state.wtime, Duration::from_millis(2_147_483_647));
    let quick = full("cD4oXi2w");
    assert_eq!((quick.clock.unwrap().initial, quick.state.wtime), (Duration::ZERO, Duration::from_secs(3)));
    assert_eq!(full("vN6jDs3q").variant.known(), Some(Variant::Chess960));
    assert_eq!(full("zH7bQe0r").variant.known(), Some(Variant::Crazyhouse));
    let arena = full("tR8nYc4b");
    assert_eq!(arena.tournament_id.as_deref(), Some("Wk2sArn0"));
    assert_eq!(arena.state.expiration.unwrap().to_move, Duration::from_secs(16));
}

#[test]
fn offers_are_there_or_not() {
    let offered = state(line_with(GAME, r#""wdraw":true"#));
    assert_eq!(
        (offered.wdraw, offered.bdraw, offered.wtakeback, offered.btakeback),
        (true, false, false, false)
    );
    let wished = state(line_with(GAME, r#""wtakeback":true"#));
    assert_eq!((wished.wdraw, wished.wtakeback), (false, true));
    assert!(!state(r#"{"type":"gameState","moves":"e2e4","wdraw":false,"bdraw":null}"#).wdraw);
}

#[test]
fn each_ending_is_an_ending() {
    for (word, status, winner) in [
        ("mate", Status::Mate, Some(Color::White)),
        ("draw", Status::Draw, None),
        ("outoftime", Status::OutOfTime, Some(Color::White)),
        ("aborted", Status::Aborted, None),
        ("timeout", Status::Timeout, Some(Color::White)),
    ] {
        let state = state(line_with(GAME, &format!(r#""status":"{word}""#)));
        assert_eq!((state.status.clone(), state.winner), (status, winner));
        assert!(state.status.is_over());
    }
    let novel = state(r#"{"type":"gameState","moves":"","status":"frozen"}"#).status;
    assert!(novel.is_over(), "an unknown status is final");
}

#[test]
fn chat_and_absence_are_read() {
    let GameEvent::Chat(line) = game_event(line_with(GAME, "spectator")) else { panic!() };
    assert_eq!(
        (line.room, line.username.as_str(), line.text.as_str()),
        (Room::Spectator, "Oakwatcher", "nice bishop pair")
    );
    let gone = |text| match game_event(line_with(GAME, text)) {
        GameEvent::OpponentGone(gone) => (gone.gone, gone.claim_win_in),
        other => panic!("{other:?}"),
    };
    assert_eq!(gone(r#""claimWinInSeconds":35"#), (true, Some(Duration::from_secs(35))));
    assert_eq!(gone(r#""claimWinInSeconds":0"#), (true, Some(Duration::ZERO)));
    assert_eq!(gone(r#""gone":false"#), (false, None));
}

#[test]
fn an_odd_number_does_not_cost_the_moves() {
    let odd = state(
        r#"{"type":"gameState","moves":"e2e4","wtime":-250,"btime":"3000","winc":1999.9,"binc":null,
            "status":{"id":20,"name":"started"},"winner":"nobody","expiration":7,"rematch":""}"#,
    );
    assert_eq!(odd.moves().collect::<Vec<_>>(), ["e2e4"]);
    assert_eq!((odd.wtime, odd.btime), (Duration::ZERO, Duration::from_secs(3)));
    assert_eq!((odd.winc, odd.binc), (Duration::from_millis(1999), Duration::ZERO));
    assert_eq!((odd.status, odd.winner, odd.expiration, odd.rematch), (Status::Started, None, None, None));
}

#[test]
fn only_what_a_line_is_about_is_needed() {
    let bare = [
        r#"{"type":"gameStart","game":{"id":"Qz7Lm2Xa"}}"#,
        r#"{"type":"gameStart","game":{"fullId":"Qz7Lm2XaB4td"}}"#,
        r#"{"type":"challenge","challenge":{"id":"Qz7Lm2Xa"}}"#,
    ];
    for line in bare {
        assert_eq!(account_event(line).oddity(), None, "{line}");
    }
    for line in [
        r#"{"type":"gameFull","id":"Qz7Lm2Xa","state":{"moves":""}}"#,
        r#"{"type":"gameState","moves":""}"#,
        r#"{"type":"chatLine"}"#,
        r#"{"type":"opponentGone"}"#,
    ] {
        assert_eq!(game_event(line).oddity(), None, "{line}");
    }
}

/// Fields without which a line says nothing.
const NEEDED: &[&str] = &[
    "/type",
    "/game",
    "/game/gameId",
    "/challenge",
    "/challenge/id",
    "/id",
    "/state",
    "/moves",
    "/state/moves",
];

#[test]
fn any_other_field_may_be_null_missing_or_of_another_kind() {
    for line in ACCOUNT.lines().chain(GAME.lines()) {
        let whole: Value = serde_json::from_str(line).unwrap();
        let mut places = odd_fields::places(&whole);
        places.retain(|place| !NEEDED.contains(&place.as_str()));
        for (place, odd, changed) in odd_fields::changed(&whole, &places) {
            let line = changed.to_string();
            let understood = account_event(&line).oddity().is_none() || game_event(&line).oddity().is_none();
            assert!(understood, "{place} = {odd}");
        }
    }
}

proptest! {
    #[test]
    fn no_bytes_do_harm(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        AccountEvent::from_line(&bytes);
        GameEvent::from_line(&bytes);
    }

    #[test]
    fn no_damage_to_a_line_does_harm(index in any::<prop::sample::Index>(), place in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let lines: Vec<_> = ACCOUNT.lines().chain(GAME.lines()).collect();
        let mut line = index.get(&lines).as_bytes().to_vec();
        let place = place.index(line.len());
        line[place] = byte;
        AccountEvent::from_line(&line);
        GameEvent::from_line(&line);
    }
}
