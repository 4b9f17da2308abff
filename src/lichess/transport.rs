//! How requests reach the server: over the network, or over whatever a simulation puts in its place. It knows nothing
//! of limits, retries or what an answer means.

use std::error::Error;
use std::fmt;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use futures::StreamExt;
use futures::future::BoxFuture;
use futures::stream::BoxStream;
use reqwest::header::HeaderMap;
use reqwest::{Request, StatusCode, Url};
use tracing::warn;

use super::{ApiError, ClientOptions, tls};

/// Carries requests to the server and answers back.
pub trait Transport: fmt::Debug + Send + Sync {
    /// Sends a request; ready when the head of the answer is there. An error is the whole chain of causes as text.
    /// Dropping the future or the body gives the request up.
    fn send(&self, purpose: Purpose, request: Request) -> BoxFuture<'static, Result<Reply, String>>;

    /// A command was not answered in time. The connections may be dead, so the next command must not use any of them.
    fn renew(&self) {}
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
    options: ClientOptions,
    base: Url,
    /// HTTP/2 where the server speaks it, kept warm, so that a move needs no handshake.
    commands: Mutex<reqwest::Client>,
    /// HTTP/1.1: a connection each, so that a stuck stream holds up nothing else.
    streams: reqwest::Client,
}

impl Network {
    pub(crate) fn new(options: &ClientOptions, base: &Url) -> Result<Network, ApiError> {
        Ok(Network {
            options: options.clone(),
            base: base.clone(),
            commands: Mutex::new(tls::commands(options, base)?),
            streams: tls::streams(options, base)?,
        })
    }

    fn commands(&self) -> MutexGuard<'_, reqwest::Client> {
        self.commands.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Transport for Network {
    fn send(&self, purpose: Purpose, request: Request) -> BoxFuture<'static, Result<Reply, String>> {
        let client = match purpose {
            Purpose::Command => self.commands().clone(),
            Purpose::Stream => self.streams.clone(),
        };
        let answer = client.execute(request);
        Box::pin(async move {
            let mut response = answer.await.map_err(text)?;
            let (status, headers) = (response.status(), std::mem::take(response.headers_mut()));
            let body = response.bytes_stream().map(|chunk| chunk.map_err(text)).boxed();
            Ok(Reply { status, headers, body })
        })
    }

    /// A client without any connection takes the place of the one whose connections are in doubt. A way that swallows
    /// everything, such as that of an address that has changed, is noticed by nobody else for many seconds.
    fn renew(&self) {
        match tls::commands(&self.options, &self.base) {
            Ok(fresh) => *self.commands() = fresh,
            Err(error) => warn!(%error, "cannot leave the old connections"),
        }
    }
}

/// The whole chain of causes as one text: the outer ones say little.
fn text(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut text = error.to_string();
    let mut advice = None;
    let mut cause = Error::source(&error);
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        advice = advice.or_else(|| advice_on(inner));
        cause = inner.source();
    }
    match advice {
        Some(advice) => format!("{text} ({advice})"),
        None => text,
    }
}

/// What the operator may do about trouble with TLS.
fn advice_on(cause: &(dyn Error + 'static)) -> Option<&'static str> {
    // It comes wrapped, perhaps more than once, in a way that is no part of the chain of causes.
    let mut innermost = cause;
    while let Some(inner) = innermost.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
        innermost = inner;
    }
    match innermost.downcast_ref::<rustls::Error>()? {
        rustls::Error::InvalidCertificate(_) => {
            Some("nothing was sent; check the clock of this machine, the address, and what stands in between")
        }
        rustls::Error::InvalidMessage(_) => {
            Some("nothing was sent; no TLS is spoken at this address and port")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::lichess::{ApiError, Client, ClientOptions, NoTap, Token};

    /// `.invalid` names nothing, by RFC 6761; without a network the resolver says the same in other words.
    #[tokio::test]
    async fn a16_a_name_that_does_not_exist_is_called_one() {
        let token = Token::new("lip_topsecret".to_owned()).unwrap();
        let client =
            Client::new(ClientOptions::new("http://rookery.invalid", token), Arc::new(NoTap)).unwrap();
        let error = client.abort(&"Qz7Lm2Xa".parse().unwrap()).await.unwrap_err();
        assert!(matches!(error, ApiError::Network(_) | ApiError::Timeout { .. }), "{error}");
        assert!(matches!(error, ApiError::Timeout { .. }) || error.to_string().contains("dns"), "{error}");
    }
}
