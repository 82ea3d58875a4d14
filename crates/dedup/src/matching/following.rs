//! Crowded documents, one after the other: each follows a leader that it is near to, or leads.

use crate::error::Error;
use crate::matching::crowds::Crowds;
use crate::matching::leaders::{Bounds, Leaders};
use crate::matching::verification::Verification;
use crate::numbers::{DocumentNumber, Rank};
use crate::rules::pair_histograms::PairHistograms;

/// The crowded documents of a job, and what is found of them.
pub(crate) struct Following<'a> {
    pub(crate) crowds: &'a Crowds,
    /// In how many bands a document may be crowded.
    pub(crate) bands: u32,
    /// The distance of two fingerprints.
    pub(crate) distance: &'a (dyn Fn(DocumentNumber, DocumentNumber) -> u32 + Sync),
    bounds: Bounds,
    /// Each crowded document that follows a leader, where pairs are asked for.
    pub(crate) links: Option<Vec<Link>>,
    /// Crowded documents for which not every leader was looked at.
    pub(crate) cut_short: u64,
    leaders: Option<Leaders>,
}

/// A crowded document and the leader that it is near to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub(crate) leader: Rank,
    pub(crate) follower: Rank,
    pub(crate) distance: u32,
    pub(crate) similarity: f64,
}

impl<'a> Following<'a> {
    /// Nothing is found yet; leaders will keep to `bounds`.
    pub(crate) fn new(
        crowds: &'a Crowds,
        bands: u32,
        distance: &'a (dyn Fn(DocumentNumber, DocumentNumber) -> u32 + Sync),
        bounds: Bounds,
        with_links: bool,
    ) -> Self {
        let links = with_links.then(Vec::new);
        Self { crowds, bands, distance, bounds, links, cut_short: 0, leaders: None }
    }

    /// About how many near-duplicates a crowded document has: the size of its crowded buckets, by the
    /// band.
    pub(crate) fn degree(&self, document: DocumentNumber) -> u64 {
        (self.crowds.sum(document) / self.bands).into()
    }

    /// A crowded document's turn, after those before it: the leader that it is near to from now on. Where it is near none, or `stays`, it leads.
    ///
    /// # Errors
    /// Those of features; [`Error::Interrupted`].
    pub(crate) fn take_turn(
        &mut self,
        rank: Rank,
        stays: bool,
        check: &mut Verification<'_>,
        accepted: &mut PairHistograms,
    ) -> Result<Option<Rank>, Error> {
        check.progress.check()?;
        let Verification { rule, features, order, .. } = check;
        let leaders = match &mut self.leaders {
            Some(leaders) => leaders,
            None => self.leaders.insert(Leaders::among(self.crowds, features, *rule, self.bounds)?),
        };
        let document = order.document(rank);
        let near = if stays { None } else { leaders.near(document, features)? };
        let found = if let Some((near, similarity)) = near {
            let (leader, distance) = (order.rank(near), (self.distance)(near, document));
            accepted.add(distance, Some(similarity));
            if let Some(links) = &mut self.links {
                links.push(Link { leader, follower: rank, distance, similarity });
            }
            Some(leader)
        } else {
            leaders.lead(document, features)?;
            None
        };
        self.cut_short = leaders.cut_short;
        Ok(found)
    }
}
