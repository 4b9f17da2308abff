//! What the histories learn from a refutation, from the table's word for one, and from a node where nothing helped.

use super::history::Context;
use super::memory::PieceTo;
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

/// What a move gains that refuted a node of `depth`.
fn bonus(depth: i32) -> i32 {
    (params::history_bonus() * depth - params::history_bonus_base()).min(params::history_bonus_max())
}

impl<R: Play> Searcher<'_, R> {
    /// The table's move refutes the node once more.
    pub(super) fn confirm(&mut self, position: &Position<R>, mv: Move, depth: i32, ply: usize) {
        if !is_noisy(position, mv) {
            let context = Context::new(position, self.memory.before(ply));
            self.memory.histories.add_quiet(
                position,
                mv,
                context,
                bonus(depth) * params::history_confirmed() / 1000,
            );
        }
    }

    /// Nothing helps against the quiet move that led here: it gains.
    pub(super) fn learn_from_failure(&mut self, known: &Known) {
        if known.ply == 0 {
            return;
        }
        let last = *self.memory.earlier(known.ply, 1);
        if last.quiet && last.made != PieceTo::NONE {
            let before = self.memory.before(known.ply - 1);
            self.memory.histories.add_follow(
                last.made,
                before,
                bonus(known.depth) * params::history_unrefuted() / 1000,
            );
        }
    }

    /// A move refuted the node: it gains, those tried before it lose.
    pub(super) fn learn(&mut self, position: &Position<R>, known: &Known, mv: Move, found: &Found) {
        let bonus = bonus(known.depth);
        let context = found.context;
        let histories = &mut self.memory.histories;
        if is_noisy(position, mv) {
            histories.add_capture(position, mv, bonus);
        } else {
            // A first move that refutes at low depth teaches nothing about the others.
            if known.depth > 3 || found.quiets.count > 0 {
                histories.add_quiet(position, mv, context, bonus);
            }
            for tried in found.quiets.iter() {
                histories.add_quiet(position, tried, context, -bonus);
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
