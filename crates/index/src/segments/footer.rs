//! The end of a segment file: what it holds, where, and the checksums. Drawn byte by byte in
//! `docs/format.md`.
#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

use crate::error::Error;
use crate::segments::layout::{Layout, Scheme};
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

/// The version of a segment with ids.
const WITH_IDS: u32 = 1;
/// The version of a segment without ids.
const WITHOUT_IDS: u32 = 2;
/// The version of a segment without tables, with ids or without.
const WITHOUT_TABLES: u32 = 3;
/// The last bytes of a segment.
pub(crate) const MAGIC: &[u8; 8] = b"NPSEGMNT";
/// Bytes after the footer's fields: their length, their checksum, the version and the magic.
const TAIL: usize = 4 + 8 + 4 + 8;
/// What a footer says of the tables of a scan: one list of fingerprints.
const SCAN_TABLES: u32 = 1;
/// More sections or ranges than this are no segment.
const MOST: u32 = 4096;

/// A stretch of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Section {
    pub(crate) offset: u64,
    pub(crate) bytes: u64,
    /// XXH3-64 of the bytes.
    pub(crate) checksum: u64,
}

impl Section {
    /// The section as a range of positions.
    pub(crate) fn range(&self) -> Option<Range<usize>> {
        let start = usize::try_from(self.offset).ok()?;
        Some(start..start.checked_add(usize::try_from(self.bytes).ok()?)?)
    }
}

/// What a segment holds.
#[derive(Clone, Debug)]
pub(crate) struct Footer {
    pub(crate) layout: Layout,
    /// The id of the recipe; zero in the file stands for `None`.
    pub(crate) recipe: Option<u128>,
    /// Distinct fingerprints.
    pub(crate) fingerprints: u64,
    pub(crate) documents: u64,
    /// Bytes of a document's ordinal; 0 in a segment without ids.
    pub(crate) id_bytes: u32,
    /// Bytes of a directory's entry: 4 or 8.
    pub(crate) entry_bytes: u32,
    /// Ids; runs; run samples; then suffixes and directory of each table.
    pub(crate) sections: Vec<Section>,
}

impl Footer {
    /// The footer with its tail, as the file ends.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut u32s = |values: &[u32]| values.iter().for_each(|v| out.extend(v.to_le_bytes()));
        let layout = &self.layout;
        u32s(&[layout.width(), layout.k(), layout.bucket_bits()]);
        match layout.scheme() {
            Scheme::Parts(parts) => u32s(&[0, *parts]),
            Scheme::Prefixes(prefixes) => {
                u32s(&[1, count(prefixes.len())]);
                for ranges in prefixes {
                    u32s(&[count(ranges.len())]);
                    ranges.iter().for_each(|range| u32s(&[range.start, range.end]));
                }
            }
            Scheme::Scan => u32s(&[2, SCAN_TABLES]),
        }
        u32s(&[self.id_bytes, self.entry_bytes, count(self.sections.len())]);
        out.extend(self.recipe.unwrap_or(0).to_le_bytes());
        let sections = self.sections.iter().flat_map(|s| [s.offset, s.bytes, s.checksum]);
        let numbers = [self.fingerprints, self.documents].into_iter().chain(sections);
        out.extend(numbers.flat_map(u64::to_le_bytes));
        let (length, checksum) = (count(out.len()), xxh3_64(&out));
        out.extend(length.to_le_bytes());
        out.extend(checksum.to_le_bytes());
        out.extend(self.version().to_le_bytes());
        out.extend(MAGIC);
        out
    }

    /// The version of the file: releases that do not know what it lacks refuse it.
    fn version(&self) -> u32 {
        match self.id_bytes {
            _ if self.layout.is_scan() => WITHOUT_TABLES,
            0 => WITHOUT_IDS,
            _ => WITH_IDS,
        }
    }

    /// Reads the footer of a whole segment.
    ///
    /// # Errors
    /// [`Error::NoSegment`], [`Error::SegmentVersion`] or [`Error::Corrupt`].
    pub(crate) fn read(file: &[u8]) -> Result<Self, Error> {
        let mut tail =
            Fields(file.len().checked_sub(TAIL).and_then(|at| file.get(at..)).unwrap_or(&[]));
        let (length, checksum, version) = (tail.u32(), tail.u64(), tail.u32());
        let (Some(length), Some(checksum), Some(version)) = (length, checksum, version) else {
            return Err(Error::NoSegment);
        };
        if tail.0 != MAGIC {
            return Err(Error::NoSegment);
        }
        if !(WITH_IDS..=WITHOUT_TABLES).contains(&version) {
            return Err(Error::SegmentVersion { found: version, known: WITHOUT_TABLES });
        }
        let corrupt = || Error::Corrupt { what: "the footer" };
        let end = file.len() - TAIL;
        let start = usize::try_from(length).ok().and_then(|length| end.checked_sub(length));
        let bytes = start.and_then(|start| file.get(start..end)).ok_or_else(corrupt)?;
        if xxh3_64(bytes) != checksum {
            return Err(corrupt());
        }
        let footer = Self::parse(Fields(bytes)).filter(|footer| footer.version() == version);
        let footer = footer.ok_or_else(corrupt)?;
        let inside = |section: &Section| section.range().is_some_and(|range| range.end <= end);
        // Sections lie right in front of the footer: where they do not, bytes were put in or taken out.
        let with_bytes = footer.sections.iter().filter(|section| section.bytes > 0);
        let last = with_bytes.filter_map(Section::range).map(|range| range.end).max();
        let moved = last.is_some_and(|last| Some(last) != start);
        if footer.sections.iter().all(inside) && !moved { Ok(footer) } else { Err(corrupt()) }
    }

    fn parse(mut fields: Fields<'_>) -> Option<Self> {
        let (width, k, bucket_bits, kind) =
            (fields.u32()?, fields.u32()?, fields.u32()?, fields.u32()?);
        let scheme = match kind {
            0 => Scheme::Parts(fields.u32()?),
            1 => {
                let mut prefixes = Vec::new();
                for _ in 0..fields.number()? {
                    let ranges = (0..fields.number()?).map(|_| Some(fields.u32()?..fields.u32()?));
                    prefixes.push(ranges.collect::<Option<Vec<_>>>()?);
                }
                Scheme::Prefixes(prefixes)
            }
            2 if fields.u32()? == SCAN_TABLES => Scheme::Scan,
            _ => return None,
        };
        let layout = Layout::with_bucket_bits(width, k, scheme, bucket_bits).ok()?;
        let (id_bytes, entry_bytes, sections) = (fields.u32()?, fields.u32()?, fields.number()?);
        let recipe = u128::from(fields.u64()?) | u128::from(fields.u64()?) << 64;
        let recipe = Some(recipe).filter(|id| *id != 0);
        let (fingerprints, documents) = (fields.u64()?, fields.u64()?);
        let sections = (0..sections).map(|_| {
            Some(Section { offset: fields.u64()?, bytes: fields.u64()?, checksum: fields.u64()? })
        });
        let sections = sections.collect::<Option<Vec<_>>>()?;
        let sound = sections.len() == 3 + 2 * layout.tables()
            && id_bytes <= 8
            && matches!(entry_bytes, 4 | 8)
            && layout.bucket_bits() == bucket_bits;
        let all_read = fields.0.is_empty();
        let footer =
            Self { layout, recipe, fingerprints, documents, id_bytes, entry_bytes, sections };
        (sound && all_read).then_some(footer)
    }
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// Little-endian fields, taken from the front.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn u32(&mut self) -> Option<u32> {
        let (field, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*field))
    }

    fn u64(&mut self) -> Option<u64> {
        let (field, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*field))
    }

    /// A number of things that follow.
    fn number(&mut self) -> Option<u32> {
        self.u32().filter(|number| *number <= MOST)
    }
}

/// Whether a file whose last bytes are these is a segment of fingerprints, of any version.
///
/// # Examples
///
/// ```
/// assert!(!nearprint_index::ends_as_segment(b"{\"id\":1}\n"));
/// ```
#[must_use]
pub fn ends_as_segment(tail: &[u8]) -> bool {
    tail.ends_with(MAGIC)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::family::Family;

    fn footer(scheme: Scheme, id_bytes: u32) -> Footer {
        let layout = Layout::new(64, 3, scheme, 1000).unwrap();
        let section = Section { offset: 1, bytes: 2, checksum: 3 };
        let sections = vec![section; 3 + 2 * layout.tables()];
        let (recipe, fingerprints, documents) = (Some(u128::MAX - 5), 6, 7);
        Footer { layout, recipe, fingerprints, documents, id_bytes, entry_bytes: 8, sections }
    }

    #[test]
    fn a_footer_comes_back_and_any_flipped_byte_is_noticed() {
        let family = Scheme::family(64, &Family::combinations(5, 3).unwrap());
        for (scheme, id_bytes) in
            [(Scheme::Parts(2), 4), (family, 0), (Scheme::nested(64, 4, 4), 8), (Scheme::Scan, 0)]
        {
            let footer = footer(scheme, id_bytes);
            let bytes: Vec<u8> = [0; 3].into_iter().chain(footer.to_bytes()).collect();
            let read = Footer::read(&bytes).unwrap();
            assert_eq!(format!("{read:?}"), format!("{footer:?}"));
            for at in 3..bytes.len() {
                let mut broken = bytes.clone();
                broken[at] ^= 0x10;
                assert!(Footer::read(&broken).is_err(), "byte {at}");
            }
            for length in 0..bytes.len() {
                assert!(Footer::read(&bytes[..length]).is_err(), "{length} bytes");
            }
            let moved = [&[0][..], &bytes].concat();
            assert!(Footer::read(&moved).is_err());
        }
    }

    #[test]
    fn another_version_is_named() {
        for (scheme, id_bytes, version) in [
            (Scheme::Parts(1), 4, WITH_IDS),
            (Scheme::Parts(1), 0, WITHOUT_IDS),
            (Scheme::Scan, 4, WITHOUT_TABLES),
            (Scheme::Scan, 0, WITHOUT_TABLES),
        ] {
            let mut bytes = footer(scheme, id_bytes).to_bytes();
            let at = bytes.len() - 12;
            assert_eq!(u32::from(bytes[at]), version);
            bytes[at] = 9;
            let message = Footer::read(&bytes).unwrap_err().to_string();
            assert!(message.contains("version 9"), "{message}");
            // The version tells whether there are ids and tables.
            for other in (1..=3).filter(|other| u32::from(*other) != version) {
                bytes[at] = other;
                let corrupt = Error::Corrupt { what: "the footer" };
                assert_eq!(Footer::read(&bytes).unwrap_err(), corrupt);
            }
        }
    }
}
