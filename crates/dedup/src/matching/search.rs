//! From the pairs that pass to representatives, by the cluster rule; and the report of all pairs.
//! Documents go by their ranks.

use crate::disk::spill::{Appender, Reader, Spill};
use crate::disk::spilled_sort::{Room, sorted_of};
use crate::entries::rows as row;
use crate::error::Error;
use crate::job::DedupJob;
use crate::matching::candidates::Candidates;
use crate::matching::exact::Exact;
use crate::matching::verification::Verification;
use crate::read::documents::Documents;
use crate::rules::keep::KeepRule;
use crate::rules::pair_histograms::PairHistograms;
use crate::rules::verify::Verify;
use nearprint_fingerprint::Fingerprint;
use nearprint_index::UnionFind;

/// Takes rows of a report.
pub(crate) type Rows<'a> = dyn FnMut(&[u8]) -> Result<(), Error> + Send + 'a;

/// What is known of a job's pairs.
pub(crate) struct Search<'a> {
    pub(crate) check: Verification<'a>,
    pub(crate) candidates: &'a Candidates,
    pub(crate) exact: &'a Exact,
    /// Documents that come before all others.
    pub(crate) reference: u64,
    pub(crate) job: &'a DedupJob,
    /// What pairs may take that wait.
    pub(crate) room: Room,
    /// The pairs that made the clusters.
    pub(crate) accepted: PairHistograms,
}

impl Search<'_> {
    /// The first document of each connected component of the pairs that pass, for each of `count`
    /// documents. Of two documents that are joined already nothing is asked: a cluster of m costs
    /// m - 1 comparisons.
    pub(crate) fn connected(&mut self, count: u32) -> Result<Vec<u32>, Error> {
        let sets = UnionFind::new(count);
        let joined = |a, b| sets.find(narrow(a)) == sets.find(narrow(b));
        let verified = self.job.verify != Verify::None;
        let mut join = |a, b, distance| {
            if !joined(a, b)
                && let Some(similarity) = self.check.similarity(a, b)?
            {
                self.accepted.add(distance, verified.then_some(similarity));
                sets.union(narrow(a), narrow(b));
            }
            Ok::<bool, Error>(joined(a, b))
        };
        let equal = &self.candidates.equal;
        for group in equal.groups() {
            // Each with the first, and with all others as long as some are not joined to that.
            let first = group.first().copied().unwrap_or_default();
            let mut whole = true;
            for (at, document) in group.iter().enumerate().skip(1) {
                if !join(first, *document, 0)? || !whole {
                    for other in group.iter().take(at).skip(1) {
                        join(*other, *document, 0)?;
                    }
                    whole = group.iter().take(at + 1).all(|other| joined(first, *other));
                }
            }
        }
        self.candidates.near(|a, b, distance| {
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
        Ok((0..count).map(|rank| sets.find(rank)).collect())
    }

    /// For each of `count` documents the first representative that it passes with; one that passes
    /// with none before it is a representative.
    ///
    /// Documents come by rank, or those with the most near-duplicates first.
    ///
    /// Memory: 4 bytes a document, 12 more where near-duplicates are counted, and the room.
    ///
    /// # References
    /// Aslam, Pelekhov, Rus, "The Star Clustering Algorithm", Journal of Graph Algorithms and
    /// Applications 8, 2004: stars by degree cover a similarity graph.
    pub(crate) fn stars(&mut self, count: u32) -> Result<Vec<u32>, Error> {
        let mut spill = Spill::new(&self.job.work_dir, self.room.block);
        let mut edges = Appender::<2>::default();
        let copies = self.exact.copies();
        let verified = self.job.verify != Verify::None;
        let weigh = matches!(self.job.keep, KeepRule::Central | KeepRule::Nothing);
        let mut degrees = vec![0_u64; if weigh { count as usize } else { 0 }];
        if weigh {
            for group in copies.groups() {
                let first = group.first().and_then(|first| usize::try_from(*first).ok());
                let degree = first.and_then(|first| degrees.get_mut(first));
                degree.into_iter().for_each(|degree| *degree += group.len() as u64 - 1);
            }
        }
        let (candidates, block) = (self.candidates, self.room.entries::<2>());
        self.check.each(
            |each| candidates.all(each),
            |(a, b, distance), similarity| {
                self.accepted.add(distance, verified.then_some(similarity));
                if weigh {
                    for (one, other) in [(a, b), (b, a)] {
                        let degree = usize::try_from(one).ok().and_then(|at| degrees.get_mut(at));
                        let more = copies.of(other).count() as u64;
                        degree.into_iter().for_each(|degree| *degree += more);
                    }
                }
                edges.push((Fingerprint::from_words([b, a]), distance.into()), block, &mut spill)
            },
        )?;
        let edges = edges.finish(&mut spill)?;
        let turns = Turns::new(&degrees, self.reference);
        drop(degrees);
        let mut roots: Vec<u32> = (0..count).collect();
        let all = |keep: &(dyn Fn((Fingerprint<2>, u64)) + Sync)| {
            let mut reader = Reader::<2>::new(&spill, &edges);
            while let Some((pair, _)) = reader.next()? {
                let [a, b] = pair.words().map(|rank| turns.turn(rank));
                keep((Fingerprint::from_words([a.max(b), a.min(b)]), 0));
            }
            Ok(())
        };
        sorted_of(self.room, &self.job.work_dir, all, |(pair, _)| {
            let [b, a] = pair.words().map(|turn| turns.rank(turn));
            let is_free = |rank| root_of(&roots, rank) == narrow(rank);
            // Each document of the reference stands for itself: nothing near one of them stays.
            let free = is_free(a) && is_free(b) && b >= self.reference;
            if free && let Some(slot) = usize::try_from(b).ok().and_then(|b| roots.get_mut(b)) {
                *slot = narrow(a);
            }
            Ok(())
        })?;
        Ok(roots)
    }

    /// Writes every pair of documents that passes, by the first, then the second; returns their
    /// number.
    pub(crate) fn write<const WORDS: usize>(
        &mut self,
        documents: &Documents<WORDS>,
        rows: &mut Rows<'_>,
    ) -> Result<u64, Error> {
        let Self { check, candidates, exact, job, room, .. } = self;
        let verified = job.verify != Verify::None;
        let (copies, order) = (exact.copies(), check.order);
        let all = |keep: &(dyn Fn((Fingerprint<2>, u64)) + Sync)| {
            let tell = |a, b, distance: u32, similarity: f64| {
                let (a, b) = (order.document(a), order.document(b));
                #[expect(clippy::cast_possible_truncation, reason = "four digits are written")]
                let similarity = (similarity as f32).to_bits();
                let pair = Fingerprint::from_words([a.max(b), a.min(b)]);
                keep((pair, u64::from(distance) << 32 | u64::from(similarity)));
            };
            for group in copies.groups() {
                for (at, a) in group.iter().enumerate() {
                    group.iter().skip(at + 1).for_each(|b| tell(*a, *b, 0, 1.0));
                }
            }
            check.each(
                |each| candidates.all(each),
                |(a, b, distance), similarity| {
                    let others = copies.of(b);
                    copies.of(a).for_each(|x| {
                        others.clone().for_each(|y| tell(x, y, distance, similarity));
                    });
                    Ok(())
                },
            )
        };
        let mut written = 0;
        sorted_of(*room, &job.work_dir, all, |(pair, what)| {
            let ([b, a], ids) = (*pair.words(), &documents.ids);
            let [distance, similarity] =
                [what >> 32, what & 0xffff_ffff].map(|half| u32::try_from(half).unwrap_or(0));
            let similarity = verified.then(|| f64::from(f32::from_bits(similarity)));
            written += 1;
            let row = row::pair(&ids.json(a), &ids.json(b), distance, similarity);
            rows(row.as_bytes())
        })?;
        Ok(written)
    }
}

/// Whose turn it is to become a representative: those of the reference, then by degree, then by rank;
/// by rank alone where there are no degrees.
struct Turns {
    ranks: Vec<u32>,
    turns: Vec<u32>,
}

impl Turns {
    fn new(degrees: &[u64], reference: u64) -> Self {
        let mut ranks: Vec<u32> = (0..narrow(degrees.len() as u64)).collect();
        let degree = |rank: &u32| degrees.get(*rank as usize).copied().unwrap_or_default();
        let later = |rank: &u32| u64::from(*rank) >= reference;
        ranks.sort_by_key(|rank| (later(rank), std::cmp::Reverse(degree(rank))));
        let mut turns = vec![0; ranks.len()];
        for (turn, rank) in (0..).zip(&ranks) {
            if let Some(slot) = turns.get_mut(*rank as usize) {
                *slot = turn;
            }
        }
        Self { ranks, turns }
    }

    fn turn(&self, rank: u64) -> u64 {
        root_of(&self.turns, rank).into()
    }

    fn rank(&self, turn: u64) -> u64 {
        root_of(&self.ranks, turn).into()
    }
}

/// What a list says of a rank; itself beyond its end.
pub(crate) fn root_of(list: &[u32], rank: u64) -> u32 {
    let found = usize::try_from(rank).ok().and_then(|rank| list.get(rank));
    found.copied().unwrap_or_else(|| narrow(rank))
}

/// A job has fewer documents than 2^32.
pub(crate) fn narrow(document: u64) -> u32 {
    u32::try_from(document).unwrap_or(u32::MAX)
}
