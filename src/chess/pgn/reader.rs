//! Reads games one by one; after a broken one it goes on with the next.

use std::borrow::Cow;

use super::header::Header;
use super::lexer::{Lexer, Token};
use super::moves::{MovesReader, Refusal};
use super::tree::{Game, canonical_comment};
use super::{PgnError, Place};

/// The text of a file: UTF-8 where it is that, elsewhere the Latin-1 of the PGN standard.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|&byte| char::from(byte)));
    }
    Cow::Owned(text)
}

/// The games of a text, in order: each a game, or the reason why it is none. After a broken game the iterator goes on
/// with the next, which it finds by the result or the tags before it.
///
/// A game ends with its result, with the tags of the next one, or, where both are missing, with move number 1 after an
/// empty line. A stretch without tag, move and result is no game and passed over.
#[derive(Clone, Debug)]
pub struct Games<'a> {
    lexer: Lexer<'a>,
    counter: Counter<'a>,
    /// The games met so far.
    number: usize,
}

impl<'a> Games<'a> {
    /// Starts at the beginning of a text.
    pub fn new(text: &'a str) -> Games<'a> {
        Games { lexer: Lexer::new(text), counter: Counter { text, at: 0, line: 1, column: 1 }, number: 0 }
    }
}

impl Iterator for Games<'_> {
    type Item = Result<Game, PgnError>;

    fn next(&mut self) -> Option<Result<Game, PgnError>> {
        let mut reading = Reading::default();
        match reading.game(&mut self.lexer) {
            Ok(game) => {
                self.number += 1;
                Some(Ok(game?))
            }
            Err(Refusal { fault, at, ply }) => {
                self.number += 1;
                reading.skip(&mut self.lexer);
                let (line, column) = self.counter.count_to(at);
                Some(Err(PgnError { place: Place { line, column, game: self.number, ply }, fault }))
            }
        }
    }
}

/// How far the reading of one game has come.
#[derive(Default)]
struct Reading {
    header: Header,
    /// Whether the tags are over, so that another one belongs to the next game.
    in_moves: bool,
    /// How many variations are open.
    depth: usize,
    /// Whether the result was met.
    is_over: bool,
}

impl Reading {
    /// Reads the next game; none if no more comes.
    fn game(&mut self, lexer: &mut Lexer<'_>) -> Result<Option<Game>, Refusal> {
        loop {
            let intro = self.read_header(lexer)?;
            let mut game = self.header.to_game()?;
            game.lines[0].intro = intro;
            let mut moves = MovesReader::new(game);
            let read = moves.read(lexer);
            (self.depth, self.is_over) = (moves.depth(), moves.is_over());
            self.in_moves = read.is_err();
            read?;
            if !self.header.is_empty() || self.is_over || moves.has_begun() {
                return Ok(Some(moves.into_game()));
            }
            if lexer.is_at_end() {
                return Ok(None);
            }
        }
    }

    /// Reads the tags, and the comments among and behind them.
    fn read_header(&mut self, lexer: &mut Lexer<'_>) -> Result<Vec<String>, Refusal> {
        let mut intro = Vec::new();
        while let Some(lexeme) = lexer.next() {
            match lexeme.token {
                Token::Tag { name, ref value } if !self.header.is_left_by(name, lexeme.line_ends) => {
                    self.header.push(name, value, lexeme.at);
                }
                Token::Comment(text) => intro.extend(canonical_comment(text)),
                Token::Wrong(fault) => return Err(Refusal { fault, at: lexeme.at, ply: 0 }),
                _ => {
                    lexer.unread(&lexeme);
                    break;
                }
            }
        }
        Ok(intro)
    }

    /// Goes on to where the game after a broken one begins. A result ends the broken one if no variation is open or if
    /// it ends its line: what is wrong may be a parenthesis that was never closed.
    fn skip(mut self, lexer: &mut Lexer<'_>) {
        while !self.is_over {
            let Some(lexeme) = lexer.next() else { return };
            match lexeme.token {
                Token::Tag { name, .. }
                    if self.in_moves || self.header.is_left_by(name, lexeme.line_ends) =>
                {
                    return lexer.unread(&lexeme);
                }
                Token::Number(1) if self.in_moves && lexeme.line_ends > 1 => return lexer.unread(&lexeme),
                Token::Tag { name, ref value } => self.header.push(name, value, lexeme.at),
                Token::Open => self.depth += 1,
                Token::Close => self.depth = self.depth.saturating_sub(1),
                Token::Result(_) => self.is_over = self.depth == 0 || lexer.is_at_line_end(),
                Token::Number(_) | Token::Move(_) => self.in_moves = true,
                Token::Comment(_) | Token::Nag(_) | Token::Wrong(_) => {}
            }
        }
    }
}

/// Counts lines and characters up to places that come in rising order, so that all of them together cost one pass.
#[derive(Clone, Debug)]
struct Counter<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    column: usize,
}

impl Counter<'_> {
    fn count_to(&mut self, at: usize) -> (usize, usize) {
        let passed = &self.text[self.at..at.max(self.at)];
        for (index, c) in passed.char_indices() {
            match c {
                '\r' if self.text[self.at + index..].starts_with("\r\n") => {}
                '\n' | '\r' => (self.line, self.column) = (self.line + 1, 1),
                '\u{feff}' => {}
                _ => self.column += 1,
            }
        }
        self.at += passed.len();
        (self.line, self.column)
    }
}
