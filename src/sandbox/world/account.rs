//! Accounts and the tokens that log in to them.

use std::time::Duration;

use super::UserId;
use crate::sandbox::points::Points;
use crate::sandbox::{Scope, UserSpec};

/// A user.
#[derive(Clone, Debug)]
pub(crate) struct Account {
    pub(crate) id: UserId,
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) rating: u32,
    pub(crate) accepts_takebacks: bool,
    /// The sandbox itself plays for it.
    pub(crate) scripted: bool,
    /// Open streams of any kind.
    pub(crate) streams: usize,
    pub(crate) seen: Duration,
    pub(crate) score: Score,
    /// In the 30-level system.
    pub(crate) points: Points,
}

/// What a user has achieved.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Score {
    pub(crate) won: u32,
    pub(crate) drawn: u32,
    pub(crate) lost: u32,
    pub(crate) rated: u32,
    pub(crate) against_ai: u32,
    /// Rounds in which there was no opponent, a point each.
    pub(crate) rests: u32,
}

impl Score {
    /// Finished games.
    pub(crate) fn all(&self) -> u32 {
        self.won.saturating_add(self.drawn).saturating_add(self.lost)
    }

    /// Two for a win or a rest, one for a draw (FIDE 10.1, doubled).
    pub(crate) fn half_points(&self) -> u32 {
        let whole = self.won.saturating_add(self.rests);
        whole.saturating_mul(2).saturating_add(self.drawn)
    }
}

impl Account {
    /// A fresh account.
    pub(crate) fn new(spec: &UserSpec) -> Account {
        Account {
            id: UserId::of(&spec.name),
            name: spec.name.clone(),
            title: spec.title.clone(),
            rating: spec.rating,
            accepts_takebacks: spec.accepts_takebacks,
            scripted: spec.script.is_some(),
            streams: 0,
            seen: Duration::ZERO,
            score: Score::default(),
            points: Points::default(),
        }
    }

    /// Whether it is a BOT account.
    pub(crate) fn is_bot(&self) -> bool {
        self.title.as_deref() == Some("BOT")
    }

    /// Whether the user is connected.
    pub(crate) fn is_online(&self) -> bool {
        self.streams > 0
    }
}

/// What a token stands for.
#[derive(Clone, Debug)]
pub(crate) struct Login {
    pub(crate) user: UserId,
    pub(crate) scopes: Vec<Scope>,
}
