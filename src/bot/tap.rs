//! Listens in on the wire and writes what goes over it into the recordings: a game's own into the game's file,
//! all else into the account's.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde_json::json;

use super::health::Health;
use crate::lichess::{GameId, LineSource, RequestOutcome, StreamNews, Tap};
use crate::record::{Kind, Log};

/// The recordings that are open.
#[derive(Debug)]
pub(crate) struct Ear {
    health: Health,
    account: Log,
    games: Mutex<HashMap<GameId, Log>>,
}

/// What the paths of a game's own requests begin with.
const GAME_PATHS: [&str; 2] = ["/api/bot/game/stream/", "/api/bot/game/"];

impl Ear {
    pub(crate) fn new(account: Log, health: Health) -> Ear {
        Ear { health, account, games: Mutex::new(HashMap::new()) }
    }

    /// From now on what belongs to the game goes into its own file.
    pub(crate) fn open(&self, game: GameId, log: Log) {
        self.health.open(game.clone());
        self.games().insert(game, log);
    }

    /// The game is over.
    pub(crate) fn close(&self, game: &GameId) {
        self.health.close(game);
        self.games().remove(game);
    }

    fn log_of(&self, game: Option<&GameId>) -> Log {
        let found = game.and_then(|game| self.games().get(game).cloned());
        found.unwrap_or_else(|| self.account.clone())
    }

    fn log_of_stream(&self, source: &LineSource) -> Log {
        match source {
            LineSource::Events => self.account.clone(),
            LineSource::Game(game) => self.log_of(Some(game)),
        }
    }

    /// The map is whole between any two of its operations.
    fn games(&self) -> MutexGuard<'_, HashMap<GameId, Log>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request as it is written down.
#[derive(Serialize)]
struct Request<'a> {
    method: &'a str,
    path: &'a str,
    form: &'a [(String, String)],
    status: Option<u16>,
    error: Option<&'a str>,
    elapsed_ms: u64,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    headers: &'a [(&'static str, String)],
    answer: &'a str,
}

impl Tap for Ear {
    fn line(&self, source: LineSource, raw: &[u8]) {
        self.health.heard(&source);
        self.log_of_stream(&source).line(raw);
    }

    fn stream(&self, source: LineSource, news: StreamNews<'_>) {
        let log = self.log_of_stream(&source);
        match news {
            StreamNews::Opened => log.entry(Kind::Stream, &json!({ "stream": "opened" })),
            StreamNews::Alive => {
                self.health.heard(&source);
                log.alive();
            }
            StreamNews::TooLong => log.entry(Kind::Stream, &json!({ "stream": "too long" })),
            StreamNews::Lost { reason, rest } => log.lost(reason, rest),
        }
    }

    fn request(&self, method: &str, path: &str, form: &[(String, String)], outcome: &RequestOutcome) {
        let body = Request {
            method,
            path,
            form,
            status: outcome.status,
            error: outcome.error.as_deref(),
            elapsed_ms: u64::try_from(outcome.elapsed.as_millis()).unwrap_or(u64::MAX),
            headers: &outcome.headers,
            answer: &outcome.body,
        };
        self.log_of(game_of(path).as_ref()).entry(Kind::Request, &body);
    }
}

/// The game that a request is about.
fn game_of(path: &str) -> Option<GameId> {
    let rest = GAME_PATHS.iter().find_map(|start| path.strip_prefix(start))?;
    rest.split(['/', '?']).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_belong_to_their_game() {
        let game = |path: &str| game_of(path).map(|id| id.to_string());
        assert_eq!(game("/api/bot/game/stream/Qz7Lm2Xa").as_deref(), Some("Qz7Lm2Xa"));
        assert_eq!(game("/api/bot/game/Qz7Lm2Xa/move/e2e4?offeringDraw=true").as_deref(), Some("Qz7Lm2Xa"));
        for other in ["/api/account", "/api/stream/event", "/api/challenge/Qz7Lm2Xa/accept", "/api/bot/game/"]
        {
            assert_eq!(game(other), None, "{other}");
        }
    }
}
