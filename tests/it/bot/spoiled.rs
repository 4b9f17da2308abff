//! Moves whose answers are spoiled: each is played exactly once, and the game goes on.

use std::time::Duration;

use rookery::bot::BotOptions;

use super::relay::{Fate, Relay};
use super::support::*;

/// Cleo plays three moves. The answer to the bot's second move is spoiled so often in this way.
async fn play(fate: Fate, times: usize, change: impl FnOnce(&mut BotOptions)) {
    let server = Server::start().await;
    let relay = Relay::to(server.sandbox.addr()).await;
    let mut options = bot_options(&relay.url(), "tok_ada");
    options.client.move_timeout = Duration::from_millis(300);
    options.client.move_rate_limit_wait = Duration::from_millis(5);
    change(&mut options);
    let ada = Bot::start(options);
    let cleo = Player::cleo(&server);
    let game = server.game("Cleo", "ada");
    let (mut seat, _) = cleo.sit(&game).await;
    seat.play("e2e4").await;
    seat.until_ply(2).await;
    relay.spoil("/move/", fate, times);
    for (round, uci) in ["d2d4", "g1f3"].into_iter().enumerate() {
        seat.play(uci).await;
        let state = seat.until_ply(2 * round + 4).await;
        assert_eq!(state.moves().count(), 2 * round + 4, "{fate:?}: {state:?}");
    }
    assert!(relay.is_spoiled(), "{fate:?}");
    cleo.client.resign(&game).await.unwrap();
    assert_eq!(ada.drain().await.wins, 1, "{fate:?}");
    server.stop().await;
}

#[tokio::test]
async fn a_move_that_the_server_never_saw_is_sent_again() {
    play(Fate::Instead("502 Bad Gateway"), 3, |_| {}).await;
}

#[tokio::test]
async fn too_many_requests_cost_no_move() {
    play(Fate::Instead("429 Too Many Requests"), 1, |_| {}).await;
    play(Fate::Instead("429 Too Many Requests"), 5, |options| {
        options.client.rate_limit_wait = Duration::from_millis(20);
    })
    .await;
}

#[tokio::test]
async fn a_move_that_counted_is_not_played_twice() {
    for fate in [
        Fate::Afterwards("504 Gateway Timeout"),
        Fate::Afterwards("400 Bad Request"),
        Fate::Lost,
        Fate::Hangs,
    ] {
        play(fate, 1, |_| {}).await;
    }
}

#[tokio::test]
async fn a_refusal_without_a_reason_is_looked_into() {
    play(Fate::Instead("400 Bad Request"), 2, |_| {}).await;
}

#[tokio::test]
async fn a_chat_that_fails_disturbs_nothing() {
    let server = Server::start().await;
    let relay = Relay::to(server.sandbox.addr()).await;
    relay.spoil("/chat", Fate::Instead("400 Bad Request"), 1);
    let mut options = bot_options(&relay.url(), "tok_ada");
    options.games.greeting = Some("Good luck!".to_owned());
    let ada = Bot::start(options);
    let cleo = Player::cleo(&server);
    let game = server.game("Cleo", "ada");
    let (mut seat, _) = cleo.sit(&game).await;
    seat.play("e2e4").await;
    seat.until_ply(2).await;
    wait_for("the chat", || relay.is_spoiled().then_some(())).await;
    seat.play("d2d4").await;
    seat.until_ply(4).await;
    cleo.client.resign(&game).await.unwrap();
    assert_eq!(ada.drain().await.wins, 1);
    server.stop().await;
}

#[tokio::test]
async fn an_acceptance_that_is_refused_keeps_no_place() {
    use rookery::chess::Variant;
    use rookery::lichess::{ChallengeRequest, ColorWish, TimeControl};
    let server = Server::start().await;
    let relay = Relay::to(server.sandbox.addr()).await;
    relay.spoil("/accept", Fate::Instead("404 Not Found"), 1);
    let mut options = bot_options(&relay.url(), "tok_ada");
    options.challenges.max_games = 1;
    let ada = Bot::start(options);
    let request = ChallengeRequest {
        rated: false,
        time: TimeControl::Clock { limit: Duration::from_secs(180), increment: Duration::ZERO },
        color: ColorWish::White,
        variant: Variant::Standard,
        fen: None,
    };
    let (cleo, bob) = (Player::cleo(&server), Player::new(&server.sandbox.url(), "tok_bob"));
    let to = "ada".parse().unwrap();
    cleo.client.create_challenge(&to, &request).await.unwrap();
    wait_for("the acceptance", || relay.is_spoiled().then_some(())).await;
    let second = bob.client.create_challenge(&to, &request).await.unwrap();
    let game = second.id.game();
    wait_for("bob's game", || server.sandbox.games().into_iter().find(|summary| summary.id == game.as_str()))
        .await;
    bob.client.abort(&game).await.unwrap();
    assert_eq!(ada.drain().await.aborted, 1);
    server.stop().await;
}
