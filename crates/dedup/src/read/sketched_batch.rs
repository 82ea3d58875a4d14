//! What the records of a batch turned out to be. How that is found is handled by [`crate::read::sketch`].

use crate::error::Error;
use crate::memory::columns::{Packed, Packer};
use crate::read::by_reason::ByReason;
use crate::read::fields_seen::FieldsSeen;
use crate::read::ids::{pack, unpack};
use crate::read::pages::Pages;
use crate::read::sketched::{Sketched, State};
use nearprint_corpus::{Id, Record, Score};
use nearprint_fingerprint::Fingerprint128;
use nearprint_rules::Featureless;
use xxhash_rust::xxh3::xxh3_64;

/// The outcomes of a batch, record by record.
#[derive(Debug)]
pub struct SketchedBatch {
    /// One outcome a record.
    pub records: Vec<Sketched>,
    /// The ids as JSON text, joined, each with the id of its record in an archive [packed](pack) behind it; those of
    /// skipped records are empty.
    pub(crate) ids: String,
    /// Where each id ends in `ids`.
    pub id_ends: Vec<usize>,
    /// Hashes of the ids that the documents state themselves.
    pub id_hashes: Vec<u64>,
    /// Whether each record states one.
    pub(crate) named: Vec<bool>,
    /// Documents whose text had invalid UTF-8 replaced.
    pub replaced_utf8: u64,
    /// Pages whose main text was not found.
    pub pages: Pages,
    /// The [objects](nearprint_corpus::Fields::metadata) of the records, where they are asked for.
    pub metadata: Vec<Option<String>>,
    /// The [labels](nearprint_corpus::Fields::labels) of the records one behind the other, where they are asked for.
    pub(crate) labels: Vec<Option<String>>,
    /// The scores that [break ties](nearprint_corpus::Fields::ties) between the records, where they are asked for.
    pub(crate) ties: Vec<Option<Score>>,
    /// The fields that were found in rows.
    pub fields: FieldsSeen,
    /// WARC records among them that are no documents.
    pub others: ByReason,
    /// The sketches of the records one behind the other, where those are asked for; zeros where a record
    /// is no document that may be near others.
    pub bands: Vec<u8>,
    /// Those sketches, packed as columns, where that is asked for: then `bands` are those of the records behind.
    pub(crate) packed: Vec<Packed>,
    pub(crate) packed_records: usize,
    /// The [code](nearprint_fingerprint::BandShape::code) of each sketch.
    pub(crate) codes: Vec<Fingerprint128>,
    /// The keys of the features of such records, where those are asked for, each record's ascending.
    pub keys: Vec<u64>,
    /// The weights of these features, where they are asked for.
    pub weights: Vec<f64>,
    /// Where the keys of each record end, where they are asked for.
    pub key_ends: Vec<usize>,
    /// What went wrong, in order.
    pub errors: Vec<Error>,
    /// Bytes of the records as they lie in the file, decompressed.
    pub bytes: u64,
    /// A checksum of those bytes.
    pub checksum: u64,
    /// The place of their source among those that are read.
    pub source: usize,
    /// Whether features decide in the end, so that a single one of more than half of all weight is no obstacle.
    pub verified: bool,
}

impl SketchedBatch {
    /// No outcome yet, of about so many.
    pub(crate) fn empty(records: usize) -> Self {
        Self {
            records: Vec::with_capacity(records),
            ids: String::new(),
            id_ends: Vec::with_capacity(records),
            id_hashes: Vec::new(),
            named: Vec::with_capacity(records),
            replaced_utf8: 0,
            pages: Pages::default(),
            metadata: Vec::new(),
            labels: Vec::new(),
            ties: Vec::new(),
            fields: FieldsSeen::default(),
            others: ByReason::default(),
            bands: Vec::new(),
            packed: Vec::new(),
            packed_records: 0,
            codes: Vec::new(),
            keys: Vec::new(),
            weights: Vec::new(),
            key_ends: Vec::new(),
            errors: Vec::new(),
            bytes: 0,
            checksum: 0,
            source: usize::MAX,
            verified: false,
        }
    }

    /// Notes the id of a document, or where it stands, if it names none and `default` is its record.
    pub(crate) fn name(
        &mut self,
        id: Option<&Id<'_>>,
        default: Option<&Record<'_>>,
        replaced_utf8: bool,
    ) {
        self.replaced_utf8 += u64::from(replaced_utf8);
        if let Some(id) = id {
            self.name_as(id.as_json());
        } else if let Some(record) = default {
            self.ids.push_str(record.default_id().as_json());
        }
    }

    /// Names a document by the JSON of its id, which others may have too.
    pub(crate) fn name_as(&mut self, id: &str) {
        self.id_hashes.push(xxh3_64(Id::key(id).as_bytes()));
        self.ids.push_str(id);
    }

    /// Notes what its archive calls the document that was named last.
    pub(crate) fn name_record(&mut self, record: Option<&Id<'_>>) {
        record.into_iter().for_each(|record| pack(&mut self.ids, record.as_json()));
    }

    /// What became of a part of the input that could not be read at all.
    pub(crate) fn unreadable(error: Error) -> Self {
        Self { errors: vec![error], ..Self::empty(0) }
    }

    /// How many of its records, and of those that it does not hold, are or might have been documents; and how many are.
    pub(crate) fn shares(&self) -> (u64, u64) {
        let skipped = self.records.iter().filter(|r| r.state == State::Skipped).count();
        (self.records.len() as u64 + self.others.content().0, (self.records.len() - skipped) as u64)
    }

    /// What is wrong with the first record that is no document, and where it is.
    pub(crate) fn why(&self) -> Option<String> {
        let error = self.errors.first().map(ToString::to_string);
        error.or_else(|| self.others.content().1)
    }

    /// Packs the sketches that are not yet, of its documents, where those without features are handled so.
    pub(crate) fn pack(&mut self, packer: &Packer, featureless: Featureless) {
        let records = self.records.iter().skip(self.packed_records);
        let are_documents = records.map(|record| record.is_compared(featureless));
        self.packed.push(packer.pack(&self.bands, are_documents));
        self.bands.clear();
        self.packed_records = self.records.len();
    }

    /// Takes out an error, with its record and all that is behind it.
    pub(crate) fn cut(&mut self, error: usize) -> Error {
        let skipped = self.records.iter().enumerate().filter(|(_, r)| r.state == State::Skipped);
        // An error without a record comes behind all records.
        let records = skipped.map(|(at, _)| at).nth(error).unwrap_or(self.records.len());
        let bands = self.bands.len() / self.records.len().max(1);
        self.bands.truncate(records * bands);
        self.codes.truncate(records);
        let labels = self.labels.len() / self.records.len().max(1);
        self.labels.truncate(records * labels);
        let ties = self.ties.len() / self.records.len().max(1);
        self.ties.truncate(records * ties);
        self.records.truncate(records);
        self.id_ends.truncate(records);
        self.named.truncate(records);
        self.ids.truncate(self.id_ends.last().copied().unwrap_or(0));
        self.key_ends.truncate(records);
        self.keys.truncate(self.key_ends.last().copied().unwrap_or(0));
        self.weights.truncate(self.keys.len());
        self.errors.truncate(error + 1);
        self.errors.swap_remove(error)
    }

    /// The scores that break ties between the records, record by record.
    pub(crate) fn ties(&self) -> impl Iterator<Item = &[Option<Score>]> {
        let of_one = self.ties.len() / self.records.len().max(1);
        let scores = move |at: usize| self.ties.get(at * of_one..(at + 1) * of_one);
        (0..self.records.len()).map(move |at| scores(at).unwrap_or_default())
    }

    /// The sketch of a record, the keys of its features and their weights; empty where they are not asked for.
    #[must_use]
    pub fn compared(&self, record: usize) -> (&[u8], &[u64], &[f64]) {
        let bytes = self.bands.len() / self.records.len().max(1);
        let bands = self.bands.get(record * bytes..(record + 1) * bytes).unwrap_or_default();
        let end = |at: Option<usize>| at.and_then(|at| self.key_ends.get(at)).copied().unwrap_or(0);
        let range = end(record.checked_sub(1))..end(Some(record));
        let (keys, weights) = (self.keys.get(range.clone()), self.weights.get(range));
        (bands, keys.unwrap_or_default(), weights.unwrap_or_default())
    }

    /// Each record's outcome with its id as JSON text.
    pub fn iter(&self) -> impl Iterator<Item = (&Sketched, &str)> {
        self.packed().map(|(outcome, id)| (outcome, unpack(id).0))
    }

    /// The same with ids as [`Ids`](crate::read::ids::Ids) takes them.
    pub(crate) fn packed(&self) -> impl Iterator<Item = (&Sketched, &str)> {
        let starts = std::iter::once(0).chain(self.id_ends.iter().copied());
        let ids = starts.zip(&self.id_ends).map(|(start, end)| self.ids.get(start..*end));
        self.records.iter().zip(ids.map(Option::unwrap_or_default))
    }
}
