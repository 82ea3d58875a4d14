//! The number of the last group of writes that was acknowledged, in a file of its own. It shows whether the
//! database lost the end of its journal.
//!
//! The file has two slots, which are written in turn: while one is written, the other is whole. It is synced when the
//! store is made and not again. After a loss of power it may be behind the database, never ahead of it.

use crate::error::Error;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// The file in a store.
pub(crate) const FILE: &str = "acknowledged";
/// Bytes of a slot. No two slots share a sector.
const SLOT: usize = 4096;

/// The file, open.
pub(crate) struct Acknowledged {
    file: File,
    path: PathBuf,
}

impl Acknowledged {
    /// Opens the file of the store at `store`, or makes it.
    pub(crate) fn open(store: &Path) -> Result<Self, Error> {
        let path = store.join(FILE);
        let open =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        Ok(Self { file: open.map_err(Error::io(&path))?, path })
    }

    /// Makes the file of a new store, synced: whoever finds no number later has lost it.
    pub(crate) fn create(store: &Path, number: u64) -> Result<(), Error> {
        let mut made = Self::open(store)?;
        made.write(number)?;
        made.file.sync_all().map_err(Error::io(&made.path))
    }

    /// The last number that was written in the store at `store`; `None` if no slot is whole, or there is no file.
    pub(crate) fn last_of(store: &Path) -> Result<Option<u64>, Error> {
        let path = store.join(FILE);
        match std::fs::read(&path) {
            Ok(bytes) => Ok(bytes.chunks(SLOT).filter_map(number).max()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::io(&path)(error)),
        }
    }

    /// The last number that was written; `None` if no slot is whole.
    pub(crate) fn last(&self) -> Result<Option<u64>, Error> {
        let (mut bytes, mut file) = (Vec::new(), &self.file);
        let all = file.seek(SeekFrom::Start(0)).and_then(|_| file.read_to_end(&mut bytes));
        all.map_err(Error::io(&self.path))?;
        Ok(bytes.chunks(SLOT).filter_map(number).max())
    }

    /// Notes that all groups up to `number` are acknowledged. They must be durable.
    pub(crate) fn write(&mut self, number: u64) -> Result<(), Error> {
        let mut slot = [number.to_le_bytes(), [0; 8]];
        slot[1] = xxh3_64(&slot[0]).to_le_bytes();
        let at = SeekFrom::Start(number % 2 * SLOT as u64);
        let written = self.file.seek(at).and_then(|_| self.file.write_all(slot.as_flattened()));
        written.map_err(Error::io(&self.path))
    }
}

/// The number in a slot; `None` if the slot is not whole.
fn number(slot: &[u8]) -> Option<u64> {
    let (number, rest) = slot.split_first_chunk()?;
    let checksum = u64::from_le_bytes(*rest.first_chunk()?);
    (xxh3_64(number) == checksum).then(|| u64::from_le_bytes(*number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_whole_slot_counts() {
        let room = tempfile::tempdir().unwrap();
        let mut file = Acknowledged::open(room.path()).unwrap();
        assert_eq!(file.last().unwrap(), None);
        for number in 1..=5 {
            file.write(number).unwrap();
            assert_eq!(file.last().unwrap(), Some(number));
        }
        let path = room.path().join(FILE);
        let whole = std::fs::read(&path).unwrap();
        for at in (0..16).chain(SLOT..SLOT + 16) {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            std::fs::write(&path, bytes).unwrap();
            let last = Acknowledged::open(room.path()).unwrap().last().unwrap();
            assert_eq!(last, Some(if at < SLOT { 5 } else { 4 }), "byte {at}");
        }
    }
}
