//! Recordings without the people in them, so that they can be shared: accounts, games, chat, tokens, addresses and
//! dates become invented ones, the same everywhere; all else stays byte for byte, and the scrubbed recording is
//! decided as the original was.
//!
//! Pure, in two passes. The first learns what must go: what stands where names, ids and chat stand, and every word
//! that is in no message that server or bot are known to write (`vocabulary`). The second replaces what was learned,
//! wherever it stands. A text of the bot's own teaches nothing: whatever it quotes stands in an input before it.
//!
//! What stays: a name that is an ordinary word of such messages, such as `white`, is replaced where names stand, but
//! not in messages. Ratings, clocks and moves stay, too.

mod json;
mod names;
mod vocabulary;

use serde_json::{Map, Value};

use json::Place;
use names::Names;

/// Where the clock of a scrubbed recording begins: 1 January 2020, in milliseconds since 1970.
const EPOCH_MS: u64 = 1_577_836_800_000;

/// Numbers in this range are times of a wall clock, in milliseconds: 2001 to 2096.
const WALL_MS: std::ops::Range<u64> = 1_000_000_000_000..4_000_000_000_000;

/// What marks a part that was scrubbed: it is left as it is.
const MARK: &str = "scrubbed";

/// What stands for a token.
const TOKEN: &str = "<token>";

/// Scrubs recordings that belong together: what is the same in all of them stays the same.
#[derive(Debug)]
pub struct Scrubber {
    secrets: Vec<String>,
    names: Names,
    first_wall_ms: Option<u64>,
}

impl Scrubber {
    /// A scrubber that has learned nothing. `secrets` go wherever they stand, inside of words, too.
    pub fn new(secrets: Vec<String>) -> Scrubber {
        let secrets = secrets.into_iter().filter(|secret| !secret.is_empty()).collect();
        Scrubber { secrets, names: Names::default(), first_wall_ms: None }
    }

    /// Learns what must go from a recording. All recordings are learned before the first is scrubbed.
    pub fn learn(&mut self, recording: &str) {
        for (line, done) in parts(recording) {
            match serde_json::from_str::<Value>(line) {
                _ if done => {}
                Ok(entry) => {
                    let wall_ms = entry.pointer("/body/wall_ms").and_then(Value::as_u64);
                    self.first_wall_ms = self.first_wall_ms.into_iter().chain(wall_ms).min();
                    self.learn_value(&entry, Place::ours());
                }
                Err(_) => self.learn_text(line),
            }
        }
    }

    /// The recording without what was learned.
    pub fn scrub(&self, recording: &str) -> String {
        let mut scrubbed = String::with_capacity(recording.len());
        for (line, done) in parts(recording) {
            if done {
                scrubbed.push_str(line);
            } else if serde_json::from_str::<serde::de::IgnoredAny>(line).is_ok() {
                scrubbed.push_str(&marked(&json::rewrite(line, Place::ours(), self)));
            } else {
                scrubbed.push_str(&self.text(line));
            }
            scrubbed.push('\n');
        }
        scrubbed
    }

    /// The invented name of a file that is named after a game.
    pub fn rename(&self, stem: &str) -> String {
        self.names.game(stem).unwrap_or_else(|| stem.to_owned())
    }

    fn learn_value(&mut self, value: &Value, place: Place<'_>) {
        match value {
            Value::Object(fields) => self.learn_object(fields, place),
            Value::Array(values) => {
                let is_pair = values.len() == 2 && values.iter().all(Value::is_string);
                match values.as_slice() {
                    // The fields of a form.
                    [Value::String(key), Value::String(text)] if is_pair && key == "text" => {
                        self.names.learn_chat(text);
                    }
                    _ => values.iter().for_each(|value| self.learn_value(value, place)),
                }
            }
            Value::String(text) => self.learn_string(text, place),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn learn_object(&mut self, fields: &Map<String, Value>, place: Place<'_>) {
        let tag = |key: &str| fields.get(key).and_then(Value::as_str).unwrap_or_default();
        let said = tag("effect") == "chat" || (tag("type") == "chatLine" && tag("username") != "lichess");
        let own = matches!(tag("effect"), "log" | "leave");
        for (key, value) in fields {
            if !place.is_ours() {
                self.learn_text(key);
            }
            match value {
                Value::String(text) if said && key == "text" => self.names.learn_chat(text),
                Value::String(_) if own => {}
                _ => self.learn_value(value, place.inside(key)),
            }
        }
    }

    fn learn_string(&mut self, text: &str, place: Place<'_>) {
        if place.is_word_of_ours() {
            return;
        }
        if let Some(value) = nested(text) {
            return self.learn_value(&value, place.nested());
        }
        if place.is_chat() {
            self.names.learn_chat(text);
        } else if place.is_player() && self.names.learn_player(text) {
            // A name.
        } else if place.is_game() && self.names.learn_game(text) {
            // An id.
        } else {
            self.learn_text(text);
        }
    }

    fn learn_text(&mut self, text: &str) {
        let text = self.without_secrets(text);
        for word in vocabulary::words(&text).filter(|word| !vocabulary::is_plain(word)) {
            self.names.learn_word(word);
        }
    }

    /// A string without what was learned.
    fn string(&self, text: &str, place: Place<'_>) -> String {
        if place.is_word_of_ours() {
            return text.to_owned();
        }
        if nested(text).is_some() {
            return json::rewrite(text, place.nested(), self);
        }
        let invented = match () {
            () if place.may_be_chat() => self.names.chat(text),
            () if place.is_player() => self.names.player(text),
            () if place.is_game() => self.names.game(text),
            () => None,
        };
        invented.unwrap_or_else(|| self.text(text))
    }

    /// A text without what was learned.
    fn text(&self, text: &str) -> String {
        let text = self.without_secrets(text);
        vocabulary::replace(
            &text,
            |word| if vocabulary::is_plain(word) { None } else { self.names.word(word) },
        )
    }

    fn without_secrets(&self, text: &str) -> String {
        let text = self.secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret, TOKEN));
        vocabulary::without_addresses(&text)
    }

    /// A number, which may be a time.
    fn number(&self, text: &str) -> Option<String> {
        let time: u64 = text.parse().ok()?;
        let first = self.first_wall_ms.filter(|_| WALL_MS.contains(&time))?;
        Some(EPOCH_MS.saturating_add(time).saturating_sub(first).to_string())
    }
}

/// The lines of a recording, each with whether its part was scrubbed before.
fn parts(recording: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut done = false;
    recording.lines().map(move |line| {
        if may_be_header(line) {
            let header: Value = serde_json::from_str(line).unwrap_or_default();
            done = header.pointer("/body/scrubbed") == Some(&Value::Bool(true));
        }
        (line, done)
    })
}

/// JSON inside of a string: a line as it came, or an answer.
fn nested(text: &str) -> Option<Value> {
    let inside = text.starts_with(['{', '[']);
    inside.then(|| serde_json::from_str(text).ok()).flatten()
}

/// A quick look, which spares most lines from being read once more.
fn may_be_header(line: &str) -> bool {
    line.contains("\"kind\":\"header\"")
}

/// A header gets the mark.
fn marked(line: &str) -> String {
    if !may_be_header(line) {
        return line.to_owned();
    }
    let Ok(mut entry) = serde_json::from_str::<Value>(line) else { return line.to_owned() };
    if entry.get("kind").and_then(Value::as_str) != Some("header") {
        return line.to_owned();
    }
    if let Some(body) = entry.get_mut("body").and_then(Value::as_object_mut) {
        body.insert(MARK.to_owned(), Value::Bool(true));
    }
    entry.to_string()
}

#[cfg(test)]
mod tests;
