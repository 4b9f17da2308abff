//! The outside of the pool: starting searches and steering them.

use std::sync::Arc;
use std::sync::mpsc::sync_channel;

use super::job::Job;
use super::threads::{Priority, Shared};
use crate::engine::limits::{Limits, PoolOptions, SearchInfo, SearchOutcome, SearchRequest};
use crate::ignore::Ignore as _;

/// The search threads and the transposition table of all games. Share it as `Arc<Pool>`.
///
/// Dropping it stops its searches, which still answer, and ends its threads.
pub struct Pool {
    pub(super) shared: Arc<Shared>,
}

impl Pool {
    /// Makes a pool; the table is allocated here, once. [`Pool::options`] tells how large it has become.
    pub fn new(options: PoolOptions) -> Pool {
        Pool::with(Shared::new(options, Priority::Normal))
    }

    /// [`Pool::new`], but whenever another thread of the system wants a processor, those of the pool give way: beside
    /// any number of searches, whoever starts them and sends their moves does not wait.
    pub fn in_background(options: PoolOptions) -> Pool {
        Pool::with(Shared::new(options, Priority::Low))
    }

    fn with(shared: Shared) -> Pool {
        let shared = Arc::new(shared);
        shared.populate();
        Pool { shared }
    }

    /// Starts a search and returns at once. `on_done` is called exactly once, from an engine thread, whatever
    /// happens: the search ends, is stopped, panics, or overstays its hard limit.
    pub fn start(
        &self,
        request: SearchRequest,
        on_info: impl FnMut(&SearchInfo) + Send + 'static,
        on_done: impl FnOnce(SearchOutcome) + Send + 'static,
    ) -> SearchHandle {
        let job = Job::new(self.next_id(), request, Box::new(on_info), Box::new(on_done));
        self.submit(job)
    }

    /// [`Pool::start`], but the search suffers a misfortune.
    #[cfg(test)]
    pub(super) fn start_faulty(
        &self,
        request: SearchRequest,
        fault: crate::engine::search::Fault,
        on_done: impl FnOnce(SearchOutcome) + Send + 'static,
    ) -> SearchHandle {
        let mut job = Job::new(self.next_id(), request, Box::new(|_| {}), Box::new(on_done));
        job.control.fault = Some(fault);
        self.submit(job)
    }

    /// Searches and waits for the answer: for programs that have nothing else to do meanwhile.
    pub fn search(&self, request: SearchRequest) -> SearchOutcome {
        let (sender, answer) = sync_channel(1);
        let done = move |outcome| sender.send(outcome).ignore("the receiver lives until it has the answer");
        let _search = self.start(request, |_| {}, done);
        answer.recv().expect("because every search is answered")
    }

    fn next_id(&self) -> u64 {
        let mut state = self.shared.state.lock();
        state.next_id += 1;
        state.next_id
    }

    fn submit(&self, job: Job) -> SearchHandle {
        let job = Arc::new(job);
        self.shared.submit(&job);
        SearchHandle { job, shared: Arc::clone(&self.shared) }
    }

    /// Forgets everything learnt: for a new game. Searches that run go on with an emptied table.
    pub fn clear(&self) {
        self.shared.state.lock().clears += 1;
        self.shared.table.clear(self.options().threads);
    }

    /// How full the table is, in thousandths.
    pub fn hashfull(&self) -> u32 {
        self.shared.table.hashfull()
    }

    /// What the pool was made with: raised to the least that works, and with a smaller table where the system has not
    /// so much memory to spare.
    pub fn options(&self) -> PoolOptions {
        self.shared.options.clone()
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.close();
    }
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool").field("options", &self.options()).finish_non_exhaustive()
    }
}

/// A running search; dropping it stops the search, which still answers.
pub struct SearchHandle {
    job: Arc<Job>,
    shared: Arc<Shared>,
}

impl SearchHandle {
    /// Asks for the answer now.
    pub fn stop(&self) {
        if !self.job.is_answered() {
            self.job.control.stop();
            self.wake();
        }
    }

    /// The opponent played the expected move: from now on `limits` apply, and the hard one counts from here. The
    /// time spent pondering counts towards the soft one. Without effect on a search that does not ponder.
    pub fn ponder_hit(&self, limits: Limits) {
        self.job.control.ponder_hit(&limits);
        self.wake();
    }

    fn wake(&self) {
        self.shared.wake(&self.job);
    }
}

impl Drop for SearchHandle {
    fn drop(&mut self) {
        self.stop();
    }
}

impl std::fmt::Debug for SearchHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SearchHandle").field("id", &self.job.id).finish_non_exhaustive()
    }
}
