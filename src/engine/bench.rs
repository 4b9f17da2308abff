//! The engine's signature: how many positions it visits on a fixed list at a fixed depth, with one thread and empty
//! tables. The number changes exactly when the search or the evaluation does. More threads tell about speed alone.

use std::time::{Duration, Instant};

use super::eval::Evaluation;
use super::limits::{Limits, PoolOptions, SearchRequest, nodes_per_second};
use super::pool::Pool;
use crate::chess::{History, Position};

/// Plies to which the positions are searched if nothing else is asked.
pub const DEPTH: u32 = 12;

/// Size of the table.
const HASH_MIB: usize = 16;

/// What a run gave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BenchResult {
    /// Positions visited.
    pub nodes: u64,
    /// Time taken.
    pub elapsed: Duration,
}

impl BenchResult {
    /// Positions a second.
    pub fn nps(&self) -> u64 {
        nodes_per_second(self.nodes, self.elapsed)
    }
}

/// Searches the list to `depth`, position after position, each with all threads.
pub fn run(depth: u32, threads: usize, evaluation: Evaluation) -> BenchResult {
    let pool = Pool::new(PoolOptions { threads, hash_mib: HASH_MIB, evaluation });
    let begin = Instant::now();
    let nodes = POSITIONS.iter().map(|fen| visit(fen, depth, &pool)).sum();
    BenchResult { nodes, elapsed: begin.elapsed() }
}

fn visit(fen: &str, depth: u32, pool: &Pool) -> u64 {
    let position = Position::from_fen(fen).expect("because a test reads every position of the list");
    pool.search(SearchRequest::new(History::new(position), Limits::depth(depth))).nodes
}

/// Openings, middlegames, endings, mates, a stalemate, and starts of Chess960.
const POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "rnbqk2r/ppp1bppp/4pn2/3p4/2PP4/2N2N2/PP2PPPP/R1BQKB1R w KQkq - 2 5",
    "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 2 8",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "2kr3r/pp1q1ppp/2n1b3/2b1p3/4P3/2NB4/PPP1QPPP/R1B2RK1 b - - 0 12",
    "r2q1rk1/1b2bppp/p1n1pn2/1p6/3P4/PBN1BN2/1P3PPP/R2Q1RK1 w - - 4 14",
    "rn1q1rk1/pb1p1pbp/1p2pnp1/8/2PNP3/2N3P1/PP3PBP/R1BQ1RK1 w - - 1 10",
    "r1b2rk1/2q1bppp/p2ppn2/1p6/3BPP2/2NB4/PPP3PP/R2Q1R1K w - - 0 14",
    "3r1rk1/pp1b1ppp/1qnbpn2/3p4/3P4/P1NBPN2/1P1B1PPP/R2QR1K1 b - - 6 13",
    "r4rk1/1pp1qppp/p1np1n2/4p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "2r2rk1/1bq1bp1p/p2ppp2/1p6/4PP2/1NN3P1/PPP1Q2P/1K1R1R2 b - - 2 18",
    "r2qr1k1/1b1nbp1p/p1pp1np1/1p2p3/3PP3/P1N1BN1P/1PP2PP1/1BRQR1K1 w - - 0 16",
    "4r1k1/p1qr1p2/2pb1Bp1/1p5p/3P1n1R/1B3P2/PP3PK1/2Q4R w - - 0 1",
    "r1bqr1k1/pp1n1pbp/2pp2p1/4P3/2PP4/2N1BN2/PP3PPP/R2Q1RK1 w - - 1 12",
    "5rk1/pp4pp/4p3/2R3Q1/3n4/2q4r/P1P2PPP/5RK1 b - - 1 23",
    "1r3k2/4q3/2Pp3b/3Bp3/2Q2p2/1p1P2P1/1P2KP2/3N4 w - - 0 1",
    "6k1/5ppp/3r4/8/1P6/8/5PPP/1R4K1 w - - 0 30",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/5pk1/4p1p1/3bP2p/1P3P1P/4K1P1/3B4/8 b - - 11 50",
    "8/1p3pp1/7p/5P1P/2k3P1/8/2K2P2/8 w - - 0 1",
    "8/pp2r1k1/2p1p3/3pP2p/1P1P1P1P/P5KR/8/8 w - - 0 1",
    "8/3k4/p6Q/pq6/3p4/1P6/P3p1P1/6K1 w - - 0 1",
    "8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1",
    "4k3/3q1r2/1N2r1b1/3ppN2/2nPP3/1B1R2n1/2R1Q3/3K4 w - - 5 1",
    "3b4/p3P1q1/P1n2pr1/4p3/2B1n1Pk/1P1NP1p1/5p2/5K2 w - - 0 1",
    "8/8/1P6/5pr1/8/4R3/7k/2K5 w - - 0 1",
    "8/2p4P/8/kr6/6R1/8/8/1K6 w - - 0 1",
    "1k6/1p6/1P6/8/8/8/5R2/6K1 w - - 0 1",
    "8/8/8/4k3/8/8/3Q4/4K3 w - - 0 1",
    "8/8/4k3/8/8/2BN4/4K3/8 w - - 9 80",
    "6k1/3b3r/1p1p4/p1n2p2/1PPNpP1q/P3Q1p1/1R1RB1P1/5K2 b - - 0 1",
    "r1b1k2r/ppppnppp/2n2q2/2b5/3NP3/2P1B3/PP3PPP/RN1QKB1R w KQkq - 0 1",
    "1rbq1rk1/p1b1nppp/1p2p3/8/1B1pN3/P2B4/1P3PPP/2RQ1R1K w - - 0 1",
    "5k2/8/5K2/5P2/8/8/8/8 b - - 0 1",
    "7k/5Q2/8/8/8/8/8/K7 b - - 0 1",
    "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "1r2k2r/8/8/8/8/8/8/1R2K2R w KQkq - 0 1",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::nnue::Kernel;

    /// Lines of a depth and its node count. A change of the search or the evaluation changes the file in the same
    /// commit; anything else that changes a count is a bug.
    const SIGNATURE: &str = include_str!("../../tests/data/bench.txt");

    /// Deeper counts are checked by optimised tests alone, since they would take others too long.
    const DEPTH_FOR_ALL: u32 = 6;

    #[test]
    fn the_signature_is_the_known_one() {
        for line in SIGNATURE.lines() {
            let (depth, nodes) = line.split_once(' ').unwrap();
            let depth: u32 = depth.parse().unwrap();
            if depth <= DEPTH_FOR_ALL || !cfg!(debug_assertions) {
                assert_eq!(
                    run(depth, 1, Evaluation::default()).nodes,
                    nodes.parse::<u64>().unwrap(),
                    "at depth {depth}"
                );
            }
        }
    }

    #[test]
    fn every_run_visits_the_same_positions() {
        let again = || run(3, 1, Evaluation::default()).nodes;
        assert_eq!(again(), again());
    }

    #[test]
    fn every_kernel_visits_the_same_positions() {
        let nodes = |kernel| run(4, 1, Evaluation::embedded().on(kernel)).nodes;
        let plain = nodes(Kernel::Plain);
        for kernel in Kernel::available() {
            assert_eq!(nodes(kernel), plain, "{kernel}");
        }
    }

    #[test]
    fn more_threads_search_to_the_same_depth() {
        let nodes = |depth, threads| run(depth, threads, Evaluation::default()).nodes;
        assert!(nodes(3, 2) >= nodes(2, 1));
    }

    #[test]
    fn the_positions_are_legal_and_as_many_as_promised() {
        assert_eq!(POSITIONS.len(), 40);
        for fen in POSITIONS {
            assert!(Position::from_fen(fen).is_ok(), "{fen}");
        }
    }
}
