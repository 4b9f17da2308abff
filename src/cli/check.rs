//! `rookery check`: is the configuration good, and is the token?

use std::io::Write;

use clap::Args;

use super::args::Global;
use super::exit::{Exit, Failure};
use super::server;
use super::settings::{self, ImpliedFile};
use crate::printable::printable;

/// Check configuration and token, and print the settings with where each was set
///
/// Asks the server about the token unless --offline is given. The token itself is never printed.
///
///   rookery check --offline
///   rookery --config my.toml check
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct CheckArgs {
    /// Do not ask the server; a missing token is then only remarked on
    #[arg(long)]
    offline: bool,
}

pub(crate) fn execute(args: &CheckArgs, global: &Global, out: &mut dyn Write) -> Result<Exit, Failure> {
    let sources = settings::sources(global, ImpliedFile::Read, Vec::new());
    let loaded = settings::load(&sources)?;
    settings::show(&loaded, out)?;
    let token = server::token(&loaded.settings, &sources);
    if args.offline {
        let text = match token {
            Ok(_) => "the token has the right form".to_owned(),
            Err(e) => format!("no token: {e}"),
        };
        writeln!(out, "\n{text}; the server was not asked").map_err(Failure::output)?;
        return Ok(Exit::Ok);
    }
    let client = server::client(&loaded.settings, token?)?;
    let (account, _) = server::block_on(server::identify(&client))?;
    let name = printable(&account.username);
    let url = &loaded.settings.lichess.url;
    writeln!(out, "\n{url} takes the token: it is {name}'s").map_err(Failure::output)?;
    if !account.is_bot() {
        let text =
            format!("{name} is no BOT account yet; `rookery upgrade` makes it one, which cannot be undone");
        return Err(Failure::new(Exit::Account, text));
    }
    Ok(Exit::Ok)
}
