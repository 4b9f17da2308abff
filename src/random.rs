//! Random numbers that come again with the same seed.

use crate::splitmix::SplitMix;

/// Numbers for one of many things, drawn in any order by any thread.
#[derive(Clone, Debug)]
pub(crate) struct Random(SplitMix);

impl Random {
    /// The numbers for one of many things of one purpose, such as a game.
    pub(crate) fn new(seed: u64, number: u64) -> Random {
        // Each is mixed once, so that neighbours have nothing in common.
        Random(SplitMix::new(SplitMix::new(seed).next() ^ SplitMix::new(!number).next()))
    }

    /// The next 64 bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.0.next()
    }

    /// A number below `bound`, or 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        // The bias is below 2^-32 for all that fits into memory.
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// One of the things, if there is any.
    pub(crate) fn choose<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        from.get(self.below(from.len())).copied()
    }

    /// True so often in a hundred.
    pub(crate) fn percent(&mut self, chance: u64) -> bool {
        self.below(100) < chance as usize
    }

    /// A number from 0 up to, but without, 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Puts things into a random order.
    pub(crate) fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }
}
