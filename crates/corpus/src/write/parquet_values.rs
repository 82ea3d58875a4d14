//! The values of a column on their way from a row group of one Parquet file to one of another.

#![deny(clippy::indexing_slicing)]

use crate::write::new_texts::NewTexts;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::column::writer::ColumnWriterImpl;
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArrayType, FloatType,
    Int32Type, Int64Type, Int96Type,
};
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedColumnWriter;

/// Rows copied at a time.
const ROWS: usize = 128;

/// Rows to pass over, then rows to take; or one row, and how many times.
#[derive(Clone, Copy)]
pub(super) struct Run {
    pub(super) skip: usize,
    pub(super) take: usize,
    pub(super) times: usize,
}

/// Where copying failed.
pub(super) enum Failure {
    Read(ParquetError),
    Write(ParquetError),
}

/// Copies a column as it is.
pub(super) fn copy_column(
    from: ColumnReader,
    to: &mut SerializedColumnWriter<'_>,
    runs: &[Run],
) -> Result<(), Failure> {
    match from {
        ColumnReader::BoolColumnReader(from) => {
            copy_values(from, to.typed::<BoolType>(), runs, same)
        }
        ColumnReader::Int32ColumnReader(from) => {
            copy_values(from, to.typed::<Int32Type>(), runs, same)
        }
        ColumnReader::Int64ColumnReader(from) => {
            copy_values(from, to.typed::<Int64Type>(), runs, same)
        }
        ColumnReader::Int96ColumnReader(from) => {
            copy_values(from, to.typed::<Int96Type>(), runs, same)
        }
        ColumnReader::FloatColumnReader(from) => {
            copy_values(from, to.typed::<FloatType>(), runs, same)
        }
        ColumnReader::DoubleColumnReader(from) => {
            copy_values(from, to.typed::<DoubleType>(), runs, same)
        }
        ColumnReader::ByteArrayColumnReader(from) => {
            copy_values(from, to.typed::<ByteArrayType>(), runs, same)
        }
        ColumnReader::FixedLenByteArrayColumnReader(from) => {
            copy_values(from, to.typed::<FixedLenByteArrayType>(), runs, same)
        }
    }
}

/// Leaves values as they are.
fn same<T>(_first: usize, _levels: &[i16], _values: &mut [T]) {}

/// Puts new texts in the place of the values of some rows, the first of which has that number among those that are
/// copied. Rows that have a value are those of the highest level.
pub(super) fn replace(texts: &NewTexts, first: usize, levels: &[i16], values: &mut [ByteArray]) {
    let rows = if levels.is_empty() { values.len() } else { levels.len() };
    let highest = levels.iter().copied().max().unwrap_or(0);
    for (row, text) in texts.of(first..first + rows) {
        let before = levels
            .get(..row - first)
            .map(|levels| levels.iter().filter(|level| **level == highest).count());
        if let Some(value) = values.get_mut(before.unwrap_or(row - first)) {
            *value = ByteArray::from(text.as_bytes().to_vec());
        }
    }
}

/// Values on their way to another file.
struct Gathered<T: DataType> {
    values: Vec<T::T>,
    definitions: Vec<i16>,
    repetitions: Vec<i16>,
    rows: usize,
    /// Rows that were written before.
    copied: usize,
}

impl<T: DataType> Gathered<T> {
    fn write(
        &mut self,
        to: &mut ColumnWriterImpl<'_, T>,
        change: &mut impl FnMut(usize, &[i16], &mut [T::T]),
    ) -> Result<(), Failure> {
        let column = to.get_descriptor();
        let (optional, repeated) = (column.max_def_level() > 0, column.max_rep_level() > 0);
        let Self { values, definitions, repetitions, rows, copied } = self;
        change(*copied, definitions, values);
        *copied += *rows;
        let levels = (optional.then_some(&**definitions), repeated.then_some(&**repetitions));
        to.write_batch(values, levels.0, levels.1).map_err(Failure::Write)?;
        values.clear();
        definitions.clear();
        repetitions.clear();
        *rows = 0;
        Ok(())
    }
}

/// Copies the rows of these runs; `change` gets the number of the first row of some among those that are copied, and their
/// levels and values.
pub(super) fn copy_values<T: DataType>(
    mut from: ColumnReaderImpl<T>,
    to: &mut ColumnWriterImpl<'_, T>,
    runs: &[Run],
    mut change: impl FnMut(usize, &[i16], &mut [T::T]),
) -> Result<(), Failure> {
    let (values, definitions, repetitions) = (Vec::new(), Vec::new(), Vec::new());
    let mut gathered = Gathered { values, definitions, repetitions, rows: 0, copied: 0 };
    for Run { skip, take, times } in runs {
        if *skip > 0 {
            from.skip_records(*skip).map_err(Failure::Read)?;
        }
        let mut left = *take;
        while left > 0 {
            let Gathered { values, definitions, repetitions, rows, .. } = &mut gathered;
            let (value, definition, repetition) =
                (values.len(), definitions.len(), repetitions.len());
            let want = left.min(ROWS - *rows);
            let (found, ..) = from
                .read_records(want, Some(definitions), Some(repetitions), values)
                .map_err(Failure::Read)?;
            if found < want {
                let error = ParquetError::EOF("a column has too few rows".to_owned());
                return Err(Failure::Read(error));
            }
            *rows += want;
            left -= want;
            if *times > 1 {
                let values = values.get(value..).unwrap_or_default().to_vec();
                let definitions = definitions.get(definition..).unwrap_or_default().to_vec();
                let repetitions = repetitions.get(repetition..).unwrap_or_default().to_vec();
                for _ in 1..*times {
                    if gathered.rows == ROWS {
                        gathered.write(to, &mut change)?;
                    }
                    gathered.values.extend_from_slice(&values);
                    gathered.definitions.extend_from_slice(&definitions);
                    gathered.repetitions.extend_from_slice(&repetitions);
                    gathered.rows += 1;
                }
            }
            if gathered.rows == ROWS {
                gathered.write(to, &mut change)?;
            }
        }
    }
    gathered.write(to, &mut change)
}
