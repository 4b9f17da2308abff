//! Positions to learn from: taken from games, filtered, and packed so that tens of millions fit into memory.

use arrayvec::ArrayVec;

use super::games::Game;
use crate::chess::{Bitboard, Color, Position, Role, Square};
use crate::engine::training::{Architecture, is_quiet};

/// A position as the mover sees it: the mover is White, at the lower edge of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sample {
    occupied: u64,
    /// Four bits for each occupied square from a1 on: the role, and 8 for the other side.
    pieces: [u8; 16],
    /// What the search found it worth to the mover, in centipawns.
    pub(crate) score: i16,
    /// The mover's half points.
    pub(crate) result: u8,
    kings: [u8; 2],
}

/// The features of a position for the mover and for the other side.
pub(crate) type Features = [ArrayVec<u32, 32>; 2];

/// Positions in which a side is further ahead, in centipawns, teach nothing.
const MOST_SCORE: i16 = 8000;

/// Positions with fewer pieces are for the tables of endings.
const FEWEST_PIECES: u32 = 5;

impl Sample {
    /// The position with its score for White.
    pub(crate) fn new(position: &Position, score: i16, result: u8) -> Sample {
        let us = position.turn();
        let flip = if us == Color::White { 0 } else { 56 };
        let seen = |set: Bitboard| if us == Color::White { set.0 } else { set.0.swap_bytes() };
        let occupied = seen(position.occupied());
        let mut pieces = [0; 16];
        for (i, square) in Bitboard(occupied).into_iter().enumerate() {
            let real = Square::from_index(square.index() ^ flip);
            let role = position.role_at(real).map_or(0, Role::index) as u8;
            let side = u8::from(!position.colored(us).contains(real)) * 8;
            pieces[i / 2] |= (role | side) << (i % 2 * 4);
        }
        let (score, result) = if us == Color::White { (score, result) } else { (-score, 2 - result) };
        let king = |side| (position.king(side).index() ^ flip) as u8;
        Sample { occupied, pieces, score, result, kings: [king(us), king(!us)] }
    }

    /// All that it holds.
    pub(crate) fn bytes(&self) -> [u8; 29] {
        let mut bytes = [0; 29];
        bytes[..8].copy_from_slice(&self.occupied.to_le_bytes());
        bytes[8..24].copy_from_slice(&self.pieces);
        bytes[24..26].copy_from_slice(&self.score.to_le_bytes());
        bytes[26] = self.result;
        bytes[27..].copy_from_slice(&self.kings);
        bytes
    }

    /// How many pieces there are.
    pub(crate) fn count(&self) -> usize {
        self.occupied.count_ones() as usize
    }

    /// The features, of the board or of its mirror image.
    pub(crate) fn features(&self, architecture: &Architecture, mirrored: bool) -> Features {
        let mirror = if mirrored { 7 } else { 0 };
        let at = |square: usize| Square::from_index(square ^ mirror);
        let [ours, theirs] = self.kings.map(|king| at(king.into()));
        let views = [architecture.view(ours, Color::White), architecture.view(theirs, Color::Black)];
        let mut features = Features::default();
        for (i, square) in Bitboard(self.occupied).into_iter().enumerate() {
            let piece = usize::from(self.pieces[i / 2] >> (i % 2 * 4) & 15);
            let (color, role) = (Color::ALL[piece / 8], Role::ALL[piece % 8]);
            for (features, view) in features.iter_mut().zip(views) {
                features.push(view.feature(color, role, at(square.index())) as u32);
            }
        }
        features
    }
}

impl Game {
    /// The positions that are worth learning from: the mover is not in check, and its move neither captures nor promotes,
    /// so that the score is that of the position itself; nobody is far ahead; each once.
    pub(crate) fn samples(&self, mut take: impl FnMut(&Position, i16)) {
        let mut position = self.start.clone();
        let mut seen = Vec::with_capacity(self.moves.len());
        for (mv, score) in &self.moves {
            let enough = position.occupied().count() >= FEWEST_PIECES && score.abs() <= MOST_SCORE;
            if is_quiet(&position, *mv) && enough && !seen.contains(&position.key()) {
                seen.push(position.key());
                take(&position, *score);
            }
            position.play(*mv);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(fen: &str, score: i16, result: u8) -> Sample {
        Sample::new(&Position::from_fen(fen).unwrap(), score, result)
    }

    #[test]
    fn samples_are_seen_by_the_mover() {
        let white = sample("r3k3/8/8/3p4/8/8/4PP2/4K2R w - - 0 1", 30, 2);
        let black = sample("4k2r/4pp2/8/8/3P4/8/8/R3K3 b - - 0 1", -30, 0);
        assert_eq!(white, black);
        assert_eq!((white.score, white.result, white.count()), (30, 2, 7));
    }

    #[test]
    fn features_are_those_of_the_board() {
        let architecture = Architecture::plain(32);
        let fen = "r3k3/8/8/3p4/8/8/4PP2/4K2R b - - 0 1";
        let position = Position::from_fen(fen).unwrap();
        let [ours, theirs] = sample(fen, 0, 1).features(&architecture, false);
        for (side, mut features) in [(Color::Black, ours), (Color::White, theirs)] {
            let view = architecture.view(position.king(side), side);
            let mut expected: Vec<u32> = position
                .occupied()
                .into_iter()
                .filter_map(|square| Some((position.piece_at(square)?, square)))
                .map(|(piece, square)| view.feature(piece.color, piece.role, square) as u32)
                .collect();
            expected.sort_unstable();
            features.sort_unstable();
            assert_eq!(features[..], expected[..], "{side:?}");
        }
    }

    #[test]
    fn a_mirrored_sample_is_that_of_the_mirror_image() {
        let architecture = Architecture::plain(32);
        let mut here = sample("r3k3/8/8/3p4/8/8/4PP2/4K2R w - - 0 1", 0, 1).features(&architecture, true);
        let mut there = sample("3k3r/8/8/4p3/8/8/2PP4/R2K4 w - - 0 1", 0, 1).features(&architecture, false);
        for features in here.iter_mut().chain(&mut there) {
            features.sort_unstable();
        }
        assert_eq!(here, there);
    }
}
