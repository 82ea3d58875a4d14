//! Documents that are in no segment yet, with tables to search them. For more documents the writer makes
//! another memtable: the one that a reader holds never changes.

use crate::disk::dead::Dead;
use crate::error::Error;
use crate::rules::Rules;
use crate::views::band_parts::BandParts;
use crate::views::codes::Codes;
use crate::views::probe::Probe;
use nearprint_fingerprint::Fingerprint;
use nearprint_index::{Distinct, NearCode, Neighbor, Searcher, linear};
use std::ops::Range;

/// Documents of a range of numbers, with tables for the store's rules.
#[derive(Debug)]
pub(crate) struct Memtable<const WORDS: usize> {
    tables: Tables<WORDS>,
    dead: Dead,
}

/// The tables of a memtable.
#[derive(Debug)]
enum Tables<const WORDS: usize> {
    /// For radii up to the store's.
    Codes { entries: Codes<WORDS>, searcher: Box<Searcher<Distinct<WORDS>, WORDS>> },
    /// By the bands of sketches.
    Bands(BandParts),
}

impl<const WORDS: usize> Memtable<WORDS> {
    /// A memtable of `entries`. Their numbers are all in `numbers`, and none of them is deleted.
    ///
    /// # Complexity
    /// Linear: some tens of nanoseconds an entry within a radius, some microseconds by similarity.
    pub(crate) fn new(
        entries: Codes<WORDS>,
        numbers: Range<u64>,
        rules: &Rules,
    ) -> Result<Self, Error> {
        let dead = Dead::none(numbers);
        let tables = match &rules.likeness {
            Some(likeness) => {
                let none = BandParts::default();
                Tables::Bands(none.with(&entries, &dead, likeness, dead.numbers().start)?)
            }
            None => {
                let searcher = Box::new(Searcher::new(Distinct::new(&entries.codes), rules.k)?);
                Tables::Codes { entries, searcher }
            }
        };
        Ok(Self { tables, dead })
    }

    /// The same with `recent`, up to the number `end`.
    pub(crate) fn with(
        &self,
        recent: &Codes<WORDS>,
        end: u64,
        rules: &Rules,
    ) -> Result<Self, Error> {
        let numbers = self.dead.numbers().start..end;
        match (&self.tables, &rules.likeness) {
            (Tables::Bands(parts), Some(likeness)) => {
                let dead = Dead::union(numbers, std::iter::once(&self.dead));
                let parts = parts.with(recent, &dead, likeness, dead.numbers().start)?;
                Ok(Self { tables: Tables::Bands(parts), dead })
            }
            (Tables::Codes { entries, .. }, _) => {
                let mut entries = entries.retained(|number| !self.dead.has(number));
                entries.append(recent.clone());
                Self::new(entries, numbers, rules)
            }
            (Tables::Bands(_), None) => Self::new(recent.clone(), numbers, rules),
        }
    }

    /// How many documents are not deleted.
    pub(crate) fn live(&self) -> usize {
        match &self.tables {
            Tables::Codes { entries, .. } => {
                entries.numbers.iter().filter(|number| !self.dead.has(**number)).count()
            }
            Tables::Bands(parts) => {
                parts.records().filter(|record| !self.dead.has(record.number)).count()
            }
        }
    }

    /// All entries within a radius, those of deleted documents included; `None` by similarity.
    pub(crate) fn codes(&self) -> Option<&Codes<WORDS>> {
        match &self.tables {
            Tables::Codes { entries, .. } => Some(entries),
            Tables::Bands(_) => None,
        }
    }

    /// All entries by similarity, those of deleted documents included; `None` within a radius.
    pub(crate) fn parts(&self) -> Option<&BandParts> {
        match &self.tables {
            Tables::Codes { .. } => None,
            Tables::Bands(parts) => Some(parts),
        }
    }

    /// Which documents are deleted.
    pub(crate) fn dead(&self) -> &Dead {
        &self.dead
    }

    /// Looks through it by similarity.
    pub(crate) fn look(&self, probe: &mut Probe<'_, WORDS>) -> Result<(), Error> {
        let Tables::Bands(parts) = &self.tables else { return Ok(()) };
        let damaged = |what| Error::Corrupt { path: "a memtable".into(), what };
        let mut tables = parts.tables();
        tables.try_for_each(|table| probe.look(table, &self.dead)).map_err(damaged)
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
        let Tables::Codes { searcher, .. } = &self.tables else { return Ok(Vec::new()) };
        if k <= searcher.plan().k() {
            return Ok(searcher.neighbors(query, k)?);
        }
        let mut near: Vec<_> = linear::within(searcher.codes(), query, k).collect();
        near.sort_unstable_by_key(NearCode::nearness);
        Ok(near)
    }

    /// The documents of a rank that are not deleted, ascending.
    fn documents(&self, rank: usize) -> impl Iterator<Item = u64> + '_ {
        let of_rank = match &self.tables {
            Tables::Codes { entries, searcher } => {
                Some(searcher.holder().docs(rank as u64).map(move |at| (entries, at)))
            }
            Tables::Bands(_) => None,
        };
        let numbers = of_rank.into_iter().flatten();
        let numbers = numbers.filter_map(|(entries, at)| entries.number(usize::try_from(at).ok()?));
        numbers.filter(|number| !self.dead.has(*number))
    }
}
