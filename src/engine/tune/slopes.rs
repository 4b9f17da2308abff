//! Positions as the tuner sees them: their sums, and how much each weight adds to them, found by trying.

use std::array;

use super::labelled::Labelled;
use super::loss::logistic;
use super::numbers::{Place, places, raised, read, write};
use crate::chess::Position;
use crate::engine::eval::Weights;
use crate::engine::eval::sums::{Mix, SUMS, Sums, sums};
use crate::engine::eval::trial::put_in_force;

/// By how much a weight is raised to see what it adds: so much that halves and percents are whole.
const STEP: i32 = 100;

/// Positions that are tried with all weights before the next: as many as fit into the cache of a processor.
const BLOCK: usize = 2048;

/// How a sum grows with a number.
#[derive(Clone, Copy)]
struct Slope {
    number: u16,
    sum: u8,
    amount: f32,
}

/// A position with what is known of it.
struct Sample {
    position: Position,
    result: f64,
    mix: Mix,
    /// By the base weights.
    sums: Sums<i32>,
    /// The same whatever the weights are.
    straight: Vec<Slope>,
    /// Of weights that are [bent](Place::is_bent), near the base.
    bent: Vec<Slope>,
}

/// Positions, and the weights near which their sums are known.
pub(super) struct Samples {
    form: Weights,
    base: Vec<f64>,
    samples: Vec<Sample>,
    threads: usize,
}

/// The loss of many positions, and how it grows with each number.
pub(super) struct Gradient {
    pub(super) loss: f64,
    pub(super) slopes: Vec<f64>,
}

impl Samples {
    /// Tries all weights on the positions. Those whose value does not come from the weights are left out.
    pub(super) fn new(positions: Vec<Labelled>, weights: &Weights, threads: usize) -> Samples {
        let sample = |Labelled { position, result }| {
            let mix = Mix::of(&position)?;
            Some(Sample { position, result, mix, sums: [0; SUMS], straight: Vec::new(), bent: Vec::new() })
        };
        let samples: Vec<Sample> = positions.into_iter().filter_map(sample).collect();
        let mut all = Samples { form: weights.clone(), base: Vec::new(), samples, threads: threads.max(1) };
        let numbers = read(weights);
        all.measure(&numbers, |place| !place.is_bent(), |sample| &mut sample.straight);
        all.refresh(&numbers);
        all
    }

    pub(super) fn len(&self) -> usize {
        self.samples.len()
    }

    /// Makes `numbers`, rounded, the base, and tries the bent weights anew.
    pub(super) fn refresh(&mut self, numbers: &[f64]) {
        self.measure(numbers, Place::is_bent, |sample| &mut sample.bent);
    }

    /// Finds the sums by `numbers`, and the slopes of the weights that are `wanted`.
    fn measure(
        &mut self,
        numbers: &[f64],
        wanted: impl Fn(&Place) -> bool,
        part: impl Fn(&mut Sample) -> &mut Vec<Slope> + Sync,
    ) {
        let weights = write(&self.form, numbers);
        self.base = read(&weights);
        // What is tried stays in memory for good. In a run that is some thousand sets of weights, of 2 KiB each.
        let trials: Vec<(Place, &'static Weights)> = places(&weights)
            .into_iter()
            .filter(wanted)
            .map(|place| {
                let trial = raised(&weights, &place, STEP);
                (place, &*Box::leak(Box::new(trial)))
            })
            .collect();
        let base: &'static Weights = Box::leak(Box::new(weights));
        let share = self.samples.len().div_ceil(self.threads).max(1);
        std::thread::scope(|scope| {
            for samples in self.samples.chunks_mut(share) {
                let (trials, part) = (&trials, &part);
                scope.spawn(move || {
                    for block in samples.chunks_mut(BLOCK) {
                        try_out(block, base, trials, part);
                    }
                });
            }
        });
    }

    /// The values by `numbers`, each with its result.
    pub(super) fn values(&self, numbers: &[f64]) -> Vec<(f64, f64)> {
        let away = self.away(numbers);
        self.samples.iter().map(|sample| (sample.mix.value(&sample.sums(&away)).0, sample.result)).collect()
    }

    /// The mean loss by `numbers`, on the scale `k`, and its slopes.
    pub(super) fn gradient(&self, numbers: &[f64], k: f64) -> Gradient {
        let away = self.away(numbers);
        let share = self.samples.len().div_ceil(self.threads).max(1);
        let parts: Vec<Gradient> = std::thread::scope(|scope| {
            let threads: Vec<_> = self
                .samples
                .chunks(share)
                .map(|samples| scope.spawn(|| gradient_of(samples, &away, k)))
                .collect();
            let joined = threads.into_iter().map(std::thread::ScopedJoinHandle::join);
            joined.map(|part| part.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
        });
        let mut total = Gradient { loss: 0.0, slopes: vec![0.0; numbers.len()] };
        let count = self.samples.len().max(1) as f64;
        for part in parts {
            total.loss += part.loss / count;
            for (sum, slope) in total.slopes.iter_mut().zip(part.slopes) {
                *sum += slope / count;
            }
        }
        total
    }

    /// How far numbers are from the base.
    fn away(&self, numbers: &[f64]) -> Vec<f64> {
        numbers.iter().zip(&self.base).map(|(number, base)| number - base).collect()
    }
}

fn try_out(
    samples: &mut [Sample],
    base: &'static Weights,
    trials: &[(Place, &'static Weights)],
    part: &impl Fn(&mut Sample) -> &mut Vec<Slope>,
) {
    put_in_force(base);
    for sample in &mut *samples {
        sample.sums = sums(&sample.position);
        part(sample).clear();
    }
    for (place, trial) in trials {
        put_in_force(trial);
        for sample in &mut *samples {
            let (before, after) = (sample.sums, sums(&sample.position));
            for sum in (0..SUMS).filter(|&sum| after[sum] != before[sum]) {
                let amount = (after[sum] - before[sum]) as f32 / STEP as f32;
                part(sample).push(Slope { number: place.number(sum) as u16, sum: sum as u8, amount });
            }
        }
    }
    for sample in samples {
        part(sample).shrink_to_fit();
    }
}

fn gradient_of(samples: &[Sample], away: &[f64], k: f64) -> Gradient {
    let mut total = Gradient { loss: 0.0, slopes: vec![0.0; away.len()] };
    for sample in samples {
        let (value, by_sum) = sample.mix.value(&sample.sums(away));
        let (loss, by_value) = logistic(value, sample.result, k);
        total.loss += loss;
        let by_sum: Sums<f64> = array::from_fn(|sum| by_sum[sum] * by_value);
        for slope in sample.slopes() {
            total.slopes[usize::from(slope.number)] +=
                by_sum[usize::from(slope.sum)] * f64::from(slope.amount);
        }
    }
    total
}

impl Sample {
    fn slopes(&self) -> impl Iterator<Item = &Slope> {
        self.straight.iter().chain(&self.bent)
    }

    /// The sums when the numbers are so far from the base.
    fn sums(&self, away: &[f64]) -> Sums<f64> {
        let mut sums = self.sums.map(f64::from);
        for slope in self.slopes() {
            sums[usize::from(slope.sum)] += away[usize::from(slope.number)] * f64::from(slope.amount);
        }
        sums
    }
}
