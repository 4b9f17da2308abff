//! `rookery sandbox`: serves the small Lichess until it is told to stop. Which users there are is read in `users`.

mod users;

use std::future::Future;
use std::io::Write;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use tokio::net::TcpListener;

use super::exit::{Exit, Failure};
#[cfg(not(unix))]
use crate::ignore::Ignore as _;
use crate::sandbox::laws::Laws;
use crate::sandbox::{
    AiOptions, CastlingNotation, FaultReport, RequestLimits, Sandbox, SandboxOptions, Scenario, UnsetFlags,
    UserSpec,
};

/// Serve a small Lichess on this machine, for bots in any language
///
/// Without a user who can log in there are two bots and a human, whose tokens are printed. Point a bot at the address
/// that is printed and give it one of the tokens. Ctrl-C or SIGTERM ends it.
///
///   rookery sandbox
///   rookery sandbox --port 9000 --user mybot:secret:BOT --user me:secret2
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct SandboxArgs {
    /// The port to listen on; 0 picks a free one
    #[arg(long, value_name = "N", default_value_t = 8080)]
    port: u16,

    /// The address to listen on. There is no encryption: keep it on this machine or in a network you trust
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    bind: IpAddr,

    /// A user with a token and perhaps a title; the title BOT makes it a bot. May be repeated
    #[arg(long, value_name = "NAME:TOKEN[:TITLE]", value_parser = users::from_flag)]
    user: Vec<UserSpec>,

    /// Read users from a TOML file with a `[[user]]` table for each
    ///
    /// Keys: name, token (or tokens, a list), title, scopes, rating, takebacks, and script, by which the sandbox plays
    /// the user itself (see docs/sandbox.md and config/users.example.toml).
    #[arg(long, value_name = "FILE")]
    users: Option<PathBuf>,

    /// Make things go wrong as a TOML file says: a scenario of faults (see docs/sandbox.md)
    ///
    /// It may have users as well, as in --users. At the end a table tells which happened; if one that was planned did not, the exit code is 1.
    #[arg(long, value_name = "FILE")]
    faults: Option<PathBuf>,

    /// The laws of the games. All but Lichess' own have an arbiter, whose office is under /sandbox/
    #[arg(long, value_name = "LAWS", value_enum, default_value_t = LawsArg::Lichess)]
    laws: LawsArg,

    /// How castling is written in move lists
    #[arg(long, value_name = "NOTATION", value_enum, default_value_t = Castling::Auto)]
    castling: Castling,

    /// How flags that are not set appear in game states
    #[arg(long, value_name = "STYLE", value_enum, default_value_t = Flags::Omitted)]
    unset_flags: Flags,

    /// Do not end games of bots at the third occurrence of a position
    #[arg(long)]
    no_auto_threefold: bool,

    /// Do not limit requests and games
    #[arg(long)]
    no_limits: bool,

    /// Seconds between the blank lines of a stream
    #[arg(long, value_name = "SECONDS", default_value_t = 7, value_parser = clap::value_parser!(u64).range(1..=3600))]
    keep_alive: u64,

    /// Make ids, colours, start positions and the blunders of lent opponents repeatable
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LawsArg {
    /// As Lichess plays
    Lichess,
    /// The FIDE Laws in force from 2023
    #[value(name = "fide-2023")]
    Fide2023,
    /// The FIDE Laws adopted in 2000
    #[value(name = "fide-2000")]
    Fide2000,
    /// The FIDE Laws of about 1990, with sealed moves and five minutes for a wrong claim
    #[value(name = "fide-1990")]
    Fide1990,
    /// Amateur events: repetition and fifty moves draw by themselves, three illegal moves lose
    Amateur,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Castling {
    /// e1g1 in standard games, e1h1 in all others: Lichess today
    Auto,
    /// e1h1 everywhere
    KingTakesRook,
    /// e1g1 wherever king and rooks begin on their classical squares
    Legacy,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Flags {
    /// Not at all: Lichess today
    Omitted,
    /// As false
    False,
}

impl SandboxArgs {
    fn options(&self) -> Result<SandboxOptions, Failure> {
        let scenario = self.faults.as_deref().map(scenario).transpose()?.unwrap_or_default();
        let mut all = self.user.clone();
        if let Some(file) = &self.users {
            all.extend(users::from_file(file)?);
        }
        if let Some(file) = &self.faults {
            all.extend(users::from_scenario(file)?);
        }
        // Those whom the sandbox plays need somebody to play with.
        if all.iter().all(|user| user.tokens.is_empty()) {
            all.extend(users::default());
        }
        let defaults = SandboxOptions::default();
        Ok(SandboxOptions {
            users: all,
            scenario,
            laws: match self.laws {
                LawsArg::Lichess => Laws::LICHESS,
                LawsArg::Fide2023 => Laws::FIDE_2023,
                LawsArg::Fide2000 => Laws::FIDE_2000,
                LawsArg::Fide1990 => Laws::FIDE_1990,
                LawsArg::Amateur => Laws::AMATEUR,
            },
            castling: match self.castling {
                Castling::Auto => CastlingNotation::Auto,
                Castling::KingTakesRook => CastlingNotation::KingTakesRook,
                Castling::Legacy => CastlingNotation::Legacy,
            },
            unset_flags: match self.unset_flags {
                Flags::Omitted => UnsetFlags::Omitted,
                Flags::False => UnsetFlags::False,
            },
            auto_threefold: !self.no_auto_threefold,
            limits: if self.no_limits { RequestLimits::NONE } else { defaults.limits },
            keep_alive: Duration::from_secs(self.keep_alive),
            seed: self.seed,
            ai: AiOptions { seed: self.seed.unwrap_or(defaults.ai.seed), ..defaults.ai },
            ..defaults
        })
    }
}

/// Serves until Ctrl-C or SIGTERM.
pub(crate) fn execute(args: &SandboxArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_name("rookery-io")
        .enable_all()
        .build()
        .map_err(|error| Failure::because(Exit::Failed, "cannot start the runtime", error))?;
    runtime.block_on(async {
        let stop = told_to_stop()
            .map_err(|error| Failure::because(Exit::Failed, "cannot listen for signals", error))?;
        run(args, out, stop).await
    })
}

#[cfg(unix)]
fn told_to_stop() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

#[cfg(not(unix))]
fn told_to_stop() -> std::io::Result<impl Future<Output = ()>> {
    Ok(async { tokio::signal::ctrl_c().await.ignore("without the signal nothing tells it to stop sooner") })
}

/// Serves until `stop` is done.
async fn run(
    args: &SandboxArgs,
    out: &mut dyn Write,
    stop: impl Future<Output = ()>,
) -> Result<Exit, Failure> {
    let options = args.options()?;
    let listener = TcpListener::bind((args.bind, args.port)).await.map_err(|error| {
        Failure::because(Exit::Network, format!("cannot listen on {}:{}", args.bind, args.port), error)
    })?;
    let users = options.users.clone();
    let sandbox = Sandbox::start(options, listener)
        .await
        .map_err(|error| Failure::because(Exit::Config, "the sandbox does not start", error))?;
    let greeted = greet(&sandbox.url(), &users, out);
    if greeted.is_ok() {
        stop.await;
    }
    let faults = sandbox.faults();
    sandbox.stop().await;
    greeted.map_err(Failure::output)?;
    take_stock(&faults.report(), out)
}

/// The scenario in a file. What is wrong is told with the file and the line.
fn scenario(path: &Path) -> Result<Scenario, Failure> {
    let name = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::because(Exit::Config, format!("cannot read {name}"), error))?;
    Scenario::from_toml(&text).map_err(|error| {
        let line = error.line.map(|line| format!(":{line}")).unwrap_or_default();
        Failure::new(Exit::Config, format!("{name}{line}: {error}"))
    })
}

/// Tells which faults happened, if there were to be any. That a planned one did not is a failure.
fn take_stock(report: &FaultReport, out: &mut dyn Write) -> Result<Exit, Failure> {
    if report.rules.is_empty() && report.fired.is_empty() {
        return Ok(Exit::Ok);
    }
    write!(out, "{report}").and_then(|()| out.flush()).map_err(Failure::output)?;
    match report.unfired().len() {
        0 => Ok(Exit::Ok),
        1 => Err(Failure::new(Exit::Failed, "a planned fault did not happen")),
        several => Err(Failure::new(Exit::Failed, format!("{several} planned faults did not happen"))),
    }
}

/// The address and the users. Their tokens are no secrets: they open this sandbox and nothing else.
fn greet(url: &str, users: &[UserSpec], out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "sandbox at {url}")?;
    for user in users {
        let title = user.title.as_deref().unwrap_or("-");
        if user.script.is_some() {
            writeln!(out, "  {title:4} {:20} plays by its script", user.name)?;
        }
        for token in &user.tokens {
            let scopes: Vec<_> = token.scopes.iter().map(|scope| scope.as_str()).collect();
            writeln!(out, "  {title:4} {:20} token {} ({})", user.name, token.token, scopes.join(", "))?;
        }
    }
    out.flush()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        args: SandboxArgs,
    }

    fn args(line: &str) -> SandboxArgs {
        Line::try_parse_from(line.split_whitespace()).unwrap().args
    }

    #[tokio::test]
    async fn says_where_it_is_and_who_can_play() {
        let mut out = Vec::new();
        let exit = run(&args("x --port 0 --user ada:tok_ada:BOT"), &mut out, async {}).await.unwrap();
        assert_eq!(exit, Exit::Ok);
        let text = String::from_utf8(out).unwrap();
        assert!(text.starts_with("sandbox at http://127.0.0.1:"), "{text}");
        assert!(text.contains("BOT  ada") && text.contains("token tok_ada (bot:play)"), "{text}");
    }

    #[tokio::test]
    async fn a_port_that_is_taken_is_named() {
        let taken = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = taken.local_addr().unwrap().port();
        let failure = run(&args(&format!("x --port {port}")), &mut Vec::new(), async {}).await.unwrap_err();
        assert_eq!(failure.exit, Exit::Network);
        assert!(failure.to_string().contains(&port.to_string()), "{failure}");
    }

    #[tokio::test]
    async fn two_users_of_one_name_are_refused() {
        let args = args("x --port 0 --user ada:a:BOT --user Ada:b");
        let failure = run(&args, &mut Vec::new(), async {}).await.unwrap_err();
        assert_eq!(failure.exit, Exit::Config);
        assert!(failure.to_string().contains("two users are called \"Ada\""), "{failure}");
    }

    /// A sandbox with these faults that ends at once.
    async fn with_faults(text: &str) -> (String, Result<Exit, Failure>) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("faults.toml");
        std::fs::write(&path, text).unwrap();
        let mut out = Vec::new();
        let ended = run(&args(&format!("x --port 0 --faults {}", path.display())), &mut out, async {}).await;
        (String::from_utf8(out).unwrap(), ended)
    }

    #[tokio::test]
    async fn a_planned_fault_that_did_not_happen_fails_the_run() {
        let text = "[[rule]]\nname = \"cut\"\nroute = \"move\"\nfault = \"reset\"\n";
        let (out, ended) = with_faults(text).await;
        let failure = ended.unwrap_err();
        assert_eq!(
            (failure.exit, failure.to_string().as_str()),
            (Exit::Failed, "a planned fault did not happen")
        );
        assert!(out.contains("cut  (planned, never fired)"), "{out}");
        let (out, ended) = with_faults(&format!("{text}planned = false\n")).await;
        assert_eq!(ended.unwrap(), Exit::Ok);
        assert!(out.ends_with("0 faults of 0 kinds\n"), "{out}");
    }

    #[test]
    fn a_scenario_brings_its_players_along() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("faults.toml");
        std::fs::write(&path, "seed = 2\n[[user]]\nname = \"robo\"\nscript = { accepts = false }\n").unwrap();
        let options = args(&format!("x --faults {}", path.display())).options().unwrap();
        let names: Vec<_> = options.users.iter().map(|user| user.name.as_str()).collect();
        assert_eq!(names, ["robo", "sandbox-bot", "sandbox-rival", "sandbox-human"]);
        assert!(options.users[0].script.is_some() && options.scenario.seed == 2);
    }

    #[tokio::test]
    async fn a_bad_scenario_is_told_with_file_and_line() {
        let (_, ended) =
            with_faults("seed = 1\n[[rule]]\nfault = { kind = \"late\", ms = \"soon\" }\n").await;
        let failure = ended.unwrap_err();
        assert_eq!(failure.exit, Exit::Config);
        let expected = "faults.toml:3: rule.0.fault.ms: expected a whole number from 0, found \"soon\"";
        assert!(failure.to_string().ends_with(expected), "{failure}");
    }

    #[test]
    fn laws_are_called_by_their_names() {
        for laws in Laws::ALL {
            let options = args(&format!("x --laws {}", laws.name)).options().unwrap();
            assert_eq!(options.laws, laws);
        }
    }

    #[test]
    fn flags_become_options() {
        let options = args("x --no-limits --castling legacy --seed 5 --keep-alive 2").options().unwrap();
        assert_eq!(options.limits, RequestLimits::NONE);
        assert_eq!((options.castling, options.laws), (CastlingNotation::Legacy, Laws::LICHESS));
        assert_eq!((options.seed, options.keep_alive), (Some(5), Duration::from_secs(2)));
        assert_eq!(options.users.len(), 3, "without users there are some all the same");
    }
}
