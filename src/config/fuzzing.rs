//! What must hold for whatever stands in a configuration, for the fuzz target and for the test of its seeds. Not built
//! otherwise.

use std::path::PathBuf;

use super::Settings;
use super::layers::{Flag, Sources, merge, merge_with};
use crate::printable::steers;

/// A text as a file, as variables and as flags is taken or refused, and what is said about it holds no token and
/// nothing that steers a terminal.
pub fn configuration(text: &str) {
    let pairs = || text.lines().filter_map(|line| line.split_once('='));
    let environment = pairs().map(|(key, value)| (format!("ROOKERY__{key}"), value.to_owned()));
    let flag = |(key, value): (&str, &str)| Flag {
        name: "--set".to_owned(),
        key: key.trim().to_owned(),
        value: value.to_owned(),
    };
    let nothing = Sources::default();
    let variables = Sources { environment: environment.collect(), ..Sources::default() };
    let flags = Sources { flags: pairs().map(flag).collect(), ..Sources::default() };
    let file = Some((Ok(text.to_owned()), PathBuf::from("rookery.toml")));
    for merged in [merge_with(&nothing, file), merge(&variables), merge(&flags)] {
        match Settings::of(merged) {
            Ok(loaded) => {
                for shown in loaded.shown {
                    assert!(!shown.text.contains("lip_"), "{shown:?}");
                }
            }
            Err(error) => {
                assert!(!error.complaints.is_empty());
                for complaint in error.complaints {
                    let told = complaint.to_string();
                    assert!(!told.is_empty() && !told.contains("lip_secret"), "{told}");
                    assert!(!complaint.text.contains(steers), "{:?}", complaint.text);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_seeds_of_configurations() {
        crate::seeds::each("configuration", |bytes| super::configuration(&String::from_utf8_lossy(bytes)));
    }
}
