//! What makes a set-up position illegal: the one list of reasons, used when a position comes from outside.

use thiserror::Error;

use super::{Bitboard, Color, Position, Role, Rules, Square, attacks};

/// Why a set-up is not a position of chess.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PositionError {
    /// Each side has exactly one king.
    #[error("{color} has {count} kings, expected one")]
    Kings {
        /// Whose kings.
        color: Color,
        /// How many there are.
        count: u32,
    },
    /// A side starts with so many pieces and gets no new ones.
    #[error("{color} has {count} pieces, expected at most {expected}")]
    TooManyPieces {
        /// Whose pieces.
        color: Color,
        /// How many there are.
        count: u32,
        /// How many there can be.
        expected: u32,
    },
    /// In crazyhouse: a set has so many pieces, on the board and in hand.
    #[error("{count} pieces on the board and in hand, expected at most {expected}")]
    TooManyInAll {
        /// How many there are.
        count: u32,
        /// How many there can be.
        expected: u32,
    },
    /// No pawn can stand on the first or the last rank.
    #[error("pawn on {0}, but pawns never stand on the first or the last rank")]
    PawnOnBackRank(Square),
    /// The side that just moved cannot have left its king in check.
    #[error("{color} is in check but it is not {color}'s move")]
    OpponentInCheck {
        /// Whose king could be taken.
        color: Color,
    },
    /// Nothing stands on the board.
    #[error("no pieces, expected at least one")]
    NoPieces,
    /// In atomic chess at most one king has exploded.
    #[error("no kings, expected at least one")]
    NoKings,
    /// In horde, White has no king and Black one.
    #[error("{color} has {count} kings, expected none for the horde and one for its opponent")]
    HordeKings {
        /// Whose kings.
        color: Color,
        /// How many there are.
        count: u32,
    },
    /// In three-check the game ends with the third check.
    #[error("{count} checks given, expected at most 3")]
    TooManyChecks {
        /// How many are claimed.
        count: u8,
    },
    /// There are no pawns in Racing Kings.
    #[error("pawn on {0}, but Racing Kings has no pawns")]
    PawnInRacingKings(Square),
    /// Nobody gives check in Racing Kings.
    #[error("check, which nobody may give in Racing Kings")]
    CheckInRacingKings,
    /// In Racing Kings Black ends the game by arriving.
    #[error("black's king has arrived but it is black's move")]
    RaceIsOver,
    /// Only crazyhouse has pieces in hand, and promoted pawns that are marked.
    #[error("pieces in hand or promoted pieces, which only crazyhouse has")]
    UnexpectedPocket,
    /// Only three-check counts checks.
    #[error("a count of checks, which only three-check has")]
    UnexpectedChecks,
    /// No last move gives these checks at once.
    #[error("no move can give check from {} at once", join(*.0))]
    ImpossibleCheck(Bitboard),
}

fn join(squares: Bitboard) -> String {
    squares.into_iter().map(|square| square.to_string()).collect::<Vec<_>>().join(" and ")
}

/// One king a side; the rest of the set-up cannot even be looked at without them.
pub(super) fn kings<R: Rules>(position: &Position<R>) -> Result<(), PositionError> {
    for color in Color::ALL {
        let count = position.pieces(color, Role::King).count();
        if count != 1 {
            return Err(PositionError::Kings { color, count });
        }
    }
    Ok(())
}

/// The places of the pieces, without which the rules of movement make no sense.
pub(super) fn placement<R: Rules>(position: &Position<R>) -> Result<(), PositionError> {
    pawns(position)?;
    let color = !position.turn();
    let attackers = position.attackers(position.king(color), position.occupied());
    if (attackers & position.colored(position.turn())).has_any() {
        return Err(PositionError::OpponentInCheck { color });
    }
    Ok(())
}

/// No pawns on the first and last ranks.
pub(super) fn pawns<R: Rules>(position: &Position<R>) -> Result<(), PositionError> {
    match (position.by_role(Role::Pawn) & Bitboard::BACK_RANKS).first() {
        Some(square) => Err(PositionError::PawnOnBackRank(square)),
        None => Ok(()),
    }
}

/// No game leads to more than sixteen pieces a side. Promoted pieces are not counted against missing pawns: composed
/// positions break that rule, and nothing here depends on it.
pub(super) fn piece_counts<R: Rules>(position: &Position<R>) -> Result<(), PositionError> {
    for color in Color::ALL {
        let count = position.colored(color).count();
        if count > 16 {
            return Err(PositionError::TooManyPieces { color, count, expected: 16 });
        }
    }
    Ok(())
}

/// No game leads to checks that the last move could not have given: at most two pieces give check; of two, one is a
/// slider that was uncovered, and they never stand on one line with the king. After a double step over `stepped_over` no
/// piece may have given check before it.
pub(super) fn check_origin<R: Rules>(
    position: &Position<R>,
    stepped_over: Option<Square>,
) -> Result<(), PositionError> {
    let checkers = position.checkers();
    let king = position.king(position.turn());
    let sliders =
        position.by_role(Role::Bishop) | position.by_role(Role::Rook) | position.by_role(Role::Queen);
    let squares: Vec<Square> = checkers.collect();
    let possible = match squares[..] {
        [] | [_] => true,
        [a, b] => !attacks::line(a, king).contains(b) && (checkers & sliders).has_any(),
        _ => false,
    };
    let explained = !R::is_royal(position.turn())
        || double_step(position, stepped_over).is_none_or(|square| was_safe(position, square));
    if possible && explained { Ok(()) } else { Err(PositionError::ImpossibleCheck(checkers)) }
}

/// Whether the side to move was not in check before the opponent's pawn stepped over `square`.
fn was_safe<R: Rules>(position: &Position<R>, square: Square) -> bool {
    let them = !position.turn();
    let from = Bitboard::square(square).forward(!them);
    let to = Bitboard::square(square).forward(them);
    let before = (position.occupied() ^ to) | from;
    let attackers = position.attackers(position.king(position.turn()), before);
    (attackers & position.colored(them) & !to).is_empty()
}

/// The castling rights that the placement allows: king and rook on their own back rank. The rest is dropped, as
/// Lichess does; of two rooks on one side the FEN reader has already chosen.
pub(super) fn castling_rights<R: Rules>(position: &Position<R>, claimed: Bitboard) -> Bitboard {
    let mut rights = Bitboard::EMPTY;
    for color in Color::ALL {
        let rank = Bitboard::rank(color.rank(0));
        let kings = position.pieces(color, Role::King);
        if (kings & rank).has_any() && !kings.more_than_one() {
            rights |= claimed & position.pieces(color, Role::Rook) & rank;
        }
    }
    rights
}

/// The en passant square of a set-up, if a double step of the opponent can really have passed there.
pub(super) fn double_step<R: Rules>(position: &Position<R>, claimed: Option<Square>) -> Option<Square> {
    let square = claimed?;
    let them = !position.turn();
    let from = Bitboard::square(square).forward(!them);
    let to = Bitboard::square(square).forward(them);
    let possible = square.rank() == them.rank(2)
        && (position.occupied() & (from | square.into())).is_empty()
        && (position.pieces(them, Role::Pawn) & to).has_any();
    possible.then_some(square)
}
