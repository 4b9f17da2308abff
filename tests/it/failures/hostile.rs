//! A server that sends what it is told to, however wrong, and remembers what it was asked.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

/// A request as it came.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) authorization: Option<String>,
}

/// The lines of a game's stream, by its id.
pub(super) type Lines = Box<dyn Fn(&str) -> Vec<String> + Send + Sync>;

/// What a server says.
pub(super) struct Says {
    /// The answer to `/api/account`.
    pub(super) account: Value,
    /// The first lines of the account's stream.
    pub(super) events: Vec<String>,
    /// The first lines of a game's stream.
    pub(super) game: Lines,
    /// Every request is answered with this address to go to instead.
    pub(super) redirect: Option<(u16, String)>,
}

impl Default for Says {
    fn default() -> Says {
        Says {
            account: json!({ "id": "quillbot", "username": "Quillbot", "title": "BOT" }),
            events: Vec::new(),
            game: Box::new(|_| Vec::new()),
            redirect: None,
        }
    }
}

struct Shared {
    says: Says,
    asked: Mutex<Vec<Asked>>,
    /// Open account streams take more lines from here.
    listeners: Mutex<Vec<mpsc::Sender<Result<Bytes, Infallible>>>>,
    denies: AtomicBool,
    mute: AtomicBool,
}

/// The server at work.
pub(super) struct Hostile {
    addr: SocketAddr,
    shared: Arc<Shared>,
    _tasks: JoinSet<()>,
}

impl Hostile {
    pub(super) async fn start(says: Says) -> Hostile {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let addr = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            says,
            asked: Mutex::default(),
            listeners: Mutex::default(),
            denies: AtomicBool::new(false),
            mute: AtomicBool::new(false),
        });
        let router = Router::new().fallback(answer).with_state(Arc::clone(&shared));
        let mut tasks = JoinSet::new();
        tasks.spawn(async move { axum::serve(listener, router).await.unwrap() });
        let alive = Arc::clone(&shared);
        tasks.spawn(async move {
            loop {
                tokio::time::sleep(Duration::from_millis(200)).await;
                if !alive.mute.load(Ordering::SeqCst) {
                    alive.tell("\n");
                }
            }
        });
        Hostile { addr, shared, _tasks: tasks }
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}", self.addr)
    }

    /// What was asked so far.
    pub(super) fn asked(&self) -> Vec<Asked> {
        self.shared.asked.lock().unwrap().clone()
    }

    /// How many requests had this in their path.
    pub(super) fn count(&self, part: &str) -> usize {
        self.asked().iter().filter(|asked| asked.path.contains(part)).count()
    }

    /// More lines on all open streams.
    pub(super) fn tell(&self, text: &str) {
        self.shared.tell(text);
    }

    /// From now on every request is answered with 401, and all streams end.
    pub(super) fn deny(&self) {
        self.shared.denies.store(true, Ordering::SeqCst);
        self.shared.listeners.lock().unwrap().clear();
    }

    /// Whether nothing more is said on any stream, also on one that is opened anew.
    pub(super) fn mute(&self, mute: bool) {
        self.shared.mute.store(mute, Ordering::SeqCst);
    }
}

impl Shared {
    fn tell(&self, text: &str) {
        let mut listeners = self.listeners.lock().unwrap();
        listeners.retain(|listener| listener.try_send(Ok(Bytes::from(text.to_owned()))).is_ok());
    }

    /// An answer of these lines that stays open.
    fn stream(&self, lines: &[String]) -> Response {
        let (sender, receiver) = mpsc::channel(4096);
        let first: String = lines.iter().map(|line| format!("{line}\n")).collect();
        if !self.mute.load(Ordering::SeqCst) {
            sender.try_send(Ok(Bytes::from(format!("\n{first}")))).unwrap();
        }
        self.listeners.lock().unwrap().push(sender);
        let body = futures::stream::unfold(receiver, |mut receiver| async move {
            receiver.recv().await.map(|chunk: Result<Bytes, Infallible>| (chunk, receiver))
        });
        ([(header::CONTENT_TYPE, "application/x-ndjson")], Body::from_stream(body)).into_response()
    }
}

async fn answer(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    let authorization = request.headers().get(header::AUTHORIZATION);
    let authorization = authorization.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
    let asked = Asked { method: request.method().to_string(), path: path.clone(), authorization };
    shared.asked.lock().unwrap().push(asked);
    let body = axum::body::to_bytes(request.into_body(), 4096).await.unwrap();
    let body = String::from_utf8_lossy(&body);
    if let Some((status, to)) = &shared.says.redirect {
        let status = StatusCode::from_u16(*status).unwrap();
        return (status, [(header::LOCATION, format!("{to}{path}"))]).into_response();
    }
    if shared.denies.load(Ordering::SeqCst) {
        let body = json!({ "error": "No such token" }).to_string();
        return (StatusCode::UNAUTHORIZED, body).into_response();
    }
    let json = |value: Value| value.to_string().into_response();
    match path.as_str() {
        "/api/account" => json(shared.says.account.clone()),
        "/api/token/test" => json(json!({ body: { "userId": "quillbot", "scopes": "challenge:read" } })),
        "/api/account/playing" => json(json!({ "nowPlaying": [] })),
        "/api/stream/event" => shared.stream(&shared.says.events),
        path => match path.strip_prefix("/api/bot/game/stream/") {
            Some(id) => shared.stream(&(shared.says.game)(id)),
            None => json(json!({ "ok": true })),
        },
    }
}

/// A `gameStart` with some fields changed.
pub(super) fn game_start(id: &str, change: Value) -> String {
    let game = json!({ "gameId": id, "fullId": format!("{id}abcd"), "id": id, "color": "white",
        "variant": { "key": "standard" }, "speed": "blitz", "isMyTurn": true, "compat": { "bot": true },
        "opponent": { "id": "bob", "username": "Bob" } });
    json!({ "type": "gameStart", "game": changed(game, change) }).to_string()
}

/// A `gameFull` in which Quillbot has White, with some fields changed; `state` holds changes of its state.
pub(super) fn game_full(id: &str, change: Value, state: Value) -> String {
    let before = json!({ "type": "gameState", "moves": "", "wtime": 60_000, "btime": 60_000, "winc": 0, "binc": 0,
        "status": "started" });
    let full = json!({ "type": "gameFull", "id": id, "variant": { "key": "standard" }, "speed": "blitz",
        "white": { "id": "quillbot", "name": "Quillbot" }, "black": { "id": "bob", "name": "Bob" },
        "initialFen": "startpos", "clock": { "initial": 60_000, "increment": 0 } });
    let mut full = changed(full, change);
    full["state"] = changed(before, state);
    full.to_string()
}

fn changed(mut object: Value, change: Value) -> Value {
    let fields: BTreeMap<String, Value> = serde_json::from_value(change).unwrap();
    for (name, value) in fields {
        object[name] = value;
    }
    object
}
