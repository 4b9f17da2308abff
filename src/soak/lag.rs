//! Connections on which bytes take their time, as they do from afar: each way by so much, more or less, and always in
//! order.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use axum::serve::Listener;
use bytes::{Bytes, BytesMut};
use futures::future::join;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, DuplexStream};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

use crate::ignore::Ignore as _;
use crate::sandbox::{Sandbox, SandboxOptions};
use crate::simulation::Dice;

/// What fits into a connection before its writer has to wait.
const BUFFER: usize = 64 * 1024;

/// Pieces that are on their way in one direction.
const ON_THE_WAY: usize = 256;

/// A listener whose connections have a lag.
#[derive(Debug)]
struct Lagging {
    listener: TcpListener,
    lag: Lag,
    /// The connections, which end with their ends.
    open: JoinSet<()>,
}

/// How long bytes take.
#[derive(Clone, Debug)]
pub(crate) struct Lag {
    least_us: u64,
    most_us: u64,
    dice: Dice,
}

impl Lag {
    /// `time` one way, by up to `jitter` more or less.
    pub(crate) fn new(time: Duration, jitter: Duration, seed: u64) -> Lag {
        let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX / 2);
        Lag {
            least_us: micros(time.saturating_sub(jitter)),
            most_us: micros(time.saturating_add(jitter)),
            dice: Dice::new(seed, 0x1a9),
        }
    }

    fn draw(&mut self) -> Duration {
        Duration::from_micros(self.dice.between(self.least_us, self.most_us))
    }

    /// Another one, with other numbers.
    fn split(&mut self) -> Lag {
        Lag { dice: Dice::new(self.dice.between(0, u64::MAX - 1), 0), ..*self }
    }
}

/// Starts a sandbox that is so far away. Without any lag its connections are left as they are.
pub(crate) async fn serve(options: SandboxOptions, listener: TcpListener, lag: Lag) -> io::Result<Sandbox> {
    if lag.most_us == 0 {
        return Sandbox::start(options, listener).await;
    }
    let url = format!("http://{}", listener.local_addr()?);
    Sandbox::start_on(options, url, Lagging { listener, lag, open: JoinSet::new() })
}

impl Listener for Lagging {
    type Io = DuplexStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (DuplexStream, SocketAddr) {
        let (tcp, addr) = Listener::accept(&mut self.listener).await;
        while self.open.try_join_next().is_some() {}
        let (near, far) = tokio::io::duplex(BUFFER);
        self.open.spawn(carry(tcp, far, [self.lag.split(), self.lag.split()]));
        (near, addr)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// Carries bytes both ways until both ends are closed.
async fn carry(tcp: TcpStream, far: DuplexStream, [there, back]: [Lag; 2]) {
    tcp.set_nodelay(true).ignore("it works without, only later");
    let (tcp_in, tcp_out) = tcp.into_split();
    let (far_in, far_out) = tokio::io::split(far);
    join(delay(tcp_in, far_out, there), delay(far_in, tcp_out, back)).await;
}

/// Carries bytes one way until either end is closed, and then closes the other.
async fn delay(mut from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin, mut lag: Lag) {
    let (sender, mut pieces) = mpsc::channel::<(Instant, Bytes)>(ON_THE_WAY);
    let read = async move {
        let mut last = Instant::now();
        let mut buffer = BytesMut::with_capacity(BUFFER);
        while from.read_buf(&mut buffer).await.is_ok_and(|bytes| bytes > 0) {
            last = last.max(Instant::now() + lag.draw());
            if sender.send((last, buffer.split().freeze())).await.is_err() {
                break;
            }
        }
    };
    let write = async move {
        while let Some((due, piece)) = pieces.recv().await {
            sleep_until(due).await;
            if to.write_all(&piece).await.is_err() {
                return;
            }
        }
        to.shutdown().await.ignore("the other end is closed already");
    };
    join(read, write).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn bytes_come_late_in_order_and_then_the_end() {
        let (mut near, from) = tokio::io::duplex(64);
        let (to, mut far) = tokio::io::duplex(64);
        let lag = Lag::new(Duration::from_millis(50), Duration::from_millis(20), 1);
        let began = Instant::now();
        let mut carried = JoinSet::new();
        carried.spawn(delay(from, to, lag));
        let mut read = [0; 1];
        for byte in 0..20 {
            let sent = Instant::now();
            near.write_all(&[byte]).await.unwrap();
            far.read_exact(&mut read).await.unwrap();
            let took = sent.elapsed();
            assert_eq!(read, [byte]);
            assert!((30..=71).contains(&took.as_millis()), "{took:?}");
        }
        assert!(began.elapsed().as_millis() > 20 * 35, "all of them were quick");
        drop(near);
        assert_eq!(far.read(&mut read).await.unwrap(), 0, "the end comes through");
        carried.join_next().await.unwrap().unwrap();
    }
}
