//! Draw offers, takebacks and chat.

use std::time::Duration;

use rookery::chess::Variant;
use rookery::sandbox::{GameSetup, SandboxOptions};
use serde_json::{Value, json};

use super::support::{Lines, Server, options};

/// The next state, with the system lines that came before it.
async fn next_state(lines: &mut Lines) -> (Value, Vec<String>) {
    let mut said = Vec::new();
    loop {
        let line = lines.next().await.unwrap();
        if line["type"] == "gameState" {
            return (line, said);
        }
        assert_eq!(line["username"], "lichess", "{line}");
        said.push(line["text"].as_str().unwrap().to_owned());
    }
}

#[tokio::test]
async fn a_draw_is_offered_declined_and_agreed() {
    let server = Server::start().await;
    let game = server.game();
    let (_, mut lines) = server.ada().watch(&game).await;
    server.ada().command(&game, "draw/yes").await; // before the second ply: nothing happens
    server.play(&game, "e2e4 e7e5").await;
    for _ in 0..2 {
        assert!(next_state(&mut lines).await.0.get("wdraw").is_none());
    }
    server.ada().command(&game, "draw/yes").await;
    let (state, said) = next_state(&mut lines).await;
    assert_eq!(
        (&state["wdraw"], state.get("bdraw"), said),
        (&json!(true), None, vec!["White offers draw".to_owned()])
    );
    server.bob().command(&game, "draw/no").await;
    let (state, said) = next_state(&mut lines).await;
    assert_eq!((state.get("wdraw"), said), (None, vec!["Black declines draw".to_owned()]));
    server.ada().command(&game, "draw/yes").await; // again within 20 plies: nothing happens
    server.bob().command(&game, "draw/yes").await;
    let (state, _) = next_state(&mut lines).await;
    assert_eq!((state.get("wdraw"), &state["bdraw"]), (None, &json!(true)));
    server.ada().command(&game, "draw/yes").await;
    let (state, _) = next_state(&mut lines).await;
    assert_eq!((&state["status"], state.get("winner"), state.get("bdraw")), (&json!("draw"), None, None));
    assert_eq!(lines.next().await, None);
    server.stop().await;
}

#[tokio::test]
async fn an_offer_comes_back_after_twenty_plies() {
    let server = Server::with(SandboxOptions { auto_threefold: false, ..options() }).await;
    let game = server.game();
    server.play(&game, "e2e4 e7e5").await;
    server.ada().command(&game, "draw/yes").await;
    let (full, _) = server.ada().watch(&game).await;
    assert_eq!(full["state"]["wdraw"], true);
    // Pieces come and go without a position coming back often: the offer lapses with Black's next move.
    server
        .play(&game, "g1f3 g8f6 b1c3 b8c6 f1e2 f8e7 a2a3 a7a6 b2b3 b7b6 d2d3 d7d6 g2g3 g7g6 h2h3 h7h6")
        .await;
    server.ada().command(&game, "draw/yes").await;
    let (full, _) = server.ada().watch(&game).await;
    assert!(full["state"].get("wdraw").is_none(), "18 plies");
    server.play(&game, "c1d2 c8d7 e2f1 e7f8").await;
    server.ada().command(&game, "draw/yes").await;
    let (full, _) = server.ada().watch(&game).await;
    assert_eq!(full["state"]["wdraw"], true, "22 plies");
    server.stop().await;
}

#[tokio::test]
async fn an_offer_goes_with_a_move_and_a_move_declines_one() {
    let server = Server::start().await;
    let game = server.game();
    server.play(&game, "e2e4 e7e5").await;
    let (_, mut lines) = server.ada().watch(&game).await;
    server.ada().command(&game, "move/g1f3?offeringDraw=true").await;
    let (state, _) = next_state(&mut lines).await;
    assert!(state["moves"].as_str().unwrap().ends_with("g1f3"));
    assert_eq!(state["wdraw"], true);
    server.bob().command(&game, "move/b8c6").await;
    assert!(next_state(&mut lines).await.0.get("wdraw").is_none());
    server.ada().command(&game, "move/f1c4").await;
    next_state(&mut lines).await;
    server.bob().command(&game, "draw/yes").await;
    assert_eq!(next_state(&mut lines).await.0["bdraw"], true);
    server.bob().command(&game, "move/f8c5?offeringDraw=false").await;
    assert!(next_state(&mut lines).await.0.get("bdraw").is_none(), "withdrawn with the move");
    server.stop().await;
}

#[tokio::test]
async fn accepting_with_a_move_ends_the_game_without_it() {
    let server = Server::start().await;
    let game = server.game();
    server.play(&game, "e2e4 e7e5").await;
    server.bob().command(&game, "draw/yes").await;
    server.ada().command(&game, "move/g1f3?offeringDraw=true").await;
    let (full, _) = server.ada().watch(&game).await;
    assert_eq!((&full["state"]["status"], &full["state"]["moves"]), (&json!("draw"), &json!("e2e4 e7e5")));
    server.stop().await;
}

#[tokio::test]
async fn offering_a_draw_to_one_who_cannot_win_ends_the_game() {
    let server = Server::start().await;
    let game = server.game_with(|setup| {
        setup.variant = Variant::FromPosition;
        setup.fen = Some("7k/8/8/8/8/8/8/KR6 w - - 0 1".to_owned());
    });
    server.play(&game, "b1b2 h8g8").await;
    server.ada().command(&game, "draw/yes").await;
    assert_eq!(server.sandbox.games()[0].status, "insufficientMaterialClaim");
    server.stop().await;
}

/// A bot with White against a human who has Black and takes moves back.
async fn game_against_hugo(server: &Server) -> String {
    let limit = Duration::from_secs(180);
    let setup = GameSetup::new("ada", "Hugo", limit, Duration::from_secs(2));
    let game = server.sandbox.create_game(&setup).unwrap();
    for (user, uci) in [(server.ada(), "e2e4"), (server.hugo(), "e7e5"), (server.ada(), "g1f3")] {
        let base = if uci == "e7e5" { "board" } else { "bot" };
        assert_eq!(user.post(&format!("/api/{base}/game/{game}/move/{uci}"), &[]).await.0, 200);
    }
    game
}

#[tokio::test]
async fn bots_do_not_take_moves_back_by_default() {
    let server = Server::start().await;
    let game = game_against_hugo(&server).await;
    let (_, mut lines) = server.ada().watch(&game).await;
    let path = format!("/api/board/game/{game}/takeback/yes");
    assert_eq!(server.hugo().post(&path, &[]).await.0, 200);
    let line = lines.next().await.unwrap();
    assert_eq!(
        (&line["type"], &line["username"], &line["text"]),
        (&json!("chatLine"), &json!("lichess"), &json!("Takeback declined"))
    );
    server.stop().await;
}

#[tokio::test]
async fn a_takeback_gives_the_move_back_to_the_proposer() {
    let server = Server::start().await;
    let game = game_against_hugo(&server).await;
    let (full, mut lines) = server.ada().watch(&game).await;
    let before = full["state"]["wtime"].as_u64().unwrap();
    assert_ne!(before, 180_000, "the increment was earned");
    server.ada().command(&game, "takeback/yes").await;
    let (state, said) = next_state(&mut lines).await;
    assert_eq!((&state["wtakeback"], said), (&json!(true), vec!["Takeback sent".to_owned()]));
    assert_eq!(server.hugo().post(&format!("/api/board/game/{game}/takeback/yes"), &[]).await.0, 200);
    let (state, _) = next_state(&mut lines).await;
    assert_eq!((&state["moves"], state.get("wtakeback")), (&json!("e2e4 e7e5"), None));
    assert_eq!(state["wtime"], 180_000, "the clock returns to what it was");
    // It is White's move again, so taking back once more takes two plies.
    server.ada().command(&game, "takeback/yes").await;
    next_state(&mut lines).await;
    server.hugo().post(&format!("/api/board/game/{game}/takeback/yes"), &[]).await;
    assert_eq!(next_state(&mut lines).await.0["moves"], "");
    server.ada().command(&game, "move/d2d4").await;
    assert_eq!(next_state(&mut lines).await.0["moves"], "d2d4");
    server.stop().await;
}

#[tokio::test]
async fn a_takeback_is_declined_by_word_or_by_move() {
    let server = Server::with(SandboxOptions { takeback_delay: Duration::ZERO, ..options() }).await;
    let game = game_against_hugo(&server).await;
    let (_, mut lines) = server.ada().watch(&game).await;
    for answer in ["takeback/no", "move/b8c6"] {
        server.ada().command(&game, "takeback/yes").await;
        assert_eq!(next_state(&mut lines).await.0["wtakeback"], true);
        assert_eq!(server.hugo().post(&format!("/api/board/game/{game}/{answer}"), &[]).await.0, 200);
        assert!(next_state(&mut lines).await.0.get("wtakeback").is_none());
    }
    server.stop().await;
}

#[tokio::test]
async fn a_refused_takeback_must_wait_before_it_is_proposed_again() {
    let server = Server::start().await;
    let game = game_against_hugo(&server).await;
    let (_, mut lines) = server.ada().watch(&game).await;
    server.ada().command(&game, "takeback/yes").await;
    next_state(&mut lines).await;
    server.hugo().post(&format!("/api/board/game/{game}/takeback/no"), &[]).await;
    next_state(&mut lines).await;
    server.ada().command(&game, "takeback/yes").await;
    server.hugo().post(&format!("/api/board/game/{game}/move/b8c6"), &[]).await;
    let (state, said) = next_state(&mut lines).await;
    assert!(state["moves"].as_str().unwrap().ends_with("b8c6") && said.is_empty());
    server.stop().await;
}

#[tokio::test]
async fn what_is_said_reaches_both_players_and_stays_in_its_room() {
    let server = Server::start().await;
    let game = server.game();
    let (_, mut ada) = server.ada().watch(&game).await;
    let (_, mut bob) = server.bob().watch(&game).await;
    let path = format!("/api/bot/game/{game}/chat");
    let ladder = "é".repeat(140);
    for (room, text) in [("player", "good luck"), ("spectator", "hello all"), ("player", ladder.as_str())] {
        assert_eq!(server.ada().post(&path, &[("room", room), ("text", text)]).await.0, 200);
        for lines in [&mut ada, &mut bob] {
            let line = lines.next().await.unwrap();
            assert_eq!(line, json!({"type": "chatLine", "room": room, "username": "ada", "text": text}));
        }
    }
    // A bot's link is dropped without a word.
    assert_eq!(
        server.ada().post(&path, &[("room", "player"), ("text", "see https://example.org")]).await.0,
        200
    );
    let said = json!([{"text": "good luck", "user": "ada"}, {"text": ladder, "user": "ada"}]);
    assert_eq!(server.bob().get(&path).await, (200, said));
    let spectators = server.nobody().get(&format!("/api/game/{game}/chat")).await;
    assert_eq!(spectators, (200, json!([{"text": "hello all", "user": "ada"}])));
    for (room, text, field) in [
        ("player", "é".repeat(141), "text"),
        ("player", String::new(), "text"),
        ("kitchen", "x".into(), "room"),
    ] {
        let (status, body) = server.ada().post(&path, &[("room", room), ("text", &text)]).await;
        assert_eq!(status, 400);
        assert!(body["error"][field].is_array() && body[field].is_array(), "{body}");
    }
    server.stop().await;
}
