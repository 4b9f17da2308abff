//! `rookery demo`: the sandbox and two complete bots in this process, playing each other over real HTTP.
//!
//! This file starts them, watches, and ends them. What is known of the games is put together in `scene`, drawn by
//! `board` and written by `screen`; `figures` says what came of them, with what `records` hold.

mod board;
mod clock;
mod figures;
mod players;
mod records;
mod scene;
mod screen;

use std::fs;
use std::io::{self, IsTerminal as _, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use tokio::sync::watch;
use tokio::time::Instant;

use self::board::Paint;
use self::clock::ClockArg;
use self::players::{NAMES, Players};
use self::records::Records;
use self::scene::Scene;
use self::screen::Screen;
use super::args::Global;
use super::exit::{Exit, Failure};
use super::server;
use super::settings::{self, ImpliedFile};
use crate::bot::{Phase, shutdown};
use crate::chess::Variant;
use crate::config::Settings;
use crate::printable::printable;
use crate::soak::Spread;
use crate::soak::lag::Lag;

/// How often the boards are redrawn and the referee is asked.
const TICK: Duration = Duration::from_millis(100);

/// How many ticks the last reports may come after the end.
const LAST_REPORTS: u32 = 20;

/// More moves than this no game of the sandbox has on one side.
const MOST_MOVES: u32 = 300;

/// What starting, pairing and ending may take on top of the clocks.
const SLACK: Duration = Duration::from_secs(30);

/// What beginning a game may take on top of that: the bots answer one challenge after the other.
const BEGINNING: Duration = Duration::from_secs(1);

/// The lags of every demo are drawn alike.
const LAG_SEED: u64 = 1;

/// Watch two bots of this machine play each other; needs no account, no token and no network
///
/// Starts the sandbox on a free loopback port and two complete bots with accounts of their own, and lets them play,
/// all games at once with colours swapped. On a terminal two boards are redrawn in place, with clocks, evaluation
/// (from White's side), depth and the expected line; anywhere else every move is a line. At the end come the games
/// as PGN, and figures: results, games lost on time, illegal moves that the server refused, and how long a bot took
/// for a move besides thinking, from reading the line until the request left. Ctrl-C ends it early.
///
///   rookery demo
///   rookery demo --clock 60+1 --games 4 --pgn games.pgn
///   rookery demo --variant chess960 --plain --set thinking.depth=6
///   rookery demo --games 64 --clock 60+0 --plain --lag-ms 50 --lag-jitter-ms 20
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct DemoArgs {
    /// How many games to play, all at the same time
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=100))]
    games: u16,

    /// Seconds that each side starts with, and seconds that a move adds
    #[arg(long, value_name = "START+INCREMENT", default_value = "10+0.1")]
    clock: ClockArg,

    /// The kind of chess; of the 960 starts of chess960 one is drawn by lot
    #[arg(long, value_name = "VARIANT", default_value = "standard", value_parser = variants())]
    variant: Variant,

    /// How long bytes take between bots and sandbox, in milliseconds, in either direction
    #[arg(long, value_name = "N", default_value_t = 0)]
    lag_ms: u64,

    /// By how much that varies, up and down
    #[arg(long, value_name = "N", default_value_t = 0)]
    lag_jitter_ms: u64,

    /// Print a line for each move instead of boards, also on a terminal
    #[arg(long)]
    plain: bool,

    /// Write the games to this file
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,

    /// Keep the recordings of both bots in this directory
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
}

/// The variants by their keys, but for the one that needs a position.
fn variants() -> impl TypedValueParser<Value = Variant> {
    let playable = Variant::ALL.into_iter().filter(|variant| *variant != Variant::FromPosition);
    PossibleValuesParser::new(playable.map(Variant::key))
        .try_map(|key| Variant::from_key(&key).ok_or_else(|| format!("{key} is no variant")))
}

pub(crate) fn execute(args: &DemoArgs, global: &Global, out: &mut dyn Write) -> Result<Exit, Failure> {
    let quiet = settings::flag("demo", "log.level", "error");
    let defaults = if global.log.is_none() && global.verbose == 0 { vec![quiet] } else { Vec::new() };
    let loaded = settings::load(&settings::sources(global, ImpliedFile::Leave, defaults))?;
    let mut screen = if args.plain || !io::stdout().is_terminal() {
        Screen::lines(out)
    } else {
        Screen::boards(out, paint())
    };
    let played = server::block_on(demonstrate(args, &loaded.settings, &mut screen));
    // Whatever happened, the terminal is left as it was found.
    screen.end().map_err(Failure::output)?;
    played
}

/// Colours, unless the user wants none anywhere: see <https://no-color.org>.
fn paint() -> Paint {
    match std::env::var_os("NO_COLOR") {
        Some(value) if !value.is_empty() => Paint::Plain,
        _ => Paint::Colour,
    }
}

/// Starts everything, plays, and ends everything again, however it went.
async fn demonstrate(args: &DemoArgs, settings: &Settings, screen: &mut Screen<'_>) -> Result<Exit, Failure> {
    let (mut asked, signals) =
        shutdown::signals().map_err(|e| Failure::because(Exit::Failed, "cannot listen for signals", e))?;
    let records = args.record.as_deref().map_or_else(Records::passing, |dir| Ok(Records::kept(dir)));
    let [time, jitter] = [args.lag_ms, args.lag_jitter_ms].map(Duration::from_millis);
    let lag = Lag::new(time, jitter, LAG_SEED);
    let mut players = Players::start(settings, records.as_ref().ok(), lag).await?;
    screen.say(&players.introduction()).map_err(Failure::output)?;
    let deadline = deadline(args);
    let outcome = tokio::select! {
        outcome = play(args, &mut players, screen) => outcome,
        () = interrupted(&mut asked) => Ok(Outcome::Interrupted),
        () = signals => Ok(Outcome::Interrupted),
        () = tokio::time::sleep(deadline) => Err(Failure::new(
            Exit::Failed,
            format!("the games are not over after {} s, which their clocks do not allow", deadline.as_secs()),
        )),
    };
    let is_over = matches!(outcome, Ok(Outcome::Over));
    let result = outcome.and_then(|outcome| report(args, outcome, &players, screen));
    let (figures, games) = (players.figures(), players.games().to_vec());
    players.stop().await;
    if is_over {
        // Only now have the bots written down everything.
        let text = figures.with_own_parts(own_parts(records, &games));
        screen.say(&text).map_err(Failure::output)?;
    }
    result
}

/// The bots' own part of their moves, or why it is not known.
fn own_parts(records: io::Result<Records>, games: &[String]) -> Result<Spread, String> {
    let records = records.map_err(|e| format!("there is nowhere to record to without --record ({e})"))?;
    let parts = records.own_parts(&NAMES, games);
    parts
        .map(Spread::of)
        .map_err(|e| Failure::because(Exit::Failed, "the recordings are of no use", e).to_string())
}

/// How the playing ended.
enum Outcome {
    /// All games are over.
    Over,
    /// Somebody pressed Ctrl-C.
    Interrupted,
}

/// Plays all games and shows them.
async fn play(args: &DemoArgs, players: &mut Players, screen: &mut Screen<'_>) -> Result<Outcome, Failure> {
    let total = usize::from(args.games);
    let mut scene = Scene::new(total, args.clock.to_string());
    let mut ticks = tokio::time::interval(TICK);
    let mut waited = 0;
    loop {
        while players.started() < total {
            scene.begin(players.begin(args.clock, args.variant).await?);
            // Over a slow line that takes seconds for many games, and what is not taken in time is lost.
            while let Some(report) = players.next_report() {
                scene.take(report);
            }
        }
        tokio::select! {
            report = players.report() => scene.take(report?),
            _ = ticks.tick() => {
                for ended in players.results() {
                    scene.finish(&ended.id, &ended.result, ended.plies);
                }
                screen.show(&mut scene, Instant::now()).map_err(Failure::output)?;
                if players.started() == total && players.running() == 0 {
                    waited += 1;
                    if scene.is_complete() || waited > LAST_REPORTS {
                        return Ok(Outcome::Over);
                    }
                }
            }
        }
    }
}

/// Writes the games, and says how they ended.
fn report(
    args: &DemoArgs,
    outcome: Outcome,
    players: &Players,
    screen: &mut Screen<'_>,
) -> Result<Exit, Failure> {
    let pgn = players.pgn();
    if let Some(path) = &args.pgn {
        let what = || format!("cannot write {}", path.display());
        fs::write(path, &pgn).map_err(|e| Failure::because(Exit::Failed, what(), e))?;
    }
    match outcome {
        Outcome::Interrupted => screen.say("\nended early").map_err(Failure::output)?,
        Outcome::Over => {
            screen.say(&format!("\n{}", players.standings())).map_err(Failure::output)?;
            screen.say(&for_reading(&pgn)).map_err(Failure::output)?;
            players.verdict()?;
        }
    }
    Ok(Exit::Ok)
}

/// PGN without the clocks, which nobody reads; they stay in the file of `--pgn`.
fn for_reading(pgn: &str) -> String {
    let mut text = String::new();
    let mut width = 0;
    let mut comment = false;
    for line in pgn.lines() {
        if line.is_empty() || (line.starts_with('[') && !comment) {
            // A tag, or the empty line before or after the moves, ends a line of moves.
            let newline = if width > 0 { "\n" } else { "" };
            text.push_str(&format!("{newline}{}\n", printable(line)));
            width = 0;
            continue;
        }
        for word in line.split_whitespace() {
            let skipped = comment || word.starts_with('{') || word.ends_with("...");
            comment = (comment || word.starts_with('{')) && !word.ends_with('}');
            if skipped {
                continue;
            }
            let separator = match width {
                0 => "",
                _ if width + 1 + word.len() > 80 => "\n",
                _ => " ",
            };
            width = if separator == " " { width + 1 + word.len() } else { word.len() };
            text.push_str(&format!("{separator}{}", printable(word)));
        }
    }
    text
}

async fn interrupted(asked: &mut watch::Receiver<Phase>) {
    if asked.wait_for(|phase| *phase != Phase::Running).await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// When even the longest games with these clocks are over.
fn deadline(args: &DemoArgs) -> Duration {
    (args.clock.limit + args.clock.increment * MOST_MOVES) * 2 + SLACK + BEGINNING * u32::from(args.games)
}

#[cfg(test)]
mod tests {
    use super::for_reading;

    #[test]
    fn clocks_are_left_out_for_reading() {
        let pgn = "[White \"a\"]\n[Result \"1-0\"]\n\n1. e4 { [%clk 0:00:03] } 1... e5 {\n[%clk 0:00:02] } 2. Nf3 1-0\n\n[White \"b\"]\n";
        assert_eq!(
            for_reading(pgn),
            "[White \"a\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n[White \"b\"]\n"
        );
    }

    #[test]
    fn long_games_are_wrapped() {
        let text = for_reading(&format!("\n{}\n", "Nf3 ".repeat(100)));
        assert!(text.lines().all(|line| line.len() <= 80) && text.lines().count() == 6, "{text}");
    }
}
