//! Logging to standard error, for people or for machines. Standard output belongs to what was asked for.
//!
//! Whatever a server puts into a name or a message: an event is one line, nothing in it steers a terminal, and a flood
//! of events of one kind is cut short. A log that cannot be written is no reason to end.

use std::collections::HashMap;
use std::fmt;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tracing::callsite::Identifier;
use tracing::field::Field;
use tracing::{Event, Level, Subscriber, warn};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::field::MakeExt as _;
use tracing_subscriber::fmt::format::{self, FormatEvent, FormatFields, Writer};
use tracing_subscriber::fmt::{self as log, FmtContext};
use tracing_subscriber::registry::LookupSpan;

use super::exit::{Exit, Failure};
use crate::config::{LogFormat, LogSettings};
use crate::ignore::Ignore as _;
use crate::printable::{printable, printable_json};

/// Events of one kind that are logged within [`WINDOW`]: more than a bot with many games makes, and no more than a
/// disk can take for days. What is logged for debugging alone is not counted.
const MOST: u64 = 100;
const WINDOW: Duration = Duration::from_secs(10);

/// Switches logging on. A plain level is meant for this program; other crates then speak up for warnings only.
pub(crate) fn start(settings: &LogSettings) -> Result<(), Failure> {
    let plain = settings.level.chars().all(|c| c.is_ascii_alphanumeric());
    let directives = match settings.level.as_str() {
        level if plain && level != "off" => format!("warn,rookery={level}"),
        filter => filter.to_owned(),
    };
    let filter = EnvFilter::try_new(&directives).map_err(|e| {
        Failure::because(Exit::Config, format!("the log filter {directives:?} is not valid"), e)
    })?;
    let builder = log::fmt().with_env_filter(filter);
    let started = match settings.format {
        LogFormat::Text => builder
            .with_ansi(io::IsTerminal::is_terminal(&io::stderr()))
            .fmt_fields(format::debug_fn(write_field).delimited(" "))
            .map_event_format(Bounded::new)
            .with_writer(|| Sink(LogFormat::Text))
            .try_init(),
        LogFormat::Json => builder
            .json()
            .flatten_event(true)
            .map_event_format(Bounded::new)
            .with_writer(|| Sink(LogFormat::Json))
            .try_init(),
    };
    started.map_err(|e| Failure::because(Exit::Failed, "logging cannot be switched on", e))
}

fn write_field(writer: &mut Writer<'_>, field: &Field, value: &dyn fmt::Debug) -> fmt::Result {
    let text = printable(&format!("{value:?}"));
    match field.name() {
        "message" => writer.write_str(&text),
        name => write!(writer, "{name}={text}"),
    }
}

/// Standard error. Each write is one whole event.
struct Sink(LogFormat);

impl Write for Sink {
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(event);
        let written = match self.0 {
            LogFormat::Text => io::stderr().write_all(text.as_bytes()),
            LogFormat::Json => io::stderr().write_all(printable_json(&text).as_bytes()),
        };
        written.ignore(
            "a full disk or a closed pipe must not end the games, and there is no other place to tell",
        );
        Ok(event.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A format that leaves out what comes too often, and says so.
struct Bounded<F> {
    format: F,
    flood: Mutex<Flood>,
}

impl<F> Bounded<F> {
    fn new(format: F) -> Bounded<F> {
        Bounded { format, flood: Mutex::new(Flood::default()) }
    }
}

impl<S, N, F> FormatEvent<S, N> for Bounded<F>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
    F: FormatEvent<S, N>,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        out: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let about = event.metadata();
        if *about.level() > Level::INFO {
            return self.format.format_event(context, out, event);
        }
        let verdict = {
            let mut flood = self.flood.lock().unwrap_or_else(PoisonError::into_inner);
            flood.take(about.callsite(), Instant::now())
        };
        let Some(left_out) = verdict else { return Ok(()) };
        if left_out > 0 {
            let (file, line) = (about.file().unwrap_or_default(), about.line().unwrap_or_default());
            warn!(left_out, file, line, "events like the next one came too often to be logged");
        }
        self.format.format_event(context, out, event)
    }
}

/// Counts events by their kind, which is the place in the source that makes them: there are only so many.
#[derive(Debug, Default)]
struct Flood(HashMap<Identifier, Window>);

#[derive(Debug)]
struct Window {
    began: Instant,
    events: u64,
}

impl Flood {
    /// Whether an event is logged; if so, how many of its kind were left out just before.
    fn take(&mut self, kind: Identifier, now: Instant) -> Option<u64> {
        let window = self.0.entry(kind).or_insert(Window { began: now, events: 0 });
        let mut left_out = 0;
        if now.saturating_duration_since(window.began) >= WINDOW {
            left_out = window.events.saturating_sub(MOST);
            *window = Window { began: now, events: 0 };
        }
        window.events += 1;
        (window.events <= MOST).then_some(left_out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e12_a_flood_of_one_kind_is_cut_short_and_counted() {
        tracing::subscriber::with_default(tracing_subscriber::registry(), || {
            let kind = tracing::info_span!("one").metadata().map(|about| about.callsite()).unwrap();
            let other = tracing::info_span!("other").metadata().map(|about| about.callsite()).unwrap();
            let (mut flood, start) = (Flood::default(), Instant::now());
            let logged = (0..3_600_000_u64)
                .filter(|n| flood.take(kind.clone(), start + Duration::from_millis(*n)).is_some())
                .count();
            assert_eq!(logged, 36_000, "a thousand events a second for an hour");
            assert_eq!(flood.take(other, start), Some(0), "other kinds are logged as before");
            assert_eq!(flood.take(kind, start + Duration::from_secs(3600)), Some(9900));
        });
    }
}
