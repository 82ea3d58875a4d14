//! SimHash with real weights, negative ones too: sums in fixed point.
//!
//! Weights are scaled by one power of two for the whole document, chosen so that no sum overflows,
//! rounded to the nearest integer (ties to even) and summed as integers. So the order of the features
//! decides nothing, and no kernel can differ from another. For 2^L features the step is below
//! 2^-(59 - L) of the greatest weight: 2^-49 for a thousand features, about what `f64` keeps.
//!
//! As with integers, only the weight `ones[i]` of the features whose bit `i` is set is summed:
//! `V[i] = 2 * ones[i] - total`. Integer weights have the faster [`crate::vote::tally`].

use crate::kernel::{Compiled, Kernel};
use crate::vote::sums::SignRule;
use nearprint_bits::Fingerprint;

/// Bits of a sum of weights, signs aside; twice such a sum is an `i64` still.
const SUM_BITS: i32 = 61;

/// The features of a document with their real weights.
#[derive(Clone, Debug)]
pub(crate) struct WeightedTally<const WORDS: usize> {
    hashes: Vec<[u64; WORDS]>,
    weights: Vec<f64>,
    /// The weights in fixed point.
    fixed: Vec<i64>,
    kernel: Kernel,
}

impl<const WORDS: usize> Default for WeightedTally<WORDS> {
    fn default() -> Self {
        Self::with_kernel(Kernel::detect())
    }
}

impl<const WORDS: usize> WeightedTally<WORDS> {
    /// An empty tally that runs on `kernel`.
    #[must_use]
    pub(crate) fn with_kernel(kernel: Kernel) -> Self {
        Self { hashes: Vec::new(), weights: Vec::new(), fixed: Vec::new(), kernel }
    }

    /// Counts a feature with its weight, which is finite: others count nothing.
    pub(crate) fn add(&mut self, hash: [u64; WORDS], weight: f64) {
        if weight.is_finite() {
            self.hashes.push(hash);
            self.weights.push(weight);
        }
    }

    /// The fingerprint of the features added, and an empty tally again.
    ///
    /// # Complexity
    /// Some 64 additions a feature and 64 bits of width, four at a time with AVX2; 24 bytes a feature
    /// at 64 bits.
    pub(crate) fn finish(&mut self, rule: SignRule) -> Fingerprint<WORDS> {
        to_fixed(&self.weights, &mut self.fixed);
        let total: i64 = self.fixed.iter().sum();
        let ones = self.kernel.run(Ones { hashes: &self.hashes, weights: &self.fixed });
        self.hashes.clear();
        self.weights.clear();
        Fingerprint::from_words(ones.map(|sums| {
            sums.iter().rev().fold(0, |word, &sum| {
                let set = match rule {
                    SignRule::Positive => 2 * sum > total,
                    SignRule::NonNegative => 2 * sum >= total,
                };
                word << 1 | u64::from(set)
            })
        }))
    }
}

/// The vector V that [`WeightedTally`] takes the signs of, in units of the weights: bit 0 first.
///
/// Integer weights and their sums are exact where they are below 2^53.
pub(crate) fn sums_of<const WORDS: usize>(
    hashes: &[[u64; WORDS]],
    weights: &[f64],
) -> [[f64; 64]; WORDS] {
    let mut fixed = Vec::new();
    let shift = to_fixed(weights, &mut fixed);
    let total: i64 = fixed.iter().sum();
    let ones = Kernel::detect().run(Ones { hashes, weights: &fixed });
    let (first, second) = (power_of_two(-(shift / 2)), power_of_two(-(shift - shift / 2)));
    #[expect(clippy::cast_precision_loss, reason = "a sum of weights that had no more digits")]
    let unit = |sum: i64| (2 * sum - total) as f64 * first * second;
    ones.map(|sums| sums.map(unit))
}

/// Weights as integers, all scaled by the same power of two such that the sum of any of them stays
/// below 2^61; the exponent of that power.
fn to_fixed(weights: &[f64], fixed: &mut Vec<i64>) -> i32 {
    fixed.clear();
    let most = weights.iter().fold(0.0_f64, |most, weight| most.max(weight.abs()));
    // Every weight is below 2^above, and there are at most 2^digits of them.
    let above = i32::try_from(most.to_bits() >> 52).unwrap_or(0) - 1022;
    let digits = i32::try_from(weights.len().max(1).next_power_of_two().ilog2()).unwrap_or(0);
    let shift = SUM_BITS - above - digits;
    // In two steps: neither power of two overflows.
    let (first, second) = (power_of_two(shift / 2), power_of_two(shift - shift / 2));
    #[expect(clippy::cast_possible_truncation, reason = "below 2^61 by the choice of the shift")]
    fixed.extend(weights.iter().map(|weight| (weight * first * second).round_ties_even() as i64));
    shift
}

/// `2^exponent`, for exponents of normal numbers.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(u64::try_from(exponent + 1023).unwrap_or(0) << 52)
}

/// The weight of the features that have a bit set, for every bit.
struct Ones<'a, const WORDS: usize> {
    hashes: &'a [[u64; WORDS]],
    weights: &'a [i64],
}

impl<const WORDS: usize> Compiled for Ones<'_, WORDS> {
    type Output = [[i64; 64]; WORDS];

    #[inline(always)]
    fn run(self) -> Self::Output {
        let mut ones = [[0_i64; 64]; WORDS];
        for (hash, &weight) in self.hashes.iter().zip(self.weights) {
            for (sums, &word) in ones.iter_mut().zip(hash) {
                for (i, sum) in sums.iter_mut().enumerate() {
                    let bit = (word >> i & 1).cast_signed();
                    *sum = sum.wrapping_add(weight & bit.wrapping_neg());
                }
            }
        }
        ones
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vote::sums::{Feature, Sums};
    use proptest::prelude::*;

    #[test]
    fn the_heavier_features_decide() {
        let mut tally = WeightedTally::<1>::default();
        for (hash, weight) in [(0b10, 3.0), (0b01, 2.0), (0b11, 4.0)] {
            tally.add([hash], weight);
        }
        assert_eq!(tally.finish(SignRule::Positive).words(), &[0b11]);
    }

    fn fingerprint<const WORDS: usize>(
        kernel: Kernel,
        features: &[([u64; WORDS], f64)],
        rule: SignRule,
    ) -> Fingerprint<WORDS> {
        let mut tally = WeightedTally::with_kernel(kernel);
        features.iter().for_each(|&(hash, weight)| tally.add(hash, weight));
        let found = tally.finish(rule);
        features.iter().for_each(|&(hash, weight)| tally.add(hash, weight));
        assert_eq!(tally.finish(rule), found, "a finished tally is empty again");
        found
    }

    /// Both kernels, in both directions, against the sums in `f64` of small integers, which are
    /// exact.
    fn agrees<const WORDS: usize>(
        features: &[([u64; WORDS], f64)],
        rule: SignRule,
    ) -> Result<(), TestCaseError> {
        let mut sums = Sums::default();
        features.iter().for_each(|&(hash, weight)| sums.add(&Feature { hash, weight }));
        let backward: Vec<_> = features.iter().rev().copied().collect();
        for kernel in Kernel::all() {
            prop_assert_eq!(fingerprint(kernel, features, rule), sums.fingerprint(rule));
            prop_assert_eq!(fingerprint(kernel, &backward, rule), sums.fingerprint(rule));
        }
        let (hashes, weights): (Vec<_>, Vec<_>) = features.iter().copied().unzip();
        let exact = sums_of(&hashes, &weights);
        for (bit, sum) in exact.as_flattened().iter().enumerate() {
            prop_assert_eq!(*sum, sums.get(bit));
        }
        Ok(())
    }

    fn rule() -> impl Strategy<Value = SignRule> {
        prop_oneof![Just(SignRule::Positive), Just(SignRule::NonNegative)]
    }

    fn word() -> impl Strategy<Value = u64> {
        prop_oneof![any::<u64>(), Just(0), Just(u64::MAX), Just(0xaaaa_aaaa_aaaa_aaaa)]
    }

    proptest! {
        #[test]
        fn exact_weights_give_the_signs_of_the_definition(
            features in prop::collection::vec((word().prop_map(|w| [w]), -40_i32..40), 0..200),
            scale in -1000_i32..950,
            rule in rule(),
        ) {
            let unit = power_of_two(scale);
            let features: Vec<_> =
                features.into_iter().map(|(hash, w)| (hash, f64::from(w) * unit)).collect();
            agrees(&features, rule)?;
        }

        #[test]
        fn wide_fingerprints_too(
            features in prop::collection::vec(
                ([word(), word(), word(), word()], -1000_i32..1000), 0..60),
            rule in rule(),
        ) {
            let features: Vec<_> =
                features.into_iter().map(|(hash, w)| (hash, f64::from(w) / 8.0)).collect();
            agrees(&features, rule)?;
        }

        #[test]
        fn no_order_and_no_kernel_changes_a_bit(
            features in prop::collection::vec((any::<[u64; 2]>(), prop::num::f64::ANY), 0..60),
            rule in rule(),
        ) {
            let first = fingerprint(Kernel::PORTABLE, &features, rule);
            let mut sorted = features.clone();
            sorted.sort_by(|a, b| a.1.total_cmp(&b.1));
            for features in [&features, &sorted] {
                prop_assert_eq!(fingerprint(Kernel::detect(), features, rule), first);
                prop_assert_eq!(fingerprint(Kernel::PORTABLE, features, rule), first);
            }
        }
    }

    #[test]
    fn weights_at_the_ends_of_the_range_are_summed() {
        for weight in [f64::MAX, f64::MIN_POSITIVE, 5e-324] {
            let features = [([0b01], weight), ([0b10], -weight), ([0b100], weight)];
            let found = fingerprint(Kernel::detect(), &features, SignRule::Positive);
            assert_eq!(found.words()[0], 0b101, "{weight:e}");
        }
        let none = fingerprint(Kernel::detect(), &[([7], f64::NAN)], SignRule::Positive);
        assert_eq!(none, Fingerprint::<1>::ZERO);
    }
}
