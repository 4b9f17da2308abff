//! Choosing a move: search, evaluation and the threads that do it. Knows the laws of chess and nothing of Lichess,
//! async runtimes or terminals; results leave through callbacks.
//!
//! Start with [`Pool::start`]; a [`SearchRequest`] goes in, [`SearchInfo`]s and one [`SearchOutcome`] come out.

mod limits;
mod score;

mod params;
pub mod time;

mod see;

mod room;
mod tt;
mod variant;

mod eval;
mod search;

mod pool;

pub mod bench;

#[cfg(feature = "tune")]
pub(crate) mod tune;

pub use eval::static_score;
pub use limits::{Bound, Limits, PoolOptions, SearchInfo, SearchOutcome, SearchRequest, StopReason};
pub use params::{Parameter, parameters};
pub use pool::{Pool, SearchHandle};
pub use score::{Score, ScoreKind};
