//! How a command ends: the exit codes, and an error as one readable paragraph.

use std::error::Error;
use std::fmt;
use std::io;
use std::process::ExitCode;

/// The exit codes, each with its meaning. `--help` and the README list the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All went as asked.
    Ok = 0,
    /// The command did its work and found a difference, or it failed in a way that has no code of its own.
    Failed = 1,
    /// The arguments make no sense; nothing was done.
    Usage = 2,
    /// The configuration was refused, or there is no token; nothing was done.
    Config = 3,
    /// The server refused the token, or the account is not of the right kind.
    Account = 4,
    /// The server could not be reached, or it failed.
    Network = 5,
}

impl Exit {
    /// Every code with its meaning in a few words.
    pub(crate) const MEANINGS: [(Exit, &'static str); 6] = [
        (Exit::Ok, "all went as asked"),
        (Exit::Failed, "the command failed, or replay, solve or perft found a difference"),
        (Exit::Usage, "the arguments make no sense"),
        (Exit::Config, "the configuration was refused, or there is no token"),
        (Exit::Account, "the server refused the token, or the account is not of the right kind"),
        (Exit::Network, "the server could not be reached, or it failed"),
    ];
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Why a command could not do what it was asked to.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The code that the process ends with.
    pub(crate) exit: Exit,
    what: String,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl Failure {
    pub(crate) fn new(exit: Exit, what: impl Into<String>) -> Failure {
        Failure { exit, what: what.into(), source: None }
    }

    /// Standard output could not be written.
    pub(crate) fn output(source: io::Error) -> Failure {
        // Whoever closed the other end, such as `head`, has seen enough: that is no failure.
        let exit = if source.kind() == io::ErrorKind::BrokenPipe { Exit::Ok } else { Exit::Failed };
        Failure::because(exit, "cannot write to standard output", source)
    }

    /// A failure with its cause.
    pub(crate) fn because(
        exit: Exit,
        what: impl Into<String>,
        source: impl Into<Box<dyn Error + Send + Sync>>,
    ) -> Failure {
        Failure { exit, what: what.into(), source: Some(source.into()) }
    }
}

/// The whole chain of causes, separated by colons. A cause that its parent already quotes is not said twice.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        let mut said = self.what.clone();
        let mut cause: Option<&(dyn Error + 'static)> =
            self.source.as_deref().map(|e| e as &(dyn Error + 'static));
        while let Some(e) = cause {
            let text = e.to_string();
            if !said.contains(&text) {
                write!(f, ": {text}")?;
            }
            said = text;
            cause = e.source();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("cannot read the log")]
    struct Outer(#[source] io::Error);

    #[test]
    fn a_failure_names_its_causes_in_order() {
        let failure =
            Failure::because(Exit::Failed, "replay stopped", Outer(io::Error::other("disk on fire")));
        assert_eq!(failure.to_string(), "replay stopped: cannot read the log: disk on fire");
    }

    #[test]
    fn a_cause_that_was_quoted_is_not_repeated() {
        let failure = Failure::because(Exit::Failed, "no such file: x", io::Error::other("no such file"));
        assert_eq!(failure.to_string(), "no such file: x");
    }

    #[test]
    fn each_code_has_one_meaning() {
        for (n, (exit, _)) in Exit::MEANINGS.iter().enumerate() {
            assert_eq!(*exit as usize, n);
        }
    }
}
