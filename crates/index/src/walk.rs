//! The walk of queries through the tables of a segment: buckets, suffixes, and which table reports.
//!
//! All buckets of a query are known before any is read. So a bucket goes through three stations, each
//! asking for the lines that the next one reads: its directory entry, its suffixes, the comparison.
//! Some buckets are at each station at any time, whosever query they belong to.

use crate::error::Error;
use crate::query::Match;
use crate::segment::{Segment, Table, high, suffix};
use crate::table_view::View;
use nearprint_fingerprint::fingerprint::Fingerprint;
use std::ops::{ControlFlow, Range};

/// Buckets between one station and the next.
const AHEAD: usize = 16;
/// Buckets under way.
const FLIGHT: usize = 2 * AHEAD;

/// A search under way.
pub(crate) struct Walk<'a, D, const WORDS: usize> {
    segment: &'a Segment<D, WORDS>,
    k: u32,
    views: Vec<View<'a>>,
    /// The queries of a group, permuted as the first table is, then as the second, and so on.
    permuted: Vec<[u64; WORDS]>,
}

/// A bucket of a table, under way for a query.
#[derive(Clone, Default)]
struct Probe {
    table: u32,
    query: u32,
    bucket: u32,
    /// Positions of its fingerprints, from the second station on.
    range: Range<usize>,
}

impl<'a, D: AsRef<[u8]>, const WORDS: usize> Walk<'a, D, WORDS> {
    pub(crate) fn new(segment: &'a Segment<D, WORDS>, k: u32) -> Result<Self, Error> {
        let views =
            segment.tables.iter().map(|table| segment.view(table)).collect::<Result<_, _>>();
        Ok(Self { segment, k, views: views?, permuted: Vec::new() })
    }

    /// Looks for a group of queries, the first of which has number `first`, in all tables. Inlined
    /// where the kernel's instructions are on.
    #[inline(always)]
    pub(crate) fn group(
        &mut self,
        queries: &[Fingerprint<WORDS>],
        first: usize,
        visit: &mut impl FnMut(Match<WORDS>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Error> {
        self.permuted.clear();
        for table in &self.segment.tables {
            self.permuted.extend(queries.iter().map(|query| table.layout.permutation.apply(query)));
        }
        let mut flight: [Probe; FLIGHT] = std::array::from_fn(|_| Probe::default());
        let mut begun = 0_usize;
        let tables = (0_u32..).zip(&self.segment.tables).zip(&self.views);
        for ((index, table), view) in tables {
            let Some(radius) = self.segment.layout().radius(index as usize, self.k) else {
                continue;
            };
            let code = &table.layout.code;
            let permuted = &self.permuted[index as usize * queries.len()..][..queries.len()];
            for (query, words) in (0_u32..).zip(permuted) {
                let place = code.place(high(words[WORDS - 1]));
                for difference in table.balls.get(code, radius, place.syndrome) {
                    let bucket = place.bucket ^ difference;
                    view.prefetch_entry(bucket);
                    let arriving = &flight[begun % FLIGHT];
                    if begun >= FLIGHT
                        && self.compare(arriving, queries.len(), first, visit)?.is_break()
                    {
                        return Ok(ControlFlow::Break(()));
                    }
                    flight[begun % FLIGHT] = Probe { table: index, query, bucket, range: 0..0 };
                    if begun >= AHEAD {
                        self.enter(&mut flight[(begun - AHEAD) % FLIGHT])?;
                    }
                    begun += 1;
                }
            }
        }
        for at in begun..begun + FLIGHT {
            if at >= FLIGHT {
                let arriving = &flight[at % FLIGHT];
                if self.compare(arriving, queries.len(), first, visit)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            if at >= AHEAD && at - AHEAD < begun {
                self.enter(&mut flight[(at - AHEAD) % FLIGHT])?;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// The second station: reads where the bucket is, and asks for it.
    #[inline(always)]
    fn enter(&self, probe: &mut Probe) -> Result<(), Error> {
        let view = &self.views[probe.table as usize];
        probe.range = view.bucket(probe.bucket)?;
        view.prefetch_suffixes(&probe.range);
        Ok(())
    }

    /// Compares a query with the fingerprints of a bucket.
    #[inline(always)]
    fn compare(
        &self,
        probe: &Probe,
        queries: usize,
        first: usize,
        visit: &mut impl FnMut(Match<WORDS>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Error> {
        let (index, query) = (probe.table as usize, probe.query as usize);
        let (view, words) = (&self.views[index], &self.permuted[index * queries + query]);
        let suffixes = view.suffixes(&probe.range)?;
        for (suffix, position) in suffixes.chunks_exact(view.suffix_bytes).zip(probe.range.start..)
        {
            if low_distance(suffix, words) > self.k {
                continue;
            }
            let near = self.near(index, probe.bucket, words, position);
            if let Some((fingerprint, distance)) = near {
                let query = first + query;
                let position = (index == 0).then_some(position as u64);
                if visit(Match { query, fingerprint, distance, position }).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// The fingerprint at a position of a table, in `bucket`, and its distance from the query with
    /// these permuted words, where they are near and the pair is this table's to report.
    #[inline(never)]
    fn near(
        &self,
        index: usize,
        bucket: u32,
        words: &[u64; WORDS],
        position: usize,
    ) -> Option<(Fingerprint<WORDS>, u32)> {
        let table = self.segment.tables.get(index)?;
        let (permutation, code) = (&table.layout.permutation, &table.layout.code);
        let suffixes = self.segment.suffixes(table, &(position..position + 1));
        let suffix = suffix(suffixes, 0, &table.suffix_mask)?;
        let mut difference: [u64; WORDS] = std::array::from_fn(|w| suffix[w] ^ words[w]);
        let leading =
            code.base(bucket) ^ code.offset(high(suffix[WORDS - 1])) ^ high(words[WORDS - 1]);
        difference[WORDS - 1] = u64::from(leading) << 32 | difference[WORDS - 1] & 0xffff_ffff;
        let distance: u32 = difference.iter().map(|word| word.count_ones()).sum();
        if distance > self.k {
            return None;
        }
        let difference = permutation.invert(&difference);
        let query = permutation.invert(words);
        self.reports(index, &difference).then(|| (exclusive_or(&query, &difference), distance))
    }

    /// Whether table `index` is the first one whose prefix has no more errors than it looks for.
    fn reports(&self, index: usize, difference: &Fingerprint<WORDS>) -> bool {
        let accepts = |(number, table): (usize, &Table<WORDS>)| {
            let errors =
                leading_ones(&table.layout.permutation.apply(difference), table.layout.prefix_bits);
            let radius = self.segment.layout().radius(number, self.k);
            radius.is_some_and(|radius| errors <= radius)
        };
        self.segment.tables.iter().enumerate().position(accepts) == Some(index)
    }
}

/// Bits in which a suffix differs from the permuted words of a query in the lowest word, of one word
/// its lower half: bits that no code takes in, so that they are compared as they stand. No more than
/// in all.
#[inline(always)]
fn low_distance<const WORDS: usize>(suffix: &[u8], words: &[u64; WORDS]) -> u32 {
    if WORDS == 1 {
        let low = suffix.first_chunk().map_or(0, |bytes| u64::from(u32::from_le_bytes(*bytes)));
        ((low ^ words[0]) & 0xffff_ffff).count_ones()
    } else {
        let low = suffix.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        (low ^ words[0]).count_ones()
    }
}

fn exclusive_or<const WORDS: usize>(
    a: &Fingerprint<WORDS>,
    b: &Fingerprint<WORDS>,
) -> Fingerprint<WORDS> {
    Fingerprint::from_words(std::array::from_fn(|i| a.words()[i] ^ b.words()[i]))
}

/// Ones among the `bits` leading bits.
fn leading_ones<const WORDS: usize>(words: &[u64; WORDS], bits: u32) -> u32 {
    let mut left = bits;
    words.iter().rev().fold(0, |sum, word| {
        let here = left.min(64);
        left -= here;
        sum + if here == 0 { 0 } else { (word >> (64 - here)).count_ones() }
    })
}
