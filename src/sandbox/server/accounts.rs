//! Accounts, presence and tokens.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use axum::{Extension, Json};
use serde_json::{Map, Value, json};

use super::Shared;
use super::answer::{Failure, done, ndjson};
use super::auth::Caller;
use super::request::{BodyText, QueryFields};
use crate::sandbox::wire::{event_game_json, ids, playing_url, status_json, user_json};
use crate::sandbox::world::{Account, UserId, World};

/// Games listed by `GET /api/account/playing`: what is asked for, at most this.
const MAX_PLAYING: u64 = 50;
const DEFAULT_PLAYING: u64 = 9;

/// `GET /api/account`
pub(super) async fn own_account(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
) -> Result<Json<Value>, Failure> {
    shared.act(|world, now| {
        world.count_account_request(&caller.user, now)?;
        Ok(Json(full_user(world, &caller.user, &shared.url, now)?))
    })
}

fn full_user(world: &World, id: &UserId, url: &str, now: std::time::Duration) -> Result<Value, Failure> {
    let account = world.account(id).ok_or(Failure::NotFound("Not found"))?;
    let playing = world.playing(id, now).first().map(|(game, color)| playing_url(game, *color, url));
    Ok(user_json(world, account, playing.as_deref(), url))
}

/// `GET /api/user/{username}`
pub(super) async fn user(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
) -> Result<Json<Value>, Failure> {
    shared.act(|world, now| Ok(Json(full_user(world, &UserId::of(&name), &shared.url, now)?)))
}

/// `GET /api/account/playing`
pub(super) async fn playing(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
    QueryFields(query): QueryFields,
) -> Json<Value> {
    let most = query.number("nb").unwrap_or(DEFAULT_PLAYING).clamp(1, MAX_PLAYING);
    shared.act(|world, now| {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let games: Vec<Value> = match shared.lists_as_of(now) {
            Some(at) => {
                let games = world.playing_as_of(&caller.user, at).into_iter().take(most);
                games.map(|(game, color)| event_game_json(&game, color, now)).collect()
            }
            None => {
                let games = world.playing(&caller.user, now).into_iter().take(most);
                games.map(|(game, color)| event_game_json(game, color, now)).collect()
            }
        };
        Json(json!({"nowPlaying": games}))
    })
}

/// `POST /api/bot/account/upgrade`
pub(super) async fn upgrade(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
) -> Result<Json<Value>, Failure> {
    shared.act(|world, _| world.upgrade(&caller.user))?;
    Ok(done())
}

/// `GET /api/bot/online`
pub(super) async fn online_bots(
    State(shared): State<Arc<Shared>>,
    QueryFields(query): QueryFields,
) -> Response {
    let most = usize::try_from(query.number("nb").unwrap_or(100).clamp(1, 512)).unwrap_or(100);
    ndjson(shared.act(|world, _| {
        let online = world.accounts().filter(|account| account.is_bot() && account.is_online()).take(most);
        online.map(|account| user_json(world, account, None, &shared.url)).collect::<Vec<_>>()
    }))
}

/// `GET /api/users/status`
pub(super) async fn users_status(
    State(shared): State<Arc<Shared>>,
    QueryFields(query): QueryFields,
) -> Json<Value> {
    let asked = ids(query.get("ids").unwrap_or_default(), 100);
    let (with_ids, with_metas) = (query.is_on("withGameIds"), query.is_on("withGameMetas"));
    shared.act(|world, now| {
        let status = |account: &Account| {
            let playing = world.playing(&account.id, now).first().map(|(game, _)| *game);
            status_json(account, playing, with_ids, with_metas)
        };
        Json(asked.iter().filter_map(|id| world.account(id)).map(status).collect())
    })
}

/// `POST /api/users`
pub(super) async fn users(State(shared): State<Arc<Shared>>, BodyText(text): BodyText) -> Json<Value> {
    let asked = ids(&text, 300);
    shared.act(|world, _| {
        let found = asked.iter().filter_map(|id| world.account(id));
        Json(found.map(|account| user_json(world, account, None, &shared.url)).collect())
    })
}

/// `POST /api/token/test`
pub(super) async fn test_tokens(State(shared): State<Arc<Shared>>, BodyText(text): BodyText) -> Json<Value> {
    let tokens = text.split(',').map(str::trim).filter(|token| !token.is_empty()).take(1000);
    shared.act(|world, _| {
        let about = |token: &str| match world.login(token) {
            Some(login) => {
                let scopes: Vec<_> = login.scopes.iter().map(|scope| scope.as_str()).collect();
                json!({"userId": login.user.as_str(), "scopes": scopes.join(","), "expires": null})
            }
            None => Value::Null,
        };
        let answers: Map<String, Value> = tokens.map(|token| (token.to_owned(), about(token))).collect();
        Json(Value::Object(answers))
    })
}
