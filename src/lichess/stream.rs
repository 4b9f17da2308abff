//! Endless typed streams. They reconnect by themselves, and tell when they lost their server and why.
//!
//! A stream never gives up: whoever owns it stops asking. It decides nothing about games or challenges.

use std::collections::VecDeque;
use std::fmt;
use std::marker::PhantomData;
use std::pin::Pin;
use std::time::Duration;

use futures::StreamExt;
use serde::{Deserialize, Serialize};
use tokio::time::Instant;
use tracing::{debug, trace, warn};

use super::backoff::{Backoff, Random};
use super::call::Call;
use super::gate::Family;
use super::http::Http;
use super::model::{Event, Fields, line};
use super::ndjson::{Frame, Framer, LINE_LIMIT};
use super::transport::Reply;
use super::{AccountEvent, ApiError, BackoffOptions, Disposition, GameEvent, GameId, LineSource, StreamNews};
use crate::mutant::{self, Mutant};

/// What a stream tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StreamItem<T> {
    /// Open, for the first time or again. The server now repeats what matters.
    Connected,
    /// A line.
    Event {
        /// When its last byte arrived.
        received: Instant,
        /// What it says.
        event: T,
    },
    /// The server is alive and has nothing to say.
    KeepAlive,
    /// Closed, or not to be opened. The next call waits and connects again.
    Lost(LostReason),
}

/// Why a stream is lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LostReason {
    /// The server closed it: the game is over, another stream took its place, or the server restarts.
    Ended,
    /// No byte for too long.
    Silent,
    /// The connection broke.
    Broken(String),
    /// It could not be opened.
    Refused(ApiError),
}

/// What happens to the account.
#[derive(Debug)]
pub struct EventStream(Endless<AccountEvent>);

/// What happens in a game.
#[derive(Debug)]
pub struct GameStream(Endless<GameEvent>);

/// Waits between attempts to open a game's stream are capped lower than others: while it is down, the server takes
/// us for gone, and the clock runs. It is still no more than a request a second.
const GAME_STREAM_MAX_WAIT: Duration = Duration::from_secs(2);

/// The same while the server is in trouble: the streams take turns then.
const GAME_STREAM_PROBING: Duration = Duration::from_secs(1);

/// So many lines in a row that are no JSON are no accident: whatever speaks there, it is not the API.
const MAX_GARBAGE: u32 = 3;

/// A stream whose bytes make no line for so many silences is as good as silent.
const DRIPPING: u32 = 3;

/// A game's stream that lived so long was no accident.
const GAME_STREAM_SETTLED: Duration = Duration::from_secs(10);

impl EventStream {
    pub(crate) fn new(http: Http) -> EventStream {
        let backoff = http.options().backoff;
        EventStream(Endless::new(
            http,
            Call::stream(Family::EventStream, "/api/stream/event"),
            LineSource::Events,
            backoff,
            // A second program with the same token ends our stream whenever it connects, and we end its. Only a
            // stream that outlives the longest wait of the other side shows that there is no such twin.
            backoff.max.saturating_mul(2),
        ))
    }

    /// The next thing that happens. Cancel-safe: a call that is dropped loses nothing.
    pub async fn next(&mut self) -> StreamItem<AccountEvent> {
        self.0.next().await
    }

    /// The next thing that happens, after a rest.
    pub async fn next_after(&mut self, rest: Option<Instant>) -> StreamItem<AccountEvent> {
        if let Some(until) = rest {
            tokio::time::sleep_until(until).await;
        }
        self.next().await
    }

    /// How many times in a row the stream was lost soon after it had opened. A number that grows means that
    /// another program uses the same token: each new stream ends the other's.
    pub fn streak(&self) -> u32 {
        self.0.streak()
    }
}

impl GameStream {
    pub(crate) fn new(http: Http, game: GameId) -> GameStream {
        let BackoffOptions { first, max } = http.options().backoff;
        GameStream(Endless::new(
            http,
            Call::stream(Family::GameStream, format!("/api/bot/game/stream/{game}")),
            LineSource::Game(game),
            BackoffOptions { first, max: max.min(GAME_STREAM_MAX_WAIT) },
            GAME_STREAM_SETTLED,
        ))
    }

    /// The next thing that happens. Cancel-safe: a call that is dropped loses nothing. When the game is over,
    /// stop calling: the stream would open a game that has no more to say.
    pub async fn next(&mut self) -> StreamItem<GameEvent> {
        self.0.next().await
    }

    /// How many times in a row the stream was lost soon after it had opened.
    pub fn streak(&self) -> u32 {
        self.0.streak()
    }
}

/// All state lives here and not in the future that [`Endless::next`] returns, so that dropping one costs nothing.
struct Endless<T> {
    http: Http,
    call: Call,
    source: LineSource,
    state: State,
    /// Lines that are not yet handed out: at most what one chunk held.
    ready: VecDeque<Frame>,
    /// When they arrived.
    received: Instant,
    /// Lines in a row that are no JSON.
    garbage: u32,
    /// The present connection has brought an event.
    accepted: bool,
    backoff: Backoff,
    /// The longest wait while the server is in trouble.
    probing: Duration,
    /// A connection that lived so long is no short one.
    settled: Duration,
    /// Connections in a row that were short.
    streak: u32,
    /// The outages that were over when the last attempt failed.
    known: u64,
    /// The last wait was cut short for that; if it was in vain, the next one is not.
    woken: bool,
    event: PhantomData<T>,
}

enum State {
    Waiting {
        until: Instant,
        /// It ends sooner if the server is back sooner.
        hopeful: bool,
    },
    Opening(Pin<Box<dyn Future<Output = Result<Reply, ApiError>> + Send>>),
    Open(Open),
}

struct Open {
    reply: Reply,
    framer: Framer,
    since: Instant,
    /// When the last byte came.
    heard: Instant,
    /// When the last line ended.
    line_at: Instant,
}

impl<T: Event> Endless<T> {
    fn new(http: Http, call: Call, source: LineSource, waits: BackoffOptions, settled: Duration) -> Self {
        let random = Random::new(http.options().seed);
        Endless {
            probing: if matches!(source, LineSource::Game(_)) { GAME_STREAM_PROBING } else { waits.max },
            known: http.outage().overcome(),
            woken: false,
            http,
            call,
            source,
            state: State::Waiting { until: Instant::now(), hopeful: false },
            ready: VecDeque::new(),
            received: Instant::now(),
            garbage: 0,
            accepted: false,
            backoff: Backoff::new(waits, random),
            settled,
            streak: 0,
            event: PhantomData,
        }
    }

    async fn next(&mut self) -> StreamItem<T> {
        loop {
            if let Some(frame) = self.ready.pop_front() {
                return match self.item(frame) {
                    Ok(item) => item,
                    Err(end) => self.close(end),
                };
            }
            match &mut self.state {
                State::Waiting { until, hopeful } => {
                    let hopeful = *hopeful && !self.woken;
                    tokio::select! {
                        biased;
                        () = tokio::time::sleep_until(*until) => self.woken = false,
                        () = self.http.outage().end(self.known), if hopeful => self.woken = true,
                    }
                    if let Err(until) = self.http.outage().turn(Instant::now()) {
                        self.state = State::Waiting { until, hopeful: true };
                        continue;
                    }
                    let (http, call) = (self.http.clone(), self.call.clone());
                    self.state = State::Opening(Box::pin(async move { http.open(call).await }));
                }
                State::Opening(opening) => match opening.await {
                    Ok(reply) => return self.opened(reply),
                    Err(error) => return self.refused(error),
                },
                State::Open(open) => {
                    let silence = match mutant::on(Mutant::NoReadLimit) {
                        true => Duration::from_secs(86_400),
                        false => self.http.options().stream_silence,
                    };
                    let dead = (open.heard + silence).min(open.line_at + silence.saturating_mul(DRIPPING));
                    // A game's stream begins with the whole game; one that does not has lost it on the way.
                    let begins = matches!(self.source, LineSource::Game(_)) && !self.accepted;
                    let patience = self.http.options().request_timeout;
                    let dead = if begins { dead.min(open.since + patience) } else { dead };
                    match tokio::time::timeout_at(dead, open.reply.body.next()).await {
                        Ok(Some(Ok(chunk))) => self.heard(&chunk),
                        Ok(None) => return self.lost(LostReason::Ended),
                        Ok(Some(Err(error))) => return self.lost(LostReason::Broken(error)),
                        Err(_) => return self.lost(LostReason::Silent),
                    }
                }
            }
        }
    }

    fn opened(&mut self, reply: Reply) -> StreamItem<T> {
        let now = Instant::now();
        self.http.tap_stream(&self.source, StreamNews::Opened);
        self.garbage = 0;
        self.accepted = false;
        self.woken = false;
        let framer = Framer::new(LINE_LIMIT);
        self.state = State::Open(Open { reply, framer, since: now, heard: now, line_at: now });
        StreamItem::Connected
    }

    /// Bytes came: the lines that they complete wait to be understood.
    fn heard(&mut self, chunk: &[u8]) {
        let State::Open(open) = &mut self.state else { return };
        open.heard = Instant::now();
        self.received = open.heard;
        for frame in open.framer.push(chunk) {
            open.line_at = open.heard;
            // One sign of life is as good as a thousand.
            if frame != Frame::Blank || self.ready.back() != Some(&Frame::Blank) {
                self.ready.push_back(frame);
            }
        }
    }

    /// What a line says, or why it ends the stream.
    fn item(&mut self, frame: Frame) -> Result<StreamItem<T>, LostReason> {
        let line = match frame {
            Frame::Blank => {
                self.http.tap_stream(&self.source, StreamNews::Alive);
                return Ok(StreamItem::KeepAlive);
            }
            Frame::TooLong => {
                self.http.tap_stream(&self.source, StreamNews::TooLong);
                warn!(source = ?self.source, "a line is longer than {LINE_LIMIT} bytes; opening the stream anew");
                return Err(LostReason::Broken(format!("a line of more than {LINE_LIMIT} bytes")));
            }
            Frame::Line(line) => self.http.scrub_line(line),
        };
        self.http.tap_line(&self.source, &line);
        trace!(source = ?self.source, line = %String::from_utf8_lossy(&line), "line");
        let event = T::read(&line);
        match event.oddity() {
            None => (self.garbage, self.accepted) = (0, true),
            Some(_) if is_ping(&line) => return Ok(StreamItem::KeepAlive),
            Some(kind) => self.odd(&kind, &line)?,
        }
        Ok(StreamItem::Event { received: self.received, event })
    }

    /// A line that is no event: an error, garbage, or news of a later version.
    fn odd(&mut self, kind: &str, line: &[u8]) -> Result<(), LostReason> {
        // A server that refuses us says so at once; later it is one more line that does not belong there.
        if let Some(said) = line::error(line).filter(|_| !self.accepted) {
            return Err(LostReason::Refused(self.http.refused_in_stream(&self.call, line, &said)));
        }
        self.http.odd_line(kind, line);
        self.garbage = if line::json(line).is_some() { 0 } else { self.garbage + 1 };
        if self.garbage < MAX_GARBAGE {
            return Ok(());
        }
        warn!(source = ?self.source, "a stream brings something else than events; opening it anew");
        Err(LostReason::Broken("lines that are no JSON".to_owned()))
    }

    /// What was heard ends the stream, and what came with it is not wanted.
    fn close(&mut self, end: LostReason) -> StreamItem<T> {
        self.ready.clear();
        match end {
            LostReason::Refused(error) => self.refused(error),
            reason => self.lost(reason),
        }
    }

    /// Short lives in a row; none if the present one is long already.
    fn streak(&self) -> u32 {
        if self.is_settled() { 0 } else { self.streak }
    }

    fn is_settled(&self) -> bool {
        matches!(&self.state, State::Open(open) if open.since.elapsed() >= self.settled)
    }

    /// An open stream is lost. It comes back soon, unless this happens again and again.
    fn lost(&mut self, reason: LostReason) -> StreamItem<T> {
        if mutant::on(Mutant::NoFragmentDrop) {
            self.heard(b"\n");
        }
        if self.is_settled() {
            self.backoff.reset();
            self.streak = 0;
        } else {
            self.streak = self.streak.saturating_add(1);
        }
        if reason == LostReason::Silent {
            let seconds = self.http.options().stream_silence.as_secs();
            warn!(source = ?self.source, "a stream was silent for {seconds} s; opening it anew");
        }
        let wait = self.backoff.next();
        self.wait(reason, wait, false)
    }

    /// The stream could not be opened. What will not change by itself soon is asked for as rarely as possible.
    fn refused(&mut self, error: ApiError) -> StreamItem<T> {
        let wait = match error.disposition() {
            Disposition::Wait(wait) => wait,
            Disposition::Auth | Disposition::Gone | Disposition::Rejected => self.backoff.longest(),
            Disposition::Retry => self.backoff.next().min(self.probing),
        };
        let hopeful = error.disposition() == Disposition::Retry;
        self.known = self.http.outage().overcome();
        self.wait(LostReason::Refused(error), wait, hopeful)
    }

    fn wait(&mut self, reason: LostReason, wait: Duration, hopeful: bool) -> StreamItem<T> {
        debug!(source = ?self.source, ?reason, streak = self.streak, wait_ms = wait.as_millis() as u64, "stream lost");
        let rest = match &self.state {
            State::Open(open) => open.framer.rest(),
            State::Waiting { .. } | State::Opening(_) => &[],
        };
        self.http.tap_stream(&self.source, StreamNews::Lost { reason: &reason, rest });
        self.state = State::Waiting { until: Instant::now() + wait, hopeful };
        StreamItem::Lost(reason)
    }
}

impl<T> fmt::Debug for Endless<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match self.state {
            State::Waiting { .. } => "waiting",
            State::Opening(_) => "opening",
            State::Open(_) => "open",
        };
        f.debug_struct("Endless").field("source", &self.source).field("state", &state).finish_non_exhaustive()
    }
}

/// Servers of the family keep streams alive with a line of their own instead of an empty one.
fn is_ping(line: &[u8]) -> bool {
    serde_json::from_slice(line).is_ok_and(|value| Fields::of(&value).text("type") == Some("ping"))
}

#[cfg(test)]
#[path = "stream_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "stream_failures.rs"]
mod failures;
