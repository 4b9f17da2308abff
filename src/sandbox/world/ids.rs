//! Names of games and users, and the one source of chance.

use std::fmt;

use crate::splitmix::SplitMix;

/// The name of a game, and of the challenge that it came from: eight word characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct GameId(String);

impl GameId {
    /// Reads the eight characters of a game id, or the twelve of a player's own id, which begins with it.
    pub(crate) fn parse(text: &str) -> Option<GameId> {
        let wordy = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        (wordy && [8, 12].contains(&text.len())).then(|| GameId(text[..8].to_owned()))
    }

    /// The text.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The name of a user, in lower case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct UserId(String);

impl UserId {
    /// The id of a name.
    pub(crate) fn of(name: &str) -> UserId {
        UserId(name.to_lowercase())
    }

    /// The text.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for UserId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Chance enough for ids and colours, and the same for the same seed.
#[derive(Clone, Debug)]
pub(crate) struct Random(SplitMix);

impl Random {
    /// A source that is determined by `seed`.
    pub(crate) fn new(seed: u64) -> Random {
        Random(SplitMix::new(seed))
    }

    /// The next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0.next()
    }

    /// A number below `bound`, which must not be 0. The bias is far below what anybody could see here.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// A fair coin.
    pub(crate) fn coin(&mut self) -> bool {
        self.below(2) == 0
    }

    /// A word of letters and digits.
    pub(crate) fn word(&mut self, length: usize) -> String {
        const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        (0..length).map(|_| char::from(ALPHABET[self.below(62) as usize])).collect()
    }

    /// A game id.
    pub(crate) fn game_id(&mut self) -> GameId {
        GameId(self.word(8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn game_ids_have_eight_word_characters() {
        for (text, id) in [
            ("Qz7Lm2Xa", Some("Qz7Lm2Xa")),
            ("Qz7Lm2XaB4td", Some("Qz7Lm2Xa")),
            ("Qz7Lm2X", None),
            ("Qz7Lm2XaB", None),
            ("Qz7Lm2X-", None),
            ("Qz7Lm2é", None),
        ] {
            assert_eq!(GameId::parse(text).map(|id| id.to_string()).as_deref(), id, "{text}");
        }
    }

    #[test]
    fn chance_depends_on_the_seed_alone() {
        let words = |seed| {
            let mut random = Random::new(seed);
            [random.word(8), random.word(8)]
        };
        assert_eq!(words(7), words(7));
        assert_ne!(words(7), words(8));
        assert_ne!(words(7)[0], words(7)[1]);
    }
}
