//! Measures what the pool adds to a search: from the start to the first node's answer, from a stop to the answer, and
//! both while other searches run.
//!
//! Medians and 99th percentiles in microseconds; `cargo bench --bench pool -- ROUNDS` sets how many (default 2000).

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::sync::mpsc::{Receiver, sync_channel};
use std::time::{Duration, Instant};

use rookery::chess::{History, Position};
use rookery::engine::{Limits, Pool, PoolOptions, SearchHandle, SearchRequest};

fn main() {
    let rounds = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(2000);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let pool = Pool::new(PoolOptions { threads, hash_mib: 16, ..PoolOptions::default() });
    println!("{threads} threads, {rounds} rounds; microseconds");
    report("start of a search of one node, until answered", rounds, || start_and_answer(&pool));
    report("stop of a search, until answered", rounds, || stop_and_answer(&pool));
    let others: Vec<_> = (0..threads).map(|_| begin(&pool, Limits::default())).collect();
    report("start beside as many searches as threads", rounds, || start_and_answer(&pool));
    drop(others);
}

fn start_and_answer(pool: &Pool) -> Duration {
    let since = Instant::now();
    let limits = Limits { nodes: Some(1), hard: Some(Duration::from_millis(20)), ..Limits::default() };
    let (_handle, answered) = begin(pool, limits);
    answered.recv().map_or(Duration::MAX, |at| at - since)
}

fn stop_and_answer(pool: &Pool) -> Duration {
    let (handle, answered) = begin(pool, Limits::default());
    std::thread::sleep(Duration::from_micros(500));
    let since = Instant::now();
    handle.stop();
    answered.recv().map_or(Duration::MAX, |at| at - since)
}

fn begin(pool: &Pool, limits: Limits) -> (SearchHandle, Receiver<Instant>) {
    let (sender, receiver) = sync_channel(1);
    let request = SearchRequest::new(History::new(Position::initial()), limits);
    let on_done = move |_| sender.send(Instant::now()).unwrap_or(());
    (pool.start(request, |_| {}, on_done), receiver)
}

fn report(what: &str, rounds: usize, measure: impl Fn() -> Duration) {
    let mut times: Vec<Duration> = (0..rounds.max(1)).map(|_| measure()).collect();
    times.sort_unstable();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100].as_secs_f64() * 1e6;
    println!("{what:<50} 50 % {:8.1}  99 % {:8.1}", at(50), at(99));
}
