//! Games as anybody may see them: exports and the spectators' chat.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use serde_json::Value;

use super::Shared;
use super::answer::{Failure, ndjson, typed};
use super::request::QueryFields;
use crate::sandbox::wire::{Export, Fields, chat_array, game_json, game_pgn};
use crate::sandbox::world::{Game, GameId, Refusal, Room, UserId};

const PGN: &str = "application/x-chess-pgn";

/// `GET /game/export/{id}`
pub(super) async fn export(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    QueryFields(query): QueryFields,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let id = GameId::parse(&id).ok_or(Failure::NoRoute)?;
    let export = wanted(&query);
    shared.act(|world, _| {
        let game = world.game(&id).ok_or(Refusal::NoSuchGame)?;
        Ok(if accepts(&headers, "application/json") {
            Json(game_json(world, game, export, &shared.url)).into_response()
        } else {
            typed(PGN, game_pgn(world, game, export, &shared.url))
        })
    })
}

fn wanted(query: &Fields) -> Export {
    let default = Export::default();
    Export {
        tags: query.switch("tags").unwrap_or(default.tags),
        clocks: query.switch("clocks").unwrap_or(default.clocks),
        moves: query.switch("moves").unwrap_or(default.moves),
        pgn_in_json: query.switch("pgnInJson").unwrap_or(default.pgn_in_json),
    }
}

fn accepts(headers: &HeaderMap, kind: &str) -> bool {
    headers
        .get(header::ACCEPT)
        .and_then(|accept| accept.to_str().ok())
        .is_some_and(|text| text.contains(kind))
}

/// `GET /api/games/user/{username}`, without analysis and openings.
pub(super) async fn user_games(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
    QueryFields(query): QueryFields,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let user = UserId::of(&name);
    let most = query.number("max").and_then(|max| usize::try_from(max).ok()).unwrap_or(usize::MAX);
    let export = wanted(&query);
    shared.act(|world, _| {
        world.account(&user).ok_or(Failure::NotFound("Not found"))?;
        let chosen = |game: &&Game| is_chosen(game, &user, &query, world.date_ms(game.created));
        let games = world.games().filter(chosen).take(most);
        Ok(if accepts(&headers, "application/x-ndjson") {
            ndjson(games.map(|game| game_json(world, game, export, &shared.url)).collect::<Vec<_>>())
        } else {
            let texts: Vec<String> = games.map(|game| game_pgn(world, game, export, &shared.url)).collect();
            typed(PGN, texts.join("\n\n"))
        })
    })
}

fn is_chosen(game: &Game, user: &UserId, query: &Fields, created_ms: u64) -> bool {
    let Some(color) = game.color_of(user) else {
        return false;
    };
    let versus = query.get("vs").is_none_or(|vs| game.seat(!color).user() == Some(&UserId::of(vs)));
    let rated = query.switch("rated").is_none_or(|rated| rated == game.rated);
    let since = query.number("since").is_none_or(|since| created_ms >= since);
    let until = query.number("until").is_none_or(|until| created_ms <= until);
    let state = if game.is_live() {
        query.switch("ongoing").unwrap_or(false)
    } else {
        query.switch("finished").unwrap_or(true)
    };
    versus && rated && since && until && state
}

/// `GET /api/game/{id}/chat`
pub(super) async fn spectator_chat(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
) -> Result<Json<Value>, Failure> {
    let id = GameId::parse(&id).ok_or(Failure::NoRoute)?;
    shared.act(|world, _| {
        let game = world.game(&id).ok_or(Refusal::NoSuchGame)?;
        Ok(Json(chat_array(game, Room::Spectator)))
    })
}
