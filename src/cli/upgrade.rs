//! `rookery upgrade`: turns an account into a BOT account, which cannot be undone. Nothing else ever does it.

use std::io::{self, BufRead as _, IsTerminal as _, Write};

use clap::Args;

use super::args::Global;
use super::exit::{Exit, Failure};
use super::server;
use super::settings::{self, ImpliedFile};
use crate::printable::printable;

/// Turn the account of the token into a BOT account; this cannot be undone
///
/// Only an account that has never played a game can become one. Asks for the account's name before anything is
/// done, unless --yes is given.
#[derive(Debug, Args)]
pub(crate) struct UpgradeArgs {
    /// Do not ask
    #[arg(long)]
    yes: bool,
}

pub(crate) fn execute(args: &UpgradeArgs, global: &Global, out: &mut dyn Write) -> Result<Exit, Failure> {
    let sources = settings::sources(global, ImpliedFile::Read, Vec::new());
    let loaded = settings::load(&sources)?;
    let client = server::client(&loaded.settings, server::token(&loaded.settings, &sources)?)?;
    let (account, _) = server::block_on(server::identify(&client))?;
    let name = printable(&account.username);
    if account.is_bot() {
        return Err(Failure::new(
            Exit::Account,
            format!("{name} is a BOT account already; nothing was done"),
        ));
    }
    if account.games > 0 {
        let text = format!(
            "{name} has played {} games, and only a fresh account can become a BOT account",
            account.games
        );
        return Err(Failure::new(Exit::Account, text));
    }
    if !args.yes {
        confirm(&account.username, &loaded.settings.lichess.url, out)?;
    }
    server::block_on(async {
        client.upgrade_to_bot().await.map_err(|e| server::failure("the account was not upgraded", e))
    })?;
    writeln!(out, "{name} is a BOT account now; `rookery run` plays with it").map_err(Failure::output)?;
    Ok(Exit::Ok)
}

/// The name must be typed: a stray key press is not enough for what cannot be undone.
fn confirm(username: &str, url: &str, out: &mut dyn Write) -> Result<(), Failure> {
    if !io::stdin().is_terminal() {
        return Err(Failure::new(
            Exit::Usage,
            "there is no terminal to ask on; --yes does it without asking",
        ));
    }
    let name = printable(username);
    write!(
        out,
        "This turns {name} on {url} into a BOT account. It can then play through the API only, its ratings start \
         anew, and this cannot be undone.\nType the account's name to go on: "
    )
    .and_then(|()| out.flush())
    .map_err(Failure::output)?;
    let mut answer = String::new();
    io::stdin()
        .lock()
        .read_line(&mut answer)
        .map_err(|e| Failure::because(Exit::Failed, "cannot read the answer", e))?;
    if answer.trim().eq_ignore_ascii_case(username) {
        return Ok(());
    }
    Err(Failure::new(Exit::Failed, "that is not the account's name; nothing was done"))
}
