//! The walk of queries through the tables of some segments: buckets, suffixes, and which table reports.
//!
//! All buckets of a query are known before any is read. So a bucket goes through three stations, each
//! asking for the lines that the next one reads: its directory entry, its suffixes, the comparison.
//! Some buckets are at each station at any time, of any query and any segment.

use crate::segments::found::{Damage, Match, Visit};
use crate::segments::narrowing::{NARROWED, Narrowing};
use crate::segments::segment::{Opened, Table, high, suffix};
use crate::segments::table_view::View;
use nearprint_bits::Fingerprint;
use std::ops::ControlFlow;

/// Buckets between one station and the next.
const AHEAD: usize = 16;
/// Buckets under way.
const FLIGHT: usize = 2 * AHEAD;

/// A search under way in some segments: through their tables, one segment after the other.
pub(crate) struct Walk<'a, const WORDS: usize> {
    segments: &'a [Opened<'a, WORDS>],
    lanes: Vec<Lane<'a, WORDS>>,
}

/// A table of one of the segments.
struct Lane<'a, const WORDS: usize> {
    segment: usize,
    index: usize,
    table: &'a Table<WORDS>,
    view: View<'a>,
    /// How a bucket is searched for the whole prefix.
    narrowing: Narrowing,
}

impl<const WORDS: usize> Lane<'_, WORDS> {
    /// The top word of the key of permuted words.
    fn key_top(&self, words: &[u64; WORDS]) -> u64 {
        let word = words[WORDS - 1];
        u64::from(self.table.layout.code.encode(high(word))) << 32 | word & 0xffff_ffff
    }
}

/// A bucket of a table, under way for a query.
#[derive(Clone, Copy)]
struct Probe<const WORDS: usize> {
    lane: u32,
    query: u32,
    bucket: u32,
    /// The radius in the whole segment.
    k: u32,
    /// Whether what the table reports agrees with the query in the whole prefix.
    exact: bool,
    /// The query, permuted as the table is.
    words: [u64; WORDS],
    /// Positions of its fingerprints, from the second station on.
    range: (usize, usize),
}

impl<const WORDS: usize> Probe<WORDS> {
    const NONE: Self =
        Self { lane: 0, query: 0, bucket: 0, k: 0, exact: false, words: [0; WORDS], range: (0, 0) };
}

impl<'a, const WORDS: usize> Walk<'a, WORDS> {
    pub(crate) fn new(segments: &'a [Opened<'a, WORDS>]) -> Result<Self, Damage> {
        let mut lanes = Vec::with_capacity(segments.iter().map(|it| it.tables.len()).sum());
        for (number, segment) in segments.iter().enumerate() {
            for (index, table) in segment.tables.iter().enumerate() {
                let view = segment.view(table).map_err(|error| (number, error))?;
                let layout = &table.layout;
                let narrowing = Narrowing::new(&layout.code, layout.prefix_bits, WORDS);
                lanes.push(Lane { segment: number, index, table, view, narrowing });
            }
        }
        Ok(Self { segments, lanes })
    }

    /// Looks for a group of queries, the first of which has number `first`, in all tables, within `k`
    /// bits, which `visit` may change for the segments to come. Inlined where the kernel's
    /// instructions are on.
    #[inline(always)]
    pub(crate) fn group(
        &self,
        queries: &[Fingerprint<WORDS>],
        first: usize,
        k: &mut u32,
        visit: &mut Visit<'_, WORDS>,
    ) -> Result<ControlFlow<()>, Damage> {
        let mut flight = [Probe::NONE; FLIGHT];
        let mut begun = 0_usize;
        let mut here = *k;
        for (number, lane) in (0_u32..).zip(&self.lanes) {
            if lane.index == 0 {
                here = *k;
            }
            let Some(radius) = self.segments[lane.segment].layout().radius(lane.index, here) else {
                continue;
            };
            let code = &lane.table.layout.code;
            let exact = radius == 0 && lane.narrowing.narrows();
            for (query, fingerprint) in (0_u32..).zip(queries) {
                let words = lane.table.layout.permutation.apply(fingerprint);
                let place = code.place(high(words[WORDS - 1]));
                for difference in lane.table.balls.get(code, radius, place.syndrome) {
                    let bucket = place.bucket ^ difference;
                    lane.view.prefetch_entry(bucket);
                    let slot = begun % FLIGHT;
                    if begun >= FLIGHT && self.compare(&flight[slot], first, k, visit)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                    flight[slot] =
                        Probe { lane: number, query, bucket, k: here, exact, words, range: (0, 0) };
                    if begun >= AHEAD {
                        self.enter(&mut flight[(begun - AHEAD) % FLIGHT])?;
                    }
                    begun += 1;
                }
            }
        }
        for at in begun..begun + FLIGHT {
            let slot = at % FLIGHT;
            if at >= FLIGHT && self.compare(&flight[slot], first, k, visit)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            if at >= AHEAD && at - AHEAD < begun {
                self.enter(&mut flight[(at - AHEAD) % FLIGHT])?;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// The second station: reads where the bucket is, and asks for it.
    #[inline(always)]
    fn enter(&self, probe: &mut Probe<WORDS>) -> Result<(), Damage> {
        let lane = &self.lanes[probe.lane as usize];
        let range = lane.view.bucket(probe.bucket).map_err(|error| (lane.segment, error))?;
        probe.exact &= range.len() > NARROWED;
        if probe.exact {
            let near = lane.narrowing.guess(&range, lane.key_top(&probe.words));
            lane.view.prefetch_suffixes(&near);
        } else {
            lane.view.prefetch_suffixes(&range);
        }
        probe.range = (range.start, range.end);
        Ok(())
    }

    /// Compares a query with the fingerprints of a bucket.
    #[inline(always)]
    fn compare(
        &self,
        probe: &Probe<WORDS>,
        first: usize,
        k: &mut u32,
        visit: &mut Visit<'_, WORDS>,
    ) -> Result<ControlFlow<()>, Damage> {
        let lane = &self.lanes[probe.lane as usize];
        let mut range = probe.range.0..probe.range.1;
        if probe.exact {
            range = lane.narrowing.of(&lane.view, &range, lane.key_top(&probe.words));
        }
        let suffixes = lane.view.suffixes(&range).map_err(|error| (lane.segment, error))?;
        for (suffix, position) in suffixes.chunks_exact(lane.view.suffix_bytes).zip(range) {
            if low_distance(suffix, &probe.words) > probe.k {
                continue;
            }
            if let Some((fingerprint, distance)) = self.near(probe, position) {
                let query = first + probe.query as usize;
                let position = (lane.index == 0).then_some(position as u64);
                match visit(lane.segment, Match { query, fingerprint, distance, position }) {
                    ControlFlow::Continue(wanted) => *k = wanted,
                    ControlFlow::Break(()) => return Ok(ControlFlow::Break(())),
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// The fingerprint at a position of a table and its distance from the query, where they are near
    /// and the pair is this table's to report.
    #[inline(never)]
    fn near(&self, probe: &Probe<WORDS>, position: usize) -> Option<(Fingerprint<WORDS>, u32)> {
        let Lane { segment, index, table, .. } = self.lanes.get(probe.lane as usize)?;
        let (segment, words) = (*self.segments.get(*segment)?, &probe.words);
        let (permutation, code) = (&table.layout.permutation, &table.layout.code);
        let suffixes = segment.suffixes(table, &(position..position + 1));
        let suffix = suffix(suffixes, 0, &table.suffix_mask)?;
        let mut difference: [u64; WORDS] = std::array::from_fn(|w| suffix[w] ^ words[w]);
        let leading =
            code.base(probe.bucket) ^ code.offset(high(suffix[WORDS - 1])) ^ high(words[WORDS - 1]);
        difference[WORDS - 1] = u64::from(leading) << 32 | difference[WORDS - 1] & 0xffff_ffff;
        let distance: u32 = difference.iter().map(|word| word.count_ones()).sum();
        if distance > probe.k {
            return None;
        }
        let difference = permutation.invert(&difference);
        let query = permutation.invert(words);
        let reports = reporter(segment, &difference, probe.k) == Some(*index);
        reports.then(|| (exclusive_or(&query, &difference), distance))
    }
}

/// The table that reports a pair with this difference: the first one whose prefix has no more errors
/// than a search within `k` bits looks for.
fn reporter<const WORDS: usize>(
    segment: Opened<'_, WORDS>,
    difference: &Fingerprint<WORDS>,
    k: u32,
) -> Option<usize> {
    let accepts = |(number, table): (usize, &Table<WORDS>)| {
        let errors =
            leading_ones(&table.layout.permutation.apply(difference), table.layout.prefix_bits);
        segment.layout().radius(number, k).is_some_and(|radius| errors <= radius)
    };
    segment.tables.iter().enumerate().position(accepts)
}

/// Distance over the bits that no bucket code changes: the lowest word, or its lower half if there is
/// one word. A lower bound of the full distance.
#[inline(always)]
pub(crate) fn low_distance<const WORDS: usize>(suffix: &[u8], words: &[u64; WORDS]) -> u32 {
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
