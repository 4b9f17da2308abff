//! One thread's search of one position: what it works with, when it looks up, and what counts as a draw.

use super::control::Control;
use super::memory::Memory;
use super::root::RootMove;
use crate::chess::{Color, GameEnd, History, Move, Position, Rules};
use crate::engine::score::{MATE, MAX_PLY, Value, mated_at};
use crate::engine::tt::{Entry, Table, clock_salt, salt};
use crate::engine::variant::Play;

/// The job that one or more threads work on.
pub(crate) struct Task<'a> {
    pub(crate) history: &'a History,
    /// The legal moves to choose from.
    pub(crate) root_moves: &'a [Move],
    pub(crate) multipv: usize,
    pub(crate) control: &'a Control,
    pub(crate) table: &'a Table,
    /// Whether this thread is wanted elsewhere.
    pub(crate) recalled: &'a dyn Fn() -> bool,
}

/// The values between which the true one matters.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) alpha: Value,
    pub(super) beta: Value,
}

impl Window {
    /// The window that only tells whether a value is above `alpha`.
    pub(super) fn zero(alpha: Value) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    /// The same window as the other side sees it.
    pub(super) fn turned(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

/// A search in progress on one thread.
pub(crate) struct Searcher<'a, R: Play> {
    pub(super) root: &'a Position<R>,
    pub(super) task: &'a Task<'a>,
    pub(super) memory: &'a mut Memory,
    pub(super) root_moves: Vec<RootMove>,
    /// Keys of the game and of the current line; the last is that of the current node.
    pub(super) keys: Vec<u64>,
    /// Where the root's key is.
    pub(super) root_key: usize,
    /// Positions before this index cannot be repeated: a null move came after them.
    pub(super) floor: usize,
    pub(super) nodes: u64,
    /// Nodes that the shared count already has.
    reported: u64,
    poll_at: u64,
    pub(super) aborted: bool,
    pub(super) root_depth: i32,
    pub(super) selective_depth: usize,
    /// No null move before this ply, while one is being verified.
    pub(super) null_from: usize,
}

impl<'a, R: Play> Searcher<'a, R> {
    /// A search from `root`, the position at the end of the task's game.
    pub(super) fn new(root: &'a Position<R>, task: &'a Task<'a>, memory: &'a mut Memory) -> Searcher<'a, R> {
        memory.begin();
        let mut keys = Vec::with_capacity(task.history.keys().len() + MAX_PLY + 2);
        keys.extend_from_slice(task.history.keys());
        Searcher {
            root,
            task,
            memory,
            root_moves: task.root_moves.iter().copied().map(RootMove::new).collect(),
            root_key: keys.len() - 1,
            keys,
            floor: 0,
            nodes: 0,
            reported: 0,
            poll_at: task.control.add_visited(0),
            aborted: false,
            root_depth: 0,
            selective_depth: 0,
            null_from: 0,
        }
    }

    pub(super) fn control(&self) -> &'a Control {
        self.task.control
    }

    /// Counts a node and looks up from time to time; returns whether the search is over.
    pub(super) fn enter(&mut self, ply: usize) -> bool {
        self.nodes += 1;
        #[cfg(test)]
        self.suffer();
        self.selective_depth = self.selective_depth.max(ply);
        if self.nodes >= self.poll_at {
            self.poll();
        }
        self.aborted
    }

    fn poll(&mut self) {
        #[cfg(test)]
        self.stumble();
        let more = self.control().add_visited(self.nodes - self.reported);
        self.reported = self.nodes;
        self.poll_at = self.nodes + more;
        self.aborted |= self.control().must_stop() || (self.task.recalled)();
    }

    /// Makes the shared node count complete.
    pub(super) fn report_nodes(&mut self) {
        self.control().add_visited(self.nodes - self.reported);
        self.reported = self.nodes;
    }

    /// Does what a test wants to see survived; without a message, since there may be hundreds.
    #[cfg(test)]
    fn suffer(&self) {
        use super::control::Fault;
        if matches!(self.control().fault, Some(Fault::Panic(nodes)) if self.nodes >= nodes) {
            std::panic::resume_unwind(Box::new("a test wants this search to fail"));
        }
    }

    /// The same where the clock and the stop flag are looked at.
    #[cfg(test)]
    fn stumble(&self) {
        use super::control::Fault;
        if let Some(Fault::Hang(nodes, time)) = self.control().fault
            && self.nodes >= nodes
        {
            std::thread::sleep(time);
        }
    }

    /// A move is about to be made, and the table asked about what it leads to.
    pub(super) fn foresee(&self, position: &Position<R>, mv: Move) {
        self.task.table.prefetch(position.key_after(mv) ^ salt(R::VARIANT));
    }

    /// Steps to a child position.
    pub(super) fn push(&mut self, child: &Position<R>) {
        self.keys.push(child.key());
    }

    pub(super) fn pop(&mut self) {
        self.keys.pop();
    }

    /// Steps to the position after a null move; give the answer to [`Searcher::pop_null`].
    pub(super) fn push_null(&mut self, child: &Position<R>) -> usize {
        let floor = std::mem::replace(&mut self.floor, self.keys.len());
        self.keys.push(child.key());
        floor
    }

    pub(super) fn pop_null(&mut self, floor: usize) {
        self.keys.pop();
        self.floor = floor;
    }

    /// The value of a node that needs no search: the game is over, or the side to move can end it at once.
    pub(super) fn settled<const PV: bool>(&mut self, position: &Position<R>, ply: usize) -> Option<Value> {
        if let Some(end) = R::end(position) {
            return Some(value_of(end, position.turn(), ply));
        }
        if self.is_drawn(position) {
            return Some(self.draw());
        }
        let mv = R::winning_move(position)?;
        if PV {
            self.memory.lines[ply + 1].clear();
            self.memory.set_line(ply, mv);
        }
        Some(MATE - ply as Value - 1)
    }

    /// Whether a node is drawn by rule.
    fn is_drawn(&self, position: &Position<R>) -> bool {
        if self.is_repeated(position) {
            return true;
        }
        // What is decided for want of moves comes before the draws.
        (clock(position) >= 100 || position.is_insufficient_material())
            && (position.has_legal_move() || R::without_moves(position).winner().is_none())
    }

    /// A draw, worth a centipawn more or less in turn: it keeps the search from thinking that all draws are alike.
    pub(super) fn draw(&self) -> Value {
        1 - (self.nodes & 2) as Value
    }

    pub(super) fn evaluate(&mut self, position: &Position<R>, ply: usize) -> Value {
        R::evaluate(position, &mut self.memory.evaluator, ply)
    }

    /// What the table knows of a position.
    pub(super) fn recall(&self, position: &Position<R>) -> Option<Entry> {
        self.task.table.probe(table_key(position))
    }

    pub(super) fn remember(&self, position: &Position<R>, entry: Entry) {
        self.task.table.store(table_key(position), entry);
    }
}

/// The key by which the table knows a position.
pub(crate) fn table_key<R: Rules>(position: &Position<R>) -> u64 {
    position.key() ^ salt(R::VARIANT) ^ clock_salt(clock(position))
}

/// Half moves towards the draw by the fifty-move rule; none where there is no such rule.
pub(super) fn clock<R: Rules>(position: &Position<R>) -> u16 {
    if R::FIFTY_MOVES { position.halfmove_clock() } else { 0 }
}

/// What the end of the game is worth to `turn`, `ply` plies from the root.
pub(super) fn value_of(end: GameEnd, turn: Color, ply: usize) -> Value {
    match end.winner() {
        None => 0,
        Some(winner) if winner == turn => -mated_at(ply),
        Some(_) => mated_at(ply),
    }
}
