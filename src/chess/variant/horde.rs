//! Horde: White has pawns and no king, and loses when all is taken; Black plays ordinary chess.

use crate::chess::position::Setup;
use crate::chess::validate;
use crate::chess::{Bitboard, Color, GameEnd, Position, PositionError, Role, Rules, Variant, attacks};

use super::horde_material;

/// The rules of horde.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Horde;

/// White starts with so many pawns and gets no new ones.
const MAX_HORDE: u32 = 36;

impl Rules for Horde {
    type Extra = ();

    const VARIANT: Variant = Variant::Horde;
    const START: &'static str = "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1";

    fn is_royal(color: Color) -> bool {
        color == Color::Black
    }

    /// The horde's pawns may make a double step from the first rank, too.
    fn double_steps(color: Color) -> Bitboard {
        match color {
            Color::White => Bitboard::rank(0) | Bitboard::rank(1),
            Color::Black => Bitboard::rank(6),
        }
    }

    fn variant_end(position: &Position<Self>) -> Option<GameEnd> {
        let over = position.colored(Color::White).is_empty();
        over.then_some(GameEnd::VariantEnd { winner: Some(Color::Black) })
    }

    /// The horde cannot move, now and after each of Black's moves, and Black cannot take the last of it.
    fn is_insufficient_material(position: &Position<Self>) -> bool {
        let horde = position.colored(Color::White);
        let falls = horde.first().is_some_and(|square| {
            let attackers = position.attackers(square, position.occupied());
            !horde.more_than_one() && (attackers & position.colored(Color::Black)).has_any()
        });
        if falls {
            return false;
        }
        match position.turn() {
            Color::White => !position.has_legal_move(),
            Color::Black => {
                is_stuck(position)
                    && position.legal_moves().into_iter().all(|mv| !position.after(mv).has_legal_move())
            }
        }
    }

    fn lacks_winning_material(position: &Position<Self>, color: Color) -> bool {
        match color {
            Color::White => {
                horde_material::is_insufficient(position) || Self::is_insufficient_material(position)
            }
            Color::Black => Self::is_insufficient_material(position),
        }
    }

    fn check_kings(position: &Position<Self>) -> Result<(), PositionError> {
        for (color, expected) in [(Color::White, 0), (Color::Black, 1)] {
            let count = position.pieces(color, Role::King).count();
            if count != expected {
                return Err(PositionError::HordeKings { color, count });
            }
        }
        Ok(())
    }

    fn check_setup(position: &Position<Self>) -> Result<(), PositionError> {
        let pawns = position.by_role(Role::Pawn);
        let misplaced = pawns & (Bitboard::rank(7) | Bitboard::rank(0) & position.colored(Color::Black));
        if let Some(square) = misplaced.first() {
            return Err(PositionError::PawnOnBackRank(square));
        }
        let king = position.king(Color::Black);
        let attackers = position.attackers(king, position.occupied()) & position.colored(Color::White);
        if position.turn() == Color::White && attackers.has_any() {
            return Err(PositionError::OpponentInCheck { color: Color::Black });
        }
        Ok(())
    }

    fn check_reachable(position: &Position<Self>, setup: &Setup) -> Result<(), PositionError> {
        for (color, most) in [(Color::White, MAX_HORDE), (Color::Black, 16)] {
            let count = position.colored(color).count();
            if count > most {
                return Err(PositionError::TooManyPieces { color, count, expected: most });
            }
        }
        validate::check_origin(position, setup.en_passant)
    }
}

/// Whether one move of Black's could stop all pawns: a quick look that spares most positions the full test. A move takes
/// or blocks few of them, castling two.
fn is_stuck(position: &Position<Horde>) -> bool {
    let pawns = position.pieces(Color::White, Role::Pawn);
    let mobile = pawns.forward(Color::White) & !position.occupied();
    let takes = attacks::pawns(Color::White, pawns) & position.colored(Color::Black);
    mobile.count() + takes.count() <= 4
}
