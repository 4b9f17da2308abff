//! What can be wrong with a game in PGN, and where it stands.

use std::fmt;

use thiserror::Error;

use super::super::FenError;
use super::super::san::SanError;

/// Where in a text of games something stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line, counted from 1.
    pub line: usize,
    /// The character in the line, counted from 1.
    pub column: usize,
    /// The game in the text, counted from 1.
    pub game: usize,
    /// How many moves came before in the line of play that holds it.
    pub ply: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { line, column, game, ply } = self;
        write!(f, "line {line}, column {column} (game {game}, ply {ply})")
    }
}

/// Why a game is refused, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}: {fault}")]
pub struct PgnError {
    /// Where it is wrong.
    pub place: Place,
    /// What is wrong.
    #[source]
    pub fault: PgnFault,
}

/// What is wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PgnFault {
    /// A bracket that opens no tag pair.
    #[error("bad tag, expected a pair such as [Event \"Casual game\"]")]
    Tag,
    /// The `Variant` tag names a game that we do not know.
    #[error("unknown variant {0:?}")]
    Variant(String),
    /// The `FEN` tag holds no position of the variant.
    #[error("bad FEN tag: {0}")]
    Fen(#[source] FenError),
    /// A word is no legal move.
    #[error(transparent)]
    Move(SanError),
    /// A null move while in check, which the other side could answer by taking the king.
    #[error("null move in check")]
    NullInCheck,
    /// A comment without its end.
    #[error("comment without its closing brace")]
    UnclosedComment,
    /// A variation without its end.
    #[error("variation without its closing parenthesis")]
    UnclosedVariation,
    /// A variation with no move before it that it could replace.
    #[error("variation before the first move of its line")]
    VariationWithoutMove,
    /// A closing bracket or another character that nothing before explains.
    #[error("unexpected {0:?}")]
    Unexpected(char),
    /// `$` without a number from 0 to 255.
    #[error("bad glyph, expected $ and a number from 0 to 255")]
    Nag,
}
