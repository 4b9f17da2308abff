//! Material and mobility alone: the common ground of the games whose kings and pawns mean something else than in chess.

use super::pawns::attacks_of;
use crate::chess::{Bitboard, Color, Position, Role, Rules, Square, attacks};
use crate::engine::score::Value;

/// What the pieces of a side are worth, by role.
pub(crate) fn material<R: Rules>(position: &Position<R>, us: Color, values: &[Value; 6]) -> Value {
    let worth = |role: Role| position.pieces(us, role).count() as Value * values[role.index()];
    Role::ALL.into_iter().map(worth).sum()
}

/// The squares to which the pieces of a side may go without being taken by a pawn, summed over the pieces.
pub(crate) fn mobility<R: Rules>(position: &Position<R>, us: Color) -> Value {
    let pawns = attacks_of(position.pieces(!us, Role::Pawn), !us);
    let free = !position.colored(us) & !pawns;
    let pieces = position.colored(us) & !position.by_role(Role::Pawn) & !position.by_role(Role::King);
    pieces.into_iter().map(|from| (reach(position, from) & free).count() as Value).sum()
}

/// What a piece other than a pawn attacks.
fn reach<R: Rules>(position: &Position<R>, from: Square) -> Bitboard {
    match position.role_at(from) {
        None | Some(Role::Pawn) => Bitboard::EMPTY,
        Some(Role::Knight) => attacks::knight(from),
        Some(Role::Bishop) => attacks::bishop(from, position.occupied()),
        Some(Role::Rook) => attacks::rook(from, position.occupied()),
        Some(Role::Queen) => attacks::queen(from, position.occupied()),
        Some(Role::King) => attacks::king(from),
    }
}
