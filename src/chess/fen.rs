//! Positions as text: Forsyth-Edwards notation, with the castling letters of X-FEN and Shredder-FEN.

use std::fmt::Write as _;

use thiserror::Error;

use super::position::Setup;
use super::{Bitboard, CastlingSide, Color, Piece, Position, PositionError, Role, Square};

/// Why a text is not a FEN, or its content not a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FenError {
    /// There is nothing but spaces.
    #[error("empty FEN, expected placement, side to move, castling, en passant square and two counters")]
    Empty,
    /// The placement is no board of eight ranks of eight files.
    #[error("bad FEN placement {text:?}: {reason}")]
    Placement {
        /// The first field.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The side to move is neither `w` nor `b`.
    #[error("bad FEN side to move {0:?}, expected \"w\" or \"b\"")]
    Turn(String),
    /// The castling field holds something else than rights.
    #[error("bad FEN castling field {0:?}, expected \"-\" or letters of KQkq, A-H, a-h")]
    Castling(String),
    /// The en passant field holds no square.
    #[error("bad FEN en passant square {0:?}, expected \"-\" or a square")]
    EnPassant(String),
    /// A counter is no number, or one out of range.
    #[error("bad FEN {name} {text:?}, expected a number from 0 to 9999")]
    Counter {
        /// Which of the two counters.
        name: &'static str,
        /// What stands there.
        text: String,
    },
    /// There are more fields than a FEN has.
    #[error("unexpected text after the FEN: {0:?}")]
    Trailing(String),
    /// The text is a FEN, but what it shows is no position of chess.
    #[error("not a legal position: {0}")]
    Position(#[from] PositionError),
}

impl Position {
    /// Reads a FEN. Missing last fields take their defaults (`w - - 0 1`); claims that the placement cannot support
    /// (a castling right without its rook, an en passant square behind no pawn) are dropped.
    pub fn from_fen(fen: &str) -> Result<Position, FenError> {
        let setup = read(fen)?;
        let position = Position::from_setup(&setup)?;
        super::validate::reachable(&position, setup.en_passant)?;
        Ok(position)
    }

    /// Like [`from_fen`](Position::from_fen), but lets stand what no game leads to (too many pieces, checks that
    /// no last move can have given): it breaks no rule of movement, and collections of test positions hold it.
    pub fn from_unreachable_fen(fen: &str) -> Result<Position, FenError> {
        Ok(Position::from_setup(&read(fen)?)?)
    }

    /// The FEN, with X-FEN castling letters (KQkq, or a file where that would be ambiguous) and the en passant square
    /// only when the capture is legal.
    pub fn to_fen(&self) -> String {
        self.write_fen(|position, color, side| {
            let rook = position.castling_rook(color, side)?;
            let rooks = position.pieces(color, Role::Rook) & Bitboard::rank(rook.rank());
            let letter = match side {
                CastlingSide::King if rooks.into_iter().all(|other| other.file() <= rook.file()) => 'k',
                CastlingSide::Queen if rooks.into_iter().all(|other| other.file() >= rook.file()) => 'q',
                _ => file_letter(rook),
            };
            Some(letter)
        })
    }

    /// The FEN with the file of the rook for each castling right.
    pub fn to_shredder_fen(&self) -> String {
        self.write_fen(|position, color, side| position.castling_rook(color, side).map(file_letter))
    }

    fn write_fen(&self, right: impl Fn(&Position, Color, CastlingSide) -> Option<char>) -> String {
        let mut fen = String::with_capacity(90);
        for rank in (0..8).rev() {
            self.write_rank(rank, &mut fen);
            fen.push(if rank > 0 { '/' } else { ' ' });
        }
        fen.push(self.turn().to_char());
        fen.push(' ');
        let before = fen.len();
        for color in Color::ALL {
            for side in [CastlingSide::King, CastlingSide::Queen] {
                if let Some(letter) = right(self, color, side) {
                    fen.push(if color == Color::White { letter.to_ascii_uppercase() } else { letter });
                }
            }
        }
        if fen.len() == before {
            fen.push('-');
        }
        let en_passant = self.ep_square().map_or("-".to_owned(), |square| square.to_string());
        write!(fen, " {en_passant} {} {}", self.halfmove_clock(), self.fullmove_number())
            .expect("because writing to a string cannot fail");
        fen
    }

    fn write_rank(&self, rank: u8, fen: &mut String) {
        let mut empty = 0;
        for file in 0..8 {
            match self.piece_at(Square::new(file, rank)) {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        fen.push((b'0' + empty) as char);
                    }
                    empty = 0;
                    fen.push(piece.to_char());
                }
            }
        }
        if empty > 0 {
            fen.push((b'0' + empty) as char);
        }
    }
}

fn read(fen: &str) -> Result<Setup, FenError> {
    let mut fields = fen.split_ascii_whitespace();
    let placement = fields.next().ok_or(FenError::Empty)?;
    let mut setup = Setup::empty();
    read_placement(placement, &mut setup)?;
    setup.turn = match fields.next() {
        None | Some("w") => Color::White,
        Some("b") => Color::Black,
        Some(other) => return Err(FenError::Turn(other.to_owned())),
    };
    read_castling(fields.next().unwrap_or("-"), &mut setup)?;
    setup.en_passant = read_en_passant(fields.next().unwrap_or("-"))?;
    setup.halfmove_clock = read_counter("halfmove clock", fields.next().unwrap_or("0"))?;
    setup.fullmove_number = read_counter("move number", fields.next().unwrap_or("1"))?.max(1);
    match fields.next() {
        Some(extra) => Err(FenError::Trailing(extra.to_owned())),
        None => Ok(setup),
    }
}

fn file_letter(square: Square) -> char {
    (b'a' + square.file()) as char
}

fn read_placement(text: &str, setup: &mut Setup) -> Result<(), FenError> {
    let refuse = |reason: String| FenError::Placement { text: text.to_owned(), reason };
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        return Err(refuse(format!("{} ranks, expected 8", ranks.len())));
    }
    for (rank, row) in (0..8).rev().zip(ranks) {
        let mut file = 0;
        let mut after_digit = false;
        for letter in row.chars() {
            if let Some(piece) = Piece::from_char(letter).filter(|_| file < 8) {
                setup.put(Square::new(file, rank), piece);
                file += 1;
                after_digit = false;
            } else if let Some(gap) = letter.to_digit(10).filter(|gap| (1..=8).contains(gap) && !after_digit)
            {
                file += gap as u8;
                after_digit = true;
            } else {
                return Err(refuse(format!("unexpected {letter:?} in rank {}", rank + 1)));
            }
        }
        if file != 8 {
            return Err(refuse(format!("rank {} has {file} files, expected 8", rank + 1)));
        }
    }
    Ok(())
}

/// Reads rights; `K` and `Q` mean the outermost rook on their side of the king (X-FEN).
fn read_castling(text: &str, setup: &mut Setup) -> Result<(), FenError> {
    if text == "-" {
        return Ok(());
    }
    let refuse = || FenError::Castling(text.to_owned());
    for letter in text.chars() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let rank = color.rank(0);
        let on_rank = |role: Role, file: u8| {
            setup.pieces[Square::new(file, rank).index()] == Some(Piece { color, role })
        };
        let king = (0..8).find(|&file| on_rank(Role::King, file));
        let rook = match (letter.to_ascii_lowercase(), king) {
            ('k', Some(king)) => (king..8).rev().find(|&file| on_rank(Role::Rook, file)),
            ('q', Some(king)) => (0..king).find(|&file| on_rank(Role::Rook, file)),
            ('k' | 'q', None) => None,
            (file @ 'a'..='h', _) => Some(file as u8 - b'a'),
            _ => return Err(refuse()),
        };
        if let (Some(rook), Some(king)) = (rook, king) {
            if setup.castling.contains(Square::new(rook, rank)) {
                return Err(refuse());
            }
            let same_side = (0..8).filter(|file| (*file > king) == (rook > king)).map(Bitboard::file);
            let side = same_side.fold(Bitboard::EMPTY, |side, file| side | file) & Bitboard::rank(rank);
            setup.castling = (setup.castling & !side) | Square::new(rook, rank).into();
        }
    }
    Ok(())
}

fn read_en_passant(text: &str) -> Result<Option<Square>, FenError> {
    if text == "-" {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|()| FenError::EnPassant(text.to_owned()))
}

fn read_counter(name: &'static str, text: &str) -> Result<u16, FenError> {
    let number = text.parse().ok().filter(|&number| number <= 9999 && !text.starts_with('+'));
    number.ok_or_else(|| FenError::Counter { name, text: text.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_prints() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 13 37",
            "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
            "8/8/8/8/8/4k3/8/4K2R b K - 99 120",
            "4k3/8/8/8/8/8/8/RR2KR1R w FB - 0 1",
        ] {
            assert_eq!(Position::from_fen(fen).unwrap().to_fen(), fen);
        }
    }

    #[test]
    fn reads_other_spellings_as_the_same_position() {
        for (other, canonical) in [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            ),
            (
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            ),
            ("  8/8/8/8/8/4k3/8/4K3   b  ", "8/8/8/8/8/4k3/8/4K3 b - - 0 1"),
            ("8/8/8/8/8/4k3/8/4K2R b KQkq - 0 0", "8/8/8/8/8/4k3/8/4K2R b K - 0 1"),
        ] {
            assert_eq!(Position::from_fen(other).unwrap().to_fen(), canonical, "{other}");
        }
    }

    /// The reason names what is wrong and what was expected.
    #[test]
    fn refuses_what_is_no_position() {
        for (fen, reason) in [
            ("", "empty FEN"),
            ("startpos", "1 ranks, expected 8"),
            ("rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", "rank 7 has 7 files"),
            ("rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", "unexpected 'p' in rank 7"),
            ("rnbqkbnr/pppppppp/44/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", "unexpected '4' in rank 6"),
            ("8/8/8/8/8/4k3/8/4K3 x - - 0 1", "side to move \"x\""),
            ("8/8/8/8/8/4k3/8/4K3 w X - 0 1", "castling field \"X\""),
            ("8/8/8/8/8/4k3/8/4K3 w - e9 0 1", "en passant square \"e9\""),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQA - 0 1", "castling field \"KQA\""),
            ("1b1k4/8/8/1rPpK3/8/8/8/8 w - d6 0 1", "no move can give check from b8"),
            ("8/8/8/8/8/4k3/8/4K3 w - - -1 1", "halfmove clock \"-1\""),
            ("8/8/8/8/8/4k3/8/4K3 w - - 0 1 1", "after the FEN"),
            ("8/8/8/8/8/8/8/4K3 w - - 0 1", "black has 0 kings"),
            ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "pawn on a1"),
            ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "black is in check but it is not black's move"),
            ("4k3/8/8/8/N7/8/PPPPPPPP/RNBQKBNR w - - 0 1", "white has 17 pieces"),
            ("4k3/8/5N2/8/B7/8/4R3/4K3 b - - 0 1", "no move can give check from e2 and a4 and f6 at once"),
            ("4r3/8/8/8/4K3/8/8/k3r3 w - - 0 1", "no move can give check from e1 and e8"),
            ("8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1", "no move can give check from f1"),
        ] {
            match Position::from_fen(fen) {
                Err(error) => assert!(error.to_string().contains(reason), "{fen}: {error}"),
                Ok(_) => panic!("{fen} was accepted"),
            }
        }
    }
}
