//! Typed reads of merged values. A value that is refused leaves the field as it was and becomes a complaint, so
//! that reading goes on and all complaints are made at once. Which keys exist is decided in `settings`.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use ::config::{Value, ValueKind};

use super::error::Complaint;
use super::layers::{DEFAULT_ORIGIN, Merged};
use super::suggest;

/// How tokens of Lichess begin. Nothing may rely on it for recognising one, but it helps to keep them quiet.
pub(crate) const TOKEN_PREFIXES: [&str; 2] = ["lip_", "lio_"];

/// The unit of a number that is a time; it is also the end of the key's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Milliseconds,
    Seconds,
}

/// Reads values and remembers which keys were asked for.
#[derive(Debug)]
pub(crate) struct Reader {
    values: BTreeMap<String, Value>,
    asked: Vec<String>,
    complaints: Vec<Complaint>,
    warnings: Vec<Complaint>,
}

impl Reader {
    pub(crate) fn new(merged: Merged) -> Reader {
        Reader {
            values: merged.values,
            asked: Vec::new(),
            complaints: merged.complaints,
            warnings: Vec::new(),
        }
    }

    /// A whole number.
    pub(crate) fn number<T: TryFrom<i64>>(&mut self, key: &str, allowed: RangeInclusive<i64>, into: &mut T) {
        let expected = format!("a whole number from {} to {}", allowed.start(), allowed.end());
        self.read(key, &expected, into, |value| integer(value, &allowed).and_then(|n| T::try_from(n).ok()));
    }

    /// A whole number that may be left out, which is written as 0.
    pub(crate) fn optional<T: TryFrom<i64>>(&mut self, key: &str, max: i64, into: &mut Option<T>) {
        let expected = format!("a whole number from 1 to {max}, or 0 for none");
        self.read(key, &expected, into, |value| match integer(value, &(0..=max))? {
            0 => Some(None),
            n => T::try_from(n).ok().map(Some),
        });
    }

    /// A time in whole units.
    pub(crate) fn time(&mut self, key: &str, unit: Unit, allowed: RangeInclusive<u64>, into: &mut Duration) {
        let (name, from): (_, fn(u64) -> Duration) = match unit {
            Unit::Milliseconds => ("milliseconds", Duration::from_millis),
            Unit::Seconds => ("seconds", Duration::from_secs),
        };
        let expected = format!("a whole number of {name} from {} to {}", allowed.start(), allowed.end());
        self.read(key, &expected, into, |value| {
            let n = u64::try_from(integer(value, &(0..=i64::MAX))?).ok()?;
            allowed.contains(&n).then(|| from(n))
        });
    }

    /// `true` or `false`.
    pub(crate) fn switch(&mut self, key: &str, into: &mut bool) {
        self.read(key, "true or false", into, |value| match value.kind {
            ValueKind::Boolean(on) => Some(on),
            _ => None,
        });
    }

    /// A text that `parse` understands; `expected` says which those are.
    pub(crate) fn text<T>(
        &mut self,
        key: &str,
        expected: &str,
        into: &mut T,
        parse: impl Fn(&str) -> Option<T>,
    ) {
        self.read(key, expected, into, |value| match &value.kind {
            ValueKind::String(text) => parse(text),
            _ => None,
        });
    }

    /// A path; the empty text means none.
    pub(crate) fn path(&mut self, key: &str, into: &mut Option<PathBuf>) {
        self.text(key, "a path, or \"\" for none", into, |text| {
            Some(Some(text).filter(|text| !text.is_empty()).map(PathBuf::from))
        });
    }

    /// One of some words.
    pub(crate) fn word<T: Clone>(&mut self, key: &str, words: &[(&str, T)], into: &mut T) {
        let names: Vec<&str> = words.iter().map(|(name, _)| *name).collect();
        let expected = format!("one of {}", names.join(", "));
        self.text(key, &expected, into, |text| find(words, text));
    }

    /// A list of some words, each given once or more.
    pub(crate) fn words<T: Clone>(&mut self, key: &str, words: &[(&str, T)], into: &mut Vec<T>) {
        let names: Vec<&str> = words.iter().map(|(name, _)| *name).collect();
        let expected = format!("a list of these: {}", names.join(", "));
        self.read(key, &expected, into, |value| list(value, |text| find(words, text)));
    }

    /// A list of texts that `parse` understands.
    pub(crate) fn texts<T>(
        &mut self,
        key: &str,
        expected: &str,
        into: &mut Vec<T>,
        parse: impl Fn(&str) -> Option<T>,
    ) {
        self.read(key, expected, into, |value| list(value, &parse));
    }

    /// Complains about a combination of values; `key` is the one to change.
    pub(crate) fn refuse(&mut self, key: &str, text: &str) {
        let complaint = self.about(key, text);
        self.complaints.push(complaint);
    }

    /// Remarks on a value that is legal but silly.
    pub(crate) fn warn(&mut self, key: &str, text: &str) {
        let warning = self.about(key, text);
        self.warnings.push(warning);
    }

    /// What was asked for and found wanting.
    pub(crate) fn finish(self) -> Findings {
        let values = self.asked.into_iter().filter_map(|key| {
            let value = self.values.get(&key)?;
            Some(Shown { origin: origin(value), text: quoted(value), key })
        });
        Findings { shown: values.collect(), complaints: self.complaints, warnings: self.warnings }
    }

    fn read<T>(&mut self, key: &str, expected: &str, into: &mut T, parse: impl Fn(&Value) -> Option<T>) {
        self.asked.push(key.to_owned());
        let complaint = match self.values.get(key) {
            Some(value) => match parse(value) {
                Some(read) => {
                    *into = read;
                    return;
                }
                None => {
                    let hint = hint(value, expected);
                    Complaint::new(
                        origin(value),
                        format!("{key} = {}: expected {expected}{hint}", quoted(value)),
                    )
                }
            },
            None => Complaint::new("config/default.toml", format!("{key}: has no default")),
        };
        self.complaints.push(complaint);
    }

    fn about(&self, key: &str, text: &str) -> Complaint {
        match self.values.get(key) {
            Some(value) => Complaint::new(origin(value), format!("{key} = {}: {text}", quoted(value))),
            None => Complaint::new(DEFAULT_ORIGIN, format!("{key}: {text}")),
        }
    }
}

/// A resolved value, for showing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The dotted key.
    pub key: String,
    /// The value as TOML.
    pub text: String,
    /// Where it was set.
    pub origin: String,
}

/// What a reader has to say at its end.
#[derive(Debug)]
pub(crate) struct Findings {
    pub(crate) shown: Vec<Shown>,
    pub(crate) complaints: Vec<Complaint>,
    pub(crate) warnings: Vec<Complaint>,
}

fn origin(value: &Value) -> String {
    value.origin().unwrap_or(DEFAULT_ORIGIN).to_owned()
}

fn integer(value: &Value, allowed: &RangeInclusive<i64>) -> Option<i64> {
    match value.kind {
        ValueKind::I64(n) if allowed.contains(&n) => Some(n),
        _ => None,
    }
}

fn find<T: Clone>(words: &[(&str, T)], text: &str) -> Option<T> {
    words.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)).map(|(_, value)| value.clone())
}

fn list<T>(value: &Value, parse: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
    let ValueKind::Array(values) = &value.kind else { return None };
    let one = |value: &Value| match &value.kind {
        ValueKind::String(text) => parse(text),
        _ => None,
    };
    values.iter().map(one).collect()
}

/// The nearest allowed word, when words are what is expected.
fn hint(value: &Value, expected: &str) -> String {
    let names =
        expected.rsplit_once(": ").map(|(_, names)| names).or_else(|| expected.strip_prefix("one of "));
    let (Some(names), ValueKind::String(text)) = (names, &value.kind) else { return String::new() };
    suggest::nearest(text, names.split(", "))
        .map(|word| format!("; did you mean {word}?"))
        .unwrap_or_default()
}

/// A value as TOML writes it.
fn quoted(value: &Value) -> String {
    match &value.kind {
        // Somebody who mistook `token_file` for the token must not find it in the log.
        ValueKind::String(text) if TOKEN_PREFIXES.iter().any(|prefix| text.starts_with(prefix)) => {
            "<redacted>".to_owned()
        }
        ValueKind::String(text) => format!("{text:?}"),
        ValueKind::Array(values) => format!("[{}]", values.iter().map(quoted).collect::<Vec<_>>().join(", ")),
        _ => value.to_string(),
    }
}
