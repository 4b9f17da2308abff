//! The result of a game and the ways in which texts spell it.

use super::super::Color;

/// How a game ended, as PGN writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PgnResult {
    /// `1-0`
    White,
    /// `0-1`
    Black,
    /// `1/2-1/2`
    Draw,
    /// `*`: still going on, aborted or unknown.
    Unfinished,
}

impl PgnResult {
    /// The result of a finished game by its winner; no winner is a draw.
    pub fn of_winner(winner: Option<Color>) -> PgnResult {
        match winner {
            Some(Color::White) => PgnResult::White,
            Some(Color::Black) => PgnResult::Black,
            None => PgnResult::Draw,
        }
    }

    /// The token of PGN.
    pub const fn as_str(self) -> &'static str {
        match self {
            PgnResult::White => "1-0",
            PgnResult::Black => "0-1",
            PgnResult::Draw => "1/2-1/2",
            PgnResult::Unfinished => "*",
        }
    }

    /// The result of a token in any known spelling: with typographic dashes, `½`, `1/2` alone, or ChessBase's `+--`
    /// and `--+` for games that were not played.
    pub(super) fn from_spelling(text: &str) -> Option<PgnResult> {
        // The longest spelling has seven characters.
        let word: String = text.chars().take(8).map(plain_dash).collect();
        match word.as_str() {
            "1-0" | "+--" => Some(PgnResult::White),
            "0-1" | "--+" => Some(PgnResult::Black),
            "1/2-1/2" | "1/2" | "½-½" | "½" => Some(PgnResult::Draw),
            "*" => Some(PgnResult::Unfinished),
            _ => None,
        }
    }
}

/// The hyphen that a typographic dash stands for.
pub(super) fn plain_dash(c: char) -> char {
    match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => '-',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_spelling_of_a_result() {
        for (text, result) in [
            ("1-0", PgnResult::White),
            ("1–0", PgnResult::White),
            ("+--", PgnResult::White),
            ("0—1", PgnResult::Black),
            ("--+", PgnResult::Black),
            ("1/2-1/2", PgnResult::Draw),
            ("1/2–1/2", PgnResult::Draw),
            ("½-½", PgnResult::Draw),
            ("1/2", PgnResult::Draw),
            ("*", PgnResult::Unfinished),
        ] {
            assert_eq!(PgnResult::from_spelling(text), Some(result), "{text}");
        }
        for other in ["", "0-0", "1", "e4", "1/2-1/2-1/2", "--", "1 - 0"] {
            assert_eq!(PgnResult::from_spelling(other), None, "{other}");
        }
    }
}
