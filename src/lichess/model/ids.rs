//! Names of games, challenges and users, checked once, so that they are safe in a path.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::fields::cut;

/// A text that cannot be an identifier.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("bad {kind} {text:?}, expected {expected}")]
pub struct IdError {
    kind: &'static str,
    text: String,
    expected: &'static str,
}

/// A game: eight word characters. A full id, which names one player's seat as well, is cut to the game's.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct GameId(String);

/// A challenge: eight word characters. When it is accepted, the game has the same id.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ChallengeId(String);

/// An account, by its name in lower case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct UserId(String);

/// Characters of a game id, and of a full id: the game's and four more for the seat.
const GAME_ID: usize = 8;
const FULL_ID: usize = 12;
/// How much of a text that is no id is quoted, in bytes.
const LONGEST_QUOTE: usize = 64;
/// Longer than any name that the server allows (30), short enough to be cut nowhere.
const LONGEST_NAME: usize = 64;

impl GameId {
    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl ChallengeId {
    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The game that the challenge becomes when it is accepted.
    pub fn game(&self) -> GameId {
        GameId(self.0.clone())
    }
}

impl UserId {
    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for GameId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<GameId, IdError> {
        let fits = is_word(text) && (text.len() == GAME_ID || text.len() == FULL_ID);
        let id = text.get(..GAME_ID).filter(|_| fits);
        id.map(|id| GameId(id.to_owned())).ok_or_else(|| IdError {
            kind: "game id",
            text: cut(text, LONGEST_QUOTE).to_owned(),
            expected: "eight letters, digits or underscores",
        })
    }
}

impl FromStr for ChallengeId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<ChallengeId, IdError> {
        if is_word(text) && text.len() == GAME_ID {
            return Ok(ChallengeId(text.to_owned()));
        }
        Err(IdError {
            kind: "challenge id",
            text: cut(text, LONGEST_QUOTE).to_owned(),
            expected: "eight letters, digits or underscores",
        })
    }
}

impl FromStr for UserId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<UserId, IdError> {
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if !text.is_empty() && text.len() <= LONGEST_NAME && text.chars().all(fits) {
            return Ok(UserId(text.to_ascii_lowercase()));
        }
        Err(IdError {
            kind: "user name",
            text: cut(text, LONGEST_QUOTE).to_owned(),
            expected: "letters, digits, hyphens and underscores",
        })
    }
}

fn is_word(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

macro_rules! text_form {
    ($($id:ident)*) => { $(
        impl fmt::Display for $id {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl TryFrom<String> for $id {
            type Error = IdError;

            fn try_from(text: String) -> Result<$id, IdError> {
                text.parse()
            }
        }

        impl From<$id> for String {
            fn from(id: $id) -> String {
                id.0
            }
        }
    )* };
}

text_form!(GameId ChallengeId UserId);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_ids_are_cut_to_the_game() {
        assert_eq!("Qz7Lm2XaB4td".parse::<GameId>().unwrap().as_str(), "Qz7Lm2Xa");
        assert_eq!("Qz7Lm2Xa".parse::<GameId>().unwrap().to_string(), "Qz7Lm2Xa");
    }

    #[test]
    fn what_would_leave_its_place_in_a_path_is_no_id() {
        for bad in ["", "short", "Qz7Lm2Xa9", "../../..", "Qz7Lm2X/", "Qz7Lm2X?", "Qz7Lm2Xé", "ééééééé1"]
        {
            assert!(bad.parse::<GameId>().is_err(), "{bad}");
            assert!(bad.parse::<ChallengeId>().is_err(), "{bad}");
        }
        for bad in ["", "a/b", "a b", "..", "é", &"x".repeat(65)] {
            assert!(bad.parse::<UserId>().is_err(), "{bad}");
        }
    }

    #[test]
    fn users_are_the_same_in_any_case() {
        assert_eq!("SlateHopper".parse::<UserId>(), "slatehopper".parse::<UserId>());
        assert_eq!("quillbot-dev".parse::<UserId>().unwrap().as_str(), "quillbot-dev");
    }

    #[test]
    fn a_complaint_names_the_text() {
        let complaint = "no good".parse::<GameId>().unwrap_err().to_string();
        assert!(complaint.contains("game id") && complaint.contains("\"no good\""), "{complaint}");
    }
}
