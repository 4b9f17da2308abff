//! Where a recorder can listen in. It sees every line as it came and every request as it went, and no header, so
//! that it cannot see the token.

use std::time::Duration;

use super::GameId;

/// Sees what goes over the wire. Called from the tasks that do the work: it must return at once.
pub trait Tap: Send + Sync {
    /// A line arrived, before anything is understood of it. Keep-alives are not lines.
    fn line(&self, source: LineSource, raw: &[u8]);

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

/// How a request ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestOutcome {
    /// The status, when an answer came.
    pub status: Option<u16>,
    /// What went wrong, if anything did.
    pub error: Option<String>,
    /// From sending to the end of the answer; for a stream, to its opening.
    pub elapsed: Duration,
}

/// Hears nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTap;

impl Tap for NoTap {
    fn line(&self, _source: LineSource, _raw: &[u8]) {}

    fn request(&self, _method: &str, _path: &str, _form: &[(String, String)], _outcome: &RequestOutcome) {}
}
