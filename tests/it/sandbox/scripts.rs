//! Accounts that the sandbox plays by a script, as their opponents see them.

use std::time::Duration;

use rookery::sandbox::{
    Act, AskedColor, GameSetup, GameSource, Moment, Outgoing, Reply, SandboxOptions, Script, ScriptEvent,
    TimeControl, UserSpec,
};
use serde_json::{Value, json};

use super::support::{BLITZ, Lines, Server, options};

/// The usual users, of whom `ada` allows takebacks, and `robo`, who follows a script.
async fn server(script: Script) -> Server {
    server_with(script, options()).await
}

async fn server_with(script: Script, mut options: SandboxOptions) -> Server {
    options.users[0].accepts_takebacks = true;
    options.users.push(UserSpec { accepts_takebacks: true, ..UserSpec::scripted("robo", script) });
    Server::with(options).await
}

fn script(events: &[(Moment, Act)]) -> Script {
    let events = events.iter().map(|(at, act)| ScriptEvent::new(*at, act.clone())).collect();
    Script { events, ..Script::default() }
}

/// `robo` with White against `ada`, three minutes each.
fn game(server: &Server, change: impl FnOnce(&mut GameSetup)) -> String {
    let mut setup = GameSetup::new("robo", "ada", Duration::from_secs(180), Duration::from_secs(2));
    change(&mut setup);
    server.sandbox.create_game(&setup).unwrap()
}

fn plies(state: &Value) -> usize {
    state["moves"].as_str().unwrap().split_whitespace().count()
}

/// The first state with so many plies; the stream began with `full`.
async fn state_at(full: &Value, lines: &mut Lines, ply: usize) -> Value {
    let mut state = full["state"].clone();
    while plies(&state) < ply {
        state = lines.next_of("gameState").await;
    }
    state
}

/// `ada` plays the first legal move of many black ones: one of these always is.
async fn ada_replies(server: &Server, game: &str) {
    for uci in ["a7a6", "h7h6", "b7b6", "g7g6", "a6a5", "h6h5", "b6b5", "g6g5"] {
        let (status, _) = server.ada().post(&format!("/api/bot/game/{game}/move/{uci}"), &[]).await;
        if status == 200 {
            return;
        }
    }
    panic!("black has moved these pawns already");
}

#[tokio::test]
async fn a_challenge_is_accepted_and_played_or_declined() {
    for (accepts, kind) in [(true, "gameStart"), (false, "challengeDeclined")] {
        let server = server(Script { accepts, ..Script::default() }).await;
        let mut events = server.ada().events().await;
        let challenge = server.ada().challenge("robo", &[BLITZ[0], BLITZ[1], ("color", "black")]).await;
        events.next_of(kind).await;
        if accepts {
            let (full, mut lines) = server.ada().watch(challenge["id"].as_str().unwrap()).await;
            assert_eq!(full["white"]["name"], "robo");
            state_at(&full, &mut lines, 1).await;
        }
        server.stop().await;
    }
}

#[tokio::test]
async fn a_bot_that_is_there_is_challenged_to_one_game_after_another() {
    let outgoing = Outgoing { every_ms: 5, color: AskedColor::White, ..Outgoing::to("ada") };
    let server = server(Script { challenges: Some(outgoing), ..Script::default() }).await;
    let mut events = server.ada().events().await;
    for _ in 0..3 {
        let challenge = events.next_of("challenge").await["challenge"].clone();
        assert_eq!(
            (&challenge["challenger"]["name"], &challenge["finalColor"]),
            (&json!("robo"), &json!("white"))
        );
        let id = challenge["id"].as_str().unwrap();
        server.ada().post(&format!("/api/challenge/{id}/accept"), &[]).await;
        events.next_of("gameStart").await;
        server.ada().command(id, "resign").await;
        events.next_of("gameFinish").await;
    }
    server.stop().await;
}

#[tokio::test]
async fn a_challenge_is_withdrawn_again() {
    let outgoing = Outgoing { cancel_after_ms: Some(1), times: Some(1), ..Outgoing::to("ada") };
    let outgoing = Outgoing { every_ms: 5, ..outgoing };
    let server = server(Script { challenges: Some(outgoing), ..Script::default() }).await;
    let mut events = server.ada().events().await;
    let made = events.next_of("challenge").await;
    let withdrawn = events.next_of("challengeCanceled").await;
    assert_eq!(made["challenge"]["id"], withdrawn["challenge"]["id"]);
    server.stop().await;
}

#[tokio::test]
async fn who_leaves_is_reported_as_gone_and_comes_back() {
    let options = SandboxOptions {
        gone_after: Duration::from_millis(5),
        gone_report: Duration::from_millis(5),
        ..options()
    };
    let leave = Act::Leave { ms: Some(60) };
    let server = server_with(script(&[(Moment::Ply(2), leave)]), options).await;
    let game = game(&server, |_| {});
    let (full, mut lines) = server.ada().watch(&game).await;
    state_at(&full, &mut lines, 1).await;
    ada_replies(&server, &game).await;
    assert_eq!(lines.next_of("opponentGone").await["gone"], true);
    assert_eq!(lines.next_of("opponentGone").await, json!({"type": "opponentGone", "gone": false}));
    assert_eq!(plies(&lines.next_of("gameState").await), 3, "and moves");
    server.stop().await;
}

#[tokio::test]
async fn a_first_move_that_never_comes_aborts_a_lobby_game() {
    let options = SandboxOptions { first_move: Some(Duration::from_millis(30)), ..options() };
    let server = server_with(script(&[(Moment::Start, Act::NeverMove)]), options).await;
    let game = game(&server, |setup| setup.source = GameSource::Lobby);
    let (full, mut lines) = server.ada().watch(&game).await;
    let last = lines.last_state(&full).await;
    assert_eq!((&last["status"], &last["moves"]), (&json!("aborted"), &json!("")));
    server.stop().await;
}

#[tokio::test]
async fn who_stops_moving_loses_on_time() {
    let options = SandboxOptions { ultra_bullet: true, ..options() };
    let server = server_with(script(&[(Moment::Ply(2), Act::Flag)]), options).await;
    let half_a_second = Duration::from_millis(500);
    let game = game(&server, |setup| {
        setup.time = TimeControl::Clock { limit: half_a_second, increment: Duration::ZERO };
    });
    let (full, mut lines) = server.ada().watch(&game).await;
    state_at(&full, &mut lines, 1).await;
    ada_replies(&server, &game).await;
    let last = lines.last_state(&full).await;
    assert_eq!((&last["status"], &last["winner"]), (&json!("outoftime"), &json!("black")));
    assert_eq!(plies(&last), 2);
    server.stop().await;
}

#[tokio::test]
async fn a_game_is_resigned_or_aborted() {
    for (at, act, status) in
        [(2, Act::Resign, "resign"), (1, Act::Resign, "aborted"), (1, Act::Abort, "aborted")]
    {
        let server = server(script(&[(Moment::Ply(at), act.clone())])).await;
        let game = game(&server, |_| {});
        let (full, mut lines) = server.ada().watch(&game).await;
        if at == 2 {
            state_at(&full, &mut lines, 1).await;
            ada_replies(&server, &game).await;
        }
        assert_eq!(lines.last_state(&full).await["status"], status, "{act:?}");
        server.stop().await;
    }
}

#[tokio::test]
async fn a_draw_is_offered_again_and_again() {
    // The laws want twenty plies between two offers; with none in between each multiple of four shows.
    let mut options = options();
    options.laws.repeated_offers = rookery::sandbox::laws::RepeatedOffers::Free;
    let server = server_with(script(&[(Moment::Every(2), Act::OfferDraw)]), options).await;
    let game = game(&server, |_| {});
    let (full, mut lines) = server.ada().watch(&game).await;
    state_at(&full, &mut lines, 1).await;
    for _ in 0..2 {
        ada_replies(&server, &game).await;
        while lines.next_of("gameState").await["wdraw"] != true {}
    }
    server.ada().command(&game, "draw/yes").await;
    assert_eq!(lines.last_state(&full).await["status"], "draw");
    server.stop().await;
}

#[tokio::test]
async fn offers_are_answered_as_the_script_says() {
    for (draws, takebacks) in [(Reply::Accept, Reply::Accept), (Reply::Decline, Reply::Decline)] {
        let server = server(Script { draws, takebacks, ..script(&[(Moment::Ply(2), Act::Flag)]) }).await;
        let game = game(&server, |_| {});
        let (full, mut lines) = server.ada().watch(&game).await;
        state_at(&full, &mut lines, 1).await;
        ada_replies(&server, &game).await;
        let before = lines.next_of("gameState").await;
        server.ada().command(&game, "takeback/yes").await;
        while lines.next_of("gameState").await["btakeback"] == true {}
        if takebacks == Reply::Accept {
            ada_replies(&server, &game).await;
            assert_eq!(plies(&lines.next_of("gameState").await), plies(&before), "the move was taken back");
        }
        server.ada().command(&game, "draw/yes").await;
        while lines.next_of("gameState").await["bdraw"] == true {}
        assert_eq!(server.sandbox.games()[0].live, draws == Reply::Decline);
        server.stop().await;
    }
}

#[tokio::test]
async fn a_takeback_is_proposed_and_played() {
    let events = [(Moment::Ply(2), Act::Takeback), (Moment::Ply(2), Act::Flag)];
    let server = server(script(&events)).await;
    let game = game(&server, |_| {});
    let (full, mut lines) = server.ada().watch(&game).await;
    state_at(&full, &mut lines, 1).await;
    ada_replies(&server, &game).await;
    while lines.next_of("gameState").await["wtakeback"] != true {}
    server.ada().command(&game, "takeback/yes").await;
    assert_eq!(lines.next_of("gameState").await["moves"], "", "it was White's turn: two plies are gone");
    server.stop().await;
}

/// Eighty lines at once: a queue of 32 keeps the last of them, one of 1000 all. What comes after is seen either way.
#[tokio::test]
async fn a_flood_of_chat_pushes_out_what_waits() {
    for queue in [32, 1000] {
        let chat = Act::Chat { lines: 40, text: "hello".to_owned() };
        let server =
            server_with(script(&[(Moment::Ply(2), chat)]), SandboxOptions { queue, ..options() }).await;
        let game = game(&server, |_| {});
        let (full, mut lines) = server.ada().watch(&game).await;
        state_at(&full, &mut lines, 1).await;
        ada_replies(&server, &game).await;
        let mut seen = Vec::new();
        loop {
            let line = lines.next().await.unwrap();
            if line["type"] == "gameState" && plies(&line) == 3 {
                break;
            }
            if line["type"] == "chatLine" {
                seen.push((line["room"].as_str().unwrap().to_owned(), line["text"].clone()));
            }
        }
        assert_eq!(seen.last().unwrap(), &("spectator".to_owned(), json!("hello 40")));
        assert_eq!(seen[seen.len() - 2], ("player".to_owned(), json!("hello 40")));
        assert_eq!(seen.len() == 80, queue == 1000, "{} of 80 lines with a queue of {queue}", seen.len());
        server.stop().await;
    }
}

#[tokio::test]
async fn time_is_given_and_given_up() {
    let events = [(Moment::Start, Act::Berserk), (Moment::Ply(1), Act::GiveTime { seconds: 15 })];
    let server = server(script(&events)).await;
    let game = game(&server, |_| {});
    let (full, mut lines) = server.ada().watch(&game).await;
    let mut state = full["state"].clone();
    while state["btime"] != 195_000 {
        state = lines.next_of("gameState").await;
    }
    assert_eq!((&state["wtime"], &state["winc"]), (&json!(90_000), &json!(2000)), "the increment as agreed");
    server.stop().await;
}

#[tokio::test]
async fn a_rematch_is_offered() {
    let server = server(Script { rematches: true, ..Script::default() }).await;
    let game = game(&server, |_| {});
    let (full, mut lines) = server.ada().watch(&game).await;
    state_at(&full, &mut lines, 1).await;
    let mut events = server.ada().events().await;
    ada_replies(&server, &game).await;
    server.ada().command(&game, "resign").await;
    let challenge = events.next_of("challenge").await;
    assert_eq!(challenge["challenge"]["rematchOf"], game.as_str());
    server.stop().await;
}
