//! The random numbers whose exclusive-or identifies a position (Zobrist 1970).
//!
//! A position's key covers placement, side to move, castling rights (by rook square, so that Chess960 needs no
//! special case) and the file of an en passant capture, the last only when such a capture is legal; in the variants
//! also what is in hand, which pieces are promoted pawns, and the checks given.

use super::{Color, Role, Square};
use crate::splitmix::SplitMix;

const PIECES: usize = 2 * 6 * 64;

/// Nobody has more than sixteen pieces of one role in hand.
const POCKET: usize = 2 * 5 * 17;
const CASTLING: usize = PIECES;
const EN_PASSANT: usize = CASTLING + 64;
const TURN: usize = EN_PASSANT + 8;
const IN_HAND: usize = TURN + 1;
const PROMOTED: usize = IN_HAND + POCKET;
const CHECKS: usize = PROMOTED + 64;
const ALL: usize = CHECKS + 2 * 4;

static KEYS: [u64; ALL] = random();

pub(super) fn piece(color: Color, role: Role, square: Square) -> u64 {
    KEYS[(color.index() * 6 + role.index()) * 64 + square.index()]
}

pub(super) fn castling(rook: Square) -> u64 {
    KEYS[CASTLING + rook.index()]
}

pub(super) fn en_passant(file: u8) -> u64 {
    KEYS[EN_PASSANT + file as usize]
}

/// Part of the key while Black is to move.
pub(super) fn black_to_move() -> u64 {
    KEYS[TURN]
}

/// Part of the key of crazyhouse: so many pieces of a role in hand; nothing for none.
pub(super) fn pocket(color: Color, role: Role, count: u8) -> u64 {
    match count {
        0 => 0,
        _ => KEYS[IN_HAND + (color.index() * 5 + role.index() % 5) * 17 + usize::from(count.min(16))],
    }
}

/// Part of the key of crazyhouse: a promoted pawn.
pub(super) fn promoted(square: Square) -> u64 {
    KEYS[PROMOTED + square.index()]
}

/// Part of the key of three-check: so many checks given; nothing for none.
pub(super) fn checks(color: Color, given: u8) -> u64 {
    match given {
        0 => 0,
        _ => KEYS[CHECKS + color.index() * 4 + usize::from(given.min(3))],
    }
}

/// What a piece's step from one square to another changes in the key, the turn included.
pub(crate) fn step_key(color: Color, role: Role, from: Square, to: Square) -> u64 {
    piece(color, role, from) ^ piece(color, role, to) ^ black_to_move()
}

/// What the change of the turn changes in the key.
pub(crate) fn turn_key() -> u64 {
    black_to_move()
}

/// The same in every build.
const fn random() -> [u64; ALL] {
    let mut keys = [0; ALL];
    let mut numbers = SplitMix::new(0x526f_6f6b_6572_7921);
    let mut index = 0;
    while index < keys.len() {
        keys[index] = numbers.next();
        index += 1;
    }
    keys
}
