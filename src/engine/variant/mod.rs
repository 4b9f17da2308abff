//! What a kind of chess changes for the engine: one trait whose defaults are standard chess, so that a variant's file
//! says only what differs. Everything is decided at compile time.

mod antichess;
mod atomic;
mod crazyhouse;
mod horde;
mod king_of_the_hill;
mod racing_kings;
mod standard;
mod three_check;

#[cfg(test)]
mod tests;

use super::eval::{Evaluator, Taper};
use super::params::SEE_VALUES;
use super::score::Value;
use super::see::see_at_least;
use crate::chess::{Color, GameEnd, Move, Position, Role, Rules};

/// Rules that the engine can play by.
pub(crate) trait Play: Rules {
    /// What the pieces are worth in exchanges, in centipawns by role.
    const VALUES: [Value; 6] = SEE_VALUES;
    /// Whether nodes are cut and moves skipped because the evaluation is far from the window.
    const PRUNES: bool = true;
    /// Where one move changes more than in chess, the margins of the evaluation are so many times as wide.
    const SWING: Value = 1;
    /// Whether a side that passes its turn is worse off, so that null moves prove something.
    const PASSES: bool = true;
    /// Whether what is known of endings in chess holds.
    const ENDINGS: bool = true;

    /// The value for the side to move, in centipawns, `_ply` plies from the root; asked only of positions that do not
    /// [force](Play::is_forced) it.
    fn evaluate(position: &Position<Self>, evaluator: &mut Evaluator, _ply: usize) -> Value {
        evaluator.by_hand(position)
    }

    /// What the variant adds to the evaluation of chess for one side.
    fn bonus(position: &Position<Self>, us: Color) -> Taper {
        let _ = (position, us);
        Taper::ZERO
    }

    /// What the variant adds to the danger for a side's king, in the units of the king's safety.
    fn danger(position: &Position<Self>, us: Color) -> i32 {
        let _ = (position, us);
        0
    }

    /// Whether the side to move must react. Then the position is not evaluated, nothing is cut by its evaluation, and
    /// quiescence looks at all moves.
    fn is_forced(position: &Position<Self>) -> bool {
        position.is_check()
    }

    /// Whether the side to move has so much to move that zugzwang is unlikely.
    fn has_pieces(position: &Position<Self>) -> bool {
        let pieces = !position.by_role(Role::Pawn) & !position.by_role(Role::King);
        (position.colored(position.turn()) & pieces).has_any()
    }

    /// Whether a move wins at least `threshold` in the exchange that it begins.
    fn wins_at_least(position: &Position<Self>, mv: Move, threshold: Value) -> bool {
        see_at_least(position, mv, threshold)
    }

    /// What a move takes off the board, whatever comes after it.
    fn gain(position: &Position<Self>, mv: Move) -> Value {
        position.captured(mv).map_or(0, |role| Self::VALUES[role.index()])
    }

    /// The end of the game that is seen without generating moves.
    fn end(position: &Position<Self>) -> Option<GameEnd> {
        Self::variant_end(position)
    }

    /// A move that wins the game at once by the variant's own rule, if it is found easily.
    fn winning_move(position: &Position<Self>) -> Option<Move> {
        let _ = position;
        None
    }
}
