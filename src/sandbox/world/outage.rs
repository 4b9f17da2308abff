//! The server goes down and comes again: streams end, the world stands still, and games may have lost their last moves.
//!
//! That nobody reaches it meanwhile is left to the listener. Scripted players stay where they are.

use std::time::Duration;

use super::{Game, GameId, Notice, Status, World};
use crate::chess::Color;
use crate::ignore::Ignore;

/// What a restart has cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Losses {
    /// How many of its last plies each running game has lost.
    pub(crate) plies: usize,
    /// How many running games, the oldest first, are aborted instead of going on.
    pub(crate) games: usize,
}

impl World {
    /// Whether the server is down: nobody's time runs and nobody is reported, however long that lasts.
    pub(crate) fn is_down(&self) -> bool {
        self.down_since.is_some()
    }

    /// The server goes down. Whether it was up.
    pub(crate) fn go_down(&mut self, now: Duration) -> bool {
        let was_up = !self.is_down();
        if was_up {
            self.down_since = Some(now);
            self.outbox.push(Notice::Down);
        }
        was_up
    }

    /// The server is there again. Games go on where they were, or a few plies earlier; what had ended stays ended.
    pub(crate) fn come_up(&mut self, losses: Losses, now: Duration) {
        let Some(since) = self.down_since.take() else { return };
        let gap = now.saturating_sub(since);
        for challenge in self.challenges.values_mut() {
            challenge.seen = challenge.seen.saturating_add(gap).min(now);
        }
        for (n, id) in self.live.clone().into_iter().enumerate() {
            let resumed = self.on_game(&id, |game| {
                game.sleep(gap, now);
                if n < losses.games {
                    game.end(Status::Aborted, None, now);
                } else {
                    game.lose_plies(losses.plies, now);
                    game.tell_state(now);
                }
                Ok(())
            });
            resumed.ignore("the id was taken from the list just now");
        }
        self.outbox.push(Notice::Up);
    }

    /// Another stream with the same token takes the place of the user's: of its events, or of a game.
    pub(crate) fn twin(&mut self, user: super::UserId, game: Option<GameId>) {
        self.outbox.push(Notice::StreamTaken { from: user, game });
    }
}

impl Game {
    /// Nothing of the last `gap` counts.
    fn sleep(&mut self, gap: Duration, now: Duration) {
        self.clock.sleep(gap);
        self.turn_since = self.turn_since.saturating_add(gap).min(now);
        for presence in &mut self.presence {
            presence.forget_absence(now);
        }
    }

    /// The last plies were never played. An adjourned game, which waits with an envelope, keeps all of them.
    fn lose_plies(&mut self, plies: usize, now: Duration) {
        let ply = self.ply().saturating_sub(plies);
        if ply == self.ply() || self.is_adjourned() {
            return;
        }
        self.clock.stop(now);
        self.history.truncate(ply);
        self.past_times.truncate(ply + 1);
        self.turns.truncate(ply);
        self.turns.push(now);
        if let Some(times) = self.past_times.last() {
            for color in Color::ALL {
                self.clock.restore(color, times[color.index()]);
            }
        }
        self.offers.rewind(ply);
        self.sheet.offers.retain(|(beside, _)| *beside < ply);
        self.sheet.announced = None;
        self.turn_since = now;
        if !(self.options.free_first_moves && ply < 2) {
            self.clock.run(self.turn(), now);
        }
    }
}
