//! The arguments, what `--help` says, and the way from them to an exit code.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};

use super::exit::{Exit, Failure};
use super::settings::ImpliedFile;
use super::{
    bench, check, datagen, demo, perft, replay, run, sandbox, scrub, settings, simulate, soak, solve, train,
    tune, uci, upgrade,
};
use crate::ignore::Ignore as _;
use crate::printable::printable_lines;

/// A Lichess bot with its own chess engine, and a small Lichess to try bots on.
///
/// `rookery demo` shows both at work on this machine alone. `rookery run` plays on lichess.org.
#[derive(Debug, Parser)]
#[command(name = "rookery", version, propagate_version = true, after_long_help = epilogue())]
pub(crate) struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// What every command understands.
#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// Read this configuration file instead of ./rookery.toml
    ///
    /// Without it, ./rookery.toml is read if it exists. Environment variables such as ROOKERY__ENGINE__THREADS=2
    /// override the file, and flags override both.
    #[arg(long, global = true, value_name = "FILE", env = "ROOKERY_CONFIG")]
    pub(crate) config: Option<PathBuf>,

    /// Set one key of the configuration, such as --set engine.threads=2
    #[arg(long, global = true, value_name = "KEY=VALUE", value_parser = assignment)]
    pub(crate) set: Vec<(String, String)>,

    /// How much to log to standard error: error, warn, info, debug, trace, or a filter such as
    /// info,rookery::lichess=trace
    #[arg(long, global = true, value_name = "LEVEL")]
    pub(crate) log: Option<String>,

    /// How log lines look
    #[arg(long, global = true, value_name = "FORMAT")]
    pub(crate) log_format: Option<LogFormat>,

    /// Log more: -v for debug, -vv for trace
    #[arg(short, long, global = true, action = ArgAction::Count)]
    pub(crate) verbose: u8,
}

/// How log lines look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// For people
    Text,
    /// One JSON object a line
    Json,
}

#[derive(Debug, Subcommand)]
enum Command {
    Demo(demo::DemoArgs),
    Run(run::RunArgs),
    Sandbox(sandbox::SandboxArgs),
    Replay(replay::ReplayArgs),
    Scrub(scrub::ScrubArgs),
    Simulate(simulate::SimulateArgs),
    Soak(soak::SoakArgs),
    Check(check::CheckArgs),
    Upgrade(upgrade::UpgradeArgs),
    /// Be an engine for chess programs, by the UCI protocol on standard input and output
    Uci,
    Bench(bench::BenchArgs),
    Solve(solve::SolveArgs),
    Perft(perft::PerftArgs),
    Tune(tune::TuneArgs),
    Datagen(datagen::DatagenArgs),
    Data(datagen::DataArgs),
    Train(train::TrainArgs),
}

/// Runs the command that the arguments of the process name, and reports how it went.
pub fn main() -> ExitCode {
    run_with(std::env::args_os(), &mut io::stdout(), &mut io::stderr()).into()
}

fn run_with(
    args: impl IntoIterator<Item = OsString>,
    out: &mut dyn io::Write,
    err: &mut dyn io::Write,
) -> Exit {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(e) => {
            e.print().ignore("without a terminal there is nobody to tell");
            return if e.use_stderr() { Exit::Usage } else { Exit::Ok };
        }
    };
    match dispatch(&cli, out) {
        Ok(exit) => exit,
        Err(failure) if failure.exit == Exit::Ok => Exit::Ok,
        Err(failure) => {
            writeln!(err, "rookery: {}", printable_lines(&failure.to_string()))
                .ignore("without standard error there is nobody to tell");
            failure.exit
        }
    }
}

fn dispatch(cli: &Cli, out: &mut dyn io::Write) -> Result<Exit, Failure> {
    match &cli.command {
        Command::Demo(args) => demo::execute(args, &cli.global, out),
        Command::Run(args) => run::execute(args, &cli.global),
        Command::Sandbox(args) => {
            settings::load(&settings::sources(&cli.global, ImpliedFile::Leave, Vec::new()))?;
            sandbox::execute(args, out)
        }
        Command::Replay(args) => replay::execute(args, out),
        Command::Scrub(args) => scrub::execute(args, out),
        Command::Simulate(args) => simulate::execute(args, out),
        Command::Soak(args) => soak::execute(args, &cli.global, out),
        Command::Check(args) => check::execute(args, &cli.global, out),
        Command::Upgrade(args) => upgrade::execute(args, &cli.global, out),
        Command::Uci => Ok(uci::run()),
        Command::Bench(args) => bench::execute(args, out),
        Command::Solve(args) => solve::execute(args, &cli.global, out),
        Command::Perft(args) => perft::execute(args, out),
        Command::Tune(args) => tune::execute(args, out),
        Command::Datagen(args) => datagen::execute(args, out),
        Command::Data(args) => datagen::describe(args, out),
        Command::Train(args) => train::execute(args, out),
    }
}

fn assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => Ok((key.trim().to_owned(), value.trim().to_owned())),
        _ => Err("expected KEY=VALUE, such as engine.threads=2".to_owned()),
    }
}

fn epilogue() -> String {
    let mut text = String::from("Exit codes:\n");
    for (exit, meaning) in Exit::MEANINGS {
        text.push_str(&format!("  {}  {meaning}\n", exit as u8));
    }
    text.push_str(
        "\nEnvironment:\n  ROOKERY_TOKEN             the API token (or name a file with lichess.token_file)\n  \
         ROOKERY_CONFIG            the configuration file\n  \
         ROOKERY__SECTION__KEY     sets section.key of the configuration",
    );
    text
}
