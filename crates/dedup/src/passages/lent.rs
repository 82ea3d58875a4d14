//! The text of first occurrences, which copies are compared with: appended by one thread, then read at any place by
//! many.

use crate::error::Error;
use crate::memory::spool::{Piece, failed};
use crate::memory::state::{StateReader, StateWriter};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::SpooledTempFile;

/// Bytes that are written at a time.
const WRITTEN: usize = 1 << 16;

/// Text that is being lent.
pub(crate) struct Lending {
    file: BufWriter<SpooledTempFile>,
    dir: PathBuf,
    end: u64,
}

/// Text that was lent, in a file without a name, or in memory where there is little.
pub(crate) struct Lent {
    piece: Piece,
    dir: PathBuf,
}

impl Lending {
    /// Nothing; `held` bytes are in memory, more in a file in `dir`.
    pub(crate) fn new(dir: &Path, held: usize) -> Self {
        let file = BufWriter::with_capacity(WRITTEN, SpooledTempFile::new_in(held, dir));
        Self { file, dir: dir.to_path_buf(), end: 0 }
    }

    /// Appends bytes, and returns where they begin.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<u64, Error> {
        let at = self.end;
        self.file.write_all(bytes).map_err(|source| failed(&self.dir, source))?;
        self.end += bytes.len() as u64;
        Ok(at)
    }

    /// Bytes so far.
    pub(crate) fn len(&self) -> u64 {
        self.end
    }

    pub(crate) fn finish(self) -> Result<Lent, Error> {
        let Self { file, dir, end } = self;
        let file = file.into_inner().map_err(|error| failed(&dir, error.into_error()))?;
        Ok(Lent { piece: Piece::from((file, end)), dir })
    }
}

impl Lent {
    /// So many bytes from a place on of a file that has the name `path`.
    pub(crate) fn within(file: File, path: &Path, start: u64, length: u64) -> Self {
        let piece = Piece::Stored { file: Arc::new(file), at: start, bytes: length };
        Self { piece, dir: path.to_owned() }
    }

    /// Bytes that were lent.
    pub(crate) fn len(&self) -> u64 {
        self.piece.len()
    }

    /// Hands all bytes to `each`, some at a time.
    pub(crate) fn each(
        &self,
        each: &mut dyn FnMut(&[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (mut part, mut at) = (Vec::new(), 0);
        while at < self.len() {
            part.resize(crate::numbers::index((self.len() - at).min(WRITTEN as u64)), 0);
            if !self.read(at, &mut part)? {
                return Err(Error::Bug { problem: "what was lent is gone".to_owned() });
            }
            each(&part)?;
            at += part.len() as u64;
        }
        Ok(())
    }

    /// Puts in all bytes.
    pub(crate) fn save(&self, state: &mut StateWriter) -> io::Result<()> {
        state.value(&self.len())?;
        self.copy(&mut |bytes| state.bytes(bytes))
    }

    /// Hands all bytes to `put`, some at a time.
    pub(crate) fn copy(&self, put: &mut dyn FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        let mut put =
            |bytes: &[u8]| put(bytes).map_err(|source| Error::Spill { dir: "".into(), source });
        self.each(&mut put).map_err(io::Error::other)
    }

    /// What [`Self::save`] put in, of which so many bytes are in memory.
    pub(crate) fn restore(state: &mut StateReader, dir: &Path, held: usize) -> io::Result<Self> {
        let length: u64 = state.value()?;
        let (mut lending, mut at) = (Lending::new(dir, held), 0);
        while at < length {
            let bytes = state.bytes()?;
            lending.push(&bytes).map_err(io::Error::other)?;
            at += bytes.len() as u64;
        }
        lending.finish().map_err(io::Error::other)
    }

    /// Fills `into` with the bytes at a place; false where there are fewer.
    pub(crate) fn read(&self, at: u64, into: &mut [u8]) -> Result<bool, Error> {
        if at.checked_add(into.len() as u64).is_none_or(|end| end > self.len()) {
            return Ok(false);
        }
        self.piece.read(at, into).map_err(|source| failed(&self.dir, source))?;
        Ok(true)
    }
}
