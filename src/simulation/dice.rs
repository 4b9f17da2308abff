//! Chance in a simulation, which can be had again.

use crate::splitmix::SplitMix;

/// The same numbers for the same seed.
#[derive(Clone, Debug)]
pub(crate) struct Dice(SplitMix);

impl Dice {
    /// Dice for one purpose of a run: other purposes of the same seed get other numbers.
    pub(crate) fn new(seed: u64, purpose: u64) -> Dice {
        let mut dice = Dice(SplitMix::new(seed ^ purpose.wrapping_mul(0xD6E8_FEB8_6659_FD93)));
        dice.next();
        dice
    }

    fn next(&mut self) -> u64 {
        self.0.next()
    }

    /// From `low` to `high`, both included.
    pub(crate) fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.next() % (high - low + 1)
    }

    /// The same for counts.
    pub(crate) fn size(&mut self, low: u32, high: u32) -> usize {
        usize::try_from(self.between(low.into(), high.into())).unwrap_or_default()
    }

    /// True so often in a hundred.
    pub(crate) fn percent(&mut self, chance: u64) -> bool {
        self.next() % 100 < chance
    }

    /// One of them.
    pub(crate) fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        let nth = self.next() % of.len().max(1) as u64;
        &of[nth as usize]
    }
}
