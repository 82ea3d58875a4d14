//! Which documents are near-duplicates of which: what a search found.

use crate::decide::audit::Audit;
use crate::decide::clusters::Clusters;
use crate::decide::pair_histograms::PairHistograms;
use crate::error::Error;
use crate::numbers::{DocumentNumber, Rank, entry, narrow};
use crate::read::documents::Documents;
use crate::search::exact::Exact;
use crate::search::features::Features;
use crate::search::order::Order;
use nearprint_rules::{Evidence, KeepRule, Verify};

/// What was found among the documents of a job.
pub(crate) struct Matches {
    /// Documents of equal content.
    pub(crate) exact: Exact,
    /// Pairs that were looked at, of documents that stand for those of equal content and fingerprint.
    pub(crate) candidates: u64,
    /// Pairs compared feature by feature.
    pub(crate) compared: u64,
    /// Documents of which not every pair was listed.
    pub(crate) crowded: u64,
    /// Crowded documents that may be near a document that stays, as not all of them were looked at.
    pub(crate) cut_short: u64,
    /// The pairs that made the clusters.
    pub(crate) accepted: PairHistograms,
    /// Pairs around the similarity, where they were asked for.
    pub(crate) audit: Option<Audit<DocumentNumber>>,
    pub(crate) order: Order,
    /// The representative of each document by their ranks: itself, or a document before it.
    pub(crate) roots: Vec<Rank>,
    /// The check that pairs passed.
    pub(crate) rule: Verify,
    /// The features of the documents in candidates, where these are verified.
    pub(crate) features: Option<Features>,
}

impl Matches {
    /// Documents from `first` on that have the content of one before them.
    pub(crate) fn exact_from(&self, first: DocumentNumber) -> u64 {
        let ranks = self.exact.iter().map(|(rank, _)| rank);
        ranks.filter(|rank| self.order.document(*rank) >= first).count() as u64
    }

    /// The clusters, with the document of each that is kept, if `keep` keeps one. Takes the roots.
    pub(crate) fn clusters(&mut self, keep: KeepRule) -> Clusters {
        let (roots, order) = (std::mem::take(&mut self.roots), &self.order);
        let count = narrow(roots.len() as u64);
        let root = move |document| entry(&roots, order.rank(document).index());
        let clusters = Clusters::of_roots(move |document| order.document(root(document)), count);
        if keep == KeepRule::Nothing { clusters.without_representatives() } else { clusters }
    }

    /// How near a document is to another of its cluster: by the check where pairs are verified, else by the cosine that
    /// their distance estimates.
    pub(crate) fn evidence(
        &mut self,
        document: DocumentNumber,
        other: DocumentNumber,
        documents: &Documents,
    ) -> Result<Evidence, Error> {
        let distance = documents.distance(document, other);
        Ok(match self.similarity(document, other)? {
            None => Evidence::estimated(distance, documents.fingerprints.width().bits()),
            Some(similarity) => Evidence::measured(distance, similarity, self.rule.measure()),
        })
    }

    /// The similarity of two documents of a cluster; `None` where nothing was verified.
    fn similarity(&mut self, a: DocumentNumber, b: DocumentNumber) -> Result<Option<f64>, Error> {
        let stands = |document| self.order.document(self.exact.first(self.order.rank(document)));
        let (a, b) = (stands(a), stands(b));
        let Some(features) = &mut self.features else { return Ok(None) };
        if a == b {
            return Ok(Some(1.0));
        }
        let (of_a, of_b) = (features.of(a)?, features.of(b)?);
        Ok(Some(self.rule.measured(&of_a, &of_b)))
    }
}
