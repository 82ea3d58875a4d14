//! Bytes of another character set as UTF-8. What is no character becomes U+FFFD.

use encoding_rs::{Decoder, Encoding};
use std::io::{self, Read};

/// Bytes that are decoded at a time.
const STEP: usize = 1 << 14;

/// Reads UTF-8.
pub(crate) struct Recoding<R> {
    inner: R,
    decoder: Decoder,
    bytes: Vec<u8>,
    /// What was decoded and is not read yet begins here.
    at: usize,
    ended: bool,
}

impl<R: Read> Recoding<R> {
    /// A byte order mark of the character set is passed over.
    pub(crate) fn new(inner: R, encoding: &'static Encoding) -> Self {
        let decoder = encoding.new_decoder_with_bom_removal();
        Self { inner, decoder, bytes: Vec::new(), at: 0, ended: false }
    }

    fn decode(&mut self) -> io::Result<()> {
        let mut encoded = [0; STEP];
        let count = self.inner.read(&mut encoded)?;
        self.ended = count == 0;
        let most = self.decoder.max_utf8_buffer_length(count).unwrap_or(STEP * 4);
        self.bytes.resize(most, 0);
        self.at = 0;
        let encoded = encoded.get(..count).unwrap_or_default();
        let (_, _, written, _) = self.decoder.decode_to_utf8(encoded, &mut self.bytes, self.ended);
        self.bytes.truncate(written);
        Ok(())
    }
}

impl<R: Read> Read for Recoding<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at >= self.bytes.len() {
            if self.ended {
                return Ok(0);
            }
            self.decode()?;
        }
        let mut rest = self.bytes.get(self.at..).unwrap_or_default();
        let count = rest.read(buffer)?;
        self.at += count;
        Ok(count)
    }
}
