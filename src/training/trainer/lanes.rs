//! A lane: the part of a batch that is worked on by one thread, from the positions to the gradient. How a batch is divided
//! does not depend on the number of threads, and neither does the outcome.

use super::super::samples::Sample;
use super::model::Numbers;
use crate::engine::training::{Architecture, Kernel, Loop};

/// Hidden values that are worked on together: they stay in registers.
const TILE: usize = 32;

type Tile = [f32; TILE];

/// What the positions of a lane say.
pub(crate) struct Lane {
    pub(crate) gradient: Numbers,
    /// The sum of the losses.
    pub(crate) loss: f64,
    /// The hidden layers of the position at hand, before they are clipped: the mover's, the other side's.
    hidden: [Vec<f32>; 2],
}

/// A position's part in a batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lesson<'a> {
    pub(crate) sample: &'a Sample,
    /// Take its mirror image.
    pub(crate) mirrored: bool,
    /// What the network should say: the mover's points, expected from score and result.
    pub(crate) target: f32,
}

impl Lane {
    pub(crate) fn new(architecture: &Architecture) -> Lane {
        Lane {
            gradient: Numbers::zero(architecture),
            loss: 0.0,
            hidden: [vec![0.0; architecture.hidden], vec![0.0; architecture.hidden]],
        }
    }

    /// Forgets the last batch.
    pub(crate) fn clear(&mut self) {
        self.loss = 0.0;
        for part in self.gradient.parts_mut() {
            part.fill(0.0);
        }
    }

    /// Adds the losses of the lessons, and their gradient if `learn`.
    pub(crate) fn work<'a>(
        &mut self,
        numbers: &Numbers,
        architecture: &Architecture,
        lessons: impl Iterator<Item = Lesson<'a>>,
        learn: bool,
    ) {
        let kernel = Kernel::best();
        for lesson in lessons {
            kernel.run(Step { lane: self, numbers, architecture, lesson, learn });
        }
    }
}

#[cfg(test)]
impl Lane {
    /// What the network says of a position; 1.0 is worth [`SCALE`](crate::engine::training::SCALE) centipawns.
    pub(super) fn output(&mut self, numbers: &Numbers, architecture: &Architecture, sample: &Sample) -> f32 {
        let output = architecture.output(sample.count());
        let hidden = architecture.hidden;
        let weights = &numbers.weights[2 * hidden * output..];
        let features = sample.features(architecture, false);
        let sides = features.iter().zip(weights.chunks_exact(hidden)).zip(&mut self.hidden);
        let sum: f32 =
            sides.map(|((features, weights), hidden)| forward(numbers, features, weights, hidden)).sum();
        sum + numbers.output_biases[output]
    }
}

/// One lesson.
struct Step<'a, 'b> {
    lane: &'a mut Lane,
    numbers: &'a Numbers,
    architecture: &'a Architecture,
    lesson: Lesson<'b>,
    learn: bool,
}

impl Loop for Step<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Step { lane, numbers, architecture, lesson, learn } = self;
        let hidden = architecture.hidden;
        let output = architecture.output(lesson.sample.count());
        let weights = &numbers.weights[2 * hidden * output..][..2 * hidden];
        let features = lesson.sample.features(architecture, lesson.mirrored);
        let mut sum = numbers.output_biases[output];
        for (side, features) in features.iter().enumerate() {
            let weights = &weights[hidden * side..][..hidden];
            sum += forward(numbers, features, weights, &mut lane.hidden[side]);
        }
        let points = 1.0 / (1.0 + (-sum).exp());
        let error = points - lesson.target;
        lane.loss += f64::from(error * error);
        if !learn {
            return;
        }
        let slope = 2.0 * error * points * (1.0 - points);
        let gradient = &mut lane.gradient;
        gradient.output_biases[output] += slope;
        for (side, features) in features.iter().enumerate() {
            let from = 2 * hidden * output + hidden * side;
            let part = Backward {
                weights: &weights[hidden * side..][..hidden],
                weights_gradient: &mut gradient.weights[from..][..hidden],
                biases_gradient: &mut gradient.biases,
                columns_gradient: &mut gradient.columns,
            };
            part.run(&lane.hidden[side], features, slope);
        }
    }
}

/// The hidden layer of one side, and what it adds to the output.
#[inline(always)]
fn forward(numbers: &Numbers, features: &[u32], weights: &[f32], hidden: &mut [f32]) -> f32 {
    let length = hidden.len();
    let mut sums: Tile = [0.0; TILE];
    for (at, out) in hidden.chunks_exact_mut(TILE).enumerate() {
        let at = at * TILE;
        let mut values = tile(&numbers.biases, at);
        for feature in features {
            let column = tile(&numbers.columns, *feature as usize * length + at);
            for (value, column) in values.iter_mut().zip(column) {
                *value += column;
            }
        }
        let weights = tile(weights, at);
        for i in 0..TILE {
            let clipped = values[i].clamp(0.0, 1.0);
            sums[i] += clipped * clipped * weights[i];
        }
        out.copy_from_slice(&values);
    }
    // By halves, which every processor adds in the same order.
    let mut width = TILE / 2;
    while width > 0 {
        for i in 0..width {
            sums[i] += sums[i + width];
        }
        width /= 2;
    }
    sums[0]
}

struct Backward<'a> {
    weights: &'a [f32],
    weights_gradient: &'a mut [f32],
    biases_gradient: &'a mut [f32],
    columns_gradient: &'a mut [f32],
}

impl Backward<'_> {
    #[inline(always)]
    fn run(self, hidden: &[f32], features: &[u32], slope: f32) {
        let length = hidden.len();
        for at in (0..length).step_by(TILE) {
            let (values, weights) = (tile(hidden, at), tile(self.weights, at));
            let mut slopes: Tile = [0.0; TILE];
            let out = &mut self.weights_gradient[at..at + TILE];
            for i in 0..TILE {
                let clipped = values[i].clamp(0.0, 1.0);
                out[i] += slope * clipped * clipped;
                let inside = values[i] > 0.0 && values[i] < 1.0;
                slopes[i] = if inside { slope * weights[i] * 2.0 * clipped } else { 0.0 };
            }
            add(&mut self.biases_gradient[at..at + TILE], &slopes);
            for feature in features {
                let from = *feature as usize * length + at;
                add(&mut self.columns_gradient[from..from + TILE], &slopes);
            }
        }
    }
}

#[inline(always)]
fn tile(numbers: &[f32], at: usize) -> Tile {
    let mut tile = [0.0; TILE];
    tile.copy_from_slice(&numbers[at..at + TILE]);
    tile
}

#[inline(always)]
fn add(to: &mut [f32], slopes: &Tile) {
    for (to, slope) in to.iter_mut().zip(slopes) {
        *to += slope;
    }
}
