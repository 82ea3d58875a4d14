//! Exact answers for crowded documents: which document that stays is near another, without listing pairs.

use crate::error::Error;
use crate::matching::features::Features;
use crate::numbers::{DocumentNumber, narrow};
use crate::read::rarity::Rarity;
use crate::rules::check::Check;
use std::collections::HashMap;

/// Steps that are taken for one document where that is bounded.
const PATIENCE: usize = 10_000;
/// Steps that a comparison counts as: estimated, not measured.
const COMPARISON: usize = 50;
/// Bytes of a posting, with what a map takes for a feature that has no other.
const POSTING: usize = 40;
/// Bytes of a leader beside its postings.
const OF_LEADER: usize = 64;
/// Bytes of the leaders of a component, at least, and for each of its crowded documents: where there is room for
/// these, the component alone decides what is found in it.
const ROOM: usize = 64 << 20;
const OF_CROWDED: usize = 8;

/// What leaders may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Bytes, at most.
    pub(crate) room: usize,
    /// Steps that are taken for one document, at most: a step is a look at a posting. `None` where every
    /// document has to be compared with all leaders that it may be near to.
    pub(crate) patience: Option<usize>,
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

    /// The same for a component with so many crowded documents.
    fn of_component(self, crowded: usize) -> Self {
        let enough = ROOM.max(OF_CROWDED * crowded);
        Self {
            room: if self.patience.is_some() { self.room.min(enough) } else { self.room },
            ..self
        }
    }
}

/// Leaders under their rarest features: a document that is near a leader shares one of these with it.
///
/// The prefix of a set of `n` features is its `n - ceil(s n) + 1` rarest. The prefixes of two sets with a
/// Jaccard similarity of at least `s` share a feature, whatever the order by which features are rare. So a
/// document is compared only with leaders that it may be near to. [`Check`] has the prefixes of other measures.
///
/// Memory: its room at most. What it has no room for can have no followers; that is an error where no
/// document may be cut short.
///
/// # References
/// Chaudhuri, Ganti, Kaushik, "A primitive operator for similarity joins in data cleaning", ICDE 2006.
/// Bayardo, Ma, Srikant, "Scaling up all pairs similarity search", WWW 2007. Xiao, Wang, Lin, Yu,
/// "Efficient similarity joins for near duplicate detection", WWW 2008.
pub(crate) struct Leaders {
    rule: Check,
    rarity: Rarity,
    /// The last posting of each feature.
    index: HashMap<u64, u32>,
    postings: Vec<Posting>,
    leaders: Vec<Leader>,
    /// The rarest features of the document asked for last, the rarest first.
    prefix: Vec<u64>,
    /// Bytes that are left for postings.
    left: usize,
    bounds: Bounds,
    /// Documents for which not every leader was looked at, or that can have no followers.
    pub(crate) cut_short: u64,
    /// The last of these.
    last_cut: Option<DocumentNumber>,
}

/// A leader with a feature, and the place of that among the leader's rarest.
#[derive(Clone, Copy)]
struct Posting {
    leader: u32,
    at: u32,
    /// The posting of the same feature before this one.
    before: Option<u32>,
}

struct Leader {
    document: DocumentNumber,
    size: usize,
    /// The last document that was compared with it.
    compared: Option<DocumentNumber>,
}

impl Leaders {
    /// No leaders yet, among the crowded documents of a component, whose features are counted to tell rare
    /// ones.
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
        let rarity = Rarity::new(all, bounds.room / 2);
        for document in crowd {
            rarity.add(features.of(*document)?.keys());
        }
        Ok(Self {
            rule,
            rarity,
            index: HashMap::new(),
            postings: Vec::new(),
            leaders: Vec::new(),
            prefix: Vec::new(),
            left: bounds.room / 2,
            bounds,
            cut_short: 0,
            last_cut: None,
        })
    }

    /// A leader that `document` is near to, with their similarity: the first that is found.
    ///
    /// # Complexity
    /// As many steps as are allowed.
    ///
    /// # Errors
    /// Those of features.
    pub(crate) fn near(
        &mut self,
        document: DocumentNumber,
        features: &mut Features,
    ) -> Result<Option<(DocumentNumber, f64)>, Error> {
        let list = features.of(document)?;
        self.rarity.prefix(&list, self.rule, &mut self.prefix);
        let mut steps = 0;
        for (at, feature) in self.prefix.iter().enumerate() {
            let mut next = self.index.get(feature).copied();
            while let Some(posting) = next.and_then(|at| self.postings.get(at as usize)) {
                next = posting.before;
                if self.bounds.patience.is_some_and(|patience| steps >= patience) {
                    self.cut(document);
                    return Ok(None);
                }
                steps += 1;
                let Some(leader) = self.leaders.get_mut(posting.leader as usize) else { continue };
                // What both have from here on, at most.
                let shared = (list.len() - at).min(leader.size - posting.at as usize);
                if leader.compared == Some(document)
                    || shared < self.rule.least_shared(list.len(), leader.size)
                {
                    continue;
                }
                steps += COMPARISON;
                leader.compared = Some(document);
                if !features.may_pass(self.rule, leader.document, document) {
                    continue;
                }
                let of_leader = features.of(leader.document)?;
                if let Some(similarity) = self.rule.similarity(&of_leader, &list) {
                    return Ok(Some((leader.document, similarity)));
                }
            }
        }
        Ok(None)
    }

    /// Makes `document` a leader.
    ///
    /// # Errors
    /// Those of features.
    pub(crate) fn lead(
        &mut self,
        document: DocumentNumber,
        features: &mut Features,
    ) -> Result<(), Error> {
        let list = features.of(document)?;
        self.rarity.prefix(&list, self.rule, &mut self.prefix);
        // A feature that no other document has leads nobody here.
        let shared = self.prefix.iter().filter(|feature| Rarity::level(**feature) > 1).count();
        if shared == 0 {
            return Ok(());
        }
        let Some(left) = self.left.checked_sub(POSTING * shared + OF_LEADER) else {
            if self.bounds.patience.is_none() {
                let what =
                    format!("the exact comparison of {} crowded documents", self.leaders.len());
                let (given, needed) = (self.bounds.room as u64, 2 * self.bounds.room as u64);
                return Err(Error::Memory { what, given, needed });
            }
            self.left = 0;
            self.cut(document);
            return Ok(());
        };
        self.left = left;
        let leader = narrow(self.leaders.len() as u64);
        let size = list.len();
        self.leaders.push(Leader { document, size, compared: None });
        for (at, feature) in (0..).zip(&self.prefix) {
            if Rarity::level(*feature) > 1 {
                let number = narrow(self.postings.len() as u64);
                let before = self.index.insert(*feature, number);
                self.postings.push(Posting { leader, at, before });
            }
        }
        Ok(())
    }
}

impl Leaders {
    /// Counts a document, once.
    fn cut(&mut self, document: DocumentNumber) {
        if self.last_cut.replace(document) != Some(document) {
            self.cut_short += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matching::features::tests::Lists;
    use crate::progress::Progress;
    use crate::rules::verify::Verify;
    use nearprint_fingerprint::{Overlap, mix64};
    use proptest::prelude::*;

    /// What becomes of the documents, one after the other: the leader that each follows.
    fn followed(lists: &[Vec<u64>], least: f64, room: usize) -> (Vec<Option<usize>>, u64) {
        followed_by(lists, least, room, PATIENCE)
    }

    fn followed_by(
        lists: &[Vec<u64>],
        least: f64,
        room: usize,
        patience: usize,
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
        let mut found = Vec::new();
        for document in documents {
            let near = leaders.near(document, &mut features).unwrap();
            if near.is_none() {
                leaders.lead(document, &mut features).unwrap();
            }
            if let Some((leader, similarity)) = near {
                let overlap = Overlap::of(&lists[leader.index()], &lists[document.index()]);
                assert!(similarity == overlap.jaccard() && similarity >= least);
            }
            found.push(near.map(|(leader, _)| leader.index()));
        }
        (found, leaders.cut_short)
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
        fn a_document_leads_where_it_is_near_no_leader_before_it(
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
                let near = leaders.iter().find(near).is_some();
                prop_assert_eq!(near, leader.is_some(), "document {}", document);
                if let Some(leader) = leader {
                    prop_assert!(leaders.contains(leader));
                } else {
                    leaders.push(document);
                }
            }
        }

        #[test]
        fn what_memory_has_no_room_for_leads_and_is_counted(lists in lists()) {
            let (followed, cut_short) = followed(&lists, 0.8, 0);
            prop_assert!(followed.iter().all(Option::is_none));
            // What shares a rare feature with another could have been followed.
            prop_assert!(cut_short <= lists.len() as u64);
        }
    }

    #[test]
    fn a_document_looks_at_so_many_postings_and_no_more() {
        // Each has three features of all and one of its own: none is near another, and each is compared
        // with all leaders before it, one step and a comparison each.
        let list = |i: u64| {
            let mut keys: Vec<u64> = (0..3).chain([1000 + i]).map(mix64).collect();
            keys.sort_unstable();
            keys
        };
        let lists: Vec<Vec<u64>> = (0..40).map(list).collect();
        for (leaders, expected) in [(10, 29), (38, 1), (39, 0)] {
            let patience = leaders * (1 + COMPARISON);
            let (followed, cut_short) = followed_by(&lists, 0.7, 1 << 20, patience);
            assert!(followed.iter().all(Option::is_none));
            assert_eq!(cut_short, expected, "{leaders}");
        }
    }
}
