//! `rookery perft`: counts move sequences of a position, or checks a suite of known counts.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use clap::Args;

use super::exit::{Exit, Failure};
use crate::chess::{AnyPosition, CastlingSpelling, PerftCase, PerftSuite, UciMove, Variant};

/// Count the move sequences of a position, or check a file of known counts
///
///   rookery perft 6
///   rookery perft 5 --fen "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1" --divide
///   rookery perft --suite counts.epd
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct PerftArgs {
    /// Plies to look ahead
    #[arg(default_value_t = 5)]
    depth: u32,
    /// The position to count from, instead of the variant's start
    #[arg(long)]
    fen: Option<String>,
    /// Whose rules apply: standard, crazyhouse, antichess, atomic, horde, kingOfTheHill, racingKings, threeCheck
    #[arg(long, default_value = "standard")]
    variant: String,
    /// Show the count below each first move
    #[arg(long)]
    divide: bool,
    /// Check every count of FILE: lines "FEN ;D1 20 ;D2 400", or a table with columns variant, fen, depth, nodes
    #[arg(long, value_name = "FILE", conflicts_with_all = ["depth", "fen", "variant", "divide"])]
    suite: Option<PathBuf>,
    /// Leave out counts beyond this depth
    #[arg(long, requires = "suite", value_name = "PLIES")]
    max_depth: Option<u32>,
    /// Leave out counts above this number
    #[arg(long, requires = "suite", value_name = "NODES")]
    max_nodes: Option<u64>,
}

/// Runs the command; fails when a count is wrong or the input is.
pub(crate) fn execute(args: &PerftArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    match &args.suite {
        Some(file) => check_suite(file, args, out),
        None => count(args, out),
    }
}

fn count(args: &PerftArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let variant = Variant::from_name(&args.variant)
        .ok_or_else(|| Failure::new(Exit::Usage, format!("{:?} is no variant", args.variant)))?;
    let fen = args.fen.as_deref();
    let refused =
        |e| Failure::because(Exit::Usage, format!("{:?} is no position", fen.unwrap_or_default()), e);
    let position = match fen {
        Some(fen) => AnyPosition::from_unreachable_fen(variant, fen),
        None => variant.start(None),
    };
    let position = position.map_err(refused)?;
    let start = Instant::now();
    let nodes = if args.divide && args.depth > 0 {
        let counts = position.divide(args.depth);
        for &(mv, nodes) in &counts {
            let mv = UciMove::from_move(mv, CastlingSpelling::KingTwoSquares);
            writeln!(out, "{mv}: {nodes}").map_err(Failure::output)?;
        }
        counts.iter().map(|(_, nodes)| nodes).sum()
    } else {
        position.perft(args.depth)
    };
    let seconds = start.elapsed().as_secs_f64();
    let speed = nodes as f64 / seconds.max(1e-9) / 1e6;
    writeln!(out, "{nodes} nodes in {seconds:.3} s, {speed:.1} million a second").map_err(Failure::output)?;
    Ok(Exit::Ok)
}

fn check_suite(file: &Path, args: &PerftArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let name = file.display();
    let text = std::fs::read_to_string(file)
        .map_err(|e| Failure::because(Exit::Failed, format!("cannot read {name}"), e))?;
    let mut suite =
        PerftSuite::parse(&text).map_err(|reason| Failure::new(Exit::Failed, format!("{name}, {reason}")))?;
    let all = suite.cases.len();
    suite.cases.retain(|case| {
        args.max_depth.is_none_or(|limit| case.depth <= limit)
            && args.max_nodes.is_none_or(|limit| case.nodes <= limit)
    });
    if suite.cases.is_empty() {
        let text = format!(
            "{name} holds no count to check ({all} beyond the limits, {} of other variants)",
            suite.foreign
        );
        return Err(Failure::new(Exit::Failed, text));
    }
    let start = Instant::now();
    let wrong = count_all(&suite.cases);
    for line in &wrong {
        writeln!(out, "wrong: {line}").map_err(Failure::output)?;
    }
    let seconds = start.elapsed().as_secs_f64();
    let nodes: u64 = suite.cases.iter().map(|case| case.nodes).sum();
    writeln!(
        out,
        "{name}: {} of {} counts agree ({nodes} nodes in {seconds:.1} s); left out: {} beyond the limits, {} of other variants",
        suite.cases.len() - wrong.len(),
        suite.cases.len(),
        all - suite.cases.len(),
        suite.foreign,
    )
    .map_err(Failure::output)?;
    Ok(if wrong.is_empty() { Exit::Ok } else { Exit::Failed })
}

/// Counts on all cores; returns what does not agree, in the order of the suite.
fn count_all(cases: &[PerftCase]) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((index, case)) =
                    cases.iter().enumerate().nth(next.fetch_add(1, Ordering::Relaxed))
                {
                    let complaint = match case.count() {
                        Ok(nodes) if nodes == case.nodes => continue,
                        Ok(nodes) => {
                            format!("{case}: {nodes}, expected {}", case.nodes)
                        }
                        Err(error) => format!("{case} is refused: {error}"),
                    };
                    wrong.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((index, complaint));
                }
            });
        }
    });
    let mut wrong = wrong.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    wrong.sort_unstable();
    wrong.into_iter().map(|(_, complaint)| complaint).collect()
}
