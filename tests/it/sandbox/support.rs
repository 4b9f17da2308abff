//! A sandbox with a few users, and a raw HTTP client for each. Not a client library: it knows requests and lines.

use std::sync::Once;
use std::time::Duration;

use reqwest::header::HeaderMap;
use reqwest::{Client, Method, RequestBuilder, Response};
use rookery::sandbox::{GameSetup, RequestLimits, Sandbox, SandboxOptions, Scope, TokenSpec, UserSpec};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::time::timeout;

/// Nothing here takes that long: a test that waits longer has failed.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running sandbox with the bots `ada` and `bob` and the human `Hugo`.
pub(super) struct Server {
    pub(super) sandbox: Sandbox,
    http: Client,
}

/// Settings with which nothing takes long and nothing is limited.
pub(super) fn options() -> SandboxOptions {
    let hugo = UserSpec::human("Hugo", "tok_hugo");
    SandboxOptions {
        users: vec![UserSpec::bot("ada", "tok_ada"), UserSpec::bot("bob", "tok_bob"), hugo],
        limits: RequestLimits::NONE,
        tick: Duration::from_millis(2),
        flag_check: Duration::from_millis(2),
        flag_grace: Duration::ZERO,
        seed: Some(1),
        ..SandboxOptions::default()
    }
}

/// A bot called `name` whose token has these scopes.
pub(super) fn user_with(name: &str, token: &str, scopes: &[Scope]) -> UserSpec {
    let tokens = vec![TokenSpec { token: token.to_owned(), scopes: scopes.to_vec() }];
    UserSpec { tokens, ..UserSpec::bot(name, token) }
}

impl Server {
    pub(super) async fn start() -> Server {
        Server::with(options()).await
    }

    pub(super) async fn with(options: SandboxOptions) -> Server {
        static PROVIDER: Once = Once::new();
        PROVIDER.call_once(|| {
            // Another test of this binary may have installed it.
            drop(rustls::crypto::ring::default_provider().install_default());
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let sandbox = Sandbox::start(options, listener).await.unwrap();
        Server { sandbox, http: Client::builder().no_proxy().build().unwrap() }
    }

    /// Requests with this token.
    pub(super) fn user(&self, token: &str) -> User {
        User { http: self.http.clone(), base: self.sandbox.url(), token: Some(token.to_owned()) }
    }

    /// Requests without a token.
    pub(super) fn nobody(&self) -> User {
        User { token: None, ..self.user("") }
    }

    pub(super) fn ada(&self) -> User {
        self.user("tok_ada")
    }

    pub(super) fn bob(&self) -> User {
        self.user("tok_bob")
    }

    pub(super) fn hugo(&self) -> User {
        self.user("tok_hugo")
    }

    /// A game of ada (White) against bob with three minutes each.
    pub(super) fn game(&self) -> String {
        self.game_with(|_| {})
    }

    pub(super) fn game_with(&self, change: impl FnOnce(&mut GameSetup)) -> String {
        let mut setup = GameSetup::new("ada", "bob", Duration::from_secs(180), Duration::ZERO);
        change(&mut setup);
        self.sandbox.create_game(&setup).unwrap()
    }

    /// Plays moves in turn: the first is ada's.
    pub(super) async fn play(&self, game: &str, moves: &str) {
        self.play_from(game, 0, moves).await;
    }

    /// Plays moves in turn from a ply on.
    pub(super) async fn play_from(&self, game: &str, first: usize, moves: &str) {
        let players = [self.ada(), self.bob()];
        for (ply, uci) in moves.split_whitespace().enumerate() {
            let (status, body) =
                players[(first + ply) % 2].post(&format!("/api/bot/game/{game}/move/{uci}"), &[]).await;
            assert_eq!(status, 200, "{uci}: {body}");
        }
    }

    pub(super) async fn stop(self) {
        timeout(PATIENCE, self.sandbox.stop()).await.unwrap();
    }
}

/// One token's requests.
#[derive(Clone)]
pub(super) struct User {
    http: Client,
    base: String,
    token: Option<String>,
}

impl User {
    pub(super) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.base));
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    /// Status and JSON body; what is not JSON comes as a JSON string.
    pub(super) async fn get(&self, path: &str) -> (u16, Value) {
        answer(self.request(Method::GET, path)).await
    }

    pub(super) async fn post(&self, path: &str, form: &[(&str, &str)]) -> (u16, Value) {
        answer(self.request(Method::POST, path).form(form)).await
    }

    /// A command in a game that must be answered with 200.
    pub(super) async fn command(&self, game: &str, command: &str) {
        let (status, body) = self.post(&format!("/api/bot/game/{game}/{command}"), &[]).await;
        assert_eq!((status, &body["ok"]), (200, &Value::Bool(true)), "{command}: {body}");
    }

    /// A command in a game that must be refused: its status and text.
    pub(super) async fn refused(&self, game: &str, command: &str) -> (u16, String) {
        let (status, body) = self.post(&format!("/api/bot/game/{game}/{command}"), &[]).await;
        (status, body["error"].as_str().unwrap_or_default().to_owned())
    }

    pub(super) async fn stream(&self, path: &str) -> Lines {
        Lines::of(self.request(Method::GET, path)).await
    }

    pub(super) async fn events(&self) -> Lines {
        self.stream("/api/stream/event").await
    }

    /// The stream of a game, after its first line, which comes too.
    pub(super) async fn watch(&self, game: &str) -> (Value, Lines) {
        let mut lines = self.stream(&format!("/api/bot/game/stream/{game}")).await;
        let full = lines.next().await.unwrap();
        assert_eq!(full["type"], "gameFull");
        (full, lines)
    }

    /// Challenges `to`; the new challenge.
    pub(super) async fn challenge(&self, to: &str, form: &[(&str, &str)]) -> Value {
        let (status, body) = self.post(&format!("/api/challenge/{to}"), form).await;
        assert_eq!(status, 200, "{body}");
        body
    }
}

/// Asks again and again until the answer is yes.
pub(super) async fn until(mut ask: impl AsyncFnMut() -> bool) {
    let asking = async {
        while !ask().await {
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, asking).await.unwrap();
}

/// A form for three minutes and two seconds.
pub(super) const BLITZ: [(&str, &str); 2] = [("clock.limit", "180"), ("clock.increment", "2")];

async fn answer(request: RequestBuilder) -> (u16, Value) {
    let response = timeout(PATIENCE, request.send()).await.unwrap().unwrap();
    let status = response.status().as_u16();
    let text = timeout(PATIENCE, response.text()).await.unwrap().unwrap();
    (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
}

/// The lines of a stream.
pub(super) struct Lines {
    response: Response,
    waiting: Vec<u8>,
}

impl Lines {
    pub(super) async fn of(request: RequestBuilder) -> Lines {
        let response = timeout(PATIENCE, request.send()).await.unwrap().unwrap();
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "application/x-ndjson");
        assert_eq!(response.headers()["x-accel-buffering"], "no");
        Lines { response, waiting: Vec::new() }
    }

    pub(super) fn headers(&self) -> &HeaderMap {
        self.response.headers()
    }

    /// The next line as it is, blank ones too; none at the end.
    pub(super) async fn raw(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.waiting.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.waiting.drain(..=end).collect();
                return Some(String::from_utf8(line[..end].to_vec()).unwrap());
            }
            match timeout(PATIENCE, self.response.chunk()).await.unwrap().unwrap() {
                Some(chunk) => self.waiting.extend_from_slice(&chunk),
                None => {
                    assert!(self.waiting.is_empty(), "the last line does not end");
                    return None;
                }
            }
        }
    }

    /// The next line that says something; none at the end.
    pub(super) async fn next(&mut self) -> Option<Value> {
        loop {
            let line = self.raw().await?;
            if !line.is_empty() {
                return Some(serde_json::from_str(&line).unwrap());
            }
        }
    }

    /// The next line of this type.
    pub(super) async fn next_of(&mut self, kind: &str) -> Value {
        loop {
            let line = self.next().await.unwrap_or_else(|| panic!("the stream ended before a {kind}"));
            if line["type"] == kind {
                return line;
            }
        }
    }

    /// The final state of a game, whose stream began with `full`.
    pub(super) async fn last_state(&mut self, full: &Value) -> Value {
        let mut last = full["state"].clone();
        while let Some(line) = self.next().await {
            if line["type"] == "gameState" {
                last = line;
            }
        }
        last
    }
}
