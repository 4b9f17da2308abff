//! What a running search and the outside share: the stop flag, the limits and the node count.
//!
//! Limits are atomics since a ponder hit sets them while the search runs.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::engine::limits::Limits;
use crate::engine::params;

/// The value of a limit that is not given.
pub(crate) const NO_LIMIT: u64 = u64::MAX;

/// Microseconds after which a search should be answered that does not say when.
const PATIENCE: u64 = 10_000_000;

/// The outside's hold on a search.
#[derive(Debug)]
pub(crate) struct Control {
    since: Instant,
    stop: AtomicBool,
    pondering: AtomicBool,
    infinite: AtomicBool,
    /// Only the clock limits the search.
    clock_only: AtomicBool,
    /// Microseconds after `since`.
    hard: AtomicU64,
    soft: AtomicU64,
    nodes: AtomicU64,
    depth: AtomicU64,
    /// Moves.
    mate: AtomicU64,
    /// Positions visited so far, by all threads.
    visited: AtomicU64,
    /// Microseconds after `since` at which the stop was asked for.
    stopped_at: AtomicU64,
    /// The opponent's time was all that this move needed.
    thought_enough: AtomicBool,
    /// There is nothing to decide, whatever is found.
    idle: AtomicBool,
    /// How much of the soft limit the position is worth, in thousandths.
    soft_scale: AtomicU32,
    /// Microseconds after `since` at which a thread took the search up.
    begun: AtomicU64,
    /// How much of its time the search may use, in thousandths, since others want the threads too.
    share: AtomicU32,
    #[cfg(test)]
    pub(crate) fault: Option<Fault>,
}

/// A misfortune that a test wants to see survived.
#[cfg(test)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Panics after so many nodes.
    Panic(u64),
    /// Stops looking at the stop flag after so many nodes, for so long.
    Hang(u64, Duration),
}

impl Control {
    pub(crate) fn new(since: Instant, limits: &Limits, ponder: bool) -> Control {
        let control = Control {
            since,
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(ponder),
            infinite: AtomicBool::new(false),
            clock_only: AtomicBool::new(false),
            hard: AtomicU64::new(NO_LIMIT),
            soft: AtomicU64::new(NO_LIMIT),
            nodes: AtomicU64::new(NO_LIMIT),
            depth: AtomicU64::new(NO_LIMIT),
            mate: AtomicU64::new(NO_LIMIT),
            visited: AtomicU64::new(0),
            stopped_at: AtomicU64::new(NO_LIMIT),
            thought_enough: AtomicBool::new(false),
            idle: AtomicBool::new(false),
            soft_scale: AtomicU32::new(1000),
            begun: AtomicU64::new(0),
            share: AtomicU32::new(1000),
            #[cfg(test)]
            fault: None,
        };
        if !ponder {
            control.apply(limits, Duration::ZERO);
        }
        control
    }

    /// The limits begin to count, `after` the search's own start; time thought so far counts as thought, so that a
    /// long ponder is answered at once.
    fn apply(&self, limits: &Limits, after: Duration) {
        let clock_only = limits.is_clock_only();
        let mut hard = limits.hard.map_or(NO_LIMIT, |hard| micros(hard.saturating_add(after)));
        if clock_only && self.idle.load(Ordering::Relaxed) {
            hard = hard.min(micros(after.saturating_add(params::IDLE_TIME)));
        }
        let soft = limits.soft.map_or(NO_LIMIT, micros);
        self.hard.store(hard, Ordering::Relaxed);
        self.soft.store(soft, Ordering::Relaxed);
        self.nodes.store(limits.nodes.unwrap_or(NO_LIMIT), Ordering::Relaxed);
        self.depth.store(limits.depth.map_or(NO_LIMIT, |depth| u64::from(depth.max(1))), Ordering::Relaxed);
        self.mate.store(limits.mate.map_or(NO_LIMIT, u64::from), Ordering::Relaxed);
        self.infinite.store(limits.infinite, Ordering::Relaxed);
        self.clock_only.store(clock_only, Ordering::Relaxed);
    }

    /// The ponder move was played: the limits apply from now on.
    pub(crate) fn ponder_hit(&self, limits: &Limits) {
        if self.pondering.load(Ordering::Acquire) {
            self.apply(limits, self.elapsed());
            self.pondering.store(false, Ordering::Release);
            self.thought_enough.store(self.is_soft_spent(), Ordering::Relaxed);
        }
    }

    /// There is nothing to decide: a search that only the clock limits shall not use it up.
    pub(crate) fn idle(&self) {
        self.idle.store(true, Ordering::Relaxed);
        if self.is_clock_only() {
            self.hard.fetch_min(micros(self.elapsed().saturating_add(params::IDLE_TIME)), Ordering::Relaxed);
        }
    }

    pub(crate) fn stop(&self) {
        self.stopped_at.fetch_min(micros(self.elapsed()), Ordering::Relaxed);
        self.stop.store(true, Ordering::Release);
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.since.elapsed()
    }

    /// When the search should have ended, if that is known: by its hard limit, or since it was stopped.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        let hard = if self.is_pondering() { NO_LIMIT } else { self.hard.load(Ordering::Relaxed) };
        let end = hard.min(self.stopped_at.load(Ordering::Relaxed));
        if end == NO_LIMIT { None } else { self.since.checked_add(Duration::from_micros(end)) }
    }

    /// Whether the answer must be held back although nothing is left to search.
    pub(crate) fn holds_answer(&self) -> bool {
        !self.is_stopped() && (self.is_pondering() || self.infinite.load(Ordering::Relaxed))
    }

    pub(crate) fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Acquire)
    }

    pub(crate) fn is_clock_only(&self) -> bool {
        !self.is_pondering() && self.clock_only.load(Ordering::Relaxed)
    }

    /// Whether a limit that may fall in the middle of an iteration is reached.
    pub(crate) fn must_stop(&self) -> bool {
        if self.is_stopped() {
            return true;
        }
        if self.is_pondering() {
            return false;
        }
        if self.thought_enough.load(Ordering::Relaxed) || self.visited() >= self.nodes.load(Ordering::Relaxed)
        {
            return true;
        }
        let hard = self.hard.load(Ordering::Relaxed);
        if hard == NO_LIMIT {
            return false;
        }
        let from = self.begun.load(Ordering::Relaxed).min(hard);
        micros(self.elapsed()) >= from + self.shared(hard - from)
    }

    /// A thread takes the search up.
    pub(crate) fn begin(&self) {
        self.begun.store(micros(self.elapsed()), Ordering::Relaxed);
    }

    /// From now on the search may use `share` thousandths of its time.
    pub(crate) fn set_share(&self, share: u32) {
        self.share.store(share, Ordering::Relaxed);
    }

    fn shared(&self, time: u64) -> u64 {
        match u64::from(self.share.load(Ordering::Relaxed)) {
            1000 => time,
            share => time / 1000 * share,
        }
    }

    /// When the answer should be there: what waits long is given up at the deadline, and what has no limit is not in a
    /// hurry.
    pub(crate) fn due(&self) -> Instant {
        if self.is_stopped() {
            return self.since;
        }
        let limit = self.soft.load(Ordering::Relaxed).min(self.hard.load(Ordering::Relaxed));
        self.since + Duration::from_micros(limit.min(PATIENCE))
    }

    /// Whether another iteration is not worth starting, when the position deserves `scale` thousandths of the time.
    pub(crate) fn is_spent(&self, scale: u32) -> bool {
        self.soft_scale.store(scale, Ordering::Relaxed);
        self.is_soft_spent()
    }

    /// [`Control::is_spent`] by the scale last given.
    fn is_soft_spent(&self) -> bool {
        let soft = self.soft.load(Ordering::Relaxed);
        if soft == NO_LIMIT || self.is_pondering() {
            return false;
        }
        let scale = u64::from(self.soft_scale.load(Ordering::Relaxed));
        let thought = micros(self.elapsed()).saturating_sub(self.begun.load(Ordering::Relaxed));
        thought >= self.shared(soft.saturating_mul(scale) / 1000)
    }

    /// The last iteration to finish.
    pub(crate) fn depth(&self) -> u64 {
        if self.is_pondering() { NO_LIMIT } else { self.depth.load(Ordering::Relaxed) }
    }

    /// The mate asked for, in moves.
    pub(crate) fn mate(&self) -> Option<u64> {
        let mate = self.mate.load(Ordering::Relaxed);
        (mate != NO_LIMIT && !self.is_pondering()).then_some(mate)
    }

    pub(crate) fn visited(&self) -> u64 {
        self.visited.load(Ordering::Relaxed)
    }

    /// Adds visited positions; returns how many more one thread may visit before it has to look again.
    pub(crate) fn add_visited(&self, nodes: u64) -> u64 {
        let visited = self.visited.fetch_add(nodes, Ordering::Relaxed) + nodes;
        let left = if self.is_pondering() { NO_LIMIT } else { self.nodes.load(Ordering::Relaxed) };
        left.saturating_sub(visited).clamp(1, params::POLL_NODES)
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(NO_LIMIT).min(NO_LIMIT - 1)
}
