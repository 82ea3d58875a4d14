//! Fingerprints to a segment, within a bound of memory. [`crate::segments::segment`] reads it.

use crate::error::Error;
use crate::machine::partition::{Partition, leading, part_bits};
use crate::machine::stop::Stop;
use crate::segments::footer::{Footer, Section};
use crate::segments::gathered::{Gathered, SLICE_BITS, slice};
use crate::segments::layout::{Layout, TableLayout};
use crate::segments::piece::Piece;
use crate::segments::segment::{RUNS_PER_SAMPLE, key};
use nearprint_bits::{Codes, Fingerprint, Width};
use rayon::prelude::*;
use std::cell::Cell;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::ops::{ControlFlow, Range};
use std::sync::atomic::AtomicBool;
use xxhash_rust::xxh3::Xxh3;

/// Slices that are sorted as one part: a core sorts a part while others sort theirs.
const PART: usize = 1 << (SLICE_BITS - 8);
/// The share of a table whose pieces are held at a time: one of so many.
const SHARE: usize = 16;
/// Entries of one bucket that a thread sorts alone.
const CROWDED: usize = 1 << 14;
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
        let fit = self.memory / (8 * WORDS + 8);
        let mut gathered = Gathered::new(&layouts, fit / 2);
        entries(&mut |codes, docs| {
            gathered.push(codes.of_width::<WORDS>().unwrap_or_default(), docs);
            if stop.asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let gathered = gathered.finish();
        stop.finish()?;
        let documents = gathered.documents;
        let mut run = Build {
            out: Sink::new(out),
            id_bytes: match self.ids {
                true => ((64 - gathered.greatest.leading_zeros()).div_ceil(8) as usize).max(1),
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
        let mut room = Vec::new();
        for (index, layout) in layouts.iter().enumerate() {
            let mut table = run.open(index, layout);
            match gathered.histograms.get(index) {
                None => held(&gathered, &mut table, &mut room, &stop)?,
                Some(histogram) => {
                    let slices = slices(histogram, fit);
                    table.build.passes += slices.len();
                    for slices in &slices {
                        streamed::<WORDS>((histogram, slices), entries, &mut table, &stop)?;
                    }
                }
            }
            table.finish::<WORDS>()?;
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

/// Appends held entries to a table. `room` is for as many, and used again.
fn held<const WORDS: usize>(
    entries: &Gathered<'_, WORDS>,
    table: &mut Table<'_, '_>,
    room: &mut Vec<(Fingerprint<WORDS>, u64)>,
    stop: &Stop<'_>,
) -> Result<(), Error> {
    let (count, layout, id_bytes) = (entries.codes.len(), table.layout, table.id_bytes());
    let bits = part_bits::<(Fingerprint<WORDS>, u64)>(count, u64::BITS);
    let bits_within = (count >> bits).max(1).ilog2();
    let items = |at: Range<usize>| {
        let entries = entries.codes[at.clone()].iter().zip(&entries.docs[at]);
        entries.map(|(code, doc)| (Fingerprint::from_words(key(layout, code)), *doc))
    };
    let lead = |items: &[_], keys: &mut _| leading(items, 0, bits, keys);
    let within = |items: &[_], keys: &mut _| leading(items, bits, bits_within, keys);
    let partition = Partition::new(count, items, bits, lead, room, stop);
    let window = window(1 << bits);
    for first in (0..1 << bits).step_by(window) {
        let mut pieces: Vec<_> =
            (first..1 << bits).take(window).map(|_| Piece::default()).collect();
        let states = pieces.iter_mut().collect();
        partition.for_each_from(first, states, bits_within, within, |piece, items, ends| {
            let mut start = 0;
            for end in ends {
                match &mut items[start..*end] {
                    bucket if bucket.len() > CROWDED => bucket.par_sort_unstable(),
                    bucket => bucket.sort_unstable(),
                }
                start = *end;
            }
            *piece = Piece::of(items, layout, id_bytes);
        });
        stop.finish()?;
        pieces.iter().try_for_each(|piece| table.push(piece))?;
    }
    Ok(())
}

/// Appends the entries of some slices to a table, going through all.
fn streamed<const WORDS: usize>(
    (histogram, slices): (&[u64], &Range<usize>),
    entries: &Entries<'_>,
    table: &mut Table<'_, '_>,
    stop: &Stop<'_>,
) -> Result<(), Error> {
    let (layout, id_bytes) = (table.layout, table.id_bytes());
    let first = slices.start / PART;
    let counts = histogram.get(slices.clone()).unwrap_or_default();
    let mut room = vec![0; slices.end.div_ceil(PART) - first];
    for (slice, count) in slices.clone().zip(counts) {
        if let Some(room) = room.get_mut(slice / PART - first) {
            *room += usize::try_from(*count).unwrap_or(0);
        }
    }
    let mut parts: Vec<Vec<_>> = room.into_iter().map(Vec::with_capacity).collect();
    entries(&mut |codes, docs| {
        for (code, doc) in codes.of_width::<WORDS>().unwrap_or_default().iter().zip(docs) {
            let key = key(layout, code);
            let slice = slice(&key);
            if slices.contains(&slice)
                && let Some(part) = parts.get_mut(slice / PART - first)
            {
                part.push((Fingerprint::from_words(key), *doc));
            }
        }
        if stop.asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let window = window(parts.len());
    for parts in parts.chunks_mut(window) {
        let pieces = parts.par_iter_mut().map(|part| {
            if stop.asked() {
                return Piece::default();
            }
            let mut part = std::mem::take(part);
            part.par_sort_unstable();
            Piece::of(&part, layout, id_bytes)
        });
        let pieces: Vec<_> = pieces.collect();
        stop.finish()?;
        pieces.iter().try_for_each(|piece| table.push(piece))?;
    }
    stop.finish()
}

/// Parts whose pieces are held at a time: some for each thread, and a small share of all.
fn window(parts: usize) -> usize {
    (parts / SHARE).max(rayon::current_num_threads())
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

impl<'a> Build<'a> {
    /// Begins the table of that number.
    fn open<'t>(&'t mut self, index: usize, layout: &'t TableLayout) -> Table<'t, 'a> {
        // Ids go to the start of the file, as many as there are documents.
        let after_ids = self.documents * self.id_bytes as u64;
        let start = if index == 0 { after_ids } else { self.out.end }.next_multiple_of(ALIGN);
        Table {
            index,
            layout,
            directory: Directory::new(layout.code.bucket_bits(), self.entry_bytes),
            ids: Stream::at(0),
            suffixes: Stream::at(start),
            distinct: 0,
            seen: 0,
            build: self,
        }
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

/// A table being written.
struct Table<'t, 'a> {
    index: usize,
    layout: &'t TableLayout,
    directory: Directory,
    ids: Stream,
    suffixes: Stream,
    distinct: u64,
    seen: u64,
    build: &'t mut Build<'a>,
}

impl Table<'_, '_> {
    /// Bytes of each id in this table: the first alone has them.
    fn id_bytes(&self) -> usize {
        if self.index == 0 { self.build.id_bytes } else { 0 }
    }

    /// Appends the piece that follows.
    fn push(&mut self, piece: &Piece) -> Result<(), Error> {
        for (bucket, at) in &piece.buckets {
            self.directory.push(*bucket, self.distinct + at);
        }
        let (word, shift) = ((self.seen / 64) as usize, (self.seen % 64) as u32);
        for (at, heads) in piece.heads.iter().enumerate() {
            for (word, heads) in
                [(word + at, heads << shift), (word + at + 1, heads.unbounded_shr(64 - shift))]
            {
                if let Some(word) = self.build.runs.get_mut(word) {
                    *word |= heads;
                }
            }
        }
        self.seen += piece.entries;
        self.distinct += piece.fingerprints;
        self.build.out.write(&mut self.suffixes, &piece.suffixes)?;
        self.build.out.write(&mut self.ids, &piece.ids)
    }

    /// Ends the table, with its directory.
    fn finish<const WORDS: usize>(mut self) -> Result<(), Error> {
        let Build { documents, fingerprints, .. } = *self.build;
        if self.seen != documents || self.index > 0 && self.distinct != fingerprints {
            return Err(Error::Changed);
        }
        let build = self.build;
        build.fingerprints = self.distinct;
        // A whole word may be read from the start of the last suffix.
        build.out.write(&mut self.suffixes, &[0; 64][..8 * WORDS])?;
        if self.index == 0 {
            build.set(0, self.ids.section());
            build.runs(self.suffixes.end())?;
        }
        build.sections.push(self.suffixes.section());
        let mut stream = Stream::at(build.out.end.next_multiple_of(ALIGN));
        build.out.write(&mut stream, &self.directory.finish(self.distinct))?;
        build.sections.push(stream.section());
        Ok(())
    }
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
            self.bytes
                .extend_from_slice(at.to_le_bytes().get(..self.entry_bytes).unwrap_or_default());
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
