//! One search that the pool runs: its request, its callbacks, and the best move known so far.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use parking_lot::Mutex;

use super::vote::elect;
use crate::chess::{Effort, GameEnd, History, Move, Role, with_rules};
use crate::engine::eval::Evaluation;
use crate::engine::limits::{Limits, SearchInfo, SearchOutcome, SearchRequest, StopReason};
use crate::engine::params;
use crate::engine::score::Score;
use crate::engine::search::{Control, Finished, Memory, Part, Task, deepen, table_key};
use crate::engine::tt::Table;
use crate::ignore::Ignore;

type OnInfo = Box<dyn FnMut(&SearchInfo) + Send>;
type OnDone = Box<dyn FnOnce(SearchOutcome) + Send>;

/// A search that is waiting, running or over.
pub(super) struct Job {
    pub(super) id: u64,
    pub(super) control: Control,
    history: History,
    /// Legal moves to choose from.
    root_moves: Vec<Move>,
    multipv: usize,
    /// Nobody can win any more.
    dead: AtomicBool,
    /// What the deepest iteration found.
    best: Mutex<Finished>,
    /// What the helpers found, by their numbers.
    votes: Mutex<BTreeMap<usize, Finished>>,
    /// There is nothing left to search.
    exhausted: AtomicBool,
    on_info: Mutex<OnInfo>,
    /// Taken by whoever answers first.
    on_done: Mutex<Option<OnDone>>,
}

impl Job {
    pub(super) fn new(id: u64, request: SearchRequest, on_info: OnInfo, on_done: OnDone) -> Job {
        let legal = request.history.position().legal_moves();
        let mut root_moves: Vec<Move> =
            legal.iter().copied().filter(|mv| request.root_moves.contains(mv)).collect();
        if root_moves.is_empty() {
            root_moves = legal.to_vec();
        }
        let line = root_moves.first().copied().into_iter().collect();
        Job {
            id,
            control: Control::new(request.since, &request.limits, request.ponder),
            history: request.history,
            root_moves,
            multipv: request.multipv,
            dead: AtomicBool::new(false),
            best: Mutex::new(Finished { depth: 0, score: Score::DRAW, line }),
            votes: Mutex::default(),
            exhausted: AtomicBool::new(false),
            on_info: Mutex::new(on_info),
            on_done: Mutex::new(Some(on_done)),
        }
    }

    /// Searches until there is an answer, and returns true; or until the thread is wanted elsewhere.
    pub(super) fn lead(&self, table: &Table, memory: &mut Memory, recalled: &dyn Fn() -> bool) -> bool {
        if self.root_moves.is_empty() || self.exhausted.load(Ordering::Relaxed) {
            return true;
        }
        let dead = self.is_dead();
        self.dead.store(dead, Ordering::Relaxed);
        if dead || self.root_moves.len() == 1 {
            self.control.idle();
        }
        self.control.begin();
        let left = Cell::new(false);
        let leaves = || {
            left.set(left.get() || recalled());
            left.get()
        };
        let task = self.task(table, &leaves);
        let mut finished = deepen(&task, memory, Part::Lead, &mut |infos| self.publish(infos));
        if left.get() && !self.control.is_stopped() {
            return false;
        }
        if let [best] = finished.line[..] {
            finished.line.extend(self.reply(table, best));
        }
        self.keep(finished);
        self.exhausted.store(true, Ordering::Relaxed);
        true
    }

    /// The answer of a search that was led to its end.
    pub(super) fn conclude(&self) -> SearchOutcome {
        if self.root_moves.is_empty() {
            let position = self.history.position();
            let score = match position.end().and_then(GameEnd::winner) {
                None => Score::DRAW,
                Some(winner) if winner == position.turn() => Score::mate_in(0),
                Some(_) => Score::mated_in(0),
            };
            let nothing = Finished { depth: 0, score, line: Vec::new() };
            return self.outcome(nothing, StopReason::NoMoves);
        }
        let reason = if self.control.is_stopped() {
            StopReason::Stopped
        } else if self.root_moves.len() == 1 && self.control.is_clock_only() {
            StopReason::OnlyMove
        } else {
            StopReason::Limit
        };
        self.outcome(self.elected(), reason)
    }

    /// Keeps what was found, unless a deeper iteration was finished before the search changed threads.
    fn keep(&self, finished: Finished) {
        let mut best = self.best.lock();
        if finished.depth >= best.depth {
            *best = finished;
        }
    }

    /// Whether nobody can ever win, as behind a wall of pawns. Asked only where neither a capture nor a pawn move is
    /// left, since it costs up to a millisecond.
    fn is_dead(&self) -> bool {
        let Some(position) = self.history.position().standard() else { return false };
        let pawns = position.by_role(Role::Pawn);
        let locked = |mv: &Move| position.piece_at(mv.to()).is_none() && !pawns.contains(mv.from());
        pawns.has_any() && position.legal_moves().iter().all(locked) && position.is_dead(Effort::QUICK)
    }

    /// What the table takes for the best answer to `best`.
    fn reply(&self, table: &Table, best: Move) -> Option<Move> {
        let after = self.history.position().after(best);
        let key = with_rules!(&after, position => table_key(position));
        table.probe(key)?.mv.filter(|&mv| after.is_legal(mv))
    }

    /// Helps until the search ends or the thread is wanted elsewhere.
    pub(super) fn help(
        &self,
        number: usize,
        table: &Table,
        memory: &mut Memory,
        recalled: &dyn Fn() -> bool,
    ) {
        if !self.root_moves.is_empty() {
            let task = self.task(table, recalled);
            deepen(&task, memory, Part::Help(number), &mut |infos| self.vote(number, infos));
        }
    }

    fn task<'a>(&'a self, table: &'a Table, recalled: &'a dyn Fn() -> bool) -> Task<'a> {
        Task {
            history: &self.history,
            root_moves: &self.root_moves,
            multipv: self.multipv,
            control: &self.control,
            table,
            recalled,
        }
    }

    /// Keeps the best move of a finished iteration, and tells the caller.
    fn publish(&self, infos: &[SearchInfo]) {
        let Some(first) = infos.first() else { return };
        if first.depth <= self.best.lock().depth {
            return;
        }
        self.keep(Finished { depth: first.depth, score: first.score, line: first.pv.clone() });
        let mut on_info = self.on_info.lock();
        for info in infos {
            if !self.is_answered() {
                on_info(info);
            }
        }
    }

    /// Keeps what a helper found in its deepest iteration.
    fn vote(&self, number: usize, infos: &[SearchInfo]) {
        let Some(first) = infos.first() else { return };
        let found = Finished { depth: first.depth, score: first.score, line: first.pv.clone() };
        let mut votes = self.votes.lock();
        if votes.get(&number).is_none_or(|old| old.depth <= found.depth) {
            votes.insert(number, found);
        }
    }

    /// What the threads agree on.
    fn elected(&self) -> Finished {
        let lead = self.best.lock().clone();
        if self.multipv > 1 {
            return lead;
        }
        let helpers: Vec<Finished> = self.votes.lock().values().cloned().collect();
        elect(&lead, &helpers)
    }

    /// The best answer known without the search's own word.
    pub(super) fn fallback(&self, reason: StopReason) -> SearchOutcome {
        let mut best = self.elected();
        if best.depth == 0 && self.root_moves.len() > 1 {
            best = self.rescue().unwrap_or(best);
        }
        let reason = if best.line.is_empty() { StopReason::NoMoves } else { reason };
        self.outcome(best, reason)
    }

    /// A short search with nothing in common with the one that failed, so that what broke that one breaks no more:
    /// the first legal move is often a blunder.
    fn rescue(&self) -> Option<Finished> {
        let limits = Limits {
            nodes: Some(params::RESCUE_NODES),
            hard: Some(params::RESCUE_TIME),
            ..Limits::default()
        };
        let (table, control) = (Table::new(1), Control::new(Instant::now(), &limits, false));
        let task = Task { control: &control, multipv: 1, ..self.task(&table, &|| false) };
        let search = || deepen(&task, &mut Memory::new(&Evaluation::hand_made()), Part::Lead, &mut |_| {});
        catch_unwind(AssertUnwindSafe(search)).ok()
    }

    fn outcome(&self, finished: Finished, reason: StopReason) -> SearchOutcome {
        // Whatever the material, in a dead position nobody can win: it is no reason to give up, nor to hope.
        let score = if self.dead.load(Ordering::Relaxed) { Score::DRAW } else { finished.score };
        SearchOutcome {
            best: finished.line.first().copied(),
            ponder: finished.line.get(1).copied(),
            score,
            depth: finished.depth,
            nodes: self.control.visited(),
            elapsed: self.control.elapsed(),
            pv: finished.line,
            reason,
        }
    }

    /// Gives the answer, unless it was given before.
    pub(super) fn answer(&self, outcome: SearchOutcome) {
        let on_done = self.on_done.lock().take();
        if let Some(on_done) = on_done {
            catch_unwind(AssertUnwindSafe(|| on_done(outcome)))
                .ignore("a callback that panics must not take a thread of the pool with it");
        }
    }

    pub(super) fn is_answered(&self) -> bool {
        self.on_done.lock().is_none()
    }
}
