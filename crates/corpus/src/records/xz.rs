//! The bytes of an xz file.

use crate::records::padding::goes_on;
use liblzma::bufread::XzDecoder;
use liblzma::stream::Stream;
use std::io::{self, BufRead, Read};

/// The most memory that a file may ask for: more than any that the library itself writes, whose
/// dictionaries end at 1.5 GiB.
const MEMORY: u64 = 2 << 30;

/// Reads all streams of a file, and passes over zeros behind them. What comes before an error is given first, which the
/// library's reader drops.
pub(crate) struct Xz<R> {
    /// None behind the last stream.
    stream: Option<XzDecoder<R>>,
    error: Option<io::Error>,
}

impl<R: BufRead> Xz<R> {
    pub(crate) fn new(disk: R) -> io::Result<Self> {
        Ok(Self { stream: Some(opened(disk)?), error: None })
    }

    /// Goes on to the stream behind one that has ended; returns whether there is one.
    fn go_on(&mut self) -> io::Result<bool> {
        let Some(ended) = self.stream.take() else { return Ok(false) };
        let mut disk = ended.into_inner();
        let more = goes_on(&mut disk, 0xfd, "xz")?;
        if more {
            self.stream = Some(opened(disk)?);
        }
        Ok(more)
    }
}

/// The stream that begins here.
fn opened<R: BufRead>(disk: R) -> io::Result<XzDecoder<R>> {
    Ok(XzDecoder::new_stream(disk, Stream::new_stream_decoder(MEMORY, 0)?))
}

impl<R: BufRead> Read for Xz<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        while let Some(stream) = &mut self.stream {
            let before = stream.total_out();
            let result = stream.read(buffer);
            let written = usize::try_from(stream.total_out() - before).unwrap_or(0);
            match result {
                Err(error) if written > 0 => {
                    self.error = Some(error);
                    return Ok(written);
                }
                Ok(0) if !buffer.is_empty() && self.go_on()? => {}
                result => return result,
            }
        }
        Ok(0)
    }
}
