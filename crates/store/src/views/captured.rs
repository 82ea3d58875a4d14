//! A store at one moment: the truth and what is derived from it, as they belong together.

use crate::disk::dead::Dead;
use crate::disk::truth::Truth;
use crate::views::view::View;
use fjall::Snapshot;
use std::sync::Arc;

/// A moment between two groups of writes.
pub(crate) struct Captured<const WORDS: usize> {
    pub(crate) truth: Arc<Truth>,
    /// The truth, which no later write changes.
    pub(crate) snapshot: Snapshot,
    pub(crate) view: View<WORDS>,
    /// Which documents of each segment, then of each memtable of the view were gone.
    pub(crate) gone: Vec<Dead>,
}

impl<const WORDS: usize> Captured<WORDS> {
    /// Captures what is now; called where no write is under way.
    pub(crate) fn now(truth: Arc<Truth>, view: View<WORDS>) -> Self {
        let copy = |dead: &Dead| Dead::union(dead.numbers().clone(), std::iter::once(dead));
        let segments = view.segments.iter().map(|segment| copy(segment.dead()));
        let memtables = view.memtables.iter().map(|memtable| copy(memtable.dead()));
        let gone = segments.chain(memtables).collect();
        Self { snapshot: truth.snapshot(), truth, view, gone }
    }
}
