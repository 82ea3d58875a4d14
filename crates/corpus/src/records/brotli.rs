//! Brotli, which begins with nothing that tells it: only decoding does.
//!
//! # References
//!
//! RFC 7932, section 11: the format has neither a mark nor a checksum.

use brotli::Decompressor;
use std::io::{self, Cursor, Read};

/// Bytes that the decoder takes at a time.
pub(crate) const BUFFER: usize = 1 << 12;
/// Bytes of what is decoded that are looked at, at most.
const MOST: u64 = 1 << 20;

/// The end of the bytes: the decoder itself calls bytes that end too early and bytes that are none of its own the same.
struct End;

impl Read for End {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}

/// Whether bytes are brotli that holds something: all of a file, or its beginning.
pub(crate) fn is_brotli(head: &[u8], is_whole: bool) -> bool {
    let mut decoded = 0;
    let mut decoder = Decompressor::new(Cursor::new(head).chain(End), BUFFER).take(MOST);
    let mut bytes = [0; BUFFER];
    let end = loop {
        match decoder.read(&mut bytes) {
            Ok(0) => break Ok(()),
            Ok(count) => decoded += count,
            Err(error) => break Err(error.kind()),
        }
    };
    let ends_well = match end {
        Ok(()) => true,
        Err(kind) => kind == io::ErrorKind::UnexpectedEof && !is_whole,
    };
    decoded > 0 && ends_well
}

#[cfg(test)]
mod tests {
    use super::*;
    use brotli::CompressorWriter;
    use std::io::Write;

    #[test]
    fn brotli_is_told_from_other_bytes() {
        let line =
            |number: u32| format!("{:x} in line {number}\n", number.wrapping_mul(0x9e37_79b1));
        let text: String = (0..9000).map(line).collect();
        let mut writer = CompressorWriter::new(Vec::new(), BUFFER, 5, 20);
        writer.write_all(text.as_bytes()).unwrap();
        let packed = writer.into_inner();
        assert!(is_brotli(&packed, true));
        let begins = &packed[..packed.len() / 2];
        assert!(is_brotli(begins, false) && !is_brotli(begins, true));
        for other in [&b""[..], b"a text", b"PK\x03\x04\x14\0\0\0", &[0xff; 100]] {
            assert!(!is_brotli(other, true), "{other:?}");
        }
        let mut seed = 1_u32;
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed.to_be_bytes()[0]
        };
        for _ in 0..500 {
            let random: Vec<u8> = (0..400).map(|_| next()).collect();
            assert!(!is_brotli(&random, true));
        }
    }
}
