//! How the bits of many fingerprints behave: how often each is set, and which go together. `leading_ones`
//! and `histogram` look at fingerprints as numbers.

use nearprint_bits::Fingerprint;
use rayon::prelude::*;

/// Fingerprints whose bits are turned into columns at a time.
const ROWS: usize = 64;

/// Fingerprints that one task counts.
const TASK: usize = 1 << 14;

/// Counts of single bits and of pairs of bits.
///
/// # Examples
/// ```
/// use nearprint_bits::Fingerprint;
/// use nearprint_index::BitStatistics;
///
/// let codes: Vec<Fingerprint<1>> = (0..16_u64).map(|i| Fingerprint::from(i | i << 8)).collect();
/// let bits = BitStatistics::of(&codes);
/// assert_eq!(bits.share(0), 0.5);
/// assert_eq!(bits.share(63), 0.0);
/// assert_eq!(bits.correlation(0, 8), Some(1.0), "one is a copy of the other");
/// assert_eq!(bits.correlation(0, 1), Some(0.0));
/// assert_eq!(bits.correlation(0, 63), None, "bit 63 is constant");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitStatistics {
    bits: usize,
    codes: u64,
    /// Codes in which both bits are set, at `i * bits + j` for `i <= j`.
    both: Vec<u64>,
}

/// Two bits and how strongly they are correlated.
///
/// # Examples
/// ```
/// use nearprint_bits::Fingerprint;
/// use nearprint_index::BitStatistics;
///
/// let codes = [0b00_u64, 0b11].map(Fingerprint::from);
/// let pairs = BitStatistics::of(&codes).pairs();
/// assert_eq!((pairs.len(), pairs[0].a, pairs[0].b, pairs[0].correlation), (1, 0, 1, 1.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BitPair {
    /// The lower bit.
    pub a: u32,
    /// The higher bit.
    pub b: u32,
    /// Pearson's correlation, -1 to 1.
    pub correlation: f64,
}

impl BitStatistics {
    /// Counts the bits of `codes`. Runs on rayon's current pool; the result does not depend on the
    /// number of threads.
    ///
    /// # Complexity
    /// For `B` bits, `B^2 / 128` steps a code; memory of `8 B^2` bytes a thread.
    #[must_use]
    pub fn of<const WORDS: usize>(codes: &[Fingerprint<WORDS>]) -> Self {
        let bits = 64 * WORDS;
        let both = codes.par_chunks(TASK).map(|codes| counted(codes, bits)).reduce(
            || vec![0; bits * bits],
            |mut a, b| {
                a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
                a
            },
        );
        Self { bits, codes: codes.len() as u64, both }
    }

    /// The number of bits of a code.
    #[must_use]
    pub fn bits(&self) -> u32 {
        u32::try_from(self.bits).unwrap_or(u32::MAX)
    }

    /// The share of codes in which bit `i` is set; 0 where there is no code.
    #[must_use]
    pub fn share(&self, i: u32) -> f64 {
        self.joint(i, i)
    }

    /// Bits that are the same in all codes.
    #[must_use]
    pub fn constant(&self) -> Vec<u32> {
        (0..self.bits()).filter(|&i| self.covariance(i, i) == 0.0).collect()
    }

    /// Pearson's correlation of two bits; `None` where one is constant.
    #[must_use]
    pub fn correlation(&self, i: u32, j: u32) -> Option<f64> {
        let spread = (self.covariance(i, i) * self.covariance(j, j)).sqrt();
        (spread > 0.0).then(|| self.covariance(i, j) / spread)
    }

    /// Every pair of bits that are not constant, the strongest correlation first.
    #[must_use]
    pub fn pairs(&self) -> Vec<BitPair> {
        let mut pairs: Vec<_> = (0..self.bits())
            .flat_map(|b| (0..b).map(move |a| (a, b)))
            .filter_map(|(a, b)| Some(BitPair { a, b, correlation: self.correlation(a, b)? }))
            .collect();
        let strength = |pair: &BitPair| pair.correlation.abs();
        pairs.sort_by(|x, y| strength(y).total_cmp(&strength(x)).then((x.a, x.b).cmp(&(y.a, y.b))));
        pairs
    }

    /// The number of independent balanced bits whose distances would scatter as much as those of
    /// these codes: `(sum v_i)^2 / sum c_ij^2` for the bits' variances `v_i` and covariances `c_ij`,
    /// that is `(sum l)^2 / sum l^2` for the eigenvalues `l` of their covariance matrix. `v_i v_j /
    /// (n - 1)` is taken off each `c_ij^2`, which independent bits would show in `n` codes.
    ///
    /// 0 where all bits are constant.
    ///
    /// # References
    /// Bretherton et al., "The Effective Number of Spatial Degrees of Freedom of a Time-Varying
    /// Field", J. Climate 12, 1999, equation 5. For balanced bits it is Daugman's `p (1 - p) /
    /// sigma^2`, from the mean and variance of the distance between unrelated codes ("The Importance
    /// of Being Random", Pattern Recognition 36, 2003).
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "far from 2^53 codes")]
    pub fn effective_bits(&self) -> f64 {
        let variance = |i| self.covariance(i, i);
        let total: f64 = (0..self.bits()).map(variance).sum();
        let squares: f64 = (0..self.bits()).map(|i| variance(i).powi(2)).sum();
        let by_chance = 1.0 / self.codes.saturating_sub(1).max(1) as f64;
        let together: f64 = (0..self.bits())
            .flat_map(|j| (0..j).map(move |i| (i, j)))
            .map(|(i, j)| self.covariance(i, j).powi(2) - variance(i) * variance(j) * by_chance)
            .sum();
        if total == 0.0 { 0.0 } else { total * total / (squares + 2.0 * together.max(0.0)) }
    }

    fn covariance(&self, i: u32, j: u32) -> f64 {
        self.joint(i, j) - self.share(i) * self.share(j)
    }

    /// The share of codes in which both bits are set.
    #[expect(clippy::cast_precision_loss, reason = "far from 2^53 codes")]
    fn joint(&self, i: u32, j: u32) -> f64 {
        let (low, high) = (i.min(j) as usize, i.max(j) as usize);
        let both = self.both.get(low * self.bits + high).copied().unwrap_or_default();
        both as f64 / self.codes.max(1) as f64
    }
}

/// Counts pairs of bits in some codes, 64 at a time: a column holds one bit of each.
fn counted<const WORDS: usize>(codes: &[Fingerprint<WORDS>], bits: usize) -> Vec<u64> {
    let mut both = vec![0; bits * bits];
    let mut columns = vec![0_u64; bits];
    for rows in codes.chunks(ROWS) {
        columns.fill(0);
        for (row, code) in rows.iter().enumerate() {
            for (word, part) in code.words().iter().zip(columns.chunks_exact_mut(64)) {
                for (bit, column) in part.iter_mut().enumerate() {
                    *column |= (word >> bit & 1) << row;
                }
            }
        }
        for (low, line) in both.chunks_exact_mut(bits).enumerate() {
            let Some((&first, _)) = columns.get(low..).and_then(<[u64]>::split_first) else {
                break;
            };
            let later = columns.iter().zip(line).skip(low);
            for (column, count) in later {
                *count += u64::from((first & column).count_ones());
            }
        }
    }
    both
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_bits::mix64;

    fn uniform<const WORDS: usize>(n: u64) -> Vec<Fingerprint<WORDS>> {
        let word = |i, w: usize| mix64(mix64(i) ^ (w as u64) << 56);
        (0..n).map(|i| Fingerprint::from_words(std::array::from_fn(|w| word(i, w)))).collect()
    }

    /// By the definition of Pearson's correlation.
    fn naive<const WORDS: usize>(codes: &[Fingerprint<WORDS>], i: u32, j: u32) -> f64 {
        let bit = |code: &Fingerprint<WORDS>, i| if code.bit(i) { 1.0 } else { 0.0 };
        let mean = |i| codes.iter().map(|c| bit(c, i)).sum::<f64>() / codes.len() as f64;
        let (mi, mj) = (mean(i), mean(j));
        let sum = |f: &dyn Fn(&Fingerprint<WORDS>) -> f64| codes.iter().map(f).sum::<f64>();
        let together = sum(&|c| (bit(c, i) - mi) * (bit(c, j) - mj));
        together / (sum(&|c| (bit(c, i) - mi).powi(2)) * sum(&|c| (bit(c, j) - mj).powi(2))).sqrt()
    }

    #[test]
    fn correlations_are_those_of_the_definition() {
        let codes = uniform::<2>(333);
        let statistics = BitStatistics::of(&codes);
        for (i, j) in [(0, 1), (3, 64), (63, 64), (70, 127), (5, 5)] {
            let found = statistics.correlation(i, j).unwrap();
            assert!((found - naive(&codes, i, j)).abs() < 1e-12, "{i} {j}: {found}");
            assert_eq!(statistics.correlation(j, i), Some(found));
        }
        let pairs = statistics.pairs();
        assert_eq!(pairs.len(), 128 * 127 / 2);
        assert!(pairs.windows(2).all(|w| w[0].correlation.abs() >= w[1].correlation.abs()));
    }

    #[test]
    fn uniform_codes_have_all_their_bits() {
        let effective = BitStatistics::of(&uniform::<1>(20_000)).effective_bits();
        assert!((63.0..=64.0).contains(&effective), "{effective}");
        let effective = BitStatistics::of(&uniform::<4>(40_000)).effective_bits();
        assert!((250.0..=256.0).contains(&effective), "{effective}");
    }

    #[test]
    fn copied_and_stuck_bits_do_not_count() {
        // The upper half repeats the lower, and bit 0 (and so 32) is stuck.
        let codes: Vec<Fingerprint<1>> = uniform::<1>(20_000)
            .iter()
            .map(|code| (code.words()[0] & 0xffff_ffff) | 1)
            .map(|low| Fingerprint::from(low | low << 32))
            .collect();
        let statistics = BitStatistics::of(&codes);
        assert_eq!(statistics.constant(), [0, 32]);
        assert_eq!(statistics.share(0), 1.0);
        assert_eq!(statistics.correlation(0, 7), None);
        let effective = statistics.effective_bits();
        assert!((30.5..=31.0).contains(&effective), "{effective}");
        let strongest: Vec<_> = statistics.pairs().into_iter().take(31).collect();
        assert!(strongest.iter().all(|pair| pair.b == pair.a + 32 && pair.correlation > 0.999));
    }

    /// What effective bits mean: the distances of unrelated codes scatter like those of as many.
    #[test]
    fn effective_bits_are_those_of_the_scatter_of_distances() {
        let codes: Vec<Fingerprint<1>> = uniform::<1>(3000)
            .iter()
            .map(|code| code.words()[0])
            .map(|word| Fingerprint::from((word & !0xff) | ((word & 1) * 0xff)))
            .collect();
        let distances: Vec<f64> = (0..codes.len())
            .flat_map(|j| (0..j).map(move |i| (i, j)))
            .map(|(i, j)| f64::from(codes[i].distance(&codes[j])) / 64.0)
            .collect();
        let n = distances.len() as f64;
        let mean = distances.iter().sum::<f64>() / n;
        let variance = distances.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / n;
        let daugman = mean * (1.0 - mean) / variance;
        let effective = BitStatistics::of(&codes).effective_bits();
        assert!((effective / daugman - 1.0).abs() < 0.02, "{effective} {daugman}");
        assert!((33.0..36.0).contains(&effective), "64^2 / (56 + 64) is 34.1: {effective}");
    }

    #[test]
    fn nothing_has_no_bits() {
        let none = BitStatistics::of::<1>(&[]);
        assert_eq!((none.share(3), none.effective_bits(), none.constant().len()), (0.0, 0.0, 64));
        assert_eq!(BitStatistics::of(&[Fingerprint::from(5_u64)]).effective_bits(), 0.0);
    }
}
