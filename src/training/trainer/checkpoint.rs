//! A training that is interrupted, as a file: all that the rest of the way depends on.
//!
//! `RKTRAIN\n`, the SHA-256 of options and data, epochs done, the steps done, the losses of each epoch, then numbers, mean
//! slopes and mean squares; little-endian.

use ring::digest::{Context, SHA256};
use thiserror::Error;

use super::model::Numbers;
use super::{Data, Losses, Options, Trainer};

const MAGIC: &[u8; 8] = b"RKTRAIN\n";

/// Why a training cannot go on from a file.
#[derive(Debug, Error, PartialEq, Eq)]
pub(crate) enum CheckpointError {
    /// It is not such a file, or it is cut off.
    #[error("no training that was interrupted, or one that is cut off")]
    Damaged,
    /// It belongs to other data or options.
    #[error("it was made with other data or options: training goes on only with the same")]
    Other,
}

impl Trainer<'_> {
    /// All that the rest of the way depends on.
    pub(crate) fn checkpoint(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(identity(&self.options, self.data));
        bytes.extend((self.losses.len() as u64).to_le_bytes());
        bytes.extend(self.adam.steps.to_le_bytes());
        for losses in &self.losses {
            bytes.extend(losses.training.to_le_bytes());
            bytes.extend(losses.held_out.to_le_bytes());
        }
        for numbers in [&self.numbers, &self.adam.mean, &self.adam.square] {
            let numbers = numbers.parts().into_iter().flatten();
            bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
        }
        bytes
    }

    /// Goes on where a training with the same data and options was.
    pub(crate) fn restore(&mut self, bytes: &[u8]) -> Result<(), CheckpointError> {
        let mut input = Input(bytes);
        if input.take(8)? != MAGIC {
            return Err(CheckpointError::Damaged);
        }
        if input.take(32)? != identity(&self.options, self.data) {
            return Err(CheckpointError::Other);
        }
        let epochs = u64::from_le_bytes(input.array()?);
        self.adam.steps = u64::from_le_bytes(input.array()?);
        self.losses.clear();
        for _ in 0..epochs {
            let [training, held_out] = [input.array()?, input.array()?].map(f64::from_le_bytes);
            self.losses.push(Losses { training, held_out });
        }
        for numbers in [&mut self.numbers, &mut self.adam.mean, &mut self.adam.square] {
            input.fill(numbers)?;
        }
        if input.0.is_empty() { Ok(()) } else { Err(CheckpointError::Damaged) }
    }
}

/// What makes a training the same: options but for the threads, and data.
fn identity(options: &Options, data: &Data) -> Vec<u8> {
    let options = Options { threads: 0, ..options.clone() };
    let mut context = Context::new(&SHA256);
    context.update(format!("{options:?} {}", data.held_out.len()).as_bytes());
    for sample in &data.training {
        context.update(&sample.bytes());
    }
    context.finish().as_ref().to_vec()
}

struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], CheckpointError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(CheckpointError::Damaged)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], CheckpointError> {
        self.take(N)?.try_into().map_err(|_| CheckpointError::Damaged)
    }

    fn fill(&mut self, numbers: &mut Numbers) -> Result<(), CheckpointError> {
        for number in numbers.parts_mut().into_iter().flatten() {
            *number = f32::from_le_bytes(self.array()?);
        }
        Ok(())
    }
}
