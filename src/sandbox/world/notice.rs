//! What the world wants told to its streams.

use std::time::Duration;

use super::{ChatLine, GameId, StateView, UserId};
use crate::chess::Color;

/// Something to tell, and to whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Notice {
    /// A game of this user began.
    GameStart { to: UserId, game: GameId },
    /// A game of this user ended.
    GameFinish { to: UserId, game: GameId },
    /// A challenge was made.
    ChallengeCreated { to: UserId, challenge: GameId },
    /// Its maker withdrew it.
    ChallengeCanceled { to: UserId, challenge: GameId },
    /// Its receiver declined it.
    ChallengeDeclined { to: UserId, challenge: GameId },
    /// The streams that wait for a challenge end.
    ChallengeDone { challenge: GameId, end: KeepAliveEnd },
    /// A line for the streams of a game.
    Game { game: GameId, line: GameLine },
    /// The streams of a game end.
    GameOver { game: GameId },
    /// A challenge that no longer waits is told as if it were new.
    ChallengeAgain { to: UserId, challenge: GameId },
    /// A game that is over is told as if it had just begun.
    GameStartAgain { to: UserId, game: GameId },
    /// The user's streams of this game, or of its events, end: another has taken their place.
    StreamTaken { from: UserId, game: Option<GameId> },
    /// All streams end.
    Down,
    /// The server is there again.
    Up,
}

/// A line of a game's stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum GameLine {
    /// How the game stands.
    State(StateView),
    /// Something was said.
    Chat(ChatLine),
    /// The opponent of `to` is gone, and when a claim is possible; or is back.
    Gone { to: Color, claim_in: Option<Duration> },
}

/// How waiting for a challenge ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeepAliveEnd {
    Accepted,
    Declined,
    Canceled,
}

impl KeepAliveEnd {
    /// The word of the API.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            KeepAliveEnd::Accepted => "accepted",
            KeepAliveEnd::Declined => "declined",
            KeepAliveEnd::Canceled => "canceled",
        }
    }
}
