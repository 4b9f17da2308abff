//! Reading fields of a JSON object that a server sent: whatever is missing, null or odd becomes a default.
//!
//! One strange number must not cost a line whose other fields are good. Nothing here fails; the types that are
//! built from it decide which fields they cannot do without.

use std::time::Duration;

use serde_json::{Map, Value};

use crate::chess::Color;

/// Longer than any clock, short enough to be added to any instant. The server's "unlimited" is 25 days.
const LONGEST: Duration = Duration::from_secs(100 * 366 * 24 * 3600);

/// Bytes of the longest text that is kept: a chat line has 140 characters, a FEN some 100.
const LONGEST_TEXT: usize = 1000;

/// Bytes of the longest name that is kept: no server of this family has longer ones than 30 characters.
const LONGEST_NAME: usize = 100;

/// Elements of the longest list that is kept.
const LONGEST_LIST: usize = 256;

/// The fields of one JSON object; an absent object has no fields.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'a>(Option<&'a Map<String, Value>>);

impl<'a> Fields<'a> {
    /// The fields of `value`; none if it is no object.
    pub(crate) fn of(value: &'a Value) -> Fields<'a> {
        Fields(value.as_object())
    }

    /// The value at `key`, unless it is missing or null.
    pub(crate) fn get(self, key: &str) -> Option<&'a Value> {
        self.0?.get(key).filter(|value| !value.is_null())
    }

    /// The object at `key`; an object without fields if there is none.
    pub(crate) fn object(self, key: &str) -> Fields<'a> {
        Fields(self.get(key).and_then(Value::as_object))
    }

    /// The object at `key`, if there is one that has any fields.
    pub(crate) fn filled_object(self, key: &str) -> Option<&'a Value> {
        self.get(key).filter(|value| value.as_object().is_some_and(|map| !map.is_empty()))
    }

    /// The elements of the array at `key`, the first ones if there are too many; none if it is no array.
    pub(crate) fn list(self, key: &str) -> &'a [Value] {
        let all = self.get(key).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        &all[..all.len().min(LONGEST_LIST)]
    }

    /// The text at `key`, also an empty one; what is longer than any sensible text is cut.
    pub(crate) fn text(self, key: &str) -> Option<&'a str> {
        self.long_text(key).map(|text| cut(text, LONGEST_TEXT))
    }

    /// The text at `key` as long as it is, which is no longer than the line.
    pub(crate) fn long_text(self, key: &str) -> Option<&'a str> {
        self.get(key)?.as_str()
    }

    /// A name: the text at `key`, or the `key` or `name` of an object there, as variants, statuses and perfs come
    /// as either. Empty is none, and what is longer than any name is cut.
    pub(crate) fn name(self, key: &str) -> Option<&'a str> {
        let value = self.get(key)?;
        let name = value.as_str().or_else(|| {
            let inner = Fields::of(value);
            inner.text("key").or_else(|| inner.text("name"))
        });
        name.filter(|name| !name.is_empty()).map(|name| cut(name, LONGEST_NAME))
    }

    /// Anything that `parse` makes of the text at `key`.
    pub(crate) fn parsed<T: std::str::FromStr>(self, key: &str) -> Option<T> {
        self.text(key)?.parse().ok()
    }

    /// The truth at `key`: a boolean, or a word such as `"True"`.
    pub(crate) fn maybe_flag(self, key: &str) -> Option<bool> {
        match self.get(key)? {
            Value::Bool(flag) => Some(*flag),
            Value::String(word) if word.eq_ignore_ascii_case("true") => Some(true),
            Value::String(word) if word.eq_ignore_ascii_case("false") => Some(false),
            _ => None,
        }
    }

    /// As [`Self::maybe_flag`]; false if there is none, since servers leave false flags out.
    pub(crate) fn flag(self, key: &str) -> bool {
        self.maybe_flag(key).unwrap_or(false)
    }

    /// The whole number at `key`: negative is 0, fractions are cut off, digits in a text count.
    pub(crate) fn number(self, key: &str) -> Option<u64> {
        number(self.get(key)?)
    }

    /// As [`Self::number`], for smaller integers; a number that does not fit is as good as none.
    pub(crate) fn small<T: TryFrom<u64>>(self, key: &str) -> Option<T> {
        T::try_from(self.number(key)?).ok()
    }

    /// The milliseconds at `key`.
    pub(crate) fn millis(self, key: &str) -> Option<Duration> {
        Some(Duration::from_millis(self.number(key)?).min(LONGEST))
    }

    /// The seconds at `key`.
    pub(crate) fn seconds(self, key: &str) -> Option<Duration> {
        Some(Duration::from_secs(self.number(key)?).min(LONGEST))
    }

    /// The side at `key`.
    pub(crate) fn color(self, key: &str) -> Option<Color> {
        color(self.text(key)?)
    }
}

/// The beginning of a text, cut between two characters.
pub(crate) fn cut(text: &str, longest: usize) -> &str {
    let end = (0..=longest.min(text.len())).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    &text[..end]
}

/// `white` or `black`.
pub(crate) fn color(word: &str) -> Option<Color> {
    match word {
        "white" => Some(Color::White),
        "black" => Some(Color::Black),
        _ => None,
    }
}

fn number(value: &Value) -> Option<u64> {
    match value {
        Value::Number(number) => number.as_u64().or_else(|| number.as_f64().map(whole)),
        Value::String(digits) => {
            digits.parse().ok().or_else(|| digits.parse::<f64>().ok().filter(|n| n.is_finite()).map(whole))
        }
        _ => None,
    }
}

/// The cast saturates: negative to 0, huge to the largest.
fn whole(number: f64) -> u64 {
    number as u64
}

/// How values are written back, in the shapes in which they are read.
pub(crate) mod write {
    use std::time::Duration;

    use serde::Serializer;

    use crate::chess::Color;

    pub(crate) fn millis<S: Serializer>(value: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(u64::try_from(value.as_millis()).unwrap_or(u64::MAX))
    }

    pub(crate) fn seconds<S: Serializer>(value: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(value.as_secs())
    }

    pub(crate) fn maybe_seconds<S: Serializer>(
        value: &Option<Duration>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => seconds(value, serializer),
            None => serializer.serialize_none(),
        }
    }

    pub(crate) fn color<S: Serializer>(value: &Option<Color>, serializer: S) -> Result<S::Ok, S::Error> {
        match value {
            Some(color) => serializer.collect_str(color),
            None => serializer.serialize_none(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn odd_numbers_become_harmless_ones() {
        for (odd, expected) in [
            (json!(180_000), Some(180_000)),
            (json!(-250), Some(0)),
            (json!(-0.5), Some(0)),
            (json!(1999.9), Some(1999)),
            (json!(1e300), Some(u64::MAX)),
            (json!("3000"), Some(3000)),
            (json!("-7"), Some(0)),
            (json!("soon"), None),
            (json!("NaN"), None),
            (json!(true), None),
            (json!([1]), None),
            (json!(null), None),
        ] {
            let object = json!({ "n": odd });
            assert_eq!(Fields::of(&object).number("n"), expected, "{odd}");
        }
    }

    #[test]
    fn a_huge_duration_can_still_be_added_to_an_instant() {
        let object = json!({ "ms": u64::MAX, "s": 1e300 });
        let fields = Fields::of(&object);
        for huge in [fields.millis("ms").unwrap(), fields.seconds("s").unwrap()] {
            assert_eq!(huge, LONGEST);
            assert!(std::time::Instant::now().checked_add(huge).is_some());
        }
    }

    #[test]
    fn a_number_that_does_not_fit_is_none() {
        let object = json!({ "n": 300 });
        assert_eq!(Fields::of(&object).small::<u8>("n"), None);
        assert_eq!(Fields::of(&object).small::<u32>("n"), Some(300));
    }

    #[test]
    fn texts_names_and_lists_are_bounded() {
        let object = json!({ "long": "é".repeat(10_000), "list": vec![0; 10_000] });
        let fields = Fields::of(&object);
        assert_eq!(fields.text("long").unwrap().len(), LONGEST_TEXT);
        assert_eq!(fields.name("long").unwrap().len(), LONGEST_NAME);
        assert_eq!(fields.list("list").len(), LONGEST_LIST);
        assert_eq!(cut("né", 2), "n");
    }

    #[test]
    fn names_come_as_text_or_object() {
        let object = json!({ "a": "blitz", "b": { "key": "chess960", "name": "Chess960" }, "c": { "name": "Blitz" },
            "d": "", "e": null, "f": 3 });
        let fields = Fields::of(&object);
        let names = ["a", "b", "c", "d", "e", "f", "g"].map(|key| fields.name(key));
        assert_eq!(names, [Some("blitz"), Some("chess960"), Some("Blitz"), None, None, None, None]);
    }

    #[test]
    fn flags_come_as_booleans_words_or_not_at_all() {
        let object = json!({ "a": true, "b": "False", "c": "True", "d": null, "e": 1 });
        let fields = Fields::of(&object);
        let flags = ["a", "b", "c", "d", "e", "f"].map(|key| fields.maybe_flag(key));
        assert_eq!(flags, [Some(true), Some(false), Some(true), None, None, None]);
    }
}
