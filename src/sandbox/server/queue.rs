//! The lines that wait for one reader. A reader that is too slow loses the oldest, as on Lichess.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use tokio::sync::Notify;

/// A bounded queue with one reader.
#[derive(Debug)]
pub(super) struct LineQueue {
    // A std mutex: it is held for a few instructions and never across an await.
    waiting: Mutex<Waiting>,
    ready: Notify,
    capacity: usize,
}

#[derive(Debug)]
struct Waiting {
    lines: VecDeque<Bytes>,
    closed: bool,
    capacity: usize,
}

impl LineQueue {
    /// An empty queue that holds `capacity` lines, but at least one.
    pub(super) fn new(capacity: usize) -> LineQueue {
        let capacity = capacity.max(1);
        let waiting = Waiting { lines: VecDeque::new(), closed: false, capacity };
        LineQueue { waiting: Mutex::new(waiting), ready: Notify::new(), capacity }
    }

    /// Holds at most `capacity` lines from now on.
    pub(super) fn narrow(&self, capacity: usize) {
        let mut waiting = self.lock();
        waiting.capacity = capacity.clamp(1, self.capacity);
        let surplus = waiting.lines.len().saturating_sub(waiting.capacity);
        waiting.lines.drain(..surplus);
    }

    /// Holds as many lines as in the beginning again. Whether it is so full that a line before these is lost.
    pub(super) fn widen(&self) -> bool {
        let mut waiting = self.lock();
        let full = waiting.lines.len() >= waiting.capacity;
        waiting.capacity = self.capacity;
        full
    }

    /// Adds a line; the oldest is lost if there is no room.
    pub(super) fn push(&self, line: Bytes) {
        let mut waiting = self.lock();
        if waiting.closed {
            return;
        }
        if waiting.lines.len() >= waiting.capacity {
            waiting.lines.pop_front();
        }
        waiting.lines.push_back(line);
        drop(waiting);
        self.ready.notify_one();
    }

    /// Nothing will follow: the reader gets what is there and then the end.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.ready.notify_one();
    }

    /// The next line, or none at the end. Cancel-safe: a line leaves the queue only when it is returned.
    pub(super) async fn next(&self) -> Option<Bytes> {
        loop {
            {
                let mut waiting = self.lock();
                if let Some(line) = waiting.lines.pop_front() {
                    return Some(line);
                }
                if waiting.closed {
                    return None;
                }
            }
            self.ready.notified().await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        // Nothing panics while it is held, so what it guards is whole.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_narrow_queue_keeps_the_last_lines_until_it_is_widened() {
        let queue = LineQueue::new(3);
        queue.push(Bytes::from_static(b"0"));
        queue.push(Bytes::from_static(b"1"));
        queue.narrow(1);
        queue.push(Bytes::from_static(b"2"));
        assert!(queue.widen(), "what came before these is lost");
        queue.push(Bytes::from_static(b"3"));
        queue.close();
        assert_eq!(queue.next().await.as_deref(), Some(b"2".as_slice()));
        assert_eq!(queue.next().await.as_deref(), Some(b"3".as_slice()));
        queue.narrow(5);
        assert!(!queue.widen(), "nothing came meanwhile");
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
