//! SimHash with integer weights: bit-sliced counters.
//!
//! With weights `w` and `ones[i]` the weight of the features whose bit `i` is set,
//! `V[i] = 2 * ones[i] - sum(w)`, so only `ones` is counted, and the sign is one comparison with
//! half the total. The definition it is tested against is [`crate::sums::Sums`].

use crate::fingerprint::Fingerprint;
use crate::kernel::Kernel;
use crate::sums::SignRule;

/// Words that go through the adders at a time: one 256-bit register.
const LANES: usize = 4;
/// Registers that one step of the adder tree takes in.
const STEP: usize = 16;
/// Words of one step.
const BLOCK: usize = LANES * STEP;
/// Bits of a counter: enough for 2^40 features of weight below 2^20.
const PLANES: usize = 64;

type Lane = [u64; LANES];

/// Counters of set bits over the features of a document.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::sums::SignRule;
/// use nearprint_fingerprint::tally::Tally;
///
/// let mut tally = Tally::<1>::default();
/// tally.add([0b011], 2);
/// tally.add([0b101], 1);
/// assert_eq!(tally.finish(SignRule::Positive).words(), &[0b011]);
/// ```
///
/// # References
/// The adder tree is Harley and Seal's (Warren, "Hacker's Delight", 2nd edition, section 5-2),
/// kept in planes for each bit position.
#[derive(Clone, Debug)]
pub struct Tally<const WORDS: usize> {
    /// Features that wait for their plane, by the binary digits of their weight: words in turn.
    waiting: Vec<Vec<u64>>,
    /// Sum of all weights.
    total: u64,
    kernel: Kernel,
}

impl<const WORDS: usize> Default for Tally<WORDS> {
    fn default() -> Self {
        Self::with_kernel(Kernel::detect())
    }
}

impl<const WORDS: usize> Tally<WORDS> {
    /// An empty tally that runs on `kernel`.
    #[must_use]
    pub fn with_kernel(kernel: Kernel) -> Self {
        Self { waiting: vec![Vec::new()], total: 0, kernel }
    }

    /// Counts a feature with its weight.
    #[inline]
    pub fn add(&mut self, hash: [u64; WORDS], weight: u32) {
        self.total += u64::from(weight);
        if weight == 1
            && let Some(ones) = self.waiting.first_mut()
        {
            ones.extend_from_slice(&hash);
            return;
        }
        self.add_heavy(hash, weight);
    }

    fn add_heavy(&mut self, hash: [u64; WORDS], weight: u32) {
        let digits = (u32::BITS - weight.leading_zeros()) as usize;
        if self.waiting.len() < digits {
            self.waiting.resize_with(digits, Vec::new);
        }
        for (digit, waiting) in self.waiting.iter_mut().enumerate().take(digits) {
            if weight >> digit & 1 == 1 {
                waiting.extend_from_slice(&hash);
            }
        }
    }

    /// The fingerprint of the features added, and an empty tally again.
    ///
    /// # Complexity
    /// About a quarter of a nanosecond a feature, bit and 64 bits of width with AVX2.
    pub fn finish(&mut self, rule: SignRule) -> Fingerprint<WORDS> {
        let mut sum = [[0; WORDS]; PLANES];
        for (digit, waiting) in self.waiting.iter_mut().enumerate() {
            if waiting.is_empty() {
                continue;
            }
            // Words of 0 add nothing: the total is kept apart.
            waiting.resize(waiting.len().next_multiple_of(BLOCK), 0);
            let lanes = if self.kernel.has_avx2() { avx2::count(waiting) } else { count(waiting) };
            waiting.clear();
            for first in (0..LANES).step_by(WORDS) {
                add_planes(&mut sum, digit, &lanes, first);
            }
        }
        let total = std::mem::take(&mut self.total);
        let least = match rule {
            SignRule::Positive => total / 2 + 1,
            SignRule::NonNegative => total.div_ceil(2),
        };
        Fingerprint::from_words(at_least(&sum, least))
    }
}

/// Sums `a + b + c` of single bits: (low, high).
#[inline(always)]
fn carry_save(a: Lane, b: Lane, c: Lane) -> (Lane, Lane) {
    let (mut low, mut high) = ([0; LANES], [0; LANES]);
    for i in 0..LANES {
        let either = a[i] ^ b[i];
        low[i] = either ^ c[i];
        high[i] = (a[i] & b[i]) | (either & c[i]);
    }
    (low, high)
}

/// The ones at each bit position over all lanes of `words`, as binary numbers: plane `p` holds
/// their digit `p`. `words` is a multiple of [`BLOCK`] long.
#[inline(always)]
fn count(words: &[u64]) -> [Lane; PLANES] {
    let mut planes = [[0; LANES]; PLANES];
    let [mut ones, mut twos, mut fours, mut eights] = [[0; LANES]; 4];
    for block in words.as_chunks::<LANES>().0.as_chunks::<STEP>().0 {
        let mut twos_out = [[0; LANES]; STEP / 2];
        for (out, pair) in twos_out.iter_mut().zip(block.as_chunks::<2>().0) {
            (ones, *out) = carry_save(ones, pair[0], pair[1]);
        }
        let mut fours_out = [[0; LANES]; STEP / 4];
        for (out, pair) in fours_out.iter_mut().zip(twos_out.as_chunks::<2>().0) {
            (twos, *out) = carry_save(twos, pair[0], pair[1]);
        }
        let mut eights_out = [[0; LANES]; STEP / 8];
        for (out, pair) in eights_out.iter_mut().zip(fours_out.as_chunks::<2>().0) {
            (fours, *out) = carry_save(fours, pair[0], pair[1]);
        }
        let mut carry;
        (eights, carry) = carry_save(eights, eights_out[0], eights_out[1]);
        for plane in planes.iter_mut().skip(4) {
            if carry == [0; LANES] {
                break;
            }
            for (digit, carry) in plane.iter_mut().zip(&mut carry) {
                (*digit, *carry) = (*digit ^ *carry, *digit & *carry);
            }
        }
    }
    planes[..4].copy_from_slice(&[ones, twos, fours, eights]);
    planes
}

#[expect(unsafe_code, reason = "the portable kernel, compiled for AVX2")]
mod avx2 {
    use super::{Lane, PLANES};

    pub(super) fn count(words: &[u64]) -> [Lane; PLANES] {
        #[cfg(target_arch = "x86_64")]
        {
            // SAFETY: only `Kernel::detect` makes a kernel that has AVX2, where it found it.
            unsafe { compiled(words) }
        }
        #[cfg(not(target_arch = "x86_64"))]
        super::count(words)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn compiled(words: &[u64]) -> [Lane; PLANES] {
        super::count(words)
    }
}

/// `sum += lanes[first..first + WORDS] << digit`, each bit position by itself.
fn add_planes<const WORDS: usize>(
    sum: &mut [[u64; WORDS]; PLANES],
    digit: usize,
    lanes: &[Lane; PLANES],
    first: usize,
) {
    for word in 0..WORDS {
        let mut carry = 0;
        for (plane, lane) in sum.iter_mut().skip(digit).zip(lanes) {
            let (a, b) = (plane[word], lane[first + word]);
            plane[word] = a ^ b ^ carry;
            carry = (a & b) | ((a ^ b) & carry);
        }
    }
}

/// The bit positions whose number in `sum` is `least` or more.
fn at_least<const WORDS: usize>(sum: &[[u64; WORDS]; PLANES], least: u64) -> [u64; WORDS] {
    std::array::from_fn(|word| {
        let (mut above, mut equal) = (0, u64::MAX);
        for (digit, plane) in sum.iter().enumerate().rev() {
            let wanted = if least >> digit & 1 == 1 { u64::MAX } else { 0 };
            above |= equal & plane[word] & !wanted;
            equal &= !(plane[word] ^ wanted);
        }
        above | equal
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sums::{Feature, Sums};
    use proptest::prelude::*;

    fn agrees<const WORDS: usize>(
        features: &[([u64; WORDS], u32)],
        rule: SignRule,
    ) -> Result<(), TestCaseError> {
        let mut sums = Sums::default();
        for &(hash, weight) in features {
            sums.add(&Feature { hash, weight: f64::from(weight) });
        }
        for kernel in [Kernel::PORTABLE, Kernel::detect()] {
            let mut tally = Tally::with_kernel(kernel);
            // Twice: a finished tally is empty again.
            for _ in 0..2 {
                for &(hash, weight) in features {
                    tally.add(hash, weight);
                }
                prop_assert_eq!(tally.finish(rule), sums.fingerprint(rule));
            }
        }
        Ok(())
    }

    fn rule() -> impl Strategy<Value = SignRule> {
        prop_oneof![Just(SignRule::Positive), Just(SignRule::NonNegative)]
    }

    /// Few distinct bits, so that sums of exactly 0 are common.
    fn word() -> impl Strategy<Value = u64> {
        prop_oneof![any::<u64>(), Just(0), Just(u64::MAX), Just(0xaaaa_aaaa_aaaa_aaaa)]
    }

    proptest! {
        #[test]
        fn the_kernels_agree_with_the_definition_at_64_bits(
            features in prop::collection::vec((word().prop_map(|w| [w]), 0_u32..5), 0..300),
            rule in rule(),
        ) {
            agrees(&features, rule)?;
        }

        #[test]
        fn the_kernels_agree_with_the_definition_at_128_bits(
            features in prop::collection::vec(([word(), word()], 0_u32..3000), 0..100),
            rule in rule(),
        ) {
            agrees(&features, rule)?;
        }

        #[test]
        fn the_kernels_agree_with_the_definition_at_256_bits(
            features in prop::collection::vec(([word(), word(), word(), word()], 1_u32..3), 0..200),
            rule in rule(),
        ) {
            agrees(&features, rule)?;
        }
    }

    #[test]
    fn long_documents_carry_through_every_plane() {
        let hash = |i: u64| crate::hash::mix64(i % 7);
        let features: Vec<_> = (0..70_000).map(|i| ([hash(i)], 1)).collect();
        agrees(&features, SignRule::Positive).unwrap();
    }
}
