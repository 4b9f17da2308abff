//! Starting and stopping a sandbox.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::serve::Listener;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, timeout};
use tracing::warn;

use super::listener::{Connection, Controlled};
use super::routes::router;
use super::{GameSetup, GameSummary, SandboxError, Shared, upheaval};
use crate::ignore::Ignore;
use crate::sandbox::{Faults, SandboxOptions, opponents};

/// A running sandbox.
#[derive(Debug)]
pub struct Sandbox {
    addr: SocketAddr,
    shared: Arc<Shared>,
    tasks: JoinSet<()>,
    shutdown: watch::Sender<bool>,
}

impl Sandbox {
    /// Serves on `listener` until [`stop`](Sandbox::stop).
    pub async fn start(options: SandboxOptions, listener: TcpListener) -> io::Result<Sandbox> {
        let url = format!("http://{}", listener.local_addr()?);
        Sandbox::start_on(options, url, listener)
    }

    /// Serves on connections of any kind, under an address for clients, until [`stop`](Sandbox::stop).
    pub fn start_on<L>(options: SandboxOptions, url: String, listener: L) -> io::Result<Sandbox>
    where
        L: Listener<Addr = SocketAddr>,
    {
        let addr = listener.local_addr()?;
        let shared = Arc::new(Shared::new(options, url)?);
        let (shutdown, stopping) = watch::channel(false);
        let mut tasks = JoinSet::new();
        tasks.spawn(serve(Arc::clone(&shared), listener, stopping.clone()));
        tasks.spawn(keep_time(Arc::clone(&shared), stopping.clone()));
        tasks.spawn(opponents::play(Arc::clone(&shared), stopping));
        Ok(Sandbox { addr, shared, tasks, shutdown })
    }

    /// Where it listens.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// The base address for clients, without a slash at the end.
    pub fn url(&self) -> String {
        self.shared.url.clone()
    }

    /// What goes wrong on purpose: rules can be added and removed, and what they did be counted.
    pub fn faults(&self) -> Faults {
        self.shared.faults.clone()
    }

    /// All games, the newest first.
    pub fn games(&self) -> Vec<GameSummary> {
        self.shared.summaries()
    }

    /// A game as PGN.
    pub fn game_pgn(&self, id: &str) -> Option<String> {
        self.shared.pgn(id)
    }

    /// Begins a game between two users, without a challenge, and returns its id.
    pub fn create_game(&self, setup: &GameSetup) -> Result<String, SandboxError> {
        self.shared.arrange(setup)
    }

    /// Offers a rematch of a finished game in the name of one of its players, and returns the challenge's id.
    pub fn offer_rematch(&self, game: &str, by: &str) -> Result<String, SandboxError> {
        self.shared.rematch(game, by)
    }

    /// The table of all accounts as text, the best first.
    pub fn standings(&self) -> String {
        self.shared.standings()
    }

    /// Ends all streams and waits for every task.
    pub async fn stop(mut self) {
        self.shutdown.send_replace(true);
        self.shared.end_streams();
        self.shared.connections.stop();
        let joined = async { while self.tasks.join_next().await.is_some() {} };
        if timeout(self.shared.options.stop_grace, joined).await.is_err() {
            warn!("a connection of the sandbox did not end in time");
        }
    }
}

async fn serve<L>(shared: Arc<Shared>, listener: L, mut stopping: watch::Receiver<bool>)
where
    L: Listener<Addr = SocketAddr>,
{
    let stopped = async move {
        stopping.wait_for(|stop| *stop).await.ignore("the sandbox is gone: stop as well");
    };
    let service = router(&shared).into_make_service_with_connect_info::<Connection>();
    let controlled = Controlled::new(listener, shared);
    if let Err(error) = axum::serve(controlled, service).with_graceful_shutdown(stopped).await {
        warn!(%error, "the sandbox stopped serving");
    }
}

/// Looks again and again whether something is due.
async fn keep_time(shared: Arc<Shared>, mut stopping: watch::Receiver<bool>) {
    let mut ticks = interval(shared.options.tick.max(std::time::Duration::from_millis(1)));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        // Both branches are cancel-safe.
        tokio::select! {
            biased;
            _ = stopping.wait_for(|stop| *stop) => return,
            _ = ticks.tick() => {
                shared.act(|world, now| world.sweep(now));
                upheaval::make_due(&shared);
            }
        }
    }
}
