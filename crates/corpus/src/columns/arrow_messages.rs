//! What Arrow's messages say of their sizes, checked before the library takes memory for them.

use crate::columns::arrow_wide::Masked;
use arrow_ipc::{Message, root_as_footer, root_as_message};
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};

/// How a stream begins: with what stands before the length of a message.
pub(crate) const STREAM: &[u8] = b"\xff\xff\xff\xff";
/// How Feather version 1 begins, which is another format.
pub(crate) const FEATHER_1: &[u8] = b"FEA1";
/// Bytes of the metadata of a message, at most.
pub(crate) const LONGEST_MESSAGE: usize = 1 << 28;

/// Bytes in front of a compressed buffer, which say how long it is without compression.
const SIZE: usize = 8;

/// A message of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    offset: u64,
    metadata: usize,
}

/// What a message says of its body.
pub(crate) struct Sizes {
    /// Bytes of the body.
    pub(crate) stored: u64,
    /// Bytes of its compressed buffers without compression.
    pub(crate) unpacked: u64,
    pub(crate) is_dictionary: bool,
}

/// What all messages say of their bodies.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Told {
    /// Bytes of the largest, as it is stored and as it is unpacked; none where there is no message.
    pub(crate) largest: Option<u64>,
    /// Those that have bytes.
    pub(crate) count: u64,
    /// Bytes of all dictionaries.
    pub(crate) dictionaries: u64,
}

impl Told {
    pub(crate) fn add(&mut self, sizes: &Sizes) {
        let bytes = sizes.stored.saturating_add(sizes.unpacked);
        if sizes.is_dictionary {
            self.dictionaries = self.dictionaries.saturating_add(bytes);
        } else {
            self.largest = self.largest.max(Some(bytes));
            self.count += u64::from(bytes > 0);
        }
    }
}

impl Block {
    /// The message of a stream that begins at this offset; none where none does.
    pub(crate) fn at(offset: u64, file: &mut (impl Read + Seek)) -> io::Result<Option<Self>> {
        file.seek(SeekFrom::Start(offset))?;
        let mut head = [0; 2 * STREAM.len()];
        file.read_exact(&mut head)?;
        // Programs before 0.15 write the length alone.
        let length = head.strip_prefix(STREAM).unwrap_or(&head);
        let before = if length.len() < head.len() { head.len() } else { STREAM.len() };
        let length = length.first_chunk().map_or(0, |length| u32::from_le_bytes(*length));
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let is_message = length > 0 && length <= LONGEST_MESSAGE;
        Ok(is_message.then(|| Self { offset, metadata: before + length }))
    }

    /// Where the body begins.
    pub(crate) fn body(self) -> u64 {
        self.offset + self.metadata as u64
    }

    /// Fails where the message says that it has more than there can be.
    pub(crate) fn check(self, file: &mut (impl Read + Seek)) -> io::Result<Sizes> {
        file.seek(SeekFrom::Start(self.offset))?;
        let mut metadata = vec![0; self.metadata];
        file.read_exact(&mut metadata)?;
        let message = metadata.strip_prefix(STREAM).unwrap_or(&metadata);
        // The library would look for it in the bytes behind the metadata too.
        let Some(Ok(message)) = message.get(4..).map(root_as_message) else {
            return Err(wrong("there is no message where a batch begins"));
        };
        let mut unpacked = 0_u64;
        for at in compressed(&message)? {
            file.seek(SeekFrom::Start(self.body() + at))?;
            let mut size = [0; SIZE];
            file.read_exact(&mut size)?;
            unpacked = unpacked.saturating_add(check_size(size)?);
        }
        let stored = u64::try_from(message.bodyLength()).unwrap_or(0);
        let is_dictionary = message.header_as_dictionary_batch().is_some();
        Ok(Sizes { stored, unpacked, is_dictionary })
    }
}

/// What the footer of a file says.
#[derive(Default)]
pub(crate) struct Footer {
    /// The record batches.
    pub(crate) blocks: Vec<Block>,
    /// Bytes of the dictionaries, as they are stored and as they are unpacked.
    pub(crate) dictionaries: u64,
    /// Bytes that the library is to see otherwise, by their places in the file, ascending.
    pub(crate) changes: Vec<(u64, u8)>,
    pub(crate) masked: Masked,
}

/// The footer of a file that has one. Fails where it tells of bytes that the file does not have, or a dictionary has
/// more than there can be.
pub(crate) fn checked_footer(file: &mut File) -> io::Result<Footer> {
    /// The length of the footer, and what stands behind it.
    const TAIL: u64 = 10;
    let length = file.seek(SeekFrom::End(0))?;
    let (mut footer, mut from) = (Vec::new(), 0);
    if let Some(tail) = length.checked_sub(TAIL) {
        let mut size = [0; 4];
        file.seek(SeekFrom::Start(tail))?;
        file.read_exact(&mut size)?;
        if let Some(start) = tail.checked_sub(u32::from_le_bytes(size).into()) {
            from = start;
            file.seek(SeekFrom::Start(start))?;
            (&mut *file).take(tail - start).read_to_end(&mut footer)?;
        }
    }
    file.seek(SeekFrom::Start(0))?;
    // What is no footer the library refuses.
    let Ok(footer) = root_as_footer(&footer) else { return Ok(Footer::default()) };
    let masked = footer.schema().map_or_else(|| Ok(Masked::default()), Masked::of)?;
    let checked = |block: &arrow_ipc::Block| {
        let parts = [block.offset(), block.metaDataLength().into(), block.bodyLength()];
        let [offset, metadata, body] = parts.map(|part| u64::try_from(part).ok());
        let end = offset?.checked_add(metadata?)?.checked_add(body?)?;
        let metadata = usize::try_from(metadata?).ok()?;
        (end <= length).then_some(Block { offset: offset?, metadata })
    };
    let beyond = || wrong("a batch lies beyond its end");
    let mut dictionaries = 0_u64;
    for block in footer.dictionaries().into_iter().flatten() {
        let Sizes { stored, unpacked, .. } = checked(block).ok_or_else(beyond)?.check(file)?;
        dictionaries = dictionaries.saturating_add(stored).saturating_add(unpacked);
    }
    file.seek(SeekFrom::Start(0))?;
    let batches = footer.recordBatches().into_iter().flatten();
    let blocks = batches.map(|block| checked(block).ok_or_else(beyond));
    let blocks = blocks.collect::<io::Result<_>>()?;
    let unversioned = unversioned(&footer).into_iter().map(|at| (at, 0));
    let changes = masked.changes.iter().copied().chain(unversioned);
    let mut changes: Vec<_> = changes.map(|(at, byte)| (from + at as u64, byte)).collect();
    changes.sort_unstable();
    Ok(Footer { blocks, dictionaries, changes, masked })
}

/// Where a footer has its version. With the first one, whose number is 0, the library takes that of each message: some
/// programs write another to the footer, such as pyarrow where it is asked for messages of version 4.
fn unversioned(footer: &arrow_ipc::Footer<'_>) -> Vec<usize> {
    let table = footer._tab;
    match usize::from(table.vtable().get(arrow_ipc::Footer::VT_VERSION)) {
        0 => Vec::new(),
        within => vec![table.loc() + within, table.loc() + within + 1],
    }
}

/// A stream from its first message on, as the library is to see it.
pub(crate) fn masked_stream<R: Read>(mut bytes: R) -> io::Result<(impl Read, Masked)> {
    let mut head = Vec::new();
    let mut masked = Masked::default();
    bytes.by_ref().take(2 * STREAM.len() as u64).read_to_end(&mut head)?;
    if head.starts_with(FEATHER_1) {
        let told = "it is Feather version 1, and version 2 is read";
        return Err(io::Error::new(io::ErrorKind::Unsupported, told));
    }
    // Programs before 0.15 write the length alone.
    let start = if head.starts_with(STREAM) { 2 * STREAM.len() } else { STREAM.len() };
    let length = head.get(start - STREAM.len()..).and_then(|length| length.first_chunk());
    let length = length.and_then(|length| usize::try_from(u32::from_le_bytes(*length)).ok());
    if let Some(length) = length.filter(|length| *length <= LONGEST_MESSAGE) {
        let more = (start + length).saturating_sub(head.len());
        bytes.by_ref().take(more as u64).read_to_end(&mut head)?;
        // What is no message the library refuses.
        let message = head.get(start..).map(root_as_message).and_then(Result::ok);
        if let Some(schema) = message.and_then(|message| message.header_as_schema()) {
            masked = Masked::of(schema)?;
        }
        for (at, byte) in &masked.changes {
            if let Some(place) = head.get_mut(start + at) {
                *place = *byte;
            }
        }
    }
    Ok((Cursor::new(head).chain(bytes), masked))
}

/// Where in the body of a message its compressed buffers begin, ascending. Fails where a buffer lies beyond it.
fn compressed(message: &Message<'_>) -> io::Result<Vec<u64>> {
    let dictionary = || message.header_as_dictionary_batch()?.data();
    let Some(batch) = message.header_as_record_batch().or_else(dictionary) else {
        return Ok(Vec::new());
    };
    let body = u64::try_from(message.bodyLength()).unwrap_or(0);
    let is_compressed = batch.compression().is_some();
    let mut sizes = Vec::new();
    for buffer in batch.buffers().into_iter().flatten() {
        let [offset, length] = [buffer.offset(), buffer.length()].map(u64::try_from);
        let (Ok(offset), Ok(length)) = (offset, length) else {
            return Err(wrong("a buffer has a negative length"));
        };
        if offset.checked_add(length).is_none_or(|end| end > body) {
            return Err(wrong("a buffer lies beyond its message"));
        }
        if is_compressed && length >= SIZE as u64 {
            sizes.push(offset);
        }
    }
    sizes.sort_unstable();
    sizes.dedup();
    Ok(sizes)
}

/// The bytes that a buffer says that it has without compression; none where it is not compressed. Fails where memory could
/// not take them.
fn check_size(size: [u8; SIZE]) -> io::Result<u64> {
    /// The buffer is not compressed.
    const AS_IT_IS: i64 = -1;
    let size = i64::from_le_bytes(size);
    let fits = |size| Vec::<u8>::new().try_reserve_exact(size).is_ok();
    if size == AS_IT_IS || usize::try_from(size).is_ok_and(fits) {
        return Ok(u64::try_from(size).unwrap_or(0));
    }
    Err(wrong("a compressed buffer has more bytes than memory could take"))
}

fn wrong(told: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, told)
}

/// Bytes of a stream of messages. Fails where one says that it has more bytes than there are: the library takes memory
/// for them before it reads them.
pub(crate) struct Framed<R> {
    inner: R,
    most: u64,
    frame: Frame,
    /// Of the messages that were read to their ends.
    pub(crate) told: Told,
}

/// Where a stream of messages is read.
enum Frame {
    /// In the length of a message, of which these bytes are read.
    Length(Vec<u8>),
    /// In the metadata of a message of this length.
    Metadata(usize, Vec<u8>),
    /// In the body of a message.
    Body(Body),
}

/// How much of the body of a message was read.
#[derive(Default)]
struct Body {
    at: u64,
    length: u64,
    /// Where the sizes of compressed buffers begin that are not read yet, the first one at the end.
    sizes: Vec<u64>,
    /// What was read of the next.
    size: Vec<u8>,
    /// Bytes of those that were read without compression.
    unpacked: u64,
    is_dictionary: bool,
}

impl Body {
    /// Goes on behind bytes of the body.
    fn pass(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut rest = bytes;
        while let Some(next) = self.sizes.last() {
            let (begun, start) = (self.size.len() as u64, *next);
            let skipped = (start + begun).saturating_sub(self.at);
            let skipped = usize::try_from(skipped).unwrap_or(usize::MAX).min(rest.len());
            let taken = (SIZE - self.size.len()).min(rest.len() - skipped);
            self.size.extend_from_slice(&rest[skipped..skipped + taken]);
            rest = &rest[skipped + taken..];
            self.at += (skipped + taken) as u64;
            let Some(size) = self.size.first_chunk::<SIZE>() else { return Ok(()) };
            self.unpacked = self.unpacked.saturating_add(check_size(*size)?);
            self.size.clear();
            self.sizes.pop();
        }
        self.at += rest.len() as u64;
        Ok(())
    }

    fn sizes(&self) -> Sizes {
        let Self { length: stored, unpacked, is_dictionary, .. } = *self;
        Sizes { stored, unpacked, is_dictionary }
    }
}

impl<R> Framed<R> {
    pub(crate) fn new(inner: R, most: u64) -> Self {
        Self { inner, most, frame: Frame::Length(Vec::new()), told: Told::default() }
    }

    /// Goes on behind bytes that were read.
    fn pass(&mut self, mut bytes: &[u8]) -> io::Result<()> {
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
                        0 => {
                            let length = u64::MAX;
                            self.frame = Frame::Body(Body { length, ..Body::default() });
                        }
                        length if length > LONGEST_MESSAGE => {
                            return Err(wrong("there is no message where one begins"));
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
                    let message = root_as_message(read).ok();
                    let length = message.map_or(0, |message| message.bodyLength());
                    let length = u64::try_from(length).ok().filter(|length| *length <= self.most);
                    let Some(length) = length else {
                        return Err(wrong("a message is longer than the file"));
                    };
                    let mut sizes =
                        message.map_or(Ok(Vec::new()), |message| compressed(&message))?;
                    sizes.reverse();
                    let is_dictionary =
                        message.is_some_and(|it| it.header_as_dictionary_batch().is_some());
                    let body = Body { length, sizes, is_dictionary, ..Body::default() };
                    self.frame = Frame::Body(body);
                }
                Frame::Body(body) => {
                    let left = usize::try_from(body.length - body.at).unwrap_or(usize::MAX);
                    body.pass(take(left))?;
                }
            }
            if let Frame::Body(body) = &self.frame
                && body.at == body.length
            {
                self.told.add(&body.sizes());
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
