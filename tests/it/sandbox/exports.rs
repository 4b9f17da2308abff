//! Games as PGN and JSON.

use reqwest::Method;
use rookery::chess::Variant;
use serde_json::{Value, json};

use super::support::Server;

async fn export(server: &Server, path: &str, accept: &str) -> (String, String) {
    let request = server.nobody().request(Method::GET, path).header("Accept", accept);
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 200);
    let kind = response.headers()["content-type"].to_str().unwrap().to_owned();
    (kind, response.text().await.unwrap())
}

#[tokio::test]
async fn a_game_is_exported_as_pgn() {
    let server = Server::start().await;
    let game = server.game();
    server.play(&game, "f2f3 e7e5 g2g4 d8h4").await;
    let path = format!("/game/export/{game}?clocks=false");
    let (kind, pgn) = export(&server, &path, "application/x-chess-pgn").await;
    assert_eq!(kind, "application/x-chess-pgn");
    for tag in [
        r#"[Event "Casual Blitz game"]"#,
        r#"[White "ada"]"#,
        r#"[Black "bob"]"#,
        r#"[Result "0-1"]"#,
        r#"[WhiteElo "2000"]"#,
        r#"[BlackTitle "BOT"]"#,
        r#"[Variant "Standard"]"#,
        r#"[TimeControl "180+0"]"#,
        r#"[Termination "Normal"]"#,
    ] {
        assert!(pgn.contains(tag), "{tag} is missing in\n{pgn}");
    }
    assert!(pgn.ends_with("\n\n1. f3 e5 2. g4 Qh4# 0-1\n"), "{pgn}");
    let with_clocks = server.sandbox.game_pgn(&game).unwrap();
    assert!(with_clocks.contains("f3 { [%clk 0:03:00] }"), "{with_clocks}");
    server.stop().await;
}

#[tokio::test]
async fn a_game_is_exported_as_json() {
    let server = Server::start().await;
    let game = server.game_with(|setup| {
        setup.variant = Variant::FromPosition;
        setup.fen = Some("7k/R7/6K1/8/8/8/8/8 w - - 0 1".to_owned());
    });
    server.play(&game, "a7a8").await;
    let path = format!("/game/export/{game}?pgnInJson=true");
    let (_, text) = export(&server, &path, "application/json").await;
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&json["id"], &json["status"], &json["winner"]),
        (&json!(game), &json!("mate"), &json!("white"))
    );
    assert_eq!((&json["moves"], &json["variant"]), (&json!("Ra8#"), &json!("fromPosition")));
    assert_eq!(
        json["players"]["white"],
        json!({"user": {"name": "ada", "id": "ada", "title": "BOT"}, "rating": 2000})
    );
    assert_eq!(json["clock"], json!({"initial": 180, "increment": 0, "totalTime": 180}));
    assert_eq!(json["clocks"], json!([18000]));
    assert!(json["pgn"].as_str().unwrap().contains("[FEN \"7k/R7/6K1/8/8/8/8/8 w - - 0 1\"]\n[SetUp \"1\"]"));
    server.stop().await;
}

#[tokio::test]
async fn the_games_of_a_user_are_exported_newest_first() {
    let server = Server::start().await;
    let mut games = Vec::new();
    for _ in 0..3 {
        let game = server.game();
        server.play(&game, "f2f3 e7e5 g2g4 d8h4").await;
        games.push(game);
    }
    server.game(); // still going on
    let (_, text) = export(&server, "/api/games/user/ada?max=2&vs=bob", "application/x-ndjson").await;
    let ids: Vec<Value> =
        text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].clone()).collect();
    assert_eq!(ids, [json!(games[2]), json!(games[1])]);
    let (_, pgn) = export(&server, "/api/games/user/ada", "application/x-chess-pgn").await;
    assert_eq!(pgn.matches("[Event ").count(), 3);
    assert_eq!(server.nobody().get("/api/games/user/nobody").await.0, 404);
    assert_eq!(server.nobody().get("/game/export/nogame00").await.0, 404);
    server.stop().await;
}
