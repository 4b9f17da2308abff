//! What the account knows about a game that it plays: how to reach its task, and how it was taken up.

use tokio::sync::mpsc;
use tokio::time::Instant;

use super::game::Notice;
use crate::lichess::{GameId, GameInfo};

/// A game that is being played.
#[derive(Debug)]
pub(crate) struct Handler {
    pub(crate) mailbox: mpsc::Sender<Notice>,
    pub(crate) info: GameInfo,
    pub(crate) since: Instant,
    pub(crate) take: Take,
}

/// Under which circumstances a game is taken up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Take {
    /// How often its task broke down.
    pub(crate) revivals: u32,
    /// There is no place for it.
    pub(crate) surplus: bool,
    /// It was thought to be over.
    pub(crate) again: bool,
}

/// Where it is said that a game is running.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Origin {
    /// In an event.
    Event,
    /// On the list that was asked for at this moment.
    List(Instant),
}

/// A game, and whether it waits for somebody who does not come, so that it needs no place.
pub(crate) type Parked = (GameId, bool);
