//! The bytes of a source without their compression, for what is not made of records too. Cutting
//! them into records is done in `formats/cutting.rs`.

use crate::compression::Compression;
use crate::error::Error;
use crate::format::InputFormat;
use crate::records::binary;
use crate::records::brotli::{BUFFER, is_brotli};
use crate::records::bzip2::Bzip2;
use crate::records::characters::Characters;
use crate::records::escaped::Escaped;
use crate::records::explained::explain;
use crate::records::gzip::Gzip;
use crate::records::piece::Piece;
use crate::records::recoding::Recoding;
use crate::records::source::Source;
use crate::records::xz::Xz;
use crate::records::zstd::{DICTIONARY_FRAME, Zstd, take_dictionary};
use crate::utf_16::{has_utf_32_mark, is_utf_32, utf_16};
use crate::wide_text::{self, is_control, is_unusual, utf_16_of_any_script};
use brotli::Decompressor;
use encoding_rs::{Encoding, UTF_8};
use std::io::{self, BufReader, Chain, Cursor, Read};
use std::mem;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes asked of the disk at a time for a compressed file.
const DISK_BUFFER: usize = 1 << 17;

/// Bytes that tell brotli and text apart, where the name promises compressed data and the first bytes are of none.
const LONG_HEAD: usize = 1 << 16;

/// Decodes one source from its start: gzip of many members, zstd of many frames, bzip2 and xz of
/// many streams, or plain bytes, as its first bytes tell; and what is compressed in these once more. Brotli, which no
/// first bytes tell, is tried where the name promises compressed data.
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
    /// What the bytes on disk are: the name of a compression.
    data: &'static str,
    inner: Inner,
    decoded: u64,
    /// Where the member of gzip or the frame of zstd begins that is read, in the bytes on disk.
    member: Arc<AtomicU64>,
}

/// The bytes on disk: those looked at to tell the compression, then the rest.
type Disk = Chain<Cursor<Vec<u8>>, Counted>;

enum Inner {
    Plain(Disk),
    Gzip(Box<Gzip<BufReader<Disk>>>),
    Zstd(Box<Zstd<BufReader<Disk>>>),
    Bzip2(Box<Bzip2<BufReader<Disk>>>),
    Xz(Box<Xz<BufReader<Disk>>>),
    Brotli(Box<Decompressor<BufReader<Disk>>>),
    /// What one of these holds, of which the first bytes were looked at.
    Marked(Box<Chain<Cursor<Vec<u8>>, Inner>>),
    /// The same, where it is compressed once more.
    Nested(Box<dyn Read + Send>),
    /// What failed when the first bytes were looked at.
    Failed(Option<io::Error>),
    /// One of the others, in another character set.
    Recoded(Box<Recoding<Inner>>),
    /// One of the others, which may turn out to be in another character set.
    Escaped(Box<Escaped<Inner>>),
}

impl Decoder {
    /// Opens a source; `read` grows by the bytes taken from disk, still compressed.
    ///
    /// # Errors
    ///
    /// [`Error::Read`] if the source cannot be opened or read, [`Error::Empty`] if it has no byte and
    /// a name that promises compressed data, [`Error::Misnamed`] if it has such a name and is neither compressed nor
    /// text, [`Error::Truncated`] if it ends within the first bytes of what its name promises, [`Error::Corrupt`] if the
    /// dictionary of zstd is damaged, [`Error::Binary`] if it is of another kind than the rows or records that are
    /// expected, [`Error::Pointer`] if it is a pointer of Git LFS.
    pub fn open(source: &Source, read: Arc<AtomicU64>) -> Result<Self, Error> {
        Self::over(source, source.open()?, read)
    }

    /// As [`open`](Self::open), of what tells its character set in its first ten bytes: whoever writes more of it may wait
    /// for an answer.
    pub(crate) fn prompt(source: &Source, read: Arc<AtomicU64>) -> Result<Self, Error> {
        Self::starting(source, source.open()?, 0, read, Compression::MAGIC_BYTES)
    }

    /// As [`open`](Self::open), from a byte on disk on.
    pub(crate) fn behind(source: &Source, start: u64, read: Arc<AtomicU64>) -> Result<Self, Error> {
        Self::starting(source, source.open_at(start)?, start, read, wide_text::HEAD_BYTES)
    }

    /// As [`open`](Self::open), from a byte of plain text on, which is in these characters.
    pub(crate) fn plain_behind(
        source: &Source,
        start: u64,
        read: Arc<AtomicU64>,
        characters: Characters,
    ) -> Result<Self, Error> {
        let disk = Counted { inner: source.open_at(start)?, read };
        let plain = Inner::Plain(Cursor::new(Vec::new()).chain(disk));
        let inner = match characters {
            Characters::Told => plain,
            Characters::Ascii => Inner::Escaped(Box::new(Escaped::Ascii(plain))),
            Characters::Japanese(decoder) => {
                Inner::Recoded(Box::new(Recoding::going_on(plain, decoder)))
            }
        };
        let (name, data) = (source.name().to_owned(), Compression::None.name());
        Ok(Self { name, data, inner, decoded: start, member: Arc::default() })
    }

    /// How many bytes were looked at, where all bytes are read as they stand.
    pub(crate) fn plain_head(&self) -> Option<usize> {
        match &self.inner {
            Inner::Plain(disk) => Some(disk.get_ref().0.get_ref().len()),
            _ => None,
        }
    }

    /// As [`open`](Self::open), where these are the bytes of the source.
    pub(crate) fn over(
        source: &Source,
        bytes: Box<dyn Read + Send>,
        read: Arc<AtomicU64>,
    ) -> Result<Self, Error> {
        Self::starting(source, bytes, 0, read, wide_text::HEAD_BYTES)
    }

    fn starting(
        source: &Source,
        bytes: Box<dyn Read + Send>,
        start: u64,
        read: Arc<AtomicU64>,
        looked_at: usize,
    ) -> Result<Self, Error> {
        let failed = |error| Error::Read { path: source.name().to_owned(), source: error };
        let mut disk = Counted { inner: bytes, read };
        let mut head = Vec::with_capacity(Compression::MAGIC_BYTES);
        disk.by_ref()
            .take(Compression::MAGIC_BYTES as u64)
            .read_to_end(&mut head)
            .map_err(failed)?;
        if start == 0 {
            source.refuse_pointer(&mut head, &mut disk)?;
        }
        let mut compression = Compression::of_content(&head);
        let named = Compression::of_name(Path::new(source.name()));
        if head.is_empty() && named != Compression::None {
            let (path, compression) = (source.name().to_owned(), named.name());
            return Err(Error::Empty { path, compression });
        }
        let damaged = |error| explain(source.name(), compression.name(), 0, error);
        let (mut dictionary, mut before) = (Vec::new(), 0);
        if start > 0 && compression == Compression::Zstd {
            dictionary = dictionary_of(source)?;
        } else if head.starts_with(&DICTIONARY_FRAME)
            && let Some(found) = take_dictionary(&mut head, &mut disk).map_err(damaged)?
        {
            (dictionary, before) = found;
            let more = Compression::MAGIC_BYTES.saturating_sub(head.len()) as u64;
            disk.by_ref().take(more).read_to_end(&mut head).map_err(failed)?;
            if head.is_empty() {
                // No frame follows the dictionary: the file holds nothing.
                compression = Compression::None;
            }
        }
        if named.is_cut(&head) {
            let (path, compression) = (source.name().to_owned(), named.name());
            return Err(Error::Truncated { path, compression, offset: 0 });
        }
        if !head.is_empty() && named != Compression::None && compression == Compression::None {
            disk.by_ref().take(LONG_HEAD as u64).read_to_end(&mut head).map_err(failed)?;
            if unnamed(source, &head, named)? {
                compression = Compression::Brotli;
            }
        }
        let first = head.get(..Compression::MAGIC_BYTES).unwrap_or(&head).to_vec();
        let disk = Cursor::new(head).chain(disk);
        let member = Arc::new(AtomicU64::new(start + before));
        let inner = match compression {
            Compression::Brotli => {
                let disk = BufReader::with_capacity(DISK_BUFFER, disk);
                Inner::Brotli(Box::new(Decompressor::new(disk, BUFFER)))
            }
            Compression::None => Inner::Plain(disk),
            Compression::Gzip => {
                let disk = BufReader::with_capacity(DISK_BUFFER, disk);
                Inner::Gzip(Box::new(Gzip::new(disk, Arc::clone(&member))))
            }
            Compression::Zstd => {
                let disk = BufReader::with_capacity(DISK_BUFFER, disk);
                let zstd = Zstd::new(disk, &dictionary, Arc::clone(&member)).map_err(failed)?;
                Inner::Zstd(Box::new(zstd))
            }
            Compression::Bzip2 => {
                let disk = BufReader::with_capacity(DISK_BUFFER, disk);
                Inner::Bzip2(Box::new(Bzip2::new(disk)))
            }
            Compression::Xz => {
                let disk = BufReader::with_capacity(DISK_BUFFER, disk);
                Inner::Xz(Box::new(Xz::new(disk).map_err(failed)?))
            }
        };
        let (inner, first) = match compression {
            Compression::None => (inner, first),
            _ => inner.opened().map_err(failed)?,
        };
        if compression != Compression::None && packed(&first) != Compression::None {
            return Err(source.binary("compressed more than twice"));
        }
        let (inner, first) = match looked_at <= first.len() || is_told(source, &first) {
            true => (inner, first),
            false => {
                let (head, inner) = inner.peeked(looked_at);
                (inner, head)
            }
        };
        if is_wide(source, &first) {
            return Err(Error::Utf32 { path: source.name().to_owned() });
        }
        if let Some(kind) = other_kind(source, &first).filter(|_| start == 0) {
            return Err(source.binary(kind));
        }
        let inner = match encoding_of(source, &first) {
            Some(encoding) => Inner::Recoded(Box::new(Recoding::new(inner, encoding))),
            None => inner,
        };
        let (name, data) = (source.name().to_owned(), compression.name());
        Ok(Self { name, data, inner, decoded: 0, member })
    }

    /// Where the member or the frame begins that is read, in the bytes on disk, of what is compressed with gzip or zstd.
    pub(crate) fn member(&self) -> Option<(u64, Piece)> {
        let part = Piece::of(self.data)?;
        Some((self.member.load(Ordering::Relaxed), part))
    }

    /// Reads text of ISO-2022-JP from here on as UTF-8, where nobody said what the text is in; `head` are bytes that
    /// were read before, which come once more.
    pub(crate) fn unescape(&mut self, head: Vec<u8>) {
        let inner = mem::replace(&mut self.inner, Inner::Failed(None));
        self.decoded -= head.len() as u64;
        let inner = Inner::Marked(Box::new(Cursor::new(head).chain(inner)));
        self.inner = Inner::Escaped(Box::new(Escaped::Ascii(inner)));
    }

    /// Whether it is compressed bytes, whose decoding tells what is damaged.
    pub(crate) fn is_compressed(&self) -> bool {
        self.data != Compression::None.name()
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
                    break Err(explain(&self.name, self.data, self.decoded, error));
                }
            }
        };
        bytes.truncate(filled);
        result
    }
}

/// The dictionary in the first frame of a source; empty where it has none.
fn dictionary_of(source: &Source) -> Result<Vec<u8>, Error> {
    let failed = |error| Error::Read { path: source.name().to_owned(), source: error };
    let (mut head, mut disk) = (Vec::new(), source.open()?);
    disk.by_ref().take(Compression::MAGIC_BYTES as u64).read_to_end(&mut head).map_err(failed)?;
    let found = match head.starts_with(&DICTIONARY_FRAME) {
        true => take_dictionary(&mut head, &mut disk).map_err(failed)?,
        false => None,
    };
    Ok(found.map_or_else(Vec::new, |(dictionary, _)| dictionary))
}

/// The character set that is to be undone: the one that a byte order mark says, else the one that was asked for, or UTF-16
/// that its first bytes tell, or many of them. Pages and archives say theirs themselves, and columns have none.
pub(crate) fn encoding_of(source: &Source, head: &[u8]) -> Option<&'static Encoding> {
    if source.format().is_some_and(|format| !format.is_text()) {
        return None;
    }
    match Encoding::for_bom(head) {
        Some((marked, _)) => Some(marked).filter(|encoding| *encoding != UTF_8),
        None => {
            let told = || utf_16(head).or_else(|| utf_16_of_any_script(head));
            source.dialect().decoded().or_else(told)
        }
    }
}

/// Whether the first bytes of a source tell all that there is to be told of its character set.
fn is_told(source: &Source, first: &[u8]) -> bool {
    let is_other = source.format().is_some_and(|format| !format.is_text());
    is_other || encoding_of(source, first).is_some() || !is_unusual(first)
}

/// Whether a source is brotli whose name promises another compression, which its first bytes are not of.
///
/// # Errors
/// [`Error::Misnamed`] where it is no text either.
fn unnamed(source: &Source, head: &[u8], named: Compression) -> Result<bool, Error> {
    let valid = str::from_utf8(head).map_or_else(|error| error.valid_up_to(), str::len);
    if named == Compression::Brotli && is_brotli(head, head.len() < LONG_HEAD) {
        return Ok(true);
    }
    // A character may be cut at the end.
    let is_utf_8 = head.len() - valid < 4;
    let first = head.get(..Compression::MAGIC_BYTES).unwrap_or(head);
    let is_text = !head.iter().any(is_control) || encoding_of(source, first).is_some();
    if is_text && is_utf_8 || InputFormat::of_content(head).is_some() {
        return Ok(false);
    }
    if is_brotli(head, head.len() < LONG_HEAD) {
        return Ok(true);
    }
    // What has a format of its own is named by whoever finds it, and so is what else it is.
    let kind = binary::kind(head).unwrap_or(binary::UNKNOWN);
    if is_text || source.format().is_none() && kind != binary::UNKNOWN {
        return Ok(false);
    }
    let (path, compression) = (source.name().to_owned(), named.name());
    Err(Error::Misnamed { path, compression, kind })
}

/// What a source is instead, where its name or its reader promises rows, lines or records of an archive, by its first bytes.
/// No file of these begins as one of another kind does. This is told where it is read, and not where it is found, since a
/// folder may hold pictures, and a part of what was promised must not be missed.
fn other_kind(source: &Source, first: &[u8]) -> Option<&'static str> {
    let first = first.get(..Compression::MAGIC_BYTES).unwrap_or(first);
    let is_promise = |it: &InputFormat| it.is_by_line() || it.is_table() || it.is_archive();
    source.format().filter(is_promise)?;
    binary::kind(first).filter(|kind| *kind != binary::UNKNOWN)
}

/// Bytes of what may be a text that tell UTF-32 without a mark, at least.
const UTF_32_BYTES: usize = 64;

/// Whether a source begins as text in UTF-32 does; where nothing says that it is a text, with a mark, or for long. Browsers take that
/// for the one of UTF-16 (Encoding Standard, section 6), and show no word of such a page.
fn is_wide(source: &Source, head: &[u8]) -> bool {
    match source.format() {
        Some(format) => {
            let first = head.get(..Compression::MAGIC_BYTES).unwrap_or(head);
            (format.is_text() || format.is_page()) && is_utf_32(first)
        }
        None => has_utf_32_mark(head) || head.len() >= UTF_32_BYTES && is_utf_32(head),
    }
}

impl Read for Inner {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(disk) => disk.read(buffer),
            Self::Gzip(decoder) => decoder.read(buffer),
            Self::Zstd(decoder) => decoder.read(buffer),
            Self::Bzip2(decoder) => decoder.read(buffer),
            Self::Xz(decoder) => decoder.read(buffer),
            Self::Brotli(decoder) => decoder.read(buffer),
            Self::Marked(decoder) => decoder.read(buffer),
            Self::Nested(decoder) => decoder.read(buffer),
            Self::Failed(error) => error.take().map_or(Ok(0), Err),
            Self::Recoded(decoder) => decoder.read(buffer),
            Self::Escaped(decoder) => decoder.read(buffer),
        }
    }
}

impl Inner {
    /// The same bytes, or those that are compressed in them once more, as a server does that compresses whatever it
    /// sends; with the first of them.
    fn opened(self) -> io::Result<(Self, Vec<u8>)> {
        let (head, inner) = self.peeked(Compression::MAGIC_BYTES);
        let disk = |inner| BufReader::with_capacity(DISK_BUFFER, inner);
        let nested: Box<dyn Read + Send> = match packed(&head) {
            Compression::Gzip => Box::new(Gzip::new(disk(inner), Arc::default())),
            Compression::Zstd => Box::new(Zstd::new(disk(inner), &[], Arc::default())?),
            Compression::Xz => Box::new(Xz::new(disk(inner))?),
            Compression::Bzip2 => Box::new(Bzip2::new(disk(inner))),
            Compression::Brotli | Compression::None => return Ok((inner, head)),
        };
        let (head, nested) = Self::Nested(nested).peeked(Compression::MAGIC_BYTES);
        Ok((nested, head))
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

/// The compression of bytes that were decompressed once and begin so.
fn packed(head: &[u8]) -> Compression {
    let told = Compression::of_content(head);
    let is_meant = match told {
        Compression::Gzip => head.get(2) == Some(&DEFLATE),
        // Less of what bzip2 begins with may begin a text.
        Compression::Bzip2 => head.len() >= Compression::MAGIC_BYTES,
        _ => true,
    };
    if is_meant { told } else { Compression::None }
}

/// The one method of compression that gzip has (RFC 1952, section 2.3.1).
const DEFLATE: u8 = 8;

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
