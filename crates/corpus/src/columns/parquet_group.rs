//! The rows of one row group of Parquet, packed one by one. Going through the groups is
//! `parquet_rows`'.
//!
//! Strings stay what they are; numbers, lists and groups become what they are in JSON. A column named
//! `fingerprint` becomes hexadecimal digits, whether it holds those, integers of 64 bits, or 8, 16 or
//! 32 bytes of which the most significant is the first.

#![deny(clippy::indexing_slicing)]

use crate::columns::packed_row::{pack_json, pack_text};
use crate::columns::parquet_error::as_io;
use parquet::basic::{ConvertedType, Repetition, Type as Physical};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::errors::ParquetError;
use parquet::file::reader::RowGroupReader;
use parquet::record::reader::RowIter;
use parquet::record::{Field, Row};
use parquet::schema::types::{ColumnDescriptor, Type};
use std::io;
use std::sync::Arc;
use std::vec;

/// The column whose values are fingerprints.
const FINGERPRINT: &str = "fingerprint";
/// Values of a column of strings that are read at a time.
const VALUES: usize = 64;

/// A row group that is read from its first row on.
///
/// Columns of strings are read as such: their values are never copied but into the packed row.
pub(crate) struct ParquetGroup<'g> {
    columns: Vec<Column>,
    /// What of a row is no string, where there is such a column.
    others: Option<RowIter<'g>>,
    left: u64,
}

/// A column of the rows.
enum Column {
    Strings(Box<Strings>),
    /// The next of the other columns.
    Other,
}

/// A column of strings.
struct Strings {
    reader: ColumnReaderImpl<ByteArrayType>,
    optional: bool,
    values: vec::IntoIter<ByteArray>,
    /// Whether a value is there, of each row where that is optional.
    levels: vec::IntoIter<i16>,
}

impl<'g> ParquetGroup<'g> {
    pub(crate) fn open(group: &'g dyn RowGroupReader) -> Result<Self, ParquetError> {
        let schema = group.metadata().schema_descr();
        let (mut columns, mut others) = (Vec::new(), Vec::new());
        let mut leaf = 0;
        for (index, field) in schema.root_schema().get_fields().iter().enumerate() {
            let of_field = (leaf..schema.num_columns())
                .take_while(|at| schema.get_column_root_idx(*at) == index);
            let leaves = of_field.count();
            let strings = leaves == 1 && is_strings(&schema.column(leaf));
            columns.push(match strings.then(|| group.get_column_reader(leaf)).transpose()? {
                Some(ColumnReader::ByteArrayColumnReader(reader)) => {
                    let optional = schema.column(leaf).max_def_level() > 0;
                    let (values, levels) = Default::default();
                    Column::Strings(Box::new(Strings { reader, optional, values, levels }))
                }
                _ => {
                    others.push(Arc::clone(field));
                    Column::Other
                }
            });
            leaf += leaves;
        }
        let others = (!others.is_empty()).then(|| {
            let root = Type::group_type_builder(schema.root_schema().name());
            RowIter::from_row_group(Some(root.with_fields(others).build()?), group)
        });
        let left = u64::try_from(group.metadata().num_rows()).unwrap_or(0);
        Ok(ParquetGroup { columns, others: others.transpose()?, left })
    }

    /// Appends the next row; returns whether there was one. Of a row that fails a part may be
    /// appended.
    pub(crate) fn pack(&mut self, bytes: &mut Vec<u8>) -> io::Result<bool> {
        if self.left == 0 {
            return Ok(false);
        }
        self.left -= 1;
        let others = match &mut self.others {
            Some(others) => others.next().ok_or_else(too_few).flatten().map_err(as_io)?,
            None => Row::new(Vec::new()),
        };
        let mut others = others.get_column_iter();
        for column in &mut self.columns {
            match column {
                Column::Strings(strings) => match strings.next().map_err(as_io)? {
                    Some(value) => pack_text(value.data(), bytes),
                    None => pack_json(&Field::Null.to_json_value(), bytes)?,
                },
                Column::Other => {
                    let (name, field) = others.next().ok_or_else(too_few).map_err(as_io)?;
                    match (name == FINGERPRINT).then(|| digits(field)).flatten() {
                        Some(digits) => pack_text(digits.as_bytes(), bytes),
                        None => pack_json(&field.to_json_value(), bytes)?,
                    }
                }
            }
        }
        Ok(true)
    }
}

impl Strings {
    /// The value of the next row; none where that has none.
    fn next(&mut self) -> Result<Option<ByteArray>, ParquetError> {
        let rows = if self.optional { self.levels.len() } else { self.values.len() };
        if rows == 0 {
            let (mut values, mut levels) = (Vec::with_capacity(VALUES), Vec::new());
            let of_values = self.optional.then_some(&mut levels);
            self.reader.read_records(VALUES, of_values, None, &mut values)?;
            (self.values, self.levels) = (values.into_iter(), levels.into_iter());
        }
        if self.optional && self.levels.next().ok_or_else(too_few)? == 0 {
            return Ok(None);
        }
        self.values.next().ok_or_else(too_few).map(Some)
    }
}

/// Whether every row has one string, or none.
fn is_strings(column: &ColumnDescriptor) -> bool {
    let marked = matches!(
        column.converted_type(),
        ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON
    );
    let field = column.self_type();
    marked
        && column.physical_type() == Physical::BYTE_ARRAY
        && field.get_basic_info().repetition() != Repetition::REPEATED
        && column.path().parts().len() == 1
}

fn too_few() -> ParquetError {
    ParquetError::EOF("a column has too few rows".to_owned())
}

/// The digits of a fingerprint that is no text.
fn digits(field: &Field) -> Option<String> {
    match field {
        Field::Long(value) => Some(format!("{value:016x}")),
        Field::ULong(value) => Some(format!("{value:016x}")),
        Field::Bytes(bytes) => {
            Some(bytes.data().iter().map(|byte| format!("{byte:02x}")).collect())
        }
        _ => None,
    }
}
