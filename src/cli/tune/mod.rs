//! `rookery tune`: games against itself, and the weights of the evaluation fitted to them. What is done stands in
//! `engine::tune`, which only a build with the feature `tune` has.

#[cfg(feature = "tune")]
mod games;
#[cfg(feature = "tune")]
mod weights;

use std::io;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::exit::{Exit, Failure};

/// Fit the weights of the evaluation to games against itself (needs a build with --features tune)
///
///   cargo build --release --features tune
///   rookery tune games --out positions.txt --games 6000
///   rookery tune weights positions.txt --out src/engine/eval/values.rs
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct TuneArgs {
    #[command(subcommand)]
    part: Part,
}

#[derive(Debug, Subcommand)]
enum Part {
    Games(GamesArgs),
    Weights(WeightsArgs),
}

/// Play games against itself, and write their quiet positions with the results
///
/// Each game begins with eight plies at random and is played by the laws to its end; after 400 plies it is a draw. Of the
/// other positions those are written, as a line "FEN;White's points", where the side to move is not in check and its best
/// move neither captures nor promotes; a position that comes again in its game only once. The same seed gives the same
/// games.
#[derive(Debug, Args)]
pub(crate) struct GamesArgs {
    /// Where to write the positions: a file that does not exist yet
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Play so many games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,

    /// Nodes that each move is searched for
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,

    /// The source of the plies at random
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Move the weights of the evaluation until its values tell the results of positions best
///
/// Reads files of `rookery tune games`. The last positions of each file are held out: it is over when they are told no
/// better for three epochs. Shows the mean logistic loss before the first epoch and after each, then the numbers that
/// changed most, and the weights as the text of src/engine/eval/values.rs.
#[derive(Debug, Args)]
pub(crate) struct WeightsArgs {
    /// Files with lines "FEN;White's points"
    #[arg(required = true, value_name = "POSITIONS")]
    files: Vec<PathBuf>,

    /// Write the weights into this file instead of showing them
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// End after so many epochs, of 20 steps each
    #[arg(long, value_name = "N", default_value_t = 50)]
    epochs: u32,

    /// Centipawns that a weight moves in a step, about
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = above_zero)]
    rate: f64,

    /// The share of the positions that is held out
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = share)]
    holdout: f64,

    /// How strongly weights are held where they began: so many millionths of loss, by half the square of the centipawns
    #[arg(long, value_name = "X", default_value_t = 0.1, value_parser = not_negative)]
    pull: f64,

    /// Threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

/// Runs the command.
#[cfg(feature = "tune")]
pub(crate) fn execute(args: &TuneArgs, out: &mut dyn io::Write) -> Result<Exit, Failure> {
    match &args.part {
        Part::Games(args) => games::execute(args, out),
        Part::Weights(args) => weights::execute(args, out),
    }
}

/// Says what is missing.
#[cfg(not(feature = "tune"))]
pub(crate) fn execute(_: &TuneArgs, _: &mut dyn io::Write) -> Result<Exit, Failure> {
    let text = "this build cannot tune, since tuning needs an evaluation with weights that can be changed: \
                build it with cargo build --release --features tune";
    Err(Failure::new(Exit::Usage, text))
}

fn number(text: &str, fits: impl Fn(f64) -> bool, expected: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && fits(*number));
    number.ok_or_else(|| format!("expected {expected}"))
}

fn above_zero(text: &str) -> Result<f64, String> {
    number(text, |number| number > 0.0, "a number above 0")
}

fn not_negative(text: &str) -> Result<f64, String> {
    number(text, |number| number >= 0.0, "a number from 0")
}

fn share(text: &str) -> Result<f64, String> {
    number(text, |number| number > 0.0 && number < 1.0, "a share between 0 and 1, such as 0.1")
}
