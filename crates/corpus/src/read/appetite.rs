//! How much memory the reading of sources takes beside their batches, told by their first bytes. Reading them
//! is `decoder`'s and the formats'.

use crate::compression::Compression;
use crate::format::InputFormat;
use crate::records::source::Source;
use std::io::Read;

/// Sources that are looked at, at most: opening them takes time too.
const LOOKED_AT: usize = 1000;
/// Bytes of a head that tell the size of a window or dictionary.
const HEAD: u64 = 64;
/// Bytes of a source in all lists of a job, and more for each byte of its name. Measured.
const OF_SOURCE: u64 = 800;
const OF_LETTER: u64 = 9;
/// What bzip2 takes for blocks of 900 kB.
const BZIP2: u64 = 4_000_000;
/// The window of brotli, whose size its first bytes may or may not tell.
const BROTLI: u64 = 17_000_000;
/// The state of a decoder beside its window.
const STATE: u64 = 500_000;

/// Bytes of memory that reading these sources takes beside their batches: the largest window of zstd, dictionary
/// of xz, set of pages of columns or batch of rows that one of them names. One source is open at a time. Of sources that
/// cannot be read nothing is told.
///
/// # Complexity
///
/// Opens a thousand sources at most: those whose names tell such a compression, and those of columns. Where memory is
/// capped, it unpacks those of Arrow that are compressed as a whole.
///
/// # Examples
///
/// ```
/// use nearprint_corpus::{discover, reading_bytes};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("a.jsonl").display().to_string();
/// std::fs::write(&path, "{\"text\": \"plain\"}\n")?;
/// assert_eq!(reading_bytes(&discover(&[path], None)?, true), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn reading_bytes(sources: &[Source], is_capped: bool) -> u64 {
    let told = |source: &&Source| {
        let columns = source.format().is_some_and(InputFormat::is_columns);
        !source.is_stream() && (has_window(source) || columns)
    };
    let of_source = |source| of_source(source, is_capped);
    sources.iter().filter(told).take(LOOKED_AT).map(of_source).max().unwrap_or(0)
}

/// Bytes of memory that the lists of a job take in which these sources stand.
///
/// # Examples
///
/// ```
/// use nearprint_corpus::{discover, listing_bytes};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("a.jsonl").display().to_string();
/// std::fs::write(&path, "{\"text\": \"plain\"}\n")?;
/// let sources = discover(&[path], None)?;
/// assert_eq!(listing_bytes(&sources), 800 + 9 * sources[0].name().len() as u64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn listing_bytes(sources: &[Source]) -> u64 {
    sources.iter().map(|source| of_listed(source.name())).sum()
}

/// The same of a source of this name.
pub(crate) fn of_listed(name: &str) -> u64 {
    OF_SOURCE + OF_LETTER * name.len() as u64
}

fn of_source(source: &Source, is_capped: bool) -> u64 {
    let columns = source.format().filter(|format| format.is_columns());
    let rows = columns.map_or(0, |format| format.format().reading_bytes(source, is_capped));
    let window = if has_window(source) { window(source) } else { None };
    rows.saturating_add(window.unwrap_or(0))
}

/// Whether its name tells a compression that takes memory.
fn has_window(source: &Source) -> bool {
    !matches!(Compression::of_name(source.relative()), Compression::None | Compression::Gzip)
}

fn window(source: &Source) -> Option<u64> {
    let mut head = Vec::new();
    source.open().ok()?.take(HEAD).read_to_end(&mut head).ok()?;
    Some(match source.compression().ok()? {
        Compression::None | Compression::Gzip => 0,
        Compression::Brotli => BROTLI,
        Compression::Bzip2 => BZIP2,
        Compression::Zstd => STATE + zstd_window(&head)?,
        Compression::Xz => STATE + xz_dictionary(&head)?,
    })
}

/// The window of the first frame of zstd (RFC 8878, section 3.1.1.1).
fn zstd_window(head: &[u8]) -> Option<u64> {
    let descriptor = *head.get(4)?;
    if descriptor & 0x20 == 0 {
        let window = *head.get(5)?;
        let base = 1_u64 << (10 + (window >> 3));
        return Some(base + base / 8 * u64::from(window & 7));
    }
    // The whole content is the window: its size is behind the id of a dictionary.
    let id = [0, 1, 2, 4].get(usize::from(descriptor & 3)).copied()?;
    let (length, more) = match descriptor >> 6 {
        0 => (1, 0),
        1 => (2, 256),
        2 => (4, 0),
        _ => (8, 0),
    };
    let digits = head.get(5 + id..5 + id + length)?;
    Some(more + digits.iter().rev().fold(0, |size, digit| size << 8 | u64::from(*digit)))
}

/// The dictionary of the first block of xz (xz file format 1.2.1, sections 3.1 and 5.3.1).
fn xz_dictionary(head: &[u8]) -> Option<u64> {
    const LZMA2: u64 = 0x21;
    let block = head.get(12..)?;
    let flags = *block.get(1)?;
    let mut rest = block.get(2..)?;
    for sized in [0x40, 0x80] {
        if flags & sized != 0 {
            (_, rest) = number(rest)?;
        }
    }
    for _ in 0..=flags & 3 {
        let (id, behind) = number(rest)?;
        let (length, behind) = number(behind)?;
        let (properties, behind) = behind.split_at_checked(usize::try_from(length).ok()?)?;
        if id == LZMA2 {
            let bits = u32::from(*properties.first()? & 0x3f);
            return Some(u64::from(2 | bits & 1) << (bits / 2 + 11));
        }
        rest = behind;
    }
    None
}

/// A number of seven bits a byte, and what is behind it.
fn number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let length = 1 + bytes.iter().take(9).position(|byte| byte & 0x80 == 0)?;
    let (digits, rest) = bytes.split_at_checked(length)?;
    Some((digits.iter().rev().fold(0, |number, digit| number << 7 | u64::from(digit & 0x7f)), rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn windows_of_zstd_are_those_that_were_asked_for() {
        for log in [17, 23, 27] {
            let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
            encoder.window_log(log).unwrap();
            encoder.write_all(b"some text").unwrap();
            let frame = encoder.finish().unwrap();
            assert_eq!(zstd_window(&frame), Some(1 << log));
        }
        // Of known length: the content is the window.
        for length in [9, 300, 100_000] {
            let frame = zstd::bulk::compress(&vec![7; length], 1).unwrap();
            assert_eq!(zstd_window(&frame), Some(length as u64));
        }
        assert_eq!(zstd_window(b"\x28\xb5\x2f\xfd"), None);
    }

    #[test]
    fn dictionaries_of_xz_are_those_of_the_preset() {
        for (preset, dictionary) in [(0, 1 << 18), (1, 1 << 20), (6, 1 << 23), (9, 1 << 26)] {
            let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), preset);
            encoder.write_all(b"some text").unwrap();
            let bytes = encoder.finish().unwrap();
            assert_eq!(xz_dictionary(&bytes), Some(dictionary));
        }
        assert_eq!(xz_dictionary(&[0; 12]), None);
    }
}
