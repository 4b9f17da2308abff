//! What a search is asked and what it answers: plain values, no behaviour.

use std::time::{Duration, Instant};

use super::eval::Evaluation;
use super::params::THREAD_MIB;
use super::score::Score;
use crate::chess::{History, Move};

/// When a search ends. The default gives no limit: such a search runs until it is stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// No new iteration after this, give or take how clear the position is.
    pub soft: Option<Duration>,
    /// The search ends by this.
    pub hard: Option<Duration>,
    /// Iterations in plies.
    pub depth: Option<u32>,
    /// Positions visited, by all threads together.
    pub nodes: Option<u64>,
    /// A mate in so many moves is enough.
    pub mate: Option<u32>,
    /// Hold the answer back until stopped, even when there is nothing left to search.
    pub infinite: bool,
}

impl Limits {
    /// Think for exactly `time`, as far as that can be done.
    pub fn move_time(time: Duration) -> Limits {
        Limits { hard: Some(time), ..Limits::default() }
    }

    /// Finish `depth` iterations.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// Visit `nodes` positions.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Whether only the clock ends the search: then a forced move needs no thought.
    pub(crate) fn is_clock_only(&self) -> bool {
        (self.soft.is_some() || self.hard.is_some())
            && self.depth.is_none()
            && self.nodes.is_none()
            && self.mate.is_none()
            && !self.infinite
    }
}

/// A position to think about, with the game that led to it.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// The game so far: repetitions and the fifty moves depend on it.
    pub history: History,
    /// When to answer.
    pub limits: Limits,
    /// Only these moves; empty means all.
    pub root_moves: Vec<Move>,
    /// How many best lines to report; 0 counts as 1.
    pub multipv: usize,
    /// Time is counted from here: the arrival of the server's message, not the start of the thread.
    pub since: Instant,
    /// Think on the opponent's time: no limit applies until [`super::SearchHandle::ponder_hit`].
    pub ponder: bool,
}

impl SearchRequest {
    /// A search of the current position of `history`, counted from now.
    pub fn new(history: History, limits: Limits) -> SearchRequest {
        SearchRequest {
            history,
            limits,
            root_moves: Vec::new(),
            multipv: 1,
            since: Instant::now(),
            ponder: false,
        }
    }
}

/// What a reported score is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The value itself.
    Exact,
    /// The value is this or more.
    Lower,
    /// The value is this or less.
    Upper,
}

/// Progress: one line of one finished iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchInfo {
    /// The iteration, in plies.
    pub depth: u32,
    /// The longest line looked at, in plies.
    pub seldepth: u32,
    /// Which of the best lines this is, from 1.
    pub multipv: usize,
    /// The value for the side to move.
    pub score: Score,
    /// Whether the value is exact.
    pub bound: Bound,
    /// Positions visited by all threads of this search.
    pub nodes: u64,
    /// Time since the request's `since`.
    pub elapsed: Duration,
    /// How full the transposition table is, in thousandths.
    pub hashfull: u32,
    /// The line.
    pub pv: Vec<Move>,
}

impl SearchInfo {
    /// Positions a second.
    pub fn nps(&self) -> u64 {
        nodes_per_second(self.nodes, self.elapsed)
    }
}

/// Positions a second; an unmeasurably short time counts as a microsecond.
pub(crate) fn nodes_per_second(nodes: u64, elapsed: Duration) -> u64 {
    let micros = elapsed.as_micros().max(1);
    u64::try_from(u128::from(nodes) * 1_000_000 / micros).unwrap_or(u64::MAX)
}

/// The answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchOutcome {
    /// The move to play; `None` only if there is no legal move.
    pub best: Option<Move>,
    /// The reply expected.
    pub ponder: Option<Move>,
    /// The value of the last finished iteration.
    pub score: Score,
    /// The last finished iteration; 0 if there was none.
    pub depth: u32,
    /// Positions visited by all threads of this search.
    pub nodes: u64,
    /// Time since the request's `since`.
    pub elapsed: Duration,
    /// The line expected, beginning with `best`.
    pub pv: Vec<Move>,
    /// Why the search ended.
    pub reason: StopReason,
}

/// Why a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// It reached its own limit of time, depth or nodes, or found the mate asked for.
    Limit,
    /// It was stopped from outside.
    Stopped,
    /// There is only one legal move.
    OnlyMove,
    /// There is no legal move: mate or stalemate.
    NoMoves,
    /// It panicked; the move is the best found before, or the first legal one.
    Crashed,
    /// It did not end in time; the watchdog took the best move found so far.
    Overrun,
}

impl StopReason {
    /// Whether the search itself gave the answer.
    pub fn is_regular(self) -> bool {
        match self {
            StopReason::Limit | StopReason::Stopped | StopReason::OnlyMove | StopReason::NoMoves => true,
            StopReason::Crashed | StopReason::Overrun => false,
        }
    }
}

/// What a pool is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PoolOptions {
    /// Threads that search; one search alone uses all of them. At least 1.
    pub threads: usize,
    /// Size of the transposition table in MiB, shared by all searches of the pool. At least 1.
    pub hash_mib: usize,
    /// What positions are judged by.
    pub evaluation: Evaluation,
}

impl PoolOptions {
    /// MiB that such a pool takes at most: the table, the network, and what each thread needs for itself.
    pub fn memory_mib(&self) -> usize {
        let network = self.evaluation.bytes(self.threads).div_ceil(1 << 20);
        self.hash_mib.saturating_add(self.threads.saturating_mul(THREAD_MIB)).saturating_add(network)
    }
}

impl Default for PoolOptions {
    fn default() -> PoolOptions {
        PoolOptions { threads: 1, hash_mib: 16, evaluation: Evaluation::default() }
    }
}
