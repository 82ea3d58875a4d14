//! Exact answers for crowded documents: which document that stays is near another, without listing pairs.

use crate::error::Error;
use crate::memory::shares;
use crate::numbers::{DocumentNumber, index, narrow};
use crate::read::rarity::Rarity;
use crate::search::features::Features;
use nearprint_rules::Check;
use std::collections::HashMap;

/// Steps that are taken for a document of a component, on average, where that is bounded. Half of them are its own;
/// the others are for whichever documents of the component need them.
const PATIENCE: u64 = 10_000;
/// Crowded documents of a component, at most, of which all is looked at that says what becomes of them, where steps are
/// bounded: in larger ones a document follows any leader that it is near to.
const MOST: usize = 10_000;
/// Steps that a comparison counts as: estimated, not measured.
const COMPARISON: u64 = 50;
/// Words of the outline of a leader, which tells most that are not near it.
const OUTLINE: usize = 4;
/// Bytes of a posting, with what a map takes for a feature that has no other.
const POSTING: usize = 40;
/// Bytes of a leader beside its postings.
const OF_LEADER: usize = 64 + 8 * OUTLINE;
/// Bytes of the leaders of a component, at least, and for each of its crowded documents: where there is room for
/// these, the component alone decides what is found in it.
const ROOM: usize = 64 << 20;
const OF_CROWDED: usize = 8;

/// What leaders may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Bytes, at most.
    pub(crate) room: usize,
    /// Steps that are taken for a document, on average: a step is a look at a posting. `None` where every
    /// document has to be compared with all leaders that it may be near to.
    pub(crate) patience: Option<u64>,
}

impl Bounds {
    /// At most so many bytes, and steps so that the whole is linear in the documents.
    pub(crate) const fn linear(room: usize) -> Self {
        Self { room, patience: Some(PATIENCE) }
    }

    /// So many bytes, and no document is cut short.
    pub(crate) const fn exact(room: usize) -> Self {
        Self { room, patience: None }
    }

    /// Whether all is looked at in a component with so many crowded documents that says what becomes of them.
    pub(super) const fn look_at_all(self, crowded: usize) -> bool {
        self.patience.is_none() || crowded <= MOST
    }

    /// Bytes that are enough for a component with so many crowded documents, where there are as many.
    pub(super) fn room_of(self, crowded: usize) -> usize {
        self.room.min(ROOM.max(OF_CROWDED * crowded))
    }

    /// The same for a component with so many crowded documents.
    fn of_component(self, crowded: usize) -> Self {
        let room = if self.patience.is_some() { self.room_of(crowded) } else { self.room };
        Self { room, ..self }
    }
}

/// Leaders under their rarest features: a document that is near a leader shares one of these with it.
///
/// The prefix of a set of `n` features is its `n - ceil(s n) + 1` rarest. The prefixes of two sets with a
/// Jaccard similarity of at least `s` share a feature, whatever the order by which features are rare. So a
/// document is compared only with leaders that it may be near to. [`Check`] has the prefixes of other measures.
///
/// Memory: its room at most. Where it has no room for a leader, all documents that wait are compared with those that
/// it has, and others take their place.
///
/// What is found in a component does not depend on other components, on threads or on memory, as long as there is room:
/// outlines are as wide in any memory, and steps are counted by what they are, not by the time that they take.
///
/// # References
/// Chaudhuri, Ganti, Kaushik, "A primitive operator for similarity joins in data cleaning", ICDE 2006.
/// Bayardo, Ma, Srikant, "Scaling up all pairs similarity search", WWW 2007. Xiao, Wang, Lin, Yu,
/// "Efficient similarity joins for near duplicate detection", WWW 2008.
pub(crate) struct Leaders {
    rule: Check,
    rarity: Rarity,
    /// The first and the last posting of each feature.
    index: HashMap<u64, [u32; 2]>,
    postings: Vec<Posting>,
    leaders: Vec<Leader>,
    /// The rarest features of the document asked for last, the rarest first.
    prefix: Vec<u64>,
    /// Bytes that are left for postings.
    left: usize,
    bounds: Bounds,
    /// Steps that are left for whichever documents need more than their own.
    shared_steps: u64,
    /// Whether any leader will do that a document is near to.
    takes_any: bool,
    /// Whether there was no room for a leader.
    is_full: bool,
    /// Whether the document asked for last was compared with every leader that it may be near to.
    looked_at_all: bool,
}

/// A leader with a feature, and the place of that among the leader's rarest.
#[derive(Clone, Copy)]
struct Posting {
    leader: u32,
    at: u32,
    /// The next posting of the same feature: of a later leader.
    after: Option<u32>,
}

struct Leader {
    document: DocumentNumber,
    size: usize,
    outline: Outline,
    /// The last document that was compared with it.
    compared: Option<DocumentNumber>,
}

/// A set of keys in a few bits, each of which an odd number of keys turned over: where two outlines differ in `d`
/// bits, at least `d` keys are in one of the sets alone.
#[derive(Clone, Copy)]
struct Outline([u64; OUTLINE]);

impl Outline {
    fn of(keys: &[u64]) -> Self {
        let mut words = [0; OUTLINE];
        for key in keys {
            let bit = key >> (u64::BITS - (64 * OUTLINE).ilog2());
            if let Some(word) = words.get_mut(index(bit / 64)) {
                *word ^= 1 << (bit % 64);
            }
        }
        Self(words)
    }

    /// Keys that are in one of two sets alone, at least.
    fn apart(&self, other: &Self) -> usize {
        self.0.iter().zip(&other.0).map(|(a, b)| (a ^ b).count_ones() as usize).sum()
    }
}

impl Leaders {
    /// No leaders yet, among the crowded documents of a component, whose features are counted to tell rare
    /// ones. Runs on rayon's current pool.
    ///
    /// # Errors
    /// Those of features.
    pub(crate) fn among(
        crowd: &[DocumentNumber],
        features: &mut Features,
        rule: Check,
        bounds: Bounds,
    ) -> Result<Self, Error> {
        let bounds = bounds.of_component(crowd.len());
        let all = crowd.iter().map(|document| features.count(*document)).sum::<usize>();
        let rarity = Rarity::new(all, shares::COUNTS_OF_LEADERS.of(bounds.room));
        features.each(crowd, |list| rarity.add(list.keys()), |_, ()| Ok(()))?;
        Ok(Self {
            rule,
            rarity,
            index: HashMap::new(),
            postings: Vec::new(),
            leaders: Vec::new(),
            prefix: Vec::new(),
            left: shares::INDEX_OF_LEADERS.of(bounds.room),
            bounds,
            shared_steps: bounds
                .patience
                .map_or(u64::MAX, |patience| patience / 2 * crowd.len() as u64),
            takes_any: !bounds.look_at_all(crowd.len()),
            is_full: false,
            looked_at_all: true,
        })
    }

    /// The first leader of those that pass `before` that `document` is near to, with their similarity. Leaders that pass
    /// come before all others.
    ///
    /// # Complexity
    /// As many steps as are allowed.
    ///
    /// # Errors
    /// Those of features.
    pub(crate) fn near(
        &mut self,
        document: DocumentNumber,
        before: &dyn Fn(DocumentNumber) -> bool,
        features: &mut Features,
    ) -> Result<Option<(DocumentNumber, f64)>, Error> {
        // Steps of its own, then those that are shared.
        let own = self.bounds.patience.map_or(u64::MAX, |patience| patience.div_ceil(2));
        let end = self.leaders.partition_point(|leader| before(leader.document));
        self.near_within(own, end, document, features)
    }

    /// The first of all leaders before `document` is decided, by shared steps alone.
    ///
    /// # Errors
    /// Those of features.
    pub(crate) fn near_ahead(
        &mut self,
        document: DocumentNumber,
        features: &mut Features,
    ) -> Result<Option<(DocumentNumber, f64)>, Error> {
        self.near_within(0, self.leaders.len(), document, features)
    }

    /// The first near leader of the first `end`, or any where that will do. Postings of a feature are those of its leaders
    /// in their order: what comes behind one that was found is not looked at.
    fn near_within(
        &mut self,
        mut own: u64,
        end: usize,
        document: DocumentNumber,
        features: &mut Features,
    ) -> Result<Option<(DocumentNumber, f64)>, Error> {
        let list = features.of(document)?;
        self.rarity.prefix(&list, self.rule, &mut self.prefix);
        let outline = Outline::of(list.keys());
        let mut take = |steps: u64| {
            let taken = own.min(steps);
            own -= taken;
            let is_left = taken == steps || self.shared_steps > 0;
            self.shared_steps = self.shared_steps.saturating_sub(steps - taken);
            is_left
        };
        self.looked_at_all = !self.is_full;
        let (mut end, mut found) = (narrow(end as u64), None);
        for (at, feature) in self.prefix.iter().enumerate() {
            let mut next = self.index.get(feature).map(|[first, _]| *first);
            if !take(1) {
                self.looked_at_all = false;
                return Ok(found);
            }
            while let Some(posting) = next.and_then(|at| self.postings.get(at as usize)) {
                if posting.leader >= end {
                    break;
                }
                next = posting.after;
                if !take(1) {
                    self.looked_at_all = false;
                    return Ok(found);
                }
                let Some(leader) = self.leaders.get_mut(posting.leader as usize) else { continue };
                // What both have from here on, at most.
                let shared = (list.len() - at).min(leader.size - posting.at as usize);
                let apart = outline.apart(&leader.outline);
                let shared = shared.min((list.len() + leader.size - apart) / 2);
                if leader.compared == Some(document)
                    || shared < self.rule.least_shared(list.len(), leader.size)
                {
                    continue;
                }
                // What a comparison takes beyond what is left is granted: so it ends.
                take(COMPARISON);
                leader.compared = Some(document);
                if !features.may_pass(self.rule, leader.document, document) {
                    continue;
                }
                let of_leader = features.of(leader.document)?;
                if let Some(similarity) = self.rule.similarity(&of_leader, &list) {
                    (end, found) = (posting.leader, Some((leader.document, similarity)));
                    if self.takes_any {
                        return Ok(found);
                    }
                }
            }
        }
        Ok(found)
    }

    /// Makes `document` a leader; `false` where there is no room for it.
    ///
    /// # Errors
    /// Those of features.
    pub(crate) fn lead(
        &mut self,
        document: DocumentNumber,
        features: &mut Features,
    ) -> Result<bool, Error> {
        let list = features.of(document)?;
        self.rarity.prefix(&list, self.rule, &mut self.prefix);
        // A feature that no other document has leads nobody here.
        let shared = self.prefix.iter().filter(|feature| Rarity::level(**feature) > 1).count();
        if shared == 0 {
            return Ok(true);
        }
        let Some(left) = self.left.checked_sub(POSTING * shared + OF_LEADER) else {
            return Ok(false);
        };
        self.left = left;
        let leader = narrow(self.leaders.len() as u64);
        let size = list.len();
        let outline = Outline::of(list.keys());
        self.leaders.push(Leader { document, size, outline, compared: None });
        for (at, feature) in (0..).zip(&self.prefix) {
            if Rarity::level(*feature) > 1 {
                let number = narrow(self.postings.len() as u64);
                let list = self.index.entry(*feature).or_insert([number; 2]);
                let last = std::mem::replace(&mut list[1], number);
                if let Some(last) = self.postings.get_mut(last as usize) {
                    last.after = Some(number);
                }
                self.postings.push(Posting { leader, at, after: None });
            }
        }
        Ok(true)
    }

    /// Whether there are steps left to compare all documents that wait with the leaders, so that these can make room.
    pub(crate) const fn may_look_ahead(&self) -> bool {
        !self.is_full && self.shared_steps > 0
    }

    /// Forgets the leaders: all documents that wait were compared with them.
    pub(crate) fn make_room(&mut self) {
        (self.index, self.postings, self.leaders) = Default::default();
        self.left = shares::INDEX_OF_LEADERS.of(self.bounds.room);
    }

    /// Takes no further leader: all documents that follow may be near one that is not known here.
    pub(crate) const fn give_up(&mut self) {
        self.is_full = true;
    }
}

impl Leaders {
    /// Whether the document asked for last is surely near no leader before the one that was found, or near none at all.
    pub(crate) const fn looked_at_all(&self) -> bool {
        self.looked_at_all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Progress;
    use crate::search::features::tests::Lists;
    use nearprint_fingerprint::{Overlap, mix64};
    use nearprint_rules::Verify;
    use proptest::prelude::*;

    /// What becomes of the documents, one after the other: the leader that each follows.
    fn followed(lists: &[Vec<u64>], least: f64, room: usize) -> (Vec<Option<usize>>, u64) {
        followed_by(lists, least, room, PATIENCE)
    }

    fn followed_by(
        lists: &[Vec<u64>],
        least: f64,
        room: usize,
        patience: u64,
    ) -> (Vec<Option<usize>>, u64) {
        let dir = tempfile::tempdir().unwrap();
        let documents: Vec<_> = (0..lists.len() as u64).map(DocumentNumber).collect();
        let (source, progress) = (Lists(lists.to_vec()), Progress::default());
        let held = (dir.path(), 1 << 16);
        let mut features =
            Features::take(&source, documents.clone(), false, held, &progress).unwrap();
        let rule = Verify::Jaccard(least).into();
        let bounds = Bounds { patience: Some(patience), ..Bounds::linear(room) };
        let mut leaders = Leaders::among(&documents, &mut features, rule, bounds).unwrap();
        let (mut found, mut cut_short) = (Vec::new(), 0);
        for document in documents {
            let near = leaders.near(document, &|_| true, &mut features).unwrap();
            if near.is_none() {
                cut_short += u64::from(!leaders.looked_at_all());
                if !leaders.lead(document, &mut features).unwrap() {
                    leaders.give_up();
                }
            }
            if let Some((leader, similarity)) = near {
                let overlap = Overlap::of(&lists[leader.index()], &lists[document.index()]);
                assert!(similarity == overlap.jaccard() && similarity >= least);
            }
            found.push(near.map(|(leader, _)| leader.index()));
        }
        (found, cut_short)
    }

    /// Sets of few features, so that ties, equal sets and pairs exactly at the similarity are common.
    fn lists() -> impl Strategy<Value = Vec<Vec<u64>>> {
        let set = prop::collection::btree_set(0_u64..24, 1..20);
        let set = set.prop_map(|set| {
            let mut keys: Vec<u64> = set.into_iter().map(mix64).collect();
            keys.sort_unstable();
            keys
        });
        prop::collection::vec(set, 1..80)
    }

    proptest! {
        #[test]
        fn a_document_follows_the_first_leader_that_it_is_near_to_or_leads(
            lists in lists(),
            least in prop::sample::select(vec![0.3, 0.5, 0.6, 2.0 / 3.0, 0.75, 0.8, 0.9, 1.0]),
        ) {
            let (followed, cut_short) = followed(&lists, least, 1 << 20);
            prop_assert_eq!(cut_short, 0);
            let mut leaders: Vec<usize> = Vec::new();
            for (document, leader) in followed.iter().enumerate() {
                let near = |leader: &&usize| {
                    Overlap::of(&lists[**leader], &lists[document]).jaccard() >= least
                };
                // The first of all that it is near to.
                prop_assert_eq!(leaders.iter().find(near), leader.as_ref(), "document {}", document);
                if leader.is_none() {
                    leaders.push(document);
                }
            }
        }

        #[test]
        fn what_memory_has_no_room_for_leads_and_is_counted(lists in lists()) {
            let (followed, cut_short) = followed(&lists, 0.8, 0);
            prop_assert!(followed.iter().all(Option::is_none));
            // None but the first is sure to be near no other.
            prop_assert!(cut_short < lists.len().max(1) as u64);
        }
    }

    #[test]
    fn a_document_takes_its_own_steps_and_what_others_left() {
        // Each has three features of all and one of its own: none is near another, and each is compared
        // with all leaders before it, one step and a comparison each.
        let list = |i: u64| {
            let mut keys: Vec<u64> = (0..3).chain([1000 + i]).map(mix64).collect();
            keys.sort_unstable();
            keys
        };
        let lists: Vec<Vec<u64>> = (0..40).map(list).collect();
        // All comparisons, and no look at a posting more: each leader has three postings, one of which is compared.
        let all = (0..40).map(|before| before * (1 + COMPARISON)).sum::<u64>();
        for (patience, most) in [(all / 40 + 200, 0), (all / 40 / 2, 30), (2, 39)] {
            let (followed, cut_short) = followed_by(&lists, 0.7, 1 << 20, patience);
            assert!(followed.iter().all(Option::is_none));
            assert!(cut_short <= most && (cut_short > 0) == (most > 0), "{patience}: {cut_short}");
        }
        // The last ones need more than the average: nobody is cut short, as the first ones need less.
        let most = 39 * (3 + COMPARISON);
        assert!(all / 40 + 200 < most, "{all} {most}");
    }

    proptest! {
        #[test]
        fn outlines_differ_by_no_more_than_sets_do(
            a in prop::collection::btree_set((0_u64..300).prop_map(mix64), 0..200),
            b in prop::collection::btree_set((0_u64..300).prop_map(mix64), 0..200),
        ) {
            let apart = a.symmetric_difference(&b).count();
            let [a, b] = [a, b].map(|set| Outline::of(&set.into_iter().collect::<Vec<_>>()));
            prop_assert!(a.apart(&b) <= apart && a.apart(&a) == 0);
        }
    }
}
