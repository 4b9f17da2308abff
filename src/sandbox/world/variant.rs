//! The ten kinds of game that challenges may name.

use super::Speed;
use crate::chess::Variant;

/// A kind of game, by the key of the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VariantKey {
    /// `standard`
    Standard,
    /// `chess960`
    Chess960,
    /// `crazyhouse`
    Crazyhouse,
    /// `antichess`
    Antichess,
    /// `atomic`
    Atomic,
    /// `horde`
    Horde,
    /// `kingOfTheHill`
    KingOfTheHill,
    /// `racingKings`
    RacingKings,
    /// `threeCheck`
    ThreeCheck,
    /// `fromPosition`
    FromPosition,
}

impl VariantKey {
    const ALL: [VariantKey; 10] = [
        VariantKey::Standard,
        VariantKey::Chess960,
        VariantKey::Crazyhouse,
        VariantKey::Antichess,
        VariantKey::Atomic,
        VariantKey::Horde,
        VariantKey::KingOfTheHill,
        VariantKey::RacingKings,
        VariantKey::ThreeCheck,
        VariantKey::FromPosition,
    ];

    /// Key, name and short name.
    const fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            VariantKey::Standard => ("standard", "Standard", "Std"),
            VariantKey::Chess960 => ("chess960", "Chess960", "960"),
            VariantKey::Crazyhouse => ("crazyhouse", "Crazyhouse", "Crazy"),
            VariantKey::Antichess => ("antichess", "Antichess", "Anti"),
            VariantKey::Atomic => ("atomic", "Atomic", "Atom"),
            VariantKey::Horde => ("horde", "Horde", "Horde"),
            VariantKey::KingOfTheHill => ("kingOfTheHill", "King of the Hill", "KotH"),
            VariantKey::RacingKings => ("racingKings", "Racing Kings", "Racing"),
            VariantKey::ThreeCheck => ("threeCheck", "Three-check", "3check"),
            VariantKey::FromPosition => ("fromPosition", "From Position", "FEN"),
        }
    }

    /// The variant of a key.
    pub(crate) fn from_key(key: &str) -> Option<VariantKey> {
        VariantKey::ALL.into_iter().find(|variant| variant.key() == key)
    }

    /// The key of the API.
    pub(crate) const fn key(self) -> &'static str {
        self.words().0
    }

    /// The name people see.
    pub(crate) const fn name(self) -> &'static str {
        self.words().1
    }

    /// The short name.
    pub(crate) const fn short(self) -> &'static str {
        self.words().2
    }

    /// The same by the laws.
    pub(crate) const fn played(self) -> Variant {
        match self {
            VariantKey::Standard => Variant::Standard,
            VariantKey::Chess960 => Variant::Chess960,
            VariantKey::FromPosition => Variant::FromPosition,
            VariantKey::Crazyhouse => Variant::Crazyhouse,
            VariantKey::Antichess => Variant::Antichess,
            VariantKey::Atomic => Variant::Atomic,
            VariantKey::Horde => Variant::Horde,
            VariantKey::KingOfTheHill => Variant::KingOfTheHill,
            VariantKey::RacingKings => Variant::RacingKings,
            VariantKey::ThreeCheck => Variant::ThreeCheck,
        }
    }

    /// What the rating is called: the speed, or the variant where it has a rating of its own.
    pub(crate) const fn perf_key(self, speed: Speed) -> &'static str {
        match self {
            VariantKey::Standard | VariantKey::FromPosition => speed.key(),
            _ => self.key(),
        }
    }

    /// The same for people.
    pub(crate) const fn perf_name(self, speed: Speed) -> &'static str {
        match self {
            VariantKey::Standard | VariantKey::FromPosition => speed.name(),
            _ => self.name(),
        }
    }
}

impl From<Variant> for VariantKey {
    fn from(variant: Variant) -> VariantKey {
        match variant {
            Variant::Standard => VariantKey::Standard,
            Variant::Chess960 => VariantKey::Chess960,
            Variant::FromPosition => VariantKey::FromPosition,
            Variant::Crazyhouse => VariantKey::Crazyhouse,
            Variant::Antichess => VariantKey::Antichess,
            Variant::Atomic => VariantKey::Atomic,
            Variant::Horde => VariantKey::Horde,
            Variant::KingOfTheHill => VariantKey::KingOfTheHill,
            Variant::RacingKings => VariantKey::RacingKings,
            Variant::ThreeCheck => VariantKey::ThreeCheck,
        }
    }
}
