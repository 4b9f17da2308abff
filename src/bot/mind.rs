//! What thinks for the bot: the engine's pool, or a stand-in that a simulation or a test can step. It decides nothing
//! about games.

use std::fmt;

use crate::engine::{Limits, Pool, SearchHandle, SearchInfo, SearchOutcome, SearchRequest};

/// Takes progress of a search.
pub type OnInfo = Box<dyn FnMut(&SearchInfo) + Send>;

/// Takes the result of a search, once.
pub type OnDone = Box<dyn FnOnce(SearchOutcome) + Send>;

/// Finds moves.
pub trait Mind: fmt::Debug + Send + Sync {
    /// Starts a search and returns at once. One that is dropped need not answer.
    fn start(&self, request: SearchRequest, on_info: OnInfo, on_done: OnDone) -> Box<dyn Thought>;
}

/// A search that is going on; dropping it stops it.
pub trait Thought: fmt::Debug + Send + Sync {
    /// Asks for the answer now.
    fn stop(&self);

    /// The opponent played the expected move: from now on these limits apply.
    fn ponder_hit(&self, limits: Limits);
}

impl Mind for Pool {
    fn start(&self, request: SearchRequest, on_info: OnInfo, on_done: OnDone) -> Box<dyn Thought> {
        Box::new(Pool::start(self, request, on_info, on_done))
    }
}

impl Thought for SearchHandle {
    fn stop(&self) {
        SearchHandle::stop(self);
    }

    fn ponder_hit(&self, limits: Limits) {
        SearchHandle::ponder_hit(self, limits);
    }
}
