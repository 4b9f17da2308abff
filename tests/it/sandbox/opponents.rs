//! The opponents that the sandbox lends.

use serde_json::json;

use super::support::{BLITZ, Server};
use rookery::chess::{CastlingSpelling, History, UciMove, Variant};

#[tokio::test]
async fn a_lent_opponent_plays_and_takes_moves_back() {
    let server = Server::start().await;
    let form = [BLITZ.as_slice(), &[("level", "1"), ("color", "black")]].concat();
    let (status, game) = server.ada().post("/api/challenge/ai", &form).await;
    assert_eq!(status, 201, "{game}");
    assert_eq!(
        (&game["source"], &game["perf"], &game["rated"]),
        (&json!("ai"), &json!("blitz"), &json!(false))
    );
    let id = game["id"].as_str().unwrap();
    let mut events = server.ada().events().await;
    let start = events.next().await.unwrap();
    assert_eq!(start["game"]["opponent"], json!({"id": null, "username": "Stockfish level 1", "ai": 1}));
    let (full, mut lines) = server.ada().watch(id).await;
    assert_eq!(full["white"], json!({"aiLevel": 1}));
    let mut state = full["state"].clone();
    while state["moves"] == "" {
        state = lines.next_of("gameState").await;
    }
    server.ada().command(id, "move/e7e6").await;
    while state["moves"].as_str().unwrap().split(' ').count() < 3 {
        state = lines.next_of("gameState").await;
    }
    // It does not agree to draws, but takes moves back at once.
    server.ada().command(id, "draw/yes").await;
    server.ada().command(id, "takeback/yes").await;
    state = lines.next_of("gameState").await;
    assert_eq!(state["moves"].as_str().unwrap().split(' ').count(), 1);
    assert!(state.get("bdraw").is_none());
    server.ada().command(id, "resign").await;
    assert_eq!(lines.last_state(&full).await["status"], "aborted", "one ply is left");
    server.stop().await;
}

#[tokio::test]
async fn a_lent_opponent_plays_every_variant() {
    let server = Server::start().await;
    for variant in Variant::ALL.into_iter().filter(|variant| *variant != Variant::FromPosition) {
        let form =
            [BLITZ.as_slice(), &[("level", "2"), ("color", "black"), ("variant", variant.key())]].concat();
        let (status, game) = server.ada().post("/api/challenge/ai", &form).await;
        assert_eq!(status, 201, "{game}");
        let id = game["id"].as_str().unwrap();
        let (full, mut lines) = server.ada().watch(id).await;
        let fen = full["initialFen"].as_str().filter(|fen| *fen != "startpos");
        let start = variant.start(fen).unwrap();
        let mut state = full["state"].clone();
        for ply in (1..10).step_by(2) {
            while state["moves"].as_str().unwrap().split_whitespace().count() < ply {
                state = lines.next_of("gameState").await;
            }
            let moves = state["moves"].as_str().unwrap();
            let history = History::from_uci(start.clone(), moves.split_whitespace()).unwrap();
            let Some(&mv) = history.position().legal_moves().first() else { break };
            let uci = UciMove::from_move(mv, CastlingSpelling::KingTakesRook);
            server.ada().command(id, &format!("move/{uci}")).await;
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn many_lent_opponents_play_at_once() {
    let server = Server::start().await;
    for level in ["0", "9", "x", ""] {
        let (status, body) = server.ada().post("/api/challenge/ai", &[("level", level)]).await;
        assert_eq!((status, body["error"]["level"].is_array()), (400, true), "{level:?}");
    }
    // Ten games at once, in each of which the lent opponent begins.
    let mut streams = Vec::new();
    for _ in 0..10 {
        let (_, game) = server.ada().post("/api/challenge/ai", &[("level", "2"), ("color", "black")]).await;
        streams.push(server.ada().watch(game["id"].as_str().unwrap()).await);
    }
    for (full, lines) in &mut streams {
        if full["state"]["moves"] == "" {
            assert_ne!(lines.next_of("gameState").await["moves"], "");
        }
    }
    server.stop().await;
}
