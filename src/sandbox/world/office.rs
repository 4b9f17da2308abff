//! The arbiter's procedures by user and game id. Players claim and seal for themselves; what the arbiter does alone
//! needs no player.

use std::time::Duration;

use super::{Absence, ClaimKind, Finding, Game, GameId, Refusal, UserId, World};
use crate::chess::Color;

impl World {
    /// A player claims a draw.
    pub(crate) fn claim(
        &mut self,
        user: &UserId,
        id: &GameId,
        (kind, intended): (ClaimKind, Option<&str>),
        now: Duration,
    ) -> Result<Finding, Refusal> {
        self.in_game(user, id, |game, color| game.claim(color, kind, intended, now))
    }

    /// A player seals a move.
    pub(crate) fn adjourn(
        &mut self,
        user: &UserId,
        id: &GameId,
        text: &str,
        now: Duration,
    ) -> Result<(), Refusal> {
        self.in_game(user, id, |game, color| game.adjourn(color, text, now))
    }

    /// Play is to be taken up again.
    pub(crate) fn resume(
        &mut self,
        id: &GameId,
        absence: Absence,
        set_up: Option<&str>,
        now: Duration,
    ) -> Result<&Game, Refusal> {
        self.on_game(id, |game| game.resume(absence, set_up, now))?;
        self.game(id).ok_or(Refusal::NoSuchGame)
    }

    /// The game is declared lost by one side, or by both.
    pub(crate) fn forfeit(&mut self, id: &GameId, side: Option<Color>, now: Duration) -> Result<(), Refusal> {
        self.on_game(id, |game| game.forfeit(side, now))
    }

    /// The opponent of `color` is given time.
    pub(crate) fn punish(
        &mut self,
        id: &GameId,
        color: Color,
        time: Duration,
        now: Duration,
    ) -> Result<(), Refusal> {
        self.on_game(id, |game| game.punish(color, time, now))
    }

    /// Another number than fifty is announced for the game.
    pub(crate) fn announce_quiet_moves(&mut self, id: &GameId, moves: u16) -> Result<(), Refusal> {
        self.on_game(id, |game| game.announce_quiet_moves(moves))
    }
}
