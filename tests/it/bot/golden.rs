//! A game that was played over HTTP is decided again. The corpus of recordings stands in `crate::golden`.

use std::path::Path;
use std::time::Duration;

use rookery::lichess::Answer;
use rookery::replay;

use super::relay::Relay;
use super::support::*;

#[tokio::test]
async fn a_game_that_was_just_played_replays_exactly() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("game.ndjson");
    record(&file).await;
    let report = replay::replay(&file).unwrap();
    assert!(report.is_same() && report.gap.is_none() && report.unfinished.is_empty(), "{report}");
}

/// A game with much in it: a takeback, an offer, a broken connection, and the opponent's end.
async fn record(file: &Path) {
    let (_dir, records) = record_dir();
    let server = Server::with(|options| {
        for user in &mut options.users {
            user.accepts_takebacks = true;
        }
    })
    .await;
    let relay = Relay::to(server.sandbox.addr()).await;
    let mut options = bot_options(&relay.url(), "tok_ada");
    options.games.takebacks = 1;
    options.games.greeting = Some("Good luck!".to_owned());
    options.games.abort_after = Duration::from_secs(30);
    options.record_dir = Some(records.clone());
    let ada = Bot::start(options);
    let cleo = Player::cleo(&server);
    let game = server.game("Cleo", "ada");
    let (mut seat, _) = cleo.sit(&game).await;
    seat.play("e2e4").await;
    seat.until_ply(2).await;
    seat.play("d1h5").await;
    seat.until_ply(4).await;
    cleo.client.takeback(&game, Answer::Yes).await.unwrap();
    seat.until(|state| state.moves().count() == 2).await;
    cleo.client.draw(&game, Answer::Yes).await.unwrap();
    for (round, uci) in ["d2d4", "g1h3", "a2a3", "b2b3", "c2c3"].into_iter().enumerate() {
        seat.play(uci).await;
        seat.until_ply(2 * round + 4).await;
        if round == 2 {
            relay.cut();
        }
    }
    cleo.client.resign(&game).await.unwrap();
    assert_eq!(ada.drain().await.wins, 1);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::copy(records.join(format!("{game}.ndjson")), file).unwrap();
    server.stop().await;
}
