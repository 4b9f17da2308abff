//! The wire: a typed client of the Lichess Bot API. Knows HTTP and JSON; has no opinion on play.
//!
//! [`Client`] has one method an endpoint. Its streams never end: they say when they are lost and come back. All
//! requests pass one gate, in which moves have a lane of their own; a "too many requests" stops only its own kind.
//! What the server sends may be anything: what is not understood is handed on as text, and is never an error.
//!
//! Read in this order.

mod error;
mod options;
mod outage;
mod token;

pub mod model;

mod backoff;
mod ndjson;
mod refusal;
mod tap;

mod gate;

mod call;
mod tls;
mod transport;

mod http;

mod answers;
mod chat;
mod stream;

mod client;

#[cfg(any(test, fuzzing))]
#[doc(hidden)]
pub mod fuzzing;

#[cfg(test)]
mod testing;

pub use client::Client;
pub use error::{ApiError, AuthProblem, BOT_LIMIT, Disposition, Limit};
pub use model::*;
pub use options::{BackoffOptions, ClientOptions, LICHESS};
pub use stream::{EventStream, GameStream, LostReason, StreamItem};
pub use tap::{LineSource, NoTap, RequestOutcome, StreamNews, Tap};
pub use tls::is_on_this_machine;
pub use token::{Token, TokenError};
pub use transport::{Purpose, Reply, Transport};
