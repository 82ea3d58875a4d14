//! Lists of numbers and small values in a file, with a checksum: how a stage is kept, or a file that stands alone. Which
//! stages there are is handled by [`crate::job::checkpoint`].

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use xxhash_rust::xxh3::Xxh3;

/// Bytes taken at a time.
const BUFFER: usize = 1 << 17;
/// Bytes at the end of a file that stands alone: its length without them, and its checksum.
const SEAL: u64 = 16;

/// A file being written. Everything comes back in the order in which it was put in.
pub(crate) struct StateWriter<W: Write = File> {
    file: BufWriter<W>,
    sum: Xxh3,
    bytes: u64,
}

impl StateWriter {
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        Ok(Self::to(File::create(path)?))
    }

    /// Ends the file, safe on disk; its length and checksum.
    pub(crate) fn finish(self) -> io::Result<(u64, u64)> {
        self.file.into_inner()?.sync_all()?;
        Ok((self.bytes, self.sum.digest()))
    }
}

impl<W: Write> StateWriter<W> {
    fn to(file: W) -> Self {
        Self { file: BufWriter::with_capacity(BUFFER, file), sum: Xxh3::new(), bytes: 0 }
    }

    /// Begins a file that stands alone: it begins with a line of its kind and version, and ends with a
    /// [seal](Self::seal).
    pub(crate) fn alone(file: W, kind: &str, version: u32) -> io::Result<Self> {
        let mut writer = Self::to(file);
        writer.put(first_line(kind, version).as_bytes())?;
        Ok(writer)
    }

    /// Ends a file that stands alone.
    pub(crate) fn seal(mut self) -> io::Result<()> {
        let seal = [self.bytes, self.sum.digest()];
        seal.iter().try_for_each(|number| self.file.write_all(&number.to_le_bytes()))?;
        self.file.flush()
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

    /// Begins bytes of a length, all of which [`part`](Self::part) puts in.
    pub(crate) fn begin(&mut self, length: u64) -> io::Result<()> {
        self.put(&length.to_le_bytes())
    }

    /// Puts in a part of the bytes that were begun.
    pub(crate) fn part(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.put(bytes)
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.update(bytes);
        self.bytes += bytes.len() as u64;
        self.file.write_all(bytes)
    }
}

/// The first line of a file that stands alone.
fn first_line(kind: &str, version: u32) -> String {
    format!("{kind} {version}\n")
}

/// A file whose checksum was found right.
pub(crate) struct StateReader {
    file: BufReader<File>,
}

/// A file that stands alone, as it was found.
pub(crate) enum Alone {
    /// As it was written.
    Whole(StateReader),
    /// Another kind of file.
    Foreign,
    /// Written by a release that has another form of it.
    OtherVersion,
    /// Shorter or longer than it was written.
    OtherLength,
    /// Of its length, with other bytes.
    Damaged,
}

impl StateReader {
    /// Opens a file and reads it once for its checksum. `None` where it is not the one of that
    /// length and checksum.
    pub(crate) fn open(path: &Path, length: u64, checksum: u64) -> io::Result<Option<Self>> {
        let mut file = File::open(path)?;
        if summed(&mut file)? != (length, checksum) {
            return Ok(None);
        }
        Ok(Some(Self { file: BufReader::with_capacity(BUFFER, File::open(path)?) }))
    }

    /// Opens a file that stands alone, and reads it once for its checksum.
    pub(crate) fn alone(path: &Path, kind: &str, version: u32) -> io::Result<Alone> {
        let mut file = File::open(path)?;
        let all = file.metadata()?.len();
        let (kind, expected) = (format!("{kind} "), first_line(kind, version));
        let mut line = Vec::new();
        (&file).take(expected.len() as u64).read_to_end(&mut line)?;
        if line != expected.as_bytes() {
            let is_kind = line.starts_with(kind.as_bytes());
            return Ok(match (is_kind, line.len() < expected.len()) {
                (true, true) => Alone::OtherLength,
                (true, false) => Alone::OtherVersion,
                (false, _) => Alone::Foreign,
            });
        }
        let Some(length) = all.checked_sub(SEAL) else { return Ok(Alone::OtherLength) };
        file.seek(SeekFrom::Start(length))?;
        let [sealed_length, checksum] = [number(&mut file)?, number(&mut file)?];
        if sealed_length != length {
            return Ok(Alone::OtherLength);
        }
        file.rewind()?;
        if summed(&mut (&file).take(length))? != (length, checksum) {
            return Ok(Alone::Damaged);
        }
        file.seek(SeekFrom::Start(expected.len() as u64))?;
        Ok(Alone::Whole(Self { file: BufReader::with_capacity(BUFFER, file) }))
    }

    /// The place in the file and the length of the bytes that come next, which are passed over.
    pub(crate) fn pass(&mut self) -> io::Result<(u64, u64)> {
        let length = self.number()?;
        let at = self.file.stream_position()?;
        self.file.seek(SeekFrom::Start(at + length))?;
        Ok((at, length))
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
        number(&mut self.file)
    }
}

fn number(from: &mut impl Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    from.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

/// The number and the checksum of all bytes that come.
fn summed(from: &mut impl Read) -> io::Result<(u64, u64)> {
    let (mut sum, mut bytes, mut buffer) = (Xxh3::new(), 0, vec![0; BUFFER]);
    loop {
        let count = from.read(&mut buffer)?;
        if count == 0 {
            return Ok((bytes, sum.digest()));
        }
        sum.update(buffer.get(..count).unwrap_or_default());
        bytes += count as u64;
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

    #[test]
    fn a_file_that_stands_alone_is_known_and_damage_is_told_by_its_kind() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("alone");
        let mut writer = StateWriter::alone(File::create(&path).unwrap(), "pages", 3).unwrap();
        writer.numbers([7].into_iter()).unwrap();
        writer.begin(4).unwrap();
        b"rows".iter().for_each(|byte| writer.part(&[*byte]).unwrap());
        writer.value(&"x").unwrap();
        writer.seal().unwrap();
        let open = || StateReader::alone(&path, "pages", 3).unwrap();
        let Alone::Whole(mut reader) = open() else { panic!("whole") };
        assert_eq!(reader.numbers().unwrap(), [7]);
        let (at, length) = reader.pass().unwrap();
        assert_eq!(reader.value::<String>().unwrap(), "x");
        let bytes = std::fs::read(&path).unwrap();
        let rows = usize::try_from(at).unwrap();
        assert_eq!((&bytes[rows..rows + 4], length), (&b"rows"[..], 4));
        let found = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            open()
        };
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(!matches!(found(&damaged), Alone::Whole(_)), "byte {at}");
            assert!(!matches!(found(&bytes[..at]), Alone::Whole(_) | Alone::OtherVersion), "{at}");
        }
        let damaged = [&bytes[..9], &[bytes[9] ^ 1], &bytes[10..]].concat();
        assert!(matches!(found(&damaged), Alone::Damaged));
        assert!(matches!(found(&[&bytes[..], b"x"].concat()), Alone::OtherLength));
        assert!(matches!(found(b"{\"a\":1}\n"), Alone::Foreign));
        assert!(matches!(found(b"pages 4\nmore"), Alone::OtherVersion));
        assert!(matches!(found(b"pages 3\nmore"), Alone::OtherLength));
    }
}
