//! From the pairs that pass to representatives, by the cluster rule; and all pairs, for a report.
//! Documents go by their ranks.

use crate::decide::audit::Audit;
use crate::decide::draw::Draw;
use crate::decide::following::Following;
use crate::decide::pair_histograms::PairHistograms;
use crate::decide::representative_order::{Edge, RepresentativeOrder};
use crate::error::Error;
use crate::memory::spill::{Appender, Reader, Spill};
use crate::memory::spilled_sort::{Room, sorted_of};
use crate::numbers::{DocumentNumber, Rank, entry, set};
use crate::search::candidate_pair::CandidatePair;
use crate::search::candidates::{Candidates, Which};
use crate::search::folded_pairs::{FoldedPair, FoldedPairs};
use crate::search::places::Places;
use crate::search::ranking::Ranking;
use crate::search::verification::Verification;
use nearprint_index::UnionFind;
use nearprint_rules::{ClusterRule, KeepRule};
use std::path::Path;

/// Parts of the work that a crowded document is, where a candidate is one: as many comparisons as it
/// may take.
const OF_CROWDED: u64 = 200;

/// The pairs of two crowded documents.
pub(crate) struct AmongCrowded {
    pub(crate) pairs: Candidates,
    /// Components with so many pairs that these do not say what is connected: their documents follow leaders.
    pub(crate) beyond: Vec<u32>,
}

/// The candidates of a job, with what decides about them.
pub(crate) struct Clustering<'a> {
    pub(crate) check: Verification<'a>,
    pub(crate) candidates: &'a Candidates,
    /// The pairs of two crowded documents, where pairs are asked for or connect.
    pub(crate) among_crowded: Option<&'a AmongCrowded>,
    pub(crate) ranking: &'a Ranking,
    pub(crate) keep: KeepRule,
    /// Whether documents that the ranking has as equal are near-duplicates of each other.
    pub(crate) equal_are_near: bool,
    /// Where pairs wait that memory has no room for.
    pub(crate) dir: &'a Path,
    /// What pairs that wait may take.
    pub(crate) room: Room,
    /// The pairs that made the clusters.
    pub(crate) accepted: PairHistograms,
    /// The levels of the contents of documents.
    pub(crate) levels: &'a [u8],
    /// Documents whose pairs are not all candidates.
    pub(crate) crowded: Following<'a>,
}

impl Clustering<'_> {
    /// Begins the work, of which each candidate is a part as often as candidates are gone through.
    pub(crate) fn begin(&self, readings: u64) {
        let of_crowded = OF_CROWDED * self.crowded.crowds.documents().count() as u64;
        let crowded = self.among_crowded.map_or(0, |crowded| crowded.pairs.apart());
        self.check.progress.work().begin(readings * self.candidates.apart() + crowded + of_crowded);
    }

    /// The representative of each document but for those of equal content, of which the first alone
    /// has one: itself, or a document before it.
    pub(crate) fn representatives(&mut self, rule: ClusterRule) -> Result<Vec<Rank>, Error> {
        match rule {
            ClusterRule::Connected => self.connected(),
            ClusterRule::Star => self.stars(),
        }
    }

    /// The first document of each connected component of the pairs that pass. Of two documents that
    /// are joined already nothing is asked: a cluster of m costs m - 1 comparisons.
    fn connected(&mut self) -> Result<Vec<Rank>, Error> {
        let sets = UnionFind::new(self.ranking.count);
        let joined = |a: Rank, b: Rank| sets.find(a.0) == sets.find(b.0);
        let (verified, progress) = (self.check.rule.is_checked(), self.check.progress);
        let candidates = self.candidates;
        let mut join = |a: Rank, b: Rank, distance| {
            if candidates.decides(a, b)
                && !joined(a, b)
                && let Some(similarity) = self.check.similarity(a, b)?
            {
                let distance = self.check.distance(a, b).unwrap_or(distance);
                self.accepted.add(distance, verified.then_some(similarity));
                sets.union(a.0, b.0);
            }
            Ok::<bool, Error>(joined(a, b))
        };
        let equal = &candidates.equal;
        for (first, others) in equal.groups() {
            // Each with the first, and with all others as long as some are not joined to that.
            let mut whole = true;
            for (at, document) in others.iter().enumerate() {
                if !candidates.decides(first, *document) {
                    whole = false;
                    continue;
                }
                if !join(first, *document, 0)? || !whole {
                    for other in others.iter().take(at) {
                        join(*other, *document, 0)?;
                    }
                    whole = others.iter().take(at + 1).all(|other| joined(first, *other));
                }
            }
        }
        let (which, work) = (Which::Deciding, progress.work());
        candidates.near(which, work, &mut |CandidatePair { a, b, distance }| {
            let (left, right) = (equal.of(a), equal.of(b));
            if left.clone().chain(right.clone()).all(|document| joined(a, document)) {
                return Ok(());
            }
            for x in left {
                for y in right.clone() {
                    join(x, y, distance)?;
                }
            }
            Ok(())
        })?;
        let among_crowded = self.among_crowded;
        let is_beyond =
            |component| among_crowded.is_none_or(|crowded| crowded.beyond.contains(&component));
        if let Some(among) = among_crowded {
            among.pairs.near(which, work, &mut |CandidatePair { a, b, distance }| {
                if !is_beyond(self.crowded.component(a)) {
                    join(a, b, distance)?;
                }
                Ok(())
            })?;
        }
        let Self { check, crowded, accepted, ranking, .. } = self;
        crowded.wait(|rank| ranking.order.document(rank));
        let mut leaders = Places::default();
        while let Some(rank) = crowded.next_if(|_| true) {
            work.add(OF_CROWDED);
            if !is_beyond(crowded.component(rank)) {
                continue;
            }
            match crowded.decide(rank, (false, false), &|_| true, check, accepted)? {
                Some(leader) => sets.union(leader.0, rank.0),
                None => leaders.insert(ranking.order.document(rank)),
            }
        }
        // Each of these may be connected with another by documents that follow them.
        crowded.cut_short = leaders;
        Ok((0..ranking.count).map(|rank| Rank(sets.find(rank))).collect())
    }

    /// For each document the first representative that it passes with; a document that passes with
    /// none before it is a representative.
    ///
    /// Documents come by rank, or those with the most near-duplicates first: see [`Self::count_many`]. A crowded document passes
    /// with the first leader that it is near to, where that comes before those that it passes with by a pair, or leads:
    /// see [`Following`]. Where documents are crowded, one component comes after the other.
    ///
    /// Memory: 4 bytes a document, 4 more where near-duplicates are counted, and the room.
    ///
    /// # References
    /// Aslam, Pelekhov, Rus, "The Star Clustering Algorithm", Journal of Graph Algorithms and
    /// Applications 8, 2004: stars by degree cover a similarity graph.
    fn stars(&mut self) -> Result<Vec<Rank>, Error> {
        let (count, reference) = (self.ranking.count, self.ranking.reference);
        let mut spill = Spill::new(self.dir, self.room.block);
        let (mut edges, block) = (Appender::default(), self.room.entries::<CandidatePair>());
        let copies = self.ranking.exact.copies();
        let verified = self.check.rule.is_checked();
        let weigh = self.keep.counts_near();
        let mut by_degree =
            RepresentativeOrder::new(if weigh { count as usize } else { 0 }, reference);
        for (first, others) in copies.groups().filter(|_| self.equal_are_near) {
            by_degree.add(first, others.len() as u64);
        }
        let (candidates, work) = (self.candidates, self.check.progress.work());
        self.check.each(
            &mut |each| candidates.all(Which::Deciding, work, each),
            &mut |near, similarity| {
                self.accepted.add(near.distance, verified.then_some(similarity));
                for (one, other) in [(near.a, near.b), (near.b, near.a)] {
                    by_degree.add(one, copies.of(other).count() as u64);
                }
                edges.push(near, block, &mut spill)
            },
        )?;
        let edges = edges.finish(&mut spill)?;
        if weigh {
            self.count_many((&spill, &edges), &mut by_degree)?;
        }
        let by_degree = by_degree;
        self.crowded.wait(|rank| by_degree.of(rank));
        let mut roots: Vec<Rank> = Rank::all(count).collect();
        let Self { check, crowded, accepted, ranking, dir, room, .. } = self;
        let (crowds, order) = (crowded.crowds, &ranking.order);
        let component = |rank: Rank| crowds.component(order.document(rank));
        let mut all = |keep: &(dyn Fn(&[Edge]) + Sync)| {
            let mut reader = Reader::<CandidatePair>::new(&spill, &edges);
            while let Some(near) = reader.next()? {
                keep(&[by_degree.edge(component(near.a), near.a, near.b)]);
            }
            Ok(())
        };
        let mut decide = |crowded: &mut Following<'_>, rank: Rank, roots: &mut Vec<Rank>| {
            work.add(OF_CROWDED);
            let root = entry(roots, rank.index());
            let before = |leader| root == rank || by_degree.of(leader) < by_degree.of(root);
            let of = (rank < reference, root != rank);
            let leader = crowded.decide(rank, of, &before, check, accepted)?;
            set(roots, rank.index(), leader.unwrap_or(root));
            Ok::<(), Error>(())
        };
        let mut take = |edge: Edge| {
            let is_due =
                |rank| (component(rank), by_degree.of(rank)) <= (edge.component, edge.first);
            while let Some(rank) = crowded.next_if(is_due) {
                decide(crowded, rank, &mut roots)?;
            }
            let (a, b) = (edge.first.rank(), edge.second);
            let is_free = |rank: Rank| entry(&roots, rank.index()) == rank;
            // Each document of the reference stands for itself: nothing near one of them stays.
            if is_free(a) && is_free(b) && b >= reference {
                set(&mut roots, b.index(), a);
            }
            Ok(())
        };
        sorted_of(*room, dir, &mut all, &mut |edges| {
            edges.iter().copied().try_for_each(&mut take)
        })?;
        while let Some(rank) = crowded.next_if(|_| true) {
            decide(crowded, rank, &mut roots)?;
        }
        Ok(roots)
    }

    /// Draws pairs around the similarity that is asked for, of all candidates.
    pub(crate) fn audit(&mut self, mut draw: Draw<'_>) -> Result<Audit<DocumentNumber>, Error> {
        let Self { check, candidates, .. } = self;
        let rule = check.rule;
        check.rule = rule.by(draw.rule());
        let (order, work) = (check.order, check.progress.work());
        let drawn = check.each(
            &mut |each| candidates.all(Which::Deciding, work, each),
            &mut |CandidatePair { a, b, distance }, similarity| {
                draw.take((order.document(a), order.document(b)), distance, similarity);
                Ok(())
            },
        );
        check.rule = rule;
        drawn.map(|()| draw.finish())
    }

    /// Every candidate that the check refused, of documents that stand for those of equal content, with its similarity.
    pub(crate) fn rejected(&mut self) -> Result<FoldedPairs, Error> {
        let Self { check, candidates, ranking, dir, room, .. } = self;
        let rule = check.rule;
        let (order, progress) = (check.order, check.progress);
        let earliest = |(first, others): (Rank, Vec<Rank>)| {
            let ranks = std::iter::once(first).chain(others);
            Some((first, ranks.map(|rank| order.document(rank)).min()?))
        };
        // By the first of each content, which ascends.
        let stands: Vec<_> = ranking.exact.copies().groups().filter_map(earliest).collect();
        let stands = |rank| match stands.binary_search_by_key(&rank, |(rank, _)| *rank) {
            Ok(at) => stands.get(at).map_or(order.document(rank), |(_, document)| *document),
            Err(_) => order.document(rank),
        };
        check.rule = rule.by(rule.rule().at(0.0));
        let place = ((*room, *dir), (ranking.reference.0.into(), rule.rule().reported()));
        let found = FoldedPairs::found(place.0, place.1, &mut |keep| {
            check.each(
                &mut |each| candidates.all(Which::Deciding, progress.work(), each),
                &mut |CandidatePair { a, b, distance }, similarity| {
                    if !rule.rule().reaches(similarity) {
                        keep(&[FoldedPair::near(stands(a), stands(b), distance, similarity)]);
                    }
                    Ok(())
                },
            )
        });
        check.rule = rule;
        found
    }

    /// Every pair of documents that passes, with equal ones folded: those of equal content, or where the radius
    /// alone decides those of equal fingerprints.
    pub(crate) fn pairs(&mut self) -> Result<FoldedPairs, Error> {
        let Self { check, candidates, among_crowded, ranking, dir, room, .. } = self;
        let (verified, measure) = (check.rule.is_checked(), check.rule.rule().reported());
        let (order, progress) = (check.order, check.progress);
        let copies = ranking.exact.copies();
        // What the first of each content goes by: the first in the input of all that equal it.
        let mut stands: Vec<(Rank, DocumentNumber)> = Vec::new();
        let mut find = |keep: &(dyn Fn(&[FoldedPair]) + Sync)| {
            let earliest = |ranks: &mut dyn Iterator<Item = Rank>| {
                let mut documents: Vec<_> = ranks.map(|rank| order.document(rank)).collect();
                documents.sort_unstable();
                let (earliest, others) = documents.split_first()?;
                others.iter().for_each(|other| keep(&[FoldedPair::equal(*earliest, *other)]));
                Some(*earliest)
            };
            if !verified {
                for (first, others) in candidates.equal.groups() {
                    let firsts = || std::iter::once(first).chain(others.iter().copied());
                    let one = earliest(&mut firsts().flat_map(|first| copies.of(first)));
                    stands.extend(
                        firsts()
                            .zip(std::iter::repeat(one))
                            .filter_map(|(rank, one)| Some((rank, one?))),
                    );
                    progress.check()?;
                }
                stands.sort_unstable();
            }
            let joined = stands.len();
            for (first, others) in copies.groups() {
                let joined = stands.get(..joined).unwrap_or_default();
                if joined.binary_search_by_key(&first, |(rank, _)| *rank).is_err() {
                    let one = earliest(&mut std::iter::once(first).chain(others));
                    stands.extend(one.map(|one| (first, one)));
                    progress.check()?;
                }
            }
            stands.sort_unstable();
            let stands = |rank| match stands.binary_search_by_key(&rank, |(rank, _)| *rank) {
                Ok(at) => stands.get(at).map_or(order.document(rank), |(_, document)| *document),
                Err(_) => order.document(rank),
            };
            let mut report = |CandidatePair { a, b, distance }: CandidatePair, similarity| {
                keep(&[FoldedPair::near(stands(a), stands(b), distance, similarity)]);
                progress.check()
            };
            let (which, work) = (Which::Listed, progress.work());
            if verified {
                check.each(&mut |each| candidates.all(which, work, each), &mut report)?;
            } else {
                candidates.near(which, work, &mut |near| report(near, 0.0))?;
            }
            match among_crowded {
                Some(crowded) => {
                    let pairs = &crowded.pairs;
                    check.each(&mut |each| pairs.near(which, work, each), &mut report)
                }
                None => Ok(()),
            }
        };
        // Documents of the reference have the first numbers.
        let reference = ranking.reference.0.into();
        FoldedPairs::found((*room, dir), (reference, measure), &mut find)
    }
}
