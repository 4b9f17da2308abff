//! Antichess: captures are compulsory and pieces a burden, so that nothing that chess knows of material holds.

use super::Play;
use crate::chess::{Antichess, Color, GameEnd, Move, Position, Rules as _};
use crate::engine::eval::{Evaluator, for_the_mover, plain};
use crate::engine::score::Value;

/// What a piece costs its owner on a full board, by role. Like the mobility chosen by matches at 2000 positions a move.
const BURDEN: [Value; 6] = [200, 180, 180, 200, 220, 120];

/// Centipawns for each square that a piece can go to: who has a choice is not led.
const MOBILITY: Value = 1;

/// Pieces on a full board.
const FULL: Value = 32;

impl Play for Antichess {
    const VALUES: [Value; 6] = [0; 6];
    const PRUNES: bool = false;
    const PASSES: bool = false;
    const ENDINGS: bool = false;

    /// The burden weighs less as the board empties: with few pieces left it is choice that counts.
    fn evaluate(position: &Position<Self>, _: &mut Evaluator, _: usize) -> Value {
        let side = |us: Color| {
            let burden = plain::material(position, us, &BURDEN) * position.occupied().count() as Value / FULL;
            MOBILITY * plain::mobility(position, us) - burden
        };
        for_the_mover(position, side(Color::White) - side(Color::Black))
    }

    /// A capture must be made.
    fn is_forced(position: &Position<Self>) -> bool {
        position.legal_captures().first().is_some_and(|&mv| position.is_capture(mv))
    }

    /// Exchanges are not counted: who takes is as often the loser.
    fn wins_at_least(_: &Position<Self>, _: Move, threshold: Value) -> bool {
        threshold <= 0
    }

    fn end(position: &Position<Self>) -> Option<GameEnd> {
        Self::variant_end(position)
            .or_else(|| (!position.has_legal_move()).then(|| Self::without_moves(position)))
    }
}
