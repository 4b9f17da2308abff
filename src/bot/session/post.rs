//! Posting the move: at most one post at a time for a ply, and none that the present position does not allow.
//! What an unclear answer means is told by the stream.

use std::time::Duration;

use super::machine::doubled;
use super::table::{Change, plain};
use super::{Effect, Level, Outcome, Session, Timer};
use crate::bot::shutdown::Phase;
use crate::chess::Move;
use crate::mutant::{self, Mutant};

/// How long a move that was taken may take to appear on the stream, before we look for it.
const ECHO: Duration = Duration::from_secs(3);

/// The first wait before a move with an unclear answer is posted again; each further wait is twice as long. A stream that
/// is open shows a move that was taken before its answer comes, or together with it.
const UNCLEAR: Duration = Duration::from_millis(50);
/// So many attempts are enough for a hiccup.
const UNCLEAR_QUICK: u32 = 4;
/// The waits after that: ten seconds of trouble cost ten requests, and a server that is back waits for 0.8 s on average.
const UNCLEAR_MAX: Duration = Duration::from_millis(1600);
/// While the stream is down it cannot tell whether a move was taken. After this it is posted again all the same:
/// a second copy is refused if the first one was taken.
const BLIND: Duration = Duration::from_secs(5);

/// How long the stream gets to explain a refusal, such as the end of the game.
const REFUSED: Duration = Duration::from_millis(500);
/// How often a move is refused at one ply before posts become rare.
const MAX_REFUSALS: u32 = 3;

/// The wait before a move that was refused so often is posted once more, since the stream still shows our turn; each
/// further wait is twice as long.
const GIVEN_UP: Duration = Duration::from_secs(5);
/// The longest of these waits.
const GIVEN_UP_MAX: Duration = Duration::from_secs(600);

/// The wait before a move that was denied is posted once more.
const DENIED: Duration = Duration::from_secs(5);
/// How often a move is denied before nothing more is posted.
const MAX_DENIALS: u32 = 2;

/// The first wait after "too many requests" when the wait that was asked for would cost the game; doubled each time.
const CROWDED: Duration = Duration::from_secs(1);
/// The longest of these waits.
const CROWDED_MAX: Duration = Duration::from_secs(8);

/// The part of our clock that a move may wait so that moves do not follow one another too fast.
const PACE_SHARE: u32 = 20;

/// The state of the move that is posted at the present ply.
#[derive(Clone, Debug, Default)]
pub(super) struct Post {
    stage: Stage,
    /// What was posted, and when.
    sent: Option<(Move, Duration)>,
    /// The time that the post took is known.
    measured: bool,
    refusals: u32,
    denials: u32,
    /// What the server said about the last one.
    refusal: String,
    /// The stream was opened anew because of a refusal.
    reread: bool,
    /// Unclear answers and refusals for crowding, one after another.
    repeats: u32,
    unclear_since: Option<Duration>,
    /// It has waited for the sake of the pace.
    paced: bool,
}

/// How far a post has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    /// Nothing is on its way.
    #[default]
    Idle,
    /// The request is on its way.
    Sent,
    /// The server took it; the stream should show it.
    Taken,
    /// Nobody knows.
    Unclear,
    /// The server refused it.
    Refused,
    /// The server wants us to wait, or soon would.
    Crowded,
    /// Nothing more is tried at this ply.
    GivenUp,
}

impl Session {
    /// Posts the answer if there is one and nothing stands against it.
    pub(super) fn post_answer(&mut self) {
        let (Some(mv), Some(board), Some(seats)) = (self.turn.answer, &self.board, &self.seats) else {
            return;
        };
        let position = board.history.position();
        let free = self.post.stage == Stage::Idle && self.offers.hold.is_none() && self.ending.is_none();
        if !free || !self.our_turn() || !position.is_legal(mv) {
            return;
        }
        if self.wants_to_resign() {
            return self.resign();
        }
        let (ply, uci) = (board.ply(), seats.spell(mv, position).to_string());
        // Better to wait a little than to be told to wait for long, but not for a good part of the clock.
        let wait = self.pace.wait(self.now).min(self.time_left() / PACE_SHARE);
        if !std::mem::replace(&mut self.post.paced, true) && wait >= Duration::from_millis(1) {
            return self.wait_as(Stage::Crowded, wait);
        }
        self.pace.note(self.now);
        let offer_draw = self.goes_with_a_draw();
        self.post.stage = Stage::Sent;
        self.post.sent = Some((mv, self.now));
        self.post.measured = false;
        self.emit(Effect::Post { ply, uci, offer_draw });
    }

    /// The stream shows that our move has not been played: what was posted is void.
    pub(super) fn repost(&mut self) {
        match self.post.stage {
            Stage::Taken | Stage::Unclear | Stage::Refused => self.retry(),
            // It was given up when the end seemed near, or it waits for an answer that `post_answer` knows of.
            Stage::Idle => self.post_answer(),
            // The waits that the server asked for still hold, and what is on its way will be answered.
            Stage::Sent | Stage::Crowded | Stage::GivenUp => {}
        }
    }

    fn retry(&mut self) {
        self.emit(Effect::CancelTimer { timer: Timer::Post });
        self.post.stage = Stage::Idle;
        if self.phase != Phase::Stopping {
            self.post_answer();
        }
    }

    pub(super) fn on_posted(&mut self, ply: usize, outcome: Outcome, elapsed: Duration) {
        if outcome == Outcome::Done && !self.post.measured {
            self.post.measured = true;
            self.lag.note(elapsed);
        }
        let current = self.board.as_ref().is_some_and(|board| board.ply() == ply);
        if !current || self.post.stage != Stage::Sent {
            return self.leave_if_idle();
        }
        match outcome {
            Outcome::Done => self.wait_as(Stage::Taken, ECHO),
            Outcome::Refused { message } => self.on_refused_move(&message),
            Outcome::Gone => {
                self.emit(Effect::CheckPlaying);
                self.on_refused_move("no such game");
            }
            Outcome::TooMany { wait_ms } => self.on_crowded(Duration::from_millis(wait_ms)),
            Outcome::Unclear { message } => self.on_unclear(&message),
            Outcome::Denied { message } => self.on_denied_move(&message),
        }
        self.leave_if_idle();
    }

    fn wait_as(&mut self, stage: Stage, time: Duration) {
        self.post.stage = stage;
        self.set_timer(Timer::Post, time);
    }

    /// Not our turn, or over, or illegal: the stream will tell, and if it does not, it is asked anew.
    fn on_refused_move(&mut self, message: &str) {
        self.post.refusals += 1;
        self.post.refusal = message.to_owned();
        self.log(Level::Info, format!("move refused: {message}"));
        self.wait_as(Stage::Refused, REFUSED);
    }

    /// The token has lost its right, or the server its memory for a moment: one more attempt tells.
    fn on_denied_move(&mut self, message: &str) {
        self.post.denials += 1;
        self.log(Level::Error, format!("the server does not let us move: {message}"));
        if self.post.denials < MAX_DENIALS {
            self.wait_as(Stage::Crowded, DENIED);
        } else {
            self.post.stage = Stage::GivenUp;
        }
    }

    fn on_unclear(&mut self, message: &str) {
        if mutant::on(Mutant::NoEcho) {
            return self.retry();
        }
        if self.post.unclear_since.is_none() {
            self.log(Level::Info, format!("unclear whether the move was taken: {message}"));
        }
        self.post.unclear_since.get_or_insert(self.now);
        let hiccup = self.post.repeats < UNCLEAR_QUICK;
        let wait = if hiccup { doubled(UNCLEAR, self.post.repeats, UNCLEAR_MAX) } else { UNCLEAR_MAX };
        self.post.repeats += 1;
        self.wait_as(Stage::Unclear, wait);
    }

    /// Waits as told, unless so much of the clock would go that the game would be lost by waiting; then some of it.
    fn on_crowded(&mut self, asked: Duration) {
        let own = doubled(CROWDED, self.post.repeats, CROWDED_MAX);
        self.post.repeats += 1;
        let left = self.time_left();
        let wait = if asked <= left / 4 { asked } else { asked.min(own.max(left / 8)) };
        self.log(Level::Warn, format!("too many requests; the move waits for {} ms", wait.as_millis()));
        self.wait_as(Stage::Crowded, wait);
    }

    /// What is left on our clock; endless without one.
    fn time_left(&self) -> Duration {
        match (&self.board, &self.seats) {
            (Some(board), Some(seats)) if seats.clocked => {
                board.clock(seats.us).0.saturating_sub(self.now.saturating_sub(board.since))
            }
            _ => Duration::MAX,
        }
    }

    pub(super) fn on_post_timer(&mut self) {
        match self.post.stage {
            Stage::Taken => {
                self.log(Level::Warn, "a move that was taken does not appear on the stream; opening it anew");
                self.wait_as(Stage::Unclear, BLIND);
                self.reopen();
            }
            Stage::Unclear => self.on_unclear_timer(),
            Stage::Crowded => self.retry(),
            Stage::Refused => self.after_refusal(),
            Stage::Idle | Stage::Sent | Stage::GivenUp => {}
        }
    }

    fn on_unclear_timer(&mut self) {
        let since = self.post.unclear_since.unwrap_or(self.now);
        if self.connected || self.now.saturating_sub(since) >= BLIND {
            self.retry();
        } else {
            self.set_timer(Timer::Post, UNCLEAR_MAX);
        }
    }

    /// The stream still shows our turn. First it is read anew, then another move is tried, then it is enough.
    fn after_refusal(&mut self) {
        let (refusals, message) = (self.post.refusals, &self.post.refusal);
        let text =
            format!("no reason is known why a move was refused ({refusals} of {MAX_REFUSALS}): {message}");
        self.log(Level::Warn, text);
        match self.post.refusals {
            ..=1 if !self.post.reread => {
                self.post.reread = true;
                self.set_timer(Timer::Post, BLIND);
                self.reopen();
            }
            ..=1 => self.retry(),
            2 => self.try_another_move(),
            _ => self.give_up_posting(),
        }
    }

    fn try_another_move(&mut self) {
        let Some((refused, _)) = self.post.sent else { return };
        let Some(board) = &self.board else { return };
        self.turn.excluded.push(refused);
        let legal = board.history.position().legal_moves();
        if legal.iter().all(|mv| self.turn.excluded.contains(mv)) {
            return self.give_up_posting();
        }
        let fen = board.history.position().to_fen();
        self.log(Level::Error, format!("{} is legal in {fen}, but refused; trying another", plain(refused)));
        self.turn.answer = None;
        self.post.stage = Stage::Idle;
        self.search();
    }

    fn give_up_posting(&mut self) {
        self.log(Level::Error, "every move is refused; waiting for what the server says next");
        self.emit(Effect::CheckPlaying);
        let wait = doubled(GIVEN_UP, self.post.refusals.saturating_sub(MAX_REFUSALS), GIVEN_UP_MAX);
        self.wait_as(Stage::Crowded, wait);
    }

    /// Another position is on the board. If our move is in it, the time since the post is what it took.
    pub(super) fn settle_post(&mut self, change: Change) {
        let post = std::mem::take(&mut self.post);
        if post.stage == Stage::Idle && post.sent.is_none() {
            return;
        }
        if matches!(post.stage, Stage::Taken | Stage::Unclear | Stage::Refused | Stage::Crowded) {
            self.emit(Effect::CancelTimer { timer: Timer::Post });
        }
        let echoed = change == Change::Longer;
        if post.stage == Stage::Sent && !echoed {
            // It was meant for another position, and must not be played in this one.
            return self.emit(Effect::CancelPost);
        }
        if let Some((_, sent_at)) = post.sent.filter(|_| echoed && post.stage == Stage::Sent) {
            self.lag.note(self.now.saturating_sub(sent_at));
            self.post.measured = true;
        }
    }

    /// The game or the position is gone: nothing that is on its way is wanted.
    pub(super) fn cancel_post(&mut self) {
        let post = std::mem::take(&mut self.post);
        if post.stage == Stage::Sent {
            self.emit(Effect::CancelPost);
        }
    }

    /// Whether a post is on its way.
    pub(super) fn is_posting(&self) -> bool {
        self.post.stage == Stage::Sent
    }
}
