//! What reports call documents: by their ids, and where ids repeat by their places too.

use crate::numbers::DocumentNumber;
use crate::read::documents::Documents;
use crate::read::ids::{Ids, unpack};
use crate::read::left_out::LeftOut;
use nearprint_corpus::{CaptureId, Source};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::fmt::Write as _;

/// What reports call the documents of a job.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    ids: &'a Ids,
    places: Option<&'a FilePlaces<'a>>,
    /// How many documents, the first ones, are those of the reference.
    reference: u64,
}

/// What a report calls a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name<'a> {
    /// Its id, as JSON text.
    pub(crate) id: Cow<'a, str>,
    /// What its archive calls it, as JSON text, where it is a capture named by its URL.
    pub(crate) record: Option<Cow<'a, str>>,
    /// Its file, and the number of its record there, from 1.
    pub(crate) place: Option<(&'a str, u64)>,
    /// Whether it is one of the reference.
    pub(crate) of_reference: bool,
}

/// Where the documents of a job stand: their files, and their rows there.
#[derive(Debug)]
pub struct FilePlaces<'a> {
    /// The number of the first record of each source, ascending, with the name of the source.
    starts: Vec<(u64, &'a str)>,
    left_out: &'a [LeftOut],
}

impl<'a> From<&'a Ids> for Names<'a> {
    fn from(ids: &'a Ids) -> Self {
        Self { ids, places: None, reference: 0 }
    }
}

impl<'a> From<&'a str> for Name<'a> {
    fn from(id: &'a str) -> Self {
        Self { id: Cow::Borrowed(id), record: None, place: None, of_reference: false }
    }
}

impl<'a> Names<'a> {
    /// By ids, and by places where there are some.
    #[must_use]
    pub fn with(ids: &'a Ids, places: Option<&'a FilePlaces<'a>>) -> Self {
        Self { ids, places, reference: 0 }
    }

    /// Those of documents that were read, by places where there are some.
    #[must_use]
    pub fn of_documents(documents: &'a Documents, places: Option<&'a FilePlaces<'a>>) -> Self {
        Self { ids: &documents.ids, places, reference: documents.reference.documents }
    }

    /// The name of a document, where ids were kept.
    pub(crate) fn listed(&self, document: DocumentNumber) -> Option<Name<'a>> {
        matches!(self.ids, Ids::Listed { .. }).then(|| self.of(document))
    }

    /// The name of a document.
    ///
    /// # Complexity
    /// That of [`Ids::json`], and `O(log n)` for its place.
    #[must_use]
    pub fn of(&self, document: DocumentNumber) -> Name<'a> {
        let place = self.places.map(|places| places.of(document));
        let of_reference = document.0 < self.reference;
        Name { of_reference, ..Name::of_packed(self.ids.packed(document), place) }
    }
}

impl<'a> Name<'a> {
    /// The name in an entry of [`Ids`].
    pub(crate) fn of_packed(packed: Cow<'a, str>, place: Option<(&'a str, u64)>) -> Self {
        match packed {
            Cow::Borrowed(packed) => {
                let (id, record) = unpack(packed);
                Self { record: record.map(Cow::Borrowed), place, ..Self::from(id) }
            }
            Cow::Owned(packed) => {
                let (id, record) = unpack(&packed);
                let owned = |text: &str| Cow::Owned(text.to_owned());
                Self { id: owned(id), record: record.map(owned), place, of_reference: false }
            }
        }
    }

    /// Whether another document is of the same URL; none where one of the two is no capture.
    pub(crate) fn is_of_url(&self, other: &Self) -> Option<bool> {
        let (ours, theirs) = (self.text(), other.text());
        Some(CaptureId::parse(&ours)?.url == CaptureId::parse(&theirs)?.url)
    }

    /// The id as the cell of a table has it: of one that is a string the text without its quotes.
    pub(crate) fn text(&self) -> String {
        serde_json::from_str(&self.id).unwrap_or_else(|_| self.id.clone().into_owned())
    }

    /// The id; with the place where that is there.
    pub(crate) fn value(&self) -> Value {
        let id = || serde_json::from_str(&self.id).unwrap_or_else(|_| Value::from(&*self.id));
        match self.place {
            None => id(),
            Some((file, row)) => json!({ "id": id(), "file": file, "row": row }),
        }
    }

    /// The name as members of a JSON object, the id under `key`; of a capture with its record and its host, of one
    /// of the reference with that.
    pub(crate) fn members(&self, key: &str) -> String {
        let mut members = format!("\"{key}\":{}", self.id);
        let of = if key == "id" { String::new() } else { format!("{key}_") };
        let mut add = |name: &str, value: &dyn std::fmt::Display| {
            // Writing to a string cannot fail.
            let _written = write!(members, ",\"{of}{name}\":{value}");
        };
        if let Some(record) = &self.record {
            add("record", record);
        }
        // A URL is asked for where the id may be one of a capture alone: others have no blank.
        if self.id.contains(' ')
            && let Some(host) = CaptureId::parse(&self.text()).and_then(|id| id.host())
        {
            add("host", &Value::from(host));
        }
        if let Some((file, row)) = self.place {
            add("file", &Value::from(file));
            add("row", &row);
        }
        if self.of_reference {
            add("reference", &true);
        }
        members
    }
}

impl<'a> FilePlaces<'a> {
    /// The places of documents that were read of `sources`; none where their ids tell them apart.
    #[must_use]
    pub fn of_repeated(documents: &'a Documents, sources: &'a [Source]) -> Option<Self> {
        (documents.counts.repeated_ids > 0).then(|| Self::of_documents(documents, sources))
    }

    /// The places of documents that were read of `sources`.
    pub(crate) fn of_documents(documents: &'a Documents, sources: &'a [Source]) -> Self {
        let mut first = 0;
        let starts = documents.sources.iter().zip(sources).map(|(counts, source)| {
            first += counts.records;
            (first - counts.records, source.name())
        });
        Self { starts: starts.collect(), left_out: &documents.left_out }
    }

    /// The places of all records as documents, by the first record of each source, ascending, with its name.
    pub(crate) fn of_records(starts: Vec<(u64, &'a str)>) -> Self {
        Self { starts, left_out: &[] }
    }

    pub(crate) fn of(&self, document: DocumentNumber) -> (&'a str, u64) {
        let record = document.0 + before(self.left_out, document);
        let behind = self.starts.partition_point(|(first, _)| *first <= record);
        let start = behind.checked_sub(1).and_then(|at| self.starts.get(at));
        let (first, name) = start.copied().unwrap_or_default();
        (name, record - first + 1)
    }
}

/// The number of records left out that are before a document.
fn before(left_out: &[LeftOut], document: DocumentNumber) -> u64 {
    let (mut low, mut high) = (0, left_out.len());
    while low < high {
        let middle = low.midpoint(high);
        // So many documents are before the record that was left out.
        let documents = left_out.get(middle).map_or(u64::MAX, |one| one.record.0 - middle as u64);
        if documents <= document.0 {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::RecordNumber;

    #[test]
    fn a_place_counts_the_records_left_out() {
        let out = |record| LeftOut { record: RecordNumber(record), empty: false };
        let left_out = [0, 3, 4, 9].map(out);
        // Records 1, 2, 5, 6, 7, 8, 10 are documents 0 to 6; the second file begins at record 5.
        let places =
            FilePlaces { starts: vec![(0, "a"), (5, "empty"), (5, "b")], left_out: &left_out };
        let of = [0, 1, 2, 5, 6].map(|document| places.of(DocumentNumber(document)));
        assert_eq!(of, [("a", 2), ("a", 3), ("b", 1), ("b", 4), ("b", 6)]);
    }

    #[test]
    fn a_name_has_its_place_where_that_is_known() {
        let alone = Name::from("7");
        assert_eq!(alone.members("kept"), "\"kept\":7");
        let of_reference = Name { of_reference: true, ..alone.clone() };
        assert_eq!(of_reference.members("kept"), "\"kept\":7,\"kept_reference\":true");
        let placed = Name { place: Some(("a\"b", 3)), ..alone.clone() };
        assert_eq!(placed.members("id"), "\"id\":7,\"file\":\"a\\\"b\",\"row\":3");
        assert_eq!(placed.members("kept"), "\"kept\":7,\"kept_file\":\"a\\\"b\",\"kept_row\":3");
        let packed = "\"http://A.example/ 2026-01-31T00:00:00Z\"\t\"<urn:1>\"";
        let capture = Name::of_packed(packed.into(), None);
        let id = "\"a\":\"http://A.example/ 2026-01-31T00:00:00Z\"";
        assert_eq!(
            capture.members("a"),
            format!("{id},\"a_record\":\"<urn:1>\",\"a_host\":\"a.example\"")
        );
        let later = Name::from("\"http://A.example/ 2026-02-01T00:00:00Z\"");
        let other = Name::from("\"http://A.example/b 2026-02-01T00:00:00Z\"");
        let same = |name: &Name<'_>| capture.is_of_url(name);
        assert_eq!((same(&later), same(&other), same(&alone)), (Some(true), Some(false), None));
    }
}
