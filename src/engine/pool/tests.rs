//! Every search is answered once, in time, whatever happens to it.

mod failures;
mod sharing;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, bounded};

use super::{Pool, SearchHandle};
use crate::chess::{History, Position};
use crate::engine::search::Fault;
use crate::engine::{Limits, PoolOptions, SearchOutcome, SearchRequest, StopReason};
use crate::ignore::Ignore as _;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// White's king has one square.
const FORCED: &str = "7k/8/8/8/8/8/1q6/3K4 w - - 0 1";
const PATIENCE: Duration = Duration::from_secs(20);

fn pool(threads: usize) -> Pool {
    Pool::new(PoolOptions { threads, hash_mib: 4, ..PoolOptions::default() })
}

fn request(fen: &str, limits: Limits) -> SearchRequest {
    SearchRequest::new(History::new(Position::from_fen(fen).unwrap()), limits)
}

fn start(pool: &Pool, request: SearchRequest) -> (SearchHandle, Receiver<SearchOutcome>) {
    let (sender, receiver) = bounded(2);
    let handle = pool.start(request, |_| {}, move |outcome| sender.send(outcome).unwrap());
    (handle, receiver)
}

fn answer(receiver: &Receiver<SearchOutcome>) -> SearchOutcome {
    let outcome = receiver.recv_timeout(PATIENCE).expect("a search must be answered");
    // The sender is gone once the callback was called, so there can be no second answer.
    assert!(receiver.recv_timeout(PATIENCE).is_err());
    outcome
}

fn is_legal(fen: &str, outcome: &SearchOutcome) -> bool {
    outcome.best.is_some_and(|mv| Position::from_fen(fen).unwrap().is_legal(mv))
}

#[test]
fn limits_end_a_search() {
    let pool = pool(2);
    let time = Limits { soft: Some(Duration::from_millis(30)), hard: Some(PATIENCE), ..Limits::default() };
    for limits in [Limits::depth(5), Limits::nodes(5000), Limits::move_time(Duration::from_millis(40)), time]
    {
        let (_handle, receiver) = start(&pool, request(START, limits));
        let outcome = answer(&receiver);
        assert!(is_legal(START, &outcome), "{limits:?}");
        assert_eq!(outcome.reason, StopReason::Limit, "{limits:?}");
    }
}

#[test]
fn one_thread_visits_as_many_nodes_as_allowed() {
    let pool = pool(1);
    for nodes in [1, 100, 1024, 5000, 33_333] {
        let (_handle, receiver) = start(&pool, request(START, Limits::nodes(nodes)));
        assert_eq!(answer(&receiver).nodes, nodes);
    }
}

#[test]
fn the_hard_limit_is_kept() {
    let pool = pool(1);
    let late: Vec<Duration> = (0..20)
        .map(|_| {
            let limit = Duration::from_millis(20);
            let (_handle, receiver) = start(&pool, request(START, Limits::move_time(limit)));
            answer(&receiver).elapsed.saturating_sub(limit)
        })
        .collect();
    // The best of them: on a busy machine any single one may wait for a processor.
    assert!(late.iter().min() < Some(&Duration::from_millis(5)), "{late:?}");
}

#[test]
fn a_stop_is_answered_at_once() {
    let pool = pool(2);
    let latencies: Vec<Duration> = (0..25)
        .map(|_| {
            let (sender, receiver) = bounded(1);
            let (began, begun) = bounded(1);
            let on_info = move |_: &_| began.try_send(()).ignore("only the first counts");
            let limits = Limits { infinite: true, ..Limits::default() };
            let handle = pool.start(request(START, limits), on_info, move |outcome| {
                sender.send((Instant::now(), outcome)).unwrap();
            });
            begun.recv_timeout(PATIENCE).unwrap();
            let asked = Instant::now();
            handle.stop();
            let (answered, outcome) = receiver.recv_timeout(PATIENCE).unwrap();
            assert_eq!(outcome.reason, StopReason::Stopped);
            answered.saturating_duration_since(asked)
        })
        .collect();
    // `cargo bench --bench pool` measures it; here the best counts, for any single one may wait for a processor.
    assert!(latencies.iter().min() < Some(&Duration::from_millis(10)), "{latencies:?}");
}

#[test]
fn a_dropped_handle_stops_the_search() {
    let pool = pool(1);
    let (handle, receiver) = start(&pool, request(START, Limits::default()));
    drop(handle);
    let outcome = answer(&receiver);
    assert!(is_legal(START, &outcome));
    assert_eq!(outcome.reason, StopReason::Stopped);
}

#[test]
fn a_dropped_pool_answers_its_searches() {
    let pool = pool(2);
    let running: Vec<_> = (0..3).map(|_| start(&pool, request(START, Limits::default()))).collect();
    drop(pool);
    for (_handle, receiver) in &running {
        assert!(is_legal(START, &answer(receiver)));
    }
}

#[test]
fn a_panic_is_answered_and_survived() {
    let pool = pool(1);
    for nodes in [0, 20_000] {
        let (sender, receiver) = bounded(2);
        let limits = Limits::move_time(PATIENCE);
        let _handle =
            pool.start_faulty(request(START, limits), Fault::Panic(nodes), move |o| sender.send(o).unwrap());
        let outcome = answer(&receiver);
        assert!(is_legal(START, &outcome));
        assert_eq!(outcome.reason, StopReason::Crashed);
    }
    let (_handle, receiver) = start(&pool, request(START, Limits::depth(3)));
    assert_eq!(answer(&receiver).depth, 3, "the next search works");
}

#[test]
fn a_hanging_search_is_answered_for() {
    let pool = pool(1);
    let hang = Fault::Hang(3000, Duration::from_secs(2));
    let limit = Duration::from_millis(200);
    let (sender, receiver) = bounded(2);
    let since = Instant::now();
    let _handle =
        pool.start_faulty(request(START, Limits::move_time(limit)), hang, move |o| sender.send(o).unwrap());
    let outcome = answer(&receiver);
    assert!(since.elapsed() < Duration::from_millis(1500), "{:?}", since.elapsed());
    assert_eq!(outcome.reason, StopReason::Overrun);
    assert!(is_legal(START, &outcome));
    assert!(outcome.depth > 0, "the best so far, not the first there is");
}

#[test]
fn a_hanging_search_is_answered_for_when_stopped() {
    let pool = pool(1);
    let (sender, receiver) = bounded(2);
    let hang = Fault::Hang(3000, Duration::from_secs(2));
    let handle = pool.start_faulty(request(START, Limits::default()), hang, move |o| sender.send(o).unwrap());
    handle.stop();
    assert!(is_legal(START, &answer(&receiver)));
}

#[test]
fn a_callback_that_panics_does_not_hurt_the_pool() {
    let pool = pool(1);
    let _handle = pool.start(request(START, Limits::depth(2)), |_| {}, |_| panic!("a test wants this"));
    let (_handle, receiver) = start(&pool, request(START, Limits::depth(2)));
    assert_eq!(answer(&receiver).depth, 2);
}

#[test]
fn the_only_move_is_played_quickly_unless_depth_is_asked_for() {
    let pool = pool(1);
    let clock = Limits { soft: Some(PATIENCE), hard: Some(PATIENCE), ..Limits::default() };
    let (_handle, receiver) = start(&pool, request(FORCED, clock));
    let outcome = answer(&receiver);
    assert_eq!(outcome.reason, StopReason::OnlyMove);
    assert!(outcome.elapsed < Duration::from_secs(5));
    let (_handle, receiver) = start(&pool, request(FORCED, Limits::depth(9)));
    let outcome = answer(&receiver);
    assert_eq!((outcome.reason, outcome.depth), (StopReason::Limit, 9));
}

#[test]
fn a_finished_game_has_no_move() {
    let pool = pool(1);
    let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    for (fen, score) in [(mated, "mate 0"), ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0")] {
        let (_handle, receiver) = start(&pool, request(fen, Limits::depth(5)));
        let outcome = answer(&receiver);
        assert_eq!((outcome.best, outcome.reason), (None, StopReason::NoMoves));
        assert_eq!(outcome.score.to_string(), score);
    }
}

#[test]
fn pondering_waits_for_the_hit() {
    let pool = pool(1);
    let ponder = SearchRequest { ponder: true, ..request(START, Limits::depth(2)) };
    let (handle, receiver) = start(&pool, ponder);
    assert!(receiver.recv_timeout(Duration::from_millis(60)).is_err(), "no answer on the opponent's time");
    handle.ponder_hit(Limits::move_time(Duration::from_millis(50)));
    let outcome = answer(&receiver);
    assert_eq!(outcome.reason, StopReason::Limit);
    assert!(outcome.elapsed >= Duration::from_millis(110), "the limit counts from the hit: {outcome:?}");
}

#[test]
fn a_long_ponder_is_answered_at_the_hit() {
    let pool = pool(1);
    let ponder = SearchRequest { ponder: true, ..request(START, Limits::default()) };
    let (handle, receiver) = start(&pool, ponder);
    assert!(receiver.recv_timeout(Duration::from_millis(100)).is_err());
    let hit = Instant::now();
    let soft = Some(Duration::from_millis(20));
    handle.ponder_hit(Limits { soft, hard: Some(PATIENCE), ..Limits::default() });
    answer(&receiver);
    assert!(hit.elapsed() < Duration::from_secs(2), "{:?}", hit.elapsed());
}

#[test]
fn an_endless_search_holds_its_answer() {
    let pool = pool(1);
    let limits = Limits { infinite: true, depth: Some(2), ..Limits::default() };
    for fen in [START, FORCED, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"] {
        let (handle, receiver) = start(&pool, request(fen, limits));
        assert!(receiver.recv_timeout(Duration::from_millis(50)).is_err(), "{fen}");
        handle.stop();
        answer(&receiver);
    }
}

#[test]
fn more_searches_than_threads_all_get_on() {
    let pool = pool(2);
    let running: Vec<_> =
        (0..6).map(|_| start(&pool, request(START, Limits::move_time(Duration::from_millis(300))))).collect();
    for (_handle, receiver) in &running {
        let outcome = answer(receiver);
        assert!(outcome.depth >= 2, "{outcome:?}");
    }
}

#[test]
fn a_lone_search_has_the_help_of_all_threads() {
    let nodes = |threads: usize| {
        let pool = pool(threads);
        let (_handle, receiver) = start(&pool, request(START, Limits::depth(9)));
        answer(&receiver).nodes
    };
    let alone: u64 = nodes(1);
    // On a busy machine a helper may come too late once, but not every time.
    assert!((0..10).any(|_| nodes(3) > alone + 1024), "nobody helped");
}

#[test]
fn restricted_roots_are_respected() {
    let pool = pool(1);
    let mut request = request(START, Limits::depth(4));
    let only = request.history.position().legal_moves()[7];
    request.root_moves = vec![only];
    let (_handle, receiver) = start(&pool, request);
    assert_eq!(answer(&receiver).best, Some(only));
}

#[test]
fn the_expected_reply_is_legal() {
    let pool = pool(1);
    for depth in 1..8 {
        let (_handle, receiver) = start(&pool, request(START, Limits::depth(depth)));
        let outcome = answer(&receiver);
        let after = Position::from_fen(START).unwrap().after(outcome.best.unwrap());
        assert!(outcome.ponder.is_none_or(|mv| after.is_legal(mv)), "{outcome:?}");
        assert!(depth < 3 || outcome.ponder.is_some(), "{outcome:?}");
    }
}

#[test]
fn searches_may_be_started_from_a_callback() {
    let pool = Arc::new(pool(1));
    let answers = Arc::new(AtomicUsize::new(0));
    let (sender, receiver) = bounded(1);
    let (inner_pool, inner_answers) = (Arc::clone(&pool), Arc::clone(&answers));
    let _outer = pool.start(
        request(START, Limits::depth(2)),
        |_| {},
        move |_| {
            let counted = Arc::clone(&inner_answers);
            let inner = inner_pool.start(
                request(START, Limits::depth(2)),
                |_| {},
                move |_| {
                    counted.fetch_add(1, Ordering::SeqCst);
                    sender.send(()).unwrap();
                },
            );
            // Dropping the handle would stop it; it is short enough to be left running.
            std::mem::forget(inner);
        },
    );
    receiver.recv_timeout(PATIENCE).unwrap();
    assert_eq!(answers.load(Ordering::SeqCst), 1);
}
