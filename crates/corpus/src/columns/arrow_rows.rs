//! Record batches of Arrow's two formats of files: the stream, and the file with a footer (Feather version 2).

use crate::columns::library::library;
use arrow_array::RecordBatch;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_ipc::{CompressionType, root_as_footer, root_as_message};
use arrow_schema::{ArrowError, SchemaRef};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How a file with a footer begins, with the padding behind.
pub(crate) const FILE: &[u8] = b"ARROW1\0\0";
/// Bytes that the beginning of a file and its padding have, at most.
pub(crate) const PADDING: usize = 64;
/// How a stream begins: with what stands before the length of a message.
pub(crate) const STREAM: &[u8] = b"\xff\xff\xff\xff";
/// How Feather version 1 begins, which is another format.
pub(crate) const FEATHER_1: &[u8] = b"FEA1";

/// Bytes of the metadata of a message, at most.
const LONGEST_MESSAGE: usize = 1 << 28;

/// The record batches of a source, one after the other.
pub(crate) struct Batches {
    pub(crate) schema: SchemaRef,
    /// What the footer of a file says beside the schema.
    pub(crate) metadata: HashMap<String, String>,
    pub(crate) batches: Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>,
}

impl Batches {
    /// Those of a file on disk, of either format; `read` grows by what is read of it.
    pub(crate) fn of_file(mut file: File, read: Arc<AtomicU64>) -> io::Result<Self> {
        let (is_file, most) = (is_file(&mut file)?, file.metadata()?.len());
        if is_file {
            check_blocks(&mut file)?;
        }
        let counted = BufReader::new(CountedFile { file, read });
        if !is_file {
            return Self::of_stream(counted, most);
        }
        let reader = library(|| FileReader::try_new(counted, None)).map_err(ArrowError::ParseError);
        let reader = reader.flatten().map_err(as_io)?;
        let (schema, metadata) = (reader.schema(), reader.custom_metadata().clone());
        Ok(Self { schema, metadata, batches: Box::new(reader) })
    }

    /// Those of bytes that begin with the first message, of which there are `most` at most.
    pub(crate) fn of_stream(bytes: impl Read + Send + 'static, most: u64) -> io::Result<Self> {
        let bytes = Framed::new(bytes, most);
        let reader = library(|| StreamReader::try_new(bytes, None)).map_err(ArrowError::ParseError);
        let reader = reader.flatten().map_err(as_io)?;
        Ok(Self { schema: reader.schema(), metadata: HashMap::new(), batches: Box::new(reader) })
    }

    /// The next record batch.
    pub(crate) fn next(&mut self) -> Option<io::Result<RecordBatch>> {
        let next = library(|| self.batches.next()).map_err(ArrowError::ParseError);
        next.transpose().map(|batch| batch.flatten().map_err(as_io))
    }
}

/// Fails where the footer of a file tells of bytes that the file does not have: the library takes memory for them.
fn check_blocks(file: &mut File) -> io::Result<()> {
    /// The length of the footer, and what stands behind it.
    const TAIL: u64 = 10;
    let length = file.seek(SeekFrom::End(0))?;
    let mut footer = Vec::new();
    if let Some(tail) = length.checked_sub(TAIL) {
        let mut size = [0; 4];
        file.seek(SeekFrom::Start(tail))?;
        file.read_exact(&mut size)?;
        if let Some(start) = tail.checked_sub(u32::from_le_bytes(size).into()) {
            file.seek(SeekFrom::Start(start))?;
            (&mut *file).take(tail - start).read_to_end(&mut footer)?;
        }
    }
    file.seek(SeekFrom::Start(0))?;
    // What is no footer the library refuses.
    let Ok(footer) = root_as_footer(&footer) else { return Ok(()) };
    let blocks = footer.recordBatches().into_iter().chain(footer.dictionaries()).flatten();
    for block in blocks {
        let parts = [block.offset(), block.metaDataLength().into(), block.bodyLength()];
        let end =
            parts.into_iter().try_fold(0, |end: u64, part| end.checked_add(part.try_into().ok()?));
        if end.is_none_or(|end| end > length) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a batch lies beyond its end"));
        }
    }
    Ok(())
}

/// Bytes of a stream of messages. Fails where one says that it has more bytes than there are: the library takes memory
/// for them before it reads them.
struct Framed<R> {
    inner: R,
    most: u64,
    frame: Frame,
}

/// Where a stream of messages is read.
enum Frame {
    /// In the length of a message, of which these bytes are read.
    Length(Vec<u8>),
    /// In the metadata of a message of this length.
    Metadata(usize, Vec<u8>),
    /// In the body of a message, of which so many bytes are to come.
    Body(u64),
}

impl<R> Framed<R> {
    fn new(inner: R, most: u64) -> Self {
        Self { inner, most, frame: Frame::Length(Vec::new()) }
    }

    /// Goes on behind bytes that were read.
    fn pass(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        let wrong = |told| Err(io::Error::new(io::ErrorKind::InvalidData, told));
        while !bytes.is_empty() {
            let mut take = |count: usize| {
                let (taken, rest) = bytes.split_at(count.min(bytes.len()));
                bytes = rest;
                taken
            };
            match &mut self.frame {
                Frame::Length(read) => {
                    read.extend_from_slice(take(STREAM.len() - read.len() % STREAM.len()));
                    // Programs before 0.15 write the length alone.
                    let length = read.strip_prefix(STREAM).unwrap_or(read).first_chunk::<4>();
                    let Some(length) = length else { continue };
                    match usize::try_from(u32::from_le_bytes(*length)).unwrap_or(usize::MAX) {
                        0 => self.frame = Frame::Body(u64::MAX),
                        length if length > LONGEST_MESSAGE => {
                            return wrong("there is no message where one begins");
                        }
                        length => self.frame = Frame::Metadata(length, Vec::new()),
                    }
                }
                Frame::Metadata(length, read) => {
                    read.extend_from_slice(take(*length - read.len()));
                    if read.len() < *length {
                        continue;
                    }
                    // What is no message the library refuses.
                    let body = root_as_message(read).map_or(0, |message| message.bodyLength());
                    match u64::try_from(body) {
                        Ok(body) if body <= self.most => self.frame = Frame::Body(body),
                        _ => return wrong("a message has more bytes than there are"),
                    }
                }
                Frame::Body(left) => {
                    let taken = take(usize::try_from(*left).unwrap_or(usize::MAX)).len() as u64;
                    *left -= taken;
                }
            }
            if matches!(self.frame, Frame::Body(0)) {
                self.frame = Frame::Length(Vec::new());
            }
        }
        Ok(())
    }
}

impl<R: Read> Read for Framed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.pass(buffer.get(..count).unwrap_or_default())?;
        Ok(count)
    }
}

/// Whether a file has a footer; leaves it at its start.
pub(crate) fn is_file(file: &mut File) -> io::Result<bool> {
    let mut head = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    (&mut *file).take(FILE.len() as u64).read_to_end(&mut head)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(head == FILE)
}

/// How the buffers of the first record batch are compressed; none where they are not, or where nothing tells.
pub(crate) fn compression(mut file: File) -> Option<CompressionType> {
    let is_file = is_file(&mut file).ok()?;
    file.seek(SeekFrom::Start(if is_file { FILE.len() as u64 } else { 0 })).ok()?;
    let mut file = BufReader::new(file);
    let mut padding = if is_file { PADDING / 4 } else { 0 };
    loop {
        let mut word = [0; 4];
        file.read_exact(&mut word).ok()?;
        // Some programs align the first message to 64 bytes.
        while padding > 0 && word == [0; 4] {
            padding -= 1;
            file.read_exact(&mut word).ok()?;
        }
        padding = 0;
        if word == STREAM {
            file.read_exact(&mut word).ok()?;
        }
        let length = usize::try_from(u32::from_le_bytes(word)).ok()?;
        if length == 0 || length > LONGEST_MESSAGE {
            return None;
        }
        let mut message = vec![0; length];
        file.read_exact(&mut message).ok()?;
        let message = root_as_message(&message).ok()?;
        if let Some(batch) = message.header_as_record_batch() {
            return batch.compression().map(|compression| compression.codec());
        }
        let body = u64::try_from(message.bodyLength()).ok()?;
        io::copy(&mut (&mut file).take(body), &mut io::sink()).ok()?;
    }
}

/// What the library found wrong: a failure of the disk, or data that contradict the format.
pub(crate) fn as_io(error: ArrowError) -> io::Error {
    match error {
        // Such as a seek to before the start, where the footer is cut off.
        ArrowError::IoError(told, error) if error.kind() == io::ErrorKind::InvalidInput => {
            io::Error::new(io::ErrorKind::InvalidData, told)
        }
        ArrowError::IoError(_, error) => error,
        ArrowError::NotYetImplemented(told) => io::Error::new(io::ErrorKind::Unsupported, told),
        error => io::Error::new(io::ErrorKind::InvalidData, error.to_string()),
    }
}

/// A file that counts what is read of it.
struct CountedFile {
    file: File,
    read: Arc<AtomicU64>,
}

impl Read for CountedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

impl Seek for CountedFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}
