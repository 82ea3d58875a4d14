//! Searching a segment: the walk over tables, buckets and suffixes.
//!
//! All buckets of a query are known before any is read, so each step asks for the lines of the next
//! one: directory entries first, then suffixes, many at a time and across queries.

use crate::error::Error;
use crate::kernel::Kernel;
use crate::neighbor::Neighbor;
use crate::prefetch::prefetch;
use crate::segment::{Segment, Table, high, suffix};
use nearprint_fingerprint::fingerprint::Fingerprint;
use std::ops::{ControlFlow, Range};

/// Buckets that are under way at a time.
const FLIGHT: usize = 512;
/// Bytes of a cache line.
const LINE: usize = 64;

/// A fingerprint of a segment that is near a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match<const WORDS: usize> {
    /// The number of the query in its batch.
    pub query: usize,
    /// The fingerprint found.
    pub fingerprint: Fingerprint<WORDS>,
    /// Its distance from the query, in bits.
    pub distance: u32,
}

/// A bucket to be looked at for a query.
#[derive(Clone, Copy)]
struct Probe {
    query: u32,
    bucket: u32,
}

impl<D: AsRef<[u8]>, const WORDS: usize> Segment<D, WORDS> {
    /// The documents within `k` bits of `query`, nearest first, then by ordinal; at most `limit`.
    ///
    /// # Errors
    /// [`Error::RadiusOverTables`] where `k` is more than the segment was built for;
    /// [`Error::Corrupt`] on damage.
    ///
    /// # Complexity
    /// One directory entry and one or two cache lines for each bucket that the radius meets: 2 x 14
    /// for `k = 3` of 64 bits in two parts at ten million fingerprints.
    pub fn neighbors(
        &self,
        query: &Fingerprint<WORDS>,
        k: u32,
        limit: Option<usize>,
    ) -> Result<Vec<Neighbor>, Error> {
        let mut found = Vec::new();
        self.search(std::slice::from_ref(query), k, |found_one| {
            found.push(found_one);
            ControlFlow::Continue(())
        })?;
        found.sort_unstable_by_key(|found| found.distance);
        let limit = limit.unwrap_or(usize::MAX);
        let mut near = Vec::new();
        for group in found.chunk_by(|a, b| a.distance == b.distance) {
            if near.len() >= limit {
                break;
            }
            let from = near.len();
            for Match { fingerprint, distance, .. } in group {
                let docs = self.documents_of(fingerprint)?;
                near.extend(docs.map(|doc| Neighbor { doc, distance: *distance }));
            }
            near[from..].sort_unstable_by_key(Neighbor::nearness);
        }
        near.truncate(limit);
        Ok(near)
    }

    /// Whether any fingerprint is within `k` bits of `query`: one that is, not always the nearest.
    ///
    /// # Errors
    /// As [`Self::neighbors`].
    pub fn any(&self, query: &Fingerprint<WORDS>, k: u32) -> Result<Option<Match<WORDS>>, Error> {
        let mut first = None;
        self.search(std::slice::from_ref(query), k, |found| {
            first = Some(found);
            ControlFlow::Break(())
        })?;
        Ok(first)
    }

    /// The documents of a fingerprint, ascending; none where it is not in the segment.
    ///
    /// # Errors
    /// [`Error::Corrupt`] on damage.
    pub fn documents_of(
        &self,
        fingerprint: &Fingerprint<WORDS>,
    ) -> Result<impl Iterator<Item = u64>, Error> {
        let position = self.position(fingerprint)?;
        let docs = position.map(|position| self.docs(position)).transpose()?;
        Ok(docs.into_iter().flatten())
    }

    /// Hands every fingerprint within `k` bits of each of `queries` to `visit`, each once for each
    /// query, in no particular order, until `visit` breaks.
    ///
    /// Searching a batch on several threads is calling this with parts of it.
    ///
    /// # Errors
    /// As [`Self::neighbors`].
    pub fn search(
        &self,
        queries: &[Fingerprint<WORDS>],
        k: u32,
        mut visit: impl FnMut(Match<WORDS>) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let built = self.layout().k();
        if k > built {
            return Err(Error::RadiusOverTables { k, built });
        }
        let radii = self.layout().radii(k);
        let mut walk = Walk {
            segment: self,
            k,
            radii: &radii,
            probes: Vec::with_capacity(FLIGHT),
            ranges: Vec::with_capacity(FLIGHT),
        };
        let kernel = Kernel::detect();
        let group = 64.min(queries.len()).max(1);
        for (number, group) in queries.chunks(group).enumerate() {
            let first = number * 64;
            for index in 0..self.tables.len() {
                let step = kernel.run(
                    #[inline(always)]
                    || walk.table(index, group, first, &mut visit),
                );
                if step?.is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

/// A search under way.
struct Walk<'a, D, const WORDS: usize> {
    segment: &'a Segment<D, WORDS>,
    k: u32,
    radii: &'a [Option<u32>],
    probes: Vec<Probe>,
    ranges: Vec<Range<usize>>,
}

impl<D: AsRef<[u8]>, const WORDS: usize> Walk<'_, D, WORDS> {
    /// Looks for a group of queries in one table. Inlined where the kernel's instructions are on.
    #[inline(always)]
    fn table(
        &mut self,
        index: usize,
        queries: &[Fingerprint<WORDS>],
        first: usize,
        visit: &mut impl FnMut(Match<WORDS>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Error> {
        let (Some(table), Some(Some(radius))) =
            (self.segment.tables.get(index), self.radii.get(index).copied())
        else {
            return Ok(ControlFlow::Continue(()));
        };
        let segment = self.segment;
        let (data, code) = (segment.data(), &table.layout.code);
        let entry_bytes = segment.footer.entry_bytes as usize;
        let permuted: Vec<[u64; WORDS]> =
            queries.iter().map(|query| table.layout.permutation.apply(query)).collect();
        for (query, words) in (0_u32..).zip(&permuted) {
            let place = code.place(high(words[WORDS - 1]));
            for difference in table.balls.get(code, radius, place.syndrome) {
                let bucket = place.bucket ^ difference;
                prefetch(data, table.directory.start + bucket as usize * entry_bytes);
                self.probes.push(Probe { query, bucket });
                if self.probes.len() == FLIGHT
                    && self.land(index, table, &permuted, first, visit)?.is_break()
                {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        self.land(index, table, &permuted, first, visit)
    }

    /// Looks at the buckets that are under way.
    #[inline(always)]
    fn land(
        &mut self,
        index: usize,
        table: &Table<WORDS>,
        permuted: &[[u64; WORDS]],
        first: usize,
        visit: &mut impl FnMut(Match<WORDS>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Error> {
        let segment = self.segment;
        self.ranges.clear();
        for probe in &self.probes {
            let range = segment.bucket(table, probe.bucket)?;
            if !range.is_empty() {
                let start = table.suffixes.start + range.start * table.suffix_bytes;
                let end = table.suffixes.start + range.end * table.suffix_bytes;
                (start..end).step_by(LINE).for_each(|at| prefetch(segment.data(), at));
                prefetch(segment.data(), end - 1);
            }
            self.ranges.push(range);
        }
        let code = &table.layout.code;
        for (probe, range) in self.probes.iter().zip(&self.ranges) {
            let words = &permuted[probe.query as usize];
            let top = words[WORDS - 1];
            let base = code.base(probe.bucket) ^ high(top);
            let suffixes = segment.suffixes(table, range);
            for i in 0..range.len() {
                let Some(suffix) = suffix(suffixes, i * table.suffix_bytes, &table.suffix_mask)
                else {
                    return Err(Error::Corrupt { what: "a table" });
                };
                let mut difference: [u64; WORDS] = std::array::from_fn(|w| suffix[w] ^ words[w]);
                let leading = base ^ code.offset(high(suffix[WORDS - 1]));
                difference[WORDS - 1] =
                    u64::from(leading) << 32 | difference[WORDS - 1] & 0xffff_ffff;
                let distance: u32 = difference.iter().map(|word| word.count_ones()).sum();
                if distance > self.k {
                    continue;
                }
                let difference = table.layout.permutation.invert(&difference);
                if !self.reports(index, &difference) {
                    continue;
                }
                let query = table.layout.permutation.invert(words);
                let fingerprint = exclusive_or(&query, &difference);
                let found = Match { query: first + probe.query as usize, fingerprint, distance };
                if visit(found).is_break() {
                    self.probes.clear();
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        self.probes.clear();
        Ok(ControlFlow::Continue(()))
    }

    /// Whether table `index` is the first one whose prefix has no more errors than it looks for.
    fn reports(&self, index: usize, difference: &Fingerprint<WORDS>) -> bool {
        let accepts = |(table, radius): (&Table<WORDS>, &Option<u32>)| {
            let errors =
                leading_ones(&table.layout.permutation.apply(difference), table.layout.prefix_bits);
            radius.is_some_and(|radius| errors <= radius)
        };
        self.segment.tables.iter().zip(self.radii).position(accepts) == Some(index)
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
