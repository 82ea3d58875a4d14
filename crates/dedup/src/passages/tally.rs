//! What a reading tells of its records: how many there are, what is wrong with some, whose ids repeat.

use crate::error::Error;
use crate::passages::corpus::Corpus;
use crate::read::by_reason::ByReason;
use crate::read::counts::Counts;
use crate::read::few_documents::FileTally;
use crate::read::fields_seen::{FieldsByPart, FieldsSeen};
use crate::read::names::FilePlaces;
use crate::read::reading::explained;
use crate::read::repeated_ids::RepeatedIds;
use nearprint_corpus::{Batch, Document, Fields, Id, Record, Source};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// What a worker tells of a batch.
#[derive(Default)]
pub(crate) struct BatchTally {
    source: usize,
    records: u64,
    pub(crate) counts: Counts,
    errors: Vec<Error>,
    others: ByReason,
    pub(crate) tokens: u64,
    id_hashes: Vec<u64>,
    fields: FieldsSeen,
}

/// What all batches tell so far.
pub(crate) struct Tally<'a> {
    corpus: &'a Corpus<'a>,
    tallied: Tallied,
    repeated_ids: RepeatedIds,
    fields: FieldsByPart,
    files: FileTally<'a>,
}

/// What a reading tells of all its records.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Tallied {
    /// Of the corpus, but for the reference; ids that repeat are those of all.
    pub(crate) counts: Counts,
    /// Of the reference.
    pub(crate) of_reference: Counts,
    /// Records of each source, those apart at the end that have none.
    pub(crate) records: Vec<u64>,
    /// Of all records, how many are there to be compared with only.
    pub(crate) reference: u64,
    /// Tokens of each source.
    pub(crate) tokens: Vec<u64>,
}

impl BatchTally {
    /// Of a batch none of whose records was looked at.
    pub(crate) fn of(batch: &Batch, fields: &Fields) -> Self {
        Self {
            source: batch.source_index(),
            records: batch.len() as u64,
            others: ByReason::of_archive(batch),
            errors: batch.check_columns(fields).err().map(Error::from).into_iter().collect(),
            ..Self::default()
        }
    }

    /// Adds a document.
    pub(crate) fn add(&mut self, fields: &Fields, record: &Record<'_>, document: &Document<'_>) {
        let Document { id, score, ties, tag, labels, .. } = document;
        let there = [id.is_some(), score.is_some(), tag.is_some()];
        let there = FieldsSeen::there(fields, there);
        self.fields.add(record, there, (labels, *score, ties), document.parts);
        self.counts.documents += 1;
        self.counts.replaced_utf8 += u64::from(document.replaced_utf8);
        self.counts.pages.add_document(document);
        let hash = |id: &Id<'_>| xxh3_64(Id::key(id.as_json()).as_bytes());
        self.id_hashes.extend(id.as_ref().map(hash));
    }

    /// Adds the tokens of a document.
    pub(crate) fn add_tokens(&mut self, tokens: usize) {
        self.tokens += tokens as u64;
        self.counts.empty += u64::from(tokens == 0);
    }

    /// Adds a record that is no document.
    pub(crate) fn fail(&mut self, error: Error) {
        self.errors.push(error);
    }
}

impl<'a> Tally<'a> {
    pub(crate) fn new(corpus: &'a Corpus<'a>) -> Self {
        Self {
            corpus,
            tallied: Tallied::default(),
            repeated_ids: RepeatedIds::new(Some(corpus.dir)),
            fields: FieldsByPart::default(),
            files: FileTally::new(corpus.sources, corpus.reading.fail_on_empty)
                .with_reference(corpus.reference),
        }
    }

    /// Adds a batch, which comes behind all before it.
    ///
    /// # Errors
    /// A record that cannot be read, where that ends the job.
    pub(crate) fn take(&mut self, mut batch: BatchTally) -> Result<(), Error> {
        let reading = self.corpus.reading;
        if let Some(at) = batch.errors.iter().position(|error| reading.ends_with(error)) {
            let source = self.corpus.sources.get(batch.source);
            return Err(explained(batch.errors.swap_remove(at), source, self.corpus.progress));
        }
        let tallied = &mut self.tallied;
        if tallied.records.len() <= batch.source {
            tallied.records.resize(batch.source + 1, 0);
            tallied.tokens.resize(batch.source + 1, 0);
        }
        if let Some(tokens) = tallied.tokens.get_mut(batch.source) {
            *tokens += batch.tokens;
        }
        if let Some(records) = tallied.records.get_mut(batch.source) {
            *records += batch.records;
        }
        let is_reference = batch.source < self.corpus.reference;
        if is_reference {
            tallied.reference += batch.records;
        }
        let (content, other) = batch.others.content();
        let first = batch.errors.first().map(ToString::to_string);
        let (records, documents) = (batch.records + content, batch.counts.documents);
        self.files.add(batch.source, records, documents, || first.or(other))?;
        batch.counts.others = batch.others.total;
        batch.counts.other_records = batch.others;
        batch.errors.iter().for_each(|error| batch.counts.skip(error));
        let counts = if is_reference { &mut tallied.of_reference } else { &mut tallied.counts };
        counts.merge(batch.counts);
        self.fields.add(is_reference, &batch.fields);
        batch.id_hashes.iter().try_for_each(|hash| self.repeated_ids.push(*hash))
    }

    /// What cannot be read at all.
    pub(crate) fn fail(&mut self, error: Error) -> Result<(), Error> {
        if self.corpus.reading.ends_with(&error) {
            return Err(explained(error, None, self.corpus.progress));
        }
        self.tallied.counts.skip(&error);
        self.files.fail(&error)
    }

    /// # Errors
    /// Those of [`lacking`](Self::lacking); a field that was asked for and no row has.
    pub(crate) fn finish(self) -> Result<Tallied, Error> {
        self.fields.check(&self.corpus.reading.fields, [None, None])?;
        self.lacking()
    }

    /// The same of rows that may lack any field.
    ///
    /// # Errors
    /// Files that give few documents, where that ends the job.
    pub(crate) fn lacking(self) -> Result<Tallied, Error> {
        let (mut tallied, ids, _) = self.of_part()?;
        tallied.counts.repeated_ids = ids.count()?;
        Ok(tallied)
    }

    /// What a part of the input tells, with its ids and the fields that were seen, of which the whole decides.
    ///
    /// # Errors
    /// Files that give few documents, where that ends the job.
    pub(crate) fn of_part(self) -> Result<(Tallied, RepeatedIds, FieldsByPart), Error> {
        let mut tallied = self.tallied;
        let few = self.files.end_by_part()?;
        tallied.counts.few_documents = few.ours;
        tallied.of_reference.few_documents = few.reference;
        Ok((tallied, self.repeated_ids, self.fields))
    }
}

/// Where the documents of each source stand, of which there are so many records, where ids repeat.
pub(crate) fn places<'a>(
    counts: &Counts,
    records: &[u64],
    sources: &'a [Source],
) -> Option<FilePlaces<'a>> {
    if counts.repeated_ids == 0 {
        return None;
    }
    let mut first = 0;
    let starts = records.iter().zip(sources).map(|(records, source)| {
        first += records;
        (first - records, source.name())
    });
    Some(FilePlaces::of_records(starts.collect()))
}
