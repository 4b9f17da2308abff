//! A position with the result of its game, and the line of text that holds both.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::chess::{FenError, Position};

/// A position of standard chess, and how its game ended.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Labelled {
    pub(crate) position: Position,
    /// White's points: 1, 0.5 or 0.
    pub(crate) result: f64,
}

/// Why a line holds no position with a result.
#[derive(Debug, PartialEq, Eq, Error)]
pub(crate) enum LineError {
    /// There is no semicolon.
    #[error("no \";\", expected a FEN, \";\" and White's points: 1, 0.5 or 0")]
    NoResult,
    /// What follows the semicolon is no result.
    #[error("bad result {0:?}, expected White's points: 1, 0.5 or 0")]
    Result(String),
    /// What stands before the semicolon is no position.
    #[error(transparent)]
    Fen(#[from] FenError),
}

impl FromStr for Labelled {
    type Err = LineError;

    fn from_str(line: &str) -> Result<Labelled, LineError> {
        let (fen, result) = line.rsplit_once(';').ok_or(LineError::NoResult)?;
        let result = match result {
            "1" => 1.0,
            "0.5" => 0.5,
            "0" => 0.0,
            other => return Err(LineError::Result(other.to_owned())),
        };
        Ok(Labelled { position: Position::from_fen(fen)?, result })
    }
}

impl fmt::Display for Labelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{};{}", self.position.to_fen(), self.result)
    }
}
