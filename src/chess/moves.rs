//! A move in sixteen bits, and a list of moves that needs no heap.

use std::fmt;
use std::ops::Deref;

use super::{Role, Square};

/// A move: from, to and a kind. Castling is stored as the king taking its own rook, whatever the spelling was.
///
/// A `Move` says nothing without the [`Position`](super::Position) it belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u16);

const CASTLING: u16 = 1 << 12;
const EN_PASSANT: u16 = 2 << 12;
/// Kinds 4 to 7: promotion to knight, bishop, rook, queen.
const PROMOTION: u16 = 4 << 12;

impl Move {
    /// A plain move or capture.
    pub(crate) const fn plain(from: Square, to: Square) -> Move {
        Move(from.index() as u16 | (to.index() as u16) << 6)
    }

    pub(crate) const fn castling(king: Square, rook: Square) -> Move {
        Move(Move::plain(king, rook).0 | CASTLING)
    }

    pub(crate) const fn en_passant(from: Square, to: Square) -> Move {
        Move(Move::plain(from, to).0 | EN_PASSANT)
    }

    /// `role` is a knight, bishop, rook or queen.
    pub(crate) const fn promoting(from: Square, to: Square, role: Role) -> Move {
        Move(Move::plain(from, to).0 | PROMOTION | (role.index() as u16 - 1) << 12)
    }

    /// Where the piece comes from.
    pub const fn from(self) -> Square {
        Square::from_index((self.0 & 63) as usize)
    }

    /// Where the piece goes; the square of the rook when castling.
    pub const fn to(self) -> Square {
        Square::from_index((self.0 >> 6 & 63) as usize)
    }

    /// What a pawn becomes.
    pub const fn promotion(self) -> Option<Role> {
        match self.0 >> 12 {
            4 => Some(Role::Knight),
            5 => Some(Role::Bishop),
            6 => Some(Role::Rook),
            7 => Some(Role::Queen),
            _ => None,
        }
    }

    /// Whether the king castles.
    pub const fn is_castling(self) -> bool {
        self.0 >> 12 == CASTLING >> 12
    }

    /// Whether a pawn captures in passing.
    pub const fn is_en_passant(self) -> bool {
        self.0 >> 12 == EN_PASSANT >> 12
    }

    /// Where the moved piece stands afterwards: the king's castling square, else [`to`](Move::to).
    pub const fn destination(self) -> Square {
        if !self.is_castling() {
            return self.to();
        }
        Square::new(if self.to().file() > self.from().file() { 6 } else { 2 }, self.from().rank())
    }

    /// The sixteen bits, never 0 for a real move (a1a1 is none).
    pub const fn raw(self) -> u16 {
        self.0
    }

    /// The move of sixteen bits, if they have the shape of one. Whether it is legal only a position can tell.
    pub const fn from_raw(raw: u16) -> Option<Move> {
        let kind = raw >> 12;
        if raw & 63 == raw >> 6 & 63 || kind == 3 || kind > 7 { None } else { Some(Move(raw)) }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(role) => write!(f, "{}", role.to_char()),
            None => Ok(()),
        }
    }
}

/// The moves of one position, on the stack.
///
/// No position of a game has more than 218 moves; of those set up for tests with more pieces than a game can have, the
/// richest known has 270.
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; MoveList::CAPACITY],
    len: usize,
}

impl MoveList {
    const CAPACITY: usize = 288;

    pub(crate) const fn new() -> MoveList {
        MoveList { moves: [Move(0); MoveList::CAPACITY], len: 0 }
    }

    pub(crate) fn push(&mut self, mv: Move) {
        debug_assert!(self.len < MoveList::CAPACITY, "more moves than any known position has");
        if let Some(free) = self.moves.get_mut(self.len) {
            *free = mv;
            self.len += 1;
        }
    }
}

impl Deref for MoveList {
    type Target = [Move];

    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = Move;
    type IntoIter = std::iter::Copied<std::slice::Iter<'a, Move>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter().copied()
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = std::iter::Take<std::array::IntoIter<Move, { MoveList::CAPACITY }>>;

    fn into_iter(self) -> Self::IntoIter {
        self.moves.into_iter().take(self.len)
    }
}
