//! The search threads of all games.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::{Limits, PoolOptions, Score, SearchInfo, SearchOutcome, SearchRequest, StopReason};

/// The search threads and the transposition table of all games. Share it as `Arc<Pool>`.
#[derive(Debug)]
pub struct Pool {
    options: PoolOptions,
}

impl Pool {
    /// Makes a pool; the table is allocated here, once.
    pub fn new(options: PoolOptions) -> Pool {
        Pool { options }
    }

    /// Starts a search and returns at once. `on_done` is called exactly once, from an engine thread, whatever
    /// happens: the search ends, is stopped, panics, or overstays its hard limit.
    pub fn start(
        &self,
        request: SearchRequest,
        _on_info: impl FnMut(&SearchInfo) + Send + 'static,
        on_done: impl FnOnce(SearchOutcome) + Send + 'static,
    ) -> SearchHandle {
        let stop = Arc::new(AtomicBool::new(false));
        thread::spawn(move || {
            let best = request.history.position().legal_moves().first().copied();
            on_done(SearchOutcome {
                best,
                ponder: None,
                score: Score::DRAW,
                depth: 0,
                nodes: 0,
                elapsed: request.since.elapsed(),
                pv: best.into_iter().collect(),
                reason: if best.is_some() { StopReason::Limit } else { StopReason::NoMoves },
            });
        });
        SearchHandle { stop }
    }

    /// Forgets everything learnt: for a new game.
    pub fn clear(&self) {}

    /// How full the table is, in thousandths.
    pub fn hashfull(&self) -> u32 {
        0
    }

    /// What the pool was made with.
    pub fn options(&self) -> PoolOptions {
        self.options
    }
}

/// A running search; dropping it stops the search, which still answers.
#[derive(Debug)]
pub struct SearchHandle {
    stop: Arc<AtomicBool>,
}

impl SearchHandle {
    /// Asks for the answer now.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Release);
    }

    /// The opponent played the expected move: from now on the limits apply.
    pub fn ponder_hit(&self, _limits: Limits) {}
}

impl Drop for SearchHandle {
    fn drop(&mut self) {
        self.stop();
    }
}
