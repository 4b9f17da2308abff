//! What a recording holds, by name, and the names that the corpus must hold.

use std::collections::BTreeSet;

use rookery::record::{Entry, Kind};
use serde_json::Value;

/// What the corpus must hold: one kind a line.
const WANTED: &str = include_str!("wanted.txt");

pub(super) fn wanted() -> impl Iterator<Item = &'static str> {
    WANTED.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The kinds of things that stand in a recording.
pub(super) fn kinds(entries: &[Entry]) -> BTreeSet<String> {
    let mut kinds = BTreeSet::new();
    let mut last_line = String::new();
    let mut last_state: Option<(String, Value)> = None;
    for entry in entries {
        match entry.kind {
            Kind::Header => kinds.extend(entry.body["about"].is_null().then(|| "part account".to_owned())),
            Kind::Line => {
                let raw = entry.body.as_str().unwrap().to_owned();
                line(&raw, &mut kinds);
                kinds.extend((raw == last_line).then(|| "line twice".to_owned()));
                kinds.extend(state(&raw, &mut last_state));
                last_line = raw;
            }
            Kind::Input => input(&entry.body, &mut kinds),
            Kind::Effects => entry.body.as_array().unwrap().iter().for_each(|one| effect(one, &mut kinds)),
            Kind::Stream => stream(&entry.body, &mut kinds),
            Kind::Search | Kind::Request | Kind::Alive | Kind::Gap | Kind::Other => {
                kinds.insert(format!("entry {}", entry.kind.word()));
            }
        }
    }
    kinds
}

fn word(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Object(fields) => fields.keys().next().cloned().unwrap_or_default(),
        other => other.to_string(),
    }
}

fn line(raw: &str, kinds: &mut BTreeSet<String>) {
    let Ok(value) = serde_json::from_str::<Value>(raw) else {
        kinds.insert("line garbage".to_owned());
        return;
    };
    let kind = value["type"].as_str().unwrap_or("without type");
    kinds.insert(format!("line {kind}"));
    if let Some(key) = value.pointer("/variant/key") {
        kinds.insert(format!("variant {}", word(key)));
    }
    let state = if kind == "gameFull" { &value["state"] } else { &value };
    for flag in ["wdraw", "bdraw", "wtakeback", "btakeback", "expiration", "rematch", "winner"] {
        if !state[flag].is_null() {
            kinds.insert(format!("flag {flag}"));
        }
    }
    if kind == "chatLine" {
        kinds.insert(format!("chat {}", word(&value["room"])));
    }
    if kind == "opponentGone" {
        kinds.insert(format!("gone {}", value["gone"]));
    }
}

/// How the state of a game relates to the one before.
fn state(raw: &str, last: &mut Option<(String, Value)>) -> Option<String> {
    let value: Value = serde_json::from_str(raw).ok()?;
    let state = if value["type"] == "gameFull" { value["state"].clone() } else { value };
    let moves = state["moves"].as_str()?.to_owned();
    let clocks = Value::from(vec![state["wtime"].clone(), state["btime"].clone()]);
    let (before, clocks_before) = last.replace((moves.clone(), clocks.clone()))?;
    if moves == before {
        return (clocks != clocks_before).then(|| "state clock jump".to_owned());
    }
    let shorter = before.starts_with(&moves);
    let kind = if moves.starts_with(&before) {
        "longer"
    } else if shorter {
        "shorter"
    } else {
        "another line"
    };
    Some(format!("state {kind}"))
}

fn input(body: &Value, kinds: &mut BTreeSet<String>) {
    let input = word(&body["input"]);
    kinds.insert(format!("input {input}"));
    for key in ["loss", "outcome", "action", "timer", "phase", "listed", "end", "accepted"] {
        if !body[key].is_null() {
            kinds.insert(format!("{input} {}", word(&body[key])));
        }
    }
}

fn effect(body: &Value, kinds: &mut BTreeSet<String>) {
    let effect = word(&body["effect"]);
    kinds.insert(format!("effect {effect}"));
    for key in ["action", "level", "reason", "timer"] {
        if !body[key].is_null() {
            kinds.insert(format!("{effect} {}", word(&body[key])));
        }
    }
    if body["offerDraw"] == true {
        kinds.insert("post offering a draw".to_owned());
    }
    if body["limits"]["exclude"].is_array() {
        kinds.insert("search without a refused move".to_owned());
    }
    if let Some(report) = body.get("report") {
        kinds.insert(format!("end {} {}", word(&report["status"]), word(&report["result"])));
    }
}

fn stream(body: &Value, kinds: &mut BTreeSet<String>) {
    kinds.insert(format!("stream {}", word(&body["stream"])));
    if !body["reason"].is_null() {
        kinds.insert(format!("stream lost {}", word(&body["reason"])));
    }
    if body["rest_bytes"].as_u64().is_some_and(|bytes| bytes > 0) {
        kinds.insert("stream lost inside a line".to_owned());
    }
}
