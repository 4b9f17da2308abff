//! Streams that bring what no stream should: the cases of `docs/failures.md` that a socket shows.

use super::tests::{ACCOUNT, GAME, events, game, lost, next, staying, wait_of};
use futures::FutureExt;

use super::*;
use crate::lichess::testing::{Log, Seen, Server, Step, chunk, open, reply, write};

/// The head of a stream with another type of content.
fn open_as(kind: &str) -> Step {
    write(format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ntransfer-encoding: chunked\r\n\r\n"))
}

#[tokio::test]
async fn a01_silence_is_told_to_the_operator_once() {
    let (log, _guard) = Log::start(tracing::Level::WARN);
    let server = Server::start(staying(vec![chunk("\n")])).await;
    let mut stream =
        server.client_with(|options| options.stream_silence = Duration::from_millis(200)).event_stream();
    assert_eq!(lost(&mut stream.0).await, LostReason::Silent);
    let text = log.text();
    assert!(text.lines().count() == 1 && text.contains("WARN") && text.contains("silent"), "{text}");
}

#[tokio::test]
async fn a11_a_page_instead_of_a_stream_is_refused_and_waited_for() {
    let page = "<!DOCTYPE html>\n<h1>Log in to the hotel</h1>\n";
    let server =
        Server::start(move |_| vec![open_as("text/html; charset=utf-8"), chunk(page), Step::Close]).await;
    let mut stream =
        server.client_with(|options| options.backoff.max = Duration::from_secs(60)).event_stream();
    for _ in 0..6 {
        let item = next(&mut stream.0).await;
        assert!(matches!(item, StreamItem::Lost(LostReason::Refused(ApiError::BadBody { .. }))), "{item:?}");
    }
    assert!(wait_of(&stream.0) > Duration::from_millis(10), "the waits were about 1, 2, 4, ... ms");
}

#[tokio::test]
async fn a11_lines_that_are_no_json_end_the_stream_after_three() {
    let (log, _guard) = Log::start(tracing::Level::INFO);
    let good = GAME.lines().next().unwrap();
    let lines = format!("\n\r\n \n{good}\ngarbage\n\nmore garbage\n{good}\n<html>\n<body>\n{{\n{good}\n");
    let server = Server::start(staying(vec![chunk(lines)])).await;
    let mut stream = server.client().game_stream(game());
    let (found, others) = events(&mut stream.0, 6).await;
    let expected = GameEvent::from_line(good.as_bytes());
    assert_eq!(found.iter().filter(|event| **event == expected).count(), 2, "{found:?}");
    assert_eq!(others.iter().filter(|item| **item == StreamItem::KeepAlive).count(), 2, "{others:?}");
    let reason = lost(&mut stream.0).await;
    assert!(matches!(&reason, LostReason::Broken(text) if text.contains("no JSON")), "{reason:?}");
    let text = log.text();
    assert_eq!(text.matches("was not understood").count(), 1, "{text}");
}

#[tokio::test]
async fn a12_an_error_instead_of_an_event_is_acted_upon() {
    let say = |line: &'static str| async move {
        let server = Server::start(staying(vec![chunk(format!("{line}\n"))])).await;
        let mut stream = server.client().event_stream();
        let reason = lost(&mut stream.0).await;
        (reason, wait_of(&stream.0))
    };
    let (scope, _) = say(r#"{"error":"Missing scope"}"#).await;
    let LostReason::Refused(error @ ApiError::Forbidden { .. }) = scope else { panic!("{scope:?}") };
    assert_eq!(error.disposition(), Disposition::Auth);
    assert!(error.to_string().contains("Missing scope"), "{error}");
    let polling = r#"{"error":"Please don't poll this endpoint, it is intended to be streamed."}"#;
    let (poll, wait) = say(polling).await;
    assert!(matches!(poll, LostReason::Refused(ApiError::RateLimited { .. })), "{poll:?}");
    assert!(wait >= Duration::from_secs(30), "{wait:?}");
    let (other, _) = say(r#"{"error":"No idea"}"#).await;
    assert!(matches!(other, LostReason::Refused(ApiError::Refused { .. })), "{other:?}");
}

/// Each connection is cut one byte later than the one before.
#[tokio::test]
async fn a13_a_cut_at_any_byte_loses_the_half_line_and_nothing_else() {
    let short = GAME.lines().filter(|line| line.len() < 130);
    let whole: Vec<u8> = short.flat_map(|line| [line, "\n"]).collect::<String>().into();
    let (sent, length) = (whole.clone(), whole.len());
    let server = Server::start(move |seen| vec![open(), chunk(&sent[..=seen.number]), Step::Close]).await;
    let waits = BackoffOptions { first: Duration::from_millis(1), max: Duration::from_millis(1) };
    let mut stream = server.client_with(|options| options.backoff = waits).game_stream(game());
    for cut in 1..=length {
        let mut found = Vec::new();
        let reason = loop {
            match next(&mut stream.0).await {
                StreamItem::Event { event, .. } => found.push(event),
                StreamItem::Connected | StreamItem::KeepAlive => {}
                StreamItem::Lost(reason) => break reason,
            }
        };
        assert!(matches!(reason, LostReason::Broken(_)), "{cut}: {reason:?}");
        let lines = whole[..cut].split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n"));
        let expected: Vec<_> = lines.map(|line| GameEvent::from_line(line.trim_ascii_end())).collect();
        assert_eq!(found, expected, "cut after {cut} bytes");
    }
}

#[tokio::test]
async fn a13_a_broken_chunk_is_a_broken_stream() {
    let server = Server::start(|_| vec![open(), chunk("\n"), write("zz\r\n{\"type\":"), Step::Hang]).await;
    let mut stream = server.client().game_stream(game());
    assert!(matches!(lost(&mut stream.0).await, LostReason::Broken(_)));
}

#[tokio::test]
async fn a14_every_line_may_come_byte_by_byte() {
    let bytes = |text: &str| text.as_bytes().chunks(1).map(chunk).collect::<Vec<_>>();
    let server = Server::start(staying(bytes(GAME))).await;
    let (found, _) = events(&mut server.client().game_stream(game()).0, GAME.lines().count()).await;
    assert_eq!(found, GAME.lines().map(|line| GameEvent::from_line(line.as_bytes())).collect::<Vec<_>>());
    let server = Server::start(staying(bytes(ACCOUNT))).await;
    let (found, _) = events(&mut server.client().event_stream().0, ACCOUNT.lines().count()).await;
    assert_eq!(
        found,
        ACCOUNT.lines().map(|line| AccountEvent::from_line(line.as_bytes())).collect::<Vec<_>>()
    );
}

#[tokio::test]
async fn a14_a_broken_character_in_a_name_does_not_cost_the_game() {
    let full = GAME.lines().find(|line| line.contains("gameFull")).unwrap();
    let name = b"\"name\":\"";
    let at = full.as_bytes().windows(name.len()).position(|bytes| bytes == name).unwrap() + name.len();
    let broken = [&full.as_bytes()[..at], b"\xc3\x28 \\ud83e", &full.as_bytes()[at..], b"\n"].concat();
    let server = Server::start(staying(vec![chunk(broken)])).await;
    let (found, _) = events(&mut server.client().game_stream(game()).0, 1).await;
    assert!(matches!(found[0], GameEvent::Full(_)), "{found:?}");
}

#[tokio::test]
async fn a15_long_lines_are_read_up_to_a_cap_and_end_the_stream_beyond_it() {
    let plies = "g1f3 g8f6 f3g1 f6g8 ".repeat(150);
    let long = format!("{{\"type\":\"gameState\",\"moves\":\"{}\"}}\n", plies.trim());
    let new = "x".repeat(1024 * 1024);
    let huge = format!("{{\"type\":\"chatLine\",\"text\":\"hi\",\"new\":\"{new}\"}}\n");
    let endless = vec![chunk("x".repeat(64 * 1024)); LINE_LIMIT / (64 * 1024) + 2];
    let server = Server::start(staying([vec![chunk(long), chunk(huge)], endless].concat())).await;
    let mut stream = server.client().game_stream(game());
    let (found, _) = events(&mut stream.0, 2).await;
    assert!(matches!(&found[0], GameEvent::State(state) if state.moves().count() == 600));
    assert!(matches!(&found[1], GameEvent::Chat(line) if line.text == "hi"));
    let reason = lost(&mut stream.0).await;
    assert!(matches!(&reason, LostReason::Broken(text) if text.contains("4194304 bytes")), "{reason:?}");
    assert!(wait_of(&stream.0) <= Duration::from_millis(4));
}

#[tokio::test]
async fn bytes_that_never_make_a_line_are_as_good_as_silence() {
    let drip = [chunk("x"), Step::Pause(Duration::from_millis(30))];
    let server = Server::start(staying(drip.iter().cycle().take(200).cloned().collect())).await;
    let client = server.client_with(|options| options.stream_silence = Duration::from_millis(300));
    let started = Instant::now();
    assert_eq!(lost(&mut client.event_stream().0).await, LostReason::Silent);
    assert!(started.elapsed() >= Duration::from_millis(900));
}

/// Without that the event stream would wait for an hour.
#[tokio::test]
async fn a_stream_that_waits_is_opened_as_soon_as_another_request_finds_the_server_back() {
    let server = Server::start(|seen: &Seen| match (seen.number, seen.target.as_str()) {
        (0, _) => reply(502, "<html></html>"),
        (_, "/api/account") => reply(200, r#"{"id":"rook","username":"rook"}"#),
        _ => vec![open(), chunk("\n"), Step::Hang],
    })
    .await;
    let client = server.client_with(|options| {
        options.backoff = BackoffOptions { first: Duration::from_secs(3600), max: Duration::from_secs(3600) };
    });
    let mut stream = client.event_stream();
    assert!(matches!(lost(&mut stream.0).await, LostReason::Refused(_)));
    assert!(stream.next().now_or_never().is_none(), "it waits");
    client.account().await.unwrap();
    assert_eq!(next(&mut stream.0).await, StreamItem::Connected);
}

#[tokio::test]
async fn a_stream_that_is_down_alone_is_not_asked_for_at_every_success() {
    let server = Server::start(|seen: &Seen| match seen.target.as_str() {
        "/api/account" => reply(200, r#"{"id":"rook","username":"rook"}"#),
        _ => reply(502, "<html></html>"),
    })
    .await;
    let client = server.client_with(|options| {
        options.backoff = BackoffOptions { first: Duration::from_secs(3600), max: Duration::from_secs(3600) };
    });
    let mut stream = client.event_stream();
    lost(&mut stream.0).await;
    client.account().await.unwrap();
    lost(&mut stream.0).await;
    client.account().await.unwrap();
    assert!(tokio::time::timeout(Duration::from_millis(200), stream.next()).await.is_err());
}
