//! The one place through which every response leaves. If a rule says so, it comes late, changed or not at all.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::body::Body;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use bytes::Bytes;
use futures::StreamExt;
use futures::stream::{self, BoxStream};
use tracing::debug;

use super::Shared;
use super::auth::bearer;
use super::listener::Connection;
use crate::sandbox::faults::{Fault, Fired, Level, Loss, Occasion, Route, Rule};
use crate::sandbox::world::GameId;

/// Where the routes begin by which faults are ordered. Nothing goes wrong there.
pub(super) const CONTROL: &str = "/sandbox/faults";

/// Through which connection a stream leaves. It is filled when the response does.
#[derive(Clone, Debug, Default)]
pub(super) struct Outlet(pub(super) Arc<OnceLock<Connection>>);

/// Passes a request on, and its response back, as the rules say.
pub(super) async fn pass(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let connection = request.extensions().get::<ConnectInfo<Connection>>();
    let connection = connection.map(|ConnectInfo(connection)| connection.clone()).unwrap_or_default();
    let response = if shared.faults.is_active() && !path.starts_with(CONTROL) {
        let occasion = occasion(&shared, &request);
        let spoil = Spoil { shared: &shared, connection: &connection, occasion };
        spoil.pass(request, next).await
    } else {
        next.run(request).await
    };
    debug!(%method, path, status = response.status().as_u16(), "answered");
    if let Some(Outlet(outlet)) = response.extensions().get() {
        outlet.get_or_init(|| connection);
    }
    response
}

/// What a request is to the rules.
fn occasion(shared: &Shared, request: &Request) -> Occasion {
    let (route, game) = Route::of(request.uri().path());
    let token = bearer(request.headers()).unwrap_or_default();
    let game = game.and_then(GameId::parse);
    let (account, ply) = shared.act(|world, _| {
        let account = world.login(token).map(|login| login.user.to_string());
        (account, game.as_ref().and_then(|id| world.game(id)).map(|game| game.ply()))
    });
    Occasion { route, account, game: game.map(|id| id.to_string()), ply, line: None }
}

/// A request that may be spoilt.
struct Spoil<'a> {
    shared: &'a Arc<Shared>,
    connection: &'a Connection,
    occasion: Occasion,
}

impl Spoil<'_> {
    async fn pass(&self, request: Request, next: Next) -> Response {
        // Where a stream opens, its first line is the moment: news has nowhere to go before.
        let opens = matches!(self.occasion.route, Route::Events | Route::Game);
        if !opens && self.shared.upset_at(&self.occasion) {
            return self.lose(Loss::Reset).await;
        }
        let refuse = |rule: &Rule| rule.fault.level() == Level::Listener && !rule.is_for_listener();
        if let Some(fired) = self.fire(refuse) {
            self.shared.refuse(&fired.fault);
        }
        match self.fire(|rule| rule.fault.level() == Level::Connection).map(|fired| fired.fault) {
            Some(Fault::Reset { applied }) => {
                self.cut_off(Duration::ZERO);
                if applied {
                    next.run(request).await;
                }
                self.lose(Loss::Reset).await
            }
            Some(fault) => {
                let silence = self.shared.silence(self.connection, &fault, &self.occasion);
                let Some(time) = silence else {
                    drop((request, next));
                    return self.no_answer().await;
                };
                // It arrives when the silence is over.
                self.shared.connections.pause(time).await;
                self.answer(request, next).await
            }
            None => self.answer(request, next).await,
        }
    }

    /// The answer, in time or not.
    async fn answer(&self, request: Request, next: Next) -> Response {
        let Some(fired) = self.fire(|rule| rule.fault.level() == Level::Delay) else {
            return self.change(request, next).await;
        };
        let (time, applied) = delay(&fired);
        self.cut_off(time);
        if applied {
            let response = self.change(request, next).await;
            self.shared.connections.pause(time).await;
            response
        } else {
            self.shared.connections.pause(time).await;
            self.change(request, next).await
        }
    }

    /// The right answer or another.
    async fn change(&self, request: Request, next: Next) -> Response {
        let Some(fired) = self.fire(|rule| rule.fault.level() == Level::Answer) else {
            return next.run(request).await;
        };
        self.cut_off(Duration::ZERO);
        match fired.fault {
            Fault::Status { status, headers, body, applied } => {
                if applied {
                    next.run(request).await;
                }
                other_answer(status, &headers.into_iter().collect::<Vec<_>>(), body)
            }
            Fault::AnswerLost { how } => {
                next.run(request).await;
                self.lose(how).await
            }
            Fault::Truncate { bytes } => truncated(next.run(request).await, bytes, self.connection.clone()),
            _ => {
                let mut response = next.run(request).await;
                response.headers_mut().remove(header::CONTENT_LENGTH);
                *response.body_mut() = Body::empty();
                response
            }
        }
    }

    fn fire(&self, may: impl Fn(&Rule) -> bool) -> Option<Fired> {
        let fired = self.shared.faults.fire(&self.occasion, may)?;
        debug!(rule = fired.id, kind = fired.fault.kind(), "a fault spoils a request");
        Some(fired)
    }

    /// Without the routes that a game hangs on nobody is cut off.
    fn cut_off(&self, time: Duration) {
        let Occasion { route, account, game, .. } = &self.occasion;
        if account.is_some() && carries_games(*route) {
            self.shared.faults.cut_off(account.as_deref(), game.as_deref(), time);
        }
    }

    async fn lose(&self, how: Loss) -> Response {
        match how {
            Loss::Reset => {
                self.connection.reset();
                Response::default()
            }
            Loss::End => {
                self.connection.end();
                Response::default()
            }
            Loss::Silence => {
                self.connection.silence(None);
                self.no_answer().await
            }
        }
    }

    /// No answer while the connection lasts.
    async fn no_answer(&self) -> Response {
        self.connection.broken().await;
        Response::default()
    }
}

impl Shared {
    /// Silences a connection, or all of an account, as a fault says. How long, or none for ever.
    pub(super) fn silence(
        &self,
        connection: &Connection,
        fault: &Fault,
        occasion: &Occasion,
    ) -> Option<Duration> {
        let (account, game) = (occasion.account.as_deref(), occasion.game.as_deref());
        let (time, game) = match fault {
            Fault::Blackhole { ms } => (Some(Duration::from_millis(*ms)), None),
            Fault::Silence { ms } => (ms.map(Duration::from_millis), game),
            _ => (None, game),
        };
        match (fault, account, time) {
            (Fault::Blackhole { .. }, Some(account), Some(time)) => self.connections.silence(account, time),
            _ => connection.silence(time),
        }
        if account.is_some() {
            // Who listens well notices an endless silence when three blank lines are missing.
            let noticed = self.options.keep_alive.saturating_mul(3);
            self.faults.cut_off(account, game, time.unwrap_or(noticed));
        }
        time
    }
}

/// Whether a game can suffer if a request does not come through.
fn carries_games(route: Route) -> bool {
    matches!(
        route,
        Route::Events | Route::Game | Route::Move | Route::Accept | Route::Account | Route::Playing
    )
}

/// How late an answer is, and whether the request is obeyed before.
fn delay(fired: &Fired) -> (Duration, bool) {
    let Fault::Delay { ms, jitter_ms, applied } = fired.fault else { return (Duration::ZERO, false) };
    let span = jitter_ms.saturating_mul(2).saturating_add(1);
    let ms = ms.saturating_add(fired.random % span).saturating_sub(jitter_ms);
    (Duration::from_millis(ms), applied)
}

fn other_answer(status: u16, headers: &[(String, String)], body: String) -> Response {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut all = HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static("text/html"))]);
    for (name, value) in headers {
        // What HTTP cannot carry is left out: a rule may come from anywhere.
        if let (Ok(name), Ok(value)) = (name.parse::<HeaderName>(), HeaderValue::from_str(value)) {
            all.insert(name, value);
        }
    }
    *response.headers_mut() = all;
    response
}

/// The response with an end after so many bytes of its body, but before its last. Its length, if known, is still told.
fn truncated(response: Response, bytes: usize, connection: Connection) -> Response {
    let (mut head, body) = response.into_parts();
    let length = http_length(&body);
    let left = length.map_or(bytes, |length| bytes.min(length.saturating_sub(1)));
    if let Some(length) = length {
        head.headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    }
    let source = body.into_data_stream().map(|chunk| chunk.map_err(std::io::Error::other)).boxed();
    let cut = stream::unfold(Some((source, left)), move |state| {
        let connection = connection.clone();
        async move { next_piece(state?, &connection).await }
    });
    Response::from_parts(head, Body::from_stream(cut))
}

type Pieces = BoxStream<'static, std::io::Result<Bytes>>;
type Piece = (std::io::Result<Bytes>, Option<(Pieces, usize)>);

async fn next_piece((mut source, left): (Pieces, usize), connection: &Connection) -> Option<Piece> {
    if left > 0
        && let Some(chunk) = source.next().await
    {
        let chunk = chunk.map(|bytes| bytes.slice(..bytes.len().min(left)));
        let sent = chunk.as_ref().map_or(0, Bytes::len);
        return Some((chunk, Some((source, left - sent))));
    }
    // What was sent has to leave before the connection is closed.
    tokio::task::yield_now().await;
    connection.end();
    Some((Err(std::io::ErrorKind::BrokenPipe.into()), None))
}

fn http_length(body: &Body) -> Option<usize> {
    use axum::body::HttpBody;
    body.size_hint().exact().and_then(|length| usize::try_from(length).ok())
}
