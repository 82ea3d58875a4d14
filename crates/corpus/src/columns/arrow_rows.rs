//! Record batches of Arrow's two formats of files: the stream, and the file with a footer (Feather version 2).

use crate::columns::arrow_messages::{
    Block, Footer, Framed, LONGEST_MESSAGE, STREAM, checked_footer, masked_stream,
};
use crate::columns::arrow_wide::Masked;
use crate::columns::library::library;
use arrow_array::RecordBatch;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_ipc::{CompressionType, root_as_message};
use arrow_schema::{ArrowError, SchemaRef};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::iter;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How a file with a footer begins, with the padding behind.
pub(crate) const FILE: &[u8] = b"ARROW1\0\0";
/// Bytes that the beginning of a file and its padding have, at most.
pub(crate) const PADDING: usize = 64;

/// The record batches of a source, one after the other.
pub(crate) struct Batches {
    /// The columns, with [marks](Masked::marked) on those that the batches have as bytes.
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
            let file = CountedFile { file, read, at: 0, changes: Vec::new() };
            return Self::of_stream(BufReader::new(file), most, Behind::Nothing);
        }
        let Footed { mut reader, blocks, masked } = Footed::open(file, read, None)?;
        let (schema, metadata) = (reader.schema(), reader.custom_metadata().clone());
        let batches = blocks.into_iter().map_while(move |block| {
            // The library looks for the block again.
            let checked = block.check(reader.get_mut()).map_err(ArrowError::from);
            checked.map_or_else(|error| Some(Err(error)), |_| reader.next())
        });
        Ok(Self { schema: masked.marked(&schema), metadata, batches: Box::new(batches) })
    }

    /// Those of bytes that begin with the first message, of which there are `most` at most, and behind whose last stands
    /// so much.
    pub(crate) fn of_stream(
        bytes: impl Read + Send + 'static,
        most: u64,
        behind: Behind,
    ) -> io::Result<Self> {
        let (bytes, masked) = masked_stream(bytes)?;
        let bytes = Framed::new(bytes, most);
        let reader = library(|| StreamReader::try_new(bytes, None)).map_err(ArrowError::ParseError);
        let mut reader = reader.flatten().map_err(as_io)?;
        let schema = masked.marked(&reader.schema());
        let mut left = (behind == Behind::Nothing).then_some(());
        let batches = iter::from_fn(move || {
            let next = reader.next();
            if next.is_none() && left.take().is_some() {
                return nothing_left(reader.get_mut()).err().map(Err);
            }
            next
        });
        Ok(Self { schema, metadata: HashMap::new(), batches: Box::new(batches) })
    }

    /// The next record batch.
    pub(crate) fn next(&mut self) -> Option<io::Result<RecordBatch>> {
        let next = library(|| self.batches.next()).map_err(ArrowError::ParseError);
        next.transpose().map(|batch| batch.flatten().map_err(as_io))
    }
}

/// What stands behind the last message of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Behind {
    Nothing,
    /// The footer of a file that is read as a stream.
    Footer,
}

/// Fails where more than padding is left of a stream behind its end: the library would leave it out.
fn nothing_left(bytes: &mut impl Read) -> Result<(), ArrowError> {
    /// Bytes that are looked at.
    const LOOK: u64 = 1 << 12;
    let mut rest = Vec::new();
    bytes.take(LOOK).read_to_end(&mut rest)?;
    if rest.starts_with(STREAM) {
        let told = "a second stream follows the first; write the rows of both as one";
        return Err(ArrowError::NotYetImplemented(told.to_owned()));
    }
    match rest.iter().all(|byte| *byte == 0) {
        true => Ok(()),
        false => Err(ArrowError::ParseError("other bytes follow the end of the stream".to_owned())),
    }
}

/// A file with a footer that is open.
struct Footed {
    reader: FileReader<BufReader<CountedFile>>,
    blocks: Vec<Block>,
    masked: Masked,
}

impl Footed {
    /// Of all columns, or those of these places.
    fn open(mut file: File, read: Arc<AtomicU64>, columns: Option<Vec<usize>>) -> io::Result<Self> {
        let Footer { blocks, changes, masked, .. } = checked_footer(&mut file)?;
        let counted = CountedFile { file, read, at: 0, changes };
        let reader = library(|| FileReader::try_new(BufReader::new(counted), columns));
        let reader = reader.map_err(ArrowError::ParseError).flatten().map_err(as_io)?;
        Ok(Self { reader, blocks, masked })
    }
}

/// The first record batch of a file with a footer, with columns of these names alone; none where it has no batch.
pub(crate) fn first_batch(file: File, names: &[&str]) -> io::Result<Option<RecordBatch>> {
    let schema = Batches::of_file(file.try_clone()?, Arc::default())?.schema;
    let columns = names.iter().map(|name| schema.index_of(name));
    let columns = columns.collect::<Result<_, _>>().map_err(as_io)?;
    let mut rewound = file;
    rewound.seek(SeekFrom::Start(0))?;
    let Footed { mut reader, blocks, .. } = Footed::open(rewound, Arc::default(), Some(columns))?;
    if let Some(block) = blocks.first() {
        block.check(reader.get_mut())?;
    }
    let next = library(|| reader.next().transpose()).map_err(ArrowError::ParseError);
    next.flatten().map_err(as_io)
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

/// A file that counts what is read of it, and shows other bytes at some places.
struct CountedFile {
    file: File,
    read: Arc<AtomicU64>,
    /// Where it is read.
    at: u64,
    /// Ascending.
    changes: Vec<(u64, u8)>,
}

impl Read for CountedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        let first = self.changes.partition_point(|(at, _)| *at < self.at);
        let end = self.at + count as u64;
        for (at, byte) in self.changes.iter().skip(first).take_while(|(at, _)| *at < end) {
            let within = at.checked_sub(self.at).and_then(|at| usize::try_from(at).ok());
            if let Some(place) = within.and_then(|at| buffer.get_mut(..count)?.get_mut(at)) {
                *place = *byte;
            }
        }
        self.at += count as u64;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

impl Seek for CountedFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = self.file.seek(to)?;
        Ok(self.at)
    }
}
