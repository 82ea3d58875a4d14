//! What searching a segment costs: nanoseconds of the steps that a query takes, as measured.
//!
//! Uniform fingerprints on one thread. [`crate::planning::plan`] says which steps a plan takes.

/// Nanoseconds that a query costs in each table before the first bucket. Measured.
const TABLE: f64 = 45.0;
/// Nanoseconds to meet a bucket, where the tables lie in the cache, and in memory. Measured.
const BUCKET: [f64; 2] = [7.0, 74.0];
/// Nanoseconds to compare a query with a suffix of one word. Measured.
const CANDIDATE: f64 = 0.65;
/// Nanoseconds that a further word of the suffix adds to [`CANDIDATE`]. Measured.
const CANDIDATE_WORD: f64 = 0.4;
/// Nanoseconds to find the part of a bucket that agrees in a longer prefix. Measured.
const NARROW: f64 = 20.0;
/// Nanoseconds that a query searched alone waits in each table, in either place. Measured.
const ALONE: [f64; 2] = [220.0, 420.0];
/// Bytes of tables that fit into the cache, and bytes above which every bucket is read from memory.
const FAR: [f64; 2] = [2e6, 2e9];
/// Nanoseconds to make a fingerprint out of a bucket and a suffix. Measured.
const DECODE: f64 = 8.0;
/// Nanoseconds to compare one word of a query with one of a row of fingerprints. Measured.
const COMPARE: f64 = 0.25;
/// Queries that share one pass of a scan.
pub(crate) const SCAN_QUERIES: usize = 1024;

/// What a query does in the tables of a segment.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Steps {
    /// Words of a fingerprint.
    pub(crate) words: f64,
    /// Tables searched.
    pub(crate) tables: f64,
    /// Buckets met.
    pub(crate) buckets: f64,
    /// Of these, buckets that are narrowed to a longer prefix.
    pub(crate) narrowed: f64,
    /// Suffixes compared with.
    pub(crate) candidates: f64,
    /// Bytes of those tables.
    pub(crate) bytes: f64,
}

impl Steps {
    /// Nanoseconds a query among many.
    pub(crate) fn batch(&self) -> f64 {
        let candidate = CANDIDATE + CANDIDATE_WORD * (self.words - 1.0);
        let buckets = self.at(BUCKET) * self.buckets + NARROW * self.narrowed;
        TABLE * self.tables + buckets + candidate * self.candidates
    }

    /// Nanoseconds a query alone.
    pub(crate) fn alone(&self) -> f64 {
        self.batch() + self.at(ALONE) * self.tables
    }

    /// The cost between `near` and `far` that tables of this size have: the caches hold the hot part
    /// of small tables, and of the largest not even where their pages lie.
    fn at(&self, [near, far]: [f64; 2]) -> f64 {
        let [cached, uncached] = FAR;
        let share = (self.bytes.max(1.0) / cached).ln() / (uncached / cached).ln();
        near + (far - near) * share.clamp(0.0, 1.0).powf(1.5)
    }
}

/// Nanoseconds a query that is compared with all of `codes`, together with `queries` - 1 others.
pub(crate) fn scan(words: f64, codes: f64, queries: f64) -> f64 {
    codes * (DECODE / queries + COMPARE * words)
}
