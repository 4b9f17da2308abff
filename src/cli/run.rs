//! `rookery run`: plays on the configured server until it is told to stop.

use std::path::PathBuf;

use clap::Args;

use super::args::Global;
use super::exit::{Exit, Failure};
use super::settings::{self, ImpliedFile, flag};
use super::{health, server};
use crate::bot::{self, BotError, BotSummary, shutdown};

/// Play on the configured server, lichess.org unless told otherwise
///
/// The token comes from the environment variable ROOKERY_TOKEN or from the file that lichess.token_file names. The
/// account must be a BOT account: see `rookery upgrade`. SIGTERM or Ctrl-C lets running games end and takes no new
/// ones; a second one stops at once. Games that are left running go on at the next start.
///
///   rookery run
///   rookery run --url http://127.0.0.1:8080 --threads 2 --hash 64
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct RunArgs {
    /// The server, as lichess.url
    #[arg(long, value_name = "URL")]
    url: Option<String>,

    /// Search threads, as engine.threads; 0 for one per processor
    #[arg(long, value_name = "N")]
    threads: Option<usize>,

    /// The transposition table in MiB, as engine.hash_mib
    #[arg(long, value_name = "MIB")]
    hash: Option<usize>,

    /// The directory for recordings, as record.dir
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,

    /// Tell at http://ADDRESS/healthz whether the server is heard, as health.listen
    #[arg(long, value_name = "ADDRESS")]
    health: Option<String>,
}

pub(crate) fn execute(args: &RunArgs, global: &Global) -> Result<Exit, Failure> {
    let flags = [
        args.url.as_ref().map(|url| flag("--url", "lichess.url", url)),
        args.threads.map(|threads| flag("--threads", "engine.threads", threads)),
        args.hash.map(|hash| flag("--hash", "engine.hash_mib", hash)),
        args.record.as_ref().map(|dir| flag("--record", "record.dir", dir.display())),
        args.health.as_ref().map(|address| flag("--health", "health.listen", address)),
    ];
    let sources = settings::sources(global, ImpliedFile::Read, flags.into_iter().flatten().collect());
    let loaded = settings::load(&sources)?;
    let token = server::token(&loaded.settings, &sources)?;
    let summary = server::block_on(async {
        let (phase, signals) = shutdown::signals()
            .map_err(|e| Failure::because(Exit::Failed, "cannot listen for signals", e))?;
        let options = loaded.settings.bot(token);
        let health = health::serve(loaded.settings.health, options.health.clone());
        tokio::select! {
            ended = bot::run(options, phase, None) => ended.map_err(failure),
            ended = health => ended.map(|()| BotSummary::default()),
            () = signals => Ok(BotSummary::default()),
        }
    })?;
    tracing::info!(
        wins = summary.wins,
        draws = summary.draws,
        losses = summary.losses,
        aborted = summary.aborted,
        unknown = summary.unknown,
        left_running = summary.left,
        "ended"
    );
    Ok(Exit::Ok)
}

/// What the end of the bot means to the user.
fn failure(error: BotError) -> Failure {
    let exit = match &error {
        BotError::NotABot { .. } | BotError::Closed { .. } | BotError::Refused(_) => Exit::Account,
        BotError::Unusable(_) => Exit::Network,
    };
    Failure::because(exit, "the bot ended", error)
}
