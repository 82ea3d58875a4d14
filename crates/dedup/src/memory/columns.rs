//! The sketches of a corpus, band by band: what bands are joined from.
//!
//! Knows bytes and documents in order, not what the keys mean.

use crate::error::Error;
use crate::memory::spool::{Piece, Spool, failed};
use crate::memory::state::{StateReader, StateWriter};
use crate::numbers::index;
use nearprint_fingerprint::BandShape;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Bytes of the sketches of a group of documents, about.
const GROUP: usize = 1 << 20;
/// Bytes that are held where there are no more.
const HELD: usize = 1 << 18;

/// A key of a band.
pub(crate) type Key = [u8; BandShape::KEY_BYTES];

/// A column for each band, with the band's key of every document in order: 5 bytes each.
///
/// Documents lie in groups, and in each group one column after the other. The columns of some documents are made by any
/// thread, those of a group put together of these, and a band of any group is read by any thread.
///
/// Memory: some 2 MiB, and those that come at a time.
#[derive(Debug)]
pub(crate) struct Columns {
    shape: BandShape,
    spool: Arc<Spool>,
    groups: Vec<Group>,
    /// Documents in groups.
    documents: u64,
    /// Those behind them.
    waiting: Vec<Few>,
    waiting_bytes: usize,
}

/// Documents that follow each other.
#[derive(Debug)]
struct Group {
    /// The number of the first.
    first: u64,
    documents: u64,
    piece: Piece,
}

/// The sketches of documents that follow each other.
#[derive(Debug)]
pub(crate) enum Packed {
    /// They wait for others.
    Few(Few),
    /// So many are a group of their own, which is put aside, or could not be.
    Group(u64, io::Result<Piece>),
}

/// The sketches of some documents that follow each other, a column after the other.
#[derive(Debug)]
pub(crate) struct Few {
    documents: usize,
    columns: Vec<u8>,
}

/// Packs sketches on any thread: no thread holds more than those of a group.
#[derive(Clone, Debug)]
pub(crate) struct Packer {
    shape: BandShape,
    spool: Arc<Spool>,
}

impl Packer {
    /// Whether these sketches, one behind the other, are to be packed before others come.
    pub(crate) fn is_full(&self, sketches: &[u8]) -> bool {
        sketches.len() >= GROUP
    }

    /// Packs the sketches of records, one behind the other, of those that are documents.
    pub(crate) fn pack(
        &self,
        sketches: &[u8],
        are_documents: impl Iterator<Item = bool>,
    ) -> Packed {
        let few = Few::new(self.shape, sketches, are_documents);
        match few.columns.len() < GROUP / 2 {
            true => Packed::Few(few),
            false => Packed::Group(few.documents as u64, self.spool.put(few.columns)),
        }
    }

    /// The same of any number, in groups.
    pub(crate) fn all(
        &self,
        sketches: &[u8],
        are_documents: &[bool],
    ) -> impl Iterator<Item = Packed> {
        let most = (GROUP / self.shape.bytes()).max(1);
        let sketches = sketches.chunks(most * self.shape.bytes());
        let all = sketches.zip(are_documents.chunks(most));
        all.map(|(sketches, are_documents)| self.pack(sketches, are_documents.iter().copied()))
    }
}

impl Few {
    fn new(shape: BandShape, sketches: &[u8], are_documents: impl Iterator<Item = bool>) -> Self {
        let sketches = sketches.chunks_exact(shape.bytes()).zip(are_documents);
        let sketches: Vec<&[u8]> =
            sketches.filter_map(|(sketch, is_document)| is_document.then_some(sketch)).collect();
        let mut columns = Vec::with_capacity(sketches.len() * shape.bytes());
        for band in (0..shape.bytes()).step_by(BandShape::KEY_BYTES) {
            for sketch in &sketches {
                let key = sketch.get(band..band + BandShape::KEY_BYTES).unwrap_or_default();
                columns.extend_from_slice(key);
            }
        }
        Self { documents: sketches.len(), columns }
    }

    /// The column of a band.
    fn column(&self, band: usize) -> &[u8] {
        let bytes = self.documents * BandShape::KEY_BYTES;
        self.columns.get(band * bytes..(band + 1) * bytes).unwrap_or_default()
    }
}

impl Columns {
    /// Columns without documents, whose files will be in `dir`.
    pub(crate) fn new(shape: BandShape, dir: &Path) -> Self {
        let (spool, groups, waiting) = (Spool::new(dir, HELD), Vec::new(), Vec::new());
        let spool = Arc::new(spool);
        Self { shape, spool, groups, documents: 0, waiting, waiting_bytes: 0 }
    }

    /// What packs sketches for it.
    pub(crate) fn packer(&self) -> Packer {
        Packer { shape: self.shape, spool: Arc::clone(&self.spool) }
    }

    /// The shape of the sketches.
    pub(crate) fn shape(&self) -> BandShape {
        self.shape
    }

    /// Where temporary files go.
    pub(crate) fn dir(&self) -> &Path {
        self.spool.dir()
    }

    /// Appends the sketches of the next documents.
    ///
    /// # Errors
    /// Those of the disk.
    pub(crate) fn push(&mut self, packed: Packed) -> Result<(), Error> {
        let pushed = match packed {
            Packed::Few(few) => {
                self.waiting_bytes += few.columns.len();
                self.waiting.push(few);
                if self.waiting_bytes < GROUP { Ok(()) } else { self.flush() }
            }
            Packed::Group(documents, piece) => self.flush().and_then(|()| {
                self.append(documents, piece?);
                Ok(())
            }),
        };
        pushed.map_err(|source| failed(self.dir(), source))
    }

    /// All groups, in their order.
    ///
    /// # Errors
    /// Those of the disk.
    pub(crate) fn groups(&mut self) -> Result<Groups<'_>, Error> {
        self.flush().map_err(|source| failed(self.dir(), source))?;
        Ok(Groups(self))
    }

    /// Makes a group of those that wait.
    fn flush(&mut self) -> io::Result<()> {
        let documents = self.waiting.iter().map(|few| few.documents as u64).sum();
        let mut bytes = Vec::with_capacity(self.waiting_bytes);
        for band in 0..self.shape.bytes() / BandShape::KEY_BYTES {
            self.waiting.iter().for_each(|few| bytes.extend_from_slice(few.column(band)));
        }
        (self.waiting_bytes, self.waiting) = (0, Vec::new());
        self.take(documents, bytes)
    }

    /// Puts a group aside.
    fn take(&mut self, documents: u64, bytes: Vec<u8>) -> io::Result<()> {
        if documents > 0 {
            let piece = self.spool.put(bytes)?;
            self.append(documents, piece);
        }
        Ok(())
    }

    fn append(&mut self, documents: u64, piece: Piece) {
        self.groups.push(Group { first: self.documents, documents, piece });
        self.documents += documents;
    }

    /// Puts in all columns.
    pub(crate) fn save(&mut self, state: &mut StateWriter) -> io::Result<()> {
        self.flush()?;
        state.numbers(self.groups.iter().map(|group| group.documents))?;
        self.groups.iter().try_for_each(|Group { piece, .. }| {
            state.begin(piece.len())?;
            piece.save(state)
        })
    }

    /// What [`Self::save`] put in, of the same shape; the files will be in `dir`.
    pub(crate) fn restore(
        state: &mut StateReader,
        shape: BandShape,
        dir: &Path,
    ) -> io::Result<Self> {
        let mut columns = Self::new(shape, dir);
        for documents in state.numbers()? {
            let bytes = state.bytes()?;
            columns.take(documents, bytes)?;
        }
        Ok(columns)
    }
}

/// The groups of columns that are complete.
#[derive(Clone, Copy)]
pub(crate) struct Groups<'a>(&'a Columns);

impl Groups<'_> {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.groups.len()
    }

    /// Reads the keys of a group in a band into `buffer`: those of its documents in their order, with the number of the
    /// first.
    ///
    /// # Errors
    /// Those of the disk.
    pub(crate) fn keys<'b>(
        &self,
        group: usize,
        band: u32,
        buffer: &'b mut Vec<u8>,
    ) -> Result<(u64, &'b [Key]), Error> {
        let Some(group) = self.0.groups.get(group) else { return Ok((self.0.documents, &[])) };
        let column = group.documents * BandShape::KEY_BYTES as u64;
        buffer.resize(index(column), 0);
        let read = group.piece.read(column * u64::from(band), buffer);
        read.map_err(|source| failed(self.0.dir(), source))?;
        Ok((group.first, buffer.as_chunks().0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sketch(document: u64, shape: BandShape) -> Vec<u8> {
        let bands = 0..u64::from(shape.bands());
        bands.flat_map(|band| (document << 8 | band).to_le_bytes()[..5].to_vec()).collect()
    }

    fn check(columns: &mut Columns, documents: &[u64]) {
        let (mut buffer, bands) = (Vec::new(), columns.shape.bands());
        let groups = columns.groups().unwrap();
        for band in 0..bands {
            let mut expected = (0..).zip(documents);
            for group in 0..groups.len() {
                let (first, keys) = groups.keys(group, band, &mut buffer).unwrap();
                for (at, key) in (first..).zip(keys) {
                    let document = expected.next().map(|(place, document)| {
                        assert_eq!(at, place);
                        document << 8 | u64::from(band)
                    });
                    assert_eq!(
                        document.map(|it| it.to_le_bytes()[..5].to_vec()),
                        Some(key.to_vec())
                    );
                }
            }
            assert_eq!(expected.next(), None);
        }
    }

    #[test]
    fn columns_come_back_in_order_also_after_a_checkpoint() {
        let shape = BandShape::for_similarity(0.8, 0.999).unwrap();
        let dir = tempfile::tempdir().unwrap();
        // In memory, and more than is held there; a third of the records are no documents.
        for count in [0, 1, 7000, 30_000_u64] {
            let mut columns = Columns::new(shape, dir.path());
            let is_document = |record: &&u64| *record % 3 != 1;
            let records: Vec<u64> = (0..count).collect();
            // Some batches have no document.
            for records in
                records.chunks(1).take(5).chain(records[records.len().min(5)..].chunks(9999))
            {
                let sketches: Vec<u8> =
                    records.iter().flat_map(|one| sketch(*one, shape)).collect();
                let are_documents: Vec<_> = records.iter().map(|one| is_document(&one)).collect();
                let packer = columns.packer();
                let packed: Vec<_> = packer.all(&sketches, &are_documents).collect();
                packed.into_iter().for_each(|packed| columns.push(packed).unwrap());
            }
            let documents: Vec<u64> = records.iter().filter(is_document).copied().collect();
            check(&mut columns, &documents);
            let path = dir.path().join("state");
            let mut state = StateWriter::create(&path).unwrap();
            columns.save(&mut state).unwrap();
            let (bytes, checksum) = state.finish().unwrap();
            let mut state = StateReader::open(&path, bytes, checksum).unwrap().unwrap();
            check(&mut Columns::restore(&mut state, shape, dir.path()).unwrap(), &documents);
            std::fs::remove_file(&path).unwrap();
        }
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
