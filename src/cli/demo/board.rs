//! Drawing running games for a terminal: pure text, no terminal is touched here.
//!
//! A [`Panel`] is one game, a frame is some panels side by side. Names and texts come from a server, so control
//! characters are made harmless before they are drawn.

use std::fmt::Write as _;
use std::time::Duration;

use crate::chess::{AnyPosition, Color, Move, Piece, Role, Square};
use crate::printable::printable;

/// The columns of a panel.
pub(crate) const WIDTH: usize = 38;

/// Columns between two panels.
const GAP: usize = 3;

/// Whether a picture may hold colours, which are escape sequences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paint {
    /// Letters only.
    Plain,
    /// Coloured squares and chess figures.
    Colour,
}

/// One game as it is drawn.
#[derive(Debug, Clone)]
pub(crate) struct Panel {
    /// What stands above it.
    pub(crate) title: String,
    /// The board.
    pub(crate) position: AnyPosition,
    /// The move that led to it.
    pub(crate) last: Option<Move>,
    /// White and Black.
    pub(crate) sides: [Side; 2],
    /// What stands below: the last moves, or the result.
    pub(crate) footer: String,
}

/// One player of a [`Panel`].
#[derive(Debug, Clone, Default)]
pub(crate) struct Side {
    /// The name, as the server sent it.
    pub(crate) name: String,
    /// The time that is left.
    pub(crate) clock: Option<Duration>,
    /// What this player thinks.
    pub(crate) thought: Option<Thought>,
}

/// A search in a few words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Thought {
    /// The evaluation from White's side, such as `+0.31` or `#-3`.
    pub(crate) score: String,
    /// How deep it looked.
    pub(crate) depth: u32,
    /// The principal variation in SAN.
    pub(crate) line: String,
}

/// Panels side by side, as lines without a line end.
pub(crate) fn frame(panels: &[Panel], paint: Paint) -> Vec<String> {
    let drawn: Vec<Vec<String>> = panels.iter().map(|panel| draw(panel, paint)).collect();
    let height = drawn.iter().map(Vec::len).max().unwrap_or(0);
    let gap = " ".repeat(GAP);
    let line = |row: usize| drawn.iter().map(|panel| panel[row].as_str()).collect::<Vec<_>>().join(&gap);
    (0..height).map(line).collect()
}

/// One panel: every line has exactly [`WIDTH`] columns, every panel the same number of lines.
fn draw(panel: &Panel, paint: Paint) -> Vec<String> {
    let [white, black] = &panel.sides;
    let mut lines = vec![strong(&fit(&panel.title), paint)];
    lines.extend(side(black, Color::Black, panel, paint));
    lines.extend((0..8).rev().map(|rank| board_row(panel, rank, paint)));
    lines.push(fit("    a  b  c  d  e  f  g  h"));
    lines.extend(side(white, Color::White, panel, paint));
    lines.push(strong(&fit(&panel.footer), paint));
    lines
}

/// Two lines about a player: name, evaluation with its depth and clock, then the expected line.
fn side(side: &Side, color: Color, panel: &Panel, paint: Paint) -> [String; 2] {
    let marker = if panel.position.turn() == color { '>' } else { ' ' };
    let clock = side.clock.map(clock).unwrap_or_default();
    let (value, line) = match &side.thought {
        Some(thought) => (format!("{} d{}", thought.score, thought.depth), printable(&thought.line)),
        None => (String::new(), String::new()),
    };
    let right = format!("{value:<11} {clock:>7}");
    let room = WIDTH.saturating_sub(right.chars().count() + 3);
    let first = format!("{marker} {:<room$.room$} {right}", printable(&side.name));
    [fit(&first), faint(&fit(&format!("  {line}")), paint)]
}

fn board_row(panel: &Panel, rank: u8, paint: Paint) -> String {
    let mut row = format!(" {} ", rank + 1);
    for file in 0..8 {
        let square = Square::new(file, rank);
        let marked = panel.last.is_some_and(|mv| mv.from() == square || mv.destination() == square);
        let piece = panel.position.piece_at(square);
        let promoted = panel.position.pockets().is_some_and(|pockets| pockets.promoted().contains(square));
        let after = if promoted { '~' } else { ' ' };
        match paint {
            Paint::Plain => {
                let letter = piece.map_or('.', Piece::to_char);
                let (left, right) = if marked { ('[', ']') } else { (' ', after) };
                row.extend([left, letter, right]);
            }
            Paint::Colour => paint_square(&mut row, piece, after, (file + rank) % 2 == 1, marked),
        }
    }
    let beside = match rank {
        0 => beside(&panel.position, Color::White),
        7 => beside(&panel.position, Color::Black),
        _ => String::new(),
    };
    const ROOM: usize = WIDTH - 27;
    format!("{row}{beside:<ROOM$.ROOM$}")
}

/// What a side has beside the board: pieces in hand, or checks given.
fn beside(position: &AnyPosition, color: Color) -> String {
    let mut text = String::new();
    if let Some(pockets) = position.pockets() {
        for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn] {
            let letter = Piece { color, role }.to_char();
            match pockets.count(color, role) {
                0 => {}
                1 => text.push(letter),
                count => text.push_str(&format!("{letter}{count}")),
            }
        }
    }
    match position.checks().map(|checks| checks.given(color)) {
        None | Some(0) => {}
        Some(1) => text.push_str("1 check"),
        Some(count) => text.push_str(&format!("{count} checks")),
    }
    text
}

/// Three coloured columns, the last with a mark. Both sides use the filled figures, since the outlined ones are hard to
/// tell apart.
fn paint_square(row: &mut String, piece: Option<Piece>, after: char, light: bool, marked: bool) {
    let background = match (light, marked) {
        (true, false) => 180,
        (false, false) => 137,
        (true, true) => 150,
        (false, true) => 107,
    };
    let figure = piece.map_or(' ', |piece| figure(piece.role));
    let foreground = if piece.is_some_and(|piece| piece.color == Color::White) { 231 } else { 16 };
    write!(row, "\x1b[48;5;{background};38;5;{foreground}m {figure}{after}\x1b[0m").unwrap_or_default();
}

fn figure(role: Role) -> char {
    match role {
        Role::Pawn => '♟',
        Role::Knight => '♞',
        Role::Bishop => '♝',
        Role::Rook => '♜',
        Role::Queen => '♛',
        Role::King => '♚',
    }
}

/// `1:05`, or with tenths below ten seconds.
pub(crate) fn clock(left: Duration) -> String {
    let (minutes, seconds) = (left.as_secs() / 60, left.as_secs() % 60);
    if left < Duration::from_secs(10) {
        format!("{minutes}:{seconds:02}.{}", left.subsec_millis() / 100)
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

/// Exactly [`WIDTH`] columns: cut with an ellipsis, or filled with blanks.
fn fit(text: &str) -> String {
    let text = printable(text);
    if text.chars().count() > WIDTH {
        let mut cut: String = text.chars().take(WIDTH - 1).collect();
        cut.push('…');
        return cut;
    }
    format!("{text:<WIDTH$}")
}

fn strong(text: &str, paint: Paint) -> String {
    painted(text, "1", paint)
}

fn faint(text: &str, paint: Paint) -> String {
    painted(text, "2", paint)
}

fn painted(text: &str, code: &str, paint: Paint) -> String {
    match paint {
        Paint::Plain => text.to_owned(),
        Paint::Colour => format!("\x1b[{code}m{text}\x1b[0m"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    fn panel() -> Panel {
        let start = Position::initial();
        let mv = crate::chess::san::parse(&start, "e4").unwrap();
        Panel {
            title: "game 1 of 2 · 10+0.1".to_owned(),
            position: start.after(mv).into(),
            last: Some(mv),
            sides: [
                Side {
                    name: "Rook".to_owned(),
                    clock: Some(Duration::from_millis(9_950)),
                    thought: Some(Thought {
                        score: "+0.31".to_owned(),
                        depth: 12,
                        line: "1. e4 e5".to_owned(),
                    }),
                },
                Side { name: "Raven".to_owned(), clock: Some(Duration::from_secs(75)), thought: None },
            ],
            footer: "1. e4".to_owned(),
        }
    }

    #[test]
    fn a_plain_panel_reads_like_a_board() {
        let drawn: Vec<String> =
            draw(&panel(), Paint::Plain).iter().map(|line| line.trim_end().to_owned()).collect();
        let expected = [
            "game 1 of 2 · 10+0.1",
            "> Raven                           1:15",
            "",
            " 8  r  n  b  q  k  b  n  r",
            " 7  p  p  p  p  p  p  p  p",
            " 6  .  .  .  .  .  .  .  .",
            " 5  .  .  .  .  .  .  .  .",
            " 4  .  .  .  . [P] .  .  .",
            " 3  .  .  .  .  .  .  .  .",
            " 2  P  P  P  P [.] P  P  P",
            " 1  R  N  B  Q  K  B  N  R",
            "    a  b  c  d  e  f  g  h",
            "  Rook             +0.31 d12    0:09.9",
            "  1. e4 e5",
            "1. e4",
        ];
        assert_eq!(drawn, expected);
    }

    /// Pockets and promoted pieces of crazyhouse, checks given, and boards that lack a king.
    #[test]
    fn variants_show_what_they_have_beside_the_board() {
        use crate::chess::Variant::{Antichess, Crazyhouse, Horde, ThreeCheck};
        for (variant, fen, row, expected) in [
            (Crazyhouse, "B~3k3/8/8/8/8/8/8/4K3/QPPnppp w - - 0 1", 8, " 8  B~ .  .  .  k  .  .  . np3"),
            (Crazyhouse, "B~3k3/8/8/8/8/8/8/4K3/QPPnppp w - - 0 1", 1, " 1  .  .  .  .  K  .  .  . QP2"),
            (ThreeCheck, "4k3/8/8/8/8/8/8/4K3 w - - 0 1 +1+2", 8, " 8  .  .  .  .  k  .  .  . 2 checks"),
            (ThreeCheck, "4k3/8/8/8/8/8/8/4K3 w - - 0 1 +1+2", 1, " 1  .  .  .  .  K  .  .  . 1 check"),
            (Antichess, "8/8/8/8/8/8/8/R7 w - - 0 1", 1, " 1  R  .  .  .  .  .  .  ."),
            (Horde, "4k3/8/8/8/8/8/8/P7 w - - 0 1", 1, " 1  P  .  .  .  .  .  .  ."),
        ] {
            let position = variant.start(Some(fen)).unwrap();
            let panel = Panel { position, last: None, ..panel() };
            let drawn = draw(&panel, Paint::Plain);
            assert_eq!(drawn[3 + 8 - row].trim_end(), expected, "{fen}");
            for (plain, coloured) in drawn.iter().zip(draw(&panel, Paint::Colour)) {
                assert_eq!(plain.chars().count(), without_escapes(&coloured).chars().count(), "{plain}");
            }
        }
    }

    #[test]
    fn every_line_is_as_wide_as_the_panel() {
        let mut wide = panel();
        wide.sides[0].name = "a name that is much longer than the panel is wide".to_owned();
        wide.footer = "x".repeat(100);
        for panel in [panel(), wide] {
            for line in draw(&panel, Paint::Plain) {
                assert_eq!(line.chars().count(), WIDTH, "{line:?}");
            }
        }
    }

    #[test]
    fn colours_change_nothing_about_the_width() {
        let plain = draw(&panel(), Paint::Plain);
        let coloured = draw(&panel(), Paint::Colour);
        assert_eq!(plain.len(), coloured.len());
        for line in coloured {
            assert_eq!(without_escapes(&line).chars().count(), WIDTH, "{line:?}");
        }
    }

    #[test]
    fn panels_stand_side_by_side() {
        let frame = frame(&[panel(), panel()], Paint::Plain);
        assert_eq!(frame.len(), 15);
        assert!(frame.iter().all(|line| line.chars().count() == 2 * WIDTH + GAP));
    }

    #[test]
    fn names_cannot_command_the_terminal() {
        let mut hostile = panel();
        hostile.sides[0].name = "\x1b[2J\u{202e}evil\r\n".to_owned();
        hostile.footer = "\x07".to_owned();
        for line in draw(&hostile, Paint::Plain) {
            assert!(!line.contains(|c: char| c.is_control() || c == '\u{202e}'), "{line:?}");
        }
    }

    #[test]
    fn clocks_show_tenths_at_the_end() {
        for (ms, text) in
            [(0, "0:00.0"), (9_999, "0:09.9"), (10_000, "0:10"), (75_000, "1:15"), (3_600_000, "60:00")]
        {
            assert_eq!(clock(Duration::from_millis(ms)), text);
        }
    }

    fn without_escapes(line: &str) -> String {
        let mut parts = line.split('\x1b');
        let first = parts.next().unwrap_or_default().to_owned();
        first + &parts.filter_map(|part| part.split_once('m').map(|(_, rest)| rest)).collect::<String>()
    }
}
