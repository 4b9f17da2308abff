//! The machine: each input is handed to the part that knows what to do about it.

use std::collections::VecDeque;
use std::time::Duration;

use super::offers::Offers;
use super::pace::Pace;
use super::post::Post;
use super::table::{Board, Change, Notes, Seats};
use super::turn::Turn;
use super::{Action, Effect, GameResult, Input, Level, Loss, Outcome, SessionOptions, Timer};
use crate::bot::budget::Lag;
use crate::bot::shutdown::Phase;
use crate::lichess::{GameEvent, GameFull, GameState, Status};
use crate::mutant::{self, Mutant};

/// How many of our scores are remembered: more than any policy looks back on.
const SCORES: usize = 64;

/// How often a first line that makes no sense is asked for before the game is left.
const READINGS: u32 = 3;

/// How often a stream is opened anew at once because what it says does not fit; after that it is waited in between.
const MAX_REREADS: u32 = 2;

/// The first of these waits, doubled each time.
const REREAD: Duration = Duration::from_secs(2);
/// The longest of them.
const REREAD_MAX: Duration = Duration::from_secs(30);

/// One game, from our side.
#[derive(Debug)]
pub struct Session {
    pub(super) options: SessionOptions,
    /// The time of the input that is being handled, since the game's shell began.
    pub(super) now: Duration,
    pub(super) effects: Vec<Effect>,
    pub(super) phase: Phase,
    pub(super) over: bool,

    pub(super) connected: bool,
    /// The stream is open, and its first line has not come: it should be the whole game.
    unopened: bool,
    /// When the stream was lost, until the next state: what happened meanwhile may have happened then.
    pub(super) lost_at: Option<Duration>,
    pub(super) refusals: u32,
    rereads: u32,
    unreadable: Option<String>,
    /// The last state has a status that is not known, and no winner: it may be an end or not.
    puzzling: Option<Status>,

    pub(super) seats: Option<Seats>,
    pub(super) board: Option<Board>,
    pub(super) notes: Notes,
    /// Our clock as the account's stream gave it, until the first position is there.
    pub(super) first_left: Option<Duration>,

    pub(super) tickets: u64,
    pub(super) turn: Turn,
    pub(super) post: Post,
    pub(super) pace: Pace,
    pub(super) lag: Lag,
    pub(super) scores: VecDeque<i32>,

    pub(super) offers: Offers,
    pub(super) greeted: bool,
    pub(super) abort_armed: bool,
    pub(super) aborts_refused: u32,
    /// How often the first line was not understood, one after another.
    misread: u32,
    /// A game too many is being called off, and not played meanwhile.
    pub(super) calling_off: bool,
    pub(super) parked: bool,
    /// How often the win was claimed during this absence.
    pub(super) claims: u32,
    /// The next claim not before this.
    pub(super) claim_again_at: Duration,
    /// When the win may be claimed, while the opponent is away.
    pub(super) claim_at: Option<Duration>,
    /// The end as another source told it, while the last word of the stream is waited for.
    pub(super) ending: Option<super::end::Ending>,
}

impl Session {
    /// A session that knows nothing but its options yet.
    pub fn new(options: SessionOptions) -> Session {
        Session {
            first_left: options.info.as_ref().and_then(|info| info.seconds_left),
            options,
            now: Duration::ZERO,
            effects: Vec::new(),
            phase: Phase::Running,
            over: false,
            connected: false,
            unopened: false,
            lost_at: None,
            refusals: 0,
            rereads: 0,
            unreadable: None,
            puzzling: None,
            seats: None,
            board: None,
            notes: Notes::new(),
            tickets: 0,
            turn: Turn::default(),
            post: Post::default(),
            pace: Pace::default(),
            lag: Lag::default(),
            scores: VecDeque::new(),
            offers: Offers::default(),
            greeted: false,
            abort_armed: false,
            aborts_refused: 0,
            misread: 0,
            calling_off: false,
            parked: false,
            claims: 0,
            claim_again_at: Duration::ZERO,
            claim_at: None,
            ending: None,
        }
    }

    /// What is to be done about `input`, which happened at `at`, counted from when the game's shell began.
    pub fn handle(&mut self, at: Duration, input: Input) -> Vec<Effect> {
        if self.over {
            return Vec::new();
        }
        self.now = at;
        match input {
            Input::Connected => (self.connected, self.unopened) = (true, true),
            Input::Line { age_ms, event } => self.on_line(Duration::from_millis(age_ms), *event),
            Input::Lost { loss } => self.on_lost(loss),
            Input::Searched { ticket, thought } => self.on_searched(ticket, thought),
            Input::Posted { ply, outcome, elapsed_ms } => {
                self.on_posted(ply, outcome, Duration::from_millis(elapsed_ms));
            }
            Input::Acted { action, outcome } => self.on_acted(action, outcome),
            Input::Timer { timer } => self.on_timer(timer),
            Input::Finished { game } => self.on_finished(*game),
            Input::Playing { listed } => self.on_playing(listed),
            Input::Owed => self.on_owed(),
            Input::Phase { phase } => self.on_phase(phase),
        }
        std::mem::take(&mut self.effects)
    }

    /// How the game stands, once that is known.
    pub(crate) fn board(&self) -> Option<&Board> {
        self.board.as_ref()
    }

    /// Who plays, once that is known.
    pub(crate) fn seats(&self) -> Option<&Seats> {
        self.seats.as_ref()
    }

    /// What was noted about the moves.
    pub(crate) fn notes(&self) -> &Notes {
        &self.notes
    }

    pub(super) fn emit(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    pub(super) fn log(&mut self, level: Level, text: impl Into<String>) {
        self.emit(Effect::Log { level, text: text.into() });
    }

    pub(super) fn set_timer(&mut self, timer: Timer, after: Duration) {
        let after_ms = u64::try_from(after.as_millis()).unwrap_or(u64::MAX);
        self.emit(Effect::SetTimer { timer, after_ms });
    }

    pub(super) fn remember_score(&mut self, score: i32) {
        if self.scores.len() == SCORES {
            self.scores.pop_front();
        }
        self.scores.push_back(score);
    }

    /// Whether we are to move.
    pub(crate) fn our_turn(&self) -> bool {
        match (&self.board, &self.seats) {
            (Some(board), Some(seats)) => board.is_turn_of(seats.us),
            _ => false,
        }
    }

    fn on_line(&mut self, age: Duration, event: GameEvent) {
        let known = !matches!(event, GameEvent::Full(_) | GameEvent::Unknown(_));
        match event {
            GameEvent::Full(full) => self.on_full(age, full),
            GameEvent::State(state) => self.on_state(age, state, Source::Live),
            GameEvent::OpponentGone(gone) => self.on_gone(gone),
            // Nothing that is said in a chat is an order, and what is not understood was logged by the reader.
            GameEvent::Chat(_) | GameEvent::Unknown(_) => {}
        }
        if known && self.unopened && self.connected && !self.over {
            self.log(Level::Warn, "the stream does not begin with the game; lines were lost on the way");
            self.reread();
        }
    }

    fn on_full(&mut self, age: Duration, full: GameFull) {
        let state = full.state.clone();
        self.refusals = 0;
        self.unopened = false;
        let first = self.seats.is_none();
        match Seats::read(full, &self.options) {
            Ok(seats) => {
                self.seats = Some(seats);
                self.misread = 0;
            }
            Err(why) if is_over(&state) => self.log(Level::Warn, why),
            Err(why) => {
                self.misread += 1;
                if self.misread < READINGS {
                    self.log(Level::Warn, format!("cannot play: {why}; reading it once more"));
                    return self.reopen();
                }
                self.log(Level::Error, format!("cannot play: {why}"));
                return self.leave(format!("cannot play: {why}"));
            }
        }
        if first {
            self.call_off_surplus(&state);
        }
        if !self.calling_off {
            self.greet(&state);
        }
        self.on_state(age, state, Source::Opening);
    }

    fn on_state(&mut self, age: Duration, state: GameState, source: Source) {
        let over = is_over(&state) && !mutant::on(Mutant::NoEnd);
        self.puzzling = (state.status.is_over() && !over).then(|| state.status.clone());
        let Some(seats) = &self.seats else {
            if over {
                return self.finish(Some(state.status), state.winner);
            }
            self.log(Level::Warn, "a state came before the game was described");
            self.unopened = false;
            return self.reread();
        };
        match seats.play(&state) {
            Ok(history) => {
                self.unreadable = None;
                if source == Source::Opening && !over {
                    self.doubt_the_end();
                }
                let change = Change::between(self.board.as_ref().map(|board| &board.history), &history);
                if !over && source == Source::Live && self.doubt_the_line(change) {
                    return;
                }
                let (status, winner) = (state.status.clone(), state.winner);
                self.update_board(age, history, state, change);
                if over {
                    self.finish(Some(status), winner);
                } else {
                    self.on_change(change, source);
                }
            }
            Err(_) if over => self.finish(Some(state.status), state.winner),
            Err(error) => {
                let text = format!("the server's moves cannot be read: {error}");
                if self.unreadable.as_ref() != Some(&text) {
                    self.log(Level::Error, text.clone());
                    self.unreadable = Some(text);
                }
                self.drop_turn();
                self.reread();
            }
        }
    }

    /// What the server says does not fit: its description of the whole game may. After some attempts there is a pause
    /// between them, since a game that cannot be read must not become a storm of requests.
    fn reread(&mut self) {
        let extra = self.rereads.checked_sub(MAX_REREADS);
        self.rereads = self.rereads.saturating_add(1);
        let Some(extra) = extra else { return self.reopen() };
        if extra == 0 {
            self.log(Level::Error, "the game cannot be read; asking for it again from time to time");
        }
        self.unopened = false;
        self.set_timer(Timer::Reread, doubled(REREAD, extra, REREAD_MAX));
    }

    /// Moves are gone, and nobody has agreed to that. An old line that comes late looks the same, and a move for an old
    /// position would be a blunder in the present one: the whole game has to confirm it.
    fn doubt_the_line(&mut self, change: Change) -> bool {
        let gone = matches!(change, Change::Shorter | Change::Other);
        if !gone || self.offers.takeback_granted || self.rereads >= MAX_REREADS {
            return false;
        }
        self.log(Level::Warn, "moves are gone from the server's list; asking for the whole game");
        self.rereads += 1;
        self.lost_at.get_or_insert(self.now);
        self.rest();
        self.reopen();
        true
    }

    pub(super) fn reopen(&mut self) {
        self.connected = false;
        self.emit(Effect::Reopen);
    }

    fn on_change(&mut self, change: Change, source: Source) {
        if change == Change::Longer {
            self.rereads = 0;
        }
        match change {
            Change::Same => self.on_same_position(source),
            Change::First | Change::Longer => self.on_new_position(change),
            Change::Shorter => {
                self.log(Level::Info, "moves were taken back");
                self.on_new_position(change);
            }
            Change::Other => {
                self.log(
                    Level::Warn,
                    "the server's moves are another line than before; playing what it says",
                );
                self.on_new_position(change);
            }
        }
        self.consider_takeback();
    }

    fn on_lost(&mut self, loss: Loss) {
        self.connected = false;
        self.lost_at.get_or_insert(self.now);
        if self.ends_now() {
            return self.finish_as_told();
        }
        match loss {
            Loss::Ended if self.puzzling.is_some() => {
                let status = self.puzzling.take();
                self.finish(status, None);
            }
            // Opening it again usually tells how the game ended; the list of games is for when that fails.
            Loss::Ended => self.emit(Effect::CheckPlaying),
            Loss::Broken => {}
            Loss::Refused => self.on_refused(),
            Loss::Denied => self.on_denied(),
        }
    }

    fn on_timer(&mut self, timer: Timer) {
        match timer {
            Timer::Abort => self.on_abort_timer(),
            Timer::Claim => self.consider_claim(),
            Timer::Post => self.on_post_timer(),
            Timer::Hold => self.release(),
            Timer::Settle => self.on_settled(),
            Timer::End => self.on_end_timer(),
            Timer::Reread => self.reopen(),
            Timer::Park => self.on_park_timer(),
        }
    }

    fn on_acted(&mut self, action: Action, outcome: Outcome) {
        let done = outcome == Outcome::Done;
        if !done {
            self.log(Level::Info, format!("{action:?} had no effect: {outcome:?}"));
        }
        match action {
            Action::Abort => match outcome {
                Outcome::Unclear { .. } => self.call_off_later(Duration::ZERO),
                Outcome::TooMany { wait_ms } => self.call_off_later(Duration::from_millis(wait_ms)),
                Outcome::Done | Outcome::Refused { .. } | Outcome::Gone | Outcome::Denied { .. } => {
                    self.on_abort_answered(done);
                }
            },
            Action::Resign => self.on_resign_answered(done),
            Action::ClaimRepetition => self.on_claim_answered(done),
            Action::AllowTakeback if !done => {
                self.offers.takeback_granted = false;
                self.release();
            }
            Action::AllowTakeback | Action::RefuseTakeback | Action::ClaimWin | Action::ClaimDraw => {}
        }
    }

    fn on_phase(&mut self, phase: Phase) {
        self.phase = self.phase.max(phase);
        if self.phase == Phase::Stopping {
            self.hurry();
            self.leave_if_idle();
        }
    }

    /// The result of the game for us.
    pub(super) fn result(
        &self,
        status: Option<&crate::lichess::Status>,
        winner: Option<crate::chess::Color>,
    ) -> GameResult {
        let us = self.seats.as_ref().map(|seats| seats.us);
        GameResult::of(status, winner, us.or_else(|| self.options.info.as_ref().and_then(|info| info.color)))
    }
}

/// Whether a state is the end. A word that is not known yet is one if somebody has won by it; if not, it may as well be
/// a pause, and the end of the stream will tell.
fn is_over(state: &GameState) -> bool {
    match &state.status {
        Status::Other(_) => state.winner.is_some(),
        status => status.is_over(),
    }
}

/// `first`, doubled so many times, up to `most`.
pub(super) fn doubled(first: Duration, times: u32, most: Duration) -> Duration {
    first.saturating_mul(1_u32.checked_shl(times.min(16)).unwrap_or(u32::MAX)).min(most)
}

/// Where a state comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// The first line after a connect: nothing newer exists.
    Opening,
    /// A later line; it may have been on its way while we did something.
    Live,
}
