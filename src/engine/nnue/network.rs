//! The network's numbers, and the last step from the hidden layer to a value.

use std::fmt;
use std::sync::Arc;

use super::features::Architecture;
use super::kernel::{Block, Kernel, ONE};
use crate::engine::score::Value;

/// 1.0 in the units of the output's weights.
pub(crate) const OUTPUT_ONE: i32 = 64;

/// The largest output weight: with [`ONE`] times it a product still fits into 16 bits.
pub(crate) const MOST_WEIGHT: i16 = i16::MAX / ONE - 1;

/// Centipawns of an output of 1.0.
pub(crate) const SCALE: i32 = 400;

/// A network, ready for use.
#[derive(Clone)]
pub(crate) struct Network {
    pub(super) architecture: Architecture,
    /// A column of `hidden` numbers for each feature.
    pub(super) columns: Box<[Block]>,
    /// What the hidden layer holds without any feature.
    pub(super) biases: Box<[Block]>,
    /// For each output the weights of the mover's hidden values, then of the other side's.
    pub(super) weights: Box<[Block]>,
    /// For each output, in units of `ONE * OUTPUT_ONE`.
    pub(super) output_biases: Box<[i32]>,
    /// The SHA-256 of the numbers, as the file has it.
    pub(super) hash: [u8; 32],
    pub(super) kernel: Kernel,
}

/// The network that every binary carries.
static EMBEDDED: &[u8] = include_bytes!("../../../nets/rookery.rknn");

impl Network {
    /// The same, ready for use.
    pub(crate) fn embedded() -> Arc<Network> {
        static NETWORK: std::sync::LazyLock<Arc<Network>> = std::sync::LazyLock::new(|| {
            Arc::new(Network::read(EMBEDDED).expect("because a test reads the network of the program"))
        });
        Arc::clone(&NETWORK)
    }

    /// A network of these numbers, as many as its shape says.
    pub(crate) fn new(
        architecture: Architecture,
        columns: Box<[Block]>,
        biases: Box<[Block]>,
        weights: Box<[Block]>,
        output_biases: Box<[i32]>,
    ) -> Network {
        let kernel = Kernel::best();
        let mut network =
            Network { architecture, columns, biases, weights, output_biases, hash: [0; 32], kernel };
        network.hash = network.payload_hash();
        network
    }

    /// The same network, with loops for these instructions.
    pub(crate) fn on(&self, kernel: Kernel) -> Network {
        Network { kernel, ..self.clone() }
    }

    /// The SHA-256 of its numbers.
    pub(crate) fn hash(&self) -> &[u8; 32] {
        &self.hash
    }

    /// The first digits of the hash, by which people tell networks apart.
    pub(crate) fn name(&self) -> String {
        self.hash[..6].iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Bytes that its numbers take.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.columns) + size_of_val(&*self.biases) + size_of_val(&*self.weights)
    }

    /// Blocks of a hidden layer.
    pub(super) fn width(&self) -> usize {
        self.architecture.hidden / Block::LEN
    }

    /// The column of a feature.
    pub(super) fn column(&self, feature: usize) -> &[Block] {
        let width = self.width();
        &self.columns[feature * width..][..width]
    }

    /// The value for the mover in centipawns, by the hidden layers of the mover and of the other side.
    pub(super) fn value(&self, mover: &[Block], other: &[Block], pieces: usize) -> Value {
        let width = self.width();
        let output = self.architecture.output(pieces);
        let weights = &self.weights[2 * width * output..][..2 * width];
        let sum = self.kernel.output(mover, &weights[..width]) + self.kernel.output(other, &weights[width..]);
        let one = i64::from(ONE);
        let value = i64::from(sum) / one + i64::from(self.output_biases[output]);
        (value * i64::from(SCALE) / (one * i64::from(OUTPUT_ONE))) as Value
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Network({}, {:?})", self.name(), self.architecture)
    }
}
