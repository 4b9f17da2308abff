//! Networks as files.
//!
//! All numbers are little-endian. A header of 120 bytes, then the numbers of the network:
//!
//! | offset | size | what |
//! |---|---|---|
//! | 0 | 8 | `RKNNUE\r\n` |
//! | 8 | 4 | version of the format: 1 |
//! | 12 | 4 | hidden values of a side, a multiple of 32 |
//! | 16 | 2 + 2 + 2 | what stands for 1.0 in the hidden layer (255) and in the output's weights (64); centipawns of 1.0 (400) |
//! | 22 | 1 | 1 if the board is mirrored so that the own king stands on the files a to d |
//! | 23 | 1 | outputs |
//! | 24 | 64 | the set of features for each square of the own king |
//! | 88 | 32 | SHA-256 of all that follows |
//!
//! The numbers: the column of each feature, the biases of the hidden layer, for each output the weights of the mover's and
//! of the other side's hidden values (16 bits each), and the biases of the outputs (32 bits, in units of 1 / (255 * 64)).
//! Feature `((set * 2 + colour) * 6 + role) * 64 + square`: colour 0 is the own one, roles go from pawn to king, squares
//! from a1 by ranks as the side sees them.

use ring::digest::{SHA256, digest};
use thiserror::Error;

use super::features::{Architecture, MOST_BUCKETS};
use super::kernel::{Block, ONE};
use super::network::{MOST_WEIGHT, Network, OUTPUT_ONE, SCALE};

const MAGIC: &[u8; 8] = b"RKNNUE\r\n";
const VERSION: u32 = 1;
const HEADER: usize = 120;

/// More hidden values would be slower than any search can use.
const MOST_HIDDEN: usize = 4096;

/// What the output's weights may add up to, so that no position makes its sum leave 32 bits.
const MOST_SUM: i64 = i32::MAX as i64 / (ONE as i64 * ONE as i64);

/// Why a file is no network that can be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NetworkError {
    /// It does not begin as one.
    #[error("no network: it does not begin with RKNNUE, as files of `rookery train` do")]
    Magic,
    /// It ends too early.
    #[error("{found} bytes, expected {expected}: the file is cut off, or belongs to another program")]
    Length {
        /// What the header announces.
        expected: usize,
        /// What there is.
        found: usize,
    },
    /// Another version wrote it.
    #[error("version {0} of the format, expected {VERSION}")]
    Version(u32),
    /// Its shape is one that cannot be used.
    #[error("{what} is {found}, expected {expected}")]
    Shape {
        /// The field of the header.
        what: &'static str,
        /// What it says.
        found: u32,
        /// What it could say.
        expected: &'static str,
    },
    /// Its numbers are not those that were written.
    #[error("the numbers are damaged: their SHA-256 is not the one of the header")]
    Hash,
    /// An output weight is too large for the arithmetic.
    #[error(
        "output {output} has weights that its sum has no room for, expected at most {MOST_WEIGHT} each and {MOST_SUM} in all"
    )]
    Weights {
        /// The number of the output.
        output: usize,
    },
}

impl Network {
    /// Reads a file.
    pub(crate) fn read(bytes: &[u8]) -> Result<Network, NetworkError> {
        if !bytes.starts_with(MAGIC) {
            return Err(NetworkError::Magic);
        }
        let found = bytes.len();
        let (header, payload) =
            bytes.split_at_checked(HEADER).ok_or(NetworkError::Length { expected: HEADER, found })?;
        let architecture = architecture(header)?;
        let expected = HEADER + size(&architecture);
        if found != expected {
            return Err(NetworkError::Length { expected, found });
        }
        if digest(&SHA256, payload).as_ref() != &header[88..] {
            return Err(NetworkError::Hash);
        }
        let network = numbers(architecture, payload);
        network.check()?;
        Ok(network)
    }

    /// The network as a file.
    pub(crate) fn write(&self) -> Vec<u8> {
        let payload = self.payload();
        let shape = &self.architecture;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((shape.hidden as u32).to_le_bytes());
        bytes.extend([ONE as u16, OUTPUT_ONE as u16, SCALE as u16].into_iter().flat_map(u16::to_le_bytes));
        bytes.extend([u8::from(shape.mirrored), shape.outputs as u8]);
        bytes.extend(shape.king_buckets);
        bytes.extend(self.hash);
        bytes.extend(payload);
        bytes
    }

    /// What follows the header.
    fn payload(&self) -> Vec<u8> {
        let blocks = [&self.columns, &self.biases, &self.weights];
        let words = blocks.into_iter().flat_map(|blocks| blocks.iter()).flat_map(|block| block.0);
        let mut payload: Vec<u8> = words.flat_map(i16::to_le_bytes).collect();
        payload.extend(self.output_biases.iter().copied().flat_map(i32::to_le_bytes));
        payload
    }

    /// The SHA-256 of that.
    pub(super) fn payload_hash(&self) -> [u8; 32] {
        let mut hash = [0; 32];
        hash.copy_from_slice(digest(&SHA256, &self.payload()).as_ref());
        hash
    }

    /// Whether the arithmetic has room for all sums.
    fn check(&self) -> Result<(), NetworkError> {
        for (output, weights) in self.weights.chunks_exact(2 * self.width()).enumerate() {
            let sizes = || weights.iter().flat_map(|block| block.0).map(|weight| i64::from(weight).abs());
            if sizes().any(|size| size > i64::from(MOST_WEIGHT)) || sizes().sum::<i64>() > MOST_SUM {
                return Err(NetworkError::Weights { output });
            }
        }
        Ok(())
    }
}

/// Bytes of the numbers of a network.
fn size(architecture: &Architecture) -> usize {
    let Architecture { hidden, outputs, .. } = *architecture;
    2 * hidden * (architecture.features() + 1 + 2 * outputs) + 4 * outputs
}

fn architecture(header: &[u8]) -> Result<Architecture, NetworkError> {
    let word = |at: usize| u32::from(header[at]) | u32::from(header[at + 1]) << 8;
    let long = |at: usize| word(at) | word(at + 2) << 16;
    let field = |what, found: u32, fits: bool, expected| match fits {
        true => Ok(found as usize),
        false => Err(NetworkError::Shape { what, found, expected }),
    };
    let version = long(8);
    if version != VERSION {
        return Err(NetworkError::Version(version));
    }
    for (what, found, one, expected) in [
        ("1.0 of the hidden layer", word(16), ONE as u32, "255"),
        ("1.0 of the output's weights", word(18), OUTPUT_ONE as u32, "64"),
        ("centipawns of 1.0", word(20), SCALE as u32, "400"),
    ] {
        field(what, found, found == one, expected)?;
    }
    let hidden = long(12);
    let fits = hidden > 0 && (hidden as usize).is_multiple_of(Block::LEN) && hidden as usize <= MOST_HIDDEN;
    let mirrored = u32::from(header[22]);
    let outputs = u32::from(header[23]);
    let mut king_buckets = [0; 64];
    king_buckets.copy_from_slice(&header[24..88]);
    let set = u32::from(king_buckets.into_iter().max().unwrap_or_default());
    field("the number of a set of features", set, (set as usize) < MOST_BUCKETS, "0 to 31")?;
    Ok(Architecture {
        hidden: field("hidden values", hidden, fits, "a multiple of 32, at most 4096")?,
        mirrored: field("mirrored", mirrored, mirrored <= 1, "0 or 1")? == 1,
        king_buckets,
        outputs: field("outputs", outputs, (1..=MOST_BUCKETS as u32).contains(&outputs), "1 to 32")?,
    })
}

/// The numbers, which are as many as the shape says.
fn numbers(architecture: Architecture, payload: &[u8]) -> Network {
    let width = architecture.hidden / Block::LEN;
    let (words, biases) = payload.split_at(payload.len() - 4 * architecture.outputs);
    let mut blocks = words.chunks_exact(2 * Block::LEN).map(|bytes| {
        let mut block = Block::ZERO;
        for (value, bytes) in block.0.iter_mut().zip(bytes.chunks_exact(2)) {
            *value = i16::from_le_bytes([bytes[0], bytes[1]]);
        }
        block
    });
    let mut take = |count: usize| blocks.by_ref().take(count).collect();
    let columns = take(architecture.features() * width);
    let hidden_biases = take(width);
    let weights = take(2 * width * architecture.outputs);
    let biases =
        biases.chunks_exact(4).map(|bytes| i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
    Network::new(architecture, columns, hidden_biases, weights, biases.collect())
}
