//! The account on a stage: challenges come, games begin and end, and everything is written down as the bot would.

use std::time::Duration;

use rookery::bot::desk::{Desk, DeskEffect, DeskInput, DeskOptions, StreamEnd};
use rookery::bot::{Accepted, AccountOptions, ChallengePolicy, Pace};
use rookery::lichess::AccountEvent;
use rookery::record::{Entry, Kind};
use serde_json::{Value, json};

use super::Scenario;
use super::stage::{Record, US, lay_over};

struct Account {
    desk: Desk,
    record: Record,
}

fn account(change: impl FnOnce(&mut ChallengePolicy)) -> Account {
    let mut challenges = ChallengePolicy { max_held: 2, ..ChallengePolicy::default() };
    change(&mut challenges);
    let account = AccountOptions { quick_ends: 2, ..AccountOptions::default() };
    let options = DeskOptions { us: US.parse().unwrap(), challenges, account };
    let mut account = Account { desk: Desk::new(&options), record: Record::begin(&()) };
    account.tell(DeskInput::Opened { options: Box::new(options) });
    account.connect();
    account
}

impl Account {
    fn tell(&mut self, input: DeskInput) -> Vec<DeskEffect> {
        self.record.step();
        self.record.put(Kind::Input, &input);
        let effects = self.desk.handle(Duration::from_millis(self.record.at_ms), input);
        if !effects.is_empty() {
            self.record.put(Kind::Effects, &effects);
        }
        effects
    }

    fn connect(&mut self) {
        self.record.step();
        self.record.put(Kind::Stream, &json!({ "stream": "opened" }));
        self.tell(DeskInput::Connected);
    }

    fn lose(&mut self, end: StreamEnd) {
        let reason = if end == StreamEnd::Clean { "Ended" } else { "Silent" };
        self.record
            .put(Kind::Stream, &json!({ "stream": "lost", "reason": reason, "rest": "", "rest_bytes": 0 }));
        self.tell(DeskInput::Lost { end });
    }

    /// A line as it comes. What it makes of challenges is what the bot makes of them.
    fn line(&mut self, line: &Value) {
        self.record.step();
        let raw = line.to_string();
        self.record.put(Kind::Line, &raw);
        match AccountEvent::from_line(raw.as_bytes()) {
            AccountEvent::Challenge(challenge) => {
                self.tell(DeskInput::Challenge { challenge: Box::new(challenge) });
            }
            AccountEvent::ChallengeCanceled(challenge) | AccountEvent::ChallengeDeclined(challenge) => {
                self.tell(DeskInput::Gone { id: challenge.id });
            }
            AccountEvent::GameStart(game) => {
                let opponent = game.opponent.and_then(|opponent| opponent.id);
                self.tell(DeskInput::GameStarted { game: game.id, opponent, pace: Pace::Live });
            }
            AccountEvent::GameFinish(game) => {
                self.tell(DeskInput::GameEnded { game: game.id });
            }
            AccountEvent::Unknown(_) => {}
        }
    }

    fn challenge(&mut self, kind: &str, id: &str, who: &str, patch: Value) {
        let mut challenge = json!({ "id": id, "url": format!("https://lichess.org/{id}"), "status": "created",
            "challenger": { "id": who.to_lowercase(), "name": who, "rating": 1874 },
            "destUser": { "id": US, "name": US, "title": "BOT", "rating": 2013 },
            "variant": { "key": "standard" }, "rated": false, "speed": "blitz", "color": "random",
            "timeControl": { "type": "clock", "limit": 180, "increment": 2 } });
        lay_over(&mut challenge, &patch);
        self.line(&json!({ "type": kind, "challenge": challenge }));
    }

    fn asked(&mut self, id: &str, who: &str) {
        self.challenge("challenge", id, who, json!({}));
    }

    fn accepted(&mut self, id: &str, accepted: Accepted) {
        self.tell(DeskInput::Accepted { id: id.parse().unwrap(), accepted, rest: None });
    }

    fn game(&mut self, kind: &str, id: &str, who: &str) {
        self.line(
            &json!({ "type": kind, "game": { "gameId": id, "fullId": format!("{id}B4td"), "color": "white",
            "variant": { "key": "standard" }, "speed": "blitz", "source": "friend", "secondsLeft": 180,
            "opponent": { "id": who.to_lowercase(), "username": who, "rating": 1874 } } }),
        );
    }

    fn wait(&mut self, seconds: u64) {
        self.record.at_ms += 1000 * seconds;
    }

    fn entries(self) -> Vec<Entry> {
        self.record.entries
    }
}

pub(super) const SCENARIOS: &[Scenario] = &[
    ("account-places", || {
        let mut account = account(|policy| policy.max_games = 1);
        for (id, who) in
            [("aaaaaaaa", "Anna"), ("bbbbbbbb", "Bert"), ("cccccccc", "Cleo"), ("dddddddd", "Dora")]
        {
            account.asked(id, who);
        }
        account.game("gameStart", "aaaaaaaa", "Anna");
        account.accepted("aaaaaaaa", Accepted::Yes);
        account.challenge("challengeCanceled", "bbbbbbbb", "Bert", json!({ "status": "canceled" }));
        account.tell(DeskInput::Declined { id: "dddddddd".parse().unwrap() });
        account.game("gameFinish", "aaaaaaaa", "Anna");
        account.accepted("cccccccc", Accepted::No);
        account.asked("eeeeeeee", "Emil");
        account.accepted("eeeeeeee", Accepted::Unclear);
        account.asked("ffffffff", "Fritz");
        account.wait(30);
        account.tell(DeskInput::Time);
        account.tell(DeskInput::Unsent { id: "ffffffff".parse().unwrap() });
        account.game("gameStart", "gggggggg", "Gerd");
        account.game("gameStart", "hhhhhhhh", "Hans");
        account.asked("iiiiiiii", "Ida");
        account.tell(DeskInput::Close);
        account.asked("jjjjjjjj", "Jule");
        account.entries()
    }),
    ("account-refusals", || {
        let mut account = account(|policy| {
            policy.block = vec!["marlowe-99".parse().unwrap()];
            (policy.rated, policy.bots, policy.min_rating) = (false, false, Some(1000));
        });
        let refused = [
            ("aaaaaaaa", "Marlowe-99", json!({})),
            ("bbbbbbbb", "Bert", json!({ "rated": true })),
            ("cccccccc", "SlateHopper", json!({ "challenger": { "title": "BOT" } })),
            ("dddddddd", "Dora", json!({ "variant": { "key": "antichess" } })),
            (
                "eeeeeeee",
                "Emil",
                json!({ "speed": "ultraBullet", "timeControl": { "limit": 15, "increment": 0 } }),
            ),
            (
                "ffffffff",
                "Fritz",
                json!({ "speed": "correspondence", "timeControl": { "type": "unlimited" } }),
            ),
            ("gggggggg", "Gerd", json!({ "challenger": { "rating": 900 } })),
        ];
        for (id, who, patch) in refused {
            account.challenge("challenge", id, who, patch);
        }
        account.challenge("challenge", "hhhhhhhh", US, json!({}));
        account.entries()
    }),
    ("account-reconnects", || {
        let mut account = account(|policy| (policy.max_games, policy.max_games_per_opponent) = (2, 2));
        let rematch = json!({ "rematchOf": "zzzzzzzz" });
        account.challenge("challenge", "aaaaaaaa", "Anna", rematch.clone());
        account.challenge("challenge", "bbbbbbbb", "Anna", json!({}));
        account.lose(StreamEnd::Broken);
        account.wait(5);
        account.connect();
        // The server repeats what is open, and a game that is over.
        account.challenge("challenge", "aaaaaaaa", "Anna", rematch);
        account.game("gameStart", "cccccccc", "Anna");
        account.line(&json!({ "type": "tournamentOffer", "id": "Wk2sArn0" }));
        account.game("gameFinish", "cccccccc", "Anna");
        account.entries()
    }),
    ("account-twin", || {
        let mut account = account(|_| {});
        for _ in 0..2 {
            account.lose(StreamEnd::Clean);
            account.connect();
        }
        account.asked("aaaaaaaa", "Anna");
        account.entries()
    }),
];
