//! Lists of numbers side by side in a temporary file, read at any place and by any thread.
//!
//! Knows numbers, not what the lists are of.

use crate::error::Error;
use crate::memory::state::{StateReader, StateWriter};
use crate::numbers::{entry, index, narrow};
use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};
use tempfile::{SpooledData, SpooledTempFile};

/// Lists of a run.
const RUN: usize = 64;
/// Bytes that are written at a time.
const WRITTEN: usize = 1 << 16;

/// Lists in a file without a name, or in memory where there are few numbers.
///
/// Memory: 4 bytes a list, and what is held.
#[derive(Debug)]
pub(crate) struct Lists {
    data: SpooledData,
    dir: PathBuf,
    lengths: Lengths,
}

/// Lists that are being written, one after the other.
#[derive(Debug)]
pub(crate) struct ListsWriter {
    file: BufWriter<SpooledTempFile>,
    dir: PathBuf,
    lengths: Lengths,
}

/// How many numbers each list has.
#[derive(Debug, Default)]
struct Lengths {
    each: Vec<u32>,
    /// Numbers of the lists before each run of [`RUN`] lists.
    before: Vec<u64>,
    all: u64,
}

impl ListsWriter {
    /// No list; `held` bytes of them are in memory, more in a file in `dir`.
    pub(crate) fn new(dir: &Path, held: usize) -> Self {
        let file = BufWriter::with_capacity(WRITTEN, SpooledTempFile::new_in(held, dir));
        Self { file, dir: dir.to_path_buf(), lengths: Lengths::default() }
    }

    /// Appends a list of numbers, 8 bytes each, the lowest first.
    pub(crate) fn push(&mut self, list: &[u8]) -> Result<(), Error> {
        self.lengths.push(list.len() as u64 / 8);
        self.file.write_all(list).map_err(|source| failed(&self.dir, source))
    }

    /// The lists, to be read.
    pub(crate) fn finish(self) -> Result<Lists, Error> {
        let Self { file, dir, lengths, .. } = self;
        let file = file.into_inner().map_err(|error| failed(&dir, error.into_error()))?;
        Ok(Lists { data: file.into_inner(), dir, lengths })
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
    /// How many numbers the list at a place has.
    pub(crate) fn length(&self, at: usize) -> usize {
        index(self.lengths.of(at))
    }

    /// The list at a place.
    pub(crate) fn read(&self, at: usize) -> Result<Vec<u64>, Error> {
        let (start, length) = (8 * self.lengths.before(at), self.lengths.of(at));
        let end = start + 8 * length;
        let numbers = |bytes: &[u8]| {
            bytes.as_chunks::<8>().0.iter().map(|number| u64::from_le_bytes(*number)).collect()
        };
        match &self.data {
            SpooledData::InMemory(bytes) => {
                Ok(numbers(bytes.get_ref().get(index(start)..index(end)).unwrap_or_default()))
            }
            SpooledData::OnDisk(file) => {
                let mut bytes = vec![0; index(end - start)];
                read_at(file, start, &mut bytes).map_err(|source| failed(&self.dir, source))?;
                Ok(numbers(&bytes))
            }
        }
    }

    /// Puts in every list.
    pub(crate) fn save(&self, state: &mut StateWriter) -> io::Result<()> {
        state.numbers(self.lengths.each.iter().map(|length| u64::from(*length)))?;
        let length = 8 * self.lengths.all;
        match &self.data {
            SpooledData::InMemory(bytes) => state.copy(&mut bytes.get_ref().as_slice(), length),
            SpooledData::OnDisk(file) => {
                let mut file: &File = file;
                file.rewind()?;
                state.copy(&mut file, length)
            }
        }
    }

    /// What [`Self::save`] put in; `held` bytes are in memory, more in a file in `dir`.
    pub(crate) fn restore(state: &mut StateReader, dir: &Path, held: usize) -> io::Result<Self> {
        let mut lengths = Lengths::default();
        state.numbers()?.into_iter().for_each(|length| lengths.push(length));
        let mut file = SpooledTempFile::new_in(held, dir);
        state.copy(&mut file)?;
        Ok(Self { data: file.into_inner(), dir: dir.to_path_buf(), lengths })
    }
}

impl Default for Lists {
    /// No list.
    fn default() -> Self {
        let data = SpooledTempFile::new(0).into_inner();
        Self { data, dir: PathBuf::new(), lengths: Lengths::default() }
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

fn failed(dir: &Path, source: io::Error) -> Error {
    Error::Spill { dir: dir.to_path_buf(), source }
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
            let mut writer = ListsWriter::new(dir.path(), held);
            for list in &lists {
                let bytes: Vec<u8> = list.iter().flat_map(|number| number.to_le_bytes()).collect();
                writer.push(&bytes).unwrap();
            }
            let written = writer.finish().unwrap();
            assert_eq!(matches!(written.data, SpooledData::OnDisk(_)), held < 1 << 24);
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
