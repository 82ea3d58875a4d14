//! Which tables a join or a search uses: the family of prefixes that costs least for so many
//! fingerprints.
//!
//! The choice is about bits and counts: it has seen no fingerprint, and predicts for uniform ones.

use crate::error::Error;
use crate::machine::kernel::positions as set_bits;
use crate::radius::check_radius;
use crate::tables::blocks::Blocks;
use crate::tables::family::Family;
use crate::tables::join_cost::{
    compare_all, join_everything, join_table, search_table, stream_table,
};
use crate::tables::prefix::{MAX_BITS, Prefix};

/// More tables than this are not built for searching or streaming: each is a copy of the codes.
const MAX_TABLES: usize = 32;
/// As many tables for searching are affordable whatever `k` is.
const FREE_SEARCH_TABLES: usize = 6;
/// The filter of a streamed join has up to `2^FILTER_BITS` bits a query.
const FILTER_BITS: usize = 4;

/// The permuted tables to use for fingerprints of a width, a radius and a number of codes.
///
/// Every two fingerprints within the radius agree in the whole prefix of at least one table. No tables
/// at all means that comparing everything costs less than any tables do.
///
/// # Examples
/// ```
/// use nearprint_index::JoinTables;
///
/// assert_eq!(JoinTables::stream(64, 3, 1_000_000)?.tables(), 8);
/// assert_eq!(JoinTables::stream(64, 64, 1_000_000)?.tables(), 0);
/// # Ok::<(), nearprint_index::Error>(())
/// ```
///
/// # References
/// Manku, Jain, Das Sarma, WWW 2007, section 3.1: number of tables against size of the buckets;
/// section 3.3: tables on the queries, the big file streamed.
#[derive(Clone, Debug)]
pub struct JoinTables {
    k: u32,
    prefixes: Vec<Prefix>,
}

impl JoinTables {
    /// The tables of a self join of `codes` distinct fingerprints of `width` bits.
    ///
    /// # Errors
    /// [`Error::RadiusOverWidth`] where `k` is more than `width`.
    pub(crate) fn join(width: u32, k: u32, codes: usize) -> Result<Self, Error> {
        Ok(Self::join_over(&all_bits(width, k)?, width as usize / 64, k, codes))
    }

    /// The tables of a self join that tells codes of `words` words apart by the bits at `positions`.
    pub(crate) fn join_over(positions: &[u32], words: usize, k: u32, codes: usize) -> Self {
        let (n, words) = (codes as f64, words as f64);
        let choice =
            Choice { most: usize::MAX, longest: log2(codes), none: join_everything(words, n) };
        choice.cheapest(positions, k, |bits| join_table(words, n, bits))
    }

    /// The tables for searching `codes` distinct fingerprints of `width` bits, query by query.
    ///
    /// # Errors
    /// [`Error::RadiusOverWidth`] where `k` is more than `width`.
    pub(crate) fn search(width: u32, k: u32, codes: usize) -> Result<Self, Error> {
        let positions = all_bits(width, k)?;
        let (n, words) = (codes as f64, f64::from(width / 64));
        let most = (k as usize + 1).clamp(FREE_SEARCH_TABLES, MAX_TABLES);
        let choice = Choice { most, longest: log2(codes), none: compare_all(words, n) };
        Ok(choice.cheapest(&positions, k, |bits| search_table(words, n, bits)))
    }

    /// The tables of a streamed join, on `queries` distinct fingerprints of `width` bits: those that
    /// [`StreamJoin`](crate::StreamJoin) builds.
    ///
    /// # Errors
    /// [`Error::RadiusOverWidth`] where `k` is more than `width`.
    pub fn stream(width: u32, k: u32, queries: usize) -> Result<Self, Error> {
        Ok(Self::stream_over(&all_bits(width, k)?, width as usize / 64, k, queries))
    }

    /// The tables of a streamed join whose queries of `words` words are told apart by the bits at
    /// `positions`.
    pub(crate) fn stream_over(positions: &[u32], words: usize, k: u32, queries: usize) -> Self {
        let (n, words) = (queries as f64, words as f64);
        let longest = log2(queries) + FILTER_BITS;
        let choice = Choice { most: MAX_TABLES, longest, none: compare_all(words, n) };
        choice.cheapest(positions, k, |bits| stream_table(words, n, bits.min(MAX_BITS)))
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
    pub(crate) fn prefixes(&self) -> &[Prefix] {
        &self.prefixes
    }
}

/// What the tables are chosen by.
struct Choice {
    /// Tables at most.
    most: usize,
    /// Bits of a prefix at most.
    longest: usize,
    /// The cost of no tables.
    none: f64,
}

impl Choice {
    /// The tables of least cost over the bits at `positions` for a radius of `k`; `one` tells the cost
    /// of a table by the bits of its prefix.
    fn cheapest(&self, positions: &[u32], k: u32, one: impl Fn(u32) -> f64) -> JoinTables {
        let blocks = |family: &Family, prefix: u64| {
            let blocks = Blocks::new(positions.len(), family.blocks());
            set_bits(prefix).map(move |block| blocks.get(block))
        };
        let mut best = (self.none, None);
        for family in Family::all(k as usize) {
            if family.prefixes().len() > self.most || family.blocks() > positions.len() {
                continue;
            }
            let mut cost = 0.0;
            for prefix in family.prefixes() {
                let bits: usize = blocks(&family, *prefix).map(|block| block.len()).sum();
                #[expect(clippy::cast_possible_truncation, reason = "no more bits than `longest`")]
                let bits = bits.min(self.longest) as u32;
                cost += one(bits);
            }
            if cost < best.0 {
                best = (cost, Some(family));
            }
        }
        let prefixes = best.1.iter().flat_map(|family| {
            let prefix = |prefix: &u64| {
                let bits = blocks(family, *prefix).flatten().take(self.longest);
                Prefix::new(bits.map(|bit| positions[bit]))
            };
            family.prefixes().iter().map(prefix)
        });
        JoinTables { k, prefixes: prefixes.collect() }
    }
}

/// The positions of all bits of a fingerprint of `width` bits, the leading one first.
///
/// # Errors
/// [`Error::RadiusOverWidth`] where `k` is more than `width`.
fn all_bits(width: u32, k: u32) -> Result<Vec<u32>, Error> {
    check_radius(k, width)?;
    Ok((0..width).rev().collect())
}

/// The whole part of the logarithm of a number of codes; 0 of no code.
fn log2(codes: usize) -> usize {
    codes.max(1).ilog2() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tables(codes: usize) -> usize {
        JoinTables::join(64, 3, codes).unwrap().tables()
    }

    fn streamed(k: u32, queries: usize) -> usize {
        JoinTables::stream(64, k, queries).unwrap().tables()
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
    }

    #[test]
    fn a_radius_as_wide_as_the_fingerprint_does_without_tables() {
        for width in [64, 128, 256] {
            assert_eq!(JoinTables::join(width, width, 1_000_000).unwrap().tables(), 0);
            assert_eq!(JoinTables::search(width, width, 1_000_000).unwrap().tables(), 0);
            assert_eq!(JoinTables::stream(width, width, 1_000_000).unwrap().tables(), 0);
            let refused = Error::RadiusOverWidth { k: width + 1, width };
            assert_eq!(JoinTables::join(width, width + 1, 9).unwrap_err(), refused);
            assert_eq!(JoinTables::search(width, width + 1, 9).unwrap_err(), refused);
            assert_eq!(JoinTables::stream(width, width + 1, 9).unwrap_err(), refused);
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

    #[test]
    fn more_queries_take_more_tables_and_few_none() {
        assert_eq!([1, 1_000_000].map(|queries| streamed(3, queries)), [0, 8]);
        assert!(streamed(3, 1000) < 8 && streamed(3, 1000) >= 4);
        assert_eq!(streamed(0, 1000), 1);
        assert!((4..=10).all(|k| (1..=MAX_TABLES).contains(&streamed(k, 1_000_000))));
    }

    #[test]
    fn filters_grow_with_the_queries_only() {
        for (k, queries) in [(0, 100), (1, 5000), (2, 1 << 20)] {
            let plan = JoinTables::stream(256, k, queries).unwrap();
            let bits = queries.ilog2() + 4;
            assert!(plan.tables() > 0);
            assert!(plan.prefixes().iter().all(|prefix| prefix.bits() == bits));
        }
    }
}
