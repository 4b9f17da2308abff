//! Iterative deepening: depth after depth with a narrow window round the last value, until the time is better spent
//! on the next move.

use super::memory::Memory;
use super::searcher::{Searcher, Task, Window};
use crate::chess::{Move, with_rules};
use crate::engine::limits::{Bound, SearchInfo};
use crate::engine::params;
use crate::engine::score::{INFINITE, MATE, MAX_PLY, Score, Value, is_mate};
use crate::engine::variant::Play;

/// What a thread does in a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// It decides when the search ends, and its move counts.
    Lead,
    /// It fills the table; the number makes it differ from other helpers.
    Help(usize),
}

/// Where a search ended.
#[derive(Clone, Debug)]
pub(crate) struct Finished {
    /// Of the last finished iteration; 0 if there was none.
    pub(crate) depth: u32,
    /// Of the last finished iteration.
    pub(crate) score: Score,
    /// Begins with the best move; empty only without legal moves.
    pub(crate) line: Vec<Move>,
}

/// How the best move fared from iteration to iteration.
struct Judge {
    best: Option<Move>,
    /// Iterations since it became the best.
    stable: u32,
    average: Value,
}

/// Searches a task deeper and deeper, by the rules of its game. `on_iteration` gets the best lines after each finished
/// iteration.
pub(crate) fn deepen(
    task: &Task<'_>,
    memory: &mut Memory,
    part: Part,
    on_iteration: &mut dyn FnMut(&[SearchInfo]),
) -> Finished {
    with_rules!(task.history.position(), root => Searcher::new(root, task, memory).deepen(part, on_iteration))
}

impl<R: Play> Searcher<'_, R> {
    fn deepen(&mut self, part: Part, on_iteration: &mut dyn FnMut(&[SearchInfo])) -> Finished {
        let mut finished = Finished { depth: 0, score: Score::DRAW, line: Vec::new() };
        let mut judge = Judge { best: None, stable: 0, average: 0 };
        let lines = self.task.multipv.clamp(1, self.root_moves.len().max(1));
        for depth in 1..MAX_PLY as i32 {
            if self.root_moves.is_empty() || depth as u64 > self.control().depth() {
                break;
            }
            if skips(part, depth) {
                continue;
            }
            self.root_depth = depth;
            for root_move in &mut self.root_moves {
                root_move.previous = root_move.score;
            }
            for line in 0..lines {
                self.selective_depth = 0;
                self.aspire(depth, line);
                if self.aborted {
                    break;
                }
                self.sort_root_lines(line);
            }
            if self.aborted {
                break;
            }
            finished.depth = depth as u32;
            finished.score = Score::from_value(self.root_moves[0].score);
            self.report_nodes();
            on_iteration(&self.infos(depth, lines));
            if part == Part::Lead && self.is_enough(depth, &mut judge) {
                break;
            }
        }
        self.report_nodes();
        if let Some(best) = self.root_moves.first() {
            finished.line.clone_from(&best.line);
        }
        finished
    }

    /// Searches the root with a window round the last value that widens until the value lies inside.
    fn aspire(&mut self, depth: i32, line: usize) {
        let last = self.root_moves[line].previous;
        let mut delta = params::aspiration();
        let mut window = Window { alpha: -INFINITE, beta: INFINITE };
        if depth >= params::aspiration_depth() && !is_mate(last) {
            delta += last * last / params::aspiration_divisor();
            window = Window { alpha: last - delta, beta: last + delta };
        }
        let mut reduction = 0;
        loop {
            let value = self.search_root(window, (depth - reduction).max(1), line);
            if self.aborted {
                return;
            }
            if value <= window.alpha && window.alpha > -INFINITE {
                window.beta = (window.alpha + window.beta) / 2;
                window.alpha = (value - delta).max(-INFINITE);
                reduction = 0;
            } else if value >= window.beta && window.beta < INFINITE {
                window.beta = (value + delta).min(INFINITE);
                reduction = (reduction + 1).min(params::aspiration_reduction());
            } else {
                return;
            }
            delta += delta * params::aspiration_growth() / 1000;
            if delta > params::aspiration_limit() || is_mate(value) {
                window = Window { alpha: -INFINITE, beta: INFINITE };
            }
        }
    }

    /// Of several lines a later one may turn out better than an earlier one.
    fn sort_root_lines(&mut self, last: usize) {
        self.root_moves[..=last].sort_by_key(|root_move| -root_move.score);
    }

    fn infos(&self, depth: i32, lines: usize) -> Vec<SearchInfo> {
        let control = self.control();
        let (elapsed, hashfull) = (control.elapsed(), self.task.table.hashfull());
        let info = |(i, root_move): (usize, &super::root::RootMove)| SearchInfo {
            depth: depth as u32,
            seldepth: root_move.selective_depth as u32,
            multipv: i + 1,
            score: Score::from_value(root_move.score),
            bound: Bound::Exact,
            nodes: control.visited(),
            elapsed,
            hashfull,
            pv: root_move.line.clone(),
        };
        self.root_moves.iter().take(lines).enumerate().map(info).collect()
    }

    /// Whether the search may end after this iteration.
    fn is_enough(&mut self, depth: i32, judge: &mut Judge) -> bool {
        let control = self.control();
        let best = &self.root_moves[0];
        let mate_plies = (is_mate(best.score)).then(|| MATE - best.score.abs());
        if let (Some(moves), Some(plies)) = (control.mate(), mate_plies)
            && best.score > 0
            && (plies as u64).div_ceil(2) <= moves
        {
            return true;
        }
        let scale = judge.scale(best.mv, best.score, best.nodes * 1000 / self.nodes.max(1));
        if control.is_clock_only() {
            if self.root_moves.len() == 1 && depth >= params::only_move_depth() {
                return true;
            }
            if mate_plies.is_some_and(|plies| depth > plies + params::mate_extra_depth()) {
                return true;
            }
        }
        control.is_spent(if depth < params::judge_depth() { 1000 } else { scale })
    }
}

impl Judge {
    /// The thousandths of a normal thought that the position deserves. `share` is the part of the nodes spent on the
    /// best move, in thousandths: a small one means that others were hard to refute.
    fn scale(&mut self, best: Move, score: Value, share: u64) -> u32 {
        self.stable = if self.best == Some(best) { (self.stable + 1).min(10) } else { 0 };
        self.best = Some(best);
        let drop =
            if is_mate(score) { 0 } else { (self.average - score).clamp(-20, params::time_drop_max()) };
        self.average = if is_mate(score) { self.average } else { (self.average + score) / 2 };
        let by_nodes = params::time_nodes() - share.min(1000) as i64 * params::time_nodes_share() / 1000;
        let by_stability = params::time_stability() - i64::from(self.stable) * params::time_stability_step();
        let by_drop = 1000 + i64::from(drop) * params::time_drop();
        let scale = by_nodes * by_stability / 1000 * by_drop / 1000;
        u32::try_from(scale.clamp(params::time_least(), params::time_most())).unwrap_or(1000)
    }
}

/// Helpers skip depths in different patterns, so that they are not all at the same place.
fn skips(part: Part, depth: i32) -> bool {
    match part {
        Part::Lead => false,
        Part::Help(number) => depth > 1 && (depth as usize + number).is_multiple_of(2 + number % 3),
    }
}
