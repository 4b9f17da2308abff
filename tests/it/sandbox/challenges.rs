//! The life of a challenge.

use std::time::Duration;

use reqwest::Method;
use rookery::sandbox::{SandboxOptions, Scope};
use serde_json::{Value, json};

use super::support::{BLITZ, Lines, Server, User, options, until, user_with};

async fn answer(user: &User, challenge: &Value, word: &str) -> (u16, Value) {
    user.post(&format!("/api/challenge/{}/{word}", challenge["id"].as_str().unwrap()), &[]).await
}

#[tokio::test]
async fn an_accepted_challenge_becomes_a_game_of_the_same_id() {
    let server = Server::start().await;
    let mut ada = server.ada().events().await;
    let mut bob = server.bob().events().await;
    let form = [BLITZ.as_slice(), &[("color", "black"), ("rated", "true")]].concat();
    let challenge = server.ada().challenge("BOB", &form).await;
    let user = |name: &str| json!({"id": name, "name": name, "title": "BOT", "rating": 2000, "online": true});
    let mut expected = json!({
        "id": challenge["id"],
        "url": format!("{}/{}", server.sandbox.url(), challenge["id"].as_str().unwrap()),
        "status": "created", "challenger": user("ada"), "destUser": user("bob"),
        "variant": {"key": "standard", "name": "Standard", "short": "Std"},
        "rated": true, "speed": "blitz",
        "timeControl": {"type": "clock", "limit": 180, "increment": 2, "show": "3+2"},
        "color": "black", "finalColor": "black", "perf": {"icon": "", "name": "Blitz"},
    });
    let compat = json!({"bot": true, "board": true});
    let line = json!({"type": "challenge", "challenge": expected, "compat": compat});
    assert_eq!(bob.next().await.unwrap(), line);
    assert_eq!(ada.next().await.unwrap(), line, "the challenger sees an echo");
    expected["direction"] = json!("out");
    assert_eq!(challenge, expected);
    assert_eq!(
        answer(&server.ada(), &challenge, "accept").await.1["error"],
        "The challenge is not for you to accept."
    );
    assert_eq!(answer(&server.bob(), &challenge, "accept").await, (200, json!({"ok": true})));
    for (stream, color) in [(&mut ada, "black"), (&mut bob, "white")] {
        let start = stream.next().await.unwrap();
        assert_eq!((&start["type"], &start["game"]["id"]), (&json!("gameStart"), &challenge["id"]));
        assert_eq!((&start["game"]["color"], &start["game"]["rated"]), (&json!(color), &json!(true)));
    }
    let again = answer(&server.bob(), &challenge, "accept").await;
    assert_eq!(again, (400, json!({"error": "The challenge has already been accepted"})));
    server.stop().await;
}

#[tokio::test]
async fn a_declined_challenge_says_why() {
    let server = Server::start().await;
    let mut events = server.ada().events().await;
    let challenge = server.ada().challenge("bob", &BLITZ).await;
    let path = format!("/api/challenge/{}/decline", challenge["id"].as_str().unwrap());
    assert_eq!(server.bob().post(&path, &[("reason", "tooFast")]).await.0, 200);
    let declined = events.next_of("challengeDeclined").await;
    assert_eq!(declined["challenge"]["status"], "declined");
    assert_eq!(declined["challenge"]["declineReasonKey"], "toofast");
    assert!(declined["challenge"]["declineReason"].as_str().unwrap().contains("too fast"));
    assert_eq!(
        answer(&server.bob(), &challenge, "accept").await,
        (400, json!({"error": "The challenge has been declined."}))
    );
    server.stop().await;
}

#[tokio::test]
async fn a_canceled_challenge_is_told_to_both() {
    let server = Server::start().await;
    let mut bob = server.bob().events().await;
    let challenge = server.ada().challenge("bob", &BLITZ).await;
    assert_eq!(answer(&server.ada(), &challenge, "cancel").await.0, 200);
    let canceled = bob.next_of("challengeCanceled").await;
    assert_eq!(
        (&canceled["challenge"]["id"], &canceled["challenge"]["status"]),
        (&challenge["id"], &json!("canceled"))
    );
    assert!(canceled.get("compat").is_none());
    let refused = (400, json!({"error": "The challenge has been canceled."}));
    assert_eq!(answer(&server.bob(), &challenge, "accept").await, refused);
    assert_eq!(answer(&server.bob(), &json!({"id": "nothing0"}), "accept").await.0, 404);
    server.stop().await;
}

#[tokio::test]
async fn a_second_challenge_supersedes_the_first_without_a_word() {
    let server = Server::start().await;
    let mut bob = server.bob().events().await;
    let first = server.ada().challenge("bob", &BLITZ).await;
    let second = server.ada().challenge("bob", &BLITZ).await;
    for challenge in [&first, &second] {
        assert_eq!(bob.next().await.unwrap()["challenge"]["id"], challenge["id"]);
    }
    assert_eq!(answer(&server.bob(), &first, "accept").await.1["error"], "The challenge has been canceled.");
    assert_eq!(answer(&server.bob(), &second, "accept").await.0, 200);
    server.stop().await;
}

#[tokio::test]
async fn cancelling_also_declines_and_aborts() {
    let server = Server::start().await;
    let mut ada = server.ada().events().await;
    let incoming = server.ada().challenge("bob", &BLITZ).await;
    assert_eq!(answer(&server.bob(), &incoming, "cancel").await.0, 200);
    ada.next_of("challengeDeclined").await;
    let accepted = server.ada().challenge("bob", &[BLITZ.as_slice(), &[("color", "white")]].concat()).await;
    answer(&server.bob(), &accepted, "accept").await;
    let game = accepted["id"].as_str().unwrap();
    server.play(game, "e2e4 e7e5").await;
    let refusal = answer(&server.ada(), &accepted, "cancel").await;
    assert_eq!(refusal, (400, json!({"error": "The game can no longer be aborted"})));
    let path = |token: &str| format!("/api/challenge/{game}/cancel?opponentToken={token}");
    assert_eq!(server.ada().post(&path("tok_hugo"), &[]).await.1["error"], "Not the opponent token");
    assert_eq!(server.ada().post(&path("tok_bob"), &[]).await.0, 200);
    assert_eq!(server.sandbox.games()[0].status, "aborted");
    server.stop().await;
}

#[tokio::test]
async fn a_challenge_without_signs_of_life_goes_offline_and_can_still_be_accepted() {
    let options = SandboxOptions { challenge_expiry: Duration::from_millis(20), ..options() };
    let server = Server::with(options).await;
    let challenge = server.hugo().challenge("ada", &BLITZ).await;
    let path = format!("/api/challenge/{}/show", challenge["id"].as_str().unwrap());
    until(async || server.hugo().get(&path).await.1["status"] == "offline").await;
    let game = server.game();
    let mut events = server.ada().events().await;
    assert_eq!(events.next().await.unwrap()["game"]["id"], game);
    assert_eq!(answer(&server.ada(), &challenge, "accept").await.0, 200);
    assert_eq!(events.next().await.unwrap()["type"], "gameStart", "the offline challenge was not replayed");
    server.stop().await;
}

/// Lives as long as its stream: far longer than the expiry.
async fn kept_alive(server: &Server) -> (Value, Lines) {
    let form = [BLITZ.as_slice(), &[("keepAliveStream", "true")]].concat();
    let mut lines = Lines::of(server.hugo().request(Method::POST, "/api/challenge/ada").form(&form)).await;
    let challenge = lines.next().await.unwrap();
    (challenge, lines)
}

#[tokio::test]
async fn a_keep_alive_stream_ends_with_the_answer() {
    let server = Server::start().await;
    for (who, word, done) in [
        (server.ada(), "accept", "accepted"),
        (server.ada(), "decline", "declined"),
        (server.hugo(), "cancel", "canceled"),
    ] {
        let (challenge, mut lines) = kept_alive(&server).await;
        assert_eq!(challenge["status"], "created");
        assert_eq!(answer(&who, &challenge, word).await.0, 200);
        assert_eq!(lines.next().await, Some(json!({"done": done})));
        assert_eq!(lines.next().await, None);
    }
    server.stop().await;
}

#[tokio::test]
async fn a_keep_alive_stream_keeps_the_challenge_alive() {
    let options = SandboxOptions {
        challenge_expiry: Duration::from_millis(10),
        keep_alive: Duration::from_millis(5),
        ..options()
    };
    let server = Server::with(options).await;
    let (challenge, mut lines) = kept_alive(&server).await;
    for _ in 0..3 {
        assert_eq!(lines.raw().await.as_deref(), Some(""));
    }
    let path = format!("/api/challenge/{}/show", challenge["id"].as_str().unwrap());
    assert_eq!(server.hugo().get(&path).await.1["status"], "created");
    drop(lines);
    until(async || server.hugo().get(&path).await.1["status"] == "offline").await;
    server.stop().await;
}

#[tokio::test]
async fn forms_with_faults_are_refused_in_the_double_shape() {
    let server = Server::start().await;
    let errors = async |form: &[(&str, &str)]| {
        let (status, body) = server.ada().post("/api/challenge/hugo", form).await;
        assert_eq!(status, 400, "{form:?}");
        let error = body["error"].as_object().unwrap().clone();
        for (field, complaints) in &error {
            assert_eq!(&body[field], complaints);
        }
        error
            .into_iter()
            .map(|(field, complaints)| format!("{field}: {}", complaints[0].as_str().unwrap()))
            .collect::<Vec<_>>()
    };
    let clock = |limit, increment| [("clock.limit", limit), ("clock.increment", increment)];
    assert_eq!(errors(&[("clock.limit", "60")]).await, ["clock.increment: This field is required"]);
    assert_eq!(
        errors(&clock("61", "99")).await,
        ["clock.increment: Invalid value", "clock.limit: Invalid value"]
    );
    assert_eq!(errors(&clock("0", "0")).await, ["global: Invalid clock"]);
    assert_eq!(errors(&clock("15", "0")).await, ["global: Invalid speed"]);
    assert_eq!(errors(&[("variant", "xiangqi")]).await, ["variant: Invalid value"]);
    assert_eq!(errors(&[("fen", "8/8/8/8 w - - 0 1")]).await, ["global: invalidFen"]);
    assert_eq!(errors(&[("variant", "fromPosition")]).await, ["fen: This field is required"]);
    let rated_position = [("rated", "true"), ("fen", "8/5pk1/6p1/8/3K4/8/1R6/8 b - - 3 41")];
    assert_eq!(errors(&rated_position).await, ["global: can't be rated"]);
    assert_eq!(errors(&[("days", "4")]).await, ["days: Invalid value"]);
    server.stop().await;
}

#[tokio::test]
async fn some_challenges_are_not_made() {
    let server = Server::start().await;
    for (by, to, form, text) in [
        (server.ada(), "ada", vec![], "You cannot challenge yourself"),
        (server.ada(), "nobody", vec![], "No such user: nobody"),
        (server.hugo(), "ada", vec![("rules", "noAbort")], "Rules not applicable for bots"),
        (
            server.hugo(),
            "ada",
            vec![("clock.limit", "15"), ("clock.increment", "0")],
            "Bots cannot play UltraBullet. Choose a slower time control.",
        ),
    ] {
        let (status, body) = by.post(&format!("/api/challenge/{to}"), &form).await;
        assert_eq!((status, body["error"].as_str().unwrap()), (400, text));
    }
    server.stop().await;
}

#[tokio::test]
async fn every_variant_can_be_played() {
    let server = Server::start().await;
    let challenge = server.hugo().challenge("ada", &[("variant", "crazyhouse"), ("days", "3")]).await;
    assert_eq!(challenge["variant"], json!({"key": "crazyhouse", "name": "Crazyhouse", "short": "Crazy"}));
    assert_eq!(challenge["timeControl"], json!({"type": "correspondence", "daysPerTurn": 3}));
    let (status, _) = answer(&server.ada(), &challenge, "accept").await;
    assert_eq!(status, 200);
    server.stop().await;
}

#[tokio::test]
async fn lists_show_both_directions() {
    let mut options = options();
    options.users[0].tokens.extend(user_with("ada", "tok_list", &[Scope::ChallengeRead]).tokens);
    let server = Server::with(options).await;
    let incoming = server.bob().challenge("ada", &BLITZ).await;
    let outgoing = server.ada().challenge("hugo", &[]).await;
    let (_, list) = server.user("tok_list").get("/api/challenge").await;
    assert_eq!((&list["in"][0]["id"], &list["in"][0]["direction"]), (&incoming["id"], &json!("in")));
    assert_eq!((&list["out"][0]["id"], &list["out"][0]["direction"]), (&outgoing["id"], &json!("out")));
    assert_eq!(list["out"][0]["timeControl"], json!({"type": "unlimited"}));
    server.stop().await;
}

#[tokio::test]
async fn a_rematch_is_a_challenge_with_colours_swapped() {
    let server = Server::start().await;
    let game = server.game();
    server.play(&game, "e2e4 e7e5").await;
    server.bob().command(&game, "resign").await;
    let mut ada = server.ada().events().await;
    let (status, offer) = server.bob().post(&format!("/sandbox/rematch/{game}"), &[]).await;
    assert_eq!(status, 200, "{offer}");
    let line = ada.next().await.unwrap();
    assert_eq!((&line["type"], &line["challenge"]["rematchOf"]), (&json!("challenge"), &json!(game)));
    assert_eq!(
        (&line["challenge"]["color"], &line["challenge"]["finalColor"]),
        (&json!("white"), &json!("white"))
    );
    assert_ne!(line["challenge"]["id"], game);
    assert_eq!(answer(&server.ada(), &line["challenge"], "accept").await.0, 200);
    let start = ada.next().await.unwrap();
    assert_eq!((&start["game"]["id"], &start["game"]["color"]), (&offer["id"], &json!("black")));
    let (full, _) = server.ada().watch(&game).await;
    assert_eq!(full["state"]["rematch"], offer["id"]);
    server.stop().await;
}
