//! Enumerations of the API. A word that is not known yet is kept as it came.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::fields::cut;
use crate::chess::{Color, Variant};

/// Bytes of the longest word that is kept as it came; those that are known have 25 at most.
const LONGEST_WORD: usize = 40;

/// An enumeration whose variants are words on the wire, with a last variant for all other words.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(from = "String", into = "String")]
        pub enum $name {
            $($(#[$doc])* $variant,)*
            /// A word that this version does not know.
            Other(String),
        }

        impl $name {
            /// The word of the API.
            pub fn as_str(&self) -> &str {
                match self {
                    $($name::$variant => $word,)*
                    $name::Other(word) => word,
                }
            }
        }

        impl From<&str> for $name {
            fn from(word: &str) -> $name {
                match word {
                    $($word => $name::$variant,)*
                    _ => $name::Other(cut(word, LONGEST_WORD).to_owned()),
                }
            }
        }

        impl From<String> for $name {
            fn from(word: String) -> $name {
                $name::from(word.as_str())
            }
        }

        impl From<$name> for String {
            fn from(value: $name) -> String {
                value.as_str().to_owned()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

words! {
    /// How a game stands.
    Status {
        /// Made, not begun.
        Created = "created",
        /// Running.
        Started = "started",
        /// Called off before it counted.
        Aborted = "aborted",
        /// Checkmate.
        Mate = "mate",
        /// One side gave up.
        Resign = "resign",
        /// No legal move, no check.
        Stalemate = "stalemate",
        /// One side left, and the other claimed the win.
        Timeout = "timeout",
        /// A draw; the server does not say why.
        Draw = "draw",
        /// A flag fell; without a winner it is a draw.
        OutOfTime = "outoftime",
        /// One side was found cheating.
        Cheat = "cheat",
        /// One side missed the time limit of its first move.
        NoStart = "noStart",
        /// Over, nobody knows how.
        UnknownFinish = "unknownFinish",
        /// A draw: the side that was offered one could not have won.
        InsufficientMaterialClaim = "insufficientMaterialClaim",
        /// The end that a variant defines.
        VariantEnd = "variantEnd",
    }
}

impl Status {
    /// All but `created` and `started` are final, words from the future too.
    pub fn is_over(&self) -> bool {
        !matches!(self, Status::Created | Status::Started)
    }
}

words! {
    /// The pace of a game.
    Speed {
        /// Less than half a minute a side; never played by bots.
        UltraBullet = "ultraBullet",
        /// Less than three minutes.
        Bullet = "bullet",
        /// Less than eight minutes.
        Blitz = "blitz",
        /// Less than twenty-five minutes.
        Rapid = "rapid",
        /// Less than six hours.
        Classical = "classical",
        /// Days for a move, or no limit at all.
        Correspondence = "correspondence",
    }
}

words! {
    /// Which chat of a game.
    Room {
        /// The two players.
        Player = "player",
        /// Everybody else.
        Spectator = "spectator",
    }
}

words! {
    /// How a challenge stands.
    ChallengeStatus {
        /// Waiting for an answer.
        Created = "created",
        /// Its maker has gone quiet; it can still be accepted.
        Offline = "offline",
        /// Withdrawn.
        Canceled = "canceled",
        /// Turned down.
        Declined = "declined",
        /// A game now.
        Accepted = "accepted",
    }
}

/// Why a challenge is declined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum DeclineReason {
    /// No particular reason.
    Generic,
    /// Not now.
    Later,
    /// Too fast a time control.
    TooFast,
    /// Too slow a time control.
    TooSlow,
    /// Not this time control.
    TimeControl,
    /// Only rated games, please.
    Rated,
    /// Only casual games, please.
    Casual,
    /// Only standard chess, please.
    Standard,
    /// Not this variant.
    Variant,
    /// No bots.
    NoBot,
    /// Only bots.
    OnlyBot,
}

impl DeclineReason {
    /// All of them.
    pub const ALL: [DeclineReason; 11] = [
        DeclineReason::Generic,
        DeclineReason::Later,
        DeclineReason::TooFast,
        DeclineReason::TooSlow,
        DeclineReason::TimeControl,
        DeclineReason::Rated,
        DeclineReason::Casual,
        DeclineReason::Standard,
        DeclineReason::Variant,
        DeclineReason::NoBot,
        DeclineReason::OnlyBot,
    ];

    /// The key of the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            DeclineReason::Generic => "generic",
            DeclineReason::Later => "later",
            DeclineReason::TooFast => "tooFast",
            DeclineReason::TooSlow => "tooSlow",
            DeclineReason::TimeControl => "timeControl",
            DeclineReason::Rated => "rated",
            DeclineReason::Casual => "casual",
            DeclineReason::Standard => "standard",
            DeclineReason::Variant => "variant",
            DeclineReason::NoBot => "noBot",
            DeclineReason::OnlyBot => "onlyBot",
        }
    }

    /// The reason of a key; the server writes keys in lower case when it hands them on.
    pub fn from_key(key: &str) -> Option<DeclineReason> {
        DeclineReason::ALL.into_iter().find(|reason| reason.as_str().eq_ignore_ascii_case(key))
    }
}

/// The colour that the maker of a challenge would like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColorWish {
    /// White.
    White,
    /// Black.
    Black,
    /// Either.
    #[default]
    Random,
}

impl ColorWish {
    /// The word of the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            ColorWish::White => "white",
            ColorWish::Black => "black",
            ColorWish::Random => "random",
        }
    }

    /// The wish of a word; anything else is no wish.
    pub(crate) fn from_word(word: &str) -> ColorWish {
        match word {
            "white" => ColorWish::White,
            "black" => ColorWish::Black,
            _ => ColorWish::Random,
        }
    }
}

impl From<Color> for ColorWish {
    fn from(color: Color) -> ColorWish {
        match color {
            Color::White => ColorWish::White,
            Color::Black => ColorWish::Black,
        }
    }
}

/// The key of a variant, played here or not.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct VariantName(pub(crate) String);

impl VariantName {
    /// The key of the API.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The variant, if we know its rules.
    pub fn known(&self) -> Option<Variant> {
        Variant::from_key(&self.0)
    }
}

impl From<Variant> for VariantName {
    fn from(variant: Variant) -> VariantName {
        VariantName(variant.key().to_owned())
    }
}

impl std::fmt::Display for VariantName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl Speed {
    /// The speed of a clock: what forty moves may take decides.
    pub fn of_clock(limit: Duration, increment: Duration) -> Speed {
        let estimate = limit.saturating_add(increment.saturating_mul(40)).as_secs();
        match estimate {
            0..30 => Speed::UltraBullet,
            30..180 => Speed::Bullet,
            180..480 => Speed::Blitz,
            480..1500 => Speed::Rapid,
            1500..21600 => Speed::Classical,
            _ => Speed::Correspondence,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_created_and_started_are_live() {
        for live in ["created", "started"] {
            assert!(!Status::from(live).is_over(), "{live}");
        }
        for over in ["aborted", "mate", "draw", "outoftime", "insufficientMaterialClaim", "word of tomorrow"]
        {
            assert!(Status::from(over).is_over(), "{over}");
        }
    }

    #[test]
    fn unknown_words_are_kept() {
        assert_eq!(Status::from("frozen"), Status::Other("frozen".to_owned()));
        assert_eq!(Speed::from("hyperBullet").as_str(), "hyperBullet");
    }

    #[test]
    fn speeds_change_at_their_borders() {
        let speed =
            |limit, increment| Speed::of_clock(Duration::from_secs(limit), Duration::from_secs(increment));
        for (limit, increment, expected) in [
            (15, 0, Speed::UltraBullet),
            (30, 0, Speed::Bullet),
            (0, 1, Speed::Bullet),
            (179, 0, Speed::Bullet),
            (180, 0, Speed::Blitz),
            (180, 2, Speed::Blitz),
            (480, 0, Speed::Rapid),
            (1500, 0, Speed::Classical),
            (21600, 0, Speed::Correspondence),
        ] {
            assert_eq!(speed(limit, increment), expected, "{limit}+{increment}");
        }
    }

    #[test]
    fn decline_keys_are_read_in_any_case() {
        for reason in DeclineReason::ALL {
            assert_eq!(DeclineReason::from_key(&reason.as_str().to_lowercase()), Some(reason));
        }
        assert_eq!(DeclineReason::from_key("mood"), None);
    }
}
