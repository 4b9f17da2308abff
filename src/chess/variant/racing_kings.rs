//! Racing Kings: no check may be given, and the first king on the last rank wins. If White is first, Black has one more
//! move to draw level.

use crate::chess::position::Setup;
use crate::chess::sink::{Filter, Sink, Wanted};
use crate::chess::{Bitboard, Color, GameEnd, Move, MoveList, Position, PositionError, Role, Rules, Variant};

/// The rules of Racing Kings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RacingKings;

const GOAL: Bitboard = Bitboard::rank(7);

impl Rules for RacingKings {
    type Extra = ();

    const VARIANT: Variant = Variant::RacingKings;
    const START: &'static str = "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1";
    const CASTLING: bool = false;

    fn generate<S: Sink>(position: &Position<Self>, wanted: &Wanted, sink: &mut S) {
        let mut quiet = Filter { sink, keep: |mv| !gives_check(position, mv) };
        position.orthodox_moves(wanted, &mut quiet);
    }

    fn is_legal(position: &Position<Self>, mv: Move) -> bool {
        position.is_orthodox(mv) && !gives_check(position, mv)
    }

    fn variant_end(position: &Position<Self>) -> Option<GameEnd> {
        let arrived = |color| (position.pieces(color, Role::King) & GOAL).has_any();
        let winner = match (arrived(Color::White), arrived(Color::Black)) {
            (false, false) => return None,
            (true, true) => None,
            (false, true) => Some(Color::Black),
            (true, false) if position.turn() == Color::Black && can_arrive(position) => return None,
            (true, false) => Some(Color::White),
        };
        Some(GameEnd::VariantEnd { winner })
    }

    /// A king alone can still race.
    fn is_insufficient_material(_: &Position<Self>) -> bool {
        false
    }

    fn lacks_winning_material(_: &Position<Self>, _: Color) -> bool {
        false
    }

    fn check_setup(position: &Position<Self>) -> Result<(), PositionError> {
        if let Some(square) = position.by_role(Role::Pawn).first() {
            return Err(PositionError::PawnInRacingKings(square));
        }
        if position.is_check() {
            return Err(PositionError::CheckInRacingKings);
        }
        crate::chess::validate::placement(position)
    }

    fn check_reachable(position: &Position<Self>, _: &Setup) -> Result<(), PositionError> {
        let black_first = (position.pieces(Color::Black, Role::King) & GOAL).has_any();
        if black_first && position.turn() == Color::Black {
            return Err(PositionError::RaceIsOver);
        }
        crate::chess::validate::piece_counts(position)
    }
}

/// Whether a move attacks the enemy king, directly or by uncovering.
fn gives_check(position: &Position<RacingKings>, mv: Move) -> bool {
    let us = position.turn();
    let king = position.king(!us);
    let (from, to) = (Bitboard::square(mv.from()), Bitboard::square(mv.to()));
    let occupied = (position.occupied() ^ from) | to;
    let uncovered = position.attackers(king, occupied) & position.colored(us) & !from;
    uncovered.has_any() || reach(position, mv, occupied).contains(king)
}

/// What the moved piece attacks where it lands.
fn reach(position: &Position<RacingKings>, mv: Move, occupied: Bitboard) -> Bitboard {
    use crate::chess::attacks;
    match position.moved(mv) {
        Role::Knight => attacks::knight(mv.to()),
        Role::Bishop => attacks::bishop(mv.to(), occupied),
        Role::Rook => attacks::rook(mv.to(), occupied),
        Role::Queen => attacks::queen(mv.to(), occupied),
        Role::King | Role::Pawn => Bitboard::EMPTY,
    }
}

/// Whether the king of the side to move can step on the goal.
fn can_arrive(position: &Position<RacingKings>) -> bool {
    let mut list = MoveList::new();
    RacingKings::generate(position, &Wanted::all(position), &mut list);
    let king = position.king(position.turn());
    list.into_iter().any(|mv| mv.from() == king && GOAL.contains(mv.to()))
}
