//! The evaluation taken apart for the tuner: sums that are proportional to the weights, and how they become a value.

use std::array;

use super::endgame::{self, NORMAL};
use super::king::{self, MOST};
use super::pawns::analyse;
use super::terms::{PHASES, phase, sum};
use super::weights::weights;
use crate::chess::{Color, Position};

/// How many sums a value is made of.
pub(crate) const SUMS: usize = 6;

/// White's terms less Black's in the middlegame and in the endgame, without what the danger for the kings takes from
/// them; the danger for White's king and for Black's; what that is divided by in the middlegame and in the endgame.
pub(crate) type Sums<T> = [T; SUMS];

/// The sum that the second half of a pair of weights adds to. The first half adds to others only.
pub(crate) const ENDGAME: usize = 1;

/// The sums of a position by the weights in force.
pub(crate) fn sums(position: &Position) -> Sums<i32> {
    let mut danger = [0; 2];
    let score = sum(position, &analyse(position), |scan, us| {
        let shelter = king::shelter(scan, us);
        danger[us.index()] = king::danger(scan, us, shelter.mg());
        shelter
    });
    let king = &weights().king;
    [score.mg(), score.eg(), danger[0], danger[1], king.divisor, king.eg_divisor]
}

/// How the sums of a position become its value.
pub(crate) struct Mix {
    /// The share of the middlegame.
    middlegame: f64,
    /// How much of the endgame's value counts if White is ahead, and if Black is.
    scales: [f64; 2],
    /// What the fifty moves leave of all.
    fresh: f64,
}

impl Mix {
    /// `None` for endings whose value does not come from the sums.
    pub(crate) fn of(position: &Position) -> Option<Mix> {
        if endgame::bare_king(position).is_some() {
            return None;
        }
        let scale = |strong| f64::from(endgame::scale(position, strong)) / f64::from(NORMAL);
        Some(Mix {
            middlegame: f64::from(phase(position)) / f64::from(PHASES),
            scales: Color::ALL.map(scale),
            fresh: f64::from(220 - position.halfmove_clock().min(100)) / 220.0,
        })
    }

    /// White's value in centipawns, not rounded, and how it grows with each sum.
    pub(crate) fn value(&self, sums: &Sums<f64>) -> (f64, Sums<f64>) {
        let &[mut mg, mut eg, _, _, divisor, eg_divisor] = sums;
        let (mut mg_slopes, mut eg_slopes) = ([0.0; SUMS], [0.0; SUMS]);
        (mg_slopes[0], eg_slopes[1]) = (1.0, 1.0);
        for (king, sign) in [(2, -1.0), (3, 1.0)] {
            let danger = sums[king].max(0.0);
            let attack = danger * danger / divisor;
            mg += sign * attack.min(f64::from(MOST));
            if attack < f64::from(MOST) {
                mg_slopes[king] = sign * 2.0 * danger / divisor;
                mg_slopes[4] -= sign * attack / divisor;
            }
            eg += sign * danger / eg_divisor;
            if danger > 0.0 {
                eg_slopes[king] = sign / eg_divisor;
            }
            eg_slopes[5] -= sign * danger / (eg_divisor * eg_divisor);
        }
        let of_mg = self.middlegame * self.fresh;
        let of_eg = (1.0 - self.middlegame) * self.scales[usize::from(eg < 0.0)] * self.fresh;
        (mg * of_mg + eg * of_eg, array::from_fn(|i| mg_slopes[i] * of_mg + eg_slopes[i] * of_eg))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::eval::pawns::PawnCache;
    use crate::engine::eval::terms::evaluate;
    use crate::engine::tune::tests::positions;

    #[test]
    fn the_value_of_the_sums_is_that_of_the_evaluation() {
        let mut mixed = 0;
        for position in positions(300) {
            let Some(mix) = Mix::of(&position) else { continue };
            let (value, _) = mix.value(&sums(&position).map(f64::from));
            let expected = f64::from(evaluate(&position, &mut PawnCache::new()));
            let sign = if position.turn() == Color::White { 1.0 } else { -1.0 };
            // The evaluation cuts fractions off, once for each king and three times when it blends.
            assert!((value - sign * expected).abs() < 5.0, "{value} {expected} {}", position.to_fen());
            mixed += 1;
        }
        assert!(mixed > 250, "{mixed}");
    }

    #[test]
    fn a_value_grows_as_its_slopes_say() {
        for position in positions(100) {
            let Some(mix) = Mix::of(&position) else { continue };
            // Half a unit off, so that no sum is where it begins to matter.
            let at = sums(&position).map(|sum| f64::from(sum) + 0.5);
            let (value, slopes) = mix.value(&at);
            for i in 0..SUMS {
                let mut more = at;
                more[i] += 1e-4;
                let slope = (mix.value(&more).0 - value) / 1e-4;
                let error = (slope - slopes[i]).abs();
                assert!(error < 1e-3, "sum {i}: {slope} {} {}", slopes[i], position.to_fen());
            }
        }
    }
}
