//! The tables of bands of a memtable, in parts.

use crate::disk::band_layout::BandLayout;
use crate::disk::band_table::{BandTable, Record};
use crate::disk::band_table_builder::{BandTableBuilder, Entries};
use crate::disk::dead::Dead;
use crate::error::Error;
use crate::views::codes::NumberedCodes;
use crate::views::parts;
use nearprint_bits::at_width;
use nearprint_fingerprint::BandShape;
use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

/// The tables of a memtable, the oldest documents first.
#[derive(Clone, Debug, Default)]
pub(crate) struct BandParts(Vec<Arc<BandTable<Vec<u8>>>>);

impl BandParts {
    /// The same with `codes`, whose numbers are all greater, and without the deleted documents of the
    /// tables that are written again.
    ///
    /// # Complexity
    /// Sorts as many documents as there are in `codes`, on average some times as many.
    pub(crate) fn with(
        mut self,
        codes: &NumberedCodes,
        dead: &Dead,
        shape: BandShape,
        first: u64,
    ) -> Result<Self, Error> {
        if codes.len() == 0 {
            return Ok(self);
        }
        let merged =
            parts::joining(&mut self.0, codes.len() as u64, |part| part.footer().documents);
        let (new, words) = (compared(codes), codes.codes.width().words());
        let length = BandLayout::new(shape, words, 0).compared();
        let entries = || -> Entries<'_> {
            let old = merged.iter().flat_map(|part| part.records());
            let old = old.map(|record| (record.number, record.compared));
            let old = old.filter(|(number, _)| !dead.has(*number));
            let all = old.chain(codes.numbers.iter().copied().zip(new.chunks_exact(length)));
            Box::new(all.map(|(number, compared)| (number, Cow::Borrowed(compared))))
        };
        let mut bytes = Vec::new();
        let builder = BandTableBuilder { shape, words, recipe: None, first, sorting: usize::MAX };
        builder.build(&entries, &mut bytes).map_err(Error::io(Path::new("a memtable")))?;
        let table = BandTable::open(bytes, shape, words);
        let table = table.map_err(|what| Error::Corrupt { path: "a memtable".into(), what })?;
        self.0.push(Arc::new(table));
        Ok(self)
    }

    /// The tables.
    pub(crate) fn tables(&self) -> impl Iterator<Item = &BandTable<Vec<u8>>> {
        self.0.iter().map(AsRef::as_ref)
    }

    /// All documents, deleted ones included, ascending by number.
    pub(crate) fn records(&self) -> impl Iterator<Item = Record<'_>> {
        self.tables().flat_map(BandTable::records)
    }
}

/// What is compared of each entry, one behind the other.
fn compared(codes: &NumberedCodes) -> Vec<u8> {
    let mut bytes = Vec::new();
    at_width!(codes.codes.codes() => list, {
        for (at, code) in list.iter().enumerate() {
            bytes.extend(code.le_bytes());
            bytes.extend_from_slice(codes.sketch(at));
        }
    });
    bytes
}
