//! Reads the fields of a rule, and says of a bad one where it stands and what was expected.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Map, Value};
use thiserror::Error;

/// A rule or scenario that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{problem}", Place(path))]
pub struct BadRule {
    path: Vec<String>,
    problem: String,
}

struct Place<'a>(&'a [String]);

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(f, "{}: ", self.0.join(".")) }
    }
}

impl BadRule {
    /// `problem` says what was expected and what was found.
    pub(super) fn at(key: &str, problem: String) -> BadRule {
        BadRule { path: vec![key.to_owned()], problem }
    }

    /// The same, seen from further outside.
    pub(in crate::sandbox) fn within(mut self, key: &str) -> BadRule {
        self.path.insert(0, key.to_owned());
        self
    }

    /// The keys that lead to the field, from the outside; the n-th of a list (from 0) is a number.
    pub(super) fn path(&self) -> &[String] {
        &self.path
    }
}

/// The fields of a table, of which each may be taken once.
pub(super) struct Fields {
    map: Map<String, Value>,
    known: Vec<&'static str>,
}

impl Fields {
    /// The fields of an object.
    pub(super) fn of(value: Value) -> Result<Fields, BadRule> {
        match value {
            Value::Object(map) => Ok(Fields { map, known: Vec::new() }),
            other => Err(BadRule { path: Vec::new(), problem: expected("a table of fields", &other) }),
        }
    }

    /// A field as it is; null is as good as none.
    pub(super) fn any(&mut self, key: &'static str) -> Option<Value> {
        self.known.push(key);
        self.map.remove(key).filter(|value| !value.is_null())
    }

    /// A whole number, if it is there.
    pub(super) fn maybe_number(&mut self, key: &'static str) -> Result<Option<u64>, BadRule> {
        self.maybe(key, "a whole number from 0", Value::as_u64)
    }

    /// A whole number that must be there.
    pub(super) fn number(&mut self, key: &'static str) -> Result<u64, BadRule> {
        self.maybe_number(key)?.ok_or_else(|| missing(key, "a whole number from 0"))
    }

    /// A whole number of either sign, 0 if it is not there.
    pub(super) fn signed(&mut self, key: &'static str) -> Result<i64, BadRule> {
        Ok(self.maybe(key, "a whole number, perhaps with a minus", Value::as_i64)?.unwrap_or_default())
    }

    /// A number of things, at least one.
    pub(super) fn count(&mut self, key: &'static str) -> Result<usize, BadRule> {
        let what = "a whole number from 1";
        let number = self.maybe(key, what, |value| {
            value.as_u64().and_then(|number| usize::try_from(number).ok()).filter(|number| *number > 0)
        })?;
        number.ok_or_else(|| missing(key, what))
    }

    /// A probability, if it is there.
    pub(super) fn probability(&mut self, key: &'static str) -> Result<Option<f64>, BadRule> {
        self.maybe(key, "a number from 0 to 1", |value| {
            value.as_f64().filter(|number| (0.0..=1.0).contains(number))
        })
    }

    /// Yes or no, if it is there.
    pub(super) fn maybe_flag(&mut self, key: &'static str) -> Result<Option<bool>, BadRule> {
        self.maybe(key, "true or false", Value::as_bool)
    }

    /// Text, if it is there.
    pub(super) fn maybe_text(&mut self, key: &'static str) -> Result<Option<String>, BadRule> {
        self.maybe(key, "text", |value| value.as_str().map(str::to_owned))
    }

    /// Text that must be there.
    pub(super) fn text(&mut self, key: &'static str) -> Result<String, BadRule> {
        self.maybe_text(key)?.ok_or_else(|| missing(key, "text"))
    }

    /// A table of texts, empty if it is not there.
    pub(super) fn texts(&mut self, key: &'static str) -> Result<BTreeMap<String, String>, BadRule> {
        let texts = self.maybe(key, "a table of texts", |value| {
            let each = value.as_object()?.iter();
            each.map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned()))).collect()
        })?;
        Ok(texts.unwrap_or_default())
    }

    /// One of a few words, if it is there.
    pub(super) fn maybe_word<T: Copy>(
        &mut self,
        key: &'static str,
        words: &[(&str, T)],
    ) -> Result<Option<T>, BadRule> {
        let all: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        self.maybe(key, &format!("one of {}", all.join(", ")), |value| {
            let text = value.as_str()?;
            words.iter().find(|(word, _)| *word == text).map(|(_, meant)| *meant)
        })
    }

    /// Nothing may be left.
    pub(super) fn finish(self) -> Result<(), BadRule> {
        match self.map.keys().next() {
            Some(key) => Err(BadRule::at(key, format!("unknown, expected one of {}", self.known.join(", ")))),
            None => Ok(()),
        }
    }

    fn maybe<T>(
        &mut self,
        key: &'static str,
        what: &str,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> Result<Option<T>, BadRule> {
        let Some(value) = self.any(key) else { return Ok(None) };
        match read(&value) {
            Some(read) => Ok(Some(read)),
            None => Err(BadRule::at(key, expected(what, &value))),
        }
    }
}

/// What was expected, and what was found.
pub(super) fn expected(what: &str, found: &Value) -> String {
    format!("expected {what}, found {found}")
}

/// A field that must be there is not.
pub(super) fn missing(key: &str, what: &str) -> BadRule {
    BadRule::at(key, format!("missing, expected {what}"))
}
