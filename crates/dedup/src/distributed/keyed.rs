//! Documents with their keys in some bands, in memory: what a unit of `join` links.

use crate::distributed::links::range_of;
use crate::error::Error;
use crate::memory::columns::Key;
use crate::numbers::{entry, narrow};
use crate::search::bucket::{BandKeys, CHUNKS, Parts};
use nearprint_fingerprint::{BandShape, Fingerprint128};
use rayon::prelude::*;

const KEY: usize = BandShape::KEY_BYTES;
/// Rows of a chunk, where there are so many.
const CHUNK: usize = 1 << 12;

/// Documents with their keys in some bands, a row each.
#[derive(Debug)]
pub(crate) struct Keyed {
    pub(crate) numbers: Vec<u64>,
    codes: Vec<Fingerprint128>,
    contents: Vec<u128>,
    /// The group of each, of which alone documents are linked; none where all are of one.
    groups: Vec<u64>,
    /// The keys of a row, so many bytes.
    keys: Vec<u8>,
    key_bytes: usize,
}

impl Keyed {
    /// No documents; each will have so many bytes of keys.
    pub(crate) fn new(key_bytes: usize) -> Self {
        let (numbers, contents, groups) = (Vec::new(), Vec::new(), Vec::new());
        Self { numbers, codes: Vec::new(), contents, groups, keys: Vec::new(), key_bytes }
    }

    /// Whether one of some keys is in a range.
    pub(crate) fn ranged(keys: &[u8], ranges: usize, range: usize) -> bool {
        let (keys, _) = keys.as_chunks::<KEY>();
        keys.iter().any(|key| is_in(key, ranges, range))
    }

    /// Appends a document, with its group where there are groups.
    pub(crate) fn push(
        &mut self,
        keys: &[u8],
        content: u128,
        number: u64,
        code: Fingerprint128,
        group: Option<u64>,
    ) {
        self.groups.extend(group);
        self.numbers.push(number);
        self.codes.push(code);
        self.contents.push(content);
        self.keys.extend_from_slice(keys);
    }

    /// The number of documents.
    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The number of bands.
    pub(crate) fn bands(&self) -> usize {
        self.key_bytes / KEY
    }

    /// Whether two rows have equal content.
    pub(crate) fn are_equal(&self, a: u32, b: u32) -> bool {
        entry(&self.contents, a as usize) == entry(&self.contents, b as usize)
    }

    /// The number of the document in a row.
    pub(crate) fn number(&self, row: u32) -> u64 {
        entry(&self.numbers, row as usize)
    }

    /// The group of each row; none where all are of one.
    pub(crate) fn groups(&self) -> &[u64] {
        &self.groups
    }

    /// The code of the sketch of each row.
    pub(crate) fn codes(&self) -> &[Fingerprint128] {
        &self.codes
    }

    /// Leaves of documents with equal content the first.
    pub(crate) fn leave_out_copies(&mut self) {
        let mut rows: Vec<u32> = (0..narrow(self.len() as u64)).collect();
        self.firsts_of_contents(&mut rows);
        rows.par_sort_unstable();
        let mut left = Self::new(self.key_bytes);
        for row in rows {
            let start = row as usize * self.key_bytes;
            let keys = self.keys.get(start..start + self.key_bytes).unwrap_or_default();
            let content = entry(&self.contents, row as usize);
            let group = self.groups.get(row as usize).copied();
            left.push(keys, content, self.number(row), entry(&self.codes, row as usize), group);
        }
        *self = left;
    }

    /// Leaves of rows with equal content the first, in the order of contents.
    pub(crate) fn firsts_of_contents(&self, rows: &mut Vec<u32>) {
        let content = |row: u32| entry(&self.contents, row as usize);
        rows.par_sort_unstable_by_key(|row| (content(*row), *row));
        rows.dedup_by_key(|row| content(*row));
    }

    /// Holds a record for each row whose key in a band is in a range. Reads on rayon's current pool.
    pub(crate) fn scatter(
        &self,
        band: usize,
        ranges: usize,
        range: usize,
        parts: &mut Parts,
    ) -> Result<(), Error> {
        let keys = KeysOfRange { keyed: self, band, ranges, range };
        parts.count(&keys)?;
        parts.hold(&keys, 0, usize::MAX).map(drop)
    }
}

/// The keys of a band that are in a range, by their rows.
struct KeysOfRange<'a> {
    keyed: &'a Keyed,
    band: usize,
    ranges: usize,
    range: usize,
}

impl BandKeys for KeysOfRange<'_> {
    fn chunks(&self) -> usize {
        self.keyed.len().div_ceil(CHUNK).min(CHUNKS * rayon::current_num_threads())
    }

    fn each(&self, chunk: usize, mut take: impl FnMut(u32, Key)) -> Result<(), Error> {
        let bands = self.keyed.bands();
        let [start, end] = [chunk, chunk + 1].map(|at| at * self.keyed.len() / self.chunks());
        let (keys, _) = self.keyed.keys.as_chunks::<KEY>();
        let keys = keys.get(start * bands..end * bands).unwrap_or_default();
        let keys = (narrow(start as u64)..).zip(keys.iter().skip(self.band).step_by(bands));
        let ours = keys.filter(|(_, key)| is_in(key, self.ranges, self.range));
        ours.for_each(|(row, key)| take(row, *key));
        Ok(())
    }
}

/// Whether a key is in a range: its highest byte is its last.
fn is_in(key: &[u8; KEY], ranges: usize, range: usize) -> bool {
    let [.., highest] = key;
    range_of(*highest, ranges) == range
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of two keys: the numbers of documents are their rows and 100.
    fn keyed(rows: &[(u64, u64, u128)]) -> Keyed {
        let mut keyed = Keyed::new(2 * KEY);
        for (number, (a, b, content)) in (100..).zip(rows) {
            let keys = [a, b].map(|key| key.to_le_bytes()[..KEY].to_vec()).concat();
            let code = Fingerprint128::from_words([number, 1]);
            keyed.push(&keys, *content, number, code, Some(number % 2));
        }
        keyed
    }

    #[test]
    fn parts_hold_the_rows_of_a_range_by_the_highest_byte() {
        let (low, high) = (7, 200 << 32 | 9);
        let keyed = keyed(&[(low, high, 0), (high, low, 1), (high, high, 2)]);
        let mut held = Parts::default();
        let mut parts = |band, ranges, range| -> Vec<(usize, Vec<u64>)> {
            keyed.scatter(band, ranges, range, &mut held).unwrap();
            let parts = held.parts().into_iter().map(|part| part.to_vec()).enumerate();
            parts.filter(|(_, part)| !part.is_empty()).collect()
        };
        assert_eq!(parts(0, 1, 0), [(0, vec![7 << 32]), (200, vec![9 << 32 | 1, 9 << 32 | 2])]);
        assert_eq!(parts(1, 2, 0), [(0, vec![7 << 32 | 1])]);
        assert_eq!(parts(1, 2, 1), [(200, vec![9 << 32, 9 << 32 | 2])]);
        let ranged = |keys: [u64; 2], range| {
            let keys = keys.map(|key| key.to_le_bytes()[..KEY].to_vec()).concat();
            Keyed::ranged(&keys, 2, range)
        };
        assert!(ranged([low, high], 0) && ranged([low, high], 1) && !ranged([low, low], 1));
    }

    #[test]
    fn the_first_of_each_content_is_left_whole() {
        let mut keyed = keyed(&[(1, 2, 9), (3, 4, 5), (1, 2, 9), (5, 6, 1), (3, 4, 5)]);
        let mut rows = vec![4, 3, 2, 1];
        keyed.firsts_of_contents(&mut rows);
        assert_eq!(rows, [3, 1, 2]);
        keyed.leave_out_copies();
        let documents: Vec<_> = (0..3).map(|row| keyed.number(row)).collect();
        assert_eq!((documents, keyed.len()), (vec![100, 101, 103], 3));
        assert_eq!(keyed.codes()[2], Fingerprint128::from_words([103, 1]));
        let mut parts = Parts::default();
        keyed.scatter(1, 1, 0, &mut parts).unwrap();
        assert_eq!(parts.parts()[0], [2 << 32, 4 << 32 | 1, 6 << 32 | 2]);
    }
}
