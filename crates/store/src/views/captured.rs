//! A store at one moment: the database, and the segments and memtables that match it.

use crate::disk::dead::Dead;
use crate::disk::truth::Truth;
use crate::views::view::View;
use fjall::Snapshot;
use std::sync::Arc;

/// A moment between two groups of writes.
pub(crate) struct Captured {
    pub(crate) truth: Arc<Truth>,
    /// The database as it was; no later write changes it.
    pub(crate) snapshot: Snapshot,
    pub(crate) view: View,
    /// The deleted documents of each segment of the view, then of each memtable.
    pub(crate) gone: Vec<Dead>,
    /// Whether it is known which write was the last one, so that it is known that the database has it.
    pub(crate) end_known: bool,
}

impl Captured {
    /// Captures the store as it is now. No write may be under way.
    pub(crate) fn now(truth: Arc<Truth>, view: View, end_known: bool) -> Self {
        let copy = |dead: &Dead| Dead::union(dead.numbers().clone(), std::iter::once(dead));
        let segments = view.segments.iter().map(|segment| copy(segment.dead()));
        let memtables = view.memtables.iter().map(|memtable| copy(memtable.dead()));
        let gone = segments.chain(memtables).collect();
        Self { snapshot: truth.snapshot(), truth, view, gone, end_known }
    }
}
