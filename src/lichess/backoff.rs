//! How long to wait before the next attempt: longer each time, never longer than a cap, never the same for all.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use super::BackoffOptions;
use crate::splitmix::SplitMix;

/// Waits that double from the first to the cap. Each is drawn from the upper half of its range, so that clients
/// that lost their server together do not come back together.
#[derive(Clone, Debug)]
pub(crate) struct Backoff {
    first: Duration,
    max: Duration,
    attempts: u32,
    random: Random,
}

/// Doubling a wait more often than this changes nothing: the cap is long reached.
const DOUBLINGS: u32 = 30;

impl Backoff {
    /// A cap below the first wait counts as the first wait, and no wait at all as one millisecond: a loop that
    /// waits for nothing would be a storm.
    pub(crate) fn new(options: BackoffOptions, random: Random) -> Backoff {
        let first = options.first.max(Duration::from_millis(1));
        Backoff { first, max: options.max.max(first), attempts: 0, random }
    }

    /// The next wait.
    pub(crate) fn next(&mut self) -> Duration {
        let doubled = self.first.saturating_mul(1 << self.attempts.min(DOUBLINGS)).min(self.max);
        self.attempts = self.attempts.saturating_add(1);
        self.random.upper_half(doubled)
    }

    /// The longest wait there is.
    pub(crate) fn longest(&self) -> Duration {
        self.max
    }

    /// Something worked: start over.
    pub(crate) fn reset(&mut self) {
        self.attempts = 0;
    }
}

/// Numbers that differ from client to client; not for secrets.
#[derive(Clone, Debug)]
pub(crate) struct Random(SplitMix);

impl Random {
    /// The same numbers for the same seed; without one, others each time.
    pub(crate) fn new(seed: Option<u64>) -> Random {
        Random(SplitMix::new(seed.unwrap_or_else(|| RandomState::new().hash_one(0u8))))
    }

    /// Between half of `duration` and all of it.
    pub(crate) fn upper_half(&mut self, duration: Duration) -> Duration {
        let half = duration / 2;
        half + half.mul_f64(self.fraction()) // at most twice a half: cannot overflow
    }

    /// At least 0, below 1.
    fn fraction(&mut self) -> f64 {
        (self.0.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn backoff(first: u64, max: u64, seed: u64) -> Backoff {
        let options = BackoffOptions { first: Duration::from_millis(first), max: Duration::from_millis(max) };
        Backoff::new(options, Random::new(Some(seed)))
    }

    #[test]
    fn waits_grow_from_the_first_and_stay_under_the_cap() {
        let mut backoff = backoff(100, 1000, 1);
        let waits: Vec<_> = (0..8).map(|_| backoff.next().as_millis()).collect();
        for (wait, top) in waits.iter().zip([100, 200, 400, 800, 1000, 1000, 1000, 1000]) {
            assert!((top / 2..=top).contains(wait), "{waits:?}");
        }
    }

    #[test]
    fn a_reset_starts_over() {
        let mut backoff = backoff(100, 60_000, 1);
        for _ in 0..6 {
            backoff.next();
        }
        backoff.reset();
        assert!(backoff.next() <= Duration::from_millis(100));
    }

    #[test]
    fn the_same_seed_gives_the_same_waits_and_another_seed_others() {
        let waits = |seed| {
            let mut backoff = backoff(100, 60_000, seed);
            (0..6).map(|_| backoff.next()).collect::<Vec<_>>()
        };
        assert_eq!(waits(7), waits(7));
        assert_ne!(waits(7), waits(8));
    }

    #[test]
    fn settings_of_nothing_still_wait() {
        assert!(backoff(0, 0, 1).next() > Duration::ZERO);
    }

    proptest! {
        #[test]
        fn no_settings_make_a_wait_of_nothing_or_one_above_the_cap(
            first in any::<u64>(), max in any::<u64>(), seed in any::<u64>()
        ) {
            let mut backoff = backoff(first, max, seed);
            for _ in 0..70 {
                let wait = backoff.next();
                prop_assert!(wait > Duration::ZERO && wait <= backoff.longest());
            }
        }
    }
}
