//! Games as PGN text (the standard of 1994): read leniently game by game, written in the export format.
//!
//! A [`Game`] is a tree: a main line, variations, comments and glyphs. [`Games`] reads a file of them; a game's
//! `Display` writes it. What a text says in an odd way is read and made canonical, so that a game that was written is
//! read back equal; what breaks the laws or cannot be understood is refused with its place.

mod error;
mod glyph;
mod header;
mod lexer;
mod moves;
mod reader;
mod result;
mod tree;
mod write;

pub use error::{PgnError, PgnFault, Place};
pub use glyph::Nag;
pub use reader::{Games, decode};
pub use result::PgnResult;
pub use tree::{Game, Line, LineId, Ply};
pub use write::write;
