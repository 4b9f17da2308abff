//! How the bot can fail as a whole, and what it tells at its end.

use thiserror::Error;

use super::session::GameResult;
use crate::lichess::ApiError;

/// Why the bot cannot go on.
#[derive(Debug, Error)]
pub enum BotError {
    /// The account is no BOT account.
    #[error(
        "{account} is not a BOT account, and only those may play through the bot API; \
         `rookery upgrade` turns an account without games into one, which cannot be undone"
    )]
    NotABot {
        /// Its name.
        account: String,
    },
    /// The account is closed.
    #[error("the account {account} is closed")]
    Closed {
        /// Its name.
        account: String,
    },
    /// The server does not let us in.
    #[error("the server does not let us in; check the token and its scopes (bot:play is needed)")]
    Refused(#[source] ApiError),
    /// The server cannot be spoken to as it is configured.
    #[error("cannot speak to the server")]
    Unusable(#[source] ApiError),
}

/// What was played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BotSummary {
    /// Won.
    pub wins: u64,
    /// Lost.
    pub losses: u64,
    /// Drawn.
    pub draws: u64,
    /// Called off before they counted.
    pub aborted: u64,
    /// Over, nobody knows how.
    pub unknown: u64,
    /// Left running: they go on at the next start.
    pub left: u64,
}

impl BotSummary {
    /// Games that ended.
    pub fn games(&self) -> u64 {
        self.wins + self.losses + self.draws + self.aborted + self.unknown
    }

    pub(crate) fn count(&mut self, result: Option<GameResult>) {
        let counter = match result {
            Some(GameResult::Win) => &mut self.wins,
            Some(GameResult::Loss) => &mut self.losses,
            Some(GameResult::Draw) => &mut self.draws,
            Some(GameResult::Aborted) => &mut self.aborted,
            Some(GameResult::Unknown) => &mut self.unknown,
            None => &mut self.left,
        };
        *counter += 1;
    }
}
