//! The tables of a segment: which bits each is keyed by, and how far a query looks around in it.
//!
//! A layout is about bits. The segment knows how many bytes they make and in which order.

use crate::error::Error;
use crate::radius::check_radius;
use crate::segments::bucket_code::{BucketCode, MAX_BALL_RADIUS};
use crate::tables::blocks::Blocks;
use crate::tables::family::Family;
use crate::tables::permutation::Permutation;
use std::ops::Range;

/// Codes that a bucket is meant to hold: one or two cache lines of suffixes.
const BUCKET: f64 = 6.0;
/// Codes that a bucket may hold where bytes count for more.
const COMPACT_BUCKET: (f64, f64) = (4.0, 16.0);

/// Bits of the smallest part offered.
const LEAST_PART: u32 = 8;
/// More tables than this are refused: each is a copy of the fingerprints.
const MAX_TABLES: usize = 64;

/// How the tables of a segment divide the errors of a query among them.
///
/// # Examples
/// ```
/// use nearprint_index::{Layout, Scheme};
///
/// let halves = Layout::new(64, 3, Scheme::Parts(2), 1000)?;
/// let quarters = [0..16, 16..32, 32..48, 48..64].map(|bits| vec![bits]).to_vec();
/// let quarters = Layout::new(64, 3, Scheme::Prefixes(quarters), 1000)?;
/// assert_eq!([halves.tables(), quarters.tables()], [2, 4]);
/// # Ok::<(), nearprint_index::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// The fingerprint in parts as even as can be, a table keyed by each: of `k` errors, some part
    /// has few, and its table is searched around the query. Serves every radius that leaves no more
    /// than four errors to a part; buckets are those of perfect codes over a part's first 32 bits.
    ///
    /// With one part it is the smallest segment, with two the best for `k = 3` of 64 bits.
    Parts(u32),
    /// Prefixes. At least one is free of errors: the paper's plans and covering designs.
    /// One bucket a table; serves the radius that the prefixes were chosen for. Each is a list of
    /// ranges of bits, 0 being the leading one.
    Prefixes(Vec<Vec<Range<u32>>>),
    /// No tables: the fingerprints once, kept as [`Parts(1)`](Self::Parts) keeps them, and every query compared with
    /// all of them. Serves every radius.
    Scan,
}

impl Scheme {
    /// The prefixes of a covering family over even blocks of `width` bits.
    #[must_use]
    pub fn family(width: u32, family: &Family) -> Self {
        let blocks = Blocks::new(width as usize, family.blocks());
        let ranges = |prefix: &u64| {
            let chosen = (0..family.blocks()).filter(|block| prefix >> block & 1 == 1);
            chosen.map(|block| narrow(blocks.get(block))).collect()
        };
        Self::Prefixes(family.prefixes().iter().map(ranges).collect())
    }

    /// The paper's plan of two steps: one block of `outer`, then one of `inner` of the bits that are
    /// left. With 4 and 4 blocks of 64 bits, 16 tables of 28 bits for `k = 3`.
    ///
    /// # References
    /// Manku, Jain, Das Sarma, WWW 2007, section 3.1.1.
    #[must_use]
    pub fn nested(width: u32, outer: usize, inner: usize) -> Self {
        let mut prefixes = Vec::new();
        for first in Blocks::new(width as usize, outer).iter().map(narrow) {
            let left: Vec<u32> = (0..width).filter(|bit| !first.contains(bit)).collect();
            for second in Blocks::new(left.len(), inner).iter() {
                let bits = left.get(second).unwrap_or_default();
                let runs = bits.chunk_by(|a, b| a + 1 == *b);
                let second = runs.filter_map(|run| Some(*run.first()?..run.last()? + 1));
                prefixes.push(std::iter::once(first.clone()).chain(second).collect());
            }
        }
        Self::Prefixes(prefixes)
    }
}

/// The tables of a segment.
///
/// # Examples
/// ```
/// use nearprint_index::{Layout, Scheme};
///
/// let layout = Layout::new(64, 3, Scheme::Parts(2), 1_000_000)?;
/// assert_eq!((layout.width(), layout.k(), layout.tables()), (64, 3, 2));
/// assert!(Layout::new(64, 10, Scheme::Parts(2), 1_000_000).is_err());
/// # Ok::<(), nearprint_index::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Layout {
    width: u32,
    scheme: Scheme,
    k: u32,
    bucket_bits: u32,
}

/// One table of a layout, ready to key fingerprints.
#[derive(Clone, Debug)]
pub(crate) struct TableLayout {
    /// Brings the bits that the table looks at to the top.
    pub(crate) permutation: Permutation,
    /// How many those are.
    pub(crate) prefix_bits: u32,
    /// Turns the leading bits into a bucket's number.
    pub(crate) code: BucketCode,
}

impl Layout {
    /// The layout of `scheme` for `width` bits, radii up to `k` and about `codes` distinct
    /// fingerprints.
    ///
    /// # Errors
    /// [`Error::RadiusOverWidth`]; [`Error::RadiusOverTables`] where the scheme does not serve `k`;
    /// [`Error::Scheme`] where it does not fit the width.
    pub fn new(width: u32, k: u32, scheme: Scheme, codes: u64) -> Result<Self, Error> {
        check_radius(k, width)?;
        let bucket_bits = match scheme {
            Scheme::Parts(1) | Scheme::Scan => compact_bits(width, codes),
            _ => bits_for(codes, BUCKET).round(),
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 27")]
        let bucket_bits = bucket_bits.clamp(1.0, 27.0) as u32;
        Self::with_bucket_bits(width, k, scheme, bucket_bits)
    }

    /// The layout with buckets of `bucket_bits` bits, 1 to 27.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn with_bucket_bits(
        width: u32,
        k: u32,
        scheme: Scheme,
        bucket_bits: u32,
    ) -> Result<Self, Error> {
        let fits = match &scheme {
            _ if !matches!(width, 64 | 128 | 256) => false,
            Scheme::Scan => true,
            Scheme::Parts(parts) => (1..=width / LEAST_PART).contains(parts),
            Scheme::Prefixes(prefixes) => {
                let whole = |ranges: &Vec<Range<u32>>| {
                    if !ranges.iter().all(|range| range.start <= range.end && range.end <= width) {
                        return false;
                    }
                    let mut bits: Vec<u32> = ranges.iter().cloned().flatten().collect();
                    let given = bits.len();
                    bits.sort_unstable();
                    bits.dedup();
                    given > 0 && bits.len() == given
                };
                (1..=MAX_TABLES).contains(&prefixes.len()) && prefixes.iter().all(whole)
            }
        };
        if !fits {
            return Err(Error::Scheme { width });
        }
        let layout = Self { width, scheme, k, bucket_bits: bucket_bits.clamp(1, 27) };
        let most = layout.max_k();
        if k > most {
            return Err(Error::RadiusOverTables { k, built: most });
        }
        Ok(layout)
    }

    /// Bits of a fingerprint.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The largest radius that was asked for. A [scan](Scheme::Scan) answers larger ones too.
    #[must_use]
    pub fn k(&self) -> u32 {
        self.k
    }

    /// How the errors are divided.
    #[must_use]
    pub fn scheme(&self) -> &Scheme {
        &self.scheme
    }

    /// Bits of a bucket's number; a table of prefixes shorter than that has fewer.
    #[must_use]
    pub fn bucket_bits(&self) -> u32 {
        self.bucket_bits
    }

    /// Whether queries are compared with everything, as there are no tables to ask.
    #[must_use]
    pub fn is_scan(&self) -> bool {
        self.scheme == Scheme::Scan
    }

    /// Whether the file of such a layout tells no radius. Earlier releases kept the fingerprints of every scan in this
    /// way, whatever the radius that it was built for; no plan has this layout any more.
    #[must_use]
    pub fn tells_no_radius(&self) -> bool {
        self.k == 0 && self.scheme == Scheme::Parts(1)
    }

    /// The number of tables; for a scan 1, the list that holds the fingerprints.
    #[must_use]
    pub fn tables(&self) -> usize {
        match &self.scheme {
            Scheme::Parts(parts) => *parts as usize,
            Scheme::Prefixes(prefixes) => prefixes.len(),
            Scheme::Scan => 1,
        }
    }

    /// The blocks of bits that make up the prefix of each table.
    pub(crate) fn blocks(&self) -> Vec<Vec<Range<u32>>> {
        match &self.scheme {
            Scheme::Parts(parts) => {
                let parts = Blocks::new(self.width as usize, *parts as usize);
                parts.iter().map(|part| vec![narrow(part)]).collect()
            }
            Scheme::Prefixes(prefixes) => prefixes.clone(),
            Scheme::Scan => vec![vec![0..self.width]],
        }
    }

    /// The largest radius that the tables serve.
    fn max_k(&self) -> u32 {
        match &self.scheme {
            Scheme::Parts(parts) => (parts * (MAX_BALL_RADIUS + 1) - 1).min(self.width),
            Scheme::Prefixes(_) => self.k,
            Scheme::Scan => self.width,
        }
    }

    /// How far a query of radius `k` looks around in a table; `None` where it need not look.
    ///
    /// With errors `r + 1` for a part of radius `r`, the parts take up `k + 1` errors together: one
    /// of them always has no more than its own.
    pub(crate) fn radius(&self, table: usize, k: u32) -> Option<u32> {
        match &self.scheme {
            Scheme::Parts(parts) => {
                let (each, more) = ((k + 1) / parts, (k + 1) % parts);
                (each + u32::from(table < more as usize)).checked_sub(1)
            }
            Scheme::Prefixes(_) => Some(0),
            Scheme::Scan => None,
        }
    }

    /// The tables, made ready.
    pub(crate) fn table_layouts(&self) -> Vec<TableLayout> {
        let table = |ranges: Vec<Range<u32>>| {
            let prefix_bits: u32 = ranges.iter().map(|range| range.end - range.start).sum();
            TableLayout {
                permutation: Permutation::new(self.width, &ranges),
                prefix_bits,
                code: match self.scheme {
                    Scheme::Parts(_) | Scheme::Scan => {
                        BucketCode::new(prefix_bits, self.bucket_bits)
                    }
                    Scheme::Prefixes(_) => BucketCode::plain(self.bucket_bits.min(prefix_bits)),
                },
            }
        };
        self.blocks().into_iter().map(table).collect()
    }
}

/// Bits of the number of a bucket that holds `each` of `codes`.
#[expect(clippy::cast_precision_loss, reason = "a size, not a count")]
fn bits_for(codes: u64, each: f64) -> f64 {
    (codes.max(1) as f64 / each).log2()
}

/// The bucket bits that take the fewest bytes, with buckets that are not too large to search: whole
/// bytes of suffixes against entries of the directory.
#[expect(clippy::cast_precision_loss, reason = "a size, not a count")]
fn compact_bits(width: u32, codes: u64) -> f64 {
    let (least, most) = COMPACT_BUCKET;
    let bytes = |bits: f64| {
        ((f64::from(width) - bits) / 8.0).ceil() + 4.0 * bits.exp2() / codes.max(1) as f64
    };
    let (few, many) = (bits_for(codes, most).ceil(), bits_for(codes, least).floor());
    let bits = std::iter::successors(Some(many), |bits| Some(bits - 1.0));
    bits.take_while(|bits| *bits >= few)
        .min_by(|a, b| bytes(*a).total_cmp(&bytes(*b)))
        .unwrap_or(many)
}

fn narrow(range: Range<usize>) -> Range<u32> {
    let bound = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    bound(range.start)..bound(range.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn radii_take_up_every_error() {
        for (width, parts) in [(64, 1), (64, 2), (64, 3), (128, 4), (128, 6), (256, 8)] {
            let layout = Layout::new(width, 0, Scheme::Parts(parts), 1000).unwrap();
            for k in 0..=layout.max_k() {
                let radii: Vec<_> =
                    (0..layout.tables()).map(|table| layout.radius(table, k)).collect();
                let taken: u32 = radii.iter().map(|radius| radius.map_or(0, |r| r + 1)).sum();
                assert_eq!(taken, k + 1, "{width} bits, {parts} parts, k = {k}");
                assert!(radii.iter().flatten().all(|radius| *radius <= MAX_BALL_RADIUS));
            }
        }
    }

    #[test]
    fn one_table_is_as_small_as_whole_bytes_allow() {
        // 64 - log2 N + 1.44 bits is what no table of N random codes can be smaller than.
        for (codes, bits) in [(10_000_000, 20), (100_000_000, 24), (1_000_000_000, 26)] {
            let layout = Layout::new(64, 3, Scheme::Parts(1), codes).unwrap();
            assert_eq!(layout.bucket_bits(), bits, "{codes}");
            let suffix = 8 * (64 - bits).div_ceil(8);
            let took = f64::from(suffix) + 32.0 * f64::from(bits).exp2() / codes as f64;
            assert!(took < 1.25 * (64.0 - (codes as f64).log2() + 1.44), "{codes}: {took}");
        }
        for codes in [0, 1, 3, 5] {
            assert_eq!(Layout::new(64, 3, Scheme::Parts(1), codes).unwrap().bucket_bits(), 1);
        }
    }

    #[test]
    fn the_plans_of_the_paper_have_its_prefixes() {
        for (blocks, tables, bits) in [(4, 4, 16..=16), (5, 10, 25..=26), (6, 20, 31..=33)] {
            let scheme = Scheme::family(64, &Family::combinations(blocks, 3).unwrap());
            let layout = Layout::new(64, 3, scheme, 1 << 34).unwrap();
            assert_eq!(layout.tables(), tables);
            assert!(layout.table_layouts().iter().all(|t| bits.contains(&t.prefix_bits)));
        }
    }

    #[test]
    fn two_steps_of_four_blocks_are_sixteen_tables_of_28_bits() {
        let layout = Layout::new(64, 3, Scheme::nested(64, 4, 4), 1 << 34).unwrap();
        let tables = layout.table_layouts();
        assert!(tables.len() == 16 && tables.iter().all(|table| table.prefix_bits == 28));
        for errors in 0..64_u32 * 64 * 64 {
            let bits = [errors % 64, errors / 64 % 64, errors / 4096];
            let Scheme::Prefixes(prefixes) = layout.scheme() else { unreachable!() };
            let free = |ranges: &Vec<Range<u32>>| {
                !ranges.iter().any(|range| bits.iter().any(|bit| range.contains(bit)))
            };
            assert!(prefixes.iter().any(free), "{bits:?}");
        }
    }

    #[test]
    fn parts_are_of_eight_bits_or_more_as_the_refusal_says() {
        for width in [64, 128, 256] {
            for parts in 0..=width / 8 + 1 {
                let layout = Layout::new(width, 0, Scheme::Parts(parts), 9);
                assert_eq!(layout.is_ok(), (1..=width / 8).contains(&parts), "{width} {parts}");
            }
        }
        let refused = Layout::new(64, 3, Scheme::Parts(9), 9).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "no such tables for 64 bits: the width is 64, 128 or 256; parts are 1 or more, of 8 bits \
             or more each; prefixes are 1 to 64, each of some bits of the fingerprint, none of them \
             twice"
        );
    }

    #[test]
    #[expect(clippy::single_range_in_vec_init, reason = "prefixes of one range")]
    fn what_does_not_fit_is_refused() {
        assert!(Layout::new(64, 65, Scheme::Parts(2), 9).is_err());
        assert!(Layout::new(64, 10, Scheme::Parts(2), 9).is_err());
        assert!(Layout::new(64, 3, Scheme::Parts(9), 9).is_err());
        assert!(Layout::new(64, 3, Scheme::Parts(0), 9).is_err());
        assert!(Layout::new(96, 3, Scheme::Parts(1), 9).is_err());
        assert!(Layout::new(u32::MAX, 3, Scheme::Prefixes(vec![vec![0..u32::MAX]]), 9).is_err());
        let backwards = Range { start: 9, end: 3 };
        let endless = 0..u32::MAX;
        let ranges = [vec![], vec![0..0], vec![0..9, 8..12], vec![60..65], vec![0..9, backwards]];
        for ranges in ranges.into_iter().chain([vec![endless]]) {
            assert!(Layout::new(64, 3, Scheme::Prefixes(vec![ranges]), 9).is_err());
        }
    }
}
