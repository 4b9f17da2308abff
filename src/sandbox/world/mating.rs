//! Who can still mate, by the laws of the sandbox. The chess of it is in `chess`; here is only which test a law asks
//! for. Variants have the tests of Lichess under all laws: FIDE has none for them.

use super::laws::{CannotWin, DeadPosition, Laws};
use crate::chess::{AnyPosition, Color, Effort, Winnable};

impl Laws {
    /// Whether nobody can mate any more, so that the game is over. What cannot be told quickly goes on.
    pub(super) fn is_dead(&self, position: &AnyPosition) -> bool {
        match (self.dead_position, position.standard()) {
            (DeadPosition::Full, Some(board)) => board.is_dead(Effort::QUICK),
            (DeadPosition::Material, _) | (DeadPosition::Full, None) => position.is_insufficient_material(),
        }
    }

    /// Whether `color` cannot be given the win when the opponent loses on time or for breaking the rules. What cannot
    /// be told counts as possible.
    pub(super) fn cannot_win(&self, position: &AnyPosition, color: Color) -> bool {
        match (self.cannot_win, position.standard()) {
            (CannotWin::BareKing, Some(board)) => board.colored(color).count() == 1,
            (CannotWin::AnySeries, Some(board)) => board.winnable(color, Effort::FULL) == Winnable::No,
            (CannotWin::Material, _) | (CannotWin::BareKing | CannotWin::AnySeries, None) => {
                position.lacks_winning_material(color)
            }
        }
    }
}
