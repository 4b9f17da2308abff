//! Chance that can be had again: SplitMix64 (Steele, Lea and Flood 2014). Not for secrets.

/// The same numbers for the same seed.
#[derive(Clone, Debug)]
pub(crate) struct SplitMix(u64);

impl SplitMix {
    /// The numbers of this seed.
    pub(crate) const fn new(seed: u64) -> SplitMix {
        SplitMix(seed)
    }

    /// The next number.
    pub(crate) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the reference implementation of Vigna, splitmix64.c, with the seed 0.
    #[test]
    fn the_numbers_are_those_of_the_paper() {
        let mut numbers = SplitMix::new(0);
        let expected = [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F];
        assert_eq!([numbers.next(), numbers.next(), numbers.next()], expected);
    }
}
