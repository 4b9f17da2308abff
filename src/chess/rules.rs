//! What a variant may change: one trait whose defaults are standard chess, so that a variant says only what differs.
//!
//! Everything is decided at compile time: [`Position<Standard>`](super::Position) holds and tests nothing for the others.

use std::fmt::Debug;

use super::position::{Played, Setup};
use super::sink::{Sink, Wanted};
use super::{Bitboard, Color, GameEnd, Move, Position, PositionError, Role, Square, Variant};

/// The rules of one kind of chess.
pub trait Rules: Copy + Debug + Eq + Send + Sync + Sized + 'static {
    /// What a position has to know beyond the board.
    type Extra: Extra;

    /// The variant, by Lichess' name.
    const VARIANT: Variant;
    /// The FEN of the start.
    const START: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    /// What a pawn may become, the most wanted first.
    const PROMOTIONS: &'static [Role] = &[Role::Queen, Role::Knight, Role::Rook, Role::Bishop];
    /// Whether kings castle.
    const CASTLING: bool = true;
    /// Whether pieces are put on the board from a pocket.
    const DROPS: bool = false;
    /// Whether fifty moves without progress draw (Lichess: everywhere but in crazyhouse).
    const FIFTY_MOVES: bool = true;

    /// Whether the colour has a king that must not be left in check.
    fn is_royal(color: Color) -> bool {
        let _ = color;
        true
    }

    /// From where pawns may make a double step.
    fn double_steps(color: Color) -> Bitboard {
        Bitboard::rank(color.rank(1))
    }

    /// Hands every legal move that is wanted to `sink`, the end of the game left aside.
    fn generate<S: Sink>(position: &Position<Self>, wanted: &Wanted, sink: &mut S) {
        position.orthodox_moves(wanted, sink);
    }

    /// Whether a move, whatever its origin, is legal, the end of the game left aside.
    fn is_legal(position: &Position<Self>, mv: Move) -> bool {
        position.is_orthodox(mv)
    }

    /// Whether the pawn on `from` may capture in passing on `to`, seen from its king's safety.
    fn is_en_passant_safe(position: &Position<Self>, from: Square, to: Square) -> bool {
        !Self::is_royal(position.turn()) || position.keeps_king_safe_in_passing(from, to)
    }

    /// Whether a king on `square` would be in check from a side, with the board occupied as given.
    fn is_attacked(position: &Position<Self>, square: Square, by: Color, occupied: Bitboard) -> bool {
        (position.attackers(square, occupied) & position.colored(by)).has_any()
    }

    /// The pieces that give check to the side to move, and its pinned pieces.
    fn checks(position: &Position<Self>) -> (Bitboard, Bitboard) {
        position.orthodox_checks()
    }

    /// What else a move does to the board, before the turn passes.
    fn played(position: &mut Position<Self>, played: Played) {
        let _ = (position, played);
    }

    /// What else a move does, after the turn has passed and checks are known.
    fn turned(position: &mut Position<Self>) {
        let _ = position;
    }

    /// The end that the variant adds to those of chess, if it has come.
    fn variant_end(position: &Position<Self>) -> Option<GameEnd> {
        let _ = position;
        None
    }

    /// What it means to have no legal move.
    fn without_moves(position: &Position<Self>) -> GameEnd {
        if position.is_check() { GameEnd::Checkmate { winner: !position.turn() } } else { GameEnd::Stalemate }
    }

    /// Whether Lichess draws the game for want of material.
    fn is_insufficient_material(position: &Position<Self>) -> bool;

    /// Whether Lichess takes it that `color` cannot win, as when the other side's flag falls.
    fn lacks_winning_material(position: &Position<Self>, color: Color) -> bool;

    /// Whether each side has the kings it must have.
    fn check_kings(position: &Position<Self>) -> Result<(), PositionError> {
        super::validate::kings(position)
    }

    /// What else makes a set-up illegal, checked when rights and checks are known.
    fn check_setup(position: &Position<Self>) -> Result<(), PositionError> {
        super::validate::placement(position)
    }

    /// What no game can lead to, beyond [`check_setup`](Rules::check_setup); `setup` is what was claimed.
    fn check_reachable(position: &Position<Self>, setup: &Setup) -> Result<(), PositionError> {
        super::validate::piece_counts(position)?;
        super::validate::check_origin(position, setup.en_passant)
    }
}

/// What a position of a variant knows beyond the board; nothing in standard chess.
pub trait Extra: Clone + Debug + Default + Eq + Send + Sync + 'static {
    /// Reads it from a set-up.
    fn from_setup(setup: &Setup) -> Result<Self, PositionError> {
        let _ = setup;
        Ok(Self::default())
    }

    /// Its share of the position's key.
    fn key(&self) -> u64 {
        0
    }

    /// The pieces in hand, if the variant has pockets.
    fn pockets(&self) -> Option<&Pockets> {
        None
    }

    /// The checks given, if the variant counts them.
    fn checks(&self) -> Option<Checks> {
        None
    }
}

impl Extra for () {}

/// How many pieces of each role but the king each side has in hand, and which pieces on the board are promoted pawns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pockets {
    pub(super) counts: [[u8; 5]; 2],
    pub(super) promoted: Bitboard,
}

impl Pockets {
    /// How many pieces of a role a side has in hand.
    pub fn count(&self, color: Color, role: Role) -> u8 {
        self.counts[color.index()].get(role.index()).copied().unwrap_or(0)
    }

    /// The pieces on the board that will be pawns again when they are taken.
    pub fn promoted(&self) -> Bitboard {
        self.promoted
    }
}

/// How often each side has given check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checks {
    pub(super) given: [u8; 2],
}

impl Checks {
    /// The checks that a side has given, at most three.
    pub fn given(self, color: Color) -> u8 {
        self.given[color.index()]
    }
}
