//! The first reading: a corpus becomes a few bytes a document. What is done with them is elsewhere.

use crate::error::Error;
use crate::memory::marks::Marks;
use crate::numbers::{DocumentNumber, RecordNumber, entry};
use crate::progress::Progress;
use crate::read::counts::Counts;
use crate::read::ids::{Ids, unpack};
use crate::read::input::{FirstReading, Reference};
use crate::read::labels::Labels;
use crate::read::left_out::LeftOut;
use crate::read::reading::Reading;
use crate::read::repeated_ids::RepeatedIds;
use crate::read::search_input::SearchInput;
use crate::read::segment_row::refuse_segments;
use crate::read::sketched::{GROUPLESS, Sketched, State, short};
use crate::read::sketched_batch::SketchedBatch;
use crate::read::source_counts::SourceCounts;
use crate::read::ties::Ties;
use nearprint_corpus::{Id, Score, Source};
use nearprint_fingerprint::{CodeList, Fingerprint128, Width, at_width, mix64};
use nearprint_rules::{Featureless, KeepRule};
use xxhash_rust::xxh3::xxh3_64;

/// A document with too little in it to be near others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeftApart {
    /// Its number among the documents.
    pub document: DocumentNumber,
    /// Documents of equal content are duplicates. `None` if the document is never a duplicate.
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
    /// What breaks ties between documents that are worth the same.
    pub ties: Ties,
    /// A hash of its content.
    pub contents: bool,
    /// What it goes by wherever it is found: a hash of the id that it states, or else of its content.
    pub keys: bool,
    /// The bytes of its text.
    pub lengths: bool,
    /// Its score, and those that break ties.
    pub scores: bool,
    /// Whether one without any feature is a document like others, which equals those of its content: then
    /// contents have to be wanted too.
    pub featureless: Featureless,
    /// How many of the sources, the first ones, are there to be compared with only.
    pub reference: usize,
    /// The place among the [labels](nearprint_corpus::Fields::labels) of the one that all documents of a cluster have,
    /// where there is one.
    pub within: Option<usize>,
    /// The place of the one that the documents of a pair have different values of, where there is one.
    pub across: Option<usize>,
    /// Whether rows may have fields by the names of notes.
    pub notes: bool,
}

/// The distance of the fingerprints of two documents.
pub(crate) type Distance<'a> = dyn Fn(DocumentNumber, DocumentNumber) -> u32 + Sync + 'a;

/// A corpus after its first reading: the documents that have features, and where equal ones
/// [collapse](Wanted::featureless) all others, numbered from 0 in input order.
///
/// Memory: 8 bytes a document for each 64 bits of width where it has a fingerprint, 16 where sketches find pairs, 16 for
/// the hash of its content and 16 for its worth where they are
/// [wanted](Wanted), its id where a report asks for it, and 24 for a degenerate one. While reading 8 for
/// the hash of its id, but for a job with temporary files, which go there.
#[derive(Clone, Debug)]
pub struct Documents {
    /// Fingerprints; empty where sketches find pairs and nobody asked for fingerprints.
    pub fingerprints: CodeList,
    /// The codes of their sketches, where these find pairs.
    pub(crate) codes: Vec<Fingerprint128>,
    /// What each is worth, and behind it what those are worth that break ties; empty where nobody asked.
    pub worths: Vec<u128>,
    /// A hash of each content; empty where nobody asked.
    pub contents: Vec<u128>,
    /// What each goes by wherever it is found; empty where nobody asked.
    pub(crate) keys: Vec<u64>,
    /// The documents' ids.
    pub ids: Ids,
    /// Records that are not among the documents, ascending.
    pub left_out: Vec<LeftOut>,
    /// Documents that take no part in the join by radius, ascending.
    pub degenerate: Vec<LeftApart>,
    /// What was counted on the way, but for the reference; ids that repeat and files that gave few documents are
    /// those of all.
    pub counts: Counts,
    /// What was counted of the reference.
    pub of_reference: Counts,
    /// The same of each source, up to the last that has records.
    pub sources: Vec<SourceCounts>,
    /// A checksum of all that was read.
    pub checksum: u64,
    /// What of it is there to be compared with only.
    pub reference: Reference,
    /// The labels of each field of them that is read.
    pub(crate) labels: Vec<Labels>,
    /// The place among these of the one that all documents of a cluster have.
    pub(crate) within: Option<usize>,
    /// The place of the one that the documents of a pair have different values of.
    pub(crate) across: Option<usize>,
    /// The [level](level) of the content of each; empty where near-duplicates are not counted.
    pub(crate) levels: Vec<u8>,
    /// What any keep rule goes by.
    pub(crate) measures: Measures,
    /// Those with few features.
    pub(crate) few: Marks,
}

/// What any keep rule goes by: lists that are empty where nobody asked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Measures {
    /// Bytes of each text.
    pub(crate) lengths: Vec<u64>,
    /// The [order](Score::order) of each score, those of a document one behind the other; 0 where it has none.
    pub(crate) scores: Vec<u128>,
}

impl Measures {
    /// What rules find each document worth, each by the score of a place: empty where they go by something else.
    pub(crate) fn worths(&self, rules: &[(KeepRule, usize)]) -> Vec<u128> {
        let of_one = self.scores.len() / self.lengths.len().max(1);
        let worths = |(document, length): (usize, &u64)| {
            let (length, first) = (*length, document * of_one);
            let score = move |at| self.scores.get(first + at).copied().filter(|score| *score > 0);
            rules.iter().filter_map(move |(rule, at)| rule.worth(length, score(*at)))
        };
        self.lengths.iter().enumerate().flat_map(worths).collect()
    }

    fn held_bytes(&self) -> usize {
        size_of_val(&*self.lengths) + size_of_val(&*self.scores)
    }
}

impl Documents {
    /// No documents yet, whose fingerprints will have a width.
    #[must_use]
    pub fn new(width: Width) -> Self {
        Self {
            fingerprints: CodeList::new(width),
            codes: Vec::new(),
            worths: Vec::new(),
            contents: Vec::new(),
            keys: Vec::new(),
            ids: Ids::default(),
            left_out: Vec::new(),
            degenerate: Vec::new(),
            counts: Counts::default(),
            of_reference: Counts::default(),
            sources: Vec::new(),
            checksum: 0,
            reference: Reference::default(),
            labels: Vec::new(),
            within: None,
            across: None,
            levels: Vec::new(),
            measures: Measures::default(),
            few: Marks::default(),
        }
    }

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
        let mut search_input = SearchInput::Fingerprints { verified: false };
        Self::read_with(reading, sources, wanted, &mut search_input, progress)
    }

    /// As [`read`](Self::read); keeps what the search needs in `search_input`, too.
    pub(crate) fn read_with(
        reading: &Reading,
        sources: &[Source],
        wanted: Wanted,
        search_input: &mut SearchInput,
        progress: &Progress,
    ) -> Result<Self, Error> {
        let ids = if wanted.ids { Ids::listed() } else { Ids::Absent };
        let task = search_input.task();
        let labels = vec![Labels::default(); reading.fields.labels.len()];
        let new = Self::new(reading.content.width());
        let Wanted { within, across, .. } = wanted;
        let mut documents = Self { ids, labels, within, across, ..new };
        let mut repeated = RepeatedIds::new(search_input.dir());
        let mut records = 0;
        let sources = (sources, wanted.reference);
        let notes = wanted.notes;
        let packing = search_input.packer().map(|packer| (packer, wanted.featureless));
        let (seen, few) = reading.sketches_seen(
            &task,
            sources,
            notes,
            progress,
            packing,
            &mut |mut sketch| {
                sketch.id_hashes.iter().try_for_each(|hash| repeated.push(*hash))?;
                documents.take(&mut sketch, records, wanted, search_input)?;
                records += sketch.records.len() as u64;
                Ok(())
            },
        )?;
        seen.check(&reading.fields, [within, across])?;
        documents.counts.repeated_ids = repeated.count()?;
        documents.counts.noted = seen.ours.noted;
        documents.counts.few_documents = few.ours;
        documents.of_reference.few_documents = few.reference;
        Ok(documents)
    }

    /// Bytes that stay in memory.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        self.fingerprints.len() * self.bytes_a_fingerprint()
            + size_of_val(&*self.codes)
            + size_of_val(&*self.left_out)
            + size_of_val(&*self.degenerate)
            + size_of_val(&*self.worths)
            + size_of_val(&*self.contents)
            + size_of_val(&*self.keys)
            + self.ids.held_bytes()
            + size_of_val(&*self.levels)
            + self.measures.held_bytes()
            + self.few.held_bytes()
            + self.labels.iter().map(Labels::held_bytes).sum::<usize>()
    }

    /// The number of the group of each document, of which no two are near each other; none where there are no groups.
    pub(crate) fn groups(&self) -> &[u32] {
        let labels = self.within.and_then(|at| self.labels.get(at));
        labels.map_or(&[], Labels::of_documents)
    }

    /// The labels of which two documents that are near each other have different ones; none where there are none.
    pub(crate) fn sides(&self) -> Option<&Labels> {
        self.across.and_then(|at| self.labels.get(at))
    }

    /// Whether two documents that are similar are a pair.
    pub(crate) fn are_pair(&self, a: DocumentNumber, b: DocumentNumber) -> bool {
        self.sides().is_none_or(|labels| labels.of(a) != labels.of(b))
    }

    /// Every document that the radius joins, ascending: all but those that are [left apart](LeftApart).
    pub fn joined(&self) -> impl Iterator<Item = DocumentNumber> + Clone + '_ {
        joined(self.len(), &self.degenerate)
    }

    /// Bytes of a fingerprint in memory.
    fn bytes_a_fingerprint(&self) -> usize {
        8 * self.fingerprints.width().words()
    }

    /// The number of bits in which the fingerprints of two documents differ.
    pub(crate) fn distance(&self, a: DocumentNumber, b: DocumentNumber) -> u32 {
        self.fingerprints.codes().distance(a.index(), b.index())
    }

    /// What tells the distance of the fingerprints of two documents, for many of them.
    ///
    /// Of documents without fingerprints, whose distances are for nobody, it is 0.
    pub(crate) fn distances(&self) -> Box<Distance<'_>> {
        if !self.are_signed() {
            return Box::new(|_, _| 0);
        }
        at_width!(self.fingerprints.codes() => codes, Box::new(move |a: DocumentNumber, b: DocumentNumber| {
            let [a, b] = [a, b].map(|one| entry(codes, one.index()));
            a.distance(&b)
        }))
    }

    /// What later readings go by.
    pub(crate) fn first_reading(&self) -> FirstReading<'_> {
        let (reference, checksum) = (self.reference, self.checksum);
        FirstReading { left_out: &self.left_out, reference, checksum }
    }

    /// The number of documents: each has a fingerprint, or the code of its sketch, or both.
    #[must_use]
    pub fn len(&self) -> usize {
        self.fingerprints.len().max(self.codes.len())
    }

    /// Whether no document has a feature.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether each has a fingerprint.
    pub(crate) fn are_signed(&self) -> bool {
        self.fingerprints.len() == self.len()
    }

    /// The number of each document among all records.
    pub fn records(&self) -> impl Iterator<Item = u64> + '_ {
        let mut left_out = self.left_out.iter().map(|left_out| left_out.record.0).peekable();
        let records = (0_u64..).filter(move |record| left_out.next_if_eq(record).is_none());
        records.take(self.len())
    }

    pub(crate) fn take(
        &mut self,
        sketch: &mut SketchedBatch,
        first_record: u64,
        wanted: Wanted,
        search_input: &mut SearchInput,
    ) -> Result<(), Error> {
        for packed in std::mem::take(&mut sketch.packed) {
            search_input.take(packed)?;
        }
        let sketch = &*sketch;
        let mut bands =
            sketch.bands.chunks_exact(search_input.bytes(self.fingerprints.width().words()).max(1));
        let mut codes = sketch.codes.iter();
        let mut labels = sketch.labels.chunks_exact(self.labels.len().max(1));
        let mut all_ties = sketch.ties();
        let mut named = sketch.named.iter().copied();
        let is_reference = sketch.source < wanted.reference;
        for (record, (outcome, id)) in (first_record..).zip(sketch.packed()) {
            let ties = all_ties.next().unwrap_or_default();
            let labels = labels.next().unwrap_or_default();
            let outcome = outcome.labelled(labels, wanted.within);
            let (before, left_out) = (self.len(), self.left_out.len());
            let (bands, code) = (bands.next(), codes.next().copied());
            self.push((record, &outcome, id), bands, code, wanted, search_input);
            let is_named = named.next().unwrap_or_default();
            if wanted.keys && self.len() > before {
                self.keys.push(match is_named {
                    true => xxh3_64(Id::key(unpack(id).0).as_bytes()),
                    false => short(outcome.content_hash),
                });
            }
            let is_empty = self.left_out.get(left_out).is_some_and(|one| one.empty);
            if is_empty && !is_reference {
                let all = self.labels.iter_mut().zip(labels);
                all.for_each(|(all, one)| all.push_featureless(one.as_deref()));
            }
            if self.len() > before {
                self.labels.iter_mut().zip(labels).for_each(|(all, one)| all.push(one.as_deref()));
                self.worths.extend(wanted.ties.worths(ties));
                if wanted.scores {
                    let orders = ties.iter().map(|score| score.map_or(0, Score::order));
                    self.measures.scores.extend(orders);
                }
            }
        }
        let counts = if is_reference { &mut self.of_reference } else { &mut self.counts };
        counts.add(sketch);
        SourceCounts::add(&mut self.sources, sketch, wanted.featureless);
        self.checksum = mix64(self.checksum ^ sketch.checksum);
        if is_reference {
            self.reference = Reference {
                records: first_record + sketch.records.len() as u64,
                documents: self.len() as u64,
                checksum: self.checksum,
            };
        }
        Ok(())
    }
}

impl Documents {
    /// Takes a record with what it turned out to be and its id, and its sketch with the code of it where there is one.
    pub(crate) fn push(
        &mut self,
        (record, outcome, id): (u64, &Sketched, &str),
        bands: Option<&[u8]>,
        code: Option<Fingerprint128>,
        wanted: Wanted,
        search_input: &mut SearchInput,
    ) {
        if !outcome.is_compared(wanted.featureless) {
            let (record, empty) = (RecordNumber(record), outcome.state == State::Empty);
            self.left_out.push(LeftOut { record, empty });
            return;
        }
        let document = DocumentNumber(self.len() as u64);
        if let Some(bands) = bands {
            search_input.push(bands);
        }
        self.codes.extend(code);
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
        if search_input.is_signed() {
            self.fingerprints.push_or_zero(outcome.fingerprint);
        }
        self.few.push(outcome.few);
        self.worths.extend(wanted.keep.worth(outcome.length, outcome.score.map(Score::order)));
        if wanted.contents {
            self.contents.push(outcome.content_hash);
        }
        if wanted.lengths {
            self.measures.lengths.push(outcome.length);
        }
        if wanted.scores {
            self.measures.scores.push(outcome.score.map_or(0, Score::order));
        }
    }
}

/// The level of a content: of all contents a half have level 0, a quarter 1, an eighth 2, and so on. It is told by the bits
/// of the hash that are the same in every group.
pub(crate) fn level(content: u128) -> u8 {
    let bits = u64::try_from((content & GROUPLESS) >> 64).unwrap_or_default();
    u8::try_from(mix64(bits).leading_zeros()).unwrap_or_default()
}

/// The first `count` documents but for those of `degenerate`, which ascend.
pub(crate) fn joined(
    count: usize,
    degenerate: &[LeftApart],
) -> impl Iterator<Item = DocumentNumber> + Clone + '_ {
    let mut apart = degenerate.iter().map(|one| one.document).peekable();
    let all = (0..count as u64).map(DocumentNumber);
    all.filter(move |document| apart.next_if_eq(document).is_none())
}
