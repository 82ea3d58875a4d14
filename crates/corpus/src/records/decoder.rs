//! The bytes of a source without their compression, for what is not made of records too. Cutting
//! them into records is done in `formats/cutting.rs`.

use crate::compression::Compression;
use crate::error::Error;
use crate::format::{InputFormat, Shape};
use crate::records::explained::explain;
use crate::records::gzip::Gzip;
use crate::records::recoding::Recoding;
use crate::records::source::Source;
use crate::records::xz::Xz;
use crate::within::within;
use bzip2::bufread::MultiBzDecoder;
use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};
use std::io::{self, BufReader, Chain, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes asked of the disk at a time for a compressed file.
const DISK_BUFFER: usize = 1 << 17;

/// The log of the largest zstd window accepted: all that `zstd --long=31` writes, or what the
/// library offers to a machine of 32 bits.
const ZSTD_WINDOW_LOG: u32 = if usize::BITS < 64 { 30 } else { 31 };

/// Decodes one source from its start: gzip of many members, zstd of many frames, bzip2 and xz of
/// many streams, or plain bytes, as its first bytes tell; and what is compressed in these once more.
///
/// # Examples
///
/// ```
/// use std::sync::Arc;
/// use nearprint_corpus::{Decoder, InputFormat, discover};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("words.u64").display().to_string();
/// std::fs::write(&path, 7_u64.to_le_bytes())?;
/// let sources = discover(&[path], Some(InputFormat::TEXT))?;
/// let mut bytes = Vec::new();
/// let ended = Decoder::open(&sources[0], Arc::default())?.fill(&mut bytes, 1 << 20)?;
/// assert!(ended);
/// assert_eq!(bytes, 7_u64.to_le_bytes());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Decoder {
    name: String,
    compression: Compression,
    inner: Inner,
    decoded: u64,
}

/// The bytes on disk: those looked at to tell the compression, then the rest.
type Disk = Chain<Cursor<Vec<u8>>, Counted>;

enum Inner {
    Plain(Disk),
    Gzip(Box<Gzip<BufReader<Disk>>>),
    Zstd(zstd::stream::read::Decoder<'static, BufReader<Disk>>),
    Bzip2(Box<MultiBzDecoder<BufReader<Disk>>>),
    Xz(Box<Xz<BufReader<Disk>>>),
    /// What one of these holds, of which the first bytes were looked at.
    Marked(Box<Chain<Cursor<Vec<u8>>, Inner>>),
    /// The same, where it is compressed once more.
    Nested(Box<dyn Read + Send>),
    /// What failed when the first bytes were looked at.
    Failed(Option<io::Error>),
    /// One of the others, in another character set.
    Recoded(Box<Recoding<Inner>>),
}

impl Decoder {
    /// Opens a source; `read` grows by the bytes taken from disk, still compressed.
    ///
    /// # Errors
    ///
    /// [`Error::Read`] if the source cannot be opened or read, [`Error::Empty`] if it has no byte and
    /// a name that promises compressed data.
    pub fn open(source: &Source, read: Arc<AtomicU64>) -> Result<Self, Error> {
        let failed = |error| Error::Read { path: source.name().to_owned(), source: error };
        let mut disk = Counted { inner: source.open()?, read };
        let mut head = Vec::with_capacity(Compression::MAGIC_BYTES);
        disk.by_ref()
            .take(Compression::MAGIC_BYTES as u64)
            .read_to_end(&mut head)
            .map_err(failed)?;
        let compression = Compression::of_content(&head);
        let named = Compression::of_name(Path::new(source.name()));
        if head.is_empty() && named != Compression::None {
            let (path, compression) = (source.name().to_owned(), named.name());
            return Err(Error::Empty { path, compression });
        }
        let mut dictionary = Vec::new();
        if head.starts_with(&DICTIONARY_FRAME) {
            dictionary = take_dictionary(&mut head, &mut disk).map_err(failed)?;
        }
        let plain = encoding_of(source, &head);
        if plain.is_some() && is_utf_32(&head) {
            return Err(Error::Utf32 { path: source.name().to_owned() });
        }
        let disk = Cursor::new(head).chain(disk);
        let inner = match compression {
            Compression::None => Inner::Plain(disk),
            Compression::Gzip => {
                let disk = BufReader::with_capacity(DISK_BUFFER, disk);
                Inner::Gzip(Box::new(Gzip::new(disk)))
            }
            Compression::Zstd => {
                let disk = BufReader::with_capacity(DISK_BUFFER, disk);
                let decoder = zstd::stream::read::Decoder::with_dictionary(disk, &dictionary);
                let mut decoder = decoder.map_err(failed)?;
                decoder.window_log_max(ZSTD_WINDOW_LOG).map_err(failed)?;
                Inner::Zstd(decoder)
            }
            Compression::Bzip2 => {
                let disk = BufReader::with_capacity(DISK_BUFFER, disk);
                Inner::Bzip2(Box::new(MultiBzDecoder::new(disk)))
            }
            Compression::Xz => {
                let disk = BufReader::with_capacity(DISK_BUFFER, disk);
                Inner::Xz(Box::new(Xz::new(disk).map_err(failed)?))
            }
        };
        let (inner, encoding) = match compression {
            Compression::None => (inner, plain),
            _ => inner.opened(source).map_err(failed)?,
        };
        let inner = match encoding {
            Some(encoding) => Inner::Recoded(Box::new(Recoding::new(inner, encoding))),
            None => inner,
        };
        Ok(Self { name: source.name().to_owned(), compression, inner, decoded: 0 })
    }

    /// Whether it is compressed bytes, of which checksums tell what is damaged.
    pub(crate) fn has_checksums(&self) -> bool {
        self.compression != Compression::None
    }

    /// Appends `want` bytes, or fewer at the end of the data; returns whether that is reached. What
    /// was decoded before a failure is appended too.
    ///
    /// # Errors
    ///
    /// [`Error::Read`] if the disk fails, [`Error::Truncated`] and [`Error::Corrupt`] if the
    /// compressed data end early or are damaged.
    pub fn fill(&mut self, bytes: &mut Vec<u8>, want: usize) -> Result<bool, Error> {
        self.read(bytes, want, want)
    }

    /// Appends what is there, `want` bytes at most and one at least, as [`fill`](Self::fill) does.
    pub(crate) fn fill_some(&mut self, bytes: &mut Vec<u8>, want: usize) -> Result<bool, Error> {
        self.read(bytes, 1, want)
    }

    /// Appends from `least` bytes, at which no further are asked for, to `most`.
    fn read(&mut self, bytes: &mut Vec<u8>, least: usize, most: usize) -> Result<bool, Error> {
        let enough = bytes.len().saturating_add(least);
        let goal = bytes.len().saturating_add(most);
        let mut filled = bytes.len();
        bytes.resize(goal, 0);
        let result = loop {
            let Some(free) = bytes.get_mut(filled..).filter(|_| filled < enough) else {
                break Ok(false);
            };
            match self.inner.read(free) {
                Ok(0) => break Ok(true),
                Ok(count) => {
                    filled += count;
                    self.decoded += count as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    break Err(explain(&self.name, self.compression.name(), self.decoded, error));
                }
            }
        };
        bytes.truncate(filled);
        result
    }
}

/// The character set that is to be undone: the one that was asked for, or UTF-16 that its first bytes tell. Pages
/// and archives say theirs themselves, and columns have none.
fn encoding_of(source: &Source, head: &[u8]) -> Option<&'static Encoding> {
    let shape = source.format().map(InputFormat::shape);
    let texts = [Shape::Objects, Shape::Table, Shape::Lines, Shape::Text];
    if shape.is_some_and(|shape| !texts.contains(&shape)) {
        return None;
    }
    source.dialect().decoded().or_else(|| wide(head))
}

/// The kind of UTF-16 that the first bytes of a text tell: by its mark, or by the zeros beside characters of ASCII.
fn wide(head: &[u8]) -> Option<&'static Encoding> {
    match head {
        [0xff, 0xfe, ..] => return Some(UTF_16LE),
        [0xfe, 0xff, ..] => return Some(UTF_16BE),
        _ => {}
    }
    let units = head.chunks_exact(2);
    let is_ascii = |byte: u8| byte != 0 && byte.is_ascii();
    let of = |zero: usize, other: usize| {
        let byte = |unit: &[u8], at: usize| unit.get(at).copied().unwrap_or_default();
        let mut units = units.clone();
        head.len() > 3 && units.all(|unit| byte(unit, zero) == 0 && is_ascii(byte(unit, other)))
    };
    if of(1, 0) { Some(UTF_16LE) } else { of(0, 1).then_some(UTF_16BE) }
}

/// Whether a text begins with the mark of UTF-32, of which that of UTF-16 is a part.
fn is_utf_32(head: &[u8]) -> bool {
    head.starts_with(&[0xff, 0xfe, 0, 0]) || head.starts_with(&[0, 0, 0xfe, 0xff])
}

/// How a frame begins that holds the dictionary of all others.
const DICTIONARY_FRAME: [u8; 4] = [0x5d, 0x2a, 0x4d, 0x18];

/// Bytes of a dictionary, at most.
const LONGEST_DICTIONARY: u32 = 1 << 26;

/// Takes the dictionary out of the first frame, of which `head` has the beginning; none where the frame holds
/// something else, which then stands in `head`.
///
/// # References
///
/// "Use of Zstandard compression in WARC files", version 1.0: the frame holds a dictionary, as it is or compressed.
fn take_dictionary(head: &mut Vec<u8>, disk: &mut impl Read) -> io::Result<Vec<u8>> {
    const START: usize = 8;
    const RAW: [u8; 4] = [0x37, 0xa4, 0x30, 0xec];
    const COMPRESSED: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
    let Some(size) = head.get(4..START).and_then(|size| size.first_chunk::<4>()) else {
        return Ok(Vec::new());
    };
    let size = u32::from_le_bytes(*size);
    if size > LONGEST_DICTIONARY {
        return Ok(Vec::new());
    }
    let end = START as u64 + u64::from(size);
    disk.by_ref().take(end.saturating_sub(head.len() as u64)).read_to_end(head)?;
    let end = usize::try_from(end).unwrap_or(usize::MAX).min(head.len());
    let frame = within(head, START.min(end)..end);
    let dictionary = if frame.starts_with(&RAW) {
        frame.to_vec()
    } else if frame.starts_with(&COMPRESSED) {
        let mut dictionary = Vec::new();
        let decoder = zstd::stream::read::Decoder::with_buffer(frame)?;
        decoder.take(LONGEST_DICTIONARY.into()).read_to_end(&mut dictionary)?;
        dictionary
    } else {
        return Ok(Vec::new());
    };
    head.drain(..end);
    Ok(dictionary)
}

impl Read for Inner {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(disk) => disk.read(buffer),
            Self::Gzip(decoder) => decoder.read(buffer),
            Self::Zstd(decoder) => decoder.read(buffer),
            Self::Bzip2(decoder) => decoder.read(buffer),
            Self::Xz(decoder) => decoder.read(buffer),
            Self::Marked(decoder) => decoder.read(buffer),
            Self::Nested(decoder) => decoder.read(buffer),
            Self::Failed(error) => error.take().map_or(Ok(0), Err),
            Self::Recoded(decoder) => decoder.read(buffer),
        }
    }
}

impl Inner {
    /// The same bytes, or those that are compressed in them once more, as a server does that compresses whatever it
    /// sends; with the character set that is to be undone.
    fn opened(self, source: &Source) -> io::Result<(Self, Option<&'static Encoding>)> {
        let (head, inner) = self.peeked(Compression::MAGIC_BYTES);
        let (compression, encoding) = (Compression::of_content(&head), encoding_of(source, &head));
        let is_whole = head.len() == Compression::MAGIC_BYTES;
        let is_gzip = head.get(2) == Some(&DEFLATE);
        let disk = |inner| BufReader::with_capacity(DISK_BUFFER, inner);
        let nested: Box<dyn Read + Send> = match compression {
            Compression::Gzip if is_gzip => Box::new(Gzip::new(disk(inner))),
            Compression::Zstd => Box::new(zstd::stream::read::Decoder::with_buffer(disk(inner))?),
            Compression::Xz => Box::new(Xz::new(disk(inner))?),
            // Less of what bzip2 begins with may begin a text.
            Compression::Bzip2 if is_whole => Box::new(MultiBzDecoder::new(disk(inner))),
            _ => return Ok((inner, encoding)),
        };
        let (head, nested) = Self::Nested(nested).peeked(MARK);
        Ok((nested, encoding_of(source, &head)))
    }

    /// The first bytes, and all from the first on; a failure comes behind what was read before it.
    fn peeked(mut self, count: usize) -> (Vec<u8>, Self) {
        let mut head = Vec::with_capacity(count);
        let rest = match self.by_ref().take(count as u64).read_to_end(&mut head) {
            Ok(_) => self,
            Err(error) => Self::Failed(Some(error)),
        };
        (head.clone(), Self::Marked(Box::new(Cursor::new(head).chain(rest))))
    }
}

/// The one method of compression that gzip has (RFC 1952, section 2.3.1).
const DEFLATE: u8 = 8;

/// Bytes of the byte order mark of UTF-16.
const MARK: usize = 2;

/// Counts the bytes that come through.
struct Counted {
    inner: Box<dyn Read + Send>,
    read: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}
