//! Opponents who are not there: those who never begin, and those who leave.

use std::time::Duration;

use super::machine::doubled;
use super::{Action, Effect, Level, Session, Timer};
use crate::bot::budget::FREE_PLIES;
use crate::lichess::{GameState, OpponentGone};

/// The first pause between two claims, doubled each time: a claim may be answered "done" without effect.
const CLAIM_AGAIN: Duration = Duration::from_secs(3);
/// The longest of these pauses.
const CLAIM_AGAIN_MAX: Duration = Duration::from_secs(60);

/// The wait before a game is called off again.
const CALL_OFF_AGAIN: Duration = Duration::from_secs(5);

/// How long a game that was called off may go on before this is said once more.
const CALLED_OFF: Duration = Duration::from_secs(20);

/// The first wait before a game whose abortion was refused is called off again, doubled each time.
const REFUSED_AGAIN: Duration = Duration::from_secs(30);
/// The longest of these waits.
const REFUSED_AGAIN_MAX: Duration = Duration::from_secs(600);

/// How long a game that cannot be called off keeps its place.
const PARK_AFTER: Duration = Duration::from_secs(60);

impl Session {
    /// While the opponent has not made a first move, the game can be called off. Games with a time limit of their
    /// own end by themselves, and those of a tournament are the server's business.
    pub(super) fn watch_first_move(&mut self) {
        let (Some(board), Some(seats)) = (&self.board, &self.seats) else { return };
        let theirs = !board.is_turn_of(seats.us);
        let watched =
            theirs && board.ply() < FREE_PLIES && !seats.tournament && board.state.expiration.is_none();
        if watched && self.aborts_refused > 0 {
            return; // The next attempt is due as it was.
        }
        let armed = watched;
        if armed {
            self.set_timer(Timer::Abort, self.options.policy.abort_after);
        } else if self.abort_armed {
            self.emit(Effect::CancelTimer { timer: Timer::Abort });
        }
        self.abort_armed = armed;
    }

    pub(super) fn on_abort_timer(&mut self) {
        self.abort_armed = false;
        let (Some(board), Some(seats)) = (&self.board, &self.seats) else { return };
        let waiting = !board.is_turn_of(seats.us) || self.calling_off;
        if board.ply() < FREE_PLIES && waiting && self.ending.is_none() {
            self.log(Level::Info, "the opponent does not begin; calling the game off");
            self.emit(Effect::Act { action: Action::Abort });
        }
    }

    /// Nobody knows whether the game was called off, or the server has no time for it: once more, after `least` at
    /// least. The stream tells if it is over.
    pub(super) fn call_off_later(&mut self, least: Duration) {
        self.abort_armed = true;
        self.set_timer(Timer::Abort, least.max(CALL_OFF_AGAIN));
    }

    /// A game that cannot be called off is waited for. After a while it costs nothing any more, not even its place; and
    /// from time to time the server is asked again, since the refusal may have been a moment's trouble.
    pub(super) fn on_abort_answered(&mut self, done: bool) {
        let surplus = std::mem::take(&mut self.calling_off);
        if done {
            // The game's last line comes, or it goes on in spite of the answer.
            return self.call_off_later(CALLED_OFF);
        }
        let first = self.aborts_refused == 0;
        let pause = doubled(REFUSED_AGAIN, self.aborts_refused, REFUSED_AGAIN_MAX);
        self.aborts_refused += 1;
        if surplus {
            self.log(Level::Warn, "a game too many cannot be called off; playing it");
            self.begin_turn();
        } else {
            self.log(Level::Warn, "the game cannot be called off; waiting for the opponent");
        }
        if self.awaits_first_move() {
            // The opponent may have begun, and the line was lost.
            self.reopen();
            self.call_off_later(pause);
            if first {
                self.set_timer(Timer::Park, PARK_AFTER);
            }
        }
    }

    fn awaits_first_move(&self) -> bool {
        self.board.as_ref().is_some_and(|board| board.ply() < FREE_PLIES) && !self.our_turn()
    }

    pub(super) fn on_park_timer(&mut self) {
        if self.awaits_first_move() {
            self.park("the opponent does not come");
        }
    }

    /// The game's place goes to another one, until it begins after all.
    pub(super) fn park(&mut self, why: &str) {
        if !std::mem::replace(&mut self.parked, true) {
            self.log(Level::Warn, format!("{why}; the place goes to another game"));
            self.emit(Effect::Park { parked: true });
        }
    }

    pub(super) fn unpark(&mut self) {
        if std::mem::take(&mut self.parked) {
            self.emit(Effect::Park { parked: false });
        }
    }

    /// A game too many is called off while nobody has lost anything by it. Those of a tournament are the server's.
    pub(super) fn call_off_surplus(&mut self, state: &GameState) {
        let Some(seats) = &self.seats else { return };
        let fresh = state.moves().count() < FREE_PLIES && !state.status.is_over();
        self.calling_off = self.options.surplus && fresh && !seats.tournament;
        if self.calling_off {
            self.log(Level::Warn, "there is no place for this game; calling it off");
            self.emit(Effect::Act { action: Action::Abort });
        }
    }

    /// The opponent left, or came back.
    pub(super) fn on_gone(&mut self, gone: OpponentGone) {
        if !gone.gone {
            return self.opponent_is_back();
        }
        let Some(wait) = gone.claim_win_in else { return };
        self.claim_at = Some(self.now.saturating_add(wait));
        if wait.is_zero() {
            self.consider_claim();
        } else {
            // The server repeats the line; the timer is for when it does not.
            self.set_timer(Timer::Claim, wait.saturating_add(Duration::from_secs(1)));
        }
    }

    pub(super) fn opponent_is_back(&mut self) {
        self.claims = 0;
        self.claim_again_at = Duration::ZERO;
        if self.claim_at.take().is_some() {
            self.emit(Effect::CancelTimer { timer: Timer::Claim });
        }
    }

    /// Claims, if it is time and the opponent is to move: on our own turn a claim has no effect.
    pub(super) fn consider_claim(&mut self) {
        let (Some(board), Some(seats)) = (&self.board, &self.seats) else { return };
        let due = self.claim_at.is_some_and(|at| at <= self.now);
        let possible = !board.is_turn_of(seats.us) && board.ply() >= FREE_PLIES && self.ending.is_none();
        if !due || !possible || self.now < self.claim_again_at || !self.options.policy.claim_wins {
            return;
        }
        let pause = doubled(CLAIM_AGAIN, self.claims, CLAIM_AGAIN_MAX);
        self.claims += 1;
        self.claim_again_at = self.now.saturating_add(pause);
        let cannot_win = board.history.position().lacks_winning_material(seats.us);
        let action = if cannot_win { Action::ClaimDraw } else { Action::ClaimWin };
        self.emit(Effect::Act { action });
        self.set_timer(Timer::Claim, pause);
    }
}
