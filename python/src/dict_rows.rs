//! A list of dicts as a table: a row each, a column for each name.

use crate::labels::labels_of;
use crate::text::{said_of, text_of};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, Int64Array, LargeStringArray, NullArray,
    StructArray,
};
use arrow_buffer::NullBuffer;
use arrow_schema::{Field, Fields};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use std::collections::HashSet;
use std::sync::Arc;

/// The arguments that name a column of labels.
const LABELS: [&str; 3] = ["within", "across", "count_by"];

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Missing,
    Truth,
    Whole,
    Number,
    Text,
}

/// The table of a list of dicts, of which a row may be `None`; `None` where the first row is no dict. A column has
/// texts, numbers or truth values; of other values it has them where nobody names it, and is left out. Numbers among
/// texts become texts, where `others` name the column by their arguments; so does what was `said` in a conversation, be it
/// a string of JSON, where `text` names the column.
pub(crate) fn table(
    data: &Bound<'_, PyAny>,
    text: Option<&str>,
    others: &[(&str, &str)],
    said: bool,
) -> PyResult<Option<ArrayRef>> {
    if !is_dicts(data) {
        return Ok(None);
    }
    let rows = data.try_iter()?.collect::<PyResult<Vec<_>>>()?;
    let (mut names, mut known) = (Vec::new(), HashSet::new());
    for (number, row) in rows.iter().enumerate().filter(|(_, row)| !row.is_none()) {
        let Ok(row) = row.cast::<PyDict>() else {
            let kind = row.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "row {number} is of type {kind}, where the first is a dict"
            )));
        };
        for name in row.keys().iter().filter_map(|name| name.extract::<String>().ok()) {
            if known.insert(name.clone()) {
                names.push(name);
            }
        }
    }
    let mut columns: Vec<(String, ArrayRef)> = Vec::new();
    for name in names {
        let of = others.iter().find(|(_, other)| *other == name);
        let argument = if text == Some(&name) { Some("text") } else { of.map(|(of, _)| *of) };
        if text.is_some() && argument.is_none() {
            // It is there by its name alone.
            columns.push((name, Arc::new(NullArray::new(rows.len()))));
            continue;
        }
        let mut values = rows.iter().map(|row| value(row, &name)).collect::<PyResult<Vec<_>>>()?;
        let texts = values.iter_mut().enumerate().filter(|_| argument == Some("text"));
        for (row, value) in texts {
            let told = value.as_ref().map(|value| said_of(row, value, &name, said));
            if let Some(Some(text)) = told.transpose()? {
                *value = Some(text);
            }
        }
        if let Some(column) = column(&name, &values, argument)? {
            columns.push((name, column));
        }
    }
    let present = NullBuffer::from_iter(rows.iter().map(|row| !row.is_none()));
    let field = |(name, column): &(String, ArrayRef)| {
        Arc::new(Field::new(name, column.data_type().clone(), true))
    };
    let fields: Fields = columns.iter().map(field).collect();
    if fields.is_empty() {
        return Ok(Some(Arc::new(StructArray::new_empty_fields(rows.len(), Some(present)))));
    }
    let columns = columns.into_iter().map(|(_, column)| column).collect();
    let table = StructArray::try_new(fields, columns, Some(present));
    table
        .map(|table| Some(Arc::new(table) as ArrayRef))
        .map_err(|error| PyTypeError::new_err(error.to_string()))
}

/// Whether this is a list of dicts.
pub(crate) fn is_dicts(data: &Bound<'_, PyAny>) -> bool {
    let first = match data.cast::<PyList>() {
        Ok(rows) => rows.iter().find(|row| !row.is_none()),
        Err(_) => {
            data.cast::<PyTuple>().ok().and_then(|rows| rows.iter().find(|row| !row.is_none()))
        }
    };
    first.is_some_and(|row| row.is_instance_of::<PyDict>())
}

/// What a row has by a name; `None` where it is missing.
fn value<'py>(row: &Bound<'py, PyAny>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    match row.cast::<PyDict>() {
        Ok(row) => Ok(row.get_item(name)?.filter(|value| !value.is_none())),
        Err(_) => Ok(None),
    }
}

/// A column of such values, which an argument may name; `None` where it is none that can be read, and nobody does.
fn column(
    name: &str,
    values: &[Option<Bound<'_, PyAny>>],
    argument: Option<&str>,
) -> PyResult<Option<ArrayRef>> {
    let mut kinds = Vec::with_capacity(values.len());
    for (row, value) in values.iter().enumerate() {
        let kind = value.as_ref().map_or(Some(Kind::Missing), kind);
        let is_other = kind.is_none()
            || argument == Some("text") && !matches!(kind, Some(Kind::Missing | Kind::Text));
        match (kind, argument) {
            (Some(kind), _) if !is_other => kinds.push(kind),
            (_, None) => return Ok(None),
            (_, Some(argument)) => {
                let expected = if argument == "text" { "str" } else { "str, a number or a bool" };
                let found = value.as_ref().map(|value| value.get_type().name()).transpose()?;
                let found = found.map_or_else(String::new, |name| name.to_string());
                return Err(PyTypeError::new_err(format!(
                    "row {row} has a value of type {found} in {name:?}, which {argument}= names, not {expected}"
                )));
            }
        }
    }
    let highest = kinds.iter().copied().max().unwrap_or(Kind::Missing);
    let mixed = kinds.iter().any(|kind| *kind != highest && *kind != Kind::Missing);
    if mixed && highest == Kind::Text && argument.is_none() {
        return Ok(None);
    }
    if mixed && argument.is_some_and(|argument| LABELS.contains(&argument)) {
        return labels(name, values, &kinds).map(Some);
    }
    let some = || values.iter().map(Option::as_ref);
    Ok(Some(match highest {
        Kind::Missing => Arc::new(NullArray::new(values.len())),
        Kind::Truth => {
            let truths = some().map(|value| value.map(|it| it.is_truthy()).transpose());
            Arc::new(truths.collect::<PyResult<BooleanArray>>()?)
        }
        Kind::Whole => {
            let numbers = some().map(|value| value.map(|it| it.extract()).transpose());
            match numbers.collect::<PyResult<Int64Array>>() {
                Ok(numbers) => Arc::new(numbers),
                // Larger than 64 bits.
                Err(_) => texts(values)?,
            }
        }
        Kind::Number => {
            let numbers = some().map(|value| value.map(|it| it.extract()).transpose());
            Arc::new(numbers.collect::<PyResult<Float64Array>>()?)
        }
        Kind::Text => texts(values)?,
    }))
}

/// What a value is; `None` where it is none of these.
fn kind(value: &Bound<'_, PyAny>) -> Option<Kind> {
    Some(if value.is_instance_of::<PyString>() {
        Kind::Text
    } else if value.is_instance_of::<PyBool>() {
        Kind::Truth
    } else if value.is_instance_of::<PyInt>() {
        Kind::Whole
    } else if value.is_instance_of::<PyFloat>() {
        Kind::Number
    } else {
        return None;
    })
}

/// A column of the labels of values of several kinds: each has that of its own kind, as in a file of rows.
fn labels(name: &str, values: &[Option<Bound<'_, PyAny>>], kinds: &[Kind]) -> PyResult<ArrayRef> {
    let label = |(value, kind): (&Option<Bound<'_, PyAny>>, &Kind)| {
        let Some(value) = value else { return Ok(None) };
        let one: ArrayRef = match kind {
            Kind::Truth => Arc::new(BooleanArray::from(vec![value.is_truthy()?])),
            Kind::Number => Arc::new(Float64Array::from(vec![value.extract::<f64>()?])),
            Kind::Missing | Kind::Whole | Kind::Text => texts(&[Some(value.clone())])?,
        };
        Ok(labels_of(name, &one)?.pop().flatten())
    };
    let labels = values.iter().zip(kinds).map(label).collect::<PyResult<Vec<_>>>()?;
    Ok(Arc::new(LargeStringArray::from_iter(labels.iter().map(Option::as_deref))))
}

/// A column of texts; of other values what they print.
fn texts(values: &[Option<Bound<'_, PyAny>>]) -> PyResult<ArrayRef> {
    let text = |(row, value): (usize, &Option<Bound<'_, PyAny>>)| {
        let Some(value) = value else { return Ok(None) };
        match value.is_instance_of::<PyString>() {
            true => text_of(row, value).map(Some),
            false => text_of(row, value.str()?.as_any()).map(Some),
        }
    };
    let texts = values.iter().enumerate().map(text).collect::<PyResult<Vec<_>>>()?;
    Ok(Arc::new(LargeStringArray::from_iter(texts.iter().map(Option::as_deref))))
}
