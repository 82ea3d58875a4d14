//! Which documents are near-duplicates of which: what a search found.

use crate::decide::audit::Audit;
use crate::decide::clusters::Clusters;
use crate::decide::pair_histograms::PairHistograms;
use crate::error::Error;
use crate::numbers::{DocumentNumber, Rank, entry, narrow};
use crate::read::documents::Documents;
use crate::read::sketch::Origin;
use crate::search::exact::Exact;
use crate::search::features::Features;
use crate::search::folded_pairs::FoldedPairs;
use crate::search::order::Order;
use nearprint_fingerprint::AnyFingerprinter;
use nearprint_rules::{Evidence, KeepRule, Verify};

/// Documents behind the reference that go and have the content of another one, with which they are compared: of one that
/// stays, or of one before them by `order`; where none of a cluster stays, of any. So do those that have the content of the
/// one for which they go, which may have their label where documents are connected. `contents` has equal documents by
/// their ranks.
pub(crate) fn exact_among(
    contents: &Exact,
    order: &Order,
    documents: &Documents,
    clusters: &Clusters,
) -> u64 {
    let behind = |document: DocumentNumber| document.0 >= documents.reference.documents;
    let sides = documents.sides();
    if sides.is_none() && !clusters.all_go() {
        let equal = contents.iter().map(|(rank, _)| order.document(rank));
        return equal.filter(|document| behind(*document)).count() as u64;
    }
    // Without labels each document is compared with every other one.
    let side = |document: DocumentNumber| sides.map_or(document.0, |of| of.of(document).into());
    let others = clusters.all_go().then(|| clusters.others());
    let mut count = 0;
    for (first, copies) in contents.copies().groups() {
        let equals_near = |document: DocumentNumber| {
            let near = clusters.near(document, others.as_deref());
            near.is_some_and(|near| contents.first(order.rank(near)) == first)
        };
        let equal = std::iter::once(first).chain(copies).map(|rank| order.document(rank));
        let equal: Vec<DocumentNumber> = equal.collect();
        let mut seen = Sides::default();
        let of_any = |document: &DocumentNumber| clusters.all_go() || clusters.keeps(*document);
        equal.iter().copied().filter(of_any).for_each(|document| seen.add(side(document)));
        for document in equal {
            let goes = behind(document) && !clusters.keeps(document);
            let is_compared = seen.other_than(side(document)) || equals_near(document);
            count += u64::from(goes && is_compared);
            seen.add(side(document));
        }
    }
    count
}

/// Sides of documents, as far as tells whether one differs from another.
#[derive(Default)]
struct Sides {
    one: Option<u64>,
    differ: bool,
}

impl Sides {
    fn add(&mut self, side: u64) {
        self.differ |= *self.one.get_or_insert(side) != side;
    }

    fn other_than(&self, side: u64) -> bool {
        self.differ || self.one.is_some_and(|one| one != side)
    }
}

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
    /// Crowded documents of which not all was looked at that says what becomes of them.
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
    /// What makes fingerprints of features, where the first reading made none.
    pub(crate) signer: Option<AnyFingerprinter>,
    /// The similarity of each document and its representative, by rank, where pairs that were kept say it: NaN where
    /// none does, and nothing where features say it.
    pub(crate) known: Vec<f64>,
    /// Documents of equal content where `exact` has fewer: those that a document stands for, where documents are compared
    /// across labels.
    pub(crate) contents: Option<Exact>,
    /// Candidates that the check refused, where they are listed.
    pub(crate) rejected: Option<FoldedPairs>,
}

impl Matches {
    /// See [`exact_among`].
    pub(crate) fn exact(&self, documents: &Documents, clusters: &Clusters) -> u64 {
        let contents = self.contents.as_ref().unwrap_or(&self.exact);
        exact_among(contents, &self.order, documents, clusters)
    }

    /// The clusters that have a document behind the first `reference`, with the document of each that is kept, if `keep`
    /// keeps one. Takes the roots.
    pub(crate) fn clusters(&mut self, keep: KeepRule, reference: u64) -> Clusters {
        Self::clusters_of(std::mem::take(&mut self.roots), &self.order, keep, reference)
    }

    /// The same clusters of documents with these representatives, all by their ranks.
    pub(crate) fn clusters_of(
        roots: Vec<Rank>,
        order: &Order,
        keep: KeepRule,
        reference: u64,
    ) -> Clusters {
        let (count, first) = (narrow(roots.len() as u64), narrow(reference));
        let rank = move |document| entry(&roots, order.rank(document).index());
        let clusters =
            Clusters::of_roots(move |document| order.document(rank(document)), count, first);
        if keep == KeepRule::Nothing { clusters.without_representatives() } else { clusters }
    }

    /// Documents of different content, one of which stands for the other, whose similarity nothing says; each pair one
    /// behind the other.
    pub(crate) fn unknown(&self) -> Vec<DocumentNumber> {
        let pairs = self.roots.iter().enumerate().filter_map(|(at, root)| {
            let rank = Rank::of(at as u64);
            let is_own = *root != rank && self.exact.first(rank) == rank;
            let is_unknown = self.known.get(at).is_some_and(|known| known.is_nan());
            (is_own && is_unknown).then_some([rank, *root])
        });
        pairs.flatten().map(|rank| self.order.document(rank)).collect()
    }

    /// How near a document is to another of its cluster: by the check where pairs are verified, else by the cosine that
    /// their distance estimates. Of the two one is the representative, where pairs that were kept say it.
    pub(crate) fn evidence(
        &mut self,
        document: DocumentNumber,
        other: DocumentNumber,
        documents: &Documents,
    ) -> Result<Evidence, Error> {
        let distance = self.distance(document, other, documents)?;
        Ok(match self.similarity(document, other)? {
            None => Evidence::estimated(distance, documents.fingerprints.width().bits()),
            Some(similarity) => Evidence::measured(distance, similarity, self.rule.measure()),
        })
    }

    /// Whether two documents have the same content.
    pub(crate) fn are_equal(&self, a: DocumentNumber, b: DocumentNumber) -> bool {
        let [a, b] = [a, b].map(|document| self.exact.first(self.order.rank(document)));
        a == b
    }

    /// Makes fingerprints of features, where `documents` of an origin have none.
    ///
    /// # Errors
    /// Those of the recipe.
    pub(crate) fn sign_by(&mut self, origin: &Origin, documents: &Documents) -> Result<(), Error> {
        if !documents.are_signed() {
            self.signer = origin.fingerprinter()?;
        }
        Ok(())
    }

    /// The distance of the fingerprints of two documents of a cluster, which those of equal content have in common.
    fn distance(
        &mut self,
        a: DocumentNumber,
        b: DocumentNumber,
        documents: &Documents,
    ) -> Result<u32, Error> {
        let firsts = [a, b].map(|document| self.exact.first(self.order.rank(document)));
        let Some((signer, features)) = self.signer.as_mut().zip(self.features.as_mut()) else {
            return Ok(documents.distance(a, b));
        };
        let [first, second] = firsts;
        if first == second {
            return Ok(0);
        }
        let [a, b] = firsts.map(|rank| self.order.document(rank));
        let (of_a, of_b) = (features.of(a)?, features.of(b)?);
        let [a, b] = [of_a, of_b].map(|list| signer.of_keys(list.keys()));
        Ok(a.zip(b).and_then(|(a, b)| a.distance(&b)).unwrap_or(0))
    }

    /// The similarity of two documents of a cluster; `None` where nothing was verified.
    fn similarity(&mut self, a: DocumentNumber, b: DocumentNumber) -> Result<Option<f64>, Error> {
        if self.features.is_none() && self.known.is_empty() {
            return Ok(None);
        }
        let [a, b] = [a, b].map(|document| self.exact.first(self.order.rank(document)));
        if a == b {
            return Ok(Some(1.0));
        }
        let known = [a, b].map(|rank| self.known.get(rank.index()).copied());
        if let Some(known) = known.into_iter().flatten().find(|known| !known.is_nan()) {
            return Ok(Some(known));
        }
        let Some(features) = &mut self.features else { return Ok(None) };
        let [a, b] = [a, b].map(|rank| self.order.document(rank));
        let (of_a, of_b) = (features.of(a)?, features.of(b)?);
        Ok(Some(self.rule.measured(&of_a, &of_b)))
    }
}
