//! Crowded documents, one component and one document after the other: each follows a leader that it is near
//! to, or leads.

use crate::decide::leaders::{Bounds, Leaders};
use crate::decide::pair_histograms::PairHistograms;
use crate::error::Error;
use crate::numbers::{DocumentNumber, Rank};
use crate::search::crowds::Crowds;
use crate::search::order::Order;
use crate::search::places::Places;
use crate::search::verification::Verification;
use std::collections::HashMap;
use std::ops::Range;

/// The crowded documents of a job, and what is found of them.
///
/// The leaders of one component are in memory at a time.
pub(crate) struct Following<'a> {
    pub(crate) crowds: &'a Crowds,
    order: &'a Order,
    /// In how many bands a document may be crowded.
    bands: u32,
    /// The distance of two fingerprints.
    pub(crate) distance: &'a (dyn Fn(DocumentNumber, DocumentNumber) -> u32 + Sync),
    pub(crate) bounds: Bounds,
    /// Crowded documents of which not all was looked at that says what becomes of them.
    pub(crate) cut_short: Places,
    /// All crowded documents, once they [wait](Self::wait).
    waiting: Vec<Rank>,
    /// Those that are decided.
    done: usize,
    /// Those of the component that had the last of these.
    component: Range<usize>,
    /// The leaders of that.
    leaders: Option<Leaders>,
    /// Documents of it that wait, and were compared with leaders for which there is no room any more: the first one that
    /// they are near to, and whether every one was looked at.
    ahead: HashMap<Rank, (Option<(DocumentNumber, f64)>, bool)>,
}

impl<'a> Following<'a> {
    /// Nothing is found yet; leaders will keep to `bounds`.
    pub(crate) fn new(
        crowds: &'a Crowds,
        order: &'a Order,
        bands: u32,
        distance: &'a (dyn Fn(DocumentNumber, DocumentNumber) -> u32 + Sync),
        bounds: Bounds,
    ) -> Self {
        Self {
            crowds,
            order,
            bands,
            distance,
            bounds,
            cut_short: Places::default(),
            waiting: Vec::new(),
            done: 0,
            component: 0..0,
            leaders: None,
            ahead: HashMap::new(),
        }
    }

    /// The component of a document.
    pub(crate) fn component(&self, rank: Rank) -> u32 {
        self.crowds.component(self.order.document(rank))
    }

    /// All crowded documents wait to be decided: by component, and in each by `order`.
    pub(crate) fn wait<T: Ord>(&mut self, order: impl Fn(Rank) -> T) {
        let documents = self.crowds.documents();
        let mut waiting: Vec<Rank> = documents.map(|document| self.order.rank(document)).collect();
        waiting.sort_unstable_by_key(|rank| (self.component(*rank), order(*rank)));
        self.waiting = waiting;
    }

    /// The next crowded document, if there is one that `is_due`.
    pub(crate) fn next_if(&mut self, is_due: impl FnOnce(Rank) -> bool) -> Option<Rank> {
        let rank = self.waiting.get(self.done).copied().filter(|rank| is_due(*rank))?;
        if self.done >= self.component.end {
            let component = self.component(rank);
            let rest = self.waiting.iter().skip(self.done);
            let length = rest.take_while(|one| self.component(**one) == component).count();
            self.component = self.done..self.done + length;
            self.leaders = None;
            self.ahead.clear();
        }
        self.done += 1;
        Some(rank)
    }

    /// About how many near-duplicates a crowded document has that are not counted: the size of its crowded buckets, by the
    /// band.
    pub(crate) fn degree(&self, document: DocumentNumber) -> u64 {
        (self.crowds.sum(document) / self.bands).into()
    }

    /// Decides the crowded document that was the [next](Self::next_if): returns the first leader that it is near to, of those
    /// that come before the one that it follows by a pair, if it follows one. Where it follows none, or `stays`, it leads.
    ///
    /// # Errors
    /// Those of features; [`Error::Interrupted`].
    pub(crate) fn decide(
        &mut self,
        rank: Rank,
        (stays, follows): (bool, bool),
        before: &dyn Fn(Rank) -> bool,
        check: &mut Verification<'_>,
        accepted: &mut PairHistograms,
    ) -> Result<Option<Rank>, Error> {
        check.progress.check()?;
        let Verification { rule, features, .. } = check;
        let order = self.order;
        let leaders = match &mut self.leaders {
            Some(leaders) => leaders,
            None => {
                let crowd = self.waiting.get(self.component.clone()).unwrap_or_default();
                let mut crowd: Vec<_> = crowd.iter().map(|rank| order.document(*rank)).collect();
                crowd.sort_unstable();
                self.leaders.insert(Leaders::among(&crowd, features, *rule, self.bounds)?)
            }
        };
        let document = order.document(rank);
        if !stays {
            let comes_before = |leader: DocumentNumber| before(order.rank(leader));
            let (ahead, mut is_sure) = self.ahead.remove(&rank).unwrap_or((None, true));
            let mut near = ahead.filter(|(leader, _)| comes_before(*leader));
            if ahead.is_none() {
                near = leaders.near(document, &comes_before, features)?;
                is_sure &= leaders.looked_at_all();
            }
            if !is_sure {
                self.cut_short.insert(document);
            }
            if let Some((near, similarity)) = near {
                accepted.add((self.distance)(near, document), Some(similarity));
                return Ok(Some(order.rank(near)));
            }
            if follows {
                return Ok(None);
            }
        }
        let mut leads = leaders.lead(document, features)?;
        if !leads && leaders.may_look_ahead() {
            for rank in self.waiting.get(self.done..self.component.end).unwrap_or_default() {
                check.progress.check()?;
                let (found, was_sure) = self.ahead.get(rank).copied().unwrap_or((None, true));
                if found.is_some() {
                    continue;
                }
                let near = leaders.near_ahead(order.document(*rank), features)?;
                let is_sure = was_sure && leaders.looked_at_all();
                if near.is_some() || !is_sure {
                    self.ahead.insert(*rank, (near, is_sure));
                }
            }
            leaders.make_room();
            leads = leaders.lead(document, features)?;
        }
        if !leads {
            leaders.give_up();
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Progress;
    use crate::search::features::Features;
    use crate::search::features::tests::Lists;
    use nearprint_fingerprint::mix64;
    use nearprint_rules::Verify;

    #[test]
    fn each_component_has_the_room_for_its_leaders() {
        // Two components, whose documents alternate: no two documents of one are near, so that each leads.
        let list = |number: u64| {
            let shared = (0..3).map(|at| 10 * (number % 2) + at);
            let mut keys: Vec<u64> = shared.chain([1000 + number]).map(mix64).collect();
            keys.sort_unstable();
            keys
        };
        let (crowds, order) = (Crowds::new(40), Order::Input);
        let documents: Vec<_> = (0..40).map(DocumentNumber).collect();
        for document in &documents {
            crowds.add(*document, 300);
            crowds.join(DocumentNumber(document.0 % 2), *document);
        }
        let (source, dir) = (Lists((0..40).map(list).collect()), tempfile::tempdir().unwrap());
        let progress = Progress::default();
        let room = (dir.path(), 1 << 16);
        let features = Features::take(&source, documents, false, room, &progress).unwrap();
        let rule = Verify::Jaccard(0.7).into();
        let mut check = Verification {
            rule,
            features,
            order: &order,
            progress: &progress,
            distance: None,
            compared: 0,
        };
        // Half of the room is for postings: of 25 leaders.
        let bounds = Bounds::linear(2 * 25 * 136);
        let mut following = Following::new(&crowds, &order, 1, &|_, _| 0, bounds);
        following.wait(|rank| rank);
        let (mut decided, mut accepted) = (Vec::new(), PairHistograms::default());
        while let Some(rank) = following.next_if(|_| true) {
            decided.push(rank.0);
            let of = (false, false);
            let leader = following.decide(rank, of, &|_| true, &mut check, &mut accepted).unwrap();
            assert_eq!(leader, None);
        }
        assert_eq!(decided, (0..40).step_by(2).chain((1..40).step_by(2)).collect::<Vec<_>>());
        assert_eq!(following.cut_short.documents().count(), 0);
    }
}
