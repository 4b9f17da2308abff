//! `rookery bench`: the engine's signature and its speed.

use std::io;

use clap::Args;

use super::exit::{Exit, Failure};
use crate::engine::bench;

/// Search fixed positions to a fixed depth and print how many nodes that took
///
/// The node count is the same on every machine and in every run; it changes exactly when the search or the
/// evaluation does.
#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// Plies to search
    #[arg(default_value_t = bench::DEPTH, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
}

/// Runs the command.
pub(crate) fn execute(args: &BenchArgs, out: &mut dyn io::Write) -> Result<Exit, Failure> {
    let result = bench::run(args.depth);
    writeln!(out, "{} nodes {} nps", result.nodes, result.nps()).map_err(Failure::output)?;
    Ok(Exit::Ok)
}
