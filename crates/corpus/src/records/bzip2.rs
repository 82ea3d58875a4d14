//! The bytes of a bzip2 file.

use crate::records::padding::goes_on;
use bzip2::bufread::BzDecoder;
use std::io::{self, BufRead, Read};

/// Reads all streams of a file, and passes over zeros behind them.
pub(crate) struct Bzip2<R> {
    /// None behind the last stream.
    stream: Option<BzDecoder<R>>,
}

impl<R: BufRead> Bzip2<R> {
    pub(crate) fn new(disk: R) -> Self {
        Self { stream: Some(BzDecoder::new(disk)) }
    }

    /// Goes on to the stream behind one that has ended; returns whether there is one.
    fn go_on(&mut self) -> io::Result<bool> {
        let Some(ended) = self.stream.take() else { return Ok(false) };
        let mut disk = ended.into_inner();
        let more = goes_on(&mut disk, b'B', "bzip2")?;
        if more {
            self.stream = Some(BzDecoder::new(disk));
        }
        Ok(more)
    }
}

impl<R: BufRead> Read for Bzip2<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(stream) = &mut self.stream {
            let count = stream.read(buffer)?;
            if count > 0 || buffer.is_empty() || !self.go_on()? {
                return Ok(count);
            }
        }
        Ok(0)
    }
}
