//! Items cut into the buckets of a table, by two steps of counting that stay in cache.
//!
//! First every chunk of the items is sorted by the leading bits of the key; then each value of those
//! bits, a part, is gathered from all chunks and sorted by bits that follow. Tables whose keys begin
//! with the same bits share the first step. Nothing is compared here.

use crate::machine::huge_pages;
use crate::machine::stop::Stop;
use crate::top::top;
use nearprint_bits::Fingerprint;
use rayon::prelude::*;
use std::ops::Range;

/// Bytes of items that are sorted at once: a chunk and its sorted copy fit the second-level cache.
const CACHED: usize = 1 << 19;
/// Bits of a part's number: enough parts for threads to share evenly, and few enough that the runs of a
/// chunk are worth copying.
const PART_BITS: std::ops::RangeInclusive<u32> = 6..=12;

/// Items of which every chunk is sorted by the leading bits of a key.
pub(crate) struct Partition<'a, T> {
    /// How many bits those are.
    bits: u32,
    /// Each chunk, and where each part of it ends.
    chunks: Vec<(&'a [T], Vec<usize>)>,
    stop: &'a Stop<'a>,
}

/// Leading bits by which so many items are best cut into parts, of a key of `key_bits`.
pub(crate) fn part_bits<T>(items: usize, key_bits: u32) -> u32 {
    let wanted = items.div_ceil(chunk_len::<T>()).next_power_of_two().ilog2();
    wanted.clamp(*PART_BITS.start(), *PART_BITS.end()).min(key_bits)
}

/// Items of a chunk.
fn chunk_len<T>() -> usize {
    (CACHED / size_of::<T>().max(1)).max(1)
}

impl<'a, T: Copy + Default + Send + Sync> Partition<'a, T> {
    /// Sorts `count` items by the `bits` leading bits of their keys, chunk by chunk, into `room`.
    /// `items` yields those at a range of positions, `leads` the bits of each of some. After a `stop`
    /// the rest of the chunks count as empty, and so do parts.
    pub(crate) fn new<I: Iterator<Item = T>>(
        count: usize,
        items: impl Fn(Range<usize>) -> I + Sync,
        bits: u32,
        leads: impl Fn(&[T], &mut Vec<u32>) + Sync,
        room: &'a mut Vec<T>,
        stop: &'a Stop<'_>,
    ) -> Self {
        fill(room, count);
        let chunks = room.par_chunks_mut(chunk_len::<T>()).enumerate().map_init(
            Sorter::default,
            |sorter, (chunk, sorted)| {
                let start = chunk * chunk_len::<T>();
                let mut ends = vec![0; 1 << bits];
                if stop.asked() {
                    return (&*sorted, ends);
                }
                sorter.items.clear();
                sorter.items.extend(items(start..start + sorted.len()));
                sorter.sort(&leads, &mut ends, sorted);
                (&*sorted, ends)
            },
        );
        Self { bits, chunks: chunks.collect(), stop }
    }

    /// The same for items that are in the order of `lead` as they stand.
    pub(crate) fn of_sorted(
        items: &'a [T],
        bits: u32,
        lead: impl Fn(&T) -> usize,
        stop: &'a Stop<'_>,
    ) -> Self {
        let end = |part| items.partition_point(|item| lead(item) <= part);
        Self { bits, chunks: vec![(items, (0..1 << bits).map(end).collect())], stop }
    }

    /// Items of each part.
    pub(crate) fn sizes(&self) -> impl Iterator<Item = usize> {
        (0..1 << self.bits)
            .map(|part| self.chunks.iter().map(|(_, ends)| range(ends, part).len()).sum())
    }

    /// Hands every part to `each`, on many threads, with the state at its place in `states`: its items
    /// bucket by bucket, those of a bucket in the order in which they came, and where each bucket
    /// ends. `keys` tells the buckets of items within a part, each one of `2^low_bits`.
    pub(crate) fn for_each<S: Send>(
        &self,
        states: Vec<S>,
        low_bits: u32,
        keys: impl Fn(&[T], &mut Vec<u32>) + Sync,
        each: impl Fn(S, &mut [T], &[usize]) + Sync,
    ) {
        self.for_each_from(0, states, low_bits, keys, each);
    }

    /// The same from part `first` on, for as many parts as there are states.
    pub(crate) fn for_each_from<S: Send>(
        &self,
        first: usize,
        states: Vec<S>,
        low_bits: u32,
        keys: impl Fn(&[T], &mut Vec<u32>) + Sync,
        each: impl Fn(S, &mut [T], &[usize]) + Sync,
    ) {
        states.into_par_iter().with_max_len(1).enumerate().for_each_init(
            || (Sorter::default(), Vec::new(), Vec::new()),
            |(sorter, items, ends), (part, state)| {
                if self.stop.asked() {
                    return;
                }
                sorter.items.clear();
                for (chunk, ends) in &self.chunks {
                    sorter.items.extend_from_slice(&chunk[range(ends, first + part)]);
                }
                items.resize(sorter.items.len(), T::default());
                ends.clear();
                ends.resize(1 << low_bits, 0);
                sorter.sort(&keys, ends, items);
                each(state, items, ends);
            },
        );
    }

    /// States for parts that need no state.
    pub(crate) fn stateless(&self) -> Vec<()> {
        vec![(); 1 << self.bits]
    }
}

/// Writes to `keys` the value of `bits` bits of the leading word of each fingerprint, after the first `skip`.
#[expect(clippy::cast_possible_truncation, reason = "as many bits as items need")]
pub(crate) fn leading<const WORDS: usize, O>(
    items: &[(Fingerprint<WORDS>, O)],
    skip: u32,
    bits: u32,
    keys: &mut Vec<u32>,
) {
    keys.clear();
    keys.extend(
        items.iter().map(|(code, _)| {
            (top(code.words()) << skip).checked_shr(64 - bits).unwrap_or(0) as u32
        }),
    );
}

/// Makes `items` hold `count` values, whichever, each thread touching memory of its own.
pub(crate) fn fill<T: Default + Send>(items: &mut Vec<T>, count: usize) {
    if items.len() == count {
        return;
    }
    items.clear();
    items.reserve_exact(count);
    huge_pages::ask(items);
    (0..count).into_par_iter().map(|_| T::default()).collect_into_vec(items);
}

/// Where a part lies, from the ends of all.
fn range(ends: &[usize], part: usize) -> Range<usize> {
    part.checked_sub(1).map_or(0, |before| ends[before])..ends[part]
}

/// Items to be sorted, and their keys.
#[derive(Default)]
struct Sorter<T> {
    items: Vec<T>,
    keys: Vec<u32>,
}

impl<T: Copy> Sorter<T> {
    /// Sorts the items by key into `sorted`, of the same length, and leaves in `ends`, zero before,
    /// where the items of each key end.
    fn sort(&mut self, keys: impl Fn(&[T], &mut Vec<u32>), ends: &mut [usize], sorted: &mut [T]) {
        keys(&self.items, &mut self.keys);
        self.keys.iter().for_each(|key| ends[*key as usize] += 1);
        let mut start = 0;
        for end in ends.iter_mut() {
            start += std::mem::replace(end, start);
        }
        for (item, key) in self.items.iter().zip(&self.keys) {
            let end = &mut ends[*key as usize];
            sorted[*end] = *item;
            *end += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::sync::Mutex;

    fn narrow(value: u64) -> usize {
        usize::try_from(value).unwrap()
    }

    type Item = (u64, usize);

    fn each(key: impl Fn(&Item) -> usize) -> impl Fn(&[Item], &mut Vec<u32>) {
        move |items, keys| {
            keys.clear();
            keys.extend(items.iter().map(|item| u32::try_from(key(item)).unwrap()));
        }
    }

    fn buckets(partition: &Partition<'_, Item>, bits: u32, low: u32) -> Vec<Item> {
        let found = Mutex::new(vec![Vec::new(); 1 << bits]);
        let states = (0..1_u64 << bits).collect();
        let key = |item: &Item| narrow(item.0 >> (63 - bits - low)) & ((1 << low) - 1);
        partition.for_each(states, low, each(key), |part, items, ends| {
            assert_eq!(ends.len(), 1 << low);
            let mut start = 0;
            for (bucket, end) in ends.iter().enumerate() {
                let bucket = part << low | bucket as u64;
                assert!(items[start..*end].iter().all(|(v, _)| v >> (63 - bits - low) == bucket));
                start = *end;
            }
            assert_eq!(start, items.len());
            found.lock().unwrap()[narrow(part)] = items.to_vec();
        });
        found.into_inner().unwrap().concat()
    }

    proptest! {
        #[test]
        fn every_item_lands_in_its_bucket_once_and_in_order(
            mut values in prop::collection::vec(0_u64..1 << 63, 0..400), bits in 0_u32..8, low in 0_u32..9,
        ) {
            // Several chunks: more items than one chunk holds.
            values = values.repeat(100);
            let lead = |item: &Item| narrow(item.0 >> (63 - bits));
            let item = |at: usize| (values[at], at);
            let (mut room, stop) = (Vec::new(), Stop::default());
            let partition = Partition::new(values.len(), |r| r.map(item), bits, each(lead), &mut room, &stop);
            let sizes: Vec<_> = partition.sizes().collect();
            prop_assert_eq!((sizes.len(), sizes.iter().sum::<usize>()), (1 << bits, values.len()));
            let found = buckets(&partition, bits, low);
            let mut expected: Vec<_> = (0..values.len()).map(item).collect();
            expected.sort_by_key(|(value, _)| value >> (63 - bits - low));
            prop_assert_eq!(&found, &expected);
            let sorted = Partition::of_sorted(&expected, bits, lead, &stop);
            prop_assert_eq!(buckets(&sorted, bits, low), found);
        }
    }
}
