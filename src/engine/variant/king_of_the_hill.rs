//! King of the Hill: chess in which a king near the centre is a threat.

use super::Play;
use crate::chess::{Bitboard, Color, KingOfTheHill, Move, Position, attacks};
use crate::engine::eval::{Taper, distance, t};

/// d4, e4, d5 and e5.
const HILL: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// By the king's steps to the hill.
const NEARNESS: [Taper; 5] = [t(0, 0), t(130, 240), t(60, 110), t(10, 30), t(0, 0)];

impl Play for KingOfTheHill {
    const ENDINGS: bool = false;

    fn bonus(position: &Position<Self>, us: Color) -> Taper {
        let king = position.king(us);
        let steps = HILL.into_iter().map(|square| distance(king, square)).min().unwrap_or(0);
        NEARNESS.get(steps as usize).copied().unwrap_or_default()
    }

    fn winning_move(position: &Position<Self>) -> Option<Move> {
        let king = position.king(position.turn());
        let steps = (attacks::king(king) & HILL).into_iter().map(|to| Move::plain(king, to));
        steps.into_iter().find(|&mv| position.is_legal(mv))
    }
}
