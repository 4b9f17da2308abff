//! The lines that wait for one reader. A reader that is too slow loses the oldest, as on Lichess.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

/// A bounded queue with one reader.
#[derive(Debug)]
pub(super) struct LineQueue {
    // A std mutex: it is held for a few instructions and never across an await.
    waiting: Mutex<Waiting>,
    ready: Notify,
}

#[derive(Debug)]
struct Waiting {
    lines: VecDeque<Bytes>,
    closed: bool,
    capacity: usize,
    stall: Option<Stall>,
}

/// The reader does not read for a while.
#[derive(Clone, Copy, Debug)]
struct Stall {
    until: Instant,
    /// How many lines wait meanwhile.
    capacity: usize,
}

impl Waiting {
    fn stall(&self) -> Option<Stall> {
        self.stall.filter(|stall| Instant::now() < stall.until)
    }

    fn drop_oldest(&mut self) {
        let capacity = self.stall().map_or(self.capacity, |stall| stall.capacity.min(self.capacity));
        let surplus = self.lines.len().saturating_sub(capacity);
        self.lines.drain(..surplus);
    }
}

impl LineQueue {
    /// An empty queue that holds `capacity` lines, but at least one.
    pub(super) fn new(capacity: usize) -> LineQueue {
        let capacity = capacity.max(1);
        let waiting = Waiting { lines: VecDeque::new(), closed: false, capacity, stall: None };
        LineQueue { waiting: Mutex::new(waiting), ready: Notify::new() }
    }

    /// Adds a line; the oldest is lost if there is no room.
    pub(super) fn push(&self, line: Bytes) {
        let mut waiting = self.lock();
        if waiting.closed {
            return;
        }
        waiting.lines.push_back(line);
        waiting.drop_oldest();
        drop(waiting);
        self.ready.notify_one();
    }

    /// The reader gets nothing until then, and at most so many of the lines that come meanwhile: the last ones.
    pub(super) fn stall(&self, until: Instant, capacity: usize) {
        self.lock().stall = Some(Stall { until, capacity });
    }

    /// Whether the reader gets nothing now.
    pub(super) fn is_stalled(&self) -> bool {
        self.lock().stall().is_some()
    }

    /// Nothing will follow: the reader gets what is there and then the end.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.ready.notify_one();
    }

    /// The next line, or none at the end. Cancel-safe: a line leaves the queue only when it is returned.
    pub(super) async fn next(&self) -> Option<Bytes> {
        loop {
            let stall = {
                let mut waiting = self.lock();
                let stall = waiting.stall();
                if stall.is_none() {
                    if let Some(line) = waiting.lines.pop_front() {
                        return Some(line);
                    }
                    if waiting.closed {
                        return None;
                    }
                }
                stall
            };
            match stall {
                Some(stall) => sleep_until(stall.until).await,
                None => self.ready.notified().await,
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        // Nothing panics while it is held, so what it guards is whole.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_stalled_reader_gets_the_last_lines_when_it_reads_again() {
        let queue = LineQueue::new(32);
        let until = Instant::now() + Duration::from_secs(5);
        queue.push(Bytes::from_static(b"0"));
        queue.stall(until, 2);
        for line in ["1", "2", "3"] {
            queue.push(Bytes::from_static(line.as_bytes()));
        }
        assert!(queue.is_stalled());
        assert_eq!(queue.next().await.as_deref(), Some(b"2".as_slice()));
        assert!(Instant::now() >= until && !queue.is_stalled());
        assert_eq!(queue.next().await.as_deref(), Some(b"3".as_slice()));
    }

    #[tokio::test]
    async fn a_full_queue_loses_its_oldest_line() {
        let queue = LineQueue::new(2);
        for line in ["1", "2", "3"] {
            queue.push(Bytes::from_static(line.as_bytes()));
        }
        queue.close();
        queue.push(Bytes::from_static(b"4"));
        assert_eq!(queue.next().await.as_deref(), Some(b"2".as_slice()));
        assert_eq!(queue.next().await.as_deref(), Some(b"3".as_slice()));
        assert_eq!(queue.next().await, None);
    }
}
