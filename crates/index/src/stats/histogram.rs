//! How fingerprints are spread over their range: the right plot of the paper's section 4.2, in which
//! spikes are pages that say nothing or all say the same.

use crate::top::top;
use nearprint_bits::Fingerprint;

/// Fingerprints in 128 equal parts of their range: by their seven most significant bits.
///
/// # Examples
/// ```
/// use nearprint_bits::Fingerprint;
/// use nearprint_index::Histogram;
///
/// let histogram = Histogram::of([0_u64, 1, u64::MAX].map(Fingerprint::from));
/// assert_eq!((histogram.count(0), histogram.count(127), histogram.total()), (2, 1, 3));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    counts: [u64; Histogram::BUCKETS],
}

impl Histogram {
    /// The parts, as many as in the paper.
    pub const BUCKETS: usize = 128;

    /// Counts `fingerprints`.
    #[must_use]
    pub fn of<const WORDS: usize>(
        fingerprints: impl IntoIterator<Item = Fingerprint<WORDS>>,
    ) -> Self {
        let mut counts = [0; Self::BUCKETS];
        for fingerprint in fingerprints {
            counts[Self::bucket(&fingerprint)] += 1;
        }
        Self { counts }
    }

    /// The part in which a fingerprint lies.
    #[must_use]
    pub fn bucket<const WORDS: usize>(fingerprint: &Fingerprint<WORDS>) -> usize {
        (top(fingerprint.words()) >> (64 - 7)) as usize
    }

    /// Fingerprints in a part; 0 beyond the last.
    #[must_use]
    pub fn count(&self, bucket: usize) -> u64 {
        self.counts.get(bucket).copied().unwrap_or_default()
    }

    /// All fingerprints.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The parts, the fullest first.
    #[must_use]
    pub fn fullest(&self) -> Vec<usize> {
        let mut buckets: Vec<usize> = (0..Self::BUCKETS).collect();
        buckets.sort_by_key(|&bucket| (std::cmp::Reverse(self.count(bucket)), bucket));
        buckets
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_bits::mix64;

    #[test]
    fn uniform_codes_fill_the_parts_evenly_and_a_spike_stands_out() {
        let uniform = (0..128_000_u64).map(|i| Fingerprint::<2>::from_words([i, mix64(i)]));
        let spike = std::iter::repeat_n(Fingerprint::from_words([0, 5 << 57]), 3000);
        let histogram = Histogram::of(uniform.chain(spike));
        assert_eq!(histogram.total(), 131_000);
        assert_eq!(histogram.fullest()[0], 5);
        for bucket in (0..Histogram::BUCKETS).filter(|&bucket| bucket != 5) {
            assert!((800..1200).contains(&histogram.count(bucket)), "{bucket}");
        }
    }

    #[test]
    fn parts_are_those_of_the_value() {
        for i in 0..1000_u64 {
            let value = mix64(i);
            let part = usize::try_from((u128::from(value) * 128) >> 64).unwrap();
            assert_eq!(Histogram::bucket(&Fingerprint::from(value)), part);
        }
    }
}
