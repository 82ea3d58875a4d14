//! The files of an input that gave few documents or none. What became of documents is handled by
//! [`crate::write`].

use crate::error::Error;
use nearprint_corpus::{InputFormat, Source};
use serde::{Deserialize, Serialize};

/// Files that are named, at most.
const NAMED: usize = 100;

/// Files that gave few documents or none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FewDocuments {
    /// Files without a document: empty ones, those that could not be read, and those of which all records were passed
    /// over.
    #[serde(default, skip_serializing_if = "FileList::is_empty")]
    pub without_documents: FileList,
    /// Files of which more than half of the records were passed over.
    #[serde(default, skip_serializing_if = "FileList::is_empty")]
    pub mostly_passed_over: FileList,
}

/// Files of which there is something to say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileList {
    /// How many there are.
    pub total: u64,
    /// The first hundred.
    pub first: Vec<FileShare>,
}

/// A file with its documents.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileShare {
    /// The file.
    pub file: String,
    /// Its records, but for those of an archive that only tell of others or of the file: `request`, `metadata` and
    /// `warcinfo`.
    pub records: u64,
    /// The documents among these.
    pub documents: u64,
}

impl FileList {
    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// Adds a file.
    pub(crate) fn add(&mut self, file: FileShare) {
        self.total += 1;
        if self.first.len() < NAMED {
            self.first.push(file);
        }
    }

    /// Adds those of what was read behind.
    pub(crate) fn merge(&mut self, other: Self) {
        self.total += other.total;
        let room = NAMED - self.first.len();
        self.first.extend(other.first.into_iter().take(room));
    }
}

impl FewDocuments {
    /// Adds those of what was read behind.
    pub(crate) fn merge(&mut self, other: Self) {
        self.without_documents.merge(other.without_documents);
        self.mostly_passed_over.merge(other.mostly_passed_over);
    }
}

/// Counts the documents of files, one after the other.
///
/// # Examples
/// ```
/// use nearprint_corpus::discover;
/// use nearprint_dedup::FileTally;
///
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// for name in ["a.jsonl", "b.jsonl", "c.jsonl"] {
///     std::fs::write(folder.join(name), "")?;
/// }
/// let sources = discover(&[folder], None)?;
/// let mut tally = FileTally::new(&sources, false);
/// tally.add(1, 5, 2, || None)?;
/// tally.add(1, 3, 1, || None)?;
/// let few = tally.end()?;
/// assert_eq!(few.without_documents.total, 2);
/// assert_eq!(few.mostly_passed_over.first[0].documents, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct FileTally<'a> {
    sources: &'a [Source],
    /// Whether a file that gave few ends the reading.
    fails: bool,
    /// How many of the sources, the first ones, are there to be compared with only.
    reference: usize,
    /// The file that is counted, among the sources.
    at: usize,
    records: u64,
    documents: u64,
    /// What is wrong with the first record that is no document.
    why: Option<String>,
    few: FewByPart,
}

/// Files that gave few documents or none, by what they are for.
#[derive(Debug, Default)]
pub(crate) struct FewByPart {
    /// Those to compare with only.
    pub(crate) reference: FewDocuments,
    /// Those of the input.
    pub(crate) ours: FewDocuments,
}

impl<'a> FileTally<'a> {
    /// Nothing is counted yet of `sources`; `fails` if a file that gives few documents is an error.
    #[must_use]
    pub fn new(sources: &'a [Source], fails: bool) -> Self {
        let few = FewByPart::default();
        Self { sources, fails, reference: 0, at: 0, records: 0, documents: 0, why: None, few }
    }

    /// So many of the sources, the first ones, are there to be compared with only.
    pub(crate) fn with_reference(self, reference: usize) -> Self {
        Self { reference, ..self }
    }

    /// Adds records of the source of this place, with how many of them are documents; `why` tells what is wrong with
    /// the first that is none. Sources come in order; a place behind the last stands for no source.
    ///
    /// # Errors
    /// [`Error::FewDocuments`] for the source before, where that is an error.
    pub fn add(
        &mut self,
        source: usize,
        records: u64,
        documents: u64,
        why: impl FnOnce() -> Option<String>,
    ) -> Result<(), Error> {
        if source < self.sources.len() {
            while self.at < source {
                self.close()?;
            }
            self.records += records;
            self.documents += documents;
        }
        if self.why.is_none() {
            self.why = why();
        }
        Ok(())
    }

    /// Adds what is wrong with a part of the source that an error names, of which nothing else is known.
    ///
    /// # Errors
    /// Those of [`add`](Self::add).
    pub fn fail(&mut self, error: &Error) -> Result<(), Error> {
        let file = match error {
            Error::Corpus(error) => error.file(),
            _ => None,
        };
        let mut rest = self.sources.iter().skip(self.at);
        let place = rest.position(|source| Some(source.name()) == file);
        let source = place.map_or(usize::MAX, |behind| self.at + behind);
        self.add(source, 0, 0, || Some(error.to_string()))
    }

    /// All files that gave few.
    ///
    /// # Errors
    /// [`Error::FewDocuments`] for the last ones, where that is an error.
    pub fn end(self) -> Result<FewDocuments, Error> {
        Ok(self.end_by_part()?.ours)
    }

    /// As [`end`](Self::end), those to compare with apart.
    pub(crate) fn end_by_part(mut self) -> Result<FewByPart, Error> {
        while self.at < self.sources.len() {
            self.close()?;
        }
        Ok(self.few)
    }

    /// Ends the file that is counted.
    fn close(&mut self) -> Result<(), Error> {
        let Some(source) = self.sources.get(self.at) else { return Ok(()) };
        let (records, documents, why) = (self.records, self.documents, self.why.take());
        let is_reference = self.at < self.reference;
        (self.at, self.records, self.documents) = (self.at + 1, 0, 0);
        let few = if is_reference { &mut self.few.reference } else { &mut self.few.ours };
        let few = match documents {
            0 => &mut few.without_documents,
            _ if documents < records - documents => &mut few.mostly_passed_over,
            _ => return Ok(()),
        };
        // A run that keeps nothing leaves a segment of nothing.
        if source.format().is_some_and(InputFormat::is_seen) {
            return Ok(());
        }
        let file = source.name().to_owned();
        if self.fails {
            return Err(Error::FewDocuments { file, records, documents, why });
        }
        few.add(FileShare { file, records, documents });
        Ok(())
    }
}
