//! The arbiter's office and the table, under `/sandbox/`. Lichess has no such routes.
//!
//! Players claim and seal in their own name. The arbiter's own decisions are open to every token of the sandbox: who
//! holds one runs the experiment.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::response::Response;
use axum::{Extension, Json};
use serde_json::{Value, json};

use super::Shared;
use super::answer::{Failure, done, typed};
use super::auth::Caller;
use super::request::BodyFields;
use crate::chess::{Color, Position};
use crate::sandbox::wire::{
    Fields, challenge_wish, ids, reconstruction_json, round_json, sheet_json, standings_json,
};
use crate::sandbox::world::{
    Absence, ClaimKind, Finding, GameId, Refusal, World, WrongBeginning, reconstruct,
};

/// The most players of a round.
const MOST_PLAYERS: usize = 200;
/// The most that the arbiter gives at once.
const MOST_SECONDS: u64 = 3600;

/// Does something as the arbiter of a game.
fn decide<T>(
    shared: &Shared,
    id: &str,
    act: impl FnOnce(&mut World, &GameId, Duration) -> Result<T, Refusal>,
) -> Result<T, Failure> {
    let id = GameId::parse(id).ok_or(Failure::NoRoute)?;
    Ok(shared.act(|world, now| act(world, &id, now))?)
}

/// `GET /sandbox/game/{id}/arbiter`
pub(super) async fn sheet(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
) -> Result<Json<Value>, Failure> {
    decide(&shared, &id, |world, id, _| Ok(Json(sheet_json(world.game(id).ok_or(Refusal::NoSuchGame)?))))
}

/// `POST /sandbox/game/{id}/arbiter/claim/{rule}`: `threefold` or `fifty`, with the field `move` for a move that is
/// announced.
pub(super) async fn claim(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
    Path((id, rule)): Path<(String, String)>,
    BodyFields(form): BodyFields,
) -> Result<Json<Value>, Failure> {
    let kind = ClaimKind::from_key(&rule).ok_or(Failure::NotFound("No such claim"))?;
    let finding =
        decide(&shared, &id, |world, id, now| world.claim(&caller.user, id, (kind, form.get("move")), now))?;
    Ok(Json(json!({"ok": true, "right": finding == Finding::Right})))
}

/// `POST /sandbox/game/{id}/arbiter/adjourn`: the field `move` is what goes into the envelope.
pub(super) async fn adjourn(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    BodyFields(form): BodyFields,
) -> Result<Json<Value>, Failure> {
    let text = form.get("move").unwrap_or_default();
    decide(&shared, &id, |world, id, now| world.adjourn(&caller.user, id, text, now))?;
    Ok(done())
}

/// `POST /sandbox/game/{id}/arbiter/resume`: the field `absent` is `sealer`, `opponent` or `both`; `flagged` says that
/// the opponent's time ran out while the sealer was awaited; `fen` is the position that was set up.
pub(super) async fn resume(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    BodyFields(form): BodyFields,
) -> Result<Json<Value>, Failure> {
    let absence = absence(&form).ok_or(Refusal::NotAllowed("absent is sealer, opponent or both"))?;
    decide(&shared, &id, |world, id, now| {
        Ok(Json(sheet_json(world.resume(id, absence, form.get("fen"), now)?)))
    })
}

fn absence(form: &Fields) -> Option<Absence> {
    match form.get("absent") {
        None => Some(Absence::Nobody),
        Some("sealer") => Some(Absence::Sealer { opponent_flagged: form.is_on("flagged") }),
        Some("opponent") => Some(Absence::Opponent),
        Some("both") => Some(Absence::Both),
        Some(_) => None,
    }
}

/// `POST /sandbox/game/{id}/arbiter/report/{what}`: `initial-position`, with the right one as the field `fen`, or
/// `colors`. If the game is void, `game` is the one that is played instead.
pub(super) async fn report(
    State(shared): State<Arc<Shared>>,
    Path((id, what)): Path<(String, String)>,
    BodyFields(form): BodyFields,
) -> Result<Json<Value>, Failure> {
    let wrong = match what.as_str() {
        "initial-position" => WrongBeginning::InitialPosition(form.get("fen").map(str::to_owned)),
        "colors" => WrongBeginning::Colors,
        _ => return Err(Failure::NotFound("No such report")),
    };
    let again = decide(&shared, &id, |world, id, now| world.report_beginning(id, &wrong, now))?;
    let game = again.map(|game| game.to_string());
    Ok(Json(json!({"ok": true, "void": game.is_some(), "game": game})))
}

/// `POST /sandbox/game/{id}/arbiter/forfeit/{side}`: `white`, `black` or `both`.
pub(super) async fn forfeit(
    State(shared): State<Arc<Shared>>,
    Path((id, side)): Path<(String, String)>,
) -> Result<Json<Value>, Failure> {
    let side = match side.as_str() {
        "both" => None,
        side => Some(color(side)?),
    };
    decide(&shared, &id, |world, id, now| world.forfeit(id, side, now))?;
    Ok(done())
}

/// `POST /sandbox/game/{id}/arbiter/penalty/{side}`: the opponent gains the field `seconds`.
pub(super) async fn penalty(
    State(shared): State<Arc<Shared>>,
    Path((id, side)): Path<(String, String)>,
    BodyFields(form): BodyFields,
) -> Result<Json<Value>, Failure> {
    let seconds = form.number("seconds").filter(|seconds| *seconds <= MOST_SECONDS);
    let time = Duration::from_secs(seconds.ok_or(Refusal::NotAllowed("seconds is a number up to 3600"))?);
    let color = color(&side)?;
    decide(&shared, &id, |world, id, now| world.punish(id, color, time, now))?;
    Ok(done())
}

/// `POST /sandbox/game/{id}/arbiter/quiet-moves/{number}`
pub(super) async fn quiet_moves(
    State(shared): State<Arc<Shared>>,
    Path((id, number)): Path<(String, String)>,
) -> Result<Json<Value>, Failure> {
    let moves = number.parse().map_err(|_| Failure::NotFound("No such number"))?;
    decide(&shared, &id, |world, id, _| world.announce_quiet_moves(id, moves))?;
    Ok(done())
}

/// `POST /sandbox/scoresheets`: the fields `white` and `black` are what the players wrote, `fen` is where they began.
pub(super) async fn scoresheets(BodyFields(form): BodyFields) -> Result<Json<Value>, Failure> {
    let start = form.get("fen").map_or_else(|| Ok(Position::initial()), Position::from_fen);
    let start = start.map_err(|error| Failure::Unreadable(error.to_string()))?;
    let sheets: Vec<&str> = ["white", "black"].into_iter().filter_map(|side| form.get(side)).collect();
    Ok(Json(reconstruction_json(&reconstruct(start, &sheets))))
}

/// `POST /sandbox/round`: the next round of a Swiss tournament, between the `players` or all who are online, with a
/// clock as in a challenge.
pub(super) async fn round(
    State(shared): State<Arc<Shared>>,
    BodyFields(form): BodyFields,
) -> Result<Json<Value>, Failure> {
    let time = challenge_wish(&form)?.time;
    let named = form.get("players").map(|names| ids(names, MOST_PLAYERS));
    shared.act(|world, now| {
        let players = named.unwrap_or_else(|| world.online());
        let (games, rests) = world.begin_round(&players, time, now)?;
        let games: Vec<_> = games.iter().filter_map(|id| world.game(id)).collect();
        Ok(Json(round_json(&games, rests.as_ref())))
    })
}

/// `GET /sandbox/standings`
pub(super) async fn standings(State(shared): State<Arc<Shared>>) -> Json<Value> {
    shared.act(|world, _| Json(standings_json(&world.standings())))
}

/// `GET /sandbox/standings.txt`
pub(super) async fn standings_table(State(shared): State<Arc<Shared>>) -> Response {
    typed("text/plain; charset=utf-8", shared.standings())
}

fn color(word: &str) -> Result<Color, Failure> {
    match word {
        "white" => Ok(Color::White),
        "black" => Ok(Color::Black),
        _ => Err(Failure::NotFound("No such side")),
    }
}
