//! What happens in a game: offers, takebacks, ends, states that do not fit; and which games are played at all. What a
//! single game shows is tested at `bot::session`; here is what the whole bot shows.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rookery::chess::{UciMove, Variant};
use rookery::lichess::Speed;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::stage::{
    Answer, EVENTS, Quick, Slow, Stage, challenge, game_full, game_start, patched, state, stream_of,
};

const MS: fn(u64) -> Duration = Duration::from_millis;
const SECS: fn(u64) -> Duration = Duration::from_secs;

/// The name of a game.
const GAME: &str = "g0000001";

/// The king is on g8 and the right is that of the rook on a8: an odd castling, but the way is free.
#[test]
fn b03_castling_from_a_strange_position_is_legal_and_lands_where_it_should() {
    let fen = "r5k1/1pp1qb1p/1p1r1p2/2n1pPp1/4P3/P2P1NP1/1PR1Q1BP/1R4K1 b q - 0 1";
    let position = Variant::FromPosition.start(Some(fen)).unwrap();
    assert_eq!(position.legal_moves().len(), 46);
    let castling = "g8a8".parse::<UciMove>().unwrap().to_move(&position).unwrap();
    let mut after = position.clone();
    after.play(castling);
    let board = after.to_fen();
    assert!(board.starts_with("2kr4/"), "{board}");
}

#[tokio::test(start_paused = true)]
async fn b12_a_zombie_gives_its_place_to_the_next_game() {
    let stage = Stage::new(|asked| {
        let body = r#"{"error":"This game can no longer be aborted"}"#;
        asked.path.ends_with("/abort").then(|| Answer::Say(400, body.to_owned()))
    });
    let bot = stage.bot(|_| {});
    stage.begin(GAME, "").await;
    stage.say(EVENTS, &challenge("chal0001", "dora"));
    stage.until("/abort", 1).await;
    let refused = Instant::now();
    let accepted = stage.until("/accept", 1).await;
    let waited = accepted.at.saturating_duration_since(refused);
    assert!((SECS(59)..=SECS(61)).contains(&waited), "{waited:?}");
    assert_eq!(stage.open(&stream_of(GAME)), 1, "its stream is kept");
    // Cleo comes after all.
    stage.reply(GAME, "e2e4").await;
    bot.stop().await;
}

#[tokio::test(start_paused = true)]
async fn b13_a_game_of_a_tournament_is_begun_in_time_and_never_called_off() {
    let stage = Stage::healthy();
    let bot = stage.bot(|_| {});
    stage.until(EVENTS, 1).await;
    stage.say(EVENTS, &game_start(GAME));
    stage.until(&stream_of(GAME), 1).await;
    let arena = |moves: &str| {
        let limit = json!({ "expiration": { "idleMillis": 0, "millisToMove": 16_000 } });
        let told = json!({ "tournamentId": "t0000001", "state": patched(state(moves), &limit) });
        patched(game_full(GAME, moves), &told)
    };
    stage.say(&stream_of(GAME), &arena(""));
    tokio::time::sleep(SECS(120)).await;
    assert_eq!(stage.count("/abort"), 0);
    let told = Instant::now();
    stage.say(&stream_of(GAME), &state("e2e4"));
    let first = stage.until("/move/", 1).await;
    assert!(first.at.saturating_duration_since(told) < SECS(5));
    bot.stop().await;
}

#[tokio::test(start_paused = true)]
async fn b15_slow_games_are_all_played_and_keep_no_live_game_out() {
    let names: Vec<String> = (1..=8).map(|n| format!("slow000{n}")).collect();
    let slow = |game: &str| {
        patched(
            game_start(game),
            &json!({ "game": patched(game_start(game)["game"].clone(),
        &json!({ "speed": "correspondence", "secondsLeft": 259_200 })) }),
        )
    };
    let full = |game: &str, moves: &str| {
        let clock = patched(state(moves), &json!({ "wtime": 259_200_000, "btime": 259_200_000 }));
        patched(
            game_full(game, moves),
            &json!({ "speed": "correspondence", "clock": null, "daysPerTurn": 3,
            "state": clock }),
        )
    };
    let mut moves = "e2e4".to_owned();
    // Two restarts: each time all games are told again, and each gets its move.
    for life in 0..3 {
        let stage = Stage::healthy();
        let bot = stage.bot(|options| options.challenges.max_games = 2);
        stage.until(EVENTS, 1).await;
        for game in &names {
            stage.say(EVENTS, &slow(game));
        }
        let began = Instant::now();
        let mut ours = String::new();
        for game in &names {
            stage.until(&stream_of(game), 1).await;
            stage.say(&stream_of(game), &full(game, &moves));
            ours = super::stage::posted(&stage.until(&format!("{game}/move/"), 1).await);
            stage.say(&stream_of(game), &state(&format!("{moves} {ours}")));
        }
        assert!(began.elapsed() < SECS(60), "life {life}: {:?}", began.elapsed());
        for n in 0..2 {
            stage.say(EVENTS, &challenge(&format!("chal000{n}"), &format!("user{n}")));
        }
        stage.until("/accept", 2).await;
        assert_eq!(stage.count("/abort"), 0);
        moves = format!("{moves} {ours} {}", ["d2d4", "g1f3", "b1c3"][life]);
        bot.kill().await;
    }
}

/// Every place of a line, as a JSON pointer.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    for (key, inner) in value.as_object().into_iter().flatten() {
        let place = format!("{at}/{key}");
        places(inner, &place, found);
        found.push(place);
    }
}

/// Each line with each field missing, null, of another kind, or renamed.
fn mutants(lines: &str) -> Vec<Value> {
    let odd =
        [json!(null), json!(-1), json!(1e308), json!("odd"), json!("17"), json!([]), json!({}), json!(true)];
    let mut mutants = Vec::new();
    for line in lines.lines() {
        let whole: Value = serde_json::from_str(line).unwrap();
        let mut found = Vec::new();
        places(&whole, "", &mut found);
        for place in found {
            for odd in &odd {
                let mut changed = whole.clone();
                *changed.pointer_mut(&place).unwrap() = odd.clone();
                mutants.push(changed);
            }
            let (parent, key) = place.rsplit_once('/').unwrap();
            let mut changed = whole.clone();
            let object = changed.pointer_mut(parent).unwrap().as_object_mut().unwrap();
            let field = object.remove(key);
            mutants.push(changed.clone());
            let object = changed.pointer_mut(parent).unwrap().as_object_mut().unwrap();
            object.insert(format!("{key}New"), field.unwrap_or_default());
            mutants.push(changed);
        }
    }
    mutants
}

#[tokio::test(start_paused = true)]
async fn b16_b17_no_odd_field_of_any_line_ends_the_bot() {
    let stage = Stage::healthy();
    let mut bot = stage.bot(|options| options.challenges.max_games = 3);
    stage.until(EVENTS, 1).await;
    let account = mutants(include_str!("../../data/wire/account.ndjson"));
    let game = mutants(include_str!("../../data/wire/game.ndjson"));
    assert!(account.len() > 1000 && game.len() > 1000, "{} {}", account.len(), game.len());
    for line in &account {
        stage.say(EVENTS, line);
        // Give way, so that what this line has begun is met by those after it.
        tokio::task::yield_now().await;
    }
    tokio::time::sleep(SECS(1)).await;
    for line in &game {
        stage.say("/game/stream/", line);
        tokio::task::yield_now().await;
    }
    tokio::time::sleep(SECS(10)).await;
    assert!(bot.is_alive());
    // It hears and answers as before.
    stage.wait("the account's stream", |stage| (stage.open(EVENTS) > 0).then_some(())).await;
    let before = stage.count("freshone");
    stage.say(EVENTS, &challenge("freshone", "dora"));
    stage.until("freshone", before + 1).await;
    bot.kill().await;
}

#[tokio::test(start_paused = true)]
async fn b17_a_new_kind_of_event_is_passed_over() {
    let stage = Stage::healthy();
    let bot = stage.bot(|_| {});
    stage.until(EVENTS, 1).await;
    stage.say(
        EVENTS,
        &json!({ "type": "tournamentInvite", "tournament": { "id": "t0000001", "nested": [{}] } }),
    );
    stage.say(EVENTS, &challenge("chal0001", "dora"));
    stage.until("chal0001/accept", 1).await;
    assert_eq!(stage.count(EVENTS), 1);
    bot.stop().await;
}

#[tokio::test(start_paused = true)]
async fn b18_a_challenge_that_comes_to_nothing_keeps_no_place() {
    let stage = Stage::new(|asked| {
        let gone = || Answer::Say(404, r#"{"error":"No such challenge"}"#.to_owned());
        asked.path.ends_with("chal0001/accept").then(gone)
    });
    let bot = stage.bot(|_| {});
    stage.until(EVENTS, 1).await;
    // Withdrawn at once: our acceptance finds nothing.
    stage.say(EVENTS, &challenge("chal0001", "anna"));
    stage.say(EVENTS, &patched(challenge("chal0001", "anna"), &json!({ "type": "challengeCanceled" })));
    stage.until("chal0001/accept", 1).await;
    // Accepted, but no game follows.
    stage.say(EVENTS, &challenge("chal0002", "bert"));
    let second = stage.until("chal0002/accept", 1).await;
    stage.say(EVENTS, &challenge("chal0003", "cleo"));
    let third = stage.until("chal0003/accept", 1).await;
    let waited = third.at.saturating_duration_since(second.at);
    assert!((SECS(30)..=SECS(31)).contains(&waited), "{waited:?}");
    bot.stop().await;
}

#[tokio::test(start_paused = true)]
async fn b20_of_three_games_at_one_place_one_is_played_and_the_others_are_called_off() {
    let stage = Stage::healthy();
    let bot = stage.bot(|_| {});
    stage.until(EVENTS, 1).await;
    let games = ["g0000001", "g0000002", "g0000003"];
    for game in games {
        stage.say(EVENTS, &game_start(game));
    }
    for game in games {
        stage.until(&stream_of(game), 1).await;
        stage.say(&stream_of(game), &game_full(game, "e2e4"));
    }
    stage.until("g0000001/move/", 1).await;
    stage.until("g0000002/abort", 1).await;
    stage.until("g0000003/abort", 1).await;
    tokio::time::sleep(SECS(1)).await;
    assert_eq!((stage.count("/move/"), stage.count("/abort")), (1, 2));
    bot.stop().await;
}

#[tokio::test(start_paused = true)]
async fn b22_the_end_of_a_game_ends_the_search_and_nothing_is_posted() {
    let stage = Stage::healthy();
    let slow = Slow::default();
    let mind = slow.clone();
    let bot = stage.bot(|options| options.mind = Some(Arc::new(mind)));
    stage.begin(GAME, "e2e4 e7e5 g1f3").await;
    stage.wait("the search", |_| (slow.searches.load(Ordering::SeqCst) == 1).then_some(())).await;
    tokio::time::sleep(MS(200)).await;
    let over = Instant::now();
    let resigned = json!({ "status": "resign", "winner": "black" });
    stage.say(&stream_of(GAME), &patched(state("e2e4 e7e5 g1f3"), &resigned));
    stage.wait("the end of the search", |_| (slow.dropped.load(Ordering::SeqCst) == 1).then_some(())).await;
    assert!(over.elapsed() <= MS(100), "{:?}", over.elapsed());
    tokio::time::sleep(SECS(10)).await;
    assert_eq!(stage.count("/move/"), 0);
    assert_eq!(bot.stop().await.wins, 1);
}

#[tokio::test(start_paused = true)]
async fn b24_a_game_that_bots_may_not_play_takes_no_place_for_long() {
    let stage = Stage::new(|asked| {
        let body = r#"{"error":"This game cannot be played with the Bot API"}"#;
        asked.path.starts_with("/api/bot/game/stream/").then(|| Answer::Say(400, body.to_owned()))
    });
    let bot = stage.bot(|_| {});
    stage.until(EVENTS, 1).await;
    let mut unfit = game_start("g0000009");
    unfit["game"]["compat"] = json!({ "bot": false, "board": true });
    stage.say(EVENTS, &unfit);
    stage.say(EVENTS, &game_start(GAME));
    let told = Instant::now();
    stage.say(EVENTS, &challenge("chal0001", "dora"));
    let accepted = stage.until("/accept", 1).await;
    assert!(accepted.at.saturating_duration_since(told) <= SECS(5));
    // It is asked for again a while, in case it was a moment's trouble.
    tokio::time::sleep(SECS(120)).await;
    assert_eq!((stage.count(&stream_of("g0000009")), stage.count(&stream_of(GAME))), (0, 12));
    bot.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_game_whose_task_breaks_down_is_taken_up_again() {
    let stage = Stage::healthy();
    let bot = stage.bot(|options| {
        options.mind = Some(Arc::new(Quick { breaks: 1..3, ..Quick::default() }));
        options.games.greeting = Some("hello".to_owned());
    });
    stage.begin(GAME, "e2e4").await;
    let ours = super::stage::posted(&stage.until("/move/", 1).await);
    stage.until("/chat", 1).await;
    let moves = format!("e2e4 {ours} d2d4");
    stage.say(&stream_of(GAME), &state(&moves));
    for life in 2..=3 {
        stage.until(&stream_of(GAME), life).await;
        stage.say(&stream_of(GAME), &game_full(GAME, &moves));
    }
    stage.until("/move/", 2).await;
    assert_eq!(stage.count("/chat"), 1, "who greets twice has not noticed that the game goes on");
    stage.say(&stream_of(GAME), &patched(state("e2e4"), &json!({ "status": "resign", "winner": "black" })));
    tokio::time::sleep(SECS(1)).await;
    assert_eq!(bot.stop().await.wins, 1);
}

#[tokio::test(start_paused = true)]
async fn a_game_whose_task_always_breaks_down_is_given_up_and_its_place_is_free() {
    let stage = Stage::healthy();
    let bot = stage.bot(|options| {
        options.mind = Some(Arc::new(Quick { breaks: 0..usize::MAX, ..Quick::default() }));
        options.challenges.speeds = vec![Speed::Rapid];
    });
    stage.begin(GAME, "e2e4").await;
    for life in 2..=4 {
        stage.until(&stream_of(GAME), life).await;
        stage.say(&stream_of(GAME), &game_full(GAME, "e2e4"));
    }
    stage.say(EVENTS, &challenge("chal0001", "dora"));
    stage.until("/accept", 1).await;
    assert_eq!(stage.count(&stream_of(GAME)), 4);
    assert_eq!(bot.stop().await.left, 1);
}
