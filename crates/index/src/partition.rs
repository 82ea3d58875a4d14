//! Codes cut into the buckets of one table, by two steps of counting that stay in cache.
//!
//! First every chunk of the codes is sorted by the leading bits of the key; then each value of
//! those bits, a part, is gathered from all chunks and sorted by the rest. Nothing is compared here.

use crate::prefix::Prefix;
use nearprint_fingerprint::fingerprint::Fingerprint;
use rayon::prelude::*;

/// Bytes of codes that are sorted at once: a chunk and its sorted copy fit the second-level cache.
const CACHED: usize = 1 << 18;
/// Parts are as many as threads can share evenly, and no more than a chunk has runs worth copying.
const PART_BITS: std::ops::RangeInclusive<u32> = 6..=12;

/// The codes of a table, every chunk sorted by the leading bits of the key.
pub(crate) struct Partition<'a, const WORDS: usize> {
    prefix: &'a Prefix,
    /// Bits of the key that tell buckets of one part apart.
    low: u32,
    /// Each chunk, and where each part of it ends.
    chunks: Vec<(&'a [Fingerprint<WORDS>], Vec<usize>)>,
}

impl<'a, const WORDS: usize> Partition<'a, WORDS> {
    /// Sorts `codes` by the leading bits of their keys, chunk by chunk, into `room`.
    pub(crate) fn new(
        codes: &[Fingerprint<WORDS>],
        prefix: &'a Prefix,
        room: &'a mut Vec<Fingerprint<WORDS>>,
    ) -> Self {
        let cached = (CACHED / (8 * WORDS).max(1)).max(1);
        let wanted = codes.len().div_ceil(cached).next_power_of_two().ilog2();
        let high = wanted.clamp(*PART_BITS.start(), *PART_BITS.end()).min(prefix.bits());
        let low = prefix.bits() - high;
        room.resize(codes.len(), Fingerprint::ZERO);
        let chunks = codes
            .par_chunks(cached)
            .zip(room.par_chunks_mut(cached))
            .map(|(chunk, sorted)| {
                let mut ends = vec![0; 1 << high];
                sort_by_key(|| chunk.iter(), |code| prefix.key(code) >> low, &mut ends, sorted);
                (&*sorted, ends)
            })
            .collect();
        Self { prefix, low, chunks }
    }

    /// Hands every part to `each`, on many threads: its codes bucket by bucket, and where each of
    /// its buckets ends.
    pub(crate) fn for_each(&self, each: impl Fn(&[Fingerprint<WORDS>], &[usize]) + Sync) {
        let low = !(usize::MAX << self.low);
        let parts = 1_usize << (self.prefix.bits() - self.low);
        (0..parts).into_par_iter().with_max_len(1).for_each_init(
            || (Vec::new(), Vec::new()),
            |(codes, ends), part| {
                let runs = || {
                    self.chunks.iter().flat_map(|(chunk, ends)| {
                        let start = part.checked_sub(1).map_or(0, |before| ends[before]);
                        &chunk[start..ends[part]]
                    })
                };
                let len = self.chunks.iter().map(|(_, ends)| {
                    ends[part] - part.checked_sub(1).map_or(0, |before| ends[before])
                });
                codes.resize(len.sum(), Fingerprint::ZERO);
                ends.clear();
                ends.resize(low + 1, 0);
                sort_by_key(runs, |code| self.prefix.key(code) & low, ends, codes);
                each(codes, ends);
            },
        );
    }
}

/// Sorts what `codes` yields by `key` into `sorted`, of the same length, and leaves in `ends`, zero
/// before, where the codes of each key end.
fn sort_by_key<'c, const WORDS: usize, I: Iterator<Item = &'c Fingerprint<WORDS>>>(
    codes: impl Fn() -> I,
    key: impl Fn(&Fingerprint<WORDS>) -> usize,
    ends: &mut [usize],
    sorted: &mut [Fingerprint<WORDS>],
) {
    codes().for_each(|code| ends[key(code)] += 1);
    let mut start = 0;
    for end in ends.iter_mut() {
        start += std::mem::replace(end, start);
    }
    codes().for_each(|code| {
        let end = &mut ends[key(code)];
        sorted[*end] = *code;
        *end += 1;
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::sync::Mutex;

    proptest! {
        #[test]
        fn every_code_lands_in_its_bucket_once(mut words in prop::collection::vec(any::<u64>(), 0..400), bits in 0_u32..16) {
            // Several chunks: more codes than one chunk holds.
            words = words.repeat(100);
            let mut codes: Vec<_> = words.iter().map(|word| Fingerprint::from(*word)).collect();
            let prefix = Prefix::new((20..20 + bits).rev());
            let mut room = Vec::new();
            let found = Mutex::new(Vec::new());
            Partition::new(&codes, &prefix, &mut room).for_each(|codes, ends| {
                let mut start = 0;
                for end in ends {
                    let bucket = &codes[start..*end];
                    assert!(bucket.iter().all(|code| prefix.key(code) == prefix.key(&bucket[0])));
                    start = *end;
                }
                assert_eq!(start, codes.len());
                found.lock().unwrap().extend_from_slice(codes);
            });
            let mut found = found.into_inner().unwrap();
            found.sort_unstable();
            codes.sort_unstable();
            prop_assert_eq!(found, codes);
        }
    }
}
