//! The account as a state machine, as `session` is for one game: what happens goes in, what to do comes out.
//!
//! Pure: it reads no clock, does no I/O and starts nothing, so that a recorded day can be played again. Which
//! challenges are welcome says `policy`, for which there is a place says `lobby`, and whether another program uses
//! the same token says `twin`. Doing is left to `supervisor`.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::lobby::{Accepted, Lobby, Order, Pace, Rest};
use super::options::{AccountOptions, ChallengePolicy};
use super::twin::{Twin, Verdict};
use crate::lichess::{Challenge, ChallengeId, DeclineReason, GameId, UserId};

/// What the desk knows from the start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeskOptions {
    /// Our account.
    pub us: UserId,
    /// Which challenges to accept.
    pub challenges: ChallengePolicy,
    /// How the account is watched.
    pub account: AccountOptions,
}

/// Something that happened to the account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "input", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum DeskInput {
    /// The server has let us in; everything begins.
    Opened {
        /// What is known.
        options: Box<DeskOptions>,
    },
    /// The account's stream is open.
    Connected,
    /// The account's stream is lost.
    Lost {
        /// How.
        end: StreamEnd,
    },
    /// A challenge came, or came again.
    Challenge {
        /// What is asked.
        challenge: Box<Challenge>,
    },
    /// A challenge was withdrawn, or declined from elsewhere.
    Gone {
        /// Which.
        id: ChallengeId,
    },
    /// The server answered an acceptance.
    Accepted {
        /// Of which challenge.
        id: ChallengeId,
        /// How.
        accepted: Accepted,
        /// A limit on games between bots that it met.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rest: Option<Rest>,
    },
    /// The server answered a refusal of ours, in whatever way.
    Declined {
        /// Of which challenge.
        id: ChallengeId,
    },
    /// An answer of ours was never sent.
    Unsent {
        /// To which challenge.
        id: ChallengeId,
    },
    /// A game begins.
    GameStarted {
        /// Which.
        game: GameId,
        /// Against whom.
        opponent: Option<UserId>,
        /// How quickly it goes by.
        #[serde(default, skip_serializing_if = "Pace::is_live")]
        pace: Pace,
    },
    /// A game waits for somebody who does not come, and needs no place; or it needs one again.
    Parked {
        /// Which.
        game: GameId,
        /// Whether it waits.
        parked: bool,
    },
    /// A game is over, or is left.
    GameEnded {
        /// Which.
        game: GameId,
    },
    /// The time of [`Desk::next_deadline`] has come.
    Time,
    /// No new games from now on.
    Close,
}

/// How the account's stream ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum StreamEnd {
    /// The server closed it in good order.
    Clean,
    /// In any other way: a server in trouble breaks off or refuses.
    Broken,
}

/// Something to be done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "effect", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum DeskEffect {
    /// Accept a challenge.
    Accept {
        /// Which.
        id: ChallengeId,
    },
    /// Decline a challenge.
    Decline {
        /// Which.
        id: ChallengeId,
        /// Why.
        reason: DeclineReason,
    },
    /// There is no place for a game that has begun.
    Crowded {
        /// The game that is too many.
        game: GameId,
    },
    /// Leave the stream alone for a while: another program uses the same token.
    Rest,
}

/// The account, from our side.
#[derive(Debug)]
pub struct Desk {
    lobby: Lobby,
    twin: Twin,
}

impl Desk {
    /// A desk that nobody has come to yet.
    pub fn new(options: &DeskOptions) -> Desk {
        let DeskOptions { us, challenges, account } = options;
        Desk {
            lobby: Lobby::new(us.clone(), challenges.clone(), account.reservation),
            twin: Twin::new(account.quick_end, account.quick_ends),
        }
    }

    /// What is to be done about `input`, which happened at `at`, counted from any moment before.
    pub fn handle(&mut self, at: Duration, input: DeskInput) -> Vec<DeskEffect> {
        let orders = match input {
            DeskInput::Opened { options } => {
                *self = Desk::new(&options);
                Vec::new()
            }
            DeskInput::Connected => {
                self.twin.connected(at);
                self.lobby.on_connected(at);
                Vec::new()
            }
            DeskInput::Lost { end } => return self.on_lost(at, end),
            DeskInput::Challenge { challenge } => self.lobby.on_challenge(*challenge),
            DeskInput::Gone { id } => self.lobby.on_gone(&id),
            DeskInput::Accepted { id, accepted, rest } => {
                rest.into_iter().for_each(|rest| self.lobby.on_limit(at, &id, rest));
                self.lobby.on_accepted(at, &id, accepted)
            }
            DeskInput::Declined { id } => {
                self.lobby.on_declined(&id);
                Vec::new()
            }
            DeskInput::Unsent { id } => {
                self.lobby.forget(&id);
                Vec::new()
            }
            DeskInput::GameStarted { game, opponent, pace } => {
                return self.on_game_start(game, opponent, pace);
            }
            DeskInput::Parked { game, parked } => self.lobby.on_parked(&game, parked),
            DeskInput::GameEnded { game } => self.lobby.on_game_end(&game),
            DeskInput::Time => self.lobby.on_time(at),
            DeskInput::Close => self.lobby.close(),
        };
        orders.into_iter().map(DeskEffect::from).collect()
    }

    /// When [`DeskInput::Time`] has something to do, counted as the times of inputs are.
    pub fn next_deadline(&self) -> Option<Duration> {
        self.lobby.next_deadline()
    }

    /// Nobody plays, and nobody is about to.
    pub fn is_empty(&self) -> bool {
        self.lobby.is_empty()
    }

    fn on_lost(&mut self, at: Duration, end: StreamEnd) -> Vec<DeskEffect> {
        self.lobby.on_lost();
        match self.twin.lost(at, end == StreamEnd::Clean) {
            Verdict::Harmless => Vec::new(),
            Verdict::Twin => vec![DeskEffect::Rest],
        }
    }

    fn on_game_start(&mut self, game: GameId, opponent: Option<UserId>, pace: Pace) -> Vec<DeskEffect> {
        self.lobby.on_game_start(game.clone(), opponent, pace);
        if pace == Pace::Live && self.lobby.is_crowded() {
            vec![DeskEffect::Crowded { game }]
        } else {
            Vec::new()
        }
    }
}

impl From<Order> for DeskEffect {
    fn from(order: Order) -> DeskEffect {
        match order {
            Order::Accept(id) => DeskEffect::Accept { id },
            Order::Decline(id, reason) => DeskEffect::Decline { id, reason },
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn options() -> DeskOptions {
        let challenges = ChallengePolicy { max_games: 1, ..ChallengePolicy::default() };
        let account = AccountOptions { quick_ends: 2, ..AccountOptions::default() };
        DeskOptions { us: "quillbot-dev".parse().unwrap(), challenges, account }
    }

    /// What a recording does to a value.
    fn recorded<T: Serialize + serde::de::DeserializeOwned>(value: &T) -> T {
        serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
    }

    #[test]
    fn options_and_challenges_survive_a_recording() {
        let mut options = options();
        options.challenges.variants = crate::chess::Variant::ALL.to_vec();
        options.challenges.block = vec!["marlowe-99".parse().unwrap()];
        assert_eq!(recorded(&options), options);
        for line in include_str!("../../tests/data/wire/account.ndjson").lines() {
            use crate::lichess::AccountEvent::{Challenge, ChallengeCanceled, ChallengeDeclined};
            let event = crate::lichess::AccountEvent::from_line(line.as_bytes());
            if let Challenge(challenge) | ChallengeCanceled(challenge) | ChallengeDeclined(challenge) = event
            {
                assert_eq!(recorded(&challenge), challenge, "{line}");
            }
        }
    }

    #[test]
    fn more_games_than_places_are_told() {
        let mut desk = Desk::new(&options());
        let start = |game: &str| DeskInput::GameStarted {
            game: game.parse().unwrap(),
            opponent: None,
            pace: Pace::Live,
        };
        assert_eq!(desk.handle(Duration::ZERO, start("aaaaaaaa")), []);
        let crowded = DeskEffect::Crowded { game: "bbbbbbbb".parse().unwrap() };
        assert_eq!(desk.handle(Duration::ZERO, start("bbbbbbbb")), [crowded]);
    }

    #[test]
    fn a_twin_makes_it_rest() {
        let mut desk = Desk::new(&options());
        let mut effects = Vec::new();
        for _ in 0..2 {
            desk.handle(Duration::ZERO, DeskInput::Connected);
            effects.extend(desk.handle(Duration::ZERO, DeskInput::Lost { end: StreamEnd::Clean }));
        }
        assert_eq!(effects, [DeskEffect::Rest]);
    }

    #[test]
    fn opening_forgets_what_was() {
        let mut desk = Desk::new(&options());
        let challenge = json!({ "id": "Qz7Lm2Xa", "challenger": { "id": "ferncastle" },
            "variant": { "key": "standard" }, "timeControl": { "type": "clock", "limit": 180, "increment": 2 } });
        let challenge: Challenge = serde_json::from_value(challenge).unwrap();
        let accepted = [DeskEffect::Accept { id: challenge.id.clone() }];
        for _ in 0..2 {
            let asked = DeskInput::Challenge { challenge: Box::new(challenge.clone()) };
            assert_eq!(desk.handle(Duration::ZERO, asked), accepted);
            desk.handle(Duration::ZERO, DeskInput::Opened { options: Box::new(options()) });
            assert!(desk.is_empty());
        }
    }
}
