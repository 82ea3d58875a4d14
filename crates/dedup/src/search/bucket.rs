//! The buckets of a band: which documents have an equal key, and which of these are near each other by the codes of
//! their sketches. The search on one machine, a work folder and an engine scan buckets here.

use crate::numbers::{entry, narrow};
use nearprint_fingerprint::{BandShape, Fingerprint128};
use std::ops::Range;

/// Documents of a bucket, at most, of which every pair is a candidate. The documents of larger buckets
/// are crowded.
pub(crate) const BUCKET: usize = 256;
/// Values of the highest byte of a key: parts of a band.
pub(crate) const PARTS: usize = 256;
/// Bytes of a document in memory while its band is scanned.
const RECORD: usize = 8;

/// A key of a band: its highest byte is its last.
pub(crate) type Key = [u8; BandShape::KEY_BYTES];

/// Records of a band, those of each part side by side. A record is the rest of a key above the place of its document.
///
/// Memory: 8 bytes a record.
pub(crate) struct Parts {
    /// Records of each part of the band.
    counts: [usize; PARTS],
    /// The parts that are held.
    held: Range<usize>,
    /// Where the records of each of these end so far.
    ends: [usize; PARTS],
    records: Vec<u64>,
}

impl Parts {
    /// No records, and none counted.
    pub(crate) fn new() -> Self {
        Self { counts: [0; PARTS], held: 0..0, ends: [0; PARTS], records: Vec::new() }
    }

    /// Begins another band: nothing is counted of it.
    pub(crate) fn begin(&mut self) {
        self.counts = [0; PARTS];
    }

    /// Counts a document by its key.
    pub(crate) fn count(&mut self, [.., part]: Key) {
        if let Some(count) = self.counts.get_mut(usize::from(part)) {
            *count += 1;
        }
    }

    /// Makes room for the counted records of the parts from `first` on, as many as fit into so many bytes: of one part
    /// at least. Returns the part behind them.
    pub(crate) fn hold(&mut self, first: usize, bytes: usize) -> usize {
        let (most, mut total) = (bytes / RECORD, 0);
        let fits = self.counts.iter().skip(first).take_while(|count| {
            total += **count;
            total <= most
        });
        self.held = first..first + fits.count().max(1);
        total = 0;
        for part in self.held.clone() {
            if let (Some(end), Some(count)) = (self.ends.get_mut(part), self.counts.get(part)) {
                *end = total;
                total += count;
            }
        }
        self.records.clear();
        self.records.resize(total, 0);
        self.held.end
    }

    /// Takes a document by its key, if the part of that is held.
    pub(crate) fn put(&mut self, place: u32, [a, b, c, d, part]: Key) {
        let part = usize::from(part);
        if !self.held.contains(&part) {
            return;
        }
        if let Some(end) = self.ends.get_mut(part) {
            if let Some(record) = self.records.get_mut(*end) {
                *record = u64::from(u32::from_le_bytes([a, b, c, d])) << 32 | u64::from(place);
            }
            *end += 1;
        }
    }

    /// The records of each part that is held.
    pub(crate) fn parts(&mut self) -> Vec<&mut [u64]> {
        let mut parts = Vec::with_capacity(self.held.len());
        let mut rest = self.records.as_mut_slice();
        for count in self.counts.iter().take(self.held.end).skip(self.held.start) {
            let (part, behind) = rest.split_at_mut(*count);
            parts.push(part);
            rest = behind;
        }
        parts
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

    #[test]
    fn parts_are_held_as_many_as_there_is_room_for() {
        let keys: Vec<Key> =
            vec![[1, 0, 0, 0, 9], [0, 0, 0, 1, 9], [1, 0, 0, 0, 9], [5, 0, 0, 0, 200]];
        let mut parts = Parts::new();
        for room in [0, 24, 1 << 20] {
            parts.begin();
            keys.iter().for_each(|key| parts.count(*key));
            let (mut first, mut buckets, mut held) = (0, Vec::new(), 0);
            while first < PARTS {
                first = parts.hold(first, room);
                (0..).zip(&keys).for_each(|(place, key)| parts.put(place, *key));
                for part in parts.parts() {
                    held += part.len();
                    scan(part, |bucket| buckets.push(bucket.places().collect::<Vec<_>>()));
                }
            }
            assert_eq!((held, buckets), (4, vec![vec![0, 2]]));
        }
    }
}
