//! Crazyhouse: pieces come back, so that they are worth less on the board, something in hand, and much against a king.

use super::Play;
use crate::chess::{Color, Crazyhouse, Position, Role};
use crate::engine::eval::{Taper, t};
use crate::engine::score::Value;

/// By how much a piece on the board is worth less than in chess, by role.
const ON_BOARD: [Taper; 5] = [t(8, -8), t(-105, -90), t(-120, -110), t(-180, -280), t(-470, -530)];

/// What a piece in hand is worth, by role.
const IN_HAND: [Taper; 5] = [t(105, 105), t(270, 270), t(255, 255), t(325, 325), t(600, 600)];

/// What a piece in the enemy's hand adds to the danger for a king, by role; more than two of a kind add no more.
const DANGER: [i32; 5] = [30, 80, 60, 80, 140];

const ROLES: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

impl Play for Crazyhouse {
    /// What is taken is lost by one side and won by the other.
    const VALUES: [Value; 6] = [200, 500, 490, 640, 1150, 0];
    const SWING: Value = 2;
    const ENDINGS: bool = false;

    fn bonus(position: &Position<Self>, us: Color) -> Taper {
        ROLES.into_iter().zip(ON_BOARD.into_iter().zip(IN_HAND)).fold(
            Taper::ZERO,
            |sum, (role, (on_board, in_hand))| {
                sum + on_board * position.pieces(us, role).count() as i32
                    + in_hand * i32::from(position.extra().count(us, role))
            },
        )
    }

    fn danger(position: &Position<Self>, us: Color) -> i32 {
        let in_hand = |role| i32::from(position.extra().count(!us, role).min(2));
        ROLES.into_iter().zip(DANGER).map(|(role, danger)| danger * in_hand(role)).sum()
    }

    fn has_pieces(position: &Position<Self>) -> bool {
        let us = position.turn();
        let pieces = !position.by_role(Role::Pawn) & !position.by_role(Role::King);
        (position.colored(us) & pieces).has_any()
            || ROLES.into_iter().any(|role| position.extra().count(us, role) > 0)
    }
}
