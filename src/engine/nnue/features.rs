//! What the network sees of a position: for each side and each piece, one feature of some hundreds.

use crate::chess::{Bitboard, Color, Position, Role, Rules, Square};

/// Features for one place of the own king: two colours, six roles, 64 squares.
pub(crate) const FEATURES: usize = 2 * 6 * 64;

/// King buckets and output buckets that a network may have.
pub(crate) const MOST_BUCKETS: usize = 32;

/// The shape of a network: features, hidden values of a side, outputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Architecture {
    /// Hidden values of each side: a multiple of 32.
    pub(crate) hidden: usize,
    /// The board is mirrored so that the own king stands on the files a to d.
    pub(crate) mirrored: bool,
    /// Which set of features is used, by the square of the own king as its side sees it (after mirroring).
    pub(crate) king_buckets: [u8; 64],
    /// Outputs, of which one is used by the number of pieces on the board.
    pub(crate) outputs: usize,
}

impl Architecture {
    /// The simplest shape: one set of features, one output.
    pub(crate) fn plain(hidden: usize) -> Architecture {
        Architecture { hidden, mirrored: false, king_buckets: [0; 64], outputs: 1 }
    }

    /// How many sets of features there are.
    pub(crate) fn sets(&self) -> usize {
        1 + usize::from(self.king_buckets.into_iter().max().unwrap_or_default())
    }

    /// Features in all.
    pub(crate) fn features(&self) -> usize {
        self.sets() * FEATURES
    }

    /// Which output a position with so many pieces uses: equal ranges of 2 to 32 pieces.
    pub(crate) fn output(&self, pieces: usize) -> usize {
        let width = 32_usize.div_ceil(self.outputs);
        (pieces.clamp(1, 32) - 1) / width
    }

    /// How a side with its king there sees the board.
    pub(crate) fn view(&self, king: Square, side: Color) -> View {
        let rank_flip = if side == Color::White { 0 } else { 56 };
        let king = king.index() ^ rank_flip;
        let file_flip = if self.mirrored && king & 7 >= 4 { 7 } else { 0 };
        View { set: self.king_buckets[king ^ file_flip], flip: (rank_flip | file_flip) as u8, side }
    }
}

/// How a side sees the board: features of different views have nothing to do with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct View {
    set: u8,
    /// What is done to the number of a square.
    flip: u8,
    side: Color,
}

impl View {
    /// The number of views that a side may have: by set, mirrored or not.
    pub(crate) const MOST: usize = 2 * MOST_BUCKETS;

    /// Its number among those of its side.
    pub(crate) fn index(self) -> usize {
        usize::from(self.set) * 2 + usize::from(self.flip & 1)
    }

    /// The feature of a piece.
    pub(crate) fn feature(self, color: Color, role: Role, square: Square) -> usize {
        let color = if color == self.side { 0 } else { 6 };
        let square = square.index() ^ usize::from(self.flip);
        (usize::from(self.set) * 12 + color + role.index()) * 64 + square
    }
}

/// Where the pieces stand, by colour and role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Board([Bitboard; 12]);

impl Board {
    /// No pieces at all.
    pub(crate) const EMPTY: Board = Board([Bitboard::EMPTY; 12]);

    /// The pieces of a position.
    pub(crate) fn of<R: Rules>(position: &Position<R>) -> Board {
        let mut sets = [Bitboard::EMPTY; 12];
        for (color, half) in Color::ALL.into_iter().zip(sets.chunks_exact_mut(6)) {
            for (role, set) in Role::ALL.into_iter().zip(half) {
                *set = position.pieces(color, role);
            }
        }
        Board(sets)
    }

    /// On how many squares, counted by piece, the two differ.
    pub(crate) fn distance(&self, other: &Board) -> u32 {
        self.0.iter().zip(&other.0).map(|(a, b)| (a.0 ^ b.0).count_ones()).sum()
    }

    /// Calls `changed` with each feature that this board has and `before` has not (`true`), or the other way round.
    pub(crate) fn changes(&self, before: &Board, view: View, mut changed: impl FnMut(usize, bool)) {
        for (index, (now, then)) in self.0.iter().zip(&before.0).enumerate() {
            let differ = Bitboard(now.0 ^ then.0);
            if differ.is_empty() {
                continue;
            }
            let (color, role) = (Color::ALL[index / 6], Role::ALL[index % 6]);
            for square in differ {
                changed(view.feature(color, role, square), now.contains(square));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(architecture: &Architecture, fen: &str, side: Color) -> Vec<usize> {
        let position = Position::from_fen(fen).unwrap();
        let view = architecture.view(position.king(side), side);
        let mut features = Vec::new();
        Board::of(&position).changes(&Board::EMPTY, view, |feature, added| {
            assert!(added);
            features.push(feature);
        });
        features.sort_unstable();
        features
    }

    /// Own king, own pawn, other king, by hand: `(colour * 6 + role) * 64 + square`.
    #[test]
    fn features_are_those_of_the_file_format() {
        let plain = Architecture::plain(32);
        let fen = "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1";
        let (own_pawn, own_king, other_king) = (11, 5 * 64 + 4, 11 * 64 + 60);
        assert_eq!(features(&plain, fen, Color::White), [own_pawn, own_king, other_king]);
        let (own_king, other_pawn, other_king) = (5 * 64 + 4, 6 * 64 + 51, 11 * 64 + 60);
        assert_eq!(features(&plain, fen, Color::Black), [own_king, other_pawn, other_king]);
        let mirrored = Architecture { mirrored: true, ..plain };
        let (own_pawn, own_king, other_king) = (12, 5 * 64 + 3, 11 * 64 + 59);
        assert_eq!(features(&mirrored, fen, Color::White), [own_pawn, own_king, other_king]);
    }

    #[test]
    fn what_is_mirrored_looks_the_same() {
        let mut king_buckets = [0; 64];
        king_buckets.iter_mut().enumerate().for_each(|(square, bucket)| *bucket = (square / 16) as u8);
        let architecture = Architecture { mirrored: true, king_buckets, ..Architecture::plain(32) };
        let left = features(&architecture, "2k5/p7/8/8/3N4/8/1P6/3K4 w - - 0 1", Color::White);
        let right = features(&architecture, "5k2/7p/8/8/4N3/8/6P1/4K3 w - - 0 1", Color::White);
        assert_eq!(left, right);
        let turned = features(&architecture, "3k4/1p6/8/3n4/8/8/P7/2K5 b - - 0 1", Color::Black);
        assert_eq!(left, turned);
    }

    #[test]
    fn outputs_share_the_numbers_of_pieces_evenly() {
        let architecture = Architecture { outputs: 8, ..Architecture::plain(32) };
        let outputs: Vec<usize> = (1..=32).map(|pieces| architecture.output(pieces)).collect();
        assert_eq!(outputs, (0..8).flat_map(|output| [output; 4]).collect::<Vec<_>>());
        assert!((0..=40).all(|pieces| Architecture::plain(32).output(pieces) == 0));
    }
}
