//! The client against a real socket: what it sends, and what it makes of the answers.

use std::time::{Duration, Instant};

use super::*;
use crate::chess::Variant;
use crate::lichess::testing::{Listening, Log, SECRET, Seen, Server, Step, done, reply, reply_with, write};
use crate::lichess::{AuthProblem, ColorWish, Disposition, TimeControl, Token};

pub(super) fn game() -> GameId {
    "Qz7Lm2Xa".parse().unwrap()
}

pub(super) fn e2e4() -> UciMove {
    "e2e4".parse().unwrap()
}

pub(super) fn request() -> ChallengeRequest {
    ChallengeRequest {
        rated: true,
        time: TimeControl::Clock { limit: Duration::from_secs(180), increment: Duration::from_secs(2) },
        color: ColorWish::White,
        variant: Variant::FromPosition,
        fen: Some("8/5pk1/6p1/8/3K4/8/1R6/8 b - - 3 41".to_owned()),
    }
}

/// `method target body`, to compare what was asked.
fn asked(seen: &Seen) -> String {
    format!("{} {} {}", seen.method, seen.target, seen.body).trim_end().to_owned()
}

#[tokio::test]
async fn each_command_goes_to_its_endpoint() {
    let server = Server::start(|_| done()).await;
    let client = server.client();
    let (game, id) = (game(), "uL3iPa6w".parse().unwrap());
    client.upgrade_to_bot().await.unwrap();
    client.accept_challenge(&id).await.unwrap();
    client.decline_challenge(&id, DeclineReason::TooFast).await.unwrap();
    client.cancel_challenge(&id).await.unwrap();
    client.play_move(&game, e2e4(), DrawOffer::Leave).await.unwrap();
    client.play_move(&game, "e7e8q".parse().unwrap(), DrawOffer::Offer).await.unwrap();
    client.resign(&game).await.unwrap();
    client.abort(&game).await.unwrap();
    client.draw(&game, Answer::Yes).await.unwrap();
    client.takeback(&game, Answer::No).await.unwrap();
    client.claim_victory(&game).await.unwrap();
    client.claim_draw(&game).await.unwrap();
    client.chat(&game, Room::Spectator, " good luck & fun ").await.unwrap();
    client.chat(&game, Room::Player, "  ").await.unwrap();
    let asked: Vec<_> = server.seen().iter().map(asked).collect();
    assert_eq!(
        asked,
        [
            "POST /api/bot/account/upgrade",
            "POST /api/challenge/uL3iPa6w/accept",
            "POST /api/challenge/uL3iPa6w/decline reason=tooFast",
            "POST /api/challenge/uL3iPa6w/cancel",
            "POST /api/bot/game/Qz7Lm2Xa/move/e2e4",
            "POST /api/bot/game/Qz7Lm2Xa/move/e7e8q?offeringDraw=true",
            "POST /api/bot/game/Qz7Lm2Xa/resign",
            "POST /api/bot/game/Qz7Lm2Xa/abort",
            "POST /api/bot/game/Qz7Lm2Xa/draw/yes",
            "POST /api/bot/game/Qz7Lm2Xa/takeback/no",
            "POST /api/bot/game/Qz7Lm2Xa/claim-victory",
            "POST /api/bot/game/Qz7Lm2Xa/claim-draw",
            "POST /api/bot/game/Qz7Lm2Xa/chat room=spectator&text=good+luck+%26+fun",
        ]
    );
}

#[tokio::test]
async fn each_question_is_asked_and_its_answer_read() {
    let server = Server::start(|seen| {
        reply(
            200,
            match seen.target.split('?').next().unwrap() {
                "/api/account" => r#"{"id":"quillbot-dev","username":"Quillbot-Dev","title":"BOT"}"#,
                "/api/account/playing" => r#"{"nowPlaying":[{"gameId":"Qz7Lm2Xa","isMyTurn":true}]}"#,
                "/api/challenge" => r#"{"in":[{"id":"uL3iPa6w"},{"id":0}],"out":[{"id":"gH5uEw1n"}]}"#,
                "/api/challenge/ferncastle" => r#"{"id":"nR4gTz8c","direction":"out"}"#,
                "/api/challenge/ai" => r#"{"id":"aP3wVt9k","fullId":"aP3wVt9kL0xe"}"#,
                "/api/bot/game/Qz7Lm2Xa/chat" => r#"[{"text":"hi","user":"Ferncastle"}]"#,
                "/game/export/Qz7Lm2Xa" => "[Event \"Casual\"]\n\n1. e4 *\n",
                other => panic!("{other}"),
            },
        )
    })
    .await;
    let client = server.client();
    assert!(client.account().await.unwrap().is_bot());
    assert!(client.playing().await.unwrap()[0].is_my_turn);
    let list = client.challenges().await.unwrap();
    assert_eq!((list.incoming.len(), list.outgoing[0].id.as_str()), (1, "gH5uEw1n"));
    let made = client.create_challenge(&"Ferncastle".parse().unwrap(), &request()).await.unwrap();
    assert_eq!(made.id.as_str(), "nR4gTz8c");
    let ai = AiRequest {
        level: 3,
        time: TimeControl::Unlimited,
        color: ColorWish::Random,
        variant: Variant::Standard,
        fen: None,
    };
    assert_eq!(client.challenge_ai(&ai).await.unwrap().as_str(), "aP3wVt9k");
    assert_eq!(client.chat_history(&game()).await.unwrap()[0].username, "Ferncastle");
    assert!(client.export_pgn(&game()).await.unwrap().contains("1. e4"));
    let seen = server.seen();
    assert_eq!(asked(&seen[1]), "GET /api/account/playing?nb=50");
    assert_eq!(
        seen[3].body,
        "rated=true&clock.limit=180&clock.increment=2&color=white&variant=fromPosition\
         &fen=8%2F5pk1%2F6p1%2F8%2F3K4%2F8%2F1R6%2F8+b+-+-+3+41"
    );
    assert_eq!(seen[3].header("content-type"), Some("application/x-www-form-urlencoded"));
    assert_eq!(seen[4].body, "level=3&color=random&variant=standard");
    assert_eq!(seen[6].header("accept"), Some("application/x-chess-pgn"));
}

#[tokio::test]
async fn every_request_says_who_it_is_from() {
    let server = Server::start(|_| done()).await;
    let client = server.client();
    client.abort(&game()).await.unwrap();
    client.with_account(&"Quillbot-Dev".parse().unwrap()).abort(&game()).await.unwrap();
    let seen = server.seen();
    let plain = format!("rookery/{}", env!("CARGO_PKG_VERSION"));
    assert_eq!(seen[0].header("user-agent"), Some(plain.as_str()));
    assert_eq!(seen[1].header("user-agent"), Some(format!("{plain} user:quillbot-dev").as_str()));
    for seen in seen {
        assert_eq!(seen.header("authorization"), Some("Bearer lip_topsecret"));
        assert_eq!(seen.header("accept-encoding"), Some("identity"));
        assert_eq!(seen.header("accept"), Some("application/json"));
    }
}

#[tokio::test]
async fn a_path_in_the_base_url_stays_in_front() {
    let server = Server::start(|_| done()).await;
    for base in ["/lichess", "/lichess/"] {
        let client = server.client_with(|options| options.base_url.push_str(base));
        client.abort(&game()).await.unwrap();
    }
    assert_eq!(server.targets(), ["/lichess/api/bot/game/Qz7Lm2Xa/abort"; 2]);
}

#[test]
fn a_base_url_that_cannot_be_used_is_refused_at_once() {
    for bad in
        ["", "lichess.org", "ftp://lichess.org", "https://me:pw@lichess.org", "https://lichess.org/?a=b"]
    {
        let options = ClientOptions::new(bad, Token::new(SECRET.to_owned()).unwrap());
        let error = Client::new(options, Arc::new(crate::lichess::NoTap)).unwrap_err();
        assert!(matches!(error, ApiError::InvalidUrl { .. }), "{bad}: {error}");
        assert!(!error.to_string().contains("pw"), "{error}");
    }
}

#[tokio::test]
async fn answers_that_are_no_success_are_told_apart() {
    let server = Server::start(|seen| match seen.number {
        0 => reply(400, r#"{"error":"The challenge has been canceled."}"#),
        1 => reply(400, r#"{"error":{"clock.limit":["Invalid clock"]}}"#),
        2 => reply(404, "Resource not found"),
        3 => reply_with(
            403,
            &[("X-Accepted-OAuth-Scopes", "bot:play")],
            r#"{"error":"Missing scope: bot:play"}"#,
        ),
        4 => reply(401, r#"{"error":"The user in the user-agent doesn't match the token bearer"}"#),
        5 => reply(502, "<html><head><title>502 Bad Gateway</title></head></html>"),
        _ => reply(500, ""),
    })
    .await;
    let client = server.client();
    let id = "uL3iPa6w".parse().unwrap();
    let mut errors = Vec::new();
    for _ in 0..7 {
        errors.push(client.accept_challenge(&id).await.unwrap_err());
    }
    let texts: Vec<_> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(texts[0], "refused with status 400: The challenge has been canceled.");
    assert_eq!(texts[1], "refused with status 400: clock.limit: Invalid clock");
    assert_eq!(texts[2], "not found: Resource not found");
    assert!(texts[3].contains("needs one of: bot:play"), "{}", texts[3]);
    assert!(matches!(errors[4], ApiError::Unauthorized { problem: AuthProblem::UserAgent, .. }));
    assert_eq!(texts[5], "the server failed with status 502: 502 Bad Gateway");
    assert_eq!(errors[6].disposition(), Disposition::Retry);
    assert_eq!(server.seen().len(), 7, "accepting is not repeated");
}

#[tokio::test]
async fn success_with_an_unusable_body_is_an_error_where_the_body_matters() {
    let server = Server::start(|_| reply(200, "<html>log in to the hotel first</html>")).await;
    let client = server.client();
    assert!(matches!(client.account().await, Err(ApiError::BadBody { .. })));
    assert!(matches!(client.playing().await, Err(ApiError::BadBody { .. })));
    assert!(matches!(client.chat_history(&game()).await, Err(ApiError::BadBody { .. })));
    client.resign(&game()).await.unwrap();
}

#[tokio::test]
async fn reading_is_repeated_after_trouble_and_doing_is_not() {
    let server = Server::start(|seen| match seen.number {
        0 => reply(502, "<html>"),
        1 => vec![Step::Close],
        2 => reply(200, r#"{"id":"quillbot-dev"}"#),
        _ => reply(503, ""),
    })
    .await;
    let client = server.client();
    client.account().await.unwrap();
    assert_eq!(server.seen().len(), 3);
    let error = client.account().await.unwrap_err();
    assert_eq!((error.status(), server.seen().len()), (Some(503), 6), "three times at most");
    for error in [
        client.play_move(&game(), e2e4(), DrawOffer::Leave).await.unwrap_err(),
        client.chat(&game(), Room::Player, "gg").await.unwrap_err(),
        client.create_challenge(&"ferncastle".parse().unwrap(), &request()).await.unwrap_err(),
    ] {
        assert_eq!(error.disposition(), Disposition::Retry, "{error}");
    }
    assert_eq!(server.seen().len(), 9);
}

#[tokio::test]
async fn a_connection_that_breaks_leaves_a_move_unclear_and_sends_it_once() {
    let server =
        Server::start(|_| vec![write("HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n{\"ok"), Step::Close])
            .await;
    let error = server.client().play_move(&game(), e2e4(), DrawOffer::Leave).await.unwrap_err();
    assert!(matches!(error, ApiError::Network(_)), "{error}");
    assert_eq!(error.disposition(), Disposition::Retry);
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn nobody_listening_is_a_readable_error() {
    let server = Server::start(|_| done()).await;
    let client = server.client();
    drop(server);
    let error = client.play_move(&game(), e2e4(), DrawOffer::Leave).await.unwrap_err();
    assert!(matches!(error, ApiError::Network(_)), "{error}");
    assert!(error.to_string().to_lowercase().contains("connect"), "{error}");
}

#[tokio::test]
async fn every_command_has_a_time_limit_and_a_move_its_own() {
    let slow = vec![write("HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n{\"ok"), Step::Hang];
    let server =
        Server::start(move |seen| if seen.number == 0 { vec![Step::Hang] } else { slow.clone() }).await;
    let client = server.client_with(|options| {
        options.move_timeout = Duration::from_millis(200);
        options.request_timeout = Duration::from_millis(300);
    });
    let after = |ms| ApiError::Timeout { after: Duration::from_millis(ms) };
    assert_eq!(client.play_move(&game(), e2e4(), DrawOffer::Leave).await, Err(after(200)));
    assert_eq!(client.play_move(&game(), e2e4(), DrawOffer::Leave).await, Err(after(200)), "a slow body");
    assert_eq!(client.accept_challenge(&"uL3iPa6w".parse().unwrap()).await, Err(after(300)));
    assert_eq!(server.seen().len(), 3);
}

#[tokio::test]
async fn a_redirect_is_an_error_and_the_token_stays_here() {
    let elsewhere = Server::start(|_| done()).await;
    let target = elsewhere.url();
    let server = Server::start(move |seen| {
        let status = [301, 302, 303, 307, 308][seen.number % 5];
        reply_with(status, &[("Location", &target)], "")
    })
    .await;
    let client = server.client();
    for _ in 0..5 {
        let error = client.abort(&game()).await.unwrap_err();
        assert!(matches!(error, ApiError::Redirected { .. }), "{error}");
    }
    assert!(matches!(client.account().await, Err(ApiError::Redirected { .. })));
    assert_eq!(elsewhere.seen().len(), 0);
}

#[tokio::test]
async fn a_move_is_sent_again_after_too_many_requests() {
    let limited = || reply(429, r#"{"error":"Too many requests. Try again later."}"#);
    let server = Server::start(move |seen| if seen.number < 2 { limited() } else { done() }).await;
    server.client().play_move(&game(), e2e4(), DrawOffer::Leave).await.unwrap();
    assert_eq!(server.targets(), ["/api/bot/game/Qz7Lm2Xa/move/e2e4"; 3]);
}

#[tokio::test]
async fn a_move_that_is_always_too_much_is_given_up_and_whoever_knows_the_clock_is_told() {
    let server = Server::start(|_| reply(429, "")).await;
    let client = server.client();
    for requests in [4, 5] {
        let error = client.play_move(&game(), e2e4(), DrawOffer::Leave).await.unwrap_err();
        let Disposition::Wait(wait) = error.disposition() else { panic!("{error}") };
        assert!(wait > Duration::from_secs(50), "{wait:?}");
        assert_eq!(server.seen().len(), requests, "the first time tries, the second asks once");
    }
    let other = client.abort(&"aP3wVt9k".parse().unwrap()).await.unwrap_err();
    assert_eq!(server.seen().len(), 9, "another game asks for itself: {other}");
}

#[tokio::test]
async fn short_waits_that_the_server_names_are_counted_too() {
    let server = Server::start(|_| reply_with(429, &[("Retry-After", "0")], "")).await;
    server.client().play_move(&game(), e2e4(), DrawOffer::Leave).await.unwrap_err();
    assert_eq!(server.seen().len(), 4);
}

#[tokio::test]
async fn a_long_wait_for_a_move_is_told_in_the_servers_words() {
    let server = Server::start(|_| reply_with(429, &[("Retry-After", "100")], "slow down")).await;
    let error = server.client().play_move(&game(), e2e4(), DrawOffer::Leave).await.unwrap_err();
    assert_eq!(error.to_string(), "too many requests, wait 100 s: slow down");
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn a_lobby_limit_stops_its_own_family_and_no_move() {
    let server = Server::start(|seen| match seen.target.as_str() {
        "/api/challenge/ferncastle" => reply_with(429, &[("Retry-After", "5400")], ""),
        _ => done(),
    })
    .await;
    let client = server.client();
    let to = "ferncastle".parse().unwrap();
    for _ in 0..2 {
        let error = client.create_challenge(&to, &request()).await.unwrap_err();
        let Disposition::Wait(wait) = error.disposition() else { panic!("{error}") };
        assert!(wait > Duration::from_secs(5390) && wait <= Duration::from_secs(5400), "{wait:?}");
    }
    client.play_move(&game(), e2e4(), DrawOffer::Leave).await.unwrap();
    client.accept_challenge(&"uL3iPa6w".parse().unwrap()).await.unwrap();
    client.chat(&game(), Room::Player, "gg").await.unwrap();
    assert_eq!(server.seen().len(), 4, "the second challenge was not sent");
}

#[tokio::test]
async fn the_limit_of_games_between_bots_leaves_people_welcome() {
    let body = r#"{"error":"played 100 games","ratelimit":{"key":"bot.vsBot.day","seconds":4321}}"#;
    let server = Server::start(move |seen| match seen.number {
        0 => reply(429, body),
        1 => reply(400, body),
        _ => done(),
    })
    .await;
    let client = server.client();
    let id = "uL3iPa6w".parse().unwrap();
    let ours = client.accept_challenge(&id).await.unwrap_err();
    let ApiError::RateLimited { wait, key, .. } = ours else { panic!("{ours}") };
    assert_eq!((wait, key.as_deref()), (Duration::from_secs(4321), Some("bot.vsBot.day")));
    let theirs = client.accept_challenge(&id).await.unwrap_err();
    let ApiError::Refused { limit: Some(limit), .. } = theirs else { panic!("{theirs}") };
    assert_eq!(limit.wait, Duration::from_secs(4321));
    client.accept_challenge(&id).await.unwrap();
}

#[tokio::test]
async fn a_lobby_that_hangs_delays_no_move() {
    let server = Server::start(|seen| match seen.target.as_str() {
        "/api/account" | "/api/bot/game/Qz7Lm2Xa/chat" => vec![Step::Hang],
        _ => done(),
    })
    .await;
    let client = server.client();
    let game = game();
    let play = async {
        server.wait_for(2).await;
        client.play_move(&game, e2e4(), DrawOffer::Leave).await
    };
    tokio::select! {
        result = play => result.unwrap(),
        result = client.account() => panic!("{result:?}"),
        result = client.chat(&game, Room::Player, "gg") => panic!("{result:?}"),
    }
}

#[tokio::test]
async fn the_tap_hears_of_every_attempt() {
    let server = Server::start(|seen| if seen.number == 0 { reply(502, "") } else { done() }).await;
    let tap = Arc::new(Listening::default());
    let client = Client::new(server.options(), tap.clone()).unwrap();
    client.decline_challenge(&"uL3iPa6w".parse().unwrap(), DeclineReason::Later).await.unwrap();
    client.play_move(&game(), e2e4(), DrawOffer::Offer).await.unwrap();
    assert_eq!(
        tap.heard(),
        [
            "POST /api/challenge/uL3iPa6w/decline [(\"reason\", \"later\")] Some(502) \
             Some(\"the server failed with status 502: status 502 without a message\")",
            "POST /api/challenge/uL3iPa6w/decline [(\"reason\", \"later\")] Some(200) None",
            "POST /api/bot/game/Qz7Lm2Xa/move/e2e4?offeringDraw=true [] Some(200) None",
        ]
    );
}

#[tokio::test]
async fn the_tap_hears_answers_whole_or_broken() {
    let server = Server::start(|seen| match seen.number {
        0 => reply_with(429, &[("Retry-After", "0"), ("Set-Cookie", "a=b")], "slow down"),
        1 => done(),
        _ => vec![write("HTTP/1.1 200 x\r\ncontent-length: 99\r\n\r\nhalf an ans"), Step::Close],
    })
    .await;
    let tap = Arc::new(Listening::default());
    let client = Client::new(server.options(), tap.clone()).unwrap();
    client.play_move(&game(), e2e4(), DrawOffer::Leave).await.unwrap();
    client.play_move(&game(), e2e4(), DrawOffer::Leave).await.unwrap_err();
    let answers = tap.answers();
    assert_eq!(answers, ["[(\"retry-after\", \"0\")] slow down", "[] {\"ok\":true}", "[] half an ans"]);
}

#[tokio::test]
async fn the_token_is_in_no_log_no_error_and_no_record() {
    let quoting = format!(r#"{{"error":"No such token {SECRET}"}}"#);
    let server = Server::start(move |seen| match seen.target.as_str() {
        "/api/token/test" if seen.number == 0 => {
            reply(200, &format!(r#"{{"{SECRET}":{{"userId":"quillbot-dev","scopes":"bot:play"}}}}"#))
        }
        "/api/token/test" => reply(200, &format!(r#"{{"{SECRET}":null}}"#)),
        "/api/account" => reply_with(302, &[("Location", &format!("/?{SECRET}"))], ""),
        _ => reply(401, &quoting),
    })
    .await;
    let (log, _guard) = Log::start(tracing::Level::TRACE);
    let tap = Arc::new(Listening::default());
    let client = Client::new(server.options(), tap.clone()).unwrap();
    assert!(client.test_token().await.unwrap().has("bot:play"));
    let mut shown = vec![format!("{client:?} {:?}", server.options())];
    shown.push(format!("{:?}", client.test_token().await));
    shown.push(format!("{:?}", client.account().await));
    let error = client.play_move(&game(), e2e4(), DrawOffer::Leave).await.unwrap_err();
    shown.push(format!("{error} {error:?}"));
    shown.push(format!("{:?}", client.event_stream().next().await));
    shown.extend(tap.heard());
    shown.extend(tap.answers());
    let log = log.text();
    assert!(log.contains("/api/token/test"), "the log is not empty: {log}");
    shown.push(log);
    for text in shown {
        assert!(!text.contains("topsecret"), "{text}");
    }
    assert_eq!(server.seen()[0].body, SECRET, "the test of a token sends it in the body");
    assert_eq!(server.seen()[0].header("authorization"), None);
}

#[tokio::test]
async fn a_wait_for_the_backoff_does_not_hold_up_the_lobby() {
    let server =
        Server::start(|seen| if seen.target == "/api/account" { reply(502, "") } else { done() }).await;
    let client = server.client_with(|options| {
        let long = Duration::from_secs(3600);
        options.backoff = crate::lichess::BackoffOptions { first: long, max: long };
    });
    let accept = async {
        server.wait_for(1).await;
        client.accept_challenge(&"uL3iPa6w".parse().unwrap()).await
    };
    let started = Instant::now();
    tokio::select! {
        result = accept => result.unwrap(),
        result = client.account() => panic!("{result:?}"),
    }
    assert!(started.elapsed() < Duration::from_secs(60));
}
