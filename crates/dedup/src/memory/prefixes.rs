//! The rarest features of documents, on disk: what prefixes are joined from.
//!
//! Knows lists of places in an order, not what the order is.

use crate::error::Error;
use crate::numbers::{index, narrow};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use tempfile::SpooledTempFile;

/// Bytes of a group of documents that are read together, but for those of the last.
const GROUP: usize = 1 << 20;
/// Bytes that are held where there are no more.
const HELD: usize = 2 << 20;
/// Bytes of a document before its list.
const HEAD: usize = 16;
/// Bytes of a place: the first ones of its number.
pub(crate) const PLACE: usize = 5;

/// Some documents with a list each, in the order in which they came.
///
/// Memory: two groups of 1 MiB, or of one document that has more; 8 bytes a group.
#[derive(Debug)]
pub(crate) struct Prefixes {
    file: SpooledTempFile,
    dir: PathBuf,
    /// Where each group ends in the file.
    ends: Vec<u64>,
    /// Documents behind those of the file.
    waiting: Vec<u8>,
    documents: u64,
    /// Places of all lists.
    places: u64,
}

/// A document of [`Prefixes`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prefix<'a> {
    pub(crate) document: u32,
    /// The number of its features.
    pub(crate) size: u32,
    /// Its features before those of the list.
    pub(crate) before: u32,
    list: &'a [[u8; PLACE]],
}

impl Prefix<'_> {
    /// The number of places in its list.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// The places in its list, ascending.
    pub(crate) fn places(&self) -> impl Iterator<Item = u64> + '_ {
        self.list.iter().map(place)
    }

    /// The first `length` places and those that equal the last of these.
    pub(crate) fn first(&self, length: usize) -> impl Iterator<Item = u64> + '_ {
        let last = length.checked_sub(1).and_then(|at| self.list.get(at));
        let end = match last {
            Some(last) => self.list.partition_point(|bytes| bytes <= last),
            None => length.min(self.list.len()),
        };
        self.list.iter().take(end).map(place)
    }

    /// Features that come not behind `end`, as far as the list goes.
    pub(crate) fn up_to(&self, end: u64) -> usize {
        self.before as usize + self.list.partition_point(|bytes| place(bytes) <= end)
    }
}

fn place(bytes: &[u8; PLACE]) -> u64 {
    let [a, b, c, d, e] = *bytes;
    u64::from_be_bytes([a, b, c, d, e, 0, 0, 0])
}

/// The bytes of a list of places, for [`Prefixes::push`].
pub(crate) fn packed(places: &[u64]) -> Vec<u8> {
    let bytes = places.iter().flat_map(|place| {
        let [a, b, c, d, e, ..] = place.to_be_bytes();
        [a, b, c, d, e]
    });
    bytes.collect()
}

impl Prefixes {
    /// No documents yet; the file will be in `dir`.
    pub(crate) fn new(dir: &Path) -> Self {
        let file = SpooledTempFile::new_in(HELD, dir);
        let (ends, waiting) = (Vec::new(), Vec::new());
        Self { file, dir: dir.to_path_buf(), ends, waiting, documents: 0, places: 0 }
    }

    /// The number of documents.
    pub(crate) fn documents(&self) -> u64 {
        self.documents
    }

    /// Places of all lists.
    pub(crate) fn places(&self) -> u64 {
        self.places
    }

    /// Appends a document of `size` features with its [`packed`] list, and the features before those of
    /// the list.
    pub(crate) fn push(
        &mut self,
        document: u32,
        size: u32,
        before: u32,
        list: &[u8],
    ) -> Result<(), Error> {
        let length = narrow((list.len() / PLACE) as u64);
        self.places += u64::from(length);
        self.documents += 1;
        if self.waiting.len() + HEAD + list.len() > GROUP {
            self.flush()?;
        }
        for number in [document, size, before, length] {
            self.waiting.extend(number.to_le_bytes());
        }
        self.waiting.extend_from_slice(list);
        Ok(())
    }

    /// Hands the documents to `each`, some at a time, in their order.
    pub(crate) fn each(
        &mut self,
        each: &mut dyn FnMut(&[Prefix<'_>]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.flush()?;
        let (mut start, mut bytes) = (0, Vec::new());
        for group in 0..self.ends.len() {
            let end = self.ends.get(group).copied().unwrap_or(start);
            bytes.resize(index(end - start), 0);
            self.read(start, &mut bytes).map_err(|source| self.failed(source))?;
            each(&prefixes(&bytes))?;
            start = end;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Error> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let end = self.ends.last().copied().unwrap_or(0);
        let written = self.file.seek(SeekFrom::Start(end));
        let written = written.and_then(|_| self.file.write_all(&self.waiting));
        written.map_err(|source| self.failed(source))?;
        self.ends.push(end + self.waiting.len() as u64);
        self.waiting.clear();
        Ok(())
    }

    fn read(&mut self, start: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(start))?;
        self.file.read_exact(bytes)
    }

    fn failed(&self, source: io::Error) -> Error {
        Error::Spill { dir: self.dir.clone(), source }
    }
}

/// The documents of a group.
fn prefixes(mut bytes: &[u8]) -> Vec<Prefix<'_>> {
    let mut prefixes = Vec::new();
    while let Some((head, rest)) = bytes.split_first_chunk::<HEAD>() {
        let (numbers, _) = head.as_chunks::<4>();
        let [document, size, before, length] =
            [0, 1, 2, 3].map(|at| u32::from_le_bytes(numbers[at]));
        let (list, rest) = rest.split_at_checked(length as usize * PLACE).unwrap_or_default();
        prefixes.push(Prefix { document, size, before, list: list.as_chunks().0 });
        bytes = rest;
    }
    prefixes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_come_back_in_order_with_their_lists() {
        let dir = tempfile::tempdir().unwrap();
        let mut prefixes = Prefixes::new(dir.path());
        // The third alone is more than a group.
        let lengths = [0_u64, 3, 300_000, 1, 100_000, 150_000, 7];
        let list = |length: u64| (1..=length).map(|at| at << 26).collect::<Vec<_>>();
        for (document, length) in (0..).zip(lengths) {
            let list = packed(&list(length));
            prefixes.push(document, 400_000 + document, 5, &list).unwrap();
        }
        assert_eq!(prefixes.places(), lengths.iter().sum::<u64>());
        for _again in 0..2 {
            let mut documents = (0..).zip(lengths);
            let (mut groups, mut largest) = (0, 0);
            let mut check = |found: &[Prefix<'_>]| {
                (groups, largest) = (groups + 1, largest.max(found.len()));
                for prefix in found {
                    let (document, length) = documents.next().unwrap();
                    assert_eq!((prefix.document, prefix.size), (document, 400_000 + document));
                    assert!(prefix.places().eq(list(length)));
                    let half = prefix.up_to((length / 2) << 26 | 1);
                    assert_eq!(half as u64, 5 + length / 2);
                }
                Ok(())
            };
            prefixes.each(&mut check).unwrap();
            assert!(documents.next().is_none() && groups > 2 && largest > 1);
        }
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
