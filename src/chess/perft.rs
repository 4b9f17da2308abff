//! Counts the leaves of the tree of legal moves: the standard check of a move generator.

use super::Position;

/// The number of move sequences of exactly `depth` plies.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.legal_moves().len() as u64,
        _ => position.legal_moves().into_iter().map(|mv| perft(&position.after(mv), depth - 1)).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts from <https://www.chessprogramming.org/Perft_Results>, recomputed with Stockfish 15.1.
    #[test]
    fn well_known_counts() {
        for (fen, depth, nodes) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4, 197_281),
            ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97_862),
            ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674_624),
            ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 422_333),
            ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3, 62_379),
            ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 4, 326_672),
        ] {
            assert_eq!(perft(&Position::from_fen(fen).unwrap(), depth), nodes, "{fen}");
        }
    }
}
