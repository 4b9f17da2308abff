//! Measures the dead-position test: how long it takes on positions of real games, and how many of the hard positions of
//! another program's test set it decides, quickly and in full, and whether rightly.
//!
//! Both sets lie beside the repository, in `../shared/data`. `cargo bench --bench dead`.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use rookery::chess::{Color, Effort, History, Position, Winnable};

/// Every so many plies of a game a position is taken.
const EVERY: usize = 20;

fn main() {
    let Some([games, hard]) = read(["games/games_uci.tsv", "fen/dead_positions_cha.tsv"]) else { return };
    let positions = ordinary(&games);
    let mut times = Vec::new();
    let mut decided = 0;
    for position in &positions {
        for color in Color::ALL {
            let start = Instant::now();
            let verdict = black_box(position.winnable(color, Effort::QUICK));
            times.push(start.elapsed());
            decided += usize::from(verdict != Winnable::Unknown);
        }
    }
    times.sort_unstable();
    let at = |share: f64| times[(times.len() as f64 * share) as usize].as_secs_f64() * 1e6;
    println!("{} questions on positions of games, quick: {decided} decided", times.len());
    println!("median {:.1} us, 90 % {:.1} us, 99 % {:.1} us", at(0.5), at(0.9), at(0.99));
    report("quick", &hard, Effort::QUICK);
    report("full", &hard, Effort::FULL);
}

fn read<const N: usize>(names: [&str; N]) -> Option<[String; N]> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    let texts = names.map(|name| std::fs::read_to_string(data.join(name)).unwrap_or_default());
    if texts.iter().any(String::is_empty) {
        println!("skipped: ../shared/data is not here");
        return None;
    }
    Some(texts)
}

/// Positions of the games of standard chess from the initial position.
fn ordinary(games: &str) -> Vec<Position> {
    let mut positions = Vec::new();
    for row in games.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>()) {
        let [_, _, "chess", _, _, _, _, moves, ..] = row[..] else { continue };
        let Ok(history) = History::from_uci(Position::initial(), moves.split_whitespace()) else { continue };
        let mut position = Position::initial();
        for (ply, &mv) in history.moves().iter().enumerate() {
            position.play(mv);
            if ply % EVERY == EVERY - 1 {
                positions.push(position.clone());
            }
        }
    }
    positions
}

/// Compares with the table, whose columns after the position say whether White and Black can still mate.
fn report(name: &str, table: &str, effort: Effort) {
    let (mut rows, mut whole) = (0u32, 0u32);
    let (mut verdicts, mut wrong) = (0, 0);
    let mut longest = Duration::ZERO;
    for row in table.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>()) {
        let position = Position::from_unreachable_fen(row[1]).expect("because the table holds positions");
        rows += 1;
        let mut both = true;
        for (color, can) in [(Color::White, row[2]), (Color::Black, row[3])] {
            let start = Instant::now();
            let verdict = position.winnable(color, effort);
            longest = longest.max(start.elapsed());
            both &= verdict != Winnable::Unknown;
            verdicts += usize::from(verdict != Winnable::Unknown);
            let expected = if can == "1" { Winnable::Yes } else { Winnable::No };
            wrong += usize::from(verdict != Winnable::Unknown && verdict != expected);
        }
        whole += u32::from(both);
    }
    let share = 100.0 * f64::from(whole) / f64::from(rows);
    println!(
        "{name}: {whole} of {rows} hard positions decided for both sides ({share:.1} %), {verdicts} of {} verdicts, \
         {wrong} wrong, the longest in {:.0} ms",
        2 * rows,
        longest.as_secs_f64() * 1e3
    );
}
