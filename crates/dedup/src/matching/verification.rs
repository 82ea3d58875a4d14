//! Pairs within the radius, checked by what the documents share. The rule is [`crate::rules::verify`]'s,
//! the pairs are [`crate::matching::candidates`]'; documents go by their ranks.

use crate::error::Error;
use crate::matching::features::Features;
use crate::matching::near::Near;
use crate::numbers::Rank;
use crate::progress::Progress;
use crate::rules::order::Order;
use crate::rules::verify::Verify;
use rayon::prelude::*;
use std::sync::Arc;

/// Bytes of features that are compared together, on all threads.
const TOGETHER: usize = 4 << 20;
/// Comparisons between two looks at whether the job was asked to end.
const PATIENCE: u64 = 4096;

/// A pair with the features of both.
type Waiting = (Near, Arc<[u64]>, Arc<[u64]>);

/// The check, with what it needs to know of the documents.
pub(crate) struct Verification<'a> {
    pub(crate) rule: Verify,
    pub(crate) features: Features,
    pub(crate) order: &'a Order,
    pub(crate) progress: &'a Progress,
    /// Pairs compared so far.
    pub(crate) compared: u64,
}

impl Verification<'_> {
    /// The Jaccard similarity of a pair that passes, 0 where the radius alone decides; `None` for one
    /// that does not pass.
    pub(crate) fn similarity(&mut self, a: Rank, b: Rank) -> Result<Option<f64>, Error> {
        if !self.rule.is_checked() {
            return Ok(Some(0.0));
        }
        if self.compared.is_multiple_of(PATIENCE) {
            self.progress.check()?;
        }
        self.compared += 1;
        let (of_a, of_b) = (self.of(a)?, self.of(b)?);
        Ok(self.rule.similarity(&of_a, &of_b))
    }

    /// Hands to `each` every pair that `pairs` tells and that passes, with its Jaccard similarity, 0
    /// where the radius alone decides. Compares on rayon's current pool.
    pub(crate) fn each(
        &mut self,
        pairs: impl FnOnce(&mut dyn FnMut(Near) -> Result<(), Error>) -> Result<(), Error>,
        mut each: impl FnMut(Near, f64) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if !self.rule.is_checked() {
            return pairs(&mut |near| each(near, 0.0));
        }
        let mut waiting: Vec<Waiting> = Vec::new();
        let mut bytes = 0;
        pairs(&mut |near| {
            let (a, b) = (self.of(near.a)?, self.of(near.b)?);
            // Pairs of one document share its features.
            let shared = waiting.last().is_some_and(|(_, last, _)| Arc::ptr_eq(last, &a));
            bytes += size_of_val(&*b) + size_of::<Waiting>();
            bytes += if shared { 0 } else { size_of_val(&*a) };
            waiting.push((near, a, b));
            if bytes < TOGETHER {
                return Ok(());
            }
            bytes = 0;
            self.together(&mut waiting, &mut each)
        })?;
        self.together(&mut waiting, &mut each)
    }

    fn together(
        &mut self,
        waiting: &mut Vec<Waiting>,
        each: &mut impl FnMut(Near, f64) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.progress.check()?;
        self.compared += waiting.len() as u64;
        let rule = self.rule;
        let similarities: Vec<_> =
            waiting.par_iter().map(|(_, a, b)| rule.similarity(a, b)).collect();
        for ((near, ..), similarity) in waiting.drain(..).zip(similarities) {
            if let Some(similarity) = similarity {
                each(near, similarity)?;
            }
        }
        Ok(())
    }

    fn of(&mut self, rank: Rank) -> Result<Arc<[u64]>, Error> {
        self.features.of(self.order.document(rank))
    }
}
