//! Crazyhouse: a captured piece changes sides, goes to its captor's pocket, and may be dropped on any empty square
//! instead of a move. A promoted pawn is a pawn again when it is taken.

use crate::chess::position::{Played, Setup};
use crate::chess::rules::{Extra, Pockets};
use crate::chess::sink::{Sink, Wanted};
use crate::chess::{Bitboard, Color, Move, Position, PositionError, Role, Rules, Variant, zobrist};

/// The rules of crazyhouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crazyhouse;

const DROPPABLE: [Role; 5] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
/// The pieces of a set: none is ever lost.
const MAX_PIECES: u32 = 32;

impl Rules for Crazyhouse {
    type Extra = Pockets;

    const VARIANT: Variant = Variant::Crazyhouse;
    const START: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/ w KQkq - 0 1";
    const DROPS: bool = true;
    const FIFTY_MOVES: bool = false;

    fn generate<S: Sink>(position: &Position<Self>, wanted: &Wanted, sink: &mut S) {
        position.orthodox_moves(wanted, sink);
        if wanted.drops {
            for role in DROPPABLE {
                if position.extra.count(position.turn(), role) > 0 {
                    sink.drops(role, drop_squares(position, role));
                }
            }
        }
    }

    fn is_legal(position: &Position<Self>, mv: Move) -> bool {
        match mv.drop() {
            None => position.is_orthodox(mv),
            Some(role) => {
                position.extra.count(position.turn(), role) > 0
                    && drop_squares(position, role).contains(mv.to())
            }
        }
    }

    fn played(position: &mut Position<Self>, played: Played) {
        let (us, mv) = (position.turn, played.mv);
        if let Some(role) = mv.drop() {
            change_pocket(position, us, role, |count| count.saturating_sub(1));
            return;
        }
        if let Some((role, square)) = played.captured {
            let was_pawn = position.extra.promoted.contains(square);
            toggle_promoted(position, position.extra.promoted & square.into());
            change_pocket(position, us, if was_pawn { Role::Pawn } else { role }, |count| count + 1);
        }
        if mv.promotion().is_some() {
            toggle_promoted(position, mv.to().into());
        } else if !mv.is_castling() && position.extra.promoted.contains(mv.from()) {
            toggle_promoted(position, Bitboard::square(mv.from()) | mv.to().into());
        }
    }

    /// What is captured comes back, so that mate is always possible.
    fn is_insufficient_material(_: &Position<Self>) -> bool {
        false
    }

    fn lacks_winning_material(_: &Position<Self>, _: Color) -> bool {
        false
    }

    /// Drops make almost any check possible and any number of pieces of a side; the set as a whole is complete.
    fn check_reachable(position: &Position<Self>, _: &Setup) -> Result<(), PositionError> {
        let in_hand: u32 = position.extra.counts.iter().flatten().map(|&count| u32::from(count)).sum();
        let count = position.occupied().count() + in_hand;
        if count > MAX_PIECES {
            return Err(PositionError::TooManyInAll { count, expected: MAX_PIECES });
        }
        Ok(())
    }
}

/// Empty squares that answer the check, if there is one; none on the back ranks for a pawn.
fn drop_squares(position: &Position<Crazyhouse>, role: Role) -> Bitboard {
    let squares = !position.occupied() & position.check_mask();
    if role == Role::Pawn { squares & !Bitboard::BACK_RANKS } else { squares }
}

fn change_pocket(position: &mut Position<Crazyhouse>, color: Color, role: Role, change: impl Fn(u8) -> u8) {
    if let Some(count) = position.extra.counts[color.index()].get_mut(role.index()) {
        let before = *count;
        *count = change(before);
        position.key ^= zobrist::pocket(color, role, before) ^ zobrist::pocket(color, role, *count);
    }
}

fn toggle_promoted(position: &mut Position<Crazyhouse>, squares: Bitboard) {
    position.extra.promoted ^= squares;
    for square in squares {
        position.key ^= zobrist::promoted(square);
    }
}

impl Extra for Pockets {
    fn from_setup(setup: &Setup) -> Result<Pockets, PositionError> {
        Ok(Pockets { counts: setup.pockets.unwrap_or_default(), promoted: setup.promoted })
    }

    fn key(&self) -> u64 {
        let promoted = self.promoted.into_iter().map(zobrist::promoted);
        let pockets = Color::ALL
            .into_iter()
            .flat_map(|color| DROPPABLE.map(|role| zobrist::pocket(color, role, self.count(color, role))));
        promoted.chain(pockets).fold(0, |key, part| key ^ part)
    }

    fn pockets(&self) -> Option<&Pockets> {
        Some(self)
    }
}
