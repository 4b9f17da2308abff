//! What commands share about settings: loading them with the global flags on top, and switching logging on.

use std::path::PathBuf;

use super::args::{Global, LogFormat};
use super::exit::{Exit, Failure};
use super::logging;
use crate::config::{Flag, Loaded, Settings, Sources};

/// Whether `./rookery.toml` is read when no file is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ImpliedFile {
    /// Commands that act for the user read it.
    Read,
    /// Commands that show something leave it alone, so that they show the same everywhere.
    Leave,
}

/// The layers that the environment and the global flags make, with flags of the command on top.
pub(crate) fn sources(global: &Global, implied: ImpliedFile, more: Vec<Flag>) -> Sources {
    let set = global.set.iter().map(|(key, value)| flag("--set", key, value));
    let log = global.log.iter().map(|level| flag("--log", "log.level", level));
    let verbose = match global.verbose {
        0 => None,
        1 => Some(flag("-v", "log.level", "debug")),
        _ => Some(flag("-vv", "log.level", "trace")),
    };
    let format = global.log_format.map(|format| match format {
        LogFormat::Text => flag("--log-format", "log.format", "text"),
        LogFormat::Json => flag("--log-format", "log.format", "json"),
    });
    Sources {
        file: global.config.clone(),
        directory: (implied == ImpliedFile::Read).then(|| PathBuf::from("")),
        environment: variables(),
        flags: set.chain(log).chain(verbose).chain(format).chain(more).collect(),
    }
}

/// A key set by a flag.
pub(crate) fn flag(name: &str, key: &str, value: impl ToString) -> Flag {
    Flag { name: name.to_owned(), key: key.to_owned(), value: value.to_string() }
}

/// Loads the settings, switches logging on, and logs the warnings.
pub(crate) fn load(sources: &Sources) -> Result<Loaded, Failure> {
    let loaded = Settings::load(sources).map_err(|e| Failure::new(Exit::Config, e.to_string()))?;
    logging::start(&loaded.settings.log)?;
    for warning in &loaded.warnings {
        tracing::warn!("{warning}");
    }
    Ok(loaded)
}

/// The environment as text; a variable that is not Unicode is none of ours.
fn variables() -> Vec<(String, String)> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

/// Prints every key with its value and where it was set, section by section.
pub(crate) fn show(loaded: &Loaded, out: &mut dyn std::io::Write) -> Result<(), Failure> {
    let mut section = "";
    let mut text = String::new();
    for shown in &loaded.shown {
        let (of, name) = shown.key.split_once('.').unwrap_or(("", &shown.key));
        if of != section {
            text.push_str(&format!("{}[{of}]\n", if section.is_empty() { "" } else { "\n" }));
            section = of;
        }
        text.push_str(&format!("{:<44} # {}\n", format!("{name} = {}", shown.text), shown.origin));
    }
    out.write_all(text.as_bytes()).map_err(Failure::output)
}
