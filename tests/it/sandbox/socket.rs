//! A plain socket, to see what the bytes look like when something goes wrong. It knows requests and chunks, no more.

use std::io::ErrorKind;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::support::Server;

/// Nothing here takes that long: a test that waits longer has failed.
const PATIENCE: Duration = Duration::from_secs(20);

/// How a connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Closed,
    Reset,
}

pub(super) struct Socket {
    tcp: TcpStream,
    read: Vec<u8>,
}

impl Socket {
    pub(super) async fn to(server: &Server) -> Socket {
        let tcp = TcpStream::connect(server.sandbox.addr()).await.unwrap();
        Socket { tcp, read: Vec::new() }
    }

    /// A new connection with one request.
    pub(super) async fn asking(server: &Server, token: &str, request: &str) -> Socket {
        let mut socket = Socket::to(server).await;
        socket.ask(token, request).await;
        socket
    }

    /// `request` is method and path.
    pub(super) async fn ask(&mut self, token: &str, request: &str) {
        let head = format!(
            "{request} HTTP/1.1\r\nHost: sandbox\r\nAuthorization: Bearer {token}\r\nContent-Length: 0\r\n\r\n"
        );
        self.tcp.write_all(head.as_bytes()).await.unwrap();
    }

    /// All until the connection ends, and how it did.
    pub(super) async fn rest(mut self) -> (String, Ending) {
        let ending = loop {
            match timeout(PATIENCE, self.tcp.read_buf(&mut self.read)).await.unwrap() {
                Ok(0) => break Ending::Closed,
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::ConnectionReset => break Ending::Reset,
                Err(error) => panic!("{error}"),
            }
        };
        (String::from_utf8(self.read).unwrap(), ending)
    }

    /// All until `end` has come.
    pub(super) async fn until(&mut self, end: &str) -> String {
        loop {
            let text = String::from_utf8_lossy(&self.read).into_owned();
            if let Some(at) = text.find(end) {
                self.read.drain(..at + end.len());
                return text[..at + end.len()].to_owned();
            }
            let read = timeout(PATIENCE, self.tcp.read_buf(&mut self.read)).await;
            let read = read.unwrap_or_else(|_| panic!("no {end:?} in {text:?}"));
            assert_ne!(read.unwrap(), 0, "the connection ended before {end:?} in {text:?}");
        }
    }

    /// The body of the next chunk.
    pub(super) async fn chunk(&mut self) -> String {
        let size = self.until("\r\n").await;
        let size = usize::from_str_radix(size.trim(), 16).unwrap();
        while self.read.len() < size + 2 {
            let read = timeout(PATIENCE, self.tcp.read_buf(&mut self.read)).await.unwrap();
            assert_ne!(read.unwrap(), 0, "the connection ended in a chunk");
        }
        let body: Vec<u8> = self.read.drain(..size + 2).take(size).collect();
        String::from_utf8(body).unwrap()
    }

    /// Whether nothing comes and the connection stays for a while.
    pub(super) async fn is_silent(&mut self) -> bool {
        timeout(Duration::from_millis(150), self.tcp.read_buf(&mut self.read)).await.is_err()
    }
}
