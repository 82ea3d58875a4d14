//! Texts to entries, by range: what one machine reads of a corpus.

use crate::error::Error;
use crate::kernels::entries::{self, Entry};
use crate::numbers::{entry, narrow};
use crate::read::groundwork::Task;
use crate::read::sketch::{OnError, Origin, Sketcher};
use crate::read::sketched::State;
use nearprint_corpus::Fields;
use nearprint_fingerprint::{BandShape, Fingerprint, RecipeError, Width, mix64};
use nearprint_rules::{Criteria, Finding};
use std::num::NonZeroU32;

/// Sets the keys of whole contents apart from those of bands.
const CONTENT: u64 = 1 << 63;
/// Texts that are sketched together.
const SHARE: usize = 64;

/// Entries of one range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Routed {
    /// The range: documents that may be near each other have entries in the same one.
    pub range: u32,
    /// Documents that were read for the entries of all ranges that are handed out together; 0 but for the first.
    pub documents: u64,
    /// Bytes of their texts; 0 but for the first.
    pub bytes: u64,
    /// The entries, for [`Linker::push`](crate::Linker::push).
    pub entries: Vec<u8>,
}

/// Makes entries of texts. [`Dedup::router`](crate::Dedup::router) makes one.
///
/// Memory: up to three times [`held_bytes`](Self::held_bytes) while it hands out.
pub struct Router {
    worker: AnyWorker,
    stamp: u64,
    ranges: NonZeroU32,
    documents: u64,
    bytes: u64,
}

/// A worker of each width.
enum AnyWorker {
    W64(Box<Worker<1>>),
    W128(Box<Worker<2>>),
    W256(Box<Worker<4>>),
}

/// Sketches texts, and holds their entries in the order in which they came.
struct Worker<const WORDS: usize> {
    sketcher: Sketcher,
    shape: BandShape,
    held: Vec<Entry<WORDS>>,
}

/// The bands by which pairs are found.
///
/// # Errors
/// [`Error::NoEntries`] where they are found in another way.
pub(crate) fn shape_of(criteria: &Criteria) -> Result<BandShape, Error> {
    match criteria.likeness.finding() {
        Finding::Bands(shape) => Ok(shape),
        Finding::Radius | Finding::Prefixes => Err(Error::NoEntries),
    }
}

impl Router {
    /// A router of the job that the stamp stands for: all its entries have it.
    pub(crate) fn new(
        origin: &Origin,
        criteria: &Criteria,
        ranges: NonZeroU32,
        stamp: u64,
    ) -> Result<Self, Error> {
        let Origin::Text { recipe, .. } = origin else { return Err(Error::NoText) };
        let shape = shape_of(criteria)?;
        let worker = match recipe.width {
            Width::W64 => AnyWorker::W64(Worker::new(origin, shape)?),
            Width::W128 => AnyWorker::W128(Worker::new(origin, shape)?),
            Width::W256 => AnyWorker::W256(Worker::new(origin, shape)?),
        };
        Ok(Self { worker, stamp, ranges, documents: 0, bytes: 0 })
    }

    /// Takes documents: of each an address, which names it, and its text. Documents may share an address: what
    /// becomes of them is decided together.
    pub fn push(&mut self, documents: &[(u64, &str)]) {
        for share in documents.chunks(SHARE) {
            match &mut self.worker {
                AnyWorker::W64(worker) => worker.push(share),
                AnyWorker::W128(worker) => worker.push(share),
                AnyWorker::W256(worker) => worker.push(share),
            }
            self.documents += share.len() as u64;
            self.bytes += share.iter().map(|(_, text)| text.len() as u64).sum::<u64>();
        }
    }

    /// Bytes of the entries that wait to be taken.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        match &self.worker {
            AnyWorker::W64(worker) => size_of_val(worker.held.as_slice()),
            AnyWorker::W128(worker) => size_of_val(worker.held.as_slice()),
            AnyWorker::W256(worker) => size_of_val(worker.held.as_slice()),
        }
    }

    /// Hands out the entries that wait, by range.
    pub fn take(&mut self) -> Vec<Routed> {
        let (stamp, ranges) = (self.stamp, self.ranges);
        let mut routed = match &mut self.worker {
            AnyWorker::W64(worker) => worker.take(stamp, ranges),
            AnyWorker::W128(worker) => worker.take(stamp, ranges),
            AnyWorker::W256(worker) => worker.take(stamp, ranges),
        };
        if routed.is_empty() && self.documents > 0 {
            let entries = entries::bytes::<1>(std::iter::empty(), stamp);
            routed.push(Routed { range: 0, documents: 0, bytes: 0, entries });
        }
        if let Some(first) = routed.first_mut() {
            first.documents = std::mem::take(&mut self.documents);
            first.bytes = std::mem::take(&mut self.bytes);
        }
        routed
    }
}

impl<const WORDS: usize> Worker<WORDS> {
    fn new(origin: &Origin, shape: BandShape) -> Result<Box<Self>, RecipeError> {
        let sketcher = Sketcher::new(origin, &Fields::default(), OnError::Fail)?;
        let sketcher = sketcher.with_task(&Task::Sketch(shape));
        Ok(Box::new(Self { sketcher, shape, held: Vec::new() }))
    }

    fn push(&mut self, documents: &[(u64, &str)]) {
        let sketches = self.sketcher.texts(documents.iter().map(|(_, text)| *text));
        let bands = sketches.bands.chunks_exact(self.shape.bytes());
        for ((&(address, _), sketched), bands) in documents.iter().zip(&sketches.records).zip(bands)
        {
            let code = sketched.fingerprint.narrow().unwrap_or(Fingerprint::ZERO);
            match sketched.state {
                State::Full => {
                    let keys = bands.chunks_exact(BandShape::KEY_BYTES);
                    self.held.extend((0_u64..).zip(keys).map(|(band, key)| {
                        let key = key.iter().fold(band, |key, byte| key << 8 | u64::from(*byte));
                        Entry { key, address, code }
                    }));
                }
                State::Exact(content) => {
                    let key = content | CONTENT;
                    self.held.push(Entry { key, address, code: Fingerprint::ZERO });
                }
                State::Apart | State::Empty | State::Skipped => {}
            }
        }
    }

    /// The entries, by range. What held them is used again.
    fn take(&mut self, stamp: u64, ranges: NonZeroU32) -> Vec<Routed> {
        let range =
            |held: &Entry<WORDS>| narrow(((mix64(held.key) >> 32) * u64::from(ranges.get())) >> 32);
        let mut rows: Vec<(u32, usize)> = self.held.iter().map(range).zip(0..).collect();
        rows.sort_unstable();
        let runs = rows.chunk_by(|a, b| a.0 == b.0);
        let routed = runs.map(|run| {
            let range = run.first().map_or(0, |(range, _)| *range);
            let entries = run.iter().map(|(_, row)| entry(&self.held, *row));
            Routed { range, documents: 0, bytes: 0, entries: entries::bytes(entries, stamp) }
        });
        let routed = routed.collect();
        self.held.clear();
        routed
    }
}
