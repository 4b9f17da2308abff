//! Entries as people read them: a line or a few each, without what says nothing. Not meant to be read by programs.

use serde_json::{Map, Value};

use crate::record::{Entry, Kind};

/// Characters of the longest text that is shown whole.
const LONGEST: usize = 120;

/// Moves at the end of a game that are shown.
const LAST_MOVES: usize = 6;

/// Keys whose value says what a thing is; it stands in front, without the key.
const TAGS: [&str; 4] = ["input", "effect", "stream", "type"];

/// An entry in readable form, with its time in seconds and a sign for its kind: `>` for what happened, `<` for what was
/// decided, `.` for everything else.
pub fn tell(entry: &Entry) -> Vec<String> {
    let at = format!("{}.{:03}", entry.at_ms / 1000, entry.at_ms % 1000);
    let one = |sign: &str, text: String| vec![format!("{at:>9} {sign} {text}")];
    match entry.kind {
        Kind::Input => one(">", compact(&entry.body)),
        Kind::Effects => match entry.body.as_array() {
            Some(effects) => effects.iter().flat_map(|effect| one("<", compact(effect))).collect(),
            None => one("<", compact(&entry.body)),
        },
        Kind::Header => one("=", format!("header {}", compact(&entry.body))),
        Kind::Line | Kind::Search | Kind::Request | Kind::Alive | Kind::Stream | Kind::Gap | Kind::Other => {
            one(".", format!("{} {}", entry.kind.word(), compact(&entry.body)))
        }
    }
}

/// A value without nulls, falsities and empty texts, objects with their tags in front.
pub(super) fn compact(value: &Value) -> String {
    match value {
        Value::Object(fields) => object(fields),
        Value::Array(values) => {
            let values: Vec<String> = values.iter().map(braced).collect();
            format!("[{}]", values.join(" "))
        }
        Value::String(text) => quoted(text),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

fn object(fields: &Map<String, Value>) -> String {
    let tags = TAGS.iter().filter_map(|tag| fields.get(*tag)?.as_str()).map(quoted);
    let others = fields.iter().filter(|(key, value)| !is_tag(key, value) && says_something(value));
    let others = others.map(|(key, value)| match value {
        Value::String(moves) if key == "moves" => format!("moves={}", last_moves(moves)),
        Value::Bool(_) => quoted(key),
        _ => format!("{}={}", quoted(key), braced(value)),
    });
    tags.chain(others).collect::<Vec<_>>().join(" ")
}

fn is_tag(key: &str, value: &Value) -> bool {
    TAGS.contains(&key) && value.is_string()
}

fn says_something(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::String(text) => !text.is_empty(),
        Value::Array(values) => !values.is_empty(),
        Value::Object(_) | Value::Number(_) => true,
    }
}

fn braced(value: &Value) -> String {
    if value.is_object() { format!("{{{}}}", compact(value)) } else { compact(value) }
}

/// Words as they are, everything else as JSON writes it, so that no text can look like something else.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./@+".contains(c);
    if !text.is_empty() && text.chars().all(plain) && text.len() <= LONGEST {
        return text.to_owned();
    }
    let cut: String = text.chars().take(LONGEST).collect();
    let more =
        if cut.len() < text.len() { format!(" and {} bytes", text.len() - cut.len()) } else { String::new() };
    format!("{}{more}", Value::from(cut))
}

fn last_moves(moves: &str) -> String {
    let moves: Vec<&str> = moves.split_whitespace().collect();
    let shown = &moves[moves.len().saturating_sub(LAST_MOVES)..];
    let before = if shown.len() < moves.len() { ".. " } else { "" };
    format!("{}\"{before}{}\"", moves.len(), shown.join(" ").escape_debug())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(kind: Kind, body: Value) -> Vec<String> {
        tell(&Entry { seq: 7, at_ms: 12_345, kind, body })
    }

    #[test]
    fn what_says_nothing_is_left_out() {
        let state = json!({ "input": "line", "ageMs": 0, "event": { "type": "gameState", "moves": "e2e4 e7e5",
            "wdraw": true, "bdraw": false, "winner": null, "rematch": "" } });
        let expected = "   12.345 > line ageMs=0 event={gameState moves=2\"e2e4 e7e5\" wdraw}";
        assert_eq!(told(Kind::Input, state), [expected]);
    }

    #[test]
    fn each_effect_has_a_line() {
        let effects = json!([{ "effect": "stopSearch" }, { "effect": "chat", "text": "hi \u{1b}[2J" }]);
        let expected = ["   12.345 < stopSearch", "   12.345 < chat text=\"hi \\u001b[2J\""];
        assert_eq!(told(Kind::Effects, effects), expected);
    }

    #[test]
    fn long_games_and_texts_are_cut() {
        let moves = json!({ "moves": "a b c d e f g h" });
        assert_eq!(compact(&moves), "moves=8\".. c d e f g h\"");
        assert_eq!(compact(&json!("x".repeat(200))), format!("\"{}\" and 80 bytes", "x".repeat(120)));
    }

    #[test]
    fn other_kinds_name_themselves() {
        assert_eq!(told(Kind::Line, json!("{}")), ["   12.345 . line \"{}\""]);
        assert_eq!(told(Kind::Alive, json!({ "times": 3 })), ["   12.345 . alive times=3"]);
    }
}
