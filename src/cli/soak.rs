//! `rookery soak`: the bot as a process, for long and over real sockets, with faults and kills, and figures of it.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use tokio::sync::watch;

use super::args::Global;
use super::exit::{Exit, Failure};
use super::server;
use crate::bot::{Phase, shutdown};
use crate::soak::{End, SoakError, SoakOptions, run};

/// Play for long over real sockets, with faults and kills, and measure the bot
///
/// Starts the sandbox on a free loopback port with opponents that it plays itself, and `rookery run` as a process of
/// its own. Something goes wrong every few seconds, and the bot is killed and started again now and then. At the end
/// comes what the games, the recoveries and the process say; the exit code is 1 if a game was lost on time although
/// the server could be reached, if a game goes on when the bot has ended, or if memory, descriptors or threads grow.
/// Keys of the bot's configuration are set with --set. Ctrl-C ends the run early.
///
///   rookery soak --minutes 30
///   rookery soak --games 500 --fault-every 0 --kill-every 0
///   rookery soak --games 32 --at-once 16 --engine --lag-ms 50 --lag-jitter-ms 20 --fault-every 0 --kill-every 0
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct SoakArgs {
    /// Play for so many minutes
    #[arg(long, value_name = "N", default_value_t = 10.0, value_parser = positive)]
    minutes: f64,

    /// Play until so many games are over, instead of for a set time
    #[arg(long, value_name = "N", conflicts_with = "minutes")]
    games: Option<usize>,

    /// Let something go wrong every so many seconds; 0 for never, and then the opponents do nothing but play
    #[arg(long, value_name = "S", default_value_t = 5)]
    fault_every: u64,

    /// Kill the bot (SIGKILL) every so many seconds and start it again; 0 for never
    #[arg(long, value_name = "S", default_value_t = 300)]
    kill_every: u64,

    /// Play so many games at once
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=500))]
    at_once: u16,

    /// Seconds that each side starts with, and seconds that a move adds
    #[arg(long, value_name = "START+INCREMENT", default_value = "60+1", value_parser = clock)]
    clock: (u32, u32),

    /// How long the opponents take for a move, in milliseconds: at least and at most
    #[arg(long, value_name = "A..B", default_value = "100..1500", value_parser = range)]
    think_ms: (u64, u64),

    /// Let the opponents play at this level of the sandbox's engine instead of at random
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=8))]
    level: Option<u8>,

    /// How long bytes take, in milliseconds, in either direction
    #[arg(long, value_name = "N", default_value_t = 0)]
    lag_ms: u64,

    /// By how much that varies, up and down
    #[arg(long, value_name = "N", default_value_t = 0)]
    lag_jitter_ms: u64,

    /// Nodes that the bot searches for a move
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// Let the bot think by its clock, as it does on Lichess
    #[arg(long, conflicts_with = "nodes")]
    engine: bool,

    /// Search threads of the bot; 0 for one per processor
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,

    /// The bot's transposition table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16)]
    hash: usize,

    /// The source of the faults and of what the opponents do
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// The directory for the report, the samples, the plot, the bot's log and its recordings; it must be empty
    #[arg(long, value_name = "DIR", default_value = "soak")]
    out: PathBuf,
}

/// Runs the command; fails if something must not be.
pub(crate) fn execute(args: &SoakArgs, global: &Global, out: &mut dyn io::Write) -> Result<Exit, Failure> {
    let options = options(args, global)?;
    let mut said = Ok(());
    let report = server::block_on(async {
        let (first, signals) = shutdown::signals()
            .map_err(|e| Failure::because(Exit::Failed, "cannot listen for signals", e))?;
        let second = first.clone();
        let mut say = |line: &str| {
            if said.is_ok() {
                said = writeln!(out, "{line}").and_then(|()| out.flush());
            }
        };
        tokio::select! {
            biased;
            () = signals => Err(Failure::new(Exit::Failed, "there are no signals any more")),
            () = reached(second, Phase::Stopping) => Err(Failure::new(Exit::Failed, "stopped")),
            report = run(&options, reached(first, Phase::Draining), &mut say) => report.map_err(failure),
        }
    })?;
    said.map_err(Failure::output)?;
    writeln!(out, "{report}").map_err(Failure::output)?;
    Ok(if report.failures().is_empty() { Exit::Ok } else { Exit::Failed })
}

/// Waits until the user has asked for that much.
async fn reached(mut asked: watch::Receiver<Phase>, wanted: Phase) {
    if asked.wait_for(|phase| *phase >= wanted).await.is_err() {
        std::future::pending::<()>().await;
    }
}

fn options(args: &SoakArgs, global: &Global) -> Result<SoakOptions, Failure> {
    let failed = |what: &str| {
        let what = what.to_owned();
        move |error| Failure::because(Exit::Failed, what, error)
    };
    let every = |seconds: u64| (seconds > 0).then(|| Duration::from_secs(seconds));
    let minutes = Duration::from_secs_f64(args.minutes * 60.0);
    Ok(SoakOptions {
        program: std::env::current_exe().map_err(failed("cannot find this program"))?,
        end: args.games.map_or(End::After(minutes), End::Games),
        out: std::path::absolute(&args.out).map_err(failed("cannot find the directory"))?,
        fault_every: every(args.fault_every),
        kill_every: every(args.kill_every),
        at_once: args.at_once.into(),
        clock: args.clock,
        think_ms: args.think_ms,
        level: args.level,
        lag: Duration::from_millis(args.lag_ms),
        lag_jitter: Duration::from_millis(args.lag_jitter_ms),
        nodes: (!args.engine).then_some(args.nodes),
        threads: args.threads,
        hash_mib: args.hash,
        seed: args.seed,
        set: global.set.clone(),
    })
}

fn failure(error: SoakError) -> Failure {
    let exit = match &error {
        SoakError::NotEmpty(_) => Exit::Usage,
        SoakError::Io { .. } | SoakError::Plot(_) => Exit::Failed,
    };
    Failure::because(exit, "the run was not made", error)
}

fn positive(text: &str) -> Result<f64, String> {
    // A year is more than anybody waits, and less than what a duration cannot hold.
    let minutes = text.parse().ok().filter(|minutes| (0.0..=525_600.0).contains(minutes) && *minutes > 0.0);
    minutes.ok_or_else(|| "expected a number of minutes above 0".to_owned())
}

fn clock(text: &str) -> Result<(u32, u32), String> {
    let (limit, increment) = text.split_once('+').unwrap_or((text, "0"));
    let known = limit.parse().ok().zip(increment.parse().ok());
    known.filter(|clock| *clock != (0, 0)).ok_or_else(|| "expected whole seconds such as 60+1".to_owned())
}

fn range(text: &str) -> Result<(u64, u64), String> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    let known = least.parse().ok().zip(most.parse().ok());
    known.filter(|(least, most)| least <= most).ok_or_else(|| "expected a range such as 100..1500".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_and_ranges_are_read() {
        for (text, expected) in
            [("60+1", Some((60, 1))), ("60", Some((60, 0))), ("0+0", None), ("1.5+0", None), ("+", None)]
        {
            assert_eq!(clock(text).ok(), expected, "{text}");
        }
        for (text, expected) in [("1..5", Some((1, 5))), ("7", Some((7, 7))), ("5..1", None), ("a..b", None)]
        {
            assert_eq!(range(text).ok(), expected, "{text}");
        }
        for (text, expected) in [("0.2", Some(0.2)), ("0", None), ("-1", None), ("nan", None), ("inf", None)]
        {
            assert_eq!(positive(text).ok(), expected, "{text}");
        }
    }
}
