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

/// Whether bytes are brotli that holds something: all of a file, or its beginning.
pub(crate) fn is_brotli(head: &[u8], is_whole: bool) -> bool {
    let mut decoded = 0;
    let mut decoder = Decompressor::new(Cursor::new(head), BUFFER).take(MOST);
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
        let text = "One line of a text that is not repeated.\n".repeat(90);
        let mut writer = CompressorWriter::new(Vec::new(), BUFFER, 5, 20);
        writer.write_all(text.as_bytes()).unwrap();
        let packed = writer.into_inner();
        assert!(is_brotli(&packed, true));
        assert!(is_brotli(&packed[..packed.len() - 5], false));
        assert!(!is_brotli(&packed[..packed.len() - 5], true));
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
