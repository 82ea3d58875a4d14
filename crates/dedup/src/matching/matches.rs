//! Which documents are near-duplicates of which: equal content, then the radius, then the check.
//! Documents go by their ranks in the order of preference, so that the first of a cluster is the one
//! that is kept.

use crate::cluster::clusters::Clusters;
use crate::disk::spilled_join::{LEAST, SpilledJoin};
use crate::disk::spilled_sort::Room;
use crate::error::Error;
use crate::job::DedupJob;
use crate::matching::candidates::Candidates;
use crate::matching::exact::Exact;
use crate::matching::features::Features;
use crate::matching::search::{Rows, Search, narrow, root_of};
use crate::matching::seen::{Sighting, sightings};
use crate::matching::verification::Verification;
use crate::progress::Progress;
use crate::read::documents::Documents;
use crate::read::sketch::Origin;
use crate::rules::cluster_rule::ClusterRule;
use crate::rules::keep::KeepRule;
use crate::rules::order::Order;
use crate::rules::pair_histograms::PairHistograms;
use crate::rules::verify::Verify;
use nearprint_fingerprint::{Fingerprint, Overlap};

/// What was found among the documents of a job.
pub(crate) struct Matches {
    /// Documents of equal content.
    pub(crate) exact: Exact,
    /// Pairs within the radius, of documents that stand for those of equal content and fingerprint.
    pub(crate) candidates: u64,
    /// Pairs compared feature by feature.
    pub(crate) compared: u64,
    /// The pairs that made the clusters.
    pub(crate) accepted: PairHistograms,
    /// Documents near one of a segment, ascending: alone, and gone.
    pub(crate) seen: Vec<Sighting>,
    pub(crate) order: Order,
    /// The representative of each document, itself or one before it.
    pub(crate) roots: Vec<u32>,
    /// Those of the documents in candidates, where these are verified.
    pub(crate) features: Option<Features>,
}

impl Matches {
    /// Finds the near-duplicates of `job` among `documents`, whose contents and worths go; writes
    /// a row of every pair to `pairs`, where that is there, and returns their number. Runs on rayon's
    /// current pool.
    pub(crate) fn find<const WORDS: usize>(
        job: &DedupJob,
        documents: &mut Documents<WORDS>,
        pairs: Option<&mut Rows<'_>>,
        progress: &Progress,
    ) -> Result<(Self, Option<u64>), Error> {
        let found = documents.fingerprints.len() as u64;
        let count = u32::try_from(found).ok().filter(|count| *count < u32::MAX);
        let count = count.ok_or(Error::TooManyDocuments { found })?;
        let worths = std::mem::take(&mut documents.worths);
        let order = Order::new(job.keep, count, documents.reference.documents, &worths);
        let contents = std::mem::take(&mut documents.contents);
        let exact = Exact::new(&contents, &documents.degenerate, &order);
        drop((contents, worths));

        let memory = job.memory.left(found, documents.held_bytes(), 2 * LEAST)?;
        // Pairs are sorted in half as much room as they are found in, and features held in as much.
        let Origin::Text { recipe, .. } = &job.reading.content else { return Err(Error::NoText) };
        let seen = sightings(&job.seen, documents, (recipe.id(), job.seen_k))?;
        let join = SpilledJoin::new(job.k, memory / 3 * 2, &job.work_dir)?;
        let candidates = Candidates::find(&join, entries(documents, &exact, &order, &seen))?;
        let verified = job.verify != Verify::None;
        let mut asked = if verified { candidates.documents()? } else { Vec::new() };
        asked.iter_mut().for_each(|rank| *rank = order.document(*rank));
        asked.sort_unstable();
        let features = if asked.is_empty() {
            Features::default()
        } else {
            Features::read::<WORDS>(
                &job.reading,
                &job.sources,
                asked,
                (&documents.left_out, documents.checksum),
                (&job.work_dir, memory / 4),
                progress,
            )?
        };
        let mut search = Search {
            check: Verification {
                rule: job.verify,
                features,
                order: &order,
                progress,
                compared: 0,
            },
            candidates: &candidates,
            exact: &exact,
            reference: documents.reference.documents,
            job,
            room: Room::within(memory / 4),
            accepted: PairHistograms::default(),
        };
        let written = pairs.map(|rows| search.write(documents, rows)).transpose()?;
        let mut roots = match job.cluster_rule {
            ClusterRule::Connected => search.connected(count)?,
            ClusterRule::Star => search.stars(count)?,
        };
        for (rank, first) in exact.iter() {
            let root = root_of(&roots, first);
            if let Some(slot) = usize::try_from(rank).ok().and_then(|rank| roots.get_mut(rank)) {
                *slot = root;
            }
        }
        for one in &seen {
            let rank = order.rank(one.document);
            if let Some(slot) = usize::try_from(rank).ok().and_then(|rank| roots.get_mut(rank)) {
                *slot = narrow(rank);
            }
        }
        let accepted = search.accepted;
        let Verification { compared, features, .. } = search.check;
        let candidates = candidates.len();
        let features = verified.then_some(features);
        let found = Self { exact, candidates, compared, accepted, seen, order, roots, features };
        Ok((found, written))
    }

    /// What was seen before of a document that is near it.
    pub(crate) fn sighting(&self, document: u64) -> Option<&Sighting> {
        let at = self.seen.binary_search_by_key(&document, |one| one.document).ok()?;
        self.seen.get(at)
    }

    /// Documents from number `first` on that have the content of one before them.
    pub(crate) fn exact_from(&self, first: u64) -> u64 {
        let ranks = self.exact.iter().map(|(rank, _)| rank);
        ranks.filter(|rank| self.order.document(*rank) >= first).count() as u64
    }

    /// The clusters, with the document of each that is kept, if `keep` keeps one.
    pub(crate) fn clusters(&self, keep: KeepRule) -> Clusters {
        let count = narrow(self.roots.len() as u64);
        let clusters =
            Clusters::of_roots(|rank| root_of(&self.roots, rank.into()), count, &self.order);
        let clusters = clusters.without_seen(self.seen.iter().map(|one| one.document).collect());
        if keep == KeepRule::Nothing { clusters.without_representatives() } else { clusters }
    }

    /// The Jaccard similarity of two documents of a cluster; `None` where nothing was verified.
    pub(crate) fn similarity(&mut self, a: u64, b: u64) -> Result<Option<f64>, Error> {
        let stands = |document| self.order.document(self.exact.first(self.order.rank(document)));
        let (a, b) = (stands(a), stands(b));
        let Some(features) = &mut self.features else { return Ok(None) };
        if a == b {
            return Ok(Some(1.0));
        }
        let (of_a, of_b) = (features.of(a)?, features.of(b)?);
        Ok(Some(Overlap::of(&of_a, &of_b).jaccard()))
    }
}

/// What is joined by the radius: the first document of each content, but for degenerate ones.
fn entries<const WORDS: usize>(
    documents: &Documents<WORDS>,
    exact: &Exact,
    order: &Order,
    seen: &[Sighting],
) -> impl Iterator<Item = Result<(Fingerprint<WORDS>, u64), Error>> {
    let mut degenerate = documents.degenerate.iter().map(|d| d.document).peekable();
    let all = documents.fingerprints.iter().copied().zip(0_u64..);
    let joined = all.filter(move |(_, document)| degenerate.next_if_eq(document).is_none());
    let mut seen = seen.iter().map(|one| one.document).peekable();
    let joined = joined.filter(move |(_, document)| seen.next_if_eq(document).is_none());
    let ranked = joined.map(|(fingerprint, document)| (fingerprint, order.rank(document)));
    ranked.filter(|(_, rank)| exact.first(*rank) == *rank).map(Ok)
}
