//! Time that is short, odd or wrong. How long a move may take is decided in `engine::time` and `bot::budget`, and tested
//! there too; here it is what the numbers of a server and the threads of the engine make of it.

use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};

use rookery::chess::{History, Position};
use rookery::engine::time::{self, Clock, Lag};
use rookery::engine::{Limits, Pool, PoolOptions, SearchRequest};
use rookery::lichess::GameEvent;

const MS: fn(u64) -> Duration = Duration::from_millis;

/// What is on the clock, what a move adds, and the ply.
const SHORT: [(u64, u64, usize); 6] =
    [(0, 0, 30), (0, 1000, 30), (1, 0, 30), (0, 2000, 0), (80, 0, 30), (80, 2000, 30)];

#[test]
fn c02_no_time_at_all_is_answered_at_once_and_not_thought_about_for_ever() {
    let pool = Pool::new(PoolOptions { threads: 1, hash_mib: 1, ..PoolOptions::default() });
    for (remaining, increment, ply) in SHORT {
        let clock = Clock {
            remaining: MS(remaining),
            increment: MS(increment),
            moves_to_go: None,
            initial: Some(MS(60_000)),
        };
        let budget = time::budget(clock, Lag::constant(MS(100)), ply);
        assert!(budget.hard <= MS(1), "{clock:?}: {budget:?}");
        let mut took: Vec<Duration> = (0..15)
            .map(|_| {
                let limits = Limits { soft: Some(budget.soft), hard: Some(budget.hard), ..Limits::default() };
                let (sender, receiver) = sync_channel(1);
                let asked = Instant::now();
                let request = SearchRequest::new(History::new(Position::initial()), limits);
                let _handle = pool.start(
                    request,
                    |_| {},
                    move |outcome| {
                        sender.send((Instant::now(), outcome)).unwrap();
                    },
                );
                let (answered, outcome) = receiver.recv_timeout(Duration::from_secs(30)).unwrap();
                assert!(outcome.best.is_some());
                answered - asked
            })
            .collect();
        took.sort();
        // Not the median: this machine may be busy with other things, the engine is to blame only for all of them.
        assert!(took[3] < MS(5), "{clock:?}: {took:?}");
    }
}

#[test]
fn c02_c03_numbers_of_all_kinds_become_times_that_can_be_reckoned_with() {
    let day = MS(24 * 3600 * 1000);
    for (number, expected) in [
        ("2147483647", Some(MS(2_147_483_647))),
        ("4294967296", Some(MS(4_294_967_296))),
        ("1e3", Some(MS(1000))),
        ("59.5", Some(MS(59))),
        ("-0", Some(MS(0))),
        ("-300", Some(MS(0))),
        ("1.8e19", None),
        ("18000000000000000000", None),
        ("1e300", None),
        ("99999999999999999999999999", None),
    ] {
        let line = format!(
            r#"{{"type":"gameState","moves":"e2e4 e7e5","wtime":{number},"btime":1000,"winc":{number},"binc":0,"status":"started"}}"#
        );
        let GameEvent::State(state) = GameEvent::from_line(line.as_bytes()) else { panic!("{line}") };
        if let Some(expected) = expected {
            assert_eq!(state.wtime, expected, "{number}");
        }
        let clock = Clock { remaining: state.wtime, increment: state.winc, moves_to_go: None, initial: None };
        for lag in [Duration::ZERO, MS(100), state.wtime] {
            let budget = time::budget(clock, Lag::constant(lag), 2);
            let most = state.wtime.saturating_sub(lag).max(MS(1));
            assert!(budget.soft >= MS(1) && budget.soft <= budget.hard, "{number}: {budget:?}");
            assert!(budget.hard <= most && budget.hard < day * 30, "{number}: {budget:?}");
        }
    }
}
