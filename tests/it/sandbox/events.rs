//! The event stream: what it begins with, what it tells, and how it ends.

use std::time::Duration;

use rookery::sandbox::{SandboxOptions, Scope};
use serde_json::json;

use super::support::{BLITZ, Server, options, user_with};

#[tokio::test]
async fn a_stream_begins_with_urgent_games_and_then_challenges() {
    let server = Server::start().await;
    let idle = server.game_with(|setup| (setup.white, setup.black) = ("bob".into(), "ada".into()));
    let slow = server.game();
    let fast = server.game_with(|setup| {
        setup.time = rookery::sandbox::TimeControl::Clock {
            limit: Duration::from_secs(60),
            increment: Duration::ZERO,
        };
    });
    let challenge = server.hugo().challenge("ada", &BLITZ).await;
    server.ada().challenge("hugo", &BLITZ).await;
    let mut events = server.ada().events().await;
    for game in [&fast, &slow, &idle] {
        let line = events.next().await.unwrap();
        assert_eq!((&line["type"], &line["game"]["gameId"]), (&json!("gameStart"), &json!(game)));
    }
    let line = events.next().await.unwrap();
    assert_eq!((&line["type"], &line["challenge"]["id"]), (&json!("challenge"), &challenge["id"]));
    assert!(line.get("compat").is_none(), "a challenge is replayed without it");
    // What follows is new: the outgoing challenge was not told again.
    let next = server.game();
    assert_eq!(events.next().await.unwrap()["game"]["id"], next);
    server.stop().await;
}

#[tokio::test]
async fn a_game_start_says_all_about_the_game() {
    let server = Server::start().await;
    let mut events = server.bob().events().await;
    let game = server.game();
    let line = events.next().await.unwrap();
    let full_id = line["game"]["fullId"].as_str().unwrap().to_owned();
    assert!(full_id.len() == 12 && full_id.starts_with(&game));
    assert_eq!(
        line,
        json!({"type": "gameStart", "game": {
            "fullId": full_id, "gameId": game, "id": game,
            "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "color": "black", "lastMove": "", "source": "friend",
            "status": {"id": 20, "name": "started"},
            "variant": {"key": "standard", "name": "Standard"},
            "speed": "blitz", "perf": "blitz", "rated": false, "hasMoved": false,
            "opponent": {"id": "ada", "username": "BOT ada", "rating": 2000},
            "isMyTurn": false, "secondsLeft": 180, "rating": 2000,
            "compat": {"bot": true, "board": true},
        }})
    );
    let (_, playing) = server.bob().get("/api/account/playing").await;
    let playing = &playing["nowPlaying"];
    assert_eq!(
        (playing[0]["gameId"].as_str(), playing[0]["isMyTurn"].as_bool()),
        (Some(game.as_str()), Some(false))
    );
    assert!(playing[0].get("compat").is_none() && playing.as_array().unwrap().len() == 1);
    server.stop().await;
}

#[tokio::test]
async fn a_finished_game_is_told_to_both_also_when_aborted() {
    let server = Server::start().await;
    let mut streams = [server.ada().events().await, server.bob().events().await];
    let aborted = server.game();
    server.ada().command(&aborted, "abort").await;
    let rated = server.game_with(|setup| setup.rated = true);
    server.play(&rated, "e2e4 e7e5").await;
    server.ada().command(&rated, "resign").await;
    for (stream, diff) in streams.iter_mut().zip([-8, 8]) {
        let finish = stream.next_of("gameFinish").await;
        assert_eq!(finish["game"]["status"], json!({"id": 25, "name": "aborted"}));
        assert!(finish["game"].get("winner").is_none());
        let finish = stream.next_of("gameFinish").await;
        assert_eq!(finish["game"]["status"], json!({"id": 31, "name": "resign"}));
        assert_eq!(
            (&finish["game"]["winner"], &finish["game"]["lastMove"]),
            (&json!("black"), &json!("e7e5"))
        );
        assert_eq!(finish["game"]["ratingDiff"], diff);
    }
    let (_, ada) = server.ada().get("/api/account").await;
    assert_eq!((&ada["perfs"]["blitz"]["rating"], &ada["count"]["loss"]), (&json!(1992), &json!(1)));
    server.stop().await;
}

#[tokio::test]
async fn a_second_stream_of_a_token_ends_the_first() {
    let mut options = options();
    let second = user_with("ada", "tok_ada2", &[Scope::BotPlay]).tokens;
    options.users[0].tokens.extend(second);
    let server = Server::with(options).await;
    let mut first = server.ada().events().await;
    let mut other_token = server.user("tok_ada2").events().await;
    let mut second = server.ada().events().await;
    assert_eq!(first.next().await, None);
    let game = server.game();
    for stream in [&mut second, &mut other_token] {
        assert_eq!(stream.next().await.unwrap()["game"]["id"], game);
    }
    server.stop().await;
}

#[tokio::test]
async fn blank_lines_keep_a_stream_alive() {
    let options = SandboxOptions { keep_alive: Duration::from_millis(10), ..options() };
    let server = Server::with(options).await;
    let game = server.game();
    let mut events = server.ada().events().await;
    events.next().await.unwrap();
    let (_, mut watch) = server.ada().watch(&game).await;
    for _ in 0..3 {
        assert_eq!(events.raw().await.as_deref(), Some(""));
        assert_eq!(watch.raw().await.as_deref(), Some(""));
    }
    server.stop().await;
}

#[tokio::test]
async fn a_long_beginning_loses_its_oldest_lines() {
    let server = Server::with(SandboxOptions { queue: 4, ..options() }).await;
    let games: Vec<String> = (0..6).map(|_| server.game()).collect();
    let mut events = server.ada().events().await;
    for _ in 0..4 {
        let line = events.next().await.unwrap();
        assert!(games.contains(&line["game"]["id"].as_str().unwrap().to_owned()));
    }
    let next = server.game();
    assert_eq!(events.next().await.unwrap()["game"]["id"], next);
    server.stop().await;
}

#[tokio::test]
async fn stopping_ends_every_stream() {
    let server = Server::start().await;
    let game = server.game();
    let mut events = server.ada().events().await;
    events.next().await.unwrap();
    let (_, mut watch) = server.ada().watch(&game).await;
    server.stop().await;
    assert_eq!(events.next().await, None);
    assert_eq!(watch.next().await, None);
}
