//! What came of a long run, as text, and what of it must not be.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use super::figures::{Level, Spread};

/// Memory may rise by so much in the longest life of the process: allocators keep what was freed, in pieces.
const MEMORY_RISE_MIB: f64 = 16.0;

/// Descriptors may rise by so many: each game has a stream, and connections are kept for a while.
const DESCRIPTORS_RISE: f64 = 8.0;

/// Threads may rise by so many: the runtime makes some for files when they are needed.
const THREADS_RISE: f64 = 4.0;

/// Games by their results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Won, by the word for how.
    pub won: BTreeMap<&'static str, usize>,
    /// Drawn.
    pub drawn: BTreeMap<&'static str, usize>,
    /// Lost.
    pub lost: BTreeMap<&'static str, usize>,
    /// Called off.
    pub aborted: BTreeMap<&'static str, usize>,
}

impl Tally {
    /// Games that are over.
    pub fn games(&self) -> usize {
        [&self.won, &self.drawn, &self.lost, &self.aborted].into_iter().flat_map(BTreeMap::values).sum()
    }
}

/// What came of a run.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// How long it took, with the end of the last games.
    pub time: Duration,
    /// The games.
    pub games: Tally,
    /// How many went on at once, on average, until the bot was told to end.
    pub at_once: f64,
    /// Games lost on time although the server could be reached for long enough, told one by one.
    pub needless: Vec<String>,
    /// How often each kind of fault fired.
    pub faults: BTreeMap<String, u64>,
    /// Faults that were planned and never fired, by kind.
    pub unfired: BTreeMap<String, u64>,
    /// From the end of a fault to the move that was owed.
    pub recoveries: Spread,
    /// The same for kills alone: from the new start to the move.
    pub after_kills: Spread,
    /// How often the bot was killed and started again.
    pub kills: usize,
    /// From the moment at which it was the bot's turn, for the server, until its move was there. First moves are left
    /// out: they begin with opening the game.
    pub moves: Spread,
    /// The bot's own part of a move.
    pub share: Spread,
    /// Resident memory, in MiB.
    pub memory: Option<Level>,
    /// Descriptors.
    pub descriptors: Option<Level>,
    /// Threads.
    pub threads: Option<Level>,
    /// The size of the transposition table, in MiB.
    pub table_mib: usize,
    /// Games that went on when the bot had ended.
    pub left: Vec<String>,
    /// Everything else that must not be.
    pub troubles: Vec<String>,
}

impl Report {
    /// What must not be.
    pub fn failures(&self) -> Vec<String> {
        let mut failures = self.needless.clone();
        failures.extend(self.left.iter().map(|game| format!("game {game} went on when the bot had ended")));
        failures.extend(self.troubles.iter().cloned());
        for (name, level, most) in [
            ("memory (MiB)", self.memory, MEMORY_RISE_MIB),
            ("descriptors", self.descriptors, DESCRIPTORS_RISE),
            ("threads", self.threads, THREADS_RISE),
        ] {
            if let Some(growth) = level.and_then(|level| level.growth).filter(|growth| growth.rise > most) {
                failures.push(format!("{name}: a rise of {:.1}, at most {most} is level", growth.rise));
            }
        }
        failures
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { time, games, at_once, .. } = self;
        writeln!(f, "{:.1} min, {} games, {at_once:.1} at once", time.as_secs_f64() / 60.0, games.games())?;
        for (name, by) in [
            ("won", &games.won),
            ("drawn", &games.drawn),
            ("lost", &games.lost),
            ("called off", &games.aborted),
        ] {
            writeln!(f, "  {name:10} {:>6}  {}", by.values().sum::<usize>(), counts(by))?;
        }
        let flags = games.lost.get("outoftime").copied().unwrap_or_default();
        writeln!(
            f,
            "lost on time: {flags}, of these {} although the server could be reached",
            self.needless.len()
        )?;
        let fired: u64 = self.faults.values().sum();
        writeln!(f, "faults: {fired} of {} kinds  {}", self.faults.len(), counts(&self.faults))?;
        let unfired: u64 = self.unfired.values().sum();
        writeln!(f, "planned and never fired: {unfired}  {}", counts(&self.unfired))?;
        writeln!(f, "kills and restarts: {}", self.kills)?;
        writeln!(f, "from a fault's end to the owed move: {}", self.recoveries)?;
        writeln!(f, "from a restart to the owed move:     {}", self.after_kills)?;
        writeln!(f, "the server waited for a move:        {}", self.moves)?;
        writeln!(f, "the bot's own part of a move:        {}", self.share)?;
        for (name, level) in
            [("memory (MiB)", self.memory), ("descriptors", self.descriptors), ("threads", self.threads)]
        {
            match level {
                Some(level) => writeln!(f, "{name:13} {level}")?,
                None => writeln!(f, "{name:13} not told by this system")?,
            }
        }
        if let Some(memory) = self.memory {
            let beyond = memory.highest - self.table_mib as f64;
            writeln!(
                f,
                "memory beyond the transposition table of {} MiB: at most {beyond:.1} MiB",
                self.table_mib
            )?;
        }
        let failures = self.failures();
        for failure in &failures {
            writeln!(f, "WRONG: {failure}")?;
        }
        match failures.len() {
            0 => write!(f, "nothing went wrong"),
            count => write!(f, "went wrong: {count}"),
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "first {:>6.1}  last {:>6.1}  highest {:>6.1}  ", self.first, self.last, self.highest)?;
        match self.growth {
            Some(growth) => write!(f, "slope {:+.1} an hour", growth.hourly),
            None => write!(f, "too short for a slope"),
        }
    }
}

/// Words with their numbers, the most frequent first.
fn counts<K: fmt::Display, N: Copy + Ord + fmt::Display>(by: &BTreeMap<K, N>) -> String {
    let mut all: Vec<(&K, N)> = by.iter().map(|(word, count)| (word, *count)).collect();
    all.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    all.iter().map(|(word, count)| format!("{word} {count}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::soak::figures::Growth;

    fn level(rise: f64) -> Option<Level> {
        Some(Level { first: 1.0, last: 2.0, highest: 3.0, growth: Some(Growth { hourly: rise, rise }) })
    }

    #[test]
    fn what_must_not_be_is_named() {
        let fine = || Report {
            memory: level(16.0),
            descriptors: level(8.0),
            threads: level(4.0),
            ..Report::default()
        };
        assert_eq!(fine().failures(), [] as [String; 0]);
        assert!(fine().to_string().ends_with("nothing went wrong"), "{}", fine());
        for (report, what) in [
            (Report { memory: level(16.1), ..fine() }, "memory (MiB): a rise of 16.1, at most 16 is level"),
            (Report { descriptors: level(9.0), ..fine() }, "descriptors: a rise of 9.0, at most 8 is level"),
            (Report { threads: level(5.0), ..fine() }, "threads: a rise of 5.0, at most 4 is level"),
            (Report { needless: vec!["lost".to_owned()], ..fine() }, "lost"),
            (Report { left: vec!["x".to_owned()], ..fine() }, "game x went on when the bot had ended"),
            (Report { troubles: vec!["it panicked".to_owned()], ..fine() }, "it panicked"),
        ] {
            assert_eq!(report.failures(), [what]);
            assert!(report.to_string().ends_with("went wrong: 1"), "{report}");
        }
    }

    #[test]
    fn counts_begin_with_the_most_frequent() {
        let by = BTreeMap::from([("cut", 2), ("drop", 7), ("end", 2)]);
        assert_eq!(counts(&by), "drop 7, cut 2, end 2");
    }
}
