//! Writes games in the export format: tags, numbered moves, glyphs, comments, variations, result.

use std::fmt;

use super::super::{AnyPosition, Color, History, Move, Variant, san};
use super::header::ROSTER;
use super::tree::{Game, LineId, Ply, canonical_comment, canonical_value};
use super::{Line, PgnResult};

const LINE_WIDTH: usize = 80;

/// Writes a game: the tags in the order given (a `Result` tag among them is the caller's), `SetUp` and `FEN` when it
/// did not begin at the initial position, then the moves. `comment` may add a text after a move, told by its ply from 0.
pub fn write(
    tags: &[(&str, String)],
    history: &History,
    result: PgnResult,
    comment: impl Fn(usize) -> Option<String>,
) -> String {
    let mut pgn = String::new();
    for (name, value) in tags {
        write_tag(&mut pgn, name, value);
    }
    if !is_own_start(history.start()) && !tags.iter().any(|(name, _)| *name == "FEN") {
        write_tag(&mut pgn, "SetUp", "1");
        write_tag(&mut pgn, "FEN", &history.start().to_fen());
    }
    pgn.push('\n');
    let mut text = MoveText::default();
    let mut position = history.start().clone();
    for (ply, &mv) in history.moves().iter().enumerate() {
        text.play(&mut position, Some(mv));
        text.comments(comment(ply).and_then(|comment| canonical_comment(&comment)));
    }
    text.word(result.as_str());
    pgn.push_str(&text.finish());
    pgn
}

/// The export format (8 of the standard): the seven tags first, whether known or not, then the others by name. `SetUp`
/// and `FEN` stand where the game did not begin at the initial position, and `Variant` unless it is standard chess.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut pgn = String::new();
        for (name, unknown) in ROSTER {
            let value = if name == "Result" { Some(self.result().as_str()) } else { self.tag(name) };
            write_tag(&mut pgn, name, value.unwrap_or(unknown));
        }
        let mut others: Vec<(&str, String)> = self
            .tags()
            .filter(|(name, _)| ROSTER.iter().all(|(known, _)| known != name))
            .map(|(name, value)| (name, value.to_owned()))
            .collect();
        if self.variant() != Variant::Standard {
            others.push(("Variant", self.variant().name().to_owned()));
        }
        if !is_own_start(self.start()) {
            others.push(("FEN", self.start().to_fen()));
            others.push(("SetUp", "1".to_owned()));
        }
        others.sort();
        for (name, value) in others {
            write_tag(&mut pgn, name, &value);
        }
        pgn.push('\n');
        pgn.push_str(&move_text(self));
        f.write_str(&pgn)
    }
}

/// Whether this is where games of the variant start, so that no tag need say it.
fn is_own_start(position: &AnyPosition) -> bool {
    position.variant().start(None).is_ok_and(|own| own == *position)
}

fn write_tag(pgn: &mut String, name: &str, value: &str) {
    let value = canonical_value(value).replace('\\', "\\\\").replace('"', "\\\"");
    pgn.push_str(&format!("[{name} \"{value}\"]\n"));
}

/// A line that is being written, the next one inside its last.
struct OpenLine<'a> {
    line: &'a Line,
    /// The move to write next, or the one whose variations are being written.
    ply: usize,
    /// How many variations of it are written; none while the move itself is not.
    variations: Option<usize>,
    /// The position before that move.
    position: AnyPosition,
}

/// The moves with all that is said about them, without recursion: lines may lie deeply in each other.
fn move_text(game: &Game) -> String {
    let mut text = MoveText::default();
    let open = |id: LineId, position: &AnyPosition| OpenLine {
        line: game.line(id),
        ply: 0,
        variations: None,
        position: position.clone(),
    };
    text.comments(game.main_line().intro());
    let mut lines = vec![open(LineId(0), game.start())];
    while let Some(top) = lines.last_mut() {
        let Some(ply) = top.line.plies().get(top.ply) else {
            lines.pop();
            if !lines.is_empty() {
                text.close();
            }
            continue;
        };
        let written = top.variations.unwrap_or_else(|| {
            text.annotated(&top.position, ply);
            0
        });
        match ply.variations().get(written) {
            Some(&id) => {
                top.variations = Some(written + 1);
                let variation = open(id, &top.position);
                text.open();
                text.comments(variation.line.intro());
                lines.push(variation);
            }
            None => {
                play(&mut top.position, ply.mv());
                (top.ply, top.variations) = (top.ply + 1, None);
            }
        }
    }
    text.word(game.result().as_str());
    text.finish()
}

fn play(position: &mut AnyPosition, mv: Option<Move>) {
    match mv {
        Some(mv) => position.play(mv),
        None => *position = position.after_null(),
    }
}

/// Words in lines of at most 80 characters where they fit.
#[derive(Default)]
struct MoveText {
    text: String,
    /// The bytes on the present line.
    width: usize,
    /// The last word, which a parenthesis may still join.
    word: String,
    /// Whether the next word joins the last one.
    is_joining: bool,
    /// Whether a move of White was the last thing written, so that Black's needs no number.
    is_number_known: bool,
}

impl MoveText {
    fn word(&mut self, word: &str) {
        if !self.is_joining {
            self.end_word();
        }
        self.is_joining = false;
        self.word.push_str(word);
        self.is_number_known = false;
    }

    fn end_word(&mut self) {
        if self.word.is_empty() {
            return;
        }
        if self.width > 0 {
            let fits = self.width + 1 + self.word.len() <= LINE_WIDTH;
            self.text.push(if fits { ' ' } else { '\n' });
            self.width = if fits { self.width + 1 } else { 0 };
        }
        self.width += self.word.len();
        self.text.push_str(&self.word);
        self.word.clear();
    }

    fn open(&mut self) {
        self.word("(");
        self.is_joining = true;
    }

    fn close(&mut self) {
        self.word.push(')');
        self.is_number_known = false;
    }

    fn comments(&mut self, comments: impl IntoIterator<Item = impl AsRef<str>>) {
        for comment in comments {
            self.word("{");
            comment.as_ref().split(' ').for_each(|word| self.word(word));
            self.word("}");
        }
    }

    /// Writes a move with its number, where one is due.
    fn play(&mut self, position: &mut AnyPosition, mv: Option<Move>) {
        self.mv(position, mv);
        play(position, mv);
    }

    fn mv(&mut self, position: &AnyPosition, mv: Option<Move>) {
        let number = position.fullmove_number();
        match position.turn() {
            Color::White => self.word(&format!("{number}.")),
            Color::Black if self.is_number_known => {}
            Color::Black => self.word(&format!("{number}...")),
        }
        self.word(&mv.map_or("--".to_owned(), |mv| san::format(position, mv)));
        self.is_number_known = true;
    }

    fn annotated(&mut self, position: &AnyPosition, ply: &Ply) {
        self.mv(position, ply.mv());
        for nag in ply.nags() {
            self.word(&nag.to_string());
            self.is_number_known = true;
        }
        self.comments(ply.comments());
    }

    fn finish(mut self) -> String {
        self.end_word();
        self.text.push('\n');
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    #[test]
    fn writes_tags_moves_and_result() {
        let moves = "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1";
        let history = History::from_uci(Position::initial(), moves.split(' ')).unwrap();
        let tags = [("Event", "a \"fine\" game".to_owned()), ("Result", "*".to_owned())];
        let pgn = write(&tags, &history, PgnResult::Unfinished, |ply| {
            (ply == 1).then(|| "[%clk 0:03:00]".to_owned())
        });
        assert_eq!(
            pgn,
            "[Event \"a \\\"fine\\\" game\"]\n[Result \"*\"]\n\n\
             1. e4 e5 { [%clk 0:03:00] } 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O *\n"
        );
    }

    #[test]
    fn a_set_up_game_may_begin_with_black() {
        let start = Position::from_fen("4k3/4p3/8/8/8/8/8/4K3 b - - 0 40").unwrap();
        let history = History::from_uci(start, ["e7e5", "e1e2"]).unwrap();
        let pgn = write(&[], &history, PgnResult::Draw, |_| None);
        assert!(pgn.contains("[SetUp \"1\"]\n[FEN \"4k3/4p3/8/8/8/8/8/4K3 b - - 0 40\"]"), "{pgn}");
        assert!(pgn.ends_with("\n40... e5 41. Ke2 1/2-1/2\n"), "{pgn}");
    }
}
