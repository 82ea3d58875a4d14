//! Candidates by prefixes: documents that share one of their rarest features. All pairs that pass the check
//! are among them.

use crate::error::Error;
use crate::memory::prefixes::{Prefix, Prefixes};
use crate::memory::shares;
use crate::numbers::{DocumentNumber, index, narrow};
use crate::progress::Progress;
use crate::search::block::{Block, Indexed, Overlaps, Posting, Shared};
use crate::search::candidate_pair::{CandidatePair, TOGETHER};
use crate::search::candidate_search::{Emit, Searched};
use crate::search::crowds::Crowds;
use crate::search::lengths::{Lengths, feature};
use crate::search::order::Order;
use crate::search::places::Places;
use nearprint_rules::Check;
use rayon::prelude::*;
use std::collections::HashMap;

/// Steps for each document, on average, that are taken so that every pair is listed. Where it takes more,
/// documents that share one of their rarest features with more than [`LIST`] others are crowded.
pub(crate) const PATIENCE: u64 = 2000;
/// Documents in a list, at most, that are not crowded where documents can be.
pub(crate) const LIST: u32 = 1024;

/// A join by prefixes.
///
/// The prefix of a document is its rarest features: so many that two documents which pass the check share
/// one of them, whatever the order by which features are rare. A block of documents is in memory at a
/// time, under the features of their prefixes; all documents are read past it, and each is compared with
/// those of the block that are no larger. What their prefixes share, and what may be left behind them,
/// says whether the pair can pass.
///
/// # Complexity
/// For `n` documents, of which `m` fit into the room, `O(n / m)` readings of all prefixes and as many looks
/// at each of their features; at most `longest` steps a look where documents are crowded.
///
/// # References
/// Chaudhuri, Ganti, Kaushik, "A primitive operator for similarity joins in data cleaning", ICDE 2006.
/// Bayardo, Ma, Srikant, "Scaling up all pairs similarity search", WWW 2007. Xiao, Wang, Lin, Yu,
/// "Efficient similarity joins for near duplicate detection", WWW 2008.
pub(crate) struct PrefixJoin<'a> {
    /// How many documents there are.
    pub(crate) documents: u64,
    pub(crate) order: &'a Order,
    /// The first documents, of which no two make a pair.
    pub(crate) reference: DocumentNumber,
    /// Those of them that stand for others outside of the reference in pairs that are listed.
    pub(crate) copied: &'a Places,
    /// The group of each document: two of different ones make no pair. Empty where all are of one.
    pub(crate) groups: &'a [u32],
    pub(crate) rule: Check,
    /// Steps for each document that are taken before any document is crowded.
    pub(crate) patience: u64,
    /// Documents of longer lists are crowded then.
    pub(crate) longest: u32,
    /// Bytes of memory.
    pub(crate) room: usize,
    pub(crate) progress: &'a Progress,
}

impl<'a> PrefixJoin<'a> {
    /// A join of some documents that are searched, in which none is crowded within so many steps.
    pub(crate) fn of(of: &Searched<'a>, patience: u64, room: usize) -> Self {
        Self {
            documents: of.documents.len() as u64,
            order: &of.ranking.order,
            reference: of.reference(),
            copied: of.copied,
            groups: of.groups(),
            rule: of.check,
            patience,
            longest: LIST,
            room,
            progress: of.progress,
        }
    }

    /// Hands every candidate to `emit`, once, and notes the documents of longer lists in `crowds`: a pair of
    /// two of these is noted there as joined in place of being handed over. Runs on rayon's current pool.
    ///
    /// # Errors
    /// Those of the prefixes; [`Error::Interrupted`].
    pub(crate) fn run(
        &self,
        prefixes: &mut Prefixes,
        crowds: &Crowds,
        emit: &Emit<'_>,
    ) -> Result<(), Error> {
        let long = self.long_lists(prefixes)?;
        self.crowded(prefixes, &long, crowds)?;
        let mut overlaps: Vec<Overlaps> = Vec::new();
        overlaps.resize_with(rayon::current_num_threads(), Overlaps::default);
        let (mut first, mut block) = (0, Block::default());
        let (documents, work) = (prefixes.documents(), self.progress.work());
        work.begin(documents.saturating_mul(documents));
        while first < documents {
            let room = shares::BLOCK.of(self.room);
            let put = &mut |block: &mut Block, prefix: &Prefix<'_>| self.put(block, prefix, &long);
            let taken = block.fill(prefixes, first, room, self.progress, put)?;
            // All documents are looked for among these.
            work.reach(first.saturating_mul(documents));
            first += taken;
            for one in &mut overlaps {
                one.of.clear();
                one.of.resize(block.documents.len(), Shared::default());
            }
            prefixes.each(&mut |documents| {
                self.progress.check()?;
                let share = documents.len().div_ceil(overlaps.len()).max(1);
                documents.par_chunks(share).zip(&mut overlaps).for_each(|(documents, overlaps)| {
                    for document in documents {
                        self.look(document, &block, crowds, overlaps);
                        if overlaps.found.len() >= TOGETHER {
                            self.emit(&mut overlaps.found, emit);
                        }
                    }
                    self.emit(&mut overlaps.found, emit);
                });
                work.add(taken.saturating_mul(documents.len() as u64));
                Ok(())
            })?;
        }
        Ok(())
    }

    /// The part of a document's list that is indexed.
    fn indexed<'p>(&self, prefix: &'p Prefix<'_>) -> impl Iterator<Item = u64> + 'p {
        let length = self.rule.prefix_of_smaller(prefix.size as usize);
        prefix.first(length.saturating_sub(prefix.before as usize))
    }

    /// About how many steps it takes.
    ///
    /// # Errors
    /// Those of the prefixes; [`Error::Interrupted`].
    pub(crate) fn looks(&self, prefixes: &mut Prefixes) -> Result<u64, Error> {
        Ok(self.lengths(prefixes)?.looks())
    }

    fn lengths(&self, prefixes: &mut Prefixes) -> Result<Lengths, Error> {
        let mut lengths = Lengths::new(prefixes.places());
        prefixes.each(&mut |documents| {
            for prefix in documents {
                self.indexed(prefix).for_each(|place| lengths.add(place, 0));
                prefix.places().for_each(|place| lengths.add(place, 1));
            }
            self.progress.check()
        })?;
        Ok(lengths)
    }

    /// The features whose lists are long, with their lengths: all of their documents are crowded.
    fn long_lists(&self, prefixes: &mut Prefixes) -> Result<HashMap<u64, u32>, Error> {
        let lengths = self.lengths(prefixes)?;
        let looks = lengths.looks() / self.documents.max(1);
        self.progress.foresee(looks);
        // All documents of a list are crowded only where both of a pair have the same kind of prefix.
        if looks <= self.patience || !self.rule.has_one_prefix() {
            return Ok(HashMap::new());
        }
        let mut counts: HashMap<u64, u32> = HashMap::new();
        prefixes.each(&mut |documents| {
            for place in documents.iter().flat_map(Prefix::places) {
                if lengths.of(place) > self.longest {
                    *counts.entry(place).or_default() += 1;
                }
            }
            self.progress.check()
        })?;
        counts.retain(|_, length| *length > self.longest);
        Ok(counts)
    }

    /// Notes the documents of long lists, each with how long its lists are on average, and all of a list as
    /// joined.
    fn crowded(
        &self,
        prefixes: &mut Prefixes,
        long: &HashMap<u64, u32>,
        crowds: &Crowds,
    ) -> Result<(), Error> {
        if long.is_empty() {
            return Ok(());
        }
        let mut firsts: HashMap<(u64, u32), DocumentNumber> = HashMap::with_capacity(long.len());
        prefixes.each(&mut |documents| {
            for prefix in documents {
                let document = DocumentNumber(prefix.document.into());
                for place in prefix.places().filter(|place| long.contains_key(place)) {
                    let first = firsts.entry((place, self.group(document))).or_insert(document);
                    crowds.join(*first, document);
                }
                let lengths = prefix.places().filter_map(|place| long.get(&place));
                let sum = lengths.map(|length| index((*length).into())).sum::<usize>();
                if sum > 0 {
                    let mean = sum.div_ceil(prefix.before as usize + prefix.len());
                    crowds.add(document, mean);
                }
            }
            self.progress.check()
        })
    }

    /// Puts a document into a block, if it has a posting.
    fn put(&self, block: &mut Block, prefix: &Prefix<'_>, long: &HashMap<u64, u32>) {
        let (local, size) = (block.documents.len() as u64, prefix.size);
        let (mut length, mut last) = (prefix.before, 0);
        for place in self.indexed(prefix) {
            // Of two crowded documents no pair is asked for, and all of a long list are crowded.
            if !long.contains_key(&place) {
                let feature = feature(place) | local;
                block.postings.push(Posting { feature, size, before: length });
            }
            (length, last) = (length + 1, place);
        }
        if last > 0 {
            block.documents.push(Indexed { document: prefix.document, size, length, last });
        }
    }

    /// Finds the candidates of a document that are in the block and no larger.
    fn look(&self, y: &Prefix<'_>, block: &Block, crowds: &Crowds, overlaps: &mut Overlaps) {
        let size = y.size as usize;
        let least_size = narrow(self.rule.least_size(size) as u64);
        let Overlaps { of, touched, found } = overlaps;
        let mut last = 0;
        for (before, place) in (y.before as usize..).zip(y.places()) {
            last = place;
            for posting in block.list(feature(place), least_size) {
                if posting.size > y.size {
                    break;
                }
                let local = posting.local();
                let Some(shared) = of.get_mut(local) else { continue };
                if shared.is_out {
                    continue;
                }
                // What both have from here on, at most.
                let rest = ((posting.size - posting.before) as usize).min(size - before);
                let needed = self.rule.least_shared(posting.size as usize, size);
                if shared.count == 0 {
                    touched.push(local);
                }
                shared.is_out = shared.count as usize + rest < needed;
                shared.count += 1;
                shared.up_to = posting.before + 1;
            }
        }
        for local in touched.drain(..) {
            let (Some(shared), Some(x)) = (of.get_mut(local), block.documents.get(local)) else {
                continue;
            };
            let Shared { count, up_to, is_out } = std::mem::take(shared);
            // Of two that are as large the first is the smaller one.
            if is_out || x.size == y.size && x.document >= y.document {
                continue;
            }
            // What each has behind the end of the prefix that ends first.
            let (of_x, of_y) = if x.last <= last {
                (x.size - x.length, size - y.up_to(x.last))
            } else {
                (x.size - up_to, size - y.up_to(last))
            };
            let shared = count as usize + of_y.min(of_x as usize);
            if shared >= self.rule.least_shared(x.size as usize, size) {
                found.extend(self.candidate(x.document, y.document, crowds));
            }
        }
    }

    /// The group of a document.
    fn group(&self, document: DocumentNumber) -> u32 {
        self.groups.get(document.index()).copied().unwrap_or_default()
    }

    /// Two documents as a candidate, unless both are of the reference or crowded, or they are of different groups.
    fn candidate(&self, x: u32, y: u32, crowds: &Crowds) -> Option<[DocumentNumber; 2]> {
        let [a, b] = [x.min(y), x.max(y)].map(|one| DocumentNumber(one.into()));
        if self.group(a) != self.group(b) {
            return None;
        }
        let is_outside = b >= self.reference;
        if !is_outside && !self.copied.contain(a) && !self.copied.contain(b) {
            return None;
        }
        if crowds.is_crowded(a) && crowds.is_crowded(b) {
            if is_outside {
                crowds.join(a, b);
            }
            return None;
        }
        Some([a, b])
    }

    /// Emits pairs of documents by their ranks.
    fn emit(&self, found: &mut Vec<[DocumentNumber; 2]>, emit: &Emit<'_>) {
        let pair = |both: [DocumentNumber; 2]| {
            let [a, b] = both.map(|one| self.order.rank(one));
            CandidatePair { a: a.min(b), b: a.max(b), distance: 0 }
        };
        let pairs: Vec<CandidatePair> = found.drain(..).map(pair).collect();
        emit(&pairs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::prefixes::packed;
    use crate::read::rarity::Rarity;
    use nearprint_fingerprint::{FeatureList, Weighting, mix64};
    use nearprint_rules::Verify;
    use proptest::prelude::*;
    use std::collections::BTreeSet;
    use std::sync::Mutex;

    /// The features of documents.
    type Sets = Vec<FeatureList>;

    fn keys(features: impl IntoIterator<Item = u64>) -> FeatureList {
        let keys: BTreeSet<u64> = features.into_iter().map(mix64).collect();
        FeatureList::of_set(keys.into_iter().collect())
    }

    /// Vectors of a small universe and some that differ in one weight, with heavy and negative weights.
    fn vectors() -> impl Strategy<Value = Sets> {
        let weight = prop_oneof![4 => (1_i32..9).prop_map(f64::from), 1 => -9.0..40.0];
        let vector = prop::collection::btree_map(0_u64..40, weight, 1..15);
        let edited = (any::<prop::sample::Index>(), 0_u64..40, 0.1..3.0);
        (prop::collection::vec(vector, 1..50), prop::collection::vec(edited, 0..30)).prop_map(
            |(mut vectors, edited)| {
                for (of, feature, weight) in edited {
                    let mut vector = of.get(&vectors).clone();
                    vector.insert(feature, weight);
                    vectors.push(vector);
                }
                let hashed = |(key, weight)| (mix64(key), weight);
                let list = vectors.into_iter().map(|one| one.into_iter().map(hashed).collect());
                list.map(FeatureList::weighted).collect()
            },
        )
    }

    /// Sets of a small universe, so that ties, equal sets and pairs exactly at the share are common, and of
    /// one that is larger; some that hold others.
    fn sets() -> impl Strategy<Value = Sets> {
        let small = prop::collection::vec(prop::collection::vec(0_u64..24, 1..20), 0..60);
        let large = prop::collection::vec(prop::collection::vec(0_u64..400, 1..60), 0..40);
        (small, large, prop::collection::vec((any::<prop::sample::Index>(), 0_u64..50), 0..20))
            .prop_map(|(small, large, edited)| {
                let mut sets = [small, large].concat();
                if !sets.is_empty() {
                    for (of, feature) in edited {
                        let mut set = of.get(&sets).clone();
                        set.truncate(set.len().max(2) - usize::from(feature % 2 == 0));
                        set.push(feature);
                        sets.push(set);
                    }
                }
                sets.into_iter().map(keys).collect()
            })
    }

    type Pairs = BTreeSet<(u32, u32)>;

    /// The candidates and the crowded documents.
    fn found(
        sets: &Sets,
        rule: impl Into<Check>,
        reference: u64,
        slots: usize,
        (longest, room): (u32, usize),
    ) -> (Pairs, Crowds) {
        let (dir, rule) = (tempfile::tempdir().unwrap(), rule.into());
        let rarity = Rarity::new(slots, slots);
        sets.iter().for_each(|set| rarity.add(set.keys()));
        let mut prefixes = Prefixes::new(dir.path());
        let mut rarest = Vec::new();
        for (document, set) in (0..).zip(sets) {
            rarity.prefix(set, rule, &mut rarest);
            let before = rarest.partition_point(|place| Rarity::level(*place) <= 1);
            if before < rarest.len() {
                let (size, list) = (narrow(set.len() as u64), packed(&rarest[before..]));
                prefixes.push(document, size, narrow(before as u64), &list).unwrap();
            }
        }
        let (crowds, pairs) = (Crowds::new(sets.len()), Mutex::new(Pairs::new()));
        let join = PrefixJoin {
            documents: sets.len() as u64,
            order: &Order::Input,
            reference: DocumentNumber(reference),
            copied: &Places::default(),
            groups: &[],
            rule,
            patience: if longest == LIST { PATIENCE } else { 0 },
            longest,
            room,
            progress: &Progress::default(),
        };
        let emit = |found: &[CandidatePair]| {
            for near in found {
                assert!(pairs.lock().unwrap().insert((near.a.0, near.b.0)), "{near:?} comes once");
            }
        };
        join.run(&mut prefixes, &crowds, &emit).unwrap();
        (pairs.into_inner().unwrap(), crowds)
    }

    /// All pairs that pass, by the definition.
    fn passing(sets: &Sets, rule: Verify, reference: u64) -> Pairs {
        let pairs = (0..sets.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        let pairs = pairs.filter(|(a, b)| {
            *b as u64 >= reference && rule.similarity_of(&sets[*a], &sets[*b]).is_some()
        });
        pairs.map(|(a, b)| (narrow(a as u64), narrow(b as u64))).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(nearprint_testing::cases(400)))]
        #[test]
        fn every_pair_that_passes_is_a_candidate(
            sets in sets(),
            share in prop::sample::select(vec![0.1, 0.3, 0.5, 0.6, 2.0 / 3.0, 0.75, 0.8, 0.9, 1.0]),
            rule in prop::sample::select(vec![
                Verify::Jaccard as fn(f64) -> Verify, Verify::Containment, Verify::Cosine,
                Verify::WeightedJaccard,
            ]),
            reference in 0_u64..30,
            slots in prop::sample::select(vec![16_usize, 1 << 12]),
            room in prop::sample::select(vec![0_usize, 2000, 1 << 20]),
            threads in 1_usize..4,
        ) {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let rule = rule(share);
            let (found, crowds) = pool.install(|| found(&sets, rule, reference, slots, (LIST, room)));
            prop_assert_eq!(crowds.documents().count(), 0);
            prop_assert!(found.iter().all(|(a, b)| a < b && u64::from(*b) >= reference));
            let missed: Vec<_> = passing(&sets, rule, reference).difference(&found).copied().collect();
            prop_assert!(missed.is_empty(), "{:?}", missed);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(nearprint_testing::cases(400)))]
        #[test]
        fn every_pair_that_passes_by_its_weights_is_a_candidate(
            vectors in vectors(),
            share in prop::sample::select(vec![0.1, 0.3, 0.5, 0.75, 0.8, 0.9, 1.0]),
            is_cosine in any::<bool>(),
            slots in prop::sample::select(vec![16_usize, 1 << 12]),
            longest in prop::sample::select(vec![LIST, 2, 5]),
            room in prop::sample::select(vec![0_usize, 1 << 20]),
        ) {
            let rule = if is_cosine { Verify::Cosine(share) } else { Verify::WeightedJaccard(share) };
            let check = Check::new(rule, Weighting::Given);
            let (found, crowds) = found(&vectors, check, 0, slots, (longest, room));
            let one = |one: u32| DocumentNumber(one.into());
            let is_left_to_crowds = |(a, b): &&(u32, u32)| {
                let are_crowded = crowds.is_crowded(one(*a)) && crowds.is_crowded(one(*b));
                are_crowded && crowds.component(one(*a)) == crowds.component(one(*b))
            };
            let passing = passing(&vectors, rule, 0);
            let missed = passing.difference(&found).filter(|pair| !is_left_to_crowds(pair));
            prop_assert_eq!(missed.collect::<Vec<_>>(), Vec::<&(u32, u32)>::new());
            prop_assert!(longest < LIST || crowds.documents().count() == 0);
        }
    }

    #[test]
    fn what_cannot_pass_is_no_candidate() {
        // Of 100 features 70 are of all: those are not rare, and 30 are of one document alone.
        let boilerplate = (0..200).map(|own| keys((0..70).chain(1000 * own..1000 * own + 30)));
        let (pairs, _) =
            found(&boilerplate.collect(), Verify::Jaccard(0.8), 0, 1 << 16, (LIST, 1 << 20));
        assert!(pairs.len() < 20, "{}", pairs.len());
        // Half of the features are shared with one other document.
        let halves = (0..400).map(|one| {
            keys((one / 2 * 100..one / 2 * 100 + 50).chain(one << 20..(one << 20) + 50))
        });
        let (pairs, _) =
            found(&halves.collect(), Verify::Jaccard(0.8), 0, 1 << 16, (LIST, 1 << 20));
        assert_eq!(pairs.len(), 0);
    }

    #[test]
    fn documents_of_long_lists_are_crowded() {
        // A cluster around one text, and two documents of another one.
        let mut sets: Sets = (0..30).map(|one| keys((0..40).chain([1000 + one]))).collect();
        sets.push(keys(5000..5040));
        sets.push(keys(5000..5041));
        let rule = Verify::Jaccard(0.8);
        for (longest, crowded, expected) in [(29, 30, 1), (30, 0, 30 * 29 / 2 + 1)] {
            let (pairs, crowds) = found(&sets, rule, 0, 1 << 16, (longest, 1 << 20));
            assert_eq!((pairs.len(), crowds.documents().count()), (expected, crowded));
            assert!(pairs.contains(&(30, 31)));
        }
    }

    #[test]
    fn crowded_documents_of_two_lists_that_may_be_near_are_of_one_component() {
        // Two lists of five documents that share nothing else, but that the first of each shares eight features.
        let of_list = |list: u64, one: u64| match one {
            0 => keys((0..8).chain([100 + list])),
            _ => keys((0..9).map(|own| 1000 * (5 * list + one) + own).chain([100 + list])),
        };
        let sets = (0..2).flat_map(|list| (0..5).map(move |one| of_list(list, one))).collect();
        let (pairs, crowds) = found(&sets, Verify::Jaccard(0.1), 0, 1 << 12, (3, 1 << 20));
        assert_eq!((pairs.len(), crowds.documents().count()), (0, 10));
        assert!((0..10).all(|one| crowds.component(DocumentNumber(one)) == 0));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(nearprint_testing::cases(200)))]
        #[test]
        fn only_pairs_of_two_crowded_documents_of_a_component_are_missing(
            sets in sets(),
            share in prop::sample::select(vec![0.5, 0.8, 0.9]),
            longest in 1_u32..12,
            room in prop::sample::select(vec![1 << 10, 1 << 20]),
        ) {
            let rule = Verify::Jaccard(share);
            let (found, crowds) = found(&sets, rule, 0, 1 << 12, (longest, room));
            let is_crowded = |one: &u32| crowds.is_crowded(DocumentNumber((*one).into()));
            let both = |(a, b): &(u32, u32)| is_crowded(a) && is_crowded(b);
            let passing = passing(&sets, rule, 0);
            let component = |one: u32| crowds.component(DocumentNumber(one.into()));
            let together = |(a, b): &(u32, u32)| component(*a) == component(*b);
            let missed = passing.difference(&found);
            let missed: Vec<_> = missed.filter(|pair| !both(pair) || !together(pair)).collect();
            prop_assert!(missed.is_empty(), "{:?}", missed);
            prop_assert!(!found.iter().any(both));
        }
    }
}
