//! Starting and stopping a sandbox. What it serves is in the modules beside this one.

use std::io;
use std::net::SocketAddr;

use axum::Router;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tracing::warn;

use crate::ignore::Ignore;
use crate::sandbox::SandboxOptions;

/// A running sandbox.
#[derive(Debug)]
pub struct Sandbox {
    addr: SocketAddr,
    options: SandboxOptions,
    tasks: JoinSet<()>,
    shutdown: watch::Sender<bool>,
}

impl Sandbox {
    /// Serves on `listener` until [`stop`](Sandbox::stop).
    pub async fn start(options: SandboxOptions, listener: TcpListener) -> io::Result<Sandbox> {
        let addr = listener.local_addr()?;
        let (shutdown, mut stopping) = watch::channel(false);
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let stopped = async move {
                stopping.wait_for(|stop| *stop).await.ignore("the sandbox is gone: stop as well");
            };
            if let Err(error) = axum::serve(listener, Router::new()).with_graceful_shutdown(stopped).await {
                warn!(%error, "the sandbox stopped serving");
            }
        });
        Ok(Sandbox { addr, options, tasks, shutdown })
    }

    /// Where it listens.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// The base address for clients, without a slash at the end.
    pub fn url(&self) -> String {
        format!("http://{}", self.addr)
    }

    /// Ends all streams and waits for every task.
    pub async fn stop(mut self) {
        self.shutdown.send_replace(true);
        let joined = async { while self.tasks.join_next().await.is_some() {} };
        if tokio::time::timeout(self.options.stop_grace, joined).await.is_err() {
            warn!("a connection of the sandbox did not end in time");
        }
    }
}
