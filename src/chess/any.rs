//! A position of any variant, for those who learn only at run time which game is played.

use super::perft::{divide, perft};
use super::rules::{Checks, Extra as _, Pockets};
use super::{
    Antichess, Atomic, Bitboard, CastlingSide, Color, Crazyhouse, FenError, GameEnd, Horde, KingOfTheHill,
    Laws, Move, MoveList, Piece, Position, RacingKings, Role, Rules, Square, Standard, ThreeCheck, Variant,
};

/// A position together with its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant, reason = "all are boards of about the same size")]
pub enum AnyPosition {
    /// Standard chess, Chess960 and games from a position.
    Standard(Position<Standard>),
    /// Crazyhouse.
    Crazyhouse(Position<Crazyhouse>),
    /// Antichess.
    Antichess(Position<Antichess>),
    /// Atomic chess.
    Atomic(Position<Atomic>),
    /// Horde.
    Horde(Position<Horde>),
    /// King of the Hill.
    KingOfTheHill(Position<KingOfTheHill>),
    /// Racing Kings.
    RacingKings(Position<RacingKings>),
    /// Three-check.
    ThreeCheck(Position<ThreeCheck>),
}

/// Evaluates an expression with the position of an [`AnyPosition`], once compiled for each kind of rules.
macro_rules! with_rules {
    ($any:expr, $position:ident => $body:expr) => {
        match $any {
            $crate::chess::AnyPosition::Standard($position) => $body,
            $crate::chess::AnyPosition::Crazyhouse($position) => $body,
            $crate::chess::AnyPosition::Antichess($position) => $body,
            $crate::chess::AnyPosition::Atomic($position) => $body,
            $crate::chess::AnyPosition::Horde($position) => $body,
            $crate::chess::AnyPosition::KingOfTheHill($position) => $body,
            $crate::chess::AnyPosition::RacingKings($position) => $body,
            $crate::chess::AnyPosition::ThreeCheck($position) => $body,
        }
    };
}

pub(crate) use with_rules;

macro_rules! wrap {
    ($($Rules:ident)*) => {
        $(impl From<Position<$Rules>> for AnyPosition {
            fn from(position: Position<$Rules>) -> AnyPosition {
                AnyPosition::$Rules(position)
            }
        })*

        /// Reads a FEN by the rules of a variant.
        fn read<E>(variant: Variant, read: impl Reader<E>) -> Result<AnyPosition, E> {
            match variant {
                Variant::Chess960 | Variant::FromPosition => read.read::<Standard>().map(AnyPosition::Standard),
                $(Variant::$Rules => read.read::<$Rules>().map(AnyPosition::$Rules),)*
            }
        }
    };
}

wrap! { Standard Crazyhouse Antichess Atomic Horde KingOfTheHill RacingKings ThreeCheck }

/// A way to get a position once its rules are known.
trait Reader<E> {
    fn read<R: Rules>(self) -> Result<Position<R>, E>;
}

struct Fen<'a>(&'a str);
struct UnreachableFen<'a>(&'a str);
struct Start;

impl Reader<FenError> for Fen<'_> {
    fn read<R: Rules>(self) -> Result<Position<R>, FenError> {
        self.0.parse()
    }
}

impl Reader<FenError> for UnreachableFen<'_> {
    fn read<R: Rules>(self) -> Result<Position<R>, FenError> {
        Position::parse_unreachable(self.0)
    }
}

impl Reader<FenError> for Start {
    fn read<R: Rules>(self) -> Result<Position<R>, FenError> {
        R::START.parse()
    }
}

/// Forwards methods that only read, whatever the rules.
macro_rules! forward {
    ($($(#[$doc:meta])* fn $name:ident($($argument:ident: $Type:ty),*) -> $Result:ty;)*) => {
        impl AnyPosition {
            $($(#[$doc])*
            pub fn $name(&self, $($argument: $Type),*) -> $Result {
                with_rules!(self, position => position.$name($($argument),*))
            })*
        }
    };
}

forward! {
    /// Whose move it is.
    fn turn() -> Color;
    /// All pieces on the board.
    fn occupied() -> Bitboard;
    /// The pieces of a colour.
    fn colored(color: Color) -> Bitboard;
    /// The pieces of a role, both colours.
    fn by_role(role: Role) -> Bitboard;
    /// The pieces of a colour and a role.
    fn pieces(color: Color, role: Role) -> Bitboard;
    /// What stands on a square.
    fn piece_at(square: Square) -> Option<Piece>;
    /// The role of what stands on a square.
    fn role_at(square: Square) -> Option<Role>;
    /// The pieces that give check to the side to move.
    fn checkers() -> Bitboard;
    /// Whether the side to move is in check.
    fn is_check() -> bool;
    /// Half moves since the last capture or pawn move.
    fn halfmove_clock() -> u16;
    /// The number of the move, starting with 1 and counted up after Black's move.
    fn fullmove_number() -> u16;
    /// The square of an en passant capture, if one is legal now.
    fn ep_square() -> Option<Square>;
    /// The rooks of both sides that may still castle.
    fn castling_rooks() -> Bitboard;
    /// The rook with which a side may still castle on one side.
    fn castling_rook(color: Color, side: CastlingSide) -> Option<Square>;
    /// Whether every remaining right belongs to a king on the e-file and a rook on the a- or h-file.
    fn has_standard_castling() -> bool;
    /// The Zobrist key: equal for positions that the law of repetition takes as the same (FIDE 9.2.3).
    fn key() -> u64;
    /// How many half moves back a position may still come again.
    fn reversible_plies() -> usize;
    /// Whether a legal move takes a piece.
    fn is_capture(mv: Move) -> bool;
    /// What a legal move takes.
    fn captured(mv: Move) -> Option<Role>;
    /// What a legal move moves or drops; the king when castling.
    fn moved(mv: Move) -> Role;
    /// Every legal move; none when the game is over.
    fn legal_moves() -> MoveList;
    /// Whether there is any legal move.
    fn has_legal_move() -> bool;
    /// Whether a move, whatever its origin, is legal here.
    fn is_legal(mv: Move) -> bool;
    /// The FEN, as Lichess writes it.
    fn to_fen() -> String;
    /// The FEN with the file of the rook for each castling right.
    fn to_shredder_fen() -> String;
    /// The end that this position is by itself, whatever came before it.
    fn end() -> Option<GameEnd>;
    /// Whether Lichess draws the game for want of material.
    fn is_insufficient_material() -> bool;
    /// Whether Lichess takes it that `color` cannot win, as when the other side's flag falls.
    fn lacks_winning_material(color: Color) -> bool;
}

impl AnyPosition {
    /// Where a game of the variant starts: at the given FEN, else at the variant's own start.
    pub fn start(variant: Variant, fen: Option<&str>) -> Result<AnyPosition, FenError> {
        match fen {
            Some(fen) => read(variant, Fen(fen)),
            None => read(variant, Start),
        }
    }

    /// Reads a FEN, letting stand what no game leads to: see [`Position::from_unreachable_fen`].
    pub fn from_unreachable_fen(variant: Variant, fen: &str) -> Result<AnyPosition, FenError> {
        read(variant, UnreachableFen(fen))
    }

    /// The variant whose rules these are; [`Variant::Standard`] for Chess960, too.
    pub fn variant(&self) -> Variant {
        fn of<R: Rules>(_: &Position<R>) -> Variant {
            R::VARIANT
        }
        with_rules!(self, position => of(position))
    }

    /// Whether moves without progress are counted to fifty, or further.
    pub fn has_fifty_move_rule(&self) -> bool {
        fn of<R: Rules>(_: &Position<R>) -> bool {
            R::FIFTY_MOVES
        }
        with_rules!(self, position => of(position))
    }

    /// The position of standard chess, if these are its rules.
    pub fn standard(&self) -> Option<&Position> {
        match self {
            AnyPosition::Standard(position) => Some(position),
            AnyPosition::Crazyhouse(_)
            | AnyPosition::Antichess(_)
            | AnyPosition::Atomic(_)
            | AnyPosition::Horde(_)
            | AnyPosition::KingOfTheHill(_)
            | AnyPosition::RacingKings(_)
            | AnyPosition::ThreeCheck(_) => None,
        }
    }

    /// The pieces in hand, if the variant has pockets.
    pub fn pockets(&self) -> Option<Pockets> {
        with_rules!(self, position => position.extra().pockets().copied())
    }

    /// The checks given, if the variant counts them.
    pub fn checks(&self) -> Option<Checks> {
        with_rules!(self, position => position.extra().checks())
    }

    /// Plays a move that is legal here.
    pub fn play(&mut self, mv: Move) {
        with_rules!(self, position => position.play(mv));
    }

    /// The position after a legal move.
    pub fn after(&self, mv: Move) -> AnyPosition {
        with_rules!(self, position => position.after(mv).into())
    }

    /// The same position with the other side to move: see [`Position::after_null`].
    pub fn after_null(&self) -> AnyPosition {
        with_rules!(self, position => position.after_null().into())
    }

    /// The number of move sequences of exactly `depth` plies.
    pub fn perft(&self, depth: u32) -> u64 {
        with_rules!(self, position => perft(position, depth))
    }

    /// The count below each legal move; `depth` is at least 1.
    pub fn divide(&self, depth: u32) -> Vec<(Move, u64)> {
        with_rules!(self, position => divide(position, depth))
    }
}

impl Laws for AnyPosition {
    fn legal_moves(&self) -> MoveList {
        self.legal_moves()
    }

    fn moved(&self, mv: Move) -> Role {
        self.moved(mv)
    }

    fn is_capture(&self, mv: Move) -> bool {
        self.is_capture(mv)
    }

    fn role_at(&self, square: Square) -> Option<Role> {
        self.role_at(square)
    }

    fn check_mark(&self, mv: Move) -> Option<char> {
        with_rules!(self, position => position.check_mark(mv))
    }

    fn to_fen(&self) -> String {
        self.to_fen()
    }
}
