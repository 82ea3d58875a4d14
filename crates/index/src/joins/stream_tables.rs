//! Which tables to build on the queries when the other side is streamed past them.
//!
//! Differs from [`crate::tables::plan`] in what is paid: each streamed code asks a filter of a bit a key
//! first, so prefixes longer than the queries need pay. It has seen no fingerprint.

use crate::error::Error;
use crate::machine::kernel::positions as set_bits;
use crate::radius::check_radius;
use crate::tables::blocks::Blocks;
use crate::tables::family::Family;
use crate::tables::prefix::Prefix;

/// Nanoseconds to make the key of a streamed code and ask a filter that stays in cache. Measured.
const FILTER: f64 = 2.0;
/// Nanoseconds that each doubling of the filter beyond [`CACHED`] adds. Measured.
const FILTER_FAR: f64 = 2.3;
/// Bits of a key whose filter stays in cache beside the stream, as a power of two.
const CACHED: f64 = 20.0;
/// Nanoseconds to enter a bucket after the filter let the code pass. Measured.
const PROBE: f64 = 50.0;
/// Nanoseconds to compare one word with another in a row of codes. Measured.
const COMPARE: f64 = 0.2;
/// Nanoseconds to compare a code of a short bucket alone. Measured.
const COMPARE_ONE: f64 = 1.5;
/// A filter has up to `2^FILTER_BITS` bits a query.
const FILTER_BITS: usize = 4;
/// More tables than this are not built: each is a copy of the queries.
const MAX_TABLES: usize = 32;

/// The permuted tables to build on the queries of a streamed join.
///
/// A query and a document within the radius agree in the whole prefix of at least one table. A plan
/// without tables means that comparing everything costs less than any tables do.
///
/// # Examples
/// ```
/// use nearprint_index::StreamTables;
///
/// let plan = StreamTables::new(64, 3, 1_000_000)?;
/// assert_eq!((plan.tables(), plan.prefixes()[0].bits()), (8, 23));
/// # Ok::<(), nearprint_index::Error>(())
/// ```
///
/// # References
/// Manku, Jain, Das Sarma, WWW 2007, section 3.3: tables on the queries, the big file streamed.
#[derive(Clone, Debug)]
pub struct StreamTables {
    k: u32,
    prefixes: Vec<Prefix>,
    nanoseconds: f64,
}

impl StreamTables {
    /// The plan for `queries` distinct fingerprints of `width` bits and a radius of `k`.
    ///
    /// # Errors
    /// [`Error::RadiusOverWidth`] where `k` is more than `width`.
    pub fn new(width: u32, k: u32, queries: usize) -> Result<Self, Error> {
        check_radius(k, width)?;
        let positions: Vec<_> = (0..width).rev().collect();
        Ok(Self::over(&positions, width as usize / 64, k, queries))
    }

    /// The plan for queries of `words` words that are told apart by the bits at `positions`.
    pub(crate) fn over(positions: &[u32], words: usize, k: u32, queries: usize) -> Self {
        let longest = queries.max(1).ilog2() as usize + FILTER_BITS;
        let prefix = |family: &Family, blocks: u64| {
            let cut = Blocks::new(positions.len(), family.blocks());
            let bits = set_bits(blocks).flat_map(move |block| cut.get(block)).take(longest);
            Prefix::new(bits.map(|bit| positions[bit]))
        };
        let scan = queries as f64 * COMPARE * words as f64;
        let mut best = Self { k, prefixes: Vec::new(), nanoseconds: scan };
        for family in Family::all(k as usize) {
            if family.prefixes().len() > MAX_TABLES || family.blocks() > positions.len() {
                continue;
            }
            let tables = || family.prefixes().iter().map(|blocks| prefix(&family, *blocks));
            let nanoseconds = tables().map(|prefix| table(&prefix, words, queries)).sum();
            if nanoseconds < best.nanoseconds {
                best = Self { k, prefixes: tables().collect(), nanoseconds };
            }
        }
        best
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

    /// Predicted nanoseconds a streamed code, on one thread and for uniform codes.
    #[must_use]
    pub fn nanoseconds(&self) -> f64 {
        self.nanoseconds
    }
}

/// Nanoseconds that a streamed code costs in the table of `prefix`.
fn table(prefix: &Prefix, words: usize, queries: usize) -> f64 {
    let (bits, queries) = (f64::from(prefix.bits()), queries as f64);
    let bucket = queries / bits.min(queries.log2().floor().max(0.0)).exp2();
    let passing = 1.0 - (-queries / bits.exp2()).exp();
    let compare = (bucket * COMPARE_ONE).min(12.0 * COMPARE_ONE + bucket * COMPARE) * words as f64;
    FILTER + FILTER_FAR * (bits - CACHED).max(0.0) + passing * (PROBE + compare)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tables(k: u32, queries: usize) -> usize {
        StreamTables::new(64, k, queries).unwrap().tables()
    }

    #[test]
    fn more_queries_take_more_tables_and_few_none() {
        assert_eq!([1, 1_000_000].map(|queries| tables(3, queries)), [0, 8]);
        assert!(tables(3, 1000) < 8 && tables(3, 1000) >= 4);
        assert_eq!(tables(0, 1000), 1);
        assert!((4..=10).all(|k| (1..=MAX_TABLES).contains(&tables(k, 1_000_000))));
    }

    #[test]
    fn a_radius_as_wide_as_the_fingerprint_does_without_tables() {
        for width in [64, 128, 256] {
            assert_eq!(StreamTables::new(width, width, 1_000_000).unwrap().tables(), 0);
            let refused = Error::RadiusOverWidth { k: width + 1, width };
            assert_eq!(StreamTables::new(width, width + 1, 9).unwrap_err(), refused);
        }
    }

    #[test]
    fn filters_grow_with_the_queries_only() {
        for (k, queries) in [(0, 100), (1, 5000), (2, 1 << 20)] {
            let plan = StreamTables::new(256, k, queries).unwrap();
            let bits = queries.ilog2() + 4;
            assert!(plan.tables() > 0);
            assert!(plan.prefixes().iter().all(|prefix| prefix.bits() == bits));
        }
    }
}
