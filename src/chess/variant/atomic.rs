//! Atomic: a capture explodes. The capturing piece, the captured one and every piece but pawns on the squares around
//! leave the board; who explodes the enemy king has won.

use crate::chess::position::{Played, Setup};
use crate::chess::sink::{Filter, Sink, Wanted};
use crate::chess::validate;
use crate::chess::{
    Bitboard, Color, GameEnd, Move, Position, PositionError, Role, Rules, Square, Variant, attacks,
};

use super::antichess::is_blocked_by_pawn;

/// The rules of atomic chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Atomic;

impl Rules for Atomic {
    type Extra = ();

    const VARIANT: Variant = Variant::Atomic;

    /// Legality is decided move by move, after the explosion.
    fn is_royal(_: Color) -> bool {
        false
    }

    fn generate<S: Sink>(position: &Position<Self>, wanted: &Wanted, sink: &mut S) {
        let mut safe = Filter { sink, keep: |mv| is_safe(position, mv) };
        position.orthodox_moves(wanted, &mut safe);
    }

    fn is_legal(position: &Position<Self>, mv: Move) -> bool {
        position.is_orthodox(mv) && is_safe(position, mv)
    }

    fn is_en_passant_safe(position: &Position<Self>, from: Square, to: Square) -> bool {
        is_safe(position, Move::en_passant(from, to))
    }

    /// A king next to the enemy king is safe: to take it would explode both.
    fn is_attacked(position: &Position<Self>, square: Square, by: Color, occupied: Bitboard) -> bool {
        (attacks::king(square) & position.pieces(by, Role::King)).is_empty()
            && attackers(position, square, by, occupied).has_any()
    }

    fn checks(position: &Position<Self>) -> (Bitboard, Bitboard) {
        let (us, them) = (position.turn(), !position.turn());
        let Some(king) = position.pieces(us, Role::King).first() else {
            return (Bitboard::EMPTY, Bitboard::EMPTY);
        };
        if (attacks::king(king) & position.pieces(them, Role::King)).has_any() {
            return (Bitboard::EMPTY, Bitboard::EMPTY);
        }
        (attackers(position, king, them, position.occupied()), Bitboard::EMPTY)
    }

    fn played(position: &mut Position<Self>, played: Played) {
        if played.captured.is_none() {
            return;
        }
        let center = played.mv.to();
        let blast = attacks::king(center) & position.occupied() & !position.by_role(Role::Pawn);
        for square in blast | center.into() {
            if let Some(piece) = position.piece_at(square) {
                position.remove(piece.color, piece.role, square);
                if piece.role == Role::King {
                    position.lose_rights(Bitboard::rank(piece.color.rank(0)));
                }
            }
        }
        position.lose_rights(!position.by_role(Role::Rook));
    }

    fn variant_end(position: &Position<Self>) -> Option<GameEnd> {
        let exploded = Color::ALL.into_iter().find(|color| position.pieces(*color, Role::King).is_empty())?;
        Some(GameEnd::VariantEnd { winner: Some(!exploded) })
    }

    /// Material that cannot win, or kings and pawns that cannot move any more.
    fn is_insufficient_material(position: &Position<Self>) -> bool {
        lacks_material(position) || is_closed(position)
    }

    /// A king takes nothing, so that alone it cannot win.
    fn lacks_winning_material(position: &Position<Self>, color: Color) -> bool {
        position.pieces(color, Role::King) == position.colored(color)
    }

    fn check_kings(position: &Position<Self>) -> Result<(), PositionError> {
        for color in Color::ALL {
            let count = position.pieces(color, Role::King).count();
            if count > 1 {
                return Err(PositionError::Kings { color, count });
            }
        }
        if position.by_role(Role::King).is_empty() { Err(PositionError::NoKings) } else { Ok(()) }
    }

    /// As on Lichess, a king may stand in check when it is not its side's move: it will be exploded.
    fn check_setup(position: &Position<Self>) -> Result<(), PositionError> {
        validate::pawns(position)
    }

    /// Explosions uncover any number of checks at once.
    fn check_reachable(position: &Position<Self>, _: &Setup) -> Result<(), PositionError> {
        validate::piece_counts(position)
    }
}

/// The pieces of a side that attack a square, its king left out: kings do not take.
fn attackers(position: &Position<Atomic>, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
    position.attackers(square, occupied) & position.colored(by) & !position.by_role(Role::King)
}

/// Whether a move of a piece leaves its own king on the board and out of check, or explodes the enemy king.
fn is_safe(position: &Position<Atomic>, mv: Move) -> bool {
    if mv.is_castling() {
        return true;
    }
    let (us, them) = (position.turn(), !position.turn());
    let (from, to) = (mv.from(), mv.to());
    let moves_king = position.role_at(from) == Some(Role::King);
    let mut gone = Bitboard::square(from);
    let mut stays = Bitboard::square(to);
    if position.is_capture(mv) {
        if moves_king {
            return false;
        }
        let blast = (attacks::king(to) & !position.by_role(Role::Pawn)) | to.into();
        if (blast & position.pieces(us, Role::King)).has_any() {
            return false;
        }
        if (blast & position.pieces(them, Role::King)).has_any() {
            return true;
        }
        gone |= blast;
        if mv.is_en_passant() {
            gone |= Square::new(to.file(), from.rank()).into();
        }
        stays = Bitboard::EMPTY;
    }
    let Some(king) = (if moves_king { Some(to) } else { position.pieces(us, Role::King).first() }) else {
        return true;
    };
    if (attacks::king(king) & position.pieces(them, Role::King)).has_any() {
        return true;
    }
    let occupied = (position.occupied() & !gone) | stays;
    (attackers(position, king, them, occupied) & !gone).is_empty()
}

/// Kings do not confine each other, so that against a bare king it takes a queen or several pieces (scalachess'
/// `insufficientAtomicWinningMaterial`).
fn lacks_material(position: &Position<Atomic>) -> bool {
    let all = position.occupied();
    let kings = position.by_role(Role::King);
    let bishops = position.by_role(Role::Bishop);
    let both_colors = (bishops & Bitboard::DARK).has_any() && (bishops & !Bitboard::DARK).has_any();
    if Color::ALL.into_iter().all(|color| position.colored(color).count() >= 2) {
        kings | bishops == all && all.count() <= 4 && both_colors
    } else if kings | position.by_role(Role::Knight) == all {
        all.count() <= 4
    } else {
        let light = kings | position.by_role(Role::Knight) | bishops | position.by_role(Role::Rook);
        light == all && !both_colors && all.count() <= 3
    }
}

/// Nothing but kings, blocked pawns and the bishops of one side that never meet an enemy pawn.
fn is_closed(position: &Position<Atomic>) -> bool {
    let (pawns, bishops) = (position.by_role(Role::Pawn), position.by_role(Role::Bishop));
    if pawns | bishops | position.by_role(Role::King) != position.occupied()
        || !pawns.into_iter().all(|pawn| is_blocked_by_pawn(position, pawn))
    {
        return false;
    }
    let Some(bishop) = bishops.first() else { return true };
    let owner = if position.colored(Color::White).contains(bishop) { Color::White } else { Color::Black };
    let reach = if Bitboard::DARK.contains(bishop) { Bitboard::DARK } else { !Bitboard::DARK };
    (bishops & !(position.colored(owner) & reach)).is_empty()
        && (pawns & position.colored(!owner) & reach).is_empty()
}
