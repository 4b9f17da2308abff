//! Tokens, scopes, accounts, presence, limits.

use reqwest::Method;
use rookery::sandbox::{RequestLimit, RequestLimits, SandboxOptions, Scope, UserSpec};
use serde_json::json;

use super::support::{BLITZ, Server, options, until, user_with};

#[tokio::test]
async fn a_request_without_a_good_token_is_unauthorized() {
    let server = Server::start().await;
    for (user, text) in
        [(server.nobody(), "Missing authorization header"), (server.user("tok_nobody"), "No such token")]
    {
        assert_eq!(user.get("/api/account").await, (401, json!({"error": text})));
        assert_eq!(user.get("/api/stream/event").await.0, 401);
    }
    server.stop().await;
}

#[tokio::test]
async fn a_token_without_the_scope_is_forbidden_and_headers_say_why() {
    let mut options = options();
    options.users.push(user_with("eve", "tok_eve", &[Scope::ChallengeRead, Scope::EmailRead]));
    let server = Server::with(options).await;
    let eve = server.user("tok_eve");
    let game = server.game();
    let response = eve.request(Method::POST, &format!("/api/bot/game/{game}/resign")).send().await.unwrap();
    assert_eq!(response.status(), 403);
    assert_eq!(response.headers()["x-oauth-scopes"], "challenge:read, email:read");
    assert_eq!(response.headers()["x-accepted-oauth-scopes"], "bot:play");
    assert_eq!(response.text().await.unwrap(), r#"{"error":"Missing scope: bot:play"}"#);
    let (status, body) = eve.post("/api/challenge/ada", &BLITZ).await;
    assert_eq!(status, 403);
    assert_eq!(body["error"], "Missing scope: challenge:write || bot:play || board:play");
    // The token that only plays may not list challenges.
    let (status, body) = server.ada().get("/api/challenge").await;
    assert_eq!((status, body["error"].as_str().unwrap()), (403, "Missing scope: challenge:read"));
    assert_eq!(eve.get("/api/challenge").await.0, 200);
    let stream = eve.events().await;
    assert_eq!(stream.headers()["x-accepted-oauth-scopes"], "bot:play, board:play, challenge:read");
    drop(stream);
    server.stop().await;
}

#[tokio::test]
async fn a_user_agent_must_not_name_somebody_else() {
    let server = Server::start().await;
    for (agent, status) in [("x/1 user:ADA", 200), ("x/1 user:bob", 401), ("x/1", 200)] {
        let request = server.ada().request(Method::GET, "/api/account").header("User-Agent", agent);
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), status, "{agent}");
        if status == 401 {
            let text = response.text().await.unwrap();
            assert!(text.contains("The user in the user-agent doesn't match the token bearer"), "{text}");
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn only_bot_accounts_play_through_the_bot_interface() {
    let server = Server::start().await;
    let game = server.game_with(|setup| setup.white = "Hugo".to_owned());
    let (status, text) = server.hugo().refused(&game, "move/e2e4").await;
    assert_eq!(status, 400);
    assert!(text.starts_with("This endpoint can only be used with a Bot account."), "{text}");
    let board = format!("/api/board/game/{game}/move/e2e4");
    assert_eq!(server.hugo().post(&board, &[]).await.0, 200);
    assert_eq!(server.ada().post(&board, &[]).await.0, 403);
    server.stop().await;
}

#[tokio::test]
async fn accounts_show_who_they_are() {
    let server = Server::start().await;
    let (status, ada) = server.ada().get("/api/account").await;
    assert_eq!(status, 200);
    assert_eq!((&ada["id"], &ada["username"], &ada["title"]), (&json!("ada"), &json!("ada"), &json!("BOT")));
    assert_eq!(ada["perfs"]["blitz"]["rating"], 2000);
    assert!(ada["createdAt"].as_u64().unwrap() > 1_700_000_000_000);
    assert!(ada.get("playing").is_none());
    let (_, hugo) = server.nobody().get("/api/user/HUGO").await;
    assert_eq!((&hugo["id"], &hugo["username"]), (&json!("hugo"), &json!("Hugo")));
    assert!(hugo.get("title").is_none());
    assert_eq!(server.nobody().get("/api/user/nobody").await.0, 404);
    let game = server.game();
    let (_, ada) = server.ada().get("/api/account").await;
    assert_eq!(ada["playing"], format!("{}/{game}", server.sandbox.url()));
    let users =
        server.nobody().request(Method::POST, "/api/users").body("ada, hugo,nobody").send().await.unwrap();
    let users: serde_json::Value = serde_json::from_str(&users.text().await.unwrap()).unwrap();
    assert_eq!(users.as_array().unwrap().len(), 2);
    server.stop().await;
}

#[tokio::test]
async fn tokens_can_be_tested() {
    let server = Server::start().await;
    let body = server.nobody().request(Method::POST, "/api/token/test").body("tok_ada,tok_nobody");
    let text = body.send().await.unwrap().text().await.unwrap();
    let answer: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        answer,
        json!({"tok_ada": {"userId": "ada", "scopes": "bot:play", "expires": null}, "tok_nobody": null})
    );
    server.stop().await;
}

#[tokio::test]
async fn a_user_is_online_while_a_stream_is_open() {
    let server = Server::start().await;
    let status = async || server.nobody().get("/api/users/status?ids=ada,hugo&withGameIds=true").await.1;
    assert_eq!(
        status().await,
        json!([{"id": "ada", "name": "ada", "title": "BOT"}, {"id": "hugo", "name": "Hugo"}])
    );
    let mut events = server.ada().events().await;
    let game = server.game();
    events.next_of("gameStart").await;
    assert_eq!(
        status().await[0],
        json!({"id": "ada", "name": "ada", "title": "BOT", "online": true, "playing": true, "playingId": game})
    );
    let (_, bots) = server.nobody().get("/api/bot/online").await;
    assert_eq!(bots["id"], "ada", "one line, so that it reads as one value");
    drop(events);
    until(async || status().await[0].get("online").is_none()).await;
    server.stop().await;
}

#[tokio::test]
async fn an_account_becomes_a_bot_before_its_first_game_only() {
    let server = Server::start().await;
    let upgrade = "/api/bot/account/upgrade";
    assert_eq!(server.hugo().post(upgrade, &[]).await.0, 200);
    assert_eq!(server.hugo().get("/api/account").await.1["title"], "BOT");
    server.game();
    let (status, body) = server.ada().post(upgrade, &[]).await;
    assert_eq!(
        (status, body["error"].as_str().unwrap()),
        (400, "You already have games played. Make a new account.")
    );
    server.stop().await;
}

#[tokio::test]
async fn unknown_routes_answer_in_plain_text() {
    let server = Server::start().await;
    for (method, path) in [
        (Method::GET, "/api/nothing"),
        (Method::POST, "/api/account"),
        (Method::POST, "/api/challenge/short/accept"),
    ] {
        let response = server.ada().request(method, path).send().await.unwrap();
        assert_eq!(response.status(), 404, "{path}");
        assert!(response.headers()["content-type"].to_str().unwrap().starts_with("text/plain"));
    }
    server.stop().await;
}

#[tokio::test]
async fn limits_are_kept_when_they_are_set() {
    let limit = |count| Some(RequestLimit::new(count, 600));
    let limits = RequestLimits {
        account: limit(2),
        event_streams: limit(1),
        challenges: limit(6),
        ..RequestLimits::NONE
    };
    let server = Server::with(SandboxOptions { limits, ..options() }).await;
    let ada = server.ada();
    assert_eq!(ada.get("/api/account").await.0, 200);
    assert_eq!(ada.get("/api/account").await.0, 200);
    let (status, body) = ada.get("/api/account").await;
    assert_eq!((status, body["error"].as_str().unwrap()), (429, "Too many requests. Try again later."));
    let stream = ada.events().await;
    let (status, body) = ada.get("/api/stream/event").await;
    assert_eq!(status, 429);
    assert!(body["error"].as_str().unwrap().starts_with("Please don't poll this endpoint"));
    // A human costs five, a bot one.
    ada.challenge("hugo", &BLITZ).await;
    ada.challenge("bob", &BLITZ).await;
    assert_eq!(ada.post("/api/challenge/bob", &BLITZ).await.0, 429);
    drop(stream);
    server.stop().await;
}

#[tokio::test]
async fn bots_play_each_other_only_so_often_a_day() {
    let mut options = options();
    options.users.push(UserSpec::bot("eve", "tok_eve"));
    options.limits.bot_vs_bot = Some(RequestLimit::new(1, 86_400));
    let server = Server::with(options).await;
    server.game();
    let (status, body) = server.ada().post("/api/challenge/eve", &BLITZ).await;
    assert_eq!((status, &body["ratelimit"]["key"]), (429, &json!("bot.vsBot.day")));
    assert!(body["ratelimit"]["seconds"].as_u64().unwrap() > 86_000);
    let (status, body) = server.user("tok_eve").post("/api/challenge/bob", &BLITZ).await;
    assert_eq!((status, &body["ratelimit"]["key"]), (400, &json!("bot.vsBot.day")));
    assert_eq!(server.hugo().post("/api/challenge/bob", &BLITZ).await.0, 200);
    server.stop().await;
}
