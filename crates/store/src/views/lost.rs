//! Documents whose segments turned out to be damaged: searches read them from the database until their segments
//! are made anew.

use crate::disk::dead::Dead;
use crate::disk::manifest::Entry;
use crate::disk::sketch::Sketch;
use crate::disk::truth::Truth;
use crate::error::Error;
use crate::rules::Rules;
use crate::views::probe::Probe;
use fjall::Snapshot;
use nearprint_fingerprint::{DegenerateRule, Fingerprint, Matching};
use nearprint_index::Neighbor;
use std::sync::{Arc, Weak};

/// The documents of damaged segments, as the database has them at the moment of a view.
#[derive(Clone)]
pub(crate) struct Lost {
    parts: Vec<Arc<Part>>,
    /// Whoever opens the database again waits for all who hold it: a view does not.
    truth: Weak<Truth>,
    at: Snapshot,
    degenerate: DegenerateRule,
}

/// The documents of one segment.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) entry: Entry,
    /// Those that were deleted before the segment is made anew. A search needs no such mark: the database does
    /// not have them.
    pub(crate) dead: Dead,
}

impl Lost {
    /// Nothing more than `parts`, as `truth` has them now.
    pub(crate) fn new(parts: Vec<Arc<Part>>, truth: &Arc<Truth>, rules: &Rules) -> Self {
        let (truth, at) = (Arc::downgrade(truth), truth.snapshot());
        Self { parts, truth, at, degenerate: rules.degenerate }
    }

    pub(crate) fn parts(&self) -> &[Arc<Part>] {
        &self.parts
    }

    /// The nearest document to each query within `k` bits, or what `best` has where that is nearer; of several
    /// equally near the oldest.
    ///
    /// # Complexity
    /// Reads all documents once.
    pub(crate) fn nearest<const WORDS: usize>(
        &self,
        queries: &[Fingerprint<WORDS>],
        k: u32,
        best: &mut [Option<Neighbor>],
    ) -> Result<(), Error> {
        self.each(&mut |doc, sketch: &Sketch<Fingerprint<WORDS>>| {
            for (query, best) in queries.iter().zip(best.iter_mut()) {
                let distance = sketch.searched().distance(query);
                let found = (distance <= k).then_some(Neighbor { doc, distance });
                *best = (*best).into_iter().chain(found).min_by_key(Neighbor::nearness);
            }
        })
    }

    /// Adds every document within `k` bits to `found`.
    pub(crate) fn within<const WORDS: usize>(
        &self,
        query: &Fingerprint<WORDS>,
        k: u32,
        found: &mut Vec<Neighbor>,
    ) -> Result<(), Error> {
        self.each(&mut |doc, sketch: &Sketch<Fingerprint<WORDS>>| {
            let distance = sketch.searched().distance(query);
            if distance <= k {
                found.push(Neighbor { doc, distance });
            }
        })
    }

    /// Looks at each document by similarity.
    pub(crate) fn look<const WORDS: usize>(
        &self,
        probe: &mut Probe<'_, WORDS>,
    ) -> Result<(), Error> {
        self.each(&mut |doc, sketch| probe.look_at_one(doc, &sketch.fingerprint, &sketch.bands))
    }

    fn each<const WORDS: usize>(
        &self,
        visit: &mut dyn FnMut(u64, &Sketch<Fingerprint<WORDS>>),
    ) -> Result<(), Error> {
        // The writer opens the database again: whoever asks takes the next view.
        let truth = self.truth.upgrade().ok_or(Error::Closed)?;
        for part in &self.parts {
            let Entry { first, end, .. } = part.entry;
            for row in truth.sketches(&self.at, first..end) {
                let (number, sketch) = row?;
                if sketch.matching(self.degenerate) == Matching::Distance {
                    visit(number, &sketch);
                }
            }
        }
        Ok(())
    }
}

impl std::fmt::Debug for Lost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lost").field("parts", &self.parts).finish_non_exhaustive()
    }
}
