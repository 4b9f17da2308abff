//! Moves in the order in which they are worth trying, generated only as far as they are asked for:
//! the table's move, captures that do not lose material, quiet moves, captures that do.

use super::history::{Context, Histories};
use crate::chess::{Move, Position, Role, Rules};
use crate::engine::params::{capture_gain, killer_bonus};
use crate::engine::score::Value;
use crate::engine::variant::Play;

/// A move and how early it should be tried.
#[derive(Clone, Copy)]
pub(crate) struct Scored {
    mv: Move,
    score: i32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Table,
    GenerateCaptures,
    GoodCaptures,
    GenerateQuiets,
    Quiets,
    BadCaptures,
    Done,
}

/// Hands out the moves of one node. They lie in the thread's arena: bad captures first, then what is still to come.
pub(crate) struct Picker {
    stage: Stage,
    table_move: Option<Move>,
    killers: [Option<Move>; 2],
    context: Context,
    /// Captures below this are bad, in centipawns of the exchange.
    threshold: Value,
    /// Hand out no more quiet moves.
    pub(crate) skip_quiets: bool,
    /// Hand out no losing captures.
    skip_bad: bool,
    base: usize,
    bad_end: usize,
    next: usize,
}

/// Whether a legal move is one of [`Position::legal_captures`]: a capture or a new queen, but no lesser promotion.
pub(crate) fn is_noisy<R: Rules>(position: &Position<R>, mv: Move) -> bool {
    match mv.promotion() {
        Some(role) => role == Role::Queen,
        None => position.is_capture(mv),
    }
}

impl Picker {
    /// All moves. `table_move` must be legal.
    pub(crate) fn all(
        table_move: Option<Move>,
        killers: [Option<Move>; 2],
        context: Context,
        arena: &[Scored],
    ) -> Picker {
        let base = arena.len();
        Picker {
            stage: Stage::Table,
            table_move,
            killers,
            context,
            threshold: 0,
            skip_quiets: false,
            skip_bad: false,
            base,
            bad_end: base,
            next: base,
        }
    }

    /// Captures and queen promotions that win at least `threshold`.
    pub(crate) fn captures(table_move: Option<Move>, threshold: Value, arena: &[Scored]) -> Picker {
        Picker {
            threshold,
            skip_quiets: true,
            skip_bad: true,
            ..Picker::all(table_move, [None; 2], Context::NONE, arena)
        }
    }

    /// The next move, if there is one.
    pub(crate) fn next<R: Play>(
        &mut self,
        position: &Position<R>,
        histories: &Histories,
        arena: &mut Vec<Scored>,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::GenerateCaptures;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::GenerateCaptures => {
                    self.generate_captures(position, histories, arena);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.good_capture(position, arena) {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::GenerateQuiets,
                },
                Stage::GenerateQuiets => {
                    if !self.skip_quiets {
                        self.generate_quiets(position, histories, arena);
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => {
                    if !self.skip_quiets && self.next < arena.len() {
                        return Some(self.take_best(arena).mv);
                    }
                    self.next = self.base;
                    self.stage = if self.skip_bad { Stage::Done } else { Stage::BadCaptures };
                }
                Stage::BadCaptures => {
                    if self.next < self.bad_end {
                        self.next += 1;
                        return Some(arena[self.next - 1].mv);
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    /// Whether the moves handed out now are captures that lose material.
    pub(crate) fn is_at_bad_captures(&self) -> bool {
        self.stage == Stage::BadCaptures
    }

    fn generate_captures<R: Play>(
        &mut self,
        position: &Position<R>,
        histories: &Histories,
        arena: &mut Vec<Scored>,
    ) {
        for mv in &position.legal_captures() {
            if Some(mv) != self.table_move {
                let promoted = mv.promotion().map_or(0, |role| R::VALUES[role.index()]);
                let score =
                    capture_gain() * (R::gain(position, mv) + promoted) + histories.capture(position, mv);
                arena.push(Scored { mv, score });
            }
        }
    }

    fn good_capture<R: Play>(&mut self, position: &Position<R>, arena: &mut [Scored]) -> Option<Move> {
        while self.next < arena.len() {
            let scored = self.take_best(arena);
            if R::wins_at_least(position, scored.mv, self.threshold) {
                return Some(scored.mv);
            }
            arena[self.bad_end] = scored;
            self.bad_end += 1;
        }
        None
    }

    fn generate_quiets<R: Rules>(
        &mut self,
        position: &Position<R>,
        histories: &Histories,
        arena: &mut Vec<Scored>,
    ) {
        self.next = arena.len();
        for mv in &position.legal_quiets() {
            if Some(mv) == self.table_move {
                continue;
            }
            let mut score = histories.quiet(position, mv, self.context);
            if self.killers[0] == Some(mv) {
                score += 2 * killer_bonus();
            } else if self.killers[1] == Some(mv) {
                score += killer_bonus();
            }
            if mv.promotion().is_some() {
                // A new knight, bishop or rook is hardly ever right.
                score -= 2 * killer_bonus();
            }
            arena.push(Scored { mv, score });
        }
    }

    /// Takes the best of what is left; equals come in the order of generation, so that searches can be repeated.
    fn take_best(&mut self, arena: &mut [Scored]) -> Scored {
        let rest = &mut arena[self.next..];
        let mut best = 0;
        for (i, scored) in rest.iter().enumerate().skip(1) {
            if scored.score > rest[best].score {
                best = i;
            }
        }
        rest.swap(0, best);
        self.next += 1;
        rest[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves_of(position: &Position, mut picker: Picker) -> Vec<Move> {
        let histories = Histories::new();
        let mut arena = Vec::new();
        std::iter::from_fn(|| picker.next(position, &histories, &mut arena)).collect()
    }

    #[test]
    fn every_legal_move_comes_once() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let legal = position.legal_moves();
            for table_move in [None, legal.first().copied(), legal.last().copied()] {
                let picker = Picker::all(table_move, [legal.get(3).copied(), None], Context::NONE, &[]);
                let mut picked = moves_of(&position, picker);
                assert!(table_move.is_none() || picked.first() == table_move.as_ref());
                let mut expected = legal.to_vec();
                picked.sort_by_key(|mv| mv.raw());
                expected.sort_by_key(|mv| mv.raw());
                assert_eq!(picked, expected, "{fen}");
            }
        }
    }

    #[test]
    fn losing_captures_come_last_or_not_at_all() {
        let position = Position::from_fen("4k3/2p5/3p4/8/8/3R4/8/3QK2n w - - 0 1").unwrap();
        let all = moves_of(&position, Picker::all(None, [None; 2], Context::NONE, &[]));
        let losing = all.last().unwrap();
        assert_eq!(format!("{losing:?}"), "d3d6");
        let captures = moves_of(&position, Picker::captures(None, 0, &[]));
        assert!(!captures.contains(losing), "{captures:?}");
    }
}
