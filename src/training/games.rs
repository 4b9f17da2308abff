//! Files of games: moves and scores of whole games, from which positions are taken when they are needed.
//!
//! All numbers are little-endian. The file begins with `RKGAMES\n`, the version (4 bytes: 1), the length of a text (4
//! bytes) and that text: how the games were made. Then come games, one after the other:
//!
//! | size | what |
//! |---|---|
//! | 4 | bytes of the game that follow |
//! | 1 | White's half points: 0, 1 or 2 |
//! | 1 | bytes of the FEN |
//! | that | FEN of the first position |
//! | 4 for each ply | the move as in [`Move::raw`], and what the search found it worth to White, in centipawns |
//!
//! A game that is cut off at the end of the file
//! was being written when the program ended; it does not count.

use std::io::{self, Read, Write};

use thiserror::Error;

use crate::chess::{FenError, Move, Position};

const MAGIC: &[u8; 8] = b"RKGAMES\n";
const VERSION: u32 = 1;

/// Longer games are not written, and no game that is read has a right to more memory than this.
const MOST_BYTES: u32 = 1 << 16;

/// The longest text about the games.
const MOST_TEXT: u32 = 1 << 16;

/// A game of the engine against itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Game {
    /// Where it begins: after the moves at random.
    pub(crate) start: Position,
    /// Moves, each with its score for White in centipawns.
    pub(crate) moves: Vec<(Move, i16)>,
    /// White's half points.
    pub(crate) result: u8,
}

/// Why a file of games cannot be read.
#[derive(Debug, Error)]
pub(crate) enum GamesError {
    /// The system says so.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It does not begin as one.
    #[error("no file of games: it does not begin with RKGAMES, as files of `rookery datagen` do")]
    Magic,
    /// Another version wrote it.
    #[error("version {0} of the format, expected {VERSION}")]
    Version(u32),
    /// What it says of its games is no text.
    #[error("the text at its beginning is damaged")]
    Text,
    /// A game is damaged.
    #[error("game {number}: {what}")]
    Game {
        /// From 1.
        number: u64,
        /// What is wrong with it.
        what: String,
    },
}

/// Writes the beginning of a file: `about` says how the games are made.
pub(crate) fn write_header(out: &mut impl Write, about: &str) -> io::Result<()> {
    out.write_all(MAGIC)?;
    out.write_all(&VERSION.to_le_bytes())?;
    out.write_all(&(about.len() as u32).to_le_bytes())?;
    out.write_all(about.as_bytes())
}

impl Game {
    /// Writes the game at the end of a file.
    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let fen = self.start.to_fen();
        let mut bytes = vec![self.result, fen.len() as u8];
        bytes.extend(fen.as_bytes());
        for (mv, score) in &self.moves {
            bytes.extend(mv.raw().to_le_bytes());
            bytes.extend(score.to_le_bytes());
        }
        out.write_all(&(bytes.len() as u32).to_le_bytes())?;
        out.write_all(&bytes)
    }

    fn parse(bytes: &[u8]) -> Result<Game, String> {
        let cut = || "it ends too early".to_owned();
        let (&[result, length], rest) = bytes.split_first_chunk().ok_or_else(cut)?;
        let (fen, moves) = rest.split_at_checked(length.into()).ok_or_else(cut)?;
        if result > 2 || moves.len() % 4 != 0 {
            return Err("no result, or half a move".to_owned());
        }
        let fen = std::str::from_utf8(fen).map_err(|e| e.to_string())?;
        let start: Position = Position::from_fen(fen).map_err(|e: FenError| e.to_string())?;
        let moves = moves.chunks_exact(4).map(|bytes| {
            let raw = u16::from_le_bytes([bytes[0], bytes[1]]);
            Some((Move::from_raw(raw)?, i16::from_le_bytes([bytes[2], bytes[3]])))
        });
        let moves: Option<Vec<(Move, i16)>> = moves.collect();
        let moves = moves.ok_or("a move that is none")?;
        let mut position = start.clone();
        for (ply, (mv, _)) in moves.iter().enumerate() {
            if !position.legal_moves().contains(mv) {
                return Err(format!("move {} of it is illegal in {}", ply + 1, position.to_fen()));
            }
            position.play(*mv);
        }
        Ok(Game { start, moves, result })
    }
}

/// The games of a file, one after the other.
pub(crate) struct Games<R> {
    input: R,
    about: String,
    number: u64,
    /// Bytes of the file up to the end of the last game.
    whole: u64,
}

impl<R: Read> Games<R> {
    /// Reads the beginning.
    pub(crate) fn open(mut input: R) -> Result<Games<R>, GamesError> {
        let mut magic = [0; 8];
        let found = input.read_exact(&mut magic);
        if found.is_err() || &magic != MAGIC {
            return Err(GamesError::Magic);
        }
        let version = long(&mut input)?;
        if version != VERSION {
            return Err(GamesError::Version(version));
        }
        let length = long(&mut input)?;
        if length > MOST_TEXT {
            return Err(GamesError::Text);
        }
        let mut text = vec![0; length as usize];
        input.read_exact(&mut text)?;
        let about = String::from_utf8(text).map_err(|_| GamesError::Text)?;
        Ok(Games { input, about, number: 0, whole: u64::from(16 + length) })
    }

    /// How the games were made.
    pub(crate) fn about(&self) -> &str {
        &self.about
    }

    /// Games read so far.
    pub(crate) fn read_so_far(&self) -> u64 {
        self.number
    }

    /// Bytes up to the end of the last game that was read: what follows at the end of the file is cut off.
    pub(crate) fn whole_bytes(&self) -> u64 {
        self.whole
    }

    fn read(&mut self) -> Result<Option<Game>, GamesError> {
        let length = match long(&mut self.input) {
            Ok(length) => length,
            Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            Err(e) => return Err(e.into()),
        };
        let number = self.number + 1;
        if length > MOST_BYTES {
            return Err(GamesError::Game {
                number,
                what: format!("{length} bytes, expected at most {MOST_BYTES}"),
            });
        }
        let mut bytes = vec![0; length as usize];
        match self.input.read_exact(&mut bytes) {
            Ok(()) => {}
            Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            Err(e) => return Err(e.into()),
        }
        let game = Game::parse(&bytes).map_err(|what| GamesError::Game { number, what })?;
        self.number = number;
        self.whole += u64::from(4 + length);
        Ok(Some(game))
    }
}

impl<R: Read> Iterator for Games<R> {
    type Item = Result<Game, GamesError>;

    fn next(&mut self) -> Option<Result<Game, GamesError>> {
        self.read().transpose()
    }
}

fn long(input: &mut impl Read) -> io::Result<u32> {
    let mut bytes = [0; 4];
    input.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::UciMove;

    fn game(moves: &[&str], result: u8) -> Game {
        let start = Position::initial();
        let mut position = start.clone();
        let mut played = Vec::new();
        for (ply, text) in moves.iter().enumerate() {
            let mv = text.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            played.push((mv, ply as i16 * 10 - 5));
            position.play(mv);
        }
        Game { start, moves: played, result }
    }

    fn file(games: &[Game]) -> Vec<u8> {
        let mut bytes = Vec::new();
        write_header(&mut bytes, "seed 1").unwrap();
        for game in games {
            game.write(&mut bytes).unwrap();
        }
        bytes
    }

    #[test]
    fn games_are_read_as_they_were_written() {
        let games = [game(&["e2e4", "e7e5", "g1f3"], 2), game(&[], 1), game(&["d2d4"], 0)];
        let bytes = file(&games);
        let mut reader = Games::open(&bytes[..]).unwrap();
        assert_eq!(reader.about(), "seed 1");
        let read: Vec<Game> = reader.by_ref().map(Result::unwrap).collect();
        assert_eq!(read, games);
        assert_eq!((reader.read_so_far(), reader.whole_bytes()), (3, bytes.len() as u64));
    }

    #[test]
    fn a_game_that_is_cut_off_does_not_count() {
        let bytes = file(&[game(&["e2e4"], 2), game(&["d2d4"], 1)]);
        let first = file(&[game(&["e2e4"], 2)]).len();
        for length in first..bytes.len() {
            let mut reader = Games::open(&bytes[..length]).unwrap();
            assert_eq!(reader.by_ref().map(Result::unwrap).count(), 1, "{length}");
            assert_eq!(reader.whole_bytes(), first as u64, "{length}");
        }
    }

    #[test]
    fn what_is_damaged_is_named() {
        let good = file(&[game(&["e2e4", "e7e5"], 2)]);
        let says = |change: fn(&mut Vec<u8>)| {
            let mut bytes = good.clone();
            change(&mut bytes);
            match Games::open(&bytes[..]) {
                Err(error) => error.to_string(),
                Ok(mut games) => games.next().unwrap().unwrap_err().to_string(),
            }
        };
        for (change, expected) in [
            ((|bytes| bytes[0] = b'X') as fn(&mut Vec<u8>), "no file of games"),
            (|bytes| bytes[8] = 9, "version 9 of the format, expected 1"),
            (|bytes| bytes[16] = 0xff, "the text at its beginning is damaged"),
            (|bytes| bytes[24] = 0xff, "game 1: 16711746 bytes, expected at most 65536"),
            (|bytes| bytes[26] = 3, "game 1: no result"),
            (|bytes| bytes[28] = b'x', "game 1: bad FEN placement"),
            (
                |bytes| {
                    let last = bytes.len() - 4;
                    bytes.copy_within(last - 4..last - 2, last);
                },
                "game 1: move 2 of it is illegal in rnbqkbnr",
            ),
        ] {
            let text = says(change);
            assert!(text.starts_with(expected), "{text}, expected {expected}");
        }
    }
}
