//! How many near-duplicates documents with many have: by a sample of these.

use crate::decide::clustering::Clustering;
use crate::decide::representative_order::RepresentativeOrder;
use crate::error::Error;
use crate::memory::shares;
use crate::memory::spill::{List, Reader, Spill};
use crate::numbers::{DocumentNumber, Rank};
use crate::search::candidate_pair::CandidatePair;
use crate::search::equal_documents::EqualDocuments;
use crate::search::order::Order;
use crate::search::places::Places;
use crate::search::prefix_search::of_crowd;
use crate::search::sample_join::SampleJoin;
use std::cmp::Reverse;

/// Contents in a sample that are enough to tell how many near-duplicates there are: with as many of one document each the
/// standard error is 1 / sqrt(32), less than a fifth.
const ENOUGH: u32 = 32;
/// The lowest level that is a sample, of one in sixteen: some 500 near-duplicates are all counted.
const SAMPLE: u32 = 4;
/// Steps that are taken for one crowded document, where that is bounded.
const PATIENCE: u64 = 50_000;
/// Bytes of the counts of a document, with their levels.
const OF_DOCUMENT: usize = 256;
/// Documents whose counts are held at a time, at least.
const TOGETHER: usize = 1 << 10;
/// A level above all: 64 bits of a hash, and 32 for documents of one content.
const TOP: u32 = 97;

/// The near-duplicates of a document, by the levels of the contents that they have.
///
/// By its hash a content of `c` documents, `2^b <= c < 2^(b + 1)`, is of level `n` or higher with a probability of 2^(b - n), or
/// surely where `n` is at most `b`: see [`Contents::level`]. So the contents of a level and of all higher ones are a sample
/// of all, in which frequent ones are as sure as their documents are many. The highest level of which there are [`ENOUGH`]
/// tells how many near-duplicates there are, each content by its documents over its probability, if that is [`SAMPLE`] or
/// higher; otherwise all are counted. That depends on which documents are near this one and on nothing else: on no order in
/// which pairs are found, and not on how.
///
/// # References
/// Wegman's adaptive sampling: Flajolet, "On adaptive sampling", Computing 43, 1990. Horvitz, Thompson, "A generalization of
/// sampling without replacement from a finite universe", JASA 47, 1952.
#[derive(Clone, Debug, Default)]
struct Sampled(Vec<Tally>);

/// Contents of one level that have about as many documents, and these.
#[derive(Clone, Copy, Debug)]
struct Tally {
    level: u32,
    /// The logarithm of the number of documents of each, rounded down.
    bits: u32,
    contents: u32,
    documents: u32,
}

impl Sampled {
    /// Counts a content of a level, and the documents that have it.
    fn add(&mut self, level: u32, documents: u32) {
        let bits = documents.max(1).ilog2();
        // Descending by level.
        let at = self.0.partition_point(|one| (one.level, one.bits) > (level, bits));
        match self.0.get_mut(at).filter(|one| (one.level, one.bits) == (level, bits)) {
            Some(tally) => {
                tally.contents += 1;
                tally.documents = tally.documents.saturating_add(documents);
            }
            None => self.0.insert(at, Tally { level, bits, contents: 1, documents }),
        }
    }

    /// About how many documents are near, where the counts of the level `from` and of all higher ones are complete; and
    /// whether counts of lower levels change nothing.
    fn degree(&self, from: u32) -> (u64, bool) {
        let mut contents = 0;
        for (at, one) in self.0.iter().enumerate().take_while(|(_, one)| one.level >= from) {
            contents += one.contents;
            let is_last = self.0.get(at + 1).is_none_or(|next| next.level < one.level);
            if is_last && contents >= ENOUGH && one.level >= SAMPLE {
                return (self.told_by(one.level), true);
            }
        }
        (self.told_by(from), from == 0)
    }

    /// What the contents of a level and of higher ones tell.
    fn told_by(&self, level: u32) -> u64 {
        let of_these = self.0.iter().take_while(|one| one.level >= level);
        let told = of_these.map(|one| {
            let times = 1_u64.checked_shl(level.saturating_sub(one.bits)).unwrap_or(u64::MAX);
            u64::from(one.documents).saturating_mul(times)
        });
        told.fold(0, u64::saturating_add)
    }
}

/// What is known of a document.
#[derive(Clone, Debug, Default)]
struct Counted {
    near: Sampled,
    /// The lowest level that is complete, with all above it.
    from: u32,
    /// Steps so far, and those of the last level.
    steps: [u64; 2],
    /// How many are told of by what else is known, where the crowded ones among them are not counted.
    told: Option<u64>,
}

impl Counted {
    /// About how many documents are near, and whether that is what all pairs tell.
    fn degree(&self) -> (u64, bool) {
        let (degree, is_known) = self.near.degree(self.from);
        (degree + self.told.unwrap_or(0), is_known && self.told.is_none())
    }

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
    /// The level of the content that `first` stands for: that of its hash, and one more for each time that its documents
    /// double.
    fn level(&self, first: Rank) -> u32 {
        let of_hash = self.levels.get(self.order.document(first).index()).copied();
        u32::from(of_hash.unwrap_or_default()) + self.documents(first).ilog2()
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
                if !self.crowded.bounds.look_at_all(all.len()) {
                    for one in asking {
                        if let Some(of) = counted.get_mut(places.place(*one)) {
                            of.told = Some(self.crowded.degree(*one));
                        }
                    }
                    continue;
                }
                self.count_among(all, asking, &contents, (&places, &mut counted))?;
            }
            for document in window {
                let rank = order.rank(*document);
                let of = counted.get(places.place(*document));
                let (degree, is_known) = of.map_or((0, true), Counted::degree);
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
        let mut levels: Vec<(u32, DocumentNumber)> =
            all.iter().map(|document| (level(document), *document)).collect();
        // From the highest level on, and ascending in each.
        levels.sort_unstable_by_key(|(level, document)| (Reverse(*level), *document));
        let join = SampleJoin {
            rule,
            reference: DocumentNumber(self.ranking.reference.0.into()),
            room: shares::INDEX_OF_LEADERS.of(room),
            progress,
        };
        for one in asking {
            if let Some(of) = counted.get_mut(places.place(*one)) {
                of.from = TOP;
            }
        }
        // The first sample is of so many levels that it can have enough.
        let enough = levels.get(ENOUGH as usize).map_or(0, |(level, _)| *level);
        let together =
            |(a, _): &(u32, DocumentNumber), (b, _): &(u32, DocumentNumber)| a == b || *b >= enough;
        let mut samples = levels.chunk_by(together).peekable();
        while let Some(sample) = samples.next() {
            // There is no content of a level between this one and the next.
            let from = samples.peek().and_then(|next| next.first()).map_or(0, |(next, _)| next + 1);
            let mut sample: Vec<DocumentNumber> = sample.iter().map(|(_, one)| *one).collect();
            sample.sort_unstable();
            let asks = |one: &&DocumentNumber| {
                counted.get(places.place(**one)).is_some_and(|of| of.asks(patience))
            };
            let asking: Vec<DocumentNumber> = asking.iter().filter(asks).copied().collect();
            if asking.is_empty() {
                break;
            }
            let mut steps: Vec<u64> = vec![0; asking.len()];
            let mut count = |document: DocumentNumber, more: u64| {
                let at = asking.binary_search(&document).ok();
                if let Some(steps) = at.and_then(|at| steps.get_mut(at)) {
                    *steps += more;
                }
            };
            check.each(
                &mut |each| {
                    join.run(&mut prefixes, (&asking, &sample), &mut count, &mut |pair| {
                        let [a, b] = pair.map(|document| order.rank(document));
                        each(CandidatePair { a, b, distance: 0 })
                    })
                },
                &mut |CandidatePair { a, b, .. }, _| {
                    if let Some(of) = counted.get_mut(places.place(order.document(a))) {
                        of.near.add(contents.level(b), contents.documents(b));
                    }
                    Ok(())
                },
            )?;
            for (one, last) in asking.iter().zip(steps) {
                if let Some(of) = counted.get_mut(places.place(*one)) {
                    let [all, _] = of.steps;
                    (of.from, of.steps) = (from, [all + last, last]);
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

    /// The level of a content of so many documents.
    fn level(number: u64, documents: u32) -> u32 {
        let of_hash = crate::read::documents::level(u128::from(mix64(number)) << 64);
        u32::from(of_hash) + documents.ilog2()
    }

    proptest! {
        /// Counts by level say what the definition says, whether lower levels are there or not.
        #[test]
        fn the_highest_level_with_enough_tells(
            near in prop::collection::vec(
                (0_u64..1 << 40, prop::sample::select(vec![1_u32, 1, 1, 2, 3, 9, 500])), 0..3000,
            ),
        ) {
            let mut all = Sampled::default();
            near.iter().for_each(|(number, documents)| all.add(level(*number, *documents), *documents));
            let of_level = |least: u32| {
                near.iter().filter(move |(number, documents)| level(*number, *documents) >= least)
            };
            let is_enough = |least: &u32| of_level(*least).count() >= ENOUGH as usize;
            let enough = (SAMPLE..TOP).rev().find(is_enough);
            let least = enough.unwrap_or(0);
            let told = of_level(least).map(|(_, documents)| {
                u64::from(*documents) << least.saturating_sub(documents.ilog2())
            });
            let sum: u64 = told.sum();
            prop_assert_eq!(all.degree(0), (sum, true));
            for from in 0..TOP {
                let mut some = Sampled::default();
                of_level(from).for_each(|(number, documents)| some.add(level(*number, *documents), *documents));
                let (degree, is_known) = some.degree(from);
                prop_assert_eq!(is_known, from == 0 || enough.is_some_and(|enough| enough >= from));
                prop_assert!(!is_known || degree == sum, "from {}", from);
            }
        }
    }

    #[test]
    fn what_is_told_of_many_is_near_the_truth() {
        // Of some contents one has half of all documents, or many have a few.
        for copies in [[1, 1], [5000, 1], [7, 1]] {
            let documents = |number: u64| match copies {
                [all, _] if all > 1000 => {
                    if number == 0 {
                        all
                    } else {
                        1
                    }
                }
                [some, one] => {
                    if number.is_multiple_of(4) {
                        some
                    } else {
                        one
                    }
                }
            };
            let truth: u32 = (0..5000).map(documents).sum();
            let told = (0..200_u64).map(|start| {
                let mut near = Sampled::default();
                (0..5000).for_each(|number| {
                    let documents = documents(number);
                    near.add(level(start * 10_000 + number, documents), documents);
                });
                near.degree(0).0 as f64 / f64::from(truth)
            });
            let told: Vec<f64> = told.collect();
            let mean = |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>() / 200.0;
            let [average, variance] = [
                mean(&mut told.iter().copied()),
                mean(&mut told.iter().map(|share| (share - 1.0).powi(2))),
            ];
            assert!((average - 1.0).abs() < 0.05 && variance.sqrt() < 0.25, "{average} {variance}");
        }
    }
}
