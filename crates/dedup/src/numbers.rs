//! The numbers that documents go by, each a type of its own: none is taken for another.

use serde::{Deserialize, Serialize};

/// The number of a document among the documents that have features, from 0 in input order.
///
/// # Examples
/// ```
/// use nearprint_dedup::DocumentNumber;
///
/// assert!(DocumentNumber(3) < DocumentNumber(10));
/// assert_eq!(DocumentNumber(3).to_string(), "3");
/// ```
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct DocumentNumber(pub u64);

/// The number of a record among all records of the input, from 0: documents without features and
/// skipped records count too.
///
/// # Examples
/// ```
/// use nearprint_dedup::RecordNumber;
///
/// assert!(RecordNumber(3) < RecordNumber(10));
/// ```
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct RecordNumber(pub u64);

/// The place of a document in the order of preference, from 0: a cluster keeps its lowest rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Rank(pub(crate) u32);

impl DocumentNumber {
    /// The place in a list with an entry for each document.
    pub(crate) fn index(self) -> usize {
        index(self.0)
    }
}

impl std::fmt::Display for DocumentNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl Rank {
    /// The rank of that number; a job has fewer than 2^32 - 1 documents.
    pub(crate) fn of(number: u64) -> Self {
        Self(narrow(number))
    }

    /// All ranks of so many documents, ascending.
    pub(crate) fn all(count: u32) -> impl ExactSizeIterator<Item = Self> + Clone {
        (0..count).map(Self)
    }

    /// The place in a list with an entry for each rank.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A number that is known to fit into 32 bits.
pub(crate) fn narrow(number: u64) -> u32 {
    u32::try_from(number).unwrap_or_else(|_| bug(&format!("{number} does not fit into 32 bits")))
}

/// A number that is known to be the place of an entry in memory.
pub(crate) fn index(number: u64) -> usize {
    usize::try_from(number).unwrap_or_else(|_| bug(&format!("{number} is not a place in memory")))
}

/// The entry of a list at a place where there is one.
///
/// An index out of range is a bug: it stops the program, since any value in its place would be a wrong answer.
pub(crate) fn entry<T: Copy>(list: &[T], index: usize) -> T {
    match list.get(index) {
        Some(entry) => *entry,
        None => bug(&format!("entry {index} of {}", list.len())),
    }
}

/// Sets the entry of a list at a place where there is one, as [`entry`].
pub(crate) fn set<T>(list: &mut [T], index: usize, value: T) {
    let entries = list.len();
    match list.get_mut(index) {
        Some(entry) => *entry = value,
        None => bug(&format!("entry {index} of {entries}")),
    }
}

#[cold]
#[expect(clippy::panic, reason = "a bug must not become an answer")]
fn bug(what: &str) -> ! {
    panic!("{what}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_out_of_range_stops_the_program() {
        assert_eq!((entry(&[7, 8], 1), narrow(9), index(9)), (8, 9, 9));
        let broken: [fn(); 3] = [
            || {
                entry(&[7], 1);
            },
            || {
                narrow(1 << 32);
            },
            || set(&mut [0], 1, 2),
        ];
        for broken in broken {
            assert!(std::panic::catch_unwind(broken).is_err());
        }
    }
}
