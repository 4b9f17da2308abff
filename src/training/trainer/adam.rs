//! The steps that the numbers go: AdamW (Loshchilov and Hutter 2019).

use super::lanes::Lane;
use super::model::Numbers;
use crate::engine::training::Architecture;

/// How much is kept of the mean of the slopes, and of the mean of their squares: the usual values.
const KEPT: [f64; 2] = [0.9, 0.999];

/// Numbers stay between -this and this, so that they fit into the network's integers: 127 of 64 in the output.
const MOST: f32 = 1.98;

/// What is known of the slopes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Adam {
    pub(super) steps: u64,
    pub(super) mean: Numbers,
    pub(super) square: Numbers,
}

impl Adam {
    pub(crate) fn new(architecture: &Architecture) -> Adam {
        Adam { steps: 0, mean: Numbers::zero(architecture), square: Numbers::zero(architecture) }
    }

    /// A step against the mean slope of a batch of so many positions.
    pub(crate) fn step(
        &mut self,
        numbers: &mut Numbers,
        lanes: &[Lane],
        batch: usize,
        rate: f64,
        decay: f64,
    ) {
        self.steps += 1;
        let steps = i32::try_from(self.steps).unwrap_or(i32::MAX);
        let [known, known_square] = KEPT.map(|kept| 1.0 - kept.powi(steps));
        let step = Step {
            rate: (rate / known) as f32,
            known_square: known_square as f32,
            shrink: (1.0 - rate * decay) as f32,
            scale: 1.0 / batch.max(1) as f32,
        };
        let parts = numbers.parts_mut().into_iter().zip(self.mean.parts_mut()).zip(self.square.parts_mut());
        for (part, ((numbers, mean), square)) in parts.enumerate() {
            let slopes = lanes.iter().map(|lane| lane.gradient.parts()[part].as_slice()).collect::<Vec<_>>();
            // The biases of the outputs may be as large as they like.
            let most = if part == 3 { f32::INFINITY } else { MOST };
            for (i, number) in numbers.iter_mut().enumerate() {
                let slope = slopes.iter().map(|slopes| slopes[i]).sum::<f32>() * step.scale;
                step.apply(number, &mut mean[i], &mut square[i], slope);
                *number = number.clamp(-most, most);
            }
        }
    }
}

struct Step {
    rate: f32,
    known_square: f32,
    shrink: f32,
    scale: f32,
}

impl Step {
    fn apply(&self, number: &mut f32, mean: &mut f32, square: &mut f32, slope: f32) {
        const KEPT_MEAN: f32 = KEPT[0] as f32;
        const KEPT_SQUARE: f32 = KEPT[1] as f32;
        *mean = KEPT_MEAN * *mean + (1.0 - KEPT_MEAN) * slope;
        *square = KEPT_SQUARE * *square + (1.0 - KEPT_SQUARE) * slope * slope;
        *number *= self.shrink;
        *number -= self.rate * *mean / ((*square / self.known_square).sqrt() + 1e-8);
    }
}
