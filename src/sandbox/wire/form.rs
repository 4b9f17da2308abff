//! Forms: what a request's fields say, in types. A form may come URL-encoded or as JSON.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

use crate::sandbox::world::{
    AiWish, ChallengeWish, ColorWish, FormErrors, GameRule, Refusal, TimeControl, UserId, VariantKey,
};

/// The fields of a form or a query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::sandbox) struct Fields(BTreeMap<String, String>);

impl Fields {
    /// From pairs.
    pub(in crate::sandbox) fn from_pairs(pairs: impl IntoIterator<Item = (String, String)>) -> Fields {
        Fields(pairs.into_iter().collect())
    }

    /// From a JSON object: `null` is a field that is not there.
    pub(in crate::sandbox) fn from_json(value: &Value) -> Option<Fields> {
        let field = |(name, value): (&String, &Value)| match value {
            Value::Null => None,
            Value::String(text) => Some((name.clone(), text.clone())),
            other => Some((name.clone(), other.to_string())),
        };
        Some(Fields(value.as_object()?.iter().filter_map(field).collect()))
    }

    /// A field that says something.
    pub(in crate::sandbox) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// Whether a switch is on.
    pub(in crate::sandbox) fn is_on(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| ["true", "True", "1", "on"].contains(&value))
    }

    /// A switch that may be missing.
    pub(in crate::sandbox) fn switch(&self, name: &str) -> Option<bool> {
        self.get(name).map(|_| self.is_on(name))
    }

    /// A number.
    pub(in crate::sandbox) fn number(&self, name: &str) -> Option<u64> {
        self.get(name)?.parse().ok()
    }
}

/// Comma-separated user ids, at most `most`.
pub(in crate::sandbox) fn ids(text: &str, most: usize) -> Vec<UserId> {
    text.split(',').map(str::trim).filter(|id| !id.is_empty()).take(most).map(UserId::of).collect()
}

/// The answer words of draw and takeback.
pub(in crate::sandbox) fn yes_or_no(word: &str) -> Option<crate::sandbox::world::Answer> {
    match word {
        "yes" | "true" => Some(crate::sandbox::world::Answer::Yes),
        "no" | "false" => Some(crate::sandbox::world::Answer::No),
        _ => None,
    }
}

/// The form of a challenge to a user.
pub(in crate::sandbox) fn challenge_wish(fields: &Fields) -> Result<ChallengeWish, Refusal> {
    let mut errors = FormErrors::default();
    let wish = ChallengeWish {
        variant: variant(fields, &mut errors),
        fen: fields.get("fen").map(str::to_owned),
        rated: fields.is_on("rated"),
        time: time_control(fields, &mut errors),
        color: color(fields, &mut errors),
        rules: rules(fields, &mut errors),
    };
    errors.or(wish)
}

/// The form of a game against a lent opponent.
pub(in crate::sandbox) fn ai_wish(fields: &Fields) -> Result<AiWish, Refusal> {
    let mut errors = FormErrors::default();
    let level = fields.number("level").and_then(|level| u8::try_from(level).ok());
    let level = level.filter(|level| (1..=8).contains(level));
    if level.is_none() {
        errors.add("level", "Must be between 1 and 8");
    }
    let wish = AiWish {
        level: level.unwrap_or(1),
        variant: variant(fields, &mut errors),
        fen: fields.get("fen").map(str::to_owned),
        time: time_control(fields, &mut errors),
        color: color(fields, &mut errors),
    };
    errors.or(wish)
}

fn variant(fields: &Fields, errors: &mut FormErrors) -> VariantKey {
    let key = fields.get("variant").unwrap_or("standard");
    VariantKey::from_key(key).unwrap_or_else(|| {
        errors.add("variant", "Invalid value");
        VariantKey::Standard
    })
}

fn color(fields: &Fields, errors: &mut FormErrors) -> ColorWish {
    let key = fields.get("color").unwrap_or("random");
    ColorWish::ALL.into_iter().find(|color| color.key() == key).unwrap_or_else(|| {
        errors.add("color", "Invalid value");
        ColorWish::Random
    })
}

fn rules(fields: &Fields, errors: &mut FormErrors) -> Vec<GameRule> {
    let words = fields.get("rules").into_iter().flat_map(|rules| rules.split(','));
    let rule = |word: &str| GameRule::ALL.into_iter().find(|rule| rule.key() == word.trim());
    let read: Option<Vec<GameRule>> = words.map(rule).collect();
    read.unwrap_or_else(|| {
        errors.add("rules", "Invalid value");
        Vec::new()
    })
}

/// A clock needs limit and increment; else there are days, or no limit at all.
fn time_control(fields: &Fields, errors: &mut FormErrors) -> TimeControl {
    let (limit, increment) = (fields.get("clock.limit"), fields.get("clock.increment"));
    match (limit, increment, fields.get("days")) {
        (None, None, None) => TimeControl::Unlimited,
        (None, None, Some(days)) => {
            let days = days.parse().ok().filter(|days| [1, 2, 3, 5, 7, 10, 14].contains(days));
            if days.is_none() {
                errors.add("days", "Invalid value");
            }
            TimeControl::Correspondence { days: days.unwrap_or(1) }
        }
        (limit, increment, _) => {
            let limit = seconds("clock.limit", limit, is_clock_limit, errors);
            let increment = seconds("clock.increment", increment, |seconds| seconds <= 60, errors);
            TimeControl::Clock { limit, increment }
        }
    }
}

fn is_clock_limit(seconds: u64) -> bool {
    [15, 30, 45, 90].contains(&seconds) || seconds.is_multiple_of(60) && seconds <= 10_800
}

fn seconds(
    field: &str,
    text: Option<&str>,
    allowed: impl Fn(u64) -> bool,
    errors: &mut FormErrors,
) -> Duration {
    let Some(text) = text else {
        errors.add(field, "This field is required");
        return Duration::ZERO;
    };
    match text.parse::<u64>().ok().filter(|seconds| allowed(*seconds)) {
        Some(seconds) => Duration::from_secs(seconds),
        None => {
            errors.add(field, "Invalid value");
            Duration::ZERO
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(pairs: &[(&str, &str)]) -> Fields {
        Fields::from_pairs(pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())))
    }

    #[test]
    fn clocks_have_the_values_of_the_api() {
        let time = |limit, increment| {
            let fields = fields(&[("clock.limit", limit), ("clock.increment", increment)]);
            challenge_wish(&fields).map(|wish| wish.time.show()).ok()
        };
        assert_eq!(time("180", "2").as_deref(), Some("3+2"));
        assert_eq!(time("90", "0").as_deref(), Some("1.5+0"));
        for (limit, increment) in [("75", "0"), ("10860", "0"), ("180", "61"), ("x", "0"), ("-60", "0")] {
            assert_eq!(time(limit, increment), None, "{limit}+{increment}");
        }
    }

    #[test]
    fn complaints_name_their_fields() {
        let wish = challenge_wish(&fields(&[
            ("clock.limit", "60"),
            ("variant", "chaturanga"),
            ("color", "red"),
            ("rules", "noAbort,noFun"),
        ]));
        let Err(Refusal::Form(errors)) = wish else { panic!("{wish:?}") };
        let named: Vec<_> = errors.0.keys().map(String::as_str).collect();
        assert_eq!(named, ["clock.increment", "color", "rules", "variant"]);
    }

    #[test]
    fn json_is_a_form_too() {
        let json = serde_json::json!({"rated": true, "clock.limit": 60, "fen": null, "color": "white"});
        let read = Fields::from_json(&json).unwrap();
        assert_eq!(read, fields(&[("rated", "true"), ("clock.limit", "60"), ("color", "white")]));
        assert!(read.is_on("rated"));
    }
}
