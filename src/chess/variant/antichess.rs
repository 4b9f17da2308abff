//! Antichess, as Lichess plays it: captures are compulsory, the king is an ordinary piece, and who has nothing left
//! or cannot move has won.

use crate::chess::position::Setup;
use crate::chess::sink::{Any, Sink, Wanted};
use crate::chess::{Bitboard, Color, GameEnd, Move, Position, PositionError, Role, Rules, Square, Variant};

/// The rules of antichess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Antichess;

impl Rules for Antichess {
    type Extra = ();

    const VARIANT: Variant = Variant::Antichess;
    const START: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
    const PROMOTIONS: &'static [Role] = &[Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::King];
    const CASTLING: bool = false;

    fn is_royal(_: Color) -> bool {
        false
    }

    fn generate<S: Sink>(position: &Position<Self>, wanted: &Wanted, sink: &mut S) {
        let allowed = if must_capture(position) { captures_among(position, wanted) } else { *wanted };
        position.orthodox_moves(&allowed, sink);
    }

    fn is_legal(position: &Position<Self>, mv: Move) -> bool {
        position.is_orthodox(mv) && (position.is_capture(mv) || !must_capture(position))
    }

    fn variant_end(position: &Position<Self>) -> Option<GameEnd> {
        let winner = Color::ALL.into_iter().find(|color| position.colored(*color).is_empty())?;
        Some(GameEnd::VariantEnd { winner: Some(winner) })
    }

    fn without_moves(position: &Position<Self>) -> GameEnd {
        GameEnd::VariantEnd { winner: Some(position.turn()) }
    }

    /// Bishops of one colour of squares against bishops of the other, with no pawns but such as are blocked by pawns and
    /// stand where the other side's bishops never come.
    fn is_insufficient_material(position: &Position<Self>) -> bool {
        let (bishops, pawns) = (position.by_role(Role::Bishop), position.by_role(Role::Pawn));
        if bishops | pawns != position.occupied() {
            return false;
        }
        let [white, black] = Color::ALL.map(|color| squares_of_bishops(bishops & position.colored(color)));
        let (Some(white), Some(black)) = (white, black) else { return false };
        let safe = |color: Color, danger: Bitboard| {
            (pawns & position.colored(color))
                .all(|pawn| !danger.contains(pawn) && is_blocked_by_pawn(position, pawn))
        };
        white != black && safe(Color::White, black) && safe(Color::Black, white)
    }

    /// Of two lone knights only one can ever be forced on the other, by the colours of their squares.
    fn lacks_winning_material(position: &Position<Self>, color: Color) -> bool {
        let knights = position.by_role(Role::Knight);
        if knights != position.occupied()
            || Color::ALL.into_iter().any(|color| position.colored(color).count() != 1)
        {
            return false;
        }
        let one_colored = (knights & Bitboard::DARK).count() != 1;
        one_colored != (color == position.turn())
    }

    fn check_kings(_: &Position<Self>) -> Result<(), PositionError> {
        Ok(())
    }

    fn check_setup(position: &Position<Self>) -> Result<(), PositionError> {
        if position.occupied().is_empty() {
            return Err(PositionError::NoPieces);
        }
        crate::chess::validate::pawns(position)
    }

    fn check_reachable(position: &Position<Self>, _: &Setup) -> Result<(), PositionError> {
        crate::chess::validate::piece_counts(position)
    }
}

fn must_capture(position: &Position<Antichess>) -> bool {
    let enemies = position.colored(!position.turn());
    let captures = Wanted {
        pieces: enemies,
        pawns: enemies,
        promotions: Antichess::PROMOTIONS,
        en_passant: true,
        castling: false,
        drops: false,
    };
    let mut any = Any(false);
    position.orthodox_moves(&captures, &mut any);
    any.0
}

fn captures_among(position: &Position<Antichess>, wanted: &Wanted) -> Wanted {
    let enemies = position.colored(!position.turn());
    Wanted { pieces: wanted.pieces & enemies, pawns: wanted.pawns & enemies, ..*wanted }
}

/// The colour of squares that all the bishops share.
fn squares_of_bishops(bishops: Bitboard) -> Option<Bitboard> {
    [Bitboard::DARK, !Bitboard::DARK]
        .into_iter()
        .find(|squares| bishops.has_any() && (bishops & !*squares).is_empty())
}

/// Whether a pawn has another pawn before it and nothing to take (scalachess' `pawnBlockedByPawn`).
pub(super) fn is_blocked_by_pawn<R: Rules>(position: &Position<R>, pawn: Square) -> bool {
    let Some(piece) = position.piece_at(pawn) else { return false };
    let ahead = Bitboard::square(pawn).forward(piece.color);
    (ahead & position.by_role(Role::Pawn)).has_any()
        && (crate::chess::attacks::pawn(piece.color, pawn) & position.colored(!piece.color)).is_empty()
}
