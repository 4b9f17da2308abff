//! Simulated connections: bytes in memory between a client and a server of the same process, with a delay and no
//! socket, so that a run on a virtual clock waits for nothing real. HTTP is spoken over them as over any other.

use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::serve::Listener;
use bytes::Bytes;
use futures::future::BoxFuture;
use futures::{FutureExt, StreamExt, stream};
use http_body_util::{BodyStream, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{HOST, HeaderValue};
use hyper_util::rt::TokioIo;
use reqwest::Request;
use tokio::io::DuplexStream;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::lichess::{Purpose, Reply, Transport};

/// What fits into a connection before its writer has to wait, as in a socket.
const BUFFER: usize = 64 * 1024;

/// Frames of a stream that are under way at the same time: each takes the wire's time, not each after the other.
const UNDER_WAY: usize = 512;

/// Connections that wait to be accepted.
const BACKLOG: usize = 64;

/// The name of the simulated server.
pub(super) const URL: &str = "http://127.0.0.1:1";

/// The server's end.
#[derive(Debug)]
pub(super) struct Port(mpsc::Receiver<DuplexStream>);

/// The client's end. Commands share connections, a stream has its own.
#[derive(Clone, Debug)]
pub(super) struct Wire {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    dial: mpsc::Sender<DuplexStream>,
    lag: Duration,
    idle: Mutex<VecDeque<Sender>>,
    /// The connections at work; they end with their last user.
    running: Mutex<JoinSet<()>>,
}

type Sender = SendRequest<Full<Bytes>>;

/// A wire whose requests take `lag` to the server, and its answers as long to come back.
pub(super) fn wire(lag: Duration) -> (Wire, Port) {
    let (dial, calls) = mpsc::channel(BACKLOG);
    let shared = Shared { dial, lag, idle: Mutex::default(), running: Mutex::default() };
    (Wire { shared: Arc::new(shared) }, Port(calls))
}

impl Listener for Port {
    type Io = DuplexStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (DuplexStream, SocketAddr) {
        match self.0.recv().await {
            Some(connection) => (connection, ADDRESS),
            None => std::future::pending().await,
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        Ok(ADDRESS)
    }
}

/// As in [`URL`]. Nobody listens there: it is only a name.
const ADDRESS: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 1);

impl Transport for Wire {
    fn send(&self, purpose: Purpose, request: Request) -> BoxFuture<'static, Result<Reply, String>> {
        let shared = Arc::clone(&self.shared);
        Box::pin(async move {
            let request = translate(&request)?;
            tokio::time::sleep(shared.lag).await;
            let (reply, sender) = shared.exchange(purpose, request).await?;
            tokio::time::sleep(shared.lag).await;
            let (head, body) = reply.into_parts();
            let body = Body { frames: BodyStream::new(body), _sender: sender, shared };
            Ok(Reply { status: head.status, headers: head.headers, body: body.into_stream(purpose) })
        })
    }
}

impl Shared {
    /// One request. On a connection that died while it was idle, it is sent once more: it has not left yet.
    async fn exchange(
        &self,
        purpose: Purpose,
        request: hyper::Request<Full<Bytes>>,
    ) -> Result<(hyper::Response<Incoming>, Sender), String> {
        while let Some(mut sender) = self.idle(purpose) {
            if sender.ready().await.is_err() {
                continue;
            }
            match sender.try_send_request(request.clone()).await {
                Ok(reply) => return Ok((reply, sender)),
                Err(mut error) => match error.take_message() {
                    Some(_) => {}
                    None => return Err(error.into_error().to_string()),
                },
            }
        }
        let mut sender = self.connect().await?;
        let reply = sender.send_request(request).await.map_err(|error| error.to_string())?;
        Ok((reply, sender))
    }

    fn idle(&self, purpose: Purpose) -> Option<Sender> {
        match purpose {
            Purpose::Command => lock(&self.idle).pop_front(),
            Purpose::Stream => None,
        }
    }

    async fn connect(&self) -> Result<Sender, String> {
        let (near, far) = tokio::io::duplex(BUFFER);
        self.dial.try_send(far).map_err(|_| "error trying to connect: refused".to_owned())?;
        let (sender, connection) = handshake(TokioIo::new(near)).await.map_err(|error| error.to_string())?;
        let mut running = lock(&self.running);
        while running.try_join_next().is_some() {}
        running.spawn(async move { drop(connection.await) });
        Ok(sender)
    }
}

/// The body of an answer. It keeps its connection, which is given back when the answer is complete.
struct Body {
    frames: BodyStream<Incoming>,
    _sender: Sender,
    shared: Arc<Shared>,
}

impl Body {
    fn into_stream(self, purpose: Purpose) -> stream::BoxStream<'static, Result<Bytes, String>> {
        let lag = self.shared.lag;
        let frames = stream::unfold(Some(self), move |body| async move {
            let mut body = body?;
            match body.frames.next().await {
                Some(Ok(frame)) => Some((Ok(frame.into_data().unwrap_or_default()), Some(body))),
                Some(Err(error)) => Some((Err(error.to_string()), None)),
                None => {
                    if purpose == Purpose::Command {
                        lock(&body.shared.idle).push_back(body._sender);
                    }
                    None
                }
            }
        });
        let late = move |frame| {
            let at = Instant::now() + lag;
            tokio::time::sleep_until(at).map(|()| frame)
        };
        match purpose {
            Purpose::Command => frames.boxed(),
            Purpose::Stream => frames.map(late).buffered(UNDER_WAY).boxed(),
        }
    }
}

fn translate(request: &Request) -> Result<hyper::Request<Full<Bytes>>, String> {
    let url = request.url();
    let target = match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    };
    let body = request.body().and_then(reqwest::Body::as_bytes).map(Bytes::copy_from_slice);
    let mut made = hyper::Request::builder().method(request.method()).uri(target);
    if let Some(headers) = made.headers_mut() {
        headers.extend(request.headers().clone());
        headers.insert(HOST, HeaderValue::from_static("127.0.0.1:1"));
    }
    made.body(Full::new(body.unwrap_or_default())).map_err(|error| error.to_string())
}

/// What is guarded is whole between any two operations.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
