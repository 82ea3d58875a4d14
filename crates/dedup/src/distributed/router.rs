//! Texts to entries, by range: what one machine reads of a corpus.

use crate::distributed::entries::Entries;
use crate::error::Error;
use crate::numbers::narrow;
use crate::read::search_input::Task;
use crate::read::sketch::{OnError, Origin, Sketcher};
use crate::read::sketched::State;
use nearprint_corpus::Fields;
use nearprint_fingerprint::{BandShape, Fingerprint128, mix64};
use nearprint_rules::{Criteria, Finding};
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
///
/// Memory: up to three times [`held_bytes`](Self::held_bytes) while it hands out.
pub struct Router {
    sketcher: Box<Sketcher>,
    shape: BandShape,
    /// Entries in the order in which they came.
    held: Entries,
    stamp: u64,
    ranges: NonZeroU32,
    is_grouped: bool,
    documents: u64,
    bytes: u64,
}

/// The bands by which pairs are found.
///
/// # Errors
/// [`Error::NoEntries`] where they are found in another way.
pub(crate) fn shape_of(criteria: &Criteria) -> Result<BandShape, Error> {
    match criteria.likeness.finding() {
        Finding::Bands(shape) => Ok(shape),
        Finding::Radius | Finding::Prefixes | Finding::Bytes => Err(Error::NoEntries),
    }
}

impl Router {
    /// A router of the job that the stamp stands for: all its entries have it.
    pub(crate) fn new(
        origin: &Origin,
        criteria: &Criteria,
        ranges: NonZeroU32,
        stamp: u64,
        is_grouped: bool,
    ) -> Result<Self, Error> {
        let Origin::Text { .. } = origin else { return Err(Error::NoText) };
        let shape = shape_of(criteria)?;
        let sketcher = Sketcher::new(origin, &Fields::default(), OnError::Fail)?;
        let sketcher = Box::new(sketcher.with_task(&Task::SketchUnsigned(shape)));
        let held = Entries::default();
        Ok(Self { sketcher, shape, held, stamp, ranges, is_grouped, documents: 0, bytes: 0 })
    }

    /// Takes documents: of each an address, which names it, its text, and its label where documents are compared
    /// [within](crate::LabelSpec::within) groups (else no label counts). Documents may share an address: what becomes of
    /// them is decided together.
    pub fn push(&mut self, documents: &[(u64, &str, Option<&str>)]) {
        for share in documents.chunks(SHARE) {
            self.sketch(share);
            self.documents += share.len() as u64;
            self.bytes += share.iter().map(|(_, text, _)| text.len() as u64).sum::<u64>();
        }
    }

    /// Bytes of the entries that wait to be taken.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        self.held.held_bytes()
    }

    /// Hands out the entries that wait, by range.
    pub fn take(&mut self) -> Vec<Routed> {
        let ranges = u64::from(self.ranges.get());
        let range = |key: &u64| narrow(((mix64(*key) >> 32) * ranges) >> 32);
        let mut rows: Vec<(u32, usize)> = self.held.keys.iter().map(range).zip(0..).collect();
        rows.sort_unstable();
        let of_range = |run: &[(u32, usize)]| {
            let range = run.first().map_or(0, |(range, _)| *range);
            let entries = self.held.bytes(run.iter().map(|(_, row)| *row), self.stamp);
            Routed { range, documents: 0, bytes: 0, entries }
        };
        let mut routed: Vec<Routed> = rows.chunk_by(|a, b| a.0 == b.0).map(of_range).collect();
        if routed.is_empty() && self.documents > 0 {
            routed.push(of_range(&[]));
        }
        // What held them is used again.
        self.held.clear();
        if let Some(first) = routed.first_mut() {
            first.documents = std::mem::take(&mut self.documents);
            first.bytes = std::mem::take(&mut self.bytes);
        }
        routed
    }

    /// Holds the entries of some documents.
    fn sketch(&mut self, documents: &[(u64, &str, Option<&str>)]) {
        let sketches = self.sketcher.texts(documents.iter().map(|(_, text, _)| *text));
        let bands = sketches.bands.chunks_exact(self.shape.bytes());
        for ((&(address, _, label), sketched), bands) in
            documents.iter().zip(&sketches.records).zip(bands)
        {
            let label = label.filter(|_| self.is_grouped);
            let group = label.map_or(0, |label| xxh3_64(label.as_bytes()) & !CONTENT);
            match sketched.state {
                State::Full => {
                    let code = self.shape.code(bands);
                    let keys = bands.chunks_exact(BandShape::KEY_BYTES);
                    for (band, key) in (0_u64..).zip(keys) {
                        let key = key.iter().fold(band, |key, byte| key << 8 | u64::from(*byte));
                        self.held.push(key ^ group, address, code);
                    }
                }
                State::Exact(content) => {
                    let key = (content | CONTENT) ^ group;
                    self.held.push(key, address, Fingerprint128::ZERO);
                }
                State::Apart | State::Empty | State::Skipped => {}
            }
        }
    }
}
