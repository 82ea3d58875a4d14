//! How a memory limit is shared between what is held and the work beside it. How much a whole process
//! takes is in `limits`.

use crate::memory::shares;

/// Bytes that fingerprints and the work on them keep to: what is held comes first, the work has the
/// rest.
///
/// # Examples
/// ```
/// use nearprint_dedup::Budget;
///
/// let budget = Budget { given: 4 << 20, held: 1 << 20 };
/// assert_eq!(budget.for_clusters(), Some(3 << 20));
/// assert_eq!(budget.for_pairs(), Some(2 << 20));
/// assert_eq!(Budget { given: 1 << 20, ..budget }.for_pairs(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Bytes allowed.
    pub given: usize,
    /// Bytes that are held while the work goes on.
    pub held: usize,
}

impl Budget {
    /// The fewest bytes that work has.
    pub const LEAST: usize = 1_000_000;
    /// Bytes that clusters take for each document while they are built.
    pub const OF_CLUSTERS: u64 = 12;
    /// Bytes of sorting while a segment is built without a limit.
    pub const SORTING: usize = 2 << 30;
    /// Bytes that each table of a segment counts in while it is built.
    const COUNTS: usize = 1 << 19;

    /// What is left for work; `None` where that is less than [`LEAST`](Self::LEAST).
    #[must_use]
    pub fn rest(self) -> Option<usize> {
        self.given.checked_sub(self.held).filter(|rest| *rest >= Self::LEAST)
    }

    /// Bytes for the join of clusters: the rest.
    #[must_use]
    pub fn for_clusters(self) -> Option<usize> {
        self.rest()
    }

    /// Bytes for the join of pairs, which are sorted in half as many beside it.
    #[must_use]
    pub fn for_pairs(self) -> Option<usize> {
        self.rest().map(|rest| shares::JOIN.of(rest))
    }

    /// Bytes for sorting while a segment of so many tables is built: half, as what was sorted is put
    /// into its final form before it is written.
    #[must_use]
    pub fn for_segment(self, tables: usize, bucket_bits: u32) -> Option<usize> {
        let held = self.needed_for_segment(tables, bucket_bits) - Self::LEAST;
        Self { held, ..self }.rest().map(|rest| shares::SORTED_OF_SEGMENT.of(rest))
    }

    /// The fewest bytes that building such a segment takes, with what is held.
    #[must_use]
    pub fn needed_for_segment(self, tables: usize, bucket_bits: u32) -> usize {
        let directory = 8 << bucket_bits;
        self.held + tables * Self::COUNTS + directory + 2 * Self::LEAST
    }
}
