//! What was learned and what is invented for it. The same thing has the same name everywhere, and two things never
//! have one.

use std::collections::BTreeMap;

use super::TOKEN;

/// Titles that stand in front of names.
const TITLES: &[&str] = &["BOT", "GM", "IM", "FM", "CM", "NM", "WGM", "WIM", "WFM", "WCM", "WNM", "LM"];

/// Names that belong to nobody.
const NOBODY: &[&str] = &["lichess", "anonymous", "stockfish"];

/// What every token of the server begins with.
const TOKEN_START: &str = "lip_";

/// Characters of a game's id, and of an id that names a seat as well.
const GAME: usize = 8;
const SEAT: usize = 12;

/// Things by what they were called, in the order in which they were learned.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// In lower case.
    players: BTreeMap<String, usize>,
    games: BTreeMap<String, usize>,
    chats: BTreeMap<String, usize>,
    /// In lower case.
    words: BTreeMap<String, usize>,
}

impl Names {
    /// Learns an account by its name or id; false if the text cannot be one.
    pub(super) fn learn_player(&mut self, text: &str) -> bool {
        let (_, name) = titled(text);
        let is_name = !name.is_empty() && !name.contains(char::is_whitespace);
        if is_name && !NOBODY.contains(&name.to_lowercase().as_str()) {
            learn(&mut self.players, name.to_lowercase());
        }
        is_name
    }

    /// Learns a game; false if the text cannot be an id.
    pub(super) fn learn_game(&mut self, text: &str) -> bool {
        let is_id = is_id(text);
        if is_id {
            learn(&mut self.games, text[..GAME].to_owned());
        }
        is_id
    }

    /// Learns what was said.
    pub(super) fn learn_chat(&mut self, text: &str) {
        if !text.is_empty() {
            learn(&mut self.chats, text.to_owned());
        }
    }

    /// Learns a word that is in no message that is known.
    pub(super) fn learn_word(&mut self, word: &str) {
        let looks_random = is_id(word)
            && word.contains(|c: char| c.is_ascii_digit() || c.is_ascii_uppercase())
            && word.contains(|c: char| c.is_ascii_alphabetic());
        if looks_random {
            self.learn_game(word);
        } else if !word.contains(TOKEN_START) {
            learn(&mut self.words, word.to_lowercase());
        }
    }

    /// The invented name of an account, with its title.
    pub(super) fn player(&self, text: &str) -> Option<String> {
        let (title, name) = titled(text);
        let number = self.players.get(&name.to_lowercase())?;
        let first = if name.contains(char::is_uppercase) { 'P' } else { 'p' };
        Some(format!("{title}{first}layer{number}"))
    }

    /// The invented id of a game, or of a seat in it.
    pub(super) fn game(&self, text: &str) -> Option<String> {
        let number = self.games.get(text.get(..GAME).filter(|_| is_id(text))?)?;
        let seat = if text.len() == SEAT { "seat" } else { "" };
        Some(format!("g{number:07}{seat}"))
    }

    /// What is said instead.
    pub(super) fn chat(&self, text: &str) -> Option<String> {
        Some(format!("chat {}", self.chats.get(text)?))
    }

    /// What stands for a word of a text, if it means one of these or is not known.
    pub(super) fn word(&self, word: &str) -> Option<String> {
        if word.contains(TOKEN_START) {
            return Some(TOKEN.to_owned());
        }
        let invented = self.player(word).or_else(|| self.game(word));
        invented.or_else(|| Some(format!("word{}", self.words.get(&word.to_lowercase())?)))
    }
}

fn learn(names: &mut BTreeMap<String, usize>, name: String) {
    let next = names.len() + 1;
    names.entry(name).or_insert(next);
}

/// A title with its blank, and the name behind it.
fn titled(text: &str) -> (&str, &str) {
    match text.split_once(' ') {
        Some((title, name)) if TITLES.contains(&title) => text.split_at(text.len() - name.len()),
        _ => ("", text),
    }
}

fn is_id(text: &str) -> bool {
    let word = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    word && (text.len() == GAME || text.len() == SEAT)
}
