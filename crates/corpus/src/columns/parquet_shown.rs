//! A row group of Parquet that the library is shown with bytes in place of strings. It gives up a whole file for one text
//! that is not UTF-8, in whatever column; shown as bytes it is like one of any other format. It finds columns by their
//! names: where fields of a group share one, it is shown their places. It takes maps whose keys are one value each: any
//! other is shown as a list of groups of a key and a value.

#![deny(clippy::indexing_slicing)]

use crate::columns::parquet_leaves::entry;
use parquet::basic::{ConvertedType, Repetition, Type as PhysicalType};
use parquet::bloom_filter::Sbbf;
use parquet::column::page::PageReader;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use parquet::file::reader::RowGroupReader;
use parquet::record::reader::RowIter;
use parquet::schema::types::{SchemaDescriptor, Type, TypePtr};
use std::collections::HashSet;
use std::sync::Arc;

/// Such a row group.
pub(crate) struct Shown<'g> {
    group: &'g dyn RowGroupReader,
    /// What rows are assembled by: the types of the columns, and how many rows there are.
    metadata: RowGroupMetaData,
}

impl<'g> Shown<'g> {
    pub(crate) fn of(group: &'g dyn RowGroupReader) -> Result<Self, ParquetError> {
        let metadata = group.metadata();
        let root = metadata.schema_descr().root_schema_ptr();
        let root = shown(&root, root.name())?;
        let schema = Arc::new(SchemaDescriptor::new(root));
        let columns = schema.columns().iter().map(Arc::clone);
        let columns = columns.map(|column| ColumnChunkMetaData::builder(column).build());
        let columns = columns.collect::<Result<_, _>>()?;
        let metadata = RowGroupMetaData::builder(schema)
            .set_num_rows(metadata.num_rows())
            .set_column_metadata(columns)
            .build()?;
        Ok(Self { group, metadata })
    }

    /// The column of this place.
    pub(crate) fn column(&self, at: usize) -> Option<TypePtr> {
        self.metadata.schema_descr().root_schema().get_fields().get(at).cloned()
    }
}

impl RowGroupReader for Shown<'_> {
    fn metadata(&self) -> &RowGroupMetaData {
        &self.metadata
    }

    fn num_columns(&self) -> usize {
        self.group.num_columns()
    }

    fn get_column_page_reader(&self, at: usize) -> Result<Box<dyn PageReader>, ParquetError> {
        self.group.get_column_page_reader(at)
    }

    fn get_column_bloom_filter(&self, at: usize) -> Option<&Sbbf> {
        self.group.get_column_bloom_filter(at)
    }

    fn get_row_iter(&self, projection: Option<Type>) -> Result<RowIter<'_>, ParquetError> {
        RowIter::from_row_group(projection, self)
    }
}

/// Whether values of a type are marked as strings.
pub(crate) fn is_string(of: &Type) -> bool {
    let mark = of.get_basic_info().converted_type();
    of.is_primitive()
        && of.get_physical_type() == PhysicalType::BYTE_ARRAY
        && matches!(mark, ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON)
}

/// Whether values of a type are strings that are marked as JSON.
pub(crate) fn is_json(of: &Type) -> bool {
    is_string(of) && of.get_basic_info().converted_type() == ConvertedType::JSON
}

/// Whether a type is a map whose keys are groups, lists or maps.
pub(crate) fn has_nested_keys(of: &Type) -> bool {
    let mark = of.get_basic_info().converted_type();
    matches!(mark, ConvertedType::MAP | ConvertedType::MAP_KEY_VALUE)
        && of.get_basic_info().has_repetition()
        && entry(of).0.is_some_and(Type::is_group)
}

/// Such a map under this name, as a list. The levels of its leaves are the same.
fn shown_list(of: &Type, name: &str) -> Result<Type, ParquetError> {
    let fields = of.get_fields().first().map_or(&[][..], |entries| entries.get_fields());
    let entry = Type::group_type_builder("entry").with_repetition(Repetition::REQUIRED);
    let entry = entry.with_fields(shown_fields(fields)?).build()?;
    let list = Type::group_type_builder("list").with_repetition(Repetition::REPEATED);
    let list = list.with_fields(vec![Arc::new(entry)]).build()?;
    Type::group_type_builder(name)
        .with_repetition(of.get_basic_info().repetition())
        .with_converted_type(ConvertedType::LIST)
        .with_fields(vec![Arc::new(list)])
        .build()
}

/// A type under this name, with bytes in place of strings.
fn shown(of: &TypePtr, name: &str) -> Result<TypePtr, ParquetError> {
    let info = of.get_basic_info();
    Ok(match &**of {
        Type::PrimitiveType { .. } if is_string(of) => {
            let bytes = Type::primitive_type_builder(name, PhysicalType::BYTE_ARRAY);
            Arc::new(bytes.with_repetition(info.repetition()).build()?)
        }
        Type::GroupType { .. } if has_nested_keys(of) => Arc::new(shown_list(of, name)?),
        _ if name == of.name() => match &**of {
            Type::PrimitiveType { .. } => Arc::clone(of),
            Type::GroupType { basic_info, fields } => {
                let (basic_info, fields) = (basic_info.clone(), shown_fields(fields)?);
                Arc::new(Type::GroupType { basic_info, fields })
            }
        },
        Type::PrimitiveType { physical_type, type_length, scale, precision, .. } => {
            let renamed = Type::primitive_type_builder(name, *physical_type)
                .with_repetition(info.repetition())
                .with_converted_type(info.converted_type())
                .with_logical_type(info.logical_type_ref().cloned())
                .with_length(*type_length)
                .with_precision(*precision)
                .with_scale(*scale);
            Arc::new(renamed.build()?)
        }
        Type::GroupType { fields, .. } => {
            let renamed = Type::group_type_builder(name)
                .with_repetition(info.repetition())
                .with_converted_type(info.converted_type())
                .with_logical_type(info.logical_type_ref().cloned())
                .with_fields(shown_fields(fields)?);
            Arc::new(renamed.build()?)
        }
    })
}

/// The fields of a group, no two of one name.
fn shown_fields(fields: &[TypePtr]) -> Result<Vec<TypePtr>, ParquetError> {
    let mut known = HashSet::new();
    let are_apart = fields.iter().all(|field| known.insert(field.name()));
    let fields = fields.iter().enumerate();
    fields
        .map(|(at, field)| match are_apart {
            true => shown(field, field.name()),
            false => shown(field, &at.to_string()),
        })
        .collect()
}
