//! Makes segments in the background: of a memtable, of other segments, or of the database.

use crate::disk::band_table::{BandTable, Record};
use crate::disk::band_table_builder::{BandTableBuilder, Entries};
use crate::disk::dead::Dead;
use crate::disk::files;
use crate::disk::manifest::{self, Entry};
use crate::disk::sketch::Sketch;
use crate::disk::stored_segment::StoredSegment;
use crate::disk::truth::Truth;
use crate::error::Error;
use crate::invariant::invariant;
use crate::options::Options;
use crate::precedence::step_back;
use crate::rules::Rules;
use crate::settings::Settings;
use crate::views::band_parts::BandParts;
use crate::views::code_parts::CodeParts;
use crate::views::memtable::Memtable;
use crate::writing::threads::threads;
use fjall::Snapshot;
use nearprint_bits::at_width;
use nearprint_fingerprint::{BandShape, Fingerprint, Matching};
use nearprint_index::{Layout, Planner, Purpose, Request, SegmentBuilder};
use rayon::ThreadPool;
use std::borrow::Cow;
use std::fs::File;
use std::io::BufWriter;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What a segment is made of.
pub(crate) enum Source {
    Memtable(Arc<Memtable>),
    Segments(Vec<Arc<StoredSegment>>),
    /// The database at a moment, and which documents were deleted then.
    Truth(Arc<Truth>, Snapshot, Dead),
}

impl Source {
    /// The database as it is now. `dead`: which documents are deleted.
    pub(crate) fn truth(truth: &Arc<Truth>, dead: Dead) -> Self {
        Self::Truth(Arc::clone(truth), truth.snapshot(), dead)
    }

    /// Which of its documents are deleted now.
    fn dead(&self, numbers: Range<u64>) -> Dead {
        match self {
            Self::Memtable(memtable) => Dead::union(numbers, std::iter::once(memtable.dead())),
            Self::Segments(segments) => {
                Dead::union(numbers, segments.iter().map(|segment| segment.dead()))
            }
            Self::Truth(_, _, dead) => Dead::union(numbers, std::iter::once(dead)),
        }
    }
}

/// Fingerprints with the numbers of their documents.
type Coded<'a, const WORDS: usize> = Box<dyn Iterator<Item = (Fingerprint<WORDS>, u64)> + 'a>;

/// A segment to make.
pub(crate) struct Order {
    pub(crate) entry: Entry,
    pub(crate) source: Source,
}

/// A segment that was made.
pub(crate) struct Made {
    pub(crate) segment: Arc<StoredSegment>,
    /// Documents that were left out: they were deleted when the work began.
    pub(crate) left_out: Dead,
}

/// What a segment is made of, while it is read: more than once, and by several threads.
struct Reading<'a> {
    /// Documents that were deleted when it began.
    left_out: Dead,
    stop: &'a AtomicBool,
    /// The first error, which ends it.
    failed: Mutex<Option<Error>>,
}

impl Reading<'_> {
    /// Whether a document is read.
    fn stays(&self, number: u64) -> bool {
        !self.left_out.has(number)
    }

    /// Whether nobody has stopped it.
    fn goes_on(&self) -> bool {
        !self.stop.load(Ordering::Relaxed)
    }

    /// What was read; keeps the error in its place.
    fn kept<T>(&self, read: Result<T, Error>) -> Option<T> {
        let keep =
            |error| *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        read.map_err(keep).ok()
    }
}

/// Makes segments for one store, on a thread of its own.
pub(crate) struct Maker {
    store: PathBuf,
    settings: Settings,
    rules: Rules,
    sorting: usize,
    pool: ThreadPool,
    /// Once set, the maker gives up the segment under way.
    stop: Arc<AtomicBool>,
}

impl Maker {
    pub(crate) fn new(
        store: &Path,
        settings: &Settings,
        options: &Options,
        stop: Arc<AtomicBool>,
    ) -> Result<Self, Error> {
        let pool = threads(store, "segments", 1, step_back)?;
        let (store, settings, rules) = (store.to_owned(), settings.clone(), settings.rules()?);
        Ok(Self { store, settings, rules, sorting: options.sorting(), pool, stop })
    }

    /// Makes a segment; its file is durable when this returns.
    pub(crate) fn make(&self, order: &Order) -> Result<Made, Error> {
        // A segment of damaged ones would be damaged where no checksum tells.
        if let Source::Segments(segments) = &order.source {
            segments.iter().try_for_each(|segment| segment.verify())?;
        }
        let reading = Reading {
            left_out: order.source.dead(order.entry.first..order.entry.end),
            stop: &self.stop,
            failed: Mutex::new(None),
        };
        let built = match self.rules.bands {
            Some(shape) => {
                self.build_bands(order, shape, &|| self.compared(&order.source, &reading))
            }
            None => at_width!(self.rules.width, build(self, order, &reading)),
        };
        let Reading { left_out, failed, .. } = reading;
        if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        built?;
        let (entry, recipe) = (order.entry.clone(), self.recipe());
        let segment = Arc::new(StoredSegment::open(&self.store, entry, recipe, &self.rules)?);
        Ok(Made { segment, left_out })
    }

    /// What is compared of each document by similarity, with its number.
    fn compared<'a>(&self, source: &'a Source, reading: &'a Reading<'_>) -> Entries<'a> {
        let compared = |Record { number, compared }| (number, Cow::Borrowed(compared));
        match source {
            Source::Memtable(memtable) => {
                let all = memtable.bands().into_iter().flat_map(BandParts::records);
                let left = all.filter(|record| reading.stays(record.number));
                Box::new(left.take_while(|_| reading.goes_on()).map(compared))
            }
            Source::Segments(segments) => {
                let tables = segments.iter().filter_map(|segment| segment.bands());
                let left = tables.flat_map(BandTable::records);
                let left = left.filter(|record| reading.stays(record.number));
                Box::new(left.take_while(|_| reading.goes_on()).map(compared))
            }
            Source::Truth(truth, at, _) => {
                let sketched = |(number, sketch): (u64, Sketch)| {
                    (
                        number,
                        sketch.searched().le_bytes().chain(sketch.bands.iter().copied()).collect(),
                    )
                };
                let all = self.sketches(truth, at, reading.left_out.numbers().clone());
                let all = all.map_while(|sketch| reading.kept(sketch));
                Box::new(all.take_while(|_| reading.goes_on()).map(sketched))
            }
        }
    }

    /// The fingerprint of each document within a radius, with its number.
    fn coded<'a, const WORDS: usize>(
        &self,
        source: &'a Source,
        reading: &'a Reading<'_>,
    ) -> Coded<'a, WORDS> {
        match source {
            Source::Memtable(memtable) => {
                let all = memtable.codes().into_iter().flat_map(CodeParts::of_width);
                let left = all.filter(|(_, number)| reading.stays(*number));
                Box::new(left.take_while(|_| reading.goes_on()))
            }
            Source::Segments(segments) => {
                let all = segments.iter().flat_map(|segment| segment.entries());
                let all = all.map_while(|entry| reading.kept(entry));
                let left = all.filter(|(_, number)| reading.stays(*number));
                Box::new(left.take_while(|_| reading.goes_on()))
            }
            Source::Truth(truth, at, _) => {
                let all = self.sketches(truth, at, reading.left_out.numbers().clone());
                let all = all.map_while(|sketch| reading.kept(sketch));
                let code = |(number, sketch): (u64, Sketch)| {
                    Some((invariant(sketch.searched().narrow(), number)?, number))
                };
                Box::new(all.take_while(|_| reading.goes_on()).filter_map(code))
            }
        }
    }

    /// The sketches of the documents with these numbers that are compared by distance or by sketch.
    fn sketches<'a>(
        &self,
        truth: &'a Truth,
        at: &Snapshot,
        numbers: Range<u64>,
    ) -> impl Iterator<Item = Result<(u64, Sketch), Error>> + use<'a> {
        let Rules { degenerate, .. } = self.rules;
        let bytes = self.rules.sketch_bytes();
        let compared = truth.sketches(at, numbers).filter(move |row| {
            row.as_ref().map_or(true, |(_, it)| it.matching(degenerate) == Matching::Distance)
        });
        compared.map(move |row| match row {
            Ok((_, sketch)) if sketch.bands.len() != bytes => Err(truth.damaged("a sketch")),
            row => row,
        })
    }

    /// Writes the file of a segment of sketches.
    fn build_bands<'a>(
        &self,
        order: &Order,
        shape: BandShape,
        entries: &dyn Fn() -> Entries<'a>,
    ) -> Result<(), Error> {
        let path = manifest::path(&self.store, order.entry.file);
        let beside = files::unfinished(&path);
        let file = File::create(&beside).map_err(Error::io(&beside))?;
        let builder = BandTableBuilder {
            shape,
            words: self.rules.width.words(),
            recipe: self.recipe(),
            first: order.entry.first,
            sorting: self.sorting,
        };
        let built = builder.build(entries, BufWriter::with_capacity(1 << 16, &file));
        if self.stop.load(Ordering::Relaxed) {
            return Err(Error::Closed);
        }
        built.map_err(Error::io(&beside))?;
        files::finish(&file, &path)
    }

    /// The tables that answer a query fastest.
    fn layout(&self, documents: u64) -> Result<Layout, Error> {
        let (width, k) = (self.settings.width.bits(), self.rules.k);
        let purpose = Purpose::Query;
        let request = Request { documents, width, k, ids: true, memory: None, purpose };
        Ok(Planner::new(request)?.choose()?.layout().clone())
    }

    fn recipe(&self) -> Option<u128> {
        self.settings.id().map(u128::from)
    }
}

/// Writes the file of a segment within a radius.
fn build<const WORDS: usize>(
    maker: &Maker,
    order: &Order,
    reading: &Reading<'_>,
) -> Result<(), Error> {
    let entries = || maker.coded::<WORDS>(&order.source, reading);
    let documents = match &order.source {
        Source::Memtable(memtable) => memtable.codes().map_or(0, CodeParts::len) as u64,
        Source::Segments(segments) => segments.iter().map(|segment| segment.documents()).sum(),
        Source::Truth(..) => entries().count() as u64,
    };
    let path = manifest::path(&maker.store, order.entry.file);
    let beside = files::unfinished(&path);
    let mut file = File::create(&beside).map_err(Error::io(&beside))?;
    let builder = SegmentBuilder::new(maker.layout(documents)?, maker.recipe(), maker.sorting);
    let built = maker.pool.install(|| builder.build::<WORDS, _>(entries, &mut file));
    if maker.stop.load(Ordering::Relaxed) {
        return Err(Error::Closed);
    }
    built.map_err(|source| Error::Segment { path: beside, source })?;
    files::finish(&file, &path)
}
