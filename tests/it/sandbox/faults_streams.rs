//! Faults of streams and lines: what a plain client gets in which chunk, and what is counted.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use rookery::sandbox::{Fault, Route, Rule, SandboxOptions, When};
use serde_json::{Value, json};

use super::socket::{Ending, Socket};
use super::support::{Server, options};

/// A game of ada's whose stream is open and begins with `gameFull`, which was read.
async fn watching(server: &Server) -> (String, Socket) {
    let game = server.game();
    let mut stream = Socket::asking(server, "tok_ada", &format!("GET /api/bot/game/stream/{game}")).await;
    stream.until("\r\n\r\n").await;
    assert!(stream.chunk().await.contains("gameFull"));
    (game, stream)
}

/// A server on which the first `gameState` of ada's stream meets a fault.
async fn server(fault: Fault) -> (Server, String, Socket) {
    let server = Server::with(SandboxOptions { keep_alive: Duration::from_secs(3600), ..options() }).await;
    let when =
        When { account: Some("ada".to_owned()), line: Some("gameState".to_owned()), ..When::on(Route::Game) };
    server.sandbox.faults().add(Rule::when(when, fault));
    let (game, stream) = watching(&server).await;
    (server, game, stream)
}

async fn happened(server: Server, kind: &str) {
    let report = server.sandbox.faults().report();
    assert_eq!(report.fired, BTreeMap::from([(kind.to_owned(), 1)]));
    assert!(report.unfired().is_empty(), "{report}");
    server.stop().await;
}

/// The moves of a state, or the type of another line.
fn moves(line: &str) -> String {
    let json: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{line:?}: {error}"));
    json["moves"].as_str().or(json["type"].as_str()).unwrap_or_default().to_owned()
}

#[tokio::test]
async fn a_stream_is_cut_within_a_line() {
    let (server, game, stream) = server(Fault::CutBytes { bytes: 8 }).await;
    server.play(&game, "e2e4").await;
    assert_eq!(stream.rest().await, ("8\r\n{\"type\":\r\n".to_owned(), Ending::Reset));
    happened(server, "cut_bytes").await;
}

#[tokio::test]
async fn a_stream_is_cut_after_a_line() {
    let (server, game, stream) = server(Fault::CutLines { lines: 2 }).await;
    server.play(&game, "e2e4 e7e5 g1f3").await;
    let (text, ending) = stream.rest().await;
    assert_eq!((text.matches("gameState").count(), ending), (2, Ending::Reset));
    assert!(text.ends_with("}\n\r\n"), "{text:?}");
    happened(server, "cut_lines").await;
}

#[tokio::test]
async fn a_stream_ends_in_good_order_without_the_line() {
    let (server, game, mut stream) = server(Fault::End).await;
    server.play(&game, "e2e4").await;
    assert_eq!(stream.chunk().await, "", "the last chunk is the empty one");
    stream.ask("tok_ada", "GET /api/account").await;
    assert!(stream.until("}").await.starts_with("HTTP/1.1 200"), "the connection can be used again");
    happened(server, "end").await;
}

#[tokio::test]
async fn a_line_comes_in_packets_or_drops() {
    let (server, game, mut stream) = server(Fault::Split { bytes: 5 }).await;
    server.play(&game, "e2e4").await;
    let mut line = String::new();
    while !line.ends_with('\n') {
        let chunk = stream.chunk().await;
        assert!(chunk.len() <= 5, "{chunk:?}");
        line += &chunk;
    }
    assert_eq!(moves(&line), "e2e4");
    happened(server, "split").await;

    let (server, game, mut stream) = self::server(Fault::Drip { bytes: 40, every_ms: 30 }).await;
    server.play(&game, "e2e4").await;
    let (began, mut line, mut chunks) = (Instant::now(), String::new(), 0);
    while !line.ends_with('\n') {
        line += &stream.chunk().await;
        chunks += 1;
    }
    assert_eq!(moves(&line), "e2e4");
    assert_eq!(chunks, line.len().div_ceil(40));
    assert!(began.elapsed() >= Duration::from_millis(30) * (chunks as u32 - 2), "{:?}", began.elapsed());
    happened(server, "drip").await;
}

#[tokio::test]
async fn lines_come_in_one_packet() {
    let (server, game, mut stream) = server(Fault::Merge { lines: 2 }).await;
    server.play(&game, "e2e4").await;
    assert!(stream.is_silent().await);
    server.play_from(&game, 1, "e7e5").await;
    let chunk = stream.chunk().await;
    assert_eq!(chunk.lines().map(moves).collect::<Vec<_>>(), ["e2e4", "e2e4 e7e5"]);
    let report = server.sandbox.faults().report();
    assert_eq!(report.outages.len(), 1);
    assert!(report.outages[0].to - report.outages[0].from >= Duration::from_millis(100), "{report:?}");
    happened(server, "merge").await;
}

#[tokio::test]
async fn lines_are_repeated_exchanged_and_lost() {
    for (fault, expected) in [
        (Fault::Duplicate { copies: 2 }, ["e2e4", "e2e4", "e2e4", "e2e4 e7e5"].as_slice()),
        (Fault::Reorder, &["e2e4 e7e5", "e2e4", "e2e4 e7e5 g1f3"]),
        (Fault::Drop, &["e2e4 e7e5", "e2e4 e7e5 g1f3"]),
        (Fault::Late { ms: 150 }, &["e2e4", "e2e4 e7e5"]),
    ] {
        let kind = fault.kind();
        let (server, game, mut stream) = server(fault).await;
        let began = Instant::now();
        server.play(&game, "e2e4 e7e5 g1f3").await;
        for line in expected {
            assert_eq!(moves(&stream.chunk().await), *line, "{kind}");
        }
        assert!(kind != "late" || began.elapsed() >= Duration::from_millis(150));
        happened(server, kind).await;
    }
}

#[tokio::test]
async fn other_text_comes_before_the_line() {
    let text = "\r\n \n<html>\n{\"type\":\"novelty\"}".to_owned();
    let (server, game, mut stream) = server(Fault::Insert { text: text.clone() }).await;
    server.play(&game, "e2e4").await;
    assert_eq!(stream.chunk().await, format!("{text}\n"));
    assert_eq!(moves(&stream.chunk().await), "e2e4");
    happened(server, "insert").await;
}

#[tokio::test]
async fn fields_are_changed_and_removed() {
    for (value, check) in [(Some(json!("soon")), json!("soon")), (None, Value::Null)] {
        let (server, game, mut stream) = server(Fault::Field { path: "wtime".to_owned(), value }).await;
        server.play(&game, "e2e4").await;
        let line: Value = serde_json::from_str(&stream.chunk().await).unwrap();
        assert_eq!((&line["wtime"], line.get("wtime").is_some()), (&check, check.is_string()));
        assert_eq!(line["moves"], "e2e4");
        happened(server, "field").await;
    }
}

#[tokio::test]
async fn a_field_that_is_not_there_waits_for_a_line_that_has_it() {
    let (server, game, mut stream) = server(Fault::Field { path: "winner".to_owned(), value: None }).await;
    server.play(&game, "f2f3").await;
    assert_eq!(moves(&stream.chunk().await), "f2f3");
    assert_eq!(server.sandbox.faults().report().unfired().len(), 1);
    server.play_from(&game, 1, "e7e5 g2g4 d8h4").await;
    for _ in 0..2 {
        stream.chunk().await;
    }
    let last: Value = serde_json::from_str(&stream.chunk().await).unwrap();
    assert_eq!((&last["status"], last.get("winner")), (&json!("mate"), None));
    happened(server, "field").await;
}

#[tokio::test]
async fn a_stalled_reader_loses_the_oldest_lines() {
    let (server, game, mut stream) = server(Fault::Backlog { capacity: 2, ms: 800 }).await;
    server.play(&game, "e2e4 e7e5 g1f3 b8c6").await;
    assert!(stream.is_silent().await);
    assert_eq!(moves(&stream.chunk().await), "e2e4 e7e5 g1f3");
    assert_eq!(moves(&stream.chunk().await), "e2e4 e7e5 g1f3 b8c6");
    happened(server, "backlog").await;
}

#[tokio::test]
async fn an_open_stream_falls_silent() {
    let server = Server::with(SandboxOptions { keep_alive: Duration::from_millis(20), ..options() }).await;
    let mut stream = Socket::asking(&server, "tok_ada", "GET /api/stream/event").await;
    stream.until("\r\n\r\n").await;
    assert_eq!(stream.chunk().await, "\n");
    server.sandbox.faults().add(Rule::when(When::on(Route::Events), Fault::Silence { ms: None }));
    while !stream.is_silent().await {}
    server.game();
    assert!(stream.is_silent().await);
    happened(server, "silence").await;
}

#[tokio::test]
async fn an_open_stream_is_reset() {
    let (server, game, stream) = server(Fault::Reset { applied: false }).await;
    server.play(&game, "e2e4").await;
    assert_eq!(stream.rest().await, (String::new(), Ending::Reset));
    happened(server, "reset").await;
}

#[tokio::test]
async fn a_player_lacks_a_lost_state_until_the_next() {
    let (server, game, mut stream) = server(Fault::Drop).await;
    server.play(&game, "e2e4").await;
    assert!(stream.is_silent().await);
    let open = server.sandbox.faults().report().outages;
    assert_eq!(
        (open.len(), open[0].account.as_deref(), open[0].game.as_deref()),
        (1, Some("ada"), Some(&*game))
    );
    server.play_from(&game, 1, "e7e5").await;
    assert_eq!(moves(&stream.chunk().await), "e2e4 e7e5");
    let closed = server.sandbox.faults().report().outages;
    assert_eq!((closed.len(), closed[0].from), (1, open[0].from));
    assert_eq!(server.sandbox.faults().report().outages, closed, "it does not grow any more");
    happened(server, "drop").await;
}

#[tokio::test]
async fn a_state_tells_the_ply_at_which_its_fault_happens() {
    let server = Server::start().await;
    let when = When { account: Some("ada".to_owned()), ply: Some(3), ..When::on(Route::Game) };
    server.sandbox.faults().add(Rule::when(when, Fault::Duplicate { copies: 1 }));
    let (game, mut stream) = watching(&server).await;
    server.play(&game, "e2e4 e7e5 g1f3").await;
    for line in ["e2e4", "e2e4 e7e5", "e2e4 e7e5 g1f3", "e2e4 e7e5 g1f3"] {
        assert_eq!(moves(&stream.chunk().await), line);
    }
    happened(server, "duplicate").await;
}
