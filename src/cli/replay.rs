//! `rookery replay FILE`: feeds recordings to the bot's decisions and shows the first difference.

use std::io;
use std::path::PathBuf;

use clap::Args;

use super::exit::{Exit, Failure};
use crate::replay::replay;

/// Feed recorded games to the bot's decisions and compare what it does
///
/// The bot records each game in the directory of record.dir. A replay takes no time, needs no network, and fails at the
/// first decision that differs from the recorded one.
#[derive(Args, Debug)]
pub(crate) struct ReplayArgs {
    /// The recordings: files named after games, such as records/Qz7Lm2Xa.ndjson
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Replays each file; fails if one differs or cannot be read.
pub(crate) fn execute(args: &ReplayArgs, out: &mut dyn io::Write) -> Result<Exit, Failure> {
    let mut exit = Exit::Ok;
    for file in &args.files {
        let name = file.display();
        let report =
            replay(file).map_err(|e| Failure::because(Exit::Failed, format!("cannot replay {name}"), e))?;
        writeln!(out, "{name}: {report}").map_err(Failure::output)?;
        if !report.is_same() {
            exit = Exit::Failed;
        }
    }
    Ok(exit)
}
