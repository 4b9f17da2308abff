//! What the threads of a pool do: leads take searches, helpers go where they are needed, a timer answers for
//! searches that do not end.

use std::cell::Cell;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::job::{Job, lock};
use crate::engine::limits::{PoolOptions, StopReason};
use crate::engine::params::{GRACE, PARKED_LEADS, STACK_BYTES};
use crate::engine::search::Memory;
use crate::engine::tt::Table;

/// What all threads of a pool share.
pub(super) struct Shared {
    pub(super) options: PoolOptions,
    pub(super) table: Table,
    pub(super) state: Mutex<State>,
    /// Counts starts and ends of searches: helpers look whether they are wanted elsewhere when it moves.
    epoch: AtomicU64,
    lead_wanted: Condvar,
    helper_wanted: Condvar,
    timer_wanted: Condvar,
    thread_ended: Condvar,
}

#[derive(Default)]
pub(super) struct State {
    /// Searches not yet answered, in the order of their start.
    pub(super) running: Vec<Arc<Job>>,
    /// Those of them that no lead has taken yet.
    waiting: VecDeque<Arc<Job>>,
    idle_leads: usize,
    /// Threads alive, of all kinds.
    alive: usize,
    /// How often the pool was cleared; a thread that has seen fewer clears its own memory.
    pub(super) clears: u64,
    pub(super) next_id: u64,
    closed: bool,
}

#[cfg(test)]
impl State {
    pub(super) fn alive(&self) -> usize {
        self.alive
    }
}

thread_local! {
    /// Whether this is a thread of a pool, which must not wait for itself.
    static IN_POOL: Cell<bool> = const { Cell::new(false) };
}

impl Shared {
    pub(super) fn new(options: PoolOptions) -> Shared {
        let table = Table::new(options.hash_mib);
        Shared {
            options: PoolOptions { threads: options.threads.max(1), hash_mib: table.mib() },
            table,
            state: Mutex::default(),
            epoch: AtomicU64::new(0),
            lead_wanted: Condvar::new(),
            helper_wanted: Condvar::new(),
            timer_wanted: Condvar::new(),
            thread_ended: Condvar::new(),
        }
    }

    /// Starts the threads that live as long as the pool.
    pub(super) fn populate(self: &Arc<Self>) {
        let mut state = lock(&self.state);
        self.spawn(&mut state, "rookery-timer", Shared::time);
        for number in 0..self.options.threads - 1 {
            self.spawn(&mut state, "rookery-helper", move |shared| shared.help(number));
        }
    }

    /// If the system has no thread left the pool goes on with those it has; the timer answers what nobody takes.
    fn spawn(self: &Arc<Self>, state: &mut State, name: &str, work: impl FnOnce(&Shared) + Send + 'static) {
        let shared = Arc::clone(self);
        let body = move || {
            IN_POOL.set(true);
            work(&shared);
            lock(&shared.state).alive -= 1;
            shared.thread_ended.notify_all();
        };
        let spawned = thread::Builder::new().name(name.to_owned()).stack_size(STACK_BYTES).spawn(body);
        state.alive += usize::from(spawned.is_ok());
    }

    /// Adds a search and sees that a thread takes it.
    pub(super) fn submit(self: &Arc<Self>, job: &Arc<Job>) {
        let mut state = lock(&self.state);
        self.table.new_search();
        state.running.push(Arc::clone(job));
        state.waiting.push_back(Arc::clone(job));
        if state.idle_leads < state.waiting.len() {
            self.spawn(&mut state, "rookery-search", Shared::lead);
        }
        self.changed();
    }

    /// Searches or their deadlines have changed. The state must be locked, or the deadline be set already.
    pub(super) fn changed(&self) {
        self.epoch.fetch_add(1, Ordering::Release);
        self.lead_wanted.notify_one();
        self.helper_wanted.notify_all();
        self.timer_wanted.notify_all();
    }

    fn remove(&self, job: &Job) {
        let mut state = lock(&self.state);
        state.running.retain(|other| other.id != job.id);
        state.waiting.retain(|other| other.id != job.id);
        self.changed();
    }

    /// Ends all threads; searches that run are stopped and answered.
    pub(super) fn close(&self) {
        let mut state = lock(&self.state);
        state.closed = true;
        for job in &state.running {
            job.control.stop();
            job.open_gate();
        }
        self.changed();
        self.lead_wanted.notify_all();
        if IN_POOL.get() {
            return;
        }
        // A thread that hangs must not hang its owner: it is left behind.
        let give_up = Instant::now() + Duration::from_secs(2);
        while state.alive > 0 {
            let left = give_up.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            (state, _) = self.thread_ended.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A lead's life: it takes searches as they come.
    fn lead(&self) {
        let mut memory = Memory::new();
        let mut clears = 0;
        while let Some(job) = self.next_job(&mut memory, &mut clears) {
            let searched = catch_unwind(AssertUnwindSafe(|| job.lead(&self.table, &mut memory)));
            self.remove(&job);
            let outcome = searched.unwrap_or_else(|_| {
                // What a panic left half done is not to be trusted.
                memory = Memory::new();
                job.fallback(StopReason::Crashed)
            });
            // Only now, since the outcome says why the search ended: this sends its helpers away.
            job.control.stop();
            job.answer(outcome);
        }
    }

    fn next_job(&self, memory: &mut Memory, clears: &mut u64) -> Option<Arc<Job>> {
        let mut state = lock(&self.state);
        loop {
            if let Some(job) = state.waiting.pop_front() {
                if std::mem::replace(clears, state.clears) != state.clears {
                    memory.clear();
                }
                return Some(job);
            }
            if state.closed || state.idle_leads >= PARKED_LEADS {
                return None;
            }
            state.idle_leads += 1;
            state = self.lead_wanted.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.idle_leads -= 1;
        }
    }

    /// A helper's life: it goes where it is needed.
    fn help(&self, number: usize) {
        let mut memory = Memory::new();
        let mut clears = 0;
        let mut done = None;
        while let Some((job, epoch)) = self.next_help(number, done) {
            let cleared = lock(&self.state).clears;
            if std::mem::replace(&mut clears, cleared) != cleared {
                memory.clear();
            }
            let seen = Cell::new(epoch);
            let recalled = || self.is_recalled(number, &job, &seen);
            let helped =
                catch_unwind(AssertUnwindSafe(|| job.help(number, &self.table, &mut memory, &recalled)));
            if helped.is_err() {
                memory = Memory::new();
            }
            // Whoever was not sent away has searched all there is: the same search needs no more help.
            done = if self.is_recalled(number, &job, &Cell::new(0)) { None } else { Some(job.id) };
        }
    }

    fn next_help(&self, number: usize, done: Option<u64>) -> Option<(Arc<Job>, u64)> {
        let mut state = lock(&self.state);
        while !state.closed {
            if let Some(job) = self.assignment(&state, number)
                && Some(job.id) != done
                && !job.control.is_stopped()
            {
                return Some((Arc::clone(job), self.epoch.load(Ordering::Acquire)));
            }
            state = self.helper_wanted.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    /// The search that a helper should work on: each search has its lead, the threads left go round.
    fn assignment<'a>(&self, state: &'a State, number: usize) -> Option<&'a Arc<Job>> {
        let searches = state.running.len();
        let free = self.options.threads.saturating_sub(searches);
        if number < free && searches > 0 { state.running.get(number % searches) } else { None }
    }

    /// Whether a helper should work on something else; looks closely only when searches have come or gone.
    fn is_recalled(&self, number: usize, job: &Job, seen: &Cell<u64>) -> bool {
        let epoch = self.epoch.load(Ordering::Acquire);
        if seen.replace(epoch) == epoch {
            return false;
        }
        let state = lock(&self.state);
        state.closed || self.assignment(&state, number).is_none_or(|wanted| wanted.id != job.id)
    }

    /// The timer's life: it waits for the next deadline of any search and answers for those that missed it.
    fn time(&self) {
        let mut state = lock(&self.state);
        while !(state.closed && state.running.is_empty()) {
            let now = Instant::now();
            let due = |job: &Arc<Job>| job.control.deadline().and_then(|end| end.checked_add(GRACE));
            if let Some(late) = state.running.iter().find(|job| due(job).is_some_and(|due| due <= now)) {
                let late = Arc::clone(late);
                drop(state);
                let outcome = late.fallback(StopReason::Overrun);
                late.control.stop();
                self.remove(&late);
                late.answer(outcome);
                state = lock(&self.state);
                continue;
            }
            let next = state.running.iter().filter_map(due).min();
            state = match next {
                Some(next) => {
                    let wait = next.saturating_duration_since(now);
                    self.timer_wanted.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.timer_wanted.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }
}
