//! The rows of a table, block by block, in the order of their keys. A block that does not check is left out and told; it
//! takes no other along.
#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

use crate::raw::journal::unpacked;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use xxhash_rust::xxh3::xxh3_128;

const MAGIC: [u8; 4] = *b"LSM\x03";
/// Bytes of the header of a block: magic, kind, checksum of what follows, its bytes, its bytes unpacked, and the checksum
/// of all that.
const HEADER: usize = 33;
/// Bytes at the end of a block that say how it is read; the first one is the number of rows that share a base.
const TRAILER: usize = 31;
/// Stands behind the last row.
const LAST: u8 = 255;
/// The kind of a block that holds rows.
const ROWS: u8 = 0;
/// Stands once between two blocks: the version of the table.
const VERSION: [u8; 1] = [3];
/// Most bytes of a block. The database cuts blocks at some KiB; one row may be larger.
const MOST: usize = 1 << 30;
/// Bytes that are searched at once for the next header.
const SEARCHED: usize = 1 << 16;

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) key: Vec<u8>,
    /// Its place in the order of changes.
    pub(crate) place: u64,
    /// `None` if the key was removed.
    pub(crate) value: Option<Vec<u8>>,
}

/// What comes next in a table.
#[derive(Debug)]
pub(crate) enum Next {
    Rows(Vec<Row>),
    /// Bytes in which rows may have been.
    Damage,
}

/// A table that is read from its begin.
pub(crate) struct Blocks {
    file: File,
    at: u64,
    length: u64,
    /// Whether the last block of rows was seen.
    ended: bool,
}

/// What the header of a block says.
struct Header {
    kind: u8,
    checksum: u128,
    length: usize,
    unpacked: usize,
}

impl Blocks {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Ok(Self { file, at: 0, length, ended: false })
    }

    /// The next block of rows, or that there is damage; `None` behind the last block of rows.
    pub(crate) fn next(&mut self) -> io::Result<Option<Next>> {
        if self.at >= self.length {
            // Behind the rows there is more in every table: if not in this one, it was cut.
            let cut = !std::mem::replace(&mut self.ended, true);
            return Ok(cut.then_some(Next::Damage));
        }
        let Some(header) = self.header(self.at)? else {
            return self.skip(self.at + 1).map(Some);
        };
        if header.kind != ROWS {
            (self.at, self.ended) = (self.length, true);
            return Ok(None);
        }
        let bytes = self.read(self.at + HEADER as u64, header.length)?;
        if bytes.len() < header.length {
            // What else could begin here is in what is left.
            return self.skip(self.at + 1).map(Some);
        }
        let rows = (xxh3_128(&bytes) == header.checksum).then(|| {
            let plain = unpacked(&bytes, header.unpacked);
            let whole = || (bytes.len() == header.unpacked).then_some(&*bytes);
            plain.as_deref().and_then(rows).or_else(|| whole().and_then(rows))
        });
        self.at += (HEADER + header.length) as u64;
        Ok(Some(rows.flatten().map_or(Next::Damage, Next::Rows)))
    }

    /// What is behind the blocks of a table, and where; `None` if a block before that does not check.
    pub(crate) fn behind_all(path: &Path) -> io::Result<Option<(u64, Vec<u8>)>> {
        let mut table = Self::open(path)?;
        let (mut at, mut versions) = (0, 0);
        loop {
            if let Some(header) = table.header(at)? {
                let bytes = table.read(at + HEADER as u64, header.length)?;
                if bytes.len() < header.length || xxh3_128(&bytes) != header.checksum {
                    return Ok(None);
                }
                at += (HEADER + header.length) as u64;
            } else if versions == 0 && table.read(at, VERSION.len())? == VERSION {
                (at, versions) = (at + VERSION.len() as u64, 1);
            } else {
                return Ok(Some((at, table.read(at, MOST)?)));
            }
        }
    }

    /// Goes on at the next block.
    fn skip(&mut self, from: u64) -> io::Result<Next> {
        self.at = from;
        while self.at < self.length {
            let bytes = self.read(self.at, SEARCHED)?;
            let begins =
                bytes.windows(MAGIC.len()).enumerate().filter(|(_, found)| *found == MAGIC);
            for (offset, _) in begins {
                let at = self.at + offset as u64;
                if self.header(at)?.is_some() {
                    self.at = at;
                    return Ok(Next::Damage);
                }
            }
            // A header may begin at the end of what was searched.
            self.at += bytes.len().saturating_sub(MAGIC.len() - 1).max(1) as u64;
        }
        Ok(Next::Damage)
    }

    /// The header at a place; `None` if there is none.
    fn header(&mut self, at: u64) -> io::Result<Option<Header>> {
        let bytes = self.read(at, HEADER)?;
        Ok(parsed(&bytes).filter(|header| header.length.max(header.unpacked) <= MOST))
    }

    /// So many bytes from a place on, or as many as there are.
    fn read(&mut self, at: u64, length: usize) -> io::Result<Vec<u8>> {
        self.file.seek(SeekFrom::Start(at))?;
        let mut bytes = Vec::with_capacity(length.min(SEARCHED));
        (&self.file).take(length as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

fn parsed(bytes: &[u8]) -> Option<Header> {
    let (covered, own) = bytes.split_at_checked(HEADER - 4)?;
    let sum = xxh3_128(covered).to_le_bytes();
    if !sum.starts_with(own) {
        return None;
    }
    let (magic, rest) = covered.split_first_chunk()?;
    let (kind, rest) = rest.split_first()?;
    let (checksum, rest) = rest.split_first_chunk()?;
    let (length, rest) = rest.split_first_chunk()?;
    let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
    let unpacked = usize::try_from(u32::from_le_bytes(*rest.first_chunk()?)).ok()?;
    let checksum = u128::from_le_bytes(*checksum);
    (*magic == MAGIC).then_some(Header { kind: *kind, checksum, length, unpacked })
}

/// The rows of an unpacked block; `None` if it holds something else.
fn rows(block: &[u8]) -> Option<Vec<Row>> {
    let (mut rest, trailer) = block.split_at_checked(block.len().checked_sub(TRAILER)?)?;
    let shared = usize::from(*trailer.first()?).max(1);
    let (mut rows, mut base) = (Vec::new(), Vec::new());
    loop {
        let kind = byte(&mut rest)?;
        if kind == LAST {
            return Some(rows);
        }
        let place = number(&mut rest)?;
        let key = if rows.len() % shared == 0 {
            base = take(&mut rest)?.to_vec();
            base.clone()
        } else {
            let common = usize::try_from(number(&mut rest)?).ok()?;
            let mut key = base.get(..common)?.to_vec();
            key.extend(take(&mut rest)?);
            key
        };
        let value = match kind {
            0 => Some(take(&mut rest)?.to_vec()),
            1 | 2 => None,
            _ => return None,
        };
        rows.push(Row { key, place, value });
    }
}

fn byte(rest: &mut &[u8]) -> Option<u8> {
    let (byte, after) = rest.split_first()?;
    *rest = after;
    Some(*byte)
}

/// Bytes that follow their number.
fn take<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(number(rest)?).ok()?;
    let (taken, after) = rest.split_at_checked(length)?;
    *rest = after;
    Some(taken)
}

/// A number in bytes of seven bits, the lowest first.
fn number(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..64).step_by(7) {
        let byte = byte(rest)?;
        number |= u64::from(byte & 127) << shift;
        if byte & 128 == 0 {
            return Some(number);
        }
    }
    None
}
