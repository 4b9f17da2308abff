//! The JSON, the forms and the PGN of the API, as this server writes and reads them.
//!
//! Shapes only: what is true and what is allowed is decided in the world. Shared with nobody.

mod form;
mod refusal;

mod arbiter;
mod challenge;
mod event;
mod export;
mod state;
mod user;

pub(super) use arbiter::{reconstruction_json, round_json, sheet_json, standings_json, standings_text};
pub(super) use challenge::{Direction, challenge_json, keep_alive_end};
pub(super) use event::{account_event, ai_game_json, event_game_json, replayed_challenge};
pub(super) use export::{Export, game_json, game_pgn};
pub(super) use form::{Fields, ai_wish, challenge_wish, ids, yes_or_no};
pub(super) use refusal::{error_body, refusal_answer};
pub(super) use state::{chat_array, game_full, game_line};
pub(super) use user::{playing_url, status_json, user_json};

use bytes::Bytes;
use serde::Serialize;

use super::world::VariantKey;
use crate::chess::Color;

/// One line of a stream: JSON and a line feed.
fn line(value: &impl Serialize) -> Bytes {
    // Shapes with string keys only cannot fail to serialise; an empty line is what a reader would skip.
    let mut text = serde_json::to_vec(value).unwrap_or_default();
    text.push(b'\n');
    Bytes::from(text)
}

/// White or black.
fn color_key(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// A variant with all its names.
#[derive(Debug, Serialize)]
struct VariantJson {
    key: &'static str,
    name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    short: Option<&'static str>,
}

impl VariantJson {
    fn full(variant: VariantKey) -> VariantJson {
        VariantJson { short: Some(variant.short()), ..VariantJson::brief(variant) }
    }

    /// Without the short name: in the account's events.
    fn brief(variant: VariantKey) -> VariantJson {
        VariantJson { key: variant.key(), name: variant.name(), short: None }
    }
}

/// What a kind of account can play.
#[derive(Debug, Serialize)]
struct Compat {
    bot: bool,
    board: bool,
}
