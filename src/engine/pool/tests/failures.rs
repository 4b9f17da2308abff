//! Searches that break down, hang, are stopped and started in haste, or hit while they end: each is answered once.

use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, bounded};

use super::{FORCED, PATIENCE, START, answer, is_legal, pool, request, start};
use crate::chess::{History, Position};
use crate::engine::pool::Pool;
use crate::engine::search::Fault;
use crate::engine::{Limits, SearchOutcome, SearchRequest, StopReason};

/// A small ending, which is searched deep in no time.
const SMALL: &str = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1";

/// Pseudo-random numbers, so that what fails can be tried again.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

fn start_faulty(pool: &Pool, request: SearchRequest, fault: Fault) -> Receiver<SearchOutcome> {
    let (sender, receiver) = bounded(2);
    let handle = pool.start_faulty(request, fault, move |outcome| sender.send(outcome).unwrap());
    // Dropping the handle would stop the search.
    std::mem::forget(handle);
    receiver
}

#[test]
fn c10_a_stale_stop_does_not_end_the_next_search() {
    let pool = pool(1);
    let mut dice = Dice(10);
    for cycle in 0..1500_u64 {
        let ponder = SearchRequest { ponder: true, ..request(SMALL, Limits::default()) };
        let (stale, stopped) = start(&pool, ponder);
        match dice.below(50) {
            0 => std::thread::sleep(Duration::from_micros(dice.below(2000))),
            1..25 => std::thread::yield_now(),
            _ => {}
        }
        stale.stop();
        if cycle % 2 == 0 {
            drop(stale);
            answer(&stopped);
        }
        // Also when the old one has not answered yet.
        let (_handle, receiver) = start(&pool, request(SMALL, Limits::depth(6)));
        let outcome = answer(&receiver);
        assert_eq!((outcome.depth, outcome.reason), (6, StopReason::Limit), "cycle {cycle}");
    }
}

/// The search may end by itself, be hit, be stopped, be dropped, all at any moment: there is one answer, within its
/// time, and with a move.
#[test]
fn c11_a_ponder_hit_at_any_moment_gives_one_answer_in_time() {
    let pool = pool(2);
    let mut dice = Dice(11);
    let limit = Duration::from_millis(5);
    let limits = Limits { soft: Some(limit), hard: Some(limit), ..Limits::default() };
    for round in 0..400 {
        // The forced move and the mate end their search as soon as they may; the start never does.
        let mate = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
        let fen = [START, FORCED, mate, SMALL][dice.below(4) as usize];
        let ponder = SearchRequest { ponder: true, ..request(fen, limits) };
        let (handle, receiver) = start(&pool, ponder);
        let wait = |dice: &mut Dice| {
            let until = Instant::now() + Duration::from_micros(dice.below(1500));
            while Instant::now() < until {
                std::hint::spin_loop();
            }
        };
        wait(&mut dice);
        let asked = Instant::now();
        let what = dice.below(5);
        match what {
            0 => handle.ponder_hit(limits),
            1 => handle.stop(),
            2 => {
                handle.ponder_hit(limits);
                wait(&mut dice);
                handle.stop();
            }
            3 => {
                handle.stop();
                handle.ponder_hit(limits);
            }
            _ => std::thread::scope(|scope| {
                scope.spawn(|| handle.ponder_hit(limits));
                scope.spawn(|| handle.stop());
            }),
        }
        let outcome = answer(&receiver);
        assert!(is_legal(fen, &outcome), "round {round}: {outcome:?}");
        assert!(asked.elapsed() < Duration::from_secs(1), "round {round}, {what}: {:?}", asked.elapsed());
    }
}

#[test]
fn c12_a_search_that_ignores_its_limit_is_answered_for_in_time() {
    let pool = pool(1);
    let limit = Duration::from_millis(100);
    let mut late: Vec<Duration> = (0..5)
        .map(|_| {
            let since = Instant::now();
            let hang = Fault::Hang(3000, Duration::from_millis(400));
            let outcome = answer(&start_faulty(&pool, request(START, Limits::move_time(limit)), hang));
            assert_eq!(outcome.reason, StopReason::Overrun);
            assert!(outcome.depth > 0 && is_legal(START, &outcome));
            since.elapsed().saturating_sub(limit)
        })
        .collect();
    late.sort();
    assert!(late[1] < Duration::from_millis(100), "{late:?}");
}

#[test]
fn c13_a_search_that_fails_at_once_still_finds_a_good_move() {
    let pool = pool(1);
    // The first legal move is none of the good ones.
    for (fen, best) in
        [("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8"), ("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "e4d5")]
    {
        for _ in 0..3 {
            let limits = Limits::move_time(PATIENCE);
            let outcome = answer(&start_faulty(&pool, request(fen, limits), Fault::Panic(0)));
            assert_eq!(outcome.reason, StopReason::Crashed);
            assert_eq!(format!("{:?}", outcome.best.unwrap()), best);
        }
    }
}

/// Three games at once, and in one of twenty searches something breaks, anywhere: no game ends for it.
#[test]
fn c13_games_are_played_to_their_end_through_failing_searches() {
    let pool = pool(1);
    let mut dice = Dice(13);
    let (mut failed, mut plies) = (0, 0);
    for _ in 0..4 {
        let mut games = [(); 3].map(|()| History::new(Position::initial()));
        for ply in 0..60 {
            let running: Vec<_> = games
                .iter()
                .map(|game| {
                    let request = SearchRequest::new(game.clone(), Limits::nodes(150 + dice.below(100)));
                    let fault = if dice.below(20) == 0 { dice.below(150) } else { u64::MAX };
                    start_faulty(&pool, request, Fault::Panic(fault))
                })
                .collect();
            for (game, receiver) in games.iter_mut().zip(running) {
                let outcome = answer(&receiver);
                failed += usize::from(outcome.reason == StopReason::Crashed);
                if let Some(best) = outcome.best {
                    assert!(game.position().is_legal(best), "ply {ply}");
                    game.push(best);
                    plies += 1;
                } else {
                    assert!(!game.position().has_legal_move());
                }
            }
        }
    }
    assert!(failed > 10 && plies > 500, "{failed} failed, {plies} plies");
}

/// Threads of searches that ended, were dropped or failed are used again or end.
#[test]
fn c24_three_hundred_games_leave_no_threads_behind() {
    let pool = pool(2);
    let mut dice = Dice(24);
    for game in 0..300 {
        let running: Vec<_> = (0..3)
            .map(|_| {
                if dice.below(3) == 0 {
                    let endless = request(START, Limits::move_time(PATIENCE));
                    (None, start_faulty(&pool, endless, Fault::Panic(dice.below(300))))
                } else {
                    let (handle, receiver) = start(&pool, request(SMALL, Limits::nodes(300)));
                    (Some(handle).filter(|_| game % 2 == 0), receiver)
                }
            })
            .collect();
        for (_handle, receiver) in &running {
            answer(receiver);
        }
    }
    // The timer and two workers.
    assert_eq!(pool.shared.state.lock().census(), (0, 3));
}
