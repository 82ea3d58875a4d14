//! Entries that wait on disk: one temporary file without a name, and lists of entries in it.
//!
//! Knows bytes and blocks, not what the lists are for. The file is gone when its owner is, however
//! that comes about.

use crate::error::Error;
use crate::memory::spool::failed;
use nearprint_fingerprint::Fingerprint;
use nearprint_index::Pair;
use std::cell::RefCell;
use std::io::{Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use tempfile::SpooledTempFile;

/// What lists are made of, sorted by all that it holds. Its bytes in a file are as many for each.
pub(crate) trait Entry: Copy + Ord + Send + Sync {
    /// Bytes in a file.
    const BYTES: usize;

    /// Appends the bytes of the entry.
    fn write(&self, bytes: &mut Vec<u8>);

    /// The entry of these [`Self::BYTES`] bytes.
    fn read(bytes: &[u8]) -> Self;
}

/// A number.
impl Entry for u64 {
    const BYTES: usize = 8;

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.to_le_bytes());
    }

    fn read(bytes: &[u8]) -> Self {
        let (numbers, _) = bytes.as_chunks::<8>();
        Self::from_le_bytes(numbers[0])
    }
}

/// Numbers.
impl<const COUNT: usize> Entry for [u64; COUNT] {
    const BYTES: usize = 8 * COUNT;

    fn write(&self, bytes: &mut Vec<u8>) {
        self.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
    }

    fn read(bytes: &[u8]) -> Self {
        let (numbers, _) = bytes.as_chunks::<8>();
        std::array::from_fn(|at| u64::from_le_bytes(numbers[at]))
    }
}

/// A fingerprint and the ordinal of its document.
impl<const WORDS: usize> Entry for (Fingerprint<WORDS>, u64) {
    const BYTES: usize = Fingerprint::<WORDS>::BYTES + 8;

    fn write(&self, bytes: &mut Vec<u8>) {
        self.0.words().iter().for_each(|word| bytes.extend(word.to_le_bytes()));
        bytes.extend(self.1.to_le_bytes());
    }

    fn read(bytes: &[u8]) -> Self {
        let (words, _) = bytes.as_chunks::<8>();
        let word = |at: usize| u64::from_le_bytes(words[at]);
        (Fingerprint::from_words(std::array::from_fn(word)), word(WORDS))
    }
}

/// Two documents and their distance, by the first, then the second.
impl Entry for Pair {
    const BYTES: usize = 20;

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.a.to_le_bytes());
        bytes.extend(self.b.to_le_bytes());
        bytes.extend(self.distance.to_le_bytes());
    }

    fn read(bytes: &[u8]) -> Self {
        let (ends, _) = bytes.as_chunks::<8>();
        let (halves, _) = bytes.as_chunks::<4>();
        let [a, b] = [ends[0], ends[1]].map(u64::from_le_bytes);
        Self { a, b, distance: u32::from_le_bytes(halves[4]) }
    }
}

/// A temporary file of entries, written at its end only; in memory as long as it is small.
#[derive(Debug)]
pub(crate) struct Spill {
    file: RefCell<SpooledTempFile>,
    dir: PathBuf,
    end: u64,
    bytes: Vec<u8>,
}

/// Entries in a [`Spill`], in the order in which they were appended.
#[derive(Debug, Default)]
pub(crate) struct List {
    blocks: Vec<Block>,
    entries: usize,
}

#[derive(Clone, Copy, Debug)]
struct Block {
    at: u64,
    entries: usize,
}

impl Spill {
    /// A new file in `dir`, once it has more than `held` bytes.
    pub(crate) fn new(dir: &Path, held: usize) -> Self {
        let file = RefCell::new(SpooledTempFile::new_in(held, dir));
        Self { file, dir: dir.to_path_buf(), end: 0, bytes: Vec::new() }
    }

    /// Bytes written.
    pub(crate) fn len(&self) -> u64 {
        self.end
    }

    /// Appends a block of entries to `list`.
    pub(crate) fn append<E: Entry>(&mut self, list: &mut List, entries: &[E]) -> Result<(), Error> {
        self.bytes.clear();
        entries.iter().for_each(|entry| entry.write(&mut self.bytes));
        let file = self.file.get_mut();
        let written =
            file.seek(SeekFrom::Start(self.end)).and_then(|_| file.write_all(&self.bytes));
        written.map_err(|source| failed(&self.dir, source))?;
        list.blocks.push(Block { at: self.end, entries: entries.len() });
        list.entries += entries.len();
        self.end += self.bytes.len() as u64;
        Ok(())
    }

    /// Puts the bytes of a block of a list into `bytes`, if there is that block.
    pub(crate) fn block<E: Entry>(
        &self,
        list: &List,
        at: usize,
        bytes: &mut Vec<u8>,
    ) -> Result<(), Error> {
        list.blocks.get(at).map_or(Ok(()), |block| self.read::<E>(block, bytes))
    }

    fn read<E: Entry>(&self, block: &Block, bytes: &mut Vec<u8>) -> Result<(), Error> {
        bytes.resize(block.entries * E::BYTES, 0);
        let mut file = self.file.borrow_mut();
        let read = file.seek(SeekFrom::Start(block.at)).and_then(|_| file.read_exact(bytes));
        read.map_err(|source| failed(&self.dir, source))
    }

    /// Hands every entry of `list` to `each`, in order.
    pub(crate) fn for_each<E: Entry>(
        &self,
        list: &List,
        mut each: impl FnMut(E) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut reader = Reader::new(self, list);
        while let Some(entry) = reader.next()? {
            each(entry)?;
        }
        Ok(())
    }
}

impl List {
    /// The number of entries.
    pub(crate) fn len(&self) -> usize {
        self.entries
    }
}

/// A walk through a list, a block of it in memory at a time.
#[derive(Debug)]
pub(crate) struct Reader<'a, E> {
    spill: &'a Spill,
    blocks: std::slice::Iter<'a, Block>,
    bytes: Vec<u8>,
    at: usize,
    entries: PhantomData<E>,
}

impl<'a, E: Entry> Reader<'a, E> {
    pub(crate) fn new(spill: &'a Spill, list: &'a List) -> Self {
        Self::from_block(spill, list, 0)
    }

    /// A walk from the block of that number on.
    pub(crate) fn from_block(spill: &'a Spill, list: &'a List, block: usize) -> Self {
        let blocks = list.blocks.get(block..).unwrap_or_default().iter();
        Self { spill, blocks, bytes: Vec::new(), at: 0, entries: PhantomData }
    }

    /// The next entry; `None` after the last.
    pub(crate) fn next(&mut self) -> Result<Option<E>, Error> {
        while self.at == self.bytes.len() {
            let Some(block) = self.blocks.next() else { return Ok(None) };
            self.spill.read::<E>(block, &mut self.bytes)?;
            self.at = 0;
        }
        let start = self.at;
        self.at += E::BYTES;
        Ok(Some(E::read(&self.bytes[start..self.at])))
    }
}

/// A list under way: entries are gathered into blocks.
#[derive(Debug)]
pub(crate) struct Appender<E> {
    list: List,
    waiting: Vec<E>,
}

impl<E> Default for Appender<E> {
    fn default() -> Self {
        Self { list: List::default(), waiting: Vec::new() }
    }
}

impl<E: Entry> Appender<E> {
    /// Adds an entry; blocks have `block` of them.
    pub(crate) fn push(&mut self, entry: E, block: usize, spill: &mut Spill) -> Result<(), Error> {
        if self.waiting.capacity() == 0 {
            self.waiting.reserve_exact(block);
        }
        self.waiting.push(entry);
        if self.waiting.len() < block { Ok(()) } else { self.flush(spill) }
    }

    fn flush(&mut self, spill: &mut Spill) -> Result<(), Error> {
        spill.append(&mut self.list, &self.waiting)?;
        self.waiting.clear();
        Ok(())
    }

    /// Writes what waits and returns the list.
    pub(crate) fn finish(mut self, spill: &mut Spill) -> Result<List, Error> {
        if !self.waiting.is_empty() {
            self.flush(spill)?;
        }
        Ok(self.list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(i: u64) -> (Fingerprint<2>, u64) {
        (Fingerprint::from_words([i, !i]), i << 32)
    }

    #[test]
    fn lists_side_by_side_come_back_in_order_and_leave_no_file() {
        let dir = tempfile::tempdir().unwrap();
        let mut spill = Spill::new(dir.path(), 5000);
        let mut lists = [Appender::default(), Appender::default()];
        for i in 0..1000 {
            lists[usize::from(i % 3 == 0)].push(entry(i), 7, &mut spill).unwrap();
        }
        let lists = lists.map(|list| list.finish(&mut spill).unwrap());
        for (list, third) in lists.iter().zip([false, true]) {
            let mut expected = (0..1000).filter(|i| (i % 3 == 0) == third).map(entry);
            let compare = |entry: (Fingerprint<2>, u64)| {
                assert_eq!(Some(entry), expected.next());
                Ok(())
            };
            spill.for_each(list, compare).unwrap();
            assert_eq!(expected.next(), None);
        }
        assert_eq!((lists[0].len(), spill.len()), (666, 24_000));
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_file_that_cannot_be_made_is_told_with_the_directory() {
        let mut spill = Spill::new(Path::new("/no/such/place"), 30);
        assert!(spill.append(&mut List::default(), &[entry(1)]).is_ok());
        let error = spill.append(&mut List::default(), &[entry(1)]).unwrap_err().to_string();
        assert!(error.starts_with("/no/such/place: ") && error.contains("No such file"), "{error}");
        assert!(error.contains("another directory"), "{error}");
    }
}
