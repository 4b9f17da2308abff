//! Why a request is refused. Statuses and texts are the server's affair.

use std::collections::BTreeMap;
use std::time::Duration;

use super::{ChallengeStatus, UserId};

/// Complaints about a form, by field; `global` holds those about the whole of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FormErrors(pub(crate) BTreeMap<String, Vec<String>>);

impl FormErrors {
    /// Adds a complaint.
    pub(crate) fn add(&mut self, field: &str, complaint: impl Into<String>) {
        self.0.entry(field.to_owned()).or_default().push(complaint.into());
    }

    /// A single complaint about the whole form.
    pub(crate) fn global(complaint: &str) -> FormErrors {
        let mut errors = FormErrors::default();
        errors.add("global", complaint);
        errors
    }

    /// `value` if there is no complaint.
    pub(crate) fn or<T>(self, value: T) -> Result<T, Refusal> {
        if self.0.is_empty() { Ok(value) } else { Err(Refusal::Form(self)) }
    }
}

/// Why something was not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The account is no BOT account.
    NotABot,
    /// The account is a BOT account, and this is for people.
    OnlyForHumans,
    /// The game cannot be played through this interface.
    WrongInterface,
    /// No such game.
    NoSuchGame,
    /// The game is somebody else's.
    NotYourGame,
    /// No such user.
    NoSuchUser(UserId),
    /// No challenge has this id.
    NoSuchChallenge,
    /// A word that is no move.
    InvalidUci(String),
    /// It is the opponent's turn, or nobody's.
    NotYourTurn,
    /// The move breaks the laws.
    IllegalMove {
        /// The first square.
        from: String,
        /// The second square.
        to: String,
    },
    /// Too many plies, or the game is over.
    CannotAbort,
    /// The game is over.
    CannotResign,
    /// The opponent is there, or has not been away for long enough.
    CannotClaimWin,
    /// Likewise.
    CannotClaimDraw,
    /// The challenge is no longer open.
    ChallengeClosed(ChallengeStatus),
    /// The challenge is somebody else's.
    NotYourChallenge,
    /// A BOT account cannot play such a game.
    IncompatibleWithBot,
    /// A challenge to oneself.
    ChallengeYourself,
    /// A challenge to a bot carries rules.
    RulesForBot,
    /// A challenge to a bot is too fast.
    UltraBulletForBot,
    /// The token given for the opponent is not the opponent's.
    NotTheOpponentsToken,
    /// The game can no longer be aborted by cancelling its challenge.
    CannotCancelGame,
    /// The account has played already and cannot become a bot.
    AlreadyPlayed,
    /// Not in this game, or not for this user.
    NotAllowed(&'static str),
    /// Complaints about a form.
    Form(FormErrors),
    /// Too many requests.
    RateLimited,
    /// Too many event streams opened.
    StreamPolled,
    /// The user has played too many games against bots today.
    BotDayLimit {
        /// Who: the caller or the opponent.
        whose: UserId,
        /// Whether it is the caller.
        own: Whose,
        /// How many games.
        games: u32,
        /// When the next is allowed.
        wait: Duration,
    },
}

/// Whose limit was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whose {
    /// The caller's own.
    Own,
    /// The opponent's.
    Opponents,
}
