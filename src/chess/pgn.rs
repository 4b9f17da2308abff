//! Games as PGN text (the standard of 1994, export format): tags, numbered moves, comments, result.

use super::{AnyPosition, Color, History, Position, san};

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
}

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
    if *history.start() != AnyPosition::from(Position::initial())
        && !tags.iter().any(|(name, _)| *name == "FEN")
    {
        write_tag(&mut pgn, "SetUp", "1");
        write_tag(&mut pgn, "FEN", &history.start().to_fen());
    }
    pgn.push('\n');
    let mut width = 0;
    for word in words(history, result, comment) {
        if width > 0 {
            let fits = width + 1 + word.len() <= LINE_WIDTH;
            pgn.push(if fits { ' ' } else { '\n' });
            width = if fits { width + 1 } else { 0 };
        }
        width += word.len();
        pgn.push_str(&word);
    }
    pgn.push('\n');
    pgn
}

/// Control characters would break the line that a tag is; quotes and backslashes are escaped.
fn write_tag(pgn: &mut String, name: &str, value: &str) {
    let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    pgn.push_str(&format!("[{name} \"{value}\"]\n"));
}

fn words(history: &History, result: PgnResult, comment: impl Fn(usize) -> Option<String>) -> Vec<String> {
    let mut words = Vec::new();
    let mut position = history.start().clone();
    let mut number_due = true;
    for (ply, &mv) in history.moves().iter().enumerate() {
        match position.turn() {
            Color::White => words.push(format!("{}.", position.fullmove_number())),
            Color::Black if number_due => words.push(format!("{}...", position.fullmove_number())),
            Color::Black => {}
        }
        words.push(san::format(&position, mv));
        position.play(mv);
        let text = comment(ply);
        number_due = text.is_some();
        if let Some(text) = text {
            // A brace inside would end the comment.
            let text = text.replace(['{', '}'], "");
            words.extend(format!("{{ {} }}", text.trim()).split_whitespace().map(str::to_owned));
        }
    }
    words.push(result.as_str().to_owned());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

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
