//! Random numbers that come again with the same seed.

use crate::splitmix::SplitMix;

/// Chance in games of the engine against itself.
pub(super) struct Random(SplitMix);

impl Random {
    /// The numbers of one of many games.
    pub(super) fn new(seed: u64, game: u64) -> Random {
        // The first number of each is mixed once more, so that neighbouring games have nothing in common.
        Random(SplitMix::new(SplitMix::new(seed).next() ^ SplitMix::new(!game).next()))
    }

    /// One of the things, if there is any.
    pub(super) fn choose<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        let count = from.len().max(1) as u64;
        from.get((self.0.next() % count) as usize).copied()
    }
}
