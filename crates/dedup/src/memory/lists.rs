//! Lists of numbers side by side, put aside by any thread and read at any place.
//!
//! Knows numbers, not what the lists are of.

use crate::error::Error;
use crate::memory::spool::{Piece, Spool, failed};
use crate::memory::state::{StateReader, StateWriter};
use crate::numbers::{entry, index, narrow};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::SpooledTempFile;

/// Lists of a run.
const RUN: usize = 64;

/// Lists of numbers, 8 bytes each, the lowest first.
///
/// Memory: 4 bytes a list, 48 for each [`ListBatch`], and what is held of these.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    dir: PathBuf,
    lengths: Lengths,
    /// Where the lists are, with how many numbers are before: none is empty.
    pieces: Vec<(u64, Piece)>,
}

/// Some lists that follow each other.
#[derive(Debug, Default)]
pub(crate) struct ListBatch {
    /// How many numbers each list has.
    lengths: Vec<u32>,
    bytes: Vec<u8>,
}

/// Some lists that were put aside.
#[derive(Debug)]
pub(crate) struct StoredBatch {
    lengths: Vec<u32>,
    piece: Piece,
}

/// How many numbers each list has.
#[derive(Debug, Default)]
struct Lengths {
    each: Vec<u32>,
    /// Numbers of the lists before each run of [`RUN`] lists.
    before: Vec<u64>,
    all: u64,
}

impl ListBatch {
    /// Appends a list.
    pub(crate) fn push(&mut self, list: impl Iterator<Item = u8>) {
        let before = self.bytes.len();
        self.bytes.extend(list);
        self.lengths.push(narrow((self.bytes.len() - before) as u64 / 8));
    }

    /// Puts the lists aside.
    ///
    /// # Errors
    /// Those of the disk.
    pub(crate) fn store(self, spool: &Spool) -> Result<StoredBatch, Error> {
        let piece = spool.put(self.bytes).map_err(|source| failed(spool.dir(), source))?;
        Ok(StoredBatch { lengths: self.lengths, piece })
    }
}

impl Lengths {
    fn push(&mut self, length: u64) {
        if self.each.len().is_multiple_of(RUN) {
            self.before.push(self.all);
        }
        self.each.push(narrow(length));
        self.all += length;
    }

    /// How many numbers the list at a place has.
    fn of(&self, at: usize) -> u64 {
        entry(&self.each, at).into()
    }

    /// How many numbers are before those of the list at a place.
    fn before(&self, at: usize) -> u64 {
        let run = self.each.get(at / RUN * RUN..at).unwrap_or_default();
        entry(&self.before, at / RUN) + run.iter().map(|length| u64::from(*length)).sum::<u64>()
    }
}

impl Lists {
    /// No list, of those whose files are in `dir`.
    pub(crate) fn new(dir: &Path) -> Self {
        Self { dir: dir.to_path_buf(), ..Self::default() }
    }

    /// Appends some lists.
    pub(crate) fn push(&mut self, StoredBatch { lengths, piece }: StoredBatch) {
        if piece.len() > 0 {
            self.pieces.push((self.lengths.all, piece));
        }
        lengths.iter().for_each(|length| self.lengths.push((*length).into()));
    }

    /// How many numbers the list at a place has.
    pub(crate) fn length(&self, at: usize) -> usize {
        index(self.lengths.of(at))
    }

    /// The list at a place.
    pub(crate) fn read(&self, at: usize) -> Result<Vec<u64>, Error> {
        let (first, length) = (self.lengths.before(at), self.lengths.of(at));
        if length == 0 {
            return Ok(Vec::new());
        }
        let behind = self.pieces.partition_point(|(before, _)| *before <= first);
        let mut bytes = vec![0; index(8 * length)];
        if let Some((before, piece)) = self.pieces.get(behind.wrapping_sub(1)) {
            let read = piece.read(8 * (first - before), &mut bytes);
            read.map_err(|source| failed(&self.dir, source))?;
        }
        let (numbers, _) = bytes.as_chunks::<8>();
        Ok(numbers.iter().map(|number| u64::from_le_bytes(*number)).collect())
    }

    /// Puts in every list.
    pub(crate) fn save(&self, state: &mut StateWriter) -> io::Result<()> {
        state.numbers(self.lengths.each.iter().map(|length| u64::from(*length)))?;
        state.begin(8 * self.lengths.all)?;
        self.pieces.iter().try_for_each(|(_, piece)| piece.save(state))
    }

    /// What [`Self::save`] put in; `held` bytes are in memory, more in a file in `dir`.
    pub(crate) fn restore(state: &mut StateReader, dir: &Path, held: usize) -> io::Result<Self> {
        let mut lists = Self::new(dir);
        state.numbers()?.into_iter().for_each(|length| lists.lengths.push(length));
        let mut file = SpooledTempFile::new_in(held, dir);
        let bytes = state.copy(&mut file)?;
        lists.pieces.extend((bytes > 0).then(|| (0, Piece::from((file, bytes)))));
        Ok(lists)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;

    #[test]
    fn lists_come_back_from_memory_and_disk_on_any_thread() {
        let dir = tempfile::tempdir().unwrap();
        // Empty ones among short and long ones.
        let lengths = [7, 0, 1, 1024, 0, 3000, 2048, 1025];
        let lengths = lengths.into_iter().cycle().take(150);
        let lists: Vec<Vec<u64>> =
            (1..).zip(lengths).map(|(i, length)| (0..length).map(|at| at * i).collect()).collect();
        for held in [0, 100, 1 << 24] {
            let spool = Spool::new(dir.path(), held);
            let mut written = Lists::new(dir.path());
            // Batches of none, one, and several.
            let mut rest = &lists[..];
            for size in (0..).map(|i| i % 5) {
                let (of_batch, behind) = rest.split_at(size.min(rest.len()));
                let mut batch = ListBatch::default();
                of_batch
                    .iter()
                    .for_each(|list| batch.push(list.iter().copied().flat_map(u64::to_le_bytes)));
                written.push(batch.store(&spool).unwrap());
                rest = behind;
                if rest.is_empty() {
                    break;
                }
            }
            let is_held = |(_, piece): &(u64, Piece)| matches!(piece, Piece::Held(_));
            assert_eq!(written.pieces.iter().all(is_held), held == 1 << 24);
            let path = dir.path().join("state");
            let mut state = StateWriter::create(&path).unwrap();
            written.save(&mut state).unwrap();
            let (bytes, checksum) = state.finish().unwrap();
            let mut state = StateReader::open(&path, bytes, checksum).unwrap().unwrap();
            let restored = Lists::restore(&mut state, dir.path(), held).unwrap();
            std::fs::remove_file(&path).unwrap();
            for found in [written, restored] {
                (0..2000).into_par_iter().for_each(|i| {
                    let at = i % lists.len();
                    assert_eq!(found.read(at).unwrap(), lists[at]);
                    assert_eq!(found.length(at), lists[at].len());
                });
            }
        }
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
