//! How the bot ends.

use rookery::bot::Phase;
use rookery::chess::Variant;
use rookery::lichess::{AccountEvent, ChallengeRequest, ColorWish, StreamItem, TimeControl};
use std::time::Duration;
use tokio::time::timeout;

use super::support::*;

#[tokio::test]
async fn draining_declines_new_games_and_finishes_the_running_one() {
    let server = Server::start().await;
    let ada = Bot::ada(&server, |_| {});
    let cleo = Player::cleo(&server);
    let game = server.game("Cleo", "ada");
    let (mut seat, _) = cleo.sit(&game).await;
    seat.play("e2e4").await;
    seat.until_ply(2).await;
    ada.enter(Phase::Draining);
    let bob = Player::new(&server.sandbox.url(), "tok_bob");
    let mut events = bob.client.event_stream();
    let open = async { while !matches!(events.next().await, StreamItem::Connected) {} };
    timeout(PATIENCE, open).await.unwrap();
    let request = ChallengeRequest {
        rated: false,
        time: TimeControl::Clock { limit: Duration::from_secs(60), increment: Duration::ZERO },
        color: ColorWish::Random,
        variant: Variant::Standard,
        fen: None,
    };
    bob.client.create_challenge(&"ada".parse().unwrap(), &request).await.unwrap();
    let answer = async {
        loop {
            if let StreamItem::Event { event: AccountEvent::ChallengeDeclined(challenge), .. } =
                events.next().await
            {
                return challenge;
            }
        }
    };
    let answer = timeout(PATIENCE, answer).await.unwrap();
    assert_eq!(answer.decline_reason.as_deref(), Some("later"));
    seat.play("d2d4").await;
    seat.until_ply(4).await;
    cleo.client.resign(&game).await.unwrap();
    assert_eq!(ada.end().await.unwrap().wins, 1);
    drop(events);
    server.stop().await;
}

#[tokio::test]
async fn an_idle_bot_ends_at_once() {
    let server = Server::start().await;
    let ada = Bot::ada(&server, |_| {});
    assert_eq!(ada.drain().await.games(), 0);
    server.stop().await;
}

#[tokio::test]
async fn stopping_leaves_the_game_after_the_move_that_is_ready() {
    let server = Server::start().await;
    let ada = Bot::ada(&server, |options| options.thinking.fixed = None);
    let cleo = Player::cleo(&server);
    let game = server.game("Cleo", "ada");
    let (mut seat, _) = cleo.sit(&game).await;
    for (round, uci) in ["e2e4", "d2d4"].into_iter().enumerate() {
        seat.play(uci).await;
        seat.until_ply(2 * round + 2).await;
    }
    // From here on the bot thinks for seconds.
    seat.play("g1f3").await;
    seat.until_ply(5).await;
    ada.enter(Phase::Stopping);
    let summary = ada.end().await.unwrap();
    assert_eq!((summary.games(), summary.left), (0, 1));
    let left = server.summary(&game);
    assert!(left.live, "{left:?}");
    server.stop().await;
}

#[tokio::test]
async fn the_time_for_running_games_is_bounded() {
    let server = Server::start().await;
    let ada = Bot::ada(&server, |options| options.shutdown_grace = Duration::from_millis(50));
    let cleo = Player::cleo(&server);
    let game = server.game("Cleo", "ada");
    let (mut seat, _) = cleo.sit(&game).await;
    seat.play("e2e4").await;
    seat.until_ply(2).await;
    assert_eq!(ada.drain().await.left, 1);
    assert!(server.summary(&game).live);
    server.stop().await;
}
