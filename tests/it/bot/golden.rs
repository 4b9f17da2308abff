//! A game that was played over HTTP is decided again. The corpus of recordings stands in `crate::golden`.

use std::path::Path;
use std::time::Duration;

use rookery::lichess::Answer;
use rookery::replay;

use super::relay::Relay;
use super::support::*;

#[tokio::test]
async fn a_game_that_was_just_played_replays_exactly() {
    let (_dir, records) = record_dir();
    let game = record(&records).await;
    let file = |name: &str| records.join(format!("{name}.ndjson"));
    for name in [&game, "account"] {
        let report = replay::replay(&file(name)).unwrap();
        assert!(report.is_same() && report.gap.is_none() && report.unfinished.is_empty(), "{name}: {report}");
        assert!(report.inputs >= 4, "{name}: {report}");
    }
    let text = std::fs::read_to_string(file(&game)).unwrap();
    let wanted = [r#""stream":"opened""#, r#""stream":"lost""#, r#""answer":"{\"ok\":true}""#];
    for part in wanted {
        assert!(text.contains(part), "no {part} in the recording");
    }
}

/// Nobody is mated here in a dozen plies, whatever the bot plays.
const PAWNS: &str = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1";

/// A game with much in it: a takeback, an offer, a broken connection, and the opponent's end.
async fn record(records: &Path) -> String {
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
    options.record_dir = Some(records.to_owned());
    let ada = Bot::start(options);
    let cleo = Player::cleo(&server);
    let game = server.game_with("Cleo", "ada", |setup| setup.fen = Some(PAWNS.to_owned()));
    let (mut seat, state) = cleo.sit(&game).await;
    seat.play_first(&state).await;
    let state = seat.until_ply(2).await;
    seat.play_first(&state).await;
    seat.until_ply(4).await;
    cleo.client.takeback(&game, Answer::Yes).await.unwrap();
    let mut state = seat.until(|state| state.moves().count() == 2).await;
    cleo.client.draw(&game, Answer::Yes).await.unwrap();
    for round in 0..5 {
        seat.play_first(&state).await;
        state = seat.until_ply(2 * round + 4).await;
        if round == 2 {
            relay.cut();
        }
    }
    cleo.client.resign(&game).await.unwrap();
    assert_eq!(ada.drain().await.wins, 1);
    server.stop().await;
    game.to_string()
}
