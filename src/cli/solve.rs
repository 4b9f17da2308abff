//! `rookery solve`: suites of test positions, and how much of what is to be found in them the engine finds.

mod verdict;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use self::verdict::{Claim, Tally, Verdict};
use super::args::Global;
use super::exit::{Exit, Failure};
use crate::chess::{Epd, History, san};
use crate::engine::{Limits, Pool, PoolOptions, SearchOutcome, SearchRequest};
use crate::printable::printable;

/// Search test positions and count how many are solved
///
/// Each file holds a position a line in the form EPD. A position is solved if the move found is one of `bm` and none of
/// `am`, and if the mate in `dm N` (or `bm #N`) moves is found with that distance; N is negative where the side to move
/// is mated. A mate by a longer way counts as found. A claim of a shorter one, or of one by the wrong side, is false, and
/// the command fails. Positions are searched one after the other with nothing remembered in between, so that with one
/// thread the outcome is always the same. With -v, what was not solved is listed.
///
///   rookery solve wac.epd
///   rookery solve mates.epd --nodes 200000 --limit 500 -v
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct SolveArgs {
    /// Suites of positions
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Nodes to search in each position
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Search threads; with more than one, runs differ
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// The transposition table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    /// Take only so many positions from the beginning of each file
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
}

/// A file of positions, with the number of the line of each.
struct Suite {
    name: String,
    positions: Vec<(usize, Epd)>,
}

/// Runs the command; fails if a mate was claimed that is none.
pub(crate) fn execute(args: &SolveArgs, global: &Global, out: &mut dyn Write) -> Result<Exit, Failure> {
    // All files are read before the first search: a slip in the last one is better known at once.
    let suites: Result<Vec<Suite>, Failure> = args.files.iter().map(|file| read(file, args.limit)).collect();
    let suites = suites?;
    let options = PoolOptions {
        threads: args.threads.into(),
        hash_mib: usize::try_from(args.hash).unwrap_or(usize::MAX),
        ..PoolOptions::default()
    };
    let pool = Pool::new(options);
    let width = suites.iter().map(|suite| suite.name.chars().count()).max().unwrap_or_default().max(5);
    let mut say = |line: &str| writeln!(out, "{line}").and_then(|()| out.flush()).map_err(Failure::output);
    say(&Tally::head(width))?;
    let mut total = Tally::default();
    for suite in &suites {
        let mut tally = Tally::default();
        for (line, epd) in &suite.positions {
            let answer = search(&pool, epd, args.nodes)?;
            let verdict = Verdict::of(epd, &answer);
            tally.add(epd, &answer, verdict);
            let is_false = matches!(verdict.claim, Claim::False(_));
            if is_false || (global.verbose > 0 && !verdict.solved) {
                say(&describe(&suite.name, *line, epd, &answer, verdict))?;
            }
        }
        say(&tally.row(&suite.name, width))?;
        total = total.and(&tally);
    }
    if suites.len() > 1 {
        say(&total.row("all", width))?;
    }
    Ok(if total.false_claims == 0 { Exit::Ok } else { Exit::Failed })
}

fn read(file: &Path, limit: Option<usize>) -> Result<Suite, Failure> {
    let shown = file.display();
    let text = fs::read_to_string(file)
        .map_err(|e| Failure::because(Exit::Failed, format!("cannot read {shown}"), e))?;
    let mut positions = Vec::new();
    for (line, read) in Epd::read_all(&text).take(limit.unwrap_or(usize::MAX)) {
        let epd = read.map_err(|e| Failure::because(Exit::Failed, format!("{shown}, line {line}"), e))?;
        positions.push((line, epd));
    }
    if positions.is_empty() {
        return Err(Failure::new(Exit::Failed, format!("{shown} holds no position")));
    }
    let name = file.file_name().unwrap_or(file.as_os_str());
    Ok(Suite { name: printable(&name.to_string_lossy()), positions })
}

/// Searches one position as if it were the first.
fn search(pool: &Pool, epd: &Epd, nodes: u64) -> Result<SearchOutcome, Failure> {
    pool.clear();
    let request = SearchRequest::new(History::new(epd.position.clone()), Limits::nodes(nodes));
    let outcome = pool.search(request);
    match outcome.reason.is_regular() {
        true => Ok(outcome),
        false => Err(Failure::new(
            Exit::Failed,
            format!("the search of {} broke down: {:?}", epd.position.to_fen(), outcome.reason),
        )),
    }
}

/// What was to be found and what was, in a line.
fn describe(suite: &str, line: usize, epd: &Epd, answer: &SearchOutcome, verdict: Verdict) -> String {
    let what = match verdict.claim {
        Claim::False(_) => "FALSE claim",
        Claim::Longer(_) => "longer mate",
        Claim::Nothing | Claim::Exact => "not solved",
    };
    let id = epd.id.as_deref().map(|id| format!(" {}", printable(id))).unwrap_or_default();
    let best = answer.best.map_or_else(|| "no move".to_owned(), |mv| san::format(&epd.position, mv));
    let (score, depth, task, fen) = (answer.score, answer.depth, task(epd), epd.position.to_fen());
    format!("{what}: {suite}:{line}{id}: {best} ({score}, depth {depth}), expected {task}: {fen}")
}

/// What is to be found: `bm Nf3 e4, dm 3`.
fn task(epd: &Epd) -> String {
    let mut words = Vec::new();
    for (operation, moves) in [("bm", &epd.best), ("am", &epd.avoid)] {
        let moves: Vec<String> = moves.iter().map(|mv| san::format(&epd.position, *mv)).collect();
        if !moves.is_empty() {
            words.push(format!("{operation} {}", moves.join(" ")));
        }
    }
    words.extend(epd.mate.map(|moves| format!("dm {moves}")));
    words.join(", ")
}
