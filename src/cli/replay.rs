//! `rookery replay FILE`: feeds recordings to the bot's decisions and shows the first difference of each.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::exit::{Exit, Failure};
use crate::printable::printable;
use crate::record::Reader;
use crate::replay::{self, replay};

/// Feed recordings to the bot's decisions and compare what it does
///
/// The bot records each game, and the account, in the directory of record.dir. A replay takes no time, needs no
/// network, and shows the first decision that differs from the recorded one, with what came before it.
#[derive(Args, Debug)]
pub(crate) struct ReplayArgs {
    /// The recordings: records/account.ndjson, and files named after games, such as records/Qz7Lm2Xa.ndjson
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Show what stands in the recordings in readable form, and compare nothing
    #[arg(long)]
    show: bool,
}

/// Replays each file; fails if one differs or cannot be read.
pub(crate) fn execute(args: &ReplayArgs, out: &mut dyn io::Write) -> Result<Exit, Failure> {
    let mut exit = Exit::Ok;
    for file in &args.files {
        let name = file.display().to_string();
        if args.show {
            show(file, out)?;
            continue;
        }
        let told = match replay(file) {
            Ok(report) => {
                if !report.is_same() {
                    exit = Exit::Failed;
                }
                report.to_string()
            }
            Err(error) => {
                exit = Exit::Failed;
                Failure::because(Exit::Failed, "cannot replay", error).to_string()
            }
        };
        // A difference quotes what the server said.
        let told: Vec<String> = told.lines().map(printable).collect();
        writeln!(out, "{}: {}", printable(&name), told.join("\n")).map_err(Failure::output)?;
    }
    Ok(exit)
}

fn show(file: &Path, out: &mut dyn io::Write) -> Result<(), Failure> {
    let name = file.display();
    let broken = |what: &str, error| Failure::because(Exit::Failed, format!("{what} {name}"), error);
    let input = File::open(file).map_err(|error| broken("cannot open", error))?;
    let mut out = io::BufWriter::new(out);
    for entry in Reader::new(BufReader::new(input)) {
        let (_, entry) =
            entry.map_err(|error| Failure::because(Exit::Failed, format!("cannot read {name}"), error))?;
        for told in replay::tell(&entry) {
            writeln!(out, "{}", printable(&told)).map_err(Failure::output)?;
        }
    }
    out.flush().map_err(Failure::output)
}
