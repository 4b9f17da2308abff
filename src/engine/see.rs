//! Static exchange: what a capture, and the captures it invites on the same square, win or lose.
//!
//! Pins and checks are not looked at, except that a king does not capture what is defended.

use super::score::Value;
use super::variant::Play;
use crate::chess::{Bitboard, Move, Position, Role, attacks};

/// Whether playing `mv` wins at least `threshold` centipawns in the exchange on its target square.
pub(crate) fn see_at_least<R: Play>(position: &Position<R>, mv: Move, threshold: Value) -> bool {
    if mv.is_castling() {
        return threshold <= 0;
    }
    let mut moved = position.moved(mv);
    let mut gain = position.captured(mv).map_or(0, worth::<R>) - threshold;
    if let Some(promoted) = mv.promotion() {
        gain += worth::<R>(promoted) - worth::<R>(Role::Pawn);
        moved = promoted;
    }
    if gain < 0 {
        return false;
    }
    // Even if the moved piece is lost for nothing the threshold is met.
    let balance = gain - worth::<R>(moved);
    if balance >= 0 {
        return true;
    }
    let target = mv.to();
    let mut occupied = (position.occupied() ^ Bitboard::square(mv.from())) | Bitboard::square(target);
    if mv.is_en_passant() {
        occupied ^= Bitboard::square(crate::chess::Square::new(target.file(), mv.from().rank()));
    }
    exchange(position, target, occupied, balance)
}

/// Plays out the captures on `target`, least valuable piece first. `balance` is what the side that moved has over
/// the threshold if its piece on `target` is lost; returns whether that side keeps the threshold.
fn exchange<R: Play>(
    position: &Position<R>,
    target: crate::chess::Square,
    mut occupied: Bitboard,
    mut balance: Value,
) -> bool {
    let queens = position.by_role(Role::Queen);
    let diagonal = position.by_role(Role::Bishop) | queens;
    let straight = position.by_role(Role::Rook) | queens;
    let mut attackers = position.attackers(target, occupied) & occupied;
    let us = position.turn();
    let mut side = !us;
    loop {
        let own = attackers & position.colored(side);
        let Some((role, from)) =
            Role::ALL.into_iter().find_map(|role| Some((role, (own & position.by_role(role)).first()?)))
        else {
            break;
        };
        if role == Role::King && (attackers & position.colored(!side)).has_any() {
            // The king may not capture what is defended.
            break;
        }
        occupied ^= Bitboard::square(from);
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            attackers |= attacks::bishop(target, occupied) & diagonal;
        }
        if matches!(role, Role::Rook | Role::Queen) {
            attackers |= attacks::rook(target, occupied) & straight;
        }
        attackers &= occupied;
        side = !side;
        // Seen from the side that captures next: it has the balance turned round, and takes the piece just moved.
        balance = -balance - 1 - worth::<R>(role);
        if balance >= 0 {
            break;
        }
    }
    // The side that cannot or need not go on has lost the exchange or won it.
    side != us
}

fn worth<R: Play>(role: Role) -> Value {
    R::VALUES[role.index()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::UciMove;
    use crate::engine::params::SEE_VALUES;

    /// The exact value of the exchange, by bisection of the threshold.
    fn see(fen: &str, mv: &str) -> Value {
        let position = Position::from_fen(fen).unwrap();
        let mv = mv.parse::<UciMove>().unwrap().to_move(&position).unwrap();
        let (mut low, mut high): (Value, Value) = (-3000, 3000);
        while low < high {
            let middle = (low + high + 1).div_euclid(2);
            if see_at_least(&position, mv, middle) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        low
    }

    #[test]
    fn exchanges_are_counted() {
        let [p, n, b, r, q, _] = SEE_VALUES;
        let table = [
            ("an undefended pawn", "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", p),
            ("a defended pawn", "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", p - n),
            ("a quiet move to a safe square", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a7", 0),
            ("a quiet move into a pawn's capture", "4k3/1p6/8/8/8/8/8/R3K3 w - - 0 1", "a1a6", -r),
            ("a trade of rooks", "3rk3/8/8/8/8/8/8/3RK3 w - - 0 1", "d1d8", 0),
            ("behind the rook stands a rook", "3rk3/3r4/8/8/8/3R4/3R4/4K3 w - - 0 1", "d3d7", 0),
            ("a promotion", "8/P7/8/8/8/8/k7/7K w - - 0 1", "a7a8q", q - p),
            ("a promotion into a capture", "1r6/P7/8/8/8/8/k7/7K w - - 0 1", "a7a8q", -p),
            ("a capture that promotes", "1r5k/P7/8/8/8/8/8/7K w - - 0 1", "a7b8q", r + q - p),
            ("in passing", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", p),
            ("in passing, recaptured", "4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
            ("a king takes", "8/8/8/8/8/3k4/3p4/4K3 w - - 0 1", "e1f2", 0),
            ("a king does not retake what is defended", "7k/8/8/8/8/2n5/1P6/K1N1b3 w - - 0 1", "b2c3", n - p),
            ("castling", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 0),
            (
                "a knight takes a bishop that a pawn guards",
                "4k3/2p5/3b4/8/4N3/8/8/4K3 w - - 0 1",
                "e4d6",
                b - n,
            ),
        ];
        for (name, fen, mv, expected) in table {
            assert_eq!(see(fen, mv), expected, "{name}: {mv} in {fen}");
        }
    }
}
