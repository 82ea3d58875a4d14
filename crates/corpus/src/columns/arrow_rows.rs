//! Record batches of Arrow's two formats of files: the stream, and the file with a footer (Feather version 2).

use crate::columns::arrow_messages::{Framed, LONGEST_MESSAGE, STREAM, checked_blocks};
use crate::columns::library::library;
use arrow_array::RecordBatch;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_ipc::{CompressionType, root_as_message};
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
/// How Feather version 1 begins, which is another format.
pub(crate) const FEATHER_1: &[u8] = b"FEA1";

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
        let most = file.metadata()?.len();
        if !is_file(&mut file)? {
            return Self::of_stream(BufReader::new(CountedFile { file, read }), most);
        }
        let blocks = checked_blocks(&mut file)?;
        let counted = BufReader::new(CountedFile { file, read });
        let reader = library(|| FileReader::try_new(counted, None)).map_err(ArrowError::ParseError);
        let mut reader = reader.flatten().map_err(as_io)?;
        let (schema, metadata) = (reader.schema(), reader.custom_metadata().clone());
        let batches = blocks.into_iter().map_while(move |block| {
            // The library looks for the block again.
            let checked = block.check(reader.get_mut()).map_err(ArrowError::from);
            checked.map_or_else(|error| Some(Err(error)), |()| reader.next())
        });
        Ok(Self { schema, metadata, batches: Box::new(batches) })
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
