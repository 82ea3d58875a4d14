//! Writes a corpus without what goes, or with what was found beside each document.

use crate::contamination::findings::{Entry, Finding};
use crate::contamination::gone::{self, AllGone, Cut};
use crate::contamination::note::ContaminationNote;
use crate::contamination::rows::Rows;
use crate::contamination::spec::Action;
use crate::error::Error;
use crate::passages::corpus::{Checksums, Corpus};
use crate::passages::writing::{Writing, WrittenCounts};
use crate::write::destination::Destination;
use crate::write::note_columns::NoteColumns;

/// What decides what is written of the documents of a corpus.
pub(crate) struct Leaving<'a> {
    pub(crate) corpus: &'a Corpus<'a>,
    pub(crate) rows: Rows<'a>,
    pub(crate) action: Action,
    /// Where notes go.
    pub(crate) columns: &'a NoteColumns,
    /// Whether a note of a table is its columns alone.
    pub(crate) columns_alone: bool,
    /// Documents that were read.
    pub(crate) documents: u64,
}

impl Leaving<'_> {
    /// Writes the documents, which are those with these checksums.
    ///
    /// # Errors
    /// Input that changed; those of the output.
    pub(crate) fn write(
        &self,
        checksums: Checksums,
        all: AllGone,
        destination: &mut Destination,
    ) -> Result<WrittenCounts, Error> {
        let AllGone { gone, cuts, noted, .. } = all;
        let Self { corpus, rows, columns, columns_alone, .. } = *self;
        let (written, first) = (corpus.sources, corpus.first);
        match (destination, self.action) {
            (Destination::Nowhere, action) => {
                let gone = if action == Action::Drop { gone.documents } else { 0 };
                Ok(WrittenCounts { kept: self.documents - gone, ..WrittenCounts::default() })
            }
            (destination, Action::Annotate) => {
                let writing = Writing {
                    written,
                    first,
                    record: Finding::record_of,
                    part: |_: &Entry| None,
                    note: Some(&|found: &[Entry]| rows.noted(found)),
                    columns,
                    joint: None,
                    columns_alone,
                    counts_emptied: false,
                };
                writing.write(corpus, checksums, noted, destination)
            }
            (destination, Action::Drop | Action::Cut { .. }) => {
                let writing = Writing::<Cut, ContaminationNote> {
                    written,
                    first,
                    record: gone::record_of,
                    part: gone::part_of,
                    note: None,
                    columns,
                    joint: None,
                    columns_alone,
                    counts_emptied: true,
                };
                writing.write(corpus, checksums, cuts, destination)
            }
        }
    }
}
