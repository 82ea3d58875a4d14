//! Bytes of another character set as UTF-8. What is no character becomes a byte that UTF-8 does not have: whoever reads
//! the text says where it stands, or replaces it.
//!
//! Character sets of one byte give every file some text. A file whose bytes beyond ASCII are all UTF-8 is in none of them:
//! that is an error, as its text would be one that nobody wrote.

use crate::within::within;
use encoding_rs::{Decoder, DecoderResult, Encoding};
use std::fmt;
use std::io::{self, ErrorKind, Read};

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
    /// None where the bytes are not UTF-8, or are of a character set that does not take all bytes.
    utf_8: Option<Utf8>,
}

/// The file is UTF-8, and this character set was named.
#[derive(Debug)]
pub(crate) struct IsUtf8(pub(crate) &'static str);

impl fmt::Display for IsUtf8 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it is UTF-8, not {}", self.0)
    }
}

impl std::error::Error for IsUtf8 {}

/// Bytes that are UTF-8 so far.
#[derive(Default)]
struct Utf8 {
    /// Characters beyond ASCII.
    wide: usize,
    /// The beginning of a character.
    begun: Vec<u8>,
}

/// So many characters beyond ASCII tell UTF-8: a few letters with marks behind them may look like such in another one.
const ENOUGH: usize = 8;

impl Utf8 {
    /// With further bytes; none where these are not UTF-8.
    fn with(mut self, bytes: &[u8]) -> Option<Self> {
        self.begun.extend_from_slice(bytes);
        let valid = match str::from_utf8(&self.begun) {
            Ok(text) => text.len(),
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Err(_) => return None,
        };
        let begins = |byte: &&u8| **byte >= 0xc0;
        self.wide += within(&self.begun, ..valid).iter().filter(begins).count();
        self.begun.drain(..valid);
        Some(self)
    }
}

impl<R: Read> Recoding<R> {
    /// A byte order mark of the character set is passed over.
    pub(crate) fn new(inner: R, encoding: &'static Encoding) -> Self {
        let decoder = encoding.new_decoder_with_bom_removal();
        let utf_8 = encoding.is_single_byte().then(Utf8::default);
        Self { inner, decoder, bytes: Vec::new(), at: 0, ended: false, utf_8 }
    }

    fn decode(&mut self) -> io::Result<()> {
        let mut encoded = [0; STEP];
        let count = self.inner.read(&mut encoded)?;
        self.ended = count == 0;
        self.bytes.clear();
        self.at = 0;
        let mut rest = encoded.get(..count).unwrap_or_default();
        self.utf_8 = self.utf_8.take().and_then(|utf_8| utf_8.with(rest));
        if self.utf_8.take_if(|utf_8| utf_8.wide >= ENOUGH).is_some() {
            let named = IsUtf8(self.decoder.encoding().name());
            return Err(io::Error::new(ErrorKind::InvalidData, named));
        }
        loop {
            let start = self.bytes.len();
            let most = self.decoder.max_utf8_buffer_length_without_replacement(rest.len());
            self.bytes.resize(start + most.unwrap_or(STEP * 4), 0);
            let free = self.bytes.get_mut(start..).unwrap_or_default();
            let (result, read, written) =
                self.decoder.decode_to_utf8_without_replacement(rest, free, self.ended);
            self.bytes.truncate(start + written);
            rest = rest.get(read..).unwrap_or_default();
            match result {
                DecoderResult::InputEmpty => return Ok(()),
                DecoderResult::OutputFull => {}
                DecoderResult::Malformed(..) => self.bytes.push(NO_CHARACTER),
            }
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
    use encoding_rs::{UTF_16LE, WINDOWS_1252};

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

    #[test]
    fn utf_8_is_not_read_in_a_character_set_of_one_byte() {
        let read = |bytes: &[u8]| {
            let mut text = String::new();
            let mut recoding = Recoding::new(bytes, WINDOWS_1252);
            recoding.read_to_string(&mut text).map(|_| text).map_err(|error| error.to_string())
        };
        assert_eq!(read(b"caf\xe9").unwrap(), "caf\u{e9}");
        let mixed = [&b"\xc3\xa9".repeat(ENOUGH - 1)[..], b"caf\xe9 \xc3\xa9"].concat();
        assert_eq!(
            read(&mixed).unwrap(),
            "\u{c3}\u{a9}".repeat(ENOUGH - 1) + "caf\u{e9} \u{c3}\u{a9}"
        );
        // Few tell nothing.
        assert_eq!(read(b"Spa\xdf\x85").unwrap(), "Spa\u{df}\u{2026}");
        assert_eq!(read("plain".repeat(STEP).as_bytes()).unwrap(), "plain".repeat(STEP));
        let told = "it is UTF-8, not windows-1252";
        // A character may stand in two steps.
        let odd = format!("{}{}", "a".repeat(STEP - 1), "\u{e9}".repeat(ENOUGH));
        assert_eq!(read(odd.as_bytes()).unwrap_err(), told);
        let late = ["\u{e9}".repeat(ENOUGH).as_bytes(), &b"a".repeat(STEP), b"\xe9"].concat();
        assert_eq!(read(&late).unwrap_err(), told);
    }
}
