//! Makes segments in the background: of a memtable, of other segments, or of the database.

use crate::disk::dead::Dead;
use crate::disk::files;
use crate::disk::manifest::{self, Entry};
use crate::disk::stored_segment::StoredSegment;
use crate::disk::truth::Truth;
use crate::error::Error;
use crate::options::Options;
use crate::settings::Settings;
use crate::views::memtable::Memtable;
use nearprint_fingerprint::{Fingerprint, Matching};
use nearprint_index::{Layout, Planner, Purpose, Request, SegmentBuilder};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What a segment is made of.
pub(crate) enum Source<const WORDS: usize> {
    Memtable(Arc<Memtable<WORDS>>),
    Segments(Vec<Arc<StoredSegment<WORDS>>>),
    Truth(Arc<Truth>),
}

/// A segment to make.
pub(crate) struct Order<const WORDS: usize> {
    pub(crate) entry: Entry,
    pub(crate) source: Source<WORDS>,
}

/// A segment that was made.
pub(crate) struct Made<const WORDS: usize> {
    pub(crate) segment: Arc<StoredSegment<WORDS>>,
    /// Documents that were left out: they were deleted when the work began.
    pub(crate) left_out: Dead,
}

/// Makes segments for one store, on a thread of its own.
pub(crate) struct Maker {
    store: PathBuf,
    settings: Settings,
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
        let pool = ThreadPoolBuilder::new().num_threads(1).thread_name(|_| "segments".to_owned());
        let started = |error| Error::io(store)(std::io::Error::other(error));
        let pool = pool.build().map_err(started)?;
        let (store, settings) = (store.to_owned(), settings.clone());
        Ok(Self { store, settings, sorting: options.sorting(), pool, stop })
    }

    /// Makes a segment; its file is durable when this returns.
    pub(crate) fn make<const WORDS: usize>(
        &self,
        order: &Order<WORDS>,
    ) -> Result<Made<WORDS>, Error> {
        let numbers = order.entry.first..order.entry.end;
        let failed = Mutex::new(None);
        let keep = |error| *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        let going = |_: &_| !self.stop.load(Ordering::Relaxed);
        let (built, left_out) = match &order.source {
            Source::Memtable(memtable) => {
                let out = Dead::union(numbers, std::iter::once(memtable.dead()));
                let all = || memtable.entries().iter();
                let entries = || all().filter(|(_, number)| !out.has(*number)).take_while(going);
                (self.build(order, memtable.entries().len() as u64, entries), out)
            }
            Source::Segments(segments) => {
                let out = Dead::union(numbers, segments.iter().map(|segment| segment.dead()));
                let documents = segments.iter().map(|segment| segment.documents()).sum();
                let all = || segments.iter().flat_map(|segment| segment.entries());
                let entries = || {
                    let entries = all().map_while(|entry| entry.map_err(keep).ok());
                    entries.filter(|(_, number)| !out.has(*number)).take_while(going)
                };
                (self.build(order, documents, entries), out)
            }
            Source::Truth(truth) => {
                let rule = self.settings.degenerate();
                let entries = || {
                    let sketches = truth.sketches(numbers.clone());
                    let near = sketches.map_while(|sketch| sketch.map_err(keep).ok());
                    let near =
                        near.filter(move |(_, sketch)| sketch.matching(rule) == Matching::Distance);
                    near.map(|(number, sketch)| (sketch.fingerprint, number)).take_while(going)
                };
                let documents = entries().count() as u64;
                (self.build(order, documents, entries), Dead::none(numbers.clone()))
            }
        };
        if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        built?;
        let recipe = self.recipe();
        let segment = Arc::new(StoredSegment::open(&self.store, order.entry.clone(), recipe)?);
        Ok(Made { segment, left_out })
    }

    /// Writes the file of a segment of `entries`.
    fn build<const WORDS: usize, I: Iterator<Item = (Fingerprint<WORDS>, u64)>>(
        &self,
        order: &Order<WORDS>,
        documents: u64,
        entries: impl Fn() -> I + Send,
    ) -> Result<(), Error> {
        let path = manifest::path(&self.store, order.entry.file);
        let beside = files::unfinished(&path);
        let mut file = File::create(&beside).map_err(Error::io(&beside))?;
        let builder = SegmentBuilder::new(self.layout(documents)?, self.recipe(), self.sorting);
        let built = self.pool.install(|| builder.build::<WORDS, _>(entries, &mut file));
        if self.stop.load(Ordering::Relaxed) {
            return Err(Error::Closed);
        }
        built.map_err(|source| Error::Segment { path: beside, source })?;
        files::finish(&file, &path)
    }

    /// The tables that answer a query fastest.
    fn layout(&self, documents: u64) -> Result<Layout, Error> {
        let (width, k) = (self.settings.width.bits(), self.settings.k);
        let request = Request { documents, width, k, memory: None, purpose: Purpose::Query };
        Ok(Planner::new(request)?.choose()?.layout().clone())
    }

    fn recipe(&self) -> Option<u128> {
        self.settings.id().map(u128::from)
    }
}
