//! A list on disk whose entries ascend: it is read from any entry on, or looked up in.

use crate::error::Error;
use crate::memory::spill::{Appender, Entry, List, Reader, Spill};
use crate::memory::spilled_sort::Room;
use std::cell::RefCell;
use std::path::Path;

/// Bytes of a block, at least and at most.
const BLOCK: (usize, usize) = (1 << 10, 1 << 14);
/// Blocks that are held for look-ups.
const HELD: usize = 16;

/// Entries that ascend, in a temporary file.
///
/// Memory: 16 blocks, and 16 bytes and an entry for each block.
#[derive(Debug)]
pub(crate) struct SortedList<E> {
    spill: Spill,
    list: List,
    /// The first entry of each block.
    heads: Vec<E>,
    /// Blocks that were looked up in, each in the slot of its number.
    held: RefCell<Vec<(usize, Vec<u8>)>>,
}

/// A sorted list being written.
#[derive(Debug)]
pub(crate) struct SortedListWriter<E> {
    spill: Spill,
    entries: Appender<E>,
    heads: Vec<E>,
    /// Entries of a block.
    block: usize,
    pushed: usize,
}

/// A walk through a sorted list that sees the next entry before it is taken.
#[derive(Debug)]
pub(crate) struct Ahead<'a, E> {
    reader: Reader<'a, E>,
    next: Option<E>,
}

impl<E: Entry> SortedListWriter<E> {
    /// No entries yet; blocks suit `room`, the file is in `dir`.
    pub(crate) fn new(room: Room, dir: &Path) -> Self {
        let bytes = (room.block / 4).clamp(BLOCK.0, BLOCK.1);
        Self {
            spill: Spill::new(dir, bytes),
            entries: Appender::default(),
            heads: Vec::new(),
            block: (bytes / E::BYTES).max(1),
            pushed: 0,
        }
    }

    /// Appends an entry, which is behind all others.
    pub(crate) fn push(&mut self, entry: E) -> Result<(), Error> {
        if self.pushed.is_multiple_of(self.block) {
            self.heads.push(entry);
        }
        self.pushed += 1;
        self.entries.push(entry, self.block, &mut self.spill)
    }

    /// The list.
    pub(crate) fn finish(mut self) -> Result<SortedList<E>, Error> {
        let list = self.entries.finish(&mut self.spill)?;
        let held = RefCell::new(vec![(usize::MAX, Vec::new()); HELD]);
        Ok(SortedList { spill: self.spill, list, heads: self.heads, held })
    }
}

impl<E: Entry> SortedList<E> {
    /// The number of entries.
    pub(crate) fn len(&self) -> u64 {
        self.list.len() as u64
    }

    /// Whether there is no entry.
    pub(crate) fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// A walk through all entries.
    pub(crate) fn ahead(&self) -> Result<Ahead<'_, E>, Error> {
        Ahead::new(Reader::new(&self.spill, &self.list))
    }

    /// A walk from the first entry on that is not before `first`.
    pub(crate) fn from(&self, first: &E) -> Result<Ahead<'_, E>, Error> {
        let mut ahead =
            Ahead::new(Reader::from_block(&self.spill, &self.list, self.block_of(first)))?;
        while ahead.next_if(|entry| entry < first)?.is_some() {}
        Ok(ahead)
    }

    /// The first entry that is not before `first`.
    pub(crate) fn at_or_after(&self, first: &E) -> Result<Option<E>, Error> {
        if self.is_empty() {
            return Ok(None);
        }
        let block = self.block_of(first);
        let mut held = self.held.borrow_mut();
        let Some((number, bytes)) = held.get_mut(block % HELD) else { return Ok(None) };
        if *number != block {
            self.spill.block::<E>(&self.list, block, bytes)?;
            *number = block;
        }
        let entry = |at: usize| bytes.get(at * E::BYTES..(at + 1) * E::BYTES).map(E::read);
        let (mut low, mut high) = (0, bytes.len() / E::BYTES);
        while low < high {
            let middle = usize::midpoint(low, high);
            if entry(middle).is_some_and(|entry| entry < *first) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(entry(low).or_else(|| self.heads.get(block + 1).copied()))
    }

    /// The last block that begins not behind an entry, or the first one.
    fn block_of(&self, entry: &E) -> usize {
        self.heads.partition_point(|head| head <= entry).saturating_sub(1)
    }
}

impl<'a, E: Entry> Ahead<'a, E> {
    fn new(mut reader: Reader<'a, E>) -> Result<Self, Error> {
        let next = reader.next()?;
        Ok(Self { reader, next })
    }

    /// The next entry, which stays the next.
    pub(crate) fn peek(&self) -> Option<&E> {
        self.next.as_ref()
    }

    /// The next entry.
    pub(crate) fn next(&mut self) -> Result<Option<E>, Error> {
        match self.next {
            Some(_) => Ok(std::mem::replace(&mut self.next, self.reader.next()?)),
            None => Ok(None),
        }
    }

    /// The next entry, if it `is_wanted`.
    pub(crate) fn next_if(
        &mut self,
        is_wanted: impl FnOnce(&E) -> bool,
    ) -> Result<Option<E>, Error> {
        if self.peek().is_some_and(is_wanted) { self.next() } else { Ok(None) }
    }
}

/// All entries that are left.
impl<E: Entry> Iterator for Ahead<'_, E> {
    type Item = Result<E, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        Self::next(self).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn entries_are_found_as_in_a_list_in_memory(
            entries in prop::collection::btree_set(0_u64..3000, 0..900),
            looked in prop::collection::vec(0_u64..3100, 0..60),
        ) {
            let dir = tempfile::tempdir().unwrap();
            let mut writer = SortedListWriter::new(Room::within(1 << 10), dir.path());
            entries.iter().for_each(|entry| writer.push([*entry, 7]).unwrap());
            let list = writer.finish().unwrap();
            prop_assert_eq!(list.is_empty(), entries.is_empty());
            let all: Vec<u64> = list.ahead().unwrap().map(|entry| entry.unwrap()[0]).collect();
            prop_assert!(all.iter().eq(&entries));
            for first in looked {
                let expected = entries.range(first..).next().copied();
                let found = list.at_or_after(&[first, 0]).unwrap();
                prop_assert_eq!(found.map(|[entry, _]| entry), expected);
                let rest = list.from(&[first, 0]).unwrap().map(|entry| entry.unwrap()[0]);
                prop_assert!(rest.eq(entries.range(first..).copied()));
            }
        }
    }
}
