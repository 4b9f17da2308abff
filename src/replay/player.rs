//! Playing a recording again, entry by entry.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::story;
use super::{Difference, ReplayError, ReplayReport};
use crate::bot::desk::{Desk, DeskEffect, DeskInput};
use crate::bot::session::{Effect, Session, SessionOptions};
use crate::record::{Entry, Kind, Reader};

/// How many entries are shown before a difference.
const SHOWN: usize = 12;

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
    if replay.report.parts == 0 { Err(ReplayError::Empty) } else { Ok(replay.report) }
}

/// What the session wants is written down only if it wants anything, so an input waits until the next one comes for
/// its effects to be compared.
#[derive(Default)]
struct Replay {
    machine: Machine,
    waiting: Option<Waiting>,
    /// The last entries, the newest at the end.
    before: VecDeque<Entry>,
    report: ReplayReport,
}

/// What decides in a part.
#[derive(Default)]
enum Machine {
    /// The account, before its first input.
    #[default]
    Closed,
    Desk(Box<Desk>),
    Game(Box<Session>),
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
                self.before.clear();
                self.machine = begin(line, &entry.body)?;
                self.report.parts += 1;
            }
            Kind::Input => {
                self.settle();
                if self.report.is_same() {
                    self.play(line, &entry)?;
                }
            }
            Kind::Effects => {
                let waiting = self.waiting.take().ok_or(ReplayError::Stray { line })?;
                let expected = self.machine.effects(line, entry.body.clone())?;
                self.compare(waiting, expected);
            }
            // The effects of the last input may be among what is missing: it is not compared.
            Kind::Gap => {
                let missing = entry.body.get("missing").and_then(Value::as_u64).unwrap_or_default();
                self.waiting = None;
                self.report.gap = Some((line, missing));
            }
            // All but the input of a difference stand before it.
            Kind::Line | Kind::Search | Kind::Request | Kind::Alive | Kind::Stream | Kind::Other => {}
        }
        if self.before.len() > SHOWN {
            self.before.pop_front();
        }
        self.before.push_back(entry);
        Ok(())
    }

    fn play(&mut self, line: usize, entry: &Entry) -> Result<(), ReplayError> {
        let got = self.machine.handle(line, entry)?;
        self.report.inputs += 1;
        self.waiting = Some(Waiting { line, at_ms: entry.at_ms, input: entry.body.clone(), got });
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
            // The last entry is the input itself.
            let earlier = self.before.len().saturating_sub(1);
            let before = self.before.iter().take(earlier).flat_map(story::tell).collect();
            self.report.difference = Some(Difference { line, at_ms, input, expected, got, before });
        }
    }
}

/// A session with the options of a header; the account has none there.
fn begin(line: usize, header: &Value) -> Result<Machine, ReplayError> {
    match header.get("about") {
        Some(about) if !about.is_null() => {
            let options: SessionOptions = read(line, about.clone(), "the options of a game")?;
            Ok(Machine::Game(Box::new(Session::new(options))))
        }
        _ => Ok(Machine::Closed),
    }
}

impl Machine {
    /// What comes of an input.
    fn handle(&mut self, line: usize, entry: &Entry) -> Result<Vec<Value>, ReplayError> {
        let at = Duration::from_millis(entry.at_ms);
        let body = entry.body.clone();
        match self {
            Machine::Game(session) => {
                Ok(values(&session.handle(at, read(line, body, "an input of a game")?)))
            }
            Machine::Desk(desk) => Ok(values(&desk.handle(at, read(line, body, "an input of the account")?))),
            Machine::Closed => {
                if let DeskInput::Opened { options } = read(line, body, "an input of the account")? {
                    *self = Machine::Desk(Box::new(Desk::new(&options)));
                }
                Ok(Vec::new())
            }
        }
    }

    /// Recorded effects as this version writes them, so that older ones can be compared.
    fn effects(&self, line: usize, body: Value) -> Result<Vec<Value>, ReplayError> {
        const EXPECTED: &str = "a list of effects";
        match self {
            Machine::Game(_) => Ok(values(&read::<Vec<Effect>>(line, body, EXPECTED)?)),
            Machine::Desk(_) | Machine::Closed => Ok(values(&read::<Vec<DeskEffect>>(line, body, EXPECTED)?)),
        }
    }
}

fn read<T: DeserializeOwned>(line: usize, body: Value, expected: &'static str) -> Result<T, ReplayError> {
    serde_json::from_value(body).map_err(|source| ReplayError::Body { line, expected, source })
}

/// Effects as they are written down.
fn values<T: Serialize>(effects: &[T]) -> Vec<Value> {
    effects.iter().map(|effect| serde_json::to_value(effect).unwrap_or_default()).collect()
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
        assert!(shown.contains("ply=5") && shown.contains("ply=0"), "{shown}");
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
        assert_eq!(complaint(""), "expected a recording, found an empty file");
    }

    #[test]
    fn a_recording_without_decisions_has_nothing_to_compare() {
        let old = r#"{"seq":0,"at_ms":0,"kind":"header","body":{"format":1,"about":null}}"#;
        for text in [recording(&[]), old.to_owned()] {
            let report = replay_from(text.as_bytes()).unwrap();
            assert!(report.to_string().starts_with("nothing to compare"), "{report}");
        }
    }

    #[test]
    fn a_difference_comes_with_what_was_before() {
        let connected = ("input", json!({ "input": "connected" }));
        let lines: Vec<_> = (0..20).map(|n| ("line", json!(format!("number {n}")))).collect();
        let report = run(&[&[connected][..], &lines, &[full(), searching(5)]].concat());
        let before = &report.difference.as_ref().unwrap().before;
        assert_eq!(before.len(), SHOWN);
        assert_eq!(before.last().unwrap(), "    0.210 . line \"number 19\"");
        assert!(report.to_string().contains("  input:    line ageMs=0 event={gameFull"), "{report}");
    }

    /// The account's own recording: a header without options, and the desk's inputs.
    fn account(entries: &[(&str, Value)]) -> ReplayReport {
        let header =
            json!({ "seq": 0, "at_ms": 0, "kind": "header", "body": { "format": 2, "about": null } });
        let options = crate::bot::desk::DeskOptions {
            us: "quillbot-dev".parse().unwrap(),
            challenges: crate::bot::ChallengePolicy::default(),
            account: crate::bot::AccountOptions::default(),
        };
        let opened = ("input", json!({ "input": "opened", "options": options }));
        let line = |(kind, body): &(&str, Value)| {
            json!({ "seq": 1, "at_ms": 9, "kind": kind, "body": body }).to_string()
        };
        let lines: Vec<String> = std::iter::once(&opened).chain(entries).map(line).collect();
        replay_from(format!("{header}\n{}", lines.join("\n")).as_bytes()).unwrap()
    }

    #[test]
    fn the_account_is_decided_again() {
        let asked = json!({ "input": "challenge", "challenge": { "id": "Qz7Lm2Xa",
            "challenger": { "id": "ferncastle", "name": "Ferncastle" }, "variant": { "key": "standard" },
            "timeControl": { "type": "clock", "limit": 180, "increment": 2 } } });
        let accept = json!([{ "effect": "accept", "id": "Qz7Lm2Xa" }]);
        let close = ("input", json!({ "input": "close" }));
        let same = account(&[("input", asked.clone()), ("effects", accept), close.clone()]);
        assert_eq!((same.inputs, same.effects, same.is_same()), (3, 1, true), "{same}");
        let decline = json!([{ "effect": "decline", "id": "Qz7Lm2Xa", "reason": "Later" }]);
        let other = account(&[("input", asked), ("effects", decline), close]);
        assert_eq!(other.difference.unwrap().line, 3);
    }
}
