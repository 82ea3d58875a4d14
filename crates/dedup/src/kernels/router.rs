//! Texts to entries, by range: what one machine reads of a corpus.

use crate::error::Error;
use crate::kernels::entries::{Entries, Entry};
use crate::read::groundwork::Task;
use crate::read::sketch::{OnError, Origin, Sketcher};
use crate::read::sketched::State;
use crate::rules::criteria::Criteria;
use crate::rules::likeness::Finding;
use nearprint_corpus::Fields;
use nearprint_fingerprint::{BandShape, Fingerprint, RecipeError, Width, mix64};
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use xxhash_rust::xxh3::xxh3_64;

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
pub struct Router {
    worker: Worker,
    shape: BandShape,
    stamp: u64,
    ranges: NonZeroU32,
    held: BTreeMap<u32, Entries>,
    held_bytes: usize,
    documents: u64,
    bytes: u64,
}

/// A worker of each width.
enum Worker {
    W64(Box<Sketcher<1>>),
    W128(Box<Sketcher<2>>),
    W256(Box<Sketcher<4>>),
}

/// What entries of one job have in common: its recipe and its bands.
pub(crate) fn stamp(origin: &Origin, finding: Finding) -> u64 {
    let recipe = match origin {
        Origin::Text { recipe, .. } => recipe.id().to_string(),
        Origin::Hex => String::new(),
    };
    xxh3_64(format!("{recipe}, {finding}").as_bytes())
}

/// The bands by which pairs are found.
///
/// # Errors
/// [`Error::NoBands`] where they are found in another way.
pub(crate) fn shape_of(criteria: &Criteria) -> Result<BandShape, Error> {
    match criteria.likeness.finding() {
        Finding::Bands(shape) => Ok(shape),
        Finding::Radius | Finding::Prefixes => Err(Error::NoEntries),
    }
}

impl Router {
    pub(crate) fn new(
        origin: &Origin,
        criteria: &Criteria,
        ranges: NonZeroU32,
    ) -> Result<Self, Error> {
        let Origin::Text { recipe, .. } = origin else { return Err(Error::NoText) };
        let shape = shape_of(criteria)?;
        let worker = match recipe.width {
            Width::W64 => Worker::W64(worker(origin, shape)?),
            Width::W128 => Worker::W128(worker(origin, shape)?),
            Width::W256 => Worker::W256(worker(origin, shape)?),
        };
        let stamp = stamp(origin, criteria.likeness.finding());
        let held = BTreeMap::new();
        Ok(Self { worker, shape, stamp, ranges, held, held_bytes: 0, documents: 0, bytes: 0 })
    }

    /// Takes documents: of each an address, which names it, and its text. Documents may share an address: what
    /// becomes of them is decided together.
    pub fn push(&mut self, documents: &[(u64, &str)]) {
        for share in documents.chunks(SHARE) {
            let (held, shape, ranges) = (&mut self.held, self.shape, self.ranges);
            self.held_bytes += match &mut self.worker {
                Worker::W64(sketcher) => route(sketcher, share, shape, ranges, held),
                Worker::W128(sketcher) => route(sketcher, share, shape, ranges, held),
                Worker::W256(sketcher) => route(sketcher, share, shape, ranges, held),
            };
            self.documents += share.len() as u64;
            self.bytes += share.iter().map(|(_, text)| text.len() as u64).sum::<u64>();
        }
    }

    /// Bytes of the entries that wait to be taken.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        self.held_bytes
    }

    /// Hands out the entries that wait, by range.
    pub fn take(&mut self) -> Vec<Routed> {
        self.held_bytes = 0;
        let mut counts = (std::mem::take(&mut self.documents), std::mem::take(&mut self.bytes));
        if counts.0 > 0 {
            self.held.entry(0).or_default();
        }
        let held = std::mem::take(&mut self.held).into_iter();
        held.map(|(range, entries)| {
            let (documents, bytes) = std::mem::take(&mut counts);
            Routed { range, documents, bytes, entries: entries.into_bytes(self.stamp) }
        })
        .collect()
    }
}

fn worker<const WORDS: usize>(
    origin: &Origin,
    shape: BandShape,
) -> Result<Box<Sketcher<WORDS>>, RecipeError> {
    let sketcher = Sketcher::new(origin, &Fields::default(), OnError::Fail)?;
    Ok(Box::new(sketcher.with_task(&Task::Sketch(shape))))
}

/// Appends the entries of some documents; returns their bytes.
fn route<const WORDS: usize>(
    sketcher: &mut Sketcher<WORDS>,
    documents: &[(u64, &str)],
    shape: BandShape,
    ranges: NonZeroU32,
    held: &mut BTreeMap<u32, Entries>,
) -> usize {
    let sketches = sketcher.texts(documents.iter().map(|(_, text)| *text));
    let mut added = 0;
    let mut put = |key, address, code| {
        let range = ((mix64(key) >> 32) * u64::from(ranges.get())) >> 32;
        let entries = held.entry(u32::try_from(range).unwrap_or(0)).or_default();
        entries.push(&Entry::<WORDS> { key, address, code });
        added += size_of::<Entry<WORDS>>();
    };
    let bands = sketches.bands.chunks_exact(shape.bytes());
    for ((address, _), (sketched, bands)) in
        documents.iter().zip(sketches.records.iter().zip(bands))
    {
        match sketched.state {
            State::Full => {
                for (band, key) in (0_u64..).zip(bands.chunks_exact(BandShape::KEY_BYTES)) {
                    let key = key.iter().fold(band, |key, byte| key << 8 | u64::from(*byte));
                    put(key, *address, sketched.fingerprint);
                }
            }
            State::Exact(content) => put(content | CONTENT, *address, Fingerprint::ZERO),
            State::Apart | State::Empty | State::Skipped => {}
        }
    }
    added
}
