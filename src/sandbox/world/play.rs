//! What players do in their games, by user and game id, and who is connected.

use std::time::Duration;

use super::{Answer, Game, GameId, Refusal, Seat, UserId, World};
use crate::chess::{Color, History, Move};
use crate::ignore::Ignore;

impl World {
    /// A game of this user, and its side.
    pub(crate) fn game_of(&self, user: &UserId, id: &GameId) -> Result<(&Game, Color), Refusal> {
        let game = self.games.get(id).ok_or(Refusal::NoSuchGame)?;
        let color = game.color_of(user).ok_or(Refusal::NotYourGame)?;
        Ok((game, color))
    }

    pub(super) fn in_game<T>(
        &mut self,
        user: &UserId,
        id: &GameId,
        act: impl FnOnce(&mut Game, Color) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let (_, color) = self.game_of(user, id)?;
        self.on_game(id, |game| act(game, color))
    }

    /// Plays a move given as text; `offer` is what it says about a draw.
    pub(crate) fn play(
        &mut self,
        user: &UserId,
        id: &GameId,
        uci: &str,
        offer: Option<bool>,
        now: Duration,
    ) -> Result<(), Refusal> {
        self.in_game(user, id, |game, color| game.play_text(color, uci, offer, now))
    }

    /// Aborts.
    pub(crate) fn abort(&mut self, user: &UserId, id: &GameId, now: Duration) -> Result<(), Refusal> {
        self.in_game(user, id, |game, _| game.abort(now))
    }

    /// Resigns.
    pub(crate) fn resign(&mut self, user: &UserId, id: &GameId, now: Duration) -> Result<(), Refusal> {
        self.in_game(user, id, |game, color| game.resign(color, now))
    }

    /// Offers, accepts, claims or refuses a draw.
    pub(crate) fn draw(
        &mut self,
        user: &UserId,
        id: &GameId,
        answer: Answer,
        now: Duration,
    ) -> Result<(), Refusal> {
        self.in_game(user, id, |game, color| {
            game.answer_draw(color, answer, now);
            Ok(())
        })
    }

    /// Proposes, accepts or refuses a takeback.
    pub(crate) fn takeback(
        &mut self,
        user: &UserId,
        id: &GameId,
        answer: Answer,
        now: Duration,
    ) -> Result<(), Refusal> {
        let (game, color) = self.game_of(user, id)?;
        let opponent = game.seat(!color).user().and_then(|opponent| self.accounts.get(opponent));
        let allowed = opponent.is_some_and(|opponent| opponent.accepts_takebacks);
        self.on_game(id, |game| {
            game.answer_takeback(color, answer, allowed, now);
            Ok(())
        })
    }

    /// Claims the win against an opponent who has left.
    pub(crate) fn claim_victory(&mut self, user: &UserId, id: &GameId, now: Duration) -> Result<(), Refusal> {
        self.in_game(user, id, |game, color| game.claim_victory(color, now))
    }

    /// Claims a draw likewise.
    pub(crate) fn claim_draw(&mut self, user: &UserId, id: &GameId, now: Duration) -> Result<(), Refusal> {
        self.in_game(user, id, |game, color| game.claim_draw(color, now))
    }

    /// Says something.
    pub(crate) fn say(&mut self, user: &UserId, id: &GameId, room: &str, text: &str) -> Result<(), Refusal> {
        self.in_game(user, id, |game, color| game.say(color, room, text))
    }

    /// Gives the opponent time.
    pub(crate) fn add_time(
        &mut self,
        user: &UserId,
        id: &GameId,
        time: Duration,
        now: Duration,
    ) -> Result<(), Refusal> {
        self.in_game(user, id, |game, color| {
            if game.is_live() && !game.has_rule(super::game::GameRule::NoGiveTime) {
                game.clock.give(!color, time);
                game.tell_state(now);
            }
            Ok(())
        })
    }

    /// The games in which a lent opponent is to move: id, level and the game so far.
    pub(crate) fn awaiting_ai(&self) -> Vec<(GameId, u8, History)> {
        let awake = self.live_games().filter(|_| !self.is_down());
        awake
            .filter_map(|game| match game.seat(game.turn()) {
                Seat::Ai { level } => Some((game.id.clone(), *level, game.history.clone())),
                Seat::User { .. } => None,
            })
            .collect()
    }

    /// The sandbox has chosen a move of a lent opponent or a scripted account for the position after `ply` plies. It
    /// is dropped if the game has gone on otherwise.
    pub(crate) fn plays_itself(
        &mut self,
        id: &GameId,
        ply: usize,
        mv: Move,
        now: Duration,
    ) -> Result<(), Refusal> {
        let accounts = &self.accounts;
        let game = self.games.get(id).ok_or(Refusal::NoSuchGame)?;
        let ours = match game.seat(game.turn()) {
            Seat::Ai { .. } => true,
            Seat::User { id, .. } => accounts.get(id).is_some_and(|account| account.scripted),
        };
        let (ours, color) = (ours && game.ply() == ply, game.turn());
        self.on_game(id, |game| {
            if ours && game.has_the_move(color, now) {
                game.play(mv, now);
            }
            Ok(())
        })
    }

    /// Takes back whatever the user itself has proposed.
    pub(crate) fn withdraw(&mut self, user: &UserId, id: &GameId, now: Duration) -> Result<(), Refusal> {
        self.in_game(user, id, |game, color| {
            game.withdraw(color, now);
            Ok(())
        })
    }

    /// Halves the user's own time for the rest of the game.
    pub(crate) fn berserk(&mut self, user: &UserId, id: &GameId, now: Duration) -> Result<(), Refusal> {
        self.in_game(user, id, |game, color| game.berserk(color, now))
    }

    /// A stream of the user was opened: the event stream, or that of a game.
    pub(crate) fn connected(&mut self, user: &UserId, game: Option<&GameId>, now: Duration) {
        if let Some(account) = self.accounts.get_mut(user) {
            account.streams = account.streams.saturating_add(1);
            account.seen = now;
        }
        if let Some(id) = game {
            self.presence_changed(user, id, |game, color| game.player_came(color));
        }
    }

    /// The same stream was closed.
    pub(crate) fn disconnected(&mut self, user: &UserId, game: Option<&GameId>, now: Duration) {
        if let Some(account) = self.accounts.get_mut(user) {
            account.streams = account.streams.saturating_sub(1);
            account.seen = now;
        }
        if let Some(id) = game {
            self.presence_changed(user, id, |game, color| game.player_left(color, now));
        }
    }

    fn presence_changed(&mut self, user: &UserId, id: &GameId, act: impl FnOnce(&mut Game, Color)) {
        let done = self.in_game(user, id, |game, color| {
            act(game, color);
            Ok(())
        });
        done.ignore("the game may have been forgotten while its last stream was closing");
    }

    /// Counts a look at one's own account.
    pub(crate) fn count_account_request(&mut self, user: &UserId, now: Duration) -> Result<(), Refusal> {
        let limit = self.options.limits.account;
        self.limiters.account.take(limit, user.as_str(), 1, now).map_err(|_| Refusal::RateLimited)
    }

    /// Counts the opening of an event stream.
    pub(crate) fn count_event_stream(&mut self, token: &str, now: Duration) -> Result<(), Refusal> {
        let limit = self.options.limits.event_streams;
        self.limiters.event_streams.take(limit, token, 1, now).map_err(|_| Refusal::StreamPolled)
    }

    /// Makes an account a BOT account, for ever. Only possible before its first game.
    pub(crate) fn upgrade(&mut self, user: &UserId) -> Result<(), Refusal> {
        if self.games().any(|game| game.color_of(user).is_some()) {
            return Err(Refusal::AlreadyPlayed);
        }
        let account = self.accounts.get_mut(user).ok_or_else(|| Refusal::NoSuchUser(user.clone()))?;
        account.title = Some("BOT".to_owned());
        account.accepts_takebacks = false;
        account.rating = account.rating.max(2000);
        Ok(())
    }
}
