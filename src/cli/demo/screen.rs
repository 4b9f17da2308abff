//! What the demo writes: boards redrawn in place on a terminal, or plain lines anywhere else.

use std::io::{self, Write};

use tokio::time::Instant;

use super::board::{self, Paint};
use super::scene::Scene;

/// Boards beside each other; more would not fit into 80 columns.
const BOARDS: usize = 2;

/// Hides the cursor and keeps long lines from wrapping, which would break the count of lines.
const BEGIN: &str = "\x1b[?25l\x1b[?7l";

/// Takes back what [`BEGIN`] did.
const END: &str = "\x1b[?7h\x1b[?25h";

/// Where the games are shown.
pub(crate) struct Screen<'a> {
    out: &'a mut dyn Write,
    mode: Mode,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Lines,
    /// Boards in place, with the height of the last picture.
    Boards {
        paint: Paint,
        drawn: usize,
    },
}

impl<'a> Screen<'a> {
    /// One line for each move.
    pub(crate) fn lines(out: &'a mut dyn Write) -> Screen<'a> {
        Screen { out, mode: Mode::Lines }
    }

    /// Boards that are redrawn in place, with escape sequences.
    pub(crate) fn boards(out: &'a mut dyn Write, paint: Paint) -> Screen<'a> {
        Screen { out, mode: Mode::Boards { paint, drawn: 0 } }
    }

    /// Text that stays.
    pub(crate) fn say(&mut self, text: &str) -> io::Result<()> {
        self.end()?;
        writeln!(self.out, "{text}")?;
        self.out.flush()
    }

    /// Shows the games as they are now.
    pub(crate) fn show(&mut self, scene: &mut Scene, now: Instant) -> io::Result<()> {
        match self.mode {
            Mode::Lines => {
                for line in scene.new_lines() {
                    writeln!(self.out, "{line}")?;
                }
            }
            Mode::Boards { paint, drawn } => {
                let frame = board::frame(&scene.panels(BOARDS, now), paint);
                self.out.write_all(redraw(drawn, &frame).as_bytes())?;
                self.mode = Mode::Boards { paint, drawn: frame.len() };
            }
        }
        self.out.flush()
    }

    /// Leaves the terminal as it was; the last picture stays.
    pub(crate) fn end(&mut self) -> io::Result<()> {
        if let Mode::Boards { paint, drawn } = self.mode
            && drawn > 0
        {
            self.out.write_all(END.as_bytes())?;
            self.out.flush()?;
            self.mode = Mode::Boards { paint, drawn: 0 };
        }
        Ok(())
    }
}

/// A picture over the last one, which had so many lines. Written in one piece, so that it does not flicker.
fn redraw(drawn: usize, frame: &[String]) -> String {
    let mut text = String::from(BEGIN);
    if drawn > 0 {
        text.push_str(&format!("\x1b[{drawn}A\r"));
    }
    for line in frame {
        text.push_str(line);
        text.push_str("\x1b[K\n");
    }
    // A picture may be lower than the last one.
    text.push_str("\x1b[J");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_covers_the_last_one() {
        let frame = ["a".to_owned(), "b".to_owned()];
        assert_eq!(redraw(0, &frame), "\x1b[?25l\x1b[?7la\x1b[K\nb\x1b[K\n\x1b[J");
        assert!(redraw(2, &frame).contains("\x1b[2A\ra\x1b[K"));
    }

    #[test]
    fn plain_output_holds_no_escape_sequence() {
        let mut out = Vec::new();
        let mut screen = Screen::lines(&mut out);
        screen.show(&mut Scene::new(2, "10+0.1"), Instant::now()).unwrap();
        screen.say("over").unwrap();
        screen.end().unwrap();
        assert_eq!(out, b"over\n");
    }

    #[test]
    fn the_cursor_comes_back() {
        let mut out = Vec::new();
        let mut screen = Screen { out: &mut out, mode: Mode::Boards { paint: Paint::Colour, drawn: 3 } };
        screen.say("over").unwrap();
        assert_eq!(out, format!("{END}over\n").as_bytes());
    }
}
