//! Random numbers that come again with the same seed.

/// SplitMix64 (Steele, Lea and Flood 2014).
pub(super) struct Random(u64);

impl Random {
    /// The numbers of one of many games.
    pub(super) fn new(seed: u64, game: u64) -> Random {
        // The first number of each is mixed once more, so that neighbouring games have nothing in common.
        Random(Random(seed).next() ^ Random(!game).next())
    }

    /// The next number.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// One of the things, if there is any.
    pub(super) fn choose<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        let count = from.len().max(1) as u64;
        from.get((self.next() % count) as usize).copied()
    }
}
