//! What to strive for where no mate is near: to bring the king into a corner, or to promote. Measures that guide the
//! search, in no unit but their own.

use super::super::{Bitboard, Color, Position, Role, Square, attacks};
use super::guide::view;
use super::reach::steps;

/// More than any piece needs.
const FAR: i32 = 12;

/// Where the winner's king guards two squares beside a king in the corner a1, as files and ranks.
const POSTS: [(u8, u8); 4] = [(0, 2), (1, 2), (2, 0), (2, 1)];

/// How far a mate in a corner is, of the kind that takes little: the king in it, a man of its own beside it on the
/// edge, the other king where it guards two of the three squares around, and a piece to give check.
pub(super) fn corner(position: &Position, winner: Color) -> i32 {
    let (king, helper) = (position.king(!winner), position.king(winner));
    let occupied = position.occupied();
    let far = |corner: Square| {
        let around = attacks::king(corner);
        let beside = around & attacks::rook(corner, Bitboard::EMPTY);
        let guard = POSTS.into_iter().map(|(file, rank)| {
            let post = Square::new(corner.file() ^ file, corner.rank() ^ rank);
            apart(helper, post)
        });
        let block = nearest(position, !winner, |_| beside);
        let check = nearest(position, winner, |role| view(winner, role, corner, occupied));
        3 * apart(king, corner) + 2 * guard.min().unwrap_or(0) + block + check
    };
    [Square::A1, Square::H1, Square::A8, Square::H8].into_iter().map(far).min().unwrap_or(FAR)
}

/// How far a promotion is, and with it the way of the kings to pawns that they may take to open a file.
pub(super) fn promotion(position: &Position, winner: Color) -> i32 {
    let heavy = position.by_role(Role::Queen) | position.by_role(Role::Rook);
    if (heavy & position.colored(winner)).has_any() {
        return 0;
    }
    let prey = |color: Color| {
        let king = position.king(color);
        position.pieces(!color, Role::Pawn).map(|pawn| apart(king, pawn)).min().unwrap_or(0)
    };
    10 + pawn_way(position, winner) + pawn_way(position, !winner) / 2 + prey(winner).min(prey(!winner))
}

/// King steps between two squares.
pub(super) fn apart(a: Square, b: Square) -> i32 {
    i32::from(a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank())))
}

/// How soon some man of a colour, its king left out, may stand on one of the squares that suit its role.
fn nearest(position: &Position, color: Color, goal: impl Fn(Role) -> Bitboard) -> i32 {
    let ways = position.colored(color).map(|from| match position.role_at(from) {
        Some(role) => way(position, color, (role, from), goal(role)),
        None => FAR,
    });
    ways.min().unwrap_or(FAR)
}

/// Twice the moves of a piece to the nearest goal, as on an empty board; what a pawn needs is a guess.
fn way(position: &Position, color: Color, (role, from): (Role, Square), goal: Bitboard) -> i32 {
    match role {
        Role::King => FAR,
        Role::Pawn => 4 + i32::from(color.rank(7).abs_diff(from.rank())),
        Role::Knight | Role::Bishop | Role::Rook | Role::Queen if goal.contains(from) => 0,
        Role::Knight => {
            let mut ring = Bitboard::square(from);
            let hops = (1..6).find(|_| {
                ring = steps(Role::Knight, ring);
                (ring & goal).has_any()
            });
            2 * hops.unwrap_or(6)
        }
        Role::Bishop if (goal & same_color(from)).is_empty() => FAR,
        Role::Bishop | Role::Rook | Role::Queen => {
            if (view(color, role, from, position.occupied()) & goal).has_any() { 2 } else { 4 }
        }
    }
}

/// The squares of the colour of one.
fn same_color(square: Square) -> Bitboard {
    if Bitboard::DARK.contains(square) { Bitboard::DARK } else { !Bitboard::DARK }
}

/// How far the best pawn of a colour is from promotion.
fn pawn_way(position: &Position, color: Color) -> i32 {
    let (own, other) = (position.pieces(color, Role::Pawn), position.pieces(!color, Role::Pawn));
    let way = |pawn: Square| {
        let ahead = ahead(color, pawn);
        let blocked = if (ahead & other).has_any() { 8 } else { 0 };
        let doubled = if (ahead & own).has_any() { 4 } else { 0 };
        2 * i32::from(color.rank(7).abs_diff(pawn.rank())) + blocked + doubled
    };
    own.map(way).min().unwrap_or(2 * FAR)
}

/// The squares of the file in front of a pawn.
pub(super) fn ahead(color: Color, pawn: Square) -> Bitboard {
    let mut squares = Bitboard::square(pawn).forward(color);
    for _ in 0..6 {
        squares |= squares.forward(color);
    }
    squares
}
