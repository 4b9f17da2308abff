//! Numeric annotation glyphs: their numbers and the signs that people write for them.

use std::fmt;

/// A glyph as PGN numbers it: `$1` is a good move, `$18` a won position for White.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nag(pub u8);

impl fmt::Display for Nag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.0)
    }
}

/// Signs that stand as words of their own, with the numbers of the PGN standard (section 10) and, above 139, those
/// that ChessBase and Lichess added.
const WORDS: [(&str, u8); 11] = [
    ("=", 10),
    ("+=", 14),
    ("+/=", 14),
    ("=+", 15),
    ("=/+", 15),
    ("+/-", 16),
    ("-/+", 17),
    ("+-", 18),
    ("-+", 19),
    ("N", 146),
    ("D", 220),
];

/// Single signs that may also stand right behind a move.
const SIGNS: [(char, u8); 13] = [
    ('□', 7),
    ('∞', 13),
    ('⩲', 14),
    ('⩱', 15),
    ('±', 16),
    ('∓', 17),
    ('⨀', 22),
    ('⟳', 32),
    ('↑', 36),
    ('→', 40),
    ('⇆', 132),
    ('⊕', 138),
    ('∆', 140),
];

impl Nag {
    /// The glyph of a word that is nothing else, such as `+-`.
    pub(super) fn from_word(word: &str) -> Option<Nag> {
        WORDS.iter().find(|(text, _)| *text == word).map(|&(_, number)| Nag(number))
    }

    /// The glyph of a single sign, such as `±`.
    pub(super) fn from_sign(sign: char) -> Option<Nag> {
        SIGNS.iter().find(|(known, _)| *known == sign).map(|&(_, number)| Nag(number))
    }

    /// The glyph of a run of `!` and `?`; more than two say what the first two say.
    pub(super) fn from_marks(marks: &str) -> Nag {
        Nag(match (marks.as_bytes().first(), marks.as_bytes().get(1)) {
            (Some(b'!'), None) => 1,
            (Some(b'?'), Some(b'?')) => 4,
            (Some(b'!'), Some(b'!')) => 3,
            (Some(b'!'), Some(_)) => 5,
            (Some(b'?'), Some(_)) => 6,
            _ => 2,
        })
    }
}
