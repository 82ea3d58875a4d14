//! The buckets of a band: which documents have an equal key, and which of these are near each other by the codes of
//! their sketches. The search on one machine, a work folder and an engine scan buckets here.

use crate::error::Error;
use crate::memory::columns::Key;
use crate::numbers::{entry, narrow};
use nearprint_fingerprint::Fingerprint128;
use rayon::prelude::*;
use std::ops::Range;

/// Documents of a bucket, at most, of which every pair is a candidate. The documents of larger buckets
/// are crowded.
pub(crate) const BUCKET: usize = 256;
/// Values of the highest byte of a key: parts of a band.
pub(crate) const PARTS: usize = 256;
/// Chunks of the keys of a band for each thread.
pub(crate) const CHUNKS: usize = 2;
/// Bytes of a document in memory while its band is scanned.
const RECORD: usize = 8;

/// The keys of a band, whose highest bytes are their last: in chunks that follow each other, each read on any thread.
pub(crate) trait BandKeys: Sync {
    /// How many chunks there are.
    fn chunks(&self) -> usize;

    /// Hands the place of every document of a chunk to `take`, ascending, with its key: each time the same.
    ///
    /// # Errors
    /// Where they cannot be read.
    fn each(&self, chunk: usize, take: impl FnMut(u32, Key)) -> Result<(), Error>;
}

/// Records of a band, those of each part side by side. A record is the rest of a key above the place of its document.
///
/// Memory: 8 bytes a record.
#[derive(Default)]
pub(crate) struct Parts {
    /// Records of each part of the band, for each chunk.
    counts: Vec<[usize; PARTS]>,
    /// The parts that are held.
    held: Range<usize>,
    records: Vec<u64>,
}

impl Parts {
    /// Counts the records of a band, and holds none. Reads on rayon's current pool.
    ///
    /// # Errors
    /// Those of the keys.
    pub(crate) fn count(&mut self, keys: &impl BandKeys) -> Result<(), Error> {
        let count = |chunk| {
            let mut counts = [0; PARTS];
            keys.each(chunk, |_, [.., part]| {
                if let Some(count) = counts.get_mut(usize::from(part)) {
                    *count += 1;
                }
            })?;
            Ok(counts)
        };
        self.counts =
            (0..keys.chunks()).into_par_iter().map(count).collect::<Result<_, Error>>()?;
        self.held = 0..0;
        Ok(())
    }

    /// Holds the records of the parts from `first` on, as many as fit into so many bytes: of one part at least. They are
    /// those of the keys that were [counted](Self::count). Returns the part behind them. Reads on rayon's current pool.
    ///
    /// # Errors
    /// Those of the keys.
    pub(crate) fn hold(
        &mut self,
        keys: &impl BandKeys,
        first: usize,
        bytes: usize,
    ) -> Result<usize, Error> {
        let (most, mut total) = (bytes / RECORD, 0);
        let fits = (first..PARTS).take_while(|part| {
            total += self.length(*part);
            total <= most
        });
        self.held = first..first + fits.count().max(1);
        let total = self.held.clone().map(|part| self.length(part)).sum();
        if self.records.len() < total {
            self.records.resize(total, 0);
        }
        // Every chunk has a place of its own in every part, behind those of the chunks before it.
        let mut places: Vec<Vec<_>> =
            self.counts.iter().map(|_| Vec::with_capacity(PARTS)).collect();
        let mut rest = self.records.as_mut_slice();
        for part in self.held.clone() {
            for (places, counts) in places.iter_mut().zip(&self.counts) {
                let (place, behind) = rest.split_at_mut(entry(counts, part));
                places.push(place.iter_mut());
                rest = behind;
            }
        }
        places.into_par_iter().enumerate().try_for_each(|(chunk, mut places)| {
            keys.each(chunk, |place, [a, b, c, d, part]| {
                let slot =
                    usize::from(part).checked_sub(first).and_then(|at| places.get_mut(at)?.next());
                if let Some(record) = slot {
                    *record = u64::from(u32::from_le_bytes([a, b, c, d])) << 32 | u64::from(place);
                }
            })
        })?;
        Ok(self.held.end)
    }

    /// The records of a part.
    fn length(&self, part: usize) -> usize {
        self.counts.iter().map(|counts| entry(counts, part)).sum()
    }

    /// The records of each part that is held.
    pub(crate) fn parts(&mut self) -> Vec<&mut [u64]> {
        let lengths: Vec<_> = self.held.clone().map(|part| self.length(part)).collect();
        let mut rest = self.records.as_mut_slice();
        let part = |length| {
            let (part, behind) = std::mem::take(&mut rest).split_at_mut(length);
            rest = behind;
            part
        };
        lengths.into_iter().map(part).collect()
    }
}

/// Documents of equal keys, by the records of a [part](Parts).
#[derive(Clone, Copy)]
pub(crate) struct Bucket<'a>(&'a [u64]);

impl Bucket<'_> {
    /// The places of its documents, ascending.
    pub(crate) fn places(&self) -> impl ExactSizeIterator<Item = u32> + Clone + '_ {
        self.0.iter().map(|record| narrow(record & u64::from(u32::MAX)))
    }

    /// Its places by their `groups`, those of each group ascending; `held` holds them.
    pub(crate) fn by_group<'h, G: Copy + Ord>(
        &self,
        groups: &[G],
        held: &'h mut Vec<(G, u32)>,
    ) -> impl Iterator<Item = &'h [(G, u32)]> + use<'h, G> {
        held.clear();
        held.extend(self.places().map(|at| (entry(groups, at as usize), at)));
        held.sort_unstable();
        held.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1)
    }
}

/// Sorts the records of a part, and hands every bucket of two documents and more to `each`.
pub(crate) fn scan(part: &mut [u64], mut each: impl FnMut(Bucket<'_>)) {
    part.sort_unstable();
    let buckets = part.chunk_by(|a, b| a >> 32 == b >> 32);
    buckets.filter(|bucket| bucket.len() > 1).for_each(|bucket| each(Bucket(bucket)));
}

/// What compares the documents of a bucket.
pub(crate) struct BandScan<'a> {
    /// The code of the sketch at each place.
    pub(crate) codes: &'a [Fingerprint128],
    /// Codes farther apart make no pair.
    pub(crate) radius: u32,
}

impl BandScan<'_> {
    /// Hands every two of some places to `emit` whose documents are within the radius, with their distance; those
    /// alone for which `is_asked`.
    ///
    /// # Errors
    /// The first of `emit`.
    pub(crate) fn pairs<E>(
        &self,
        places: impl Iterator<Item = u32> + Clone,
        is_asked: impl Fn(u32, u32) -> bool,
        mut emit: impl FnMut(u32, u32, u32) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut rest = places;
        while let Some(a) = rest.next() {
            let code = self.code(a);
            for b in rest.clone().filter(|b| is_asked(a, *b)) {
                let distance = code.distance(&self.code(b));
                if distance <= self.radius {
                    emit(a, b, distance)?;
                }
            }
        }
        Ok(())
    }

    /// Links the documents at the places of a bucket, so few that they join what its candidates join: those of a
    /// crowded bucket all to the first, of others each two within the radius for which `is_asked`.
    ///
    /// # Errors
    /// The first of `link`.
    pub(crate) fn links<E>(
        &self,
        mut places: impl ExactSizeIterator<Item = u32> + Clone,
        is_asked: impl Fn(u32, u32) -> bool,
        mut link: impl FnMut(u32, u32) -> Result<(), E>,
    ) -> Result<(), E> {
        if places.len() <= BUCKET {
            return self.pairs(places, is_asked, |a, b, _| link(a, b));
        }
        let Some(first) = places.next() else { return Ok(()) };
        places.try_for_each(|other| link(first, other))
    }

    fn code(&self, place: u32) -> Fingerprint128 {
        entry(self.codes, place as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    fn links(codes: &[u64]) -> Vec<(u32, u32)> {
        let codes: Vec<_> =
            codes.iter().map(|code| Fingerprint128::from_words([*code, 0])).collect();
        let (scan, mut links) = (BandScan { codes: &codes, radius: 1 }, Vec::new());
        let Ok(()) = scan.links(
            0..narrow(codes.len() as u64),
            |_, b| b < 1000,
            |a, b| {
                links.push((a, b));
                Ok::<(), Infallible>(())
            },
        );
        links
    }

    #[test]
    fn those_that_are_near_are_linked_and_all_of_a_crowded_bucket() {
        assert_eq!(links(&[0, 0b111, 1, 0b110]), [(0, 2), (1, 3)]);
        let apart = |count: usize| (0..).map(|at| 3 << (at % 32)).take(count).collect::<Vec<u64>>();
        assert!(links(&apart(32)).is_empty());
        assert_eq!(links(&apart(33)), [(0, 32)]);
        let crowded = apart(BUCKET + 1);
        assert_eq!(links(&crowded), (1..=256).map(|b| (0, b)).collect::<Vec<_>>());
        assert!(links(&apart(BUCKET)).len() > 256);
    }

    /// Keys in chunks of three.
    struct Keys(Vec<Key>);

    impl BandKeys for Keys {
        fn chunks(&self) -> usize {
            self.0.len().div_ceil(3)
        }

        fn each(&self, chunk: usize, mut take: impl FnMut(u32, Key)) -> Result<(), Error> {
            let keys = (0..).zip(&self.0).skip(3 * chunk).take(3);
            keys.for_each(|(place, key)| take(place, *key));
            Ok(())
        }
    }

    #[test]
    fn parts_are_held_as_many_as_there_is_room_for() {
        let keys: Vec<Key> =
            vec![[1, 0, 0, 0, 9], [0, 0, 0, 1, 9], [5, 0, 0, 0, 200], [1, 0, 0, 0, 9]];
        let (keys, mut parts) = (Keys(keys), Parts::default());
        for room in [0, 24, 1 << 20] {
            parts.count(&keys).unwrap();
            let (mut first, mut buckets, mut held) = (0, Vec::new(), Vec::new());
            while first < PARTS {
                first = parts.hold(&keys, first, room).unwrap();
                for part in parts.parts() {
                    held.extend_from_slice(part);
                    scan(part, |bucket| buckets.push(bucket.places().collect::<Vec<_>>()));
                }
            }
            // Those of a part in the order of documents.
            assert_eq!(held, [1 << 32, 1 << 56 | 1, 1 << 32 | 3, 5 << 32 | 2]);
            assert_eq!(buckets, [[0, 3]]);
        }
        parts.count(&Keys(Vec::new())).unwrap();
        assert_eq!(parts.hold(&Keys(Vec::new()), 0, 8).unwrap(), PARTS);
    }
}
