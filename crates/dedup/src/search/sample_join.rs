//! Crowded documents beside a sample of them: pairs of one that asks and one of the sample.

use crate::error::Error;
use crate::memory::prefixes::{Prefix, Prefixes};
use crate::numbers::{DocumentNumber, narrow};
use crate::progress::Progress;
use crate::search::block::{Block, Indexed, Posting};
use crate::search::lengths::feature;
use nearprint_rules::Check;
use rayon::prelude::*;

/// Steps that a pair counts as: most are told apart by outlines.
const OF_PAIR: u64 = 4;
/// Pairs of one thread that wait, at most, but for those of one document.
const WAITING: usize = 1 << 18;

/// A join by prefixes of two sets of documents. Pairs of two documents of the reference are none.
///
/// Of two documents the one that has fewer features goes by the shorter prefix that is enough then. So documents of the
/// sample are looked at twice: under these for those that ask and have no fewer, and under whole prefixes for the others.
#[derive(Clone, Copy)]
pub(crate) struct SampleJoin<'a> {
    pub(crate) rule: Check,
    /// The first documents.
    pub(crate) reference: DocumentNumber,
    /// Bytes of memory.
    pub(crate) room: usize,
    pub(crate) progress: &'a Progress,
}

/// What one thread knows and found.
#[derive(Default)]
struct Looker {
    /// The last document that each one of the block was looked at for.
    seen: Vec<u32>,
    found: Vec<[DocumentNumber; 2]>,
    steps: Vec<(DocumentNumber, u64)>,
}

impl SampleJoin<'_> {
    /// Hands each pair that may pass of a document that is `asking` and another one of the `sample`, which both ascend, to
    /// `each`, once, the one that asks first; and the steps that one takes to `count`: a step is a look at a document under a feature, and a
    /// pair counts as four. Runs on rayon's current pool.
    ///
    /// Every pair that passes is among them. Pairs and steps depend neither on memory nor on threads, their order does.
    ///
    /// # Errors
    /// Those of the prefixes, and the first of `each`; [`Error::Interrupted`].
    pub(crate) fn run(
        &self,
        prefixes: &mut Prefixes,
        (asking, sample): (&[DocumentNumber], &[DocumentNumber]),
        count: &mut dyn FnMut(DocumentNumber, u64),
        each: &mut dyn FnMut([DocumentNumber; 2]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut lookers: Vec<Looker> = Vec::new();
        lookers.resize_with(rayon::current_num_threads(), Looker::default);
        for asks_smaller in [true, false] {
            self.run_half(prefixes, (asking, sample), asks_smaller, &mut lookers, count, each)?;
        }
        Ok(())
    }

    /// The pairs of those that ask and others that are no larger, or of those that ask and larger ones.
    fn run_half(
        &self,
        prefixes: &mut Prefixes,
        (asking, sample): (&[DocumentNumber], &[DocumentNumber]),
        asks_smaller: bool,
        lookers: &mut [Looker],
        count: &mut dyn FnMut(DocumentNumber, u64),
        each: &mut dyn FnMut([DocumentNumber; 2]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (mut first, mut block) = (0, Block::default());
        while first < prefixes.documents() {
            first +=
                block.fill(prefixes, first, self.room, self.progress, &mut |block, prefix| {
                    if is_among(sample, prefix) {
                        put(block, prefix, self.places(prefix, asks_smaller));
                    }
                })?;
            for looker in &mut *lookers {
                looker.seen.clear();
                looker.seen.resize(block.documents.len(), u32::MAX);
            }
            let together = (WAITING / block.documents.len().max(1)).max(1) * lookers.len();
            prefixes.each(&mut |documents| {
                for documents in documents.chunks(together) {
                    self.progress.check()?;
                    let share = documents.len().div_ceil(lookers.len()).max(1);
                    let shares = documents.par_chunks(share).zip(&mut *lookers);
                    shares.for_each(|(documents, looker)| {
                        let asks = |one: &&Prefix<'_>| is_among(asking, one);
                        documents
                            .iter()
                            .filter(asks)
                            .for_each(|one| self.look(one, &block, asks_smaller, looker));
                    });
                    for looker in &mut *lookers {
                        looker.steps.drain(..).for_each(|(document, steps)| count(document, steps));
                        looker.found.drain(..).try_for_each(&mut *each)?;
                    }
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// The places of a document under which it is looked for: those of the shorter prefix where it is the smaller one.
    fn places<'p>(
        &self,
        prefix: &'p Prefix<'_>,
        is_smaller: bool,
    ) -> impl Iterator<Item = u64> + 'p {
        let length = match is_smaller {
            true => self.rule.prefix_of_smaller(prefix.size as usize),
            false => usize::MAX,
        };
        prefix.first(length.saturating_sub(prefix.before as usize))
    }

    /// Finds the documents of the block with which one may pass: by the first feature that both have, what each has from
    /// there on bounds what they share.
    fn look(&self, asking: &Prefix<'_>, block: &Block, asks_smaller: bool, looker: &mut Looker) {
        let (size, number) = (asking.size as usize, DocumentNumber(asking.document.into()));
        let (least, most) = match asks_smaller {
            true => (narrow(self.rule.least_size(size) as u64), asking.size),
            false => (asking.size + 1, u32::MAX),
        };
        let mut steps = 0;
        for (before, place) in (asking.before as usize..).zip(self.places(asking, !asks_smaller)) {
            for posting in block.list(feature(place), least).take_while(|one| one.size <= most) {
                steps += 1;
                let local = posting.local();
                let (Some(seen), Some(other)) =
                    (looker.seen.get_mut(local), block.documents.get(local))
                else {
                    continue;
                };
                if std::mem::replace(seen, asking.document) == asking.document
                    || other.document == asking.document
                {
                    continue;
                }
                let of_other = posting.size as usize;
                let rest = (size - before).min(of_other - posting.before as usize);
                let pair = [number, DocumentNumber(other.document.into())];
                if rest >= self.rule.least_shared(size, of_other)
                    && pair.iter().any(|one| *one >= self.reference)
                {
                    looker.found.push(pair);
                    steps += OF_PAIR;
                }
            }
        }
        looker.steps.push((number, steps));
    }
}

fn is_among(documents: &[DocumentNumber], one: &Prefix<'_>) -> bool {
    documents.binary_search(&DocumentNumber(one.document.into())).is_ok()
}

/// Puts a document into a block, under these features of its prefix.
fn put(block: &mut Block, prefix: &Prefix<'_>, places: impl Iterator<Item = u64>) {
    let (local, size) = (block.documents.len() as u64, prefix.size);
    for (before, place) in (prefix.before..).zip(places) {
        block.postings.push(Posting { feature: feature(place) | local, size, before });
    }
    block.documents.push(Indexed { document: prefix.document, size, length: 0, last: 0 });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::prefixes::packed;
    use crate::read::rarity::Rarity;
    use nearprint_fingerprint::{FeatureList, mix64};
    use nearprint_rules::Verify;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    type Found = (Vec<[u64; 2]>, BTreeMap<u64, u64>);

    fn found(
        sets: &[FeatureList],
        sample: &[DocumentNumber],
        asking: &[DocumentNumber],
        room: usize,
        threads: usize,
    ) -> Found {
        let (dir, progress, rule) =
            (tempfile::tempdir().unwrap(), Progress::default(), Verify::Jaccard(0.5).into());
        let rarity = Rarity::new(1 << 12, 1 << 12);
        sets.iter().for_each(|set| rarity.add(set.keys()));
        let (mut prefixes, mut rarest) = (Prefixes::new(dir.path()), Vec::new());
        for (document, set) in (0..).zip(sets) {
            rarity.prefix(set, rule, &mut rarest);
            prefixes.push(document, narrow(set.len() as u64), 0, &packed(&rarest)).unwrap();
        }
        let join = SampleJoin { rule, reference: DocumentNumber(4), room, progress: &progress };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (mut pairs, mut steps) = (Vec::new(), BTreeMap::new());
        let mut count =
            |document: DocumentNumber, more| *steps.entry(document.0).or_insert(0) += more;
        pool.install(|| {
            join.run(&mut prefixes, (asking, sample), &mut count, &mut |pair| {
                pairs.push(pair.map(|one| one.0));
                Ok(())
            })
        })
        .unwrap();
        pairs.sort_unstable();
        (pairs, steps)
    }

    proptest! {
        #[test]
        fn pairs_are_those_of_a_double_loop_in_any_memory(
            sets in prop::collection::vec(prop::collection::btree_set(0_u64..24, 1..12), 1..60),
            asked in any::<u64>(),
            sampled in any::<u64>(),
        ) {
            let list = |set: std::collections::BTreeSet<u64>| {
                let mut keys: Vec<u64> = set.into_iter().map(mix64).collect();
                keys.sort_unstable();
                FeatureList::of_set(keys)
            };
            let sets: Vec<FeatureList> = sets.into_iter().map(list).collect();
            let all = 0..sets.len() as u64;
            let [asking, sample] = [asked, sampled].map(|bits| -> Vec<DocumentNumber> {
                all.clone().filter(|one| bits >> one & 1 == 1).map(DocumentNumber).collect()
            });
            let (pairs, steps) = found(&sets, &sample, &asking, 1 << 20, 1);
            prop_assert!(pairs.is_sorted() && pairs.windows(2).all(|two| two[0] != two[1]));
            let at = |one: u64| &sets[usize::try_from(one).unwrap()];
            for a in asking.iter().map(|one| one.0) {
                for b in sample.iter().map(|one| one.0).filter(|b| *b != a && a.max(*b) >= 4) {
                    let passes = Verify::Jaccard(0.5).similarity_of(at(a), at(b)).is_some();
                    prop_assert!(!passes || pairs.binary_search(&[a, b]).is_ok(), "{} {}", a, b);
                }
            }
            for [a, b] in &pairs {
                let [of_a, of_b] = [*a, *b].map(DocumentNumber);
                prop_assert!(asking.contains(&of_a) && sample.contains(&of_b) && a.max(b) >= &4 && a != b);
            }
            for (room, threads) in [(0, 1), (200, 3), (1 << 20, 2)] {
                prop_assert_eq!(&found(&sets, &sample, &asking, room, threads), &(pairs.clone(), steps.clone()));
            }
        }
    }
}
