//! Pawn structure: what depends on the pawns alone, remembered by their key, and the sets it is built from.

use super::taper::Taper;
use super::weights::weights;
use crate::chess::{Bitboard, Color, Position, Role, Rules, Square};

/// What is known of one pawn structure.
#[derive(Clone, Copy)]
pub(super) struct PawnEntry {
    key: u64,
    /// White's value minus Black's, with the pawns' material and placement.
    pub(super) score: Taper,
    pub(super) passed: Bitboard,
    /// Squares that a pawn of the colour attacks or may come to attack by advancing.
    pub(super) spans: [Bitboard; 2],
}

/// Remembers pawn structures; each search thread has its own.
pub(crate) struct PawnCache {
    entries: Box<[PawnEntry]>,
}

/// Structures that a thread remembers: about 200 KiB, which stays in the second-level cache.
const ENTRIES: usize = 4096;

impl PawnCache {
    pub(crate) fn new() -> PawnCache {
        // No pawns at all has key 0 and is worth nothing, so the empty entry is a true one.
        let empty =
            PawnEntry { key: 0, score: Taper::ZERO, passed: Bitboard::EMPTY, spans: [Bitboard::EMPTY; 2] };
        PawnCache { entries: vec![empty; ENTRIES].into_boxed_slice() }
    }

    pub(super) fn get<R: Rules>(&mut self, position: &Position<R>) -> PawnEntry {
        let key = position.pawn_key();
        let entry = &mut self.entries[key as usize % ENTRIES];
        if entry.key != key {
            *entry = analyse(position);
        }
        *entry
    }
}

/// Looks at a pawn structure anew.
pub(super) fn analyse<R: Rules>(position: &Position<R>) -> PawnEntry {
    let pawns = Color::ALL.map(|color| position.pieces(color, Role::Pawn));
    let attacks = Color::ALL.map(|color| attacks_of(pawns[color.index()], color));
    let spans = Color::ALL.map(|color| fill(attacks[color.index()], color));
    let mut entry =
        PawnEntry { key: position.pawn_key(), score: Taper::ZERO, passed: Bitboard::EMPTY, spans };
    for us in Color::ALL {
        let (own, enemy) = (pawns[us.index()], pawns[1 - us.index()]);
        // No enemy pawn before it on three files, no own pawn before it on its file.
        let ahead_of_enemy = fill(enemy.forward(!us), !us) | spans[1 - us.index()];
        let behind_own = fill(own.forward(!us), !us);
        let passed = own & !ahead_of_enemy & !behind_own;
        entry.passed |= passed;
        let score = structure(us, own, enemy) + placement(us, own);
        entry.score += if us == Color::White { score } else { -score };
    }
    entry
}

fn placement(us: Color, own: Bitboard) -> Taper {
    let mut score = weights().material[Role::Pawn.index()] * own.count() as i32;
    for square in own {
        score += weights().placement[Role::Pawn.index()][relative(square, us).index()];
    }
    score
}

fn structure(us: Color, own: Bitboard, enemy: Bitboard) -> Taper {
    let support = attacks_of(own, us);
    let neighbours = beside(own);
    let isolated = own & !beside(files_of(own));
    // A pawn behind another own one on the same file.
    let doubled = own & fill(own.forward(!us), !us);
    // It cannot step forward safely, and no own pawn can come to help.
    let stops = own.forward(us) & attacks_of(enemy, !us) & !fill(support, us);
    let backward = stops.forward(!us) & own & !isolated;
    let mut score = weights().isolated * isolated.count() as i32
        + weights().doubled * doubled.count() as i32
        + weights().backward * backward.count() as i32;
    for square in own & (support | neighbours) {
        score += weights().connected[usize::from(relative(square, us).rank())];
    }
    score
}

/// The square as `us` would see it with White's eyes.
pub(super) fn relative(square: Square, us: Color) -> Square {
    match us {
        Color::White => square,
        Color::Black => square.flip(),
    }
}

/// The squares on the left and on the right of a set.
fn beside(set: Bitboard) -> Bitboard {
    let (a, h) = (Bitboard::file(0), Bitboard::file(7));
    Bitboard((set & !a).0 >> 1 | (set & !h).0 << 1)
}

/// All squares that pawns of `color` on `set` attack.
pub(crate) fn attacks_of(set: Bitboard, color: Color) -> Bitboard {
    beside(set.forward(color))
}

/// All squares that two pawns of `color` on `set` attack.
pub(super) fn double_attacks_of(set: Bitboard, color: Color) -> Bitboard {
    let (a, h) = (Bitboard::file(0), Bitboard::file(7));
    let forward = set.forward(color);
    Bitboard((forward & !a).0 >> 1 & (forward & !h).0 << 1)
}

/// The set and everything before it as `color` plays.
pub(super) fn fill(set: Bitboard, color: Color) -> Bitboard {
    let mut set = set.0;
    match color {
        Color::White => {
            set |= set << 8;
            set |= set << 16;
            set |= set << 32;
        }
        Color::Black => {
            set |= set >> 8;
            set |= set >> 16;
            set |= set >> 32;
        }
    }
    Bitboard(set)
}

/// All squares of the files of a set.
fn files_of(set: Bitboard) -> Bitboard {
    fill(fill(set, Color::White), Color::Black)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passed(fen: &str) -> Vec<String> {
        let position = Position::from_fen(fen).unwrap();
        PawnCache::new().get(&position).passed.into_iter().map(|square| square.to_string()).collect()
    }

    #[test]
    fn passed_pawns_are_found() {
        assert_eq!(passed("4k3/8/8/3p4/8/8/P2P4/4K3 w - - 0 1"), ["a2"]);
        assert_eq!(passed("4k3/2p5/8/8/8/8/1P2P3/4K3 w - - 0 1"), ["e2"]);
        assert_eq!(passed("4k3/8/8/4P3/4P3/8/p7/4K3 w - - 0 1"), ["a2", "e5"]);
    }

    #[test]
    fn a_remembered_structure_is_the_same() {
        let mut cache = PawnCache::new();
        let position =
            Position::from_fen("r1bqkb1r/pp3ppp/2np1n2/4p3/4P3/1NN5/PPP2PPP/R1BQKB1R w KQkq - 0 7").unwrap();
        let first = cache.get(&position).score;
        assert_eq!(cache.get(&position).score, first);
        assert_eq!(analyse(&position).score, first);
    }
}
