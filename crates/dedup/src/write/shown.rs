//! Documents as an overview shows them: how they begin, and where they are from.

use crate::error::Error;
use crate::numbers::DocumentNumber;
use crate::progress::Progress;
use crate::read::documents::Documents;
use crate::read::input::Input;
use crate::read::labels::Labels;
use crate::write::by_source::called;
use crate::write::excerpts::{self, Excerpt, Places};
use nearprint_corpus::CaptureId;
use std::collections::BTreeMap;

/// A document with its source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShownDocument {
    /// What it is called, and how it begins.
    pub excerpt: Excerpt,
    /// Its source: its value of the field that sources are grouped by. Without such a field the host of a capture, the
    /// folder of a file that is one document, or the file. `None` of a document without a value.
    pub source: Option<String>,
}

/// Some documents that were read once more.
pub(crate) struct ShownDocuments<'a> {
    excerpts: BTreeMap<DocumentNumber, Excerpt>,
    /// The labels that are the sources, where a field is named.
    labels: Option<&'a Labels>,
    /// Where the documents of each file end, with what the file is called as a source.
    ends: Vec<(u64, &'a str)>,
}

impl<'a> ShownDocuments<'a> {
    /// Reads `shown` documents, whose numbers ascend.
    ///
    /// # Complexity
    /// That of [`excerpts::read`].
    pub(crate) fn read(
        input: Input<'a>,
        documents: &Documents,
        labels: Option<&'a Labels>,
        shown: &[DocumentNumber],
        progress: &Progress,
    ) -> Result<Self, Error> {
        let (counts, left_out) = (&documents.sources, &documents.left_out);
        let places = Places { sources: input.sources, counts, left_out };
        let excerpts = excerpts::read(input.reading, places, shown, progress)?;
        let mut end = 0;
        let ends = input.sources.iter().zip(counts).map(|(source, counts)| {
            end += counts.numbered;
            (end, called(source))
        });
        Ok(Self { excerpts, labels, ends: ends.collect() })
    }

    /// One of them.
    pub(crate) fn of(&self, document: DocumentNumber) -> ShownDocument {
        let excerpt = self.excerpts.get(&document).cloned().unwrap_or_default();
        let source = match self.labels {
            Some(labels) => labels.name(labels.of(document)).map(str::to_owned),
            None => host(&excerpt).or_else(|| self.file(document).map(str::to_owned)),
        };
        ShownDocument { excerpt, source }
    }

    fn file(&self, document: DocumentNumber) -> Option<&'a str> {
        let at = self.ends.partition_point(|(end, _)| *end <= document.0);
        self.ends.get(at).map(|(_, name)| *name)
    }
}

/// The host of a document of an archive, which its URL names.
fn host(excerpt: &Excerpt) -> Option<String> {
    CaptureId::parse(&serde_json::from_str::<String>(&excerpt.id).ok()?)?.host()
}
