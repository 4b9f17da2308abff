//! The sections of the configuration, each read into its options: the keys, their ranges, and remarks on values
//! that are legal but silly. `config/default.toml` explains each key to people.

use std::net::SocketAddr;
use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use super::network::{CHOICES, evaluation};
use super::reader::{Reader, TOKEN_PREFIXES, Unit};
use super::token;
use crate::bot::{ChallengePolicy, DrawWindow, FixedLimit, GamePolicy, ResignPolicy, Thinking};
use crate::chess::Variant;
use crate::engine::{Evaluation, PoolOptions};
use crate::lichess::{BackoffOptions, ClientOptions, Speed, Token};

/// The server and how to talk to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LichessSettings {
    /// Scheme and host, without a slash at the end.
    pub url: String,
    /// Whether the token may travel readably to other machines.
    pub plain_http: bool,
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
            plain_http: false,
            token_file: None,
            connect_timeout: Duration::from_secs(5),
            request_timeout: Duration::from_secs(10),
            move_timeout: Duration::from_secs(3),
            stream_silence: Duration::from_secs(19),
            retry_first: Duration::from_millis(250),
            retry_max: Duration::from_secs(60),
            rate_limit_wait: Duration::from_secs(60),
        }
    }
}

impl LichessSettings {
    /// The options of a client that uses this token.
    pub fn client(&self, token: Token) -> ClientOptions {
        ClientOptions {
            request_timeout: self.request_timeout,
            move_timeout: self.move_timeout,
            stream_silence: self.stream_silence,
            connect_timeout: self.connect_timeout,
            backoff: BackoffOptions { first: self.retry_first, max: self.retry_max },
            rate_limit_wait: self.rate_limit_wait,
            ..ClientOptions::new(&self.url, token)
        }
    }
}

/// Who may learn whether the server is heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HealthSettings {
    /// Where it is told; nowhere without it.
    pub listen: Option<SocketAddr>,
    /// A stream that is silent for so long is not heard.
    pub silence: Duration,
}

impl Default for HealthSettings {
    fn default() -> HealthSettings {
        HealthSettings { listen: None, silence: Duration::from_secs(30) }
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
    reader.switch("lichess.plain_http", &mut into.plain_http);
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
    if into.url.starts_with("http://") && !crate::lichess::is_on_this_machine(&into.url) {
        if into.plain_http {
            reader.warn("lichess.url", "the token will cross the network unencrypted; use https://");
        } else {
            reader.refuse(
                "lichess.url",
                "the token would cross the network unencrypted; use https://, or say lichess.plain_http = true",
            );
        }
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
    network(reader, &mut into.evaluation);
    let mut memory_mib = None::<usize>;
    reader.optional("engine.memory_mib", 1_048_576, &mut memory_mib);
    let needed = into.memory_mib();
    if memory_mib.is_some_and(|memory_mib| memory_mib < needed) {
        let PoolOptions { threads, hash_mib, .. } = *into;
        let text = format!(
            "thinking takes {needed} MiB with a table of {hash_mib} (engine.hash_mib) and {threads} threads \
             (engine.threads); expected at least that, or less of these"
        );
        reader.refuse("engine.memory_mib", &text);
    }
    if threads > processors() {
        reader.warn("engine.threads", &format!("there are only {} processors here", processors()));
    }
}

fn network(reader: &mut Reader, into: &mut Evaluation) {
    const KEY: &str = "engine.network";
    let mut name = String::new();
    reader.text(KEY, CHOICES, &mut name, |text| Some(text.to_owned()));
    match evaluation(&name) {
        Ok(evaluation) => *into = evaluation,
        Err(why) => reader.refuse(KEY, &why),
    }
}

pub(crate) fn thinking(reader: &mut Reader, into: &mut Thinking) {
    reader.time("thinking.move_overhead_ms", Unit::Milliseconds, 0..=60_000, &mut into.overhead);
    reader.time("thinking.first_move_ms", Unit::Milliseconds, 1..=60_000, &mut into.first_move_time);
    reader.time("thinking.unlimited_s", Unit::Seconds, 1..=86_400, &mut into.unlimited_time);
    reader.switch("thinking.ponder", &mut into.ponder);
    let (mut nodes, mut depth, mut time) = (None::<u64>, None::<u32>, None::<u64>);
    reader.optional("thinking.nodes", i64::MAX, &mut nodes);
    reader.optional("thinking.depth", 200, &mut depth);
    reader.optional("thinking.time_ms", 86_400_000, &mut time);
    let given = [
        nodes.map(FixedLimit::Nodes),
        depth.map(FixedLimit::Depth),
        time.map(|ms| FixedLimit::Time(Duration::from_millis(ms))),
    ];
    let mut given = given.into_iter().flatten();
    into.fixed = given.next();
    if given.next().is_some() {
        let key = if time.is_some() { "thinking.time_ms" } else { "thinking.depth" };
        reader.refuse(key, "only one of thinking.nodes, depth and time_ms can be given");
    }
    if into.overhead > Duration::from_secs(5) {
        reader.warn(
            "thinking.move_overhead_ms",
            "so much is lost for every move; in a fast game nothing is left",
        );
    }
}

/// The paces by the words of the API.
const SPEEDS: [(&str, Speed); 6] = [
    ("ultraBullet", Speed::UltraBullet),
    ("bullet", Speed::Bullet),
    ("blitz", Speed::Blitz),
    ("rapid", Speed::Rapid),
    ("classical", Speed::Classical),
    ("correspondence", Speed::Correspondence),
];

pub(crate) fn challenges(reader: &mut Reader, into: &mut ChallengePolicy) {
    let variants = Variant::ALL.map(|variant| (variant.key(), variant));
    reader.words("challenges.variants", &variants, &mut into.variants);
    reader.words("challenges.speeds", &SPEEDS, &mut into.speeds);
    reader.time("challenges.min_base_s", Unit::Seconds, 0..=10_800, &mut into.base.from);
    reader.time("challenges.max_base_s", Unit::Seconds, 0..=10_800, &mut into.base.to);
    reader.time("challenges.min_increment_s", Unit::Seconds, 0..=180, &mut into.increment.from);
    reader.time("challenges.max_increment_s", Unit::Seconds, 0..=180, &mut into.increment.to);
    reader.number("challenges.min_days", 1..=14, &mut into.days.0);
    reader.number("challenges.max_days", 1..=14, &mut into.days.1);
    reader.switch("challenges.unlimited", &mut into.unlimited);
    reader.switch("challenges.rated", &mut into.rated);
    reader.switch("challenges.casual", &mut into.casual);
    reader.switch("challenges.bots", &mut into.bots);
    reader.switch("challenges.humans", &mut into.humans);
    reader.optional("challenges.min_rating", 4000, &mut into.min_rating);
    reader.optional("challenges.max_rating", 4000, &mut into.max_rating);
    let names = "a list of user names";
    reader.texts("challenges.allow", names, &mut into.allow, |name| name.parse().ok());
    reader.texts("challenges.block", names, &mut into.block, |name| name.parse().ok());
    reader.number("challenges.max_games", 0..=64, &mut into.max_games);
    reader.number("challenges.max_games_per_opponent", 1..=64, &mut into.max_games_per_opponent);
    reader.number("challenges.max_held", 0..=100, &mut into.max_held);
    challenge_ranges(reader, into);
    challenge_remarks(reader, into);
}

/// Ranges whose ends are the wrong way round would accept nothing, which nobody means.
fn challenge_ranges(reader: &mut Reader, policy: &ChallengePolicy) {
    if policy.base.from > policy.base.to {
        reader.refuse("challenges.min_base_s", "is more than challenges.max_base_s");
    }
    if policy.increment.from > policy.increment.to {
        reader.refuse("challenges.min_increment_s", "is more than challenges.max_increment_s");
    }
    if policy.days.0 > policy.days.1 {
        reader.refuse("challenges.min_days", "is more than challenges.max_days");
    }
    if matches!((policy.min_rating, policy.max_rating), (Some(min), Some(max)) if min > max) {
        reader.refuse("challenges.min_rating", "is more than challenges.max_rating");
    }
}

fn challenge_remarks(reader: &mut Reader, policy: &ChallengePolicy) {
    let nothing = "so every challenge will be declined";
    if !policy.rated && !policy.casual {
        reader.warn("challenges.casual", &format!("rated games are not accepted either, {nothing}"));
    }
    if !policy.bots && !policy.humans {
        reader.warn("challenges.humans", &format!("bots are not accepted either, {nothing}"));
    }
    if policy.variants.is_empty() {
        reader.warn("challenges.variants", &format!("no kind of game is accepted, {nothing}"));
    }
    if policy.speeds.is_empty() {
        reader.warn("challenges.speeds", &format!("no pace is accepted, {nothing}"));
    }
    if policy.max_games == 0 {
        reader.warn("challenges.max_games", nothing);
    }
}

pub(crate) fn games(reader: &mut Reader, into: &mut GamePolicy) {
    into.accept_draws = draw_window(reader, "accept_draw", DrawWindow { score: 10, moves: 3 });
    into.offer_draws = draw_window(reader, "offer_draw", DrawWindow { score: 10, moves: 10 });
    reader.number("games.claim_draw_score", -10_000..=10_000, &mut into.claim_draw_score);
    reader.number("games.takebacks", 0..=1000, &mut into.takebacks);
    reader.time("games.abort_after_s", Unit::Seconds, 5..=3600, &mut into.abort_after);
    reader.switch("games.claim_wins", &mut into.claim_wins);
    let mut resigns = false;
    let mut resign = ResignPolicy { score: -1000, moves: 5 };
    reader.switch("games.resign", &mut resigns);
    reader.number("games.resign_score", -10_000..=-1, &mut resign.score);
    reader.number("games.resign_moves", 1..=100, &mut resign.moves);
    into.resign = resigns.then_some(resign);
    if resigns && resign.score > -300 {
        reader.warn("games.resign_score", "such games can often be held");
    }
    chat(reader, "games.greeting", &mut into.greeting);
    chat(reader, "games.farewell", &mut into.farewell);
}

/// The keys `games.<name>s`, `games.<name>_score` and `games.<name>_moves`.
fn draw_window(reader: &mut Reader, name: &str, mut window: DrawWindow) -> Option<DrawWindow> {
    let mut on = false;
    reader.switch(&format!("games.{name}s"), &mut on);
    reader.number(&format!("games.{name}_score"), 0..=10_000, &mut window.score);
    reader.number(&format!("games.{name}_moves"), 1..=100, &mut window.moves);
    on.then_some(window)
}

/// A chat line: Lichess takes up to 140 characters.
fn chat(reader: &mut Reader, key: &str, into: &mut Option<String>) {
    reader.text(key, "up to 140 characters, or \"\" for nothing", into, |text| {
        let fits = text.chars().count() <= 140 && !text.chars().any(char::is_control);
        fits.then(|| Some(text.trim().to_owned()).filter(|text| !text.is_empty()))
    });
}

pub(crate) fn health(reader: &mut Reader, into: &mut HealthSettings) {
    let expected = "an address with a port, such as \"127.0.0.1:8474\", or \"\" for none";
    reader.text("health.listen", expected, &mut into.listen, |text| match text {
        "" => Some(None),
        text => text.parse().ok().map(Some),
    });
    reader.time("health.silence_s", Unit::Seconds, 1..=3600, &mut into.silence);
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

/// A URL that is a scheme, a host (with a port, maybe) and perhaps a path; a slash at the end is dropped.
fn base_url(text: &str) -> Option<String> {
    let text = text.trim_end_matches('/');
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"))?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._:[]/".contains(c);
    let good =
        !host.is_empty() && !host.starts_with('/') && !host.ends_with("/api") && host.chars().all(plain);
    good.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_url_is_a_scheme_and_a_host() {
        for good in [
            "https://lichess.org",
            "http://127.0.0.1:8080",
            "http://[::1]:80",
            "https://lichess.dev/",
            "http://h/sub",
        ] {
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
