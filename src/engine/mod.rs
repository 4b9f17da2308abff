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

mod nnue;

mod eval;
mod search;

mod pool;

pub mod bench;

mod selfplay;

/// What games against itself and the training of networks need of the inside.
pub(crate) mod training {
    pub(crate) use super::eval::Evaluation;
    #[cfg(test)]
    pub(crate) use super::nnue::Accumulators;
    pub(crate) use super::nnue::{Architecture, Block, Kernel, Loop, Network, ONE, OUTPUT_ONE, SCALE};
    pub(crate) use super::selfplay::{SelfPlay, is_quiet, result};
}

#[cfg(feature = "tune")]
pub(crate) mod tune;

pub use eval::{Evaluation, static_score};
pub use limits::{Bound, Limits, PoolOptions, SearchInfo, SearchOutcome, SearchRequest, StopReason};
pub(crate) use nnue::Kernel;
pub use nnue::NetworkError;
pub use params::{Parameter, parameters};
pub use pool::{Pool, SearchHandle};
pub use score::{Score, ScoreKind};
