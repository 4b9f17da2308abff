//! Places: who plays, for whom a place is kept, who waits for one. Pure: it takes the time as an argument, counted
//! from any moment before, and answers with orders; whether a challenge is welcome at all, `policy` says.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::options::ChallengePolicy;
use super::policy::{self, Verdict};
use crate::lichess::{Challenge, ChallengeId, DeclineReason, GameId, UserId};
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

/// The places of one account.
#[derive(Debug)]
pub(crate) struct Lobby {
    us: UserId,
    policy: ChallengePolicy,
    /// How long a place is kept for a game that was accepted.
    patience: Duration,
    games: BTreeMap<GameId, Option<UserId>>,
    reserved: BTreeMap<ChallengeId, Reservation>,
    declining: BTreeSet<ChallengeId>,
    held: VecDeque<Challenge>,
    accepted: u64,
    closed: bool,
}

/// A place that is kept.
#[derive(Debug)]
struct Reservation {
    /// The how manieth it is: of two rematches, the one that was accepted first begins first.
    number: u64,
    opponent: Option<UserId>,
    /// A rematch may begin under another id.
    rematch: bool,
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
            closed: false,
        }
    }

    /// A challenge came, or came again: the server repeats all that are open at each connect.
    pub(crate) fn on_challenge(&mut self, challenge: Challenge) -> Vec<Order> {
        let id = challenge.id.clone();
        let opponent = opponent(&challenge);
        let own = opponent.as_ref() == Some(&self.us);
        let known = self.reserved.contains_key(&id)
            || self.declining.contains(&id)
            || self.held.iter().any(|held| held.id == id)
            || self.games.contains_key(&id.game());
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
            Verdict::Accept if self.has_place() => vec![self.accept(&challenge)],
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
    pub(crate) fn on_game_start(&mut self, game: GameId, opponent: Option<UserId>) {
        let rematch = |place: &Reservation| place.rematch && opponent.is_some() && place.opponent == opponent;
        let fitting = self.reserved.iter().filter(|(id, place)| id.game() == game || rematch(place));
        let kept = fitting.min_by_key(|(id, place)| (id.game() != game, place.number));
        if let Some(id) = kept.map(|(id, _)| id.clone()) {
            self.reserved.remove(&id);
        }
        self.games.insert(game, opponent);
    }

    /// A game is over, or is left.
    pub(crate) fn on_game_end(&mut self, game: &GameId) -> Vec<Order> {
        self.games.remove(game);
        self.reserved.retain(|id, _| id.game() != *game);
        self.fill()
    }

    /// Frees the places of games that never began.
    pub(crate) fn on_time(&mut self, now: Duration) -> Vec<Order> {
        self.reserved.retain(|_, place| place.until.is_none_or(|until| until > now));
        self.fill()
    }

    /// When [`Lobby::on_time`] has something to do.
    pub(crate) fn next_deadline(&self) -> Option<Duration> {
        self.reserved.values().filter_map(|place| place.until).min()
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

    /// Whether more games are going on than there are places.
    pub(crate) fn is_crowded(&self) -> bool {
        self.games.len() > self.policy.max_games
    }

    fn has_place(&self) -> bool {
        let kept = if mutant::on(Mutant::NoReservations) { 0 } else { self.reserved.len() };
        self.games.len() + kept < self.policy.max_games
    }

    fn games_against(&self, opponent: Option<&UserId>) -> usize {
        let Some(opponent) = opponent else { return 0 };
        let playing = self.games.values().filter(|other| other.as_ref() == Some(opponent)).count();
        let kept = self.reserved.values().filter(|place| place.opponent.as_ref() == Some(opponent)).count();
        playing + kept
    }

    fn fill(&mut self) -> Vec<Order> {
        let mut orders = Vec::new();
        while self.has_place() {
            let Some(challenge) = self.held.pop_front() else { break };
            let many =
                self.games_against(opponent(&challenge).as_ref()) >= self.policy.max_games_per_opponent;
            orders.push(if many {
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
            rematch: challenge.rematch_of.is_some(),
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

fn opponent(challenge: &Challenge) -> Option<UserId> {
    challenge.challenger.as_ref().map(|user| user.id.clone())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const NOW: Duration = Duration::from_secs(7);

    fn challenge(id: &str, who: &str) -> Challenge {
        serde_json::from_value(
            json!({ "id": id, "challenger": { "id": who }, "variant": { "key": "standard" },
            "timeControl": { "type": "clock", "limit": 180, "increment": 2 } }),
        )
        .unwrap()
    }

    fn id(text: &str) -> ChallengeId {
        text.parse().unwrap()
    }

    fn accept(text: &str) -> Vec<Order> {
        vec![Order::Accept(id(text))]
    }

    fn later(text: &str) -> Vec<Order> {
        vec![Order::Decline(id(text), DeclineReason::Later)]
    }

    fn lobby(change: impl FnOnce(&mut ChallengePolicy)) -> Lobby {
        let mut policy = ChallengePolicy { max_games: 1, max_held: 1, ..ChallengePolicy::default() };
        change(&mut policy);
        Lobby::new("quillbot-dev".parse().unwrap(), policy, Duration::from_secs(30))
    }

    #[test]
    fn a_burst_is_accepted_held_and_declined() {
        let mut lobby = lobby(|_| {});
        assert_eq!(lobby.on_challenge(challenge("aaaaaaaa", "anna")), accept("aaaaaaaa"));
        assert_eq!(lobby.on_challenge(challenge("bbbbbbbb", "bert")), []);
        assert_eq!(lobby.on_challenge(challenge("cccccccc", "cleo")), later("cccccccc"));
        // The same again, as after a reconnect.
        for (text, who) in [("aaaaaaaa", "anna"), ("bbbbbbbb", "bert"), ("cccccccc", "cleo")] {
            assert_eq!(lobby.on_challenge(challenge(text, who)), [], "{text}");
        }
    }

    #[test]
    fn the_next_one_gets_the_place_after_a_game() {
        let mut lobby = lobby(|_| {});
        lobby.on_challenge(challenge("aaaaaaaa", "anna"));
        lobby.on_challenge(challenge("bbbbbbbb", "bert"));
        let now = NOW;
        assert_eq!(lobby.on_accepted(now, &id("aaaaaaaa"), Accepted::Yes), []);
        lobby.on_game_start(id("aaaaaaaa").game(), Some("anna".parse().unwrap()));
        assert_eq!(lobby.on_time(now + Duration::from_secs(60)), []);
        assert_eq!(lobby.on_game_end(&id("aaaaaaaa").game()), accept("bbbbbbbb"));
    }

    #[test]
    fn a_place_is_free_when_accepting_fails() {
        let mut lobby = lobby(|_| {});
        lobby.on_challenge(challenge("aaaaaaaa", "anna"));
        lobby.on_challenge(challenge("bbbbbbbb", "bert"));
        assert_eq!(lobby.on_accepted(NOW, &id("aaaaaaaa"), Accepted::No), accept("bbbbbbbb"));
        assert!(!lobby.is_empty());
    }

    #[test]
    fn a_place_is_free_when_the_game_never_begins() {
        for answer in [Accepted::Yes, Accepted::Unclear] {
            let mut lobby = lobby(|_| {});
            let now = NOW;
            lobby.on_challenge(challenge("aaaaaaaa", "anna"));
            assert_eq!(lobby.next_deadline(), None, "the answer is not there yet");
            lobby.on_accepted(now, &id("aaaaaaaa"), answer);
            let deadline = lobby.next_deadline().unwrap();
            assert_eq!(deadline, now + Duration::from_secs(30));
            lobby.on_challenge(challenge("bbbbbbbb", "bert"));
            assert_eq!(lobby.on_time(deadline - Duration::from_millis(1)), []);
            assert_eq!(lobby.on_time(deadline), accept("bbbbbbbb"));
        }
    }

    #[test]
    fn a_game_may_begin_before_the_acceptance_is_answered() {
        let mut lobby = lobby(|_| {});
        lobby.on_challenge(challenge("aaaaaaaa", "anna"));
        lobby.on_game_start(id("aaaaaaaa").game(), None);
        lobby.on_accepted(NOW, &id("aaaaaaaa"), Accepted::Yes);
        assert_eq!(lobby.next_deadline(), None);
        lobby.on_game_end(&id("aaaaaaaa").game());
        assert!(lobby.is_empty());
    }

    #[test]
    fn a_rematch_takes_its_place_under_another_id() {
        let mut lobby = lobby(|_| {});
        let mut rematch = challenge("aaaaaaaa", "anna");
        rematch.rematch_of = Some("zzzzzzzz".parse().unwrap());
        lobby.on_challenge(rematch);
        lobby.on_game_start("dddddddd".parse().unwrap(), Some("anna".parse().unwrap()));
        lobby.on_game_end(&"dddddddd".parse().unwrap());
        assert!(lobby.is_empty());
    }

    #[test]
    fn a_rematch_leaves_the_place_of_another_game_alone() {
        let mut lobby = lobby(|policy| (policy.max_games, policy.max_games_per_opponent) = (3, 3));
        for id in ["cccccccc", "bbbbbbbb", "aaaaaaaa"] {
            let mut rematch = challenge(id, "anna");
            rematch.rematch_of = Some("zzzzzzzz".parse().unwrap());
            lobby.on_challenge(rematch);
        }
        let mut start = |game: &str| {
            lobby.on_game_start(game.parse().unwrap(), Some("anna".parse().unwrap()));
            lobby.reserved.keys().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(start("bbbbbbbb"), ["aaaaaaaa", "cccccccc"], "its own");
        assert_eq!(start("dddddddd"), ["aaaaaaaa"], "the one that was accepted first");
    }

    #[test]
    fn our_own_challenges_are_left_alone() {
        let mut lobby = lobby(|_| {});
        assert_eq!(lobby.on_challenge(challenge("aaaaaaaa", "Quillbot-Dev")), []);
        assert!(lobby.is_empty());
    }

    #[test]
    fn one_opponent_gets_so_many_games() {
        let mut lobby = lobby(|policy| policy.max_games = 3);
        lobby.on_challenge(challenge("aaaaaaaa", "anna"));
        assert_eq!(lobby.on_challenge(challenge("bbbbbbbb", "anna")), later("bbbbbbbb"));
        assert_eq!(lobby.on_challenge(challenge("cccccccc", "cleo")), accept("cccccccc"));
    }

    #[test]
    fn a_withdrawn_challenge_does_not_get_the_place() {
        let mut lobby = lobby(|_| {});
        lobby.on_challenge(challenge("aaaaaaaa", "anna"));
        lobby.on_challenge(challenge("bbbbbbbb", "bert"));
        lobby.on_gone(&id("bbbbbbbb"));
        assert_eq!(lobby.on_accepted(NOW, &id("aaaaaaaa"), Accepted::No), []);
    }

    #[test]
    fn a_second_challenge_replaces_the_first_one_held() {
        let mut lobby = lobby(|_| {});
        lobby.on_challenge(challenge("aaaaaaaa", "anna"));
        lobby.on_challenge(challenge("bbbbbbbb", "bert"));
        assert_eq!(lobby.on_challenge(challenge("cccccccc", "bert")), []);
        assert_eq!(lobby.on_accepted(NOW, &id("aaaaaaaa"), Accepted::No), accept("cccccccc"));
    }

    #[test]
    fn a_closed_lobby_declines_all() {
        let mut lobby = lobby(|_| {});
        lobby.on_challenge(challenge("aaaaaaaa", "anna"));
        lobby.on_challenge(challenge("bbbbbbbb", "bert"));
        assert_eq!(lobby.close(), later("bbbbbbbb"));
        assert_eq!(lobby.on_challenge(challenge("cccccccc", "cleo")), later("cccccccc"));
        assert!(!lobby.is_empty(), "anna was promised a game");
    }

    #[test]
    fn no_places_means_no_games() {
        let mut lobby = lobby(|policy| policy.max_games = 0);
        assert_eq!(lobby.on_challenge(challenge("aaaaaaaa", "anna")), later("aaaaaaaa"));
    }
}
