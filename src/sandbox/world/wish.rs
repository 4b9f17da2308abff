//! What a challenger wishes, and whether such a game can be: start position, clock, rating.

use std::time::Duration;

use super::game::GameRule;
use super::ids::Random;
use super::{ColorWish, FormErrors, Speed, TimeControl, VariantKey};
use crate::chess::{AnyPosition, Position, Variant};

/// A challenge to a user, as asked for.
#[derive(Clone, Debug)]
pub(crate) struct ChallengeWish {
    pub(crate) variant: VariantKey,
    pub(crate) fen: Option<String>,
    pub(crate) rated: bool,
    pub(crate) time: TimeControl,
    pub(crate) color: ColorWish,
    pub(crate) rules: Vec<GameRule>,
}

/// A game against a lent opponent, as asked for.
#[derive(Clone, Debug)]
pub(crate) struct AiWish {
    pub(crate) level: u8,
    pub(crate) variant: VariantKey,
    pub(crate) fen: Option<String>,
    pub(crate) time: TimeControl,
    pub(crate) color: ColorWish,
}

/// Variant and start position, settled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Start {
    pub(crate) variant: VariantKey,
    /// Where the start is not that of standard chess.
    pub(crate) fen: Option<String>,
}

impl Start {
    /// Settles where a game starts: a set-up position makes `standard` into `fromPosition`, and Chess960 without a
    /// position draws one of its starts.
    pub(crate) fn settle(
        variant: VariantKey,
        fen: Option<&str>,
        random: &mut Random,
    ) -> Result<Start, FormErrors> {
        let invalid = || FormErrors::global("invalidFen");
        let given = fen.map(|fen| playable(variant.played(), fen).ok_or_else(invalid)).transpose();
        match variant.played() {
            Variant::Standard => Ok(match given? {
                Some(position) if position != Position::initial().into() => {
                    Start { variant: VariantKey::FromPosition, fen: Some(position.to_fen()) }
                }
                Some(_) | None => Start { variant, fen: None },
            }),
            Variant::FromPosition => {
                let position = given?.ok_or_else(|| {
                    let mut errors = FormErrors::default();
                    errors.add("fen", "This field is required");
                    errors
                })?;
                Ok(Start { variant, fen: Some(position.to_fen()) })
            }
            Variant::Chess960 => {
                let position = match given? {
                    Some(position) if is_chess960_start(&position) => position,
                    Some(_) => return Err(invalid()),
                    None => {
                        let number = u16::try_from(random.below(960)).unwrap_or_default();
                        Position::chess960(number).ok_or_else(invalid)?.into()
                    }
                };
                Ok(Start { variant, fen: Some(position.to_fen()) })
            }
            Variant::Crazyhouse
            | Variant::Antichess
            | Variant::Atomic
            | Variant::Horde
            | Variant::KingOfTheHill
            | Variant::RacingKings
            | Variant::ThreeCheck => Ok(Start { variant, fen: given?.map(|position| position.to_fen()) }),
        }
    }
}

/// A position in which somebody can still move.
fn playable(variant: Variant, fen: &str) -> Option<AnyPosition> {
    variant.start(Some(fen)).ok().filter(AnyPosition::has_legal_move)
}

fn is_chess960_start(position: &AnyPosition) -> bool {
    let Some(position) = position.standard() else { return false };
    (0..960).any(|number| Position::chess960(number).as_ref() == Some(position))
}

/// What is wrong with a clock, a speed or the wish to have the game rated.
pub(crate) fn complaints(start: &Start, time: TimeControl, rated: bool, by_bot: bool) -> Option<FormErrors> {
    if let TimeControl::Clock { limit, increment } = time
        && limit.is_zero()
        && increment.is_zero()
    {
        return Some(FormErrors::global("Invalid clock"));
    }
    if by_bot && time.speed() == Speed::UltraBullet {
        return Some(FormErrors::global("Invalid speed"));
    }
    (rated && !may_be_rated(start.variant, time)).then(|| FormErrors::global("can't be rated"))
}

fn may_be_rated(variant: VariantKey, time: TimeControl) -> bool {
    match (variant, time) {
        (VariantKey::Standard, _) => true,
        (VariantKey::FromPosition, _) => false,
        (_, TimeControl::Clock { limit, increment }) => {
            increment > Duration::from_secs(1) || limit >= Duration::from_secs(30)
        }
        (_, TimeControl::Correspondence { .. } | TimeControl::Unlimited) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENDGAME: &str = "8/5pk1/6p1/8/3K4/8/1R6/8 b - - 3 41";

    fn settle(variant: VariantKey, fen: Option<&str>) -> Result<Start, FormErrors> {
        Start::settle(variant, fen, &mut Random::new(1))
    }

    #[test]
    fn a_set_up_position_makes_another_variant() {
        let standard = settle(VariantKey::Standard, Some(&Position::initial().to_fen())).unwrap();
        assert_eq!(standard, Start { variant: VariantKey::Standard, fen: None });
        let set_up = settle(VariantKey::Standard, Some(ENDGAME)).unwrap();
        assert_eq!(set_up, Start { variant: VariantKey::FromPosition, fen: Some(ENDGAME.to_owned()) });
    }

    #[test]
    fn positions_that_cannot_be_played_are_refused() {
        for (variant, fen) in [
            (VariantKey::Standard, Some("nonsense")),
            (VariantKey::FromPosition, None),
            (VariantKey::FromPosition, Some("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")),
            (VariantKey::Chess960, Some(ENDGAME)),
        ] {
            assert!(settle(variant, fen).is_err(), "{variant:?} {fen:?}");
        }
    }

    #[test]
    fn chess960_draws_a_start_by_the_seed() {
        let start = settle(VariantKey::Chess960, None).unwrap();
        assert!(is_chess960_start(&playable(Variant::Chess960, start.fen.as_deref().unwrap()).unwrap()));
        assert_eq!(settle(VariantKey::Chess960, None), Ok(start));
    }

    #[test]
    fn ratings_need_a_clock_that_is_long_enough() {
        let clock = |limit, increment| TimeControl::Clock {
            limit: Duration::from_secs(limit),
            increment: Duration::from_secs(increment),
        };
        for (variant, time, rated) in [
            (VariantKey::Standard, clock(60, 0), true),
            (VariantKey::Standard, TimeControl::Unlimited, true),
            (VariantKey::FromPosition, clock(300, 3), false),
            (VariantKey::Chess960, clock(30, 0), true),
            (VariantKey::Chess960, clock(0, 1), false),
            (VariantKey::Chess960, clock(0, 2), true),
            (VariantKey::Chess960, TimeControl::Correspondence { days: 3 }, false),
        ] {
            assert_eq!(may_be_rated(variant, time), rated, "{variant:?} {time:?}");
        }
    }
}
