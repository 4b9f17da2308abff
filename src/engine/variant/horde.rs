//! Horde: White's pawns are an army; Black wins by taking them all, White by queening one and mating.

use super::Play;
use crate::chess::{Bitboard, Color, Horde, Position, Role};
use crate::engine::eval::{Evaluator, attacks_of, for_the_mover, plain};
use crate::engine::score::Value;

/// What the pieces are worth, by role: less than in chess, since against a wall of pawns they have few targets. Like the
/// other weights here chosen by matches at 2000 positions a move.
const MATERIAL: [Value; 6] = [100, 240, 240, 360, 620, 0];

/// What a pawn of the horde gains on the way, by rank.
const ADVANCE: [Value; 8] = [0, 0, 4, 10, 22, 50, 120, 0];

/// A pawn of the horde that another one guards.
const GUARDED: Value = 30;

/// Centipawns for each square that a piece can go to.
const MOBILITY: Value = 4;

impl Play for Horde {
    const VALUES: [Value; 6] = MATERIAL;
    const ENDINGS: bool = false;

    fn evaluate(position: &Position<Self>, _: &mut Evaluator, _: usize) -> Value {
        let pawns = position.pieces(Color::White, Role::Pawn);
        let guarded = pawns & attacks_of(pawns, Color::White);
        let advance = |rank: u8| (pawns & Bitboard::rank(rank)).count() as Value * ADVANCE[usize::from(rank)];
        let horde = (0..8).map(advance).sum::<Value>() + GUARDED * guarded.count() as Value;
        let side = |us| plain::material(position, us, &MATERIAL) + MOBILITY * plain::mobility(position, us);
        for_the_mover(position, horde + side(Color::White) - side(Color::Black))
    }
}
