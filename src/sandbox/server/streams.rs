//! Who is reading what: the open streams, and the bodies that carry them.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use bytes::Bytes;
use futures::stream;

use super::Shared;
use super::feed::Feed;
use super::queue::LineQueue;
use super::spoil::Outlet;
use crate::chess::Color;
use crate::sandbox::world::{GameId, UserId};

/// What a reader reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Topic {
    /// The events of an account. One stream a token.
    Events { user: UserId, token: String },
    /// A game, as one of its players. One stream a player and program.
    Game { user: UserId, game: GameId, color: Color, agent: String },
    /// The answer to a challenge.
    Challenge { challenge: GameId },
}

impl Topic {
    /// Whose presence the stream is, and in which game.
    pub(super) fn presence(&self) -> Option<(&UserId, Option<&GameId>)> {
        match self {
            Topic::Events { user, .. } => Some((user, None)),
            Topic::Game { user, game, .. } => Some((user, Some(game))),
            Topic::Challenge { .. } => None,
        }
    }

    /// Whether a new stream of `self` ends an older one of `other`.
    fn replaces(&self, other: &Topic) -> bool {
        match (self, other) {
            (Topic::Events { token, .. }, Topic::Events { token: older, .. }) => token == older,
            (Topic::Game { .. }, Topic::Game { .. }) => self == other,
            _ => false,
        }
    }
}

/// An open stream.
#[derive(Debug)]
pub(super) struct Reader {
    number: u64,
    topic: Topic,
    queue: Arc<LineQueue>,
}

/// All open streams.
#[derive(Debug, Default)]
pub(super) struct Streams {
    readers: Vec<Reader>,
    opened: u64,
    closed: bool,
}

impl Streams {
    /// Opens a stream; it ends the one that it replaces. The number is for [`remove`](Streams::remove).
    pub(super) fn open(&mut self, topic: Topic, queue: &Arc<LineQueue>) -> u64 {
        for replaced in self.readers.iter().filter(|reader| topic.replaces(&reader.topic)) {
            replaced.queue.close();
        }
        self.readers.retain(|reader| !topic.replaces(&reader.topic));
        self.opened += 1;
        if self.closed {
            queue.close();
        }
        self.readers.push(Reader { number: self.opened, topic, queue: Arc::clone(queue) });
        self.opened
    }

    /// Forgets a stream.
    pub(super) fn remove(&mut self, number: u64) {
        self.readers.retain(|reader| reader.number != number);
    }

    /// Sends a line to all streams that are chosen.
    pub(super) fn send(&self, line: &Bytes, chosen: impl Fn(&Topic) -> bool) {
        for reader in self.readers.iter().filter(|reader| chosen(&reader.topic)) {
            reader.queue.push(line.clone());
        }
    }

    /// Whether one that is chosen is open.
    pub(super) fn any(&self, chosen: impl Fn(&Topic) -> bool) -> bool {
        self.readers.iter().any(|reader| chosen(&reader.topic))
    }

    /// Ends all streams that are chosen.
    pub(super) fn end(&mut self, chosen: impl Fn(&Topic) -> bool) {
        for reader in self.readers.iter().filter(|reader| chosen(&reader.topic)) {
            reader.queue.close();
        }
    }

    /// Ends all streams, also those that will be opened.
    pub(super) fn close(&mut self) {
        self.closed = true;
        self.end(|_| true);
    }
}

/// Tells the world when a stream is no longer read, for whatever reason.
struct Presence {
    shared: Arc<Shared>,
    number: u64,
    topic: Topic,
}

impl Drop for Presence {
    fn drop(&mut self) {
        self.shared.reader_left(self.number, &self.topic);
    }
}

/// The response that carries a stream: its lines, and a blank one every `period`. The number is that of the open stream
/// if there is more to come.
pub(super) fn stream_response(
    shared: &Arc<Shared>,
    queue: Arc<LineQueue>,
    topic: Topic,
    number: Option<u64>,
    period: Duration,
) -> Response {
    let presence = number.map(|number| Presence { shared: Arc::clone(shared), number, topic: topic.clone() });
    let outlet = Outlet::default();
    let feed = Feed::new(shared, queue, &topic, period, outlet.clone());
    let chunks = stream::unfold((feed, presence), |(mut feed, presence)| async move {
        feed.next().await.map(|chunk| (chunk, (feed, presence)))
    });
    let mut response = Response::new(Body::from_stream(chunks));
    response.extensions_mut().insert(outlet);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/x-ndjson"));
    headers.insert("X-Accel-Buffering", HeaderValue::from_static("no"));
    response
}
