//! Whose turn it is and what that means: searches begin and end here.

use std::time::Duration;

use super::machine::Source;
use super::table::{Board, Change, plain};
use super::{Effect, Level, SearchLimits, Session, Thought, Timer};
use crate::bot::budget::{self, FREE_PLIES, Plan, Situation};
use crate::bot::shutdown::Phase;
use crate::chess::{Color, History, Move, UciMove};
use crate::lichess::GameState;
use crate::mutant::{self, Mutant};

/// How long the server gets to end a game that is over by the rules, before we play on.
const SETTLE: Duration = Duration::from_millis(1000);

/// What is going on at the present ply.
#[derive(Clone, Debug, Default)]
pub(super) struct Turn {
    /// The number of the running search.
    pub(super) ticket: Option<u64>,
    /// The move to play, once it is found.
    pub(super) answer: Option<Move>,
    /// Moves that the server refused in this position.
    pub(super) excluded: Vec<Move>,
    /// The running search is about this move of the opponent, which is not played yet.
    pub(super) pondering: Option<Move>,
    /// The reply that our last search expects.
    pub(super) expected: Option<String>,
}

impl Session {
    /// Takes over the state. The clock of a new position runs from when it came about.
    pub(super) fn update_board(&mut self, age: Duration, history: History, state: GameState, change: Change) {
        let arrived = self.now.saturating_sub(age);
        let lost_at = self.lost_at.take();
        let since = match (change, &self.board) {
            (Change::Same, Some(board)) if same_clocks(&board.state, &state) => board.since,
            _ => lost_at.unwrap_or(arrived),
        };
        // Only the first position can have come about long before we heard of it.
        let known_left = match (change, &self.board) {
            (Change::First, _) => self.first_left.take(),
            (Change::Same, Some(board)) => board.known_left,
            _ => None,
        };
        self.note_clocks(&history, &state, change);
        self.board = Some(Board { history, state, since, known_left });
    }

    /// The state tells the clock of the last mover; of the one before, the state before told it.
    fn note_clocks(&mut self, history: &History, state: &GameState, change: Change) {
        self.notes.split_off(&history.ply());
        if let Some(last) = history.ply().checked_sub(1) {
            let mover = !history.position().turn();
            let clock = if mover == Color::White { state.wtime } else { state.btime };
            if matches!(change, Change::First | Change::Longer) {
                self.notes.entry(last).or_default().clock = Some(clock);
            }
        }
    }

    /// The same moves as before: an offer came or went, or a clock was changed, or the stream was opened again.
    pub(super) fn on_same_position(&mut self, source: Source) {
        if source == Source::Opening {
            self.resume();
        }
    }

    /// Nothing newer than this position exists: whatever we were waiting for has not happened.
    fn resume(&mut self) {
        if !self.our_turn() {
            return;
        }
        if self.turn.answer.is_some() {
            self.repost();
        } else if self.turn.ticket.is_none() && self.ending.is_none() {
            self.begin_turn();
        }
    }

    /// Another position than before: all that was going on belongs to the past.
    pub(super) fn on_new_position(&mut self, change: Change) {
        self.settle_post(change);
        self.offers.hold = None;
        self.offers.takeback_granted = false;
        self.unpark();
        if change == Change::Longer && self.our_turn() {
            self.opponent_is_back();
        }
        self.watch_first_move();
        if self.ponder_hit() {
            return;
        }
        self.stop_search();
        self.turn = Turn { expected: self.turn.expected.take(), ..Turn::default() };
        self.begin_turn();
    }

    /// Forgets the turn: the position is not known any more.
    pub(super) fn drop_turn(&mut self) {
        self.rest();
        self.board = None;
    }

    /// Does nothing at this turn until the position is known again.
    pub(super) fn rest(&mut self) {
        self.stop_search();
        self.turn = Turn::default();
        self.cancel_post();
    }

    pub(super) fn begin_turn(&mut self) {
        let Some(board) = &self.board else { return };
        if self.phase == Phase::Stopping || self.ending.is_some() {
            return self.leave_if_idle();
        }
        if self.calling_off {
            return;
        }
        if !self.our_turn() {
            self.claim_repetition();
            return self.ponder();
        }
        if !board.history.position().has_legal_move() {
            return; // Mate or stalemate: the server ends the game.
        }
        if board.history.end().is_some() {
            return self.set_timer(Timer::Settle, SETTLE);
        }
        self.claim_repetition();
        self.search();
    }

    /// A game that is over by our rules was not ended by the server: play on.
    pub(super) fn on_settled(&mut self) {
        let idle = self.turn.ticket.is_none() && self.turn.answer.is_none();
        if self.our_turn() && idle && self.phase != Phase::Stopping && self.ending.is_none() {
            self.log(Level::Warn, "the game should be over by the rules, but goes on");
            self.search();
        }
    }

    pub(super) fn search(&mut self) {
        let Some(limits) = self.limits() else { return };
        let Some(ply) = self.board.as_ref().map(Board::ply) else { return };
        self.tickets += 1;
        self.turn.ticket = Some(self.tickets);
        self.turn.pondering = None;
        self.emit(Effect::Search { ticket: self.tickets, ply, limits, ponder: None });
    }

    /// Thinks on the opponent's time about the reply that is expected, unless the game would be over with it.
    fn ponder(&mut self) {
        let expected = self.turn.expected.take();
        let (Some(board), Some(limits), Some(expected)) = (&self.board, self.limits(), expected) else {
            return;
        };
        if !self.options.thinking.ponder {
            return;
        }
        let Some(mv) = worth_pondering(&board.history, &expected) else { return };
        let ply = board.ply() + 1;
        self.tickets += 1;
        self.turn.ticket = Some(self.tickets);
        self.turn.pondering = Some(mv);
        self.emit(Effect::Search { ticket: self.tickets, ply, limits, ponder: Some(plain(mv)) });
    }

    /// Whether the search on the opponent's time turns out to be about the present position.
    fn ponder_hit(&mut self) -> bool {
        let Some(board) = &self.board else { return false };
        let (Some(mv), Some(ticket)) = (self.turn.pondering, self.turn.ticket) else { return false };
        let played = board.history.moves().last() == Some(&mv);
        if !played || !self.our_turn() || board.history.end().is_some() || self.phase == Phase::Stopping {
            return false;
        }
        let Some(limits) = self.limits() else { return false };
        self.turn.pondering = None;
        self.emit(Effect::PonderHit { ticket, limits });
        true
    }

    pub(super) fn stop_search(&mut self) {
        if self.turn.ticket.take().is_some() {
            self.turn.pondering = None;
            self.emit(Effect::StopSearch);
        }
    }

    /// The program stops: what is known by now must do.
    pub(super) fn hurry(&mut self) {
        if self.turn.pondering.is_some() {
            self.stop_search();
        } else if self.turn.ticket.is_some() {
            self.emit(Effect::HurrySearch);
        }
    }

    pub(super) fn on_searched(&mut self, ticket: u64, thought: Thought) {
        if self.turn.ticket != Some(ticket) && !mutant::on(Mutant::NoTicketCheck) {
            return; // It was about another position.
        }
        self.turn.ticket = None;
        let Some(board) = &self.board else { return };
        if self.turn.pondering.take().is_some() {
            return; // It should not have ended before the opponent's move; the next one is searched anew.
        }
        let found = thought.best.as_deref().and_then(|best| legal(best, &board.history));
        let found = found.filter(|mv| !self.turn.excluded.contains(mv) || mutant::on(Mutant::NoExclusion));
        let legal_moves = board.history.position().legal_moves();
        let fallback = legal_moves.iter().copied().find(|mv| !self.turn.excluded.contains(mv));
        let ply = board.ply();
        if found.is_none() {
            self.log(
                Level::Error,
                format!("the search gave no legal move ({:?}); playing any", thought.best),
            );
        } else {
            self.remember_score(thought.score);
            self.notes.entry(ply).or_default().score = Some(thought.score);
        }
        self.turn.expected = thought.ponder.filter(|_| found.is_some());
        self.turn.answer = found.or(fallback);
        self.claim_repetition();
        self.post_answer();
        self.leave_if_idle();
    }

    fn limits(&self) -> Option<SearchLimits> {
        let (board, seats) = (self.board.as_ref()?, self.seats.as_ref()?);
        let gone = self.now.saturating_sub(board.since);
        let clock = seats.clocked.then(|| {
            let (remaining, increment) = board.clock(seats.us);
            // The clock stands still until both sides have moved.
            if board.ply() < FREE_PLIES {
                return (remaining, increment);
            }
            let remaining = board.known_left.map_or(remaining, |left| left.min(remaining));
            (remaining.saturating_sub(gone), increment)
        });
        let expiration = board.state.expiration;
        let situation = Situation {
            clock,
            initial: seats.full.clock.as_ref().map(|clock| clock.initial),
            lag: self.lag.estimate(self.options.thinking.overhead),
            ply: board.ply(),
            first_move: expiration.map(|limit| limit.to_move.saturating_sub(limit.idle.saturating_add(gone))),
        };
        let Plan { soft, hard, depth, nodes } = budget::plan(&self.options.thinking, situation);
        let exclude = self.turn.excluded.iter().copied().map(plain).collect();
        Some(SearchLimits { soft_ms: soft.map(millis), hard_ms: millis(hard), depth, nodes, exclude })
    }
}

/// The reply that is expected, unless the game would be over with it, by itself or by a claim.
pub(super) fn worth_pondering(history: &History, expected: &str) -> Option<Move> {
    let mv = legal(expected, history)?;
    let mut after = history.clone();
    after.push(mv);
    let alive = after.end().is_none() && after.occurrences() < 3 && after.position().has_legal_move();
    alive.then_some(mv)
}

/// The legal move that a text means.
fn legal(uci: &str, history: &History) -> Option<Move> {
    uci.parse::<UciMove>().ok()?.to_move(history.position()).ok()
}

/// Whole milliseconds, at least one.
fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX).max(1)
}

/// Whether the clocks are the same as in the state before; if not, they count from the new one.
fn same_clocks(before: &GameState, after: &GameState) -> bool {
    (before.wtime, before.btime) == (after.wtime, after.btime)
}
