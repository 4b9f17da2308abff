//! The root: every move is searched, none is pruned, and the list of moves remembers how they did.

use super::history::Context;
use super::memory::PieceTo;
use super::node::{Known, Trial};
use super::picker::is_noisy;
use super::searcher::{Searcher, Window};
use crate::chess::Move;
use crate::engine::score::{INFINITE, NONE, Value};
use crate::engine::tt::{Entry, Kind, value_to};
use crate::engine::variant::Play;

/// A move at the root.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(super) mv: Move,
    /// From the running iteration; `-INFINITE` if it is not better than the best.
    pub(super) score: Value,
    /// From the last iteration.
    pub(super) previous: Value,
    /// Positions visited below it in the whole search.
    pub(super) nodes: u64,
    pub(super) selective_depth: usize,
    pub(super) line: Vec<Move>,
}

impl RootMove {
    pub(super) fn new(mv: Move) -> RootMove {
        RootMove { mv, score: -INFINITE, previous: -INFINITE, nodes: 0, selective_depth: 0, line: vec![mv] }
    }
}

impl<R: Play> Searcher<'_, R> {
    /// Searches the root moves from the one numbered `first` on, the earlier ones being better lines already found.
    ///
    /// Afterwards these moves are sorted, the best first. If the search is aborted they are sorted too, but only if
    /// the first of them was finished: then what beat it is known to be better, else nothing is known.
    pub(super) fn search_root(&mut self, mut window: Window, depth: i32, first: usize) -> Value {
        self.memory.arena.clear();
        self.memory.frame(0).killers = [None; 2];
        self.memory.frame(1).killers = [None; 2];
        self.memory.frame(2).cutoffs = 0;
        let known = self.know_root(depth, first);
        let old_alpha = window.alpha;
        let mut best = -INFINITE;
        for root_move in &mut self.root_moves[first..] {
            root_move.score = -INFINITE;
        }
        for i in first..self.root_moves.len() {
            let value = self.try_root_move(window, &known, i, i - first + 1, best);
            if self.aborted {
                if i > first {
                    self.sort_root(first);
                }
                return 0;
            }
            if i == first || value > window.alpha {
                let root_move = &mut self.root_moves[i];
                root_move.score = value;
                root_move.selective_depth = self.selective_depth;
                if value > window.alpha {
                    root_move.line.clear();
                    root_move.line.push(root_move.mv);
                    root_move.line.extend_from_slice(&self.memory.lines[1]);
                }
            }
            best = best.max(value);
            if best >= window.beta {
                break;
            }
            window.alpha = window.alpha.max(best);
        }
        self.sort_root(first);
        if first == 0 {
            self.store_root(&known, Window { alpha: old_alpha, ..window }, best);
        }
        best
    }

    /// Stable, so that moves about which nothing new is known keep their order.
    pub(super) fn sort_root(&mut self, first: usize) {
        self.root_moves[first..].sort_by_key(|root_move| -root_move.score);
    }

    fn know_root(&mut self, depth: i32, first: usize) -> Known {
        let position = self.root;
        let forced = R::is_forced(position);
        let raw = if forced { NONE } else { self.evaluate(position, 0) };
        let eval =
            if forced { NONE } else { self.memory.histories.corrected(position, self.memory.before(0), raw) };
        self.memory.frame(0).eval = eval;
        Known {
            depth,
            ply: 0,
            cut: false,
            entry: None,
            table_move: Some(self.root_moves[first].mv),
            raw,
            eval,
            guess: eval,
            improving: true,
            forced,
            pv: true,
        }
    }

    fn try_root_move(
        &mut self,
        window: Window,
        known: &Known,
        i: usize,
        number: usize,
        best: Value,
    ) -> Value {
        let position = self.root;
        let mv = self.root_moves[i].mv;
        let noisy = is_noisy(position, mv);
        let history = if noisy {
            self.memory.histories.capture(position, mv)
        } else {
            self.memory.histories.quiet(position, mv, Context::new(position, [PieceTo::NONE; 3]))
        };
        let mut trial = Trial { mv, noisy, history, number, check: false, extension: 0 };
        let nodes = self.nodes;
        let value = self.try_move::<true>(position, window, known, &mut trial, best);
        self.root_moves[i].nodes += self.nodes - nodes;
        value
    }

    fn store_root(&self, known: &Known, window: Window, best: Value) {
        let kind = match () {
            () if best >= window.beta => Kind::Lower,
            () if best > window.alpha => Kind::Exact,
            () => Kind::Upper,
        };
        let mv = self.root_moves.first().map(|root_move| root_move.mv).filter(|_| kind != Kind::Upper);
        let entry =
            Entry { mv, value: value_to(best, 0), eval: known.raw, depth: known.depth, kind, pv: true };
        // A search of some of the moves says nothing about the position as such.
        if self.root_moves.len() == self.root.legal_moves().len() {
            self.remember(self.root, entry);
        }
    }
}
