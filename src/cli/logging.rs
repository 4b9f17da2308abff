//! Logging to standard error, for people or for machines. Standard output belongs to what was asked for.

use std::io;

use tracing_subscriber::EnvFilter;

use super::exit::{Exit, Failure};
use crate::config::{LogFormat, LogSettings};

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
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    let started = match settings.format {
        LogFormat::Text => builder.with_ansi(io::IsTerminal::is_terminal(&io::stderr())).try_init(),
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
    };
    started.map_err(|e| Failure::because(Exit::Failed, "logging cannot be switched on", e))
}
