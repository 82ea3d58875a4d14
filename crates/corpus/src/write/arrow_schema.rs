//! What an Arrow file of rows of others has for columns. Rows are taken by `arrow_output`.

#![deny(clippy::indexing_slicing)]

use crate::columns::arrow_plain::{dictionaries, has_dictionary};
use crate::columns::arrow_rows::{Batches, as_io, compression, first_batch, is_file};
use crate::columns::arrow_wide::{Mark, as_written, plain_field, unmarked};
use crate::error::Error;
use crate::records::explained::explain;
use crate::records::source::Source;
use crate::write::new_column::{NewColumn, NewColumnKind};
use arrow_array::ArrayRef;
use arrow_ipc::writer::IpcWriteOptions;
use arrow_schema::{DataType, Field, FieldRef, Schema, SchemaRef};
use std::collections::HashMap;
use std::io;
use std::sync::Arc;

/// What decides the form of the output.
///
/// Its columns have the types of the first file, but for these, which lose their encodings: the one that gets other
/// texts, those that other files encode in another way, and, in a file with a footer, which has one dictionary a column,
/// those whose dictionaries differ between the files.
pub(crate) struct Like {
    pub(crate) schema: SchemaRef,
    /// The same with marks on columns that are shown as bytes.
    pub(crate) marked: SchemaRef,
    pub(crate) metadata: HashMap<String, String>,
    pub(crate) is_file: bool,
    pub(crate) options: IpcWriteOptions,
    pub(crate) added: Arc<[NewColumn]>,
}

impl Like {
    /// The form of what holds rows of `sources`, like the file `source`, with other texts in the column `text`; a file with a
    /// footer, or a stream, where the name of the output says so.
    pub(crate) fn of(
        (source, sources): (&Source, &[Source]),
        text: Option<&str>,
        added: Arc<[NewColumn]>,
        named: Option<bool>,
    ) -> Result<Self, Error> {
        let Batches { schema, metadata, .. } = open(source)?;
        let (mut file, _) = source.file()?;
        let failed = |error| damaged(source, error);
        let is_of_file = is_file(&mut file).map_err(failed)?;
        let is_file = named.unwrap_or(is_of_file);
        let options = IpcWriteOptions::default().try_with_compression(compression(file));
        let options = options.map_err(|error| failed(as_io(error)))?;
        let mut fields = fields_of(&schema, &added);
        for field in &mut fields {
            if text.is_some_and(|text| field.name() == text) {
                make_plain(field);
            }
        }
        let mut others = Vec::new();
        for source in sources {
            let own = fields_of(&open(source)?.schema, &added);
            for (field, own) in fields.iter_mut().zip(&own) {
                if field.data_type() != own.data_type() {
                    make_plain(field);
                }
            }
            others.push((source, own));
        }
        if is_file && (others.len() > 1 || !is_of_file) {
            plain_where_dictionaries_differ(&mut fields, &others)?;
        }
        let come = added.iter().filter(|column| column.comes());
        fields.extend(come.map(|column| Arc::new(field_of(column))));
        let marked = Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()));
        Ok(Self { schema: unmarked(&marked), marked, metadata, is_file, options, added })
    }
}

/// Makes fields plain whose dictionaries differ between files, or may.
fn plain_where_dictionaries_differ(
    fields: &mut [FieldRef],
    sources: &[(&Source, Vec<FieldRef>)],
) -> Result<(), Error> {
    let mut first: HashMap<String, Vec<ArrayRef>> = HashMap::new();
    for (source, own) in sources {
        let encoded = |fields: &[FieldRef]| fields.iter().any(|it| has_dictionary(it.data_type()));
        if !encoded(fields) || !encoded(own) {
            continue;
        }
        let failed = |error| damaged(source, error);
        let (mut file, _) = source.file()?;
        // A stream may change its dictionaries on the way.
        let is_file = is_file(&mut file).map_err(failed)?;
        let names: Vec<_> = own.iter().filter(|it| has_dictionary(it.data_type())).collect();
        let names = names.iter().map(|field| field.name().as_str()).collect::<Vec<_>>();
        let batch = if is_file { first_batch(file, &names).map_err(failed)? } else { None };
        for field in fields.iter_mut().filter(|field| has_dictionary(field.data_type())) {
            let column = batch.as_ref().and_then(|batch| batch.column_by_name(field.name()));
            let found = column.map(dictionaries);
            let differ = match (found, first.get(field.name())) {
                (Some(found), Some(known)) => found != *known,
                (Some(found), None) => {
                    first.insert(field.name().clone(), found);
                    false
                }
                // No row of the file needs one.
                (None, _) => !is_file,
            };
            if differ {
                make_plain(field);
            }
        }
    }
    Ok(())
}

fn make_plain(field: &mut FieldRef) {
    *field = Arc::new(plain_field(field));
}

/// Fails where two files do not have the same columns, however these are encoded, those apart that are `added`.
pub(crate) fn same_schema(
    first: &Source,
    second: &Source,
    added: &[NewColumn],
) -> Result<(), Error> {
    let (a, b) = (open(first)?.schema, open(second)?.schema);
    let (a, b) = (fields_of(&a, added), fields_of(&b, added));
    let form = |field: &FieldRef| {
        let plain = plain_field(field);
        (field.name().clone(), plain.data_type().clone(), field.is_nullable(), Mark::of(&plain))
    };
    if a.iter().map(form).eq(b.iter().map(form)) {
        return Ok(());
    }
    let named = |fields: &[FieldRef]| {
        let fields = fields.iter().map(|field| as_written(&plain_field(field)));
        let fields = fields.map(|field| format!("{} {}", field.name(), field.data_type()));
        fields.collect::<Vec<_>>().join(", ")
    };
    Err(Error::OutputColumns {
        first: first.name().to_owned(),
        first_columns: named(&a),
        second: second.name().to_owned(),
        second_columns: named(&b),
    })
}

/// The names of the columns of a file.
pub(crate) fn column_names(source: &Source) -> Result<Vec<String>, Error> {
    Ok(open(source)?.schema.fields().iter().map(|field| field.name().clone()).collect())
}

/// The record batches of a file from the first on.
pub(crate) fn open(source: &Source) -> Result<Batches, Error> {
    let (file, _) = source.file()?;
    Batches::of_file(file, Arc::default()).map_err(|error| damaged(source, error))
}

pub(crate) fn damaged(source: &Source, error: io::Error) -> Error {
    explain(source.name(), "Arrow", 0, error)
}

/// The fields of a file that added columns do not take the place of, with their places.
pub(crate) fn own_fields<'a>(
    schema: &'a SchemaRef,
    added: &'a [NewColumn],
) -> impl Iterator<Item = (usize, &'a FieldRef)> {
    let is_added = |field: &FieldRef| added.iter().any(|column| column.name == field.name());
    schema.fields().iter().enumerate().filter(move |(_, field)| !is_added(field))
}

pub(crate) fn fields_of(schema: &SchemaRef, added: &[NewColumn]) -> Vec<FieldRef> {
    own_fields(schema, added).map(|(_, field)| Arc::clone(field)).collect()
}

/// The field of an added column; its cells may be empty.
pub(crate) fn field_of(column: &NewColumn) -> Field {
    let data_type = match column.kind {
        NewColumnKind::Integer => DataType::Int64,
        NewColumnKind::Real => DataType::Float64,
        NewColumnKind::Truth => DataType::Boolean,
        NewColumnKind::Text | NewColumnKind::Gone => DataType::Utf8,
    };
    Field::new(column.name, data_type, true)
}
