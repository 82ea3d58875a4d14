//! What writes are decided by: the nearest stored documents, searched for many writes at once.

use crate::disk::sketch::Sketch;
use crate::disk::truth::Truth;
use crate::error::Error;
use crate::invariant::invariant;
use crate::rules::Rules;
use crate::views::found::Found;
use crate::views::view::View;
use crate::writing::activity::Activity;
use crate::writing::crew::Crew;
use crate::writing::write::Write;
use nearprint_bits::{CodeList, Codes};
use nearprint_fingerprint::Matching;

/// Fingerprints that one thread searches at a time.
pub(crate) const SEARCHED: usize = 256;

/// What writes are decided by: what is stored, and the rules.
#[derive(Clone, Copy)]
pub(crate) struct Stored<'a> {
    pub(crate) truth: &'a Truth,
    pub(crate) view: &'a View,
    pub(crate) rules: Rules,
    pub(crate) activity: &'a Activity,
}

impl Stored<'_> {
    /// The nearest stored document to each of `writes` that asks for it. Damage fails only the writes whose
    /// search meets it.
    pub(crate) fn nearest(
        &self,
        writes: &[Write],
        crew: &Crew,
    ) -> Vec<Result<Option<Found>, Error>> {
        let asks = |(at, write): (usize, &'_ Write)| {
            let sketch = &write.checked()?.sketch;
            let compared = sketch.matching(self.rules.degenerate) == Matching::Distance;
            (compared && sketch.check(&self.rules).is_ok()).then_some(at)
        };
        let asking: Vec<usize> = writes.iter().enumerate().filter_map(asks).collect();
        let search = |asking: &[usize]| {
            let sketches = asking.iter().filter_map(|at| Some(&writes.get(*at)?.checked()?.sketch));
            match &self.rules.min_similarity {
                None => {
                    let mut queries = CodeList::new(self.rules.width);
                    for sketch in sketches {
                        let pushed = queries.push(*sketch.searched());
                        debug_assert!(pushed, "the store takes documents of its width only");
                    }
                    self.within(queries.codes())
                }
                Some(_) => {
                    sketches.map(|sketch| self.most_alike(sketch, &|_| true)).collect::<Vec<_>>()
                }
            }
        };
        let found = crew.in_parts(&asking, SEARCHED, search);
        let mut near: Vec<_> = writes.iter().map(|_| Ok(None)).collect();
        for (at, found) in asking.into_iter().zip(found.into_iter().flatten()) {
            if let Some(near) = invariant(near.get_mut(at), at) {
                *near = found;
            }
        }
        near
    }

    /// The nearest or most alike document of those that stay; of several the oldest.
    pub(crate) fn first(
        &self,
        sketch: &Sketch,
        stays: &dyn Fn(&Found) -> bool,
    ) -> Result<Option<Found>, Error> {
        match &self.rules.min_similarity {
            None => {
                let found = self.view.within(sketch.searched(), self.rules.k)?;
                Ok(found.into_iter().map(Found::from).find(stays))
            }
            Some(_) => self.most_alike(sketch, stays),
        }
    }

    /// The nearest document to each query within the radius.
    fn within(&self, queries: Codes<'_>) -> Vec<Result<Option<Found>, Error>> {
        let (view, k) = (self.view, self.rules.k);
        let one = |at| {
            let found = view.nearest(queries.slice(at..at + 1), k)?;
            Ok(found.into_iter().flatten().next().map(Found::from))
        };
        match view.nearest(queries, k) {
            Ok(found) => found.into_iter().map(|found| Ok(found.map(Found::from))).collect(),
            Err(_) => (0..queries.len()).map(one).collect(),
        }
    }

    /// The most alike document of those that stay; of several the oldest.
    fn most_alike(
        &self,
        sketch: &Sketch,
        stays: &dyn Fn(&Found) -> bool,
    ) -> Result<Option<Found>, Error> {
        let document = |number| self.truth.document(number);
        let (mut near, crowded) =
            self.view.near_duplicates(sketch, &self.rules, 1, stays, &document)?;
        self.activity.crowded(crowded);
        Ok(near.pop())
    }
}
