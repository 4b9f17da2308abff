//! `rookery bench`: the engine's signature and its speed.

use std::io;

use clap::Args;

use super::exit::{Exit, Failure};
use crate::config::evaluation;
use crate::engine::bench;
use crate::engine::{Evaluation, Kernel};

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

    /// What judges the positions: embedded, hand-made, or the file of a network
    #[arg(long, value_name = "WHAT")]
    evaluation: Option<String>,

    /// The instructions for the network's loops: one of those that this processor has
    #[arg(long, value_name = "NAME", value_parser = kernel)]
    kernel: Option<Kernel>,
}

fn kernel(name: &str) -> Result<Kernel, String> {
    let kernels = Kernel::available();
    let found = kernels.iter().find(|kernel| kernel.to_string() == name);
    found.copied().ok_or_else(|| {
        let names: Vec<String> = kernels.iter().map(Kernel::to_string).collect();
        format!("this processor has {}", names.join(", "))
    })
}

/// Runs the command.
pub(crate) fn execute(args: &BenchArgs, out: &mut dyn io::Write) -> Result<Exit, Failure> {
    let mut judge = match &args.evaluation {
        Some(name) => evaluation(name)
            .map_err(|why| Failure::new(Exit::Failed, format!("--evaluation {name}: {why}")))?,
        None => Evaluation::default(),
    };
    if let Some(kernel) = args.kernel {
        judge = judge.on(kernel);
    }
    let result = bench::run(args.depth, args.threads.into(), judge);
    let seconds = result.elapsed.as_secs_f64();
    writeln!(out, "{} nodes {} nps {seconds:.3} s", result.nodes, result.nps()).map_err(Failure::output)?;
    Ok(Exit::Ok)
}
