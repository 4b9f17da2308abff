//! Listens in on the wire and writes what goes over it into the recordings: a game's own into the game's file,
//! all else into the account's.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::json;

use crate::lichess::{GameId, LineSource, RequestOutcome, Tap};
use crate::record::{Kind, Log};

/// The recordings that are open.
#[derive(Debug)]
pub(crate) struct Ear {
    account: Log,
    games: Mutex<HashMap<GameId, Log>>,
}

/// What the paths of a game's own requests begin with.
const GAME_PATHS: [&str; 2] = ["/api/bot/game/stream/", "/api/bot/game/"];

impl Ear {
    pub(crate) fn new(account: Log) -> Ear {
        Ear { account, games: Mutex::new(HashMap::new()) }
    }

    /// From now on what belongs to the game goes into its own file.
    pub(crate) fn open(&self, game: GameId, log: Log) {
        self.games().insert(game, log);
    }

    /// The game is over.
    pub(crate) fn close(&self, game: &GameId) {
        self.games().remove(game);
    }

    fn log_of(&self, game: Option<&GameId>) -> Log {
        let found = game.and_then(|game| self.games().get(game).cloned());
        found.unwrap_or_else(|| self.account.clone())
    }

    /// The map is whole between any two of its operations.
    fn games(&self) -> MutexGuard<'_, HashMap<GameId, Log>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tap for Ear {
    fn line(&self, source: LineSource, raw: &[u8]) {
        match source {
            LineSource::Events => self.account.line(raw),
            LineSource::Game(game) => self.log_of(Some(&game)).line(raw),
        }
    }

    fn request(&self, method: &str, path: &str, form: &[(String, String)], outcome: &RequestOutcome) {
        let body = json!({
            "method": method,
            "path": path,
            "form": form,
            "status": outcome.status,
            "error": outcome.error,
            "elapsed_ms": u64::try_from(outcome.elapsed.as_millis()).unwrap_or(u64::MAX),
        });
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
