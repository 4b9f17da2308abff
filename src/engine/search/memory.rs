//! The memory of one search thread: kept between searches, on the heap, as large as the deepest line needs.

use super::history::Histories;
use super::picker::Scored;
use crate::chess::{Move, Position, Rules};
use crate::engine::eval::{Evaluation, Evaluator};
use crate::engine::params;
use crate::engine::score::{MAX_PLY, NONE, Value};

/// A piece and the square it goes to, or "no move".
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct PieceTo(u16);

impl PieceTo {
    pub(crate) const NONE: PieceTo = PieceTo(12 * 64);

    pub(crate) fn of<R: Rules>(position: &Position<R>, mv: Move) -> PieceTo {
        let piece = position.turn().index() * 6 + position.moved(mv).index();
        PieceTo((piece * 64 + mv.destination().index()) as u16)
    }

    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// What the search knows at one ply of the current line.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    /// The static evaluation, corrected; `NONE` in check.
    pub(crate) eval: Value,
    /// The move made here.
    pub(crate) made: PieceTo,
    /// It was neither a capture nor a new queen.
    pub(crate) quiet: bool,
    /// Quiet moves that refuted a sibling.
    pub(crate) killers: [Option<Move>; 2],
    /// Left out, to see how good the others are.
    pub(crate) excluded: Option<Move>,
    /// How often the nodes at this ply failed high since their parent began.
    pub(crate) cutoffs: u32,
    /// Double extensions on the line to here.
    pub(crate) double_extensions: u32,
}

const EMPTY: Frame = Frame {
    eval: NONE,
    made: PieceTo::NONE,
    quiet: false,
    killers: [None; 2],
    excluded: None,
    cutoffs: 0,
    double_extensions: 0,
};

/// Frames before the root, so that looking back needs no bounds.
const BEFORE: usize = 4;

/// All that a search thread remembers.
pub(crate) struct Memory {
    pub(crate) histories: Histories,
    pub(crate) evaluator: Evaluator,
    frames: Box<[Frame]>,
    /// The moves of all nodes on the current line, one after the other.
    pub(crate) arena: Vec<Scored>,
    /// The best line from each ply.
    pub(crate) lines: Vec<Vec<Move>>,
    /// Reductions in 1024ths of a ply, by depth and number of the move.
    reductions: Box<[i32]>,
}

const REDUCTION_STEPS: usize = 64;

impl Memory {
    pub(crate) fn new(evaluation: &Evaluation) -> Memory {
        Memory {
            histories: Histories::new(),
            evaluator: Evaluator::new(evaluation),
            frames: vec![EMPTY; MAX_PLY + BEFORE + 2].into_boxed_slice(),
            arena: Vec::with_capacity(64 * MAX_PLY),
            lines: (0..MAX_PLY + 2).map(|_| Vec::with_capacity(MAX_PLY)).collect(),
            reductions: reductions(),
        }
    }

    /// Forgets what was learnt.
    pub(crate) fn clear(&mut self) {
        self.histories.clear();
    }

    /// Makes ready for a new search from a new root.
    pub(crate) fn begin(&mut self) {
        self.frames.fill(EMPTY);
        self.arena.clear();
        for line in &mut self.lines {
            line.clear();
        }
    }

    pub(crate) fn frame(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply + BEFORE]
    }

    /// The frame `back` plies before `ply`; before the root all are empty.
    pub(crate) fn earlier(&self, ply: usize, back: usize) -> &Frame {
        &self.frames[ply + BEFORE - back]
    }

    /// The moves one, two and four plies ago.
    pub(crate) fn before(&self, ply: usize) -> [PieceTo; 3] {
        [1, 2, 4].map(|back| self.earlier(ply, back).made)
    }

    /// The line from `ply` is `mv` and what follows it.
    pub(crate) fn set_line(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        upper[ply].clear();
        upper[ply].push(mv);
        upper[ply].extend_from_slice(&lower[0]);
    }

    pub(crate) fn reduction(&self, depth: i32, moves: usize) -> i32 {
        let depth = (depth.max(0) as usize).min(REDUCTION_STEPS - 1);
        self.reductions[depth * REDUCTION_STEPS + moves.min(REDUCTION_STEPS - 1)]
    }
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Memory")
    }
}

fn reductions() -> Box<[i32]> {
    let log = |n: usize| (n.max(1) as f64).ln();
    (0..REDUCTION_STEPS * REDUCTION_STEPS)
        .map(|i| {
            let (depth, moves) = (i / REDUCTION_STEPS, i % REDUCTION_STEPS);
            let plies = params::lmr_base() + log(depth) * log(moves) * params::lmr_factor();
            (1024.0 * plies) as i32
        })
        .collect()
}
