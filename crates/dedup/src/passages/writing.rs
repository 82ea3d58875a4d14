//! The last reading: documents are written without what goes, or with a note of it.

use crate::error::Error;
use crate::memory::spill::Entry;
use crate::passages::column::Column;
use crate::passages::corpus::{Checksums, Corpus};
use crate::passages::cut::{Joint, without};
use crate::passages::units::UnitReader;
use crate::progress::Stage;
use crate::read::few_documents::FileList;
use crate::read::sketch::OnError;
use crate::write::annotation::Annotation;
use crate::write::captures::Companions;
use crate::write::destination::Destination;
use crate::write::note_columns::NoteColumns;
use crate::write::note_names::Taken;
use crate::write::removed_files;
use crate::write::revisits::Revisits;
use nearprint_corpus::{Batch, NullText, Source};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The bytes of a text that an entry takes, and what stands there then; `None` where it takes the document.
type Part = Option<(Range<usize>, Joint)>;

/// Makes the note of a document with these entries.
type Noting<'a, E, N> = &'a (dyn Fn(&[E]) -> Result<N, Error> + Sync);

/// How documents are written: entries of a column say what goes of which.
pub(crate) struct Writing<'a, E, N> {
    /// Sources that are written.
    pub(crate) written: &'a [Source],
    /// The number of the first record of these.
    pub(crate) first: u64,
    /// The record of an entry.
    pub(crate) record: fn(&E) -> u32,
    /// What an entry takes.
    pub(crate) part: fn(&E) -> Part,
    /// Makes notes, where every document gets one and nothing is cut.
    pub(crate) note: Option<Noting<'a, E, N>>,
    /// Where the notes go in the sources that have columns.
    pub(crate) columns: &'a NoteColumns,
    /// What stands at a cut, where that was said.
    pub(crate) joint: Option<&'a str>,
    /// Whether a document that is left over in columns needs no bytes of its own.
    pub(crate) columns_alone: bool,
    /// Whether documents are counted of which cuts leave no token: they are where nobody did so before.
    pub(crate) counts_emptied: bool,
}

/// How many documents were written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WrittenCounts {
    /// Documents, those that could not be read not included.
    pub(crate) kept: u64,
    /// Of these, those of which cuts left no token, where they are counted.
    #[serde(default)]
    pub(crate) emptied: u64,
    /// Rows that have a field of their own by the usual name of a note.
    pub(crate) renamed: u64,
    /// Rows with a note in the place of one that an earlier run wrote.
    #[serde(default)]
    pub(crate) replaced: u64,
    /// Records of WARC that went with the response of their capture.
    #[serde(default)]
    pub(crate) others_removed: u64,
    /// Revisits of archives, and the responses that went.
    #[serde(default)]
    pub(crate) revisits: Revisits,
    /// Files of which no document stays.
    #[serde(default)]
    pub(crate) all_removed: FileList,
}

impl WrittenCounts {
    /// Adds those of files behind.
    pub(crate) fn merge(&mut self, other: Self) {
        self.kept += other.kept;
        self.emptied += other.emptied;
        self.renamed += other.renamed;
        self.replaced += other.replaced;
        self.others_removed += other.others_removed;
        self.revisits.add(other.revisits.names());
        self.all_removed.merge(other.all_removed);
    }
}

/// The documents of a file that is being written.
struct FileTally<'a> {
    sources: &'a [Source],
    /// Its place among these.
    at: usize,
    documents: u64,
    kept: u64,
}

impl FileTally<'_> {
    /// Goes on to the file of this place; what is behind the last ends it.
    fn begin(&mut self, at: usize, counts: &mut WrittenCounts) {
        if at == self.at {
            return;
        }
        if let Some(source) = self.sources.get(self.at).filter(|_| self.kept == 0) {
            removed_files::add(&mut counts.all_removed, source, self.documents);
        }
        counts.kept += self.kept;
        (self.at, self.documents, self.kept) = (at, 0, 0);
    }
}

/// A document of a batch.
enum Done<N> {
    /// It could not be read.
    Skipped,
    /// It leaves as it came.
    Same,
    /// It goes.
    Gone,
    /// What is left of its text, with the bytes of its record where that has some.
    Cut {
        text: String,
        raw: Vec<u8>,
        is_emptied: bool,
    },
    Noted(N),
}

/// A batch with what becomes of its documents.
struct Finished<N> {
    batch: Batch,
    documents: Vec<Done<N>>,
}

impl<E: Entry, N: Annotation + Send> Writing<'_, E, N> {
    /// Writes every document to `destination`, without committing it.
    ///
    /// # Errors
    /// Input that changed or cannot be read, output that cannot be written.
    pub(crate) fn write(
        &self,
        corpus: &Corpus<'_>,
        checksums: Checksums,
        gone: Column<E>,
        destination: &mut Destination,
    ) -> Result<WrittenCounts, Error> {
        let mut gone = gone.walk();
        let mut counts = WrittenCounts::default();
        let mut file = FileTally { sources: self.written, at: 0, documents: 0, kept: 0 };
        let mut companions = Companions::new(None);
        let corpus = &Corpus { sources: self.written, reference: 0, first: self.first, ..*corpus };
        corpus.reread(
            Stage::Write,
            [0, checksums[1]],
            |batch| {
                let end = corpus.end_of(batch);
                gone.take_while(|entry| u64::from((self.record)(entry)) < end)
            },
            |worker, planned| {
                let (batch, gone) = (&planned.batch, &planned.plan);
                let documents = self.documents(corpus, &mut worker.units, batch, gone)?;
                Ok(Finished { batch: planned.batch, documents })
            },
            |Finished { batch, documents }| {
                let source = batch.source_index();
                let columns = self.columns.of(source);
                file.begin(source, &mut counts);
                // Where documents go, the records of their captures go with them.
                let held = self.note.is_none() && batch.format().is_archive();
                companions.begin(&batch, held, destination)?;
                if held {
                    batch.carried().for_each(|carried| counts.revisits.see(&carried));
                }
                for (at, (record, done)) in batch.records().zip(&documents).enumerate() {
                    companions.carry(&batch, at, columns, destination)?;
                    let stays = !matches!(done, Done::Skipped | Done::Gone);
                    companions.decide(&record, stays, destination)?;
                    if held && matches!(done, Done::Gone) {
                        counts.revisits.lose(&record);
                    }
                    file.documents += u64::from(!matches!(done, Done::Skipped));
                    file.kept += u64::from(stays);
                    let (format, reading) = (batch.format(), corpus.reading);
                    match done {
                        Done::Skipped | Done::Gone => {}
                        Done::Same => {
                            let place = (None, Taken::default());
                            destination.write::<N>(&record, format, reading, None, place)?;
                        }
                        Done::Cut { text, raw, is_emptied } => {
                            counts.emptied += u64::from(*is_emptied);
                            destination.write_text(&record, format, reading, text, raw)?;
                        }
                        Done::Noted(note) => {
                            let (note, place) = (Some(note), (columns, self.columns.taken()));
                            let manner =
                                destination.write(&record, format, reading, note, place)?;
                            counts.renamed += u64::from(manner.renamed);
                            counts.replaced += u64::from(manner.replaced);
                        }
                    }
                }
                companions.carry(&batch, batch.len(), columns, destination)
            },
        )?;
        companions.end(destination)?;
        counts.others_removed = companions.removed();
        file.begin(self.written.len(), &mut counts);
        Ok(counts)
    }

    /// What becomes of the documents of a batch.
    fn documents(
        &self,
        corpus: &Corpus<'_>,
        units: &mut UnitReader,
        batch: &Batch,
        gone: &[E],
    ) -> Result<Vec<Done<N>>, Error> {
        let reading = corpus.reading;
        let may_skip =
            reading.on_error == OnError::Skip || reading.fields.null_text == NullText::Skip;
        let mut gone = gone;
        let mut documents = Vec::with_capacity(batch.len());
        for (number, record) in (corpus.first + batch.first_record()..).zip(batch.records()) {
            let of_record = gone.partition_point(|entry| u64::from((self.record)(entry)) <= number);
            let (own, rest) = gone.split_at(of_record);
            gone = rest;
            documents.push(if let Some(note) = self.note {
                match corpus.document(&record) {
                    Ok(_) => Done::Noted(note(own)?),
                    Err(_) => Done::Skipped,
                }
            } else if own.is_empty() {
                match may_skip && corpus.document(&record).is_err() {
                    true => Done::Skipped,
                    false => Done::Same,
                }
            } else if own.iter().any(|entry| (self.part)(entry).is_none()) {
                Done::Gone
            } else {
                let document = corpus.document(&record).map_err(|_| Error::InputChanged)?;
                let parts = own.iter().filter_map(self.part);
                let text = without(&document.text, parts, self.joint);
                let is_emptied =
                    self.counts_emptied && text.lines().all(|line| units.hashes(line).1 == 0);
                let raw = match self.columns_alone {
                    true => Vec::new(),
                    false => record.with_text(&corpus.reading.fields, &text)?,
                };
                Done::Cut { text, raw, is_emptied }
            });
        }
        Ok(documents)
    }
}
