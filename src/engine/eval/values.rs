//! What the evaluation weighs, in centipawns (a pair is middlegame, endgame): the numbers.
//!
//! The placement tables follow from a few ideas (pieces like the centre, pawns like to advance, a king hides until
//! the pieces are gone) written as formulas, so that they are small, symmetric and can be reasoned about.

use super::taper::{Taper, t};
use super::weights::{KingWeights, Weights};

pub(super) static WEIGHTS: Weights = Weights {
    material: [t(88, 112), t(345, 330), t(360, 350), t(485, 590), t(1040, 1100), t(0, 0)],
    placement: placement(),
    knight_mobility: curve::<9>(t(-46, -60), t(26, 24)),
    bishop_mobility: curve::<14>(t(-40, -52), t(38, 42)),
    rook_mobility: curve::<15>(t(-34, -64), t(22, 60)),
    queen_mobility: curve::<28>(t(-28, -60), t(26, 62)),
    bishop_pair: t(26, 52),
    bishop_pawns: t(-2, -5),
    knight_outpost: t(28, 20),
    bishop_outpost: t(22, 8),
    minor_behind_pawn: t(8, 4),
    rook_open: t(34, 8),
    rook_half_open: t(14, 8),
    isolated: t(-10, -13),
    doubled: t(-6, -18),
    backward: t(-9, -13),
    connected: [t(0, 0), t(3, 0), t(6, 3), t(9, 6), t(18, 18), t(40, 45), t(70, 80), t(0, 0)],
    passed: [t(0, 0), t(-4, 10), t(-6, 14), t(-2, 34), t(24, 62), t(54, 116), t(90, 180), t(0, 0)],
    passed_free: [t(0, 0), t(0, 2), t(0, 4), t(2, 8), t(4, 16), t(10, 30), t(18, 54), t(0, 0)],
    passed_safe: [t(0, 0), t(0, 2), t(0, 4), t(0, 8), t(4, 16), t(10, 36), t(20, 60), t(0, 0)],
    passed_own_king: [t(0, 0), t(0, -1), t(0, -2), t(0, -4), t(0, -7), t(0, -10), t(0, -12), t(0, 0)],
    passed_enemy_king: [t(0, 0), t(0, 1), t(0, 3), t(0, 7), t(0, 12), t(0, 18), t(0, 22), t(0, 0)],
    shelter: [
        [t(-6, 0), t(16, 0), t(20, 0), t(6, 0), t(2, 0), t(0, 0), t(0, 0), t(0, 0)],
        [t(-24, 0), t(26, 0), t(14, 0), t(-8, 0), t(-6, 0), t(-4, 0), t(-4, 0), t(0, 0)],
        [t(-18, 0), t(28, 0), t(12, 0), t(-2, 0), t(-2, 0), t(-2, 0), t(-2, 0), t(0, 0)],
        [t(-20, 0), t(14, 0), t(6, 0), t(-8, 0), t(-8, 0), t(-6, 0), t(-6, 0), t(0, 0)],
    ],
    storm: [
        [t(-2, 0), t(10, 0), t(-30, 0), t(-24, 0), t(-10, 0), t(-4, 0), t(0, 0), t(0, 0)],
        [t(0, 0), t(0, 0), t(-14, -8), t(-4, -4), t(-2, -2), t(0, 0), t(0, 0), t(0, 0)],
    ],
    threat_by_pawn: [t(0, 0), t(62, 30), t(60, 40), t(78, 20), t(70, 18), t(0, 0)],
    threat_by_minor: [t(4, 14), t(22, 24), t(26, 28), t(48, 20), t(42, 30), t(0, 0)],
    threat_by_rook: [t(0, 14), t(18, 26), t(22, 26), t(2, 10), t(46, 20), t(0, 0)],
    threat_by_king: t(10, 34),
    hanging: t(30, 16),
    pawn_push_threat: t(16, 14),
    space: t(2, 0),
    king: KingWeights {
        attacker: [0, 34, 24, 26, 16, 0],
        attack: 22,
        weak_square: 52,
        safe_check: [0, 224, 170, 300, 216, 0],
        unsafe_check: 32,
        no_queen: 240,
        pinned: 28,
        knight_defends: 28,
        base: -16,
        shelter: 35,
        divisor: 1250,
        eg_divisor: 16,
    },
    tempo: t(16, 12),
};

/// A mobility curve of `N` steps: it rises steeply at first and flattens, since the third square matters more than
/// the tenth.
const fn curve<const N: usize>(low: Taper, high: Taper) -> [Taper; N] {
    let mut table = [Taper::ZERO; N];
    let last = N as i32 - 1;
    let mut i = 0;
    while i < N {
        // 1 - (1 - x)^2 of the range from low to high, in integers.
        let left = last - i as i32;
        let part = last * last - left * left;
        let mg = low.mg() + (high.mg() - low.mg()) * part / (last * last);
        let eg = low.eg() + (high.eg() - low.eg()) * part / (last * last);
        table[i] = t(mg, eg);
        i += 1;
    }
    table
}

/// How near the middle a file or rank is: 0 at the edge, 3 in the middle.
const fn inner(n: usize) -> i32 {
    (if n < 4 { n } else { 7 - n }) as i32
}

const fn placement() -> [[Taper; 64]; 6] {
    let mut table = [[Taper::ZERO; 64]; 6];
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square % 8, square / 8);
        table[0][square] = pawn(file, rank);
        table[1][square] = knight(file, rank);
        table[2][square] = bishop(file, rank);
        table[3][square] = rook(file, rank);
        table[4][square] = queen(file, rank);
        table[5][square] = king(file, rank);
        square += 1;
    }
    table
}

const fn pawn(file: usize, rank: usize) -> Taper {
    if rank == 0 || rank == 7 {
        return Taper::ZERO;
    }
    let centre = inner(file);
    let advance = rank as i32 - 1;
    // Centre pawns are for the fourth rank; wing pawns stay at home while there is a king to shelter.
    let mg = match rank {
        1 => [2, 6, -4, -12][centre as usize],
        2 => [-4, 0, 4, 6][centre as usize],
        3 => [-6, -4, 10, 22][centre as usize],
        4 => [-2, 4, 12, 24][centre as usize],
        5 => [8, 16, 28, 32][centre as usize],
        _ => [50, 60, 60, 64][centre as usize],
    };
    let eg = advance * advance * 2 - advance - 2 * centre + 2;
    t(mg, eg)
}

const fn knight(file: usize, rank: usize) -> Taper {
    let centre = inner(file) + inner(rank);
    let mg = -48 + 16 * centre - centre * centre + if rank >= 3 && rank <= 5 { 10 } else { 0 };
    let corner = if centre == 0 { -40 } else { 0 };
    let deep = if rank == 7 { -10 } else { 0 };
    t(mg + corner + deep, -44 + 14 * centre - centre * centre + corner / 2)
}

const fn bishop(file: usize, rank: usize) -> Taper {
    let centre = inner(file) + inner(rank);
    // On the long diagonals a bishop sees both wings, from its fianchetto square too.
    let long = if file == rank || file + rank == 7 { 8 } else { 0 };
    let home = if rank == 0 { -12 } else { 0 };
    let far = if rank == 7 { -14 } else { 0 };
    t(-16 + 5 * centre + long + home + far, -14 + 4 * centre)
}

const fn rook(file: usize, rank: usize) -> Taper {
    let seventh = if rank == 6 { 14 } else { 0 };
    let low = if rank >= 1 && rank <= 3 { -8 } else { 0 };
    let eg = match rank {
        0 => -8,
        1 | 2 => -4,
        3 => 2,
        _ => 8,
    };
    t(-12 + 5 * inner(file) + seventh + low, eg + seventh / 2)
}

const fn queen(file: usize, rank: usize) -> Taper {
    let centre = inner(file) + inner(rank);
    // An early sortie invites attacks; in the endgame the centre is hers.
    let back = if rank == 0 { -4 } else { 0 };
    t(-6 + 3 * centre + back, -36 + 12 * centre)
}

const fn king(file: usize, rank: usize) -> Taper {
    let centre = inner(file) + inner(rank);
    // Castled on either wing, away from the middle, and not wandering.
    let shelter = match file {
        0 | 7 => 10,
        1 | 6 => 26,
        2 => 8,
        5 => -10,
        _ => -16,
    };
    let wander = match rank {
        0 => 0,
        1 => -18,
        2 => -44,
        _ => -64,
    };
    let edge = if rank == 0 { -10 } else { 0 };
    t(shelter + wander, -44 + 17 * centre - centre * centre / 2 + edge)
}
