//! What is wrong with a configuration: all complaints at once, each with where the value came from.

use std::fmt;

use crate::printable::printable;

/// One thing that is wrong, or (as a warning) legal but silly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// Where it stands: a file with its line, an environment variable, a flag.
    pub origin: String,
    /// What is wrong, with the key, the value and what is allowed.
    pub text: String,
}

impl Complaint {
    /// Keys and values may hold anything: what is said about them is one line that steers nothing.
    pub(crate) fn new(origin: impl Into<String>, text: impl Into<String>) -> Complaint {
        Complaint { origin: printable(&origin.into()), text: printable(&text.into()) }
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.origin, self.text)
    }
}

/// A configuration that was refused, with everything that is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct ConfigError {
    /// At least one complaint, in the order of the layers.
    pub complaints: Vec<Complaint>,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.complaints.as_slice() {
            [only] => write!(f, "the configuration is refused: {only}"),
            all => {
                write!(f, "the configuration is refused for {} reasons:", all.len())?;
                all.iter().try_for_each(|complaint| write!(f, "\n  {complaint}"))
            }
        }
    }
}
