//! A server of a test's making, in memory and on a virtual clock: it answers as a script says, and what comes on its
//! streams the test says while it runs. Nothing here knows the rules of chess or of Lichess; the sandbox does.

use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures::future::BoxFuture;
use futures::{FutureExt, StreamExt};
use reqwest::header::HeaderMap;
use reqwest::{Request, StatusCode};
use rookery::bot::{self, BotError, BotOptions, BotSummary, Mind, OnDone, OnInfo, Phase, Thought};
use rookery::chess::UciMove;
use rookery::engine::{Limits, Score, SearchOutcome, SearchRequest, StopReason};
use rookery::lichess::{ClientOptions, Purpose, Reply, Token, Transport};
use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;

/// How often the server says that a stream is alive, as Lichess does.
const KEEP_ALIVE: Duration = Duration::from_secs(7);

/// How often a condition is looked at, in virtual time.
const LOOK: Duration = Duration::from_millis(10);

/// A test that waits longer for something, in virtual time, has failed.
const PATIENCE: Duration = Duration::from_secs(3600);

/// Lines that wait for the client at most.
const BACKLOG: usize = 200_000;

/// A request.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    /// How many came before it.
    pub(super) number: usize,
    /// With the query.
    pub(super) path: String,
    pub(super) at: Instant,
}

/// What a request is answered.
#[derive(Clone, Debug)]
pub(super) enum Answer {
    Say(u16, String),
    /// The connection fails, for this reason.
    Fail(&'static str),
    /// Nothing ever comes.
    Never,
    /// After a while.
    Late(Duration, Box<Answer>),
    /// A stream, on which the test speaks.
    Stream,
}

type Script = dyn Fn(&Asked) -> Option<Answer> + Send + Sync;
type Sender = mpsc::Sender<Result<Bytes, String>>;

/// The server. Clones are the same one.
#[derive(Clone)]
pub(super) struct Stage(Arc<Shared>);

struct Shared {
    script: Box<Script>,
    asked: Mutex<Vec<Asked>>,
    streams: Mutex<Vec<Stream>>,
    /// The games that were said to have begun and not said to be over.
    running: Mutex<Vec<Value>>,
    renewals: AtomicUsize,
    /// Keeps the streams alive.
    beat: Mutex<JoinSet<()>>,
}

struct Stream {
    path: String,
    sender: Sender,
    muted: bool,
}

fn is_end(status: &Value) -> bool {
    status.as_str().is_some_and(|status| status != "started")
}

/// Success of a command.
pub(super) fn done() -> Answer {
    Answer::Say(200, r#"{"ok":true}"#.to_owned())
}

/// What a healthy server answers.
fn usual(path: &str, running: &[Value]) -> Answer {
    match path.split('?').next().unwrap_or_default() {
        "/api/account" => {
            Answer::Say(200, json!({ "id": "ada", "username": "ada", "title": "BOT" }).to_string())
        }
        "/api/account/playing" => Answer::Say(200, json!({ "nowPlaying": running }).to_string()),
        "/api/stream/event" => Answer::Stream,
        path if path.starts_with("/api/bot/game/stream/") => Answer::Stream,
        _ => done(),
    }
}

/// The path of the account's stream.
pub(super) const EVENTS: &str = "/api/stream/event";

/// The path of a game's stream.
pub(super) fn stream_of(game: &str) -> String {
    format!("/api/bot/game/stream/{game}")
}

impl Stage {
    /// What the script leaves open is answered as by a healthy server. Streams are kept alive as long as the test runs.
    pub(super) fn new(script: impl Fn(&Asked) -> Option<Answer> + Send + Sync + 'static) -> Stage {
        let stage = Stage(Arc::new(Shared {
            script: Box::new(script),
            asked: Mutex::new(Vec::new()),
            streams: Mutex::new(Vec::new()),
            running: Mutex::new(Vec::new()),
            renewals: AtomicUsize::new(0),
            beat: Mutex::new(JoinSet::new()),
        }));
        let shared = Arc::downgrade(&stage.0);
        stage.0.beat.lock().unwrap().spawn(async move {
            loop {
                tokio::time::sleep(KEEP_ALIVE).await;
                let Some(shared) = shared.upgrade() else { return };
                Stage(shared).bytes("", "\n");
            }
        });
        stage
    }

    /// A server without faults.
    pub(super) fn healthy() -> Stage {
        Stage::new(|_| None)
    }

    /// The bot `ada` on this server, who plays the first legal move at once.
    pub(super) fn options(&self) -> BotOptions {
        let token = Token::new("tok_ada".to_owned()).unwrap();
        let mut client = ClientOptions::new("http://stage.invalid", token);
        client.transport = Some(Arc::new(self.clone()));
        client.seed = Some(1);
        let mut options = BotOptions::new(client);
        options.mind = Some(Arc::new(Quick::default()));
        options.challenges.max_games = 1;
        options
    }

    /// A bot at work on this server.
    pub(super) fn bot(&self, change: impl FnOnce(&mut BotOptions)) -> Bot {
        let mut options = self.options();
        change(&mut options);
        Bot::start(options)
    }

    /// The requests whose path holds this text.
    pub(super) fn asked(&self, part: &str) -> Vec<Asked> {
        self.0.asked.lock().unwrap().iter().filter(|asked| asked.path.contains(part)).cloned().collect()
    }

    /// How many requests hold this text in their path.
    pub(super) fn count(&self, part: &str) -> usize {
        self.asked(part).len()
    }

    /// How often the client left its connections.
    pub(super) fn renewals(&self) -> usize {
        self.0.renewals.load(Ordering::SeqCst)
    }

    /// Bytes on every open stream whose path holds this text.
    pub(super) fn bytes(&self, part: &str, bytes: impl AsRef<[u8]>) {
        let mut streams = self.0.streams.lock().unwrap();
        streams.retain(|stream| !stream.sender.is_closed());
        for stream in streams.iter().filter(|stream| !stream.muted && stream.path.contains(part)) {
            // Whoever has just left hears nothing.
            drop(stream.sender.try_send(Ok(Bytes::copy_from_slice(bytes.as_ref()))));
        }
    }

    /// A line on every open stream like this. Beginnings and ends of games change the list of running ones.
    pub(super) fn say(&self, part: &str, line: &Value) {
        let mut running = self.0.running.lock().unwrap();
        if line["type"] == "gameStart" {
            running.retain(|game| game["gameId"] != line["game"]["gameId"]);
            running.push(line["game"].clone());
        } else if [&line["status"], &line["state"]["status"]].iter().any(|status| is_end(status)) {
            running.retain(|game| !game["gameId"].as_str().is_some_and(|id| part.contains(id)));
        }
        drop(running);
        self.bytes(part, format!("{line}\n"));
    }

    /// The streams like this end in good order.
    pub(super) fn end(&self, part: &str) {
        self.0.streams.lock().unwrap().retain(|stream| !stream.path.contains(part));
    }

    /// The streams like this break.
    pub(super) fn cut(&self, part: &str) {
        for stream in self.0.streams.lock().unwrap().extract_if(.., |stream| stream.path.contains(part)) {
            drop(stream.sender.try_send(Err("connection reset by the test".to_owned())));
        }
    }

    /// The streams like this that are open now are never heard of again, and nobody notices.
    pub(super) fn mute(&self, part: &str) {
        for stream in self.0.streams.lock().unwrap().iter_mut().filter(|stream| stream.path.contains(part)) {
            stream.muted = true;
        }
    }

    /// How many streams like this the client holds open.
    pub(super) fn open(&self, part: &str) -> usize {
        let streams = self.0.streams.lock().unwrap();
        streams.iter().filter(|stream| !stream.sender.is_closed() && stream.path.contains(part)).count()
    }

    /// Waits until so many requests like this have come.
    pub(super) async fn until(&self, part: &str, count: usize) -> Asked {
        self.wait(&format!("{count} of {part}"), |stage| stage.asked(part).get(count - 1).cloned()).await
    }

    /// Looks again and again, until there is something to see.
    pub(super) async fn wait<T>(&self, what: &str, look: impl Fn(&Stage) -> Option<T>) -> T {
        let began = Instant::now();
        loop {
            if let Some(seen) = look(self) {
                return seen;
            }
            assert!(began.elapsed() < PATIENCE, "waited in vain for {what}; asked: {:#?}", self.asked(""));
            tokio::time::sleep(LOOK).await;
        }
    }

    fn answer(&self, path: String) -> Answer {
        let mut all = self.0.asked.lock().unwrap();
        let asked = Asked { number: all.len(), path, at: Instant::now() };
        all.push(asked.clone());
        drop(all);
        (self.0.script)(&asked).unwrap_or_else(|| usual(&asked.path, &self.0.running.lock().unwrap()))
    }
}

impl fmt::Debug for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stage")
    }
}

impl Transport for Stage {
    fn send(&self, _purpose: Purpose, request: Request) -> BoxFuture<'static, Result<Reply, String>> {
        let path = match request.url().query() {
            Some(query) => format!("{}?{query}", request.url().path()),
            None => request.url().path().to_owned(),
        };
        let answer = self.answer(path.clone());
        let stage = self.clone();
        async move { stage.give(path, answer).await }.boxed()
    }

    fn renew(&self) {
        self.0.renewals.fetch_add(1, Ordering::SeqCst);
    }
}

impl Stage {
    async fn give(&self, path: String, mut answer: Answer) -> Result<Reply, String> {
        while let Answer::Late(wait, then) = answer {
            tokio::time::sleep(wait).await;
            answer = *then;
        }
        let (status, body) = match answer {
            Answer::Fail(why) => return Err(why.to_owned()),
            Answer::Say(status, text) => (status, futures::stream::iter([Ok(Bytes::from(text))]).boxed()),
            Answer::Stream => {
                let (sender, receiver) = mpsc::channel(BACKLOG);
                self.0.streams.lock().unwrap().push(Stream { path, sender, muted: false });
                let body = futures::stream::unfold(receiver, |mut receiver| async {
                    receiver.recv().await.map(|chunk| (chunk, receiver))
                });
                (200, body.boxed())
            }
            Answer::Never | Answer::Late(..) => std::future::pending().await,
        };
        Ok(Reply { status: StatusCode::from_u16(status).unwrap(), headers: HeaderMap::new(), body })
    }
}

/// A bot at work.
pub(super) struct Bot {
    phase: watch::Sender<Phase>,
    task: JoinSet<Result<BotSummary, BotError>>,
}

impl Bot {
    pub(super) fn start(options: BotOptions) -> Bot {
        let (phase, receiver) = watch::channel(Phase::Running);
        let mut task = JoinSet::new();
        task.spawn(bot::run(options, receiver, None));
        Bot { phase, task }
    }

    /// How it ends by itself.
    pub(super) async fn end(mut self) -> Result<BotSummary, BotError> {
        self.task.join_next().await.unwrap().unwrap()
    }

    /// Ends it, whatever it is doing.
    pub(super) async fn stop(self) -> BotSummary {
        self.phase.send_replace(Phase::Stopping);
        self.end().await.unwrap()
    }

    /// Whether it still works.
    pub(super) fn is_alive(&mut self) -> bool {
        self.task.try_join_next().is_none()
    }

    /// As `kill -9` does.
    pub(super) async fn kill(mut self) {
        self.task.shutdown().await;
    }
}

/// Thinks of the first legal move, at once. It counts its searches.
#[derive(Debug, Default)]
pub(super) struct Quick {
    pub(super) searches: AtomicUsize,
    /// These searches break down, counted from 0.
    pub(super) breaks: Range<usize>,
}

impl Mind for Quick {
    fn start(&self, request: SearchRequest, _: OnInfo, on_done: OnDone) -> Box<dyn Thought> {
        let number = self.searches.fetch_add(1, Ordering::SeqCst);
        assert!(!self.breaks.contains(&number), "this search breaks down, as the test wants");
        let best = request.history.position().legal_moves().first().copied();
        on_done(SearchOutcome {
            best,
            ponder: None,
            score: Score::DRAW,
            depth: 1,
            nodes: 1,
            elapsed: Duration::ZERO,
            pv: best.into_iter().collect(),
            reason: StopReason::Limit,
        });
        Box::new(Nothing)
    }
}

/// Thinks until it is told to stop, and remembers how many of its searches were dropped.
#[derive(Clone, Debug, Default)]
pub(super) struct Slow {
    pub(super) searches: Arc<AtomicUsize>,
    pub(super) dropped: Arc<AtomicUsize>,
}

impl Mind for Slow {
    fn start(&self, _: SearchRequest, _: OnInfo, on_done: OnDone) -> Box<dyn Thought> {
        self.searches.fetch_add(1, Ordering::SeqCst);
        Box::new(Thinking { dropped: Arc::clone(&self.dropped), _on_done: Mutex::new(on_done) })
    }
}

#[derive(Debug)]
struct Nothing;

impl Thought for Nothing {
    fn stop(&self) {}
    fn ponder_hit(&self, _: Limits) {}
}

struct Thinking {
    dropped: Arc<AtomicUsize>,
    _on_done: Mutex<OnDone>,
}

impl fmt::Debug for Thinking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Thinking")
    }
}

impl Thought for Thinking {
    fn stop(&self) {}
    fn ponder_hit(&self, _: Limits) {}
}

impl Drop for Thinking {
    fn drop(&mut self) {
        self.dropped.fetch_add(1, Ordering::SeqCst);
    }
}

/// A game in which `ada` is Black, as the account's stream tells of it.
pub(super) fn game_start(game: &str) -> Value {
    json!({ "type": "gameStart", "game": { "gameId": game, "fullId": format!("{game}abcd"), "color": "black",
        "speed": "rapid", "compat": { "bot": true, "board": true },
        "opponent": { "id": "cleo", "username": "Cleo" } } })
}

/// How a game stands after these moves, with ten minutes on both clocks.
pub(super) fn state(moves: &str) -> Value {
    json!({ "type": "gameState", "moves": moves, "wtime": 600_000, "btime": 600_000, "winc": 0, "binc": 0,
        "status": "started" })
}

/// The whole game.
pub(super) fn game_full(game: &str, moves: &str) -> Value {
    json!({ "type": "gameFull", "id": game, "variant": { "key": "standard" }, "speed": "rapid", "rated": false,
        "white": { "id": "cleo", "name": "Cleo" }, "black": { "id": "ada", "name": "ada", "title": "BOT" },
        "initialFen": "startpos", "clock": { "initial": 600_000, "increment": 0 }, "state": state(moves) })
}

/// `value` with other fields.
pub(super) fn patched(mut value: Value, patch: &Value) -> Value {
    for (key, field) in patch.as_object().unwrap() {
        value[key] = field.clone();
    }
    value
}

/// A challenge by somebody.
pub(super) fn challenge(id: &str, who: &str) -> Value {
    json!({ "type": "challenge", "challenge": { "id": id, "status": "created",
        "challenger": { "id": who, "name": who, "rating": 1500 }, "variant": { "key": "standard" }, "rated": false,
        "speed": "rapid", "timeControl": { "type": "clock", "limit": 600, "increment": 0 }, "color": "random" } })
}

/// The move that was posted, as UCI.
pub(super) fn posted(asked: &Asked) -> String {
    let uci = asked.path.split("/move/").nth(1).unwrap().split('?').next().unwrap();
    let parsed: UciMove = uci.parse().unwrap();
    assert_eq!(parsed.to_string(), uci);
    uci.to_owned()
}

impl Stage {
    /// A game begins, and its stream is open; the bot has been told the whole game.
    pub(super) async fn begin(&self, game: &str, moves: &str) {
        let before = self.count(&stream_of(game));
        self.wait("the account's stream", |stage| (stage.open(EVENTS) > 0).then_some(())).await;
        self.say(EVENTS, &game_start(game));
        self.until(&stream_of(game), before + 1).await;
        self.say(game, &game_full(game, moves));
    }

    /// A game begins in which it is the bot's turn; the move that it plays has been shown on the stream.
    pub(super) async fn begin_moving(&self, game: &str, moves: &str) -> String {
        let part = format!("{game}/move/");
        let before = self.count(&part);
        self.begin(game, moves).await;
        self.echo(game, moves, before).await
    }

    /// A state of a game, and the reply of the bot to it, which has been shown on the stream.
    pub(super) async fn reply(&self, game: &str, moves: &str) -> String {
        let before = self.count(&format!("{game}/move/"));
        self.say(&stream_of(game), &state(moves));
        self.echo(game, moves, before).await
    }

    async fn echo(&self, game: &str, moves: &str, before: usize) -> String {
        let ours = posted(&self.until(&format!("{game}/move/"), before + 1).await);
        self.say(&stream_of(game), &state(&format!("{moves} {ours}")));
        ours
    }
}
