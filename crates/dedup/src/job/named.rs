//! A document of a job by what a caller names it: its id, or its place.

use crate::error::Error;
use crate::job::resolved::Job;
use crate::numbers::{DocumentNumber, index};
use crate::read::documents::Documents;
use crate::read::names::FilePlaces;
use crate::read::segment_row::is_segment;
use crate::read::sketch::OnError;
use crate::read::source_counts::SourceCounts;
use nearprint_corpus::{Id, Reader, Source};
use serde_json::Value;
use std::{fs, slice};

/// Says that an id names so many documents, and that a line, such as that of one of them, names one.
///
/// # Examples
/// ```
/// let said = nearprint_dedup::several_of_id("7", 2, "in.jsonl:1");
/// assert_eq!(said, "2 documents have the id 7: name one by its line, such as in.jsonl:1");
/// ```
#[must_use]
pub fn several_of_id(id: &str, documents: usize, place: &str) -> String {
    format!("{documents} documents have the id {id}: name one by its line, such as {place}")
}

/// Says that no row is at a place, FILE:LINE, where the file has so many rows, the first of them by the number `first`.
///
/// # Examples
/// ```
/// use nearprint_dedup::no_such_row;
///
/// assert_eq!(no_such_row("a.csv:9", 9, 3, 2), "a.csv:9: no such row; the file has 3");
/// assert!(no_such_row("a.csv:1", 1, 3, 2).ends_with("rows are named by their lines, the first by 2"));
/// ```
#[must_use]
pub fn no_such_row(place: &str, number: u64, rows: u64, first: u64) -> String {
    let by_line = match (1..=rows).contains(&number) {
        true => format!("; rows are named by their lines, the first by {first}"),
        false => String::new(),
    };
    format!("{place}: no such row; the file has {rows}{by_line}")
}

impl Job {
    /// The only document with an id, which is given as text or as JSON; or else the one at a place, FILE:LINE. Of archives and
    /// segments the number of the record stands for the line.
    ///
    /// # Errors
    /// An id that several documents have; a line of a file in which no row begins; a file that cannot be read again.
    pub(crate) fn named(
        &self,
        documents: &Documents,
        name: &str,
    ) -> Result<Option<DocumentNumber>, Error> {
        let found = with_id(documents, name);
        match found.as_slice() {
            [] => self.at_place(documents, name),
            [only] => Ok(Some(*only)),
            [first, ..] => {
                let place = self.place_of(documents, *first)?;
                Err(Error::Undecidable { problem: several_of_id(name, found.len(), &place) })
            }
        }
    }

    fn at_place(
        &self,
        documents: &Documents,
        place: &str,
    ) -> Result<Option<DocumentNumber>, Error> {
        let numbered = place.rsplit_once(':');
        let Some((file, Ok(number))) = numbered.map(|(file, number)| (file, number.parse::<u64>()))
        else {
            return Ok(None);
        };
        let Some((source, counts)) = self.source_of(documents, file) else { return Ok(None) };
        let numbers = self.numbers(source, counts)?;
        let Some(row) = numbers.iter().position(|one| *one == number) else {
            let first = numbers.first().copied().unwrap_or(1);
            let problem = no_such_row(place, number, numbers.len() as u64, first);
            return Err(Error::Undecidable { problem });
        };
        let places = FilePlaces::of_documents(documents, &self.sources);
        let at = (source.name(), row as u64 + 1);
        Ok(all(documents).find(|document| places.of(*document) == at))
    }

    fn place_of(&self, documents: &Documents, document: DocumentNumber) -> Result<String, Error> {
        let (file, _) = FilePlaces::of_documents(documents, &self.sources).of(document);
        Ok(format!("{file}:{}", self.number_of(documents, document)?))
    }

    /// The number that names a document in its file: that of its line, or of its record.
    pub(crate) fn number_of(
        &self,
        documents: &Documents,
        document: DocumentNumber,
    ) -> Result<u64, Error> {
        let (file, row) = FilePlaces::of_documents(documents, &self.sources).of(document);
        let Some((source, counts)) = self.source_of(documents, file) else { return Ok(row) };
        let numbers = self.numbers(source, counts)?;
        Ok(numbers.get(index(row.saturating_sub(1))).copied().unwrap_or(row))
    }

    /// The source of this name, or else the one that is the same file by another path, with its counts.
    fn source_of<'a>(
        &'a self,
        documents: &'a Documents,
        file: &str,
    ) -> Option<(&'a Source, &'a SourceCounts)> {
        let mut sources = self.sources.iter().zip(&documents.sources);
        let by_name = sources.clone().find(|(source, _)| source.name() == file);
        by_name.or_else(|| {
            let path = fs::canonicalize(file).ok()?;
            let is_it = |name: &str| fs::canonicalize(name).is_ok_and(|own| own == path);
            sources.find(|(source, _)| is_it(source.name()))
        })
    }

    /// The numbers that name the records of a source, in their order.
    fn numbers(&self, source: &Source, counts: &SourceCounts) -> Result<Vec<u64>, Error> {
        if is_segment(source) {
            return Ok((1..=counts.records).collect());
        }
        let mut numbers = Vec::new();
        for batch in Reader::new(slice::from_ref(source), self.reading.options) {
            let batch = match batch {
                Ok(batch) => batch,
                Err(_) if self.reading.on_error == OnError::Skip => continue,
                Err(error) => return Err(error.into()),
            };
            for record in batch.records() {
                numbers.push(record.number(numbers.len() as u64 + 1));
            }
        }
        Ok(numbers)
    }
}

/// The documents with an id: of a number also those whose id is a string of its digits.
fn with_id(documents: &Documents, id: &str) -> Vec<DocumentNumber> {
    let (quoted, given) = (Value::from(id).to_string(), Id::key(id));
    let is_of = |document: &DocumentNumber| {
        let json = documents.ids.json(*document);
        let key = Id::key(&json);
        key == given || key == quoted
    };
    all(documents).filter(is_of).collect()
}

fn all(documents: &Documents) -> impl Iterator<Item = DocumentNumber> + use<> {
    (0..documents.len() as u64).map(DocumentNumber)
}
