//! Ends that are no move: resignation, abortion, flags, claims and first moves that do not come.

use std::time::Duration;

use super::game::GameRule;
use super::{Game, GameSource, Refusal, Status, TimeControl};
use crate::chess::Color;

impl Game {
    /// Ends the game and tells the streams.
    pub(super) fn end(&mut self, status: Status, winner: Option<Color>, now: Duration) {
        self.clock.stop(now);
        self.offers.clear();
        self.status = status;
        self.winner = winner;
        self.ended = Some(now);
        self.tell_state(now);
    }

    /// Whether a player may still abort.
    pub(crate) fn is_abortable(&self) -> bool {
        self.is_live()
            && self.ply() < 2
            && self.source != GameSource::Arena
            && !self.has_rule(GameRule::NoAbort)
    }

    /// Aborts, while that is allowed.
    pub(super) fn abort(&mut self, now: Duration) -> Result<(), Refusal> {
        if !self.is_abortable() {
            return Err(Refusal::CannotAbort);
        }
        self.end(Status::Aborted, None, now);
        Ok(())
    }

    /// `color` gives up; before the second ply that aborts.
    pub(super) fn resign(&mut self, color: Color, now: Duration) -> Result<(), Refusal> {
        if self.is_abortable() {
            return self.abort(now);
        }
        if !self.is_live() {
            return Err(Refusal::CannotResign);
        }
        let laws = self.options.laws;
        if laws.resigning_may_draw && laws.cannot_win(self.history.position(), !color) {
            self.end(Status::Draw, None, now);
        } else {
            self.end(Status::Resign, Some(!color), now);
        }
        Ok(())
    }

    /// `color` goes berserk, which is possible until its first move. Lichess allows it in arenas only.
    pub(super) fn berserk(&mut self, color: Color, now: Duration) -> Result<(), Refusal> {
        if !self.is_live() || self.has_moved(color) || !self.clock.go_berserk(color) {
            return Err(Refusal::NotAllowed("Cannot berserk"));
        }
        self.tell_state(now);
        Ok(())
    }

    /// Ends the game if the running clock has run out. Whether it did.
    pub(super) fn fall_flag(&mut self, now: Duration) -> bool {
        if !self.is_live() || !self.clock.flagged(self.options.flag_grace, now) {
            return false;
        }
        let other = !self.turn();
        if self.options.laws.flag_accepts_offer && self.offers.draw[other.index()] {
            self.end(Status::Draw, None, now);
        } else {
            self.lose(!other, Status::OutOfTime, now);
        }
        true
    }

    /// Ends a game whose first move is overdue.
    pub(super) fn expire_first_move(&mut self, now: Duration) {
        let Some(allowed) = self.first_move_deadline() else {
            return;
        };
        if now.saturating_sub(self.turn_since) < allowed {
            return;
        }
        if self.source == GameSource::Arena {
            self.end(Status::NoStart, Some(!self.turn()), now);
        } else {
            self.end(Status::Aborted, None, now);
        }
    }

    /// `color` says that the opponent has left and wants the win. Where a claim does not apply nothing happens.
    pub(super) fn claim_victory(&mut self, color: Color, now: Duration) -> Result<(), Refusal> {
        if !self.claim_applies(color) {
            return Ok(());
        }
        if !self.may_claim(color, now) {
            return Err(Refusal::CannotClaimWin);
        }
        let winner = (!self.options.laws.cannot_win(self.history.position(), color)).then_some(color);
        self.end(Status::Timeout, winner, now);
        Ok(())
    }

    /// The same for a draw.
    pub(super) fn claim_draw(&mut self, color: Color, now: Duration) -> Result<(), Refusal> {
        if !self.claim_applies(color) {
            return Ok(());
        }
        if !self.may_claim(color, now) {
            return Err(Refusal::CannotClaimDraw);
        }
        self.end(Status::Timeout, None, now);
        Ok(())
    }

    fn claim_applies(&self, color: Color) -> bool {
        self.is_live()
            && !self.has_ai()
            && !self.is_adjourned()
            && self.turn() != color
            && !self.has_rule(GameRule::NoClaimWin)
            && matches!(self.clock.control(), TimeControl::Clock { .. })
    }
}
