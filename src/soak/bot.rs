//! The bot as a process: started, looked at, killed and told to end. It dies with its owner.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use super::opponents::TOKEN;
use super::{SoakError, SoakOptions};
use crate::ignore::Ignore as _;

/// Where the bot records, in the directory of the run.
pub(super) const RECORDS: &str = "records";

/// What it logs, in the directory of the run.
pub(super) const LOG: &str = "bot.log";

/// A running bot.
#[derive(Debug)]
pub(super) struct Bot {
    child: Child,
}

/// What the system says of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Usage {
    /// Resident memory.
    pub(super) memory_kib: u64,
    /// Open files and sockets.
    pub(super) descriptors: u64,
    /// Threads.
    pub(super) threads: u64,
}

impl Bot {
    /// Starts it, in the directory of the run and with nothing of our environment but the search path.
    pub(super) fn start(options: &SoakOptions, url: &str) -> Result<Bot, SoakError> {
        let log = options.out.join(LOG);
        let log = File::options()
            .create(true)
            .append(true)
            .open(log)
            .map_err(SoakError::io("open the bot's log"))?;
        let mut command = Command::new(&options.program);
        command.arg("run").args(["--url", url]).current_dir(&options.out);
        for (key, value) in settings(options) {
            command.arg("--set").arg(format!("{key}={value}"));
        }
        command.env_clear().env("ROOKERY_TOKEN", TOKEN).env("RUST_BACKTRACE", "1");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        // Ctrl-C is for us alone: we tell the bot when to end.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let child = command.spawn().map_err(SoakError::io(format!("start {}", options.program.display())))?;
        Ok(Bot { child })
    }

    /// How it ended, if it has.
    pub(super) fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    /// What it uses now, where the system tells it.
    pub(super) fn usage(&self) -> Option<Usage> {
        usage(&PathBuf::from(format!("/proc/{}", self.child.id())))
    }

    /// SIGKILL: nothing is handed over, flushed or said.
    pub(super) fn kill(&mut self) {
        self.child.kill().ignore("it has ended already");
        self.child.wait().ignore("nobody else waits for it");
    }

    /// SIGTERM: it is to finish its games. The standard library has no word for it, so the program `kill` says it.
    pub(super) fn terminate(&self) -> Result<(), SoakError> {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-s", "TERM", &id]).status();
        let sent = sent.map_err(SoakError::io("run the program kill"))?;
        let failed = || io::Error::other(format!("kill -s TERM {id}: {sent}"));
        sent.success().then_some(()).ok_or_else(failed).map_err(SoakError::io("tell the bot to end"))
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        if self.ended().is_none() {
            self.kill();
        }
    }
}

/// The bot's configuration; what the caller sets comes last and wins.
fn settings(options: &SoakOptions) -> Vec<(String, String)> {
    let games = options.at_once.to_string();
    let own = [
        ("record.dir", RECORDS.to_owned()),
        ("engine.threads", options.threads.to_string()),
        ("engine.hash_mib", options.hash_mib.to_string()),
        ("thinking.nodes", options.nodes.unwrap_or(0).to_string()),
        ("challenges.max_games", games.clone()),
        ("challenges.max_held", games),
    ];
    let own = own.into_iter().map(|(key, value)| (key.to_owned(), value));
    own.chain(options.set.iter().cloned()).collect()
}

fn usage(process: &Path) -> Option<Usage> {
    let status = fs::read_to_string(process.join("status")).ok()?;
    let number = |key: &str| -> Option<u64> {
        let line = status.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
        line.split_whitespace().next()?.parse().ok()
    };
    Some(Usage {
        memory_kib: number("VmRSS")?,
        descriptors: fs::read_dir(process.join("fd")).ok()?.count() as u64,
        threads: number("Threads")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_looked_at() {
        let dir = tempfile::tempdir().unwrap();
        let text = "Name:\tx\nVmPeak:\t  900 kB\nVmRSS:\t    84 kB\nThreads:\t3\n";
        fs::write(dir.path().join("status"), text).unwrap();
        assert_eq!(usage(dir.path()), None, "a process that ends has no descriptors any more");
        fs::create_dir(dir.path().join("fd")).unwrap();
        fs::write(dir.path().join("fd/0"), "").unwrap();
        fs::write(dir.path().join("fd/1"), "").unwrap();
        assert_eq!(usage(dir.path()), Some(Usage { memory_kib: 84, descriptors: 2, threads: 3 }));
        fs::write(dir.path().join("status"), "Name:\tx\n").unwrap();
        assert_eq!(usage(dir.path()), None, "a dead process that nobody has waited for has no memory");
    }
}
