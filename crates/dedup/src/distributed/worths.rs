//! What documents are worth to the keep rule, in the columns of files of units: halves of numbers, the low one first.

use crate::distributed::cells::{Column, Values};
use crate::distributed::columns::WORTH;
use crate::distributed::schema::Schema;
use crate::distributed::unit_file::{Rows, UnitFile};
use crate::error::Error;

/// The worths of a row group.
pub(crate) struct Worths(Vec<Values<u64>>);

impl Worths {
    /// Reads those of a row group.
    pub(crate) fn of(file: &UnitFile, group: usize, schema: Schema) -> Result<Self, Error> {
        let columns = Self::columns(schema);
        let halves = columns.iter().map(|column| file.column(group, column));
        Ok(Self(halves.collect::<Result<_, _>>()?))
    }

    /// The worth in a row, and behind it those of what breaks ties.
    pub(crate) fn at(&self, row: usize) -> impl Iterator<Item = u128> {
        let half =
            move |values: Option<&Values<u64>>| u128::from(values.map_or(0, |it| it.at(row)));
        self.0.chunks(2).map(move |halves| half(halves.get(1)) << 64 | half(halves.first()))
    }

    /// Their columns.
    pub(crate) fn columns(schema: Schema) -> Vec<Column<u64>> {
        std::iter::once(WORTH).chain(schema.further_worths()).collect()
    }

    /// Appends the worths of a document to their columns.
    pub(crate) fn push(
        worths: impl Iterator<Item = u128>,
        columns: &[Column<u64>],
        rows: &mut Rows,
    ) -> Result<(), Error> {
        #[expect(clippy::cast_possible_truncation, reason = "half of it")]
        let halves = worths.flat_map(|worth| [worth as u64, (worth >> 64) as u64]);
        columns
            .iter()
            .zip(halves.chain(std::iter::repeat(0)))
            .try_for_each(|(column, half)| rows.push(column, half))
    }
}
