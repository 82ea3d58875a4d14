//! How many near-duplicates documents with many have: by a sample of these.

use crate::decide::clustering::Clustering;
use crate::decide::representative_order::RepresentativeOrder;
use crate::error::Error;
use crate::memory::shares;
use crate::memory::spill::{List, Reader, Spill};
use crate::numbers::{DocumentNumber, Rank, entry};
use crate::search::candidate_pair::CandidatePair;
use crate::search::equal_documents::EqualDocuments;
use crate::search::order::Order;
use crate::search::places::Places;
use crate::search::prefix_search::of_crowd;
use crate::search::sample_join::SampleJoin;

/// Near-duplicates in a sample that are enough to tell how many there are: with as many the standard error of what is
/// told is 1 / sqrt(32), less than a fifth of it.
const ENOUGH: u32 = 32;
/// The lowest level that is a sample, of one in sixteen: documents with up to some 500 near-duplicates are told exactly.
const SAMPLE: usize = 4;
/// Steps that are taken for one crowded document, where that is bounded.
const PATIENCE: u64 = 50_000;
/// Bytes of the counts of a document, with their levels.
const OF_DOCUMENT: usize = 256;
/// Documents whose counts are held at a time, at least.
const TOGETHER: usize = 1 << 10;
/// Levels of a hash of 64 bits.
const LEVELS: usize = 65;

/// The near-duplicates of a document by their levels: the contents that they have, and the documents of these.
///
/// A content is of [level](crate::read::documents::level) `n` or higher with a probability of 2^-n, by its hash. So the
/// near-duplicates of these levels are a sample of all. The highest level of which there are [`ENOUGH`] tells how many there
/// are, if that is [`SAMPLE`] or higher; otherwise all are counted. That depends on which documents are near each other, and on nothing else:
/// on no other document, on no order in which pairs are found, and not on how they are found.
///
/// # References
/// Wegman's adaptive sampling: Flajolet, "On adaptive sampling", Computing 43, 1990.
#[derive(Clone, Debug, Default)]
struct Sampled(Vec<[u32; 2]>);

impl Sampled {
    /// Counts a content of a level, and the documents that have it.
    fn add(&mut self, level: usize, documents: u32) {
        if level >= self.0.len() {
            self.0.resize(level + 1, [0; 2]);
        }
        if let Some([contents, all]) = self.0.get_mut(level) {
            *contents += 1;
            *all = all.saturating_add(documents);
        }
    }

    /// About how many documents are near, where the counts of the level `from` and of all higher ones are complete; and
    /// whether counts of lower levels change nothing.
    fn degree(&self, from: usize) -> (u64, bool) {
        let (mut contents, mut documents) = (0_u32, 0_u64);
        let levels = self.0.iter().enumerate().skip(from).rev();
        for (level, [more, of_these]) in levels {
            contents += more;
            documents += u64::from(*of_these);
            if contents >= ENOUGH && level >= SAMPLE {
                return (documents.saturating_mul(1 << level.min(63)), true);
            }
        }
        (documents.saturating_mul(1 << from.min(63)), from == 0)
    }
}

/// What is known of a document.
#[derive(Clone, Debug, Default)]
struct Counted {
    near: Sampled,
    /// The lowest level that is complete, with all above it.
    from: usize,
    /// Steps so far, and those of the last level.
    steps: [u64; 2],
}

impl Counted {
    /// Whether the next level is asked for: it is not known how many are near, and what that takes is allowed. A level has
    /// about twice as many documents as the one above it.
    fn asks(&self, patience: Option<u64>) -> bool {
        let [all, last] = self.steps;
        let (_, is_known) = self.near.degree(self.from);
        !is_known && patience.is_none_or(|patience| all + 2 * last <= patience)
    }
}

/// Contents with the documents that have them.
struct Contents<'a> {
    copies: EqualDocuments,
    order: &'a Order,
    levels: &'a [u8],
}

impl Contents<'_> {
    /// The level of the content that `first` stands for.
    fn level(&self, first: Rank) -> usize {
        self.levels.get(self.order.document(first).index()).copied().unwrap_or_default().into()
    }

    fn documents(&self, first: Rank) -> u32 {
        u32::try_from(self.copies.of(first).count()).unwrap_or(u32::MAX)
    }
}

impl Clustering<'_> {
    /// Counts the near-duplicates of documents that have many, or may have: of crowded ones all are found, and of others
    /// those of the pairs that pass. Notes crowded ones of which too much was to be looked at as cut short. Runs on rayon's
    /// current pool.
    ///
    /// Memory: 8 bytes for each of these documents, and the room of leaders.
    ///
    /// # Errors
    /// Those of features and temporary files; [`Error::Interrupted`].
    pub(super) fn count_many(
        &mut self,
        (spill, pairs): (&Spill, &List),
        by_degree: &mut RepresentativeOrder,
    ) -> Result<(), Error> {
        let (ranking, crowds) = (self.ranking, self.crowded.crowds);
        let (order, copies) = (&ranking.order, ranking.exact.copies());
        let contents = Contents { copies, order, levels: self.levels };
        let crowd = crowds.by_component();
        let many = Rank::all(ranking.count)
            .filter(|rank| by_degree.degree(*rank) >= ENOUGH)
            .map(|rank| order.document(rank))
            .filter(|document| !crowds.is_crowded(*document));
        let many: Vec<DocumentNumber> = crowd.iter().copied().chain(many).collect();
        let room = self.crowded.bounds.room.min(self.room.bytes);
        for window in many.chunks((room / OF_DOCUMENT).max(TOGETHER)) {
            let places = Places::of(window.iter().copied());
            let mut counted = vec![Counted::default(); window.len()];
            let mut reader = Reader::<CandidatePair>::new(spill, pairs);
            while let Some(CandidatePair { a, b, .. }) = reader.next()? {
                for (one, other) in [(a, b), (b, a)] {
                    let document = order.document(one);
                    if places.contain(document)
                        && let Some(counted) = counted.get_mut(places.place(document))
                    {
                        counted.near.add(contents.level(other), contents.documents(other));
                    }
                }
            }
            let of_component = |a: &DocumentNumber, b: &DocumentNumber| {
                crowds.is_crowded(*b) && crowds.component(*a) == crowds.component(*b)
            };
            for asking in window.chunk_by(of_component) {
                let Some(first) = asking.first().filter(|first| crowds.is_crowded(**first)) else {
                    break;
                };
                let component = crowds.component(*first);
                let start = crowd.partition_point(|one| crowds.component(*one) < component);
                let rest = crowd.get(start..).unwrap_or_default();
                let end = rest.partition_point(|one| crowds.component(*one) == component);
                let all = rest.get(..end).unwrap_or_default();
                self.count_among(all, asking, &contents, (&places, &mut counted))?;
            }
            for document in window {
                let rank = order.rank(*document);
                let of = counted.get(places.place(*document));
                let (degree, is_known) = of.map_or((0, true), |of| of.near.degree(of.from));
                if !is_known {
                    self.crowded.cut_short.insert(*document);
                }
                let own = if self.equal_are_near { contents.documents(rank) - 1 } else { 0 };
                by_degree.replace(rank, degree + u64::from(own));
            }
        }
        Ok(())
    }

    /// Counts near-duplicates of those that are `asking` among `all` crowded documents of their component, level by level
    /// from the highest on, as long as they have not enough.
    fn count_among(
        &mut self,
        all: &[DocumentNumber],
        asking: &[DocumentNumber],
        contents: &Contents<'_>,
        (places, counted): (&Places, &mut [Counted]),
    ) -> Result<(), Error> {
        let (order, bounds, dir) = (&self.ranking.order, self.crowded.bounds, self.dir);
        let progress = self.check.progress;
        let check = &mut self.check;
        let (rule, room) = (check.rule, bounds.room_of(all.len()));
        let mut prefixes = of_crowd(
            all,
            &mut check.features,
            rule,
            (dir, shares::COUNTS_OF_LEADERS.of(room)),
            progress,
        )?;
        let patience = bounds.patience.map(|_| PATIENCE);
        let level = |document: &DocumentNumber| contents.level(order.rank(*document));
        let levels: Vec<usize> = all.iter().map(level).collect();
        let join = SampleJoin {
            rule,
            reference: DocumentNumber(self.ranking.reference.0.into()),
            room: shares::INDEX_OF_LEADERS.of(room),
            progress,
        };
        for one in asking {
            if let Some(of) = counted.get_mut(places.place(*one)) {
                of.from = LEVELS;
            }
        }
        for level in (0..LEVELS).rev() {
            let asks = |one: &&DocumentNumber| {
                counted.get(places.place(**one)).is_some_and(|of| of.asks(patience))
            };
            let asking: Vec<DocumentNumber> = asking.iter().filter(asks).copied().collect();
            if asking.is_empty() {
                break;
            }
            let sample = all.iter().zip(&levels).filter(|(_, of)| **of == level);
            let sample: Vec<DocumentNumber> = sample.map(|(document, _)| *document).collect();
            let mut steps: Vec<u64> = vec![0; counted.len()];
            if !sample.is_empty() {
                let sets = [&asking, &sample].map(|set| Places::of(set.iter().copied()));
                let [of_asking, of_sample] = &sets;
                let mut count = |document: DocumentNumber, more: u64| {
                    if let Some(steps) = steps.get_mut(places.place(document)) {
                        *steps += more;
                    }
                };
                check.each(
                    &mut |each| {
                        let sets = (of_asking, of_sample);
                        join.run(&mut prefixes, sets, &mut count, &mut |pair| {
                            let [a, b] = pair.map(|document| order.rank(document));
                            each(CandidatePair { a, b, distance: 0 })
                        })
                    },
                    &mut |CandidatePair { a, b, .. }, _| {
                        if let Some(of) = counted.get_mut(places.place(order.document(a))) {
                            of.near.add(level, contents.documents(b));
                        }
                        Ok(())
                    },
                )?;
            }
            for one in asking {
                let last = entry(&steps, places.place(one));
                if let Some(of) = counted.get_mut(places.place(one)) {
                    let [all, _] = of.steps;
                    (of.from, of.steps) = (level, [all + last, last]);
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_fingerprint::mix64;
    use proptest::prelude::*;

    fn level(number: u64) -> usize {
        crate::read::documents::level(u128::from(mix64(number)) << 64).into()
    }

    proptest! {
        /// Counts by level say what the definition says, whether lower levels are there or not.
        #[test]
        fn the_highest_level_with_enough_tells(
            near in prop::collection::vec((0_u64..1 << 40, 1_u32..4), 0..3000),
        ) {
            let mut all = Sampled::default();
            near.iter().for_each(|(number, documents)| all.add(level(*number), *documents));
            let of_level = |least: usize| near.iter().filter(move |(number, _)| level(*number) >= least);
            let is_enough = |least: &usize| of_level(*least).count() >= ENOUGH as usize;
            let enough = (SAMPLE..LEVELS).rev().find(is_enough);
            let least = enough.unwrap_or(0);
            let sum: u64 = of_level(least).map(|(_, documents)| u64::from(*documents)).sum();
            prop_assert_eq!(all.degree(0), (sum << least, true));
            for from in 0..LEVELS {
                let mut some = Sampled::default();
                of_level(from).for_each(|(number, documents)| some.add(level(*number), *documents));
                let (degree, is_known) = some.degree(from);
                prop_assert_eq!(is_known, from == 0 || enough.is_some_and(|enough| enough >= from));
                prop_assert!(!is_known || degree == sum << least, "from {}", from);
            }
        }
    }

    #[test]
    fn what_is_told_of_many_is_near_the_truth() {
        let told = (0..200_u64).map(|start| {
            let mut near = Sampled::default();
            (0..5000).for_each(|number| near.add(level(start * 10_000 + number), 1));
            near.degree(0).0 as f64 / 5000.0
        });
        let told: Vec<f64> = told.collect();
        let mean = |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>() / 200.0;
        let [average, variance] = [
            mean(&mut told.iter().copied()),
            mean(&mut told.iter().map(|share| (share - 1.0).powi(2))),
        ];
        assert!((average - 1.0).abs() < 0.05 && variance.sqrt() < 0.2, "{average} {variance}");
    }
}
