//! Fitting the weights of the evaluation to how games ended (Texel's method): games against itself give positions with
//! results, and the weights move until the values tell the results best.
//!
//! No files and no terminal: `cli::tune` has those. What is done and why says `docs/tuning.md`.

mod labelled;

mod games;

mod loss;
mod numbers;
mod slopes;

mod descent;
mod source;

#[cfg(test)]
pub(crate) mod tests;

pub(crate) use descent::{Data, Losses, Options, Tuned, Tuner};
pub(crate) use games::SelfPlay;
pub(crate) use labelled::Labelled;
