//! Reads the moves of one game into its tree.

use std::borrow::Cow;
use std::mem;

use super::super::san::{self, SanError};
use super::super::{AnyPosition, Move};
use super::lexer::{Lexer, Token};
use super::result::plain_dash;
use super::tree::{Game, Line, LineId, Ply, canonical_comment};
use super::{Nag, PgnFault, PgnResult};

/// What is wrong, and where: the byte, and the plies before it.
pub(super) struct Refusal {
    pub(super) fault: PgnFault,
    pub(super) at: usize,
    pub(super) ply: usize,
}

/// A game whose moves are being read.
pub(super) struct MovesReader {
    game: Game,
    /// The position after the last move.
    position: AnyPosition,
    /// The main line and the variations that are open, each inside the one before.
    open: Vec<OpenLine>,
    is_over: bool,
}

struct OpenLine {
    id: LineId,
    /// The byte of its parenthesis.
    at: usize,
    /// The plies before its first move.
    first_ply: usize,
    /// The position before its last move, where a variation on that begins.
    before: AnyPosition,
    /// Glyphs before its first move, which they are taken to be about.
    nags: Vec<Nag>,
}

impl MovesReader {
    /// Begins with a game without moves, whose result is what its tag says.
    pub(super) fn new(game: Game) -> MovesReader {
        let position = game.start.clone();
        let main =
            OpenLine { id: LineId(0), at: 0, first_ply: 0, before: position.clone(), nags: Vec::new() };
        MovesReader { game, position, open: vec![main], is_over: false }
    }

    /// Whether a move was read.
    pub(super) fn has_begun(&self) -> bool {
        !self.game.main_line().plies.is_empty()
    }

    /// Whether the result was read.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// How many variations are open.
    pub(super) fn depth(&self) -> usize {
        self.open.len() - 1
    }

    pub(super) fn into_game(self) -> Game {
        self.game
    }

    /// Reads up to the result or to where the next game begins.
    pub(super) fn read(&mut self, lexer: &mut Lexer<'_>) -> Result<(), Refusal> {
        while let Some(lexeme) = lexer.next() {
            let at = lexeme.at;
            match lexeme.token {
                Token::Tag { .. } => {
                    lexer.unread(&lexeme);
                    break;
                }
                Token::Number(1) if lexeme.line_ends > 1 && self.is_past_move_one() => {
                    lexer.unread(&lexeme);
                    break;
                }
                Token::Number(_) => {}
                Token::Result(result) if self.depth() == 0 => {
                    self.end(result, lexer);
                    return Ok(());
                }
                // Some programs end each variation with a result.
                Token::Result(_) => {}
                Token::Comment(text) => self.comment(text),
                Token::Nag(nag) => self.nag(nag),
                Token::Move(word) => self.play(word).map_err(|fault| self.refusal(fault, at))?,
                Token::Open => self.begin_variation(at).map_err(|fault| self.refusal(fault, at))?,
                Token::Close => self.end_variation().map_err(|fault| self.refusal(fault, at))?,
                Token::Wrong(fault) => return Err(self.refusal(fault, at)),
            }
        }
        match self.open[1..].last() {
            Some(&OpenLine { at, first_ply: ply, .. }) => {
                Err(Refusal { fault: PgnFault::UnclosedVariation, at, ply })
            }
            None => Ok(()),
        }
    }

    fn refusal(&self, fault: PgnFault, at: usize) -> Refusal {
        let ply = self.line_now().first_ply + self.plies().len();
        Refusal { fault, at, ply }
    }

    fn line_now(&self) -> &OpenLine {
        self.open.last().expect("because the main line stays open")
    }

    fn line_now_mut(&mut self) -> &mut OpenLine {
        self.open.last_mut().expect("because the main line stays open")
    }

    fn plies(&self) -> &[Ply] {
        &self.game.lines[self.line_now().id.0].plies
    }

    fn tree_line(&mut self) -> &mut Line {
        let id = self.line_now().id;
        &mut self.game.lines[id.0]
    }

    fn is_past_move_one(&self) -> bool {
        self.depth() == 0 && self.has_begun() && self.position.fullmove_number() > 1
    }

    fn play(&mut self, word: &str) -> Result<(), PgnFault> {
        let word = plain_san(word);
        let (mv, after) = if is_null(&word) {
            if self.position.is_check() {
                return Err(PgnFault::NullInCheck);
            }
            (None, self.position.after_null())
        } else {
            let mv = read_move(&self.position, &word).map_err(PgnFault::Move)?;
            (Some(mv), self.position.after(mv))
        };
        let before = mem::replace(&mut self.position, after);
        let line = self.line_now_mut();
        line.before = before;
        let nags = mem::take(&mut line.nags);
        self.tree_line().plies.push(Ply { nags, ..Ply::new(mv) });
        Ok(())
    }

    /// A comment is about the move before it, or else about the line that it opens.
    fn comment(&mut self, text: &str) {
        let line = self.tree_line();
        let comments = line.plies.last_mut().map_or(&mut line.intro, |ply| &mut ply.comments);
        comments.extend(canonical_comment(text));
    }

    fn nag(&mut self, nag: Nag) {
        match self.tree_line().plies.last_mut() {
            Some(ply) => ply.nags.push(nag),
            None => self.line_now_mut().nags.push(nag),
        }
    }

    fn begin_variation(&mut self, at: usize) -> Result<(), PgnFault> {
        let id = LineId(self.game.lines.len());
        let last = self.tree_line().plies.last_mut().ok_or(PgnFault::VariationWithoutMove)?;
        last.variations.push(id);
        self.game.lines.push(Line::default());
        let first_ply = self.line_now().first_ply + self.plies().len() - 1;
        let before = self.line_now().before.clone();
        self.position = before.clone();
        self.open.push(OpenLine { id, at, first_ply, before, nags: Vec::new() });
        Ok(())
    }

    /// Goes back to the line that the variation left.
    fn end_variation(&mut self) -> Result<(), PgnFault> {
        if self.depth() == 0 {
            return Err(PgnFault::Unexpected(')'));
        }
        let ended = self.open.pop().expect("because a variation is open");
        let before = &self.line_now().before;
        let replaced = self.plies().last().and_then(|ply| ply.mv);
        self.position = replaced.map_or_else(|| before.after_null(), |mv| before.after(mv));
        if self.game.lines[ended.id.0].plies.is_empty() {
            self.drop_empty(ended);
        }
        Ok(())
    }

    /// A variation without moves is none: what it says is about the move before it. It holds no other line, so that it
    /// is the last that was begun.
    fn drop_empty(&mut self, ended: OpenLine) {
        let intro = self.game.lines.pop().map(|line| line.intro).unwrap_or_default();
        if let Some(ply) = self.tree_line().plies.last_mut() {
            ply.variations.pop();
            ply.comments.extend(intro);
            ply.nags.extend(ended.nags);
        }
    }

    /// Ends the game. A tag that knows the result is believed more than what stands after the moves, as Lichess does:
    /// the players' data bases are made of tags. Comments behind the result, on its line, are about the game it ends.
    fn end(&mut self, result: PgnResult, lexer: &mut Lexer<'_>) {
        self.is_over = true;
        if self.game.result == PgnResult::Unfinished {
            self.game.result = result;
        }
        while let Some(lexeme) = lexer.next() {
            match lexeme.token {
                Token::Comment(text) if lexeme.line_ends == 0 => self.comment(text),
                _ => return lexer.unread(&lexeme),
            }
        }
    }
}

/// The longest spelling of a move, `Qa1xb2+` with room for remarks, is far shorter than this.
const LONGEST_MOVE: usize = 24;

fn read_move(position: &AnyPosition, word: &str) -> Result<Move, SanError> {
    if word.len() > LONGEST_MOVE {
        return Err(SanError::Invalid(word.chars().take(LONGEST_MOVE).collect()));
    }
    san::parse(position, word)
}

fn is_null(word: &str) -> bool {
    matches!(word, "--" | "Z0" | "0000" | "@@@@" | "null" | "pass")
}

/// The word with letters for figurines and hyphens for typographic dashes.
fn plain_san(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return Cow::Borrowed(word);
    }
    let letters = word.chars().filter(|c| !matches!(c, '♙' | '♟'));
    Cow::Owned(
        letters
            .map(|c| match c {
                '♔' | '♚' => 'K',
                '♕' | '♛' => 'Q',
                '♖' | '♜' => 'R',
                '♗' | '♝' => 'B',
                '♘' | '♞' => 'N',
                other => plain_dash(other),
            })
            .collect(),
    )
}
