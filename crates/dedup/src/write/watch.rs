//! What passes by in the last reading and is told of: bytes by source, and how some documents begin.

use crate::error::Error;
use crate::numbers::DocumentNumber;
use crate::progress::Progress;
use crate::read::documents::Documents;
use crate::read::input::Input;
use crate::read::reading::Reading;
use crate::write::by_source::Sources;
use crate::write::excerpts::{self, Excerpt, Places};
use nearprint_corpus::{Fields, InputFormat, Record};
use std::collections::BTreeMap;
use std::iter::Peekable;
use std::vec::IntoIter;

/// Looks at the records that pass by, whether they stay or go.
pub(crate) struct Watch<'a> {
    pub(crate) sources: Sources<'a>,
    /// The fields of a document that is looked at.
    fields: Fields,
    /// The documents that are looked at and did not pass yet, and whether each is shown in any case, or only if it is an
    /// error page.
    wanted: Peekable<IntoIter<(DocumentNumber, bool)>>,
    /// How those begin that did, and are shown.
    pub(crate) excerpts: BTreeMap<DocumentNumber, Excerpt>,
}

impl<'a> Watch<'a> {
    /// Looks at the `wanted` documents, whose numbers ascend. Where `all_pass`, bytes are counted by source.
    pub(crate) fn new(
        mut sources: Sources<'a>,
        reading: &Reading,
        wanted: Vec<(DocumentNumber, bool)>,
        all_pass: bool,
    ) -> Self {
        if all_pass {
            sources.count_bytes();
        }
        let (fields, wanted) =
            (reading.document_fields().into_owned(), wanted.into_iter().peekable());
        Self { sources, fields, wanted, excerpts: BTreeMap::new() }
    }

    /// A record passes by: of a file behind the reference, whose documents come in order. `None` is one without any
    /// feature.
    pub(crate) fn pass(
        &mut self,
        file: usize,
        document: Option<DocumentNumber>,
        stays: bool,
        (record, format): (&Record<'_>, InputFormat),
    ) {
        self.sources.pass(file, document, (record.held().len() as u64, stays));
        let Some(document) = document else { return };
        if let Some((_, is_shown)) = self.wanted.next_if(|(wanted, _)| *wanted == document) {
            let excerpt = Excerpt::of(record, format, &self.fields);
            if is_shown || excerpt.is_error_page() {
                self.excerpts.insert(document, excerpt);
            }
        }
    }

    /// Reads the documents that nothing brought past.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub(crate) fn look(
        &mut self,
        input: Input<'_>,
        documents: &Documents,
        progress: &Progress,
    ) -> Result<(), Error> {
        let wanted: Vec<_> = self.wanted.by_ref().map(|(document, _)| document).collect();
        if wanted.is_empty() {
            return Ok(());
        }
        let (counts, left_out) = (&documents.sources, &documents.left_out);
        let places = Places { sources: input.sources, counts, left_out };
        self.excerpts.extend(excerpts::read(input.reading, places, &wanted, progress)?);
        Ok(())
    }
}
