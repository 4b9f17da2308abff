//! A recorded game stands in the repository: whatever decides differently since then shows here.
//!
//! `UPDATE_GOLDEN=1 cargo test --test it golden` plays and records it anew.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rookery::lichess::Answer;
use rookery::replay::{self, ReplayReport};

use super::relay::Relay;
use super::support::*;

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/recordings/game.ndjson")
}

#[tokio::test]
async fn the_recorded_game_is_decided_as_it_was() {
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        record(&golden()).await;
    }
    let report = replay::replay(&golden()).unwrap();
    assert!(report.is_same() && report.gap.is_none() && report.unfinished.is_empty(), "{report}");
    assert!(report.effects > 15, "{report}");
}

#[tokio::test]
async fn a_game_that_was_just_played_replays_exactly() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("game.ndjson");
    record(&file).await;
    let report = replay::replay(&file).unwrap();
    assert!(report.is_same() && report.gap.is_none() && report.unfinished.is_empty(), "{report}");
}

#[test]
fn a_recording_that_was_tampered_with_is_found_out() {
    let text = std::fs::read_to_string(golden()).unwrap();
    let replayed = |text: &str| -> ReplayReport { replay::replay_from(text.as_bytes()).unwrap() };
    assert!(replayed(&text).is_same());
    let (line, _) = text.lines().enumerate().find(|(_, line)| line.contains("\"effect\":\"post\"")).unwrap();
    let other: Vec<String> = text
        .lines()
        .enumerate()
        .map(|(at, text)| {
            if at == line {
                text.replace("\"offerDraw\":false", "\"offerDraw\":true")
            } else {
                text.to_owned()
            }
        })
        .collect();
    let report = replayed(&other.join("\n"));
    // The effects stand below their input.
    assert_eq!(report.difference.map(|difference| difference.line), Some(line));
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
