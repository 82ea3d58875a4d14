//! The cells of added columns, until the row group that they are in is written. Where that ends is handled
//! by `parquet_output`.

#![deny(clippy::indexing_slicing)]

use crate::write::new_column::{NewCell, NewColumn, NewColumnKind};
use parquet::column::writer::ColumnWriterImpl;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedColumnWriter;
use std::ops::Range;

/// Bytes of cells with which a row group is full.
const FULL: usize = 4 << 20;
/// Rows written at a time.
const ROWS: usize = 1024;

/// The cells of some rows, column by column.
#[derive(Debug, Default)]
pub(crate) struct NewCells {
    columns: Vec<Cells>,
    bytes: usize,
}

/// The cells of a column.
#[derive(Debug)]
struct Cells {
    /// Of each row, 1 where it has a value.
    levels: Vec<u8>,
    values: Values,
}

#[derive(Debug)]
enum Values {
    Integers(Vec<i64>),
    Reals(Vec<f64>),
    Truths(Vec<bool>),
    /// Texts one after the other, and where each ends.
    Texts(Vec<u8>, Vec<usize>),
}

impl NewCells {
    pub(crate) fn of(columns: &[NewColumn]) -> Self {
        let columns = columns.iter().filter(|column| column.comes()).map(|column| Cells {
            levels: Vec::new(),
            values: match column.kind {
                NewColumnKind::Integer => Values::Integers(Vec::new()),
                NewColumnKind::Real => Values::Reals(Vec::new()),
                NewColumnKind::Truth => Values::Truths(Vec::new()),
                NewColumnKind::Text | NewColumnKind::Gone => Values::Texts(Vec::new(), Vec::new()),
            },
        });
        Self { columns: columns.collect(), bytes: 0 }
    }

    /// Adds a row; cells that are missing are empty.
    pub(crate) fn push(&mut self, row: &[NewCell<'_>]) {
        for (at, column) in self.columns.iter_mut().enumerate() {
            self.bytes += 1 + column.push(row.get(at).unwrap_or(&NewCell::Empty));
        }
    }

    /// Whether there is no room for another row beside them.
    pub(crate) fn is_full(&self) -> bool {
        self.bytes >= FULL
    }

    /// Writes the cells of a column, by its place among those that are added.
    pub(crate) fn write(
        &self,
        column: usize,
        to: &mut SerializedColumnWriter<'_>,
    ) -> Result<(), ParquetError> {
        let Some(Cells { levels, values }) = self.columns.get(column) else { return Ok(()) };
        match values {
            Values::Integers(values) => {
                write(to.typed::<Int64Type>(), levels, |rows| part(values, rows).to_vec())
            }
            Values::Reals(values) => {
                write(to.typed::<DoubleType>(), levels, |rows| part(values, rows).to_vec())
            }
            Values::Truths(values) => {
                write(to.typed::<BoolType>(), levels, |rows| part(values, rows).to_vec())
            }
            Values::Texts(bytes, ends) => write(to.typed::<ByteArrayType>(), levels, |rows| {
                let mut start = rows.start.checked_sub(1).and_then(|at| ends.get(at)).copied();
                let text = |end: &usize| {
                    let text = part(bytes, start.unwrap_or(0)..*end);
                    start = Some(*end);
                    ByteArray::from(text.to_vec())
                };
                part(ends, rows).iter().map(text).collect()
            }),
        }
    }
}

impl Cells {
    /// Adds a cell; returns the bytes that its value takes.
    fn push(&mut self, cell: &NewCell<'_>) -> usize {
        let taken = match (&mut self.values, cell) {
            (Values::Integers(values), NewCell::Integer(value)) => {
                values.push(*value);
                8
            }
            (Values::Reals(values), NewCell::Real(value)) => {
                values.push(*value);
                8
            }
            (Values::Truths(values), NewCell::Truth(value)) => {
                values.push(*value);
                1
            }
            (Values::Texts(bytes, ends), NewCell::Text(text)) => {
                bytes.extend_from_slice(text.as_bytes());
                ends.push(bytes.len());
                8 + text.len()
            }
            _ => 0,
        };
        self.levels.push(u8::from(taken > 0));
        taken
    }
}

/// Writes a column some rows at a time; `values` are those of a range of the values.
fn write<T: DataType>(
    to: &mut ColumnWriterImpl<'_, T>,
    levels: &[u8],
    mut values: impl FnMut(Range<usize>) -> Vec<T::T>,
) -> Result<(), ParquetError> {
    let mut first = 0;
    for levels in levels.chunks(ROWS) {
        let levels: Vec<i16> = levels.iter().copied().map(i16::from).collect();
        let behind = first + levels.iter().filter(|level| **level > 0).count();
        to.write_batch(&values(first..behind), Some(&levels), None)?;
        first = behind;
    }
    Ok(())
}

/// A range that is within the values.
fn part<T>(values: &[T], range: Range<usize>) -> &[T] {
    values.get(range).unwrap_or_default()
}
