//! The loops over the hidden layer, translated for each kind of processor.
//!
//! Each is written in plain Rust over blocks of 32 numbers. What differs is for which instructions the compiler may
//! translate it; which of these the processor has is found out once. [`Kernel::output`] alone is also written in the
//! instructions themselves. The arithmetic of integers wraps and is exact, so that its order does not matter and all kinds
//! give the same bits. On aarch64 NEON belongs to every
//! processor, so that the compiler may use it in the plain loops.

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

/// Runs `$work` for spans of `N` blocks from `$at` on, of 4 as long as there are so many.
macro_rules! spans {
    ($length:expr, $at:ident, $N:ident => $work:expr) => {{
        let length = $length;
        let mut $at = 0;
        while $at + 4 <= length {
            const $N: usize = 4;
            $work;
            $at += $N;
        }
        while $at < length {
            const $N: usize = 1;
            $work;
            $at += $N;
        }
    }};
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

    /// `kept` gets the columns `added` and loses the columns `removed`; `target` becomes the same.
    pub(crate) fn refresh(
        self,
        target: &mut [Block],
        kept: &mut [Block],
        added: &[&[Block]],
        removed: &[&[Block]],
    ) {
        self.run(Refresh { target, kept, added, removed });
    }

    /// The sum over all values of `weight * x * x`, where `x` is the value between 0 and [`ONE`].
    pub(crate) fn output(self, values: &[Block], weights: &[Block]) -> i32 {
        match self {
            Kernel::Plain => output(values, weights),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(proof) => proof.output(values, weights),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(proof) => proof.output(values, weights),
        }
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
        let Update { target, source, added, removed } = self;
        // The usual changes get loops of their own: a move, a capture, castling.
        match (added, removed) {
            (&[a], &[r]) => update_by(target, source, [a], [r]),
            (&[a], &[r, s]) => update_by(target, source, [a], [r, s]),
            (&[a, b], &[r, s]) => update_by(target, source, [a, b], [r, s]),
            _ => spans!(target.len(), at, N => {
                let sums: [Block; N] = std::array::from_fn(|i| source[at + i]);
                target[at..at + N].copy_from_slice(&changed(sums, at, added, removed));
            }),
        }
    }
}

struct Refresh<'a> {
    target: &'a mut [Block],
    kept: &'a mut [Block],
    added: &'a [&'a [Block]],
    removed: &'a [&'a [Block]],
}

impl Loop for Refresh<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Refresh { target, kept, added, removed } = self;
        spans!(target.len(), at, N => {
            let sums: [Block; N] = std::array::from_fn(|i| kept[at + i]);
            let sums = changed(sums, at, added, removed);
            kept[at..at + N].copy_from_slice(&sums);
            target[at..at + N].copy_from_slice(&sums);
        });
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
        let sum = added.iter().fold(source[i], |sum, column| sum.plus(&column[i]));
        target[i] = removed.iter().fold(sum, |sum, column| sum.minus(&column[i]));
    }
}

/// `N` blocks from the place `at` on, with the columns added and removed: they stay in registers meanwhile.
#[inline(always)]
fn changed<const N: usize>(
    mut sums: [Block; N],
    at: usize,
    added: &[&[Block]],
    removed: &[&[Block]],
) -> [Block; N] {
    for column in added {
        let column = &column[at..at + N];
        sums = std::array::from_fn(|i| sums[i].plus(&column[i]));
    }
    for column in removed {
        let column = &column[at..at + N];
        sums = std::array::from_fn(|i| sums[i].minus(&column[i]));
    }
    sums
}

impl Block {
    #[inline(always)]
    fn plus(self, other: &Block) -> Block {
        let mut sum = self;
        for i in 0..Block::LEN {
            sum.0[i] = self.0[i].wrapping_add(other.0[i]);
        }
        sum
    }

    #[inline(always)]
    fn minus(self, other: &Block) -> Block {
        let mut rest = self;
        for i in 0..Block::LEN {
            rest.0[i] = self.0[i].wrapping_sub(other.0[i]);
        }
        rest
    }
}

fn output(values: &[Block], weights: &[Block]) -> i32 {
    let mut sums = [0_i32; Block::LEN];
    for (values, weights) in values.iter().zip(weights) {
        for (i, sum) in sums.iter_mut().enumerate() {
            let value = values.0[i].clamp(0, ONE);
            // Weights are at most 127, so that this fits: see `network`.
            *sum = sum.wrapping_add(i32::from(value.wrapping_mul(weights.0[i])) * i32::from(value));
        }
    }
    sums.into_iter().fold(0, i32::wrapping_add)
}

/// Translations for more instructions than every processor of the platform has.
#[cfg(target_arch = "x86_64")]
mod wide {
    use std::arch::x86_64::*;

    use super::{Block, Loop, ONE};

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

    impl Block {
        #[inline(always)]
        fn halves(self) -> [__m256i; 2] {
            #[expect(
                unsafe_code,
                reason = "the standard library has no safe way from an array to a register"
            )]
            // SAFETY: 32 numbers of 16 bits are two times 256 bits, and a register may hold any bits.
            unsafe {
                std::mem::transmute(self)
            }
        }

        #[inline(always)]
        fn whole(self) -> __m512i {
            #[expect(
                unsafe_code,
                reason = "the standard library has no safe way from an array to a register"
            )]
            // SAFETY: 32 numbers of 16 bits are 512 bits, and a register may hold any bits.
            unsafe {
                std::mem::transmute(self)
            }
        }
    }

    // The compiler finds `madd` for a plain loop in some builds and not in others; here it is written down.

    impl Avx2 {
        pub(super) fn output(self, values: &[Block], weights: &[Block]) -> i32 {
            #[target_feature(enable = "avx2")]
            fn translated(values: &[Block], weights: &[Block]) -> i32 {
                let (zero, one) = (_mm256_setzero_si256(), _mm256_set1_epi16(ONE));
                let mut sum = zero;
                for (values, weights) in values.iter().zip(weights) {
                    for (value, weight) in values.halves().into_iter().zip(weights.halves()) {
                        let value = _mm256_min_epi16(_mm256_max_epi16(value, zero), one);
                        let product = _mm256_mullo_epi16(value, weight);
                        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(product, value));
                    }
                }
                let sum = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
                let sum = _mm_add_epi32(sum, _mm_shuffle_epi32::<0b_01_00_11_10>(sum));
                _mm_cvtsi128_si32(_mm_add_epi32(sum, _mm_shuffle_epi32::<0b_10_11_00_01>(sum)))
            }
            #[expect(unsafe_code, reason = "a processor without the instructions must not get here")]
            // SAFETY: `self` exists only where the processor was found to have the instructions.
            unsafe {
                translated(values, weights)
            }
        }
    }

    impl Avx512 {
        pub(super) fn output(self, values: &[Block], weights: &[Block]) -> i32 {
            #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
            fn translated(values: &[Block], weights: &[Block]) -> i32 {
                let (zero, one) = (_mm512_setzero_si512(), _mm512_set1_epi16(ONE));
                let mut sum = zero;
                for (value, weight) in values.iter().zip(weights) {
                    let value = _mm512_min_epi16(_mm512_max_epi16(value.whole(), zero), one);
                    let product = _mm512_mullo_epi16(value, weight.whole());
                    sum = _mm512_add_epi32(sum, _mm512_madd_epi16(product, value));
                }
                _mm512_reduce_add_epi32(sum)
            }
            #[expect(unsafe_code, reason = "a processor without the instructions must not get here")]
            // SAFETY: `self` exists only where the processor was found to have the instructions.
            unsafe {
                translated(values, weights)
            }
        }
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
            values in blocks(i16::MIN..=i16::MAX, 6),
            weights in blocks(-127..=127, 6),
            columns in vec(blocks(i16::MIN..=i16::MAX, 6), 5),
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
                let mut target = vec![Block::ZERO; 6];
                kernel.update(&mut target, &values, &added, &removed);
                prop_assert_eq!(&target, &by_hand, "{:?}", kernel);
                let mut kept = values.clone();
                let mut target = vec![Block::ZERO; kept.len()];
                kernel.refresh(&mut target, &mut kept, &added, &removed);
                prop_assert!(target == by_hand && kept == by_hand, "{:?}", kernel);
            }
        }
    }
}
