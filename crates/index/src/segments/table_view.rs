//! The bytes of one table of a segment, as a walk over it reads them: the directory and the suffixes
//! found once, every position read from them compared with their length. [`crate::segments::narrowing`]
//! searches within a bucket.
#![deny(clippy::indexing_slicing)]

use crate::error::Error;
use crate::machine::prefetch::prefetch;
use std::ops::Range;

/// Bytes of a cache line.
const LINE: usize = 64;

/// One table of a segment.
pub(crate) struct View<'a> {
    directory: &'a [u8],
    entry_bytes: usize,
    /// With what follows the last one, so that a whole word can be read from the start of any.
    padded: &'a [u8],
    suffixes: &'a [u8],
    pub(crate) suffix_bytes: usize,
    fingerprints: usize,
}

impl<'a> View<'a> {
    /// The table with this directory and these suffixes, `padding` bytes after the last one included.
    /// `None` if there are fewer.
    pub(crate) fn new(
        directory: &'a [u8],
        entry_bytes: usize,
        padded: &'a [u8],
        padding: usize,
        suffix_bytes: usize,
    ) -> Option<Self> {
        let suffixes = padded.get(..padded.len().checked_sub(padding)?)?;
        let fingerprints = suffixes.len() / suffix_bytes.max(1);
        Some(Self { directory, entry_bytes, padded, suffixes, suffix_bytes, fingerprints })
    }

    /// Asks for the directory's entry of a bucket.
    #[inline(always)]
    pub(crate) fn prefetch_entry(&self, bucket: u32) {
        prefetch(self.directory, bucket as usize * self.entry_bytes);
    }

    /// Asks for the suffixes at `range`.
    #[inline(always)]
    pub(crate) fn prefetch_suffixes(&self, range: &Range<usize>) {
        let start = range.start * self.suffix_bytes;
        let end = range.end * self.suffix_bytes;
        prefetch(self.suffixes, start);
        prefetch(self.suffixes, end.wrapping_sub(1));
        // Two lines are what most buckets take, and a loop of one or two turns is hard to foretell.
        if end - start > 2 * LINE {
            (start + LINE..end).step_by(LINE).for_each(|at| prefetch(self.suffixes, at));
        }
    }

    /// The positions of the fingerprints in `bucket`.
    #[inline(always)]
    pub(crate) fn bucket(&self, bucket: u32) -> Result<Range<usize>, Error> {
        let at = bucket as usize * self.entry_bytes;
        let entries = self.directory.get(at..at + 2 * self.entry_bytes);
        let range = entries.and_then(|entries| {
            if let Ok([a, b, c, d, e, f, g, h]) = <[u8; 8]>::try_from(entries) {
                let (start, end) = ([a, b, c, d], [e, f, g, h]);
                return Some(u32::from_le_bytes(start) as usize..u32::from_le_bytes(end) as usize);
            }
            let (start, end) = entries.split_first_chunk()?;
            let (start, end) =
                (u64::from_le_bytes(*start), u64::from_le_bytes(*end.first_chunk()?));
            Some(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
        });
        let fits =
            |range: &Range<usize>| range.start <= range.end && range.end <= self.fingerprints;
        range.filter(fits).ok_or(Error::Corrupt { what: "a directory" })
    }

    /// The word that starts `offset` bytes into the suffix at `position`; 0 beyond the table.
    #[inline(always)]
    pub(crate) fn word(&self, position: usize, offset: usize) -> u64 {
        let word = self.padded.get(position * self.suffix_bytes + offset..);
        word.and_then(|word| word.first_chunk()).map_or(0, |bytes| u64::from_le_bytes(*bytes))
    }

    /// The suffixes of all fingerprints, bucket after bucket.
    pub(crate) fn all(&self) -> &'a [u8] {
        self.suffixes
    }

    /// The suffixes at `range`, which [`Self::bucket`] gave.
    #[inline(always)]
    pub(crate) fn suffixes(&self, range: &Range<usize>) -> Result<&'a [u8], Error> {
        let bytes = range.start * self.suffix_bytes..range.end * self.suffix_bytes;
        self.suffixes.get(bytes).ok_or(Error::Corrupt { what: "a table" })
    }
}
