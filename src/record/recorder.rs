//! Handing entries over: what a game calls. Nothing here waits, and nothing is formatted that can be formatted later.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::Serialize;
use serde_json::json;
use tokio::time::Instant;

use super::writer::{Body, Draft, Hide, Job, Queue, Writer};
use super::{FORMAT, Kind};
use crate::ignore::Ignore;

/// How many entries wait for the disk. A busy game makes a few a second.
const QUEUE: usize = 4096;

/// Signs of life that come within this time, in milliseconds, are one entry: a server may send nothing else.
const ALIVE_EVERY_MS: u64 = 1000;

/// How much of a line that never ended is kept, in bytes.
const REST: usize = 4096;

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
    file: Arc<str>,
    queue: Queue,
    /// Numbering and queueing are one step, so that the numbers stand in order.
    next: Mutex<Next>,
    dropped: AtomicU64,
}

#[derive(Debug, Default)]
struct Next {
    seq: u64,
    /// Lost since the last gap was written.
    missing: u64,
    /// Signs of life since the last entry about them.
    alive: u64,
    /// When they may be written again.
    alive_from_ms: u64,
}

impl Recorder {
    /// Records into `dir`, which is made if it is not there. `hide` is asked about every line before it is written,
    /// on the thread that writes: it takes out what nobody may read.
    pub fn create(dir: &Path, hide: Hide) -> io::Result<Recorder> {
        std::fs::create_dir_all(dir)?;
        Ok(Recorder { writer: Some(Writer::start(dir.to_owned(), QUEUE, hide)?) })
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
            file: format!("{name}.ndjson").into(),
            queue: writer.queue(),
            next: Mutex::default(),
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
            writer.queue().put(job).ignore("a full queue must not hold up the games");
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
        let body = serde_json::to_string(body).unwrap_or_else(|_| "null".to_owned());
        sink.put(millis(at), kind, Body::Json(body));
    }

    /// Adds a line as it came. Bytes that are no text are replaced.
    pub fn line(&self, raw: &[u8]) {
        if let Some(sink) = &self.sink {
            sink.put(millis(self.began.elapsed()), Kind::Line, Body::Text(raw.to_owned()));
        }
    }

    /// The server is alive. What comes in quick succession is counted and written as one.
    pub fn alive(&self) {
        if let Some(sink) = &self.sink {
            sink.alive(millis(self.began.elapsed()));
        }
    }

    /// A stream is lost; `rest` is what had come of a line that never ended.
    pub fn lost(&self, reason: &impl Serialize, rest: &[u8]) {
        if self.sink.is_some() {
            let cut = String::from_utf8_lossy(&rest[..rest.len().min(REST)]);
            let body = json!({ "stream": "lost", "reason": reason, "rest": cut, "rest_bytes": rest.len() });
            self.entry(Kind::Stream, &body);
        }
    }

    /// How many entries were lost.
    pub fn dropped(&self) -> u64 {
        self.sink.as_ref().map_or(0, |sink| sink.dropped.load(Ordering::Relaxed))
    }
}

impl Sink {
    fn put(&self, at_ms: u64, kind: Kind, body: Body) {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        self.tell_alive(&mut next, at_ms);
        self.number(&mut next, at_ms, kind, body);
    }

    fn alive(&self, at_ms: u64) {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        next.alive += 1;
        if at_ms >= next.alive_from_ms {
            self.tell_alive(&mut next, at_ms);
            next.alive_from_ms = at_ms.saturating_add(ALIVE_EVERY_MS);
        }
    }

    fn tell_alive(&self, next: &mut Next, at_ms: u64) {
        if next.alive > 0 {
            let body = format!(r#"{{"times":{}}}"#, std::mem::take(&mut next.alive));
            self.number(next, at_ms, Kind::Alive, Body::Json(body));
        }
    }

    fn number(&self, next: &mut Next, at_ms: u64, kind: Kind, body: Body) {
        if next.missing > 0 {
            let gap = Body::Json(format!(r#"{{"missing":{}}}"#, next.missing));
            if self.send(next.seq, at_ms, Kind::Gap, gap) {
                next.missing = 0;
            }
        }
        let seq = next.seq;
        next.seq += 1;
        if next.missing > 0 || !self.send(seq, at_ms, kind, body) {
            next.missing += 1;
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn send(&self, seq: u64, at_ms: u64, kind: Kind, body: Body) -> bool {
        let draft = Draft { file: Arc::clone(&self.file), seq, at_ms, kind, body };
        self.queue.put(Job::Append(draft)).is_ok()
    }
}

impl Drop for Sink {
    /// The last user is gone: the file can be closed.
    fn drop(&mut self) {
        let job = Job::Close { file: Arc::clone(&self.file) };
        self.queue.put(job).ignore("a file that stays open is closed at the end");
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
    use super::super::{Entry, Reader};
    use std::sync::mpsc::Receiver;

    use serde_json::Value;

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(20);

    fn open() -> Hide {
        Box::new(|text| text)
    }

    fn entries(dir: &Path, file: &str) -> Vec<Entry> {
        let text = std::fs::read_to_string(dir.join(file)).unwrap();
        Reader::new(text.as_bytes()).map(|entry| entry.unwrap().1).collect()
    }

    #[test]
    fn what_is_recorded_can_be_read() {
        let dir = tempfile::tempdir().unwrap();
        for round in 0..2 {
            let recorder = Recorder::create(&dir.path().join("new"), open()).unwrap();
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
        let read = |file: &str| std::fs::read_to_string(dir.join(file)).unwrap();
        assert_eq!((read("g0000001.pgn"), read("g0000001.2.pgn")), ("round 0".into(), "round 1".into()));
    }

    fn sink(capacity: usize) -> (Sink, Receiver<Job>) {
        let (queue, jobs) = Queue::new(capacity);
        (Sink { file: "x".into(), queue, next: Mutex::default(), dropped: AtomicU64::new(0) }, jobs)
    }

    fn lines(jobs: &Receiver<Job>) -> Vec<Entry> {
        let line = |job| match job {
            Job::Append(draft) => serde_json::from_str(&draft.line()).unwrap(),
            other => panic!("{other:?}"),
        };
        jobs.try_iter().map(line).collect()
    }

    #[test]
    fn what_does_not_fit_is_counted_and_shown() {
        let (sink, queue) = sink(2);
        let log = Log { began: Instant::now(), sink: Some(Arc::new(sink)) };
        for n in 0..5 {
            log.entry(Kind::Line, &n);
        }
        assert_eq!(log.dropped(), 3);
        assert_eq!(lines(&queue).iter().map(|entry| entry.seq).collect::<Vec<_>>(), [0, 1]);
        log.entry(Kind::Line, &5);
        let after = lines(&queue);
        assert_eq!((after[0].kind, &after[0].body), (Kind::Gap, &json!({ "missing": 3 })));
        assert_eq!((after[1].kind, after[1].seq), (Kind::Line, 5));
    }

    #[test]
    fn signs_of_life_are_counted_and_told_before_what_follows() {
        let (sink, jobs) = sink(9);
        for at_ms in [0, 10, 20, 1005] {
            sink.alive(at_ms);
        }
        sink.alive(1010);
        sink.put(1020, Kind::Line, Body::Text(b"x".to_vec()));
        let told: Vec<(u64, Kind, Value)> =
            lines(&jobs).into_iter().map(|entry| (entry.at_ms, entry.kind, entry.body)).collect();
        let times = |n: u64| json!({ "times": n });
        let expected = [
            (0, Kind::Alive, times(1)),
            (1005, Kind::Alive, times(3)),
            (1020, Kind::Alive, times(1)),
            (1020, Kind::Line, json!("x")),
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn nobody_reads_what_is_to_be_hidden() {
        let dir = tempfile::tempdir().unwrap();
        let hide = |text: String| text.replace("lip_secret", "<hidden>");
        let recorder = Recorder::create(dir.path(), Box::new(hide)).unwrap();
        let log = recorder.log("g0000001", &"lip_secret");
        log.line(b"{\"text\":\"lip_secret\"}");
        log.lost(&"lip_secret", b"lip_secret");
        recorder.save("g0000001.pgn", "lip_secret".to_owned());
        drop(log);
        recorder.close(PATIENCE);
        for file in ["g0000001.ndjson", "g0000001.pgn"] {
            let text = std::fs::read_to_string(dir.path().join(file)).unwrap();
            assert!(text.contains("<hidden>") && !text.contains("secret"), "{text}");
        }
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
