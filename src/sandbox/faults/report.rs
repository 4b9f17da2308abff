//! What went wrong on purpose in a run: how often each kind and rule fired, and when somebody was cut off by it.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde::{Serialize, Serializer};

/// The faults of a run so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FaultReport {
    /// How often each kind fired, by rules that were removed too. Kinds that never fired are not here.
    pub fired: BTreeMap<String, u64>,
    /// The rules that there are, by id.
    pub rules: Vec<RuleReport>,
    /// When faults kept lines or moves from getting through, in the order of their ends. The latest are kept.
    pub outages: Vec<Outage>,
}

/// One rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuleReport {
    /// By which it can be removed.
    pub id: u64,
    /// What it is called.
    pub name: String,
    /// The kind of its fault.
    pub kind: String,
    /// How often its conditions held before it was spent.
    pub matched: u64,
    /// How often it fired.
    pub fired: u64,
    /// Whether a run in which it never fires has failed.
    pub planned: bool,
}

/// A time, since the sandbox began, in which a fault kept somebody from getting lines or getting moves through. A fault
/// after which the client can go on at once, such as a cut, is a moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outage {
    /// Whom; everybody if not given.
    pub account: Option<String>,
    /// In which game, or for which challenge; in all if not given.
    pub game: Option<String>,
    /// When it began.
    #[serde(rename = "from_ms", serialize_with = "milliseconds")]
    pub from: Duration,
    /// When it ended, or will.
    #[serde(rename = "to_ms", serialize_with = "milliseconds")]
    pub to: Duration,
}

fn milliseconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
}

impl FaultReport {
    /// The planned rules that did not fire.
    pub fn unfired(&self) -> Vec<&RuleReport> {
        self.rules.iter().filter(|rule| rule.planned && rule.fired == 0).collect()
    }
}

/// A table with a row for each rule.
impl fmt::Display for FaultReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:>4}  {:15} {:>8} {:>8}  rule", "id", "fault", "matched", "fired")?;
        for rule in &self.rules {
            let RuleReport { id, name, kind, matched, fired, .. } = rule;
            let note = if rule.planned && *fired == 0 { "  (planned, never fired)" } else { "" };
            // A name comes from whoever may add rules: it must not command the terminal.
            writeln!(f, "{id:>4}  {kind:15} {matched:>8} {fired:>8}  {}{note}", name.escape_debug())?;
        }
        let total: u64 = self.fired.values().sum();
        writeln!(f, "{total} faults of {} kinds", self.fired.len())
    }
}
