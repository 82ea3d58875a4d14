//! Which tables to use: the family of prefixes that costs least for so many fingerprints.
//!
//! A plan is about bits and counts; it has seen no fingerprint, and predicts for uniform ones.

use crate::error::Error;
use crate::machine::kernel::positions as set_bits;
use crate::radius::check_radius;
use crate::tables::blocks::Blocks;
use crate::tables::family::Family;
use crate::tables::prefix::Prefix;

/// Nanoseconds to group one code of one word with those equal to it. Measured.
const GROUP: f64 = 32.0;
/// Nanoseconds a further word of a code adds to [`GROUP`]. Measured.
const GROUP_WORD: f64 = 8.0;
/// Nanoseconds to bring one code of one word into its bucket of one table. Measured.
const MOVE: f64 = 9.0;
/// Nanoseconds a further word of a code adds to [`MOVE`]. Measured.
const MOVE_WORD: f64 = 3.0;
/// Nanoseconds to compare one word with another in a row of codes. Measured.
const COMPARE: f64 = 0.2;
/// Nanoseconds to enter one bucket of one table by a query, out of cache. Measured.
const PROBE: f64 = 60.0;
/// Comparisons that take as long as starting a row of them. Measured.
const ROW: f64 = 40.0;
/// Codes of the largest bucket that is compared side by side with others.
const SIDE_BY_SIDE: f64 = 24.0;
/// More tables than this are not built for searching: each is a copy of the codes.
const MAX_SEARCH_TABLES: usize = 32;
/// As many tables for searching are affordable whatever `k` is.
const FREE_SEARCH_TABLES: usize = 6;

/// The permuted tables to use for fingerprints of a width, a radius and a number of codes.
///
/// Every two fingerprints within the radius agree in the whole prefix of at least one table. A plan
/// without tables means that comparing everything costs less than any tables do.
///
/// # Examples
/// ```
/// use nearprint_index::JoinTables;
///
/// let plan = JoinTables::join(64, 3, 10_000_000)?;
/// assert_eq!(plan.tables(), 6);
/// assert!(plan.prefixes().iter().all(|prefix| (21..=22).contains(&prefix.bits())));
/// # Ok::<(), nearprint_index::Error>(())
/// ```
///
/// # References
/// Manku, Jain, Das Sarma, WWW 2007, section 3.1: number of tables against size of the buckets.
#[derive(Clone, Debug)]
pub struct JoinTables {
    k: u32,
    prefixes: Vec<Prefix>,
    candidates: f64,
}

impl JoinTables {
    /// The plan for a self join of `codes` distinct fingerprints of `width` bits.
    ///
    /// # Errors
    /// [`Error::RadiusOverWidth`] where `k` is more than `width`.
    pub fn join(width: u32, k: u32, codes: usize) -> Result<Self, Error> {
        check_radius(k, width)?;
        let positions: Vec<_> = (0..width).rev().collect();
        Ok(Self::join_over(&positions, width as usize / 64, k, codes))
    }

    /// The plan for a self join that tells codes of `words` words apart by the bits at `positions`.
    pub(crate) fn join_over(positions: &[u32], words: usize, k: u32, codes: usize) -> Self {
        let (n, words) = (codes as f64, words as f64);
        let one = |bucket: f64| join_buckets(words, n, bucket);
        Self::cheapest(positions, k, codes, usize::MAX, join_everything(words, n), one)
    }

    /// The plan for searching `codes` distinct fingerprints of `width` bits, query by query.
    ///
    /// # Errors
    /// [`Error::RadiusOverWidth`] where `k` is more than `width`.
    pub fn search(width: u32, k: u32, codes: usize) -> Result<Self, Error> {
        check_radius(k, width)?;
        let positions: Vec<_> = (0..width).rev().collect();
        let compare = COMPARE * f64::from(width / 64);
        let most = (k as usize + 1).clamp(FREE_SEARCH_TABLES, MAX_SEARCH_TABLES);
        let one = |bucket: f64| PROBE + bucket * compare;
        Ok(Self::cheapest(&positions, k, codes, most, codes as f64 * compare, one))
    }

    /// The plan of least cost with `most` tables at most, `scan` being the cost of none and `one`
    /// that of a table by the mean number of codes in its buckets.
    fn cheapest(
        positions: &[u32],
        k: u32,
        codes: usize,
        most: usize,
        scan: f64,
        one: impl Fn(f64) -> f64,
    ) -> Self {
        let enough = codes.max(1).ilog2() as usize;
        let blocks = |family: &Family, prefix: u64| {
            let blocks = Blocks::new(positions.len(), family.blocks());
            set_bits(prefix).map(move |block| blocks.get(block))
        };
        let mut best = (scan, None, codes as f64);
        for family in Family::all(k as usize) {
            if family.prefixes().len() > most || family.blocks() > positions.len() {
                continue;
            }
            let (mut cost, mut candidates) = (0.0, 0.0);
            for prefix in family.prefixes() {
                let bits: usize = blocks(&family, *prefix).map(|block| block.len()).sum();
                let bucket = codes as f64 / (bits.min(enough) as f64).exp2();
                cost += one(bucket);
                candidates += bucket;
            }
            if cost < best.0 {
                best = (cost, Some(family), candidates);
            }
        }
        let (_, family, candidates) = best;
        let prefixes = family.iter().flat_map(|family| {
            let prefix = |prefix: &u64| {
                let bits = blocks(family, *prefix).flatten().take(enough);
                Prefix::new(bits.map(|bit| positions[bit]))
            };
            family.prefixes().iter().map(prefix)
        });
        Self { k, prefixes: prefixes.collect(), candidates }
    }

    /// The radius, in bits.
    #[must_use]
    pub fn k(&self) -> u32 {
        self.k
    }

    /// The number of tables; 0 where everything is compared with everything.
    #[must_use]
    pub fn tables(&self) -> usize {
        self.prefixes.len()
    }

    /// The prefix of each table, in the order in which tables report.
    #[must_use]
    pub fn prefixes(&self) -> &[Prefix] {
        &self.prefixes
    }

    /// How many codes one code is compared with in all tables, were the codes uniform.
    #[must_use]
    pub fn candidates(&self) -> f64 {
        self.candidates
    }
}

/// Nanoseconds to join `n` codes of `words` words within buckets of a mean size, in one table.
fn join_buckets(words: f64, n: f64, bucket: f64) -> f64 {
    // Small buckets are compared side by side as far as the largest of them reaches, others each by
    // itself, with some effort for every row.
    let compared = if bucket < SIDE_BY_SIDE {
        (bucket + 3.0 * bucket.sqrt() + 2.0).min(SIDE_BY_SIDE)
    } else {
        bucket / 2.0 + ROW
    };
    n * (MOVE + MOVE_WORD * (words - 1.0) + compared * COMPARE * words)
}

/// Nanoseconds to group `n` documents by fingerprints of `words` words.
pub(crate) fn group(words: f64, n: f64) -> f64 {
    n * (GROUP + GROUP_WORD * (words - 1.0))
}

/// Nanoseconds to join `n` codes of `words` words in the table of a prefix of so many bits.
pub(crate) fn join_table(words: f64, n: f64, prefix_bits: u32) -> f64 {
    let enough = n.max(1.0).log2().floor();
    join_buckets(words, n, n / f64::from(prefix_bits).min(enough).exp2())
}

/// Nanoseconds to join `n` codes of `words` words by comparing each with all.
pub(crate) fn join_everything(words: f64, n: f64) -> f64 {
    n * n / 2.0 * COMPARE * words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tables(codes: usize) -> usize {
        JoinTables::join(64, 3, codes).unwrap().tables()
    }

    #[test]
    fn more_codes_take_more_tables() {
        assert_eq!([100, 1_000_000, 10_000_000, 200_000_000].map(tables), [0, 4, 6, 8]);
        assert!(tables(4_000_000_000) >= 11);
    }

    #[test]
    fn prefixes_are_no_longer_than_the_codes_need() {
        let plan = JoinTables::join(256, 3, 5000).unwrap();
        assert!(plan.tables() > 0 && plan.prefixes().iter().all(|prefix| prefix.bits() == 12));
        assert!((plan.candidates() - plan.tables() as f64 * 5000.0 / 4096.0).abs() < 1e-9);
    }

    #[test]
    fn a_radius_as_wide_as_the_fingerprint_does_without_tables() {
        for width in [64, 128, 256] {
            assert_eq!(JoinTables::join(width, width, 1_000_000).unwrap().tables(), 0);
            assert_eq!(JoinTables::search(width, width, 1_000_000).unwrap().tables(), 0);
            let refused = Error::RadiusOverWidth { k: width + 1, width };
            assert_eq!(JoinTables::join(width, width + 1, 9).unwrap_err(), refused);
            assert_eq!(JoinTables::search(width, width + 1, 9).unwrap_err(), refused);
        }
    }

    #[test]
    fn bits_that_are_the_same_everywhere_are_in_no_prefix() {
        let plan = JoinTables::join_over(&[90, 70, 69, 68, 5, 4, 3, 2], 2, 1, 100_000);
        let mask = |prefix: &Prefix| *prefix.mask::<2>().words();
        let masks: Vec<_> = plan.prefixes().iter().map(mask).collect();
        assert!(!masks.is_empty());
        assert!(masks.iter().all(|[low, high]| low & !0x3c == 0 && high & !(0x70 | 1 << 26) == 0));
    }

    #[test]
    fn searching_builds_few_tables() {
        assert!(JoinTables::search(64, 3, 1 << 40).unwrap().tables() <= FREE_SEARCH_TABLES);
        assert!(JoinTables::search(256, 10, 1 << 30).unwrap().tables() <= 11);
    }
}
