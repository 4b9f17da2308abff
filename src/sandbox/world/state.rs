//! The world as a whole: what is in it, and how a game begins and ends there.

use std::collections::BTreeMap;
use std::mem;
use std::sync::Arc;
use std::time::Duration;

use super::arbiter::Sheet;
use super::clock::GameClock;
use super::game::GameRule;
use super::ids::Random;
use super::limiter::Limiter;
use super::offers::Offers;
use super::presence::Presence;
use super::standings::outcome;
use super::wish::Start;
use super::{
    Account, Challenge, Game, GameId, GameSource, Login, Notice, Refusal, Seat, Status, TimeControl, UserId,
};
use crate::chess::{AnyPosition, Color, History, Variant};
use crate::ignore::Ignore;
use crate::sandbox::SandboxOptions;
use crate::sandbox::points::Outcome;

/// Accounts, challenges and games.
#[derive(Debug)]
pub(crate) struct World {
    pub(super) options: Arc<SandboxOptions>,
    pub(super) accounts: BTreeMap<UserId, Account>,
    logins: BTreeMap<String, Login>,
    pub(super) games: BTreeMap<GameId, Game>,
    /// All games, the oldest first.
    pub(super) order: Vec<GameId>,
    /// Those that go on.
    pub(super) live: Vec<GameId>,
    pub(super) challenges: BTreeMap<GameId, Challenge>,
    pub(super) random: Random,
    pub(super) outbox: Vec<Notice>,
    pub(super) limiters: Limiters,
    pub(super) flags_checked: Duration,
    /// Since when the server is down.
    pub(super) down_since: Option<Duration>,
    /// The date at which time begins here, in milliseconds of Unix time.
    began_ms: u64,
}

/// One for each kind of request.
#[derive(Debug, Default)]
pub(super) struct Limiters {
    pub(super) challenges: Limiter,
    pub(super) challenges_day: Limiter,
    pub(super) ai_games: Limiter,
    pub(super) account: Limiter,
    pub(super) event_streams: Limiter,
    pub(super) bot_vs_bot: Limiter,
}

/// A game that is to begin.
#[derive(Clone, Debug)]
pub(crate) struct GamePlan {
    pub(crate) id: Option<GameId>,
    pub(crate) seats: [Seat; 2],
    pub(crate) start: Start,
    pub(crate) time: TimeControl,
    pub(crate) rated: bool,
    pub(crate) source: GameSource,
    pub(crate) rules: Vec<GameRule>,
}

impl World {
    /// A world with the accounts of the options. `began_ms` is the date, `seed` the source of chance.
    pub(crate) fn new(options: Arc<SandboxOptions>, began_ms: u64, seed: u64) -> World {
        let accounts =
            options.users.iter().map(|spec| (UserId::of(&spec.name), Account::new(spec))).collect();
        let logins = options.users.iter().flat_map(|spec| {
            spec.tokens.iter().map(|token| {
                let login = Login { user: UserId::of(&spec.name), scopes: token.scopes.clone() };
                (token.token.clone(), login)
            })
        });
        World {
            accounts,
            logins: logins.collect(),
            games: BTreeMap::new(),
            order: Vec::new(),
            live: Vec::new(),
            challenges: BTreeMap::new(),
            random: Random::new(seed),
            outbox: Vec::new(),
            limiters: Limiters::default(),
            flags_checked: Duration::ZERO,
            down_since: None,
            began_ms,
            options,
        }
    }

    /// What there is to tell since the last call.
    pub(crate) fn take_notices(&mut self) -> Vec<Notice> {
        mem::take(&mut self.outbox)
    }

    /// A time of this world as a date, in milliseconds of Unix time.
    pub(crate) fn date_ms(&self, at: Duration) -> u64 {
        self.began_ms.saturating_add(u64::try_from(at.as_millis()).unwrap_or(u64::MAX))
    }

    /// What a token stands for.
    pub(crate) fn login(&self, token: &str) -> Option<&Login> {
        self.logins.get(token)
    }

    /// An account.
    pub(crate) fn account(&self, user: &UserId) -> Option<&Account> {
        self.accounts.get(user)
    }

    /// All accounts, by id.
    pub(crate) fn accounts(&self) -> impl Iterator<Item = &Account> {
        self.accounts.values()
    }

    /// A game.
    pub(crate) fn game(&self, id: &GameId) -> Option<&Game> {
        self.games.get(id)
    }

    /// All games, the newest first.
    pub(crate) fn games(&self) -> impl Iterator<Item = &Game> {
        self.order.iter().rev().filter_map(|id| self.games.get(id))
    }

    /// The games that go on, the oldest first.
    pub(super) fn live_games(&self) -> impl Iterator<Item = &Game> {
        self.live.iter().filter_map(|id| self.games.get(id))
    }

    /// The running games of a user, the most urgent first: those that wait for its move, then by its clock.
    pub(crate) fn playing(&self, user: &UserId, now: Duration) -> Vec<(&Game, Color)> {
        let mut playing: Vec<_> =
            self.live_games().filter_map(|game| Some((game, game.color_of(user)?))).collect();
        playing.sort_by_key(|(game, color)| (game.turn() != *color, game.clock.left(*color, now)));
        playing
    }

    /// The seat of a user.
    pub(super) fn seat_of(&self, user: &UserId) -> Result<Seat, Refusal> {
        let account = self.accounts.get(user).ok_or_else(|| Refusal::NoSuchUser(user.clone()))?;
        Ok(Seat::User {
            id: account.id.clone(),
            name: account.name.clone(),
            title: account.title.clone(),
            rating: account.rating,
            rating_diff: None,
        })
    }

    /// An id that nothing has yet.
    pub(super) fn fresh_id(&mut self) -> GameId {
        loop {
            let id = self.random.game_id();
            if !self.games.contains_key(&id) && !self.challenges.contains_key(&id) {
                return id;
            }
        }
    }

    /// Begins a game and tells its players.
    pub(crate) fn begin(&mut self, plan: GamePlan, now: Duration) -> Result<GameId, Refusal> {
        let variant = plan.start.variant.played();
        // The wish was settled into a FEN of ours, so that it can be read again.
        let start = variant.start(plan.start.fen.as_deref()).or_else(|_| variant.start(None));
        let start = start.expect("because a variant's own start is legal");
        let id = plan.id.clone().unwrap_or_else(|| self.fresh_id());
        let game = self.set_up(id.clone(), plan, (variant, start), now);
        for user in game.seats.iter().filter_map(Seat::user) {
            self.outbox.push(Notice::GameStart { to: user.clone(), game: id.clone() });
        }
        if game.seats.iter().all(Seat::is_bot) {
            for user in game.seats.iter().filter_map(Seat::user) {
                let limit = self.options.limits.bot_vs_bot;
                let counted = self.limiters.bot_vs_bot.take(limit, user.as_str(), 1, now);
                counted.ignore("whether the game is allowed was asked before");
            }
        }
        self.games.insert(id.clone(), game);
        self.order.push(id.clone());
        self.live.push(id.clone());
        Ok(id)
    }

    /// Begins a game between two users, without a challenge. `plan` settles the rest; it is given chance to draw from.
    pub(crate) fn arrange(
        &mut self,
        users: &[UserId; 2],
        plan: impl FnOnce(&mut Random) -> Result<(Start, TimeControl, bool, GameSource), Refusal>,
        now: Duration,
    ) -> Result<GameId, Refusal> {
        let seats = [self.seat_of(&users[0])?, self.seat_of(&users[1])?];
        if users[0] == users[1] {
            return Err(Refusal::ChallengeYourself);
        }
        let (start, time, rated, source) = plan(&mut self.random)?;
        self.begin(GamePlan { id: None, seats, start, time, rated, source, rules: Vec::new() }, now)
    }

    fn set_up(
        &mut self,
        id: GameId,
        plan: GamePlan,
        (variant, start): (Variant, AnyPosition),
        now: Duration,
    ) -> Game {
        let clock = GameClock::new(plan.time);
        let mut game = Game {
            id,
            player_ids: [self.random.word(4), self.random.word(4)],
            variant,
            speed: plan.time.speed(),
            rated: plan.rated,
            source: plan.source,
            tournament: (plan.source == GameSource::Arena).then(|| self.random.word(8)),
            rules: plan.rules,
            seats: plan.seats,
            initial_fen: plan.start.fen,
            created: now,
            turn_since: now,
            ended: None,
            history: History::new(start),
            past_times: vec![clock.as_of_last_move()],
            turns: vec![now],
            clock,
            status: Status::Started,
            winner: None,
            rematch: None,
            chat: Vec::new(),
            sheet: Sheet::default(),
            offers: Offers::default(),
            presence: [Presence::awaited(now), Presence::awaited(now)],
            lines: Vec::new(),
            options: Arc::clone(&self.options),
        };
        if !self.options.free_first_moves {
            game.clock.run(game.turn(), now);
        }
        game
    }

    /// Does something to a game, then tells what came of it.
    pub(super) fn on_game<T>(
        &mut self,
        id: &GameId,
        act: impl FnOnce(&mut Game) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let game = self.games.get_mut(id).ok_or(Refusal::NoSuchGame)?;
        let was_live = game.is_live();
        let result = act(game);
        let ended = was_live && !game.is_live();
        let lines = mem::take(&mut game.lines);
        self.outbox.extend(lines.into_iter().map(|line| Notice::Game { game: id.clone(), line }));
        if ended {
            self.close(id);
        }
        result
    }

    /// Ratings, scores and the last words of a game that has just ended.
    fn close(&mut self, id: &GameId) {
        self.live.retain(|live| live != id);
        let Some(game) = self.games.get_mut(id) else { return };
        let counts = game.status != Status::Aborted;
        // Elo's formula has no word for a game that both have lost.
        if game.rated && counts && !game.sheet.both_lost {
            rate(game);
        }
        let game = game.clone();
        if counts {
            self.move_points(&game);
        }
        for color in Color::ALL {
            let Some(account) = game.seat(color).user().and_then(|user| self.accounts.get_mut(user)) else {
                continue;
            };
            if counts {
                score(account, &game, color);
            }
            self.outbox.push(Notice::GameFinish { to: account.id.clone(), game: id.clone() });
        }
        self.outbox.push(Notice::GameOver { game: id.clone() });
        self.forget_old_games();
    }

    fn forget_old_games(&mut self) {
        let finished = self.order.len().saturating_sub(self.live.len());
        let surplus = finished.saturating_sub(self.options.keep_finished);
        if surplus == 0 {
            return;
        }
        let (games, mut left) = (&mut self.games, surplus);
        self.order.retain(|id| {
            let forget = left > 0 && games.get(id).is_none_or(|game| !game.is_live());
            if forget {
                left -= 1;
                games.remove(id);
            }
            !forget
        });
    }
}

/// Elo's formula with a fixed K: enough to make ratings move in the right direction.
fn rate(game: &mut Game) {
    const K: f64 = 16.0;
    let points = match game.winner {
        Some(Color::White) => 1.0,
        Some(Color::Black) => 0.0,
        None => 0.5,
    };
    if let [
        Seat::User { rating: white, rating_diff: white_diff, .. },
        Seat::User { rating: black, rating_diff: black_diff, .. },
    ] = &mut game.seats
    {
        let expected = 1.0 / (1.0 + 10f64.powf((f64::from(*black) - f64::from(*white)) / 400.0));
        let diff = (K * (points - expected)).round() as i32;
        *white_diff = Some(diff);
        *black_diff = Some(-diff);
    }
}

fn score(account: &mut Account, game: &Game, color: Color) {
    let score = &mut account.score;
    let counter = match outcome(game, color) {
        Outcome::Won => &mut score.won,
        Outcome::Drawn => &mut score.drawn,
        Outcome::Lost => &mut score.lost,
    };
    *counter = counter.saturating_add(1);
    score.rated = score.rated.saturating_add(u32::from(game.rated));
    score.against_ai = score.against_ai.saturating_add(u32::from(game.has_ai()));
    if let Seat::User { rating_diff: Some(diff), .. } = game.seat(color) {
        account.rating = account.rating.saturating_add_signed(*diff);
    }
}
