//! The sections of the configuration, each read into its options: the keys, their ranges, and remarks on values
//! that are legal but silly. `config/default.toml` explains each key to people.

use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use super::reader::{Reader, TOKEN_PREFIXES, Unit};
use super::token;
use crate::engine::PoolOptions;

/// The server and how to talk to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LichessSettings {
    /// Scheme and host, without a slash at the end.
    pub url: String,
    /// A file that holds the token.
    pub token_file: Option<PathBuf>,
    /// The longest wait for a connection.
    pub connect_timeout: Duration,
    /// The longest wait for an answer.
    pub request_timeout: Duration,
    /// The longest wait for the answer to a move.
    pub move_timeout: Duration,
    /// The silence after which a stream is given up.
    pub stream_silence: Duration,
    /// The wait before the first repeated attempt.
    pub retry_first: Duration,
    /// The longest wait between two attempts.
    pub retry_max: Duration,
    /// The pause after "too many requests".
    pub rate_limit_wait: Duration,
}

impl Default for LichessSettings {
    fn default() -> LichessSettings {
        LichessSettings {
            url: "https://lichess.org".to_owned(),
            token_file: None,
            connect_timeout: Duration::from_secs(5),
            request_timeout: Duration::from_secs(10),
            move_timeout: Duration::from_secs(5),
            stream_silence: Duration::from_secs(21),
            retry_first: Duration::from_millis(200),
            retry_max: Duration::from_secs(30),
            rate_limit_wait: Duration::from_secs(60),
        }
    }
}

/// What is logged, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogSettings {
    /// A level, or a filter.
    pub level: String,
    /// How lines look.
    pub format: LogFormat,
}

impl Default for LogSettings {
    fn default() -> LogSettings {
        LogSettings { level: "info".to_owned(), format: LogFormat::Text }
    }
}

/// How log lines look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

pub(crate) fn lichess(reader: &mut Reader, into: &mut LichessSettings) {
    let expected = "http:// or https:// and a host, such as \"https://lichess.org\"";
    reader.text("lichess.url", expected, &mut into.url, base_url);
    reader.path("lichess.token_file", &mut into.token_file);
    reader.time("lichess.connect_timeout_s", Unit::Seconds, 1..=300, &mut into.connect_timeout);
    reader.time("lichess.request_timeout_s", Unit::Seconds, 1..=300, &mut into.request_timeout);
    reader.time("lichess.move_timeout_s", Unit::Seconds, 1..=300, &mut into.move_timeout);
    reader.time("lichess.stream_silence_s", Unit::Seconds, 1..=3600, &mut into.stream_silence);
    reader.time("lichess.retry_first_ms", Unit::Milliseconds, 1..=60_000, &mut into.retry_first);
    reader.time("lichess.retry_max_s", Unit::Seconds, 1..=3600, &mut into.retry_max);
    reader.time("lichess.rate_limit_wait_s", Unit::Seconds, 1..=86_400, &mut into.rate_limit_wait);
    if into.retry_max < into.retry_first {
        reader.refuse("lichess.retry_max_s", "is shorter than lichess.retry_first_ms");
    }
    if into.url.starts_with("http://") && !is_loopback(&into.url) {
        reader.warn("lichess.url", "the token will cross the network unencrypted; use https://");
    }
    if into.stream_silence < Duration::from_secs(10) {
        reader.warn("lichess.stream_silence_s", "Lichess sends a blank line about every 7 seconds only");
    }
    if let Some(path) = &into.token_file {
        if TOKEN_PREFIXES.iter().any(|prefix| path.to_string_lossy().starts_with(prefix)) {
            reader
                .refuse("lichess.token_file", "this looks like the token itself; name a file that holds it");
        } else if token::is_open_to_others(path) {
            reader
                .warn("lichess.token_file", "others than its owner may read this file; chmod 600 would help");
        }
    }
}

pub(crate) fn engine(reader: &mut Reader, into: &mut PoolOptions) {
    let mut threads = 0_usize;
    reader.number("engine.threads", 0..=1024, &mut threads);
    reader.number("engine.hash_mib", 1..=1_048_576, &mut into.hash_mib);
    into.threads = if threads == 0 { processors() } else { threads };
    if threads > processors() {
        reader.warn("engine.threads", &format!("there are only {} processors here", processors()));
    }
}

pub(crate) fn log(reader: &mut Reader, into: &mut LogSettings) {
    let expected =
        "error, warn, info, debug, trace, off, or a filter such as \"info,rookery::lichess=trace\"";
    reader.text("log.level", expected, &mut into.level, |text| {
        tracing_subscriber::EnvFilter::try_new(text)
            .ok()
            .filter(|_| !text.is_empty())
            .map(|_| text.to_owned())
    });
    reader.word("log.format", &[("text", LogFormat::Text), ("json", LogFormat::Json)], &mut into.format);
}

/// How many processors this process may use.
pub(crate) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// A URL that is a scheme and a host (with a port, maybe) and nothing more; a slash at the end is dropped.
fn base_url(text: &str) -> Option<String> {
    let text = text.trim_end_matches('/');
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"))?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._:[]".contains(c);
    (!host.is_empty() && host.chars().all(plain)).then(|| text.to_owned())
}

fn is_loopback(url: &str) -> bool {
    let host = url.trim_start_matches("http://");
    ["127.", "localhost", "[::1]"].iter().any(|name| host.starts_with(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_url_is_a_scheme_and_a_host() {
        for good in
            ["https://lichess.org", "http://127.0.0.1:8080", "http://[::1]:80", "https://lichess.dev/"]
        {
            assert_eq!(base_url(good).as_deref(), Some(good.trim_end_matches('/')), "{good}");
        }
        for bad in [
            "",
            "lichess.org",
            "ftp://x",
            "https://",
            "https://a b",
            "https://u:p@h",
            "https://h/api",
            "https://h?x",
        ] {
            assert_eq!(base_url(bad), None, "{bad}");
        }
    }
}
