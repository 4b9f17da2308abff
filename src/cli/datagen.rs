//! `rookery datagen` and `rookery data stats`: games of the engine against itself, and what files of them hold.

use std::fs::{self, File};
use std::io::{self, BufReader, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};

use super::exit::{Exit, Failure};
use crate::chess::Position;
use crate::config::evaluation;
use crate::training::{Games, Openings, Plan, Stats, generate};

/// Play games of the engine against itself, to train a network from
///
/// Each game begins at the start, in a position of Chess960 or of a book, goes on with some moves at random, and is then
/// played by the engine with a fixed number of nodes a move. The same options give the same file, whatever the number of
/// threads; a file that is there already is continued.
#[derive(Debug, Args)]
pub(crate) struct DatagenArgs {
    /// The file of games
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// How many games it shall hold
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,

    /// Nodes after which no new iteration begins
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// The source of chance
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Games at a time; 0 for one a processor
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1024))]
    threads: u16,

    /// How many of a hundred games begin in a position of Chess960
    #[arg(long, value_name = "PERCENT", default_value_t = 10, value_parser = clap::value_parser!(u64).range(0..=100))]
    chess960: u64,

    /// Positions to begin in, one FEN or EPD a line
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,

    /// How many of a hundred games begin in one of them
    #[arg(long, value_name = "PERCENT", default_value_t = 30, requires = "book",
        value_parser = clap::value_parser!(u64).range(0..=100))]
    book_share: u64,

    /// What judges the positions: hand-made, embedded, or the file of a network
    #[arg(long, value_name = "WHAT", default_value = "embedded")]
    evaluation: String,
}

/// Describe files of games
#[derive(Debug, Args)]
pub(crate) struct DataArgs {
    #[command(subcommand)]
    part: Part,
}

#[derive(Debug, Subcommand)]
enum Part {
    /// Count games, results, positions to learn from, pieces and scores
    Stats {
        /// Files of rookery datagen
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
}

/// How often figures are printed where there is no terminal.
const REPORT: Duration = Duration::from_secs(60);

/// Plays.
pub(crate) fn execute(args: &DatagenArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let book = args.book.as_deref().map(book).transpose()?.unwrap_or_default();
    let openings = Openings {
        chess960: args.chess960,
        from_book: if book.is_empty() { 0 } else { args.book_share.min(100 - args.chess960) },
        book,
    };
    let evaluation = evaluation(&args.evaluation)
        .map_err(|why| Failure::new(Exit::Failed, format!("--evaluation {}: {why}", args.evaluation)))?;
    let plan = Plan { seed: args.seed, nodes: args.nodes, openings, evaluation };
    let threads = match args.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads.into(),
    };
    let mut progress = Progress::new(args.games);
    let done = generate(&args.out, &plan, args.games, threads, |count, game| {
        progress.step(count, game.map_or(0, |game| game.moves.len()), out)
    });
    done.map_err(|e| Failure::because(Exit::Failed, format!("cannot make {}", args.out.display()), e))?;
    progress.end(out)?;
    Ok(Exit::Ok)
}

fn book(file: &Path) -> Result<Vec<Position>, Failure> {
    let name = file.display();
    let text = fs::read_to_string(file)
        .map_err(|e| Failure::because(Exit::Failed, format!("cannot read {name}"), e))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let positions = lines.map(|(i, line)| {
        let fen: Vec<&str> = line.split([' ', ';']).take(4).collect();
        Position::from_fen(&fen.join(" "))
            .map_err(|e| Failure::because(Exit::Failed, format!("{name}, line {}", i + 1), e))
    });
    positions.collect()
}

/// What is shown while games are played.
struct Progress {
    bar: ProgressBar,
    begin: Instant,
    reported: Instant,
    /// Games and plies of this run.
    games: u64,
    plies: usize,
}

impl Progress {
    fn new(games: u64) -> Progress {
        let bar = if io::stderr().is_terminal() { ProgressBar::new(games) } else { ProgressBar::hidden() };
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} games, {per_sec}, {eta} left")
        {
            bar.set_style(style);
        }
        Progress { bar, begin: Instant::now(), reported: Instant::now(), games: 0, plies: 0 }
    }

    /// Whether to go on.
    fn step(&mut self, count: u64, plies: usize, out: &mut dyn Write) -> bool {
        self.bar.set_position(count);
        self.games += u64::from(plies > 0);
        self.plies += plies;
        if !self.bar.is_hidden() || self.reported.elapsed() < REPORT {
            return true;
        }
        self.reported = Instant::now();
        self.report(count, out).is_ok()
    }

    fn report(&self, count: u64, out: &mut dyn Write) -> io::Result<()> {
        let seconds = self.begin.elapsed().as_secs_f64().max(1e-9);
        let (games, plies) = (self.games as f64 / seconds, self.plies as f64 / seconds);
        writeln!(out, "{count} games, {games:.1} games and {plies:.0} plies a second")?;
        out.flush()
    }

    fn end(&self, out: &mut dyn Write) -> Result<(), Failure> {
        self.bar.finish_and_clear();
        self.report(self.bar.position(), out).map_err(Failure::output)
    }
}

/// Describes files.
pub(crate) fn describe(args: &DataArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let Part::Stats { files } = &args.part;
    for path in files {
        let name = path.display();
        let failed = |e: &dyn std::error::Error| Failure::new(Exit::Failed, format!("{name}: {e}"));
        let file =
            File::open(path).map_err(|e| Failure::because(Exit::Failed, format!("cannot read {name}"), e))?;
        let games = Games::open(BufReader::new(file)).map_err(|e| failed(&e))?;
        let mut stats = Stats::default();
        let about = games.about().to_owned();
        for game in games {
            stats.add(&game.map_err(|e| failed(&e))?);
        }
        writeln!(out, "{name}: {about}\n{stats}").map_err(Failure::output)?;
    }
    Ok(Exit::Ok)
}
