//! A set of squares as 64 bits, with the operations of sets.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use super::{Color, Square};

/// A set of squares; bit 0 is a1, bit 63 is h8.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// Every square.
    pub const ALL: Bitboard = Bitboard(!0);
    /// The dark squares, a1 among them.
    pub const DARK: Bitboard = Bitboard(0xaa55_aa55_aa55_aa55);
    /// The first and the eighth rank.
    pub const BACK_RANKS: Bitboard = Bitboard(0xff00_0000_0000_00ff);

    /// One square.
    pub const fn square(square: Square) -> Bitboard {
        Bitboard(1 << square.index())
    }

    /// The squares of a file, 0 to 7.
    pub const fn file(file: u8) -> Bitboard {
        Bitboard(0x0101_0101_0101_0101 << (file & 7))
    }

    /// The squares of a rank, 0 to 7.
    pub const fn rank(rank: u8) -> Bitboard {
        Bitboard(0xff << (8 * (rank & 7)))
    }

    /// Whether the square is in the set.
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 == 1
    }

    /// How many squares there are.
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is no square.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether there is a square.
    pub const fn has_any(self) -> bool {
        self.0 != 0
    }

    /// Whether there are two squares or more.
    pub const fn more_than_one(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The square nearest to a1, if any.
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::from_index(self.0.trailing_zeros() as usize)) }
    }

    /// The set moved one rank forward as `color` plays.
    pub const fn forward(self, color: Color) -> Bitboard {
        match color {
            Color::White => Bitboard(self.0 << 8),
            Color::Black => Bitboard(self.0 >> 8),
        }
    }
}

impl From<Square> for Bitboard {
    fn from(square: Square) -> Bitboard {
        Bitboard::square(square)
    }
}

macro_rules! set_operation {
    ($Op:ident $op:ident $Assign:ident $assign:ident) => {
        impl $Op for Bitboard {
            type Output = Bitboard;

            fn $op(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0.$op(other.0))
            }
        }

        impl $Assign for Bitboard {
            fn $assign(&mut self, other: Bitboard) {
                self.0.$assign(other.0);
            }
        }
    };
}

set_operation!(BitAnd bitand BitAndAssign bitand_assign);
set_operation!(BitOr bitor BitOrAssign bitor_assign);
set_operation!(BitXor bitxor BitXorAssign bitxor_assign);

impl Not for Bitboard {
    type Output = Bitboard;

    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

impl Iterator for Bitboard {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        let square = self.first()?;
        self.0 &= self.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count_ones() as usize;
        (count, Some(count))
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | square.into())
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}
