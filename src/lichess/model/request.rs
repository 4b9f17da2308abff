//! What we ask for, with its form fields.

use serde::{Deserialize, Serialize};

use crate::chess::Variant;

use super::{ColorWish, TimeControl};

/// Yes or no, to an offer; or making one and taking it back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Answer {
    /// Accept what is offered; where nothing is, offer.
    Yes,
    /// Decline what is offered; where it is our own, withdraw it.
    No,
}

impl Answer {
    /// The word of the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Answer::Yes => "yes",
            Answer::No => "no",
        }
    }
}

/// What goes with a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum DrawOffer {
    /// Leave offers as they are.
    #[default]
    Leave,
    /// Offer a draw. If the opponent was already offering one, the game ends and the move is void.
    Offer,
}

/// A challenge to another account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChallengeRequest {
    /// Whether the result counts for the ratings.
    pub rated: bool,
    /// The clock.
    pub time: TimeControl,
    /// Our colour.
    pub color: ColorWish,
    /// The rules.
    pub variant: Variant,
    /// The start, where the variant allows a choice.
    pub fen: Option<String>,
}

/// A game against the server's own engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AiRequest {
    /// Strength, 1 to 8.
    pub level: u8,
    /// The clock.
    pub time: TimeControl,
    /// Our colour.
    pub color: ColorWish,
    /// The rules.
    pub variant: Variant,
    /// The start, where the variant allows a choice.
    pub fen: Option<String>,
}

/// The fields of a form.
pub(crate) type Form = Vec<(String, String)>;

impl ChallengeRequest {
    pub(crate) fn form(&self) -> Form {
        let mut form = vec![("rated".to_owned(), self.rated.to_string())];
        game_fields(&mut form, self.time, self.color, self.variant, self.fen.as_deref());
        form
    }
}

impl AiRequest {
    pub(crate) fn form(&self) -> Form {
        let mut form = vec![("level".to_owned(), self.level.to_string())];
        game_fields(&mut form, self.time, self.color, self.variant, self.fen.as_deref());
        form
    }
}

fn game_fields(form: &mut Form, time: TimeControl, color: ColorWish, variant: Variant, fen: Option<&str>) {
    let mut put = |key: &str, value: String| form.push((key.to_owned(), value));
    match time {
        TimeControl::Clock { limit, increment } => {
            put("clock.limit", limit.as_secs().to_string());
            put("clock.increment", increment.as_secs().to_string());
        }
        TimeControl::Correspondence { days } => put("days", days.to_string()),
        TimeControl::Unlimited | TimeControl::Unknown => {}
    }
    put("color", color.as_str().to_owned());
    put("variant", variant.key().to_owned());
    if let Some(fen) = fen {
        put("fen", fen.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn each_time_control_has_its_fields() {
        let form = |time| {
            let request = ChallengeRequest {
                rated: true,
                time,
                color: ColorWish::Random,
                variant: Variant::Standard,
                fen: None,
            };
            let fields: Vec<_> =
                request.form().into_iter().map(|(key, value)| format!("{key}={value}")).collect();
            fields.join("&")
        };
        let clock = TimeControl::Clock { limit: Duration::from_secs(180), increment: Duration::from_secs(2) };
        assert_eq!(form(clock), "rated=true&clock.limit=180&clock.increment=2&color=random&variant=standard");
        assert_eq!(
            form(TimeControl::Correspondence { days: 3 }),
            "rated=true&days=3&color=random&variant=standard"
        );
        assert_eq!(form(TimeControl::Unlimited), "rated=true&color=random&variant=standard");
    }
}
