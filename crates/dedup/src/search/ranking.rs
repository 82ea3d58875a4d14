//! Documents by preference, and which of them say the same: what is known before any radius matters.

use crate::error::Error;
use crate::numbers::{DocumentNumber, Rank};
use crate::read::documents::{Documents, level};
use crate::search::exact::Exact;
use crate::search::order::Order;
use crate::search::places::Places;
use nearprint_rules::KeepRule;
use rayon::prelude::*;

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
    /// Ranks `documents`, whose worths are taken from them; notes the levels of their contents where the rule counts
    /// near-duplicates. Runs on rayon's current pool.
    ///
    /// # Errors
    /// More than 2^32 - 2 documents.
    pub(crate) fn of(documents: &mut Documents, keep: KeepRule) -> Result<Self, Error> {
        let found = documents.len() as u64;
        let count = u32::try_from(found).ok().filter(|count| *count < u32::MAX);
        let count = count.ok_or(Error::TooManyDocuments { found })?;
        let reference = documents.reference.documents;
        let order = Order::new(keep, count, reference, &std::mem::take(&mut documents.worths));
        let exact = Exact::new(&documents.contents, &documents.degenerate, &order);
        if keep.counts_near() {
            documents.levels =
                documents.contents.par_iter().map(|content| level(*content)).collect();
        }
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

    /// The documents that are joined, with their ranks: the first document of each content.
    pub(crate) fn joined<'a>(
        &'a self,
        documents: &'a Documents,
    ) -> impl Iterator<Item = (DocumentNumber, Rank)> + 'a {
        let ranked = documents.joined().map(|document| (document, self.order.rank(document)));
        ranked.filter(move |(_, rank)| self.exact.first(*rank) == *rank)
    }
}
