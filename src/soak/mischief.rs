//! Faults that come one after another while a run goes on: the same kinds as in the simulation, each as soon as it can.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use crate::sandbox::{Fault, Faults, Route, Rule, When};
use crate::simulation::{Dice, mishap};

/// A fault that has found nothing to act on for so long is given up: a rule that waits is in the way of later ones.
const PATIENCE: Duration = Duration::from_secs(60);

/// Gives orders for faults and remembers them.
#[derive(Debug)]
pub(super) struct Mischief {
    faults: Faults,
    dice: Dice,
    /// The faults that may still fire, the oldest first.
    ordered: VecDeque<(u64, Duration)>,
    /// Those that were given up, by kind.
    unfired: BTreeMap<String, u64>,
}

impl Mischief {
    pub(super) fn new(faults: Faults, seed: u64) -> Mischief {
        Mischief { faults, dice: Dice::new(seed, 3), ordered: VecDeque::new(), unfired: BTreeMap::new() }
    }

    /// Orders one more fault.
    pub(super) fn order(&mut self, now: Duration) {
        let drawn = loop {
            let drawn = mishap(&mut self.dice);
            if !is_final(&drawn) {
                break drawn;
            }
        };
        let when = When { after_ms: None, chance: None, ..drawn.when };
        let rule = Rule { when, times: Some(1), ..drawn };
        self.ordered.push_back((self.faults.add(rule), now));
    }

    /// Gives up what is too old.
    pub(super) fn tidy(&mut self, now: Duration) {
        let old = |at: Duration| now.saturating_sub(at) > PATIENCE;
        if self.ordered.front().is_some_and(|(_, at)| old(*at)) {
            self.give_up(old);
        }
    }

    /// Gives up everything; the kinds that never fired.
    pub(super) fn end(&mut self) -> BTreeMap<String, u64> {
        self.give_up(|_| true);
        std::mem::take(&mut self.unfired)
    }

    fn give_up(&mut self, old: impl Fn(Duration) -> bool) {
        let report = self.faults.report();
        let young = self.ordered.iter().position(|(_, at)| !old(*at)).unwrap_or(self.ordered.len());
        for (id, _) in self.ordered.drain(..young) {
            for rule in report.rules.iter().filter(|rule| rule.id == id && rule.fired == 0) {
                *self.unfired.entry(rule.kind.clone()).or_default() += 1;
            }
            self.faults.remove(id);
        }
    }

    /// How often any fault has fired.
    pub(super) fn fired(&self) -> u64 {
        self.faults.report().fired.values().sum()
    }
}

/// A bot that is refused, at its start, what it asks about its account ends itself: it takes that for a mistake in its
/// configuration.
fn is_final(rule: &Rule) -> bool {
    rule.when.route == Some(Route::Account) && matches!(rule.fault, Fault::Status { .. })
}
