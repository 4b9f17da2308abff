//! `kill -9` of the daemon in the middle of its games: started again, it goes on with all of them.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rookery::sandbox::{GameSetup, GameSummary, Sandbox, SandboxOptions, UserSpec};
use tokio::net::TcpListener;

/// A game of some 150 plies at 20 ms a move takes a few seconds; on a busy machine much more.
const PATIENCE: Duration = Duration::from_secs(240);

/// A daemon that dies with the test.
struct Daemon(Child);

impl Daemon {
    fn start(url: &str, token: &str, records: &Path) -> Daemon {
        let settings = [
            format!("lichess.url={url}"),
            format!("record.dir={}", records.display()),
            "engine.threads=1".to_owned(),
            "engine.hash_mib=16".to_owned(),
            "thinking.time_ms=20".to_owned(),
            "challenges.max_games=8".to_owned(),
            "challenges.max_games_per_opponent=8".to_owned(),
        ];
        let mut command = Command::new(env!("CARGO_BIN_EXE_rookery"));
        command.arg("run").env("ROOKERY_TOKEN", token).env_remove("ROOKERY_CONFIG");
        for setting in settings {
            command.args(["--set", &setting]);
        }
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::inherit()).spawn();
        Daemon(child.unwrap())
    }

    /// SIGKILL: nothing is handed over, flushed or said.
    fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        if self.0.try_wait().is_ok_and(|ended| ended.is_none()) {
            self.kill();
        }
    }
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
async fn a_killed_daemon_goes_on_with_its_games() {
    let options = SandboxOptions {
        users: vec![UserSpec::bot("victim", "tok_victim"), UserSpec::bot("other", "tok_other")],
        ..SandboxOptions::default()
    };
    let sandbox = Sandbox::start(options, TcpListener::bind("127.0.0.1:0").await.unwrap()).await.unwrap();
    let records = tempfile::tempdir().unwrap();
    let (ours, theirs) = (records.path().join("victim"), records.path().join("other"));
    let _other = Daemon::start(&sandbox.url(), "tok_other", &theirs);
    let mut victim = Daemon::start(&sandbox.url(), "tok_victim", &ours);
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

    let mut victim = Daemon::start(&sandbox.url(), "tok_victim", &ours);
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
