//! Where a recorder can listen in. It sees every line as it came, what else happened to a stream, and every request
//! with its answer; of the headers it sees those of answers that decide something, so that it cannot see the token.

use std::time::Duration;

use super::{GameId, LostReason};

/// Sees what goes over the wire. Called from the tasks that do the work: it must return at once.
pub trait Tap: Send + Sync {
    /// A line arrived, before anything is understood of it. Keep-alives are not lines.
    fn line(&self, source: LineSource, raw: &[u8]);

    /// Something else happened to a stream.
    fn stream(&self, source: LineSource, news: StreamNews<'_>);

    /// A request was made and answered, or not: one call for each attempt. `path` holds the query too, `form` the
    /// fields of the body; neither holds a secret.
    fn request(&self, method: &str, path: &str, form: &[(String, String)], outcome: &RequestOutcome);
}

/// Which stream a line came from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LineSource {
    /// The account's.
    Events,
    /// A game's.
    Game(GameId),
}

/// What happens to a stream besides lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StreamNews<'a> {
    /// It is open.
    Opened,
    /// The server is alive and has nothing to say.
    Alive,
    /// A line was longer than any that is read, and was dropped.
    TooLong,
    /// It is closed, or could not be opened.
    Lost {
        /// Why.
        reason: &'a LostReason,
        /// What had come of a line that never ended.
        rest: &'a [u8],
    },
}

/// How a request ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestOutcome {
    /// The status, when an answer came.
    pub status: Option<u16>,
    /// What went wrong, if anything did.
    pub error: Option<String>,
    /// From sending to the end of the answer; for a stream, to its opening.
    pub elapsed: Duration,
    /// Headers of the answer that decide something, such as `retry-after`.
    pub headers: Vec<(&'static str, String)>,
    /// What came of the answer's body, cut to a bound; empty for streams, and where the answer tells secrets.
    pub body: String,
}

/// Hears nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTap;

impl Tap for NoTap {
    fn line(&self, _source: LineSource, _raw: &[u8]) {}

    fn stream(&self, _source: LineSource, _news: StreamNews<'_>) {}

    fn request(&self, _method: &str, _path: &str, _form: &[(String, String)], _outcome: &RequestOutcome) {}
}
