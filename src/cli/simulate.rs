//! `rookery simulate`: games on a virtual clock with random faults, and whether the bot kept its promises.

use std::io;
use std::num::NonZero;

use clap::Args;

use super::exit::{Exit, Failure};
use crate::simulation::{Campaign, run, run_campaign};

/// Play games with random faults on a virtual clock, and judge what the bot does
///
/// A bot and a sandbox play in this process, over simulated connections and with a stand-in for the engine. All is drawn
/// from a seed, so that a run that fails can be run again.
#[derive(Debug, Args)]
pub(crate) struct SimulateArgs {
    /// Play until so many games are over
    #[arg(long, value_name = "N", default_value_t = 1000)]
    games: usize,

    /// The first seed; the others follow
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Threads; by default one for each processor
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,

    /// Fail unless every kind of fault fired so often
    #[arg(long, value_name = "N", default_value_t = 0)]
    least_fired: u64,

    /// Show what went over the wire in the run of the first seed, and nothing else
    #[arg(long)]
    show: bool,
}

/// Runs the command; fails if a promise was broken.
pub(crate) fn execute(args: &SimulateArgs, out: &mut dyn io::Write) -> Result<Exit, Failure> {
    let failed = |error| Failure::because(Exit::Failed, "cannot simulate".to_owned(), error);
    if args.show {
        let report = run(args.seed).map_err(failed)?;
        for line in &report.tail {
            writeln!(out, "{}", line.escape_debug()).map_err(Failure::output)?;
        }
        return Ok(if report.breaches.is_empty() { Exit::Ok } else { Exit::Failed });
    }
    let threads =
        args.threads.or_else(|| std::thread::available_parallelism().ok()).unwrap_or(NonZero::<usize>::MIN);
    let report =
        run_campaign(Campaign { first_seed: args.seed, games: args.games, threads }).map_err(failed)?;
    writeln!(out, "{report}").map_err(Failure::output)?;
    let rare: Vec<&str> = crate::sandbox::Fault::KINDS
        .into_iter()
        .filter(|kind| report.faults.get(*kind).copied().unwrap_or_default() < args.least_fired)
        .collect();
    if !rare.is_empty() {
        writeln!(out, "fired less than {} times: {}", args.least_fired, rare.join(", "))
            .map_err(Failure::output)?;
    }
    Ok(if report.failures == 0 && rare.is_empty() { Exit::Ok } else { Exit::Failed })
}
