//! Entries that are written once, one after the other, and read again in their order.

use crate::error::Error;
use crate::memory::spill::{Appender, Entry, List, Reader, Spill};
use crate::memory::state::{StateReader, StateWriter};
use std::io;
use std::path::Path;

/// Bytes that are in memory where there are no more.
const HELD: usize = 1 << 18;
/// Entries of a block.
const BLOCK: usize = 1 << 12;

/// A column that is being written.
pub(crate) struct ColumnWriter<E> {
    spill: Spill,
    list: Appender<E>,
}

/// Entries on disk, or in memory where they are few.
///
/// Memory: half a MiB, and a block while it is read.
pub(crate) struct Column<E> {
    spill: Spill,
    list: List,
    entries: std::marker::PhantomData<E>,
}

/// A walk through a column, which it holds.
pub(crate) struct Walk<E> {
    column: Column<E>,
    block: usize,
    bytes: Vec<u8>,
    at: usize,
}

impl<E: Entry> ColumnWriter<E> {
    /// No entry; the file will be in `dir`.
    pub(crate) fn new(dir: &Path) -> Self {
        Self { spill: Spill::new(dir, HELD), list: Appender::default() }
    }

    pub(crate) fn push(&mut self, entry: E) -> Result<(), Error> {
        self.list.push(entry, BLOCK, &mut self.spill)
    }

    pub(crate) fn finish(mut self) -> Result<Column<E>, Error> {
        let list = self.list.finish(&mut self.spill)?;
        Ok(Column { spill: self.spill, list, entries: std::marker::PhantomData })
    }
}

impl<E: Entry> Column<E> {
    pub(crate) fn len(&self) -> u64 {
        self.list.len() as u64
    }

    /// Hands every entry to `each`.
    pub(crate) fn for_each(&self, each: impl FnMut(E) -> Result<(), Error>) -> Result<(), Error> {
        self.spill.for_each(&self.list, each)
    }

    /// Puts in all entries.
    pub(crate) fn save(&self, state: &mut StateWriter) -> io::Result<()> {
        state.value(&self.len())?;
        let (mut bytes, mut waiting) = (Vec::new(), 0);
        self.for_each(|entry: E| {
            entry.write(&mut bytes);
            waiting += 1;
            if waiting < BLOCK {
                return Ok(());
            }
            let put = state.bytes(&bytes);
            bytes.clear();
            waiting = 0;
            put.map_err(|source| Error::Spill { dir: "".into(), source })
        })
        .map_err(io::Error::other)?;
        state.bytes(&bytes)
    }

    /// What [`Self::save`] put in.
    pub(crate) fn restore(state: &mut StateReader, dir: &Path) -> io::Result<Self> {
        let mut left: u64 = state.value()?;
        let mut column = ColumnWriter::new(dir);
        loop {
            let bytes = state.bytes()?;
            for entry in bytes.chunks_exact(E::BYTES) {
                column.push(E::read(entry)).map_err(io::Error::other)?;
                left = left.saturating_sub(1);
            }
            // The last part is shorter than the others, and may be empty.
            if bytes.len() < BLOCK * E::BYTES {
                break;
            }
        }
        if left > 0 {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "a column is cut short"));
        }
        column.finish().map_err(io::Error::other)
    }

    /// A walk through the entries, one by one.
    pub(crate) fn reader(&self) -> Reader<'_, E> {
        Reader::new(&self.spill, &self.list)
    }

    pub(crate) fn walk(self) -> Walk<E> {
        Walk { column: self, block: 0, bytes: Vec::new(), at: 0 }
    }
}

impl<E: Entry> Walk<E> {
    /// The next entries for which `wanted` holds; the walk stops before the first for which it does not.
    pub(crate) fn take_while(&mut self, wanted: impl Fn(&E) -> bool) -> Result<Vec<E>, Error> {
        let mut taken = Vec::new();
        loop {
            let Some(bytes) = self.bytes.get(self.at..self.at + E::BYTES) else {
                self.at = 0;
                self.bytes.clear();
                self.column.spill.block::<E>(&self.column.list, self.block, &mut self.bytes)?;
                self.block += 1;
                if self.bytes.is_empty() {
                    return Ok(taken);
                }
                continue;
            };
            let entry = E::read(bytes);
            if !wanted(&entry) {
                return Ok(taken);
            }
            taken.push(entry);
            self.at += E::BYTES;
        }
    }
}
