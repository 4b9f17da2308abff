//! Networks from our own games: games of the engine against itself in a compact file, and the trainer that makes a
//! network of them. `docs/training.md` says what is done and why.
//!
//! No terminal: `cli::datagen` and `cli::train` have that.

mod games;
mod opening;

mod datagen;
mod generate;

mod samples;
mod stats;

mod plot;
mod trainer;

pub(crate) use crate::engine::training::Architecture;
pub(crate) use datagen::Plan;
pub(crate) use games::Games;
pub(crate) use generate::generate;
pub(crate) use opening::Openings;
pub(crate) use plot::plot;
pub(crate) use stats::Stats;
pub(crate) use trainer::{Data, Losses, Options as TrainOptions, Trainer};
