//! The laws of chess as pure values: positions, legal moves, game ends and their text forms.
//!
//! No I/O, no clock, no logging, no set-up: every table is a constant. A [`Position`] is always legal, and text
//! becomes a [`Move`] only through a `Position`. Read in the order of the modules below.

mod bitboard;
mod types;

pub mod attacks;
mod moves;
mod zobrist;

mod position;
mod rules;
mod sink;

mod movegen;
mod play;
mod validate;

mod any;
mod variant;

mod fen;
mod laws;
pub mod san;
mod uci;

mod draw;
mod history;

mod claims;
mod dead;

mod epd;
pub mod perft;
pub mod pgn;

#[cfg(any(test, fuzzing))]
#[doc(hidden)]
pub mod fuzzing;

pub use any::AnyPosition;
pub(crate) use any::with_rules;
pub use bitboard::Bitboard;
pub use claims::{AutomaticDraws, DrawClaim};
pub use dead::{Effort, Helpmate, Winnable};
pub use draw::GameEnd;
pub use epd::{Epd, EpdError};
pub use fen::FenError;
pub use history::{History, HistoryError};
pub use laws::Laws;
pub use moves::{Move, MoveList};
pub use perft::{PerftCase, PerftSuite, perft};
pub use position::{CastlingSide, Position};
pub use rules::{Checks, Extra, Pockets, Rules};
pub use types::{Color, Piece, Role, Square};
pub use uci::{CastlingSpelling, IllegalMove, UciError, UciMove, lichess_spelling};
pub use validate::PositionError;
pub use variant::{
    Antichess, Atomic, Crazyhouse, Horde, KingOfTheHill, RacingKings, Standard, ThreeCheck, Variant,
};
pub(crate) use zobrist::{step_key, turn_key};
