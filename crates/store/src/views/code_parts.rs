//! The tables of a memtable within a radius, in parts.

use crate::disk::dead::Dead;
use crate::error::Error;
use crate::invariant::invariant;
use crate::views::codes::NumberedCodes;
use crate::views::parts;
use crate::views::search;
use nearprint_bits::{AnyFingerprint, Codes};
use nearprint_fingerprint::Fingerprint;
use nearprint_index::{Distinct, NearCode, Neighbor, Searcher, linear};
use std::any::Any;
use std::sync::Arc;

/// The parts of a memtable, the oldest documents first.
#[derive(Clone, Debug, Default)]
pub(crate) struct CodeParts(Vec<Arc<Part>>);

/// Fingerprints with tables to search them.
#[derive(Debug)]
struct Part {
    entries: NumberedCodes,
    tables: Tables,
}

/// The tables of one width.
#[derive(Debug)]
enum Tables {
    W64(TablesOf<1>),
    W128(TablesOf<2>),
    W256(TablesOf<4>),
}

type TablesOf<const WORDS: usize> = Searcher<Distinct<WORDS>, WORDS>;

impl Tables {
    /// Tables over `codes` for radii up to `k`.
    fn new(codes: Codes<'_>, k: u32) -> Result<Self, Error> {
        Ok(match codes {
            Codes::W64(codes) => Self::W64(Searcher::new(Distinct::new(codes), k)?),
            Codes::W128(codes) => Self::W128(Searcher::new(Distinct::new(codes), k)?),
            Codes::W256(codes) => Self::W256(Searcher::new(Distinct::new(codes), k)?),
        })
    }

    fn of_width<const WORDS: usize>(&self) -> Option<&TablesOf<WORDS>> {
        let tables: &dyn Any = match self {
            Self::W64(tables) => tables,
            Self::W128(tables) => tables,
            Self::W256(tables) => tables,
        };
        tables.downcast_ref()
    }
}

impl CodeParts {
    /// The same with `codes`, whose numbers are all greater, and without the deleted documents of the parts that are
    /// written again.
    ///
    /// # Complexity
    /// Some tens of nanoseconds for each document of `codes`, on average some times as many.
    pub(crate) fn with(
        mut self,
        codes: &NumberedCodes,
        dead: &Dead,
        k: u32,
    ) -> Result<Self, Error> {
        if codes.len() == 0 {
            return Ok(self);
        }
        let mut entries = NumberedCodes::new(codes.codes.width());
        let new = codes.len() as u64;
        for part in parts::joining(&mut self.0, new, |part| part.entries.len() as u64) {
            entries.append(part.entries.retained(|number| !dead.has(number)));
        }
        entries.append(codes.clone());
        let tables = Tables::new(entries.codes.codes(), k)?;
        self.0.push(Arc::new(Part { entries, tables }));
        Ok(self)
    }

    /// How many documents there are, deleted ones included.
    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|part| part.entries.len()).sum()
    }

    /// All documents, deleted ones included, ascending by number.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (AnyFingerprint, u64)> + '_ {
        self.0.iter().flat_map(|part| part.entries.iter())
    }

    /// The same for code of their width; none in code of another one.
    pub(crate) fn of_width<const WORDS: usize>(
        &self,
    ) -> impl Iterator<Item = (Fingerprint<WORDS>, u64)> + '_ {
        self.0.iter().flat_map(|part| {
            let codes = part.entries.codes.codes().of_width().unwrap_or_default();
            codes.iter().copied().zip(part.entries.numbers.iter().copied())
        })
    }

    /// The nearest document within `k` bits that is not deleted; of several equally near the oldest.
    pub(crate) fn nearest<const WORDS: usize>(
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
    pub(crate) fn within<const WORDS: usize>(
        &self,
        query: &Fingerprint<WORDS>,
        k: u32,
        dead: &Dead,
        found: &mut Vec<Neighbor>,
    ) -> Result<(), Error> {
        for part in &self.0 {
            let Some(tables) = invariant(part.tables.of_width(), WORDS) else { continue };
            for NearCode { position: rank, distance } in ranks(tables, query, k)? {
                let documents = part.documents(tables, rank, dead);
                found.extend(documents.map(|doc| Neighbor { doc, distance }));
            }
        }
        Ok(())
    }
}

impl Part {
    fn nearest<const WORDS: usize>(
        &self,
        query: &Fingerprint<WORDS>,
        k: u32,
        dead: &Dead,
    ) -> Result<Option<Neighbor>, Error> {
        let Some(tables) = invariant(self.tables.of_width(), WORDS) else { return Ok(None) };
        let mut best: Option<Neighbor> = None;
        for NearCode { position: rank, distance } in ranks(tables, query, k)? {
            if best.is_some_and(|best| best.distance < distance) {
                break;
            }
            let first = self.documents(tables, rank, dead).next();
            let found = first.map(|doc| Neighbor { doc, distance });
            best = best.into_iter().chain(found).min_by_key(Neighbor::nearness);
        }
        Ok(best)
    }

    /// The documents of a rank that are not deleted, ascending.
    fn documents<'a, const WORDS: usize>(
        &'a self,
        tables: &'a TablesOf<WORDS>,
        rank: usize,
        dead: &'a Dead,
    ) -> impl Iterator<Item = u64> + 'a {
        let positions = tables.holder().docs(rank as u64);
        let numbers = positions.filter_map(|at| self.entries.number(usize::try_from(at).ok()?));
        numbers.filter(|number| !dead.has(*number))
    }
}

/// The ranks of distinct fingerprints within `k` bits, nearest first.
fn ranks<const WORDS: usize>(
    tables: &TablesOf<WORDS>,
    query: &Fingerprint<WORDS>,
    k: u32,
) -> Result<Vec<NearCode>, Error> {
    if k <= tables.plan().k() {
        return Ok(tables.neighbors(query, k)?);
    }
    let mut near: Vec<_> = linear::within(tables.codes(), query, k).collect();
    near.sort_unstable_by_key(NearCode::nearness);
    Ok(near)
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
        let empty = NumberedCodes::new(Fingerprint::<WORDS>::width());
        let (mut number, mut all, mut tables) = (10, empty.clone(), CodeParts::default());
        for (at, part) in parts.iter().enumerate() {
            let mut codes = empty.clone();
            for one in part {
                codes.push(code::<WORDS>(*one).into(), number, &[]);
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
            let mut expected = all.within(&query.into(), k);
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
        let narrow = tables.of_width::<WORDS>().map(|(code, number)| (code.into(), number));
        prop_assert!(narrow.eq(tables.iter()));
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
