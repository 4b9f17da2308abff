//! Handing entries over: what a game calls. Nothing here waits.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::Serialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::writer::{Job, Writer};
use super::{Entry, FORMAT, Kind};
use crate::ignore::Ignore;

/// How many entries wait for the disk. A busy game makes a few a second.
const QUEUE: usize = 4096;

/// The owner of all recordings of a process.
#[derive(Debug)]
pub struct Recorder {
    writer: Option<Writer>,
}

/// One file, open for writing; without a recorder it takes everything and keeps nothing.
#[derive(Clone, Debug)]
pub struct Log {
    began: Instant,
    sink: Option<Arc<Sink>>,
}

#[derive(Debug)]
struct Sink {
    file: String,
    jobs: SyncSender<Job>,
    /// Numbering and queueing are one step, so that the numbers stand in order.
    next: Mutex<Next>,
    dropped: AtomicU64,
}

#[derive(Debug)]
struct Next {
    seq: u64,
    /// Lost since the last gap was written.
    missing: u64,
}

impl Recorder {
    /// Records into `dir`, which is made if it is not there.
    pub fn create(dir: &Path) -> io::Result<Recorder> {
        std::fs::create_dir_all(dir)?;
        Ok(Recorder { writer: Some(Writer::start(dir.to_owned(), QUEUE)?) })
    }

    /// Records nothing.
    pub fn disabled() -> Recorder {
        Recorder { writer: None }
    }

    /// Begins a part of the file `<name>.ndjson`, after what stands there already. The header gets `about`.
    pub fn log(&self, name: &str, about: &impl Serialize) -> Log {
        let began = Instant::now();
        let Some(writer) = &self.writer else { return Log { began, sink: None } };
        let sink = Sink {
            file: format!("{name}.ndjson"),
            jobs: writer.jobs(),
            next: Mutex::new(Next { seq: 0, missing: 0 }),
            dropped: AtomicU64::new(0),
        };
        let log = Log { began, sink: Some(Arc::new(sink)) };
        log.entry(Kind::Header, &json!({ "format": FORMAT, "wall_ms": wall_ms(), "about": about }));
        log
    }

    /// Writes a whole file, such as a finished game.
    pub fn save(&self, file: &str, text: String) {
        if let Some(writer) = &self.writer {
            let job = Job::Save { file: file.to_owned(), text };
            writer.jobs().try_send(job).ignore("a full queue must not hold up the games");
        }
    }

    /// Waits until everything is written, for `patience` at most. Blocks: call it where that is allowed.
    pub fn close(self, patience: Duration) {
        if let Some(writer) = self.writer {
            writer.close(patience);
        }
    }
}

impl Log {
    /// A log that keeps nothing.
    pub fn none() -> Log {
        Log { began: Instant::now(), sink: None }
    }

    /// When it began: `at_ms` counts from here.
    pub fn began(&self) -> Instant {
        self.began
    }

    /// Adds an entry that happens now.
    pub fn entry(&self, kind: Kind, body: &impl Serialize) {
        self.entry_at(self.began.elapsed(), kind, body);
    }

    /// Adds an entry that happened at `at`, counted from [`Log::began`].
    pub fn entry_at(&self, at: Duration, kind: Kind, body: &impl Serialize) {
        let Some(sink) = &self.sink else { return };
        // Only maps with odd keys cannot be written, and there are none in what we record.
        let body = serde_json::to_value(body).unwrap_or(Value::Null);
        sink.put(millis(at), kind, body);
    }

    /// Adds a line as it came. Bytes that are no text are replaced.
    pub fn line(&self, raw: &[u8]) {
        if self.sink.is_some() {
            self.entry(Kind::Line, &String::from_utf8_lossy(raw));
        }
    }

    /// How many entries were lost.
    pub fn dropped(&self) -> u64 {
        self.sink.as_ref().map_or(0, |sink| sink.dropped.load(Ordering::Relaxed))
    }
}

impl Sink {
    fn put(&self, at_ms: u64, kind: Kind, body: Value) {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        if next.missing > 0 {
            let gap =
                Entry { seq: next.seq, at_ms, kind: Kind::Gap, body: json!({ "missing": next.missing }) };
            if self.send(&gap) {
                next.missing = 0;
            }
        }
        let entry = Entry { seq: next.seq, at_ms, kind, body };
        next.seq += 1;
        if next.missing > 0 || !self.send(&entry) {
            next.missing += 1;
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn send(&self, entry: &Entry) -> bool {
        let Ok(line) = serde_json::to_string(entry) else { return false };
        self.jobs.try_send(Job::Append { file: self.file.clone(), line }).is_ok()
    }
}

impl Drop for Sink {
    /// The last user is gone: the file can be closed.
    fn drop(&mut self) {
        let job = Job::Close { file: self.file.clone() };
        self.jobs.try_send(job).ignore("a file that stays open is closed at the end");
    }
}

/// Milliseconds since 1970: the only wall-clock time in a recording, all else counts from it.
fn wall_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, millis)
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::super::Reader;
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(20);

    fn entries(dir: &Path, file: &str) -> Vec<Entry> {
        let text = std::fs::read_to_string(dir.join(file)).unwrap();
        Reader::new(text.as_bytes()).map(|entry| entry.unwrap().1).collect()
    }

    #[test]
    fn what_is_recorded_can_be_read() {
        let dir = tempfile::tempdir().unwrap();
        for round in 0..2 {
            let recorder = Recorder::create(&dir.path().join("new")).unwrap();
            let log = recorder.log("g0000001", &json!({ "round": round }));
            log.line(b"{\"type\":\"gameState\"}");
            log.entry(Kind::Input, &json!({ "input": "connected" }));
            recorder.save("g0000001.pgn", format!("round {round}"));
            drop(log);
            recorder.close(PATIENCE);
        }
        let dir = dir.path().join("new");
        let entries = entries(&dir, "g0000001.ndjson");
        let kinds: Vec<Kind> = entries.iter().map(|entry| entry.kind).collect();
        let part = [Kind::Header, Kind::Line, Kind::Input];
        assert_eq!(kinds, [part, part].concat());
        assert_eq!(entries[1].body, "{\"type\":\"gameState\"}");
        assert_eq!(entries.iter().map(|entry| entry.seq).collect::<Vec<_>>(), [0, 1, 2, 0, 1, 2]);
        assert_eq!(std::fs::read_to_string(dir.join("g0000001.pgn")).unwrap(), "round 1");
    }

    #[test]
    fn what_does_not_fit_is_counted_and_shown() {
        let (jobs, queue) = std::sync::mpsc::sync_channel(2);
        let sink = Sink {
            file: "x".to_owned(),
            jobs,
            next: Mutex::new(Next { seq: 0, missing: 0 }),
            dropped: AtomicU64::new(0),
        };
        let log = Log { began: Instant::now(), sink: Some(Arc::new(sink)) };
        for n in 0..5 {
            log.entry(Kind::Line, &n);
        }
        assert_eq!(log.dropped(), 3);
        let lines = |queue: &std::sync::mpsc::Receiver<Job>| -> Vec<Entry> {
            let line = |job| match job {
                Job::Append { line, .. } => serde_json::from_str(&line).unwrap(),
                other => panic!("{other:?}"),
            };
            queue.try_iter().map(line).collect()
        };
        assert_eq!(lines(&queue).iter().map(|entry| entry.seq).collect::<Vec<_>>(), [0, 1]);
        log.entry(Kind::Line, &5);
        let after = lines(&queue);
        assert_eq!((after[0].kind, &after[0].body), (Kind::Gap, &json!({ "missing": 3 })));
        assert_eq!((after[1].kind, after[1].seq), (Kind::Line, 5));
    }

    #[test]
    fn nothing_is_recorded_without_a_recorder() {
        let recorder = Recorder::disabled();
        let log = recorder.log("g0000001", &());
        log.line(b"x");
        assert_eq!(log.dropped(), 0);
        recorder.save("x.pgn", String::new());
        recorder.close(PATIENCE);
    }
}
