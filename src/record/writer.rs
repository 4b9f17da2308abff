//! The thread that writes. A disk that is full or slow costs recordings, never a game.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::Duration;

use tracing::{debug, warn};

use crate::ignore::Ignore;

/// How long written lines may stay in memory while nothing else is to do.
const FLUSH_AFTER: Duration = Duration::from_millis(500);

/// Something to write.
#[derive(Debug)]
pub(super) enum Job {
    /// Add a line to a file.
    Append {
        /// Below the directory of the recordings.
        file: String,
        /// Without its end.
        line: String,
    },
    /// The file will not be written for a while.
    Close {
        /// As above.
        file: String,
    },
    /// Write a whole file.
    Save {
        /// As above.
        file: String,
        /// All of it.
        text: String,
    },
    /// Write out all that is there, say so, and end.
    End(SyncSender<()>),
}

/// The thread and the way to it.
#[derive(Debug)]
pub(super) struct Writer {
    jobs: SyncSender<Job>,
    thread: thread::JoinHandle<()>,
}

impl Writer {
    pub(super) fn start(dir: PathBuf, queue: usize) -> io::Result<Writer> {
        let (jobs, receiver) = mpsc::sync_channel(queue);
        let files = Files { dir, open: HashMap::new(), complained: false };
        let thread =
            thread::Builder::new().name("recorder".to_owned()).spawn(move || files.run(&receiver))?;
        Ok(Writer { jobs, thread })
    }

    pub(super) fn jobs(&self) -> SyncSender<Job> {
        self.jobs.clone()
    }

    /// Waits until all is written, up to `patience`: a disk that hangs must not keep the program from ending.
    pub(super) fn close(self, patience: Duration) {
        let (done, written) = mpsc::sync_channel(1);
        let mut job = Job::End(done);
        let deadline = std::time::Instant::now() + patience;
        while let Err(mpsc::TrySendError::Full(back)) = self.jobs.try_send(job) {
            if std::time::Instant::now() >= deadline {
                return warn!("the recorder is stuck; its last entries are lost");
            }
            job = back;
            thread::sleep(Duration::from_millis(5));
        }
        match written.recv_timeout(patience) {
            Err(RecvTimeoutError::Timeout) => warn!("the recorder is stuck; its last entries are lost"),
            // Answered, or ended before it could answer.
            Ok(()) | Err(RecvTimeoutError::Disconnected) => {
                self.thread.join().ignore("a panic of the recorder was reported by the panic hook");
            }
        }
    }
}

struct Files {
    dir: PathBuf,
    open: HashMap<String, BufWriter<File>>,
    complained: bool,
}

impl Files {
    fn run(mut self, jobs: &Receiver<Job>) {
        loop {
            match jobs.recv_timeout(FLUSH_AFTER) {
                Ok(Job::Append { file, line }) => {
                    let appended = self.append(&file, &line);
                    self.report(&file, appended);
                }
                Ok(Job::Close { file }) => {
                    if let Some(mut open) = self.open.remove(&file) {
                        let flushed = open.flush();
                        self.report(&file, flushed);
                    }
                }
                Ok(Job::Save { file, text }) => {
                    let saved = std::fs::write(self.dir.join(&file), text);
                    self.report(&file, saved);
                }
                Ok(Job::End(done)) => {
                    self.flush();
                    return done.send(()).ignore("nobody waits any more");
                }
                Err(RecvTimeoutError::Timeout) => self.flush(),
                Err(RecvTimeoutError::Disconnected) => return self.flush(),
            }
        }
    }

    fn append(&mut self, file: &str, line: &str) -> io::Result<()> {
        if !self.open.contains_key(file) {
            self.open.insert(file.to_owned(), open_for_append(&self.dir.join(file))?);
        }
        match self.open.get_mut(file) {
            Some(open) => writeln!(open, "{line}"),
            None => Ok(()),
        }
    }

    fn flush(&mut self) {
        let results: Vec<(String, io::Result<()>)> =
            self.open.iter_mut().map(|(file, open)| (file.clone(), open.flush())).collect();
        for (file, result) in results {
            self.report(&file, result);
        }
    }

    /// The first trouble is told aloud; a full disk would otherwise fill the log as well.
    fn report(&mut self, file: &str, result: io::Result<()>) {
        match result {
            Ok(()) => {}
            Err(error) if self.complained => debug!(file, %error, "cannot record"),
            Err(error) => {
                self.complained = true;
                warn!(file, %error, "cannot record; the games go on without");
            }
        }
    }
}

/// A crash may have left half a line at the end: the next line must not be glued to it.
fn open_for_append(path: &Path) -> io::Result<BufWriter<File>> {
    use std::io::{Read, Seek, SeekFrom};
    let mut file = OpenOptions::new().create(true).read(true).append(true).open(path)?;
    let mut last = [b'\n'];
    if file.metadata()?.len() > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    if last != *b"\n" {
        file.write_all(b"\n")?;
    }
    Ok(BufWriter::new(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(dir: &Path, jobs: Vec<Job>) {
        let writer = Writer::start(dir.to_owned(), 64).unwrap();
        for job in jobs {
            writer.jobs().try_send(job).unwrap();
        }
        writer.close(Duration::from_secs(20));
    }

    fn append(file: &str, line: &str) -> Job {
        Job::Append { file: file.to_owned(), line: line.to_owned() }
    }

    #[test]
    fn half_a_line_is_closed_before_the_next() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("a"), "{\"se").unwrap();
        run(dir.path(), vec![append("a", "x"), append("a", "y")]);
        assert_eq!(std::fs::read_to_string(dir.path().join("a")).unwrap(), "{\"se\nx\ny\n");
    }

    /// A file that cannot be opened stands for every trouble with the disk.
    #[test]
    fn trouble_with_one_file_leaves_the_others_alone() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("a")).unwrap();
        run(dir.path(), vec![append("a", "x"), append("b", "y"), append("a", "x")]);
        assert_eq!(std::fs::read_to_string(dir.path().join("b")).unwrap(), "y\n");
    }

    #[test]
    fn a_closed_file_can_be_opened_again() {
        let dir = tempfile::tempdir().unwrap();
        run(dir.path(), vec![append("a", "x"), Job::Close { file: "a".to_owned() }, append("a", "y")]);
        assert_eq!(std::fs::read_to_string(dir.path().join("a")).unwrap(), "x\ny\n");
    }
}
