//! `kill -9` of the daemon in the middle of its games: started again, it goes on with all of them.

use std::path::Path;
use std::time::{Duration, Instant};

use rookery::sandbox::{GameSetup, GameSummary, Sandbox, SandboxOptions, UserSpec};
use tokio::net::TcpListener;

use crate::daemon::{Daemon, Start};

/// A game of some 150 plies at 20 ms a move takes a few seconds; on a busy machine much more.
const PATIENCE: Duration = Duration::from_secs(240);

/// A daemon that records into this directory.
fn daemon(url: &str, token: &str, records: &Path) -> Daemon {
    let start = Start::run(url, token).set("record.dir", &records.display().to_string());
    start.set("challenges.max_games", "8").set("challenges.max_games_per_opponent", "8").spawn()
}

/// Waits until all games are as wanted, and returns them.
async fn games_that(sandbox: &Sandbox, wanted: impl Fn(&GameSummary) -> bool) -> Vec<GameSummary> {
    let give_up = Instant::now() + PATIENCE;
    loop {
        let games = sandbox.games();
        if games.iter().all(&wanted) {
            return games;
        }
        assert!(Instant::now() < give_up, "after {PATIENCE:?}: {games:?}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e16_a_killed_daemon_goes_on_with_its_games() {
    let options = SandboxOptions {
        users: vec![UserSpec::bot("victim", "tok_victim"), UserSpec::bot("other", "tok_other")],
        ..SandboxOptions::default()
    };
    let sandbox = Sandbox::start(options, TcpListener::bind("127.0.0.1:0").await.unwrap()).await.unwrap();
    let records = tempfile::tempdir().unwrap();
    let (ours, theirs) = (records.path().join("victim"), records.path().join("other"));
    let _other = daemon(&sandbox.url(), "tok_other", &theirs);
    let mut victim = daemon(&sandbox.url(), "tok_victim", &ours);
    let clock = (Duration::from_secs(60), Duration::from_secs(1));
    for game in 0..4 {
        let (white, black) = if game % 2 == 0 { ("victim", "other") } else { ("other", "victim") };
        sandbox.create_game(&GameSetup::new(white, black, clock.0, clock.1)).unwrap();
    }
    let before = games_that(&sandbox, |game| game.plies >= 8).await;
    victim.kill();
    assert!(
        before.iter().any(|game| game.live),
        "the games were over before the daemon was killed: {before:?}"
    );

    let mut victim = daemon(&sandbox.url(), "tok_victim", &ours);
    let after = games_that(&sandbox, |game| !game.live).await;
    for game in after {
        assert!(
            ["mate", "draw", "stalemate"].contains(&game.status),
            "a game ended for another reason than its moves: {game:?}"
        );
    }
    for game in before {
        assert_replays(&ours.join(format!("{}.ndjson", game.id)));
    }
    victim.kill();
    sandbox.stop().await;
}

/// Both lives of the daemon are in the recording, the first one perhaps cut off.
fn assert_replays(recording: &Path) {
    let report = rookery::replay::replay(recording).unwrap();
    assert!(report.is_same() && report.parts >= 1, "{}: {report}", recording.display());
}
