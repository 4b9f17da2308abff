//! What the threads of a pool do: workers lead searches or help them, as `schedule` says; a timer answers for searches
//! that do not end.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use super::job::Job;
use super::schedule::{Claim, Duty, Phase, duty, share, stops_helping, stops_leading};
use crate::engine::limits::{PoolOptions, StopReason};
use crate::engine::params::{self, GRACE, STACK_BYTES, STOPPED_GRACE};
use crate::engine::search::Memory;
use crate::engine::tt::Table;

/// What all threads of a pool share.
pub(super) struct Shared {
    pub(super) options: PoolOptions,
    pub(super) table: Table,
    priority: Priority,
    pub(super) state: Mutex<State>,
    /// Counts what may change the work of a thread: only when it moves do they look closely.
    epoch: AtomicU64,
    worker_wanted: Condvar,
    timer_wanted: Condvar,
    thread_ended: Condvar,
}

/// How the system treats the threads that search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Priority {
    /// As all others.
    Normal,
    /// Others go first.
    Low,
}

impl Priority {
    /// For the thread that calls this, for ever.
    fn take(self) {
        #[cfg(target_os = "linux")]
        if self == Priority::Low {
            use crate::ignore::Ignore as _;
            rustix::process::setpriority_process(Some(rustix::thread::gettid()), params::NICENESS)
                .ignore("the search works at any priority");
        }
    }
}

#[derive(Default)]
pub(super) struct State {
    /// Searches not yet answered, in the order of their start.
    searches: Vec<Search>,
    /// Workers without work.
    idle: usize,
    /// Workers that are of use: all but those in a search that did not end in time.
    workers: usize,
    /// Threads alive, of all kinds.
    alive: usize,
    /// Searches started since the table aged.
    young: usize,
    /// How often the pool was cleared; a thread that has seen fewer clears its own memory.
    pub(super) clears: u64,
    pub(super) next_id: u64,
    closed: bool,
}

struct Search {
    job: Arc<Job>,
    phase: Phase,
    helpers: usize,
}

/// What a worker remembers from search to search.
struct Worker {
    number: usize,
    memory: Memory,
    /// The clears it has seen.
    clears: u64,
    /// The search for which it can do no more.
    done: Option<u64>,
}

impl State {
    fn claims(&self) -> Vec<Claim> {
        let claim = |search: &Search| Claim {
            id: search.job.id,
            phase: search.phase,
            helpers: search.helpers,
            pondering: search.job.control.holds_answer() && search.job.control.is_pondering(),
            due: search.job.control.due(),
        };
        self.searches.iter().map(claim).collect()
    }

    fn find(&mut self, id: u64) -> Option<&mut Search> {
        self.searches.iter_mut().find(|search| search.job.id == id)
    }

    /// How many searches and threads there are.
    #[cfg(test)]
    pub(super) fn census(&self) -> (usize, usize) {
        (self.searches.len(), self.alive)
    }
}

thread_local! {
    /// Whether this is a thread of a pool, which must not wait for itself.
    static IN_POOL: Cell<bool> = const { Cell::new(false) };
}

impl Shared {
    pub(super) fn new(options: PoolOptions, priority: Priority) -> Shared {
        let table = Table::new(options.hash_mib);
        Shared {
            options: PoolOptions { threads: options.threads.max(1), hash_mib: table.mib(), ..options },
            table,
            priority,
            state: Mutex::default(),
            epoch: AtomicU64::new(0),
            worker_wanted: Condvar::new(),
            timer_wanted: Condvar::new(),
            thread_ended: Condvar::new(),
        }
    }

    /// Starts the threads that live as long as the pool.
    pub(super) fn populate(self: &Arc<Self>) {
        let mut state = self.state.lock();
        self.spawn(&mut state, "rookery-timer", Shared::time);
        for number in 0..self.options.threads {
            self.spawn_worker(&mut state, number);
        }
    }

    fn spawn_worker(self: &Arc<Self>, state: &mut State, number: usize) {
        if self.spawn(state, "rookery-search", move |shared| shared.work(number)) {
            state.workers += 1;
        }
    }

    /// If the system has no thread left the pool goes on with those it has; the timer answers what nobody takes.
    fn spawn(
        self: &Arc<Self>,
        state: &mut State,
        name: &str,
        work: impl FnOnce(&Arc<Shared>) + Send + 'static,
    ) -> bool {
        let shared = Arc::clone(self);
        let body = move || {
            IN_POOL.set(true);
            work(&shared);
            shared.state.lock().alive -= 1;
            shared.thread_ended.notify_all();
        };
        let spawned =
            thread::Builder::new().name(name.to_owned()).stack_size(STACK_BYTES).spawn(body).is_ok();
        state.alive += usize::from(spawned);
        spawned
    }

    /// Adds a search, for the next thread that has time for it.
    pub(super) fn submit(&self, job: &Arc<Job>) {
        let mut state = self.state.lock();
        state.searches.push(Search { job: Arc::clone(job), phase: Phase::Waiting, helpers: 0 });
        // Entries grow old when every game has moved, not when any game has.
        state.young += 1;
        if state.young >= state.searches.len() {
            state.young = 0;
            self.table.new_search();
        }
        self.changed(&state);
    }

    /// A search was stopped or its limits have changed: one that holds its answer back looks again.
    pub(super) fn wake(&self, job: &Job) {
        let mut state = self.state.lock();
        if let Some(search) = state.find(job.id).filter(|search| search.phase == Phase::Held) {
            search.phase = Phase::Waiting;
        }
        self.changed(&state);
    }

    /// Searches or what they want have changed.
    fn changed(&self, state: &State) {
        let share = share(&state.claims(), self.options.threads);
        for search in &state.searches {
            search.job.control.set_share(share);
        }
        self.epoch.fetch_add(1, Ordering::Release);
        self.worker_wanted.notify_all();
        self.timer_wanted.notify_all();
    }

    /// Ends all threads; searches that run are stopped and answered.
    pub(super) fn close(&self) {
        let mut state = self.state.lock();
        state.closed = true;
        for search in &mut state.searches {
            search.job.control.stop();
            if search.phase == Phase::Held {
                search.phase = Phase::Waiting;
            }
        }
        self.changed(&state);
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
            self.thread_ended.wait_for(&mut state, left);
        }
    }

    /// A worker's life: it goes where it is needed.
    fn work(&self, number: usize) {
        self.priority.take();
        let mut worker =
            Worker { number, memory: Memory::new(&self.options.evaluation), clears: 0, done: None };
        while let Some((duty, job)) = self.next_duty(&mut worker) {
            match duty {
                Duty::Lead(_) => self.lead(&job, &mut worker),
                Duty::Help(_) => self.help(&job, &mut worker),
            }
        }
    }

    /// Waits for something to do; none when the pool is closed or has workers enough.
    fn next_duty(&self, worker: &mut Worker) -> Option<(Duty, Arc<Job>)> {
        let mut state = self.state.lock();
        loop {
            if state.workers > self.options.threads {
                state.workers -= 1;
                return None;
            }
            if let Some(duty) = duty(&state.claims(), worker.done) {
                let (Duty::Lead(id) | Duty::Help(id)) = duty;
                if std::mem::replace(&mut worker.clears, state.clears) != state.clears {
                    worker.memory.clear();
                }
                if let Some(search) = state.find(id) {
                    match duty {
                        Duty::Lead(_) => search.phase = Phase::Led,
                        Duty::Help(_) => search.helpers += 1,
                    }
                    return Some((duty, Arc::clone(&search.job)));
                }
            }
            if state.closed {
                return None;
            }
            state.idle += 1;
            self.worker_wanted.wait(&mut state);
            state.idle -= 1;
        }
    }

    fn lead(&self, job: &Arc<Job>, worker: &mut Worker) {
        let seen = Cell::new(0);
        let recalled = || {
            self.has_changed(&seen) && {
                let state = self.state.lock();
                stops_leading(&state.claims(), job.id, state.idle, Instant::now())
            }
        };
        let led = catch_unwind(AssertUnwindSafe(|| job.lead(&self.table, &mut worker.memory, &recalled)));
        if led.is_err() {
            // What a panic left half done is not to be trusted.
            worker.memory = Memory::new(&self.options.evaluation);
        }
        let mut state = self.state.lock();
        let Some(search) = state.find(job.id) else {
            // The timer has answered, and put another worker in this one's place.
            state.workers += 1;
            return;
        };
        search.phase = match led {
            Ok(false) => Phase::Waiting,
            Ok(true) if job.control.holds_answer() => Phase::Held,
            Ok(true) | Err(_) => {
                self.remove(&mut state, job);
                drop(state);
                let outcome = led.map_or_else(|_| job.fallback(StopReason::Crashed), |_| job.conclude());
                // Only now, since the outcome says why the search ended: this sends its helpers away.
                job.control.stop();
                job.answer(outcome);
                return;
            }
        };
        self.changed(&state);
    }

    fn help(&self, job: &Arc<Job>, worker: &mut Worker) {
        let seen = Cell::new(0);
        let left = Cell::new(false);
        let recalled = || {
            if !left.get() && self.has_changed(&seen) {
                let mut state = self.state.lock();
                left.set(stops_helping(&state.claims(), job.id));
                if left.get() {
                    self.release(&mut state, job);
                }
            }
            left.get()
        };
        let help = || job.help(worker.number, &self.table, &mut worker.memory, &recalled);
        if catch_unwind(AssertUnwindSafe(help)).is_err() {
            worker.memory = Memory::new(&self.options.evaluation);
        }
        if left.get() {
            worker.done = None;
        } else {
            // Whoever was not sent away has searched all there is: the same search needs no more help.
            worker.done = Some(job.id);
            self.release(&mut self.state.lock(), job);
        }
    }

    /// A helper leaves a search.
    fn release(&self, state: &mut State, job: &Job) {
        if let Some(search) = state.find(job.id) {
            search.helpers -= 1;
        }
    }

    /// Whether anything has changed since the last look.
    fn has_changed(&self, seen: &Cell<u64>) -> bool {
        let epoch = self.epoch.load(Ordering::Acquire);
        seen.replace(epoch) != epoch
    }

    fn remove(&self, state: &mut State, job: &Job) {
        state.searches.retain(|other| other.job.id != job.id);
        self.changed(state);
    }

    /// The timer's life: it waits for the next deadline of any search and answers for those that missed it.
    fn time(self: &Arc<Self>) {
        let mut state = self.state.lock();
        while !(state.closed && state.searches.is_empty()) {
            let now = Instant::now();
            if let Some(late) =
                state.searches.iter().find(|search| given_up(search).is_some_and(|at| at <= now))
            {
                let (job, phase) = (Arc::clone(&late.job), late.phase);
                self.remove(&mut state, &job);
                if phase == Phase::Led {
                    state.workers -= 1;
                    self.spawn_worker(&mut state, self.options.threads);
                }
                drop(state);
                let unheard = phase == Phase::Waiting && job.control.is_stopped();
                let outcome = job.fallback(if unheard { StopReason::Stopped } else { StopReason::Overrun });
                job.control.stop();
                job.answer(outcome);
                state = self.state.lock();
                continue;
            }
            let next = state.searches.iter().filter_map(given_up).min();
            match next {
                Some(next) => drop(self.timer_wanted.wait_until(&mut state, next)),
                None => self.timer_wanted.wait(&mut state),
            }
        }
    }
}

/// When a search is given up and answered for, if that is known.
fn given_up(search: &Search) -> Option<Instant> {
    let unheard = search.phase == Phase::Waiting && search.job.control.is_stopped();
    search.job.control.deadline()?.checked_add(if unheard { STOPPED_GRACE } else { GRACE })
}
