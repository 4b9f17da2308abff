//! Opponents who are not there: those who never begin, and those who leave.

use std::time::Duration;

use super::{Action, Effect, Level, Session, Timer};
use crate::bot::budget::FREE_PLIES;
use crate::lichess::OpponentGone;

/// How often the win is claimed during one absence: a claim may be answered "done" without effect.
const MAX_CLAIMS: u32 = 2;

impl Session {
    /// While the opponent has not made a first move, the game can be called off. Games with a time limit of their
    /// own end by themselves, and those of a tournament are the server's business.
    pub(super) fn watch_first_move(&mut self) {
        let (Some(board), Some(seats)) = (&self.board, &self.seats) else { return };
        let theirs = !board.is_turn_of(seats.us);
        let watched =
            theirs && board.ply() < FREE_PLIES && !seats.tournament && board.state.expiration.is_none();
        let armed = watched && !self.abort_refused;
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
        if board.ply() < FREE_PLIES && !board.is_turn_of(seats.us) && self.ending.is_none() {
            self.log(Level::Info, "the opponent does not begin; calling the game off");
            self.emit(Effect::Act { action: Action::Abort });
        }
    }

    /// A game that cannot be called off is waited for; it costs nothing but its place.
    pub(super) fn on_abort_answered(&mut self, done: bool) {
        if !done {
            self.abort_refused = true;
            self.log(Level::Warn, "the game cannot be called off; waiting for the opponent");
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
        if self.claim_at.take().is_some() {
            self.emit(Effect::CancelTimer { timer: Timer::Claim });
        }
    }

    /// Claims, if it is time and the opponent is to move: on our own turn a claim has no effect.
    pub(super) fn consider_claim(&mut self) {
        let (Some(board), Some(seats)) = (&self.board, &self.seats) else { return };
        let due = self.claim_at.is_some_and(|at| at <= self.now);
        let possible = !board.is_turn_of(seats.us) && board.ply() >= FREE_PLIES && self.ending.is_none();
        if !due || !possible || self.claims >= MAX_CLAIMS || !self.options.policy.claim_wins {
            return;
        }
        self.claims += 1;
        let cannot_win = board.history.position().lacks_winning_material(seats.us);
        let action = if cannot_win { Action::ClaimDraw } else { Action::ClaimWin };
        self.emit(Effect::Act { action });
    }
}
