//! Stands between a bot and its server and passes everything on, but cuts connections and spoils answers when asked
//! to.

use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{AbortHandle, JoinSet};

/// A way to a server that can be cut.
pub(crate) struct Relay {
    addr: SocketAddr,
    shared: Arc<Shared>,
    _accepting: JoinSet<()>,
}

struct Shared {
    server: SocketAddr,
    open: Mutex<Vec<AbortHandle>>,
    made: AtomicUsize,
    spoils: Mutex<Vec<Spoil>>,
}

/// What happens to the next request whose first line holds a text.
#[derive(Clone, Debug)]
pub(crate) struct Spoil {
    /// Such as `/move/`.
    pub(crate) request: &'static str,
    pub(crate) fate: Fate,
}

/// What happens to a request.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fate {
    /// The server does not see it; this is the answer.
    Instead(&'static str),
    /// The server does what is asked, but this is the answer.
    Afterwards(&'static str),
    /// The server does what is asked, and the connection breaks.
    Lost,
    /// The server does what is asked, and no answer ever comes.
    Hangs,
    /// The server does what is asked, and the connection breaks in the middle of its answer.
    CutShort,
    /// The server does not see it, and no answer ever comes.
    Swallowed,
    /// The server does not see it, and the connection breaks.
    Dropped,
}

impl Relay {
    pub(crate) async fn to(server: SocketAddr) -> Relay {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let addr = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            server,
            open: Mutex::new(Vec::new()),
            made: AtomicUsize::new(0),
            spoils: Mutex::new(Vec::new()),
        });
        let mut accepting = JoinSet::new();
        accepting.spawn(accept(listener, Arc::clone(&shared)));
        Relay { addr, shared, _accepting: accepting }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.addr)
    }

    /// Cuts every connection there is; new ones work.
    pub(crate) fn cut(&self) {
        for connection in self.shared.open.lock().unwrap().drain(..) {
            connection.abort();
        }
    }

    pub(crate) fn connections(&self) -> usize {
        self.shared.made.load(Ordering::SeqCst)
    }

    /// Spoils the next requests like this, `times` of them.
    pub(crate) fn spoil(&self, request: &'static str, fate: Fate, times: usize) {
        let mut spoils = self.shared.spoils.lock().unwrap();
        spoils.extend(std::iter::repeat_n(Spoil { request, fate }, times));
    }

    /// Whether all that was to be spoiled is.
    pub(crate) fn is_spoiled(&self) -> bool {
        self.shared.spoils.lock().unwrap().is_empty()
    }
}

/// The beginning of an answer.
const HALF: &str = "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{\"ok";

/// An answer with a body that is no JSON, as proxies give it.
pub(crate) fn status(line: &str) -> String {
    format!("HTTP/1.1 {line}\r\nContent-Length: 13\r\nConnection: close\r\n\r\n<html></html>")
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    while let Ok((near, _)) = listener.accept().await {
        shared.made.fetch_add(1, Ordering::SeqCst);
        let pass = Arc::clone(&shared);
        let passing = connections.spawn(async move {
            // A connection that breaks is what this is for.
            drop(pass.pass(near).await);
        });
        shared.open.lock().unwrap().push(passing);
    }
}

impl Shared {
    /// One request: the server is told to close the connection after it, so that each request passes here.
    async fn pass(&self, mut near: TcpStream) -> io::Result<()> {
        let Some((head, rest)) = read_head(&mut near).await? else { return Ok(()) };
        let fate = self.fate(head.lines().next().unwrap_or_default());
        match fate {
            Some(Fate::Instead(answer)) => return near.write_all(status(answer).as_bytes()).await,
            Some(Fate::Swallowed) => std::future::pending().await,
            Some(Fate::Dropped) => return Ok(()),
            _ => {}
        }
        let mut far = TcpStream::connect(self.server).await?;
        far.write_all(head.trim_end().as_bytes()).await?;
        far.write_all(b"\r\nConnection: close\r\n\r\n").await?;
        far.write_all(&rest).await?;
        if fate.is_some() {
            // The whole answer is there when the server has done its part; moves have no body that could be missing.
            far.read_to_end(&mut Vec::new()).await?;
        }
        match fate {
            Some(Fate::Afterwards(answer)) => near.write_all(status(answer).as_bytes()).await,
            Some(Fate::Lost | Fate::Dropped) => Ok(()),
            Some(Fate::CutShort) => near.write_all(HALF.as_bytes()).await,
            Some(Fate::Hangs | Fate::Swallowed) => std::future::pending().await,
            Some(Fate::Instead(_)) | None => {
                tokio::io::copy_bidirectional(&mut near, &mut far).await.map(drop)
            }
        }
    }

    fn fate(&self, request: &str) -> Option<Fate> {
        let mut spoils = self.spoils.lock().unwrap();
        let at = spoils.iter().position(|spoil| request.contains(spoil.request))?;
        Some(spoils.remove(at).fate)
    }
}

/// The head of a request, and what came of its body together with it.
async fn read_head(near: &mut TcpStream) -> io::Result<Option<(String, Vec<u8>)>> {
    let mut read = Vec::new();
    loop {
        if let Some(end) = read.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
            let rest = read.split_off(end + 4);
            return Ok(Some((String::from_utf8_lossy(&read).into_owned(), rest)));
        }
        if near.read_buf(&mut read).await? == 0 {
            return Ok(None);
        }
    }
}
