//! What one plan will take: its bytes, the time of a query, the time of a self join.
//!
//! A forecast is for uniform distinct fingerprints, one thread, and data in memory. [`crate::planning::planner`]
//! chooses among forecasts; `cost` knows what a step costs.

use crate::planning::cost::{self, Steps};
use crate::segments::bucket_code::BucketCode;
use crate::segments::layout::{Layout, Scheme};
use crate::segments::narrowing::NARROWED;
use crate::segments::segment::suffix_bytes;
use crate::tables::join_cost;
use std::ops::{Range, RangeInclusive};

/// Sections start at multiples of this.
const ALIGN: u64 = 64;

/// One plan for a number of fingerprints, and what it will take.
///
/// # Examples
/// ```
/// use nearprint_index::{Planner, Purpose, Request};
///
/// let request =
///     Request { documents: 1_000_000, width: 64, k: 3, ids: true, memory: None, purpose: Purpose::Batch };
/// let planner = Planner::new(request)?;
/// let (plan, scan) = (planner.choose()?, planner.named("scan")?);
/// assert!(!plan.is_scan() && plan.batch_microseconds() < scan.batch_microseconds());
/// # Ok::<(), nearprint_index::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Plan {
    name: String,
    layout: Layout,
    tables: Vec<PlannedTable>,
    bytes: u64,
    join_bytes: u64,
    buckets: f64,
    candidates: f64,
    query: f64,
    batch: f64,
    join: f64,
}

/// One table of a plan: the bits that key it, and what a query meets there.
///
/// # Examples
/// ```
/// use nearprint_index::{Planner, Purpose, Request};
///
/// let request =
///     Request { documents: 1 << 34, width: 64, k: 3, ids: true, memory: None, purpose: Purpose::Batch };
/// let planner = Planner::new(request)?;
/// let table = &planner.named("paper-20")?.tables()[0];
/// assert_eq!((table.blocks.clone(), table.prefix_bits), (vec![0..11, 11..22, 22..33], 33));
/// assert_eq!(table.candidates, 2.0);
/// # Ok::<(), nearprint_index::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlannedTable {
    /// The blocks that make up the prefix, as ranges of bits; 0 is the leading one.
    pub blocks: Vec<Range<u32>>,
    /// Bits of the prefix.
    pub prefix_bits: u32,
    /// Bits of a bucket's number; of a prefix that is longer, the rest is searched for in the bucket.
    pub bucket_bits: u32,
    /// Errors that a query looks for within the prefix; `None` if it does not look into this table.
    pub radius: Option<u32>,
    /// Buckets that a query meets.
    pub buckets: f64,
    /// Fingerprints that a query is compared with.
    pub candidates: f64,
}

impl Plan {
    /// The forecast of searching the tables of `layout` within `k` among `documents`, kept with their
    /// `ids` or without.
    pub(crate) fn of_tables(
        name: String,
        layout: Layout,
        k: u32,
        documents: u64,
        ids: bool,
    ) -> Self {
        let n = float(documents);
        let words = f64::from(layout.width()) / 64.0;
        let mut steps = Steps { words, ..Steps::default() };
        let mut bytes = if ids { id_bytes(documents) } else { 0 };
        let (mut tables, mut join) = (Vec::with_capacity(layout.tables()), 0.0);
        // Parts differ by a bit at most, so that few balls are counted.
        let mut counted: Vec<((u32, u32, u32), f64)> = Vec::new();
        for (number, (table, blocks)) in
            layout.table_layouts().iter().zip(layout.blocks()).enumerate()
        {
            let bits = table.code.bucket_bits();
            let (suffixes, directory) = table_bytes(&layout, &table.code, documents);
            for section in [suffixes, directory] {
                bytes = bytes.checked_next_multiple_of(ALIGN).unwrap_or(bytes);
                bytes = bytes.saturating_add(section);
            }
            join += join_cost::join_table(words, n, table.prefix_bits);
            let mut planned = PlannedTable {
                blocks,
                prefix_bits: table.prefix_bits,
                bucket_bits: bits,
                radius: layout.radius(number, k),
                buckets: 0.0,
                candidates: 0.0,
            };
            if let Some(radius) = planned.radius {
                let key = (bits, table.prefix_bits, radius);
                let known = counted.iter().find(|(other, _)| *other == key).map(|(_, met)| *met);
                let met = known.unwrap_or_else(|| table.code.mean_ball(radius));
                counted.push((key, met));
                let bucket = n / f64::from(bits).exp2();
                let narrowed = radius == 0 && table.prefix_bits > bits && bucket > NARROWED as f64;
                planned.buckets = met;
                planned.candidates = met
                    * if narrowed {
                        n / f64::from(table.prefix_bits.min(64)).exp2()
                    } else {
                        bucket
                    };
                steps.tables += 1.0;
                steps.buckets += met;
                steps.narrowed += if narrowed { met } else { 0.0 };
                steps.candidates += planned.candidates;
                steps.bytes += float(suffixes + directory);
            }
            tables.push(planned);
        }
        bytes = bytes.saturating_add(footer_bytes(&layout));
        let batch = steps.batch();
        // Tables free of errors are joined bucket by bucket, others by asking for every fingerprint.
        let of_buckets = matches!(layout.scheme(), Scheme::Prefixes(_));
        let word_bytes = u64::from(layout.width()) / 8;
        Self {
            name,
            tables,
            bytes,
            join_bytes: if of_buckets {
                joining_bytes(documents, word_bytes)
            } else {
                bytes.saturating_add(documents.saturating_mul(word_bytes))
            },
            buckets: steps.buckets,
            candidates: steps.candidates,
            query: steps.alone(),
            batch,
            join: join_cost::group(words, n) + if of_buckets { join } else { n * batch },
            layout,
        }
    }

    /// The forecast of comparing with everything, which `layout` keeps without tables.
    pub(crate) fn of_scan(name: String, layout: Layout, documents: u64, ids: bool) -> Self {
        let n = float(documents);
        let words = f64::from(layout.width()) / 64.0;
        let mut forecast = Self::of_tables(name, layout, 0, documents, ids);
        forecast.candidates = n;
        forecast.query = cost::scan(words, n, 1.0);
        forecast.batch = cost::scan(words, n, float(cost::SCAN_QUERIES as u64));
        forecast.join = join_cost::group(words, n) + join_cost::join_everything(words, n);
        let word_bytes = u64::from(forecast.layout.width()) / 8;
        forecast.join_bytes = joining_bytes(documents, word_bytes);
        forecast
    }

    /// The name by which the plan is asked for.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The tables of a segment of this plan; for a scan the one that holds the fingerprints.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Whether queries are compared with everything.
    #[must_use]
    pub fn is_scan(&self) -> bool {
        self.layout.is_scan()
    }

    /// How many bits key a table: from the shortest prefix to the longest.
    #[must_use]
    pub fn prefix_bits(&self) -> RangeInclusive<u32> {
        let bits = || self.tables.iter().map(|table| table.prefix_bits);
        bits().min().unwrap_or(0)..=bits().max().unwrap_or(0)
    }

    /// The tables one by one, in the order in which they report; for a scan the one that holds the
    /// fingerprints.
    #[must_use]
    pub fn tables(&self) -> &[PlannedTable] {
        &self.tables
    }

    /// Bytes of a segment.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Bytes that a self join holds.
    #[must_use]
    pub fn join_bytes(&self) -> u64 {
        self.join_bytes
    }

    /// Buckets that a query meets.
    #[must_use]
    pub fn buckets(&self) -> f64 {
        self.buckets
    }

    /// Fingerprints that a query is compared with.
    #[must_use]
    pub fn candidates(&self) -> f64 {
        self.candidates
    }

    /// Microseconds of a query searched alone.
    #[must_use]
    pub fn query_microseconds(&self) -> f64 {
        self.query / 1e3
    }

    /// Bytes times the time of a query searched alone.
    pub(crate) fn price(&self) -> f64 {
        float(self.bytes) * self.query
    }

    /// Microseconds a query of a batch.
    #[must_use]
    pub fn batch_microseconds(&self) -> f64 {
        self.batch / 1e3
    }

    /// Seconds of a self join.
    #[must_use]
    pub fn join_seconds(&self) -> f64 {
        self.join / 1e9
    }
}

/// Bytes of the suffixes and of the directory of a table.
fn table_bytes(layout: &Layout, code: &BucketCode, documents: u64) -> (u64, u64) {
    let entry = if u32::try_from(documents).is_ok() { 4 } else { 8 };
    let each = suffix_bytes(layout.width(), code) as u64;
    let suffixes = documents.saturating_mul(each).saturating_add(u64::from(layout.width()) / 8);
    (suffixes, ((1 << code.bucket_bits()) + 1) * entry)
}

/// Bytes of the documents' ordinals, where no two fingerprints are equal.
fn id_bytes(documents: u64) -> u64 {
    let each = (64 - documents.saturating_sub(1).leading_zeros()).div_ceil(8).max(1);
    documents.saturating_mul(u64::from(each))
}

/// Bytes of the footer and of what follows it.
fn footer_bytes(layout: &Layout) -> u64 {
    let scheme = match layout.scheme() {
        Scheme::Parts(_) | Scheme::Scan => 0,
        Scheme::Prefixes(prefixes) => {
            prefixes.iter().map(|ranges| 4 + 8 * ranges.len() as u64).sum()
        }
    };
    88 + scheme + 24 * (3 + 2 * layout.tables() as u64)
}

/// Bytes of a self join in memory: the documents, their grouping, a copy of the codes.
fn joining_bytes(documents: u64, word_bytes: u64) -> u64 {
    documents.saturating_mul(3 * word_bytes + 12)
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn float(number: u64) -> f64 {
    number as f64
}
