//! Racing Kings: the way of the king is what counts, and pieces as far as they bar it.

use super::Play;
use crate::chess::{Bitboard, Color, Move, Position, RacingKings, Role, Rules as _, attacks};
use crate::engine::eval::{Evaluator, for_the_mover, plain};
use crate::engine::score::Value;

const GOAL: Bitboard = Bitboard::rank(7);

/// What the pieces are worth, by role.
const MATERIAL: [Value; 6] = [0, 190, 220, 340, 600, 0];

/// What the king has gained, by rank.
const RACE: [Value; 8] = [0, 50, 110, 190, 300, 450, 650, 1500];

/// For each square before the king that it can step on.
const FREE: Value = 30;

/// Centipawns for each square that a piece can go to.
const MOBILITY: Value = 3;

/// The right to move is half a step.
const TEMPO: Value = 40;

impl Play for RacingKings {
    const VALUES: [Value; 6] = [0, 190, 220, 340, 600, 0];
    const PASSES: bool = false;
    const ENDINGS: bool = false;
    const SWING: Value = 2;

    fn evaluate(position: &Position<Self>, _: &mut Evaluator, _: usize) -> Value {
        let tempo = if position.turn() == Color::White { TEMPO } else { -TEMPO };
        for_the_mover(position, side(position, Color::White) - side(position, Color::Black) + tempo)
    }

    /// White has arrived, and Black must draw level.
    fn is_forced(position: &Position<Self>) -> bool {
        (position.by_role(Role::King) & GOAL).has_any()
    }

    fn winning_move(position: &Position<Self>) -> Option<Move> {
        let us = position.turn();
        let king = position.king(us);
        let wins = |&mv: &Move| {
            position.is_legal(mv)
                && Self::variant_end(&position.after(mv)).is_some_and(|end| end.winner() == Some(us))
        };
        (attacks::king(king) & GOAL).into_iter().map(|to| Move::plain(king, to)).find(wins)
    }
}

fn side(position: &Position<RacingKings>, us: Color) -> Value {
    let king = position.king(us);
    let ahead = attacks::king(king) & Bitboard(!0 << (8 * (u32::from(king.rank()) + 1)).min(63));
    let is_free = |square| {
        let attackers = position.attackers(square, position.occupied() ^ king.into());
        (attackers & position.colored(!us)).is_empty()
    };
    let free = (ahead & !position.colored(us)).into_iter().filter(|&square| is_free(square)).count();
    plain::material(position, us, &MATERIAL)
        + MOBILITY * plain::mobility(position, us)
        + RACE[usize::from(king.rank())]
        + FREE * free as Value
}
