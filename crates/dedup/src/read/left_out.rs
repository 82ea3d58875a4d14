//! Which records are documents: from the number of a record to that of its document, and back.

use crate::numbers::{DocumentNumber, RecordNumber};
use std::iter::Peekable;
use std::slice;

/// A record that takes no part in the join.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its number among all records.
    pub record: RecordNumber,
    /// Whether it is a document without any feature, which then is kept.
    pub empty: bool,
}

/// What a record is to a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// No document: left out because of an error.
    Skipped,
    /// A document without any feature.
    Empty,
    /// A document that has features.
    Document(DocumentNumber),
}

/// The roles of records, asked in the order of the records.
pub(crate) struct Roles<'a> {
    left_out: Peekable<slice::Iter<'a, LeftOut>>,
    next: u64,
}

impl<'a> Roles<'a> {
    /// The roles of the records from `first` on, of which the first document is `document`.
    pub(crate) fn after(
        left_out: &'a [LeftOut],
        first: RecordNumber,
        document: DocumentNumber,
    ) -> Self {
        let before = left_out.partition_point(|left_out| left_out.record < first);
        let left_out = left_out.get(before..).unwrap_or_default().iter().peekable();
        Self { left_out, next: document.0 }
    }

    /// The role of a record behind those that were asked for.
    pub(crate) fn of(&mut self, record: RecordNumber) -> Role {
        match self.left_out.next_if(|left_out| left_out.record == record) {
            Some(LeftOut { empty: true, .. }) => Role::Empty,
            Some(_) => Role::Skipped,
            None => {
                self.next += 1;
                Role::Document(DocumentNumber(self.next - 1))
            }
        }
    }
}

/// The record of a document.
///
/// # Complexity
/// `O(log n)` for `n` records that were left out.
pub(crate) fn record_of(document: DocumentNumber, left_out: &[LeftOut]) -> RecordNumber {
    let (mut before, mut end) = (0, left_out.len());
    while let Some(one) = left_out.get(before..end).and_then(|rest| rest.get(rest.len() / 2)) {
        let at = before + (end - before) / 2;
        if one.record.0 <= document.0 + at as u64 {
            before = at + 1;
        } else {
            end = at;
        }
    }
    RecordNumber(document.0 + before as u64)
}

/// The records of documents, which ascend.
pub(crate) fn records_of(documents: &[DocumentNumber], left_out: &[LeftOut]) -> Vec<RecordNumber> {
    let mut left_out = left_out.iter().map(|left_out| left_out.record).peekable();
    let mut before = 0;
    let record = |document: &DocumentNumber| {
        while left_out.next_if(|record| record.0 <= document.0 + before).is_some() {
            before += 1;
        }
        RecordNumber(document.0 + before)
    };
    documents.iter().map(record).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_counted_without_the_records_that_were_left_out() {
        let out = |record| LeftOut { record: RecordNumber(record), empty: record == 3 };
        let left_out = [0, 3, 4, 9].map(out);
        // Records 1, 2, 5, 6, 7, 8, 10 are documents 0 to 6.
        let documents = [0, 1, 2, 5, 6].map(DocumentNumber);
        assert_eq!(records_of(&documents, &left_out), [1, 2, 5, 8, 10].map(RecordNumber));
        let all = [1, 2, 5, 6, 7, 8, 10].map(RecordNumber);
        for (document, record) in (0..).map(DocumentNumber).zip(all) {
            assert_eq!(record_of(document, &left_out), record);
            assert_eq!(record_of(document, &[]), RecordNumber(document.0));
        }
        assert_eq!(records_of(&documents[..1], &[]), [RecordNumber(0)]);
        let mut roles = Roles::after(&left_out, RecordNumber(2), DocumentNumber(1));
        let roles = [2, 3, 4, 5].map(|record| roles.of(RecordNumber(record)));
        let document = |number| Role::Document(DocumentNumber(number));
        assert_eq!(roles, [document(1), Role::Empty, Role::Skipped, document(2)]);
    }
}
