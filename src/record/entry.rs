//! The form of a recording: one JSON object a line, each with `seq`, `at_ms` and `kind`. A file is made of parts:
//! each begins with a `header`, which names the format's version, and `seq` and `at_ms` count from there.
//!
//! Format 2 added `alive` and `stream`, the answers of requests, and the inputs and effects of the account. Readers
//! pass over kinds that they do not know.

use std::io::BufRead;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

/// The version of the format that is written.
pub const FORMAT: u32 = 2;

/// The oldest version that can be read.
pub const OLDEST_FORMAT: u32 = 1;

/// One line of a recording.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Its number in this part of the file.
    pub seq: u64,
    /// Milliseconds since this part began.
    pub at_ms: u64,
    /// What it is.
    pub kind: Kind,
    /// What it says.
    pub body: Value,
}

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The beginning of a part: `format`, `wall_ms` (since 1970) and whatever its writer wants to be known.
    Header,
    /// A line as the server sent it.
    Line,
    /// Something that a decision depends on.
    Input,
    /// What was decided upon the input before.
    Effects,
    /// What a search found.
    Search,
    /// A request, what became of it and what was answered.
    Request,
    /// The server sent so many empty lines since the last such entry: it is alive.
    Alive,
    /// A stream was opened or lost, or dropped a line that was too long.
    Stream,
    /// So many entries are missing here: they came faster than they could be written, or the file is full.
    Gap,
    /// A kind of a later version.
    #[serde(other)]
    Other,
}

impl Kind {
    /// The word that stands in the file.
    pub const fn word(self) -> &'static str {
        match self {
            Kind::Header => "header",
            Kind::Line => "line",
            Kind::Input => "input",
            Kind::Effects => "effects",
            Kind::Search => "search",
            Kind::Request => "request",
            Kind::Alive => "alive",
            Kind::Stream => "stream",
            Kind::Gap => "gap",
            Kind::Other => "other",
        }
    }
}

/// A line that is no entry.
#[derive(Debug, Error)]
pub enum EntryError {
    /// It cannot be read at all.
    #[error("line {line}: cannot be read")]
    Io {
        /// Its number, from 1.
        line: usize,
        /// What is wrong.
        source: std::io::Error,
    },
    /// It is not what it should be.
    #[error("line {line}: expected a JSON object with seq, at_ms, kind and body")]
    Malformed {
        /// Its number, from 1.
        line: usize,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// A part in a version that this program does not know.
    #[error("line {line}: format {found} is not known, expected {OLDEST_FORMAT} to {FORMAT}")]
    Version {
        /// Its number, from 1.
        line: usize,
        /// The version, as it stands there.
        found: Value,
    },
    /// It does not begin as it should.
    #[error("line {line}: expected a header, found {found:?}")]
    NoHeader {
        /// Its number, from 1.
        line: usize,
        /// What stands there.
        found: Kind,
    },
}

/// Reads a recording, entry by entry, with the number of the line. Where a part was cut off in the middle of a line,
/// because its writer was killed, it reads a gap.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    line: usize,
    begun: bool,
    /// A line that was read ahead.
    ahead: Option<String>,
}

impl<R: BufRead> Reader<R> {
    /// A reader that has read nothing yet.
    pub fn new(input: R) -> Reader<R> {
        Reader { input, line: 0, begun: false, ahead: None }
    }

    fn read(&mut self) -> Option<Result<(usize, Entry), EntryError>> {
        let text = match self.next_line() {
            Ok(text) => text?,
            Err(source) => return Some(Err(EntryError::Io { line: self.line, source })),
        };
        let line = self.line;
        match self.parse(line, &text) {
            Err(EntryError::Malformed { .. }) if self.begun && self.is_cut() => {
                let body = serde_json::json!({ "missing": 1 });
                Some(Ok((line, Entry { seq: 0, at_ms: 0, kind: Kind::Gap, body })))
            }
            parsed => Some(parsed),
        }
    }

    /// The next line that says something.
    fn next_line(&mut self) -> std::io::Result<Option<String>> {
        if let Some(text) = self.ahead.take() {
            return Ok(Some(text));
        }
        loop {
            self.line += 1;
            let mut text = String::new();
            if self.input.read_line(&mut text)? == 0 {
                return Ok(None);
            }
            if !text.trim().is_empty() {
                return Ok(Some(text));
            }
        }
    }

    /// Whether nothing or a new part follows. Trouble with reading comes again when it is that line's turn.
    fn is_cut(&mut self) -> bool {
        match self.next_line() {
            Ok(None) => true,
            Err(_) => false,
            Ok(Some(text)) => {
                let entry = serde_json::from_str::<Entry>(&text);
                self.ahead = Some(text);
                entry.is_ok_and(|entry| entry.kind == Kind::Header)
            }
        }
    }

    fn parse(&mut self, line: usize, text: &str) -> Result<(usize, Entry), EntryError> {
        let entry: Entry =
            serde_json::from_str(text).map_err(|source| EntryError::Malformed { line, source })?;
        if entry.kind == Kind::Header {
            let found = entry.body.get("format").cloned().unwrap_or_default();
            if !found.as_u64().is_some_and(known) {
                return Err(EntryError::Version { line, found });
            }
            self.begun = true;
        } else if !self.begun {
            return Err(EntryError::NoHeader { line, found: entry.kind });
        }
        Ok((line, entry))
    }
}

fn known(format: u64) -> bool {
    (u64::from(OLDEST_FORMAT)..=u64::from(FORMAT)).contains(&format)
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<(usize, Entry), EntryError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<String> {
        let show = |entry: Result<(usize, Entry), EntryError>| match entry {
            Ok((line, entry)) => format!("{line} {:?}", entry.kind),
            Err(error) => error.to_string(),
        };
        Reader::new(text.as_bytes()).map(show).collect()
    }

    const HEADER: &str = r#"{"seq":0,"at_ms":0,"kind":"header","body":{"format":2}}"#;

    #[test]
    fn entries_come_with_their_lines() {
        let text = format!("{HEADER}\n\n{}\n", r#"{"seq":1,"at_ms":5,"kind":"line","body":"x"}"#);
        assert_eq!(read(&text), ["1 Header", "3 Line"]);
    }

    #[test]
    fn old_formats_and_new_kinds_can_be_read() {
        let old = r#"{"seq":0,"at_ms":0,"kind":"header","body":{"format":1}}"#;
        let new = r#"{"seq":1,"at_ms":0,"kind":"weather","body":{"rain":true}}"#;
        assert_eq!(read(&format!("{old}\n{HEADER}\n{new}")), ["1 Header", "2 Header", "3 Other"]);
    }

    #[test]
    fn kinds_are_written_as_their_words() {
        for kind in [Kind::Header, Kind::Effects, Kind::Alive, Kind::Stream, Kind::Other] {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.word());
        }
    }

    #[test]
    fn a_part_that_was_cut_off_ends_with_a_gap() {
        let cut = r#"{"seq":1,"at_ms"#;
        assert_eq!(read(&format!("{HEADER}\n{cut}")), ["1 Header", "2 Gap"]);
        assert_eq!(read(&format!("{HEADER}\n{cut}\n{HEADER}\n")), ["1 Header", "2 Gap", "3 Header"]);
    }

    #[test]
    fn a_broken_file_names_its_line() {
        let expected = "line 2: expected a JSON object with seq, at_ms, kind and body";
        let line = r#"{"seq":1,"at_ms":5,"kind":"line","body":"x"}"#;
        let broken = format!("{HEADER}\n{}\n{line}", r#"{"seq":1,"at_ms"#);
        assert_eq!(read(&broken), ["1 Header", expected, "3 Line"]);
        assert_eq!(read("x"), ["line 1: expected a JSON object with seq, at_ms, kind and body"]);
        let odd = r#"{"seq":0,"at_ms":0,"kind":"header","body":{"format":7}}"#;
        assert_eq!(read(odd), ["line 1: format 7 is not known, expected 1 to 2"]);
        let headless = r#"{"seq":1,"at_ms":5,"kind":"line","body":"x"}"#;
        assert_eq!(read(headless), ["line 1: expected a header, found Line"]);
    }
}
