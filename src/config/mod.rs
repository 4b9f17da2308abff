//! Settings in layers: embedded defaults, a file, the environment, flags. Each value remembers where it was set,
//! and all complaints are made at once. Turns text into the option types of the other modules; decides nothing
//! about play, and never holds a token.

mod error;
mod layers;
mod reader;
mod suggest;

mod network;
mod sections;
mod settings;

mod token;

#[cfg(any(test, fuzzing))]
#[doc(hidden)]
pub mod fuzzing;

#[cfg(test)]
mod tests;

pub(crate) use network::evaluation;

pub use error::{Complaint, ConfigError};
pub use layers::{DEFAULTS, Flag, IMPLIED_FILE, Sources};
pub use reader::Shown;
pub use sections::{HealthSettings, LichessSettings, LogFormat, LogSettings};
pub use settings::{Loaded, Settings};
pub use token::{TOKEN_VARIABLE, TokenSourceError};
