//! Three-check: chess in which every check brings the end nearer.

use super::Play;
use crate::chess::{Color, Move, Position, Role, ThreeCheck, attacks};
use crate::engine::eval::{Taper, t};

/// By the checks given.
const GIVEN: [Taper; 4] = [t(0, 0), t(70, 60), t(220, 190), t(0, 0)];

/// What each check that was suffered adds to the danger for the king.
const DANGER: i32 = 150;

impl Play for ThreeCheck {
    const ENDINGS: bool = false;
    const SWING: i32 = 2;

    fn bonus(position: &Position<Self>, us: Color) -> Taper {
        GIVEN[usize::from(position.extra().given(us)).min(3)]
    }

    fn danger(position: &Position<Self>, us: Color) -> i32 {
        DANGER * i32::from(position.extra().given(!us))
    }

    /// The third check, if it is given by the piece that moves.
    fn winning_move(position: &Position<Self>) -> Option<Move> {
        let us = position.turn();
        if position.extra().given(us) != 2 {
            return None;
        }
        let (king, occupied) = (position.king(!us), position.occupied());
        let diagonal = attacks::bishop(king, occupied);
        let straight = attacks::rook(king, occupied);
        let checks = |mv: Move| match mv.promotion().unwrap_or_else(|| position.moved(mv)) {
            Role::Pawn => attacks::pawn(!us, king).contains(mv.to()),
            Role::Knight => attacks::knight(king).contains(mv.to()),
            Role::Bishop => diagonal.contains(mv.to()),
            Role::Rook => straight.contains(mv.to()),
            Role::Queen => (diagonal | straight).contains(mv.to()),
            Role::King => false,
        };
        position.legal_moves().into_iter().find(|&mv| checks(mv) && position.after(mv).is_check())
    }
}
