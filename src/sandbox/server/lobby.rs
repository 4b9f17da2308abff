//! The event stream and challenges.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use bytes::Bytes;
use serde_json::{Value, json};

use super::Shared;
use super::answer::{Failure, done};
use super::auth::Caller;
use super::request::{BodyFields, QueryFields};
use super::shared::Beginning;
use super::streams::Topic;
use crate::sandbox::wire::{
    Direction, account_event, ai_game_json, ai_wish, challenge_json, challenge_wish, keep_alive_end,
    replayed_challenge,
};
use crate::sandbox::world::{DeclineReason, GameId, Notice, Refusal, UserId, World};

/// How many waiting challenges a new event stream begins with.
const MAX_REPLAYED: usize = 50;

/// `GET /api/stream/event`
pub(super) async fn event_stream(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
) -> Result<Response, Failure> {
    shared.act(|world, now| world.count_event_stream(&caller.token, now))?;
    let user = caller.user.clone();
    let topic = Topic::Events { user: caller.user, token: caller.token };
    Ok(shared.open(topic, shared.options.keep_alive, |world, now| Beginning {
        lines: replay(world, &user, &shared.url, now),
        complete: false,
    }))
}

/// What a new stream begins with: the games that go on, then the challenges that wait.
fn replay(world: &World, user: &UserId, url: &str, now: Duration) -> Vec<Bytes> {
    let games = world.playing(user, now).into_iter().filter_map(|(game, _)| {
        let start = Notice::GameStart { to: user.clone(), game: game.id.clone() };
        account_event(world, &start, url, now).map(|(_, line)| line)
    });
    let open = world.open_challenges(user).into_iter();
    let incoming = open.filter(|challenge| challenge.dest == *user).take(MAX_REPLAYED);
    games.chain(incoming.map(|challenge| replayed_challenge(world, challenge, url))).collect()
}

/// `POST /api/challenge/{username}`
pub(super) async fn challenge(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
    Path(name): Path<String>,
    BodyFields(form): BodyFields,
) -> Result<Response, Failure> {
    let wish = challenge_wish(&form)?;
    let (id, json) = shared.act(|world, now| {
        let id = world.challenge_user(&caller.user, &UserId::of(&name), &wish, now)?;
        if form.is_on("keepAliveStream") {
            world.challenge_awaited(&id);
        }
        let json = shown(world, &id, &caller.user, &shared.url)?;
        Ok::<_, Failure>((id, json))
    })?;
    if !form.is_on("keepAliveStream") {
        return Ok(Json(json).into_response());
    }
    // Lichess sends blank lines every 50 s here, seven times as seldom as elsewhere.
    let period = shared.options.keep_alive.saturating_mul(7);
    let first = Bytes::from(format!("{json}\n"));
    let topic = Topic::Challenge { challenge: id.clone() };
    Ok(shared.open(topic, period, |world, _| {
        // The answer may have come since the challenge was made.
        let end = world.challenge(&id).and_then(|challenge| challenge.end());
        let lines = [first].into_iter().chain(end.map(keep_alive_end)).collect();
        Beginning { lines, complete: end.is_some() }
    }))
}

fn shown(world: &World, id: &GameId, user: &UserId, url: &str) -> Result<Value, Failure> {
    let challenge = world.challenge(id).ok_or(Refusal::NoSuchChallenge)?;
    let direction = if challenge.challenger == *user {
        Direction::Out
    } else if challenge.dest == *user {
        Direction::In
    } else {
        return Err(Refusal::NoSuchChallenge.into());
    };
    Ok(challenge_json(world, challenge, Some(direction), url))
}

/// `POST /api/challenge/ai`
pub(super) async fn challenge_ai(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
    BodyFields(form): BodyFields,
) -> Result<Response, Failure> {
    let wish = ai_wish(&form)?;
    shared.act(|world, now| {
        let id = world.challenge_ai(&caller.user, &wish, now)?;
        let (game, color) = world.game_of(&caller.user, &id)?;
        Ok((StatusCode::CREATED, Json(ai_game_json(world, game, color))).into_response())
    })
}

/// `POST /api/challenge/{id}/accept`
pub(super) async fn accept(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Json<Value>, Failure> {
    let id = challenge_id(&id)?;
    shared.act(|world, now| world.accept(&caller.user, &id, now))?;
    Ok(done())
}

/// `POST /api/challenge/{id}/decline`
pub(super) async fn decline(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    BodyFields(form): BodyFields,
) -> Result<Json<Value>, Failure> {
    let id = challenge_id(&id)?;
    let reason = DeclineReason::from_text(form.get("reason").unwrap_or_default());
    shared.act(|world, _| world.decline(&caller.user, &id, reason))?;
    Ok(done())
}

/// `POST /api/challenge/{id}/cancel`
pub(super) async fn cancel(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    QueryFields(query): QueryFields,
) -> Result<Json<Value>, Failure> {
    let id = challenge_id(&id)?;
    shared.act(|world, now| world.cancel(&caller.user, &id, query.get("opponentToken"), now))?;
    Ok(done())
}

/// `POST /sandbox/rematch/{gameId}`: what a person does with a click.
pub(super) async fn rematch(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Json<Value>, Failure> {
    let game = challenge_id(&id)?;
    shared.act(|world, now| {
        let id = world.offer_rematch(&caller.user, &game, now)?;
        Ok(Json(shown(world, &id, &caller.user, &shared.url)?))
    })
}

/// `GET /api/challenge`
pub(super) async fn list(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
) -> Json<Value> {
    shared.act(|world, _| {
        let open = world.open_challenges(&caller.user);
        let (incoming, outgoing): (Vec<_>, Vec<_>) =
            open.into_iter().partition(|challenge| challenge.dest == caller.user);
        let json = |challenges: Vec<_>, direction| -> Vec<Value> {
            let each = challenges.into_iter();
            each.map(|challenge| challenge_json(world, challenge, Some(direction), &shared.url)).collect()
        };
        Json(json!({"in": json(incoming, Direction::In), "out": json(outgoing, Direction::Out)}))
    })
}

/// `GET /api/challenge/{id}/show`
pub(super) async fn show(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Json<Value>, Failure> {
    let id = challenge_id(&id)?;
    shared.act(|world, _| Ok(Json(shown(world, &id, &caller.user, &shared.url)?)))
}

/// An id of another length is no route at all.
fn challenge_id(text: &str) -> Result<GameId, Failure> {
    GameId::parse(text).filter(|_| text.len() == 8).ok_or(Failure::NoRoute)
}
