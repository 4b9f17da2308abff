//! `rookery` as a process, as an operator runs it: started, watched, told to end, killed.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// A busy machine is slow; nothing here takes that long.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A process that dies with the test. What it says goes to a file.
pub(crate) struct Daemon {
    child: Child,
    dir: tempfile::TempDir,
}

/// How a process is started.
pub(crate) struct Start {
    command: Command,
    dir: tempfile::TempDir,
}

impl Start {
    /// `rookery run` against this server, in a directory of its own, with a small engine and without recordings.
    pub(crate) fn run(url: &str, token: &str) -> Start {
        Start::wrapped(&[], url, token)
    }

    /// The same, started by another program with these words.
    pub(crate) fn wrapped(by: &[&str], url: &str, token: &str) -> Start {
        let dir = tempfile::tempdir().unwrap();
        let mut words = by.iter().copied().chain([env!("CARGO_BIN_EXE_rookery"), "run"]);
        let mut command = Command::new(words.next().unwrap());
        command.args(words).current_dir(dir.path()).env("ROOKERY_TOKEN", token).env_remove("ROOKERY_CONFIG");
        command.stdin(Stdio::null()).stdout(Stdio::null());
        Start { command, dir }
            .set("lichess.url", url)
            .set("record.dir", "")
            .set("engine.threads", "1")
            .set("engine.hash_mib", "16")
            .set("thinking.time_ms", "20")
    }

    /// Sets a key of the configuration.
    pub(crate) fn set(self, key: &str, value: &str) -> Start {
        self.arg("--set").arg(&format!("{key}={value}"))
    }

    pub(crate) fn arg(mut self, arg: &str) -> Start {
        self.command.arg(arg);
        self
    }

    /// Recordings go to `records` in the process's own directory.
    pub(crate) fn recording(self) -> Start {
        self.set("record.dir", "records")
    }

    /// The process's own directory.
    pub(crate) fn dir(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn spawn(mut self) -> Daemon {
        let said = File::create(self.dir.path().join("stderr")).unwrap();
        let child = self.command.stderr(said).spawn().unwrap();
        Daemon { child, dir: self.dir }
    }

    /// With standard error as a pipe that nobody reads.
    pub(crate) fn spawn_into_nothing(mut self) -> Daemon {
        let mut child = self.command.stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stderr.take());
        Daemon { child, dir: self.dir }
    }
}

impl Daemon {
    /// What it has said.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.dir.path().join("stderr")).unwrap_or_default()
    }

    pub(crate) fn dir(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn records(&self) -> PathBuf {
        self.dir.path().join("records")
    }

    /// Everything that it has recorded.
    pub(crate) fn recorded(&self) -> String {
        let mut all = String::new();
        for entry in fs::read_dir(self.records()).unwrap() {
            all.push_str(&String::from_utf8_lossy(&fs::read(entry.unwrap().path()).unwrap()));
        }
        all
    }

    /// A number from a line of `/proc/<pid>/status`, such as `VmRSS`.
    pub(crate) fn status(&self, key: &str) -> u64 {
        let text = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':')).unwrap();
        line.split_whitespace().next().unwrap().parse().unwrap()
    }

    /// How many files and sockets it has open.
    pub(crate) fn descriptors(&self) -> usize {
        fs::read_dir(format!("/proc/{}/fd", self.child.id())).unwrap().count()
    }

    /// The arguments as others see them.
    pub(crate) fn arguments(&self) -> String {
        let bytes = fs::read(format!("/proc/{}/cmdline", self.child.id())).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Sends a signal by its name, such as `TERM`.
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").args(["-s", name, &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success(), "kill -s {name}");
    }

    /// Sends a signal to the process that this one has started.
    pub(crate) fn signal_child(&self, name: &str) {
        let id = self.child.id();
        let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap();
        // Nothing, or 0, would mean the tests themselves.
        let child: u32 = children.trim().parse().unwrap();
        let sent = Command::new("kill").args(["-s", name, &child.to_string()]).status().unwrap();
        assert!(sent.success(), "kill -s {name} {children}");
    }

    /// Waits for its end.
    pub(crate) fn wait(&mut self) -> ExitStatus {
        let give_up = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < give_up, "it does not end; it said:\n{}", self.log());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// The code with which it ends by itself.
    pub(crate) fn code(&mut self) -> Option<i32> {
        self.wait().code()
    }

    /// SIGKILL: nothing is handed over, flushed or said.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        if self.child.try_wait().is_ok_and(|ended| ended.is_none()) {
            self.kill();
        }
    }
}

/// Waits until there is something to see, without keeping other tasks of the test from running.
pub(crate) async fn until<T>(what: &str, look: impl Fn() -> Option<T>) -> T {
    let give_up = Instant::now() + PATIENCE;
    loop {
        if let Some(seen) = look() {
            return seen;
        }
        assert!(Instant::now() < give_up, "waited in vain for {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
