//! Compares move generation with cozy-chess and shakmaty: perft with bulk counting, on one thread, all in one run.
//!
//! Each round measures every library once on every position, so that a noisy machine is noisy for all; the medians of the
//! rounds and their ratios are printed. `cargo bench --bench perft -- ROUNDS` sets how many rounds (default 7).

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use cozy_chess::Board;
use rookery::chess::{Position, perft};
use shakmaty::{CastlingMode, Chess};

/// Name, FEN (Shredder castling letters where they matter), depth, leaves.
const POSITIONS: [(&str, &str, u32, u64); 4] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", 6, 119_060_324),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w HAha - 0 1", 5, 193_690_690),
    ("chess960", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 6, 227_689_589),
    ("endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7, 178_633_661),
];

fn main() {
    let rounds = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(7);
    println!("{rounds} rounds; medians in million leaves a second, and how many times the others we are");
    println!(
        "{:<10}{:>10}{:>12}{:>10}{:>10}{:>10}",
        "position", "rookery", "cozy-chess", "shakmaty", "x cozy", "x shak"
    );
    for (name, fen, depth, leaves) in POSITIONS {
        let mut times = [const { Vec::new() }; 3];
        for _ in 0..rounds {
            times[0].push(time(leaves, || ours(fen, depth)));
            times[1].push(time(leaves, || cozy(fen, depth)));
            times[2].push(time(leaves, || theirs(fen, depth)));
        }
        let [a, b, c] = times.map(|times| leaves as f64 / median(times).as_secs_f64() / 1e6);
        println!("{name:<10}{a:>10.0}{b:>12.0}{c:>10.0}{:>10.2}{:>10.2}", a / b, a / c);
    }
}

fn time(leaves: u64, count: impl Fn() -> u64) -> Duration {
    let start = Instant::now();
    assert_eq!(black_box(count()), leaves, "a count is wrong");
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn ours(fen: &str, depth: u32) -> u64 {
    perft(&Position::from_fen(fen).expect("because the list holds positions"), depth)
}

fn cozy(fen: &str, depth: u32) -> u64 {
    cozy_perft(&Board::from_fen(fen, true).expect("because the list holds positions"), depth)
}

fn cozy_perft(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for mv in moves {
                let mut child = board.clone();
                child.play_unchecked(mv);
                nodes += cozy_perft(&child, depth - 1);
            }
        }
        false
    });
    nodes
}

fn theirs(fen: &str, depth: u32) -> u64 {
    let fen: shakmaty::fen::Fen = fen.parse().expect("because the list holds positions");
    let position: Chess =
        fen.into_position(CastlingMode::Chess960).expect("because the list holds positions");
    shakmaty::perft(&position, depth)
}
