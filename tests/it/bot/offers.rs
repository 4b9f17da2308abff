//! Draws, takebacks, and opponents who are not there.

use std::time::Duration;

use rookery::bot::DrawWindow;
use rookery::lichess::{Answer, Status};

use super::support::*;

#[tokio::test]
async fn a_draw_is_accepted_when_the_game_is_level() {
    let server = Server::start().await;
    let ada = Bot::ada(&server, |options| {
        options.games.accept_draws = Some(DrawWindow { score: 30_000, moves: 1 });
    });
    let cleo = Player::cleo(&server);
    let game = server.game("Cleo", "ada");
    let (mut seat, _) = cleo.sit(&game).await;
    seat.play("e2e4").await;
    seat.until_ply(2).await;
    cleo.client.draw(&game, Answer::Yes).await.unwrap();
    seat.play("g1f3").await;
    let last = seat.until(|state| state.status.is_over() || state.moves().count() >= 4).await;
    assert_eq!(last.status, Status::Draw, "{last:?}");
    assert_eq!(ada.drain().await.draws, 1);
    server.stop().await;
}

#[tokio::test]
async fn a_takeback_is_granted_by_policy_and_the_game_goes_on() {
    let server = Server::with(|options| {
        for user in &mut options.users {
            user.accepts_takebacks = true;
        }
    })
    .await;
    let ada = Bot::ada(&server, |options| options.games.takebacks = 1);
    let cleo = Player::cleo(&server);
    let game = server.game("Cleo", "ada");
    let (mut seat, _) = cleo.sit(&game).await;
    seat.play("e2e4").await;
    seat.until_ply(2).await;
    seat.play("d1h5").await;
    seat.until_ply(4).await;
    cleo.client.takeback(&game, Answer::Yes).await.unwrap();
    let back = seat.until(|state| state.moves().count() == 2).await;
    assert!(back.moves.starts_with("e2e4 "));
    seat.play("g1f3").await;
    let on = seat.until_ply(4).await;
    assert_eq!(on.moves().nth(2), Some("g1f3"));
    cleo.client.resign(&game).await.unwrap();
    assert_eq!(ada.drain().await.wins, 1);
    server.stop().await;
}

#[tokio::test]
async fn a_game_that_is_not_begun_is_called_off() {
    let server = Server::start().await;
    let ada = Bot::ada(&server, |options| options.games.abort_after = Duration::from_millis(50));
    let game = server.game("Cleo", "ada");
    assert_eq!(server.until_over(&game).await.status, "aborted");
    assert_eq!(ada.drain().await.aborted, 1);
    server.stop().await;
}

#[tokio::test]
async fn the_win_over_somebody_who_left_is_claimed() {
    let server = Server::with(|options| {
        options.gone_after = Duration::from_millis(20);
        options.gone_report = Duration::from_millis(20);
        options.gone_repeat = Duration::from_millis(50);
        options.gone_patience = Duration::from_millis(100);
    })
    .await;
    let ada = Bot::ada(&server, |_| {});
    let cleo = Player::cleo(&server);
    let game = server.game("Cleo", "ada");
    let (mut seat, _) = cleo.sit(&game).await;
    seat.play("e2e4").await;
    seat.until_ply(2).await;
    seat.play("d2d4").await;
    seat.until_ply(4).await;
    drop(seat);
    assert_eq!(server.until_over(&game).await.status, "timeout");
    assert_eq!(ada.drain().await.wins, 1);
    server.stop().await;
}
