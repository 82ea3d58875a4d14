//! One batch of records to fingerprints: what a worker thread does. Reading the batches and keeping
//! the results are the affair of [`crate::documents`].

use crate::error::Error;
use nearprint_corpus::batch::Batch;
use nearprint_corpus::document::{Document, Fields, InvalidUtf8};
use nearprint_corpus::record::Record;
use nearprint_fingerprint::error::RecipeError;
use nearprint_fingerprint::fingerprint::Fingerprint;
use nearprint_fingerprint::fingerprinter::Fingerprinter;
use nearprint_fingerprint::hash::mix64;
use nearprint_fingerprint::recipe::Recipe;
use xxhash_rust::xxh3::xxh3_64;

/// What happens to a record that cannot be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnError {
    /// The job ends with an error that names it.
    #[default]
    Fail,
    /// It is left out and counted. Invalid UTF-8 is replaced and counted.
    Skip,
}

/// Where the fingerprint of a record comes from.
#[derive(Clone, Debug)]
pub enum Content {
    /// Its text, by a recipe.
    Text(Recipe),
    /// It is there already, as hexadecimal digits.
    Hex,
}

/// What a record turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// A document with features.
    Full,
    /// A document with fewer tokens than a shingle.
    TooShort,
    /// A document without any feature.
    Empty,
    /// No document: left out because of an error.
    Skipped,
}

/// A record's outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sketched<const WORDS: usize> {
    /// What it turned out to be.
    pub state: State,
    /// Its fingerprint; 0 where it has none.
    pub fingerprint: Fingerprint<WORDS>,
    /// Bytes of its text.
    pub length: u64,
}

/// The outcomes of a batch, record by record.
#[derive(Debug)]
pub struct Sketch<const WORDS: usize> {
    /// One outcome a record.
    pub records: Vec<Sketched<WORDS>>,
    /// The ids as JSON text, joined; those of skipped records are empty.
    pub ids: String,
    /// Where each id ends in `ids`.
    pub id_ends: Vec<usize>,
    /// Hashes of the ids that the documents state themselves.
    pub id_hashes: Vec<u64>,
    /// Documents whose text had invalid UTF-8 replaced.
    pub replaced_utf8: u64,
    /// What went wrong, in order.
    pub errors: Vec<Error>,
    /// Bytes of the records as they lie in the file, decompressed.
    pub bytes: u64,
    /// A checksum of those bytes.
    pub checksum: u64,
}

/// A worker: a fingerprinter with its memory, and how to read a record.
pub struct Sketcher<'a, const WORDS: usize> {
    fingerprinter: Option<Fingerprinter<WORDS>>,
    fields: &'a Fields,
    on_error: OnError,
}

impl<'a, const WORDS: usize> Sketcher<'a, WORDS> {
    /// A worker for one thread.
    ///
    /// # Errors
    /// The recipe's width must be `WORDS` x 64 bits.
    pub fn new(
        content: &Content,
        fields: &'a Fields,
        on_error: OnError,
    ) -> Result<Self, RecipeError> {
        let fingerprinter = match content {
            Content::Text(recipe) => Some(Fingerprinter::new(recipe)?),
            Content::Hex => None,
        };
        Ok(Self { fingerprinter, fields, on_error })
    }

    /// The outcomes of one batch.
    pub fn sketch(&mut self, batch: &Batch) -> Sketch<WORDS> {
        let mut sketch = Sketch::empty(batch.len());
        sketch.checksum = checksum(batch);
        for record in batch.records() {
            sketch.bytes += record.raw().len() as u64;
            let outcome = self.record(&record, &mut sketch).unwrap_or_else(|error| {
                sketch.errors.push(error);
                let fingerprint = Fingerprint::ZERO;
                Sketched { state: State::Skipped, fingerprint, length: 0 }
            });
            sketch.records.push(outcome);
            sketch.id_ends.push(sketch.ids.len());
        }
        sketch
    }

    fn record(
        &mut self,
        record: &Record<'_>,
        sketch: &mut Sketch<WORDS>,
    ) -> Result<Sketched<WORDS>, Error> {
        let invalid = match self.on_error {
            OnError::Fail => InvalidUtf8::Fail,
            OnError::Skip => InvalidUtf8::Replace,
        };
        let document =
            record.document(self.fields, invalid).map_err(|error| self.explain(record, error))?;
        let (state, fingerprint) = self.fingerprint(record, &document)?;
        sketch.replaced_utf8 += u64::from(document.replaced_utf8);
        if let Some(id) = &document.id {
            sketch.id_hashes.push(xxh3_64(id.as_json().as_bytes()));
            sketch.ids.push_str(id.as_json());
        } else if self.fingerprinter.is_some() {
            sketch.ids.push_str(record.default_id().as_json());
        }
        Ok(Sketched { state, fingerprint, length: document.text.len() as u64 })
    }

    /// An error in the terms of rows that hold fingerprints, where these are read: the flags for
    /// texts do not help there.
    fn explain(&self, record: &Record<'_>, error: nearprint_corpus::error::Error) -> Error {
        use nearprint_corpus::error::Error as Corpus;
        let problem = match (&self.fingerprinter, &error) {
            (None, Corpus::TextMissing { field, present, .. }) => {
                format!("the row has no field \"{field}\"; it has {present}")
            }
            (None, Corpus::TextType { field, found, .. }) => {
                format!("the field \"{field}\" must be a string of hex digits, found {found}")
            }
            _ => return error.into(),
        };
        let place = format!("{}:{}", record.source().name(), record.line());
        Error::StoredFingerprint { place, problem }
    }

    fn fingerprint(
        &mut self,
        record: &Record<'_>,
        document: &Document<'_>,
    ) -> Result<(State, Fingerprint<WORDS>), Error> {
        let Some(fingerprinter) = &mut self.fingerprinter else {
            let parsed = document.text.parse::<Fingerprint<WORDS>>();
            let fingerprint = parsed.map_err(|problem| Error::StoredFingerprint {
                place: format!("{}:{}", record.source().name(), record.line()),
                problem: format!(
                    "field \"{}\": {problem}; every row has a fingerprint of the first row's width",
                    self.fields.text
                ),
            })?;
            let empty = fingerprint == Fingerprint::ZERO;
            return Ok((if empty { State::Empty } else { State::Full }, fingerprint));
        };
        let outcome = fingerprinter.fingerprint(&document.text);
        let state = match (outcome.flags.empty, outcome.flags.short) {
            (true, _) => State::Empty,
            (_, true) => State::TooShort,
            _ => State::Full,
        };
        Ok((state, outcome.fingerprint))
    }
}

impl<const WORDS: usize> Sketch<WORDS> {
    fn empty(records: usize) -> Self {
        Self {
            records: Vec::with_capacity(records),
            ids: String::new(),
            id_ends: Vec::with_capacity(records),
            id_hashes: Vec::new(),
            replaced_utf8: 0,
            errors: Vec::new(),
            bytes: 0,
            checksum: 0,
        }
    }

    /// What became of a part of the input that could not be read at all.
    pub(crate) fn unreadable(error: Error) -> Self {
        Self { errors: vec![error], ..Self::empty(0) }
    }

    /// Each record's outcome with its id as JSON text.
    pub fn iter(&self) -> impl Iterator<Item = (&Sketched<WORDS>, &str)> {
        let starts = std::iter::once(0).chain(self.id_ends.iter().copied());
        let ids = starts.zip(&self.id_ends).map(|(start, end)| self.ids.get(start..*end));
        self.records.iter().zip(ids.map(Option::unwrap_or_default))
    }
}

/// A checksum of the records of a batch and of their borders.
pub(crate) fn checksum(batch: &Batch) -> u64 {
    batch.records().fold(0, |sum, record| mix64(sum ^ xxh3_64(record.raw())))
}
