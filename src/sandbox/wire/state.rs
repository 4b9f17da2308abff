//! The lines of a game's stream.

use std::time::Duration;

use bytes::Bytes;
use serde::Serialize;
use serde_json::{Value, json};

use super::{VariantJson, color_key, line};
use crate::chess::Color;
use crate::sandbox::UnsetFlags;
use crate::sandbox::world::{
    ChatLine, Game, GameLine, Room, Seat, StateView, TimeControl, VariantKey, World,
};

#[derive(Debug, Serialize)]
struct StateJson<'a> {
    r#type: &'static str,
    moves: &'a str,
    wtime: u64,
    btime: u64,
    winc: u64,
    binc: u64,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wdraw: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bdraw: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wtakeback: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    btakeback: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expiration: Option<ExpirationJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rematch: Option<&'a str>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ExpirationJson {
    idle_millis: u64,
    millis_to_move: u64,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct FullJson<'a> {
    r#type: &'static str,
    id: &'a str,
    variant: VariantJson,
    speed: &'static str,
    perf: Value,
    rated: bool,
    created_at: u64,
    white: PlayerJson<'a>,
    black: PlayerJson<'a>,
    initial_fen: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<ClockJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    days_per_turn: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tournament_id: Option<&'a str>,
    state: StateJson<'a>,
}

#[derive(Debug, Serialize)]
struct ClockJson {
    initial: u64,
    increment: u64,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum PlayerJson<'a> {
    User {
        id: &'a str,
        name: &'a str,
        title: Option<&'a str>,
        rating: u32,
    },
    Ai {
        #[serde(rename = "aiLevel")]
        level: u8,
    },
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn state_json(state: &StateView, unset: UnsetFlags) -> StateJson<'_> {
    let flag = |set: bool| match unset {
        UnsetFlags::Omitted => set.then_some(true),
        UnsetFlags::False => Some(set),
    };
    let [white, black] = [Color::White.index(), Color::Black.index()];
    StateJson {
        r#type: "gameState",
        moves: &state.moves,
        wtime: millis(state.left[white]),
        btime: millis(state.left[black]),
        winc: millis(state.increment),
        binc: millis(state.increment),
        status: state.status.words().1,
        winner: state.winner.map(color_key),
        wdraw: flag(state.draw_offers[white]),
        bdraw: flag(state.draw_offers[black]),
        wtakeback: flag(state.takeback_offers[white]),
        btakeback: flag(state.takeback_offers[black]),
        expiration: state.expiration.map(|(idle, allowed)| ExpirationJson {
            idle_millis: millis(idle),
            millis_to_move: millis(allowed),
        }),
        rematch: state.rematch.as_ref().map(|id| id.as_str()),
    }
}

fn player_json(seat: &Seat) -> PlayerJson<'_> {
    match seat {
        Seat::User { id, name, title, rating, .. } => {
            PlayerJson::User { id: id.as_str(), name, title: title.as_deref(), rating: *rating }
        }
        Seat::Ai { level } => PlayerJson::Ai { level: *level },
    }
}

/// The first line of a game's stream.
pub(in crate::sandbox) fn game_full(world: &World, game: &Game, unset: UnsetFlags, now: Duration) -> Bytes {
    let variant = VariantKey::from(game.variant);
    let (clock, days_per_turn) = match game.clock.control() {
        TimeControl::Clock { limit, increment } => {
            (Some(ClockJson { initial: millis(limit), increment: millis(increment) }), None)
        }
        TimeControl::Correspondence { days } => (None, Some(days)),
        TimeControl::Unlimited => (None, None),
    };
    let state = game.state(now);
    line(&FullJson {
        r#type: "gameFull",
        id: game.id.as_str(),
        variant: VariantJson::full(variant),
        speed: game.speed.key(),
        perf: json!({"name": variant.perf_name(game.speed)}),
        rated: game.rated,
        created_at: world.date_ms(game.created),
        white: player_json(game.seat(Color::White)),
        black: player_json(game.seat(Color::Black)),
        initial_fen: game.initial_fen.as_deref().unwrap_or("startpos"),
        clock,
        days_per_turn,
        tournament_id: game.tournament.as_deref(),
        state: state_json(&state, unset),
    })
}

/// Any later line, and the side that alone is to see it, if it is not for both.
pub(in crate::sandbox) fn game_line(game_line: &GameLine, unset: UnsetFlags) -> (Bytes, Option<Color>) {
    match game_line {
        GameLine::State(state) => (line(&state_json(state, unset)), None),
        GameLine::Chat(ChatLine { room, user, text }) => {
            let chat = json!({"type": "chatLine", "room": room.key(), "username": user, "text": text});
            (line(&chat), None)
        }
        GameLine::Gone { to, claim_in: None } => {
            (line(&json!({"type": "opponentGone", "gone": false})), Some(*to))
        }
        GameLine::Gone { to, claim_in: Some(left) } => {
            // A claim is possible only when nothing is left: round up.
            let seconds = left.as_millis().div_ceil(1000);
            let gone = json!({"type": "opponentGone", "gone": true, "claimWinInSeconds": seconds as u64});
            (line(&gone), Some(*to))
        }
    }
}

/// What was said in one room.
pub(in crate::sandbox) fn chat_array(game: &Game, room: Room) -> Value {
    let lines = game.chat.iter().filter(|line| line.room == room);
    lines.map(|line| json!({"text": line.text, "user": line.user})).collect()
}
