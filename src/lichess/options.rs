//! What a client can be told. Every limit is a setting, so that tests can be quick and operators can be polite.

use std::sync::Arc;
use std::time::Duration;

use super::{Token, Transport};

/// Where Lichess is.
pub const LICHESS: &str = "https://lichess.org";

/// Settings of a [`super::Client`].
#[derive(Clone, Debug)]
pub struct ClientOptions {
    /// The server, such as `https://lichess.org`; a path in front of the API's own is allowed. `http://` is meant
    /// for a server on this machine: the token travels readably.
    pub base_url: String,
    /// Who we are. It is sent to the host of `base_url` and to nobody else.
    pub token: Token,
    /// The `User-Agent`; the name of the account is added once it is known.
    pub user_agent: String,
    /// For a whole command, from sending to the last byte of the answer; for the opening of a stream; and for the
    /// first line of a game's stream.
    pub request_timeout: Duration,
    /// The same for moves and for what ends a game, where the clock runs.
    pub move_timeout: Duration,
    /// A stream without a byte for so long is dead: the server promises one each 7 s.
    pub stream_silence: Duration,
    /// For a connection to come about.
    pub connect_timeout: Duration,
    /// Waits between attempts.
    pub backoff: BackoffOptions,
    /// The least wait after "too many requests" when the server names no time.
    pub rate_limit_wait: Duration,
    /// The first wait after "too many requests" for a move, where the clock runs.
    pub move_rate_limit_wait: Duration,
    /// What carries the requests; the network, if not given.
    pub transport: Option<Arc<dyn Transport>>,
    /// Where the jitter of waits comes from; different each time, if not given.
    pub seed: Option<u64>,
}

/// How waits between attempts grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackoffOptions {
    /// The first wait, before jitter.
    pub first: Duration,
    /// No wait is longer.
    pub max: Duration,
}

impl ClientOptions {
    /// The settings for Lichess itself, at another place if `base_url` is one.
    pub fn new(base_url: impl Into<String>, token: Token) -> ClientOptions {
        ClientOptions {
            base_url: base_url.into(),
            token,
            user_agent: concat!("rookery/", env!("CARGO_PKG_VERSION")).to_owned(),
            request_timeout: Duration::from_secs(10),
            move_timeout: Duration::from_secs(3),
            // Two keep-alives may be lost and the third be nearly due.
            stream_silence: Duration::from_secs(19),
            connect_timeout: Duration::from_secs(5),
            backoff: BackoffOptions::default(),
            // The API's documentation asks for a full minute.
            rate_limit_wait: Duration::from_secs(60),
            move_rate_limit_wait: Duration::from_secs(1),
            transport: None,
            seed: None,
        }
    }
}

impl Default for BackoffOptions {
    /// Quick at first, since most losses are short; a minute at most, as the server asks when it is down.
    fn default() -> BackoffOptions {
        BackoffOptions { first: Duration::from_millis(250), max: Duration::from_secs(60) }
    }
}
