//! How a game ends by itself, and when a side cannot win: the rules that Lichess applies.
//!
//! Sources: scalachess' order of tests (mate, stalemate, automatic draws); FIDE 5.1.1, 5.2.1, 9.6. Where the Laws
//! wait for 75 moves Lichess draws at 50, and dead positions are judged by material alone.

use super::{Bitboard, Color, Position, Role};

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
            GameEnd::Stalemate
            | GameEnd::InsufficientMaterial
            | GameEnd::FiftyMoves
            | GameEnd::FivefoldRepetition => None,
        }
    }
}

/// The half moves without progress that end a game.
pub(super) const FIFTY_MOVES: u16 = 100;

impl Position {
    /// The end that this position is by itself, whatever came before it.
    pub(super) fn end(&self) -> Option<GameEnd> {
        if !self.has_legal_move() {
            return Some(if self.is_check() {
                GameEnd::Checkmate { winner: !self.turn() }
            } else {
                GameEnd::Stalemate
            });
        }
        if self.is_insufficient_material() {
            Some(GameEnd::InsufficientMaterial)
        } else if self.halfmove_clock() >= FIFTY_MOVES {
            Some(GameEnd::FiftyMoves)
        } else {
            None
        }
    }

    /// Whether the game is drawn for want of material: kings with at most one minor piece, or with bishops that all
    /// stand on one colour. (Two knights, or knight against knight, play on.)
    pub fn is_insufficient_material(&self) -> bool {
        let heavy = self.by_role(Role::Pawn) | self.by_role(Role::Rook) | self.by_role(Role::Queen);
        if heavy.has_any() {
            return false;
        }
        self.occupied().count() <= 3
            || self.by_role(Role::Knight).is_empty() && one_colored(self.by_role(Role::Bishop))
    }

    /// Whether `color` cannot win when the other side's flag falls: its king is bare, or its only minor pieces leave
    /// no mate even with the opponent's help (FIDE 6.9, by Lichess' material test).
    pub fn lacks_winning_material(&self, color: Color) -> bool {
        let own = |role| self.pieces(color, role);
        let other = |role| self.pieces(!color, role);
        if (own(Role::Pawn) | own(Role::Rook) | own(Role::Queen)).has_any() {
            return false;
        }
        match (own(Role::Knight).count(), own(Role::Bishop).count()) {
            (0, 0) => true,
            (1, 0) => {
                (other(Role::Pawn) | other(Role::Knight) | other(Role::Bishop) | other(Role::Rook)).is_empty()
            }
            (0, _) => {
                (other(Role::Pawn) | other(Role::Knight)).is_empty()
                    && one_colored(self.by_role(Role::Bishop))
            }
            _ => false,
        }
    }
}

fn one_colored(squares: Bitboard) -> bool {
    (squares & Bitboard::DARK).is_empty() || (squares & !Bitboard::DARK).is_empty()
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
