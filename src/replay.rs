//! A recording, played again: its inputs go to a fresh session, and what the session wants is compared with what it
//! wanted then. No sockets, no clock; why a difference matters is left to the reader.

use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::Value;
use thiserror::Error;

use crate::bot::session::{Effect, Input, Session, SessionOptions};
use crate::record::{Entry, EntryError, Kind, Reader};

/// What a replay found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplayReport {
    /// Games that the recording begins: more than one if the bot took the game up again.
    pub parts: usize,
    /// Inputs that were played again.
    pub inputs: usize,
    /// Effects that came out the same.
    pub effects: usize,
    /// The first effects that did not; nothing was replayed after them.
    pub difference: Option<Difference>,
    /// The line of the first gap, and how many entries are missing there; nothing was replayed after it.
    pub gap: Option<(usize, u64)>,
    /// The lines of inputs that are the last of their part and have no effects recorded, though they have some: the
    /// bot was ended between the two.
    pub unfinished: Vec<usize>,
}

/// Other effects than recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The line of the input.
    pub line: usize,
    /// When it happened, in milliseconds since its part began.
    pub at_ms: u64,
    /// The input.
    pub input: Value,
    /// The effects as recorded.
    pub expected: Vec<Value>,
    /// The effects as they come out now.
    pub got: Vec<Value>,
}

/// Why a recording cannot be played again.
#[derive(Debug, Error)]
pub enum ReplayError {
    /// It cannot be opened.
    #[error("cannot open {}", .path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: std::io::Error,
    },
    /// It is not a recording.
    #[error("{0}")]
    Entry(#[from] EntryError),
    /// An entry does not hold what its kind promises.
    #[error("line {line}: expected {expected}")]
    Body {
        /// Its number, from 1.
        line: usize,
        /// What should be there.
        expected: &'static str,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// Effects that belong to no input.
    #[error("line {line}: expected an input before its effects")]
    Stray {
        /// Its number, from 1.
        line: usize,
    },
    /// Nothing to play.
    #[error("expected the recording of a game, found no inputs; the account's own recording holds none")]
    Empty,
}

impl ReplayReport {
    /// Whether all that could be replayed came out the same.
    pub fn is_same(&self) -> bool {
        self.difference.is_none()
    }
}

/// Plays the recording in a file again.
pub fn replay(path: &Path) -> Result<ReplayReport, ReplayError> {
    let file = File::open(path).map_err(|source| ReplayError::Open { path: path.to_owned(), source })?;
    replay_from(BufReader::new(file))
}

/// Plays a recording again.
pub fn replay_from(recording: impl BufRead) -> Result<ReplayReport, ReplayError> {
    let mut replay = Replay::default();
    for entry in Reader::new(recording) {
        let (line, entry) = entry?;
        replay.take(line, entry)?;
        if replay.report.gap.is_some() || replay.report.difference.is_some() {
            return Ok(replay.report);
        }
    }
    replay.end_part();
    if replay.report.inputs == 0 { Err(ReplayError::Empty) } else { Ok(replay.report) }
}

/// What the session wants is written down only if it wants anything, so an input waits until the next one comes for
/// its effects to be compared.
#[derive(Default)]
struct Replay {
    session: Option<Session>,
    waiting: Option<Waiting>,
    report: ReplayReport,
}

/// An input that was played again, and what came out.
struct Waiting {
    line: usize,
    at_ms: u64,
    input: Value,
    got: Vec<Value>,
}

impl Replay {
    fn take(&mut self, line: usize, entry: Entry) -> Result<(), ReplayError> {
        match entry.kind {
            Kind::Header => {
                self.end_part();
                self.session = begin(line, &entry.body)?;
                self.report.parts += usize::from(self.session.is_some());
            }
            Kind::Input => {
                self.settle();
                self.play(line, entry)?;
            }
            Kind::Effects => {
                let expected: Vec<Effect> = read(line, entry.body, "a list of effects")?;
                let waiting = self.waiting.take().ok_or(ReplayError::Stray { line })?;
                self.compare(waiting, values(&expected));
            }
            // The effects of the last input may be among what is missing: it is not compared.
            Kind::Gap => {
                let missing = entry.body.get("missing").and_then(Value::as_u64).unwrap_or_default();
                self.waiting = None;
                self.report.gap = Some((line, missing));
            }
            Kind::Line | Kind::Search | Kind::Request | Kind::Alive | Kind::Stream | Kind::Other => {}
        }
        Ok(())
    }

    fn play(&mut self, line: usize, entry: Entry) -> Result<(), ReplayError> {
        let Some(session) = self.session.as_mut().filter(|_| self.report.difference.is_none()) else {
            return Ok(());
        };
        let input: Input = read(line, entry.body.clone(), "an input of a game")?;
        let effects = session.handle(Duration::from_millis(entry.at_ms), input);
        self.report.inputs += 1;
        self.waiting = Some(Waiting { line, at_ms: entry.at_ms, input: entry.body, got: values(&effects) });
        Ok(())
    }

    /// The input that waits has no recorded effects.
    fn settle(&mut self) {
        if let Some(waiting) = self.waiting.take() {
            self.compare(waiting, Vec::new());
        }
    }

    /// What a part ends with may have been cut off.
    fn end_part(&mut self) {
        if let Some(waiting) = self.waiting.take().filter(|waiting| !waiting.got.is_empty()) {
            self.report.unfinished.push(waiting.line);
        }
    }

    fn compare(&mut self, waiting: Waiting, expected: Vec<Value>) {
        let Waiting { line, at_ms, input, got } = waiting;
        if got == expected {
            self.report.effects += got.len();
        } else if self.report.difference.is_none() {
            self.report.difference = Some(Difference { line, at_ms, input, expected, got });
        }
    }
}

/// A session with the options of a header; none, if the header is not that of a game.
fn begin(line: usize, header: &Value) -> Result<Option<Session>, ReplayError> {
    match header.get("about") {
        Some(about) if !about.is_null() => {
            let options: SessionOptions = read(line, about.clone(), "the options of a game")?;
            Ok(Some(Session::new(options)))
        }
        _ => Ok(None),
    }
}

fn read<T: DeserializeOwned>(line: usize, body: Value, expected: &'static str) -> Result<T, ReplayError> {
    serde_json::from_value(body).map_err(|source| ReplayError::Body { line, expected, source })
}

/// Effects as they are written down.
fn values(effects: &[Effect]) -> Vec<Value> {
    effects.iter().map(|effect| serde_json::to_value(effect).unwrap_or_default()).collect()
}

impl fmt::Display for ReplayReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ReplayReport { parts, inputs, effects, difference, gap, unfinished } = self;
        match difference {
            None => write!(f, "the same: {effects} effects of {inputs} inputs in {parts} part(s)")?,
            Some(difference) => write!(f, "{difference}")?,
        }
        for line in unfinished {
            write!(f, "\nline {line}: the bot was ended before the effects of this input were written")?;
        }
        match gap {
            None => Ok(()),
            Some((line, missing)) => {
                write!(
                    f,
                    "\nline {line}: entries are missing here ({missing}); nothing was compared after them"
                )
            }
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "line {}: at {} ms other effects than recorded", self.line, self.at_ms)?;
        writeln!(f, "  input:    {}", self.input)?;
        writeln!(f, "  expected: {}", list(&self.expected))?;
        write!(f, "  got:      {}", list(&self.got))
    }
}

fn list(effects: &[Value]) -> String {
    if effects.is_empty() {
        return "nothing".to_owned();
    }
    let texts: Vec<String> = effects.iter().map(Value::to_string).collect();
    texts.join("\n            ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn header() -> Value {
        let duration = |ms: u64| json!(Duration::from_millis(ms));
        json!({ "format": 1, "about": { "game": "Qz7Lm2Xa", "us": "quillbot-dev", "info": null,
            "thinking": { "overhead": duration(100), "fixed": { "nodes": 100 }, "ponder": false,
                "unlimited_time": duration(1000), "first_move_time": duration(1000) },
            "policy": crate::bot::GamePolicy::default() } })
    }

    fn recording(entries: &[(&str, Value)]) -> String {
        let header = ("header", header());
        let line = |(seq, (kind, body)): (usize, &(&str, Value))| {
            json!({ "seq": seq, "at_ms": 10 * seq, "kind": kind, "body": body }).to_string()
        };
        let lines: Vec<String> = std::iter::once(&header).chain(entries).enumerate().map(line).collect();
        lines.join("\n")
    }

    fn full() -> (&'static str, Value) {
        let event = json!({ "type": "gameFull", "id": "Qz7Lm2Xa", "variant": { "key": "standard" },
            "white": { "id": "quillbot-dev" }, "black": { "id": "ferncastle" }, "initialFen": "startpos",
            "state": { "type": "gameState", "moves": "", "wtime": 1000, "btime": 1000, "status": "started" } });
        ("input", json!({ "input": "line", "ageMs": 0, "event": event }))
    }

    fn searching(ply: usize) -> (&'static str, Value) {
        let limits = json!({ "hardMs": 1000, "nodes": 100 });
        ("effects", json!([{ "effect": "search", "ticket": 1, "ply": ply, "limits": limits }]))
    }

    fn run(entries: &[(&str, Value)]) -> ReplayReport {
        replay_from(recording(entries).as_bytes()).unwrap()
    }

    fn complaint(text: &str) -> String {
        replay_from(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn the_same_effects_are_the_same() {
        let report =
            run(&[("input", json!({ "input": "connected" })), ("line", json!("x")), full(), searching(0)]);
        assert_eq!(report, ReplayReport { parts: 1, inputs: 2, effects: 1, ..ReplayReport::default() });
        assert_eq!(report.to_string(), "the same: 1 effects of 2 inputs in 1 part(s)");
    }

    #[test]
    fn the_first_difference_is_shown_with_its_place() {
        let report = run(&[("input", json!({ "input": "connected" })), full(), searching(5), full()]);
        let difference = report.difference.as_ref().unwrap();
        assert_eq!((difference.line, difference.at_ms, report.inputs), (3, 20, 2));
        let shown = report.to_string();
        assert!(shown.contains("\"ply\":5") && shown.contains("\"ply\":0"), "{shown}");
    }

    #[test]
    fn missing_and_unexpected_effects_are_differences() {
        let missing = run(&[full(), full()]);
        assert!(missing.difference.unwrap().expected.is_empty());
        let unexpected = run(&[("input", json!({ "input": "connected" })), searching(0)]);
        assert!(unexpected.difference.unwrap().got.is_empty());
    }

    #[test]
    fn the_last_input_of_a_bot_that_was_killed_is_not_compared() {
        let report = run(&[full()]);
        assert_eq!((report.is_same(), report.unfinished.as_slice()), (true, &[2][..]));
        assert!(report.to_string().contains("line 2: the bot was ended"), "{report}");
    }

    #[test]
    fn nothing_is_compared_after_a_gap() {
        let report = run(&[full(), ("gap", json!({ "missing": 7 })), searching(3)]);
        assert_eq!((report.gap, report.is_same()), (Some((3, 7)), true));
        assert!(report.to_string().contains("line 3: entries are missing here (7)"), "{report}");
    }

    #[test]
    fn a_second_part_begins_anew() {
        let text = format!("{0}\n{0}", recording(&[full(), searching(0)]));
        assert_eq!(replay_from(text.as_bytes()).unwrap().parts, 2);
    }

    #[test]
    fn what_is_no_recording_of_a_game_is_told_by_its_line() {
        assert_eq!(complaint("x"), "line 1: expected a JSON object with seq, at_ms, kind and body");
        assert_eq!(complaint(&recording(&[searching(0)])), "line 2: expected an input before its effects");
        assert_eq!(
            complaint(&recording(&[("input", json!({ "input": "dance" }))])),
            "line 2: expected an input of a game"
        );
        assert_eq!(
            complaint(&recording(&[full(), ("effects", json!(3))])),
            "line 3: expected a list of effects"
        );
        assert!(complaint(&recording(&[])).contains("found no inputs"));
        assert!(complaint("").contains("found no inputs"));
    }
}
