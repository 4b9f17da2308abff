//! Positions as text: Forsyth-Edwards notation, with the castling letters of X-FEN and Shredder-FEN, the pockets of
//! crazyhouse and the counts of three-check in all spellings in use.

use std::fmt::Write as _;
use std::str::FromStr;

use thiserror::Error;

use super::position::Setup;
use super::rules::{Extra as _, Pockets};
use super::{Bitboard, CastlingSide, Color, Piece, Position, PositionError, Role, Rules, Square};

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
    #[error("bad FEN {name} {text:?}, expected a number from 0 to {most}")]
    Counter {
        /// Which of the two counters.
        name: &'static str,
        /// What stands there.
        text: String,
        /// The largest number that may stand there.
        most: u16,
    },
    /// The pocket holds something else than pieces.
    #[error("bad FEN pocket {text:?}: unexpected {letter:?}, expected letters of QRBNPqrbnp")]
    Pocket {
        /// The pocket.
        text: String,
        /// What is wrong in it.
        letter: char,
    },
    /// The count of checks is none.
    #[error(
        "bad FEN count of checks {0:?}, expected the checks left before the counters, such as \"3+3\", or the checks \
         given after them, such as \"+0+0\""
    )]
    Checks(String),
    /// There are more fields than a FEN has.
    #[error("unexpected text after the FEN: {0:?}")]
    Trailing(String),
    /// The text is a FEN, but what it shows is no position of chess.
    #[error("not a legal position: {0}")]
    Position(#[from] PositionError),
}

/// The largest halfmove clock that a position may start with. Later ones are counted on from there.
const MOST_HALFMOVES: u16 = 9999;

impl Position {
    /// Reads a FEN of standard chess. Missing last fields take their defaults (`w - - 0 1`); claims that the placement
    /// cannot support (a castling right without its rook, an en passant square behind no pawn) are dropped. Positions of
    /// other variants are read by [`str::parse`].
    pub fn from_fen(fen: &str) -> Result<Position, FenError> {
        fen.parse()
    }

    /// Like [`from_fen`](Position::from_fen), but lets stand what no game leads to (too many pieces, checks that
    /// no last move can have given): it breaks no rule of movement, and collections of test positions hold it.
    pub fn from_unreachable_fen(fen: &str) -> Result<Position, FenError> {
        Position::parse_unreachable(fen)
    }
}

impl<R: Rules> FromStr for Position<R> {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Position<R>, FenError> {
        let setup = read(fen)?;
        let position = Position::from_setup(&setup)?;
        R::check_reachable(&position, &setup)?;
        Ok(position)
    }
}

impl<R: Rules> Position<R> {
    pub(super) fn parse_unreachable(fen: &str) -> Result<Position<R>, FenError> {
        Ok(Position::from_setup(&read(fen)?)?)
    }

    /// The FEN as Lichess writes it: X-FEN castling letters (KQkq, or a file where that would be ambiguous), the en
    /// passant square only when the capture is legal, pockets as a ninth rank, checks given at the end.
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

    fn write_fen(&self, right: impl Fn(&Position<R>, Color, CastlingSide) -> Option<char>) -> String {
        let mut fen = String::with_capacity(90);
        for rank in (0..8).rev() {
            self.write_rank(rank, &mut fen);
            if rank > 0 {
                fen.push('/');
            }
        }
        if let Some(pockets) = self.extra().pockets() {
            write_pockets(pockets, &mut fen);
        }
        fen.extend([' ', self.turn().to_char(), ' ']);
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
        if let Some(checks) = self.extra().checks() {
            write!(fen, " +{}+{}", checks.given(Color::White), checks.given(Color::Black))
                .expect("because writing to a string cannot fail");
        }
        fen
    }

    fn write_rank(&self, rank: u8, fen: &mut String) {
        let promoted = self.extra().pockets().map_or(Bitboard::EMPTY, Pockets::promoted);
        let mut empty = 0;
        for file in 0..8 {
            let square = Square::new(file, rank);
            match self.piece_at(square) {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        fen.push((b'0' + empty) as char);
                    }
                    empty = 0;
                    fen.push(piece.to_char());
                    if promoted.contains(square) {
                        fen.push('~');
                    }
                }
            }
        }
        if empty > 0 {
            fen.push((b'0' + empty) as char);
        }
    }
}

/// The ninth rank of crazyhouse, which is there even when nobody has anything in hand.
fn write_pockets(pockets: &Pockets, fen: &mut String) {
    fen.push('/');
    for color in Color::ALL {
        for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn] {
            let letter = Piece { color, role }.to_char();
            fen.extend(std::iter::repeat_n(letter, usize::from(pockets.count(color, role))));
        }
    }
}

fn read(fen: &str) -> Result<Setup, FenError> {
    let mut fields = fen.split_ascii_whitespace().peekable();
    let placement = fields.next().ok_or(FenError::Empty)?;
    let mut setup = Setup::empty();
    let (board, pocket) = split_pocket(placement)?;
    read_placement(board, &mut setup)?;
    if let Some(pocket) = pocket {
        setup.pockets = Some(read_pocket(pocket)?);
    }
    setup.turn = match fields.next() {
        None | Some("w") => Color::White,
        Some("b") => Color::Black,
        Some(other) => return Err(FenError::Turn(other.to_owned())),
    };
    read_castling(fields.next().unwrap_or("-"), &mut setup)?;
    setup.en_passant = read_en_passant(fields.next().unwrap_or("-"))?;
    if let Some(left) = fields.next_if(|field| field.contains('+') && !field.starts_with('+')) {
        setup.checks = Some(read_checks(left)?.map(|left| 3u8.saturating_sub(left)));
    }
    setup.halfmove_clock = read_counter("halfmove clock", fields.next().unwrap_or("0"), MOST_HALFMOVES)?;
    setup.fullmove_number = read_counter("move number", fields.next().unwrap_or("1"), u16::MAX)?.max(1);
    if let Some(given) = fields.next_if(|field| field.starts_with('+') && setup.checks.is_none()) {
        setup.checks = Some(read_checks(&given[1..])?);
    }
    match fields.next() {
        Some(extra) => Err(FenError::Trailing(extra.to_owned())),
        None => Ok(setup),
    }
}

fn file_letter(square: Square) -> char {
    (b'a' + square.file()) as char
}

/// Cuts the pocket off the board: a ninth rank (Lichess) or brackets (others).
fn split_pocket(text: &str) -> Result<(&str, Option<&str>), FenError> {
    let refuse = |reason: &str| FenError::Placement { text: text.to_owned(), reason: reason.to_owned() };
    if let Some((board, pocket)) = text.split_once('[') {
        let pocket = pocket.strip_suffix(']').ok_or_else(|| refuse("the pocket has no closing bracket"))?;
        return Ok((board, Some(if pocket == "-" { "" } else { pocket })));
    }
    match text.match_indices('/').nth(7) {
        Some((index, _)) => Ok((&text[..index], Some(&text[index + 1..]))),
        None => Ok((text, None)),
    }
}

fn read_pocket(text: &str) -> Result<[[u8; 5]; 2], FenError> {
    let mut counts = [[0u8; 5]; 2];
    for letter in text.chars() {
        let refuse = || FenError::Pocket { text: text.to_owned(), letter };
        let piece = Piece::from_char(letter).ok_or_else(refuse)?;
        let count = counts[piece.color.index()].get_mut(piece.role.index()).ok_or_else(refuse)?;
        *count = count.saturating_add(1);
    }
    Ok(counts)
}

/// Two digits and a plus sign between them, White's first.
fn read_checks(text: &str) -> Result<[u8; 2], FenError> {
    let refuse = || FenError::Checks(text.to_owned());
    let (white, black) = text.split_once('+').ok_or_else(refuse)?;
    let count = |text: &str| match text.as_bytes() {
        [digit @ b'0'..=b'3'] => Ok(digit - b'0'),
        _ => Err(refuse()),
    };
    Ok([count(white)?, count(black)?])
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
            } else if letter == '~' && file > 0 && !after_digit {
                setup.mark_promoted(Square::new(file - 1, rank));
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

fn read_counter(name: &'static str, text: &str, most: u16) -> Result<u16, FenError> {
    let number = text.parse().ok().filter(|&number| number <= most && !text.starts_with('+'));
    number.ok_or_else(|| FenError::Counter { name, text: text.to_owned(), most })
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
