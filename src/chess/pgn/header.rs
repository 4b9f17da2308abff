//! The tags of a game: which belong together, and what they say of variant, start and result.

use std::collections::BTreeMap;

use super::super::Variant;
use super::moves::Refusal;
use super::tree::{Game, canonical_value};
use super::{PgnFault, PgnResult};

/// The seven tags that every exported game has, in the order of the standard (8.1.1), with their unknown values.
pub(super) const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// The tags read so far, and where each stands. Of two with the same name the last counts.
#[derive(Debug, Default)]
pub(super) struct Header {
    tags: BTreeMap<String, (String, usize)>,
}

impl Header {
    pub(super) fn is_empty(&self) -> bool {
        self.tags.is_empty()
    }

    pub(super) fn push(&mut self, name: &str, value: &str, at: usize) {
        self.tags.insert(name.to_owned(), (canonical_value(value), at));
    }

    /// Whether a tag after so many line ends begins another game. Some programs leave empty lines between the tags of
    /// one game, and others write games without moves: a new one begins with `Event`, or after an empty line with any
    /// tag that the game already has.
    pub(super) fn is_left_by(&self, name: &str, line_ends: usize) -> bool {
        let seen = self.tags.contains_key(name);
        let first_of_roster = name == "Event" && !self.is_empty();
        line_ends > 1 && (seen || first_of_roster) || seen && first_of_roster
    }

    /// A game without moves that began as the tags say.
    pub(super) fn to_game(&self) -> Result<Game, Refusal> {
        let refuse = |fault, at| Refusal { fault, at, ply: 0 };
        let variant = match self.told("Variant") {
            None => Variant::Standard,
            Some((name, at)) => {
                variant_named(name).ok_or_else(|| refuse(PgnFault::Variant(name.to_owned()), at))?
            }
        };
        let fen = self.told("FEN");
        let start = variant
            .start(fen.map(|(fen, _)| fen))
            .map_err(|error| refuse(PgnFault::Fen(error), fen.map_or(0, |(_, at)| at)))?;
        let mut game = Game::new(variant, start);
        for (name, (value, _)) in &self.tags {
            let derived = ["Variant", "SetUp", "FEN", "Result"].contains(&name.as_str());
            let unknown = ROSTER.iter().any(|(known, unknown)| known == name && is_unknown(value, unknown));
            if !derived && !unknown {
                game.tags.insert(name.clone(), value.clone());
            }
        }
        if let Some((result, _)) = self.tags.get("Result") {
            game.result = PgnResult::from_spelling(result.trim()).unwrap_or(PgnResult::Unfinished);
        }
        Ok(game)
    }

    /// The value of a tag and its place, unless it says nothing.
    fn told(&self, name: &str) -> Option<(&str, usize)> {
        let (value, at) = self.tags.get(name)?;
        Some((value.trim(), *at)).filter(|(value, _)| !is_unknown(value, "?"))
    }
}

fn is_unknown(value: &str, unknown: &str) -> bool {
    value.is_empty() || value == unknown
}

/// Names of variants in the PGN of other programs, beside those that [`Variant::from_name`] knows.
const ALIASES: [(&str, Variant); 5] = [
    ("normal", Variant::Standard),
    ("classical", Variant::Standard),
    ("fischerandom", Variant::Chess960),
    ("fischerrandom", Variant::Chess960),
    ("fischerrandomchess", Variant::Chess960),
];

fn variant_named(name: &str) -> Option<Variant> {
    let letters: String = name.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
    let alias = ALIASES.iter().find(|(alias, _)| *alias == letters).map(|&(_, variant)| variant);
    alias.or_else(|| Variant::from_name(name))
}
