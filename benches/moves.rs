//! Measures the steps of move generation one by one: copying a position, making a move, the upkeep of the key, listing and
//! counting legal moves; where they have the step, beside cozy-chess and shakmaty.
//!
//! The positions come from seeded random games. Each round measures every step once; the medians of the rounds are printed
//! in nanoseconds a step. `cargo bench --bench moves -- ROUNDS` sets how many rounds (default 15).

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::hint::black_box;
use std::time::Instant;

use rookery::chess::{Move, Position};
use shakmaty::{CastlingMode, Chess, Position as _};

const GAMES: u64 = 40;
const PLIES: usize = 100;
const REPEATS: usize = 20;

/// One position with one of its moves, in each library's terms.
struct Sample {
    ours: (Position, Move),
    cozy: (cozy_chess::Board, cozy_chess::Move),
    shakmaty: (Chess, shakmaty::Move),
}

fn main() {
    let rounds = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(15);
    let samples = samples();
    println!("{} positions, {rounds} rounds; medians in nanoseconds", samples.len());
    let row = |name: &str, step: &dyn Fn(&Sample) -> u64| {
        println!("{name:<40}{:>8.1}", measure(&samples, rounds, step));
    };
    row("copy", &|s| black_box(s.ours.0.clone()).key());
    row("copy and make", &|s| {
        let mut next = s.ours.0.clone();
        next.play(s.ours.1);
        next.key()
    });
    row("  cozy-chess", &|s| {
        let mut next = s.cozy.0.clone();
        next.play_unchecked(s.cozy.1);
        next.hash()
    });
    row("  shakmaty (keeps no key)", &|s| {
        let mut next = s.shakmaty.0.clone();
        next.play_unchecked(s.shakmaty.1);
        u64::from(next.halfmoves())
    });
    row("key upkeep alone", &|s| s.ours.0.key_after(s.ours.1));
    row("key from scratch", &|s| s.ours.0.key_from_scratch());
    row("list legal moves", &|s| black_box(&s.ours.0.legal_moves()).len() as u64);
    row("  cozy-chess", &|s| {
        let mut list = arrayvec::ArrayVec::<_, 256>::new();
        s.cozy.0.generate_moves(|moves| {
            list.extend(moves);
            false
        });
        black_box(&list).len() as u64
    });
    row("  shakmaty", &|s| black_box(&s.shakmaty.0.legal_moves()).len() as u64);
    row("list captures", &|s| black_box(&s.ours.0.legal_captures()).len() as u64);
    row("count legal moves", &|s| s.ours.0.count_legal_moves());
    row("is there a legal move", &|s| u64::from(s.ours.0.has_legal_move()));
    row("is this move legal", &|s| u64::from(s.ours.0.is_legal(s.ours.1)));
}

/// The median over the rounds of the time for a step, in nanoseconds.
fn measure(samples: &[Sample], rounds: usize, step: &dyn Fn(&Sample) -> u64) -> f64 {
    let mut times: Vec<f64> = (0..rounds)
        .map(|_| {
            let start = Instant::now();
            let sum = (0..REPEATS).flat_map(|_| samples).fold(0, |sum: u64, sample| sum ^ step(sample));
            black_box(sum);
            start.elapsed().as_nanos() as f64 / (REPEATS * samples.len()) as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn samples() -> Vec<Sample> {
    let mut samples = Vec::new();
    for seed in 0..GAMES {
        let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut position = Position::initial();
        for _ in 0..PLIES {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let moves = position.legal_moves();
            let Some(&mv) = moves.get((random >> 33) as usize % moves.len().max(1)) else { break };
            samples.push(sample(&position, mv));
            position.play(mv);
        }
    }
    samples
}

fn sample(position: &Position, mv: Move) -> Sample {
    let fen = position.to_shredder_fen();
    let cozy = cozy_chess::Board::from_fen(&fen, true).expect("because games are legal");
    let theirs: shakmaty::fen::Fen = fen.parse().expect("because games are legal");
    let theirs: Chess = theirs.into_position(CastlingMode::Chess960).expect("because games are legal");
    let uci = format!("{mv:?}");
    let shakmaty_move: shakmaty::uci::UciMove = uci.parse().expect("because our moves are UCI");
    let shakmaty_move = shakmaty_move.to_move(&theirs).expect("because the move is legal");
    let cozy_move = uci.parse().expect("because our moves are UCI");
    Sample { ours: (position.clone(), mv), cozy: (cozy, cozy_move), shakmaty: (theirs, shakmaty_move) }
}
