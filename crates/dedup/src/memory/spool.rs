//! Bytes that any thread puts aside: in memory as long as there is room, and behind that in temporary files without a
//! name.
//!
//! Knows bytes, not what they are of.

use crate::error::Error;
use crate::memory::state::StateWriter;
use crate::numbers::index;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tempfile::{SpooledData, SpooledTempFile};

/// Files that threads write to side by side: a system lets one thread at a time append to a file.
const FILES: usize = 8;
/// Bytes that are copied at a time.
const COPIED: usize = 1 << 17;

/// Takes pieces of bytes, which are read on their own.
#[derive(Debug)]
pub(crate) struct Spool {
    dir: PathBuf,
    /// Bytes that memory has room for yet.
    room: AtomicUsize,
    /// The file that a thread waits for where all are written to.
    turn: AtomicUsize,
    files: Box<[Mutex<Option<Written>>; FILES]>,
}

/// A file, as far as it is written.
#[derive(Debug)]
struct Written {
    file: Arc<File>,
    end: u64,
}

/// Bytes that were put aside. They are gone with it.
#[derive(Debug)]
pub(crate) enum Piece {
    /// Those in memory.
    Held(Vec<u8>),
    /// So many of a file, from a place on.
    Stored { file: Arc<File>, at: u64, bytes: u64 },
}

impl Spool {
    /// Nothing is put aside; `held` bytes of what is are in memory, more in files in `dir`.
    pub(crate) fn new(dir: &Path, held: usize) -> Self {
        let room = AtomicUsize::new(held);
        Self { dir: dir.to_path_buf(), room, turn: AtomicUsize::new(0), files: Default::default() }
    }

    /// Where files go.
    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// Puts bytes aside. Threads may do so at a time.
    ///
    /// # Errors
    /// Those of the disk.
    pub(crate) fn put(&self, mut bytes: Vec<u8>) -> io::Result<Piece> {
        let left = |room: usize| room.checked_sub(bytes.len());
        if self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, left).is_ok() {
            bytes.shrink_to_fit();
            return Ok(Piece::Held(bytes));
        }
        let mut free = self.free();
        let written = match &mut *free {
            Some(written) => written,
            none => {
                let file = Arc::new(tempfile::tempfile_in(&self.dir)?);
                none.insert(Written { file, end: 0 })
            }
        };
        let mut file: &File = &written.file;
        file.seek(SeekFrom::Start(written.end))?;
        file.write_all(&bytes)?;
        let (at, bytes) = (written.end, bytes.len() as u64);
        written.end += bytes;
        Ok(Piece::Stored { file: Arc::clone(&written.file), at, bytes })
    }

    /// A file that nobody writes to.
    fn free(&self) -> MutexGuard<'_, Option<Written>> {
        let free = self.files.iter().find_map(|file| file.try_lock().ok());
        free.unwrap_or_else(|| {
            let turn = self.turn.fetch_add(1, Ordering::Relaxed) % FILES;
            let [first, ..] = &*self.files;
            self.files.get(turn).unwrap_or(first).lock().unwrap_or_else(PoisonError::into_inner)
        })
    }
}

impl Piece {
    /// How many bytes it has.
    pub(crate) fn len(&self) -> u64 {
        match self {
            Self::Held(bytes) => bytes.len() as u64,
            Self::Stored { bytes, .. } => *bytes,
        }
    }

    /// Puts in all of it, as a part of bytes that were begun.
    pub(crate) fn save(&self, state: &mut StateWriter) -> io::Result<()> {
        let (mut buffer, mut from) = (vec![0; COPIED], 0);
        while from < self.len() {
            let most = buffer.len().min(index(self.len() - from));
            let part = buffer.get_mut(..most).unwrap_or_default();
            self.read(from, part)?;
            state.part(part)?;
            from += most as u64;
        }
        Ok(())
    }

    /// Fills `into` from a place in it. Threads may do so at a time.
    ///
    /// # Errors
    /// Those of the disk; fewer bytes than asked for.
    pub(crate) fn read(&self, from: u64, into: &mut [u8]) -> io::Result<()> {
        let end = from + into.len() as u64;
        if end > self.len() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        match self {
            Self::Held(bytes) => {
                let range = index(from)..index(end);
                into.copy_from_slice(bytes.get(range).unwrap_or_default());
                Ok(())
            }
            Self::Stored { file, at, .. } => read_at(file, at + from, into),
        }
    }
}

/// All that was written to the file, of so many bytes.
impl From<(SpooledTempFile, u64)> for Piece {
    fn from((file, bytes): (SpooledTempFile, u64)) -> Self {
        match file.into_inner() {
            SpooledData::InMemory(held) => Self::Held(held.into_inner()),
            SpooledData::OnDisk(file) => Self::Stored { file: Arc::new(file), at: 0, bytes },
        }
    }
}

/// Fills `bytes` from a place in a file. Threads may do so at a time.
pub(crate) fn read_at(file: &File, at: u64, bytes: &mut [u8]) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::read_exact_at(file, bytes, at);
    #[cfg(windows)]
    {
        let mut done = 0;
        while let Some(rest) = bytes.get_mut(done..).filter(|rest| !rest.is_empty()) {
            match std::os::windows::fs::FileExt::seek_read(file, rest, at + done as u64)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                read => done += read,
            }
        }
        Ok(())
    }
}

/// What is wrong with files in `dir`.
pub(crate) fn failed(dir: &Path, source: io::Error) -> Error {
    Error::Spill { dir: dir.to_path_buf(), source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;

    #[test]
    fn what_threads_put_aside_comes_back_from_memory_and_files() {
        let dir = tempfile::tempdir().unwrap();
        let bytes =
            |at: usize| (0..at * 37 % 5000).map(|i| (i ^ at).to_le_bytes()[0]).collect::<Vec<_>>();
        let all: usize = (0..500).map(|at| bytes(at).len()).sum();
        for held in [0, 100_000, usize::MAX] {
            let spool = Spool::new(dir.path(), held);
            let pieces: Vec<_> =
                (0..500).into_par_iter().map(|at| spool.put(bytes(at)).unwrap()).collect();
            let held_bytes: u64 = pieces
                .iter()
                .map(|piece| if let Piece::Held(_) = piece { piece.len() } else { 0 })
                .sum();
            assert!(held_bytes <= held.min(all) as u64);
            assert_eq!(held_bytes == all as u64, held == usize::MAX);
            // Files are there as long as their pieces.
            drop(spool);
            (0..2000_usize).into_par_iter().for_each(|i| {
                let (piece, expected) = (&pieces[i % 500], bytes(i % 500));
                let from = expected.len() * (i / 500) / 4;
                let mut read = vec![0; expected.len() - from];
                piece.read(from as u64, &mut read).unwrap();
                assert_eq!(read, expected[from..]);
                assert!(piece.read(from as u64 + 1, &mut [&read[..], &[0]].concat()).is_err());
            });
        }
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_file_that_cannot_be_made_is_told_with_the_directory() {
        let spool = Spool::new(Path::new("/no/such/place"), 30);
        assert!(spool.put(vec![0; 30]).is_ok());
        let error = failed(spool.dir(), spool.put(vec![0]).unwrap_err()).to_string();
        assert!(error.starts_with("/no/such/place: ") && error.contains("No such file"), "{error}");
        assert!(error.contains("another directory"), "{error}");
    }
}
