//! Connections that can be refused, reset, silenced and ended on purpose, on top of any listener.

use std::any::Any;
use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use futures::task::AtomicWaker;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::{Instant, Sleep, sleep, sleep_until};

use super::Shared;
use crate::ignore::Ignore;
use crate::sandbox::faults::{Fault, Occasion};

/// What is sent during a silence that will end is kept, up to this many bytes; then reading stops.
const MAX_HELD: usize = 64 * 1024;

/// The open connections of a sandbox.
#[derive(Debug)]
pub(super) struct Connections {
    table: Mutex<Table>,
    stopping: watch::Sender<bool>,
}

#[derive(Debug, Default)]
struct Table {
    opened: u64,
    open: BTreeMap<u64, Connection>,
    refusing: Option<Instant>,
}

impl Connections {
    /// None yet.
    pub(super) fn new() -> Connections {
        Connections { table: Mutex::default(), stopping: watch::Sender::new(false) }
    }

    /// Resets new connections for so long.
    pub(super) fn refuse(&self, time: Duration) {
        let until = deadline(time);
        let mut table = self.lock();
        table.refusing = table.refusing.max(Some(until));
    }

    /// Silences the connections of an account for so long.
    pub(super) fn silence(&self, account: &str, time: Duration) {
        let until = Some(deadline(time));
        for connection in self.lock().open.values() {
            let owner = connection.lock().account.clone();
            if owner.as_deref() == Some(account) {
                connection.turn(Flow::Silent(until));
            }
        }
    }

    /// Resets every connection.
    pub(super) fn reset_all(&self) {
        for connection in self.lock().open.values() {
            connection.turn(Flow::Reset);
        }
    }

    /// Waits, but not longer than the sandbox lives.
    pub(super) async fn pause(&self, time: Duration) {
        let mut stopping = self.stopping.subscribe();
        // Both branches are cancel-safe.
        tokio::select! {
            biased;
            stopped = stopping.wait_for(|stop| *stop) => drop(stopped),
            () = sleep(time) => {}
        }
    }

    /// Ends all waits, and the connections that are silent: nothing else would.
    pub(super) fn stop(&self) {
        self.stopping.send_replace(true);
        for connection in self.lock().open.values() {
            if matches!(connection.flow(), Flow::Silent(_)) {
                connection.turn(Flow::Reset);
            }
        }
    }

    fn refuses(&self) -> bool {
        self.lock().refusing.is_some_and(|until| Instant::now() < until)
    }

    fn register(&self) -> Connection {
        let mut table = self.lock();
        table.opened += 1;
        let number = table.opened;
        let connection = Connection(Arc::new(Switch { number, ..Switch::default() }));
        table.open.insert(number, connection.clone());
        connection
    }

    fn forget(&self, connection: &Connection) {
        self.lock().open.remove(&connection.0.number);
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        // Nothing panics while it is held, so what it guards is whole.
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A time from now; one that is too far away for a clock is a year.
fn deadline(time: Duration) -> Instant {
    const YEAR: Duration = Duration::from_secs(365 * 86_400);
    Instant::now() + time.min(YEAR)
}

/// One connection, as requests and streams see it.
#[derive(Clone, Debug, Default)]
pub(super) struct Connection(Arc<Switch>);

#[derive(Debug, Default)]
struct Switch {
    number: u64,
    // What each read and write looks at first: whether anything is wrong.
    troubled: AtomicBool,
    state: Mutex<SwitchState>,
    waker: AtomicWaker,
    over: tokio::sync::Notify,
}

#[derive(Debug, Default)]
struct SwitchState {
    flow: Flow,
    /// Who asked last.
    account: Option<String>,
}

/// What bytes do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Flow {
    #[default]
    Open,
    /// They stand still; for ever without a time.
    Silent(Option<Instant>),
    /// The connection is to be closed in good order.
    Ending,
    /// The connection is to be broken.
    Reset,
}

impl Connection {
    /// The connection breaks.
    pub(super) fn reset(&self) {
        self.turn(Flow::Reset);
    }

    /// The connection is closed.
    pub(super) fn end(&self) {
        self.turn(Flow::Ending);
    }

    /// The connection stays open and nothing is read or written; for ever without a time.
    pub(super) fn silence(&self, time: Option<Duration>) {
        self.turn(Flow::Silent(time.map(deadline)));
    }

    /// Notes whose connection it is.
    pub(super) fn belongs_to(&self, account: &str) {
        let mut state = self.lock();
        if state.account.as_deref() != Some(account) {
            state.account = Some(account.to_owned());
        }
    }

    /// Waits until the connection is broken.
    pub(super) async fn broken(&self) {
        loop {
            let mut told = std::pin::pin!(self.0.over.notified());
            told.as_mut().enable();
            if self.flow() == Flow::Reset {
                return;
            }
            told.await;
        }
    }

    fn turn(&self, flow: Flow) {
        let mut state = self.lock();
        // What is over stays over.
        if matches!(state.flow, Flow::Reset) || (state.flow == Flow::Ending && flow != Flow::Reset) {
            return;
        }
        state.flow = flow;
        self.0.troubled.store(flow != Flow::Open, Ordering::Release);
        drop(state);
        self.0.waker.wake();
        if flow == Flow::Reset {
            self.0.over.notify_waiters();
        }
    }

    fn flow(&self) -> Flow {
        self.lock().flow
    }

    fn lock(&self) -> MutexGuard<'_, SwitchState> {
        // Nothing panics while it is held, so what it guards is whole.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A listener whose connections can be controlled.
pub(super) struct Controlled<L> {
    listener: L,
    shared: Arc<Shared>,
}

impl<L> Controlled<L> {
    /// Controls the connections of `listener`.
    pub(super) fn new(listener: L, shared: Arc<Shared>) -> Controlled<L> {
        Controlled { listener, shared }
    }

    fn refuses(&self) -> bool {
        self.shared.come_up();
        let (faults, connections) = (&self.shared.faults, &self.shared.connections);
        if let Some(fired) = faults.fire(&Occasion::nobodys(), |rule| rule.is_for_listener()) {
            self.shared.refuse(&fired.fault);
            return true;
        }
        connections.refuses()
    }
}

impl Shared {
    /// Resets new connections as a fault says.
    pub(super) fn refuse(&self, fault: &Fault) {
        if let Fault::Refuse { ms } = fault {
            let time = Duration::from_millis(*ms);
            self.connections.refuse(time);
            self.faults.cut_off(None, None, time);
        }
    }
}

impl<L: Listener<Addr = SocketAddr>> Listener for Controlled<L> {
    type Io = Wire<L::Io>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Wire<L::Io>, SocketAddr) {
        loop {
            let (io, addr) = self.listener.accept().await;
            if self.refuses() {
                break_off(&io);
                continue;
            }
            if let Some(tcp) = as_tcp(&io) {
                // A line must not wait for the acknowledgement of the one before, and packets must be those that the
                // faults make.
                tcp.set_nodelay(true).ignore("it works without, only later");
            }
            let connections = Arc::clone(&self.shared.connections);
            let connection = connections.register();
            return (Wire { io, connection, connections, timer: None, held: Vec::new() }, addr);
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

impl<L: Listener<Addr = SocketAddr>> Connected<IncomingStream<'_, Controlled<L>>> for Connection {
    fn connect_info(stream: IncomingStream<'_, Controlled<L>>) -> Connection {
        stream.io().connection.clone()
    }
}

/// A TCP connection is broken by the packet that says so. Others are only dropped: their other end sees them end.
fn break_off(io: &impl Any) {
    if let Some(tcp) = as_tcp(io) {
        tcp.set_zero_linger().ignore("the connection is closed all the same");
    }
}

fn as_tcp(io: &dyn Any) -> Option<&TcpStream> {
    io.downcast_ref()
}

/// The bytes of one connection.
pub(super) struct Wire<Io: 'static> {
    io: Io,
    connection: Connection,
    connections: Arc<Connections>,
    timer: Option<Pin<Box<Sleep>>>,
    /// What came during a silence.
    held: Vec<u8>,
}

impl<Io: 'static> Drop for Wire<Io> {
    fn drop(&mut self) {
        if self.connection.flow() == Flow::Reset {
            break_off(&self.io);
        }
        self.connection.turn(Flow::Reset);
        self.connections.forget(&self.connection);
    }
}

impl<Io: AsyncRead + AsyncWrite + Unpin + 'static> Wire<Io> {
    /// Ready when bytes may flow, an error when they never will.
    fn poll_flow(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        loop {
            match self.connection.flow() {
                Flow::Open => return Poll::Ready(Ok(())),
                Flow::Reset => return Poll::Ready(Err(io::ErrorKind::ConnectionReset.into())),
                Flow::Ending => {
                    let closed = ready!(Pin::new(&mut self.io).poll_shutdown(cx));
                    return Poll::Ready(closed.and(Err(io::ErrorKind::BrokenPipe.into())));
                }
                Flow::Silent(until) => {
                    if self.peer_left(cx, until.is_some()) {
                        self.connection.turn(Flow::Reset);
                    } else if until.is_some_and(|until| until <= Instant::now()) {
                        self.timer = None;
                        self.connection.turn(Flow::Open);
                    } else {
                        ready!(self.poll_timer(cx, until));
                    }
                }
            }
        }
    }

    fn poll_timer(&mut self, cx: &mut Context<'_>, until: Option<Instant>) -> Poll<()> {
        let Some(until) = until else { return Poll::Pending };
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep_until(until)));
        if timer.deadline() != until {
            timer.as_mut().reset(until);
        }
        timer.as_mut().poll(cx)
    }

    /// Whether the other end has closed the connection. What it says is kept or forgotten.
    fn peer_left(&mut self, cx: &mut Context<'_>, keep: bool) -> bool {
        let mut bytes = [0; 2048];
        while !keep || self.held.len() < MAX_HELD {
            let mut read = ReadBuf::new(&mut bytes);
            match Pin::new(&mut self.io).poll_read(cx, &mut read) {
                Poll::Pending => return false,
                Poll::Ready(Err(_)) => return true,
                Poll::Ready(Ok(())) if read.filled().is_empty() => return true,
                Poll::Ready(Ok(())) if keep => self.held.extend_from_slice(read.filled()),
                Poll::Ready(Ok(())) => {}
            }
        }
        false
    }

    fn poll_troubled(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        // Before the look: a change after it must wake this task.
        self.connection.0.waker.register(cx.waker());
        if self.connection.0.troubled.load(Ordering::Acquire) {
            self.poll_flow(cx)
        } else {
            Poll::Ready(Ok(()))
        }
    }
}

impl<Io: AsyncRead + AsyncWrite + Unpin + 'static> AsyncRead for Wire<Io> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        ready!(self.poll_troubled(cx))?;
        if self.held.is_empty() {
            return Pin::new(&mut self.io).poll_read(cx, buf);
        }
        let taken = self.held.len().min(buf.remaining());
        buf.put_slice(&self.held[..taken]);
        self.held.drain(..taken);
        Poll::Ready(Ok(()))
    }
}

impl<Io: AsyncRead + AsyncWrite + Unpin + 'static> AsyncWrite for Wire<Io> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        ready!(self.poll_troubled(cx))?;
        Pin::new(&mut self.io).poll_write(cx, buf)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_troubled(cx))?;
        Pin::new(&mut self.io).poll_write_vectored(cx, bufs)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_troubled(cx))?;
        Pin::new(&mut self.io).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_troubled(cx))?;
        Pin::new(&mut self.io).poll_shutdown(cx)
    }
}
