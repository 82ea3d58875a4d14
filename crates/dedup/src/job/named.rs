//! A document of a job by what a caller names it: its id, or its place.

use crate::error::Error;
use crate::job::resolved::Job;
use crate::numbers::{DocumentNumber, index};
use crate::read::documents::Documents;
use crate::read::names::FilePlaces;
use crate::read::segment_row::is_segment;
use crate::read::sketch::OnError;
use nearprint_corpus::{Id, Reader};
use serde_json::Value;
use std::slice;

/// Says that an id names so many documents, and that a place, such as that of one of them, names one.
///
/// # Examples
/// ```
/// let said = nearprint_dedup::several_of_id("7", 2, "in.jsonl:1");
/// assert_eq!(said, "2 documents have the id 7: name one by its place, such as in.jsonl:1");
/// ```
#[must_use]
pub fn several_of_id(id: &str, documents: usize, place: &str) -> String {
    format!("{documents} documents have the id {id}: name one by its place, such as {place}")
}

impl Job {
    /// The only document with an id, which is given as text or as JSON; or else the one at a place, FILE:LINE. Of archives and
    /// segments the number of the record stands for the line.
    ///
    /// # Errors
    /// An id that several documents have; a file that cannot be read again.
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
        let numbers = self.numbers(documents, file)?;
        let Some(row) = numbers.iter().position(|one| *one == number) else {
            return Ok(None);
        };
        let (places, row) = (FilePlaces::of_documents(documents, &self.sources), row as u64 + 1);
        Ok(all(documents).find(|document| places.of(*document) == (file, row)))
    }

    fn place_of(&self, documents: &Documents, document: DocumentNumber) -> Result<String, Error> {
        let (file, row) = FilePlaces::of_documents(documents, &self.sources).of(document);
        let numbers = self.numbers(documents, file)?;
        let number = numbers.get(index(row.saturating_sub(1))).copied().unwrap_or(row);
        Ok(format!("{file}:{number}"))
    }

    /// The numbers that name the records of a file, in their order; none of a file that is no source.
    fn numbers(&self, documents: &Documents, file: &str) -> Result<Vec<u64>, Error> {
        let mut sources = self.sources.iter().zip(&documents.sources);
        let Some((source, counts)) = sources.find(|(source, _)| source.name() == file) else {
            return Ok(Vec::new());
        };
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
