//! Faults of connections and answers: what a plain client sees of them, and whether the server did what it was asked.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use axum::serve::Listener;
use rookery::sandbox::{Fault, Loss, Route, Rule, Sandbox, Scenario, When};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::sync::mpsc;

use super::socket::{Ending, Socket};
use super::support::{Server, options, until};

/// A server on which ada has a game, and in which one fault happens to the first move.
async fn server(fault: Fault) -> (Server, String) {
    let server = Server::start().await;
    server.sandbox.faults().add(Rule::when(When::on(Route::Move), fault));
    let game = server.game();
    (server, game)
}

async fn first_move(server: &Server, game: &str) -> Socket {
    Socket::asking(server, "tok_ada", &format!("POST /api/bot/game/{game}/move/e2e4")).await
}

fn plies(server: &Server) -> usize {
    server.sandbox.games()[0].plies
}

/// Each fault that was planned happened, once.
async fn happened(server: Server, kind: &str) {
    let report = server.sandbox.faults().report();
    assert_eq!(report.fired, BTreeMap::from([(kind.to_owned(), 1)]));
    assert!(report.unfired().is_empty(), "{report}");
    server.stop().await;
}

const HEADERS: &str = "\r\n\r\n";

#[tokio::test]
async fn a_reset_comes_before_or_after_the_move() {
    for applied in [false, true] {
        let (server, game) = server(Fault::Reset { applied }).await;
        assert_eq!(first_move(&server, &game).await.rest().await, (String::new(), Ending::Reset));
        assert_eq!(plies(&server), usize::from(applied), "applied: {applied}");
        happened(server, "reset").await;
    }
}

#[tokio::test]
async fn a_lost_answer_ends_as_it_says_and_the_move_is_made() {
    for (how, ending) in
        [(Loss::Reset, Some(Ending::Reset)), (Loss::End, Some(Ending::Closed)), (Loss::Silence, None)]
    {
        let (server, game) = server(Fault::AnswerLost { how }).await;
        let mut socket = first_move(&server, &game).await;
        match ending {
            Some(ending) => assert_eq!(socket.rest().await, (String::new(), ending)),
            None => assert!(socket.is_silent().await),
        }
        assert_eq!(plies(&server), 1, "{how:?}");
        happened(server, "answer_lost").await;
    }
}

#[tokio::test]
async fn a_silent_connection_stays_open_and_the_move_is_never_made() {
    let (server, game) = server(Fault::Silence { ms: None }).await;
    let mut socket = first_move(&server, &game).await;
    assert!(socket.is_silent().await);
    socket.ask("tok_ada", "GET /api/account").await;
    assert!(socket.is_silent().await, "what is asked later is not heard either");
    assert_eq!(plies(&server), 0);
    let outages = server.sandbox.faults().report().outages;
    assert_eq!((outages.len(), outages[0].game.as_deref()), (1, Some(game.as_str())));
    assert_eq!(
        outages[0].to - outages[0].from,
        Duration::from_secs(21),
        "three blank lines later it is known"
    );
    happened(server, "silence").await;
}

#[tokio::test]
async fn what_was_sent_in_a_passing_silence_arrives_after_it() {
    let (server, game) = server(Fault::Silence { ms: Some(600) }).await;
    let began = Instant::now();
    let mut socket = first_move(&server, &game).await;
    socket.ask("tok_ada", "GET /api/account").await;
    assert!(socket.is_silent().await);
    assert!(socket.until("{\"ok\":true}").await.starts_with("HTTP/1.1 200"));
    assert!(began.elapsed() >= Duration::from_millis(600));
    socket.until("\"id\":\"ada\"").await;
    assert_eq!(plies(&server), 1);
    happened(server, "silence").await;
}

#[tokio::test]
async fn a_black_hole_takes_all_connections_of_an_account_and_no_new_one() {
    let server = Server::start().await;
    let mut ada = Socket::asking(&server, "tok_ada", "GET /api/stream/event").await;
    ada.until(HEADERS).await;
    let mut bob = Socket::asking(&server, "tok_bob", "GET /api/stream/event").await;
    bob.until(HEADERS).await;
    let when = When { account: Some("ada".to_owned()), ..When::on(Route::Account) };
    server.sandbox.faults().add(Rule::when(when, Fault::Blackhole { ms: 600_000 }));
    let mut asking = Socket::asking(&server, "tok_ada", "GET /api/account").await;
    assert!(asking.is_silent().await);
    server.game();
    assert!(ada.is_silent().await, "the stream that was open before is deaf too");
    assert!(bob.chunk().await.contains("gameStart"));
    let mut new = Socket::asking(&server, "tok_ada", "GET /api/stream/event").await;
    new.until(HEADERS).await;
    assert!(new.chunk().await.contains("gameStart"));
    happened(server, "blackhole").await;
}

#[tokio::test]
async fn connections_are_refused_for_a_time() {
    let server = Server::start().await;
    server.sandbox.faults().add(Rule::new(Fault::Refuse { ms: 800 }));
    let began = Instant::now();
    for _ in 0..3 {
        assert_eq!(Socket::to(&server).await.rest().await, (String::new(), Ending::Reset));
    }
    until(async || {
        let mut tcp = tokio::net::TcpStream::connect(server.sandbox.addr()).await.unwrap();
        let asked = tcp.write_all(b"GET /sandbox/faults HTTP/1.1\r\nHost: s\r\n\r\n").await;
        asked.is_ok() && tcp.read(&mut [0; 64]).await.is_ok_and(|read| read > 0)
    })
    .await;
    assert!(began.elapsed() >= Duration::from_millis(800));
    happened(server, "refuse").await;
}

#[tokio::test]
async fn a_restart_breaks_every_connection_and_then_works_again() {
    let server = Server::start().await;
    let mut events = Socket::asking(&server, "tok_ada", "GET /api/stream/event").await;
    events.until(HEADERS).await;
    server.sandbox.faults().add(Rule::new(Fault::Restart { down_ms: 0, lose_plies: 0 }));
    assert_eq!(events.rest().await, (String::new(), Ending::Reset));
    let mut again = Socket::asking(&server, "tok_ada", "GET /api/stream/event").await;
    again.until(HEADERS).await;
    happened(server, "restart").await;
}

#[tokio::test]
async fn a_restart_takes_back_moves() {
    let server = Server::start().await;
    let game = server.game();
    server.play(&game, "e2e4 e7e5 g1f3").await;
    let when = When { from: 2, ..When::on(Route::Move) };
    server.sandbox.faults().add(Rule::when(when, Fault::Restart { down_ms: 100, lose_plies: 2 }));
    server.play_from(&game, 3, "b8c6").await;
    let request = format!("POST /api/bot/game/{game}/move/f1b5");
    assert_eq!(
        Socket::asking(&server, "tok_ada", &request).await.rest().await,
        (String::new(), Ending::Reset)
    );
    assert_eq!(Socket::to(&server).await.rest().await, (String::new(), Ending::Reset), "it is down");
    until(async || {
        tokio::net::TcpStream::connect(server.sandbox.addr()).await.is_ok() && plies(&server) == 2
    })
    .await;
    happened(server, "restart").await;
}

#[tokio::test]
async fn the_world_changes_while_somebody_looks() {
    let server = Server::start().await;
    let game = server.game();
    server.play(&game, "e2e4 e7e5").await;
    for (route, fault) in [
        (Route::Account, Fault::ClockJump { white_ms: -60_000, black_ms: 0 }),
        (Route::Playing, Fault::StaleList { ms: 600_000 }),
    ] {
        server.sandbox.faults().add(Rule::when(When::on(route), fault));
    }
    server.ada().get("/api/account").await;
    let (full, mut lines) = server.ada().watch(&game).await;
    assert!(full["state"]["wtime"].as_u64().unwrap() <= 120_000, "{full}");
    server.ada().get("/api/account/playing").await;
    server.ada().command(&game, "resign").await;
    while lines.next().await.is_some() {}
    let (_, list) = server.ada().get("/api/account/playing").await;
    assert_eq!(list["nowPlaying"][0]["gameId"], game.as_str(), "the list is as it was");

    server.sandbox.faults().add(Rule::when(When::on(Route::Events), Fault::StaleStart));
    let mut events = server.ada().events().await;
    server.game();
    let starts = [events.next_of("gameStart").await, events.next_of("gameStart").await];
    assert!(starts.iter().any(|start| start["game"]["gameId"] == game.as_str()), "{starts:?}");

    let account = Some("ada".to_owned());
    server.sandbox.faults().add(Rule::when(When { account, ..When::default() }, Fault::Twin));
    while events.next().await.is_some() {}
    let report = server.sandbox.faults().report();
    assert!(report.unfired().is_empty(), "{report}");
    server.stop().await;
}

#[tokio::test]
async fn an_answer_comes_late_before_or_after_the_move() {
    for applied in [false, true] {
        let (server, game) = server(Fault::Delay { ms: 650, jitter_ms: 50, applied }).await;
        let began = Instant::now();
        let mut socket = first_move(&server, &game).await;
        assert!(socket.is_silent().await);
        assert_eq!(plies(&server), usize::from(applied));
        assert!(socket.until("{\"ok\":true}").await.starts_with("HTTP/1.1 200"));
        assert!(began.elapsed() >= Duration::from_millis(600));
        assert_eq!(plies(&server), 1);
        happened(server, "delay").await;
    }
}

#[tokio::test]
async fn another_answer_has_the_status_headers_and_body_that_it_should() {
    for applied in [false, true] {
        let headers = BTreeMap::from([("retry-after".to_owned(), "3".to_owned())]);
        let body = "<html>slow down</html>".to_owned();
        let (server, game) = server(Fault::Status { status: 429, headers, body, applied }).await;
        let answer = first_move(&server, &game).await.until("</html>").await;
        assert!(answer.starts_with("HTTP/1.1 429 Too Many Requests\r\n"), "{answer}");
        assert!(answer.contains("\r\nretry-after: 3\r\n"), "{answer}");
        assert!(answer.contains("\r\ncontent-type: text/html\r\n"), "{answer}");
        assert!(answer.ends_with("\r\n\r\n<html>slow down</html>"), "{answer}");
        assert_eq!(plies(&server), usize::from(applied));
        happened(server, "status").await;
    }
}

#[tokio::test]
async fn a_truncated_answer_promises_more_than_comes() {
    for (bytes, body) in [(0, ""), (5, "{\"ok\""), (1000, "{\"ok\":true")] {
        let (server, game) = server(Fault::Truncate { bytes }).await;
        let (answer, ending) = first_move(&server, &game).await.rest().await;
        assert!(answer.contains("\r\ncontent-length: 11\r\n"), "{answer}");
        assert_eq!((answer.split_once(HEADERS).unwrap().1, ending), (body, Ending::Closed));
        assert_eq!(plies(&server), 1);
        happened(server, "truncate").await;
    }
}

#[tokio::test]
async fn an_answer_without_a_body_is_complete() {
    let (server, game) = server(Fault::EmptyBody).await;
    let mut socket = first_move(&server, &game).await;
    let answer = socket.until(HEADERS).await;
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.contains("content-length: 0"), "{answer}");
    socket.ask("tok_ada", "GET /api/account").await;
    assert!(socket.until("}").await.starts_with("HTTP/1.1 200 OK"), "the connection can be used again");
    happened(server, "empty_body").await;
}

#[tokio::test]
async fn only_the_chosen_request_is_spoilt() {
    let rule = Rule {
        when: When { account: Some("bob".to_owned()), ply: Some(3), ..When::on(Route::Move) },
        ..Rule::new(Fault::Status {
            status: 502,
            headers: BTreeMap::new(),
            body: String::new(),
            applied: false,
        })
    };
    let scenario = Scenario { seed: 0, rules: vec![rule] };
    let server = Server::with(rookery::sandbox::SandboxOptions { scenario, ..options() }).await;
    let game = server.game();
    server.play(&game, "e2e4 e7e5 g1f3").await;
    let path = format!("/api/bot/game/{game}/move/b8c6");
    assert_eq!(server.bob().post(&path, &[]).await.0, 502);
    assert_eq!(server.bob().post(&path, &[]).await.0, 200);
    happened(server, "status").await;
}

/// Connections in memory.
struct Lobby(mpsc::Receiver<DuplexStream>);

impl Listener for Lobby {
    type Io = DuplexStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (DuplexStream, SocketAddr) {
        match self.0.recv().await {
            Some(stream) => (stream, SocketAddr::from(([127, 0, 0, 1], 1))),
            None => std::future::pending().await,
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        Ok(SocketAddr::from(([127, 0, 0, 1], 1)))
    }
}

#[tokio::test]
async fn connections_in_memory_break_too() {
    let (connect, accept) = mpsc::channel(1);
    let sandbox = Sandbox::start_on(options(), "http://sandbox".to_owned(), Lobby(accept)).unwrap();
    for fault in [Fault::Refuse { ms: 0 }, Fault::Reset { applied: false }] {
        let id = sandbox.faults().add(Rule::new(fault));
        let (mut near, far) = tokio::io::duplex(1024);
        connect.send(far).await.unwrap();
        // Where the connection was refused it can no longer be written to.
        drop(near.write_all(b"GET /api/account HTTP/1.1\r\nHost: sandbox\r\n\r\n").await);
        let mut answer = String::new();
        near.read_to_string(&mut answer).await.unwrap();
        assert_eq!(answer, "");
        assert!(sandbox.faults().report().unfired().is_empty());
        assert!(sandbox.faults().remove(id));
    }
    sandbox.stop().await;
}
