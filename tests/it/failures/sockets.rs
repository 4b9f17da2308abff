//! The daemon as a process over many games: what it holds open of the system stays what it was.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rookery::sandbox::{GameSetup, RequestLimits, Sandbox, SandboxOptions, UserSpec};
use tokio::net::TcpListener;

use crate::bot::support::{Player, Server, wait_for};

/// Games in all; by hand more can be asked for.
const GAMES: usize = 60;

/// A daemon that dies with the test.
struct Daemon(Child);

impl Daemon {
    fn start(url: &str) -> Daemon {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rookery"));
        command.arg("run").env("ROOKERY_TOKEN", "tok_ada").env_remove("ROOKERY_CONFIG");
        let url = format!("lichess.url={url}");
        for setting in [url.as_str(), "engine.threads=1", "engine.hash_mib=1", "thinking.time_ms=1"] {
            command.args(["--set", setting]);
        }
        Daemon(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }

    /// Open descriptors and threads; none where the system does not show them.
    fn holds(&self) -> Option<(usize, usize)> {
        let count = |what: &str| -> Option<usize> {
            let dir: PathBuf = Path::new("/proc").join(self.0.id().to_string()).join(what);
            Some(std::fs::read_dir(dir).ok()?.count())
        };
        Some((count("fd")?, count("task")?))
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a20_games_that_are_over_leave_no_socket_behind() {
    let options = SandboxOptions {
        users: vec![UserSpec::bot("ada", "tok_ada"), UserSpec::bot("Cleo", "tok_cleo")],
        limits: RequestLimits::NONE,
        tick: Duration::from_millis(2),
        seed: Some(1),
        ..SandboxOptions::default()
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let server = Server { sandbox: Sandbox::start(options, listener).await.unwrap() };
    let daemon = Daemon::start(&server.sandbox.url());
    let cleo = Player::cleo(&server);
    let mut early = None;
    for number in 1..=GAMES {
        let setup = GameSetup::new("ada", "Cleo", Duration::from_secs(60), Duration::ZERO);
        let game = server.sandbox.create_game(&setup).unwrap().parse().unwrap();
        server.until(&game, |summary| summary.plies == 1).await;
        cleo.client.abort(&game).await.unwrap();
        if number == 5 {
            early = daemon.holds();
        }
    }
    let Some((descriptors, threads)) = early else { return };
    // The last game's stream may still be closing.
    wait_for("the sockets to be closed", || {
        let (now, tasks) = daemon.holds()?;
        (now <= descriptors + 2 && tasks <= threads + 2).then_some(())
    })
    .await;
    server.stop().await;
}
