//! Places: who plays, for whom a place is kept, who waits for one. Pure: it takes the time as an argument, counted
//! from any moment before, and answers with orders; whether a challenge is welcome at all, `policy` says.
//!
//! Games without a clock last for days, so they have places of their own, as many as games with one: they must not
//! keep the others out.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::options::ChallengePolicy;
use super::policy::{self, Verdict};
use crate::lichess::{Challenge, ChallengeId, DeclineReason, GameId, TimeControl, UserId};
use crate::mutant::{self, Mutant};

/// What to tell the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Accept this challenge.
    Accept(ChallengeId),
    /// Decline this challenge.
    Decline(ChallengeId, DeclineReason),
}

/// What became of an acceptance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Accepted {
    /// The game is to come.
    Yes,
    /// There will be no game.
    No,
    /// Nobody knows.
    Unclear,
}

/// How quickly a game goes by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Pace {
    /// A clock runs.
    #[default]
    Live,
    /// A move may take days.
    Slow,
}

impl Pace {
    /// Whether a clock runs.
    pub(crate) fn is_live(&self) -> bool {
        *self == Pace::Live
    }
}

/// A limit on games between bots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rest {
    /// Who has played enough.
    pub who: Tired,
    /// For how long.
    pub wait: Duration,
}

/// Who has played enough games against bots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Tired {
    /// We: no bot can play us.
    Us,
    /// The one whose challenge was accepted.
    Opponent,
}

/// How many challenges that became games are remembered, so that a late copy is not accepted again.
const REMEMBERED: usize = 64;

/// How soon after its beginning the account's stream has named all games that are running.
const ANNOUNCED: Duration = Duration::from_secs(5);

/// The places of one account.
#[derive(Debug)]
pub(crate) struct Lobby {
    us: UserId,
    policy: ChallengePolicy,
    /// How long a place is kept for a game that was accepted.
    patience: Duration,
    games: BTreeMap<GameId, Place>,
    reserved: BTreeMap<ChallengeId, Reservation>,
    declining: BTreeSet<ChallengeId>,
    held: VecDeque<Challenge>,
    accepted: u64,
    /// Challenges that became games. A rematch may have the id of the game before.
    answered: VecDeque<(ChallengeId, Option<GameId>)>,
    /// Who cannot play against bots until when; we ourselves are among them.
    resting: BTreeMap<UserId, Duration>,
    /// The account's stream is not open: no game can be heard of.
    deaf: bool,
    closed: bool,
}

/// A place that is taken.
#[derive(Debug)]
struct Place {
    opponent: Option<UserId>,
    pace: Pace,
    /// It waits for somebody who does not come, and does not count.
    parked: bool,
}

/// A place that is kept.
#[derive(Debug)]
struct Reservation {
    /// The how manieth it is: of two rematches, the one that was accepted first begins first.
    number: u64,
    opponent: Option<UserId>,
    pace: Pace,
    /// A rematch may begin under another id than its own, which may be that of the game before.
    rematch_of: Option<GameId>,
    /// Until when; as long as the acceptance has not been answered there is no end.
    until: Option<Duration>,
}

impl Lobby {
    pub(crate) fn new(us: UserId, policy: ChallengePolicy, patience: Duration) -> Lobby {
        Lobby {
            us,
            policy,
            patience,
            games: BTreeMap::new(),
            reserved: BTreeMap::new(),
            declining: BTreeSet::new(),
            held: VecDeque::new(),
            accepted: 0,
            answered: VecDeque::new(),
            resting: BTreeMap::new(),
            deaf: false,
            closed: false,
        }
    }

    /// The account's stream is open: it begins with the games that are running.
    pub(crate) fn on_connected(&mut self, now: Duration) {
        if std::mem::take(&mut self.deaf) {
            let until = now.saturating_add(self.patience.min(ANNOUNCED));
            self.reserved
                .values_mut()
                .filter_map(|place| place.until.as_mut())
                .for_each(|at| *at = until.max(*at));
        }
    }

    /// The account's stream is lost. No place lapses while nobody can tell whether its game has begun.
    pub(crate) fn on_lost(&mut self) {
        self.deaf = true;
    }

    /// A challenge came, or came again: the server repeats all that are open at each connect.
    pub(crate) fn on_challenge(&mut self, challenge: Challenge) -> Vec<Order> {
        let id = challenge.id.clone();
        let opponent = opponent(&challenge);
        let own = opponent.as_ref() == Some(&self.us);
        let known = self.reserved.contains_key(&id)
            || self.declining.contains(&id)
            || self.held.iter().any(|held| held.id == id)
            || self.answered.iter().any(|answered| *answered == (id.clone(), challenge.rematch_of.clone()))
            || (challenge.rematch_of.is_none() && self.games.contains_key(&id.game()));
        if own || known {
            return Vec::new();
        }
        // A second challenge of the same person silently replaces the first.
        self.held.retain(|held| opponent.is_none() || self::opponent(held) != opponent);
        if self.closed {
            return vec![self.decline(id, DeclineReason::Later)];
        }
        match policy::judge(&self.policy, &challenge) {
            Verdict::Decline(reason) => vec![self.decline(id, reason)],
            Verdict::Accept
                if self.games_against(opponent.as_ref()) >= self.policy.max_games_per_opponent =>
            {
                vec![self.decline(id, DeclineReason::Later)]
            }
            Verdict::Accept if self.is_tired(&challenge) => vec![self.decline(id, DeclineReason::Later)],
            Verdict::Accept if self.has_place(pace(&challenge)) => vec![self.accept(&challenge)],
            Verdict::Accept if self.policy.max_games > 0 && self.held.len() < self.policy.max_held => {
                self.held.push_back(challenge);
                Vec::new()
            }
            Verdict::Accept => vec![self.decline(id, DeclineReason::Later)],
        }
    }

    /// A challenge was withdrawn, or declined from elsewhere.
    pub(crate) fn on_gone(&mut self, id: &ChallengeId) -> Vec<Order> {
        self.held.retain(|held| held.id != *id);
        self.reserved.remove(id);
        self.declining.remove(id);
        self.fill()
    }

    /// The server answered an acceptance.
    pub(crate) fn on_accepted(&mut self, now: Duration, id: &ChallengeId, accepted: Accepted) -> Vec<Order> {
        match (accepted, self.reserved.get_mut(id)) {
            (Accepted::Yes | Accepted::Unclear, Some(place)) => place.until = now.checked_add(self.patience),
            (Accepted::No, Some(_)) => {
                self.reserved.remove(id);
            }
            (_, None) => {} // The game began before the answer came.
        }
        self.fill()
    }

    /// A limit on games between bots was met with this challenge. People are not concerned.
    pub(crate) fn on_limit(&mut self, now: Duration, id: &ChallengeId, rest: Rest) {
        let who = match rest.who {
            Tired::Us => Some(self.us.clone()),
            Tired::Opponent => self.reserved.get(id).and_then(|place| place.opponent.clone()),
        };
        who.map(|who| self.resting.insert(who, now.saturating_add(rest.wait)));
    }

    /// The server answered a refusal of ours, in whatever way.
    pub(crate) fn on_declined(&mut self, id: &ChallengeId) {
        self.declining.remove(id);
    }

    /// Nothing was answered after all.
    pub(crate) fn forget(&mut self, id: &ChallengeId) {
        self.reserved.remove(id);
        self.declining.remove(id);
    }

    /// A game begins. It takes the place that was kept for it.
    pub(crate) fn on_game_start(&mut self, game: GameId, opponent: Option<UserId>, pace: Pace) {
        let rematch = |place: &Reservation| {
            place.rematch_of.is_some() && opponent.is_some() && place.opponent == opponent
        };
        let fitting = self.reserved.iter().filter(|(id, place)| id.game() == game || rematch(place));
        let kept = fitting.min_by_key(|(id, place)| (id.game() != game, place.number));
        if let Some(id) = kept.map(|(id, _)| id.clone())
            && let Some(place) = self.reserved.remove(&id)
        {
            if self.answered.len() == REMEMBERED {
                self.answered.pop_front();
            }
            self.answered.push_back((id, place.rematch_of));
        }
        self.games.insert(game, Place { opponent, pace, parked: false });
    }

    /// A game is over, or is left. A rematch that is promised under its id is another game.
    pub(crate) fn on_game_end(&mut self, game: &GameId) -> Vec<Order> {
        self.games.remove(game);
        self.reserved.retain(|id, place| id.game() != *game || place.rematch_of.is_some());
        self.fill()
    }

    /// A game waits for somebody who does not come, and needs no place meanwhile; or it goes on.
    pub(crate) fn on_parked(&mut self, game: &GameId, parked: bool) -> Vec<Order> {
        if let Some(place) = self.games.get_mut(game) {
            place.parked = parked;
        }
        self.fill()
    }

    /// Frees the places of games that never began.
    pub(crate) fn on_time(&mut self, now: Duration) -> Vec<Order> {
        let deaf = self.deaf;
        self.reserved.retain(|_, place| deaf || place.until.is_none_or(|until| until > now));
        self.resting.retain(|_, until| *until > now);
        self.fill()
    }

    /// When [`Lobby::on_time`] has something to do.
    pub(crate) fn next_deadline(&self) -> Option<Duration> {
        let places = self.reserved.values().filter(|_| !self.deaf).filter_map(|place| place.until);
        places.chain(self.resting.values().copied()).min()
    }

    /// No new games from now on.
    pub(crate) fn close(&mut self) -> Vec<Order> {
        self.closed = true;
        let held: Vec<ChallengeId> = self.held.drain(..).map(|challenge| challenge.id).collect();
        held.into_iter().map(|id| self.decline(id, DeclineReason::Later)).collect()
    }

    /// Nobody plays, and nobody is about to.
    pub(crate) fn is_empty(&self) -> bool {
        self.games.is_empty() && self.reserved.is_empty()
    }

    /// Whether more games with a clock are going on than there are places.
    pub(crate) fn is_crowded(&self) -> bool {
        self.playing(Pace::Live) > self.policy.max_games
    }

    fn playing(&self, pace: Pace) -> usize {
        self.games.values().filter(|place| place.pace == pace && !place.parked).count()
    }

    fn has_place(&self, pace: Pace) -> bool {
        let kept = match mutant::on(Mutant::NoReservations) {
            true => 0,
            false => self.reserved.values().filter(|place| place.pace == pace).count(),
        };
        self.playing(pace) + kept < self.policy.max_games
    }

    /// Whether a limit on games between bots stands against it.
    fn is_tired(&self, challenge: &Challenge) -> bool {
        let bot = challenge.challenger.as_ref().filter(|user| user.is_bot());
        bot.is_some_and(|bot| self.resting.contains_key(&bot.id) || self.resting.contains_key(&self.us))
    }

    fn games_against(&self, opponent: Option<&UserId>) -> usize {
        let Some(opponent) = opponent else { return 0 };
        let playing = self.games.values().filter(|place| place.opponent.as_ref() == Some(opponent)).count();
        let kept = self.reserved.values().filter(|place| place.opponent.as_ref() == Some(opponent)).count();
        playing + kept
    }

    /// Free places go to those who wait, in the order in which they came.
    fn fill(&mut self) -> Vec<Order> {
        let mut orders = Vec::new();
        while let Some(next) = self.held.iter().position(|held| self.has_place(pace(held))) {
            let Some(challenge) = self.held.remove(next) else { break };
            let many =
                self.games_against(opponent(&challenge).as_ref()) >= self.policy.max_games_per_opponent;
            orders.push(if many || self.is_tired(&challenge) {
                self.decline(challenge.id, DeclineReason::Later)
            } else {
                self.accept(&challenge)
            });
        }
        orders
    }

    fn accept(&mut self, challenge: &Challenge) -> Order {
        self.accepted += 1;
        let place = Reservation {
            number: self.accepted,
            opponent: opponent(challenge),
            pace: pace(challenge),
            rematch_of: challenge.rematch_of.clone(),
            until: None,
        };
        self.reserved.insert(challenge.id.clone(), place);
        Order::Accept(challenge.id.clone())
    }

    fn decline(&mut self, id: ChallengeId, reason: DeclineReason) -> Order {
        self.declining.insert(id.clone());
        Order::Decline(id, reason)
    }
}

fn pace(challenge: &Challenge) -> Pace {
    match challenge.time_control {
        TimeControl::Clock { .. } | TimeControl::Unknown => Pace::Live,
        TimeControl::Correspondence { .. } | TimeControl::Unlimited => Pace::Slow,
    }
}

fn opponent(challenge: &Challenge) -> Option<UserId> {
    challenge.challenger.as_ref().map(|user| user.id.clone())
}

#[cfg(test)]
#[path = "lobby_tests.rs"]
mod tests;
