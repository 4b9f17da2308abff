//! What a refutation teaches the histories.

use super::node::{Found, Known};
use super::picker::is_noisy;
use super::searcher::Searcher;
use crate::chess::{Move, Position};
use crate::engine::params;
use crate::engine::variant::Play;

/// The first moves that were tried in vain; later ones are too many to learn from.
pub(super) struct Tried {
    moves: [Option<Move>; 32],
    count: usize,
}

impl Tried {
    pub(super) const NONE: Tried = Tried { moves: [None; 32], count: 0 };

    pub(super) fn push(&mut self, mv: Move) {
        if let Some(slot) = self.moves.get_mut(self.count) {
            *slot = Some(mv);
            self.count += 1;
        }
    }

    fn iter(&self) -> impl Iterator<Item = Move> {
        self.moves.into_iter().take(self.count).flatten()
    }
}

impl<R: Play> Searcher<'_, R> {
    /// A move refuted the node: it gains, those tried before it lose.
    pub(super) fn learn(&mut self, position: &Position<R>, known: &Known, mv: Move, found: &Found) {
        let bonus =
            (params::HISTORY_BONUS * known.depth - params::HISTORY_BONUS_BASE).min(params::HISTORY_BONUS_MAX);
        let before = self.memory.before(known.ply);
        let histories = &mut self.memory.histories;
        if is_noisy(position, mv) {
            histories.add_capture(position, mv, bonus);
        } else {
            // A first move that refutes at low depth teaches nothing about the others.
            if known.depth > 3 || found.quiets.count > 0 {
                histories.add_quiet(position, mv, before, bonus);
            }
            for tried in found.quiets.iter() {
                histories.add_quiet(position, tried, before, -bonus);
            }
            let killers = &mut self.memory.frame(known.ply).killers;
            if killers[0] != Some(mv) {
                *killers = [Some(mv), killers[0]];
            }
        }
        for tried in found.captures.iter() {
            self.memory.histories.add_capture(position, tried, -bonus);
        }
    }
}
