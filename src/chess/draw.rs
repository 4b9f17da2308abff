//! How a game ends by itself, and when a side cannot win: the rules that Lichess applies.
//!
//! Sources: scalachess' order of tests (mate, stalemate, automatic draws); FIDE 5.1.1, 5.2.1, 9.6. Where the Laws
//! wait for 75 moves Lichess draws at 50, and dead positions are judged by material alone.

use super::sink::{Any, Wanted};
use super::{Color, Position, Rules};

/// An end that needs no claim and no clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameEnd {
    /// The side to move is mated.
    Checkmate {
        /// Who gave mate.
        winner: Color,
    },
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// The variant's own end: a king in the centre or on the last rank, the third check, an exploded king, nothing left.
    VariantEnd {
        /// Who won; nobody if both kings of Racing Kings have arrived.
        winner: Option<Color>,
    },
    /// Neither side can mate with what is left.
    InsufficientMaterial,
    /// A hundred half moves without a capture or a pawn move.
    FiftyMoves,
    /// The same position for the fifth time.
    FivefoldRepetition,
}

impl GameEnd {
    /// Who won; none in a draw.
    pub fn winner(self) -> Option<Color> {
        match self {
            GameEnd::Checkmate { winner } => Some(winner),
            GameEnd::VariantEnd { winner } => winner,
            GameEnd::Stalemate
            | GameEnd::InsufficientMaterial
            | GameEnd::FiftyMoves
            | GameEnd::FivefoldRepetition => None,
        }
    }
}

/// The half moves without progress that end a game.
pub(super) const FIFTY_MOVES: u16 = 100;

impl<R: Rules> Position<R> {
    /// The end that this position is by itself, whatever came before it; in Lichess' order: mate, the variant's own end,
    /// stalemate, automatic draws.
    pub fn end(&self) -> Option<GameEnd> {
        if let Some(end) = self.decided() {
            Some(end)
        } else if self.is_insufficient_material() {
            Some(GameEnd::InsufficientMaterial)
        } else if R::FIFTY_MOVES && self.halfmove_clock() >= FIFTY_MOVES {
            Some(GameEnd::FiftyMoves)
        } else {
            None
        }
    }

    /// The end by mate, stalemate or the variant's own rule.
    pub(super) fn decided(&self) -> Option<GameEnd> {
        let variant_end = R::variant_end(self);
        let mated = match variant_end {
            Some(_) => self.is_check() && self.cannot_move(),
            None => self.cannot_move(),
        };
        if mated && self.is_check() {
            return Some(R::without_moves(self));
        }
        variant_end.or_else(|| mated.then(|| R::without_moves(self)))
    }

    fn cannot_move(&self) -> bool {
        let mut any = Any(false);
        R::generate(self, &Wanted::all(self), &mut any);
        !any.0
    }

    /// Whether Lichess draws the game for want of material.
    pub fn is_insufficient_material(&self) -> bool {
        R::is_insufficient_material(self)
    }

    /// Whether Lichess takes it that `color` cannot win, as when the other side's flag falls.
    pub fn lacks_winning_material(&self, color: Color) -> bool {
        R::lacks_winning_material(self, color)
    }

    /// How many half moves back a position may still come again.
    pub fn reversible_plies(&self) -> usize {
        if R::FIFTY_MOVES { usize::from(self.halfmove_clock()) } else { usize::MAX }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_in_their_order() {
        for (fen, end) in [
            ("6kR/5ppp/8/8/8/8/8/4K3 b - - 0 1", None),
            ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 100 90", Some(GameEnd::Checkmate { winner: Color::White })),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 100 90", Some(GameEnd::Stalemate)),
            ("4k3/8/8/8/8/8/8/R3K3 w - - 100 90", Some(GameEnd::FiftyMoves)),
            ("4k3/8/8/8/8/8/8/R3K3 w - - 99 90", None),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", Some(GameEnd::InsufficientMaterial)),
        ] {
            assert_eq!(Position::from_fen(fen).unwrap().end(), end, "{fen}");
        }
    }

    /// lichess-api.md 4.1 and 4.2; the columns are: automatic draw, White cannot win, Black cannot win.
    #[test]
    fn material() {
        for (fen, draw, white, black) in [
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", true, true, true),
            ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", true, true, true),
            ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", true, true, true),
            ("4k3/8/8/8/8/8/8/4KNN1 w - - 0 1", false, false, true),
            ("4kn2/8/8/8/8/8/8/4KN2 w - - 0 1", false, false, false),
            ("4kb2/8/8/8/8/8/8/4KN2 w - - 0 1", false, false, false),
            ("2b1k3/8/8/8/8/8/8/4KB2 w - - 0 1", true, true, true),
            ("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", false, false, false),
            ("4k2r/8/8/8/8/8/8/4KB2 w - - 0 1", false, true, false),
            ("4k2r/8/8/8/8/8/8/4KN2 w - - 0 1", false, false, false),
            ("4k2q/8/8/8/8/8/8/4KN2 w - - 0 1", false, true, false),
            ("4k3/7p/8/8/8/8/8/4KB2 w - - 0 1", false, false, false),
            ("4k2q/8/8/8/8/8/8/4KNN1 w - - 0 1", false, false, false),
            ("4k3/7p/8/8/8/8/8/4K3 w - - 0 1", false, true, false),
        ] {
            let position = Position::from_fen(fen).unwrap();
            assert_eq!(position.is_insufficient_material(), draw, "{fen}");
            assert_eq!(position.lacks_winning_material(Color::White), white, "white {fen}");
            assert_eq!(position.lacks_winning_material(Color::Black), black, "black {fen}");
        }
    }
}
