//! `rookery bench`: the engine's signature and its speed.

use std::io;

use clap::Args;

use super::exit::{Exit, Failure};
use crate::engine::bench;

/// Search fixed positions to a fixed depth and print how many nodes and how much time that took
///
/// With one thread the node count is the same on every machine and in every run; it changes exactly when the search or
/// the evaluation does. With more it differs from run to run, and speed and time are what there is to see.
#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// Plies to search
    #[arg(default_value_t = bench::DEPTH, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,

    /// Threads that search each position together
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

/// Runs the command.
pub(crate) fn execute(args: &BenchArgs, out: &mut dyn io::Write) -> Result<Exit, Failure> {
    let result = bench::run(args.depth, args.threads.into());
    let seconds = result.elapsed.as_secs_f64();
    writeln!(out, "{} nodes {} nps {seconds:.3} s", result.nodes, result.nps()).map_err(Failure::output)?;
    Ok(Exit::Ok)
}
