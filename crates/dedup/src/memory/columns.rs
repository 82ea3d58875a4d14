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

/// Bytes that are held where there are no more.
const HELD: usize = 2 << 20;

/// A key of a band.
pub(crate) type Key = [u8; BandShape::KEY_BYTES];

/// A column for each band, with the band's key of every document in order: 5 bytes each.
///
/// Documents lie in groups, and in each group one column after the other, so that any thread packs those it has read,
/// and reads a band of any.
///
/// Memory: 64 bytes a group, and 2 MiB.
#[derive(Debug)]
pub(crate) struct Columns {
    shape: BandShape,
    spool: Arc<Spool>,
    groups: Vec<Group>,
    documents: u64,
}

/// Documents that follow each other.
#[derive(Debug)]
pub(crate) struct Group {
    /// The number of the first.
    first: u64,
    documents: u64,
    piece: Piece,
}

/// Packs sketches, on any thread.
#[derive(Debug)]
pub(crate) struct Packer {
    shape: BandShape,
    spool: Arc<Spool>,
}

/// The sketches of some documents that follow each other.
#[derive(Debug)]
pub(crate) struct Packed {
    documents: u64,
    piece: Piece,
}

impl Packer {
    /// Puts aside the sketches of those records that are documents: the sketches lie one behind the other.
    ///
    /// # Errors
    /// Those of the disk.
    pub(crate) fn pack(
        &self,
        sketches: &[u8],
        are_documents: impl Iterator<Item = bool>,
    ) -> Result<Packed, Error> {
        let sketches = sketches.chunks_exact(self.shape.bytes()).zip(are_documents);
        let sketches: Vec<&[u8]> =
            sketches.filter_map(|(sketch, is_document)| is_document.then_some(sketch)).collect();
        let mut bytes = Vec::with_capacity(sketches.len() * self.shape.bytes());
        for band in (0..self.shape.bytes()).step_by(BandShape::KEY_BYTES) {
            for sketch in &sketches {
                let key = sketch.get(band..band + BandShape::KEY_BYTES).unwrap_or_default();
                bytes.extend_from_slice(key);
            }
        }
        let piece = self.spool.put(bytes).map_err(|source| failed(self.spool.dir(), source))?;
        Ok(Packed { documents: sketches.len() as u64, piece })
    }
}

impl Columns {
    /// Columns without documents, whose files will be in `dir`.
    pub(crate) fn new(shape: BandShape, dir: &Path) -> Self {
        let spool = Arc::new(Spool::new(dir, HELD));
        Self { shape, spool, groups: Vec::new(), documents: 0 }
    }

    /// The shape of the sketches.
    pub(crate) fn shape(&self) -> BandShape {
        self.shape
    }

    /// Where temporary files go.
    pub(crate) fn dir(&self) -> &Path {
        self.spool.dir()
    }

    /// What packs sketches for it.
    pub(crate) fn packer(&self) -> Packer {
        Packer { shape: self.shape, spool: Arc::clone(&self.spool) }
    }

    /// Appends the sketches of the next documents.
    pub(crate) fn push(&mut self, Packed { documents, piece }: Packed) {
        if documents > 0 {
            self.groups.push(Group { first: self.documents, documents, piece });
            self.documents += documents;
        }
    }

    /// All groups, in their order.
    pub(crate) fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Reads the keys of a group in a band into `buffer`: those of its documents in their order, with the number of the
    /// first.
    ///
    /// # Errors
    /// Those of the disk.
    pub(crate) fn keys<'b>(
        &self,
        group: &Group,
        band: u32,
        buffer: &'b mut Vec<u8>,
    ) -> Result<(u64, &'b [Key]), Error> {
        let column = group.documents * BandShape::KEY_BYTES as u64;
        buffer.resize(index(column), 0);
        let read = group.piece.read(column * u64::from(band), buffer);
        read.map_err(|source| failed(self.dir(), source))?;
        Ok((group.first, buffer.as_chunks().0))
    }

    /// Puts in all columns.
    pub(crate) fn save(&self, state: &mut StateWriter) -> io::Result<()> {
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
            let piece = columns.spool.put(state.bytes()?)?;
            columns.push(Packed { documents, piece });
        }
        Ok(columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sketch(document: u64, shape: BandShape) -> Vec<u8> {
        let bands = 0..u64::from(shape.bands());
        bands.flat_map(|band| (document << 8 | band).to_le_bytes()[..5].to_vec()).collect()
    }

    fn check(columns: &Columns, documents: &[u64]) {
        let mut buffer = Vec::new();
        for band in 0..columns.shape.bands() {
            let mut expected = (0..).zip(documents);
            for group in columns.groups() {
                let (first, keys) = columns.keys(group, band, &mut buffer).unwrap();
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
            let packer = columns.packer();
            let is_document = |record: &u64| record % 3 != 1;
            let records: Vec<u64> = (0..count).collect();
            // Some groups have no document.
            for records in
                records.chunks(1).take(5).chain(records[records.len().min(5)..].chunks(999))
            {
                let sketches: Vec<u8> =
                    records.iter().flat_map(|one| sketch(*one, shape)).collect();
                columns.push(packer.pack(&sketches, records.iter().map(is_document)).unwrap());
            }
            let documents: Vec<u64> = records.into_iter().filter(is_document).collect();
            check(&columns, &documents);
            let path = dir.path().join("state");
            let mut state = StateWriter::create(&path).unwrap();
            columns.save(&mut state).unwrap();
            let (bytes, checksum) = state.finish().unwrap();
            let mut state = StateReader::open(&path, bytes, checksum).unwrap().unwrap();
            check(&Columns::restore(&mut state, shape, dir.path()).unwrap(), &documents);
            std::fs::remove_file(&path).unwrap();
        }
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
