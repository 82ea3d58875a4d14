//! A file of lists that is written once and read whole or in part by any thread: each list is sealed with its length
//! and a checksum. What the lists are is told by who writes them.
//!
//! Behind the magic bytes and the version come the lists, each as its bytes, what they are, and a checksum of both. The
//! file ends with the last one, so no byte can be changed, added or lost unseen.

use crate::memory::spool::read_at;
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;
use xxhash_rust::xxh3::Xxh3;

/// Bytes that are read or written at a time.
const TOGETHER: usize = 1 << 18;
/// Bytes of a length and of a checksum.
const NUMBER: u64 = 8;

/// What the files of one kind begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seal {
    pub(crate) magic: [u8; 8],
    pub(crate) version: u32,
    /// Lists of a file.
    pub(crate) lists: usize,
}

/// Why a file is not the one that was written.
#[derive(Debug)]
pub(crate) enum Flaw {
    /// It is of another kind.
    Other,
    /// It is of another version.
    Version(u32),
    /// It is damaged, in this way.
    Damaged(String),
    /// The disk's.
    Io(io::Error),
}

impl From<io::Error> for Flaw {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// A number of fixed size, as files have it.
pub(crate) trait Plain: Copy + Send {
    /// Bytes of one.
    const BYTES: usize;

    /// Appends its bytes.
    fn put(self, into: &mut Vec<u8>);

    /// Appends the numbers of some bytes.
    fn take(bytes: &[u8], into: &mut Vec<Self>);
}

macro_rules! plain {
    ($($number:ty),*) => {$(
        impl Plain for $number {
            const BYTES: usize = size_of::<Self>();

            fn put(self, into: &mut Vec<u8>) {
                into.extend_from_slice(&self.to_le_bytes());
            }

            fn take(bytes: &[u8], into: &mut Vec<Self>) {
                let (numbers, _) = bytes.as_chunks();
                into.extend(numbers.iter().map(|number| Self::from_le_bytes(*number)));
            }
        }
    )*};
}

plain!(u8, u32, u64);

impl<const N: usize> Plain for [u32; N] {
    const BYTES: usize = 4 * N;

    fn put(self, into: &mut Vec<u8>) {
        self.iter().for_each(|number| number.put(into));
    }

    fn take(bytes: &[u8], into: &mut Vec<Self>) {
        into.extend(bytes.chunks_exact(Self::BYTES).map(|entry| {
            let (numbers, _) = entry.as_chunks();
            std::array::from_fn(|at| u32::from_le_bytes(numbers[at]))
        }));
    }
}

/// A file that is being written.
pub(crate) struct SealedWriter<'a> {
    file: BufWriter<&'a mut File>,
    lists: usize,
}

impl<'a> SealedWriter<'a> {
    /// A file without a list.
    pub(crate) fn begin(file: &'a mut File, seal: Seal) -> io::Result<Self> {
        let mut file = BufWriter::with_capacity(TOGETHER, file);
        file.write_all(&seal.magic)?;
        file.write_all(&seal.version.to_le_bytes())?;
        Ok(Self { file, lists: 0 })
    }

    /// Writes the next list, which is the one of that number.
    pub(crate) fn list<T: Plain>(
        &mut self,
        number: usize,
        list: impl ExactSizeIterator<Item = T>,
    ) -> io::Result<()> {
        let length = (list.len() * T::BYTES) as u64;
        self.bytes(number, length, |put| {
            let mut bytes = Vec::with_capacity(TOGETHER);
            for value in list {
                value.put(&mut bytes);
                if bytes.len() >= TOGETHER {
                    put(&bytes)?;
                    bytes.clear();
                }
            }
            put(&bytes)
        })
    }

    /// Writes the next list, which is so many bytes that `fill` puts in.
    pub(crate) fn bytes(
        &mut self,
        number: usize,
        length: u64,
        fill: impl FnOnce(&mut dyn FnMut(&[u8]) -> io::Result<()>) -> io::Result<()>,
    ) -> io::Result<()> {
        let (mut sum, mut written) = (Xxh3::new(), 0);
        sum.update(&length.to_le_bytes());
        self.file.write_all(&length.to_le_bytes())?;
        fill(&mut |bytes| {
            sum.update(bytes);
            written += bytes.len() as u64;
            self.file.write_all(bytes)
        })?;
        if (number, length) != (self.lists, written) {
            return Err(io::Error::other("a list is not the one that was announced"));
        }
        self.lists += 1;
        self.file.write_all(&sum.digest().to_le_bytes())
    }

    /// Ends the file, which is not yet safe on disk.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A file that is read.
#[derive(Debug)]
pub(crate) struct Sealed {
    file: File,
    /// Where the bytes of each list begin, and how many they are.
    lists: Vec<(u64, u64)>,
}

impl Sealed {
    /// Opens a file of a kind; lists are checked as they are read.
    pub(crate) fn open(path: &Path, seal: Seal) -> Result<Self, Flaw> {
        let file = File::open(path)?;
        let all = file.metadata()?.len();
        let (mut magic, mut version) = ([0; 8], [0; 4]);
        match read_at(&file, 0, &mut magic) {
            Ok(()) if magic == seal.magic => {}
            Err(error) if error.kind() != ErrorKind::UnexpectedEof => return Err(error.into()),
            _ => return Err(Flaw::Other),
        }
        let mut at = magic.len() as u64;
        if all < at + version.len() as u64 {
            return Err(cut_short(all));
        }
        read_at(&file, at, &mut version)?;
        let version = u32::from_le_bytes(version);
        if version != seal.version {
            return Err(Flaw::Version(version));
        }
        at += 4;
        let mut lists = Vec::with_capacity(seal.lists);
        for _ in 0..seal.lists {
            let mut length = [0; 8];
            if all < at + NUMBER {
                return Err(cut_short(all));
            }
            read_at(&file, at, &mut length)?;
            let length = u64::from_le_bytes(length);
            at += NUMBER;
            let end = at.checked_add(length).and_then(|end| end.checked_add(NUMBER));
            match end.filter(|end| *end <= all) {
                Some(end) => {
                    lists.push((at, length));
                    at = end;
                }
                None => return Err(cut_short(all)),
            }
        }
        if at != all {
            return Err(Flaw::Damaged(format!("it has {all} bytes, where {at} are expected")));
        }
        Ok(Self { file, lists })
    }

    /// The list of that number.
    ///
    /// Memory: the list.
    pub(crate) fn list<T: Plain>(&self, number: usize) -> Result<Vec<T>, Flaw> {
        let (_, length) = self.place(number);
        let mut list = Vec::with_capacity(crate::numbers::index(length) / T::BYTES);
        self.read(number, T::BYTES, |bytes| T::take(bytes, &mut list))?;
        match (list.len() * T::BYTES) as u64 == length {
            true => Ok(list),
            false => Err(Flaw::Damaged(format!("its list {number} has {length} bytes"))),
        }
    }

    /// Reads the list of that number for its checksum.
    pub(crate) fn check(&self, number: usize) -> Result<(), Flaw> {
        self.read(number, 1, |_| {})
    }

    /// Where a list begins, and its bytes.
    pub(crate) fn place(&self, number: usize) -> (u64, u64) {
        self.lists.get(number).copied().unwrap_or_default()
    }

    /// The file, of which a list can be read in place.
    pub(crate) fn file(&self) -> io::Result<File> {
        self.file.try_clone()
    }

    /// Hands the bytes of a list to `each`, a multiple of `unit` at a time, and compares their checksum.
    fn read(&self, number: usize, unit: usize, mut each: impl FnMut(&[u8])) -> Result<(), Flaw> {
        let (start, length) = self.place(number);
        let (mut sum, mut at) = (Xxh3::new(), 0);
        sum.update(&length.to_le_bytes());
        let together = TOGETHER / unit * unit;
        let mut bytes = vec![0; together.min(crate::numbers::index(length))];
        while at < length {
            let most = crate::numbers::index((length - at).min(together as u64));
            let part = bytes.get_mut(..most).unwrap_or_default();
            read_at(&self.file, start + at, part)?;
            sum.update(part);
            each(part);
            at += most as u64;
        }
        let mut expected = [0; 8];
        read_at(&self.file, start + length, &mut expected)?;
        match sum.digest() == u64::from_le_bytes(expected) {
            true => Ok(()),
            false => Err(Flaw::Damaged(format!("the checksum of its list {number} differs"))),
        }
    }
}

fn cut_short(bytes: u64) -> Flaw {
    Flaw::Damaged(format!("it is cut short, at {bytes} bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const SEAL: Seal = Seal { magic: *b"NPTEST\0\n", version: 3, lists: 4 };

    type Lists = (Vec<u32>, Vec<u64>, Vec<u8>);

    fn lists(path: &Path) -> Result<Lists, Flaw> {
        let sealed = Sealed::open(path, SEAL)?;
        sealed.check(2)?;
        Ok((sealed.list(0)?, sealed.list(1)?, sealed.list(3)?))
    }

    #[test]
    fn lists_come_back_and_every_change_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lists");
        let mut file = File::create(&path).unwrap();
        let mut writer = SealedWriter::begin(&mut file, SEAL).unwrap();
        writer.list(0, [1_u32, u32::MAX].into_iter()).unwrap();
        writer.list(1, [u64::MAX - 1].into_iter()).unwrap();
        writer.bytes(2, 5, |put| put(b"ab").and_then(|()| put(b"cde"))).unwrap();
        writer.list(3, [7_u8; 3].into_iter()).unwrap();
        writer.finish().unwrap();
        assert_eq!(lists(&path).unwrap(), (vec![1, u32::MAX], vec![u64::MAX - 1], vec![7, 7, 7]));
        let (start, length) = Sealed::open(&path, SEAL).unwrap().place(2);
        let bytes = fs::read(&path).unwrap();
        let start = usize::try_from(start).unwrap();
        assert_eq!((length, &bytes[start..start + 5]), (5, &b"abcde"[..]));
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            fs::write(&path, &changed).unwrap();
            let flaw = lists(&path).unwrap_err();
            let is_told = match at {
                0..8 => matches!(flaw, Flaw::Other),
                8..12 => matches!(flaw, Flaw::Version(_)),
                _ => matches!(flaw, Flaw::Damaged(_)),
            };
            assert!(is_told, "byte {at}: {flaw:?}");
            fs::write(&path, &bytes[..at]).unwrap();
            let flaw = lists(&path).unwrap_err();
            assert!(matches!(flaw, Flaw::Other | Flaw::Damaged(_)), "{at} bytes: {flaw:?}");
        }
        fs::write(&path, [&bytes[..], &[0]].concat()).unwrap();
        assert!(matches!(lists(&path), Err(Flaw::Damaged(_))));
    }

    #[test]
    fn many_numbers_are_read_in_pieces() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lists");
        let seal = Seal { lists: 1, ..SEAL };
        let entries = (0..u32::try_from(TOGETHER).unwrap()).map(|at| [at, !at, at / 3]);
        let mut file = File::create(&path).unwrap();
        let mut writer = SealedWriter::begin(&mut file, seal).unwrap();
        writer.list(0, entries.clone()).unwrap();
        writer.finish().unwrap();
        let read: Vec<[u32; 3]> = Sealed::open(&path, seal).unwrap().list(0).unwrap();
        assert!(read.into_iter().eq(entries));
    }
}
