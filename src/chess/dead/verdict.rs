//! The questions that others ask about dead positions, and the answers. How they are found is not told here.

use super::super::{Color, Move, Position};
use super::search;

/// Whether a side can still mate by some series of legal moves. `Yes` and `No` are proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Winnable {
    /// There is a series of legal moves that ends with this side giving mate.
    Yes,
    /// There is none.
    No,
    /// The effort did not suffice to tell.
    Unknown,
}

/// The same with the proof: the moves that lead to mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Helpmate {
    /// Legal moves of both sides, the last of which mates. Not always the shortest way.
    Found(Vec<Move>),
    /// No series of legal moves ends with the side giving mate.
    Impossible,
    /// The effort did not suffice to tell.
    Unknown,
}

/// How many positions may be looked at for one answer. The answer depends on nothing but the position and this, least
/// of all on time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Effort(u32);

impl Effort {
    /// For every move of a game: mostly some tens of microseconds, never much more than a millisecond.
    pub const QUICK: Effort = Effort(1_000);
    /// For a fallen flag: some tenths of a second and fifty megabytes at worst. Decides 99 of 100 verdicts on the hard
    /// positions of the CHA solver.
    pub const FULL: Effort = Effort(100_000);

    /// An effort of so many positions.
    pub const fn positions(count: u32) -> Effort {
        Effort(count)
    }

    /// How many positions that is.
    pub const fn count(self) -> u32 {
        self.0
    }
}

impl Position {
    /// Whether `color` can still win: the question when the other side's flag has fallen (FIDE 6.9).
    ///
    /// The rules that end a game by counting (repetition, 50 and 75 moves) are left out of account, as is usual.
    pub fn winnable(&self, color: Color, effort: Effort) -> Winnable {
        match self.helpmate(color, effort) {
            Helpmate::Found(_) => Winnable::Yes,
            Helpmate::Impossible => Winnable::No,
            Helpmate::Unknown => Winnable::Unknown,
        }
    }

    /// Whether it is proven that neither side can win, so that the game is over (FIDE 5.2.2).
    pub fn is_dead(&self, effort: Effort) -> bool {
        // The side that has just moved more often has a quick mate: asked first, it ends most questions.
        self.winnable(!self.turn(), effort) == Winnable::No
            && self.winnable(self.turn(), effort) == Winnable::No
    }

    /// A way for `color` to mate with the help of the other side.
    pub fn helpmate(&self, color: Color, effort: Effort) -> Helpmate {
        search::helpmate(self, color, effort)
    }
}
