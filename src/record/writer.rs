//! The thread that writes. A disk that is full or slow costs recordings, never a game.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TrySendError};
use std::thread;
use std::time::Duration;

use tracing::{debug, warn};

use super::Kind;
use super::spool::{self, Spool};
use crate::ignore::Ignore;
use crate::printable::printable_json;

/// How long written lines may stay in memory while nothing else is to do.
const FLUSH_AFTER: Duration = Duration::from_millis(500);

/// How many bytes may wait for the disk: lines may be long.
const WAITING: usize = 64 * 1024 * 1024;

/// The longest file, in bytes: a server that floods us must not fill the disk. A quiet account makes about one MiB a
/// day, a game some KiB a move.
const LONGEST_FILE: u64 = 256 * 1024 * 1024;

/// Files that are open at once. A bot has fewer games, but a disk that hangs may keep it from closing them.
const MOST_OPEN: usize = 128;

/// Takes out of a text what nobody may read.
pub type Hide = Box<dyn Fn(String) -> String + Send>;

/// Something to write.
#[derive(Debug)]
pub(super) enum Job {
    /// Add a line to a file.
    Append(Draft),
    /// The file will not be written for a while.
    Close {
        /// Below the directory of the recordings.
        file: Arc<str>,
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

/// An entry that is still to be made a line.
#[derive(Debug)]
pub(super) struct Draft {
    /// As above.
    pub(super) file: Arc<str>,
    pub(super) seq: u64,
    pub(super) at_ms: u64,
    pub(super) kind: Kind,
    pub(super) body: Body,
}

/// What an entry says.
#[derive(Debug)]
pub(super) enum Body {
    /// Ready.
    Json(String),
    /// To be written as a string; bytes that are no text are replaced.
    Text(Vec<u8>),
}

/// The way to the thread.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    jobs: SyncSender<Job>,
    /// Bytes that wait.
    waiting: Arc<AtomicUsize>,
}

impl Draft {
    /// The entry as it stands in the file, without the end of the line.
    pub(super) fn line(&self) -> String {
        let Draft { seq, at_ms, kind, .. } = self;
        let body = match &self.body {
            Body::Json(body) => body,
            Body::Text(bytes) => &serde_json::Value::from(String::from_utf8_lossy(bytes)).to_string(),
        };
        format!(r#"{{"seq":{seq},"at_ms":{at_ms},"kind":"{}","body":{body}}}"#, kind.word())
    }
}

impl Job {
    /// About how much memory it takes.
    fn weight(&self) -> usize {
        match self {
            Job::Append(Draft { body: Body::Json(text), .. }) | Job::Save { text, .. } => text.len(),
            Job::Append(Draft { body: Body::Text(bytes), .. }) => bytes.len(),
            Job::Close { .. } | Job::End(_) => 0,
        }
    }
}

impl Queue {
    pub(super) fn new(capacity: usize) -> (Queue, Receiver<Job>) {
        let (jobs, receiver) = mpsc::sync_channel(capacity);
        (Queue { jobs, waiting: Arc::default() }, receiver)
    }

    /// Hands it over if there is room for it.
    pub(super) fn put(&self, job: Job) -> Result<(), TrySendError<Job>> {
        let weight = job.weight();
        if self.waiting.fetch_add(weight, Ordering::Relaxed).saturating_add(weight) > WAITING {
            self.waiting.fetch_sub(weight, Ordering::Relaxed);
            return Err(TrySendError::Full(job));
        }
        let put = self.jobs.try_send(job);
        if put.is_err() {
            self.waiting.fetch_sub(weight, Ordering::Relaxed);
        }
        put
    }
}

/// The thread and the way to it.
#[derive(Debug)]
pub(super) struct Writer {
    queue: Queue,
    thread: thread::JoinHandle<()>,
}

impl Writer {
    pub(super) fn start(dir: PathBuf, capacity: usize, hide: Hide) -> io::Result<Writer> {
        let (queue, jobs) = Queue::new(capacity);
        let files =
            Files { dir, hide, waiting: Arc::clone(&queue.waiting), open: HashMap::new(), complained: false };
        let thread = thread::Builder::new().name("recorder".to_owned()).spawn(move || files.run(&jobs))?;
        Ok(Writer { queue, thread })
    }

    pub(super) fn queue(&self) -> Queue {
        self.queue.clone()
    }

    /// Waits until all is written, up to `patience`: a disk that hangs must not keep the program from ending.
    pub(super) fn close(self, patience: Duration) {
        let (done, written) = mpsc::sync_channel(1);
        let mut job = Job::End(done);
        let deadline = std::time::Instant::now() + patience;
        while let Err(TrySendError::Full(back)) = self.queue.put(job) {
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
    hide: Hide,
    waiting: Arc<AtomicUsize>,
    open: HashMap<Arc<str>, Spool>,
    complained: bool,
}

impl Files {
    fn run(mut self, jobs: &Receiver<Job>) {
        loop {
            let job = jobs.recv_timeout(FLUSH_AFTER);
            if let Ok(job) = &job {
                self.waiting.fetch_sub(job.weight(), Ordering::Relaxed);
            }
            match job {
                Ok(Job::Append(draft)) => {
                    let appended = self.append(&draft);
                    self.report(&draft.file, appended);
                }
                Ok(Job::Close { file }) => {
                    if let Some(mut open) = self.open.remove(&file) {
                        let flushed = open.flush();
                        self.report(&file, flushed);
                    }
                }
                Ok(Job::Save { file, text }) => {
                    let saved = spool::save(&self.dir, &file, &(self.hide)(text));
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

    /// A part that begins finds room: what stood in a long file before goes to a second one, whose name ends in `.old`.
    fn append(&mut self, draft: &Draft) -> io::Result<()> {
        if !self.open.contains_key(&draft.file) {
            let path = self.dir.join(&*draft.file);
            let long = std::fs::metadata(&path).is_ok_and(|meta| meta.len() > LONGEST_FILE / 2);
            if long && draft.kind == Kind::Header {
                let mut old = path.clone().into_os_string();
                old.push(".old");
                std::fs::rename(&path, old)?;
            }
            if self.open.len() >= MOST_OPEN {
                self.flush();
                self.open.clear();
            }
            self.open.insert(Arc::clone(&draft.file), Spool::open(&path)?);
        }
        let line = (self.hide)(draft.line());
        let line = printable_json(&line);
        self.open.get_mut(&draft.file).map_or(Ok(()), |open| write(open, &line, draft))
    }

    fn flush(&mut self) {
        let results: Vec<(Arc<str>, io::Result<()>)> =
            self.open.iter_mut().map(|(file, open)| (Arc::clone(file), open.flush())).collect();
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

/// The last entry that fits is a gap: nothing stands after it.
fn write(open: &mut Spool, line: &str, draft: &Draft) -> io::Result<()> {
    if open.bytes() > LONGEST_FILE {
        return Ok(());
    }
    let gap = |body: String| {
        Draft { file: Arc::clone(&draft.file), kind: Kind::Gap, body: Body::Json(body), ..*draft }.line()
    };
    let after = open.bytes().saturating_add(u64::try_from(line.len()).unwrap_or(u64::MAX));
    let missing = |missing| gap(format!(r#"{{"missing":{missing}}}"#));
    if after <= LONGEST_FILE {
        return open.add(line, missing);
    }
    open.add(&gap(r#"{"missing":1,"full":true}"#.to_owned()), missing)?;
    open.close();
    Ok(())
}

impl fmt::Debug for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Files").field("dir", &self.dir).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn run(dir: &Path, jobs: Vec<Job>) {
        let writer = Writer::start(dir.to_owned(), 64, Box::new(|text| text)).unwrap();
        for job in jobs {
            writer.queue().put(job).unwrap();
        }
        writer.close(Duration::from_secs(20));
    }

    fn draft(file: &str, kind: Kind, text: &str) -> Draft {
        Draft { file: file.into(), seq: 1, at_ms: 2, kind, body: Body::Text(text.as_bytes().to_vec()) }
    }

    fn append(file: &str, text: &str) -> Job {
        Job::Append(draft(file, Kind::Line, text))
    }

    fn line(text: &str) -> String {
        format!("{{\"seq\":1,\"at_ms\":2,\"kind\":\"line\",\"body\":\"{text}\"}}\n")
    }

    fn read(dir: &Path, file: &str) -> String {
        std::fs::read_to_string(dir.join(file)).unwrap()
    }

    /// A file that cannot be opened stands for every trouble with the disk.
    #[test]
    fn trouble_with_one_file_leaves_the_others_alone() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("a")).unwrap();
        run(dir.path(), vec![append("a", "x"), append("b", "y"), append("a", "x")]);
        assert_eq!(read(dir.path(), "b"), line("y"));
    }

    #[test]
    fn a_closed_file_can_be_opened_again() {
        let dir = tempfile::tempdir().unwrap();
        run(dir.path(), vec![append("a", "x"), Job::Close { file: "a".into() }, append("a", "y")]);
        assert_eq!(read(dir.path(), "a"), line("x") + &line("y"));
    }

    #[test]
    fn a_file_that_is_full_ends_with_a_gap() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        // A hole takes no room on the disk.
        std::fs::File::create(&path).unwrap().set_len(LONGEST_FILE - 60).unwrap();
        run(dir.path(), ["x", "y", "z"].map(|text| append("a", text)).into());
        let mut file = std::fs::File::open(&path).unwrap();
        std::io::Seek::seek(&mut file, std::io::SeekFrom::Start(LONGEST_FILE - 60)).unwrap();
        let written = std::io::read_to_string(file).unwrap();
        let gap = r#"{"seq":1,"at_ms":2,"kind":"gap","body":{"missing":1,"full":true}}"#;
        assert_eq!(written, format!("\n{}{gap}\n", line("x")));
    }

    #[test]
    fn a_new_part_of_a_long_file_begins_a_new_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        std::fs::File::create(&path).unwrap().set_len(LONGEST_FILE / 2 + 1).unwrap();
        run(dir.path(), vec![Job::Append(draft("a", Kind::Header, "x"))]);
        assert!(read(dir.path(), "a").starts_with("{\"seq\":1"));
        assert_eq!(std::fs::metadata(dir.path().join("a.old")).unwrap().len(), LONGEST_FILE / 2 + 1);
    }

    #[test]
    fn what_waits_is_bounded_by_its_size() {
        let (queue, jobs) = Queue::new(8);
        let big = || Job::Save { file: "a".to_owned(), text: "x".repeat(WAITING / 2) };
        assert!(queue.put(big()).is_ok() && queue.put(big()).is_ok());
        assert!(queue.put(append("a", "x")).is_err());
        assert_eq!(jobs.try_iter().count(), 2);
    }
}
