//! Games that are over, for a while: a late word about one must not open it again. But what a word said was the end may
//! not have been it, so a game that is on the list of running ones long after its end is taken up once more.
//! Pure: it takes the time as an argument.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

use crate::lichess::GameId;

/// How many games are remembered.
const REMEMBERED: usize = 64;

/// The list of running games may still show a game that ended so shortly before.
const STALE: Duration = Duration::from_secs(10);

/// A game that was left is left alone for so long.
const LEFT: Duration = Duration::from_secs(300);

/// The games that ended last.
#[derive(Debug, Default)]
pub(crate) struct Finished {
    games: VecDeque<Over>,
}

#[derive(Debug)]
struct Over {
    game: GameId,
    at: Instant,
    /// It has been looked for on the list of running games.
    checked: bool,
    /// It has been taken up again.
    reopened: bool,
}

impl Finished {
    pub(crate) fn contains(&self, game: &GameId) -> bool {
        self.games.iter().any(|over| over.game == *game)
    }

    /// A game is over. One that was taken up again only tells its end a second time.
    pub(crate) fn add(&mut self, game: GameId, now: Instant) {
        if let Some(over) = self.find(&game) {
            return over.at = now;
        }
        if self.games.len() == REMEMBERED {
            self.games.pop_front();
        }
        self.games.push_back(Over { game, at: now, checked: false, reopened: false });
    }

    /// A game that goes on is left, since the server does not show it or it cannot be played. It is tried once more later.
    pub(crate) fn leave(&mut self, game: GameId, now: Instant) {
        self.add(game, now + LEFT);
    }

    /// Somebody says that the game has started: when to look whether it is running. None if that was done before.
    pub(crate) fn check_at(&mut self, game: &GameId) -> Option<Instant> {
        let over = self.find(game).filter(|over| !over.checked)?;
        over.checked = true;
        Some(over.at + STALE)
    }

    /// The game is on a list of running games that was asked for at `asked`: whether to take it up again.
    pub(crate) fn reopens(&mut self, game: &GameId, asked: Instant) -> bool {
        let Some(over) = self.find(game).filter(|over| !over.reopened && asked >= over.at + STALE) else {
            return false;
        };
        over.reopened = true;
        true
    }

    fn find(&mut self, game: &GameId) -> Option<&mut Over> {
        self.games.iter_mut().find(|over| over.game == *game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(n: u32) -> GameId {
        format!("g{n:07}").parse().unwrap()
    }

    #[test]
    fn a19_a_finished_game_that_starts_again_is_looked_for_once() {
        let (mut finished, now) = (Finished::default(), Instant::now());
        finished.add(game(1), now);
        let at = finished.check_at(&game(1)).unwrap();
        assert_eq!(at, now + STALE);
        assert_eq!((finished.check_at(&game(1)), finished.check_at(&game(2))), (None, None));
        assert!(!finished.reopens(&game(1), now), "the list may be old");
        assert!(finished.reopens(&game(1), at));
        finished.add(game(1), at);
        assert!(!finished.reopens(&game(1), at + STALE), "once is enough");
    }

    #[test]
    fn a_game_that_was_left_is_tried_again_later() {
        let (mut finished, now) = (Finished::default(), Instant::now());
        finished.leave(game(1), now);
        assert!(!finished.reopens(&game(1), now + LEFT));
        assert!(finished.reopens(&game(1), now + LEFT + STALE));
    }

    #[test]
    fn old_games_are_forgotten() {
        let (mut finished, now) = (Finished::default(), Instant::now());
        for n in 0..100 {
            finished.add(game(n), now);
        }
        assert_eq!((finished.contains(&game(0)), finished.contains(&game(99))), (false, true));
        assert_eq!(finished.games.len(), REMEMBERED);
    }
}
