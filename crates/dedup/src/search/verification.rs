//! Compares the features of candidates, and hands on those that pass the check. Documents go by their ranks.

use crate::error::Error;
use crate::numbers::{DocumentNumber, Rank};
use crate::progress::Progress;
use crate::search::candidate_pair::CandidatePair;
use crate::search::features::Features;
use crate::search::order::Order;
use nearprint_rules::Check;
use rayon::prelude::*;

/// Pairs that are looked at together, on all threads.
const TOGETHER: usize = if cfg!(test) { 32 } else { 1 << 14 };
/// Comparisons between two looks at whether the job was asked to end.
const PATIENCE: u64 = 4096;

/// What takes pairs.
type Take<'a> = dyn FnMut(CandidatePair) -> Result<(), Error> + 'a;

/// The check, with what it needs to know of the documents.
pub(crate) struct Verification<'a> {
    pub(crate) rule: Check,
    pub(crate) features: Features,
    pub(crate) order: &'a Order,
    pub(crate) progress: &'a Progress,
    /// How far apart the fingerprints of two documents are, where candidates do not say it.
    pub(crate) distance: Option<&'a (dyn Fn(DocumentNumber, DocumentNumber) -> u32 + Sync)>,
    /// Pairs compared so far.
    pub(crate) compared: u64,
}

impl Verification<'_> {
    /// The similarity of a pair that passes, 0 where the radius alone decides; `None` for one that does not
    /// pass.
    pub(crate) fn similarity(&mut self, a: Rank, b: Rank) -> Result<Option<f64>, Error> {
        if !self.rule.is_checked() {
            return Ok(Some(0.0));
        }
        if self.compared.is_multiple_of(PATIENCE) {
            self.progress.check()?;
        }
        self.compared += 1;
        let [a, b] = [a, b].map(|rank| self.order.document(rank));
        if !self.features.may_pass(self.rule, a, b) {
            return Ok(None);
        }
        let (of_a, of_b) = (self.features.of(a)?, self.features.of(b)?);
        Ok(self.rule.similarity(&of_a, &of_b))
    }

    /// Hands to `each` every pair that `pairs` tells and that passes, with its similarity, 0 where the
    /// radius alone decides. Compares on rayon's current pool.
    pub(crate) fn each(
        &mut self,
        pairs: &mut dyn FnMut(&mut Take<'_>) -> Result<(), Error>,
        each: &mut dyn FnMut(CandidatePair, f64) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if !self.rule.is_checked() {
            return pairs(&mut |near| each(near, 0.0));
        }
        let mut waiting = Vec::with_capacity(TOGETHER);
        pairs(&mut |near| {
            waiting.push(near);
            if waiting.len() < TOGETHER {
                return Ok(());
            }
            self.together(&mut waiting, each)
        })?;
        self.together(&mut waiting, each)
    }

    /// How far apart the fingerprints of two documents are, where candidates do not say it.
    pub(crate) fn distance(&self, a: Rank, b: Rank) -> Option<u32> {
        let [a, b] = [a, b].map(|rank| self.order.document(rank));
        self.distance.map(|distance| distance(a, b))
    }

    fn together(
        &mut self,
        waiting: &mut Vec<CandidatePair>,
        each: &mut dyn FnMut(CandidatePair, f64) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.progress.check()?;
        self.compared += waiting.len() as u64;
        let may_pass = |near: &CandidatePair| {
            let [a, b] = self.documents(*near);
            self.features.may_pass(self.rule, a, b)
        };
        let waiting: Vec<CandidatePair> = waiting.par_drain(..).filter(may_pass).collect();
        self.compare(&waiting, each)
    }

    /// Compares pairs by their features: all together where there is room for these, else one half after
    /// the other.
    fn compare(
        &self,
        pairs: &[CandidatePair],
        each: &mut dyn FnMut(CandidatePair, f64) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut documents: Vec<_> = pairs.iter().flat_map(|near| self.documents(*near)).collect();
        documents.sort_unstable();
        documents.dedup();
        let Some(features) = self.features.block(&documents)? else {
            let (first, second) = pairs.split_at(pairs.len() / 2);
            self.compare(first, each)?;
            return self.compare(second, each);
        };
        let similarity = |near: &CandidatePair| {
            let [a, b] = self.documents(*near).map(|document| features.of(document));
            self.rule.similarity(a?, b?)
        };
        let similarities: Vec<_> = pairs.par_iter().map(similarity).collect();
        for (near, similarity) in pairs.iter().zip(similarities) {
            if let Some(similarity) = similarity {
                let [a, b] = self.documents(*near);
                let distance = self.distance.map_or(near.distance, |distance| distance(a, b));
                each(CandidatePair { distance, ..*near }, similarity)?;
            }
        }
        Ok(())
    }

    fn documents(&self, near: CandidatePair) -> [DocumentNumber; 2] {
        [near.a, near.b].map(|rank| self.order.document(rank))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::features::tests::{Lists, Weighted};
    use nearprint_fingerprint::{FeatureList, Weighting, mix64};
    use nearprint_rules::Verify;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(nearprint_testing::cases(64)))]
        #[test]
        fn pairs_pass_by_their_features_in_any_memory(
            sets in prop::collection::vec(prop::collection::btree_set(0_u64..60, 0..60), 2..40),
            picked in prop::collection::vec(any::<(prop::sample::Index, prop::sample::Index)>(), 0..90),
            rule in prop::sample::select(vec![
                Verify::Jaccard(0.3), Verify::Jaccard(0.5), Verify::Containment(0.6),
            ]),
            budget in prop::sample::select(vec![0_usize, 500, 3000, 8000, 1 << 20]),
        ) {
            let sorted = |set: std::collections::BTreeSet<u64>| {
                let mut keys: Vec<u64> = set.into_iter().map(mix64).collect();
                keys.sort_unstable();
                keys
            };
            let lists = Lists(sets.into_iter().map(sorted).collect());
            let count = lists.0.len();
            let pairs: Vec<CandidatePair> = picked.iter().map(|(a, b)| {
                let [a, b] = [a, b].map(|at| Rank::of(at.index(count) as u64));
                CandidatePair { a, b, distance: 7 }
            }).collect();
            let dir = tempfile::tempdir().unwrap();
            let progress = Progress::default();
            let documents = (0..count as u64).map(DocumentNumber).collect();
            let room = (dir.path(), budget);
            let features = Features::take(&lists, documents, false, room, &progress).unwrap();
            let order = &Order::Input;
            let mut check = Verification { rule: rule.into(), features, order, progress: &progress, distance: None, compared: 0 };
            let mut found = Vec::new();
            check.each(
                &mut |each| pairs.iter().try_for_each(|near| each(*near)),
                &mut |near, similarity| {
                    found.push((near, similarity));
                    Ok(())
                },
            ).unwrap();
            let similarity = |near: &CandidatePair| {
                rule.similarity(&lists.0[near.a.index()], &lists.0[near.b.index()])
            };
            let expected: Vec<_> =
                pairs.iter().filter_map(|near| Some((*near, similarity(near)?))).collect();
            prop_assert_eq!(&found, &expected);
            prop_assert_eq!(check.compared, pairs.len() as u64);
            for near in &pairs {
                prop_assert_eq!(check.similarity(near.a, near.b).unwrap(), similarity(near));
            }
        }

        /// Against a double loop over the features as they were given, on one thread and on several.
        #[test]
        fn pairs_pass_by_their_weights_in_any_memory_on_any_threads(
            vectors in prop::collection::vec(prop::collection::btree_map(0_u64..25, 1_u32..9, 1..25), 2..30),
            picked in prop::collection::vec(any::<(prop::sample::Index, prop::sample::Index)>(), 0..90),
            least in prop::sample::select(vec![0.3, 0.5, 0.8]),
            is_cosine in any::<bool>(),
            budget in prop::sample::select(vec![0_usize, 500, 3000, 8000, 1 << 20]),
            threads in 1_usize..4,
        ) {
            let rule = if is_cosine { Verify::Cosine(least) } else { Verify::WeightedJaccard(least) };
            let list = |vector: &std::collections::BTreeMap<u64, u32>| {
                let weighted = vector.iter().map(|(key, weight)| (mix64(*key), f64::from(*weight) / 8.0));
                FeatureList::weighted(weighted.collect())
            };
            let lists = Weighted(vectors.iter().map(list).collect());
            let count = vectors.len();
            let pairs: Vec<CandidatePair> = picked.iter().map(|(a, b)| {
                let [a, b] = [a, b].map(|at| Rank::of(at.index(count) as u64));
                CandidatePair { a, b, distance: 7 }
            }).collect();
            let (dir, progress) = (tempfile::tempdir().unwrap(), Progress::default());
            let documents = (0..count as u64).map(DocumentNumber).collect();
            let room = (dir.path(), budget);
            let features = Features::take(&lists, documents, true, room, &progress).unwrap();
            let (rule, order) = (Check::new(rule, Weighting::Given), &Order::Input);
            let mut check = Verification { rule, features, order, progress: &progress, distance: None, compared: 0 };
            let mut found = Vec::new();
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| check.each(
                &mut |each| pairs.iter().try_for_each(|near| each(*near)),
                &mut |near, similarity| {
                    found.push((near, similarity));
                    Ok(())
                },
            )).unwrap();
            let exact = |near: &&CandidatePair| {
                let [a, b] = [near.a, near.b].map(|rank| &vectors[rank.index()]);
                let (mut dot, mut common) = (0, 0);
                for (x, of_x) in a {
                    for (y, of_y) in b {
                        dot += if x == y { of_x * of_y } else { 0 };
                        common += if x == y { (*of_x).min(*of_y) } else { 0 };
                    }
                }
                let squares = |of: &std::collections::BTreeMap<u64, u32>| of.values().map(|w| w * w).sum::<u32>();
                let all = a.values().chain(b.values()).sum::<u32>() - common;
                let (dot, both) = (f64::from(dot), f64::from(squares(a)) * f64::from(squares(b)));
                if is_cosine { dot / both.sqrt() >= least - 1e-12 } else { f64::from(common) / f64::from(all) >= least - 1e-12 }
            };
            let expected: Vec<CandidatePair> = pairs.iter().filter(exact).copied().collect();
            prop_assert_eq!(found.iter().map(|(near, _)| *near).collect::<Vec<_>>(), expected);
            for (near, similarity) in found {
                prop_assert_eq!(check.similarity(near.a, near.b).unwrap(), Some(similarity));
            }
        }
    }
}
