//! How a request can fail, and what that means for whoever asked.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A request that did not succeed. Messages are the server's own, shortened; they are for people, and nothing
/// should be decided from their wording.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
pub enum ApiError {
    /// 401: the server does not accept who we say we are.
    #[error("{problem}: {message}")]
    Unauthorized {
        /// What exactly it does not accept.
        problem: AuthProblem,
        /// The server's words.
        message: String,
    },
    /// 403: we are known, but may not do this.
    #[error("not allowed: {message}{}", wanted(.scopes))]
    Forbidden {
        /// The server's words.
        message: String,
        /// The scopes of which the token should have one, when the server names them.
        scopes: Option<String>,
    },
    /// 404: no such game, challenge or user; or it is not ours.
    #[error("not found: {message}")]
    NotFound {
        /// The server's words.
        message: String,
    },
    /// 400 and the like: the server will not do this, for a reason of state or input.
    #[error("refused with status {status}: {message}")]
    Refused {
        /// The status.
        status: u16,
        /// The server's words.
        message: String,
        /// A limit of somebody else that stands in the way, such as the opponent's games of the day.
        limit: Option<Limit>,
    },
    /// 429, or a cool-down after one: too many requests.
    #[error("too many requests, wait {} s: {message}", .wait.as_secs().max(1))]
    RateLimited {
        /// How long nothing of this kind should be asked.
        wait: Duration,
        /// The server's name of the limit, such as `bot.vsBot.day`.
        key: Option<String>,
        /// The server's words.
        message: String,
    },
    /// 5xx: the server is in trouble. Whether the request counted is unknown.
    #[error("the server failed with status {status}: {message}")]
    Server {
        /// The status.
        status: u16,
        /// The server's words.
        message: String,
    },
    /// 3xx: the server wants us elsewhere. We do not go, since the token is for this host alone.
    #[error("redirected with status {status} to {location:?}, which is not followed: check the base URL")]
    Redirected {
        /// The status.
        status: u16,
        /// Where to.
        location: String,
    },
    /// No full answer in time. Whether the request counted is unknown.
    #[error("no answer within {} ms", .after.as_millis())]
    Timeout {
        /// The time limit.
        after: Duration,
    },
    /// No connection, or it broke. Whether the request counted is unknown.
    #[error("connection failed: {0}")]
    Network(String),
    /// Success by its status, but the answer is not what it should be.
    #[error("unusable answer: {message}")]
    BadBody {
        /// What is wrong with it.
        message: String,
    },
    /// The address of the server cannot be used.
    #[error("bad base URL {url:?}: {message}")]
    InvalidUrl {
        /// The address.
        url: String,
        /// What is wrong with it.
        message: String,
    },
    /// The client could not be built.
    #[error("cannot set up HTTP: {0}")]
    Setup(String),
}

/// What the server does not accept about who we are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
pub enum AuthProblem {
    /// The token: unknown, revoked, expired, or its account is gone.
    #[error("the server does not accept the token")]
    Token,
    /// The `User-Agent`, because it names another account than the token's.
    #[error("the server does not accept the User-Agent")]
    UserAgent,
}

/// A limit that the server names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limit {
    /// Its name, such as `bot.vsBot.day`.
    pub key: String,
    /// How long it lasts.
    pub wait: Duration,
}

/// How the names of limits on games between bots begin. They say nothing about games with people.
pub const BOT_LIMIT: &str = "bot.vsBot";

/// What to do after an [`ApiError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disposition {
    /// Unclear whether it counted. What can be done twice may be tried again; a move is settled by the stream.
    Retry,
    /// Nothing of this kind for so long.
    Wait(Duration),
    /// No, and asking again will not help.
    Rejected,
    /// Token or account are not what is needed: stop and tell the operator.
    Auth,
    /// It does not exist, or not any more.
    Gone,
}

impl ApiError {
    /// What to do about it.
    pub fn disposition(&self) -> Disposition {
        match self {
            ApiError::Unauthorized { .. } | ApiError::Forbidden { .. } => Disposition::Auth,
            ApiError::NotFound { .. } => Disposition::Gone,
            ApiError::RateLimited { wait, .. } => Disposition::Wait(*wait),
            ApiError::Server { .. }
            | ApiError::Timeout { .. }
            | ApiError::Network(_)
            | ApiError::BadBody { .. }
            // The API redirects nothing: somebody on the way does, such as the portal of a hotel.
            | ApiError::Redirected { .. } => Disposition::Retry,
            ApiError::Refused { .. }
            | ApiError::InvalidUrl { .. }
            | ApiError::Setup(_) => Disposition::Rejected,
        }
    }
}

impl ApiError {
    /// The status of the answer, when one came.
    pub fn status(&self) -> Option<u16> {
        match self {
            ApiError::Unauthorized { .. } => Some(401),
            ApiError::Forbidden { .. } => Some(403),
            ApiError::NotFound { .. } => Some(404),
            ApiError::RateLimited { .. } => Some(429),
            ApiError::Refused { status, .. }
            | ApiError::Server { status, .. }
            | ApiError::Redirected { status, .. } => Some(*status),
            ApiError::BadBody { .. } => Some(200),
            ApiError::Timeout { .. }
            | ApiError::Network(_)
            | ApiError::InvalidUrl { .. }
            | ApiError::Setup(_) => None,
        }
    }
}

fn wanted(scopes: &Option<String>) -> String {
    scopes.as_ref().map_or_else(String::new, |scopes| format!(" (the token needs one of: {scopes})"))
}
