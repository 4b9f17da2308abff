//! A pair of values, for the middlegame and for the endgame, in one word.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// Centipawns in the middlegame and in the endgame. Both halves are added at once; each fits sixteen bits.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Taper(i32);

/// The usual way to write a pair in a table.
pub(crate) const fn t(mg: i32, eg: i32) -> Taper {
    Taper((eg << 16) + mg)
}

impl Taper {
    pub(crate) const ZERO: Taper = t(0, 0);

    pub(crate) const fn mg(self) -> i32 {
        self.0 as i16 as i32
    }

    pub(crate) const fn eg(self) -> i32 {
        // The lower half may have borrowed one from the upper.
        ((self.0 + 0x8000) >> 16) as i16 as i32
    }
}

impl std::fmt::Debug for Taper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "t({}, {})", self.mg(), self.eg())
    }
}

impl Add for Taper {
    type Output = Taper;

    fn add(self, other: Taper) -> Taper {
        Taper(self.0 + other.0)
    }
}

impl Sub for Taper {
    type Output = Taper;

    fn sub(self, other: Taper) -> Taper {
        Taper(self.0 - other.0)
    }
}

impl AddAssign for Taper {
    fn add_assign(&mut self, other: Taper) {
        self.0 += other.0;
    }
}

impl SubAssign for Taper {
    fn sub_assign(&mut self, other: Taper) {
        self.0 -= other.0;
    }
}

impl Neg for Taper {
    type Output = Taper;

    fn neg(self) -> Taper {
        Taper(-self.0)
    }
}

impl Mul<i32> for Taper {
    type Output = Taper;

    fn mul(self, factor: i32) -> Taper {
        Taper(self.0 * factor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_halves_do_not_mix() {
        for (mg, eg) in [(0, 0), (1, -1), (-1, 1), (-300, 250), (3000, -3000)] {
            for (more_mg, more_eg) in [(5, 7), (-9, 4), (-2000, -1)] {
                let sum = t(mg, eg) + t(more_mg, more_eg) * 3 - t(1, 1);
                assert_eq!((sum.mg(), sum.eg()), (mg + 3 * more_mg - 1, eg + 3 * more_eg - 1));
                assert_eq!(-sum, t(1 - mg - 3 * more_mg, 1 - eg - 3 * more_eg));
            }
        }
    }
}
