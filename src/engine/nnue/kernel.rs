//! The loops over the hidden layer, translated for each kind of processor.
//!
//! Each is written once, in plain Rust over blocks of 32 numbers. What differs is for which instructions the compiler may
//! translate it; which of these the processor has is found out once. The arithmetic of [`update`] and [`output`] wraps and
//! is exact, so that its order does not matter and all kinds give the same bits. On aarch64 NEON belongs to every
//! processor: there the plain loops are NEON already.

use std::fmt;
use std::sync::LazyLock;

/// 32 values of a layer; aligned for the widest registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Block(pub(crate) [i16; Block::LEN]);

impl Block {
    /// How many values are in it.
    pub(crate) const LEN: usize = 32;
    /// Nothing but zeros.
    pub(crate) const ZERO: Block = Block([0; Block::LEN]);
}

/// The most that a hidden value counts for: 1.0 in the units of the hidden layer.
pub(crate) const ONE: i16 = 255;

/// Which instructions the loops use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kernel {
    /// Those that every processor of the platform has.
    Plain,
    /// AVX2.
    #[cfg(target_arch = "x86_64")]
    Avx2(wide::Avx2),
    /// AVX-512 with the instructions for 16-bit numbers.
    #[cfg(target_arch = "x86_64")]
    Avx512(wide::Avx512),
}

static BEST: LazyLock<Kernel> = LazyLock::new(|| Kernel::available()[0]);

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kernel::Plain => "plain",
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(_) => "avx512",
        })
    }
}

/// A loop that is worth being translated for each kind of processor. `run` has to be `#[inline(always)]` with all that it
/// calls: what is not part of the translated function stays as it is for every processor.
pub(crate) trait Loop {
    type Output;
    fn run(self) -> Self::Output;
}

impl Kernel {
    /// The best one that this processor has.
    pub(crate) fn best() -> Kernel {
        *BEST
    }

    /// All that this processor has, the best first.
    pub(crate) fn available() -> Vec<Kernel> {
        let mut kernels = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            kernels.extend(wide::Avx512::find().map(Kernel::Avx512));
            kernels.extend(wide::Avx2::find().map(Kernel::Avx2));
        }
        kernels.push(Kernel::Plain);
        kernels
    }

    /// Runs a loop in its translation.
    #[inline]
    pub(crate) fn run<L: Loop>(self, work: L) -> L::Output {
        match self {
            Kernel::Plain => work.run(),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(proof) => proof.run(work),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(proof) => proof.run(work),
        }
    }

    /// `target` becomes `source` with the columns `added` and without the columns `removed`. All have the same length.
    pub(crate) fn update(
        self,
        target: &mut [Block],
        source: &[Block],
        added: &[&[Block]],
        removed: &[&[Block]],
    ) {
        self.run(Update { target, source, added, removed });
    }

    /// The sum over all values of `weight * x * x`, where `x` is the value between 0 and [`ONE`].
    pub(crate) fn output(self, values: &[Block], weights: &[Block]) -> i32 {
        self.run(Output { values, weights })
    }
}

struct Update<'a> {
    target: &'a mut [Block],
    source: &'a [Block],
    added: &'a [&'a [Block]],
    removed: &'a [&'a [Block]],
}

impl Loop for Update<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        update(self.target, self.source, self.added, self.removed);
    }
}

struct Output<'a> {
    values: &'a [Block],
    weights: &'a [Block],
}

impl Loop for Output<'_> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        output(self.values, self.weights)
    }
}

#[inline(always)]
fn update(target: &mut [Block], source: &[Block], added: &[&[Block]], removed: &[&[Block]]) {
    // The usual changes get loops of their own: a move, a capture, castling.
    match (added, removed) {
        (&[a], &[r]) => update_by(target, source, [a], [r]),
        (&[a], &[r, s]) => update_by(target, source, [a], [r, s]),
        (&[a, b], &[r, s]) => update_by(target, source, [a, b], [r, s]),
        _ => {
            target.copy_from_slice(source);
            for column in added {
                each(target, column, i16::wrapping_add);
            }
            for column in removed {
                each(target, column, i16::wrapping_sub);
            }
        }
    }
}

#[inline(always)]
fn update_by<const A: usize, const R: usize>(
    target: &mut [Block],
    source: &[Block],
    added: [&[Block]; A],
    removed: [&[Block]; R],
) {
    let length = target.len();
    // Equal lengths let the compiler leave the bounds out of the loop.
    let (source, added, removed) =
        (&source[..length], added.map(|column| &column[..length]), removed.map(|column| &column[..length]));
    for i in 0..length {
        let mut block = source[i];
        for column in added {
            combine(&mut block, &column[i], i16::wrapping_add);
        }
        for column in removed {
            combine(&mut block, &column[i], i16::wrapping_sub);
        }
        target[i] = block;
    }
}

#[inline(always)]
fn each(target: &mut [Block], column: &[Block], with: fn(i16, i16) -> i16) {
    for (block, other) in target.iter_mut().zip(column) {
        combine(block, other, with);
    }
}

#[inline(always)]
fn combine(block: &mut Block, other: &Block, with: fn(i16, i16) -> i16) {
    for (value, other) in block.0.iter_mut().zip(&other.0) {
        *value = with(*value, *other);
    }
}

#[inline(always)]
fn output(values: &[Block], weights: &[Block]) -> i32 {
    let mut sums = [0_i32; Block::LEN / 2];
    for (values, weights) in values.iter().zip(weights) {
        for (i, sum) in sums.iter_mut().enumerate() {
            // Two neighbours at once, which is one instruction of the processor.
            let [a, b] = [2 * i, 2 * i + 1].map(|i| {
                let value = values.0[i].clamp(0, ONE);
                // Weights are at most 127, so that this fits: see `network`.
                i32::from(value.wrapping_mul(weights.0[i])) * i32::from(value)
            });
            *sum = sum.wrapping_add(a.wrapping_add(b));
        }
    }
    sums.into_iter().fold(0, i32::wrapping_add)
}

/// Translations for more instructions than every processor of the platform has.
#[cfg(target_arch = "x86_64")]
mod wide {
    use super::Loop;

    /// Declares the proof that a processor has certain instructions: a value exists only where it has them.
    macro_rules! proof {
        ($(#[$about:meta])* $Name:ident, $features:literal: $($feature:tt),+) => {
            $(#[$about])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub(crate) struct $Name(());

            impl $Name {
                pub(super) fn find() -> Option<$Name> {
                    ($(std::is_x86_feature_detected!($feature))&&+).then_some($Name(()))
                }

                #[inline]
                pub(super) fn run<L: Loop>(self, work: L) -> L::Output {
                    #[target_feature(enable = $features)]
                    fn translated<L: Loop>(work: L) -> L::Output {
                        work.run()
                    }
                    #[expect(unsafe_code, reason = "a processor without the instructions must not get here")]
                    // SAFETY: `self` exists only where the processor was found to have the instructions.
                    unsafe {
                        translated(work)
                    }
                }
            }
        };
    }

    proof!(
        /// The processor has AVX2.
        Avx2, "avx2": "avx2"
    );
    proof!(
        /// The processor has AVX-512 with the instructions for 16-bit numbers.
        Avx512, "avx512f,avx512bw,avx512vl": "avx512f", "avx512bw", "avx512vl"
    );
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn blocks(values: std::ops::RangeInclusive<i16>, length: usize) -> impl Strategy<Value = Vec<Block>> {
        let block = vec(values, Block::LEN).prop_map(|values| Block(values.try_into().unwrap()));
        vec(block, length)
    }

    /// The definition, without any haste.
    fn expected(values: &[Block], weights: &[Block]) -> i32 {
        let flat = |blocks: &[Block]| blocks.iter().flat_map(|block| block.0).collect::<Vec<i16>>();
        let pairs = flat(values).into_iter().zip(flat(weights));
        let terms = pairs.map(|(value, weight)| {
            let value = i64::from(value.clamp(0, ONE));
            i64::from(weight) * value * value
        });
        terms.sum::<i64>() as i32
    }

    proptest! {
        #[test]
        fn all_kernels_give_the_same_bits(
            values in blocks(i16::MIN..=i16::MAX, 3),
            weights in blocks(-127..=127, 3),
            columns in vec(blocks(i16::MIN..=i16::MAX, 3), 5),
            added in 0_usize..=3,
            removed in 0_usize..=2,
        ) {
            let added: Vec<&[Block]> = columns[..added].iter().map(Vec::as_slice).collect();
            let removed: Vec<&[Block]> = columns[3..3 + removed].iter().map(Vec::as_slice).collect();
            let mut by_hand = values.clone();
            for (i, block) in by_hand.iter_mut().enumerate() {
                for (j, value) in block.0.iter_mut().enumerate() {
                    let sum = |columns: &[&[Block]]| {
                        columns.iter().fold(0_i16, |sum, column| sum.wrapping_add(column[i].0[j]))
                    };
                    *value = value.wrapping_add(sum(&added)).wrapping_sub(sum(&removed));
                }
            }
            for kernel in Kernel::available() {
                prop_assert_eq!(kernel.output(&values, &weights), expected(&values, &weights), "{:?}", kernel);
                let mut target = vec![Block::ZERO; 3];
                kernel.update(&mut target, &values, &added, &removed);
                prop_assert_eq!(&target, &by_hand, "{:?}", kernel);
            }
        }
    }
}
