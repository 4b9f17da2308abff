//! Who is there, who has left, and what may be claimed then.

use std::time::Duration;

use rookery::sandbox::SandboxOptions;
use serde_json::json;

use super::support::{Server, options};

fn impatient(patience: Duration) -> SandboxOptions {
    SandboxOptions {
        gone_after: Duration::from_millis(5),
        gone_report: Duration::from_millis(5),
        gone_repeat: Duration::from_millis(10),
        gone_patience: patience,
        ..options()
    }
}

#[tokio::test]
async fn an_absent_opponent_is_counted_down_and_may_come_back() {
    let server = Server::with(impatient(Duration::from_secs(60))).await;
    let game = server.game();
    server.play(&game, "e2e4 e7e5").await;
    let (_, bob) = server.bob().watch(&game).await;
    let (_, mut ada) = server.ada().watch(&game).await;
    drop(bob);
    for _ in 0..2 {
        let gone = ada.next_of("opponentGone").await;
        assert_eq!(gone["gone"], true);
        assert!((50..=60).contains(&gone["claimWinInSeconds"].as_u64().unwrap()), "{gone}");
    }
    let (_, _bob) = server.bob().watch(&game).await;
    loop {
        let line = ada.next_of("opponentGone").await;
        if line["gone"] == false {
            assert_eq!(line, json!({"type": "opponentGone", "gone": false}));
            break;
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn the_win_can_be_claimed_when_the_count_is_zero_and_it_is_not_our_turn() {
    for (claim, winner) in [("claim-victory", json!("black")), ("claim-draw", json!(null))] {
        let server = Server::with(impatient(Duration::from_millis(20))).await;
        let game = server.game();
        server.play(&game, "e2e4 e7e5").await;
        let (full, mut bob) = server.bob().watch(&game).await;
        while bob.next_of("opponentGone").await["claimWinInSeconds"] != 0 {}
        server.ada().command(&game, claim).await; // its own turn: nothing happens
        assert!(server.sandbox.games()[0].live);
        server.bob().command(&game, claim).await;
        let state = bob.last_state(&full).await;
        assert_eq!((&state["status"], &state["winner"]), (&json!("timeout"), &winner));
        server.stop().await;
    }
}

#[tokio::test]
async fn nothing_can_be_claimed_while_the_opponent_is_there() {
    let server = Server::with(impatient(Duration::ZERO)).await;
    let game = server.game();
    let (_, _ada) = server.ada().watch(&game).await;
    server.play(&game, "e2e4 e7e5").await;
    let (status, text) = server.bob().refused(&game, "claim-victory").await;
    assert_eq!((status, text.as_str()), (400, "You cannot claim the win on this game"));
    let (status, text) = server.bob().refused(&game, "claim-draw").await;
    assert_eq!((status, text.as_str()), (400, "You cannot claim draw on this game"));
    server.stop().await;
}
