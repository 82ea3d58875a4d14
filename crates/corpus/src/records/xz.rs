//! The bytes of an xz file. Other compressions are read by their libraries' own readers.

use liblzma::bufread::XzDecoder;
use liblzma::stream::{CONCATENATED, Stream};
use std::io::{self, BufRead, Read};

/// The most memory that a file may ask for: more than any that the library itself writes, whose
/// dictionaries end at 1.5 GiB.
const MEMORY: u64 = 2 << 30;

/// Reads all streams of a file. What comes before an error is given first, which the library's reader
/// drops.
pub(crate) struct Xz<R> {
    decoder: XzDecoder<R>,
    error: Option<io::Error>,
}

impl<R: BufRead> Xz<R> {
    pub(crate) fn new(disk: R) -> io::Result<Self> {
        let stream = Stream::new_stream_decoder(MEMORY, CONCATENATED)?;
        Ok(Self { decoder: XzDecoder::new_stream(disk, stream), error: None })
    }
}

impl<R: BufRead> Read for Xz<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let before = self.decoder.total_out();
        let result = self.decoder.read(buffer);
        let written = usize::try_from(self.decoder.total_out() - before).unwrap_or(0);
        match result {
            Err(error) if written > 0 => {
                self.error = Some(error);
                Ok(written)
            }
            result => result,
        }
    }
}
