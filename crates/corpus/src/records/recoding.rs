//! Bytes of another character set as UTF-8. What is no character becomes a byte that UTF-8 does not have: whoever reads
//! the text says where it stands, or replaces it.

use encoding_rs::{Decoder, DecoderResult, Encoding};
use std::io::{self, Read};

/// Bytes that are decoded at a time.
const STEP: usize = 1 << 14;

/// Stands in the place of bytes that are no character.
const NO_CHARACTER: u8 = 0xff;

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
        Self::going_on(inner, encoding.new_decoder_with_bom_removal())
    }

    /// What follows on bytes that were decoded before.
    pub(crate) fn going_on(inner: R, decoder: Decoder) -> Self {
        Self { inner, decoder, bytes: Vec::new(), at: 0, ended: false }
    }

    fn decode(&mut self) -> io::Result<()> {
        let mut encoded = [0; STEP];
        let count = self.inner.read(&mut encoded)?;
        self.ended = count == 0;
        self.bytes.clear();
        self.at = 0;
        let encoded = encoded.get(..count).unwrap_or_default();
        recode(&mut self.decoder, encoded, self.ended, &mut self.bytes);
        Ok(())
    }
}

/// Appends bytes as UTF-8; `ended` says that none follow.
pub(crate) fn recode(decoder: &mut Decoder, mut rest: &[u8], ended: bool, text: &mut Vec<u8>) {
    loop {
        let start = text.len();
        let most = decoder.max_utf8_buffer_length_without_replacement(rest.len());
        text.resize(start + most.unwrap_or(STEP * 4), 0);
        let free = text.get_mut(start..).unwrap_or_default();
        let (result, read, written) = decoder.decode_to_utf8_without_replacement(rest, free, ended);
        text.truncate(start + written);
        rest = rest.get(read..).unwrap_or_default();
        match result {
            DecoderResult::InputEmpty => return,
            DecoderResult::OutputFull => {}
            DecoderResult::Malformed(..) => text.push(NO_CHARACTER),
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::UTF_16LE;

    #[test]
    fn what_is_no_character_is_no_utf_8() {
        let read = |bytes: &[u8]| {
            let mut text = Vec::new();
            Recoding::new(bytes, UTF_16LE).read_to_end(&mut text).unwrap();
            text
        };
        assert_eq!(read(b"\xff\xfea\0\xe9\0"), "a\u{e9}".as_bytes());
        assert_eq!(read(b"a\0\0\xd8b\0"), b"a\xffb");
        assert_eq!(read(b"a\0b"), b"a\xff");
        assert_eq!(read(&b"a\0".repeat(STEP)), b"a".repeat(STEP));
        assert_eq!(read(&[0, 0xd8].repeat(STEP)), b"\xff".repeat(STEP));
    }
}
