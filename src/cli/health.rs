//! `/healthz` over HTTP: whether the bot hears its server, for whoever restarts it if it does not.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use axum::routing::get;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::exit::{Exit, Failure};
use crate::bot::{Health, Silence};
use crate::config::HealthSettings;

/// Answers until the program ends; for ever does nothing if nobody wants to know.
pub(crate) async fn serve(settings: HealthSettings, health: Health) -> Result<(), Failure> {
    let Some(address) = settings.listen else { return std::future::pending().await };
    let listener = TcpListener::bind(address).await.map_err(|e| failure(address, e))?;
    let answer = move || {
        let health = health.clone();
        async move { answer(&health.silence(), settings.silence) }
    };
    let router = Router::new().route("/healthz", get(answer));
    axum::serve(listener, router).await.map_err(|e| failure(address, e))
}

fn failure(address: SocketAddr, error: std::io::Error) -> Failure {
    Failure::because(Exit::Failed, format!("cannot tell about health at {address}"), error)
}

fn answer(silence: &Silence, limit: Duration) -> (StatusCode, String) {
    let good = silence.is_shorter_than(limit);
    let games: Vec<Value> = silence
        .games
        .iter()
        .map(|(game, silent)| json!({ "game": game.as_str(), "silentSeconds": silent.as_secs() }))
        .collect();
    let body = json!({ "good": good, "silentSeconds": silence.account.map(|silent| silent.as_secs()), "games": games });
    let status = if good { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, format!("{body}\n"))
}
