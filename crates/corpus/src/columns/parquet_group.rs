//! The rows of one row group of Parquet, packed one by one. Going through the groups is
//! `parquet_rows`'.
//!
//! Strings stay what they are, and so do bytes that are text; JSON is what it says; numbers, lists and groups become what they are in JSON. A column named
//! `fingerprint` becomes hexadecimal digits, whether it holds those, as strings or as bytes, integers of 64 bits, or 8, 16 or
//! 32 bytes of which the most significant is the first.

#![deny(clippy::indexing_slicing)]

use crate::columns::arrow_wide;
use crate::columns::fingerprint_bytes::{BytesForm, FINGERPRINT};
use crate::columns::library::library;
use crate::columns::packed_row::{self, pack_json, pack_marked, pack_text};
use crate::columns::parquet_error::as_io;
use crate::columns::parquet_json::{json, text_of_bytes};
use crate::columns::parquet_leaves::{Leaves, Meanings, int96};
use crate::columns::parquet_shown::{Shown, is_json, is_string};
use parquet::basic::{ConvertedType, LogicalType, Repetition, Type as PhysicalType};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{AsBytes, ByteArrayType, DataType, FixedLenByteArrayType, Int96Type};
use parquet::errors::ParquetError;
use parquet::file::reader::RowGroupReader;
use parquet::record::reader::{ReaderIter, TreeBuilder};
use parquet::record::{Field, Row};
use parquet::schema::types::{ColumnDescriptor, SchemaDescriptor, Type, TypePtr};
use serde_json::Value;
use std::io;
use std::iter;
use std::sync::Arc;
use std::vec;

/// Values of a column of strings that are read at a time.
const VALUES: usize = 64;

/// A row group that is read from its first row on.
///
/// Columns of strings and of bytes are read as such: their values are never copied but into the packed row.
pub(crate) struct ParquetGroup<'g> {
    columns: Vec<Column>,
    /// What of a row is none of these, where there is such a column.
    others: Option<ReaderIter>,
    leaves: Leaves<'g>,
    left: u64,
}

/// A column of the rows.
enum Column {
    Strings(Box<Flat<ByteArrayType>>),
    /// Strings that are marked as JSON.
    Marked(Box<Flat<ByteArrayType>>),
    /// Bytes of any length that are not marked as a string.
    Bytes(Box<Flat<ByteArrayType>>, TypePtr),
    /// Bytes of a length.
    Fixed(Box<Flat<FixedLenByteArrayType>>, TypePtr),
    /// Integers of 128 bits, and whether they are signed.
    Wide(Box<Flat<FixedLenByteArrayType>>, bool),
    Moments(Box<Flat<Int96Type>>),
    /// The next of the other columns.
    Other(TypePtr),
}

/// A column of one value a row.
struct Flat<T: DataType> {
    reader: ColumnReaderImpl<T>,
    optional: bool,
    values: vec::IntoIter<T::T>,
    /// Whether a value is there, of each row where that is optional.
    levels: vec::IntoIter<i16>,
}

impl Column {
    /// The column of a field of one value a row; none where the library is to assemble it.
    fn of(reader: ColumnReader, descriptor: &ColumnDescriptor, field: &TypePtr) -> Option<Self> {
        let optional = descriptor.max_def_level() > 0;
        let is_plain = descriptor.converted_type() != ConvertedType::DECIMAL
            && !matches!(descriptor.logical_type_ref(), Some(LogicalType::Float16));
        match reader {
            ColumnReader::ByteArrayColumnReader(reader) if is_json(descriptor.self_type()) => {
                Some(Self::Marked(Flat::of(reader, optional)))
            }
            ColumnReader::ByteArrayColumnReader(reader) if is_string(descriptor.self_type()) => {
                Some(Self::Strings(Flat::of(reader, optional)))
            }
            ColumnReader::ByteArrayColumnReader(reader) if is_plain => {
                Some(Self::Bytes(Flat::of(reader, optional), Arc::clone(field)))
            }
            ColumnReader::FixedLenByteArrayColumnReader(reader) if is_plain => {
                Some(Self::Fixed(Flat::of(reader, optional), Arc::clone(field)))
            }
            ColumnReader::Int96ColumnReader(reader) => {
                Some(Self::Moments(Flat::of(reader, optional)))
            }
            _ => None,
        }
    }
}

impl<'g> ParquetGroup<'g> {
    /// `meanings` tells which leaves hold more than their types say.
    pub(crate) fn open(
        group: &'g dyn RowGroupReader,
        meanings: &'g Meanings,
    ) -> Result<Self, ParquetError> {
        let schema = group.metadata().schema_descr();
        let (mut columns, mut others) = (Vec::new(), Vec::new());
        let (mut leaf, mut nested) = (0, Leaves::new(meanings));
        for (index, field) in schema.root_schema().get_fields().iter().enumerate() {
            let of_field = (leaf..schema.num_columns())
                .take_while(|at| schema.get_column_root_idx(*at) == index);
            let leaves = of_field.count();
            let descriptor = schema.column(leaf);
            let flat = leaves == 1 && is_flat(&descriptor);
            let reader = flat.then(|| group.get_column_reader(leaf)).transpose()?;
            let column = reader.and_then(|reader| Column::of(reader, &descriptor, field));
            let column = column.map(|column| match (column, meanings.sign(field)) {
                (Column::Fixed(flat, _), Some(is_signed)) => Column::Wide(flat, is_signed),
                (column, _) => column,
            });
            columns.push(match column {
                Some(column) => column,
                None => {
                    for at in leaf..leaf + leaves {
                        let descriptor = schema.column(at);
                        if descriptor.physical_type() == PhysicalType::INT96 {
                            nested.add(&descriptor, group.get_column_reader(at)?);
                        }
                    }
                    others.push(index);
                    Column::Other(Arc::clone(field))
                }
            });
            leaf += leaves;
        }
        let others = (!others.is_empty()).then(|| {
            let shown = Shown::of(group)?;
            let others = others.iter().filter_map(|at| shown.column(*at)).collect();
            let root = Type::group_type_builder(schema.root_schema().name());
            let root = root.with_fields(others).build()?;
            TreeBuilder::new().as_iter(SchemaDescriptor::new(root.into()).into(), &shown)
        });
        let left = u64::try_from(group.metadata().num_rows()).unwrap_or(0);
        Ok(ParquetGroup { columns, others: others.transpose()?, leaves: nested, left })
    }

    /// Appends the next row; returns whether there was one. Of a row that fails a part may be
    /// appended. `form` is what the bytes of fingerprints are, as earlier groups of the file have told.
    pub(crate) fn pack(
        &mut self,
        form: &mut Option<BytesForm>,
        bytes: &mut Vec<u8>,
    ) -> io::Result<bool> {
        if self.left == 0 {
            return Ok(false);
        }
        self.left -= 1;
        let others = match &mut self.others {
            Some(others) => {
                let next = library(|| others.next()).map_err(ParquetError::General);
                next.and_then(|next| next.ok_or_else(too_few).flatten()).map_err(as_io)?
            }
            None => Row::new(Vec::new()),
        };
        let mut others = others.get_column_iter();
        for column in &mut self.columns {
            match column {
                Column::Strings(column) => match column.next().map_err(as_io)? {
                    Some(value) => pack_text(value.data(), bytes),
                    None => pack_json(&Value::Null.into(), bytes)?,
                },
                Column::Marked(column) => match column.next().map_err(as_io)? {
                    Some(value) => pack_marked(value.data(), bytes)?,
                    None => pack_json(&Value::Null.into(), bytes)?,
                },
                Column::Bytes(column, field) => pack_bytes(column, field, form, bytes)?,
                Column::Fixed(column, field) => pack_bytes(column, field, form, bytes)?,
                Column::Wide(column, is_signed) => {
                    let value = column.next().map_err(as_io)?;
                    let digits = value.and_then(|it| arrow_wide::digits(it.data(), *is_signed));
                    pack_json(&digits.into(), bytes)?;
                }
                Column::Moments(column) => {
                    let value = column.next().map_err(as_io)?;
                    pack_json(&value.as_ref().map_or(Value::Null, int96).into(), bytes)?;
                }
                Column::Other(of) => {
                    let (_, field) = others.next().ok_or_else(too_few).map_err(as_io)?;
                    match (of.name() == FINGERPRINT).then(|| digits(field)).flatten() {
                        Some(digits) => pack_text(digits.as_bytes(), bytes),
                        None => pack_json(&json(field, Some(of), &mut self.leaves), bytes)?,
                    }
                }
            }
        }
        self.leaves.check()?;
        Ok(true)
    }
}

/// Packs the next bytes of a column, which are not marked as a string.
fn pack_bytes<T: DataType>(
    column: &mut Flat<T>,
    field: &Type,
    form: &mut Option<BytesForm>,
    bytes: &mut Vec<u8>,
) -> io::Result<()>
where
    T::T: AsBytes,
{
    let Some(value) = column.next().map_err(as_io)? else {
        return pack_json(&Value::Null.into(), bytes);
    };
    if field.name() == FINGERPRINT {
        let read = iter::once(&value).chain(column.values.as_slice()).map(AsBytes::as_bytes);
        *form = form.or_else(|| BytesForm::of(read));
        pack_text(&form.unwrap_or(BytesForm::Bits).text(value.as_bytes()), bytes);
        return Ok(());
    }
    match text_of_bytes(value.as_bytes(), Some(field)) {
        Some(text) => pack_text(text.as_bytes(), bytes),
        None => packed_row::pack_bytes(value.as_bytes(), bytes),
    }
    Ok(())
}

impl<T: DataType> Flat<T> {
    fn of(reader: ColumnReaderImpl<T>, optional: bool) -> Box<Self> {
        let (values, levels) = (Vec::new().into_iter(), Vec::new().into_iter());
        Box::new(Self { reader, optional, values, levels })
    }

    /// The value of the next row; none where that has none.
    fn next(&mut self) -> Result<Option<T::T>, ParquetError> {
        let rows = if self.optional { self.levels.len() } else { self.values.len() };
        if rows == 0 {
            let (mut values, mut levels) = (Vec::with_capacity(VALUES), Vec::new());
            let of_values = self.optional.then_some(&mut levels);
            library(|| self.reader.read_records(VALUES, of_values, None, &mut values))
                .map_err(ParquetError::General)
                .flatten()?;
            (self.values, self.levels) = (values.into_iter(), levels.into_iter());
        }
        if self.optional && self.levels.next().ok_or_else(too_few)? == 0 {
            return Ok(None);
        }
        self.values.next().ok_or_else(too_few).map(Some)
    }
}

/// Whether every row has one value, or none.
fn is_flat(column: &ColumnDescriptor) -> bool {
    let field = column.self_type();
    field.get_basic_info().repetition() != Repetition::REPEATED && column.path().parts().len() == 1
}

fn too_few() -> ParquetError {
    ParquetError::EOF("a column has too few rows".to_owned())
}

/// The digits of a fingerprint that is a number.
fn digits(field: &Field) -> Option<String> {
    match field {
        Field::Long(value) => Some(format!("{value:016x}")),
        Field::ULong(value) => Some(format!("{value:016x}")),
        _ => None,
    }
}
