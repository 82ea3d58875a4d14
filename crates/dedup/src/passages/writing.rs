//! The last reading: documents are written without what goes, or with a note of it.

use crate::error::Error;
use crate::passages::column::Column;
use crate::passages::corpus::{Checksums, Corpus};
use crate::passages::cut::without;
use crate::passages::cutting::{CutOf, Kind};
use crate::passages::note::PassagesNote;
use crate::progress::Stage;
use crate::read::sketch::OnError;
use crate::write::survivors::Destination;
use nearprint_corpus::{Batch, NullText, Source};

/// How documents are written.
#[derive(Clone, Copy)]
pub(crate) struct Writing<'a> {
    /// Sources that are written.
    pub(crate) written: &'a [Source],
    /// The number of the first record of these.
    pub(crate) first: u64,
    /// Whether every document gets a note, and nothing is cut.
    pub(crate) annotate: bool,
    /// What stands at a cut, where that was said.
    pub(crate) joint: Option<&'a str>,
    /// Whether a document that is left over in columns needs no bytes of its own.
    pub(crate) columns_alone: bool,
}

/// How many documents were written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WrittenCounts {
    /// Documents, those that could not be read not included.
    pub(crate) kept: u64,
    /// Rows that have a field of their own by the usual name of a note.
    pub(crate) renamed: u64,
}

/// A document of a batch.
enum Done {
    /// It could not be read.
    Skipped,
    /// It leaves as it came.
    Same,
    /// It goes.
    Gone,
    /// Its text, with the bytes of its record where that has some.
    Cut(String, Vec<u8>),
    Noted(PassagesNote),
}

/// A batch with what becomes of its documents.
struct Finished {
    batch: Batch,
    documents: Vec<Done>,
}

impl Writing<'_> {
    /// Writes every document to `destination`, without committing it.
    ///
    /// # Errors
    /// Input that changed or cannot be read, output that cannot be written.
    pub(crate) fn write(
        self,
        corpus: &Corpus<'_>,
        checksums: Checksums,
        cuts: Column<[u64; 4]>,
        destination: &mut Destination,
    ) -> Result<WrittenCounts, Error> {
        let mut cuts = cuts.walk();
        let mut counts = WrittenCounts::default();
        let corpus = &Corpus { sources: self.written, reference: 0, ..*corpus };
        corpus.reread(
            Stage::Write,
            [0, checksums[1]],
            |batch| {
                let end = self.first + batch.first_record() + batch.len() as u64;
                cuts.take_while(|cut| u64::from(CutOf::record_of(cut)) < end)
            },
            |_, planned| {
                let documents = self.documents(corpus, &planned.batch, &planned.plan)?;
                Ok(Finished { batch: planned.batch, documents })
            },
            |Finished { batch, documents }| {
                for (at, (record, done)) in batch.records().zip(&documents).enumerate() {
                    for carried in batch.carried_before(at) {
                        destination.carry::<PassagesNote>(&carried, self.annotate)?;
                    }
                    counts.kept += u64::from(!matches!(done, Done::Skipped | Done::Gone));
                    let (format, reading) = (batch.format(), corpus.reading);
                    match done {
                        Done::Skipped | Done::Gone => {}
                        Done::Same => {
                            destination.write::<PassagesNote>(&record, format, reading, None)?;
                        }
                        Done::Cut(text, raw) => {
                            destination.write_text(&record, format, reading, text, raw)?
                        }
                        Done::Noted(note) => {
                            let renamed =
                                destination.write(&record, format, reading, Some(note))?;
                            counts.renamed += u64::from(renamed);
                        }
                    }
                }
                for carried in batch.carried_before(batch.len()) {
                    destination.carry::<PassagesNote>(&carried, self.annotate)?;
                }
                Ok(())
            },
        )?;
        Ok(counts)
    }

    /// What becomes of the documents of a batch.
    fn documents(
        &self,
        corpus: &Corpus<'_>,
        batch: &Batch,
        cuts: &[[u64; 4]],
    ) -> Result<Vec<Done>, Error> {
        let reading = corpus.reading;
        let may_skip =
            reading.on_error == OnError::Skip || reading.fields.null_text == NullText::Skip;
        let mut cuts = cuts;
        let mut documents = Vec::with_capacity(batch.len());
        for (number, record) in (self.first + batch.first_record()..).zip(batch.records()) {
            let of_record = cuts.partition_point(|cut| u64::from(CutOf::record_of(cut)) <= number);
            let (own, rest) = cuts.split_at(of_record);
            cuts = rest;
            let own: Vec<CutOf> = own.iter().map(|entry| CutOf::of_entry(*entry)).collect();
            documents.push(if self.annotate {
                match corpus.document(&record) {
                    Ok(_) => Done::Noted(PassagesNote::of(&own)),
                    Err(_) => Done::Skipped,
                }
            } else if own.is_empty() {
                match may_skip && corpus.document(&record).is_err() {
                    true => Done::Skipped,
                    false => Done::Same,
                }
            } else if own.iter().any(|cut| cut.kind == Kind::Whole) {
                Done::Gone
            } else {
                let document = corpus.document(&record).map_err(|_| Error::InputChanged)?;
                let parts = own.iter().filter_map(|cut| match cut.kind {
                    Kind::Part(joint) => Some((cut.start as usize..cut.end as usize, joint)),
                    Kind::Whole => None,
                });
                let text = without(&document.text, parts, self.joint);
                let raw = match self.columns_alone {
                    true => Vec::new(),
                    false => record.with_text(&corpus.reading.fields, &text)?,
                };
                Done::Cut(text, raw)
            });
        }
        Ok(documents)
    }
}
