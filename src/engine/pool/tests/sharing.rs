//! Several searches and few threads: who waits, who goes first, and for how long each may think.

use std::time::{Duration, Instant};

use super::{FORCED, PATIENCE, START, answer, pool, request, start};
use crate::engine::{Limits, SearchRequest, StopReason};

fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn clock(soft: u64, hard: u64) -> Limits {
    Limits { soft: Some(millis(soft)), hard: Some(millis(hard)), ..Limits::default() }
}

fn pondering(fen: &str) -> SearchRequest {
    SearchRequest { ponder: true, ..request(fen, Limits::default()) }
}

#[test]
fn sixty_four_searches_share_two_threads_and_all_answer_by_themselves() {
    let pool = pool(2);
    let running: Vec<_> = (0..64).map(|_| start(&pool, request(START, clock(800, 20_000)))).collect();
    for (_handle, receiver) in &running {
        let outcome = answer(receiver);
        assert_eq!(outcome.reason, StopReason::Limit, "{outcome:?}");
        assert!(outcome.depth >= 2 && outcome.elapsed < millis(10_000), "{outcome:?}");
    }
    // The timer and two workers.
    assert_eq!(pool.shared.state.lock().census(), (0, 3));
}

#[test]
fn a_search_on_the_opponents_time_gives_way_at_once() {
    let pool = pool(1);
    let (ponder, pondered) = start(&pool, pondering(START));
    std::thread::sleep(millis(20));
    let (_handle, receiver) = start(&pool, request(START, Limits::move_time(millis(60))));
    let outcome = answer(&receiver);
    assert!(outcome.reason == StopReason::Limit && outcome.elapsed < millis(100), "{outcome:?}");
    ponder.ponder_hit(clock(10, 1000));
    assert!(answer(&pondered).depth >= 3);
}

#[test]
fn a_search_that_holds_its_answer_holds_no_thread() {
    let pool = pool(1);
    let infinite = Limits { infinite: true, depth: Some(2), ..Limits::default() };
    let held: Vec<_> =
        [pondering("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), request(FORCED, infinite), request(START, infinite)]
            .into_iter()
            .map(|request| start(&pool, request))
            .collect();
    let (_handle, receiver) = start(&pool, request(START, Limits::depth(4)));
    assert_eq!(answer(&receiver).depth, 4);
    for (handle, receiver) in &held {
        assert!(receiver.try_recv().is_err());
        handle.stop();
        answer(receiver);
    }
}

#[test]
fn a_long_thought_is_interrupted_for_a_short_one_and_goes_on() {
    let pool = pool(1);
    let (_long, slow) = start(&pool, request(START, clock(1500, 3000)));
    std::thread::sleep(millis(100));
    let (_short, quick) = start(&pool, request(FORCED, clock(50, 500)));
    let outcome = answer(&quick);
    assert!(outcome.elapsed < millis(300), "{outcome:?}");
    assert!(slow.try_recv().is_err(), "the long one is not over");
    let outcome = answer(&slow);
    assert!(outcome.reason == StopReason::Limit && outcome.depth >= 8, "{outcome:?}");
}

#[test]
fn a_search_stopped_before_its_turn_is_answered_soon() {
    let pool = pool(1);
    let (_busy, busy) = start(&pool, request(START, Limits::move_time(millis(500))));
    let (handle, receiver) = start(&pool, request(START, Limits::move_time(PATIENCE)));
    std::thread::sleep(millis(5));
    let asked = Instant::now();
    handle.stop();
    let outcome = answer(&receiver);
    assert_eq!(outcome.reason, StopReason::Stopped);
    assert!(outcome.best.is_some() && asked.elapsed() < millis(200), "{:?}", asked.elapsed());
    assert!(busy.try_recv().is_err());
    answer(&busy);
}
