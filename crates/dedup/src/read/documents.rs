//! The first reading: a corpus becomes a few bytes a document. What is done with them is elsewhere.

use crate::error::Error;
use crate::numbers::{DocumentNumber, RecordNumber};
use crate::progress::Progress;
use crate::read::counts::Counts;
use crate::read::groundwork::Groundwork;
use crate::read::ids::Ids;
use crate::read::input::{FirstReading, Reference};
use crate::read::left_out::LeftOut;
use crate::read::reading::Reading;
use crate::read::repeated_ids::RepeatedIds;
use crate::read::segment_row::refuse_segments;
use crate::read::sketched::{Sketched, State, short};
use crate::read::sketched_batch::SketchedBatch;
use crate::read::source_counts::SourceCounts;
use nearprint_corpus::Source;
use nearprint_fingerprint::{Fingerprint, RecipeError, mix64};
use nearprint_rules::{Featureless, KeepRule};

/// A document with too little in it to be near others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeftApart {
    /// Its number among the documents.
    pub document: DocumentNumber,
    /// Documents of equal content are duplicates. `None` for nobody's duplicate.
    pub content: Option<u64>,
}

impl LeftApart {
    /// The documents of each content that several of `all` have, ascending.
    ///
    /// # Complexity
    /// One sort.
    #[must_use]
    pub fn groups(all: &[Self]) -> Vec<Vec<DocumentNumber>> {
        let mut equal: Vec<(u64, DocumentNumber)> =
            all.iter().filter_map(|d| Some((d.content?, d.document))).collect();
        equal.sort_unstable();
        let groups = equal.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1);
        groups.map(|group| group.iter().map(|entry| entry.1).collect()).collect()
    }
}

/// What is kept of each document beside its fingerprint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Its id.
    pub ids: bool,
    /// What the rule finds it worth, if that is one by worth.
    pub keep: KeepRule,
    /// A hash of its content.
    pub contents: bool,
    /// Whether one without any feature is a document like others, which equals those of its content: then
    /// contents have to be wanted too.
    pub featureless: Featureless,
    /// How many of the sources, the first ones, are there to be compared with only.
    pub reference: usize,
}

/// A corpus after its first reading: the documents that have features, and where equal ones
/// [collapse](Wanted::featureless) all others, numbered from 0 in input order.
///
/// Memory: `8 * WORDS` bytes a document, 16 for the hash of its content and 8 for its worth where they are
/// [wanted](Wanted), its id where a report asks for it, and 24 for a degenerate one. While reading 8 for
/// the hash of its id, but for a job with temporary files, which go there.
#[derive(Clone, Debug, Default)]
pub struct Documents<const WORDS: usize> {
    /// Fingerprints.
    pub fingerprints: Vec<Fingerprint<WORDS>>,
    /// What each is worth; empty where nobody asked.
    pub worths: Vec<u64>,
    /// A hash of each content; empty where nobody asked.
    pub contents: Vec<u128>,
    /// The documents' ids.
    pub ids: Ids,
    /// Records that are not among the documents, ascending.
    pub left_out: Vec<LeftOut>,
    /// Documents that take no part in the join by radius, ascending.
    pub degenerate: Vec<LeftApart>,
    /// What was counted on the way.
    pub counts: Counts,
    /// The same of each source, up to the last that has records.
    pub sources: Vec<SourceCounts>,
    /// A checksum of all that was read.
    pub checksum: u64,
    /// What of it is there to be compared with only.
    pub reference: Reference,
}

impl<const WORDS: usize> Documents<WORDS> {
    /// Reads `sources`, keeping what is wanted.
    ///
    /// # Errors
    /// See [`Reading::sketches`].
    pub fn read(
        reading: &Reading,
        sources: &[Source],
        wanted: Wanted,
        progress: &Progress,
    ) -> Result<Self, Error> {
        refuse_segments(sources)?;
        let mut groundwork = Groundwork::Fingerprints { verified: false };
        Self::read_with(reading, sources, wanted, &mut groundwork, progress)
    }

    /// As [`read`](Self::read); lays the `groundwork` for the join, too.
    pub(crate) fn read_with(
        reading: &Reading,
        sources: &[Source],
        wanted: Wanted,
        groundwork: &mut Groundwork,
        progress: &Progress,
    ) -> Result<Self, Error> {
        let ids = if wanted.ids { Ids::listed() } else { Ids::Absent };
        let task = groundwork.task();
        let mut documents = Self { ids, ..Self::default() };
        let mut repeated = RepeatedIds::new(groundwork.dir());
        let mut records = 0;
        let (made, asked) = (reading.content.width().bits(), Fingerprint::<WORDS>::BITS);
        if made != asked {
            return Err(RecipeError::Width { recipe: made, asked }.into());
        }
        reading.sketches_with(&task, sources, progress, &mut |sketch| {
            sketch.id_hashes.iter().try_for_each(|hash| repeated.push(*hash))?;
            documents.take(&sketch, records, wanted, groundwork)?;
            records += sketch.records.len() as u64;
            Ok(())
        })?;
        documents.counts.repeated_ids = repeated.count()?;
        Ok(documents)
    }

    /// Bytes that stay in memory.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        size_of_val(&*self.fingerprints)
            + size_of_val(&*self.left_out)
            + size_of_val(&*self.degenerate)
            + size_of_val(&*self.worths)
            + size_of_val(&*self.contents)
            + self.ids.held_bytes()
    }

    /// Every document that the radius joins, with its fingerprint, ascending: all but those that are
    /// [left apart](LeftApart).
    pub fn joined(
        &self,
    ) -> impl Iterator<Item = (DocumentNumber, Fingerprint<WORDS>)> + Clone + '_ {
        joined(&self.fingerprints, &self.degenerate)
    }

    /// What later readings go by.
    pub(crate) fn first_reading(&self) -> FirstReading<'_> {
        let (reference, checksum) = (self.reference, self.checksum);
        FirstReading { left_out: &self.left_out, reference, checksum }
    }

    /// The number of documents.
    #[must_use]
    pub fn len(&self) -> usize {
        self.fingerprints.len()
    }

    /// Whether no document has a feature.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.fingerprints.is_empty()
    }

    /// The fingerprints with their documents' numbers among all records.
    pub fn numbered(&self) -> impl Iterator<Item = (Fingerprint<WORDS>, u64)> {
        let mut left_out = self.left_out.iter().map(|left_out| left_out.record.0).peekable();
        let numbers = (0_u64..).filter(move |record| left_out.next_if_eq(record).is_none());
        self.fingerprints.iter().copied().zip(numbers)
    }

    pub(crate) fn take(
        &mut self,
        sketch: &SketchedBatch,
        first_record: u64,
        wanted: Wanted,
        groundwork: &mut Groundwork,
    ) -> Result<(), Error> {
        let mut bands = sketch.bands.chunks_exact(groundwork.bytes(WORDS).max(1));
        for (record, (outcome, id)) in (first_record..).zip(sketch.iter()) {
            self.push((record, outcome, id), bands.next(), wanted, groundwork)?;
        }
        self.counts.add(sketch);
        SourceCounts::add(&mut self.sources, sketch, wanted.featureless);
        self.checksum = mix64(self.checksum ^ sketch.checksum);
        if sketch.source < wanted.reference {
            self.reference = Reference {
                records: first_record + sketch.records.len() as u64,
                documents: self.fingerprints.len() as u64,
                checksum: self.checksum,
            };
        }
        Ok(())
    }
}

impl<const WORDS: usize> Documents<WORDS> {
    /// Takes a record with what it turned out to be and its id, and its sketch where there is one.
    pub(crate) fn push(
        &mut self,
        (record, outcome, id): (u64, &Sketched, &str),
        bands: Option<&[u8]>,
        wanted: Wanted,
        groundwork: &mut Groundwork,
    ) -> Result<(), Error> {
        let collapses = wanted.featureless == Featureless::Collapse;
        if outcome.state == State::Skipped || outcome.state == State::Empty && !collapses {
            let (record, empty) = (RecordNumber(record), outcome.state == State::Empty);
            self.left_out.push(LeftOut { record, empty });
            return Ok(());
        }
        let document = DocumentNumber(self.fingerprints.len() as u64);
        bands.map_or(Ok(()), |bands| groundwork.push(bands))?;
        match outcome.state {
            State::Exact(content) => {
                self.degenerate.push(LeftApart { document, content: Some(content) });
            }
            State::Empty => {
                let content = Some(short(outcome.content_hash));
                self.degenerate.push(LeftApart { document, content });
            }
            State::Apart => self.degenerate.push(LeftApart { document, content: None }),
            _ => {}
        }
        if id.is_empty() {
            self.ids.push(&record.to_string());
        } else {
            self.ids.push(id);
        }
        self.fingerprints.push(outcome.fingerprint.narrow().unwrap_or(Fingerprint::ZERO));
        self.worths.extend(wanted.keep.worth(outcome.length, outcome.score));
        if wanted.contents {
            self.contents.push(outcome.content_hash);
        }
        Ok(())
    }
}

/// The entries of a list with one for each document, but for those of `degenerate` documents, which
/// ascend.
pub(crate) fn joined<'a, T: Copy>(
    list: &'a [T],
    degenerate: &'a [LeftApart],
) -> impl Iterator<Item = (DocumentNumber, T)> + Clone + 'a {
    let mut apart = degenerate.iter().map(|one| one.document).peekable();
    let all = (0_u64..).map(DocumentNumber).zip(list.iter().copied());
    all.filter(move |(document, _)| apart.next_if_eq(document).is_none())
}
