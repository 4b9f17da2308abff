//! What can go wrong on purpose, and how it is written.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::fields::{BadRule, Fields, missing};

/// One fault. Written as a table whose `kind` is the name in lower case with underscores.
///
/// Times are milliseconds. `applied` says whether the server does what the request asks before the answer is spoilt.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Fault {
    /// New connections are reset at once for `ms`; 0 is this connection alone.
    Refuse {
        /// For how long.
        ms: u64,
    },
    /// The connection is reset.
    Reset {
        /// After the request was obeyed, not before.
        applied: bool,
    },
    /// Nothing is read or written on the connection any more, and it stays open. What was sent arrives when it is over.
    Silence {
        /// For how long; for ever if not given, and then a request is never obeyed.
        ms: Option<u64>,
    },
    /// Silence on all connections of the account that are open; new ones work.
    Blackhole {
        /// For how long.
        ms: u64,
    },
    /// The answer comes late by `ms` and up to `jitter_ms` more or less.
    Delay {
        /// By how much.
        ms: u64,
        /// More or less.
        jitter_ms: u64,
        /// The request is obeyed before the wait, not after it.
        applied: bool,
    },
    /// Another answer.
    Status {
        /// Its status.
        status: u16,
        /// Its headers; the content type is HTML if none is given.
        headers: BTreeMap<String, String>,
        /// Its body.
        body: String,
        /// After the request was obeyed, not instead.
        applied: bool,
    },
    /// The request is obeyed and no answer comes.
    AnswerLost {
        /// What comes instead.
        how: Loss,
    },
    /// The answer ends after so many bytes of its body, and so does the connection.
    Truncate {
        /// How many bytes come.
        bytes: usize,
    },
    /// The answer has no body.
    EmptyBody,
    /// The stream breaks after so many more bytes, counted from the line that the rule met.
    CutBytes {
        /// How many bytes come.
        bytes: usize,
    },
    /// The stream breaks after so many more lines, the one that the rule met among them.
    CutLines {
        /// How many lines come.
        lines: usize,
    },
    /// The stream ends as if all were said; the line is not sent.
    End,
    /// The line comes in pieces of so many bytes.
    Drip {
        /// The size of a piece.
        bytes: usize,
        /// The time between two.
        every_ms: u64,
    },
    /// The line comes in packets of so many bytes, without a wait.
    Split {
        /// The size of a packet.
        bytes: usize,
    },
    /// So many lines come in one packet; a blank line ends the wait for more.
    Merge {
        /// How many.
        lines: usize,
    },
    /// The line comes again.
    Duplicate {
        /// How often it comes again.
        copies: usize,
    },
    /// The line and those behind it come late; blank lines go on.
    Late {
        /// By how much.
        ms: u64,
    },
    /// The line comes after the next one, be it a blank one.
    Reorder,
    /// The line never comes.
    Drop,
    /// Other text comes before the line, as lines of its own.
    Insert {
        /// The text.
        text: String,
    },
    /// A field of the line is set, or removed if there is no value.
    Field {
        /// The keys that lead to it, with dots between; a number is a place in a list.
        path: String,
        /// The new value.
        value: Option<Value>,
    },
    /// The reader is stalled: nothing comes for `ms`, and of what waits only so many of the latest lines remain.
    Backlog {
        /// How many lines remain.
        capacity: usize,
        /// For how long.
        ms: u64,
    },
    /// The clocks of the game jump.
    ClockJump {
        /// By how much White's does.
        white_ms: i64,
        /// By how much Black's does.
        black_ms: i64,
    },
    /// The server is down and comes again.
    Restart {
        /// For how long it is down.
        down_ms: u64,
        /// How many plies of each game are lost.
        lose_plies: usize,
    },
    /// Another stream with the same token opens and ends the one that is open.
    Twin,
    /// The event of an old challenge is sent again.
    StaleChallenge,
    /// For `ms` the list of running games stays as it was.
    StaleList {
        /// For how long.
        ms: u64,
    },
    /// The start of a finished game is sent again.
    StaleStart,
}

/// How an answer gets lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Loss {
    /// The connection is reset.
    Reset,
    /// The connection stays open and nothing comes.
    Silence,
    /// The connection is closed.
    End,
}

/// What a fault acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sandbox) enum Level {
    /// A connection that is not yet made.
    Listener,
    /// A connection, at a request or at a line of a stream.
    Connection,
    /// The time of an answer.
    Delay,
    /// An answer.
    Answer,
    /// A stream, at one of its lines, blank ones too.
    Stream,
    /// A line that is not blank.
    Line,
    /// Accounts, challenges and games.
    World,
}

impl Fault {
    /// The names of all kinds.
    pub const KINDS: [&'static str; 28] = [
        "refuse",
        "reset",
        "silence",
        "blackhole",
        "delay",
        "status",
        "answer_lost",
        "truncate",
        "empty_body",
        "cut_bytes",
        "cut_lines",
        "end",
        "drip",
        "split",
        "merge",
        "duplicate",
        "late",
        "reorder",
        "drop",
        "insert",
        "field",
        "backlog",
        "clock_jump",
        "restart",
        "twin",
        "stale_challenge",
        "stale_list",
        "stale_start",
    ];

    /// The name of its kind.
    pub const fn kind(&self) -> &'static str {
        match self {
            Fault::Refuse { .. } => "refuse",
            Fault::Reset { .. } => "reset",
            Fault::Silence { .. } => "silence",
            Fault::Blackhole { .. } => "blackhole",
            Fault::Delay { .. } => "delay",
            Fault::Status { .. } => "status",
            Fault::AnswerLost { .. } => "answer_lost",
            Fault::Truncate { .. } => "truncate",
            Fault::EmptyBody => "empty_body",
            Fault::CutBytes { .. } => "cut_bytes",
            Fault::CutLines { .. } => "cut_lines",
            Fault::End => "end",
            Fault::Drip { .. } => "drip",
            Fault::Split { .. } => "split",
            Fault::Merge { .. } => "merge",
            Fault::Duplicate { .. } => "duplicate",
            Fault::Late { .. } => "late",
            Fault::Reorder => "reorder",
            Fault::Drop => "drop",
            Fault::Insert { .. } => "insert",
            Fault::Field { .. } => "field",
            Fault::Backlog { .. } => "backlog",
            Fault::ClockJump { .. } => "clock_jump",
            Fault::Restart { .. } => "restart",
            Fault::Twin => "twin",
            Fault::StaleChallenge => "stale_challenge",
            Fault::StaleList { .. } => "stale_list",
            Fault::StaleStart => "stale_start",
        }
    }

    /// What it acts on.
    pub(in crate::sandbox) const fn level(&self) -> Level {
        match self {
            Fault::Refuse { .. } => Level::Listener,
            Fault::Reset { .. } | Fault::Silence { .. } | Fault::Blackhole { .. } => Level::Connection,
            Fault::Delay { .. } => Level::Delay,
            Fault::Status { .. } | Fault::AnswerLost { .. } | Fault::Truncate { .. } | Fault::EmptyBody => {
                Level::Answer
            }
            Fault::CutBytes { .. }
            | Fault::CutLines { .. }
            | Fault::End
            | Fault::Drip { .. }
            | Fault::Split { .. }
            | Fault::Merge { .. } => Level::Stream,
            Fault::Duplicate { .. }
            | Fault::Late { .. }
            | Fault::Reorder
            | Fault::Drop
            | Fault::Insert { .. }
            | Fault::Field { .. }
            | Fault::Backlog { .. } => Level::Line,
            Fault::ClockJump { .. }
            | Fault::Restart { .. }
            | Fault::Twin
            | Fault::StaleChallenge
            | Fault::StaleList { .. }
            | Fault::StaleStart => Level::World,
        }
    }

    /// Reads a fault: a table with `kind` and the fields of that kind, or the kind alone as text.
    pub(super) fn read(value: Value) -> Result<Fault, BadRule> {
        let value = match value {
            Value::String(kind) => serde_json::json!({ "kind": kind }),
            other => other,
        };
        let mut fields = Fields::of(value)?;
        let kinds = Fault::KINDS.map(|kind| (kind, kind));
        let kind = fields.maybe_word("kind", &kinds)?;
        let kind = kind.ok_or_else(|| missing("kind", &format!("one of {}", Fault::KINDS.join(", "))))?;
        let fault = Fault::of_kind(kind, &mut fields)?;
        fields.finish()?;
        Ok(fault)
    }

    fn of_kind(kind: &str, fields: &mut Fields) -> Result<Fault, BadRule> {
        let applied = |fields: &mut Fields| Ok::<_, BadRule>(fields.maybe_flag("applied")?.unwrap_or(false));
        Ok(match kind {
            "refuse" => Fault::Refuse { ms: fields.number("ms")? },
            "reset" => Fault::Reset { applied: applied(fields)? },
            "silence" => Fault::Silence { ms: fields.maybe_number("ms")? },
            "blackhole" => Fault::Blackhole { ms: fields.number("ms")? },
            "delay" => Fault::Delay {
                ms: fields.number("ms")?,
                jitter_ms: fields.maybe_number("jitter_ms")?.unwrap_or(0),
                applied: applied(fields)?,
            },
            "status" => Fault::Status {
                status: status(fields)?,
                headers: fields.texts("headers")?,
                body: fields.maybe_text("body")?.unwrap_or_default(),
                applied: applied(fields)?,
            },
            "answer_lost" => {
                let ways = [("reset", Loss::Reset), ("silence", Loss::Silence), ("end", Loss::End)];
                Fault::AnswerLost { how: fields.maybe_word("how", &ways)?.unwrap_or(Loss::Reset) }
            }
            "truncate" => Fault::Truncate { bytes: size(fields, "bytes")? },
            "empty_body" => Fault::EmptyBody,
            "cut_bytes" => Fault::CutBytes { bytes: size(fields, "bytes")? },
            "cut_lines" => Fault::CutLines { lines: size(fields, "lines")? },
            "end" => Fault::End,
            "drip" => Fault::Drip { bytes: fields.count("bytes")?, every_ms: fields.number("every_ms")? },
            "split" => Fault::Split { bytes: fields.count("bytes")? },
            "merge" => Fault::Merge { lines: fields.count("lines")? },
            other => return Fault::of_line_or_world(other, fields),
        })
    }

    fn of_line_or_world(kind: &str, fields: &mut Fields) -> Result<Fault, BadRule> {
        Ok(match kind {
            "duplicate" => Fault::Duplicate { copies: fields.count("copies")? },
            "late" => Fault::Late { ms: fields.number("ms")? },
            "reorder" => Fault::Reorder,
            "drop" => Fault::Drop,
            "insert" => Fault::Insert { text: fields.text("text")? },
            "field" => Fault::Field { path: fields.text("path")?, value: fields.any("value") },
            "backlog" => Fault::Backlog { capacity: fields.count("capacity")?, ms: fields.number("ms")? },
            "clock_jump" => Fault::ClockJump {
                white_ms: fields.signed("white_ms")?,
                black_ms: fields.signed("black_ms")?,
            },
            "restart" => Fault::Restart {
                down_ms: fields.number("down_ms")?,
                lose_plies: fields.maybe_number("lose_plies")?.and_then(|n| n.try_into().ok()).unwrap_or(0),
            },
            "twin" => Fault::Twin,
            "stale_challenge" => Fault::StaleChallenge,
            "stale_list" => Fault::StaleList { ms: fields.number("ms")? },
            "stale_start" => Fault::StaleStart,
            unknown => return Err(BadRule::at("kind", format!("{unknown} has no reader"))),
        })
    }
}

fn status(fields: &mut Fields) -> Result<u16, BadRule> {
    let number = fields.number("status")?;
    let status = u16::try_from(number).ok().filter(|status| (200..=599).contains(status));
    status.ok_or_else(|| BadRule::at("status", format!("expected 200 to 599, found {number}")))
}

fn size(fields: &mut Fields, key: &'static str) -> Result<usize, BadRule> {
    let number = fields.number(key)?;
    usize::try_from(number).map_err(|_| BadRule::at(key, format!("expected a size, found {number}")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// One fault of each kind, as text that leaves out what may be left out, and whether it does.
    fn one_of_each() -> Vec<Value> {
        vec![
            json!({"kind": "refuse", "ms": 1}),
            json!({"kind": "reset"}),
            json!({"kind": "silence"}),
            json!({"kind": "blackhole", "ms": 1}),
            json!({"kind": "delay", "ms": 50, "jitter_ms": 20}),
            json!({"kind": "status", "status": 429, "headers": {"retry-after": "3"}, "body": "<html>"}),
            json!({"kind": "answer_lost", "how": "silence"}),
            json!({"kind": "truncate", "bytes": 0}),
            json!({"kind": "empty_body"}),
            json!({"kind": "cut_bytes", "bytes": 7}),
            json!({"kind": "cut_lines", "lines": 2}),
            json!({"kind": "end"}),
            json!({"kind": "drip", "bytes": 1, "every_ms": 5}),
            json!({"kind": "split", "bytes": 1}),
            json!({"kind": "merge", "lines": 2}),
            json!({"kind": "duplicate", "copies": 300}),
            json!({"kind": "late", "ms": 9}),
            json!({"kind": "reorder"}),
            json!({"kind": "drop"}),
            json!({"kind": "insert", "text": "\r\n \n<html>"}),
            json!({"kind": "field", "path": "state.wtime", "value": -5}),
            json!({"kind": "backlog", "capacity": 32, "ms": 1}),
            json!({"kind": "clock_jump", "white_ms": -500}),
            json!({"kind": "restart", "down_ms": 45_000, "lose_plies": 2}),
            json!({"kind": "twin"}),
            json!({"kind": "stale_challenge"}),
            json!({"kind": "stale_list", "ms": 60_000}),
            json!({"kind": "stale_start"}),
        ]
    }

    #[test]
    fn each_kind_is_read_and_written() {
        let faults: Vec<Fault> = one_of_each().into_iter().map(|json| Fault::read(json).unwrap()).collect();
        let kinds: Vec<&str> = faults.iter().map(Fault::kind).collect();
        assert_eq!(kinds, Fault::KINDS, "one of each kind, in order");
        for (fault, short) in faults.iter().zip(one_of_each()) {
            let written = serde_json::to_value(fault).unwrap();
            for (key, value) in short.as_object().unwrap() {
                assert_eq!(&written[key], value, "{fault:?}");
            }
            assert_eq!(Fault::read(written).as_ref(), Ok(fault), "what is written is read as the same");
        }
    }

    #[test]
    fn a_kind_without_fields_is_a_word() {
        assert_eq!(Fault::read(json!("end")), Ok(Fault::End));
    }

    #[test]
    fn a_bad_fault_is_told_by_field_and_expectation() {
        for (json, text) in [
            (json!({"kind": "late", "ms": "soon"}), "ms: expected a whole number from 0, found \"soon\""),
            (json!({"kind": "late"}), "ms: missing, expected a whole number from 0"),
            (json!({"kind": "late", "ms": 1, "us": 2}), "us: unknown, expected one of kind, ms"),
            (json!({"kind": "split", "bytes": 0}), "bytes: expected a whole number from 1, found 0"),
            (json!({"kind": "status", "status": 99}), "status: expected 200 to 599, found 99"),
            (
                json!({"kind": "answer_lost", "how": "x"}),
                "how: expected one of reset, silence, end, found \"x\"",
            ),
            (
                json!({"kind": "status", "status": 500, "headers": {"a": 1}}),
                "headers: expected a table of texts",
            ),
            (json!(7), "expected a table of fields, found 7"),
            (json!({}), "kind: missing, expected one of refuse, reset"),
            (json!("flood"), "kind: expected one of refuse, reset"),
        ] {
            let error = Fault::read(json).unwrap_err().to_string();
            assert!(error.starts_with(text), "{error}");
        }
    }
}
