//! The value of a position: centipawns or a mate distance, from the side to move.
//!
//! Inside the search a value is a plain `i32` ([`Value`]); [`Score`] is what leaves the engine.

use std::fmt;
use std::ops::Neg;

/// A value as the search computes with it: centipawns, or [`MATE`] minus the plies to mate.
pub(crate) type Value = i32;

/// Being mated now is `-MATE`.
pub(crate) const MATE: Value = 32_000;

/// Above every value.
pub(crate) const INFINITE: Value = 32_001;

/// "No value known", as a stored static evaluation of a position in check.
pub(crate) const NONE: Value = 32_002;

/// The deepest line of one search in plies; stacks are as long as this.
pub(crate) const MAX_PLY: usize = 200;

/// From here on a value means a forced mate.
pub(crate) const MATE_BOUND: Value = MATE - 2 * MAX_PLY as Value;

/// An evaluation never reaches into the mates.
pub(crate) const EVAL_LIMIT: Value = MATE_BOUND - 1;

/// Whether `value` is a forced mate for either side.
pub(crate) fn is_mate(value: Value) -> bool {
    value.abs() >= MATE_BOUND
}

/// The value of being mated `ply` plies from the root.
pub(crate) fn mated_at(ply: usize) -> Value {
    -MATE + ply as Value
}

/// A score from the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Score(i32);

/// What a [`Score`] says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScoreKind {
    /// Hundredths of a pawn; positive is good for the side to move.
    Centipawns(i32),
    /// Moves to mate; negative when the side to move is mated, 0 when it is mated already.
    Mate(i32),
}

impl Score {
    /// A draw.
    pub const DRAW: Score = Score(0);

    /// A score of `centipawns`, kept clear of the mates.
    pub fn cp(centipawns: i32) -> Score {
        Score(centipawns.clamp(-EVAL_LIMIT, EVAL_LIMIT))
    }

    /// The side to move mates in `plies`: 1 is a mate on the move.
    pub fn mate_in(plies: u32) -> Score {
        Score(MATE - plies.min(2 * MAX_PLY as u32) as i32)
    }

    /// The side to move is mated in `plies`: 0 is mate on the board.
    pub fn mated_in(plies: u32) -> Score {
        -Score::mate_in(plies)
    }

    /// The value that the search knows it by.
    pub(crate) fn value(self) -> Value {
        self.0
    }

    pub(crate) fn from_value(value: Value) -> Score {
        Score(value.clamp(-MATE, MATE))
    }

    /// Centipawns or mate distance.
    pub fn kind(self) -> ScoreKind {
        let Score(value) = self;
        if !is_mate(value) {
            ScoreKind::Centipawns(value)
        } else if value > 0 {
            ScoreKind::Mate((MATE - value + 1) / 2)
        } else {
            ScoreKind::Mate(-((MATE + value + 1) / 2))
        }
    }

    /// Centipawns, with a mate far outside of every evaluation: for comparisons and plots.
    pub fn centipawns(self) -> i32 {
        self.0
    }

    /// Whether it is a forced mate for either side.
    pub fn is_mate(self) -> bool {
        is_mate(self.0)
    }
}

impl Neg for Score {
    type Output = Score;

    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            ScoreKind::Centipawns(cp) => write!(f, "cp {cp}"),
            ScoreKind::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_count_moves() {
        assert_eq!(Score::mate_in(1).to_string(), "mate 1");
        assert_eq!(Score::mate_in(2).to_string(), "mate 1");
        assert_eq!(Score::mate_in(3).to_string(), "mate 2");
        assert_eq!(Score::mated_in(0).to_string(), "mate 0");
        assert_eq!(Score::mated_in(2).to_string(), "mate -1");
        assert_eq!(Score::mated_in(4).to_string(), "mate -2");
        assert_eq!(Score::mated_in(1).to_string(), "mate -1", "lost by the own next move, as in antichess");
        assert_eq!(Score::cp(-31).to_string(), "cp -31");
    }

    #[test]
    fn an_evaluation_is_never_a_mate() {
        assert!(!Score::cp(i32::MAX).is_mate());
        assert!(!Score::cp(i32::MIN).is_mate());
        assert!(Score::mate_in(u32::MAX).is_mate());
    }
}
