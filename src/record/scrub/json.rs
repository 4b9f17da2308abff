//! JSON text with some of its strings and numbers replaced and everything else as it was, byte for byte; and where in
//! it a string stands, which says what it may be.

use super::Scrubber;

/// Keys whose value is an account, in whatever object.
const PLAYERS: &[&str] =
    &["us", "username", "userId", "user", "createdBy", "allow", "block", "opponent", "challenger"];

/// Objects that are an account: their `id` and `name` are its own.
const PLAYER_OBJECTS: &[&str] =
    &["white", "black", "opponent", "challenger", "destUser", "user", "player", "lightUser"];

/// Keys whose value is a game, a challenge or a tournament.
const GAMES: &[&str] = &[
    "id",
    "game",
    "gameId",
    "fullId",
    "challengeId",
    "rematch",
    "rematchOf",
    "tournamentId",
    "swissId",
    "arenaId",
];

/// Keys of recorded entries whose value is a word of ours.
const OUR_WORDS: &[&str] = &[
    "kind", "input", "effect", "stream", "action", "timer", "loss", "outcome", "level", "phase", "end",
    "accepted", "result", "method",
];

/// Where a string stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a> {
    /// In an entry as we write it, not in something that was received.
    ours: bool,
    /// The key of its object, or of the list it is in.
    key: &'a str,
    /// The key of the object around it.
    outer: &'a str,
}

impl<'a> Place<'a> {
    /// At the top of an entry.
    pub(super) fn ours() -> Place<'a> {
        Place { ours: true, key: "", outer: "" }
    }

    /// At the top of JSON inside of a string.
    pub(super) fn nested(self) -> Place<'a> {
        Place { ours: false, key: "", outer: "" }
    }

    /// The value of `key` in the object that stands here.
    pub(super) fn inside<'b>(self, key: &'b str) -> Place<'b>
    where
        'a: 'b,
    {
        Place { ours: self.ours, key, outer: self.key }
    }

    pub(super) fn is_ours(self) -> bool {
        self.ours
    }

    /// A word that we chose ourselves.
    pub(super) fn is_word_of_ours(self) -> bool {
        self.ours && OUR_WORDS.contains(&self.key)
    }

    pub(super) fn is_player(self) -> bool {
        let own = matches!(self.key, "id" | "name") && PLAYER_OBJECTS.contains(&self.outer);
        own || PLAYERS.contains(&self.key)
    }

    pub(super) fn is_game(self) -> bool {
        GAMES.contains(&self.key)
    }

    /// What we say in every game.
    pub(super) fn is_chat(self) -> bool {
        matches!(self.key, "greeting" | "farewell")
    }

    /// Chat or another text; only that it was learned tells.
    pub(super) fn may_be_chat(self) -> bool {
        self.is_chat() || matches!(self.key, "text" | "form")
    }
}

/// An object or a list that is being read.
#[derive(Debug)]
struct Open {
    object: bool,
    /// The key that was read last; for a list the key that it stands under.
    key: String,
    /// Whether a string now would be a key.
    before_key: bool,
}

/// Replaces in valid JSON what the scrubber wants to be replaced.
pub(super) fn rewrite(text: &str, place: Place<'_>, scrubber: &Scrubber) -> String {
    let mut written = String::with_capacity(text.len());
    let mut open: Vec<Open> = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '"' => string_length(rest),
            '-' | '0'..='9' => rest.find(|c: char| !"+-.eE0123456789".contains(c)).unwrap_or(rest.len()),
            _ => c.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        match c {
            '"' => written.push_str(&string(token, &mut open, place, scrubber)),
            '-' | '0'..='9' => written.push_str(scrubber.number(token).as_deref().unwrap_or(token)),
            _ => {
                punctuation(c, &mut open);
                written.push(c);
            }
        }
        rest = after;
    }
    written
}

fn punctuation(c: char, open: &mut Vec<Open>) {
    match c {
        '{' => open.push(Open { object: true, key: String::new(), before_key: true }),
        '[' => {
            let key = open.last().map_or_else(String::new, |open| open.key.clone());
            open.push(Open { object: false, key, before_key: false });
        }
        '}' | ']' => drop(open.pop()),
        ',' => {
            if let Some(open) = open.last_mut() {
                open.before_key = open.object;
            }
        }
        _ => {}
    }
}

/// A string, which is a key or a value.
fn string(token: &str, open: &mut [Open], place: Place<'_>, scrubber: &Scrubber) -> String {
    let Ok(text) = serde_json::from_str::<String>(token) else { return token.to_owned() };
    let scrubbed = match open.last_mut() {
        Some(open) if open.before_key => {
            open.before_key = false;
            open.key.clone_from(&text);
            if place.is_ours() { text.clone() } else { scrubber.text(&text) }
        }
        _ => {
            let mut keys = open.iter().rev().filter(|open| open.object).map(|open| open.key.as_str());
            let key = open.last().map_or("", |open| open.key.as_str());
            let place = place.inside(keys.nth(1).unwrap_or_default()).inside(key);
            scrubber.string(&text, place)
        }
    };
    if scrubbed == text { token.to_owned() } else { serde_json::Value::from(scrubbed).to_string() }
}

/// How long the string is that `text` begins with, its quotes included.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}
