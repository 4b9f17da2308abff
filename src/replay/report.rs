//! What a replay found, and how it is told.

use std::fmt;
use std::path::PathBuf;

use serde_json::Value;
use thiserror::Error;

use super::story;
use crate::record::EntryError;

/// What a replay found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplayReport {
    /// Parts that the recording holds: more than one if the bot took a game up again.
    pub parts: usize,
    /// Inputs that were played again.
    pub inputs: usize,
    /// Effects that came out the same.
    pub effects: usize,
    /// The first effects that did not; nothing was replayed after them.
    pub difference: Option<Difference>,
    /// The line of the first gap, and how many entries are missing there; nothing was replayed after it.
    pub gap: Option<(usize, u64)>,
    /// The lines of inputs that are the last of their part and have no effects recorded, though they have some: the
    /// bot was ended between the two.
    pub unfinished: Vec<usize>,
}

/// Other effects than recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The line of the input.
    pub line: usize,
    /// When it happened, in milliseconds since its part began.
    pub at_ms: u64,
    /// The input.
    pub input: Value,
    /// The effects as recorded.
    pub expected: Vec<Value>,
    /// The effects as they come out now.
    pub got: Vec<Value>,
    /// What was recorded before the input, readable, the last entries only.
    pub before: Vec<String>,
}

/// Why a recording cannot be played again.
#[derive(Debug, Error)]
pub enum ReplayError {
    /// It cannot be opened.
    #[error("cannot open {}", .path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: std::io::Error,
    },
    /// It is not a recording.
    #[error("{0}")]
    Entry(#[from] EntryError),
    /// An entry does not hold what its kind promises.
    #[error("line {line}: expected {expected}")]
    Body {
        /// Its number, from 1.
        line: usize,
        /// What should be there.
        expected: &'static str,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// Effects that belong to no input.
    #[error("line {line}: expected an input before its effects")]
    Stray {
        /// Its number, from 1.
        line: usize,
    },
    /// Nothing at all.
    #[error("expected a recording, found an empty file")]
    Empty,
}

impl ReplayReport {
    /// Whether all that could be replayed came out the same.
    pub fn is_same(&self) -> bool {
        self.difference.is_none()
    }
}

impl fmt::Display for ReplayReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ReplayReport { parts, inputs, effects, difference, gap, unfinished } = self;
        match difference {
            None if *inputs == 0 => write!(f, "nothing to compare: no decisions stand in it")?,
            None => write!(f, "the same: {effects} effects of {inputs} inputs in {parts} part(s)")?,
            Some(difference) => write!(f, "{difference}")?,
        }
        for line in unfinished {
            write!(f, "\nline {line}: the bot was ended before the effects of this input were written")?;
        }
        match gap {
            None => Ok(()),
            Some((line, missing)) => {
                write!(
                    f,
                    "\nline {line}: entries are missing here ({missing}); nothing was compared after them"
                )
            }
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "line {}: at {} ms other effects than recorded", self.line, self.at_ms)?;
        for told in &self.before {
            writeln!(f, "  {told}")?;
        }
        writeln!(f, "  input:    {}", story::compact(&self.input))?;
        writeln!(f, "  expected: {}", list(&self.expected))?;
        write!(f, "  got:      {}", list(&self.got))
    }
}

fn list(effects: &[Value]) -> String {
    if effects.is_empty() {
        return "nothing".to_owned();
    }
    let texts: Vec<String> = effects.iter().map(story::compact).collect();
    texts.join("\n            ")
}
