//! Whether a Parquet file is encrypted, which the library takes for damage: what its footer says of keys.
//!
//! # References
//!
//! "Parquet Modular Encryption" and `parquet.thrift` (Apache Parquet format); "Thrift compact protocol encoding".

#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// How a file ends whose footer can be read, and one whose footer is encrypted.
const PLAIN: &[u8; 4] = b"PAR1";
const ENCRYPTED: &[u8; 4] = b"PARE";
/// Bytes of a footer that is looked at, at most.
const LONGEST_FOOTER: u32 = 1 << 28;
/// Columns that are named, at most.
const NAMED: usize = 8;
/// Structures within each other, at most.
const DEEPEST: usize = 32;

/// What of a file is encrypted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Encrypted {
    /// The footer too, so that nothing tells what columns there are.
    Footer,
    /// Columns of these names.
    Columns(Vec<String>),
}

impl std::error::Error for Encrypted {}

impl fmt::Display for Encrypted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Footer => f.write_str("its footer, which names the columns, and what is in them"),
            Self::Columns(names) if names.is_empty() => f.write_str("its columns"),
            Self::Columns(names) => {
                let (first, rest) = names.split_at(names.len().min(NAMED));
                let kind = if names.len() == 1 { "column" } else { "columns" };
                write!(f, "the {kind} {}", first.join(", "))?;
                if rest.is_empty() { Ok(()) } else { write!(f, " and {} more", rest.len()) }
            }
        }
    }
}

/// What to say of a failure to read a file: that it is encrypted, where it is.
pub(crate) fn explained(file: io::Result<File>, error: io::Error) -> io::Error {
    if error.raw_os_error().is_some() {
        return error;
    }
    let found = file.and_then(|mut file| encrypted(&mut file));
    match found {
        Ok(Some(encrypted)) => io::Error::new(io::ErrorKind::Unsupported, encrypted),
        _ => error,
    }
}

/// What of a file is encrypted; none where nothing is, or where its footer cannot be read.
fn encrypted(file: &mut (impl Read + Seek)) -> io::Result<Option<Encrypted>> {
    let length = file.seek(SeekFrom::End(0))?;
    let mut tail = [0; 8];
    file.seek(SeekFrom::Start(length.saturating_sub(tail.len() as u64)))?;
    file.read_exact(&mut tail)?;
    let [size, magic] = tail.as_chunks::<4>().0 else { return Ok(None) };
    let size = u32::from_le_bytes(*size);
    if magic == ENCRYPTED {
        return Ok(Some(Encrypted::Footer));
    }
    let start = length.checked_sub(u64::from(size) + tail.len() as u64);
    let Some(start) = start.filter(|_| magic == PLAIN && size <= LONGEST_FOOTER) else {
        return Ok(None);
    };
    file.seek(SeekFrom::Start(start))?;
    let mut footer = Vec::new();
    file.take(size.into()).read_to_end(&mut footer)?;
    Ok(of_footer(&footer)
        .filter(|(is_encrypted, _)| *is_encrypted)
        .map(|(_, columns)| Encrypted::Columns(columns)))
}

/// Whether a footer has a method of encryption, and the columns that it is used for.
fn of_footer(bytes: &[u8]) -> Option<(bool, Vec<String>)> {
    /// Fields of the structures of a footer.
    const ROW_GROUPS: i16 = 4;
    const ENCRYPTION: i16 = 8;
    const COLUMNS: i16 = 1;
    const METADATA: i16 = 3;
    const CRYPTO: i16 = 8;
    const PATH: i16 = 3;
    const WITH_COLUMN_KEY: i16 = 2;
    const PATH_WITH_KEY: i16 = 1;
    let mut is_encrypted = false;
    let mut names = Vec::new();
    let mut compact = Compact { bytes, depth: 0 };
    compact.fields(&mut |it, field, kind| match field {
        ENCRYPTION => {
            is_encrypted = true;
            it.skip(kind)
        }
        ROW_GROUPS => it.elements(&mut |it, kind| {
            if kind != STRUCT {
                return it.skip(kind);
            }
            it.fields(&mut |it, field, kind| match field {
                COLUMNS => it.elements(&mut |it, kind| {
                    if kind != STRUCT {
                        return it.skip(kind);
                    }
                    let (mut path, mut has_key) = (Vec::new(), false);
                    it.fields(&mut |it, field, kind| match field {
                        METADATA if kind == STRUCT => {
                            it.fields(&mut |it, field, kind| match field {
                                PATH => it.texts(&mut path),
                                _ => it.skip(kind),
                            })
                        }
                        CRYPTO if kind == STRUCT => {
                            has_key = true;
                            it.fields(&mut |it, field, kind| match field {
                                WITH_COLUMN_KEY if kind == STRUCT => {
                                    it.fields(&mut |it, field, kind| match field {
                                        PATH_WITH_KEY => it.texts(&mut path),
                                        _ => it.skip(kind),
                                    })
                                }
                                _ => it.skip(kind),
                            })
                        }
                        _ => it.skip(kind),
                    })?;
                    let name = path.join(".");
                    if has_key && !names.contains(&name) {
                        names.push(name);
                    }
                    Some(())
                }),
                _ => it.skip(kind),
            })
        }),
        _ => it.skip(kind),
    })?;
    Some((is_encrypted, names))
}

/// The kind of a value that is a structure.
const STRUCT: u8 = 12;

/// What is left of bytes in Thrift's compact protocol.
struct Compact<'a> {
    bytes: &'a [u8],
    depth: usize,
}

type OnField<'f, 'a> = &'f mut dyn FnMut(&mut Compact<'a>, i16, u8) -> Option<()>;
type OnElement<'f, 'a> = &'f mut dyn FnMut(&mut Compact<'a>, u8) -> Option<()>;

impl<'a> Compact<'a> {
    fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*byte)
    }

    fn varint(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn take(&mut self, count: u64) -> Option<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(usize::try_from(count).ok()?)?;
        self.bytes = rest;
        Some(taken)
    }

    /// Hands over each field of a structure, whose value is to be read.
    fn fields(&mut self, each: OnField<'_, 'a>) -> Option<()> {
        self.depth += 1;
        let mut field = 0_i16;
        loop {
            let head = self.byte()?;
            if head == 0 {
                self.depth -= 1;
                return Some(());
            }
            field = match head >> 4 {
                // A number of its own, in zigzag.
                0 => {
                    let number = self.varint()?;
                    i16::try_from((number >> 1).cast_signed() ^ -(number & 1).cast_signed()).ok()?
                }
                step => field.checked_add(step.into())?,
            };
            each(self, field, head & 0xf)?;
        }
    }

    /// Hands over each value of a list, which is to be read.
    fn elements(&mut self, each: OnElement<'_, 'a>) -> Option<()> {
        let head = self.byte()?;
        let count = match head >> 4 {
            0xf => self.varint()?,
            count => count.into(),
        };
        (0..count).try_for_each(|_| each(self, head & 0xf))
    }

    /// Reads a list of texts.
    fn texts(&mut self, texts: &mut Vec<String>) -> Option<()> {
        texts.clear();
        self.elements(&mut |it, _| {
            let length = it.varint()?;
            texts.push(String::from_utf8_lossy(it.take(length)?).into_owned());
            Some(())
        })
    }

    /// Passes over a value.
    fn skip(&mut self, kind: u8) -> Option<()> {
        match kind {
            // Truths stand in the head of their field.
            1 | 2 => Some(()),
            3 => self.byte().map(drop),
            4..=6 => self.varint().map(drop),
            7 => self.take(8).map(drop),
            8 => {
                let length = self.varint()?;
                self.take(length).map(drop)
            }
            9 | 10 => self.elements(&mut |it, kind| match kind {
                // In a list each is a byte.
                1 | 2 => it.byte().map(drop),
                kind => it.skip(kind),
            }),
            STRUCT if self.depth < DEEPEST => self.fields(&mut |it, _, kind| it.skip(kind)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    /// A file that ends in a footer.
    fn file(footer: &[u8], magic: &[u8]) -> Cursor<Vec<u8>> {
        let size = u32::try_from(footer.len()).unwrap().to_le_bytes();
        Cursor::new([b"PAR1data", footer, &size, magic].concat())
    }

    /// A footer of one row group with a column, and with fields in front of it.
    fn footer(column: &[u8], rest: &[u8]) -> Vec<u8> {
        // version 1; a field 3 (rows); field 4: a list of one structure, whose field 1 is a list of one structure.
        [&[0x15, 2, 0x26, 8, 0x19, 0x1c, 0x19, 0x1c][..], column, &[0, 0], rest, &[0]].concat()
    }

    #[test]
    fn what_is_encrypted_is_told() {
        let of = |file: &mut Cursor<Vec<u8>>| encrypted(file).unwrap();
        assert_eq!(of(&mut file(b"anything", ENCRYPTED)), Some(Encrypted::Footer));
        // Field 3 (metadata), whose field 3 is the path a.b; field 8 (keys), whose field 1 is an empty structure.
        let path = [0x3c, 0x39, 0x28, 1, b'a', 1, b'b', 0];
        let with_footer_key = [&path[..], &[0x5c, 0x1c, 0, 0]].concat();
        // Field 8, whose field 2 has the path in its field 1.
        let with_column_key = [0x8c, 0x2c, 0x19, 0x18, 1, b'c', 0, 0];
        // Field 8 of the footer: a structure.
        let method = [0x4c, 0x1c, 0, 0];
        for (column, name) in [(&with_footer_key[..], "a.b"), (&with_column_key, "c")] {
            let found = of(&mut file(&footer(column, &method), PLAIN));
            assert_eq!(found, Some(Encrypted::Columns(vec![name.to_owned()])));
        }
        let plain = footer(&path, &[]);
        assert_eq!(of(&mut file(&plain, PLAIN)), None);
        assert_eq!(of(&mut file(&plain[..9], PLAIN)), None);
        // Structures without end.
        assert_eq!(of(&mut file(&[0x1c; 4000], PLAIN)), None);
        assert_eq!(of(&mut Cursor::new(b"PAR1\xff\xff\xff\xffPAR1".to_vec())), None);
        let names = (0..10).map(|at| at.to_string()).collect();
        let told = Encrypted::Columns(names).to_string();
        assert_eq!(told, "the columns 0, 1, 2, 3, 4, 5, 6, 7 and 2 more");
    }
}
