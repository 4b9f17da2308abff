//! How the program ends: in phases, so that running games can be finished.

use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tracing::{info, warn};

/// How far the end has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Phase {
    /// Not at all.
    #[default]
    Running,
    /// No new games; running ones go on.
    Draining,
    /// Now: a move that is ready is posted, and running games are left to the next start.
    Stopping,
}

/// The phase as the signals of the operating system set it: the first one drains, the second one stops.
///
/// The future lasts as long as the program listens to signals; poll it beside [`super::run()`].
pub fn signals() -> std::io::Result<(watch::Receiver<Phase>, impl Future<Output = ()>)> {
    let (sender, receiver) = watch::channel(Phase::Running);
    let mut signals = Signals::listen()?;
    let listening = async move {
        signals.next().await;
        info!("ending: no new games; once more to stop at once");
        sender.send_replace(Phase::Draining);
        signals.next().await;
        warn!("stopping at once");
        sender.send_replace(Phase::Stopping);
        // A third signal has nothing left to say; the sender stays, so that the phase does.
        std::future::pending::<()>().await;
    };
    Ok((receiver, listening))
}

/// Ctrl-C, the request to terminate, and the end of the terminal.
#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    /// None if whoever started us wants us to outlive the terminal, as `nohup` does.
    hangup: Option<tokio::signal::unix::Signal>,
}

#[cfg(unix)]
impl Signals {
    fn listen() -> std::io::Result<Signals> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Signals {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: match ignores_hangup() {
                true => None,
                false => Some(signal(SignalKind::hangup())?),
            },
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            () = received(&mut self.hangup) => {}
        }
    }
}

/// A signal that may not be listened to.
#[cfg(unix)]
async fn received(signal: &mut Option<tokio::signal::unix::Signal>) {
    match signal {
        Some(signal) => drop(signal.recv().await),
        None => std::future::pending().await,
    }
}

/// Whether SIGHUP, the first signal, was ignored when we were started. Where it cannot be known it was not.
#[cfg(unix)]
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
}

/// Ctrl-C.
#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn listen() -> std::io::Result<Signals> {
        Ok(Signals)
    }

    async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
