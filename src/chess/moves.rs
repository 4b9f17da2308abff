//! A move in sixteen bits, and a list of moves that needs no heap.

use std::fmt;
use std::ops::Deref;

use arrayvec::ArrayVec;

use super::{Role, Square};

/// A move: from, to and a kind. Castling is stored as the king taking its own rook, whatever the spelling was; a drop
/// (crazyhouse) goes from its square to itself.
///
/// A `Move` says nothing without the [`Position`](super::Position) it belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u16);

const CASTLING: u16 = 1 << 12;
const EN_PASSANT: u16 = 2 << 12;
/// Kinds 4 to 8: promotion to knight, bishop, rook, queen and, in antichess, king.
const PROMOTION: u16 = 4 << 12;
/// Kinds 9 to 13: drop of a pawn, knight, bishop, rook, queen.
const DROP: u16 = 9 << 12;

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

    /// `role` is anything but a pawn.
    pub(crate) const fn promoting(from: Square, to: Square, role: Role) -> Move {
        Move(Move::plain(from, to).0 | (PROMOTION + ((role.index() as u16 - 1) << 12)))
    }

    /// `role` is anything but a king.
    pub(crate) const fn dropping(role: Role, to: Square) -> Move {
        Move(Move::plain(to, to).0 | (DROP + ((role.index() as u16) << 12)))
    }

    /// Where the piece comes from; the square it is put on when it is dropped.
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
            8 => Some(Role::King),
            _ => None,
        }
    }

    /// What is put on the board from the pocket.
    pub const fn drop(self) -> Option<Role> {
        match self.0 >> 12 {
            9 => Some(Role::Pawn),
            10 => Some(Role::Knight),
            11 => Some(Role::Bishop),
            12 => Some(Role::Rook),
            13 => Some(Role::Queen),
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

    /// The sixteen bits, never 0 for a real move.
    pub const fn raw(self) -> u16 {
        self.0
    }

    /// The move of sixteen bits, if they have the shape of one. Whether it is legal only a position can tell.
    pub const fn from_raw(raw: u16) -> Option<Move> {
        let stays = raw & 63 == raw >> 6 & 63;
        match raw >> 12 {
            0..=2 | 4..=8 if !stays => Some(Move(raw)),
            9..=13 if stays => Some(Move(raw)),
            _ => None,
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(role) = self.drop() {
            return write!(f, "{}@{}", role.to_char().to_ascii_uppercase(), self.to());
        }
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(role) => write!(f, "{}", role.to_char()),
            None => Ok(()),
        }
    }
}

/// The moves of one position, on the stack.
///
/// No position of a game of standard chess has more than 218 moves; with every kind of piece in hand and an empty board
/// crazyhouse has some 330.
#[derive(Clone)]
pub struct MoveList(ArrayVec<Move, { MoveList::CAPACITY }>);

impl MoveList {
    const CAPACITY: usize = 512;

    pub(crate) fn new() -> MoveList {
        MoveList(ArrayVec::new_const())
    }

    pub(crate) fn push(&mut self, mv: Move) {
        let full = self.0.try_push(mv);
        debug_assert!(full.is_ok(), "more moves than any known position has");
    }
}

impl Deref for MoveList {
    type Target = [Move];

    fn deref(&self) -> &[Move] {
        &self.0
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
    type IntoIter = arrayvec::IntoIter<Move, { MoveList::CAPACITY }>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
