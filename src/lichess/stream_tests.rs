//! Streams against a real socket: every way to lose one, and every way to come back.

use std::sync::Arc;

use futures::FutureExt;
use tokio::sync::Notify;

use super::*;
use crate::lichess::testing::{Listening, Log, Seen, Server, Step, chunk, end, open, reply, write};
use crate::lichess::{AuthProblem, Client, ClientOptions, GameState};

/// Longer than anything here takes; only a test that fails waits for it.
const PATIENCE: Duration = Duration::from_secs(20);

pub(super) const ACCOUNT: &str = include_str!("../../tests/data/wire/account.ndjson");
pub(super) const GAME: &str = include_str!("../../tests/data/wire/game.ndjson");
const ODD: &str = include_str!("../../tests/data/wire/odd.ndjson");

pub(super) fn game() -> GameId {
    "Qz7Lm2Xa".parse().unwrap()
}

pub(super) async fn next<T: Event>(stream: &mut Endless<T>) -> StreamItem<T> {
    tokio::time::timeout(PATIENCE, stream.next()).await.expect("a stream says something")
}

/// The next so many events, and whatever else came between them.
pub(super) async fn events<T: Event>(stream: &mut Endless<T>, count: usize) -> (Vec<T>, Vec<StreamItem<T>>) {
    let (mut events, mut others) = (Vec::new(), Vec::new());
    while events.len() < count {
        match next(stream).await {
            StreamItem::Event { event, .. } => events.push(event),
            other => others.push(other),
        }
    }
    (events, others)
}

pub(super) async fn lost<T: Event + fmt::Debug>(stream: &mut Endless<T>) -> LostReason {
    loop {
        if let StreamItem::Lost(reason) = next(stream).await {
            return reason;
        }
    }
}

/// How long the stream waits before it connects again.
pub(super) fn wait_of<T>(stream: &Endless<T>) -> Duration {
    match stream.state {
        State::Waiting { until, .. } => until.duration_since(Instant::now()),
        State::Opening(_) | State::Open(_) => panic!("{stream:?}"),
    }
}

/// Opens with these chunks and stays open.
pub(super) fn staying(chunks: Vec<Step>) -> impl Fn(&Seen) -> Vec<Step> {
    move |_| [vec![open()], chunks.clone(), vec![Step::Hang]].concat()
}

fn impatient(options: &mut ClientOptions) {
    options.stream_silence = Duration::from_millis(300);
}

#[tokio::test]
async fn lines_become_events_and_blanks_keep_alives() {
    let server = Server::start(staying(vec![chunk(GAME), chunk("\n"), chunk("\r\n")])).await;
    let mut stream = server.client().game_stream(game());
    assert_eq!(stream.next().await, StreamItem::Connected);
    let (found, others) = events(&mut stream.0, GAME.lines().count()).await;
    let expected: Vec<_> = GAME.lines().map(|line| GameEvent::from_line(line.as_bytes())).collect();
    assert_eq!((found, others), (expected, vec![]));
    assert_eq!((stream.next().await, stream.next().await), (StreamItem::KeepAlive, StreamItem::KeepAlive));
    let seen = &server.seen()[0];
    assert_eq!((seen.method.as_str(), seen.target.as_str()), ("GET", "/api/bot/game/stream/Qz7Lm2Xa"));
    assert_eq!(seen.header("accept"), Some("application/x-ndjson"));
    assert_eq!(seen.header("accept-encoding"), Some("identity"));
    assert_eq!(seen.header("authorization"), Some("Bearer lip_topsecret"));
}

#[tokio::test]
async fn chunks_mean_nothing() {
    let line = r#"{"type":"chatLine","room":"player","username":"Müller","text":"♞ 🦀 gg"}"#;
    let lines = format!("{line}\r\n\n{line}\n");
    for size in [1, 2, 3, 7, 64, 4096] {
        let chunks = lines.as_bytes().chunks(size).map(chunk).collect();
        let server = Server::start(staying(chunks)).await;
        let mut stream = server.client().game_stream(game());
        assert_eq!(stream.next().await, StreamItem::Connected);
        let (found, others) = events(&mut stream.0, 2).await;
        assert_eq!(found, vec![GameEvent::from_line(line.as_bytes()); 2], "chunks of {size}");
        assert_eq!(others, [StreamItem::KeepAlive], "chunks of {size}");
    }
}

#[tokio::test]
async fn keep_alives_alone_keep_it_alive_and_no_total_time_limit_ends_it() {
    let beat = [chunk("\n"), Step::Pause(Duration::from_millis(25))];
    let beats: Vec<_> = beat.iter().cycle().take(50).cloned().collect();
    let server = Server::start(staying(beats)).await;
    let client = server.client_with(|options| {
        options.stream_silence = Duration::from_millis(400);
        options.request_timeout = Duration::from_millis(300);
        options.move_timeout = Duration::from_millis(300);
    });
    let mut stream = client.event_stream();
    assert_eq!(stream.next().await, StreamItem::Connected);
    for beat in 0..25 {
        assert_eq!(stream.next().await, StreamItem::KeepAlive, "{beat}");
    }
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn silence_is_a_loss_and_the_stream_comes_back() {
    let server = Server::start(staying(vec![chunk("\n")])).await;
    let mut stream = server.client_with(impatient).event_stream();
    for _ in 0..2 {
        assert_eq!(stream.next().await, StreamItem::Connected);
        assert_eq!(stream.next().await, StreamItem::KeepAlive);
        assert_eq!(stream.next().await, StreamItem::Lost(LostReason::Silent));
    }
    assert_eq!(server.targets(), ["/api/stream/event"; 2]);
}

#[tokio::test]
async fn a_clean_end_is_a_loss_and_half_a_line_is_no_line() {
    let server =
        Server::start(|_| vec![open(), chunk("{\"type\":\"gameState\",\"moves\":\"\"}\n{\"type\":"), end()])
            .await;
    let mut stream = server.client().game_stream(game());
    for _ in 0..2 {
        assert_eq!(stream.next().await, StreamItem::Connected);
        assert!(matches!(stream.next().await, StreamItem::Event { event: GameEvent::State(_), .. }));
        assert_eq!(stream.next().await, StreamItem::Lost(LostReason::Ended));
    }
}

#[tokio::test]
async fn half_a_line_of_a_lost_stream_does_not_spoil_the_next() {
    let server = Server::start(|seen| match seen.number {
        0 => vec![open(), chunk("{\"type\":\"gameState\",\"mov"), end()],
        _ => vec![open(), chunk("{\"type\":\"gameState\",\"moves\":\"e2e4\"}\n"), Step::Hang],
    })
    .await;
    let mut stream = server.client().game_stream(game());
    assert_eq!(lost(&mut stream.0).await, LostReason::Ended);
    let (found, _) = events(&mut stream.0, 1).await;
    assert!(matches!(&found[0], GameEvent::State(GameState { moves, .. }) if moves == "e2e4"));
}

#[tokio::test]
async fn a_connection_that_breaks_is_a_loss() {
    let server = Server::start(|_| vec![open(), chunk("\n"), write("ff\r\n{\"type\":"), Step::Close]).await;
    let mut stream = server.client().event_stream();
    for _ in 0..2 {
        let reason = lost(&mut stream.0).await;
        assert!(matches!(&reason, LostReason::Broken(text) if !text.is_empty()), "{reason:?}");
    }
}

#[tokio::test]
async fn what_is_not_understood_is_handed_on_and_ends_nothing() {
    // A line with an error is another matter.
    let odd: Vec<_> = ODD.lines().filter(|line| !line.starts_with("{\"error\"")).collect();
    let good = ACCOUNT.lines().next().unwrap();
    let more = [chunk("\n{}\n"), chunk([0xff, 0x00, b'\n']), chunk(format!("{good}\n"))];
    let server = Server::start(staying([vec![chunk(odd.join("\n"))], more.to_vec()].concat())).await;
    let tap = Arc::new(Listening::default());
    let mut stream = Client::new(server.options(), tap.clone()).unwrap().event_stream();
    // One odd line is a ping, and two more come after them.
    let (found, others) = events(&mut stream.0, odd.len() + 2).await;
    let (last, unknown) = found.split_last().unwrap();
    assert!(unknown.iter().all(|event| matches!(event, AccountEvent::Unknown(_))), "{unknown:?}");
    assert_eq!(*last, AccountEvent::from_line(good.as_bytes()));
    assert_eq!(others, [StreamItem::Connected, StreamItem::KeepAlive]);
    let heard = tap.heard();
    for line in odd {
        assert!(heard.contains(&format!("Events {line}")), "the tap hears raw lines: {line}");
    }
}

#[tokio::test]
async fn the_tap_hears_of_every_opening() {
    let server = Server::start(|seen| match seen.number {
        0 => reply(502, ""),
        _ => vec![open(), Step::Hang],
    })
    .await;
    let tap = Arc::new(Listening::default());
    let mut stream = Client::new(server.options(), tap.clone()).unwrap().game_stream(game());
    while stream.next().await != StreamItem::Connected {}
    let heard = tap.heard();
    assert!(heard[0].starts_with("GET /api/bot/game/stream/Qz7Lm2Xa [] Some(502) Some("), "{heard:?}");
    assert_eq!(heard[1..], ["GET /api/bot/game/stream/Qz7Lm2Xa [] Some(200) None"]);
}

#[tokio::test]
async fn the_tap_hears_what_happens_to_a_stream() {
    let server = Server::start(|_| vec![open(), chunk("\n{\"type\":\"gameSt"), end()]).await;
    let tap = Arc::new(Listening::default());
    let mut stream = Client::new(server.options(), tap.clone()).unwrap().event_stream();
    assert_eq!(lost(&mut stream.0).await, LostReason::Ended);
    let rest = format!("Events Lost {{ reason: Ended, rest: {:?} }}", b"{\"type\":\"gameSt");
    assert_eq!(tap.news(), ["Events Opened", "Events Alive", &rest]);
}

#[tokio::test]
async fn each_kind_of_odd_line_is_warned_of_once() {
    let (log, _guard) = Log::start(tracing::Level::INFO);
    let lines = "{\"type\":\"novel\",\"n\":1}\n{\"type\":\"novel\",\"n\":2}\nno JSON\n{\"type\":\"novel\",\"fullId\":\"Qz7Lm2XaB4td\"}\nnone either\n";
    let server = Server::start(staying(vec![chunk(lines)])).await;
    let client = server.client();
    for _ in 0..2 {
        events(&mut client.event_stream().0, 5).await;
    }
    let log = log.text();
    assert_eq!(log.lines().count(), 2, "{log}");
    assert!(!log.contains("Qz7Lm2XaB4td"), "such an id gives access: {log}");
    assert!(log.contains("novel") && log.contains("not JSON"), "{log}");
}

#[tokio::test]
async fn the_time_stamp_is_that_of_the_last_byte() {
    let word = Arc::new(Notify::new());
    let rest = [Step::Await(word.clone()), chunk("\"moves\":\"\"}\n")];
    let begun = chunk("{\"type\":\"opponentGone\"}\n{\"type\":\"gameState\",");
    let server = Server::start(staying([vec![begun], rest.to_vec()].concat())).await;
    let mut stream = server.client().game_stream(game());
    assert_eq!(stream.next().await, StreamItem::Connected);
    let StreamItem::Event { received: first, .. } = stream.next().await else { panic!() };
    let before = tokio::time::Instant::now();
    word.notify_one();
    let StreamItem::Event { received: second, .. } = stream.next().await else { panic!() };
    assert!(first <= before && before <= second && second <= tokio::time::Instant::now());
}

#[tokio::test]
async fn a_refused_token_is_told_and_then_asked_about_rarely() {
    let server = Server::start(|_| reply(401, r#"{"error":"No such token"}"#)).await;
    let client = server.client_with(|options| options.backoff.max = Duration::from_secs(60));
    let mut stream = client.event_stream();
    let reason = lost(&mut stream.0).await;
    let LostReason::Refused(ApiError::Unauthorized { problem: AuthProblem::Token, .. }) = reason else {
        panic!("{reason:?}")
    };
    assert!(wait_of(&stream.0) > Duration::from_secs(59));
}

#[tokio::test]
async fn a_game_that_is_gone_is_told_and_then_asked_about_rarely() {
    let server = Server::start(|_| reply(404, r#"{"error":"No such game"}"#)).await;
    let client = server.client_with(|options| options.backoff.max = Duration::from_secs(60));
    let mut stream = client.game_stream(game());
    let reason = lost(&mut stream.0).await;
    assert!(matches!(reason, LostReason::Refused(ApiError::NotFound { .. })), "{reason:?}");
    assert_eq!(wait_of(&stream.0).as_millis().div_ceil(1000), 2);
}

#[tokio::test]
async fn too_many_streams_wait_a_minute_and_leave_games_alone() {
    let server = Server::start(|seen| match seen.target.as_str() {
        "/api/stream/event" => reply(429, "Please don't poll this endpoint"),
        _ => vec![open(), chunk("\n"), Step::Hang],
    })
    .await;
    let client = server.client();
    let mut stream = client.event_stream();
    let reason = lost(&mut stream.0).await;
    assert!(matches!(reason, LostReason::Refused(ApiError::RateLimited { .. })), "{reason:?}");
    assert!(wait_of(&stream.0) > Duration::from_secs(59));
    // Another stream of the kind is not even asked for; a game's is.
    let mut another = client.event_stream();
    assert!(matches!(lost(&mut another.0).await, LostReason::Refused(ApiError::RateLimited { .. })));
    assert!(wait_of(&another.0) > Duration::from_secs(59));
    assert_eq!(client.game_stream(game()).next().await, StreamItem::Connected);
    assert_eq!(server.targets(), ["/api/stream/event", "/api/bot/game/stream/Qz7Lm2Xa"]);
}

#[tokio::test]
async fn a_server_in_trouble_is_asked_again_until_it_is_well() {
    let server = Server::start(|seen| match seen.number {
        0 => reply(502, "<html>"),
        1 => reply(503, ""),
        2 => vec![Step::Close],
        _ => vec![open(), Step::Hang],
    })
    .await;
    let mut stream = server.client().event_stream();
    for _ in 0..3 {
        assert!(matches!(stream.next().await, StreamItem::Lost(LostReason::Refused(_))));
    }
    assert_eq!(stream.next().await, StreamItem::Connected);
    assert_eq!(stream.streak(), 0, "a server that is down is no twin");
}

#[tokio::test]
async fn a_server_that_does_not_answer_is_given_up() {
    let server = Server::start(|_| vec![Step::Hang]).await;
    let mut stream =
        server.client_with(|options| options.request_timeout = Duration::from_millis(100)).event_stream();
    let reason = lost(&mut stream.0).await;
    assert!(matches!(reason, LostReason::Refused(ApiError::Timeout { .. })), "{reason:?}");
}

#[tokio::test]
async fn a_twin_makes_the_waits_grow_and_the_streak_too() {
    let server = Server::start(|_| vec![open(), chunk("\n"), end()]).await;
    let client = server.client_with(|options| options.backoff.max = Duration::from_secs(60));
    let mut stream = client.event_stream();
    for streak in 1..=8 {
        assert_eq!(lost(&mut stream.0).await, LostReason::Ended);
        assert_eq!(stream.streak(), streak);
    }
    let wait = wait_of(&stream.0);
    assert!(
        wait > Duration::from_millis(30),
        "the waits were about 1, 2, 4, ... 64 ms, this one is 128: {wait:?}"
    );
}

#[tokio::test]
async fn a_long_life_clears_the_streak() {
    let server = Server::start(|seen| match seen.number {
        0..3 => vec![open(), end()],
        _ => vec![open(), Step::Pause(Duration::from_millis(400)), chunk("\n"), end()],
    })
    .await;
    let client = server.client_with(|options| options.backoff.max = Duration::from_millis(150));
    let mut stream = client.event_stream();
    for _ in 0..3 {
        lost(&mut stream.0).await;
    }
    assert_eq!(stream.next().await, StreamItem::Connected);
    assert_eq!(stream.streak(), 3);
    assert_eq!(stream.next().await, StreamItem::KeepAlive);
    assert_eq!(stream.streak(), 0, "already while it lives");
    assert_eq!(stream.next().await, StreamItem::Lost(LostReason::Ended));
    assert_eq!(stream.streak(), 0);
    assert!(wait_of(&stream.0) <= Duration::from_millis(1), "and the first wait is a short one again");
}

#[tokio::test]
async fn a_call_that_is_dropped_loses_nothing() {
    let bytes =
        GAME.as_bytes().chunks(100).flat_map(|part| [chunk(part), Step::Pause(Duration::from_micros(200))]);
    let server = Server::start(staying(bytes.collect())).await;
    let mut stream = server.client().game_stream(game());
    let mut found = Vec::new();
    let reading = async {
        while found.len() < GAME.lines().count() {
            match stream.next().now_or_never() {
                Some(StreamItem::Event { event, .. }) => found.push(event),
                Some(StreamItem::Lost(reason)) => panic!("{reason:?}"),
                Some(StreamItem::Connected | StreamItem::KeepAlive) => {}
                None => tokio::task::yield_now().await,
            }
        }
    };
    tokio::time::timeout(PATIENCE, reading).await.unwrap();
    let expected: Vec<_> = GAME.lines().map(|line| GameEvent::from_line(line.as_bytes())).collect();
    assert_eq!(found, expected);
    assert_eq!(server.seen().len(), 1, "one connection");
}

#[tokio::test]
async fn a_stream_that_hangs_holds_up_no_other() {
    let server = Server::start(|seen| match seen.target.as_str() {
        "/api/bot/game/stream/Qz7Lm2Xa" => vec![Step::Hang],
        _ => vec![open(), chunk("\n"), Step::Hang],
    })
    .await;
    let client = server.client();
    let (mut stuck, mut well) = (client.game_stream(game()), client.game_stream("aP3wVt9k".parse().unwrap()));
    let well = async {
        server.wait_for(1).await;
        (well.next().await, well.next().await)
    };
    tokio::select! {
        items = well => assert_eq!(items, (StreamItem::Connected, StreamItem::KeepAlive)),
        item = stuck.next() => panic!("{item:?}"),
    }
}
