//! Another program with the same token: the server keeps one event stream a token, so the two end each other's
//! stream without end. Pure: it takes the time as an argument, counted
//! from any moment before.

use std::time::Duration;

/// Watches how the event stream ends.
#[derive(Clone, Debug)]
pub(crate) struct Twin {
    quick_end: Duration,
    quick_ends: u32,
    connected_at: Option<Duration>,
    streak: u32,
}

/// What an end means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It happens.
    Harmless,
    /// Somebody ends our stream on purpose.
    Twin,
}

impl Twin {
    /// So many ends, each so soon after its opening, are no accident.
    pub(crate) fn new(quick_end: Duration, quick_ends: u32) -> Twin {
        Twin { quick_end, quick_ends: quick_ends.max(1), connected_at: None, streak: 0 }
    }

    pub(crate) fn connected(&mut self, now: Duration) {
        self.connected_at = Some(now);
    }

    /// The stream is lost; `clean` says that the server closed it in good order. A server in trouble breaks off or
    /// refuses, which says nothing about a twin.
    pub(crate) fn lost(&mut self, now: Duration, clean: bool) -> Verdict {
        let Some(since) = self.connected_at.take() else { return Verdict::Harmless };
        if !clean || now.saturating_sub(since) >= self.quick_end {
            self.streak = 0;
            return Verdict::Harmless;
        }
        self.streak += 1;
        if self.streak < self.quick_ends {
            return Verdict::Harmless;
        }
        self.streak = 0;
        Verdict::Twin
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Connects and loses the stream again and again: how long it lives, and how it ends.
    fn run(lives: &[(u64, bool)]) -> Vec<Verdict> {
        let mut twin = Twin::new(Duration::from_secs(3), 3);
        let mut now = Duration::ZERO;
        let live = |&(seconds, clean): &(u64, bool)| {
            twin.connected(now);
            now += Duration::from_secs(seconds);
            twin.lost(now, clean)
        };
        lives.iter().map(live).collect()
    }

    #[test]
    fn quick_clean_ends_in_a_row_are_a_twin() {
        use Verdict::{Harmless, Twin};
        assert_eq!(run(&[(0, true), (1, true), (2, true)]), [Harmless, Harmless, Twin]);
        assert_eq!(run(&[(0, true), (0, true), (0, true), (0, true)]), [Harmless, Harmless, Twin, Harmless]);
    }

    #[test]
    fn other_ends_are_not() {
        use Verdict::Harmless;
        assert_eq!(run(&[(0, false); 5]), [Harmless; 5]);
        assert_eq!(run(&[(3, true); 5]), [Harmless; 5]);
        assert_eq!(run(&[(0, true), (0, true), (60, true), (0, true), (0, true)]), [Harmless; 5]);
    }

    #[test]
    fn a_stream_that_was_never_open_proves_nothing() {
        let mut twin = Twin::new(Duration::from_secs(3), 1);
        assert_eq!(twin.lost(Duration::ZERO, true), Verdict::Harmless);
    }
}
