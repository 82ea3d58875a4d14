//! The bytes of a zstd file, whose first frame may hold the dictionary of all others.

use crate::within::within;
use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use zstd::stream::raw::{DParameter, Decoder, InBuffer, Operation, OutBuffer, WriteBuf};
use zstd::stream::zio::Reader;

/// The log of the largest window accepted: all that `zstd --long=31` writes, or what the library offers to a machine of
/// 32 bits.
const WINDOW_LOG: u32 = if usize::BITS < 64 { 30 } else { 31 };

/// How a frame begins that holds the dictionary of all others.
pub(crate) const DICTIONARY_FRAME: [u8; 4] = [0x5d, 0x2a, 0x4d, 0x18];

/// Bytes of a dictionary, at most.
const LONGEST_DICTIONARY: u32 = 1 << 26;

/// Reads all frames of a file.
pub(crate) struct Zstd<R: BufRead>(Reader<R, Frames>);

impl<R: BufRead> Zstd<R> {
    /// Reads `disk`, which goes on at the byte of a file that `start` says: there the frame begins that is read, or what
    /// stands in the place of one. The dictionary may have no byte, where frames need none.
    pub(crate) fn new(disk: R, dictionary: &[u8], start: Arc<AtomicU64>) -> io::Result<Self> {
        let mut decoder = Decoder::with_dictionary(dictionary)?;
        decoder.set_parameter(DParameter::WindowLogMax(WINDOW_LOG))?;
        let at = start.load(Ordering::Relaxed);
        Ok(Self(Reader::new(disk, Frames { decoder, at, start })))
    }
}

/// Decodes frames, and says where the one begins that is read.
struct Frames {
    decoder: Decoder<'static>,
    /// The place in the file of the next byte.
    at: u64,
    start: Arc<AtomicU64>,
}

impl Operation for Frames {
    fn run<C: WriteBuf + ?Sized>(
        &mut self,
        input: &mut InBuffer<'_>,
        output: &mut OutBuffer<'_, C>,
    ) -> io::Result<usize> {
        let before = input.pos();
        let left = self.decoder.run(input, output)?;
        self.at += (input.pos() - before) as u64;
        if left == 0 {
            self.start.store(self.at, Ordering::Relaxed);
        }
        Ok(left)
    }

    fn reinit(&mut self) -> io::Result<()> {
        self.decoder.reinit()
    }

    fn finish<C: WriteBuf + ?Sized>(
        &mut self,
        output: &mut OutBuffer<'_, C>,
        finished_frame: bool,
    ) -> io::Result<usize> {
        self.decoder.finish(output, finished_frame)
    }
}

impl<R: BufRead> Read for Zstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        /// What the library says of a frame that names another dictionary.
        const OTHER: &str = "Dictionary mismatch";
        self.0.read(buffer).map_err(|error| match error.to_string().as_str() {
            OTHER => io::Error::new(
                io::ErrorKind::Unsupported,
                "it was compressed with a dictionary that does not stand in its first frame",
            ),
            _ => error,
        })
    }
}

/// Takes the dictionary out of the first frame, of which `head` has the beginning, with the bytes of that frame; none where
/// the frame is cut off or holds something else, which then stands in `head`.
///
/// # References
///
/// "Use of Zstandard compression in WARC files", version 1.0: the frame holds a dictionary, as it is or compressed.
pub(crate) fn take_dictionary(
    head: &mut Vec<u8>,
    disk: &mut impl Read,
) -> io::Result<Option<(Vec<u8>, u64)>> {
    const START: usize = 8;
    const RAW: [u8; 4] = [0x37, 0xa4, 0x30, 0xec];
    const COMPRESSED: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
    let Some(size) = head.get(4..START).and_then(|size| size.first_chunk::<4>()) else {
        return Ok(None);
    };
    let size = u32::from_le_bytes(*size);
    if size > LONGEST_DICTIONARY {
        return Ok(None);
    }
    let end = START as u64 + u64::from(size);
    disk.by_ref().take(end.saturating_sub(head.len() as u64)).read_to_end(head)?;
    let Some(end) = usize::try_from(end).ok().filter(|end| *end <= head.len()) else {
        return Ok(None);
    };
    let frame = within(head, START..end);
    let dictionary = if frame.starts_with(&RAW) {
        frame.to_vec()
    } else if frame.starts_with(&COMPRESSED) {
        let mut dictionary = Vec::new();
        let decoder = zstd::stream::read::Decoder::with_buffer(frame)?;
        decoder.take(LONGEST_DICTIONARY.into()).read_to_end(&mut dictionary)?;
        dictionary
    } else {
        return Ok(None);
    };
    head.drain(..end);
    Ok(Some((dictionary, end as u64)))
}
