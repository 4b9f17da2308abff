//! What players do in their games, through the bot interface or the board interface.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::response::Response;
use axum::{Extension, Json};
use serde_json::Value;

use super::Shared;
use super::answer::{Failure, done};
use super::auth::Caller;
use super::request::{BodyFields, QueryFields};
use super::shared::Beginning;
use super::streams::Topic;
use crate::sandbox::wire::{chat_array, game_full, yes_or_no};
use crate::sandbox::world::{Game, GameId, Refusal, Room, UserId, World};

/// Who the routes are for: BOT accounts, or people with programs of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Interface {
    Bot,
    Board,
}

impl Interface {
    /// The part of the path.
    pub(super) const fn base(self) -> &'static str {
        match self {
            Interface::Bot => "bot",
            Interface::Board => "board",
        }
    }

    fn admits_user(self, world: &World, user: &UserId) -> Result<(), Refusal> {
        let bot = world.account(user).is_some_and(|account| account.is_bot());
        match (self, bot) {
            (Interface::Bot, false) => Err(Refusal::NotABot),
            (Interface::Board, true) => Err(Refusal::OnlyForHumans),
            (Interface::Bot, true) | (Interface::Board, false) => Ok(()),
        }
    }

    /// People may play at any speed here: it is a sandbox for bots, who need somebody to play with.
    fn admits_game(self, game: &Game) -> Result<(), Refusal> {
        match self {
            Interface::Bot if !game.bot_compatible() => Err(Refusal::WrongInterface),
            Interface::Bot | Interface::Board => Ok(()),
        }
    }
}

/// A command in a game of the caller's.
fn in_game<T>(
    shared: &Shared,
    interface: Interface,
    caller: &Caller,
    id: &str,
    act: impl FnOnce(&mut World, &GameId, Duration) -> Result<T, Refusal>,
) -> Result<T, Failure> {
    let id = GameId::parse(id).ok_or(Failure::NoRoute)?;
    shared.act(|world, now| {
        interface.admits_user(world, &caller.user)?;
        let (game, _) = world.game_of(&caller.user, &id)?;
        interface.admits_game(game)?;
        Ok(act(world, &id, now)?)
    })
}

/// `GET game/stream/{id}`
pub(super) async fn stream(
    State(shared): State<Arc<Shared>>,
    Extension(interface): Extension<Interface>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Response, Failure> {
    let unset = shared.options.unset_flags;
    let (game, color) = in_game(&shared, interface, &caller, &id, |world, id, _| {
        let (_, color) = world.game_of(&caller.user, id)?;
        Ok((id.clone(), color))
    })?;
    let topic = Topic::Game { user: caller.user, game: game.clone(), color, agent: caller.agent };
    Ok(shared.open(topic, shared.options.keep_alive, |world, now| {
        let game = world.game(&game);
        let lines = game.map(|game| game_full(world, game, unset, now)).into_iter().collect();
        // The stream of a finished game is its final state and the end.
        Beginning { lines, complete: game.is_none_or(|game| !game.is_live()) }
    }))
}

/// `POST game/{id}/move/{uci}`
pub(super) async fn make_move(
    State(shared): State<Arc<Shared>>,
    Extension(interface): Extension<Interface>,
    Extension(caller): Extension<Caller>,
    Path((id, uci)): Path<(String, String)>,
    QueryFields(query): QueryFields,
) -> Result<Json<Value>, Failure> {
    let offer = query.switch("offeringDraw");
    in_game(&shared, interface, &caller, &id, |world, id, now| {
        world.play(&caller.user, id, &uci, offer, now)
    })?;
    Ok(done())
}

/// `GET game/{id}/chat`
pub(super) async fn chat(
    State(shared): State<Arc<Shared>>,
    Extension(interface): Extension<Interface>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Json<Value>, Failure> {
    in_game(&shared, interface, &caller, &id, |world, id, _| {
        let (game, _) = world.game_of(&caller.user, id)?;
        Ok(Json(chat_array(game, Room::Player)))
    })
}

/// `POST game/{id}/chat`
pub(super) async fn say(
    State(shared): State<Arc<Shared>>,
    Extension(interface): Extension<Interface>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    BodyFields(form): BodyFields,
) -> Result<Json<Value>, Failure> {
    let (room, text) = (form.get("room").unwrap_or_default(), form.get("text").unwrap_or_default());
    in_game(&shared, interface, &caller, &id, |world, id, _| world.say(&caller.user, id, room, text))?;
    Ok(done())
}

/// `POST game/{id}/draw/{answer}`
pub(super) async fn draw(
    State(shared): State<Arc<Shared>>,
    Extension(interface): Extension<Interface>,
    Extension(caller): Extension<Caller>,
    Path((id, answer)): Path<(String, String)>,
) -> Result<Json<Value>, Failure> {
    let answer = yes_or_no(&answer).ok_or(Failure::NotFound(NO_COMMAND))?;
    in_game(&shared, interface, &caller, &id, |world, id, now| world.draw(&caller.user, id, answer, now))?;
    Ok(done())
}

/// `POST game/{id}/takeback/{answer}`
pub(super) async fn takeback(
    State(shared): State<Arc<Shared>>,
    Extension(interface): Extension<Interface>,
    Extension(caller): Extension<Caller>,
    Path((id, answer)): Path<(String, String)>,
) -> Result<Json<Value>, Failure> {
    let answer = yes_or_no(&answer).ok_or(Failure::NotFound(NO_COMMAND))?;
    in_game(&shared, interface, &caller, &id, |world, id, now| {
        world.takeback(&caller.user, id, answer, now)
    })?;
    Ok(done())
}

const NO_COMMAND: &str = "No such command";

/// `POST game/{id}/{command}`: the commands of one word.
pub(super) async fn command(
    State(shared): State<Arc<Shared>>,
    Extension(interface): Extension<Interface>,
    Extension(caller): Extension<Caller>,
    Path((id, command)): Path<(String, String)>,
) -> Result<Json<Value>, Failure> {
    let user = &caller.user;
    in_game(&shared, interface, &caller, &id, |world, id, now| match command.as_str() {
        "abort" => world.abort(user, id, now).map(Some),
        "resign" => world.resign(user, id, now).map(Some),
        "claim-victory" => world.claim_victory(user, id, now).map(Some),
        "claim-draw" => world.claim_draw(user, id, now).map(Some),
        "berserk" => Err(Refusal::NotAllowed("Cannot berserk")),
        _ => Ok(None),
    })?
    .ok_or(Failure::NotFound(NO_COMMAND))?;
    Ok(done())
}

/// `POST /api/round/{id}/add-time/{seconds}`
pub(super) async fn add_time(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
    Path((id, seconds)): Path<(String, String)>,
) -> Result<Json<Value>, Failure> {
    let id = GameId::parse(&id).ok_or(Failure::NoRoute)?;
    let seconds = seconds.parse().ok().filter(|seconds| (5..=60).contains(seconds));
    let time =
        Duration::from_secs(seconds.ok_or(Refusal::NotAllowed("between 5 and 60 seconds can be given"))?);
    shared.act(|world, now| world.add_time(&caller.user, &id, time, now))?;
    Ok(done())
}
