//! Challenges in the world: making, answering, withdrawing.

use std::time::Duration;

use super::game::GameRule;
use super::ids::Random;
use super::refusal::Whose;
use super::wish::{Start, complaints};
use super::{
    AiWish, Challenge, ChallengeStatus, ChallengeWish, ColorWish, DeclineReason, GameId, GamePlan,
    GameSource, KeepAliveEnd, Notice, Refusal, Seat, Speed, TimeControl, UserId, World,
};
use crate::chess::Color;

/// What a challenge to a human costs; one to a bot costs 1.
const HUMAN_COST: u32 = 5;

impl World {
    /// A challenge, open or not.
    pub(crate) fn challenge(&self, id: &GameId) -> Option<&Challenge> {
        self.challenges.get(id)
    }

    /// The challenges that a user has a part in and that wait for an answer, the oldest first.
    pub(crate) fn open_challenges(&self, user: &UserId) -> Vec<&Challenge> {
        let mut open: Vec<_> = self
            .challenges
            .values()
            .filter(|challenge| challenge.status == ChallengeStatus::Created)
            .filter(|challenge| challenge.challenger == *user || challenge.dest == *user)
            .collect();
        open.sort_by_key(|challenge| challenge.created);
        open
    }

    /// `by` challenges `to`.
    pub(crate) fn challenge_user(
        &mut self,
        by: &UserId,
        to: &UserId,
        wish: &ChallengeWish,
        now: Duration,
    ) -> Result<GameId, Refusal> {
        let by_bot = self.is_bot(by);
        let start =
            Start::settle(wish.variant, wish.fen.as_deref(), &mut self.random).map_err(Refusal::Form)?;
        if let Some(errors) = complaints(&start, wish.time, wish.rated, by_bot) {
            return Err(Refusal::Form(errors));
        }
        self.may_challenge(by, to, wish)?;
        let cost = if self.is_bot(to) { 1 } else { HUMAN_COST };
        self.count_challenge(by, cost, now)?;
        self.check_bot_day(by, to, now)?;
        let challenge = Challenge {
            id: self.fresh_id(),
            challenger: by.clone(),
            dest: to.clone(),
            variant: start.variant,
            initial_fen: start.fen,
            rated: wish.rated,
            time: wish.time,
            color: wish.color,
            final_color: final_color(wish.color, &mut self.random),
            rules: wish.rules.clone(),
            rematch_of: None,
            status: ChallengeStatus::Created,
            decline: None,
            created: now,
            seen: now,
            waiting: 0,
        };
        Ok(self.put_up(challenge))
    }

    /// `by` offers a rematch of a finished game, with colours swapped.
    pub(crate) fn offer_rematch(
        &mut self,
        by: &UserId,
        of: &GameId,
        now: Duration,
    ) -> Result<GameId, Refusal> {
        let game = self.games.get(of).ok_or(Refusal::NoSuchGame)?;
        let color = game.color_of(by).ok_or(Refusal::NotYourGame)?;
        let Some(opponent) = game.seat(!color).user().filter(|_| !game.is_live()).cloned() else {
            return Err(Refusal::NotAllowed("no rematch of this game is possible"));
        };
        if game.has_rule(GameRule::NoRematch) {
            return Err(Refusal::NotAllowed("no rematch of this game was agreed"));
        }
        let mut challenge = Challenge {
            id: of.clone(),
            challenger: by.clone(),
            dest: opponent.clone(),
            variant: game.variant.into(),
            initial_fen: game.initial_fen.clone(),
            rated: game.rated,
            time: game.clock.control(),
            color: (!color).into(),
            final_color: !color,
            rules: Vec::new(),
            rematch_of: Some(of.clone()),
            status: ChallengeStatus::Created,
            decline: None,
            created: now,
            seen: now,
            waiting: 0,
        };
        self.check_bot_day(by, &opponent, now)?;
        challenge.id = self.fresh_id();
        Ok(self.put_up(challenge))
    }

    /// Puts a challenge up and tells both. An earlier one of the same two is withdrawn without a word.
    fn put_up(&mut self, challenge: Challenge) -> GameId {
        let id = challenge.id.clone();
        let earlier = self.challenges.values_mut().filter(|earlier| {
            earlier.is_open() && earlier.challenger == challenge.challenger && earlier.dest == challenge.dest
        });
        for earlier in earlier {
            earlier.status = ChallengeStatus::Canceled;
            let end = KeepAliveEnd::Canceled;
            self.outbox.push(Notice::ChallengeDone { challenge: earlier.id.clone(), end });
        }
        for to in [challenge.dest.clone(), challenge.challenger.clone()] {
            self.outbox.push(Notice::ChallengeCreated { to, challenge: id.clone() });
        }
        self.challenges.insert(id.clone(), challenge);
        id
    }

    fn may_challenge(&self, by: &UserId, to: &UserId, wish: &ChallengeWish) -> Result<(), Refusal> {
        let dest = self.accounts.get(to).ok_or_else(|| Refusal::NoSuchUser(to.clone()))?;
        if by == to {
            return Err(Refusal::ChallengeYourself);
        }
        if dest.is_bot() && !wish.rules.is_empty() {
            return Err(Refusal::RulesForBot);
        }
        if dest.is_bot() && wish.time.speed() == Speed::UltraBullet {
            return Err(Refusal::UltraBulletForBot);
        }
        Ok(())
    }

    fn count_challenge(&mut self, by: &UserId, cost: u32, now: Duration) -> Result<(), Refusal> {
        let (limits, limiters) = (self.options.limits, &mut self.limiters);
        let day = limiters.challenges_day.take(limits.challenges_day, by.as_str(), cost, now);
        let minute = limiters.challenges.take(limits.challenges, by.as_str(), cost, now);
        day.and(minute).map_err(|_| Refusal::RateLimited)
    }

    /// Whether two bots may still play each other today.
    fn check_bot_day(&mut self, by: &UserId, other: &UserId, now: Duration) -> Result<(), Refusal> {
        if !(self.is_bot(by) && self.is_bot(other)) {
            return Ok(());
        }
        let limit = self.options.limits.bot_vs_bot;
        for (user, own) in [(by, Whose::Own), (other, Whose::Opponents)] {
            if let Err(wait) = self.limiters.bot_vs_bot.check(limit, user.as_str(), 1, now) {
                let games = limit.map_or(0, |limit| limit.count);
                return Err(Refusal::BotDayLimit { whose: user.clone(), own, games, wait });
            }
        }
        Ok(())
    }

    /// `by` accepts a challenge: the game begins.
    pub(crate) fn accept(&mut self, by: &UserId, id: &GameId, now: Duration) -> Result<(), Refusal> {
        let challenge = self.challenges.get(id).ok_or(Refusal::NoSuchChallenge)?.clone();
        if challenge.dest != *by {
            return Err(Refusal::NotYourChallenge);
        }
        if !challenge.is_open() {
            return Err(Refusal::ChallengeClosed(challenge.status));
        }
        if self.is_bot(by) && challenge.time.speed() == Speed::UltraBullet {
            return Err(Refusal::IncompatibleWithBot);
        }
        self.check_bot_day(by, &challenge.challenger, now)?;
        let mut seats = [self.seat_of(&challenge.challenger)?, self.seat_of(&challenge.dest)?];
        if challenge.final_color == Color::Black {
            seats.swap(0, 1);
        }
        let plan = GamePlan {
            id: Some(id.clone()),
            seats,
            start: Start { variant: challenge.variant, fen: challenge.initial_fen.clone() },
            time: challenge.time,
            rated: challenge.rated,
            source: GameSource::Friend,
            rules: challenge.rules.clone(),
        };
        self.begin(plan, now)?;
        self.conclude(id, ChallengeStatus::Accepted, KeepAliveEnd::Accepted);
        if let Some(finished) = challenge.rematch_of.and_then(|of| self.games.get_mut(&of)) {
            finished.rematch = Some(id.clone());
        }
        Ok(())
    }

    /// `by` declines a challenge.
    pub(crate) fn decline(&mut self, by: &UserId, id: &GameId, reason: DeclineReason) -> Result<(), Refusal> {
        let challenge = self.challenges.get_mut(id).ok_or(Refusal::NoSuchChallenge)?;
        if challenge.dest != *by {
            return Err(Refusal::NoSuchChallenge);
        }
        if !challenge.is_open() {
            return Err(Refusal::ChallengeClosed(challenge.status));
        }
        challenge.decline = Some(reason);
        let both = [challenge.challenger.clone(), challenge.dest.clone()];
        self.conclude(id, ChallengeStatus::Declined, KeepAliveEnd::Declined);
        for to in both {
            self.outbox.push(Notice::ChallengeDeclined { to, challenge: id.clone() });
        }
        Ok(())
    }

    /// `by` withdraws a challenge, declines one, or aborts the game that came of it. `opponent` is the opponent's
    /// token, which allows the last of these at any time.
    pub(crate) fn cancel(
        &mut self,
        by: &UserId,
        id: &GameId,
        opponent: Option<&str>,
        now: Duration,
    ) -> Result<(), Refusal> {
        let open = self.challenges.get(id).filter(|challenge| challenge.is_open());
        let Some(challenge) = open else {
            return self.cancel_game(by, id, opponent, now);
        };
        if challenge.dest == *by {
            return self.decline(by, id, DeclineReason::Generic);
        }
        if challenge.challenger != *by {
            return Err(Refusal::NoSuchChallenge);
        }
        let both = [challenge.dest.clone(), challenge.challenger.clone()];
        self.conclude(id, ChallengeStatus::Canceled, KeepAliveEnd::Canceled);
        for to in both {
            self.outbox.push(Notice::ChallengeCanceled { to, challenge: id.clone() });
        }
        Ok(())
    }

    fn cancel_game(
        &mut self,
        by: &UserId,
        id: &GameId,
        opponent: Option<&str>,
        now: Duration,
    ) -> Result<(), Refusal> {
        let game = self.games.get(id).filter(|game| game.is_live()).ok_or(Refusal::NoSuchChallenge)?;
        let color = game.color_of(by).ok_or(Refusal::NoSuchChallenge)?;
        if game.is_abortable() {
            return self.on_game(id, |game| game.abort(now));
        }
        let Some(token) = opponent else {
            return Err(Refusal::CannotCancelGame);
        };
        let login = self.login(token).map(|login| &login.user);
        if login.is_none() || login != game.seat(!color).user() {
            return Err(Refusal::NotTheOpponentsToken);
        }
        self.on_game(id, |game| {
            game.end(super::Status::Aborted, None, now);
            Ok(())
        })
    }

    fn conclude(&mut self, id: &GameId, status: ChallengeStatus, end: KeepAliveEnd) {
        if let Some(challenge) = self.challenges.get_mut(id) {
            challenge.status = status;
        }
        self.outbox.push(Notice::ChallengeDone { challenge: id.clone(), end });
    }

    /// A stream that waits for the answer is about to be opened.
    pub(crate) fn challenge_awaited(&mut self, id: &GameId) {
        if let Some(challenge) = self.challenges.get_mut(id) {
            challenge.waiting = challenge.waiting.saturating_add(1);
        }
    }

    /// The same stream was closed: from now on the challenge grows old.
    pub(crate) fn challenge_left(&mut self, id: &GameId, now: Duration) {
        if let Some(challenge) = self.challenges.get_mut(id) {
            challenge.waiting = challenge.waiting.saturating_sub(1);
            challenge.seen = now;
        }
    }

    /// `by` plays a lent opponent.
    pub(crate) fn challenge_ai(
        &mut self,
        by: &UserId,
        wish: &AiWish,
        now: Duration,
    ) -> Result<GameId, Refusal> {
        let start =
            Start::settle(wish.variant, wish.fen.as_deref(), &mut self.random).map_err(Refusal::Form)?;
        if let Some(errors) = complaints(&start, wish.time, false, self.is_bot(by)) {
            return Err(Refusal::Form(errors));
        }
        let limit = self.options.limits.ai_games;
        self.limiters.ai_games.take(limit, by.as_str(), 1, now).map_err(|_| Refusal::RateLimited)?;
        let mut seats = [self.seat_of(by)?, Seat::Ai { level: wish.level }];
        if final_color(wish.color, &mut self.random) == Color::Black {
            seats.swap(0, 1);
        }
        let (time, source, rules) = (wish.time, GameSource::Ai, Vec::new());
        self.begin(GamePlan { id: None, seats, start, time, rated: false, source, rules }, now)
    }

    pub(super) fn is_bot(&self, user: &UserId) -> bool {
        self.accounts.get(user).is_some_and(super::Account::is_bot)
    }
}

/// Whether a challenge grows old in seconds.
pub(super) fn is_real_time(time: TimeControl) -> bool {
    matches!(time, TimeControl::Clock { .. })
}

fn final_color(wish: ColorWish, random: &mut Random) -> Color {
    match wish {
        ColorWish::White => Color::White,
        ColorWish::Black => Color::Black,
        ColorWish::Random if random.coin() => Color::White,
        ColorWish::Random => Color::Black,
    }
}
