//! Documents whose segments turned out to be damaged: searches read them from the database until their segments
//! are made anew.

use crate::disk::dead::Dead;
use crate::disk::manifest::Entry;
use crate::disk::sketch::Sketch;
use crate::disk::truth::Truth;
use crate::error::Error;
use crate::rules::Rules;
use fjall::Snapshot;
use nearprint_fingerprint::{DegenerateRule, Matching};
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

    /// Calls `visit` with each document that is compared by distance or by sketch.
    ///
    /// # Complexity
    /// Reads all documents once.
    pub(crate) fn each(&self, visit: &mut dyn FnMut(u64, &Sketch)) -> Result<(), Error> {
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
