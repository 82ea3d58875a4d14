//! The tables of a memtable within a radius, in parts.

use crate::disk::dead::Dead;
use crate::error::Error;
use crate::views::codes::Codes;
use crate::views::parts;
use crate::views::search;
use nearprint_fingerprint::Fingerprint;
use nearprint_index::{Distinct, NearCode, Neighbor, Searcher, linear};
use std::sync::Arc;

/// The parts of a memtable, the oldest documents first.
#[derive(Clone, Debug, Default)]
pub(crate) struct CodeParts<const WORDS: usize>(Vec<Arc<Part<WORDS>>>);

/// Fingerprints with tables to search them.
#[derive(Debug)]
struct Part<const WORDS: usize> {
    entries: Codes<WORDS>,
    searcher: Searcher<Distinct<WORDS>, WORDS>,
}

impl<const WORDS: usize> CodeParts<WORDS> {
    /// The same with `codes`, whose numbers are all greater, and without the deleted documents of the parts that are
    /// written again.
    ///
    /// # Complexity
    /// Some tens of nanoseconds for each document of `codes`, on average some times as many.
    pub(crate) fn with(mut self, codes: &Codes<WORDS>, dead: &Dead, k: u32) -> Result<Self, Error> {
        if codes.len() == 0 {
            return Ok(self);
        }
        let mut entries = Codes::default();
        let new = codes.len() as u64;
        for part in parts::joining(&mut self.0, new, |part| part.entries.len() as u64) {
            entries.append(part.entries.retained(|number| !dead.has(number)));
        }
        entries.append(codes.clone());
        let searcher = Searcher::new(Distinct::new(&entries.codes), k)?;
        self.0.push(Arc::new(Part { entries, searcher }));
        Ok(self)
    }

    /// How many documents there are, deleted ones included.
    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|part| part.entries.len()).sum()
    }

    /// All documents, deleted ones included, ascending by number.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Fingerprint<WORDS>, u64)> + '_ {
        self.0.iter().flat_map(|part| part.entries.iter())
    }

    /// The nearest document within `k` bits that is not deleted; of several equally near the oldest.
    pub(crate) fn nearest(
        &self,
        query: &Fingerprint<WORDS>,
        k: u32,
        dead: &Dead,
    ) -> Result<Option<Neighbor>, Error> {
        let mut best: Option<Neighbor> = None;
        for part in &self.0 {
            let Some(k) = search::nearer(best, k) else { break };
            best = part.nearest(query, k, dead)?.or(best);
        }
        Ok(best)
    }

    /// Every document within `k` bits that is not deleted, in no particular order.
    pub(crate) fn within(
        &self,
        query: &Fingerprint<WORDS>,
        k: u32,
        dead: &Dead,
        found: &mut Vec<Neighbor>,
    ) -> Result<(), Error> {
        for part in &self.0 {
            for NearCode { position: rank, distance } in part.ranks(query, k)? {
                found.extend(part.documents(rank, dead).map(|doc| Neighbor { doc, distance }));
            }
        }
        Ok(())
    }
}

impl<const WORDS: usize> Part<WORDS> {
    fn nearest(
        &self,
        query: &Fingerprint<WORDS>,
        k: u32,
        dead: &Dead,
    ) -> Result<Option<Neighbor>, Error> {
        let mut best: Option<Neighbor> = None;
        for NearCode { position: rank, distance } in self.ranks(query, k)? {
            if best.is_some_and(|best| best.distance < distance) {
                break;
            }
            let first = self.documents(rank, dead).next();
            let found = first.map(|doc| Neighbor { doc, distance });
            best = best.into_iter().chain(found).min_by_key(Neighbor::nearness);
        }
        Ok(best)
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
    fn documents<'a>(&'a self, rank: usize, dead: &'a Dead) -> impl Iterator<Item = u64> + 'a {
        let positions = self.searcher.holder().docs(rank as u64);
        let numbers = positions.filter_map(|at| self.entries.number(usize::try_from(at).ok()?));
        numbers.filter(|number| !dead.has(*number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Documents for parts: few words with few bits changed, so that many are near each other.
    fn parts() -> impl Strategy<Value = Vec<Vec<(usize, u32)>>> {
        let one = (0..4_usize, any::<u32>());
        prop::collection::vec(prop::collection::vec(one, 0..60), 0..8)
    }

    /// A fingerprint near one of four.
    fn code<const WORDS: usize>((centre, flips): (usize, u32)) -> Fingerprint<WORDS> {
        let mut words =
            [[0, u64::MAX, 0x0f0f_0f0f_0f0f_0f0f, 0x1234_5678_9abc_def0][centre]; WORDS];
        // None to four of sixteen bits, in the first word and the last.
        for (at, byte) in flips.to_le_bytes().into_iter().enumerate() {
            words[at % 2 * (WORDS - 1)] ^= u64::from(byte < 160) << (byte % 16 * 4);
        }
        Fingerprint::from_words(words)
    }

    fn agree<const WORDS: usize>(
        parts: &[Vec<(usize, u32)>],
        gone: &[u64],
        query: (usize, u32),
        k: u32,
    ) -> Result<(), TestCaseError> {
        let count: usize = parts.iter().map(Vec::len).sum();
        let dead = Dead::none(10..10 + count as u64);
        let (mut number, mut all, mut tables) = (10, Codes::default(), CodeParts::default());
        for (at, part) in parts.iter().enumerate() {
            let mut codes = Codes::default();
            for one in part {
                codes.push(code::<WORDS>(*one), number, &[]);
                number += 1;
            }
            all.append(codes.clone());
            tables = tables.with(&codes, &dead, k).unwrap();
            // Some go between two parts, so that they are left out where parts are joined.
            gone.iter().skip(at).step_by(2).for_each(|gone| {
                dead.insert(10 + gone % count.max(1) as u64);
            });
        }
        let query = code::<WORDS>(query);
        // Up to `k` by the tables, beyond it by a scan.
        for k in [k, k + 1] {
            let mut expected: Vec<_> = all.within(&query, k).collect();
            expected.retain(|near| !dead.has(near.doc));
            expected.sort_unstable_by_key(Neighbor::nearness);
            let mut found = Vec::new();
            tables.within(&query, k, &dead, &mut found).unwrap();
            found.sort_unstable_by_key(Neighbor::nearness);
            prop_assert_eq!(&found, &expected);
            let nearest = tables.nearest(&query, k, &dead).unwrap();
            prop_assert_eq!(nearest, expected.first().copied());
        }
        let left: Vec<_> = tables.iter().filter(|(_, number)| !dead.has(*number)).collect();
        let kept: Vec<_> = all.iter().filter(|(_, number)| !dead.has(*number)).collect();
        prop_assert_eq!(left, kept);
        Ok(())
    }

    proptest! {
        #[test]
        fn parts_find_what_a_scan_of_all_finds(
            parts in parts(),
            gone in prop::collection::vec(any::<u64>(), 0..20),
            query in (0..4_usize, any::<u32>()),
            k in 0..9_u32,
        ) {
            agree::<1>(&parts, &gone, query, k)?;
            agree::<2>(&parts, &gone, query, k)?;
            agree::<4>(&parts, &gone, query, k)?;
        }
    }
}
