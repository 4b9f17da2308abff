//! Atomic: a capture costs all that it blows up, and whatever stands next to a king is a fuse.

use super::Play;
use crate::chess::{Atomic, Bitboard, Color, Move, Position, Role, Square, attacks};
use crate::engine::eval::{Evaluator, for_the_mover, plain};
use crate::engine::score::Value;

/// What the pieces are worth, by role.
const MATERIAL: [Value; 6] = [110, 190, 220, 350, 680, 0];

/// What a pawn gains on the way, by its relative rank.
const ADVANCE: [Value; 8] = [0, 0, 5, 15, 35, 80, 160, 0];

/// Centipawns for each square that a piece can go to.
const MOBILITY: Value = 4;

/// For each piece or pawn that attacks the enemy king or a square next to it.
const NEAR_KING: Value = 22;

/// For a fuse beside the enemy king that would be lit with the next move.
const FUSE: Value = 160;

const TEMPO: Value = 30;

/// More than everything else on the board.
const KING: Value = 20_000;

impl Play for Atomic {
    const VALUES: [Value; 6] = MATERIAL;
    const SWING: Value = 2;
    const ENDINGS: bool = false;

    fn evaluate(position: &Position<Self>, _: &mut Evaluator, _: usize) -> Value {
        let tempo = if position.turn() == Color::White { TEMPO } else { -TEMPO };
        for_the_mover(position, side(position, Color::White) - side(position, Color::Black) + tempo)
    }

    /// Against one piece, which can be made to explode, passing may well be best.
    fn has_pieces(position: &Position<Self>) -> bool {
        let pieces = !position.by_role(Role::Pawn) & !position.by_role(Role::King);
        (position.colored(position.turn()) & pieces).more_than_one()
    }

    /// An explosion ends the exchange on its square, so that one reply is all there is to count.
    fn wins_at_least(position: &Position<Self>, mv: Move, threshold: Value) -> bool {
        let value = if position.is_capture(mv) { explosion(position, mv) } else { -risk(position, mv) };
        value >= threshold
    }

    fn gain(position: &Position<Self>, mv: Move) -> Value {
        if position.is_capture(mv) { explosion(position, mv) } else { 0 }
    }

    /// A capture that explodes the enemy king.
    fn winning_move(position: &Position<Self>) -> Option<Move> {
        let us = position.turn();
        let lights = |fuse: Square| {
            let attackers = position.attackers(fuse, position.occupied()) & position.colored(us);
            let moves = (attackers & !position.by_role(Role::King)).into_iter().map(move |from| {
                if position.role_at(from) == Some(Role::Pawn) && Bitboard::BACK_RANKS.contains(fuse) {
                    Move::promoting(from, fuse, Role::Queen)
                } else {
                    Move::plain(from, fuse)
                }
            });
            moves.into_iter().find(|&mv| position.is_legal(mv))
        };
        fuses(position, !us).into_iter().find_map(lights)
    }
}

/// The king of a side and what stands next to it of the same side.
fn fuses(position: &Position<Atomic>, us: Color) -> Bitboard {
    let kings = position.pieces(us, Role::King);
    kings.first().map_or(kings, |king| kings | attacks::king(king) & position.colored(us))
}

/// What a capture is worth to the side that makes it.
fn explosion(position: &Position<Atomic>, mv: Move) -> Value {
    let (us, from) = (position.turn(), Bitboard::square(mv.from()));
    let taken = if mv.is_en_passant() { MATERIAL[0] } else { worth(position, mv.to()) };
    let around = attacks::king(mv.to()) & !position.by_role(Role::Pawn) & !from;
    taken - worth(position, mv.from()) + balance(position, around, us)
}

/// What the side to move can lose on the square to which a quiet move goes.
fn risk(position: &Position<Atomic>, mv: Move) -> Value {
    if mv.is_castling() {
        return 0;
    }
    let (us, to, from) = (position.turn(), mv.to(), Bitboard::square(mv.from()));
    let around = attacks::king(to) & !position.by_role(Role::Pawn) & !from;
    let kings = position.pieces(!us, Role::King);
    let occupied = (position.occupied() ^ from) | to.into();
    let attackers = position.attackers(to, occupied) & position.colored(!us) & !kings;
    if attackers.is_empty() || (around & kings).has_any() || position.moved(mv) == Role::King {
        return 0;
    }
    let reply = |attacker: Square| {
        MATERIAL[position.moved(mv).index()]
            - worth(position, attacker)
            - balance(position, around & !Bitboard::square(attacker), us)
    };
    attackers.into_iter().map(reply).max().unwrap_or(0).max(0)
}

/// What the loss of all on `squares` is worth to `us`.
fn balance(position: &Position<Atomic>, squares: Bitboard, us: Color) -> Value {
    let sum = |color| {
        (squares & position.colored(color)).into_iter().map(|square| worth(position, square)).sum::<Value>()
    };
    sum(!us) - sum(us)
}

fn worth(position: &Position<Atomic>, square: Square) -> Value {
    position.role_at(square).map_or(0, |role| if role == Role::King { KING } else { MATERIAL[role.index()] })
}

fn side(position: &Position<Atomic>, us: Color) -> Value {
    let pawns = position.pieces(us, Role::Pawn);
    let advance =
        |rank: u8| (pawns & Bitboard::rank(us.rank(rank))).count() as Value * ADVANCE[usize::from(rank)];
    plain::material(position, us, &MATERIAL)
        + MOBILITY * plain::mobility(position, us)
        + (0..8).map(advance).sum::<Value>()
        + attack(position, us)
}

/// What the pieces near the enemy king promise. Kings that touch are safe from each other's men.
fn attack(position: &Position<Atomic>, us: Color) -> Value {
    let (Some(king), Some(own)) =
        (position.pieces(!us, Role::King).first(), position.pieces(us, Role::King).first())
    else {
        return 0;
    };
    let men = position.colored(us) & !position.by_role(Role::King);
    let attackers = |square: Square| position.attackers(square, position.occupied()) & men;
    let ring = attacks::king(king);
    if ring.contains(own) {
        return 0;
    }
    let near: Value = ring.into_iter().map(|square| attackers(square).count().min(2) as Value).sum();
    let burning = fuses(position, !us)
        .into_iter()
        .filter(|&fuse| !attacks::king(own).contains(fuse) && attackers(fuse).has_any())
        .count();
    NEAR_KING * near + FUSE * burning.min(2) as Value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::UciMove;

    /// Whether a move wins exactly so much, and no centipawn more.
    fn wins(fen: &str, mv: &str, value: Value) -> bool {
        let position: Position<Atomic> = fen.parse().unwrap();
        let mv = mv.parse::<UciMove>().unwrap().to_move(&position).unwrap();
        Atomic::wins_at_least(&position, mv, value) && !Atomic::wins_at_least(&position, mv, value + 1)
    }

    #[test]
    fn explosions_are_counted() {
        let [p, n, b, r, q, _] = MATERIAL;
        for (about, fen, mv, value) in [
            ("a pawn for a queen", "4k3/8/8/3p4/8/8/8/3QK3 w - - 0 1", "d1d5", p - q),
            (
                "a knight and what stands by it",
                "6k1/8/2rbp3/3n4/8/5B2/8/4K3 w - - 0 1",
                "f3d5",
                n + r + b - b,
            ),
            ("own pieces burn, too", "6k1/8/8/3n4/2R5/5B2/8/4K3 w - - 0 1", "f3d5", n - r - b),
            ("in passing", "6k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
            ("the king", "3rk3/3p4/8/8/8/8/8/3QK3 w - - 0 1", "d1d7", KING + r + p - q),
            ("a quiet move to a safe square", "4k3/8/8/8/8/8/8/3QK3 w - - 0 1", "d1d5", 0),
            ("a quiet move into a pawn's capture", "4k3/2p5/8/8/8/8/8/3QK3 w - - 0 1", "d1d6", p - q),
            ("castling", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 0),
        ] {
            assert!(wins(fen, mv, value), "{about}: {mv} in {fen}");
        }
    }

    #[test]
    fn a_fuse_beside_the_king_is_found() {
        for (fen, mv) in [
            ("4k3/3p4/8/8/8/8/8/3QK3 w - - 0 1", Some("d1d7")),
            ("3qk3/8/8/8/8/8/3P4/3QK3 w - - 0 1", None),
            ("3nk3/2P5/8/8/8/8/8/4K3 w - - 0 1", Some("c7d8q")),
            // Kings do not take, and what burns the own king is not allowed.
            ("8/8/8/8/8/3k4/3p4/4K3 w - - 0 1", None),
        ] {
            let position: Position<Atomic> = fen.parse().unwrap();
            let found = Atomic::winning_move(&position).map(|mv| format!("{mv:?}"));
            assert_eq!(found.as_deref(), mv, "{fen}");
        }
    }
}
