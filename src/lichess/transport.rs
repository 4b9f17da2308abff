//! How requests reach the server: over the network, or over whatever a simulation puts in its place. It knows nothing
//! of limits, retries or what an answer means.

use std::fmt;

use bytes::Bytes;
use futures::StreamExt;
use futures::future::BoxFuture;
use futures::stream::BoxStream;
use reqwest::header::HeaderMap;
use reqwest::{Request, StatusCode, Url};

use super::{ApiError, ClientOptions, tls};

/// Carries requests to the server and answers back.
pub trait Transport: fmt::Debug + Send + Sync {
    /// Sends a request; ready when the head of the answer is there. An error is the whole chain of causes as text.
    /// Dropping the future or the body gives the request up.
    fn send(&self, purpose: Purpose, request: Request) -> BoxFuture<'static, Result<Reply, String>>;
}

/// What a connection is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A short exchange.
    Command,
    /// An answer that has no end. It must not share its connection with anything.
    Stream,
}

/// An answer whose body is still to come.
pub struct Reply {
    /// The status.
    pub status: StatusCode,
    /// The head.
    pub headers: HeaderMap,
    /// The body, as it comes.
    pub body: BoxStream<'static, Result<Bytes, String>>,
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reply").field("status", &self.status).finish_non_exhaustive()
    }
}

/// The real thing.
#[derive(Debug)]
pub(crate) struct Network {
    /// HTTP/2 where the server speaks it, kept warm, so that a move needs no handshake.
    commands: reqwest::Client,
    /// HTTP/1.1: a connection each, so that a stuck stream holds up nothing else.
    streams: reqwest::Client,
}

impl Network {
    pub(crate) fn new(options: &ClientOptions, base: &Url) -> Result<Network, ApiError> {
        Ok(Network { commands: tls::commands(options, base)?, streams: tls::streams(options, base)? })
    }
}

impl Transport for Network {
    fn send(&self, purpose: Purpose, request: Request) -> BoxFuture<'static, Result<Reply, String>> {
        let client = match purpose {
            Purpose::Command => &self.commands,
            Purpose::Stream => &self.streams,
        };
        let answer = client.execute(request);
        Box::pin(async move {
            let mut response = answer.await.map_err(text)?;
            let (status, headers) = (response.status(), std::mem::take(response.headers_mut()));
            let body = response.bytes_stream().map(|chunk| chunk.map_err(text)).boxed();
            Ok(Reply { status, headers, body })
        })
    }
}

/// The whole chain of causes as one text: the outer ones say little.
fn text(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
}
