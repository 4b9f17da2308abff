//! Reads a scenario from TOML, and finds the line of what is wrong.

use std::ops::Range;

use serde_json::Value;
use thiserror::Error;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::rule::Scenario;

/// A text that is no scenario.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{problem}")]
pub struct BadScenario {
    /// The line, counted from 1, if it is known.
    pub line: Option<usize>,
    problem: String,
}

impl Scenario {
    /// Reads a scenario: `seed`, and a `[[rule]]` table for each rule.
    pub fn from_toml(text: &str) -> Result<Scenario, BadScenario> {
        let bad = |span: Option<Range<usize>>, problem: String| BadScenario {
            line: span.map(|span| line_at(text, span.start)),
            problem,
        };
        let unreadable = |error: toml::de::Error| bad(error.span(), error.message().to_owned());
        let places = DeTable::parse(text).map_err(unreadable)?;
        let value: Value = toml::from_str(text).map_err(unreadable)?;
        Scenario::try_from(value)
            .map_err(|error| bad(place(places.get_ref(), error.path()), error.to_string()))
    }
}

/// The line of a byte, counted from 1.
fn line_at(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1
}

/// Where these keys lead, or as far as they lead.
fn place(table: &DeTable<'_>, path: &[String]) -> Option<Range<usize>> {
    let (first, rest) = path.split_first()?;
    let (key, value) = table.iter().find(|(key, _)| key.get_ref() == first.as_str())?;
    Some(place_in(value, rest).unwrap_or_else(|| key.span()))
}

fn place_in(value: &Spanned<DeValue<'_>>, path: &[String]) -> Option<Range<usize>> {
    match value.get_ref() {
        DeValue::Table(table) => place(table, path),
        DeValue::Array(list) => {
            let (first, rest) = path.split_first()?;
            let item = list.get(first.parse::<usize>().ok()?)?;
            Some(place_in(item, rest).unwrap_or_else(|| item.span()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Fault, Route, Rule, When};
    use super::*;

    #[test]
    fn a_scenario_is_read_from_toml() {
        let text = "seed = 3\n[[rule]]\nroute = \"move\"\nfault = { kind = \"late\", ms = 5 }\n\
                    [[rule]]\ntimes = \"always\"\n[rule.fault]\nkind = \"split\"\nbytes = 1\n";
        let late = Rule::when(When::on(Route::Move), Fault::Late { ms: 5 });
        let split = Rule { times: None, ..Rule::new(Fault::Split { bytes: 1 }) };
        assert_eq!(Scenario::from_toml(text), Ok(Scenario { seed: 3, rules: vec![late, split] }));
        assert_eq!(Scenario::from_toml(""), Ok(Scenario::default()));
    }

    #[test]
    fn what_is_wrong_has_a_line() {
        for (text, line, problem) in [
            ("seed = \n", 1, ""),
            ("seed = 1\nseed = 2\n", 2, "duplicate key"),
            ("\nseed = -1\n", 2, "seed: expected a whole number from 0, found -1"),
            ("seed = 1\nrules = []\n", 2, "rules: unknown, expected one of seed, rule"),
            ("# a\n[[rule]]\nroute = \"move\"\n", 2, "rule.0.fault: missing"),
            (
                "[[rule]]\nfault = \"end\"\n[[rule]]\nfault = \"end\"\nply = \"x\"\n",
                5,
                "rule.1.ply: expected",
            ),
            ("[[rule]]\nfault = { kind = \"late\" }\n", 2, "rule.0.fault.ms: missing"),
            ("[[rule]]\n[rule.fault]\nkind = \"late\"\nms = 1.5\n", 4, "rule.0.fault.ms: expected"),
        ] {
            let bad = Scenario::from_toml(text).unwrap_err();
            assert_eq!(bad.line, Some(line), "{text:?}: {bad}");
            assert!(bad.to_string().starts_with(problem), "{text:?}: {bad}");
        }
    }
}
