//! What was measured when, and what happened then.

use std::time::Duration;

use super::figures::Sample;

/// The course of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Timeline {
    /// Of the bot's process, about one a second.
    pub(super) samples: Vec<Sample>,
    /// When faults fired, to the second.
    pub(super) faults: Vec<Duration>,
    /// When the bot was killed.
    pub(super) kills: Vec<Duration>,
}

impl Timeline {
    /// The samples as a table, with a head and tabs between.
    pub(super) fn table(&self) -> String {
        let mut text = String::from("seconds\tprocess\tmemory_kib\tdescriptors\tthreads\n");
        for Sample { at, life, memory_kib, descriptors, threads } in &self.samples {
            let at = at.as_secs_f64();
            text.push_str(&format!("{at:.1}\t{life}\t{memory_kib}\t{descriptors}\t{threads}\n"));
        }
        text
    }
}
