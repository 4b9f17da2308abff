//! When which fault happens: rules, and the scenario that holds them.

use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::fault::Fault;
use super::fields::{BadRule, Fields, expected, missing};
use super::route::Route;

/// What goes wrong in a run of the sandbox.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Value")]
pub struct Scenario {
    /// The source of all chance: the same seed and the same requests meet the same faults.
    pub seed: u64,
    /// The rules, in the order in which they are asked.
    #[serde(rename = "rule")]
    pub rules: Vec<Rule>,
}

/// A fault and when it happens.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Value")]
pub struct Rule {
    /// What reports call it.
    pub name: String,
    /// When it happens.
    #[serde(flatten)]
    pub when: When,
    /// What happens.
    pub fault: Fault,
    /// How often it happens at most; without end if not given. In files the word is `"always"`, and 1 the default.
    #[serde(serialize_with = "times")]
    pub times: Option<u64>,
    /// A run in which it never happens has failed.
    pub planned: bool,
}

/// What a rule waits for. All conditions must hold; what holds is a match, and matches are counted.
///
/// What may match depends on the fault: connections and answers look at requests, streams and connections at each line
/// of a stream (blank ones too), lines at each line that says something.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct When {
    /// The kind of request, or the stream.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub route: Option<Route>,
    /// Whose request or stream; by name or id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
    /// In which game, or for which challenge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// The `type` of a line, such as `gameState`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    /// The match, counted from 1, that is the first to fire.
    pub from: u64,
    /// After that every n-th fires, or each if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub every: Option<u64>,
    /// Not before this many milliseconds after the sandbox began, or after the rule was added.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after_ms: Option<u64>,
    /// Not from this many milliseconds on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until_ms: Option<u64>,
    /// At this ply of the game or later.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ply: Option<usize>,
    /// With this probability, by the scenario's seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chance: Option<f64>,
}

impl Default for When {
    /// At the first opportunity.
    fn default() -> When {
        When {
            route: None,
            account: None,
            game: None,
            line: None,
            from: 1,
            every: None,
            after_ms: None,
            until_ms: None,
            ply: None,
            chance: None,
        }
    }
}

impl When {
    /// At the first request of a kind, or the first line of such a stream.
    pub fn on(route: Route) -> When {
        When { route: Some(route), ..When::default() }
    }
}

impl Rule {
    /// `fault` once, at the first opportunity, named after its kind.
    pub fn new(fault: Fault) -> Rule {
        Rule { name: fault.kind().to_owned(), when: When::default(), fault, times: Some(1), planned: true }
    }

    /// `fault` once, when `when` says.
    pub fn when(when: When, fault: Fault) -> Rule {
        Rule { when, ..Rule::new(fault) }
    }

    /// Reads a rule: its fields and those of [`When`] side by side, with the fault in `fault`.
    fn read(value: Value) -> Result<Rule, BadRule> {
        let mut fields = Fields::of(value)?;
        let fault = fields.any("fault").ok_or_else(|| missing("fault", "a table with the kind of fault"))?;
        let fault = Fault::read(fault).map_err(|bad| bad.within("fault"))?;
        let defaults = Rule::new(fault);
        let rule = Rule {
            name: fields.maybe_text("name")?.unwrap_or(defaults.name),
            when: When::read(&mut fields)?,
            fault: defaults.fault,
            times: read_times(&mut fields)?,
            planned: fields.maybe_flag("planned")?.unwrap_or(defaults.planned),
        };
        fields.finish()?;
        Ok(rule)
    }
}

impl When {
    fn read(fields: &mut Fields) -> Result<When, BadRule> {
        Ok(When {
            route: fields.maybe_word("route", &Route::ALL)?,
            account: fields.maybe_text("account")?,
            game: fields.maybe_text("game")?,
            line: fields.maybe_text("line")?,
            from: positive(fields, "from")?.unwrap_or(1),
            every: positive(fields, "every")?,
            after_ms: fields.maybe_number("after_ms")?,
            until_ms: fields.maybe_number("until_ms")?,
            ply: fields.maybe_number("ply")?.and_then(|ply| usize::try_from(ply).ok()),
            chance: fields.probability("chance")?,
        })
    }
}

impl TryFrom<Value> for Rule {
    type Error = BadRule;

    fn try_from(value: Value) -> Result<Rule, BadRule> {
        Rule::read(value)
    }
}

impl TryFrom<Value> for Scenario {
    type Error = BadRule;

    fn try_from(value: Value) -> Result<Scenario, BadRule> {
        let mut fields = Fields::of(value)?;
        let seed = fields.maybe_number("seed")?.unwrap_or_default();
        let rules = match fields.any("rule") {
            None => Vec::new(),
            Some(list) => rules(list).map_err(|bad| bad.within("rule"))?,
        };
        // Whoever reads the file reads the users in it.
        fields.any("user");
        fields.finish()?;
        Ok(Scenario { seed, rules })
    }
}

/// A list of rules.
pub(in crate::sandbox) fn rules(list: Value) -> Result<Vec<Rule>, BadRule> {
    match list {
        Value::Array(list) => list
            .into_iter()
            .enumerate()
            .map(|(n, rule)| Rule::read(rule).map_err(|bad| bad.within(&n.to_string())))
            .collect(),
        one => Rule::read(one).map(|rule| vec![rule]),
    }
}

fn positive(fields: &mut Fields, key: &'static str) -> Result<Option<u64>, BadRule> {
    match fields.maybe_number(key)? {
        Some(0) => Err(BadRule::at(key, "expected a whole number from 1, found 0".to_owned())),
        number => Ok(number),
    }
}

const ALWAYS: &str = "always";

fn read_times(fields: &mut Fields) -> Result<Option<u64>, BadRule> {
    match fields.any("times") {
        None => Ok(Some(1)),
        Some(Value::String(word)) if word == ALWAYS => Ok(None),
        Some(value) => match value.as_u64() {
            Some(times) => Ok(Some(times)),
            None => Err(BadRule::at("times", expected("a whole number from 0 or \"always\"", &value))),
        },
    }
}

fn times<S: Serializer>(times: &Option<u64>, serializer: S) -> Result<S::Ok, S::Error> {
    match times {
        Some(times) => serializer.serialize_u64(*times),
        None => serializer.serialize_str(ALWAYS),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_scenario_is_read_and_written() {
        let json = json!({"seed": 7, "rule": [
            {"name": "slow moves", "route": "move", "account": "ada", "ply": 3, "times": "always", "planned": false,
             "fault": {"kind": "delay", "ms": 50, "jitter_ms": 20}},
            {"fault": "end"},
        ]});
        let scenario: Scenario = serde_json::from_value(json).unwrap();
        let slow = Rule {
            name: "slow moves".to_owned(),
            when: When { account: Some("ada".to_owned()), ply: Some(3), ..When::on(Route::Move) },
            fault: Fault::Delay { ms: 50, jitter_ms: 20, applied: false },
            times: None,
            planned: false,
        };
        assert_eq!(scenario, Scenario { seed: 7, rules: vec![slow, Rule::new(Fault::End)] });
        let written = serde_json::to_value(&scenario).unwrap();
        assert_eq!(serde_json::from_value::<Scenario>(written).unwrap(), scenario);
    }

    #[test]
    fn a_bad_scenario_is_told_by_field_and_expectation() {
        for (json, text) in [
            (json!({"rules": []}), "rules: unknown, expected one of seed, rule"),
            (json!({"rule": [{}]}), "rule.0.fault: missing, expected a table with the kind of fault"),
            (
                json!({"rule": [{"fault": "end", "from": 0}]}),
                "rule.0.from: expected a whole number from 1, found 0",
            ),
            (
                json!({"rule": [{"fault": "end", "chance": 2}]}),
                "rule.0.chance: expected a number from 0 to 1, found 2",
            ),
            (
                json!({"rule": [{"fault": "end"}, {"fault": "end", "route": "moves"}]}),
                "rule.1.route: expected one of events, game, move",
            ),
            (json!({"rule": [{"fault": {"kind": "late"}}]}), "rule.0.fault.ms: missing"),
            (
                json!({"rule": [{"fault": "end", "times": "never"}]}),
                "rule.0.times: expected a whole number from 0 or \"always\", found \"never\"",
            ),
            (
                json!({"rule": [{"fault": "end", "rooute": "move"}]}),
                "rule.0.rooute: unknown, expected one of fault,",
            ),
        ] {
            let error = Scenario::try_from(json).unwrap_err().to_string();
            assert!(error.starts_with(text), "{error}");
        }
    }
}
