//! Every way in which a game ends.

use std::time::Duration;

use rookery::chess::Variant;
use rookery::sandbox::{GameSource, SandboxOptions, TimeControl};
use serde_json::{Value, json};

use super::support::{Server, options};

/// Plays from a position and returns the final state: ada has White and moves first if White does.
async fn finish_from(server: &Server, fen: &str, moves: &str) -> Value {
    let game = server.game_with(|setup| {
        setup.variant = Variant::FromPosition;
        setup.fen = Some(fen.to_owned());
    });
    let (full, mut lines) = server.ada().watch(&game).await;
    server.play(&game, moves).await;
    lines.last_state(&full).await
}

#[tokio::test]
async fn the_laws_end_a_game() {
    let server = Server::start().await;
    for (fen, moves, status) in [
        ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "g6f7", "stalemate"),
        ("7k/8/8/8/8/8/1p6/K7 w - - 0 1", "a1b2", "draw"),
        ("7k/8/8/8/8/8/8/KR6 w - - 99 90", "b1b2", "draw"),
    ] {
        let state = finish_from(&server, fen, moves).await;
        assert_eq!(state["status"], status, "{fen}");
        assert!(state.get("winner").is_none());
    }
    server.stop().await;
}

#[tokio::test]
async fn mate_counts_on_the_hundredth_half_move() {
    let server = Server::start().await;
    let state = finish_from(&server, "7k/R7/6K1/8/8/8/8/8 w - - 99 90", "a7a8").await;
    assert_eq!((&state["status"], &state["winner"]), (&json!("mate"), &json!("white")));
    server.stop().await;
}

const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8 ";

#[tokio::test]
async fn a_third_repetition_ends_games_of_bots() {
    let server = Server::start().await;
    let game = server.game();
    let (full, mut lines) = server.ada().watch(&game).await;
    server.play(&game, &SHUFFLE.repeat(2)).await;
    let state = lines.last_state(&full).await;
    assert_eq!(state["status"], "draw");
    assert_eq!(state["moves"].as_str().unwrap().split(' ').count(), 8);
    server.stop().await;
}

#[tokio::test]
async fn without_that_setting_a_third_repetition_is_claimed_and_a_fifth_is_not_needed() {
    let server = Server::with(SandboxOptions { auto_threefold: false, ..options() }).await;
    let game = server.game();
    server.play(&game, &SHUFFLE.repeat(2)).await;
    server.ada().command(&game, "draw/yes").await;
    assert_eq!(server.sandbox.games()[0].status, "draw");
    let game = server.game();
    server.play(&game, &SHUFFLE.repeat(4)).await;
    assert_eq!((server.sandbox.games()[0].status, server.sandbox.games()[0].plies), ("draw", 16));
    server.stop().await;
}

#[tokio::test]
async fn no_game_is_longer_than_the_limit() {
    assert_eq!(SandboxOptions::default().max_plies, 600, "Lichess' limit");
    let server = Server::with(SandboxOptions { max_plies: 4, ..options() }).await;
    let game = server.game();
    server.play(&game, "e2e4 e7e5 d2d4 d7d5").await;
    assert_eq!(server.sandbox.games()[0].status, "draw");
    server.stop().await;
}

#[tokio::test]
async fn resigning_before_the_second_ply_aborts() {
    let server = Server::start().await;
    let game = server.game();
    server.play(&game, "e2e4").await;
    server.bob().command(&game, "resign").await;
    assert_eq!(server.sandbox.games()[0].status, "aborted");
    let game = server.game();
    server.play(&game, "e2e4 e7e5").await;
    let (status, text) = server.bob().refused(&game, "abort").await;
    assert_eq!((status, text.as_str()), (400, "This game can no longer be aborted"));
    server.bob().command(&game, "resign").await;
    let (full, _) = server.ada().watch(&game).await;
    assert_eq!((&full["state"]["status"], &full["state"]["winner"]), (&json!("resign"), &json!("white")));
    let (status, text) = server.bob().refused(&game, "resign").await;
    assert_eq!((status, text.as_str()), (400, "This game cannot be resigned"));
    server.stop().await;
}

/// Short, but by its increment not too fast for bots.
const SHORT: TimeControl =
    TimeControl::Clock { limit: Duration::from_millis(30), increment: Duration::from_secs(1) };

#[tokio::test]
async fn a_flag_falls_while_nobody_moves() {
    let server = Server::start().await;
    let game = server.game_with(|setup| setup.time = SHORT);
    let (full, mut lines) = server.ada().watch(&game).await;
    server.play(&game, "e2e4 e7e5").await;
    let state = lines.last_state(&full).await;
    assert_eq!((&state["status"], &state["winner"]), (&json!("outoftime"), &json!("black")));
    assert_eq!((&state["wtime"], &state["btime"]), (&json!(0), &json!(30)));
    server.stop().await;
}

#[tokio::test]
async fn a_flag_is_seen_when_a_move_arrives() {
    let day = Duration::from_secs(86_400);
    let server = Server::with(SandboxOptions { flag_check: day, ..options() }).await;
    let game = server.game_with(|setup| setup.time = SHORT);
    server.play(&game, "e2e4 e7e5").await;
    // The clock shows 0 long before anybody looks: the game is still on.
    loop {
        let (_, playing) = server.ada().get("/api/account/playing").await;
        let left = &playing["nowPlaying"][0]["secondsLeft"];
        assert_eq!(left, 0);
        let (status, text) = server.ada().refused(&game, "move/d1h9").await;
        assert_eq!((status, text.as_str()), (400, "Invalid UCI: d1h9"));
        if server.ada().refused(&game, "move/e1e3").await.1.starts_with("Not your turn") {
            break;
        }
    }
    let (full, _) = server.ada().watch(&game).await;
    assert_eq!((&full["state"]["status"], &full["state"]["winner"]), (&json!("outoftime"), &json!("black")));
    server.stop().await;
}

#[tokio::test]
async fn a_flag_is_a_draw_when_the_other_cannot_win() {
    let server = Server::start().await;
    let game = server.game_with(|setup| {
        setup.time = SHORT;
        setup.variant = Variant::FromPosition;
        setup.fen = Some("7k/8/8/8/8/8/8/KQ6 w - - 0 1".to_owned());
    });
    let (full, mut lines) = server.ada().watch(&game).await;
    server.play(&game, "b1b2 h8g8").await;
    let state = lines.last_state(&full).await;
    assert_eq!((&state["status"], state.get("winner")), (&json!("outoftime"), None));
    server.stop().await;
}

#[tokio::test]
async fn first_moves_have_a_deadline_in_the_lobby_and_in_tournaments() {
    let server = Server::start().await;
    for (source, millis, tournament, abort) in
        [(GameSource::Lobby, 25_000, false, 200), (GameSource::Arena, 21_000, true, 400)]
    {
        let game = server.game_with(|setup| setup.source = source);
        let (full, _lines) = server.ada().watch(&game).await;
        let expiration = &full["state"]["expiration"];
        assert_eq!(expiration["millisToMove"], millis);
        assert!(expiration["idleMillis"].as_u64().unwrap() < millis);
        assert_eq!(full["tournamentId"].is_string(), tournament);
        assert_eq!(server.ada().refused(&game, "abort").await.0, abort);
    }
    server.stop().await;
}

#[tokio::test]
async fn a_first_move_that_does_not_come_ends_the_game() {
    let options = SandboxOptions { first_move: Some(Duration::from_millis(10)), ..options() };
    let server = Server::with(options).await;
    for (source, status, winner) in
        [(GameSource::Lobby, "aborted", json!(null)), (GameSource::Arena, "noStart", json!("black"))]
    {
        let game = server.game_with(|setup| setup.source = source);
        let (full, mut lines) = server.ada().watch(&game).await;
        let state = lines.last_state(&full).await;
        assert_eq!((&state["status"], &state["winner"]), (&json!(status), &winner));
    }
    server.stop().await;
}
