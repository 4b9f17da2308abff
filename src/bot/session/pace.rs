//! How fast our moves may follow one another, so that a race of instant moves does not end in "too many requests" and a
//! minute of waiting. Nobody waits here: it is only said for how long.

use std::collections::VecDeque;
use std::time::Duration;

/// No more requests than this within such a time. The server does not document its limits for moves; these are what
/// bots have run into, and no game needs more.
const LIMITS: [(usize, Duration); 2] = [(20, Duration::from_secs(1)), (180, Duration::from_secs(60))];

/// When moves were posted lately.
#[derive(Clone, Debug, Default)]
pub(super) struct Pace {
    posts: VecDeque<Duration>,
}

impl Pace {
    /// A move is posted.
    pub(super) fn note(&mut self, now: Duration) {
        if self.posts.len() == LIMITS.map(|(count, _)| count).into_iter().fold(0, usize::max) {
            self.posts.pop_front();
        }
        self.posts.push_back(now);
    }

    /// How long the next one should wait.
    pub(super) fn wait(&self, now: Duration) -> Duration {
        let waits = LIMITS.into_iter().filter_map(|(count, window)| {
            let first = self.posts.get(self.posts.len().checked_sub(count)?)?;
            Some(first.saturating_add(window).saturating_sub(now))
        });
        waits.max().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    #[test]
    fn moves_at_a_usual_pace_do_not_wait() {
        let mut pace = Pace::default();
        for number in 0..1000 {
            assert_eq!(pace.wait(MS(number * 340)), Duration::ZERO, "move {number}");
            pace.note(MS(number * 340));
        }
    }

    #[test]
    fn c07_no_window_holds_more_than_its_limit() {
        let mut pace = Pace::default();
        let (mut now, mut posts) = (Duration::ZERO, Vec::new());
        for _ in 0..500 {
            now += pace.wait(now);
            pace.note(now);
            posts.push(now);
        }
        assert_eq!(posts[19], Duration::ZERO, "the first ones need not wait");
        for (count, window) in LIMITS {
            assert!(posts.windows(count + 1).all(|some| some[count] - some[0] >= window), "{count}");
        }
    }
}
