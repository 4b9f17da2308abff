//! What the server says or shows although it is no longer so, and clocks that jump: Lichess has done all of it.

use std::time::Duration;

use super::{ChallengeStatus, Game, GameId, Notice, Refusal, Status, TimeControl, UserId, World};
use crate::chess::Color;

impl World {
    /// The clocks of a running game jump by so many milliseconds, White's and Black's. Who has less than that left
    /// has nothing. Whether there was a clock.
    pub(crate) fn jump_clocks(&mut self, id: &GameId, millis: [i64; 2], now: Duration) -> bool {
        let jumped = self.on_game(id, |game| {
            if !game.is_live() || !matches!(game.clock.control(), TimeControl::Clock { .. }) {
                return Err(Refusal::NotAllowed("no clock runs"));
            }
            for (color, millis) in Color::ALL.into_iter().zip(millis) {
                let time = Duration::from_millis(millis.unsigned_abs());
                if millis < 0 {
                    game.clock.take(color, time);
                } else {
                    game.clock.give(color, time);
                }
            }
            game.tell_state(now);
            Ok(())
        });
        jumped.is_ok()
    }

    /// The newest challenge to a user that no longer waits is sent again, as if it were new. Whether there is one.
    pub(crate) fn repeat_challenge(&mut self, to: &UserId) -> bool {
        let old = self.challenges.values().filter(|challenge| {
            challenge.dest == *to && challenge.status != ChallengeStatus::Created && !challenge.is_open()
        });
        let newest = old.max_by_key(|challenge| (challenge.created, &challenge.id));
        let again = newest.map(|challenge| challenge.id.clone());
        let notice = again.map(|challenge| Notice::ChallengeAgain { to: to.clone(), challenge });
        self.outbox.extend(notice.clone());
        notice.is_some()
    }

    /// The start of a user's newest finished game is sent again, as if it had just begun. Whether there is one.
    pub(crate) fn repeat_start(&mut self, to: &UserId) -> bool {
        let over = self.games().find(|game| !game.is_live() && game.color_of(to).is_some());
        let notice = over.map(|game| Notice::GameStartAgain { to: to.clone(), game: game.id.clone() });
        self.outbox.extend(notice.clone());
        notice.is_some()
    }

    /// The games of a user that were running at an earlier time, the oldest first. Those that have ended since are
    /// shown as if they had not; their moves are those of the end.
    pub(crate) fn playing_as_of(&self, user: &UserId, at: Duration) -> Vec<(Game, Color)> {
        let mut games: Vec<_> = self
            .games()
            .filter(|game| game.created <= at && game.ended.is_none_or(|ended| ended > at))
            .filter_map(|game| Some((game.as_if_running(), game.color_of(user)?)))
            .collect();
        games.reverse();
        games
    }
}

impl Game {
    /// The same game before it ended.
    fn as_if_running(&self) -> Game {
        Game { status: Status::Started, winner: None, ended: None, ..self.clone() }
    }

    /// The same game as it was when it began.
    pub(crate) fn as_it_began(&self) -> Game {
        let mut game = self.as_if_running();
        game.history.truncate(0);
        if let Some(times) = game.past_times.first() {
            for color in Color::ALL {
                game.clock.restore(color, times[color.index()]);
            }
        }
        game
    }
}
