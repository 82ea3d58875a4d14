//! Fingerprints to a segment, within a bound of memory. [`crate::segments::segment`] reads it.

use crate::error::Error;
use crate::machine::stop::Stop;
use crate::segments::footer::{Footer, Section};
use crate::segments::layout::{Layout, TableLayout};
use crate::segments::segment::{RUNS_PER_SAMPLE, high, key, suffix_bytes};
use crate::top::top;
use nearprint_bits::{Codes, Fingerprint, Width};
use rayon::prelude::*;
use std::cell::Cell;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::ops::{ControlFlow, Range};
use std::sync::atomic::AtomicBool;
use xxhash_rust::xxh3::Xxh3;

/// Leading bits of a key. They cut a table into slices that are sorted one at a time.
const SLICE_BITS: u32 = 16;
/// Slices that are sorted as one part: a core sorts a part while others sort theirs.
const PART: usize = 1 << (SLICE_BITS - 8);
/// Entries that are handed over together.
const BLOCK: usize = 1 << 10;
/// Sections start at multiples of this.
const ALIGN: u64 = 64;

/// What goes through all entries: it hands over their fingerprints and documents, some at a time.
type Entries<'a> = dyn Fn(&mut EachBlock<'_>) + 'a;

/// What takes some fingerprints with their documents, and says whether there shall be more.
pub type EachBlock<'a> = dyn FnMut(Codes<'_>, &[u64]) -> ControlFlow<()> + 'a;

/// Where a segment goes.
trait Out: Write + Seek {}

impl<W: Write + Seek> Out for W {}

/// Builds segments of one layout.
///
/// Instead of sorting everything at once, the entries are gone through as often as it takes to sort
/// a table slice by slice within the memory allowed.
///
/// # Examples
/// ```
/// use nearprint_bits::Fingerprint;
/// use nearprint_index::{Layout, Scheme, SegmentBuilder};
///
/// let codes = [0b0000_u64, 0b0111, 0b0000].map(Fingerprint::from);
/// let entries = || codes.into_iter().zip(100..);
/// let mut file = std::io::Cursor::new(Vec::new());
/// let layout = Layout::new(64, 3, Scheme::Parts(2), 3)?;
/// let built = SegmentBuilder::new(layout, None, 1 << 20).build::<1, _>(entries, &mut file)?;
/// assert_eq!((built.fingerprints, built.documents), (2, 3));
/// assert_eq!(built.bytes, file.into_inner().len() as u64);
/// # Ok::<(), nearprint_index::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SegmentBuilder<'a> {
    layout: Layout,
    recipe: Option<u128>,
    memory: usize,
    ids: bool,
    stop: Option<&'a AtomicBool>,
}

/// The figures of a segment just built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Built {
    /// Distinct fingerprints.
    pub fingerprints: u64,
    /// Documents.
    pub documents: u64,
    /// Bytes of the whole segment.
    pub bytes: u64,
    /// How often the builder read the entries.
    pub passes: usize,
}

impl<'a> SegmentBuilder<'a> {
    /// A builder for `layout` that holds at most about `memory` bytes of entries at a time. `recipe` is
    /// the id of the recipe that made the fingerprints, where it is known.
    #[must_use]
    pub fn new(layout: Layout, recipe: Option<u128>, memory: usize) -> Self {
        Self { layout, recipe, memory, ids: true, stop: None }
    }

    /// Leaves the ids of the documents out: the segment finds fingerprints
    /// ([`Segment::matches`](crate::Segment::matches)) and takes less.
    #[must_use]
    pub fn without_ids(self) -> Self {
        Self { ids: false, ..self }
    }

    /// Stops building soon after somebody sets `stop`: [`Self::build`] is then [`Error::Interrupted`].
    #[must_use]
    pub fn stopped_by(self, stop: &'a AtomicBool) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// Writes the segment of the fingerprints and document ordinals that `entries` gives, anew and
    /// in any order each time it is called.
    ///
    /// # Complexity
    /// `O(n log n)` in all; about `t n (8 w + 8) / memory + 1` goings through for `n` entries of `w`
    /// words and `t` tables, one where they take no more than half of the memory. A bit an entry and
    /// the directory of one table are held besides. Sorts on rayon's current pool.
    ///
    /// # Errors
    /// [`Error::Write`]; [`Error::SegmentWidth`] where the layout is of another width;
    /// [`Error::Changed`] where two goings through differ; [`Error::Interrupted`].
    pub fn build<const WORDS: usize, I>(
        &self,
        entries: impl Fn() -> I,
        mut out: impl Write + Seek,
    ) -> Result<Built, Error>
    where
        I: Iterator<Item = (Fingerprint<WORDS>, u64)>,
    {
        let in_blocks = |each: &mut EachBlock<'_>| {
            let mut entries = entries();
            loop {
                let (codes, docs): (Vec<_>, Vec<_>) = entries.by_ref().take(BLOCK).unzip();
                if codes.is_empty() || each(Codes::of(&codes), &docs).is_break() {
                    return;
                }
            }
        };
        self.build_of(Fingerprint::<WORDS>::width(), &in_blocks, &mut out)
    }

    /// As [`Self::build`], of entries in blocks: `entries` hands over all of them, of the same width.
    ///
    /// # Errors
    /// As [`Self::build`]; [`Error::SegmentWidth`] where entries are of another width.
    ///
    /// # Examples
    /// ```
    /// use nearprint_bits::{CodeList, Fingerprint, Width};
    /// use nearprint_index::{EachBlock, Layout, Scheme, SegmentBuilder};
    ///
    /// let codes = CodeList::W64([0b0000, 0b0111].map(Fingerprint::from).to_vec());
    /// let entries = |each: &mut EachBlock<'_>| {
    ///     let _ended = each(codes.codes(), &[100, 101]);
    /// };
    /// let mut file = std::io::Cursor::new(Vec::new());
    /// let layout = Layout::new(64, 3, Scheme::Parts(2), 2)?;
    /// let built = SegmentBuilder::new(layout, None, 1 << 20).build_blocks(&entries, &mut file)?;
    /// assert_eq!(built.documents, 2);
    /// # Ok::<(), nearprint_index::Error>(())
    /// ```
    pub fn build_blocks(
        &self,
        entries: &(dyn Fn(&mut EachBlock<'_>) + Sync),
        mut out: impl Write + Seek,
    ) -> Result<Built, Error> {
        let found = self.layout.width();
        let width = Width::from_bits(found).ok_or(Error::Scheme { width: found })?;
        let other = Cell::new(None);
        let of_width = |each: &mut EachBlock<'_>| {
            entries(&mut |codes, docs| {
                if codes.width() == width {
                    return each(codes, docs);
                }
                other.set(Some(codes.width().bits()));
                ControlFlow::Break(())
            });
        };
        let built = self.build_of(width, &of_width, &mut out);
        match other.get() {
            Some(asked) => Err(Error::SegmentWidth { found, asked }),
            None => built,
        }
    }

    fn build_of(
        &self,
        width: Width,
        entries: &Entries<'_>,
        out: &mut dyn Out,
    ) -> Result<Built, Error> {
        match width {
            Width::W64 => self.build_at::<1>(entries, out),
            Width::W128 => self.build_at::<2>(entries, out),
            Width::W256 => self.build_at::<4>(entries, out),
        }
    }

    fn build_at<const WORDS: usize>(
        &self,
        entries: &Entries<'_>,
        out: &mut dyn Out,
    ) -> Result<Built, Error> {
        let (found, asked) = (self.layout.width(), Fingerprint::<WORDS>::BITS);
        if found != asked {
            return Err(Error::SegmentWidth { found, asked });
        }
        let stop = Stop::on(self.stop);
        let layouts = self.layout.table_layouts();
        let mut histograms = vec![vec![0_u64; 1 << SLICE_BITS]; layouts.len()];
        let (mut documents, mut greatest) = (0_u64, 0);
        let fit = self.memory / (8 * WORDS + 8);
        let mut held = Some((Vec::new(), Vec::new()));
        entries(&mut |codes, docs| {
            let codes = codes.of_width::<WORDS>().unwrap_or_default();
            held = held.take().filter(|(held, _)| held.len() + codes.len() <= fit / 2);
            if let Some((held, held_docs)) = &mut held {
                held.extend_from_slice(codes);
                held_docs.extend_from_slice(docs);
            }
            for (layout, histogram) in layouts.iter().zip(&mut histograms) {
                for code in codes {
                    if let Some(count) = histogram.get_mut(slice(&key(layout, code))) {
                        *count += 1;
                    }
                }
            }
            documents += codes.len() as u64;
            greatest = docs.iter().fold(greatest, |greatest, doc| greatest.max(*doc));
            if stop.asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        stop.finish()?;
        let mut run = Build {
            out: Sink::new(out),
            id_bytes: match self.ids {
                true => ((64 - greatest.leading_zeros()).div_ceil(8) as usize).max(1),
                false => 0,
            },
            entry_bytes: if u32::try_from(documents).is_ok() { 4 } else { 8 },
            documents,
            fingerprints: 0,
            runs: match self.ids {
                true => vec![0; usize::try_from(documents.div_ceil(64)).unwrap_or(0)],
                false => Vec::new(),
            },
            sections: vec![Section::default(); 3],
            passes: 1,
        };
        for (index, (layout, histogram)) in layouts.iter().zip(&histograms).enumerate() {
            let slices = slices(histogram, fit);
            let table = Table { index, layout, histogram, slices: &slices };
            match &held {
                Some((codes, docs)) => {
                    let held: &Entries<'_> = &|each| {
                        let blocks = codes.chunks(BLOCK).zip(docs.chunks(BLOCK));
                        let _all = blocks
                            .into_iter()
                            .try_for_each(|(codes, docs)| each(Codes::of(codes), docs));
                    };
                    run.table::<WORDS>(&table, held, &stop)?;
                }
                None => {
                    run.passes += slices.len();
                    run.table::<WORDS>(&table, entries, &stop)?;
                }
            }
        }
        run.finish(self.layout.clone(), self.recipe)
    }
}

/// Cuts the slices' numbers into ranges that hold at most `most` entries together, or one slice.
fn slices(histogram: &[u64], most: usize) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut held = 0;
    for (slice, count) in histogram.iter().enumerate() {
        held += count;
        match ranges.last_mut() {
            Some(range) if held <= most as u64 => range.end = slice + 1,
            _ => {
                ranges.push(slice..slice + 1);
                held = *count;
            }
        }
    }
    ranges
}

/// The slice of a key.
fn slice<const WORDS: usize>(key: &[u64; WORDS]) -> usize {
    (top(key) >> (64 - SLICE_BITS)) as usize
}

/// A table to write.
struct Table<'a> {
    index: usize,
    layout: &'a TableLayout,
    /// Entries in each slice.
    histogram: &'a [u64],
    /// Slices that are held together.
    slices: &'a [Range<usize>],
}

impl Table<'_> {
    /// The entries of some slices in order, cut where slices end.
    fn sorted<const WORDS: usize>(
        &self,
        slices: &Range<usize>,
        entries: &Entries<'_>,
        stop: &Stop<'_>,
    ) -> Result<Vec<Vec<(Fingerprint<WORDS>, u64)>>, Error> {
        let first = slices.start / PART;
        let counts = self.histogram.get(slices.clone()).unwrap_or_default();
        let mut room = vec![0; slices.end.div_ceil(PART) - first];
        for (slice, count) in slices.clone().zip(counts) {
            if let Some(room) = room.get_mut(slice / PART - first) {
                *room += usize::try_from(*count).unwrap_or(0);
            }
        }
        let mut parts: Vec<Vec<_>> = room.into_iter().map(Vec::with_capacity).collect();
        entries(&mut |codes, docs| {
            for (code, doc) in codes.of_width::<WORDS>().unwrap_or_default().iter().zip(docs) {
                let key = key(self.layout, code);
                let slice = slice(&key);
                if slices.contains(&slice)
                    && let Some(part) = parts.get_mut(slice / PART - first)
                {
                    let doc = if self.index == 0 { *doc } else { 0 };
                    part.push((Fingerprint::from_words(key), doc));
                }
            }
            if stop.asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        parts.par_iter_mut().for_each(|part| {
            if !stop.asked() {
                part.par_sort_unstable();
            }
        });
        stop.finish()?;
        Ok(parts)
    }
}

/// A segment being written.
struct Build<'a> {
    out: Sink<'a>,
    /// 0 if ids are left out.
    id_bytes: usize,
    entry_bytes: usize,
    documents: u64,
    fingerprints: u64,
    /// Bit `i` tells whether id `i` is the first of its fingerprint.
    runs: Vec<u64>,
    sections: Vec<Section>,
    passes: usize,
}

impl Build<'_> {
    fn table<const WORDS: usize>(
        &mut self,
        table: &Table<'_>,
        entries: &Entries<'_>,
        stop: &Stop<'_>,
    ) -> Result<(), Error> {
        let Table { index, layout, slices, .. } = *table;
        let bytes = suffix_bytes(Fingerprint::<WORDS>::BITS, &layout.code);
        let mut directory = Directory::new(layout.code.bucket_bits(), self.entry_bytes);
        // Ids go to the start of the file, as many as there are documents.
        let mut ids = Stream::at(0);
        let after_ids = self.documents * self.id_bytes as u64;
        let start = if index == 0 { after_ids } else { self.out.end }.next_multiple_of(ALIGN);
        let mut suffixes = Stream::at(start);
        let (mut distinct, mut seen) = (0_u64, 0_u64);
        for range in slices {
            for part in table.sorted::<WORDS>(range, entries, stop)? {
                if stop.asked() {
                    break;
                }
                let (mut of_suffixes, mut of_ids) = (Vec::new(), Vec::new());
                for group in part.chunk_by(|a, b| a.0 == b.0) {
                    let Some((key, _)) = group.first() else { continue };
                    directory.push(bucket(layout, key), distinct);
                    of_suffixes.extend(key.le_bytes().take(bytes));
                    if index == 0 {
                        if let Some(word) = self.runs.get_mut((seen / 64) as usize) {
                            *word |= 1 << (seen % 64);
                        }
                        of_ids.extend(group.iter().flat_map(|(_, doc)| {
                            doc.to_le_bytes().into_iter().take(self.id_bytes)
                        }));
                    }
                    seen += group.len() as u64;
                    distinct += 1;
                }
                self.out.write(&mut suffixes, &of_suffixes)?;
                self.out.write(&mut ids, &of_ids)?;
            }
            stop.finish()?;
        }
        if seen != self.documents || index > 0 && distinct != self.fingerprints {
            return Err(Error::Changed);
        }
        self.fingerprints = distinct;
        // A whole word may be read from the start of the last suffix.
        self.out.write(&mut suffixes, &[0; 64][..8 * WORDS])?;
        if index == 0 {
            self.set(0, ids.section());
            self.runs(suffixes.end())?;
        }
        self.sections.push(suffixes.section());
        let mut stream = Stream::at(self.out.end.next_multiple_of(ALIGN));
        self.out.write(&mut stream, &directory.finish(distinct))?;
        self.sections.push(stream.section());
        Ok(())
    }

    /// Writes where each fingerprint's ids start, where some have several.
    fn runs(&mut self, end: u64) -> Result<(), Error> {
        let (mut runs, mut samples) = (Stream::at(end.next_multiple_of(ALIGN)), Stream::at(0));
        if self.id_bytes > 0 && self.fingerprints < self.documents {
            let bytes: Vec<u8> = self.runs.iter().flat_map(|word| word.to_le_bytes()).collect();
            self.out.write(&mut runs, &bytes)?;
            let mut sampled = Vec::new();
            let mut run = 0_u64;
            for (at, word) in self.runs.iter().enumerate() {
                let mut bits = *word;
                while bits != 0 {
                    if run.is_multiple_of(RUNS_PER_SAMPLE) {
                        let id = at as u64 * 64 + u64::from(bits.trailing_zeros());
                        sampled.extend(id.to_le_bytes());
                    }
                    run += 1;
                    bits &= bits - 1;
                }
            }
            samples = Stream::at(self.out.end.next_multiple_of(ALIGN));
            self.out.write(&mut samples, &sampled)?;
        }
        self.set(1, runs.section());
        self.set(2, samples.section());
        self.runs = Vec::new();
        Ok(())
    }

    fn set(&mut self, index: usize, section: Section) {
        if let Some(slot) = self.sections.get_mut(index) {
            *slot = section;
        }
    }

    fn finish(mut self, layout: Layout, recipe: Option<u128>) -> Result<Built, Error> {
        let footer = Footer {
            layout,
            recipe,
            fingerprints: self.fingerprints,
            documents: self.documents,
            id_bytes: u32::try_from(self.id_bytes).unwrap_or(8),
            entry_bytes: u32::try_from(self.entry_bytes).unwrap_or(8),
            sections: self.sections,
        };
        let mut stream = Stream::at(self.out.end);
        self.out.write(&mut stream, &footer.to_bytes())?;
        self.out.flush()?;
        let Footer { fingerprints, documents, .. } = footer;
        Ok(Built { fingerprints, documents, bytes: self.out.end, passes: self.passes })
    }
}

fn bucket<const WORDS: usize>(layout: &TableLayout, key: &Fingerprint<WORDS>) -> u64 {
    u64::from(high(top(key.words()))) >> (32 - layout.code.bucket_bits())
}

/// Where each bucket starts, filled in ascending order.
struct Directory {
    bytes: Vec<u8>,
    entry_bytes: usize,
    /// Entries there will be.
    entries: u64,
    written: u64,
}

impl Directory {
    fn new(bucket_bits: u32, entry_bytes: usize) -> Self {
        Self { bytes: Vec::new(), entry_bytes, entries: (1 << bucket_bits) + 1, written: 0 }
    }

    /// Takes in that position `at` lies in `bucket`: every bucket up to it starts there at most.
    fn push(&mut self, bucket: u64, at: u64) {
        while self.written <= bucket {
            self.bytes.extend(at.to_le_bytes().into_iter().take(self.entry_bytes));
            self.written += 1;
        }
    }

    fn finish(mut self, end: u64) -> Vec<u8> {
        self.push(self.entries - 1, end);
        self.bytes
    }
}

/// A section being written.
struct Stream {
    start: u64,
    bytes: u64,
    checksum: Xxh3,
}

impl Stream {
    fn at(start: u64) -> Self {
        Self { start, bytes: 0, checksum: Xxh3::new() }
    }

    fn end(&self) -> u64 {
        self.start + self.bytes
    }

    fn section(&self) -> Section {
        Section { offset: self.start, bytes: self.bytes, checksum: self.checksum.digest() }
    }
}

/// The file, written in several places.
struct Sink<'a> {
    out: BufWriter<&'a mut dyn Out>,
    at: u64,
    /// The end of all that was written.
    end: u64,
}

impl<'a> Sink<'a> {
    fn new(out: &'a mut dyn Out) -> Self {
        Self { out: BufWriter::with_capacity(1 << 20, out), at: 0, end: 0 }
    }

    fn write(&mut self, stream: &mut Stream, bytes: &[u8]) -> Result<(), Error> {
        let failed = |error: std::io::Error| Error::Write { message: error.to_string() };
        if bytes.is_empty() {
            return Ok(());
        }
        if self.at != stream.end() {
            self.out.seek(SeekFrom::Start(stream.end())).map_err(failed)?;
        }
        self.out.write_all(bytes).map_err(failed)?;
        stream.checksum.update(bytes);
        stream.bytes += bytes.len() as u64;
        self.at = stream.end();
        self.end = self.end.max(self.at);
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Error> {
        self.out.flush().map_err(|error| Error::Write { message: error.to_string() })
    }
}
