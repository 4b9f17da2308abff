//! The kinds of chess that Lichess plays, by Lichess' names, and the rules of each in a file of its own.

mod antichess;
mod atomic;
pub(super) mod chess960;
mod crazyhouse;
mod horde;
mod horde_material;
mod king_of_the_hill;
mod racing_kings;
mod standard;
mod three_check;

use super::{AnyPosition, FenError};

pub use antichess::Antichess;
pub use atomic::Atomic;
pub use crazyhouse::Crazyhouse;
pub use horde::Horde;
pub use king_of_the_hill::KingOfTheHill;
pub use racing_kings::RacingKings;
pub use standard::Standard;
pub use three_check::ThreeCheck;

/// A kind of game: its rules, where it starts and how castling is spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variant {
    /// From the standard start.
    Standard,
    /// From one of 960 starts.
    Chess960,
    /// From any legal position.
    FromPosition,
    /// Captured pieces come back on the side of their captor.
    Crazyhouse,
    /// Who has lost everything, or cannot move, has won.
    Antichess,
    /// Captures explode.
    Atomic,
    /// An army of pawns against an army of pieces.
    Horde,
    /// A king in the centre wins.
    KingOfTheHill,
    /// A king on the last rank wins.
    RacingKings,
    /// The third check wins.
    ThreeCheck,
}

impl Variant {
    /// All of them.
    pub const ALL: [Variant; 10] = [
        Variant::Standard,
        Variant::Chess960,
        Variant::FromPosition,
        Variant::Crazyhouse,
        Variant::Antichess,
        Variant::Atomic,
        Variant::Horde,
        Variant::KingOfTheHill,
        Variant::RacingKings,
        Variant::ThreeCheck,
    ];

    /// The key of the API, the name people see, the short name of the API, and the name in UCI.
    const fn words(self) -> [&'static str; 4] {
        match self {
            Variant::Standard => ["standard", "Standard", "Std", "chess"],
            Variant::Chess960 => ["chess960", "Chess960", "960", "chess"],
            Variant::FromPosition => ["fromPosition", "From Position", "FEN", "chess"],
            Variant::Crazyhouse => ["crazyhouse", "Crazyhouse", "Crazy", "crazyhouse"],
            Variant::Antichess => ["antichess", "Antichess", "Anti", "antichess"],
            Variant::Atomic => ["atomic", "Atomic", "Atom", "atomic"],
            Variant::Horde => ["horde", "Horde", "Horde", "horde"],
            Variant::KingOfTheHill => ["kingOfTheHill", "King of the Hill", "KotH", "kingofthehill"],
            Variant::RacingKings => ["racingKings", "Racing Kings", "Racing", "racingkings"],
            Variant::ThreeCheck => ["threeCheck", "Three-check", "3check", "3check"],
        }
    }

    /// The key of the API, such as `fromPosition`.
    pub const fn key(self) -> &'static str {
        self.words()[0]
    }

    /// The name people see and PGN's `Variant` tag gives, such as `From Position`.
    pub const fn name(self) -> &'static str {
        self.words()[1]
    }

    /// The short name of the API, such as `FEN`.
    pub const fn short(self) -> &'static str {
        self.words()[2]
    }

    /// The name of the option `UCI_Variant`, such as `3check`; Chess960 is an option of its own there.
    pub const fn uci_name(self) -> &'static str {
        self.words()[3]
    }

    /// The variant of an API key.
    pub fn from_key(key: &str) -> Option<Variant> {
        Variant::ALL.into_iter().find(|variant| variant.key() == key)
    }

    /// The variant of any of its names, whatever their case: `Three-check`, `3check`, `threeCheck`.
    pub fn from_name(name: &str) -> Option<Variant> {
        let wanted = letters(name);
        Variant::ALL.into_iter().find(|variant| variant.words().iter().any(|word| letters(word) == wanted))
    }

    /// Where a game starts: at the given FEN, else at the variant's own start (number 518 in Chess960).
    pub fn start(self, fen: Option<&str>) -> Result<AnyPosition, FenError> {
        AnyPosition::start(self, fen)
    }

    /// Whether the pieces move as in standard chess and only the start may be another.
    pub const fn is_orthodox(self) -> bool {
        matches!(self, Variant::Standard | Variant::Chess960 | Variant::FromPosition)
    }
}

fn letters(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).map(|c| c.to_ascii_lowercase()).collect()
}
