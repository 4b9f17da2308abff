//! Positions with what is to be found in them, as extended position descriptions (EPD): `fen4 bm Nf3; id "one";`. Only
//! the operations that set a task are understood; what else collections say about their positions is passed over.

use thiserror::Error;

use super::san::{self, SanError};
use super::{FenError, GameEnd, Move, Position};

/// A position and what is to be found in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Epd {
    /// The position; also one that no game leads to, as composers like them.
    pub position: Position,
    /// One of these is to be played (`bm`), if there are any.
    pub best: Vec<Move>,
    /// None of these may be played (`am`).
    pub avoid: Vec<Move>,
    /// In how many moves the side to move mates (`dm`, or `bm #3`); negative when it is mated, 0 when it is mated already.
    pub mate: Option<i32>,
    /// Its name.
    pub id: Option<String>,
}

/// Why a line is no such position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EpdError {
    /// It does not begin with a position.
    #[error("bad position: {0}")]
    Position(#[from] FenError),
    /// A string does not end.
    #[error("no end of {0:?}, expected a second quotation mark")]
    Open(String),
    /// An operation names a move that is none.
    #[error("bad move of {operation}: {source}")]
    Move {
        /// The operation.
        operation: &'static str,
        /// What is wrong with it.
        source: SanError,
    },
    /// An operation that wants moves has none.
    #[error("{0} without a move, expected moves such as \"Nf3\"")]
    Empty(&'static str),
    /// The distance of a mate is no number.
    #[error("bad distance of a mate {0:?}, expected moves from -999 to 999")]
    Mate(String),
    /// There is nothing to find.
    #[error("no task, expected bm (moves to find), am (moves to avoid) or dm (moves to mate)")]
    NoTask,
    /// Who is mated on the board is mated in 0.
    #[error("{0}, which contradicts dm {1}: expected dm 0 where the side to move is mated, and nowhere else")]
    Mated(&'static str, i32),
}

/// No mate takes longer, even with all tables of endings that there are.
const LONGEST_MATE: i32 = 999;

impl Epd {
    /// Reads a line.
    pub fn parse(line: &str) -> Result<Epd, EpdError> {
        let (fen, rest) = split_fen(line);
        let position = Position::from_unreachable_fen(fen)?;
        let mut epd = Epd { position, best: Vec::new(), avoid: Vec::new(), mate: None, id: None };
        for operation in operations(rest)? {
            epd.take(operation)?;
        }
        if epd.best.is_empty() && epd.avoid.is_empty() && epd.mate.is_none() {
            return Err(EpdError::NoTask);
        }
        let is_mated = matches!(epd.position.end(), Some(GameEnd::Checkmate { .. }));
        match epd.mate {
            Some(moves) if is_mated && moves != 0 => Err(EpdError::Mated("mate on the board", moves)),
            Some(0) if !is_mated => Err(EpdError::Mated("no mate on the board", 0)),
            Some(_) | None => Ok(epd),
        }
    }

    /// Reads a file, line by line, with the number of the line. Empty lines and those that begin with `#` are left out.
    pub fn read_all(text: &str) -> impl Iterator<Item = (usize, Result<Epd, EpdError>)> {
        let lines = text.trim_start_matches('\u{feff}').lines().enumerate();
        let lines = lines.map(|(index, line)| (index + 1, line.trim()));
        let told = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        told.map(|(number, line)| (number, Epd::parse(line)))
    }

    /// Whether a move is one of those to play, and none of those to avoid.
    pub fn is_fulfilled_by(&self, mv: Move) -> bool {
        (self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv)
    }

    fn take(&mut self, operation: &str) -> Result<(), EpdError> {
        let (code, operands) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
        let operands = operands.trim();
        match code {
            "bm" if operands.starts_with('#') => self.mate = Some(distance(&operands[1..])?),
            "bm" => self.best.extend(self.moves("bm", operands)?),
            "am" => self.avoid.extend(self.moves("am", operands)?),
            "dm" => self.mate = Some(distance(operands)?),
            "id" => self.id = Some(operands.trim_matches('"').to_owned()),
            _ => {}
        }
        Ok(())
    }

    fn moves(&self, operation: &'static str, text: &str) -> Result<Vec<Move>, EpdError> {
        let read = |word| san::parse(&self.position, word);
        let moves: Result<Vec<Move>, SanError> = text.split_whitespace().map(read).collect();
        match moves {
            Ok(moves) if moves.is_empty() => Err(EpdError::Empty(operation)),
            Ok(moves) => Ok(moves),
            Err(source) => Err(EpdError::Move { operation, source }),
        }
    }
}

/// The four fields of the position, with the two counters of a FEN if they are there, and what follows.
fn split_fen(line: &str) -> (&str, &str) {
    let mut end = 0;
    for (index, word) in line.split_whitespace().take(6).enumerate() {
        let is_counter = word.bytes().all(|byte| byte.is_ascii_digit());
        if index >= 4 && !is_counter {
            break;
        }
        // The words are parts of the line, in their order.
        end += line[end..].find(word).unwrap_or_default() + word.len();
    }
    line.split_at(end)
}

/// The operations, which semicolons part, though not within quotation marks.
fn operations(text: &str) -> Result<Vec<&str>, EpdError> {
    let mut quoted = false;
    let parts = text.split(|c: char| {
        quoted ^= c == '"';
        c == ';' && !quoted
    });
    let parts: Vec<&str> = parts.map(str::trim).filter(|part| !part.is_empty()).collect();
    match parts.last().filter(|last| last.matches('"').count() % 2 == 1) {
        Some(open) => Err(EpdError::Open(open.chars().take(40).collect())),
        None => Ok(parts),
    }
}

fn distance(text: &str) -> Result<i32, EpdError> {
    let moves = text.parse().ok().filter(|moves| (-LONGEST_MATE..=LONGEST_MATE).contains(moves));
    moves.ok_or_else(|| EpdError::Mate(text.chars().take(16).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    const MATED: &str = "R5k1/5ppp/8/8/8/8/8/4K3 b - -";
    const STALEMATE: &str = "7k/5Q2/6K1/8/8/8/8/8 b - -";

    fn read(line: &str) -> Epd {
        Epd::parse(line).unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    fn names(epd: &Epd, moves: &[Move]) -> Vec<String> {
        moves.iter().map(|mv| san::format(&epd.position, *mv)).collect()
    }

    #[test]
    fn tasks_are_read_and_the_rest_is_passed_over() {
        let epd = read(&format!("{START} bm Nf3 e2e4; c0 \"not; this\"; am a4; id \"one; two\"; 00:00;"));
        assert_eq!(names(&epd, &epd.best), ["Nf3", "e4"]);
        assert_eq!(names(&epd, &epd.avoid), ["a4"]);
        assert_eq!((epd.mate, epd.id.as_deref()), (None, Some("one; two")));
        assert!(epd.is_fulfilled_by(epd.best[1]) && !epd.is_fulfilled_by(epd.avoid[0]));
        let avoids = read(&format!("{START} am a4;"));
        assert!(avoids.is_fulfilled_by(epd.best[0]) && !avoids.is_fulfilled_by(epd.avoid[0]));
        for (operations, mate) in [("dm 3;", 3), ("bm #2; ep; 00:00;", 2), ("bm #-4", -4), ("dm -1 ;", -1)] {
            assert_eq!(read(&format!("{START} {operations}")).mate, Some(mate), "{operations}");
        }
    }

    #[test]
    fn counters_may_stand_there() {
        for (counters, expected) in [("", "0 1"), ("7", "7 1"), ("7 20", "7 20")] {
            let epd = read(&format!("{START}  {counters} dm 5;"));
            assert_eq!(epd.position.to_fen(), format!("{START} {expected}"));
        }
    }

    #[test]
    fn a_mate_on_the_board_is_a_mate_in_none() {
        assert_eq!(read(&format!("{MATED} dm 0;")).mate, Some(0));
        for (position, operation, says) in [
            (MATED, "dm 2", "mate on the board, which contradicts dm 2"),
            (START, "dm 0", "no mate on the board, which contradicts dm 0"),
            (STALEMATE, "bm #0", "no mate on the board, which contradicts dm 0"),
        ] {
            let error = Epd::parse(&format!("{position} {operation};")).unwrap_err().to_string();
            assert!(error.starts_with(says), "{error}");
        }
        assert_eq!(read(&format!("{STALEMATE} dm 3;")).mate, Some(3), "for the solver to find out");
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (line, says) in [
            (String::new(), "bad position: empty FEN, expected placement"),
            ("8/8 w - - bm Nf3;".to_owned(), "bad position: bad FEN placement"),
            (START.to_owned(), "no task, expected bm"),
            (format!("{START} c0 \"bm e4\";"), "no task, expected bm"),
            (format!("{START} bm;"), "bm without a move"),
            (format!("{START} bm Nf4;"), "bad move of bm: illegal SAN \"Nf4\""),
            (format!("{START} am x;"), "bad move of am: bad SAN \"x\""),
            (format!("{STALEMATE} bm Kh7;"), "bad move of bm: illegal SAN"),
            (format!("{START} dm x;"), "bad distance of a mate \"x\""),
            (format!("{START} bm #1000;"), "bad distance of a mate \"1000\""),
            (format!("{START} bm e4; id \"one;"), "no end of \"id"),
        ] {
            let error = Epd::parse(&line).unwrap_err().to_string();
            assert!(error.starts_with(says), "{line}: {error}");
        }
    }

    #[test]
    fn lines_come_with_their_numbers() {
        let text = format!("\u{feff}# a suite\n\n{START} dm 3;\r\nnonsense\n");
        let lines: Vec<(usize, bool)> = Epd::read_all(&text).map(|(line, epd)| (line, epd.is_ok())).collect();
        assert_eq!(lines, [(3, true), (4, false)]);
    }
}
