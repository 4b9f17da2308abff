//! The 960 starts of Chess960. Its rules are those of standard chess.

use crate::chess::Role;

/// The back rank of a Chess960 start, a-file first, by Reinhard Scharnagl's numbering.
pub(in crate::chess) fn chess960_back_rank(number: u16) -> Option<[Role; 8]> {
    if number >= 960 {
        return None;
    }
    let number = number as usize;
    let mut rank = [None; 8];
    rank[number % 4 * 2 + 1] = Some(Role::Bishop);
    rank[number / 4 % 4 * 2] = Some(Role::Bishop);
    put_on_empty(&mut rank, number / 16 % 6, Role::Queen);
    let (first, second) = KNIGHTS[number / 96];
    // The second knight first: its index counts the squares that the first leaves empty.
    put_on_empty(&mut rank, second, Role::Knight);
    put_on_empty(&mut rank, first, Role::Knight);
    for role in [Role::Rook, Role::King, Role::Rook] {
        put_on_empty(&mut rank, 0, role);
    }
    Some(rank.map(|role| role.unwrap_or(Role::King)))
}

/// The pairs of the five empty squares that hold the knights.
const KNIGHTS: [(usize, usize); 10] =
    [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];

fn put_on_empty(rank: &mut [Option<Role>; 8], nth: usize, role: Role) {
    if let Some(square) = rank.iter_mut().filter(|square| square.is_none()).nth(nth) {
        *square = Some(role);
    }
}
