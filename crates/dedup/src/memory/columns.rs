//! The sketches of a corpus on disk, band by band: what bands are joined from.
//!
//! Knows bytes and documents in order, not what the keys mean.

use crate::error::Error;
use crate::memory::state::{StateReader, StateWriter};
use nearprint_fingerprint::BandShape;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use tempfile::SpooledTempFile;

/// Bytes of the sketches of a group of documents.
const GROUP: usize = 1 << 20;
/// Bytes that are held where there are no more.
const HELD: usize = 2 << 20;

/// What takes keys of a band, some at a time.
type Each<'a> = dyn FnMut(&[[u8; 5]]) -> Result<(), Error> + 'a;

/// A column for each band, with the band's key of every document in order: 5 bytes each.
///
/// The file has groups of documents, and in each group one column after the other, so that it is written
/// from its start to its end. The last group may be shorter.
///
/// Memory: two groups of 1 MiB.
#[derive(Debug)]
pub(crate) struct Columns {
    shape: BandShape,
    file: SpooledTempFile,
    dir: PathBuf,
    /// Documents in the file.
    written: u64,
    /// Sketches of the documents behind those.
    waiting: Vec<u8>,
    /// A group as it lies in the file, or a column of one.
    buffer: Vec<u8>,
}

impl Columns {
    /// Columns without documents, whose file will be in `dir`.
    pub(crate) fn new(shape: BandShape, dir: &Path) -> Self {
        let file = SpooledTempFile::new_in(HELD, dir);
        let (waiting, buffer) = (Vec::new(), Vec::new());
        Self { shape, file, dir: dir.to_path_buf(), written: 0, waiting, buffer }
    }

    /// The shape of the sketches.
    pub(crate) fn shape(&self) -> BandShape {
        self.shape
    }

    /// Where temporary files go.
    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// Appends the sketch of the next document.
    pub(crate) fn push(&mut self, sketch: &[u8]) -> Result<(), Error> {
        assert_eq!(sketch.len(), self.shape.bytes(), "a sketch of the shape");
        self.waiting.extend_from_slice(sketch);
        if self.waiting.len() < self.group() * self.shape.bytes() {
            return Ok(());
        }
        self.flush().map_err(|source| self.failed(source))
    }

    /// Hands the keys of a band to `each`, a run of documents at a time, in their order: 5 bytes each.
    pub(crate) fn band(&mut self, band: u32, each: &mut Each<'_>) -> Result<(), Error> {
        self.flush().map_err(|source| self.failed(source))?;
        let (group, mut first) = (self.group() as u64, 0);
        while first < self.written {
            let documents = (self.written - first).min(group);
            self.read(first, documents, band).map_err(|source| self.failed(source))?;
            let (keys, _) = self.buffer.as_chunks::<5>();
            each(keys)?;
            first += documents;
        }
        Ok(())
    }

    /// Puts in all columns.
    pub(crate) fn save(&mut self, state: &mut StateWriter) -> io::Result<()> {
        self.flush()?;
        state.value(&self.written)?;
        self.file.rewind()?;
        state.copy(&mut self.file, self.written * self.shape.bytes() as u64)
    }

    /// What [`Self::save`] put in, of the same shape; the file will be in `dir`.
    pub(crate) fn restore(
        state: &mut StateReader,
        shape: BandShape,
        dir: &Path,
    ) -> io::Result<Self> {
        let mut columns = Self::new(shape, dir);
        columns.written = state.value()?;
        state.copy(&mut columns.file)?;
        Ok(columns)
    }

    /// Documents of a group.
    fn group(&self) -> usize {
        (GROUP / self.shape.bytes()).max(1)
    }

    /// Writes the sketches that wait, a column after the other.
    fn flush(&mut self) -> io::Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let sketches = self.waiting.chunks_exact(self.shape.bytes());
        self.buffer.clear();
        for band in (0..self.shape.bytes()).step_by(BandShape::KEY_BYTES) {
            for sketch in sketches.clone() {
                let key = sketch.get(band..band + BandShape::KEY_BYTES).unwrap_or_default();
                self.buffer.extend_from_slice(key);
            }
        }
        self.file.seek(SeekFrom::Start(self.written * self.shape.bytes() as u64))?;
        self.file.write_all(&self.buffer)?;
        self.written += sketches.len() as u64;
        self.waiting.clear();
        Ok(())
    }

    /// Reads the column of a band for the group of so many documents from `first` on.
    fn read(&mut self, first: u64, documents: u64, band: u32) -> io::Result<()> {
        let key = BandShape::KEY_BYTES as u64;
        let column = documents * key;
        self.buffer.resize(crate::numbers::index(column), 0);
        let start = first * self.shape.bytes() as u64 + column * u64::from(band);
        self.file.seek(SeekFrom::Start(start))?;
        self.file.read_exact(&mut self.buffer)
    }

    fn failed(&self, source: io::Error) -> Error {
        Error::Spill { dir: self.dir.clone(), source }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sketch(document: u64, shape: BandShape) -> Vec<u8> {
        let bands = 0..u64::from(shape.bands());
        bands.flat_map(|band| (document << 8 | band).to_le_bytes()[..5].to_vec()).collect()
    }

    fn check(columns: &mut Columns, count: u64) {
        for band in 0..columns.shape.bands() {
            let mut document = 0;
            let mut check = |keys: &[[u8; 5]]| {
                for key in keys {
                    assert_eq!(*key, (document << 8 | u64::from(band)).to_le_bytes()[..5]);
                    document += 1;
                }
                Ok(())
            };
            columns.band(band, &mut check).unwrap();
            assert_eq!(document, count);
        }
    }

    #[test]
    fn columns_come_back_in_order_also_after_a_checkpoint() {
        let shape = BandShape::for_similarity(0.8, 0.999).unwrap();
        let dir = tempfile::tempdir().unwrap();
        // Groups are of 11 650 documents: none, one group that is not full, two and a part.
        for count in [0, 1, 7000, 11_650, 30_000_u64] {
            let mut columns = Columns::new(shape, dir.path());
            for document in 0..count {
                columns.push(&sketch(document, shape)).unwrap();
            }
            check(&mut columns, count);
            let path = dir.path().join("state");
            let mut state = StateWriter::create(&path).unwrap();
            columns.save(&mut state).unwrap();
            let (bytes, checksum) = state.finish().unwrap();
            let mut state = StateReader::open(&path, bytes, checksum).unwrap().unwrap();
            let mut restored = Columns::restore(&mut state, shape, dir.path()).unwrap();
            check(&mut restored, count);
            std::fs::remove_file(&path).unwrap();
        }
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
