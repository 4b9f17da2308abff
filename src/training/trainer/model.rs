//! The network in floating point, its gradient, and its steps (AdamW, Loshchilov and Hutter 2019).

use crate::engine::training::Architecture;
use crate::random::Random;

/// Numbers of a network: the columns of the features, the hidden biases, the weights and the biases of the outputs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Numbers {
    pub(crate) columns: Vec<f32>,
    pub(crate) biases: Vec<f32>,
    pub(crate) weights: Vec<f32>,
    pub(crate) output_biases: Vec<f32>,
}

impl Numbers {
    /// All zero.
    pub(crate) fn zero(architecture: &Architecture) -> Numbers {
        let Architecture { hidden, outputs, .. } = *architecture;
        Numbers {
            columns: vec![0.0; architecture.features() * hidden],
            biases: vec![0.0; hidden],
            weights: vec![0.0; 2 * hidden * outputs],
            output_biases: vec![0.0; outputs],
        }
    }

    /// Small numbers at random, so that about 30 features and all hidden values give something near 1.
    pub(crate) fn random(architecture: &Architecture, seed: u64) -> Numbers {
        let mut numbers = Numbers::zero(architecture);
        let mut random = Random::new(seed, 0);
        let mut fill = |numbers: &mut [f32], size: f64| {
            numbers.iter_mut().for_each(|number| *number = ((2.0 * random.unit() - 1.0) * size) as f32);
        };
        fill(&mut numbers.columns, (1.0_f64 / 32.0).sqrt());
        numbers.biases.fill(0.1);
        fill(&mut numbers.weights, (1.0 / architecture.hidden as f64).sqrt());
        numbers
    }

    /// The parts, always in the same order.
    pub(crate) fn parts(&self) -> [&Vec<f32>; 4] {
        [&self.columns, &self.biases, &self.weights, &self.output_biases]
    }

    /// The same, to be changed.
    pub(crate) fn parts_mut(&mut self) -> [&mut Vec<f32>; 4] {
        [&mut self.columns, &mut self.biases, &mut self.weights, &mut self.output_biases]
    }
}
