//! Documents that are in no segment yet, with tables to search them. For more documents the writer makes
//! another memtable: the one that a reader holds never changes.

use crate::disk::dead::Dead;
use crate::error::Error;
use crate::rules::Rules;
use crate::views::band_parts::BandParts;
use crate::views::code_parts::CodeParts;
use crate::views::codes::NumberedCodes;

/// Documents of a range of numbers, with tables for the store's rules.
#[derive(Debug)]
pub(crate) struct Memtable {
    tables: Tables,
    dead: Dead,
}

/// The tables of a memtable.
#[derive(Debug)]
enum Tables {
    /// For radii up to the store's.
    Codes(CodeParts),
    /// By the bands of sketches.
    Bands(BandParts),
}

impl Memtable {
    /// A memtable without documents, for those from the number `at` on.
    pub(crate) fn empty(at: u64, rules: &Rules) -> Self {
        let tables = match &rules.bands {
            Some(_) => Tables::Bands(BandParts::default()),
            None => Tables::Codes(CodeParts::default()),
        };
        Self { tables, dead: Dead::none(at..at) }
    }

    /// The same with `recent`, up to the number `end`.
    ///
    /// # Complexity
    /// Some tens of nanoseconds for each document of `recent` within a radius, some microseconds by similarity; on
    /// average some times as much.
    pub(crate) fn with(
        &self,
        recent: &NumberedCodes,
        end: u64,
        rules: &Rules,
    ) -> Result<Self, Error> {
        let numbers = self.dead.numbers().start..end;
        let dead = Dead::union(numbers, std::iter::once(&self.dead));
        let tables = match rules.bands {
            Some(shape) => {
                let parts = self.bands().cloned().unwrap_or_default();
                Tables::Bands(parts.with(recent, &dead, shape, dead.numbers().start)?)
            }
            None => {
                let parts = self.codes().cloned().unwrap_or_default();
                Tables::Codes(parts.with(recent, &dead, rules.k)?)
            }
        };
        Ok(Self { tables, dead })
    }

    /// How many documents are not deleted.
    pub(crate) fn live(&self) -> usize {
        match &self.tables {
            Tables::Codes(parts) => {
                parts.iter().filter(|(_, number)| !self.dead.has(*number)).count()
            }
            Tables::Bands(parts) => {
                parts.records().filter(|record| !self.dead.has(record.number)).count()
            }
        }
    }

    /// All entries within a radius, those of deleted documents included; `None` by similarity.
    pub(crate) fn codes(&self) -> Option<&CodeParts> {
        match &self.tables {
            Tables::Codes(parts) => Some(parts),
            Tables::Bands(_) => None,
        }
    }

    /// All entries by similarity, those of deleted documents included; `None` within a radius.
    pub(crate) fn bands(&self) -> Option<&BandParts> {
        match &self.tables {
            Tables::Codes(_) => None,
            Tables::Bands(parts) => Some(parts),
        }
    }

    /// Which documents are deleted.
    pub(crate) fn dead(&self) -> &Dead {
        &self.dead
    }
}
