//! From floating point to the integers of the network.

use super::model::Numbers;
use crate::engine::training::{Architecture, Block, Network, ONE, OUTPUT_ONE};

/// The nearest network.
pub(super) fn network(architecture: &Architecture, numbers: &Numbers) -> Network {
    let (one, output_one) = (f32::from(ONE), OUTPUT_ONE as f32);
    let blocks = |numbers: &[f32], scale: f32| {
        let blocks = numbers.chunks_exact(Block::LEN).map(|numbers| {
            let mut block = Block::ZERO;
            for (value, number) in block.0.iter_mut().zip(numbers) {
                *value = (number * scale).round() as i16;
            }
            block
        });
        blocks.collect::<Box<[Block]>>()
    };
    Network::new(
        architecture.clone(),
        blocks(&numbers.columns, one),
        blocks(&numbers.biases, one),
        blocks(&numbers.weights, output_one),
        numbers.output_biases.iter().map(|bias| (bias * one * output_one).round() as i32).collect(),
    )
}
