//! The documents' own ids, packed, for the reports. Positions are the job's business.

use crate::numbers::{DocumentNumber, RecordNumber, entry, index};
use std::borrow::Cow;

/// The ids of the documents of a job, as JSON text.
///
/// # Examples
/// ```
/// use nearprint_dedup::{DocumentNumber, Ids};
///
/// let mut ids = Ids::listed();
/// ids.push("\"a\"");
/// ids.push("17");
/// assert_eq!(ids.json(DocumentNumber(1)), "17");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Ids {
    /// Not kept: no report asks for them.
    #[default]
    Absent,
    /// The number of the record, from 0.
    Numbers {
        /// Numbers of the records that are no documents of the job, ascending.
        left_out: Vec<RecordNumber>,
    },
    /// The user's own, one after the other.
    Listed {
        /// All ids as JSON text, joined.
        text: String,
        /// Where each ends in `text`.
        ends: Vec<u64>,
    },
}

impl Ids {
    /// An empty list.
    #[must_use]
    pub fn listed() -> Self {
        Self::Listed { text: String::new(), ends: Vec::new() }
    }

    /// Appends the id of the next document, with that of its record packed behind it where it has one; a list
    /// only takes it.
    pub fn push(&mut self, json: &str) {
        if let Self::Listed { text, ends } = self {
            text.push_str(json);
            ends.push(text.len() as u64);
        }
    }

    /// Bytes that stay in memory.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        match self {
            Self::Absent => 0,
            Self::Numbers { left_out } => size_of_val(&**left_out),
            Self::Listed { text, ends } => text.len() + size_of_val(&**ends),
        }
    }

    /// The id of a document as JSON text; its number where ids are not kept.
    ///
    /// # Complexity
    /// Constant for a list, `O(log n)` for numbers with `n` records left out.
    #[must_use]
    pub fn json(&self, document: DocumentNumber) -> Cow<'_, str> {
        match self.packed(document) {
            Cow::Borrowed(packed) => Cow::Borrowed(unpack(packed).0),
            owned => owned,
        }
    }

    /// The same with the id of its record in an archive behind it, where it has one.
    pub(crate) fn packed(&self, document: DocumentNumber) -> Cow<'_, str> {
        match self {
            Self::Absent => Cow::Owned(document.to_string()),
            Self::Numbers { left_out } => {
                // Record r is document r minus the number of those left out before it.
                let before = left_out.partition_point(|&record| {
                    let gaps = left_out.partition_point(|&other| other < record) as u64;
                    record.0 - gaps <= document.0
                });
                Cow::Owned((document.0 + before as u64).to_string())
            }
            Self::Listed { text, ends } => {
                let at = document.index();
                let start = at.checked_sub(1).map_or(0, |before| entry(ends, before));
                let id = text.get(index(start)..index(entry(ends, at)));
                assert!(id.is_some(), "the ids of all documents are listed");
                Cow::Borrowed(id.unwrap_or_default())
            }
        }
    }
}

/// Stands between the id of a document and that of its record. JSON has no bare tab.
const BETWEEN: char = '\t';

/// Puts what an archive calls a document behind its id.
pub(crate) fn pack(ids: &mut String, record: &str) {
    ids.push(BETWEEN);
    ids.push_str(record);
}

/// The id, and what an archive calls the document.
pub(crate) fn unpack(packed: &str) -> (&str, Option<&str>) {
    packed.split_once(BETWEEN).map_or((packed, None), |(id, record)| (id, Some(record)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_come_back_as_they_were() {
        let mut ids = Ids::listed();
        for id in ["\"a\"", "", "17"] {
            ids.push(id);
        }
        let json = [0, 1, 2].map(|document| ids.json(DocumentNumber(document)));
        assert_eq!(json, ["\"a\"", "", "17"]);
    }

    #[test]
    fn numbers_step_over_the_records_left_out() {
        let ids = Ids::Numbers { left_out: [0, 3, 4].map(RecordNumber).to_vec() };
        let json = [0, 1, 2, 3].map(|document| ids.json(DocumentNumber(document)));
        assert_eq!(json, ["1", "2", "5", "6"]);
        assert_eq!(Ids::Numbers { left_out: Vec::new() }.json(DocumentNumber(5)), "5");
    }
}
