//! The lines of the account's event stream, and games as lists of them show them.

use std::time::Duration;

use bytes::Bytes;
use serde::Serialize;
use serde_json::{Value, json};

use super::{Compat, VariantJson, challenge_json, color_key, line};
use crate::chess::{CastlingSpelling, Color, UciMove};
use crate::sandbox::world::{
    Challenge, ChallengeStatus, Game, GameId, Notice, Seat, Speed, TimeControl, UserId, VariantKey, World,
};

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct EventGame<'a> {
    full_id: String,
    game_id: &'a str,
    fen: String,
    color: &'static str,
    last_move: String,
    source: &'static str,
    status: Value,
    variant: VariantJson,
    speed: &'static str,
    perf: &'static str,
    rated: bool,
    has_moved: bool,
    opponent: Value,
    is_my_turn: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds_left: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tournament_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rating: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rating_diff: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    compat: Option<Compat>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
}

fn event_game(game: &Game, color: Color, now: Duration) -> EventGame<'_> {
    let variant = VariantKey::from(game.variant);
    let (rating, rating_diff) = match game.seat(color) {
        Seat::User { rating, rating_diff, .. } => (Some(*rating), *rating_diff),
        Seat::Ai { .. } => (None, None),
    };
    let timed = game.clock.control() != TimeControl::Unlimited;
    EventGame {
        full_id: game.full_id(color),
        game_id: game.id.as_str(),
        fen: game.history.position().to_fen(),
        color: color_key(color),
        last_move: last_move(game),
        source: game.source.key(),
        status: status_json(game),
        variant: VariantJson::brief(variant),
        speed: game.speed.key(),
        perf: variant.perf_key(game.speed),
        rated: game.rated,
        has_moved: game.has_moved(color),
        opponent: opponent(game.seat(!color)),
        is_my_turn: game.is_live() && game.turn() == color,
        seconds_left: timed.then(|| game.clock.left(color, now).as_secs()),
        tournament_id: game.tournament.as_deref(),
        winner: game.winner.map(color_key),
        rating,
        rating_diff,
        compat: Some(Compat { bot: game.bot_compatible(), board: game.board_compatible() }),
        id: Some(game.id.as_str()),
    }
}

fn status_json(game: &Game) -> Value {
    let (id, name) = game.status.words();
    json!({"id": id, "name": name})
}

/// For display: castling as the king's two squares, whatever the move list writes.
fn last_move(game: &Game) -> String {
    let last = game.history.moves().last();
    last.map_or_else(String::new, |&mv| UciMove::from_move(mv, CastlingSpelling::KingTwoSquares).to_string())
}

fn opponent(seat: &Seat) -> Value {
    match seat {
        Seat::User { id, name, title, rating, rating_diff } => {
            let username = match title {
                Some(title) => format!("{title} {name}"),
                None => name.clone(),
            };
            let mut json = json!({"id": id.as_str(), "username": username, "rating": rating});
            if let Some(diff) = rating_diff {
                json["ratingDiff"] = json!(diff);
            }
            json
        }
        Seat::Ai { level } => json!({"id": null, "username": seat.name(), "ai": level}),
    }
}

/// A game in `GET /api/account/playing`: as in the event stream, without what is there for old clients.
pub(in crate::sandbox) fn event_game_json(game: &Game, color: Color, now: Duration) -> Value {
    json!(EventGame { compat: None, id: None, ..event_game(game, color, now) })
}

/// What `POST /api/challenge/ai` answers.
pub(in crate::sandbox) fn ai_game_json(world: &World, game: &Game, color: Color) -> Value {
    let variant = VariantKey::from(game.variant);
    json!({
        "id": game.id.as_str(),
        "fullId": game.full_id(color),
        "variant": VariantJson::full(variant),
        "speed": game.speed.key(),
        "perf": variant.perf_key(game.speed),
        "rated": false,
        "fen": game.history.position().to_fen(),
        "turns": game.ply(),
        "source": game.source.key(),
        "status": status_json(game),
        "createdAt": world.date_ms(game.created),
        "player": color_key(game.turn()),
    })
}

/// A challenge that waits, told to a stream that has just been opened: without `compat`, unlike when it is new.
pub(in crate::sandbox) fn replayed_challenge(world: &World, challenge: &Challenge, url: &str) -> Bytes {
    line(&json!({"type": "challenge", "challenge": challenge_json(world, challenge, None, url)}))
}

/// The line for an event of an account, and the account. None if the notice is for other streams, or its subject
/// is gone.
pub(in crate::sandbox) fn account_event<'a>(
    world: &World,
    notice: &'a Notice,
    url: &str,
    now: Duration,
) -> Option<(&'a UserId, Bytes)> {
    let (to, json) = match notice {
        Notice::GameStart { to, game } => (to, game_event(world, "gameStart", game, to, now)?),
        Notice::GameFinish { to, game } => (to, game_event(world, "gameFinish", game, to, now)?),
        Notice::ChallengeCreated { to, challenge } => {
            (to, challenge_event(world, "challenge", challenge, url)?)
        }
        Notice::ChallengeCanceled { to, challenge } => {
            (to, challenge_event(world, "challengeCanceled", challenge, url)?)
        }
        Notice::ChallengeDeclined { to, challenge } => {
            (to, challenge_event(world, "challengeDeclined", challenge, url)?)
        }
        Notice::ChallengeAgain { to, challenge } => {
            let mut challenge = world.challenge(challenge)?.clone();
            (challenge.status, challenge.decline) = (ChallengeStatus::Created, None);
            (to, any_challenge(world, "challenge", &challenge, url))
        }
        Notice::GameStartAgain { to, game } => {
            let game = world.game(game)?.as_it_began();
            let color = game.color_of(to)?;
            (to, json!({"type": "gameStart", "game": event_game(&game, color, now)}))
        }
        Notice::ChallengeDone { .. }
        | Notice::Game { .. }
        | Notice::GameOver { .. }
        | Notice::StreamTaken { .. }
        | Notice::Down
        | Notice::Up => return None,
    };
    Some((to, line(&json)))
}

fn game_event(world: &World, kind: &str, id: &GameId, to: &UserId, now: Duration) -> Option<Value> {
    let game = world.game(id)?;
    let color = game.color_of(to)?;
    Some(json!({"type": kind, "game": event_game(game, color, now)}))
}

fn challenge_event(world: &World, kind: &str, id: &GameId, url: &str) -> Option<Value> {
    Some(any_challenge(world, kind, world.challenge(id)?, url))
}

fn any_challenge(world: &World, kind: &str, challenge: &Challenge, url: &str) -> Value {
    let mut json = json!({"type": kind, "challenge": challenge_json(world, challenge, None, url)});
    if kind == "challenge" || challenge.rematch_of.is_some() {
        let speed = challenge.time.speed();
        let (bot, board) = (speed != Speed::UltraBullet, speed >= Speed::Blitz);
        json["compat"] = json!(Compat { bot, board });
    }
    json
}
