//! Texts as Python holds them: an Arrow column of any string type, a column of a table, a NumPy array or a
//! sequence of `str`.

use crate::imported::{chunks, has_arrow};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowDictionaryKeyType, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array as _, ArrayRef, LargeStringArray, StructArray};
use arrow_schema::{DataType, FieldRef};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PySet, PyString};
use std::sync::Arc;

/// Texts, of which some may be missing. Arrow's buffers are borrowed, whatever their string type.
pub(crate) struct TextColumn {
    chunks: Vec<ArrayRef>,
}

impl TextColumn {
    /// The texts of `data`; of a table those in the column `name`, or in its only column of strings.
    pub(crate) fn of(data: &Bound<'_, PyAny>, name: Option<&str>) -> PyResult<Self> {
        Ok(Self::with_ids(data, name, None)?.0)
    }

    /// The texts, and of the same rows the column `id`: what is handed over is read once.
    pub(crate) fn with_ids(
        data: &Bound<'_, PyAny>,
        name: Option<&str>,
        id: Option<&str>,
    ) -> PyResult<(Self, Option<ArrayRef>)> {
        let no_table = || PyTypeError::new_err("id= names a column of a table, and this is none");
        if !has_arrow(data)? {
            return if id.is_some() {
                Err(no_table())
            } else {
                Ok((Self::of_sequence(data)?, None))
            };
        }
        let (mut columns, mut ids) = (Vec::new(), Vec::new());
        for chunk in chunks(data)? {
            let table = chunk.as_struct_opt();
            if let Some(id) = id {
                ids.push(column(table.ok_or_else(no_table)?, Some(id))?);
            }
            columns.push(match table {
                Some(table) => column(table, name)?,
                None => chunk,
            });
        }
        if let Some(other) = columns.iter().find(|column| !is_text(column.data_type())) {
            let found = other.data_type();
            return Err(PyTypeError::new_err(format!("texts are strings, not {found}")));
        }
        let ids: Vec<_> = ids.iter().map(AsRef::as_ref).collect();
        let ids = if ids.is_empty() { None } else { Some(arrow_select::concat::concat(&ids)) };
        let ids = ids.transpose().map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok((Self { chunks: columns }, ids))
    }

    /// Texts that have no Arrow form: a copy.
    fn of_sequence(data: &Bound<'_, PyAny>) -> PyResult<Self> {
        let listed =
            if data.hasattr("tolist")? { data.call_method0("tolist")? } else { data.clone() };
        if listed.is_instance_of::<PyString>() || listed.is_instance_of::<PyBytes>() {
            return Err(PyTypeError::new_err(
                "one text where several were expected: give a list of them",
            ));
        }
        let kind = data.get_type();
        let refused = || {
            PyTypeError::new_err(format!(
                "texts are a column of strings or a sequence of str, not {kind}"
            ))
        };
        if listed.is_instance_of::<PyDict>() || listed.is_instance_of::<PySet>() {
            return Err(refused());
        }
        let rows = listed.try_iter().map_err(|_| refused())?;
        let mut texts = arrow_array::builder::LargeStringBuilder::new();
        for (row, text) in rows.enumerate() {
            let text = text?;
            if text.is_none() {
                texts.append_null();
                continue;
            }
            let Ok(text) = text.cast::<PyString>() else {
                let kind = text.get_type().name()?;
                let missing = if kind == "float" { "; a missing text is None" } else { "" };
                return Err(PyTypeError::new_err(format!(
                    "row {row} is of type {kind}, not str{missing}"
                )));
            };
            texts.append_value(text.to_str()?);
        }
        let texts: LargeStringArray = texts.finish();
        Ok(Self { chunks: vec![Arc::new(texts)] })
    }

    /// The number of texts, missing ones included.
    pub(crate) fn len(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }

    /// The texts in their order.
    pub(crate) fn texts(&self) -> Vec<Option<&str>> {
        let mut texts = Vec::with_capacity(self.len());
        self.chunks.iter().for_each(|chunk| add(chunk, &mut texts));
        texts
    }

    /// A copy of one of the texts; `None` where it is missing.
    pub(crate) fn text(&self, mut row: usize) -> Option<String> {
        for chunk in &self.chunks {
            if row < chunk.len() {
                let (one, mut texts) = (chunk.slice(row, 1), Vec::with_capacity(1));
                add(&one, &mut texts);
                return texts.first().copied().flatten().map(str::to_owned);
            }
            row -= chunk.len();
        }
        None
    }
}

/// The column of texts of a table.
fn column(table: &StructArray, name: Option<&str>) -> PyResult<ArrayRef> {
    let fields = table.fields();
    let named = |names: Vec<&str>| {
        names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
    };
    if let Some(name) = name {
        return table.column_by_name(name).cloned().ok_or_else(|| {
            let there = named(fields.iter().map(|field| field.name().as_str()).collect());
            PyValueError::new_err(format!("no column {name:?}; there are {there}"))
        });
    }
    // pandas hands over its index too.
    let is_index = |field: &FieldRef| field.name().starts_with("__index_level_");
    let holds = |nulls: bool| {
        move |(_, field): &(usize, &FieldRef)| {
            is_text(field.data_type()) && !is_index(field) && field.data_type().is_null() == nulls
        }
    };
    let strings = fields.iter().enumerate().filter(holds(false)).count();
    let texts = fields.iter().enumerate().filter(holds(strings == 0));
    let texts: Vec<(usize, &str)> = texts.map(|(at, field)| (at, field.name().as_str())).collect();
    match texts.as_slice() {
        [(at, _)] => Ok(Arc::clone(table.column(*at))),
        [] => Err(PyValueError::new_err("the table has no column of strings")),
        several => Err(PyValueError::new_err(format!(
            "which column has the texts? There are {}; name one by text=",
            named(several.iter().map(|(_, name)| *name).collect())
        ))),
    }
}

/// Whether a column of this type has texts. One of nulls alone has none, and is no error.
fn is_text(kind: &DataType) -> bool {
    match kind {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null => true,
        DataType::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}

/// Adds the texts of one chunk.
fn add<'a>(chunk: &'a ArrayRef, texts: &mut Vec<Option<&'a str>>) {
    match chunk.data_type() {
        DataType::Utf8 => texts.extend(chunk.as_string::<i32>().iter()),
        DataType::LargeUtf8 => texts.extend(chunk.as_string::<i64>().iter()),
        DataType::Utf8View => texts.extend(chunk.as_string_view().iter()),
        DataType::Dictionary(keys, _) => match keys.as_ref() {
            DataType::Int8 => add_keyed::<Int8Type>(chunk, texts),
            DataType::Int16 => add_keyed::<Int16Type>(chunk, texts),
            DataType::Int32 => add_keyed::<Int32Type>(chunk, texts),
            DataType::Int64 => add_keyed::<Int64Type>(chunk, texts),
            DataType::UInt8 => add_keyed::<UInt8Type>(chunk, texts),
            DataType::UInt16 => add_keyed::<UInt16Type>(chunk, texts),
            DataType::UInt32 => add_keyed::<UInt32Type>(chunk, texts),
            _ => add_keyed::<UInt64Type>(chunk, texts),
        },
        _ => texts.extend(std::iter::repeat_n(None, chunk.len())),
    }
}

/// Adds the texts of a chunk that names each by its place in a dictionary.
fn add_keyed<'a, K: ArrowDictionaryKeyType>(chunk: &'a ArrayRef, texts: &mut Vec<Option<&'a str>>) {
    let chunk = chunk.as_dictionary::<K>();
    let mut values = Vec::new();
    add(chunk.values(), &mut values);
    texts.extend((0..chunk.len()).map(|row| values.get(chunk.key(row)?).copied().flatten()));
}
