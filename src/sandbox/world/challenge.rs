//! A challenge from one user to another.

use std::time::Duration;

use super::game::GameRule;
use super::{GameId, KeepAliveEnd, TimeControl, UserId, VariantKey};
use crate::chess::Color;

/// How a challenge stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChallengeStatus {
    Created,
    /// Its maker gave no sign of life; it can still be accepted.
    Offline,
    Canceled,
    Declined,
    Accepted,
}

impl ChallengeStatus {
    /// The word of the API.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            ChallengeStatus::Created => "created",
            ChallengeStatus::Offline => "offline",
            ChallengeStatus::Canceled => "canceled",
            ChallengeStatus::Declined => "declined",
            ChallengeStatus::Accepted => "accepted",
        }
    }
}

/// The colour that a challenger wishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColorWish {
    White,
    Black,
    Random,
}

impl ColorWish {
    /// All of them.
    pub(crate) const ALL: [ColorWish; 3] = [ColorWish::White, ColorWish::Black, ColorWish::Random];

    /// The word of the API.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            ColorWish::White => "white",
            ColorWish::Black => "black",
            ColorWish::Random => "random",
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

/// Why a challenge was declined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeclineReason {
    Generic,
    Later,
    TooFast,
    TooSlow,
    TimeControl,
    Rated,
    Casual,
    Standard,
    Variant,
    NoBot,
    OnlyBot,
}

impl DeclineReason {
    const ALL: [DeclineReason; 11] = [
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

    /// Any word in any case; what is unknown is generic.
    pub(crate) fn from_text(text: &str) -> DeclineReason {
        let key = text.to_lowercase();
        DeclineReason::ALL.into_iter().find(|reason| reason.key() == key).unwrap_or(DeclineReason::Generic)
    }

    /// The key of the API.
    pub(crate) const fn key(self) -> &'static str {
        self.words().0
    }

    /// What the challenger reads.
    pub(crate) const fn text(self) -> &'static str {
        self.words().1
    }

    const fn words(self) -> (&'static str, &'static str) {
        match self {
            DeclineReason::Generic => ("generic", "I'm not taking challenges right now."),
            DeclineReason::Later => ("later", "Not at the moment; please try again later."),
            DeclineReason::TooFast => ("toofast", "That is too fast for me; a slower game would be welcome."),
            DeclineReason::TooSlow => ("tooslow", "That is too slow for me; a faster game would be welcome."),
            DeclineReason::TimeControl => ("timecontrol", "I don't play this time control."),
            DeclineReason::Rated => ("rated", "Only rated games, please."),
            DeclineReason::Casual => ("casual", "Only casual games, please."),
            DeclineReason::Standard => ("standard", "I play standard chess only."),
            DeclineReason::Variant => ("variant", "I don't play this variant."),
            DeclineReason::NoBot => ("nobot", "I don't play against bots."),
            DeclineReason::OnlyBot => ("onlybot", "I play against bots only."),
        }
    }
}

/// A challenge.
#[derive(Clone, Debug)]
pub(crate) struct Challenge {
    pub(crate) id: GameId,
    pub(crate) challenger: UserId,
    pub(crate) dest: UserId,
    pub(crate) variant: VariantKey,
    pub(crate) initial_fen: Option<String>,
    pub(crate) rated: bool,
    pub(crate) time: TimeControl,
    pub(crate) color: ColorWish,
    /// The colour that the challenger will have.
    pub(crate) final_color: Color,
    pub(crate) rules: Vec<GameRule>,
    pub(crate) rematch_of: Option<GameId>,
    pub(crate) status: ChallengeStatus,
    pub(crate) decline: Option<DeclineReason>,
    pub(crate) created: Duration,
    /// The last sign of its maker, unless a stream is open.
    pub(super) seen: Duration,
    /// Streams that wait for the answer and keep it alive.
    pub(super) waiting: usize,
}

impl Challenge {
    /// Whether it can still be accepted.
    pub(crate) fn is_open(&self) -> bool {
        self.end().is_none()
    }

    /// What those who wait for the answer are told, if there is one.
    pub(crate) fn end(&self) -> Option<KeepAliveEnd> {
        match self.status {
            ChallengeStatus::Created | ChallengeStatus::Offline => None,
            ChallengeStatus::Canceled => Some(KeepAliveEnd::Canceled),
            ChallengeStatus::Declined => Some(KeepAliveEnd::Declined),
            ChallengeStatus::Accepted => Some(KeepAliveEnd::Accepted),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decline_reasons_are_read_in_any_case() {
        assert_eq!(DeclineReason::from_text("tooFast"), DeclineReason::TooFast);
        assert_eq!(DeclineReason::from_text("NOBOT"), DeclineReason::NoBot);
        assert_eq!(DeclineReason::from_text("because"), DeclineReason::Generic);
        assert_eq!(DeclineReason::from_text(""), DeclineReason::Generic);
    }
}
