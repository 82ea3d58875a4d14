//! Lists of numbers and small values in a file, with a checksum: how a stage is kept. Which stages
//! there are is the affair of [`crate::job::checkpoint`].

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;
use xxhash_rust::xxh3::Xxh3;

/// Bytes taken at a time.
const BUFFER: usize = 1 << 17;

/// A file being written. Everything comes back in the order in which it was put in.
pub(crate) struct StateWriter {
    file: BufWriter<File>,
    sum: Xxh3,
    bytes: u64,
}

impl StateWriter {
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let file = BufWriter::with_capacity(BUFFER, File::create(path)?);
        Ok(Self { file, sum: Xxh3::new(), bytes: 0 })
    }

    /// Puts in a list.
    pub(crate) fn numbers(&mut self, list: impl ExactSizeIterator<Item = u64>) -> io::Result<()> {
        self.put(&(list.len() as u64).to_le_bytes())?;
        list.into_iter().try_for_each(|number| self.put(&number.to_le_bytes()))
    }

    /// Puts in bytes.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.put(&(bytes.len() as u64).to_le_bytes())?;
        self.put(bytes)
    }

    /// Puts in all that `from` gives, whose length is known.
    pub(crate) fn copy(&mut self, from: &mut impl Read, length: u64) -> io::Result<()> {
        self.put(&length.to_le_bytes())?;
        let (mut buffer, mut left) = (vec![0; BUFFER], length);
        while left > 0 {
            let most = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            let part = buffer.get_mut(..most).unwrap_or_default();
            from.read_exact(part)?;
            left -= part.len() as u64;
            self.put(part)?;
        }
        Ok(())
    }

    /// Puts in a small value.
    pub(crate) fn value(&mut self, value: &impl Serialize) -> io::Result<()> {
        self.bytes(&serde_json::to_vec(value)?)
    }

    /// Ends the file, safe on disk; its length and checksum.
    pub(crate) fn finish(self) -> io::Result<(u64, u64)> {
        self.file.into_inner()?.sync_all()?;
        Ok((self.bytes, self.sum.digest()))
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.update(bytes);
        self.bytes += bytes.len() as u64;
        self.file.write_all(bytes)
    }
}

/// A file whose checksum was found right.
pub(crate) struct StateReader {
    file: BufReader<File>,
}

impl StateReader {
    /// Opens a file and reads it once for its checksum. `None` where it is not the one of that
    /// length and checksum.
    pub(crate) fn open(path: &Path, length: u64, checksum: u64) -> io::Result<Option<Self>> {
        let mut file = File::open(path)?;
        let (mut sum, mut bytes, mut buffer) = (Xxh3::new(), 0, vec![0; BUFFER]);
        loop {
            let count = file.read(&mut buffer)?;
            if count == 0 {
                break;
            }
            sum.update(buffer.get(..count).unwrap_or_default());
            bytes += count as u64;
        }
        if (bytes, sum.digest()) != (length, checksum) {
            return Ok(None);
        }
        Ok(Some(Self { file: BufReader::with_capacity(BUFFER, File::open(path)?) }))
    }

    pub(crate) fn numbers(&mut self) -> io::Result<Vec<u64>> {
        let length = self.number()?;
        (0..length).map(|_| self.number()).collect()
    }

    pub(crate) fn bytes(&mut self) -> io::Result<Vec<u8>> {
        let length = usize::try_from(self.number()?).map_err(io::Error::other)?;
        let mut bytes = vec![0; length];
        self.file.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// What [`StateWriter::copy`] put in, to `to`; its length.
    pub(crate) fn copy(&mut self, to: &mut impl Write) -> io::Result<u64> {
        let length = self.number()?;
        io::copy(&mut (&mut self.file).take(length), to)
    }

    pub(crate) fn value<T: DeserializeOwned>(&mut self) -> io::Result<T> {
        Ok(serde_json::from_slice(&self.bytes()?)?)
    }

    fn number(&mut self) -> io::Result<u64> {
        let mut bytes = [0; 8];
        self.file.read_exact(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_in_comes_back_and_damage_is_seen() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("state");
        let mut writer = StateWriter::create(&path).unwrap();
        writer.numbers([1, u64::MAX].into_iter()).unwrap();
        writer.bytes(b"text").unwrap();
        writer.value(&(1, "x")).unwrap();
        writer.copy(&mut &b"rows"[..], 4).unwrap();
        writer.numbers(std::iter::empty()).unwrap();
        let (length, checksum) = writer.finish().unwrap();
        let mut reader = StateReader::open(&path, length, checksum).unwrap().unwrap();
        assert_eq!(reader.numbers().unwrap(), [1, u64::MAX]);
        assert_eq!(reader.bytes().unwrap(), b"text");
        assert_eq!(reader.value::<(u32, String)>().unwrap(), (1, "x".to_owned()));
        let mut rows = Vec::new();
        assert_eq!((reader.copy(&mut rows).unwrap(), rows.as_slice()), (4, &b"rows"[..]));
        assert_eq!(reader.numbers().unwrap(), [0_u64; 0]);
        let bytes = std::fs::read(&path).unwrap();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            std::fs::write(&path, &damaged).unwrap();
            assert!(StateReader::open(&path, length, checksum).unwrap().is_none(), "byte {at}");
        }
        std::fs::write(&path, &bytes[1..]).unwrap();
        assert!(StateReader::open(&path, length, checksum).unwrap().is_none());
    }
}
