//! The table of routes, by what they ask of a token.

use std::sync::Arc;

use axum::Router;
use axum::middleware;
use axum::routing::{delete, get, post};

use super::answer::Failure;
use super::auth::{Demand, authorize};
use super::play::Interface;
use super::{Shared, accounts, arbiter, control, games, lobby, play, spoil};
use crate::sandbox::Scope;

type Routes = Router<Arc<Shared>>;

/// Everything that the sandbox serves.
pub(super) fn router(shared: &Arc<Shared>) -> Router {
    let guarded = |routes: Routes, scopes: &'static [Scope]| {
        let demand = Demand { shared: Arc::clone(shared), scopes };
        routes.route_layer(middleware::from_fn_with_state(demand, authorize))
    };
    let challenge_scopes = &[Scope::ChallengeWrite, Scope::BotPlay, Scope::BoardPlay];
    Router::new()
        .merge(public())
        .merge(guarded(account(), &[]))
        .merge(guarded(events(), &[Scope::BotPlay, Scope::BoardPlay, Scope::ChallengeRead]))
        .merge(guarded(game(Interface::Bot), &[Scope::BotPlay]))
        .merge(guarded(game(Interface::Board), &[Scope::BoardPlay]))
        .merge(guarded(upgrade(), &[Scope::BotPlay]))
        .merge(guarded(challenges(), challenge_scopes))
        .merge(guarded(challenge_list(), &[Scope::ChallengeRead]))
        .merge(guarded(add_time(), &[Scope::ChallengeWrite]))
        .merge(guarded(office(), &[Scope::BotPlay, Scope::BoardPlay]))
        .fallback(no_route)
        .method_not_allowed_fallback(no_route)
        .layer(middleware::from_fn_with_state(Arc::clone(shared), spoil::pass))
        .with_state(Arc::clone(shared))
}

fn public() -> Routes {
    Router::new()
        .route("/api/bot/online", get(accounts::online_bots))
        .route("/api/users/status", get(accounts::users_status))
        .route("/api/users", post(accounts::users))
        .route("/api/user/{name}", get(accounts::user))
        .route("/api/token/test", post(accounts::test_tokens))
        .route("/api/game/{id}/chat", get(games::spectator_chat))
        .route("/game/export/{id}", get(games::export))
        .route("/api/games/user/{name}", get(games::user_games))
        .route("/sandbox/game/{id}/arbiter", get(arbiter::sheet))
        .route("/sandbox/standings", get(arbiter::standings))
        .route("/sandbox/standings.txt", get(arbiter::standings_table))
        .route(spoil::CONTROL, get(control::report).post(control::add).delete(control::clear))
        .route("/sandbox/faults/{id}", delete(control::remove))
        .route("/sandbox/scoresheets", post(arbiter::scoresheets))
}

fn account() -> Routes {
    Router::new()
        .route("/api/account", get(accounts::own_account))
        .route("/api/account/playing", get(accounts::playing))
}

fn events() -> Routes {
    Router::new().route("/api/stream/event", get(lobby::event_stream))
}

fn upgrade() -> Routes {
    Router::new().route("/api/bot/account/upgrade", post(accounts::upgrade))
}

fn game(interface: Interface) -> Routes {
    let base = interface.base();
    let path = |rest: &str| format!("/api/{base}/game/{rest}");
    Router::new()
        .route(&path("stream/{id}"), get(play::stream))
        .route(&path("{id}/move/{uci}"), post(play::make_move))
        .route(&path("{id}/chat"), get(play::chat).post(play::say))
        .route(&path("{id}/draw/{answer}"), post(play::draw))
        .route(&path("{id}/takeback/{answer}"), post(play::takeback))
        .route(&path("{id}/{*command}"), post(play::command))
        .layer(axum::Extension(interface))
}

fn challenges() -> Routes {
    Router::new()
        .route("/api/challenge/ai", post(lobby::challenge_ai))
        .route("/api/challenge/{name}", post(lobby::challenge))
        .route("/api/challenge/{name}/accept", post(lobby::accept))
        .route("/api/challenge/{name}/decline", post(lobby::decline))
        .route("/api/challenge/{name}/cancel", post(lobby::cancel))
        // Lichess has no such route: there, people offer rematches on the board.
        .route("/sandbox/rematch/{name}", post(lobby::rematch))
}

fn challenge_list() -> Routes {
    Router::new()
        .route("/api/challenge", get(lobby::list))
        .route("/api/challenge/{name}/show", get(lobby::show))
}

fn add_time() -> Routes {
    Router::new().route("/api/round/{id}/add-time/{seconds}", post(play::add_time))
}

/// What Lichess does not have: an arbiter.
fn office() -> Routes {
    let path = |rest: &str| format!("/sandbox/game/{{id}}/arbiter/{rest}");
    Router::new()
        .route(&path("claim/{rule}"), post(arbiter::claim))
        .route(&path("adjourn"), post(arbiter::adjourn))
        .route(&path("resume"), post(arbiter::resume))
        .route(&path("report/{what}"), post(arbiter::report))
        .route(&path("forfeit/{side}"), post(arbiter::forfeit))
        .route(&path("penalty/{side}"), post(arbiter::penalty))
        .route(&path("quiet-moves/{number}"), post(arbiter::quiet_moves))
        .route("/sandbox/round", post(arbiter::round))
}

async fn no_route() -> Failure {
    Failure::NoRoute
}
