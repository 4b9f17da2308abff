//! Alpha-beta at an inner node: what the table knows, whether the node can be cut without a look at its moves, and
//! the loop over the moves.

use super::history::Context;
use super::learn::Tried;
use super::memory::PieceTo;
use super::picker::{Picker, is_noisy};
use super::searcher::{Searcher, Window, clock, value_of};
use crate::chess::{Move, Position};
use crate::engine::params;
use crate::engine::score::{INFINITE, MATE, MATE_BOUND, MAX_PLY, NONE, Value, is_mate, mated_at};
use crate::engine::tt::{Entry, Kind, value_from, value_to};
use crate::engine::variant::Play;

/// What is known of a node before its moves are looked at.
pub(super) struct Known {
    pub(super) depth: i32,
    pub(super) ply: usize,
    /// The node is expected to fail high.
    pub(super) cut: bool,
    pub(super) entry: Option<Entry>,
    /// The table's move, if it is legal here.
    pub(super) table_move: Option<Move>,
    /// The evaluation as it came from the board.
    pub(super) raw: Value,
    /// Corrected by what was learnt; `NONE` when forced.
    pub(super) eval: Value,
    /// The best guess: the evaluation, or the table's value where that is sharper.
    pub(super) guess: Value,
    /// Better than two plies ago.
    pub(super) improving: bool,
    /// The side to move must react, as to a check: see [`Play::is_forced`].
    pub(super) forced: bool,
    /// On a principal variation now or in an earlier search.
    pub(super) pv: bool,
}

/// One move of the loop.
pub(super) struct Trial {
    pub(super) mv: Move,
    pub(super) noisy: bool,
    /// What the histories think of it.
    pub(super) history: i32,
    /// Its number, from 1.
    pub(super) number: usize,
    pub(super) check: bool,
    pub(super) extension: i32,
}

/// What the loop has found so far.
pub(super) struct Found {
    pub(super) best: Value,
    pub(super) mv: Option<Move>,
    pub(super) number: usize,
    pub(super) quiets: Tried,
    pub(super) captures: Tried,
    /// Of the quiet moves.
    pub(super) context: Context,
}

impl<R: Play> Searcher<'_, R> {
    /// The value of a position, searched to `depth`.
    pub(super) fn node<const PV: bool>(
        &mut self,
        position: &Position<R>,
        mut window: Window,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Value {
        if PV {
            self.memory.lines[ply].clear();
        }
        if depth <= 0 {
            return self.quiescence::<PV>(position, window, ply);
        }
        if self.enter(ply) {
            return 0;
        }
        if let Some(value) = self.settled::<PV>(position, ply) {
            return value;
        }
        if window.alpha < 0 && self.can_repeat(position) {
            // The side to move need not lose.
            window.alpha = self.draw();
            if window.alpha >= window.beta {
                return window.alpha;
            }
        }
        if ply >= MAX_PLY - 1 {
            return if R::is_forced(position) { 0 } else { self.evaluate(position, ply) };
        }
        // A mate found nearer to the root makes this node irrelevant.
        window.alpha = window.alpha.max(mated_at(ply));
        window.beta = window.beta.min(MATE - ply as Value - 1);
        if window.alpha >= window.beta {
            return window.alpha;
        }
        let depth = depth.min(MAX_PLY as i32 - 1);
        let mut known = match self.look_up::<PV>(position, window, depth, ply, cut) {
            Ok(known) => known,
            Err(value) => return value,
        };
        self.memory.frame(ply).eval = known.eval;
        self.memory.frame(ply + 1).killers = [None; 2];
        self.memory.frame(ply + 2).cutoffs = 0;
        let excluded = self.memory.frame(ply).excluded.is_some();
        if R::PRUNES
            && !PV
            && !known.forced
            && !excluded
            && let Some(value) = self.prune(position, window, &known)
        {
            return value;
        }
        // Without a move to begin with a deep search is a shot in the dark: one ply less finds one.
        if (PV || cut) && known.depth >= params::iir_depth() && known.table_move.is_none() && !excluded {
            known.depth -= 1;
        }
        let arena = self.memory.arena.len();
        let value = self.moves::<PV>(position, window, &known);
        self.memory.arena.truncate(arena);
        value
    }

    /// Asks the table, and evaluates the position; `Err` is a value that ends the node.
    fn look_up<const PV: bool>(
        &mut self,
        position: &Position<R>,
        window: Window,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Result<Known, Value> {
        let excluded = self.memory.frame(ply).excluded.is_some();
        let clock = clock(position);
        let mut entry = if excluded { None } else { self.recall(position) };
        if let Some(entry) = &mut entry {
            entry.value = value_from(entry.value, ply, clock);
            let deep =
                entry.depth >= depth + i32::from(entry.value >= window.beta && entry.kind != Kind::Exact);
            if !PV && deep && clock < params::table_cut_clock() && decides(entry, window) {
                let (value, mv) = (entry.value, entry.mv);
                if let Some(mv) = mv.filter(|&mv| value >= window.beta && position.is_legal(mv)) {
                    self.confirm(position, mv, depth, ply);
                }
                return Err(value);
            }
        }
        let table_move = entry.and_then(|entry| entry.mv).filter(|&mv| position.is_legal(mv));
        let pv = PV || entry.is_some_and(|entry| entry.pv);
        let forced = R::is_forced(position);
        let mut known = Known {
            depth,
            ply,
            cut,
            entry,
            table_move,
            raw: NONE,
            eval: NONE,
            guess: NONE,
            improving: false,
            forced,
            pv,
        };
        if !forced {
            self.assess(position, &mut known, excluded);
        }
        Ok(known)
    }

    fn assess(&mut self, position: &Position<R>, known: &mut Known, excluded: bool) {
        let ply = known.ply;
        if excluded {
            // The same position was assessed just before a move was left out.
            known.eval = self.memory.frame(ply).eval;
            known.raw = known.eval;
            known.guess = known.eval;
        } else {
            known.raw = match known.entry {
                Some(entry) if entry.eval != NONE => entry.eval,
                _ => self.evaluate(position, ply),
            };
            if known.entry.is_none() {
                self.store(position, known, Entry { pv: known.pv, ..Entry::only_eval(known.raw) });
            }
            known.eval = self.memory.histories.corrected(position, self.memory.before(ply), known.raw);
            known.guess = known.eval;
            if let Some(entry) = known.entry.filter(|entry| sharper(entry, known.eval)) {
                known.guess = entry.value;
            }
        }
        let earlier = match self.memory.earlier(ply, 2).eval {
            NONE => self.memory.earlier(ply, 4).eval,
            eval => eval,
        };
        known.improving = earlier != NONE && known.eval > earlier;
    }

    fn store(&self, position: &Position<R>, known: &Known, entry: Entry) {
        let value = value_to(entry.value, known.ply);
        self.remember(position, Entry { value, ..entry });
    }

    /// Searches the moves; returns the best value and teaches the histories.
    fn moves<const PV: bool>(&mut self, position: &Position<R>, mut window: Window, known: &Known) -> Value {
        let ply = known.ply;
        let frame = *self.memory.frame(ply);
        let context = Context::new(position, self.memory.before(ply));
        let mut picker = Picker::all(known.table_move, frame.killers, context, &self.memory.arena);
        let mut found = Found {
            best: -INFINITE,
            mv: None,
            number: 0,
            quiets: Tried::NONE,
            captures: Tried::NONE,
            context,
        };
        let old_alpha = window.alpha;
        while let Some(mv) = picker.next(position, &self.memory.histories, &mut self.memory.arena) {
            if frame.excluded == Some(mv) {
                continue;
            }
            found.number += 1;
            let noisy = is_noisy(position, mv);
            let history = if noisy {
                self.memory.histories.capture(position, mv)
            } else {
                self.memory.histories.quiet(position, mv, context)
            };
            let mut trial = Trial { mv, noisy, history, number: found.number, check: false, extension: 0 };
            if R::PRUNES
                && found.best > -MATE_BOUND
                && window.alpha < MATE_BOUND
                && self.skips(position, window, known, &trial, &mut picker)
            {
                continue;
            }
            match self.extension(position, window, known, mv) {
                Ok(extension) => trial.extension = extension,
                Err(value) => return value,
            }
            let value = self.try_move::<PV>(position, window, known, &mut trial, found.best);
            if self.aborted {
                return 0;
            }
            if value > found.best {
                found.best = value;
                if value > window.alpha {
                    found.mv = Some(mv);
                    if PV {
                        self.memory.set_line(ply, mv);
                    }
                    if value >= window.beta {
                        self.memory.frame(ply).cutoffs += 1;
                        break;
                    }
                    window.alpha = value;
                }
            }
            if found.mv != Some(mv) {
                if noisy { found.captures.push(mv) } else { found.quiets.push(mv) }
            }
        }
        self.conclude(position, Window { alpha: old_alpha, ..window }, known, &found)
    }

    /// Whether a move is so unlikely to matter that it is not searched. At least one move was before it.
    fn skips(
        &self,
        position: &Position<R>,
        window: Window,
        known: &Known,
        trial: &Trial,
        picker: &mut Picker,
    ) -> bool {
        if !R::has_pieces(position) {
            return false;
        }
        let depth = known.depth;
        let reduced = (depth - self.memory.reduction(depth, trial.number) / 1024).max(0);
        if trial.noisy {
            let margin = params::see_noisy() * depth + trial.history / params::see_history();
            return picker.is_at_bad_captures() && !R::wins_at_least(position, trial.mv, -margin.max(0));
        }
        let late = (params::lmp_base() + depth * depth) / (2 - i32::from(known.improving));
        if trial.number as i32 >= late {
            picker.skip_quiets = true;
        }
        if reduced <= params::history_prune_depth() && trial.history < -params::history_prune() * depth {
            picker.skip_quiets = true;
            return true;
        }
        let margin = params::futility_base()
            + params::futility() * reduced
            + trial.history / params::futility_history();
        if !known.forced
            && reduced <= params::futility_depth()
            && known.eval + R::SWING * margin <= window.alpha
        {
            picker.skip_quiets = true;
            return true;
        }
        !R::wins_at_least(position, trial.mv, -params::see_quiet() * reduced * reduced)
    }

    /// How much deeper the table's move is searched when all others are clearly worse; `Err` is a value that ends
    /// the node, since more than one move beats beta.
    fn extension(
        &mut self,
        position: &Position<R>,
        window: Window,
        known: &Known,
        mv: Move,
    ) -> Result<i32, Value> {
        let Some(entry) = known.entry.filter(|_| known.table_move == Some(mv)) else { return Ok(0) };
        let ply = known.ply;
        if known.depth < params::singular_depth()
            || ply as i32 >= 2 * self.root_depth
            || entry.depth < known.depth - params::singular_entry()
            || !matches!(entry.kind, Kind::Lower | Kind::Exact)
            || is_mate(entry.value)
        {
            return Ok(0);
        }
        let pv = window.beta - window.alpha > 1;
        let margin = known.depth
            * (params::singular_margin() + i32::from(known.pv && !pv) * params::singular_margin())
            / 16;
        let bar = entry.value - margin;
        self.memory.frame(ply).excluded = Some(mv);
        let value =
            self.node::<false>(position, Window::zero(bar - 1), (known.depth - 1) / 2, ply, known.cut);
        self.memory.frame(ply).excluded = None;
        if self.aborted {
            return Err(0);
        }
        if value < bar {
            let doubles = self.memory.frame(ply).double_extensions;
            let double =
                !pv && value < bar - params::double_margin() && doubles < params::double_extensions();
            return Ok(1 + i32::from(double));
        }
        if bar >= window.beta && !is_mate(bar) {
            return Err(bar);
        }
        Ok(if entry.value >= window.beta {
            -2
        } else if known.cut {
            -1
        } else {
            0
        })
    }

    /// Searches one move: at first with a zero window and reduced, deeper and wider only if it turns out well.
    pub(super) fn try_move<const PV: bool>(
        &mut self,
        position: &Position<R>,
        window: Window,
        known: &Known,
        trial: &mut Trial,
        best: Value,
    ) -> Value {
        let ply = known.ply;
        self.foresee(position, trial.mv);
        let mut child = position.clone();
        child.play(trial.mv);
        trial.check = R::is_forced(&child);
        let doubles = self.memory.frame(ply).double_extensions + u32::from(trial.extension >= 2);
        self.memory.frame(ply).made = PieceTo::of(position, trial.mv);
        self.memory.frame(ply).quiet = !trial.noisy;
        self.memory.frame(ply + 1).double_extensions = doubles;
        self.push(&child);
        let mut depth = known.depth - 1 + trial.extension;
        let null = Window::zero(window.alpha).turned();
        let mut value = INFINITE;
        if known.depth >= 2 && trial.number > 1 + usize::from(PV) {
            let reduced =
                (depth - self.reduction(known, trial, PV)).clamp(1.min(depth), depth.max(1) + i32::from(PV));
            value = -self.node::<false>(&child, null, reduced, ply + 1, true);
            if value > window.alpha && reduced < depth && !self.aborted {
                depth += i32::from(value > best + params::deeper_margin() + 2 * depth);
                depth -= i32::from(value < best + params::shallower_margin());
                if reduced < depth {
                    value = -self.node::<false>(&child, null, depth, ply + 1, !known.cut);
                }
            }
        } else if !PV || trial.number > 1 {
            value = -self.node::<false>(&child, null, depth, ply + 1, !known.cut);
        }
        if PV && !self.aborted && (trial.number == 1 || value > window.alpha) {
            value = -self.node::<true>(&child, window.turned(), depth, ply + 1, false);
        }
        self.pop();
        value
    }

    /// Plies that a late move is searched less deep; may be negative.
    fn reduction(&mut self, known: &Known, trial: &Trial, pv: bool) -> i32 {
        let mut plies = self.memory.reduction(known.depth, trial.number);
        plies -= trial.history * 1024 / params::lmr_history();
        if trial.noisy {
            plies -= params::lmr_noisy();
        }
        if known.cut {
            plies += params::lmr_cut();
        }
        if known.pv {
            plies -= params::lmr_was_pv();
        }
        if pv {
            plies -= params::lmr_pv();
        }
        if !known.improving {
            plies += params::lmr_not_improving();
        }
        if trial.check {
            plies -= params::lmr_check();
        }
        if self.memory.frame(known.ply).killers.contains(&Some(trial.mv)) {
            plies -= params::lmr_killer();
        }
        if self.memory.frame(known.ply + 1).cutoffs >= params::lmr_cutoffs_from() {
            plies += params::lmr_cutoffs();
        }
        plies / 1024
    }

    /// Stores what was found and teaches the histories.
    fn conclude(&mut self, position: &Position<R>, window: Window, known: &Known, found: &Found) -> Value {
        let frame = *self.memory.frame(known.ply);
        if found.number == 0 {
            if frame.excluded.is_some() {
                return window.alpha;
            }
            return value_of(R::without_moves(position), position.turn(), known.ply);
        }
        match found.mv.filter(|_| found.best >= window.beta) {
            Some(mv) => self.learn(position, known, mv, found),
            None if found.best <= window.alpha => self.learn_from_failure(known),
            None => {}
        }
        if frame.excluded.is_some() {
            return found.best;
        }
        let kind = match () {
            () if found.best >= window.beta => Kind::Lower,
            () if found.best > window.alpha => Kind::Exact,
            () => Kind::Upper,
        };
        let entry = Entry {
            mv: found.mv,
            value: found.best,
            eval: known.raw,
            depth: known.depth,
            kind,
            pv: known.pv,
        };
        self.store(position, known, entry);
        let quiet = found.mv.is_none_or(|mv| !is_noisy(position, mv));
        let one_sided = kind == Kind::Lower && found.best <= known.eval
            || kind == Kind::Upper && found.best >= known.eval;
        if !known.forced && quiet && !one_sided && !is_mate(found.best) {
            let before = self.memory.before(known.ply);
            self.memory.histories.correct(position, before, found.best - known.eval, known.depth);
        }
        found.best
    }
}

/// Whether the entry's value is good enough to answer for the window.
pub(super) fn decides(entry: &Entry, window: Window) -> bool {
    match entry.kind {
        Kind::None => false,
        Kind::Exact => true,
        Kind::Lower => entry.value >= window.beta,
        Kind::Upper => entry.value <= window.alpha,
    }
}

/// Whether the entry's value says more about the position than its evaluation.
pub(super) fn sharper(entry: &Entry, eval: Value) -> bool {
    match entry.kind {
        Kind::None => false,
        Kind::Exact => true,
        Kind::Lower => entry.value > eval,
        Kind::Upper => entry.value < eval,
    }
}
