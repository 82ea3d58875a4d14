//! Documents that are in no segment yet, with tables to search them. For more documents the writer makes
//! another memtable: the one that a reader holds never changes.

use crate::disk::dead::Dead;
use crate::error::Error;
use crate::known::known;
use nearprint_fingerprint::Fingerprint;
use nearprint_index::{Distinct, NearCode, Neighbor, Searcher, linear};
use std::ops::Range;

/// Fingerprints with the numbers of their documents, ascending by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Codes<const WORDS: usize> {
    pub(crate) codes: Vec<Fingerprint<WORDS>>,
    pub(crate) numbers: Vec<u64>,
}

impl<const WORDS: usize> Codes<WORDS> {
    pub(crate) fn len(&self) -> usize {
        self.codes.len()
    }

    pub(crate) fn push(&mut self, code: Fingerprint<WORDS>, number: u64) {
        self.codes.push(code);
        self.numbers.push(number);
    }

    /// Adds entries whose numbers are all greater.
    pub(crate) fn append(&mut self, mut others: Self) {
        self.codes.append(&mut others.codes);
        self.numbers.append(&mut others.numbers);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (Fingerprint<WORDS>, u64)> + '_ {
        self.codes.iter().copied().zip(self.numbers.iter().copied())
    }

    /// Everything within `k` bits, by number.
    pub(crate) fn within<'a>(
        &'a self,
        query: &'a Fingerprint<WORDS>,
        k: u32,
    ) -> impl Iterator<Item = Neighbor> + 'a {
        linear::within(&self.codes, query, k).filter_map(|NearCode { position, distance }| {
            Some(Neighbor { doc: self.number(position)?, distance })
        })
    }

    /// The number of the entry at `at`, which there is.
    fn number(&self, at: usize) -> Option<u64> {
        known(self.numbers.get(at).copied(), at)
    }
}

impl<const WORDS: usize> FromIterator<(Fingerprint<WORDS>, u64)> for Codes<WORDS> {
    fn from_iter<I: IntoIterator<Item = (Fingerprint<WORDS>, u64)>>(entries: I) -> Self {
        let (codes, numbers) = entries.into_iter().unzip();
        Self { codes, numbers }
    }
}

/// Documents of a range of numbers, with tables for radii up to the store's.
#[derive(Debug)]
pub(crate) struct Memtable<const WORDS: usize> {
    entries: Codes<WORDS>,
    searcher: Searcher<Distinct<WORDS>, WORDS>,
    dead: Dead,
}

impl<const WORDS: usize> Memtable<WORDS> {
    /// A memtable of `entries`. Their numbers are all in `numbers`, and none of them is deleted.
    ///
    /// # Complexity
    /// Linear: some tens of nanoseconds an entry.
    pub(crate) fn new(entries: Codes<WORDS>, numbers: Range<u64>, k: u32) -> Result<Self, Error> {
        let searcher = Searcher::new(Distinct::new(&entries.codes), k)?;
        Ok(Self { entries, searcher, dead: Dead::none(numbers) })
    }

    /// The entries of documents that are not deleted.
    pub(crate) fn live(&self) -> impl Iterator<Item = (Fingerprint<WORDS>, u64)> + '_ {
        self.entries.iter().filter(|(_, number)| !self.dead.has(*number))
    }

    /// All entries, those of deleted documents included.
    pub(crate) fn entries(&self) -> &Codes<WORDS> {
        &self.entries
    }

    /// Which documents are deleted.
    pub(crate) fn dead(&self) -> &Dead {
        &self.dead
    }

    /// The nearest document within `k` bits; of several equally near the oldest.
    pub(crate) fn nearest(
        &self,
        query: &Fingerprint<WORDS>,
        k: u32,
    ) -> Result<Option<Neighbor>, Error> {
        let mut best: Option<Neighbor> = None;
        for NearCode { position: rank, distance } in self.ranks(query, k)? {
            if best.is_some_and(|best| best.distance < distance) {
                break;
            }
            let first = self.documents(rank).next();
            let found = first.map(|doc| Neighbor { doc, distance });
            best = best.into_iter().chain(found).min_by_key(Neighbor::nearness);
        }
        Ok(best)
    }

    /// Every document within `k` bits, in no particular order.
    pub(crate) fn within(
        &self,
        query: &Fingerprint<WORDS>,
        k: u32,
        found: &mut Vec<Neighbor>,
    ) -> Result<(), Error> {
        for NearCode { position: rank, distance } in self.ranks(query, k)? {
            found.extend(self.documents(rank).map(|doc| Neighbor { doc, distance }));
        }
        Ok(())
    }

    /// The ranks of distinct fingerprints within `k` bits, nearest first.
    fn ranks(&self, query: &Fingerprint<WORDS>, k: u32) -> Result<Vec<NearCode>, Error> {
        if k <= self.searcher.plan().k() {
            return Ok(self.searcher.neighbors(query, k)?);
        }
        let mut near: Vec<_> = linear::within(self.searcher.codes(), query, k).collect();
        near.sort_unstable_by_key(NearCode::nearness);
        Ok(near)
    }

    /// The documents of a rank that are not deleted, ascending.
    fn documents(&self, rank: usize) -> impl Iterator<Item = u64> + '_ {
        let positions = self.searcher.holder().docs(rank as u64);
        let numbers = positions.filter_map(|at| self.entries.number(usize::try_from(at).ok()?));
        numbers.filter(|number| !self.dead.has(*number))
    }
}
