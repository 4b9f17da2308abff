//! Which squares a piece attacks, by constant tables and subtraction of bits.
//!
//! Sliding attacks use hyperbola quintessence (the o^(o-2r) trick, mirrored by a byte swap) on files and
//! diagonals and a 512-byte table on ranks: a few hundred bytes of tables that stay in the first-level cache, and
//! nothing to set up.

use super::{Bitboard, Color, Square};

static KNIGHT: [Bitboard; 64] =
    leaper([(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
static KING: [Bitboard; 64] = leaper([(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]);
static PAWN: [[Bitboard; 64]; 2] = [leaper([(-1, 1), (1, 1)]), leaper([(-1, -1), (1, -1)])];

static FILE: [Bitboard; 64] = lines(0, 1);
static RANK: [Bitboard; 64] = lines(1, 0);
static DIAGONAL: [Bitboard; 64] = lines(1, 1);
static ANTI_DIAGONAL: [Bitboard; 64] = lines(1, -1);
static RANK_ATTACKS: [[u8; 64]; 8] = rank_attacks();

static BETWEEN: [[Bitboard; 64]; 64] = pairs(false);
static LINE: [[Bitboard; 64]; 64] = pairs(true);

/// The squares a king attacks.
pub const fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// The squares a knight attacks.
pub const fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// The squares a pawn of the colour attacks.
pub const fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// The squares that pawns of the colour attack.
pub const fn pawns(color: Color, pawns: Bitboard) -> Bitboard {
    let [queenside, kingside] = pawn_captures(color, pawns);
    Bitboard(queenside.0 | kingside.0)
}

/// The squares that pawns of the colour attack towards the a-file and towards the h-file.
pub const fn pawn_captures(color: Color, pawns: Bitboard) -> [Bitboard; 2] {
    let queenside = pawns.0 & !Bitboard::file(0).0;
    let kingside = pawns.0 & !Bitboard::file(7).0;
    match color {
        Color::White => [Bitboard(queenside << 7), Bitboard(kingside << 9)],
        Color::Black => [Bitboard(queenside >> 9), Bitboard(kingside >> 7)],
    }
}

/// The diagonals through a square, without it.
pub const fn diagonals(square: Square) -> Bitboard {
    Bitboard(DIAGONAL[square.index()].0 | ANTI_DIAGONAL[square.index()].0)
}

/// The file and the rank through a square, without it.
pub const fn cross(square: Square) -> Bitboard {
    Bitboard(FILE[square.index()].0 | RANK[square.index()].0)
}

/// The squares a bishop attacks, up to and with the first occupied one of each ray.
pub const fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(
        on_line(square, occupied, DIAGONAL[square.index()])
            | on_line(square, occupied, ANTI_DIAGONAL[square.index()]),
    )
}

/// The squares a rook attacks, up to and with the first occupied one of each ray.
pub const fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    let shift = square.rank() * 8;
    let inner = (occupied.0 >> (shift + 1)) & 63;
    let on_rank = (RANK_ATTACKS[square.file() as usize][inner as usize] as u64) << shift;
    Bitboard(on_line(square, occupied, FILE[square.index()]) | on_rank)
}

/// The squares a queen attacks.
pub const fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(bishop(square, occupied).0 | rook(square, occupied).0)
}

/// The squares strictly between two squares of one line, else none.
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole line through two squares, border to border, else none.
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

/// Attacks along one file or diagonal (`mask` is the line without `square`).
const fn on_line(square: Square, occupied: Bitboard, mask: Bitboard) -> u64 {
    let bit = 1u64 << square.index();
    let blockers = occupied.0 & mask.0;
    let up = blockers.wrapping_sub(bit);
    let down = blockers.swap_bytes().wrapping_sub(bit.swap_bytes()).swap_bytes();
    (up ^ down) & mask.0
}

const fn on_board(file: i8, rank: i8) -> bool {
    0 <= file && file < 8 && 0 <= rank && rank < 8
}

const fn bit(file: i8, rank: i8) -> u64 {
    1 << (rank * 8 + file)
}

const fn leaper<const N: usize>(steps: [(i8, i8); N]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let mut step = 0;
        while step < N {
            let file = (index % 8) as i8 + steps[step].0;
            let rank = (index / 8) as i8 + steps[step].1;
            if on_board(file, rank) {
                table[index].0 |= bit(file, rank);
            }
            step += 1;
        }
        index += 1;
    }
    table
}

/// The squares from `(file, rank)` in one direction to the border, the start left out.
const fn ray(file: i8, rank: i8, step: (i8, i8)) -> u64 {
    let (mut file, mut rank) = (file + step.0, rank + step.1);
    let mut squares = 0;
    while on_board(file, rank) {
        squares |= bit(file, rank);
        file += step.0;
        rank += step.1;
    }
    squares
}

const fn lines(file_step: i8, rank_step: i8) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let (file, rank) = ((index % 8) as i8, (index / 8) as i8);
        table[index].0 = ray(file, rank, (file_step, rank_step)) | ray(file, rank, (-file_step, -rank_step));
        index += 1;
    }
    table
}

/// For each file and each occupation of the six inner squares, the attacked squares of the rank.
const fn rank_attacks() -> [[u8; 64]; 8] {
    let mut table = [[0; 64]; 8];
    let mut file = 0;
    while file < 8 {
        let mut inner = 0;
        while inner < 64 {
            let occupied = (inner as u8) << 1;
            let mut attacks = 0u8;
            let mut left = file as i8 - 1;
            while left >= 0 {
                attacks |= 1 << left;
                if occupied >> left & 1 == 1 {
                    break;
                }
                left -= 1;
            }
            let mut right = file + 1;
            while right < 8 {
                attacks |= 1 << right;
                if occupied >> right & 1 == 1 {
                    break;
                }
                right += 1;
            }
            table[file][inner] = attacks;
            inner += 1;
        }
        file += 1;
    }
    table
}

/// For each pair of squares on one line: the squares between them, or the whole line.
const fn pairs(whole_line: bool) -> [[Bitboard; 64]; 64] {
    const STEPS: [(i8, i8); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let (file, rank) = ((from % 8) as i8, (from / 8) as i8);
        let mut direction = 0;
        while direction < 8 {
            let step = STEPS[direction];
            let whole = ray(file, rank, step) | ray(file, rank, (-step.0, -step.1)) | bit(file, rank);
            let (mut f, mut r) = (file + step.0, rank + step.1);
            let mut passed = 0;
            while on_board(f, r) {
                table[from][(r * 8 + f) as usize].0 = if whole_line { whole } else { passed };
                passed |= bit(f, r);
                f += step.0;
                r += step.1;
            }
            direction += 1;
        }
        from += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks a ray square by square: the definition that the tables must meet.
    fn walk(square: Square, occupied: Bitboard, steps: &[(i8, i8)]) -> Bitboard {
        let mut attacks = Bitboard::EMPTY;
        for step in steps {
            let (mut file, mut rank) = (square.file() as i8 + step.0, square.rank() as i8 + step.1);
            while on_board(file, rank) {
                attacks.0 |= bit(file, rank);
                if occupied.0 & bit(file, rank) != 0 {
                    break;
                }
                file += step.0;
                rank += step.1;
            }
        }
        attacks
    }

    #[test]
    fn sliders_see_up_to_the_first_piece() {
        let mut seed = 1u64;
        for round in 0..200 {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let occupied = Bitboard(seed & seed.rotate_left(17 + round % 7));
            for square in Square::all() {
                let straight = walk(square, occupied, &[(1, 0), (-1, 0), (0, 1), (0, -1)]);
                let slanted = walk(square, occupied, &[(1, 1), (-1, 1), (1, -1), (-1, -1)]);
                assert_eq!(rook(square, occupied), straight, "rook {square} {occupied:?}");
                assert_eq!(bishop(square, occupied), slanted, "bishop {square} {occupied:?}");
                assert_eq!(queen(square, occupied), straight | slanted);
            }
        }
    }

    #[test]
    fn lines_and_gaps() {
        assert_eq!(between(Square::A1, Square::D4), [Square::B2, Square::C3].into_iter().collect());
        assert_eq!(between(Square::A1, Square::B3), Bitboard::EMPTY);
        assert_eq!(line(Square::B2, Square::B7), Bitboard::file(1));
        assert_eq!(line(Square::B2, Square::C4), Bitboard::EMPTY);
        assert_eq!(knight(Square::A1), [Square::B3, Square::C2].into_iter().collect());
        assert_eq!(pawn(Color::Black, Square::A7), Square::B6.into());
    }
}
