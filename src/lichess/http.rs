//! The only place where a request is sent: address, token, agent, time limits, the gate, and what a status means.
//!
//! Redirects are not followed, so that the token never goes to another host.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures::StreamExt;
use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONTENT_TYPE, HeaderValue, LOCATION, RETRY_AFTER, USER_AGENT,
};
use reqwest::{Request, StatusCode, Url};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::time::Instant;
use tracing::{debug, trace, warn};

use super::backoff::{Backoff, Random};
use super::call::{Call, Payload};
use super::gate::{self, Family, Gate};
use super::model::Form;
use super::outage::Outage;
use super::refusal::{Refusal, shortened};
use super::tls;
use super::token::LONGEST as LONGEST_TOKEN;
use super::transport::{Network, Purpose, Reply, Transport};
use super::{ApiError, BOT_LIMIT, ClientOptions, LineSource, RequestOutcome, StreamNews, Tap};
use crate::mutant::{self, Mutant};

/// Sends. Cheap to clone: clones share connections, gate and tap.
#[derive(Clone)]
pub(crate) struct Http {
    shared: Arc<Shared>,
    agent: HeaderValue,
}

struct Shared {
    transport: Arc<dyn Transport>,
    base: Url,
    options: ClientOptions,
    gate: Gate,
    outage: Outage,
    tap: Arc<dyn Tap>,
    /// Kinds of lines that were not understood and have been warned of.
    oddities: Mutex<HashSet<String>>,
}

/// A successful answer.
#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) body: Vec<u8>,
}

/// What came of an answer, for the tap.
#[derive(Debug, Default)]
struct Heard {
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
}

/// Whether a request that failed is sent again.
enum Again {
    Never,
    /// The gate makes it wait.
    WhenTheGateOpens,
    AfterBackoff,
}

/// The largest answer that is read: a list of challenges, a long game.
const LONGEST_BODY: usize = 8 * 1024 * 1024;

/// How much of an answer the tap is shown, in bytes.
const TAPPED: usize = 64 * 1024;

/// The headers of an answer that the tap is shown: those that decide something.
const TAPPED_HEADERS: [&str; 3] = ["location", "retry-after", SCOPES];

/// The scopes that would have been enough.
const SCOPES: &str = "x-accepted-oauth-scopes";

/// The largest body of an error that is read: a page of a proxy.
const LONGEST_ERROR: usize = 256 * 1024;

/// How often what can be done twice is tried.
const ATTEMPTS: u32 = 3;

/// Kinds of odd lines that are remembered; a server that invents more is warned of no more.
const ODDITIES: usize = 64;

/// How much of an odd line is logged, in bytes.
const SHOWN: usize = 300;

const FORM: &str = "application/x-www-form-urlencoded";

impl Http {
    pub(crate) fn new(options: ClientOptions, tap: Arc<dyn Tap>) -> Result<Http, ApiError> {
        let base = base_url(&options.base_url)?;
        let agent = HeaderValue::try_from(&options.user_agent)
            .map_err(|_| ApiError::Setup(format!("bad User-Agent {:?}", options.user_agent)))?;
        let transport = match &options.transport {
            Some(transport) => Arc::clone(transport),
            None => Arc::new(Network::new(&options, &base)?),
        };
        let shared = Shared {
            transport,
            gate: Gate::new(&options, Random::new(options.seed)),
            outage: Outage::new(),
            base,
            options,
            tap,
            oddities: Mutex::new(HashSet::new()),
        };
        Ok(Http { shared: Arc::new(shared), agent })
    }

    /// The same, naming the account in the `User-Agent`.
    pub(crate) fn with_account(&self, name: &str) -> Http {
        let agent = format!("{} user:{name}", self.shared.options.user_agent);
        let agent = HeaderValue::try_from(agent).unwrap_or_else(|_| self.agent.clone());
        Http { shared: self.shared.clone(), agent }
    }

    pub(crate) fn options(&self) -> &ClientOptions {
        &self.shared.options
    }

    /// The trouble that all requests share.
    pub(super) fn outage(&self) -> &Outage {
        &self.shared.outage
    }

    /// The line without the token, which nobody should find in a log, a recording or a game.
    pub(crate) fn scrub_line(&self, line: Vec<u8>) -> Vec<u8> {
        self.shared.options.token.scrub_line(line)
    }

    pub(crate) fn tap_line(&self, source: &LineSource, line: &[u8]) {
        self.shared.tap.line(source.clone(), line);
    }

    pub(crate) fn tap_stream(&self, source: &LineSource, news: StreamNews<'_>) {
        self.shared.tap.stream(source.clone(), news);
    }

    /// A line was not understood: worth a warning the first time, since it may mean that the API has grown.
    pub(crate) fn odd_line(&self, kind: &str, line: &[u8]) {
        let mut seen = self.shared.oddities.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.len() < ODDITIES && seen.insert(kind.to_owned()) {
            warn!(kind, "a line was not understood and is left alone; more of its kind are logged as debug");
        }
        // Lines may hold ids that give access to a game, hence not above debug.
        let text = String::from_utf8_lossy(&line[..line.len().min(SHOWN)]);
        debug!(kind, line = &*text, "a line was not understood");
    }

    /// Sends, waits for the whole answer, and gives its body.
    pub(crate) async fn send(&self, call: Call) -> Result<Answered, ApiError> {
        let mut backoff = Backoff::new(self.shared.options.backoff, Random::new(self.shared.options.seed));
        let mut attempts = 0;
        loop {
            attempts += 1;
            let error = match self.attempt(&call).await {
                Ok(answered) => return Ok(answered),
                Err(error) => error,
            };
            let wait = match self.again(&call, &error, attempts) {
                Again::Never => return Err(error),
                Again::WhenTheGateOpens => Duration::ZERO,
                Again::AfterBackoff => backoff.next(),
            };
            debug!(path = call.path, %error, wait_ms = wait.as_millis() as u64, "trying again");
            tokio::time::sleep(wait).await;
        }
    }

    /// Opens a stream: the headers are awaited with a time limit, the body has none.
    pub(crate) async fn open(&self, call: Call) -> Result<Reply, ApiError> {
        let limit = self.time_limit(&call.family);
        let _pass = self.shared.gate.enter(&call.family, Duration::ZERO).await?;
        let started = Instant::now();
        let mut heard = Heard::default();
        let opening = async {
            let reply = self.exchange(Purpose::Stream, &call).await?;
            heard.head(&reply);
            if !reply.status.is_success() {
                return Err(self.refused(&call, reply, &mut heard.body).await);
            }
            if is_page(&reply) {
                return Err(ApiError::BadBody { message: "a web page instead of a stream".to_owned() });
            }
            Ok(reply)
        };
        let result = tokio::time::timeout(limit, opening).await;
        let result = result.unwrap_or(Err(ApiError::Timeout { after: limit }));
        self.report(&call, started, result.as_ref().map(|reply| reply.status), &heard);
        if result.is_ok() {
            self.shared.gate.passed(&call.family);
        }
        result
    }

    /// Whether a request may be sent again. A move is, after a 429, which says for certain that it did not count;
    /// what can be done twice is, when it is unclear whether it counted.
    fn again(&self, call: &Call, error: &ApiError, attempts: u32) -> Again {
        match (error, &call.family) {
            (ApiError::RateLimited { wait, .. }, Family::Move(_))
                if attempts <= gate::SHORT_WAITS && *wait <= self.time_limit(&call.family) =>
            {
                Again::WhenTheGateOpens
            }
            (ApiError::Server { .. } | ApiError::Timeout { .. } | ApiError::Network(_), _)
                if call.repeatable && attempts < ATTEMPTS =>
            {
                Again::AfterBackoff
            }
            _ => Again::Never,
        }
    }

    async fn attempt(&self, call: &Call) -> Result<Answered, ApiError> {
        let limit = self.time_limit(&call.family);
        let _pass = self.shared.gate.enter(&call.family, limit).await?;
        let started = Instant::now();
        let mut heard = Heard::default();
        let exchange = async {
            let reply = self.exchange(Purpose::Command, call).await?;
            heard.head(&reply);
            if !reply.status.is_success() && !mutant::on(Mutant::NoStatusCheck) {
                return Err(self.refused(call, reply, &mut heard.body).await);
            }
            let status = reply.status;
            read_body(reply, LONGEST_BODY, &mut heard.body).await?;
            Ok(status)
        };
        let result = tokio::time::timeout(limit, exchange).await.unwrap_or_else(|_| {
            self.shared.transport.renew();
            Err(ApiError::Timeout { after: limit })
        });
        self.report(call, started, result.as_ref().copied(), &heard);
        result?;
        self.shared.gate.passed(&call.family);
        // What the token test says is told by the token.
        let is_test = matches!(call.payload, Payload::Token);
        Ok(Answered { body: if is_test { heard.body } else { self.scrub_line(heard.body) } })
    }

    async fn exchange(&self, purpose: Purpose, call: &Call) -> Result<Reply, ApiError> {
        self.shared.transport.send(purpose, self.request(call)).await.map_err(ApiError::Network)
    }

    fn request(&self, call: &Call) -> Request {
        let mut url = self.shared.base.clone();
        url.set_path(&format!("{}{}", self.shared.base.path().trim_end_matches('/'), call.path));
        if !call.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&call.query);
        }
        let body = self.body(call);
        let mut request = Request::new(call.method.clone(), url);
        let headers = request.headers_mut();
        headers.insert(USER_AGENT, self.agent.clone());
        headers.insert(ACCEPT, HeaderValue::from_static(call.accept));
        // Compressed streams are held back by proxies until a block is full.
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        if call.with_token {
            headers.insert(AUTHORIZATION, self.shared.options.token.header());
        }
        if let Payload::Form(_) = &call.payload {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(FORM));
        }
        *request.body_mut() = body.map(Into::into);
        request
    }

    fn body(&self, call: &Call) -> Option<String> {
        match &call.payload {
            Payload::Nothing => None,
            Payload::Form(form) => Some(encoded(&self.shared.base, form)),
            Payload::Token => Some(self.shared.options.token.for_body()),
        }
    }

    /// Turns an answer that is no success into an error, and lets the gate know of a limit.
    async fn refused(&self, call: &Call, reply: Reply, body: &mut Vec<u8>) -> ApiError {
        let header = |name: &str| {
            let value = reply.headers.get(name)?;
            value.to_str().ok().map(str::to_owned)
        };
        let status = reply.status;
        let scopes = header(SCOPES).map(|scopes| shortened(&scopes));
        let location = header(LOCATION.as_str());
        let retry_after = header(RETRY_AFTER.as_str()).and_then(|seconds| seconds.trim().parse().ok());
        // A body that breaks off still tells what it told so far: nothing.
        let read = read_body(reply, LONGEST_ERROR, body).await;
        let body = if read.is_ok() { body.as_slice() } else { &[] };
        let retry_after = retry_after.map(Duration::from_secs);
        let refusal = Refusal { status: status.as_u16(), body, retry_after, scopes, location };
        let wait = match status {
            StatusCode::TOO_MANY_REQUESTS => self.cool_down(call, &refusal),
            _ => {
                self.shared.gate.passed(&call.family);
                Duration::ZERO
            }
        };
        refusal.into_error(&self.shared.options.token, wait)
    }

    /// An open stream brought an error instead of an event. There is no status, so that its words must do.
    pub(crate) fn refused_in_stream(&self, call: &Call, line: &[u8], said: &str) -> ApiError {
        let said = said.to_ascii_lowercase();
        let status = if said.contains("scope") {
            StatusCode::FORBIDDEN
        } else if said.contains("poll") || said.contains("too many requests") {
            StatusCode::TOO_MANY_REQUESTS
        } else {
            StatusCode::BAD_REQUEST
        };
        let refusal =
            Refusal { status: status.as_u16(), body: line, retry_after: None, scopes: None, location: None };
        let limited = status == StatusCode::TOO_MANY_REQUESTS;
        let wait = if limited { self.cool_down(call, &refusal) } else { Duration::ZERO };
        refusal.into_error(&self.shared.options.token, wait)
    }

    fn cool_down(&self, call: &Call, refusal: &Refusal<'_>) -> Duration {
        // The day's games against bots are used up: games against people go on, so the family stays open and the
        // caller, who knows who is a bot, has to heed it.
        if let Some(limit) = refusal.limit().filter(|limit| limit.key.starts_with(BOT_LIMIT)) {
            return limit.wait;
        }
        let wait = self.shared.gate.limited(&call.family, refusal.told_wait());
        warn!(path = call.path, wait_s = wait.as_secs_f32(), "too many requests: waiting");
        wait
    }

    fn time_limit(&self, family: &Family) -> Duration {
        match family {
            Family::Move(_) => self.shared.options.move_timeout,
            _ => self.shared.options.request_timeout,
        }
    }

    /// The body as the tap is shown it. The answer to a question about the token names the token.
    fn tapped(&self, call: &Call, body: &[u8]) -> String {
        if matches!(call.payload, Payload::Token) {
            return String::new();
        }
        // A token that the cut would go through is scrubbed first.
        let start = &body[..body.len().min(TAPPED + LONGEST_TOKEN)];
        let mut text = self.shared.options.token.scrub(&String::from_utf8_lossy(start));
        let end = (0..=TAPPED.min(text.len())).rev().find(|&end| text.is_char_boundary(end));
        text.truncate(end.unwrap_or(0));
        text
    }

    fn report(&self, call: &Call, started: Instant, result: Result<StatusCode, &ApiError>, heard: &Heard) {
        self.shared.outage.note(result);
        let token = &self.shared.options.token;
        let outcome = RequestOutcome {
            status: result.map_or_else(ApiError::status, |status| Some(status.as_u16())),
            error: result.err().map(ToString::to_string),
            elapsed: started.elapsed(),
            headers: heard.headers.iter().map(|(name, value)| (*name, token.scrub(value))).collect(),
            body: self.tapped(call, &heard.body),
        };
        let method = call.method.as_str();
        trace!(method, path = call.path, status = outcome.status, error = outcome.error, "request");
        let path = call.path_and_query();
        let form = match &call.payload {
            Payload::Form(form) => form.as_slice(),
            Payload::Nothing | Payload::Token => &[],
        };
        self.shared.tap.request(method, &path, form, &outcome);
    }
}

impl Heard {
    fn head(&mut self, reply: &Reply) {
        let shown = TAPPED_HEADERS.into_iter().filter_map(|name| {
            let value = reply.headers.get(name)?;
            Some((name, String::from_utf8_lossy(value.as_bytes()).into_owned()))
        });
        self.headers = shown.collect();
    }
}

impl Answered {
    /// The body as JSON.
    pub(crate) fn json(&self) -> Result<Value, ApiError> {
        serde_json::from_slice(&self.body)
            .map_err(|error| ApiError::BadBody { message: format!("not JSON: {error}") })
    }

    /// The body as a value of the model.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, ApiError> {
        // The complaint may quote what the server wrote.
        serde_json::from_value(self.json()?)
            .map_err(|error| ApiError::BadBody { message: shortened(&error.to_string()) })
    }

    /// The body as text.
    pub(crate) fn text(self) -> Result<String, ApiError> {
        String::from_utf8(self.body)
            .map_err(|error| ApiError::BadBody { message: format!("not text: {error}") })
    }
}

/// Whether an answer is for people: a hotel's network wants a login, a proxy has something to say.
fn is_page(reply: &Reply) -> bool {
    let kind = reply.headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.to_ascii_lowercase().contains("html"))
}

/// Reads a body up to a limit. What has come is in `body` also when reading fails, or is given up.
async fn read_body(mut reply: Reply, limit: usize, body: &mut Vec<u8>) -> Result<(), ApiError> {
    while let Some(chunk) = reply.body.next().await.transpose().map_err(ApiError::Network)? {
        if body.len() + chunk.len() > limit {
            return Err(ApiError::BadBody { message: format!("longer than {limit} bytes") });
        }
        body.extend_from_slice(&chunk);
    }
    Ok(())
}

/// Fields as the body of a form. A query is written in the same way, so a URL does it.
fn encoded(base: &Url, form: &Form) -> String {
    let mut url = base.clone();
    url.set_query(None);
    url.query_pairs_mut().extend_pairs(form);
    url.query().unwrap_or_default().to_owned()
}

fn base_url(text: &str) -> Result<Url, ApiError> {
    let bad = |message: &str| ApiError::InvalidUrl { url: text.to_owned(), message: message.to_owned() };
    let url = Url::parse(text).map_err(|error| bad(&error.to_string()))?;
    if !matches!(url.scheme(), "https" | "http") {
        return Err(bad("expected https:// or http://"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(ApiError::InvalidUrl {
            url: "<redacted>".to_owned(),
            message: "a user or password does not belong here".to_owned(),
        });
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(bad("a query or fragment does not belong here"));
    }
    if url.scheme() == "http" && !tls::is_loopback(&url) {
        warn!(url = %url, "the token will travel readably: http:// is meant for servers on this machine");
    }
    Ok(url)
}
