//! The first contact with the server.

use std::error::Error;

use rookery::bot::{BotError, Phase};
use rookery::sandbox::Sandbox;
use tokio::net::TcpListener;

use super::relay::Relay;
use super::support::*;

#[tokio::test]
async fn an_unknown_token_ends_the_bot_with_a_clear_word() {
    let server = Server::start().await;
    let bot = Bot::start(bot_options(&server.sandbox.url(), "tok_nobody"));
    let error = bot.end().await.unwrap_err();
    assert!(matches!(error, BotError::Refused(_)), "{error:?}");
    let told = format!("{error}: {}", error.source().unwrap());
    assert!(told.contains("token"), "{told}");
    assert!(!told.contains("tok_nobody"), "{told}");
    server.stop().await;
}

#[tokio::test]
async fn an_account_without_the_title_is_told_how_to_get_it() {
    let server = Server::start().await;
    let bot = Bot::start(bot_options(&server.sandbox.url(), "tok_hugo"));
    let error = bot.end().await.unwrap_err();
    assert!(error.to_string().contains("Hugo is not a BOT account"), "{error}");
    assert!(error.to_string().contains("rookery upgrade"), "{error}");
    server.stop().await;
}

#[tokio::test]
async fn a_server_that_is_down_is_waited_for() {
    // A port that nobody listens on until later.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let addr = listener.local_addr().unwrap();
    let relay = Relay::to(addr).await;
    drop(listener);
    let ada = Bot::start(bot_options(&relay.url(), "tok_ada"));
    wait_for("some attempts", || (relay.connections() >= 3).then_some(())).await;
    let listener = TcpListener::bind(addr).await.unwrap();
    let server = Server { sandbox: Sandbox::start(sandbox_options(), listener).await.unwrap() };
    let cleo = Player::cleo(&server);
    let game = server.game("ada", "Cleo");
    server.until(&game, |summary| summary.plies == 1).await;
    cleo.client.abort(&game).await.unwrap();
    assert_eq!(ada.drain().await.aborted, 1);
    server.stop().await;
}

#[tokio::test]
async fn a_bot_that_waits_for_its_server_can_be_ended() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let addr = listener.local_addr().unwrap();
    drop(listener);
    let ada = Bot::start(bot_options(&format!("http://{addr}"), "tok_ada"));
    ada.enter(Phase::Draining);
    assert_eq!(ada.end().await.unwrap().games(), 0);
}
