//! Stands between a bot and its server, passes everything on, and cuts connections when asked to.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::net::{TcpListener, TcpStream};
use tokio::task::{AbortHandle, JoinSet};

/// A way to a server that can be cut.
pub(super) struct Relay {
    addr: SocketAddr,
    open: Arc<Mutex<Vec<AbortHandle>>>,
    /// Connections made so far.
    made: Arc<AtomicUsize>,
    _accepting: JoinSet<()>,
}

impl Relay {
    pub(super) async fn to(server: SocketAddr) -> Relay {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let addr = listener.local_addr().unwrap();
        let open = Arc::new(Mutex::new(Vec::new()));
        let made = Arc::new(AtomicUsize::new(0));
        let mut accepting = JoinSet::new();
        accepting.spawn(accept(listener, server, Arc::clone(&open), Arc::clone(&made)));
        Relay { addr, open, made, _accepting: accepting }
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}", self.addr)
    }

    /// Cuts every connection there is; new ones work.
    pub(super) fn cut(&self) {
        for connection in self.open.lock().unwrap().drain(..) {
            connection.abort();
        }
    }

    pub(super) fn connections(&self) -> usize {
        self.made.load(Ordering::SeqCst)
    }
}

async fn accept(
    listener: TcpListener,
    server: SocketAddr,
    open: Arc<Mutex<Vec<AbortHandle>>>,
    made: Arc<AtomicUsize>,
) {
    let mut connections = JoinSet::new();
    while let Ok((mut near, _)) = listener.accept().await {
        made.fetch_add(1, Ordering::SeqCst);
        let passing = connections.spawn(async move {
            if let Ok(mut far) = TcpStream::connect(server).await {
                // A connection that breaks is what this is for.
                drop(tokio::io::copy_bidirectional(&mut near, &mut far).await);
            }
        });
        open.lock().unwrap().push(passing);
    }
}
