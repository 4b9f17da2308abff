//! Game streams, moves and clocks.

use std::time::Duration;

use reqwest::Method;
use rookery::chess::Variant;
use rookery::sandbox::{CastlingNotation, SandboxOptions, TimeControl, UnsetFlags};
use serde_json::json;

use super::support::{Lines, Server, options};

fn clock(limit: Duration, increment: Duration) -> TimeControl {
    TimeControl::Clock { limit, increment }
}

#[tokio::test]
async fn a_stream_begins_with_the_whole_game() {
    let server = Server::start().await;
    let game = server.game_with(|setup| {
        setup.black = "Hugo".to_owned();
        setup.time = clock(Duration::from_secs(180), Duration::from_secs(2));
    });
    let (full, _lines) = server.ada().watch(&game).await;
    assert!(full["createdAt"].as_u64().unwrap() > 1_700_000_000_000);
    assert_eq!(
        full,
        json!({
            "type": "gameFull", "id": game,
            "variant": {"key": "standard", "name": "Standard", "short": "Std"},
            "speed": "blitz", "perf": {"name": "Blitz"}, "rated": false, "createdAt": full["createdAt"],
            "white": {"id": "ada", "name": "ada", "title": "BOT", "rating": 2000},
            "black": {"id": "hugo", "name": "Hugo", "title": null, "rating": 1500},
            "initialFen": "startpos", "clock": {"initial": 180000, "increment": 2000},
            "state": {
                "type": "gameState", "moves": "", "wtime": 180000, "btime": 180000,
                "winc": 2000, "binc": 2000, "status": "started",
            },
        })
    );
    server.stop().await;
}

#[tokio::test]
async fn a_game_is_played_to_mate() {
    let server = Server::start().await;
    let game = server.game();
    let (_, mut lines) = server.ada().watch(&game).await;
    server.play(&game, "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7").await;
    let mut moves = Vec::new();
    let mut last = json!(null);
    while let Some(line) = lines.next().await {
        moves.push(line["moves"].as_str().unwrap().split(' ').count());
        last = line;
    }
    assert_eq!(moves, [1, 2, 3, 4, 5, 6, 7], "one line for each move, then the end");
    assert_eq!((&last["status"], &last["winner"]), (&json!("mate"), &json!("white")));
    // The stream of a finished game is its final state and the end.
    let (full, mut again) = server.bob().watch(&game).await;
    assert_eq!(full["state"], last);
    assert_eq!(again.next().await, None);
    let (status, text) = server.bob().refused(&game, "move/e8f7").await;
    assert_eq!((status, text.as_str()), (400, "Not your turn, or game already over"));
    server.stop().await;
}

#[tokio::test]
async fn moves_that_cannot_be_are_refused() {
    let server = Server::start().await;
    let game = server.game();
    for (user, uci, refusal) in [
        (server.ada(), "xyz", "Invalid UCI: xyz"),
        (server.ada(), "e2e5", "Piece on e2 cannot move to e5"),
        (server.ada(), "e4e5", "Piece on e4 cannot move to e5"),
        (server.bob(), "e7e5", "Not your turn, or game already over"),
    ] {
        assert_eq!(user.refused(&game, &format!("move/{uci}")).await, (400, refusal.to_owned()));
    }
    assert_eq!(server.ada().refused("nogame00", "move/e2e4").await, (404, "No such game".to_owned()));
    let other = server.game_with(|setup| setup.black = "Hugo".to_owned());
    assert_eq!(server.bob().refused(&other, "move/e2e4").await, (404, "Not your game".to_owned()));
    assert_eq!(server.ada().refused(&game, "dance").await, (404, "No such command".to_owned()));
    assert_eq!(server.ada().refused(&game, "draw/maybe").await.0, 404);
    server.stop().await;
}

#[tokio::test]
async fn the_long_id_of_a_player_names_the_game_too() {
    let server = Server::start().await;
    let mut events = server.ada().events().await;
    server.game();
    let start = events.next().await.unwrap();
    server.ada().command(start["game"]["fullId"].as_str().unwrap(), "move/e2e4").await;
    server.stop().await;
}

const READY_TO_CASTLE: &str = "e2e4 e7e5 g1f3 g8f6 f1e2 f8e7";

#[tokio::test]
async fn castling_is_understood_in_both_spellings() {
    for (sent, reply) in [("e1g1", "e8h8"), ("e1h1", "e8g8")] {
        let server = Server::start().await;
        let game = server.game();
        server.play(&game, &format!("{READY_TO_CASTLE} {sent} {reply}")).await;
        let (full, _) = server.ada().watch(&game).await;
        assert_eq!(full["state"]["moves"], format!("{READY_TO_CASTLE} e1g1 e8g8"));
        let (_, playing) = server.ada().get("/api/account/playing").await;
        assert_eq!(playing["nowPlaying"][0]["lastMove"], "e8g8");
        server.stop().await;
    }
}

#[tokio::test]
async fn castling_is_written_as_the_setting_says() {
    let classical = "r3k2r/pppq1ppp/8/8/8/8/PPPQ1PPP/R3K2R w KQkq - 0 1";
    for (notation, standard, set_up) in [
        (CastlingNotation::Auto, "e1g1", "e1h1"),
        (CastlingNotation::KingTakesRook, "e1h1", "e1h1"),
        (CastlingNotation::Legacy, "e1g1", "e1g1"),
    ] {
        let server = Server::with(SandboxOptions { castling: notation, ..options() }).await;
        let game = server.game();
        server.play(&game, &format!("{READY_TO_CASTLE} e1g1")).await;
        let (full, _) = server.ada().watch(&game).await;
        assert!(full["state"]["moves"].as_str().unwrap().ends_with(standard), "{notation:?}");
        let game = server.game_with(|setup| {
            setup.variant = Variant::FromPosition;
            setup.fen = Some(classical.to_owned());
        });
        server.ada().command(&game, "move/e1g1").await;
        let (full, _) = server.ada().watch(&game).await;
        assert_eq!(full["state"]["moves"], set_up, "{notation:?}");
        server.stop().await;
    }
}

/// With king and rook off their squares, a king step to g1 is a step (lichess-api.md 3.2).
#[tokio::test]
async fn chess960_castling_is_king_takes_rook_alone() {
    let server = Server::start().await;
    let fen = "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1";
    let game = server.game_with(|setup| {
        setup.variant = Variant::Chess960;
        setup.fen = Some(fen.to_owned());
    });
    let (full, _lines) = server.ada().watch(&game).await;
    assert_eq!((&full["initialFen"], &full["variant"]["short"]), (&json!(fen), &json!("960")));
    assert_eq!((&full["perf"]["name"], &full["speed"]), (&json!("Chess960"), &json!("blitz")));
    // Clear c1; then the king on d1 castles with the rook on b1.
    server.play(&game, "b2b3 b7b6 c1b2 c8b7").await;
    assert_eq!(server.ada().refused(&game, "move/d1g1").await.0, 400);
    server.ada().command(&game, "move/d1b1").await;
    let (full, _) = server.ada().watch(&game).await;
    assert!(full["state"]["moves"].as_str().unwrap().ends_with(" d1b1"));
    server.stop().await;
}

#[tokio::test]
async fn the_classical_start_is_chess960_too() {
    let server = Server::start().await;
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let game = server.game_with(|setup| {
        setup.variant = Variant::Chess960;
        setup.fen = Some(fen.to_owned());
    });
    let (full, _lines) = server.ada().watch(&game).await;
    assert_eq!(full["initialFen"], fen, "always given, also for number 518");
    server.play(&game, READY_TO_CASTLE).await;
    assert_eq!(server.ada().refused(&game, "move/e1g1").await.0, 400);
    server.ada().command(&game, "move/e1h1").await;
    server.stop().await;
}

#[tokio::test]
async fn a_promotion_without_a_letter_makes_a_queen() {
    let server = Server::start().await;
    let game = server.game_with(|setup| {
        setup.variant = Variant::FromPosition;
        setup.fen = Some("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1".to_owned());
    });
    server.ada().command(&game, "move/e7e8").await;
    let (full, _) = server.ada().watch(&game).await;
    assert_eq!(full["state"]["moves"], "e7e8q");
    server.stop().await;
}

#[tokio::test]
async fn black_may_begin_from_a_position() {
    let server = Server::start().await;
    let fen = "8/5pk1/6p1/8/3K4/8/1R6/8 b - - 3 41";
    let challenge = server.ada().challenge("bob", &[("fen", fen), ("color", "white"), ("days", "2")]).await;
    let game = challenge["id"].as_str().unwrap();
    assert_eq!(challenge["variant"]["key"], "fromPosition");
    server.bob().post(&format!("/api/challenge/{game}/accept"), &[]).await;
    assert_eq!(server.ada().refused(game, "move/b2b7").await.0, 400);
    server.bob().command(game, "move/f7f5").await;
    let (full, _lines) = server.ada().watch(game).await;
    assert_eq!((&full["initialFen"], &full["daysPerTurn"]), (&json!(fen), &json!(2)));
    assert!(full.get("clock").is_none());
    assert_eq!((&full["state"]["wtime"], &full["speed"]), (&json!(172_800_000), &json!("correspondence")));
    server.stop().await;
}

#[tokio::test]
async fn unlimited_games_show_a_constant() {
    let server = Server::start().await;
    let game = server.game_with(|setup| setup.time = TimeControl::Unlimited);
    server.play(&game, "e2e4 e7e5 g1f3").await;
    let (full, _lines) = server.ada().watch(&game).await;
    assert_eq!(
        (&full["state"]["wtime"], &full["state"]["btime"]),
        (&json!(2_147_483_647), &json!(2_147_483_647))
    );
    let (_, playing) = server.ada().get("/api/account/playing").await;
    assert!(playing["nowPlaying"][0].get("secondsLeft").is_none());
    server.stop().await;
}

#[tokio::test]
async fn first_moves_are_free_and_later_ones_earn_the_increment() {
    let server = Server::start().await;
    let game = server.game_with(|setup| setup.time = clock(Duration::ZERO, Duration::from_secs(1)));
    let (full, mut lines) = server.ada().watch(&game).await;
    assert_eq!((&full["clock"]["initial"], &full["state"]["wtime"]), (&json!(0), &json!(3000)));
    server.play(&game, "e2e4 e7e5 g1f3").await;
    for moves in 1..=2 {
        let state = lines.next().await.unwrap();
        assert_eq!((&state["wtime"], &state["btime"]), (&json!(3000), &json!(3000)), "after {moves}");
    }
    let state = lines.next().await.unwrap();
    let white = state["wtime"].as_u64().unwrap();
    assert!((1000..=4000).contains(&white) && white != 3000, "{white}");
    server.stop().await;
}

#[tokio::test]
async fn without_free_first_moves_the_clock_runs_at_once() {
    let options = SandboxOptions { free_first_moves: false, ..options() };
    let server = Server::with(options).await;
    let game =
        server.game_with(|setup| setup.time = clock(Duration::from_millis(20), Duration::from_secs(1)));
    let (full, mut lines) = server.ada().watch(&game).await;
    let state = lines.last_state(&full).await;
    assert_eq!((&state["status"], &state["winner"]), (&json!("outoftime"), &json!("black")));
    server.stop().await;
}

#[tokio::test]
async fn time_can_be_given() {
    let server = Server::start().await;
    let game = server.game_with(|setup| setup.black = "Hugo".to_owned());
    let (_, mut lines) = server.ada().watch(&game).await;
    assert_eq!(server.hugo().post(&format!("/api/round/{game}/add-time/15"), &[]).await.0, 200);
    assert_eq!(lines.next().await.unwrap()["wtime"], 195_000);
    assert_eq!(server.hugo().post(&format!("/api/round/{game}/add-time/61"), &[]).await.0, 400);
    server.stop().await;
}

#[tokio::test]
async fn a_second_stream_of_the_same_program_ends_the_first() {
    let server = Server::start().await;
    let game = server.game();
    let path = format!("/api/bot/game/stream/{game}");
    let open = async |agent: &str| {
        let request = server.ada().request(Method::GET, &path).header("User-Agent", agent);
        let mut lines = Lines::of(request).await;
        lines.next_of("gameFull").await;
        lines
    };
    let mut first = open("one").await;
    let mut other = open("two").await;
    let mut second = open("one").await;
    assert_eq!(first.next().await, None);
    server.ada().command(&game, "move/e2e4").await;
    assert_eq!(second.next().await.unwrap()["moves"], "e2e4");
    assert_eq!(other.next().await.unwrap()["moves"], "e2e4");
    server.stop().await;
}

#[tokio::test]
async fn flags_can_be_written_out() {
    let server = Server::with(SandboxOptions { unset_flags: UnsetFlags::False, ..options() }).await;
    let game = server.game();
    let (full, _lines) = server.ada().watch(&game).await;
    for flag in ["wdraw", "bdraw", "wtakeback", "btakeback"] {
        assert_eq!(full["state"][flag], false);
    }
    server.stop().await;
}
