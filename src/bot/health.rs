//! Whether the server is still heard: what an outside watcher of the bot wants to know. It only listens in; what to do
//! about silence is the streams' own business.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::lichess::{GameId, LineSource};

/// A handle that all of the bot shares. A fresh one has heard nothing yet.
#[derive(Clone, Debug, Default)]
pub struct Health(Arc<Mutex<Heard>>);

/// When a stream last said something: a line or a sign of life. That it could be opened says nothing, since a server
/// may take a connection and stay silent.
#[derive(Debug, Default)]
struct Heard {
    account: Option<Instant>,
    games: HashMap<GameId, Instant>,
}

/// How long the streams have been silent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Silence {
    /// The account's stream; none if it has never said anything.
    pub account: Option<Duration>,
    /// The stream of each running game, the longest silence first.
    pub games: Vec<(GameId, Duration)>,
}

impl Health {
    /// A stream says something.
    pub(crate) fn heard(&self, source: &LineSource) {
        let mut heard = self.lock();
        match source {
            LineSource::Events => heard.account = Some(Instant::now()),
            LineSource::Game(game) => {
                if let Some(last) = heard.games.get_mut(game) {
                    *last = Instant::now();
                }
            }
        }
    }

    /// A game is being played from now on.
    pub(crate) fn open(&self, game: GameId) {
        self.lock().games.insert(game, Instant::now());
    }

    /// The game is over, or left.
    pub(crate) fn close(&self, game: &GameId) {
        self.lock().games.remove(game);
    }

    /// How long the streams have been silent by now.
    pub fn silence(&self) -> Silence {
        let heard = self.lock();
        let mut games: Vec<_> =
            heard.games.iter().map(|(game, last)| (game.clone(), last.elapsed())).collect();
        games.sort_by_key(|(_, silent)| std::cmp::Reverse(*silent));
        Silence { account: heard.account.map(|last| last.elapsed()), games }
    }

    /// Each value is whole by itself, so a panic elsewhere leaves nothing half done.
    fn lock(&self) -> MutexGuard<'_, Heard> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Silence {
    /// Whether every stream has said something within `limit`.
    pub fn is_shorter_than(&self, limit: Duration) -> bool {
        let longest = self.games.first().map_or(Duration::ZERO, |(_, silent)| *silent);
        self.account.is_some_and(|silent| silent < limit) && longest < limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(30);

    #[tokio::test(start_paused = true)]
    async fn e19_every_stream_must_be_heard() {
        let (health, game): (Health, GameId) = (Health::default(), "Game0001".parse().unwrap());
        let good = || health.silence().is_shorter_than(LIMIT);
        let wait = |seconds| tokio::time::sleep(Duration::from_secs(seconds));
        assert!(!good(), "nothing was heard yet");
        health.heard(&LineSource::Events);
        health.open(game.clone());
        assert!(good());
        wait(20).await;
        health.heard(&LineSource::Events);
        wait(10).await;
        assert!(!good(), "the game is silent");
        health.heard(&LineSource::Game(game.clone()));
        assert!(good());
        wait(20).await;
        health.heard(&LineSource::Game(game.clone()));
        assert!(!good(), "the account is silent");
        health.heard(&LineSource::Events);
        health.close(&game);
        health.heard(&LineSource::Game(game));
        assert_eq!(health.silence(), Silence { account: Some(Duration::ZERO), games: Vec::new() });
    }
}
