//! Cutting a whole node without searching its moves: it is so good, or so bad, that a margin, a passed turn or a
//! shallow search decides it. Never in check, never on the principal variation, never with unproven mates.

use super::memory::PieceTo;
use super::node::Known;
use super::picker::Picker;
use super::searcher::{Searcher, Window};
use crate::chess::Position;
use crate::engine::params;
use crate::engine::score::{EVAL_LIMIT, Value, is_mate};
use crate::engine::tt::{Entry, Kind, value_to};
use crate::engine::variant::Play;

impl<R: Play> Searcher<'_, R> {
    pub(super) fn prune(&mut self, position: &Position<R>, window: Window, known: &Known) -> Option<Value> {
        let (depth, guess) = (known.depth, known.guess);
        // Reverse futility: so far above beta that the opponent's best answer leaves enough.
        let margin = params::rfp() * (depth - i32::from(known.improving)).max(0) + params::rfp_base();
        let margin = R::SWING * margin;
        if !known.pv
            && depth <= params::rfp_depth()
            && guess - margin >= window.beta
            && !is_mate(guess)
            && !is_mate(window.beta)
        {
            return Some((guess + params::rfp_blend() * window.beta) / (1 + params::rfp_blend()));
        }
        // Razoring: so far below alpha that only a capture could help, and quiescence tries those.
        if depth <= params::razor_depth()
            && guess + R::SWING * (params::razor_base() + params::razor() * depth * depth) < window.alpha
        {
            let value = self.quiescence::<false>(position, Window::zero(window.alpha), known.ply);
            if value <= window.alpha || self.aborted {
                return Some(value);
            }
        }
        self.null_move(position, window, known).or_else(|| self.probable_cut(position, window, known))
    }

    /// If the position holds beta although the turn is passed, it will hold it with a move.
    fn null_move(&mut self, position: &Position<R>, window: Window, known: &Known) -> Option<Value> {
        let (depth, ply, beta) = (known.depth, known.ply, window.beta);
        let hopeless = known.entry.is_some_and(|entry| entry.kind == Kind::Upper && entry.value < beta);
        if !R::PASSES
            || !known.cut
            || depth < 3
            || ply < self.null_from
            || !R::has_pieces(position)
            || self.memory.earlier(ply, 1).made == PieceTo::NONE
            || known.guess < beta
            || known.eval + params::null_eval() * depth < beta + params::null_eval_base()
            || hopeless
            || is_mate(beta)
        {
            return None;
        }
        let reduction = params::null_base()
            + depth / params::null_depth()
            + ((known.guess - beta) / params::null_divisor()).min(params::null_lead_max());
        let child = position.after_null();
        self.memory.frame(ply).made = PieceTo::NONE;
        self.memory.frame(ply + 1).double_extensions = self.memory.frame(ply).double_extensions;
        let floor = self.push_null(&child);
        let mut value = -self.node::<false>(
            &child,
            Window::zero(beta - 1).turned(),
            depth - reduction,
            ply + 1,
            !known.cut,
        );
        self.pop_null(floor);
        if self.aborted {
            return Some(0);
        }
        if value < beta {
            return None;
        }
        if is_mate(value) {
            value = beta;
        }
        if depth < params::null_verify_depth() || self.null_from > 0 {
            return Some(value);
        }
        // Zugzwang is the one case where passing is better than any move: look again without passing.
        self.null_from = ply + ((depth - reduction) * params::null_verify_share() / 1000).max(1) as usize;
        let verified = self.node::<false>(position, Window::zero(beta - 1), depth - reduction, ply, false);
        self.null_from = 0;
        if self.aborted {
            return Some(0);
        }
        (verified >= beta).then_some(value)
    }

    /// A good capture that beats beta by a margin in a shallow search will beat it in a deep one.
    fn probable_cut(&mut self, position: &Position<R>, window: Window, known: &Known) -> Option<Value> {
        let bar = window.beta
            + R::SWING
                * (params::probcut_margin() - params::probcut_improving() * i32::from(known.improving));
        let (depth, ply) = (known.depth, known.ply);
        if depth < params::probcut_depth() || is_mate(window.beta) || bar >= EVAL_LIMIT {
            return None;
        }
        if known.entry.is_some_and(|entry| {
            entry.kind != Kind::None && entry.depth > depth - params::probcut_reduction() && entry.value < bar
        }) {
            return None;
        }
        let table_move = known.table_move.filter(|&mv| super::picker::is_noisy(position, mv));
        let arena = self.memory.arena.len();
        let mut picker = Picker::captures(table_move, bar - known.eval, &self.memory.arena);
        let mut cut = None;
        while let Some(mv) = picker.next(position, &self.memory.histories, &mut self.memory.arena) {
            let mut child = position.clone();
            child.play(mv);
            self.memory.frame(ply).made = PieceTo::of(position, mv);
            self.memory.frame(ply).quiet = false;
            self.memory.frame(ply + 1).double_extensions = self.memory.frame(ply).double_extensions;
            self.push(&child);
            let turned = Window::zero(bar - 1).turned();
            let mut value = -self.quiescence::<false>(&child, turned, ply + 1);
            if value >= bar && !self.aborted {
                value = -self.node::<false>(
                    &child,
                    turned,
                    depth - params::probcut_reduction(),
                    ply + 1,
                    !known.cut,
                );
            }
            self.pop();
            if self.aborted {
                cut = Some(0);
                break;
            }
            if value >= bar {
                let entry = Entry {
                    mv: Some(mv),
                    value: value_to(value, ply),
                    eval: known.raw,
                    depth: depth - params::probcut_reduction() + 1,
                    kind: Kind::Lower,
                    pv: known.pv,
                };
                self.remember(position, entry);
                cut = Some(if is_mate(value) { value } else { value - (bar - window.beta) });
                break;
            }
        }
        self.memory.arena.truncate(arena);
        cut
    }
}
