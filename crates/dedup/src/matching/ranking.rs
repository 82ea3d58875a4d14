//! Documents by preference, and which of them say the same: what is known before any radius matters.

use crate::error::Error;
use crate::matching::exact::Exact;
use crate::matching::order::Order;
use crate::matching::places::Places;
use crate::numbers::{DocumentNumber, Rank};
use crate::read::documents::Documents;
use nearprint_fingerprint::Fingerprint;
use nearprint_rules::KeepRule;

/// The documents of a job by their ranks.
///
/// Memory: that of [`Order`] and [`Exact`].
pub(crate) struct Ranking {
    pub(crate) order: Order,
    /// Documents of equal content.
    pub(crate) exact: Exact,
    /// The number of documents.
    pub(crate) count: u32,
    /// The first rank behind those of the reference.
    pub(crate) reference: Rank,
}

impl Ranking {
    /// Ranks `documents`, whose worths are taken from them. Runs on rayon's current pool.
    ///
    /// # Errors
    /// More than 2^32 - 2 documents.
    pub(crate) fn of<const WORDS: usize>(
        documents: &mut Documents<WORDS>,
        keep: KeepRule,
    ) -> Result<Self, Error> {
        let found = documents.fingerprints.len() as u64;
        let count = u32::try_from(found).ok().filter(|count| *count < u32::MAX);
        let count = count.ok_or(Error::TooManyDocuments { found })?;
        let reference = documents.reference.documents;
        let order = Order::new(keep, count, reference, &std::mem::take(&mut documents.worths));
        let exact = Exact::new(&documents.contents, &documents.degenerate, &order);
        Ok(Self { order, exact, count, reference: Rank::of(reference) })
    }

    /// Documents of the reference whose content one outside of it has: pairs of two of these stand for others.
    pub(crate) fn copied(&self) -> Places {
        let copied = self
            .exact
            .iter()
            .filter(|(rank, first)| *first < self.reference && *rank >= self.reference);
        Places::of(copied.map(|(_, first)| self.order.document(first)))
    }

    /// What the radius joins, each document with its rank for an ordinal: the first document of each
    /// content.
    pub(crate) fn entries<'a, const WORDS: usize>(
        &'a self,
        documents: &'a Documents<WORDS>,
    ) -> impl Iterator<Item = Result<(Fingerprint<WORDS>, u64), Error>> + 'a {
        let joined = self.joined(documents);
        joined.map(|(_, code, rank)| Ok((code, rank.0.into())))
    }

    /// The documents that are joined, with their ranks: the first document of each content.
    pub(crate) fn joined<'a, const WORDS: usize>(
        &'a self,
        documents: &'a Documents<WORDS>,
    ) -> impl Iterator<Item = (DocumentNumber, Fingerprint<WORDS>, Rank)> + 'a {
        let ranked = documents.joined();
        let ranked = ranked.map(|(document, code)| (document, code, self.order.rank(document)));
        ranked.filter(move |(_, _, rank)| self.exact.first(*rank) == *rank)
    }
}
