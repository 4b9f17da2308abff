//! Endings that material alone misjudges: how to mate a bare king, and what is hard to win.

use super::weights::weights;
use crate::chess::{Bitboard, Color, Position, Role, Rules, Square};
use crate::engine::score::Value;

/// The scale of a normal position.
pub(super) const NORMAL: i32 = 64;

/// Added when a bare king can be mated, so that it is worth more than any material that cannot mate.
const KNOWN_WIN: Value = 2000;

/// The value for White when one side has only its king, else `None`.
pub(super) fn bare_king<R: Rules>(position: &Position<R>) -> Option<Value> {
    let strong = Color::ALL.into_iter().find(|&color| !position.colored(!color).more_than_one())?;
    if position.pieces(strong, Role::Pawn).has_any() {
        return None;
    }
    let count = |role| position.pieces(strong, role).count() as i32;
    let (knights, bishops) = (count(Role::Knight), count(Role::Bishop));
    let both_colors = {
        let bishops = position.pieces(strong, Role::Bishop);
        (bishops & Bitboard::DARK).has_any() && (bishops & !Bitboard::DARK).has_any()
    };
    let heavy = count(Role::Rook) + count(Role::Queen) > 0;
    if !(heavy || both_colors || bishops > 0 && knights > 0 || knights > 2) {
        return Some(0);
    }
    let material: Value =
        Role::ALL.into_iter().map(|role| count(role) * weights().material[role.index()].eg()).sum();
    let (hunter, hunted) = (position.king(strong), position.king(!strong));
    let driven = if !heavy && !both_colors && knights < 3 {
        // Bishop and knight mate only in a corner of the bishop's colour.
        let dark = (position.pieces(strong, Role::Bishop) & Bitboard::DARK).has_any();
        40 * (7 - corner_distance(hunted, dark)) + 8 * edge(hunted)
    } else {
        30 * edge(hunted)
    };
    let value = KNOWN_WIN + material + driven + 12 * (7 - distance(hunter, hunted));
    Some(if strong == Color::White { value } else { -value })
}

/// How much of the endgame value is left, in 64ths, when `strong` is ahead.
pub(super) fn scale<R: Rules>(position: &Position<R>, strong: Color) -> i32 {
    let pawns = position.pieces(strong, Role::Pawn).count() as i32;
    let (own, other) = (pieces_value(position, strong), pieces_value(position, !strong));
    if pawns == 0 && own - other <= MINOR {
        return if own < ROOK {
            0
        } else if other <= MINOR {
            6
        } else {
            16
        };
    }
    if opposite_bishops(position) {
        let bishops_only = own == MINOR && other == MINOR;
        return if bishops_only { (16 + 4 * pawns).min(NORMAL) } else { (34 + 4 * pawns).min(NORMAL) };
    }
    (42 + 5 * pawns).min(NORMAL)
}

/// Nominal values that make the comparisons of [`scale`] exact.
const MINOR: i32 = 3;
const ROOK: i32 = 5;
const QUEEN: i32 = 9;

fn pieces_value<R: Rules>(position: &Position<R>, color: Color) -> i32 {
    let count = |role| position.pieces(color, role).count() as i32;
    MINOR * (count(Role::Knight) + count(Role::Bishop))
        + ROOK * count(Role::Rook)
        + QUEEN * count(Role::Queen)
}

fn opposite_bishops<R: Rules>(position: &Position<R>) -> bool {
    let bishops = Color::ALL.map(|color| position.pieces(color, Role::Bishop));
    bishops.iter().all(|set| set.count() == 1) && ((bishops[0] | bishops[1]) & Bitboard::DARK).count() == 1
}

/// Steps of a king between two squares.
pub(crate) fn distance(a: Square, b: Square) -> i32 {
    i32::from(a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank())))
}

/// How near to the edge: 0 in the middle, 6 in a corner.
fn edge(square: Square) -> i32 {
    let outer = |n: u8| i32::from(if n < 4 { 3 - n } else { n - 4 });
    outer(square.file()) + outer(square.rank())
}

/// Steps to the nearest corner of a colour.
fn corner_distance(square: Square, dark: bool) -> i32 {
    let corners = if dark { [Square::A1, Square::H8] } else { [Square::A8, Square::H1] };
    corners.map(|corner| distance(square, corner)).into_iter().min().unwrap_or(0)
}
