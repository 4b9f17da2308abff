//! Moves as the four or five letters of UCI, in both spellings of castling.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{AnyPosition, Laws, Move, Role, Square, Variant};

/// A move as text gives it: two squares and perhaps a promotion, or a drop. It means nothing without a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UciMove {
    from: Square,
    to: Square,
    promotion: Option<Role>,
    drop: Option<Role>,
}

/// Why a text is not a UCI move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("bad UCI move {0:?}, expected a move such as \"e2e4\", \"e7e8q\" or \"N@f3\"")]
pub struct UciError(pub String);

/// A move that the position does not allow.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("illegal move {uci} in {fen}")]
pub struct IllegalMove {
    /// The move.
    pub uci: UciMove,
    /// The position.
    pub fen: String,
}

/// How castling is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastlingSpelling {
    /// The king's own two squares, `e1g1`.
    KingTwoSquares,
    /// The king takes its rook, `e1h1`: the only spelling that is always unambiguous in Chess960.
    KingTakesRook,
}

/// How to write castling to Lichess: king takes rook in Chess960 and where king and rook are off their classical
/// squares, else the two-square step, which servers old and new accept.
pub fn lichess_spelling(variant: Variant, position: &AnyPosition) -> CastlingSpelling {
    if variant == Variant::Chess960 || !position.has_standard_castling() {
        CastlingSpelling::KingTakesRook
    } else {
        CastlingSpelling::KingTwoSquares
    }
}

impl UciMove {
    /// Where the piece comes from; the square it is put on when it is dropped.
    pub fn from(self) -> Square {
        self.from
    }

    /// The second square of the text.
    pub fn to(self) -> Square {
        self.to
    }

    /// What a pawn becomes.
    pub fn promotion(self) -> Option<Role> {
        self.promotion
    }

    /// What is put on the board from the pocket.
    pub fn drop(self) -> Option<Role> {
        self.drop
    }

    /// The same two squares with another promotion.
    pub fn with_promotion(self, promotion: Option<Role>) -> UciMove {
        UciMove { promotion, ..self }
    }

    /// The text form of a move.
    pub fn from_move(mv: Move, spelling: CastlingSpelling) -> UciMove {
        let to = match spelling {
            CastlingSpelling::KingTwoSquares => mv.destination(),
            CastlingSpelling::KingTakesRook => mv.to(),
        };
        UciMove { from: mv.from(), to, promotion: mv.promotion(), drop: mv.drop() }
    }

    /// The legal move that the text means, in either spelling of castling.
    pub fn to_move(self, position: &impl Laws) -> Result<Move, IllegalMove> {
        let found = position.legal_moves().into_iter().find(|&mv| self.means(mv, position));
        found.ok_or_else(|| IllegalMove { uci: self, fen: position.to_fen() })
    }

    /// King takes rook always is castling. The king's two-square step is, too, but only from the e-file, since
    /// elsewhere it might be an ordinary step.
    fn means(self, mv: Move, position: &impl Laws) -> bool {
        let two_squares = mv.is_castling()
            && self.from.file() == 4
            && self.to == mv.destination()
            && position.role_at(self.to) != Some(Role::Rook);
        mv.from() == self.from
            && (mv.to() == self.to || two_squares)
            && mv.promotion() == self.promotion
            && mv.drop() == self.drop
    }
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(role) = self.drop {
            return write!(f, "{}@{}", role.to_char().to_ascii_uppercase(), self.to);
        }
        write!(f, "{}{}", self.from, self.to)?;
        match self.promotion {
            Some(role) => write!(f, "{}", role.to_char()),
            None => Ok(()),
        }
    }
}

impl FromStr for UciMove {
    type Err = UciError;

    fn from_str(text: &str) -> Result<UciMove, UciError> {
        let refuse = || UciError(text.chars().take(16).collect());
        if !text.is_ascii() || !(4..=5).contains(&text.len()) {
            return Err(refuse());
        }
        if let Some((role, square)) = text.split_once('@') {
            return read_drop(role, square).ok_or_else(refuse);
        }
        let from: Square = text[..2].parse().map_err(|()| refuse())?;
        let to: Square = text[2..4].parse().map_err(|()| refuse())?;
        let promotion = match text.as_bytes().get(4) {
            None => None,
            Some(letter @ (b'q' | b'r' | b'b' | b'n' | b'k')) => Role::from_char(*letter as char),
            Some(_) => return Err(refuse()),
        };
        if from == to { Err(refuse()) } else { Ok(UciMove { from, to, promotion, drop: None }) }
    }
}

fn read_drop(role: &str, square: &str) -> Option<UciMove> {
    let mut letters = role.chars();
    let role =
        Role::from_char(letters.next()?).filter(|role| *role != Role::King && letters.next().is_none())?;
    let to = square.parse().ok()?;
    Some(UciMove { from: to, to, promotion: None, drop: Some(role) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    fn read(fen: &str, uci: &str) -> Option<Move> {
        let position = Position::from_fen(fen).unwrap();
        uci.parse::<UciMove>().unwrap().to_move(&position).ok()
    }

    #[test]
    fn both_spellings_of_castling_are_one_move() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for (two_squares, takes_rook) in [("e1g1", "e1h1"), ("e1c1", "e1a1")] {
            let mv = read(fen, two_squares).unwrap();
            assert!(mv.is_castling());
            assert_eq!(read(fen, takes_rook), Some(mv));
            assert_eq!(UciMove::from_move(mv, CastlingSpelling::KingTwoSquares).to_string(), two_squares);
            assert_eq!(UciMove::from_move(mv, CastlingSpelling::KingTakesRook).to_string(), takes_rook);
        }
    }

    /// On f1 the king may both step to g1 and castle with the rook on h1 or g1 (lichess-api.md 3.2).
    #[test]
    fn a_king_step_is_not_castling() {
        let rook_h = "4k3/8/8/8/8/8/8/5K1R w H - 0 1";
        assert!(!read(rook_h, "f1g1").unwrap().is_castling());
        assert!(read(rook_h, "f1h1").unwrap().is_castling());
        assert!(read("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1").unwrap().is_castling());
        assert!(read("4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1").unwrap().is_castling());
        assert_eq!(read("4k3/8/8/8/8/8/8/3K3R w H - 0 1", "d1g1"), None);
    }

    #[test]
    fn the_promotion_must_be_said() {
        let fen = "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1";
        assert_eq!(read(fen, "e7e8q").unwrap().promotion(), Some(Role::Queen));
        assert_eq!(read(fen, "e7e8"), None);
        assert_eq!(read(fen, "e1e2q"), None);
    }

    #[test]
    fn refuses_what_is_no_move() {
        for bad in [
            "", "0000", "e2", "e2e", "e2e9", "e2e4p", "e2e4 ", "K@e4", "@e4", "NN@e4", "N@e9", "e2e4qq",
            "e2e2", "é2e4",
        ] {
            assert_eq!(bad.parse::<UciMove>(), Err(UciError(bad.to_owned())), "{bad:?}");
        }
    }

    #[test]
    fn lichess_gets_the_spelling_that_it_takes() {
        let classical = Position::initial();
        let shuffled = Position::from_fen("4k3/8/8/8/8/8/8/5K1R w H - 0 1").unwrap();
        assert_eq!(
            lichess_spelling(Variant::Standard, &classical.clone().into()),
            CastlingSpelling::KingTwoSquares
        );
        assert_eq!(lichess_spelling(Variant::Chess960, &classical.into()), CastlingSpelling::KingTakesRook);
        assert_eq!(
            lichess_spelling(Variant::FromPosition, &shuffled.into()),
            CastlingSpelling::KingTakesRook
        );
    }
}
