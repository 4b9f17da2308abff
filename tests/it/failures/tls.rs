//! Servers that are not who they should be: the daemon as a process speaks to none of them, and says why.
//!
//! The certificates under `tests/data/tls` share one key and were made with `openssl ca` for this: `good` is signed by
//! `root` for 127.0.0.1, `other-host` for another name, `expired` ended in 2021, and `self-signed` is signed by nobody.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

const TOKEN: &str = "lip_secretOfTheTlsTest";

/// A test that waits longer has failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a server has heard.
#[derive(Clone, Debug, Default)]
struct Heard {
    /// Connections.
    connections: usize,
    /// All that came in plain, and what came through TLS.
    bytes: Vec<u8>,
}

fn data(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/tls").join(file)
}

fn config(certificate: &str) -> Arc<ServerConfig> {
    let key = PrivateKeyDer::from_pem_file(data("server.key")).unwrap();
    let chain = vec![CertificateDer::from_pem_file(data(certificate)).unwrap()];
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder =
        ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    Arc::new(builder.with_no_client_auth().with_single_cert(chain, key).unwrap())
}

/// A server with this certificate, or one that speaks no TLS; runs until the set is dropped.
async fn serve(certificate: Option<&str>) -> (u16, Arc<Mutex<Heard>>, JoinSet<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let heard = Arc::new(Mutex::new(Heard::default()));
    let acceptor = certificate.map(|certificate| TlsAcceptor::from(config(certificate)));
    let (told, mut tasks) = (Arc::clone(&heard), JoinSet::new());
    tasks.spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            told.lock().unwrap().connections += 1;
            match &acceptor {
                None => {
                    listen(&mut stream, &told, 1).await;
                    drop(stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\nplain HTTP here").await);
                }
                Some(acceptor) => {
                    if let Ok(mut stream) = acceptor.accept(stream).await {
                        listen(&mut stream, &told, 1).await;
                    }
                }
            }
        }
    });
    (port, heard, tasks)
}

/// Reads so many times.
async fn listen(stream: &mut (impl AsyncRead + Unpin), heard: &Mutex<Heard>, times: usize) {
    let mut buffer = vec![0; 65_536];
    for _ in 0..times {
        let Ok(read) = stream.read(&mut buffer).await else { return };
        heard.lock().unwrap().bytes.extend_from_slice(&buffer[..read]);
    }
}

/// A daemon that trusts the root of this test, and dies with the test.
struct Daemon(Child);

impl Daemon {
    fn start(port: u16) -> Daemon {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rookery"));
        command.args(["run", "--set", &format!("lichess.url=https://127.0.0.1:{port}")]);
        command.env("ROOKERY_TOKEN", TOKEN).env_remove("ROOKERY_CONFIG");
        command.env("SSL_CERT_FILE", data("root.pem")).env_remove("SSL_CERT_DIR");
        Daemon(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap())
    }

    /// Ends it, and returns what it said.
    fn said(mut self) -> String {
        self.0.kill().unwrap();
        let mut said = String::new();
        self.0.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        said
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        if self.0.try_wait().is_ok_and(|ended| ended.is_none()) {
            drop(self.0.kill());
        }
        drop(self.0.wait());
    }
}

/// Runs the daemon against a server until `enough`, and returns what the server heard and what the daemon said.
async fn meet(certificate: Option<&str>, enough: impl Fn(&Heard) -> bool) -> (Heard, String) {
    let (port, heard, _tasks) = serve(certificate).await;
    let daemon = Daemon::start(port);
    let waiting = async {
        while !enough(&heard.lock().unwrap()) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, waiting).await.unwrap_or_else(|_| panic!("{certificate:?}: {heard:?}"));
    let said = daemon.said();
    let heard = heard.lock().unwrap().clone();
    assert!(!said.contains(TOKEN), "{said}");
    (heard, said)
}

#[tokio::test]
async fn a17_a_server_that_is_not_trusted_gets_no_byte_of_the_token() {
    // With the right certificate the token arrives: that the others do not get it is their certificates' doing.
    let (heard, said) = meet(Some("good.pem"), |heard| !heard.bytes.is_empty()).await;
    let text = String::from_utf8_lossy(&heard.bytes).into_owned();
    assert!(text.contains("GET /api/account") && text.contains(TOKEN), "{text}\n{said}");
    for certificate in ["self-signed.pem", "other-host.pem", "expired.pem"] {
        // It tries again and again, and never without the check.
        let (heard, said) = meet(Some(certificate), |heard| heard.connections > 3).await;
        assert!(heard.bytes.is_empty(), "{certificate}: {}", String::from_utf8_lossy(&heard.bytes));
        assert!(said.contains("certificate") && said.contains("check the clock"), "{certificate}: {said}");
    }
    let (heard, said) = meet(None, |heard| heard.connections > 3).await;
    let text = String::from_utf8_lossy(&heard.bytes).into_owned();
    assert!(!text.contains("lip_") && !text.contains("GET"), "{text}");
    assert!(said.contains("no TLS is spoken"), "{said}");
}
