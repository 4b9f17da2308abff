//! The world and its streams behind one lock, and the clock by which they live.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::response::Response;
use bytes::Bytes;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

use super::listener::Connections;
use super::queue::LineQueue;
use super::streams::{Streams, Topic, stream_response};
use super::upheaval::Upheaval;
use crate::sandbox::faults::Faults;
use crate::sandbox::wire::{account_event, game_line, keep_alive_end};
use crate::sandbox::world::{GameId, Notice, UserId, World};
use crate::sandbox::{SandboxOptions, Script};

/// What all requests and tasks of a sandbox share.
#[derive(Debug)]
pub(in crate::sandbox) struct Shared {
    // A std mutex: it is held for the length of one request's work and never across an await.
    state: Mutex<State>,
    began: Instant,
    has_scripts: bool,
    pub(super) url: String,
    pub(in crate::sandbox) options: Arc<SandboxOptions>,
    pub(super) faults: Faults,
    pub(super) connections: Arc<Connections>,
    pub(super) upheaval: Mutex<Upheaval>,
    /// Rings when a lent opponent or a scripted account may have something to do.
    pub(in crate::sandbox) games_changed: Notify,
}

/// How a stream begins.
#[derive(Debug)]
pub(super) struct Beginning {
    pub(super) lines: Vec<Bytes>,
    /// Nothing will follow.
    pub(super) complete: bool,
}

#[derive(Debug)]
struct State {
    world: World,
    streams: Streams,
    /// What the scripted accounts have not heard yet; always empty where there are none.
    news: Vec<Notice>,
}

impl Shared {
    /// A world as the options say, at this address. Names and tokens must be unique.
    pub(super) fn new(options: SandboxOptions, url: String) -> io::Result<Shared> {
        check_users(&options)?;
        let date =
            options.date.unwrap_or_else(|| SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default());
        let date_ms = u64::try_from(date.as_millis()).unwrap_or(u64::MAX);
        let seed = options.seed.unwrap_or(u64::try_from(date.as_nanos()).unwrap_or(date_ms));
        let options = Arc::new(options);
        let began = Instant::now();
        let world = World::new(Arc::clone(&options), date_ms, seed);
        Ok(Shared {
            state: Mutex::new(State { world, streams: Streams::default(), news: Vec::new() }),
            began,
            has_scripts: options.users.iter().any(|user| user.script.is_some()),
            url,
            faults: Faults::new(options.scenario.clone(), began),
            options,
            connections: Arc::new(Connections::new()),
            upheaval: Mutex::default(),
            games_changed: Notify::new(),
        })
    }

    /// Looks at the world or changes it, and sends what came of it to the streams.
    pub(in crate::sandbox) fn act<T>(&self, act: impl FnOnce(&mut World, Duration) -> T) -> T {
        let mut state = self.lock();
        let now = self.began.elapsed();
        let result = act(&mut state.world, now);
        self.deliver(&mut state, now);
        result
    }

    /// The same, with all that has happened since the last call of this.
    pub(in crate::sandbox) fn act_on_news<T>(
        &self,
        act: impl FnOnce(&mut World, Vec<Notice>, Duration) -> T,
    ) -> T {
        let news = std::mem::take(&mut self.lock().news);
        self.act(|world, now| act(world, news, now))
    }

    /// Waits for a time of this sandbox; for ever, if there is none.
    pub(in crate::sandbox) async fn wait_until(&self, time: Option<Duration>) {
        match time.and_then(|time| self.began.checked_add(time)) {
            Some(time) => sleep_until(time).await,
            None => std::future::pending().await,
        }
    }

    /// Opens a stream; `begin` finds its first lines, and whether there is more to come.
    pub(super) fn open(
        self: &Arc<Shared>,
        topic: Topic,
        period: Duration,
        begin: impl FnOnce(&World, Duration) -> Beginning,
    ) -> Response {
        let queue = Arc::new(LineQueue::new(self.options.queue));
        let mut state = self.lock();
        let now = self.began.elapsed();
        let beginning = begin(&state.world, now);
        for line in beginning.lines {
            queue.push(line);
        }
        if beginning.complete {
            queue.close();
            return stream_response(self, queue, topic, None, period);
        }
        let number = state.streams.open(topic.clone(), &queue);
        if let Some((user, game)) = topic.presence() {
            state.world.connected(user, game, now);
        }
        self.deliver(&mut state, now);
        drop(state);
        stream_response(self, queue, topic, Some(number), period)
    }

    /// A stream is no longer read.
    pub(super) fn reader_left(&self, number: u64, topic: &Topic) {
        let mut state = self.lock();
        let now = self.began.elapsed();
        state.streams.remove(number);
        match topic.presence() {
            Some((user, game)) => state.world.disconnected(user, game, now),
            None => {
                if let Topic::Challenge { challenge } = topic {
                    state.world.challenge_left(challenge, now);
                }
            }
        }
        self.deliver(&mut state, now);
    }

    /// Whether a stream of a user's is open: of the events, or of a game.
    pub(super) fn is_read(&self, user: &UserId, game: Option<&GameId>) -> bool {
        self.lock().streams.any(|topic| topic.presence() == Some((user, game)))
    }

    /// Ends all streams for good.
    pub(super) fn end_streams(&self) {
        self.lock().streams.close();
    }

    fn deliver(&self, state: &mut State, now: Duration) {
        let notices = state.world.take_notices();
        for notice in &notices {
            self.deliver_one(state, notice, now);
        }
        if !notices.is_empty() {
            self.games_changed.notify_one();
        }
        if self.has_scripts {
            state.news.extend(notices);
        }
    }

    fn deliver_one(&self, state: &mut State, notice: &Notice, now: Duration) {
        match notice {
            Notice::Game { game: id, line } => {
                let (line, side) = game_line(line, self.options.unset_flags);
                state.streams.send(&line, |topic| {
                    matches!(topic, Topic::Game { game, color, .. }
                        if game == id && side.is_none_or(|side| side == *color))
                });
            }
            Notice::GameOver { game: id } => {
                state.streams.end(|topic| matches!(topic, Topic::Game { game, .. } if game == id));
            }
            Notice::ChallengeDone { challenge: id, end } => {
                let done = keep_alive_end(*end);
                let waits =
                    |topic: &Topic| matches!(topic, Topic::Challenge { challenge } if challenge == id);
                state.streams.send(&done, waits);
                state.streams.end(waits);
            }
            Notice::StreamTaken { from, game: id } => {
                state.streams.end(|topic| {
                    topic.presence().is_some_and(|(user, game)| user == from && game == id.as_ref())
                });
            }
            Notice::Down => state.streams.end(|_| true),
            Notice::Up => {}
            Notice::GameStart { .. }
            | Notice::GameStartAgain { .. }
            | Notice::ChallengeAgain { .. }
            | Notice::GameFinish { .. }
            | Notice::ChallengeCreated { .. }
            | Notice::ChallengeCanceled { .. }
            | Notice::ChallengeDeclined { .. } => {
                if let Some((to, line)) = account_event(&state.world, notice, &self.url, now) {
                    state
                        .streams
                        .send(&line, |topic| matches!(topic, Topic::Events { user, .. } if user == to));
                }
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A request that panicked may have left a game half changed; the others go on.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn check_users(options: &SandboxOptions) -> io::Result<()> {
    let refuse = |text: String| Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    let mut ids = Vec::new();
    let mut tokens = Vec::new();
    for user in &options.users {
        let wordy = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        if !(2..=30).contains(&user.name.len()) || !user.name.bytes().all(wordy) {
            return refuse(format!(
                "bad user name {:?}, expected 2 to 30 letters, digits, _ or -",
                user.name
            ));
        }
        let id = user.name.to_lowercase();
        if ids.contains(&id) {
            return refuse(format!("two users are called {:?}", user.name));
        }
        ids.push(id);
        if let Some(Err(error)) = user.script.as_ref().map(Script::check) {
            return refuse(format!("the script of {:?} is wrong: {error}", user.name));
        }
        for token in &user.tokens {
            if tokens.contains(&&token.token) {
                return refuse(format!("a token of {:?} is given twice", user.name));
            }
            tokens.push(&token.token);
        }
    }
    Ok(())
}
