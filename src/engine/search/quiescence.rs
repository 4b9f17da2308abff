//! Quiescence: captures and promotions (all moves when in check) until the position is calm enough to be evaluated.

use super::history::Context;
use super::memory::PieceTo;
use super::node::{decides, sharper};
use super::picker::{Picker, is_noisy};
use super::searcher::{Searcher, Window, clock, value_of};
use crate::chess::{Move, Position};
use crate::engine::params;
use crate::engine::score::{INFINITE, MATE_BOUND, MAX_PLY, NONE, Value, is_mate};
use crate::engine::tt::{Entry, Kind, value_from, value_to};
use crate::engine::variant::Play;

impl<R: Play> Searcher<'_, R> {
    pub(super) fn quiescence<const PV: bool>(
        &mut self,
        position: &Position<R>,
        mut window: Window,
        ply: usize,
    ) -> Value {
        if PV {
            self.memory.lines[ply].clear();
        }
        if self.enter(ply) {
            return 0;
        }
        if let Some(value) = self.settled::<PV>(position, ply) {
            return value;
        }
        let forced = R::is_forced(position);
        if ply >= MAX_PLY - 1 {
            return if forced { 0 } else { self.evaluate(position, ply) };
        }
        let mut entry = self.recall(position);
        if let Some(entry) = &mut entry {
            let clock = clock(position);
            entry.value = value_from(entry.value, ply, clock);
            if !PV && clock < params::table_cut_clock() && decides(entry, window) {
                return entry.value;
            }
        }
        let (raw, best) = self.stand_pat(position, forced, entry, ply);
        if best >= window.beta {
            if entry.is_none() {
                let known = Entry { kind: Kind::Lower, value: value_to(best, ply), ..Entry::only_eval(raw) };
                self.remember(position, known);
            }
            return if is_mate(best) { best } else { (best + window.beta) / 2 };
        }
        let old_alpha = window.alpha;
        window.alpha = window.alpha.max(best);
        let arena = self.memory.arena.len();
        let table_move = entry.and_then(|entry| entry.mv).filter(|&mv| position.is_legal(mv));
        let (best, mv) = self.quiet_down::<PV>(position, window, ply, (best, table_move));
        self.memory.arena.truncate(arena);
        if self.aborted {
            return 0;
        }
        if best == -INFINITE {
            // Only when forced are all moves looked at, so that none means mate.
            return value_of(R::without_moves(position), position.turn(), ply);
        }
        let kind = match () {
            () if best >= window.beta => Kind::Lower,
            () if PV && best > old_alpha => Kind::Exact,
            () => Kind::Upper,
        };
        let pv = entry.is_some_and(|entry| entry.pv);
        let found = Entry { mv, value: value_to(best, ply), eval: raw, depth: 0, kind, pv };
        self.remember(position, found);
        best
    }

    /// The raw evaluation and what the side to move has for certain, since it need not capture.
    fn stand_pat(
        &mut self,
        position: &Position<R>,
        forced: bool,
        entry: Option<Entry>,
        ply: usize,
    ) -> (Value, Value) {
        if forced {
            return (NONE, -INFINITE);
        }
        let raw = match entry {
            Some(entry) if entry.eval != NONE => entry.eval,
            _ => self.evaluate(position, ply),
        };
        let eval = self.memory.histories.corrected(position, self.memory.before(ply), raw);
        match entry {
            Some(entry) if sharper(&entry, eval) && !is_mate(entry.value) => (raw, entry.value),
            _ => (raw, eval),
        }
    }

    /// Searches the captures, beginning with `best` and the table's move; returns the best value and its move.
    fn quiet_down<const PV: bool>(
        &mut self,
        position: &Position<R>,
        mut window: Window,
        ply: usize,
        (stand, table_move): (Value, Option<Move>),
    ) -> (Value, Option<Move>) {
        let forced = R::is_forced(position);
        let (mut best, mut best_move) = (stand, None);
        let mut picker = if forced {
            let context = Context::new(position, self.memory.before(ply));
            Picker::all(table_move, [None; 2], context, &self.memory.arena)
        } else {
            let table_move = table_move.filter(|&mv| is_noisy(position, mv));
            Picker::captures(table_move, 0, &self.memory.arena)
        };
        let mut number = 0;
        while let Some(mv) = picker.next(position, &self.memory.histories, &mut self.memory.arena) {
            number += 1;
            if best > -MATE_BOUND {
                if forced {
                    // One way out is enough to know that it is no mate; the other quiet ones rarely change more.
                    picker.skip_quiets = true;
                } else {
                    let hope = stand + R::SWING * params::delta_margin() + R::gain(position, mv);
                    if mv.promotion().is_none() && hope <= window.alpha && !R::wins_at_least(position, mv, 1)
                    {
                        best = best.max(hope);
                        continue;
                    }
                    if number > params::quiescence_moves()
                        && mv.promotion().is_none()
                        && hope <= window.alpha + params::late_capture_margin()
                    {
                        continue;
                    }
                }
            }
            self.foresee(position, mv);
            let mut child = position.clone();
            child.play(mv);
            self.memory.frame(ply).made = PieceTo::of(position, mv);
            self.memory.frame(ply).quiet = false;
            self.push(&child);
            let value = -self.quiescence::<PV>(&child, window.turned(), ply + 1);
            self.pop();
            if self.aborted {
                return (0, None);
            }
            if value > best {
                best = value;
                if value > window.alpha {
                    best_move = Some(mv);
                    if PV {
                        self.memory.set_line(ply, mv);
                    }
                    if value >= window.beta {
                        break;
                    }
                    window.alpha = value;
                }
            }
        }
        (best, best_move)
    }
}
