//! The random numbers whose exclusive-or identifies a position (Zobrist 1970).
//!
//! A position's key covers placement, side to move, castling rights (by rook square, so that Chess960 needs no
//! special case) and the file of an en passant capture, the last only when such a capture is legal.

use super::{Color, Role, Square};

const PIECES: usize = 2 * 6 * 64;

static KEYS: [u64; PIECES + 64 + 8 + 1] = random();

pub(super) fn piece(color: Color, role: Role, square: Square) -> u64 {
    KEYS[(color.index() * 6 + role.index()) * 64 + square.index()]
}

pub(super) fn castling(rook: Square) -> u64 {
    KEYS[PIECES + rook.index()]
}

pub(super) fn en_passant(file: u8) -> u64 {
    KEYS[PIECES + 64 + file as usize]
}

/// Part of the key while Black is to move.
pub(super) fn black_to_move() -> u64 {
    KEYS[PIECES + 64 + 8]
}

/// SplitMix64 (Steele, Lea, Flood 2014) from a fixed seed.
const fn random() -> [u64; PIECES + 64 + 8 + 1] {
    let mut keys = [0; PIECES + 64 + 8 + 1];
    let mut state: u64 = 0x526f_6f6b_6572_7921;
    let mut index = 0;
    while index < keys.len() {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        keys[index] = mixed ^ (mixed >> 31);
        index += 1;
    }
    keys
}
