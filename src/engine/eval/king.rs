//! King safety: the pawns before the king, and how many enemy pieces look at it.

use super::pawns::relative;
use super::pieces::Scan;
use super::taper::{Taper, t};
use super::weights::weights;
use crate::chess::{Bitboard, Color, Role, Rules, Square, attacks};
use crate::engine::variant::Play;

/// Centipawns that an attack takes from the middlegame at most.
pub(super) const MOST: i32 = 1500;

/// The value of the king's safety for `us`, usually negative.
pub(super) fn safety<R: Play>(scan: &Scan<R>, us: Color) -> Taper {
    let shelter = shelter(scan, us);
    let danger = danger(scan, us, shelter.mg());
    if danger <= 0 {
        return shelter;
    }
    let weights = &weights().king;
    shelter - t((danger * danger / weights.divisor).min(MOST), danger / weights.eg_divisor)
}

/// Own and enemy pawns on the king's file and the files beside it.
pub(super) fn shelter<R: Rules>(scan: &Scan<R>, us: Color) -> Taper {
    let king = relative(scan.position.king(us), us);
    let own = scan.position.pieces(us, Role::Pawn);
    let enemy = scan.position.pieces(!us, Role::Pawn);
    let mut score = Taper::ZERO;
    let centre = king.file().clamp(1, 6);
    for file in centre - 1..=centre + 1 {
        // Nearest pawns at or before the king's rank, seen with White's eyes.
        let nearest = |pawns: Bitboard| {
            let on_file = pawns & Bitboard::file(file);
            let seen = if us == Color::White { on_file } else { Bitboard(on_file.0.swap_bytes()) };
            let before = seen & Bitboard(!0 << (8 * u32::from(king.rank())));
            before.first().map_or(0, Square::rank)
        };
        let (ours, theirs) = (nearest(own), nearest(enemy));
        let wing = usize::from(file.min(7 - file));
        score += weights().shelter[wing][usize::from(ours)];
        let blocked = ours != 0 && ours + 1 == theirs;
        score += weights().storm[usize::from(blocked)][usize::from(theirs)];
    }
    score
}

/// What the enemy has against the king of `us`: no danger at all, if it is negative.
pub(super) fn danger<R: Play>(scan: &Scan<R>, us: Color, shelter: i32) -> i32 {
    let (c, e) = (us.index(), (!us).index());
    let position = scan.position;
    let weights = &weights().king;
    let own_king = scan.by[c][Role::King.index()];
    // Attacked, and defended by the king or the queen at most.
    let weak = scan.all[e] & !scan.twice[c] & (!scan.all[c] | own_king | scan.by[c][Role::Queen.index()]);
    let pinned = Bitboard(if us == position.turn() { position.pinned().0 } else { 0 });
    let mut danger = weights.base
        + R::danger(position, us)
        + scan.attackers[c] * scan.attacker_weight[c] / 2
        + weights.attack * scan.ring_attacks[c]
        + weights.weak_square * (weak & scan.ring[c]).count() as i32
        + weights.pinned * pinned.count() as i32
        - shelter * weights.shelter / 100;
    danger += checks(scan, us, weak);
    if position.pieces(!us, Role::Queen).is_empty() {
        danger -= weights.no_queen;
    }
    if (scan.by[c][Role::Knight.index()] & own_king).has_any() {
        danger -= weights.knight_defends;
    }
    danger
}

/// What the checks add that the enemy may give.
fn checks<R: Rules>(scan: &Scan<R>, us: Color, weak: Bitboard) -> i32 {
    let (c, e) = (us.index(), (!us).index());
    let position = scan.position;
    let king = position.king(us);
    let occupied = scan.occupied ^ position.pieces(us, Role::Queen);
    let (straight, diagonal) = (attacks::rook(king, occupied), attacks::bishop(king, occupied));
    let safe = !position.colored(!us) & (!scan.all[c] | weak & scan.twice[e]);
    let mut danger = 0;
    for (role, lines) in [
        (Role::Knight, attacks::knight(king)),
        (Role::Bishop, diagonal),
        (Role::Rook, straight),
        (Role::Queen, straight | diagonal),
    ] {
        let checks = scan.by[e][role.index()] & lines & !position.colored(!us);
        if (checks & safe).has_any() {
            danger += weights().king.safe_check[role.index()];
        } else {
            danger += weights().king.unsafe_check * checks.count().min(2) as i32;
        }
    }
    danger
}
