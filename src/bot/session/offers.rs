//! Draws, takebacks and giving up: what the policy makes of scores and of the opponent's wishes.

use std::time::Duration;

use super::{Action, Effect, Level, Session, Timer};
use crate::bot::options::DrawWindow;

/// How long a move is held back for the answer to a claim, the new position after a takeback or the end after a
/// resignation.
const HOLD: Duration = Duration::from_secs(2);

/// The server ignores offers that come sooner than this after the last one.
const PLIES_BETWEEN_OFFERS: usize = 20;

/// No offers of ours before this ply: the opening is nobody's draw.
const FIRST_OFFER_PLY: usize = 40;

/// What was offered, claimed and granted so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Offers {
    /// Why the move is held back.
    pub(super) hold: Option<Hold>,
    /// The ply of our last draw offer.
    offered_at: Option<usize>,
    /// The opponent has offered a draw since: until then another offer of ours is bad manners (docs/laws.md, row 52).
    offered_back: bool,
    /// The ply of the repetition that we claimed.
    claimed_at: Option<usize>,
    /// The opponent's present wish to take back was answered.
    takeback_answered: bool,
    /// The present position may go because we let it go.
    pub(super) takeback_granted: bool,
    takebacks: u32,
    /// The server does not let us resign, or lets the game go on all the same.
    resign_refused: bool,
    resigning: bool,
}

/// What a move waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hold {
    /// The answer to a claim.
    Claim,
    /// The last line after a resignation: if it does not come, the resignation had no effect.
    Resignation,
    /// The position after a takeback.
    Takeback,
}

impl Session {
    fn hold(&mut self, reason: Hold) {
        self.offers.hold = Some(reason);
        self.set_timer(Timer::Hold, HOLD);
    }

    /// What the move waited for has not come: it goes out.
    pub(super) fn release(&mut self) {
        if self.offers.hold.take().is_some() {
            self.emit(Effect::CancelTimer { timer: Timer::Hold });
            self.post_answer();
        }
    }

    /// Whether the move goes out with a draw offer: to accept the opponent's, or to make one. Together with the
    /// move it is safe: if theirs is gone by then, the move counts all the same.
    pub(super) fn goes_with_a_draw(&mut self) -> bool {
        let (Some(board), Some(seats)) = (&self.board, &self.seats) else { return false };
        let policy = &self.options.policy;
        let ply = board.ply();
        if board.offers_draw(!seats.us) {
            self.offers.offered_back = true;
            return policy.accept_draws.is_some_and(|window| self.is_worse(window) || self.is_level(window));
        }
        let rested = self
            .offers
            .offered_at
            .is_none_or(|last| self.offers.offered_back && ply >= last.saturating_add(PLIES_BETWEEN_OFFERS));
        let human = seats.opponent().ai_level.is_none();
        let wanted = policy.offer_draws.is_some_and(|window| self.is_level(window));
        let claimed = self.offers.claimed_at == Some(ply);
        let offer = wanted && human && rested && !claimed && ply >= FIRST_OFFER_PLY;
        if offer {
            self.offers.offered_at = Some(ply);
            self.offers.offered_back = false;
        }
        offer
    }

    /// We are worse than the window allows.
    fn is_worse(&self, window: DrawWindow) -> bool {
        self.scores.back().is_some_and(|score| *score < -window.score)
    }

    /// No recent score is outside of the window.
    fn is_level(&self, window: DrawWindow) -> bool {
        self.recent(window.moves).is_some_and(|mut scores| scores.all(|score| score.abs() <= window.score))
    }

    /// The last `count` scores, if there are so many.
    fn recent(&self, count: u32) -> Option<impl Iterator<Item = i32> + '_> {
        let count = usize::try_from(count).unwrap_or(usize::MAX).max(1);
        (self.scores.len() >= count).then(|| self.scores.iter().rev().take(count).copied())
    }

    /// Claims a repetition that the server has not acted upon, when a draw is as good as what we have.
    pub(super) fn claim_repetition(&mut self) {
        let Some(board) = &self.board else { return };
        let Some(score) = self.scores.back() else { return };
        let ply = board.ply();
        let wanted = board.history.occurrences() >= 3 && *score <= self.options.policy.claim_draw_score;
        if wanted && self.offers.claimed_at != Some(ply) {
            self.offers.claimed_at = Some(ply);
            self.emit(Effect::Act { action: Action::ClaimRepetition });
            self.hold(Hold::Claim);
        }
    }

    /// The server has dealt with the claim. If the game goes on, so do we.
    pub(super) fn on_claim_answered(&mut self, done: bool) {
        if self.offers.hold == Some(Hold::Claim) && !done {
            self.release();
        }
        // Done may mean that the game is over; the last line tells, or the timer.
    }

    pub(super) fn wants_to_resign(&self) -> bool {
        let Some(policy) = self.options.policy.resign else { return false };
        let lost =
            self.recent(policy.moves).is_some_and(|mut scores| scores.all(|score| score <= policy.score));
        // Before the third ply resigning would call the game off.
        let counts = self.board.as_ref().is_some_and(|board| board.ply() >= 2);
        lost && counts && !self.offers.resign_refused
    }

    pub(super) fn resign(&mut self) {
        if !self.offers.resigning {
            self.offers.resigning = true;
            self.log(Level::Info, "resigning");
            self.emit(Effect::Act { action: Action::Resign });
        }
    }

    pub(super) fn on_resign_answered(&mut self, done: bool) {
        self.offers.resigning = false;
        self.offers.resign_refused = true;
        if done {
            self.hold(Hold::Resignation);
        } else {
            self.post_answer();
        }
    }

    /// Answers the opponent's wish to take back, once.
    pub(super) fn consider_takeback(&mut self) {
        let (Some(board), Some(seats)) = (&self.board, &self.seats) else { return };
        if !board.asks_takeback(!seats.us) {
            self.offers.takeback_answered = false;
            return;
        }
        if self.offers.takeback_answered || self.ending.is_some() {
            return;
        }
        self.offers.takeback_answered = true;
        let granted = self.offers.takebacks < self.options.policy.takebacks && !self.is_posting();
        if granted {
            self.offers.takebacks += 1;
            self.offers.takeback_granted = true;
            self.emit(Effect::Act { action: Action::AllowTakeback });
            self.hold(Hold::Takeback);
        } else {
            self.emit(Effect::Act { action: Action::RefuseTakeback });
        }
    }
}
