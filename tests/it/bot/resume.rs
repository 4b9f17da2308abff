//! Games survive broken connections and restarts.

use super::relay::Relay;
use super::support::*;

#[tokio::test]
async fn cut_streams_are_opened_again_and_the_game_goes_on() {
    let server = Server::start().await;
    let relay = Relay::to(server.sandbox.addr()).await;
    let ada = Bot::start(bot_options(&relay.url(), "tok_ada"));
    let cleo = Player::cleo(&server);
    let game = server.game("Cleo", "ada");
    let (mut seat, _) = cleo.sit(&game).await;
    for (round, uci) in ["e2e4", "d2d4", "g1f3", "f1e2"].into_iter().enumerate() {
        seat.play(uci).await;
        seat.until_ply(2 * round + 2).await;
        relay.cut();
    }
    assert!(relay.connections() > 4, "nothing was cut");
    cleo.client.resign(&game).await.unwrap();
    assert_eq!(ada.drain().await.wins, 1);
    server.stop().await;
}

/// The connections are cut while it is the bot's turn, again and again: no move may be lost or doubled.
#[tokio::test]
async fn cuts_at_any_moment_cost_no_game() {
    let server = Server::start().await;
    let relay = Relay::to(server.sandbox.addr()).await;
    let ada = Bot::start(bot_options(&relay.url(), "tok_ada"));
    let bob = Bot::bob(&server);
    let game = server.game("ada", "bob");
    let mut seen = 0;
    while server.summary(&game).live {
        let summary = server.until(&game, |summary| !summary.live || summary.plies >= seen + 5).await;
        seen = summary.plies;
        relay.cut();
    }
    let over = server.summary(&game);
    assert!(["mate", "draw", "stalemate"].contains(&over.status), "{over:?}");
    assert_eq!(ada.drain().await.games(), 1);
    bob.drain().await;
    server.stop().await;
}

#[tokio::test]
async fn a_killed_bot_takes_its_games_up_again_at_the_next_start() {
    let server = Server::start().await;
    let first = Bot::ada(&server, |_| {});
    let cleo = Player::cleo(&server);
    let games = [server.game("Cleo", "ada"), server.game("ada", "Cleo")];
    let (mut white, _) = cleo.sit(&games[0]).await;
    white.play("e2e4").await;
    white.until_ply(2).await;
    let (mut black, state) = cleo.sit(&games[1]).await;
    if state.moves.is_empty() {
        black.until_ply(1).await;
    }
    first.kill().await;
    // While nobody is there, Cleo moves in both games.
    white.play("d2d4").await;
    black.play("e7e5").await;
    let second = Bot::ada(&server, |_| {});
    white.until_ply(4).await;
    black.until_ply(3).await;
    for game in &games {
        cleo.client.resign(game).await.unwrap();
    }
    assert_eq!(second.drain().await.wins, 2);
    server.stop().await;
}
