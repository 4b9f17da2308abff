//! The network: a position as features, a hidden layer for each side that is kept up to date from position to position,
//! and one number out of both.
//!
//! NNUE after Yu Nasu (2018). A feature is a piece on a square, as one side sees the board; the hidden layer is the same
//! for both sides, and the output looks at the mover's first. All arithmetic is in integers, so that every processor gets
//! the same value.

mod accumulator;
mod features;
mod file;
mod kernel;
mod network;

#[cfg(test)]
mod tests;

pub(crate) use accumulator::Accumulators;
pub(crate) use features::Architecture;
pub use file::NetworkError;
pub(crate) use kernel::{Block, Kernel, Loop, ONE};
pub(crate) use network::{Network, OUTPUT_ONE, SCALE};
