//! A row group of Parquet that the library is shown with bytes in place of strings. It gives up a whole file for one text
//! that is not UTF-8, in whatever column; shown as bytes it is like one of any other format.

#![deny(clippy::indexing_slicing)]

use parquet::basic::{ConvertedType, Type as PhysicalType};
use parquet::bloom_filter::Sbbf;
use parquet::column::page::PageReader;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use parquet::file::reader::RowGroupReader;
use parquet::record::reader::RowIter;
use parquet::schema::types::{SchemaDescriptor, Type, TypePtr};
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
        let root = shown(&metadata.schema_descr().root_schema_ptr())?;
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

/// A type with bytes in place of strings.
fn shown(of: &TypePtr) -> Result<TypePtr, ParquetError> {
    Ok(match &**of {
        Type::GroupType { basic_info, fields } => {
            let fields = fields.iter().map(shown).collect::<Result<_, _>>()?;
            Arc::new(Type::GroupType { basic_info: basic_info.clone(), fields })
        }
        Type::PrimitiveType { basic_info, .. } if is_string(of) => {
            let bytes = Type::primitive_type_builder(of.name(), PhysicalType::BYTE_ARRAY);
            Arc::new(bytes.with_repetition(basic_info.repetition()).build()?)
        }
        Type::PrimitiveType { .. } => Arc::clone(of),
    })
}
