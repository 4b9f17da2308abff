//! The handle by which faults are ordered while a sandbox runs, and by which the server asks for them.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::book::{Book, Fired, Occasion};
use super::report::{FaultReport, Outage};
use super::rule::{Rule, Scenario};

/// The faults of a sandbox. Clones are the same faults.
#[derive(Clone)]
pub struct Faults {
    inner: Arc<Inner>,
}

struct Inner {
    began: Instant,
    // What most requests look at: whether there is anything to look for.
    active: AtomicBool,
    // A std mutex: it is held for a look at each rule and never across an await.
    book: Mutex<Book>,
}

impl fmt::Debug for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Faults").field("active", &self.is_active()).finish_non_exhaustive()
    }
}

impl Faults {
    /// The faults of a scenario, in a sandbox that began at `began`.
    pub(in crate::sandbox) fn new(scenario: Scenario, began: Instant) -> Faults {
        let book = Book::new(scenario);
        let active = AtomicBool::new(book.is_active());
        Faults { inner: Arc::new(Inner { began, active, book: Mutex::new(book) }) }
    }

    /// Adds a rule, which counts from now, and returns its id.
    pub fn add(&self, rule: Rule) -> u64 {
        self.change(|book, now| book.add(rule, now))
    }

    /// Removes a rule. Whether it was there.
    pub fn remove(&self, id: u64) -> bool {
        self.change(|book, _| book.remove(id))
    }

    /// Removes all rules. What they did stays counted by kind.
    pub fn clear(&self) {
        self.change(|book, _| book.clear());
    }

    /// What happened so far.
    pub fn report(&self) -> FaultReport {
        self.lock().report(self.now())
    }

    /// Whether any rule can still fire, or somebody lacks a line. Asking costs next to nothing.
    pub(in crate::sandbox) fn is_active(&self) -> bool {
        self.inner.active.load(Ordering::Acquire)
    }

    /// The fault that happens on this occasion, if one does, among those that `may` happen here.
    pub(in crate::sandbox) fn fire(&self, occasion: &Occasion, may: impl Fn(&Rule) -> bool) -> Option<Fired> {
        if !self.is_active() {
            return None;
        }
        self.change(|book, now| book.fire(occasion, now, may))
    }

    /// A fault that was to happen could not.
    pub(in crate::sandbox) fn undo(&self, fired: &Fired) {
        self.change(|book, _| book.undo(fired));
    }

    /// Somebody is cut off from now on for so long; everybody, or in all games, where none is given.
    pub(in crate::sandbox) fn cut_off(&self, account: Option<&str>, game: Option<&str>, time: Duration) {
        let from = self.now();
        self.was_cut_off(account, game, from, from.saturating_add(time));
    }

    /// Somebody is cut off between two moments.
    pub(in crate::sandbox) fn was_cut_off(
        &self,
        account: Option<&str>,
        game: Option<&str>,
        from: Duration,
        to: Duration,
    ) {
        let outage = Outage { account: account.map(str::to_owned), game: game.map(str::to_owned), from, to };
        self.lock().cut_off(outage);
    }

    /// A line is kept from somebody until [`release`](Faults::release).
    pub(in crate::sandbox) fn hold(&self, account: Option<&str>, game: Option<&str>) {
        self.change(|book, now| book.hold(account, game, now));
    }

    /// Somebody knows all again.
    pub(in crate::sandbox) fn release(&self, account: Option<&str>, game: Option<&str>) {
        self.change(|book, now| book.release(account, game, now));
    }

    /// The time since the sandbox began.
    pub(in crate::sandbox) fn now(&self) -> Duration {
        self.inner.began.elapsed()
    }

    fn change<T>(&self, change: impl FnOnce(&mut Book, Duration) -> T) -> T {
        let now = self.now();
        let mut book = self.lock();
        let result = change(&mut book, now);
        self.inner.active.store(book.is_active(), Ordering::Release);
        result
    }

    fn lock(&self) -> MutexGuard<'_, Book> {
        // Nothing panics while it is held, so what it guards is whole.
        self.inner.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
