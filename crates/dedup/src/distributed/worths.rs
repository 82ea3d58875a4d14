//! What documents are worth to the keep rule, in the columns of files of units.

use crate::distributed::cells::Values;
use crate::distributed::columns::WORTH;
use crate::distributed::schema::Schema;
use crate::distributed::unit_file::{Rows, UnitFile};
use crate::error::Error;

/// The worths of a row group.
pub(crate) struct Worths {
    low: Values<u64>,
    high: Option<Values<u64>>,
}

impl Worths {
    /// Reads those of a row group.
    pub(crate) fn of(file: &UnitFile, group: usize, schema: Schema) -> Result<Self, Error> {
        let high = schema.high_worth().map(|high| file.column(group, &high)).transpose()?;
        Ok(Self { low: file.column(group, &WORTH)?, high })
    }

    /// The worth in a row.
    pub(crate) fn at(&self, row: usize) -> u128 {
        let high = self.high.as_ref().map_or(0, |high| high.at(row));
        u128::from(high) << 64 | u128::from(self.low.at(row))
    }

    /// Appends a worth to rows.
    pub(crate) fn push(worth: u128, schema: Schema, rows: &mut Rows) -> Result<(), Error> {
        #[expect(clippy::cast_possible_truncation, reason = "half of it")]
        rows.push(&WORTH, worth as u64)?;
        match schema.high_worth() {
            Some(high) => rows.push(&high, (worth >> 64) as u64),
            None => Ok(()),
        }
    }
}
