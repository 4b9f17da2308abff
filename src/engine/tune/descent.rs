//! The descent: the weights go against the slopes of the loss (Adam) until positions that they do not learn from are told
//! no better.

use super::labelled::Labelled;
use super::loss::{best_scale, mean};
use super::numbers::{names, read, write};
use super::slopes::Samples;
use crate::engine::eval::Weights;
use crate::engine::eval::trial::weights;

/// Steps of an epoch, each by all positions to learn from.
const STEPS: usize = 20;

/// Epochs without a lower loss of the positions held out, after which there is nothing more to learn.
const PATIENCE: u32 = 3;

/// Positions to learn from, and positions to judge by what was learnt.
#[derive(Default)]
pub(crate) struct Data {
    pub(super) training: Vec<Labelled>,
    pub(super) held_out: Vec<Labelled>,
}

impl Data {
    /// Adds positions in the order of their games, and holds out that share of them: the last, so that hardly a game is
    /// on both sides.
    pub(crate) fn add(&mut self, mut positions: Vec<Labelled>, share: f64) {
        let held_out = (positions.len() as f64 * share.clamp(0.0, 1.0)).round() as usize;
        self.held_out.extend(positions.drain(positions.len() - held_out..));
        self.training.extend(positions);
    }
}

/// How to tune.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    /// At most.
    pub(crate) epochs: u32,
    /// Centipawns that a weight moves in a step, about.
    pub(crate) rate: f64,
    /// The loss of a weight that is a centipawn away from where it began, in millionths: half of this by the square.
    pub(crate) pull: f64,
    pub(crate) threads: usize,
}

/// The mean loss of the positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Losses {
    pub(crate) training: f64,
    /// Of the positions held out; of those to learn from, if there are no others.
    pub(crate) held_out: f64,
}

/// A number that was tuned.
pub(crate) struct Change {
    pub(crate) name: String,
    pub(crate) before: f64,
    pub(crate) after: f64,
}

/// Weights on their way.
pub(crate) struct Tuner {
    options: Options,
    form: Weights,
    training: Samples,
    held_out: Samples,
    left_out: usize,
    k: f64,
    start: Vec<f64>,
    now: Vec<f64>,
    adam: Adam,
    before: Losses,
    best: Best,
    epochs: u32,
}

/// The numbers that told the positions held out best.
struct Best {
    numbers: Vec<f64>,
    loss: f64,
    /// Epochs since.
    age: u32,
}

impl Tuner {
    /// Begins at the weights of this build.
    pub(crate) fn from_here(data: Data, options: Options) -> Tuner {
        Tuner::new(data, weights(), options)
    }

    /// Begins at `weights`, on the scale that suits them best.
    pub(super) fn new(data: Data, weights: &Weights, options: Options) -> Tuner {
        let given = data.training.len() + data.held_out.len();
        let training = Samples::new(data.training, weights, options.threads);
        let held_out = Samples::new(data.held_out, weights, options.threads);
        let start = read(weights);
        let mut tuner = Tuner {
            options,
            form: weights.clone(),
            left_out: given - training.len() - held_out.len(),
            k: best_scale(&training.values(&start)),
            adam: Adam::new(start.len()),
            before: Losses { training: 0.0, held_out: 0.0 },
            best: Best { numbers: start.clone(), loss: 0.0, age: 0 },
            now: start.clone(),
            start,
            training,
            held_out,
            epochs: 0,
        };
        tuner.before = tuner.losses(&tuner.now);
        tuner.best.loss = tuner.before.held_out;
        tuner
    }

    /// Positions to learn from, positions held out, and those left out because weights do not value them.
    pub(crate) fn counts(&self) -> [usize; 3] {
        [self.training.len(), self.held_out.len(), self.left_out]
    }

    /// A lead of 400 centipawns divided by this stands for ten times the points.
    pub(crate) fn scale(&self) -> f64 {
        self.k
    }

    /// The losses before the first epoch.
    pub(crate) fn before(&self) -> Losses {
        self.before
    }

    /// Goes on for an epoch; nothing, if the losses do not fall any more or there were enough epochs.
    pub(crate) fn epoch(&mut self) -> Option<Losses> {
        if self.epochs == self.options.epochs || self.best.age == PATIENCE {
            return None;
        }
        self.epochs += 1;
        for _ in 0..STEPS {
            let mut slopes = self.training.gradient(&self.now, self.k).slopes;
            for (slope, (now, start)) in slopes.iter_mut().zip(self.now.iter().zip(&self.start)) {
                *slope += self.options.pull * 1e-6 * (now - start);
            }
            self.adam.step(&mut self.now, &slopes, self.options.rate);
        }
        self.training.refresh(&self.now);
        self.held_out.refresh(&self.now);
        let losses = self.losses(&self.now);
        if losses.held_out < self.best.loss {
            self.best = Best { numbers: self.now.clone(), loss: losses.held_out, age: 0 };
        } else {
            self.best.age += 1;
        }
        Some(losses)
    }

    /// The weights that told the positions held out best.
    pub(crate) fn finish(&mut self) -> Tuned {
        let weights = write(&self.form, &self.best.numbers);
        let rounded = read(&weights);
        self.training.refresh(&rounded);
        self.held_out.refresh(&rounded);
        let after = self.losses(&rounded);
        let numbers = self.start.iter().zip(&rounded);
        let changes = names(&weights).into_iter().zip(numbers);
        let mut changes: Vec<Change> =
            changes.map(|(name, (&before, &after))| Change { name, before, after }).collect();
        changes.retain(|change| change.before != change.after);
        changes.sort_by(|a, b| b.size().total_cmp(&a.size()));
        Tuned { weights, counts: self.counts(), before: self.before, after, changes }
    }

    fn losses(&self, numbers: &[f64]) -> Losses {
        let training = mean(&self.training.values(numbers), self.k);
        let held_out =
            if self.held_out.len() > 0 { mean(&self.held_out.values(numbers), self.k) } else { training };
        Losses { training, held_out }
    }
}

/// What came of tuning.
pub(crate) struct Tuned {
    pub(super) weights: Weights,
    /// As of [`Tuner::counts`].
    pub(super) counts: [usize; 3],
    pub(super) before: Losses,
    /// The losses with the weights as they are written.
    pub(crate) after: Losses,
    /// What is not as it was, the most changed first.
    pub(crate) changes: Vec<Change>,
}

impl Change {
    /// How far the number moved.
    fn size(&self) -> f64 {
        (self.after - self.before).abs()
    }
}

/// Adam (Kingma and Ba 2015): steps of about the same size for every number, however much the loss depends on it.
struct Adam {
    steps: i32,
    mean: Vec<f64>,
    square: Vec<f64>,
}

impl Adam {
    /// How much is kept of the former mean, and of the former square: the values of the paper.
    const KEPT: (f64, f64) = (0.9, 0.999);

    fn new(numbers: usize) -> Adam {
        Adam { steps: 0, mean: vec![0.0; numbers], square: vec![0.0; numbers] }
    }

    fn step(&mut self, numbers: &mut [f64], slopes: &[f64], rate: f64) {
        self.steps += 1;
        let (kept, kept_square) = Adam::KEPT;
        let known = 1.0 - kept.powi(self.steps);
        let known_square = 1.0 - kept_square.powi(self.steps);
        for (i, slope) in slopes.iter().enumerate() {
            self.mean[i] = kept * self.mean[i] + (1.0 - kept) * slope;
            self.square[i] = kept_square * self.square[i] + (1.0 - kept_square) * slope * slope;
            let spread = (self.square[i] / known_square).sqrt();
            // Numbers that no position depends on have neither mean nor spread, and stay.
            numbers[i] -= rate * (self.mean[i] / known) / (spread + 1e-12);
        }
    }
}
