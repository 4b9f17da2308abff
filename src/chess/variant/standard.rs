//! Standard chess: the defaults, and when Lichess takes it that nobody, or one side, cannot mate.

use crate::chess::{Bitboard, Color, Position, Role, Rules, Variant};

/// The rules of standard chess, of Chess960 and of games from a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standard;

impl Rules for Standard {
    type Extra = ();

    const VARIANT: Variant = Variant::Standard;

    /// Kings with at most one minor piece, or with bishops that all stand on one colour. (Two knights, or knight
    /// against knight, play on.)
    fn is_insufficient_material(position: &Position) -> bool {
        let heavy =
            position.by_role(Role::Pawn) | position.by_role(Role::Rook) | position.by_role(Role::Queen);
        if heavy.has_any() {
            return false;
        }
        position.occupied().count() <= 3
            || position.by_role(Role::Knight).is_empty() && one_colored(position.by_role(Role::Bishop))
    }

    /// The king is bare, or its only minor pieces leave no mate even with the opponent's help (FIDE 6.9, by material).
    fn lacks_winning_material(position: &Position, color: Color) -> bool {
        let own = |role| position.pieces(color, role);
        let other = |role| position.pieces(!color, role);
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
                    && one_colored(position.by_role(Role::Bishop))
            }
            _ => false,
        }
    }
}

fn one_colored(squares: Bitboard) -> bool {
    (squares & Bitboard::DARK).is_empty() || (squares & !Bitboard::DARK).is_empty()
}
