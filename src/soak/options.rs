//! What a long run can be told, and why it could not be made.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

/// A long run.
#[derive(Clone, Debug)]
pub struct SoakOptions {
    /// The program whose `run` is the bot.
    pub program: PathBuf,
    /// When it is enough.
    pub end: End,
    /// The directory for all that is written; it must be empty or not there.
    pub out: PathBuf,
    /// The pause between two faults; none at all if not given, and then the opponents do nothing but play.
    pub fault_every: Option<Duration>,
    /// How long the bot lives before it is killed; it is not if nothing is given.
    pub kill_every: Option<Duration>,
    /// Games at once, each against an opponent of its own.
    pub at_once: usize,
    /// Limit and increment, in seconds.
    pub clock: (u32, u32),
    /// How long the opponents take for a move: at least and at most, in milliseconds.
    pub think_ms: (u64, u64),
    /// The level of the opponents, 1 to 8; random moves if not given.
    pub level: Option<u8>,
    /// How long bytes are on their way, in either direction.
    pub lag: Duration,
    /// By how much that varies, up and down.
    pub lag_jitter: Duration,
    /// Nodes that the bot searches for a move; by its clock if not given.
    pub nodes: Option<u64>,
    /// Search threads of the bot; 0 for one a processor.
    pub threads: usize,
    /// The bot's transposition table, in MiB.
    pub hash_mib: usize,
    /// The source of faults and of what the opponents do.
    pub seed: u64,
    /// More keys of the bot's configuration.
    pub set: Vec<(String, String)>,
}

/// When a run is enough. Then the bot is told to end, and finishes its games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// After so long.
    After(Duration),
    /// After so many games.
    Games(usize),
}

/// Why a run could not be made.
#[derive(Debug, Error)]
pub enum SoakError {
    /// The directory holds something, which might be taken for a part of this run.
    #[error("{} is not empty", .0.display())]
    NotEmpty(PathBuf),
    /// A file, a socket or a process could not be had.
    #[error("cannot {what}")]
    Io {
        /// What was tried.
        what: String,
        /// What is wrong.
        source: io::Error,
    },
    /// The plot could not be drawn.
    #[error("cannot draw the plot: {0}")]
    Plot(String),
}

impl SoakError {
    /// For `map_err`: what was tried, in the infinitive.
    pub(super) fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> SoakError {
        let what = what.into();
        move |source| SoakError::Io { what, source }
    }
}

#[cfg(test)]
pub(super) fn example() -> SoakOptions {
    SoakOptions {
        program: PathBuf::from("rookery"),
        end: End::Games(10),
        out: PathBuf::from("soak"),
        fault_every: None,
        kill_every: None,
        at_once: 2,
        clock: (60, 0),
        think_ms: (0, 10),
        level: None,
        lag: Duration::ZERO,
        lag_jitter: Duration::ZERO,
        nodes: Some(500),
        threads: 1,
        hash_mib: 16,
        seed: 1,
        set: Vec::new(),
    }
}
