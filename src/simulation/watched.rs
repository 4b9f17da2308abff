//! A transport with a judge: everything passes unchanged, and the judge sees it in the moment in which the bot does.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use futures::StreamExt;
use futures::future::BoxFuture;
use futures::stream::BoxStream;
use reqwest::Request;
use reqwest::header::AUTHORIZATION;

use super::judge::Judge;
use super::wire::Wire;
use crate::lichess::{Purpose, Reply, Transport};

/// A judge that several may tell something.
#[derive(Clone, Debug)]
pub(super) struct Court(Arc<Mutex<Judge>>);

impl Court {
    pub(super) fn new(judge: Judge) -> Court {
        Court(Arc::new(Mutex::new(judge)))
    }

    /// What is told is whole between any two words.
    pub(super) fn judge(&self) -> MutexGuard<'_, Judge> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The wire, and who watches it.
#[derive(Debug)]
pub(super) struct Watched {
    pub(super) wire: Wire,
    pub(super) court: Court,
}

impl Transport for Watched {
    fn send(&self, purpose: Purpose, request: Request) -> BoxFuture<'static, Result<Reply, String>> {
        let path = request.url().path().to_owned();
        let shown = request.url().query().map_or_else(|| path.clone(), |query| format!("{path}?{query}"));
        self.court.judge().request(request.method().as_str(), &shown, &rest(&request));
        let court = self.court.clone();
        let answer = self.wire.send(purpose, request);
        Box::pin(async move {
            let answer = answer.await;
            let mut reply = match answer {
                Ok(reply) => reply,
                Err(error) => {
                    court.judge().answer(&path, &error);
                    return Err(error);
                }
            };
            court.judge().answer(&path, reply.status.as_str());
            if purpose == Purpose::Stream && reply.status.is_success() {
                reply.body = overheard(reply.body, path, court);
            }
            Ok(reply)
        })
    }
}

/// The body and all headers but the one in which the token belongs.
fn rest(request: &Request) -> String {
    let mut text = String::new();
    for (name, value) in request.headers().iter().filter(|(name, _)| *name != AUTHORIZATION) {
        text.push_str(&format!("{name}={} ", String::from_utf8_lossy(value.as_bytes())));
    }
    if let Some(body) = request.body().and_then(reqwest::Body::as_bytes) {
        text.push_str(&String::from_utf8_lossy(body));
    }
    text
}

/// An open stream, for as long as the bot holds it.
struct Overheard {
    body: BoxStream<'static, Result<Bytes, String>>,
    path: String,
    court: Court,
    line: Vec<u8>,
}

impl Overheard {
    fn hear(&mut self, chunk: &[u8]) {
        let mut judge = self.court.judge();
        for &byte in chunk {
            if byte == b'\n' {
                judge.line(&self.path, self.line.trim_ascii());
                self.line.clear();
            } else {
                self.line.push(byte);
            }
        }
    }
}

impl Drop for Overheard {
    fn drop(&mut self) {
        self.court.judge().closed(&self.path);
    }
}

fn overheard(
    body: BoxStream<'static, Result<Bytes, String>>,
    path: String,
    court: Court,
) -> BoxStream<'static, Result<Bytes, String>> {
    court.judge().opened(&path);
    let overheard = Overheard { body, path, court, line: Vec::new() };
    futures::stream::unfold(overheard, |mut overheard| async move {
        let chunk = overheard.body.next().await?;
        match &chunk {
            Ok(bytes) => overheard.hear(bytes),
            Err(error) => overheard.court.judge().answer(&overheard.path, error),
        }
        Some((chunk, overheard))
    })
    .boxed()
}
