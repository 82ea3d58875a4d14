//! A segment: fingerprints on disk or in memory, read in place. [`crate::segments::segment_builder`]
//! builds it, [`crate::segments::query`] searches it.
#![deny(clippy::indexing_slicing)]

use crate::error::Error;
use crate::machine::prefetch::prefetch;
use crate::segments::balls::Balls;
use crate::segments::bucket_code::BucketCode;
use crate::segments::footer::{Footer, Section};
use crate::segments::layout::{Layout, TableLayout};
use crate::segments::narrowing::{NARROWED, Narrowing};
use crate::segments::table_view::View;
use crate::top::top;
use nearprint_bits::Fingerprint;
use std::any::Any;
use std::ops::{ControlFlow, Deref, Range};
use xxhash_rust::xxh3::Xxh3Default;

/// Bytes that are verified at a time.
const PIECE: usize = 1 << 20;

/// Every so many-th run has its position sampled.
pub(crate) const RUNS_PER_SAMPLE: u64 = 512;

/// An immutable set of fingerprints with their documents, keyed by several tables.
///
/// `D` lends the bytes: a vector, or a file mapped by the caller. Opening reads the footer only,
/// whatever the size. The bytes are not trusted: a damaged segment gives an error or a wrong
/// answer, never a panic; [`Self::verify`] tells which.
///
/// # Examples
/// ```
/// use nearprint_bits::Fingerprint;
/// use nearprint_index::{Layout, Scheme, Segment, SegmentBuilder};
///
/// let codes = [0b0000_u64, 0b0111, 0b0000].map(Fingerprint::from);
/// let entries = || codes.iter().copied().zip(100_u64..);
/// let mut file = std::io::Cursor::new(Vec::new());
/// let layout = Layout::new(64, 3, Scheme::Parts(2), 3)?;
/// SegmentBuilder::new(layout, None, 1 << 20).build::<1, _>(entries, &mut file)?;
///
/// let segment = Segment::<_, 1>::open(file.into_inner())?;
/// let near = segment.neighbors(&Fingerprint::from(0b0001_u64), 2, None)?;
/// let found: Vec<_> = near.iter().map(|n| (n.doc, n.distance)).collect();
/// assert_eq!(found, [(100, 1), (102, 1), (101, 2)]);
/// # Ok::<(), nearprint_index::Error>(())
/// ```
#[derive(Debug)]
pub struct Segment<D, const WORDS: usize> {
    bytes: D,
    parts: Parts<WORDS>,
}

/// What the footer of a segment tells.
#[derive(Debug)]
pub(crate) struct Parts<const WORDS: usize> {
    pub(crate) footer: Footer,
    ids: Range<usize>,
    runs: Range<usize>,
    samples: Range<usize>,
    pub(crate) tables: Vec<Table<WORDS>>,
}

/// A segment whose bytes are lent: what searches go through, whoever owns the bytes.
#[derive(Clone, Copy)]
pub(crate) struct Opened<'a, const WORDS: usize> {
    pub(crate) bytes: &'a [u8],
    pub(crate) parts: &'a Parts<WORDS>,
}

/// An [`Opened`] segment of a width that the queries tell.
#[derive(Clone, Copy)]
pub(crate) struct OfAnyWidth<'a> {
    bytes: &'a [u8],
    parts: &'a (dyn Any + Send + Sync),
}

impl<'a> OfAnyWidth<'a> {
    /// The segment, if its fingerprints have `WORDS` words.
    pub(crate) fn of_width<const WORDS: usize>(self) -> Option<Opened<'a, WORDS>> {
        Some(Opened { bytes: self.bytes, parts: self.parts.downcast_ref()? })
    }
}

/// One table of a segment: where its bytes are, and what they mean.
#[derive(Debug)]
pub(crate) struct Table<const WORDS: usize> {
    pub(crate) layout: TableLayout,
    pub(crate) suffixes: Range<usize>,
    pub(crate) directory: Range<usize>,
    pub(crate) suffix_bytes: usize,
    /// Ones at the bits of a permuted word that its suffix holds.
    pub(crate) suffix_mask: [u64; WORDS],
    pub(crate) balls: Balls,
}

impl<const WORDS: usize> Table<WORDS> {
    /// The permuted words with the leading bits coded: the order of the table.
    #[inline]
    pub(crate) fn key(&self, code: &Fingerprint<WORDS>) -> [u64; WORDS] {
        key(&self.layout, code)
    }

    /// The fingerprint of a key.
    pub(crate) fn fingerprint(&self, key: [u64; WORDS]) -> Fingerprint<WORDS> {
        self.layout.permutation.invert(&self.permuted(key))
    }

    /// The permuted words of a key.
    #[inline]
    pub(crate) fn permuted(&self, mut key: [u64; WORDS]) -> [u64; WORDS] {
        if let Some(top) = key.last_mut() {
            *top = u64::from(self.layout.code.decode(high(*top))) << 32 | *top & 0xffff_ffff;
        }
        key
    }

    /// The bucket of a key.
    #[inline]
    pub(crate) fn bucket(&self, key: &[u64; WORDS]) -> u32 {
        high(top(key) >> (32 - self.layout.code.bucket_bits()))
    }
}

/// The permuted words of `code` with the leading 32 bits coded.
#[inline]
pub(crate) fn key<const WORDS: usize>(
    layout: &TableLayout,
    code: &Fingerprint<WORDS>,
) -> [u64; WORDS] {
    let mut key = layout.permutation.apply(code);
    if let Some(top) = key.last_mut() {
        *top = u64::from(layout.code.encode(high(*top))) << 32 | *top & 0xffff_ffff;
    }
    key
}

/// Bytes of a suffix: what the bucket's number does not tell.
pub(crate) fn suffix_bytes(width: u32, code: &BucketCode) -> usize {
    ((width - code.bucket_bits()) as usize).div_ceil(8)
}

#[inline]
pub(crate) const fn high(word: u64) -> u32 {
    (word >> 32) as u32
}

impl<D: AsRef<[u8]>, const WORDS: usize> Segment<D, WORDS> {
    /// Opens a segment.
    ///
    /// # Complexity
    /// Constant: the footer is read, the data is not.
    ///
    /// # Errors
    /// [`Error::NoSegment`], [`Error::SegmentVersion`], [`Error::SegmentWidth`], and
    /// [`Error::Corrupt`] where the footer is damaged.
    pub fn open(bytes: D) -> Result<Self, Error> {
        let footer = Footer::read(bytes.as_ref())?;
        let (found, asked) = (footer.layout.width(), Fingerprint::<WORDS>::BITS);
        if found != asked {
            return Err(Error::SegmentWidth { found, asked });
        }
        let corrupt = || Error::Corrupt { what: "the list of sections" };
        let mut ranges = footer.sections.iter().map(Section::range);
        let mut next = || ranges.next().flatten().ok_or_else(corrupt);
        let (ids, runs, samples) = (next()?, next()?, next()?);
        let fingerprints = usize::try_from(footer.fingerprints).map_err(|_| corrupt())?;
        if footer.id_bytes == 0 && ids.len() + runs.len() + samples.len() > 0 {
            return Err(corrupt());
        }
        let mut tables = Vec::new();
        for layout in footer.layout.table_layouts() {
            let (suffixes, directory) = (next()?, next()?);
            let suffix_bytes = suffix_bytes(found, &layout.code);
            let entries = (1_usize << layout.code.bucket_bits()) + 1;
            let expected = fingerprints.checked_mul(suffix_bytes);
            let expected = expected.and_then(|bytes| bytes.checked_add(8 * WORDS));
            if expected != Some(suffixes.len())
                || directory.len() != entries * footer.entry_bytes as usize
            {
                return Err(corrupt());
            }
            let mut suffix_mask = [u64::MAX; WORDS];
            if let Some(top) = suffix_mask.last_mut() {
                *top >>= layout.code.bucket_bits();
            }
            let balls = Balls::new(&layout.code);
            tables.push(Table { layout, suffixes, directory, suffix_bytes, suffix_mask, balls });
        }
        Ok(Self { bytes, parts: Parts { footer, ids, runs, samples, tables } })
    }

    /// The number of distinct fingerprints.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.parts.footer.fingerprints
    }

    /// Whether there is no fingerprint.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parts.footer.fingerprints == 0
    }

    /// The number of documents. Documents of equal fingerprint count one by one.
    #[must_use]
    pub fn documents(&self) -> u64 {
        self.parts.footer.documents
    }

    /// Whether the segment tells which documents have a fingerprint. One that
    /// [`SegmentBuilder::without_ids`](crate::SegmentBuilder::without_ids) made does not.
    #[must_use]
    pub fn has_ids(&self) -> bool {
        self.parts.footer.id_bytes > 0
    }

    /// The id of the recipe that made the fingerprints; `None` if the builder did not get it.
    #[must_use]
    pub fn recipe(&self) -> Option<u128> {
        self.parts.footer.recipe
    }

    /// The tables.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.parts.footer.layout
    }

    /// Bytes of ids, and of each table's suffixes and directory, in this order.
    #[must_use]
    pub fn section_bytes(&self) -> (u64, Vec<(u64, u64)>) {
        let Parts { ids, runs, samples, tables, .. } = &self.parts;
        let bytes = |range: &Range<usize>| range.len() as u64;
        let table = |table: &Table<WORDS>| (bytes(&table.suffixes), bytes(&table.directory));
        (bytes(ids) + bytes(runs) + bytes(samples), tables.iter().map(table).collect())
    }

    /// The whole segment, as [`Self::open`] took it.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.as_ref()
    }

    /// Every fingerprint with its documents, in the order of the first table.
    ///
    /// # Errors
    /// [`Error::NoIds`] if the segment has none; [`Error::Corrupt`] on damage.
    pub fn entries(
        &self,
    ) -> impl Iterator<Item = Result<(Fingerprint<WORDS>, impl Iterator<Item = u64>), Error>> {
        let opened = self.opened();
        let codes = opened.fingerprints(0).zip(0_u64..);
        codes.map(move |(code, position)| Ok((code?, opened.docs(position)?)))
    }

    /// Reads the whole segment and compares every checksum.
    ///
    /// # Errors
    /// [`Error::Corrupt`] naming the part that is damaged.
    pub fn verify(&self) -> Result<(), Error> {
        self.verify_by(|_| ControlFlow::Continue(())).map(drop)
    }

    /// As [`Self::verify`], a piece at a time: calls `went` with the bytes of each, and ends where it breaks off.
    ///
    /// # Errors
    /// As [`Self::verify`], as far as it went.
    pub fn verify_by(
        &self,
        mut went: impl FnMut(usize) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Error> {
        verify(self.as_bytes(), &self.parts.footer, &mut went)
    }

    /// The segment with its bytes lent.
    pub(crate) fn opened(&self) -> Opened<'_, WORDS> {
        Opened { bytes: self.bytes.as_ref(), parts: &self.parts }
    }

    /// The same, of whichever width.
    pub(crate) fn of_any_width(&self) -> OfAnyWidth<'_> {
        OfAnyWidth { bytes: self.bytes.as_ref(), parts: &self.parts }
    }
}

impl<const WORDS: usize> Deref for Opened<'_, WORDS> {
    type Target = Parts<WORDS>;

    fn deref(&self) -> &Parts<WORDS> {
        self.parts
    }
}

impl<'a, const WORDS: usize> Opened<'a, WORDS> {
    /// The tables.
    pub(crate) fn layout(self) -> &'a Layout {
        &self.parts.footer.layout
    }

    /// Refuses a segment without ids.
    pub(crate) fn needs_ids(self) -> Result<(), Error> {
        if self.footer.id_bytes > 0 { Ok(()) } else { Err(Error::NoIds) }
    }

    /// The bytes of a table.
    pub(crate) fn view(self, table: &Table<WORDS>) -> Result<View<'a>, Error> {
        let (data, suffix_bytes) = (self.bytes, table.suffix_bytes);
        let sections = data.get(table.directory.clone()).zip(data.get(table.suffixes.clone()));
        let view = sections.and_then(|(directory, suffixes)| {
            let entry_bytes = self.footer.entry_bytes as usize;
            View::new(directory, entry_bytes, suffixes, 8 * WORDS, suffix_bytes)
        });
        view.ok_or(Error::Corrupt { what: "a table" })
    }

    /// The suffixes at `range`, with what reading the last one whole takes in beyond it.
    #[inline]
    pub(crate) fn suffixes(self, table: &Table<WORDS>, range: &Range<usize>) -> &'a [u8] {
        let start = table.suffixes.start + range.start * table.suffix_bytes;
        let end = table.suffixes.start + range.end * table.suffix_bytes + 8 * WORDS;
        self.bytes.get(start..end.min(table.suffixes.end)).unwrap_or(&[])
    }

    /// Position in the first table of the fingerprint with this key there; `None` if it is not in
    /// the segment.
    pub(crate) fn position(self, key: &[u64; WORDS]) -> Result<Option<u64>, Error> {
        let Some(table) = self.tables.first() else { return Ok(None) };
        let view = self.view(table)?;
        let mut bucket = view.bucket(table.bucket(key))?;
        if bucket.len() > NARROWED {
            let whole = Narrowing::new(&table.layout.code, u64::BITS, WORDS);
            bucket = whole.of(&view, &bucket, top(key));
        }
        let suffixes = self.suffixes(table, &bucket);
        let wanted: [u64; WORDS] = std::array::from_fn(|i| mask(key, &table.suffix_mask, i));
        let mut positions = bucket.clone().zip(0_usize..);
        let found = positions.find(|(_, i)| {
            suffix(suffixes, i * table.suffix_bytes, &table.suffix_mask) == Some(wanted)
        });
        Ok(found.map(|(position, _)| position as u64))
    }

    /// Asks for what [`Self::docs`] reads first.
    #[inline]
    pub(crate) fn prefetch_docs(self, position: u64) {
        let (section, at) = if self.runs.is_empty() {
            (&self.ids, position.wrapping_mul(self.footer.id_bytes.into()))
        } else {
            (&self.samples, position / RUNS_PER_SAMPLE * 8)
        };
        let at = usize::try_from(at).ok().and_then(|at| section.start.checked_add(at));
        prefetch(self.bytes, at.unwrap_or(usize::MAX));
    }

    /// The documents of the fingerprint at a position of the first table, ascending.
    ///
    /// # Errors
    /// [`Error::NoIds`]; [`Error::Corrupt`] where the ids are damaged.
    pub(crate) fn docs(
        self,
        position: u64,
    ) -> Result<impl Iterator<Item = u64> + use<'a, WORDS>, Error> {
        self.needs_ids()?;
        let corrupt = Error::Corrupt { what: "the list of ids" };
        let run = self.run(position).ok_or(corrupt.clone())?;
        let bytes = self.footer.id_bytes as usize;
        let bound =
            |at: u64| usize::try_from(at).ok()?.checked_mul(bytes)?.checked_add(self.ids.start);
        let ids = bound(run.start)
            .zip(bound(run.end))
            .and_then(|(start, end)| self.bytes.get(start..end).filter(|_| end <= self.ids.end));
        let ids = ids.ok_or(corrupt)?;
        Ok(ids.chunks_exact(bytes).filter_map(|id| little_endian(id).map(|id| id as u64)))
    }

    /// The ids of the fingerprint at `position`: from the start of its run to that of the next.
    fn run(self, position: u64) -> Option<Range<u64>> {
        if self.runs.is_empty() {
            return (position < self.footer.documents).then(|| position..position + 1);
        }
        let samples = self.bytes.get(self.samples.clone())?;
        let sample = usize::try_from(position / RUNS_PER_SAMPLE).ok()?;
        let sampled = little_endian(samples.get(8 * sample..8 * sample + 8)?)? as u64;
        let start = self.run_after(sampled, position % RUNS_PER_SAMPLE)?;
        let end = self.run_after(start + 1, 0).unwrap_or(self.footer.documents);
        Some(start..end.min(self.footer.documents))
    }

    /// Where a run starts: the one after `runs` other runs, counted from `from` on.
    fn run_after(self, from: u64, mut runs: u64) -> Option<u64> {
        let starts = self.bytes.get(self.runs.clone())?;
        let first = usize::try_from(from / 64).ok()?;
        let words = starts.get(8 * first..)?.as_chunks::<8>().0;
        let mut beyond = u64::MAX << (from % 64);
        for (word, bytes) in (from / 64..).zip(words) {
            let mut bits = u64::from_le_bytes(*bytes) & beyond;
            beyond = u64::MAX;
            let here = u64::from(bits.count_ones());
            if runs < here {
                (0..runs).for_each(|_| bits &= bits - 1);
                return Some(word * 64 + u64::from(bits.trailing_zeros()));
            }
            runs -= here;
        }
        None
    }

    /// Every fingerprint, in the order of table `index`.
    pub(crate) fn fingerprints(
        self,
        index: usize,
    ) -> impl Iterator<Item = Result<Fingerprint<WORDS>, Error>> + use<'a, WORDS> {
        self.parts.tables.get(index).into_iter().flat_map(move |table| {
            let buckets = 0..1_u64 << table.layout.code.bucket_bits();
            buckets.flat_map(move |bucket| {
                let of_bucket = bucket << (64 - table.layout.code.bucket_bits());
                let narrow = u32::try_from(bucket).unwrap_or(u32::MAX);
                let (range, error) = match self.view(table).and_then(|view| view.bucket(narrow)) {
                    Ok(range) => (range, None),
                    Err(error) => (0..0, Some(Err(error))),
                };
                let suffixes = self.suffixes(table, &range);
                let codes = (0..range.len()).map(move |i| {
                    let mut key = suffix(suffixes, i * table.suffix_bytes, &table.suffix_mask)
                        .ok_or(Error::Corrupt { what: "a table" })?;
                    if let Some(top) = key.last_mut() {
                        *top |= of_bucket;
                    }
                    Ok(table.fingerprint(key))
                });
                error.into_iter().chain(codes)
            })
        })
    }
}

/// [`Segment::verify_by`] of a segment with this footer.
fn verify(
    data: &[u8],
    footer: &Footer,
    went: &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, Error> {
    let names = ["the list of ids", "the runs of ids", "the samples of runs"];
    let names = names.into_iter().chain(["a table", "a directory"].into_iter().cycle());
    for (section, what) in footer.sections.iter().zip(names) {
        let bytes = section.range().and_then(|range| data.get(range));
        let mut sum = Xxh3Default::new();
        for piece in bytes.unwrap_or_default().chunks(PIECE) {
            sum.update(piece);
            if went(piece.len()).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        if bytes.is_none() || sum.digest() != section.checksum {
            return Err(Error::Corrupt { what });
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// The words of the suffix that starts at byte `at`.
#[inline]
pub(crate) fn suffix<const WORDS: usize>(
    suffixes: &[u8],
    at: usize,
    suffix_mask: &[u64; WORDS],
) -> Option<[u64; WORDS]> {
    let words = suffixes.get(at..at + 8 * WORDS)?.as_chunks::<8>().0;
    let words: [[u8; 8]; WORDS] = words.try_into().ok()?;
    let words = words.map(u64::from_le_bytes);
    Some(std::array::from_fn(|i| mask(&words, suffix_mask, i)))
}

#[inline]
#[expect(clippy::indexing_slicing, reason = "i is below WORDS by the callers' from_fn")]
fn mask<const WORDS: usize>(words: &[u64; WORDS], mask: &[u64; WORDS], i: usize) -> u64 {
    words[i] & mask[i]
}

/// An unsigned number of up to eight bytes.
#[inline]
fn little_endian(bytes: &[u8]) -> Option<usize> {
    let value = match bytes.len() {
        4 => u64::from(u32::from_le_bytes(bytes.try_into().ok()?)),
        _ => bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte)),
    };
    usize::try_from(value).ok()
}
