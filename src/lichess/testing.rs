//! A server for the tests: it does to the byte what a script says, and remembers what it was asked.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;
use tracing::Dispatch;
use tracing::subscriber::DefaultGuard;

use super::{BackoffOptions, Client, ClientOptions, LineSource, RequestOutcome, StreamNews, Tap, Token};

/// The token of all tests. It must turn up in requests only.
pub(crate) const SECRET: &str = "lip_topsecret";

/// A request as it arrived.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// How many came before it.
    pub(crate) number: usize,
    /// How many came before it on the same connection.
    pub(crate) earlier: usize,
    pub(crate) method: String,
    pub(crate) target: String,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Seen {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// What the server does next.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Write(Vec<u8>),
    /// Time passes: for tests in which the age of a connection matters.
    Pause(Duration),
    /// Waits until the test says so.
    Await(Arc<Notify>),
    /// Nothing more, until the client leaves.
    Hang,
    /// Closes the connection.
    Close,
}

type Script = dyn Fn(&Seen) -> Vec<Step> + Send + Sync;

/// Runs until it is dropped.
pub(crate) struct Server {
    addr: SocketAddr,
    seen: Arc<Mutex<Vec<Seen>>>,
    count: watch::Receiver<usize>,
    _tasks: JoinSet<()>,
}

impl Server {
    pub(crate) async fn start(script: impl Fn(&Seen) -> Vec<Step> + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let addr = listener.local_addr().unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (counted, count) = watch::channel(0);
        let mut tasks = JoinSet::new();
        tasks.spawn(accept(listener, Arc::new(script), seen.clone(), Arc::new(counted)));
        Server { addr, seen, count, _tasks: tasks }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.addr)
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// The paths that were asked for, with queries.
    pub(crate) fn targets(&self) -> Vec<String> {
        self.seen().into_iter().map(|seen| seen.target).collect()
    }

    /// Waits until so many requests have come.
    pub(crate) async fn wait_for(&self, requests: usize) {
        self.count.clone().wait_for(|&count| count >= requests).await.unwrap();
    }

    /// Options for this server that make no test wait.
    pub(crate) fn options(&self) -> ClientOptions {
        let ms = Duration::from_millis;
        ClientOptions {
            backoff: BackoffOptions { first: ms(1), max: ms(4) },
            move_rate_limit_wait: ms(1),
            ..ClientOptions::new(self.url(), Token::new(SECRET.to_owned()).unwrap())
        }
    }

    pub(crate) fn client(&self) -> Client {
        self.client_with(|_| {})
    }

    pub(crate) fn client_with(&self, change: impl FnOnce(&mut ClientOptions)) -> Client {
        let mut options = self.options();
        change(&mut options);
        Client::new(options, Arc::new(super::NoTap)).unwrap()
    }
}

async fn accept(
    listener: TcpListener,
    script: Arc<Script>,
    seen: Arc<Mutex<Vec<Seen>>>,
    count: Arc<watch::Sender<usize>>,
) {
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        connections.spawn(serve(stream, script.clone(), seen.clone(), count.clone()));
    }
}

async fn serve(
    stream: TcpStream,
    script: Arc<Script>,
    seen: Arc<Mutex<Vec<Seen>>>,
    count: Arc<watch::Sender<usize>>,
) {
    stream.set_nodelay(true).unwrap();
    let mut stream = BufReader::new(stream);
    let mut earlier = 0;
    while let Some(mut request) = read_request(&mut stream).await {
        request.earlier = earlier;
        earlier += 1;
        {
            let mut seen = seen.lock().unwrap();
            request.number = seen.len();
            seen.push(request.clone());
        }
        let steps = script(&request);
        count.send_modify(|count| *count += 1);
        for step in steps {
            match step {
                Step::Write(bytes) => {
                    if stream.write_all(&bytes).await.is_err() || stream.flush().await.is_err() {
                        return;
                    }
                }
                Step::Await(word) => word.notified().await,
                Step::Pause(time) => tokio::time::sleep(time).await,
                Step::Hang => {
                    let mut rest = Vec::new();
                    let _gone = stream.read_to_end(&mut rest).await.is_err();
                    return;
                }
                Step::Close => return,
            }
        }
    }
}

async fn read_request(stream: &mut BufReader<TcpStream>) -> Option<Seen> {
    let mut line = String::new();
    stream.read_line(&mut line).await.ok().filter(|&read| read > 0)?;
    let mut words = line.split_whitespace().map(str::to_owned);
    let (method, target) = (words.next()?, words.next()?);
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await.ok().filter(|&read| read > 0)?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let mut body = vec![0; length.map_or(0, |(_, length)| length.parse().unwrap())];
    stream.read_exact(&mut body).await.ok()?;
    Some(Seen { number: 0, earlier: 0, method, target, headers, body: String::from_utf8(body).unwrap() })
}

/// A whole answer.
pub(crate) fn reply(status: u16, body: &str) -> Vec<Step> {
    reply_with(status, &[], body)
}

/// A whole answer with more headers.
pub(crate) fn reply_with(status: u16, headers: &[(&str, &str)], body: &str) -> Vec<Step> {
    let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let length = body.len();
    vec![write(format!("HTTP/1.1 {status} x\r\n{headers}content-length: {length}\r\n\r\n{body}"))]
}

/// Success of a command.
pub(crate) fn done() -> Vec<Step> {
    reply(200, r#"{"ok":true}"#)
}

/// The head of a stream; chunks follow.
pub(crate) fn open() -> Step {
    write("HTTP/1.1 200 OK\r\ncontent-type: application/x-ndjson\r\ntransfer-encoding: chunked\r\n\r\n")
}

/// One chunk of a stream.
pub(crate) fn chunk(bytes: impl AsRef<[u8]>) -> Step {
    let bytes = bytes.as_ref();
    let mut framed = format!("{:x}\r\n", bytes.len()).into_bytes();
    framed.extend_from_slice(bytes);
    framed.extend_from_slice(b"\r\n");
    Step::Write(framed)
}

/// The clean end of a stream.
pub(crate) fn end() -> Step {
    write("0\r\n\r\n")
}

pub(crate) fn write(text: impl Into<String>) -> Step {
    Step::Write(text.into().into_bytes())
}

/// Where the log of a test goes.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<u8>>>);

/// A subscriber that is only there: with one alone, a place in the code that is first reached by the thread of
/// another test would be taken for one that nobody listens to.
static SECOND: OnceLock<Dispatch> = OnceLock::new();

impl Log {
    /// Takes down what this thread logs, until the guard is dropped.
    pub(crate) fn start(level: tracing::Level) -> (Log, DefaultGuard) {
        SECOND.get_or_init(|| Dispatch::new(tracing_subscriber::registry()));
        let log = Log::default();
        let written = log.clone();
        let subscriber =
            tracing_subscriber::fmt().with_max_level(level).with_writer(move || written.clone()).finish();
        (log, tracing::subscriber::set_default(subscriber))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Remembers all that it hears, as text.
#[derive(Default)]
pub(crate) struct Listening {
    lines_and_requests: Mutex<Vec<String>>,
    news: Mutex<Vec<String>>,
    answers: Mutex<Vec<String>>,
}

impl Listening {
    pub(crate) fn heard(&self) -> Vec<String> {
        self.lines_and_requests.lock().unwrap().clone()
    }

    /// What happened to streams besides lines.
    pub(crate) fn news(&self) -> Vec<String> {
        self.news.lock().unwrap().clone()
    }

    /// Headers and body of each answer.
    pub(crate) fn answers(&self) -> Vec<String> {
        self.answers.lock().unwrap().clone()
    }
}

impl Tap for Listening {
    fn line(&self, source: LineSource, raw: &[u8]) {
        self.lines_and_requests.lock().unwrap().push(format!("{source:?} {}", String::from_utf8_lossy(raw)));
    }

    fn stream(&self, source: LineSource, news: StreamNews<'_>) {
        self.news.lock().unwrap().push(format!("{source:?} {news:?}"));
    }

    fn request(&self, method: &str, path: &str, form: &[(String, String)], outcome: &RequestOutcome) {
        let RequestOutcome { status, error, headers, body, .. } = outcome;
        self.answers.lock().unwrap().push(format!("{headers:?} {body}"));
        self.lines_and_requests
            .lock()
            .unwrap()
            .push(format!("{method} {path} {form:?} {status:?} {error:?}"));
    }
}
