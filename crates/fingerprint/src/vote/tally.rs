//! SimHash with integer weights: bit-sliced counters.
//!
//! With weights `w` and `ones[i]` the weight of the features whose bit `i` is set,
//! `V[i] = 2 * ones[i] - sum(w)`, so only `ones` is counted, and the sign is one comparison with
//! half the total. The definition it is tested against is [`crate::vote::sums::Sums`].

use crate::hashing::hash::widen;
use crate::kernel::{Compiled, Kernel};
use crate::vote::sums::SignRule;
use nearprint_bits::Fingerprint;

/// Words that go through the adders at a time: one 256-bit register.
const LANES: usize = 4;
/// Registers that one step of the adder tree takes in.
const STEP: usize = 16;
/// Steps of which the carries are added up together.
const GROUP: usize = 4;
/// Words of one step.
const BLOCK: usize = LANES * STEP;
/// Keys that are widened at a time.
const WIDENED: usize = 256;
/// Bits of a counter: enough for 2^40 features of weight below 2^20.
const PLANES: usize = 64;

type Lane = [u64; LANES];
/// The digits of as many counters as there are bits in a lane: plane `p` holds digit `p` of each.
type Planes = [Lane; PLANES];

/// Counters of set bits over the features of a document.
///
/// # References
/// The adder tree is Harley and Seal's (Warren, "Hacker's Delight", 2nd edition, section 5-2),
/// kept in planes for each bit position.
#[derive(Clone, Debug)]
pub(crate) struct Tally<const WORDS: usize> {
    /// Features of weight 1 that were counted already, lane by lane.
    counted: Box<Planes>,
    /// Features that wait to be counted, by the binary digits of their weight: words in turn.
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
    pub(crate) fn with_kernel(kernel: Kernel) -> Self {
        Self {
            counted: Box::new([[0; LANES]; PLANES]),
            waiting: vec![Vec::new()],
            total: 0,
            kernel,
        }
    }

    /// Counts a feature with its weight.
    #[inline]
    pub(crate) fn add(&mut self, hash: [u64; WORDS], weight: u32) {
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

    /// Counts features of weight 1 by their keys: each is [widened](widen) to the width.
    ///
    /// # Complexity
    /// About a quarter of a nanosecond a feature and 64 bits of width with AVX2, and what widening
    /// takes.
    pub(crate) fn add_keys(&mut self, keys: &[u64]) {
        self.total += keys.len() as u64;
        let Some(waiting) = self.waiting.first_mut() else { return };
        if WORDS == 1 {
            let (whole, rest) = keys.split_at(keys.len() / BLOCK * BLOCK);
            self.kernel.run(Count { planes: &mut self.counted, words: whole, most: self.total });
            waiting.extend_from_slice(rest);
            return;
        }
        for chunk in keys.chunks(WIDENED) {
            let mut words = [[0; WORDS]; WIDENED];
            for (word, &key) in words.iter_mut().zip(chunk) {
                *word = widen(key);
            }
            let words = words.get(..chunk.len()).unwrap_or_default().as_flattened();
            let (whole, rest) = words.split_at(words.len() / BLOCK * BLOCK);
            self.kernel.run(Count { planes: &mut self.counted, words: whole, most: self.total });
            waiting.extend_from_slice(rest);
        }
    }

    /// The fingerprint of the features added, and an empty tally again.
    pub(crate) fn finish(&mut self, rule: SignRule) -> Fingerprint<WORDS> {
        // No counter exceeds the total, so that the planes above its digits are empty.
        let used = (u64::BITS - (self.total | 1).leading_zeros()) as usize;
        let mut sum = [[0; WORDS]; PLANES];
        for (digit, waiting) in self.waiting.iter_mut().enumerate() {
            if waiting.is_empty() && digit > 0 {
                continue;
            }
            // Words of 0 add nothing: the total is kept apart.
            waiting.resize(waiting.len().next_multiple_of(BLOCK), 0);
            self.kernel.run(Count { planes: &mut self.counted, words: waiting, most: self.total });
            waiting.clear();
            for first in (0..LANES).step_by(WORDS) {
                add_planes(&mut sum[..used], digit, &self.counted, first);
            }
            *self.counted = [[0; LANES]; PLANES];
        }
        let total = std::mem::take(&mut self.total);
        let least = match rule {
            SignRule::Positive => total / 2 + 1,
            SignRule::NonNegative => total.div_ceil(2),
        };
        Fingerprint::from_words(at_least(&sum[..used], least))
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

/// Adds the ones at each bit position of `words`, a multiple of [`BLOCK`] of them, to `planes`.
struct Count<'a> {
    planes: &'a mut Planes,
    words: &'a [u64],
    /// What no counter exceeds afterwards.
    most: u64,
}

impl Compiled for Count<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { planes, words, most } = self;
        let used = (u64::BITS - most.leading_zeros()) as usize;
        let (low, high) = planes.split_at_mut(6);
        let high = &mut high[..used.saturating_sub(6)];
        let [ones, twos, fours, eights, sixteens, thirty_twos] = low else { return };
        for group in words.as_chunks::<LANES>().0.chunks(GROUP * STEP) {
            let mut sixteens_out = [[0; LANES]; GROUP];
            for (out, block) in sixteens_out.iter_mut().zip(group.as_chunks::<STEP>().0) {
                let mut twos_out = [[0; LANES]; STEP / 2];
                for (out, pair) in twos_out.iter_mut().zip(block.as_chunks::<2>().0) {
                    (*ones, *out) = carry_save(*ones, pair[0], pair[1]);
                }
                let mut fours_out = [[0; LANES]; STEP / 4];
                for (out, pair) in fours_out.iter_mut().zip(twos_out.as_chunks::<2>().0) {
                    (*twos, *out) = carry_save(*twos, pair[0], pair[1]);
                }
                let mut eights_out = [[0; LANES]; STEP / 8];
                for (out, pair) in eights_out.iter_mut().zip(fours_out.as_chunks::<2>().0) {
                    (*fours, *out) = carry_save(*fours, pair[0], pair[1]);
                }
                (*eights, *out) = carry_save(*eights, eights_out[0], eights_out[1]);
            }
            let mut thirty_twos_out = [[0; LANES]; GROUP / 2];
            for (out, pair) in thirty_twos_out.iter_mut().zip(sixteens_out.as_chunks::<2>().0) {
                (*sixteens, *out) = carry_save(*sixteens, pair[0], pair[1]);
            }
            let mut carry;
            (*thirty_twos, carry) =
                carry_save(*thirty_twos, thirty_twos_out[0], thirty_twos_out[1]);
            // As far as a carry can come: how far it does is not foreseen.
            for plane in &mut *high {
                for (digit, carry) in plane.iter_mut().zip(&mut carry) {
                    (*digit, *carry) = (*digit ^ *carry, *digit & *carry);
                }
            }
        }
    }
}

/// `sum += lanes[first..first + WORDS] << digit`, each bit position by itself.
fn add_planes<const WORDS: usize>(
    sum: &mut [[u64; WORDS]],
    digit: usize,
    lanes: &Planes,
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

/// The bit positions whose number in `sum` is `least` or more, which has no digit that `sum` lacks.
fn at_least<const WORDS: usize>(sum: &[[u64; WORDS]], least: u64) -> [u64; WORDS] {
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
    use crate::vote::sums::{Feature, Sums};
    use proptest::prelude::*;

    #[test]
    fn the_heavier_features_decide() {
        let mut tally = Tally::<1>::default();
        tally.add([0b011], 2);
        tally.add([0b101], 1);
        assert_eq!(tally.finish(SignRule::Positive).words(), &[0b011]);
    }

    fn agrees<const WORDS: usize>(
        features: &[([u64; WORDS], u32)],
        rule: SignRule,
    ) -> Result<(), TestCaseError> {
        let mut sums = Sums::default();
        for &(hash, weight) in features {
            sums.add(&Feature { hash, weight: f64::from(weight) });
        }
        for kernel in Kernel::all() {
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

    fn keys_count_as_widened<const WORDS: usize>(
        keys: &[u64],
        rule: SignRule,
    ) -> Result<(), TestCaseError> {
        for kernel in Kernel::all() {
            let (mut one, mut other) = (Tally::<WORDS>::with_kernel(kernel), Tally::default());
            // In parts, and among features of other weights.
            let (first, second) = keys.split_at(keys.len() / 3);
            one.add_keys(first);
            one.add(widen(1), 3);
            one.add_keys(second);
            other.add(widen(1), 3);
            keys.iter().for_each(|&key| other.add(widen(key), 1));
            prop_assert_eq!(one.finish(rule), other.finish(rule));
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn keys_count_as_their_widened_hashes(
            keys in prop::collection::vec(word(), 0..700),
            rule in rule(),
        ) {
            keys_count_as_widened::<1>(&keys, rule)?;
            keys_count_as_widened::<2>(&keys, rule)?;
            keys_count_as_widened::<4>(&keys, rule)?;
        }
    }

    #[test]
    fn long_documents_carry_through_every_plane() {
        let hash = |i: u64| nearprint_bits::mix64(i % 7);
        let features: Vec<_> = (0..70_000).map(|i| ([hash(i)], 1)).collect();
        agrees(&features, SignRule::Positive).unwrap();
    }
}
