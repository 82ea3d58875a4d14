//! Texts as Python holds them: an Arrow column of any type of strings or of bytes that are UTF-8, a column of a table or of
//! a list of dicts, a NumPy array or a sequence of `str`.

use crate::dict_rows;
use crate::imported::{chunks, has_arrow};
use crate::text::{conversation, may_be_conversation, said_in, said_in_text, text_of};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int16Type, Int32Type, Int64Type, RunEndIndexType};
use arrow_array::{
    Array as _, ArrayRef, LargeStringArray, NullArray, RunArray, StructArray, UInt64Array,
    downcast_dictionary_array,
};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, Field, FieldRef};
use nearprint_corpus::{json_of, messages_in, value_at};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyBytes, PyDict, PyList, PySet, PyString};
use serde_json::Value;
use std::borrow::Cow;
use std::sync::Arc;

/// Where a field says what its values are beyond their type.
const EXTENSION: &str = "ARROW:extension:name";
const JSON: &str = "arrow.json";

/// Texts, of which some may be missing. Nothing is copied.
pub(crate) enum TextColumn {
    /// Arrays of any string type, and the rows up to the end of each.
    Arrow(Vec<ArrayRef>, Vec<usize>),
    /// The bytes of Python's `str`, which are kept alive.
    Strings(Vec<Option<PyBackedStr>>),
}

impl TextColumn {
    fn new(chunks: Vec<ArrayRef>) -> Self {
        let mut end = 0;
        let sum = |chunk: &ArrayRef| {
            end += chunk.len();
            end
        };
        let ends = chunks.iter().map(sum).collect();
        Self::Arrow(chunks, ends)
    }

    /// The texts of `data`; of a table those in the column `name`, or in its only column of strings.
    pub(crate) fn of(data: &Bound<'_, PyAny>, name: Option<&str>) -> PyResult<Self> {
        Ok(Self::with_columns(data, name, &[], true)?.0)
    }

    /// The texts, with the name of their column if there is one, and of the same rows other columns, each with the
    /// argument that names it. What was `said` in conversations of a column is texts too, where that is asked for; a string
    /// of JSON is one where the column is called so.
    pub(crate) fn with_columns(
        data: &Bound<'_, PyAny>,
        name: Option<&str>,
        others: &[(&str, &str)],
        said: bool,
    ) -> PyResult<(Self, Option<String>, Vec<ArrayRef>)> {
        let no_table = || {
            let argument = others.first().map_or("text", |(argument, _)| *argument);
            PyTypeError::new_err(format!(
                "{argument}= names a column of a table, but this is not a table"
            ))
        };
        let listed = match has_arrow(data)? {
            true => None,
            false => dict_rows::table(data, name, others, said)?,
        };
        // Of a column that is named, a list of dicts has its texts already.
        let is_read = listed.is_some() && name.is_some();
        if listed.is_none() && !has_arrow(data)? {
            return match name.is_some() || !others.is_empty() {
                true => Err(no_table()),
                false => Ok((Self::of_sequence(data)?, None, Vec::new())),
            };
        }
        let handed = listed.map_or_else(|| chunks(data), |table| Ok(vec![table]))?;
        let (mut columns, mut of_others) = (Vec::new(), vec![Vec::new(); others.len()]);
        let (mut found, mut rows) = (None, 0);
        for chunk in handed {
            let table = chunk.as_struct_opt();
            for ((_, other), chunks) in others.iter().zip(&mut of_others) {
                let table = table.ok_or_else(no_table)?;
                chunks.push(plain(table, column(table, Some(other))?)?);
            }
            let texts = match table {
                Some(table) => {
                    let at = column(table, name)?;
                    found = table.fields().get(at).map(|field| field.name().clone());
                    present(&plain(table, at)?, table)?
                }
                None if name.is_some() => return Err(no_table()),
                None => decoded(&chunk)?,
            };
            let field = found.as_deref().filter(|_| !is_read);
            columns.push(texts_of(texts, field, rows, said)?);
            rows += chunk.len();
        }
        if let Some(other) = columns.iter().find(|column| !is_text(column.data_type())) {
            let found = other.data_type();
            return Err(PyTypeError::new_err(format!("texts are strings, not {found}")));
        }
        let others = of_others.iter().map(|chunks| whole(chunks)).collect::<PyResult<_>>()?;
        Ok((Self::new(columns), found, others))
    }

    /// Texts that have no Arrow form.
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
        // A column of bytes is none of `str`, as a list is.
        let are_bytes = data.hasattr("dtype")? && begins_with_bytes(&listed);
        let text = |(row, text): (usize, PyResult<Bound<'_, PyAny>>)| {
            let text = text?;
            if text.is_none() {
                return Ok(None);
            }
            if are_bytes && let Ok(bytes) = text.cast::<PyBytes>() {
                let told = utf8(bytes.as_bytes(), row)?;
                return text_of(row, PyString::new(text.py(), told).as_any()).map(Some);
            }
            if may_be_conversation(&text) {
                return text_of(row, &conversation(row, &text)?).map(Some);
            }
            if !text.is_instance_of::<PyString>() {
                let kind = text.get_type().name()?;
                let missing = if kind == "float" { "; a missing text is None" } else { "" };
                return Err(PyTypeError::new_err(format!(
                    "row {row} is of type {kind}, not str{missing}"
                )));
            }
            text_of(row, &text).map(Some)
        };
        Ok(Self::Strings(rows.enumerate().map(text).collect::<PyResult<_>>()?))
    }

    /// The number of texts, missing ones included.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Arrow(_, ends) => ends.last().copied().unwrap_or(0),
            Self::Strings(texts) => texts.len(),
        }
    }

    /// One of the texts; `None` where it is missing, or behind the last.
    pub(crate) fn text(&self, row: usize) -> Option<&str> {
        match self {
            Self::Arrow(chunks, ends) => {
                let chunk = ends.partition_point(|end| *end <= row);
                let before = chunk.checked_sub(1).and_then(|before| ends.get(before));
                text_at(chunks.get(chunk)?, row - before.copied().unwrap_or(0))
            }
            Self::Strings(texts) => texts.get(row)?.as_deref(),
        }
    }
}

/// Whether the first value of a list that is not missing is bytes.
fn begins_with_bytes(listed: &Bound<'_, PyAny>) -> bool {
    let rows = listed.cast::<PyList>();
    let first = rows.ok().and_then(|rows| rows.iter().find(|row| !row.is_none()));
    first.is_some_and(|row| row.is_instance_of::<PyBytes>())
}

/// The text that bytes of a row are.
fn utf8(bytes: &[u8], row: usize) -> PyResult<&str> {
    simdutf8::basic::from_utf8(bytes).map_err(|_| {
        PyTypeError::new_err(format!("row {row} has bytes that are not UTF-8: decode them first"))
    })
}

/// A column as texts where it has some: of bytes, or of conversations where what was `said` is asked for, be they strings of
/// JSON in a `field` that is called so. One without any value has none, whatever its type; any other stays as it is. `first`
/// is the row of its first value.
fn texts_of(column: ArrayRef, field: Option<&str>, first: usize, said: bool) -> PyResult<ArrayRef> {
    let kind = column.data_type();
    if is_text(kind) {
        return without_json(&column, field, first, said);
    }
    if column.logical_null_count() == column.len() {
        return Ok(Arc::new(NullArray::new(column.len())));
    }
    match kind {
        DataType::Dictionary(_, values) if are_bytes(values) => {
            let dictionary = column.as_any_dictionary();
            let plain = arrow_select::take::take(dictionary.values(), dictionary.keys(), None);
            let plain = plain.map_err(|error| PyValueError::new_err(error.to_string()))?;
            texts_of(plain, field, first, said)
        }
        kind if are_bytes(kind) => {
            without_json(&texts_of_bytes(&column, first)?, field, first, said)
        }
        DataType::FixedSizeBinary(_) => texts_of_bytes(&column, first),
        kind if said && are_lists(kind) => conversations(&column, first),
        _ => Ok(column),
    }
}

/// A column of texts, with what was said in the place of messages that a text of this field has as JSON. Without any it is
/// the same column.
fn without_json(
    column: &ArrayRef,
    field: Option<&str>,
    first: usize,
    said: bool,
) -> PyResult<ArrayRef> {
    let Some(field) = field else { return Ok(Arc::clone(column)) };
    let is_json =
        |row: usize| text_at(column, row).is_some_and(|it| messages_in(field, it).is_some());
    if !(0..column.len()).any(is_json) {
        return Ok(Arc::clone(column));
    }
    let told = |row: usize| match text_at(column, row) {
        None => Ok(None),
        Some(text) => said_in_text(first + row, text, field, said)
            .map(|told| Some(told.map_or(Cow::Borrowed(text), Cow::Owned))),
    };
    let texts = (0..column.len()).map(told).collect::<PyResult<LargeStringArray>>()?;
    Ok(Arc::new(texts))
}

/// A column of bytes as texts, without a copy where it is one of texts in all but its type.
fn texts_of_bytes(column: &ArrayRef, first: usize) -> PyResult<ArrayRef> {
    let kind = match column.data_type() {
        DataType::Binary => Some(DataType::Utf8),
        DataType::LargeBinary => Some(DataType::LargeUtf8),
        DataType::BinaryView => Some(DataType::Utf8View),
        _ => None,
    };
    let texts = kind.map(|kind| column.to_data().into_builder().data_type(kind).build());
    if let Some(Ok(texts)) = texts {
        return Ok(arrow_array::make_array(texts));
    }
    let text = |row| match column.is_null(row) {
        true => Ok(None),
        false => {
            let bytes = match column.data_type() {
                DataType::Binary => column.as_binary::<i32>().value(row),
                DataType::LargeBinary => column.as_binary::<i64>().value(row),
                DataType::FixedSizeBinary(_) => column.as_fixed_size_binary().value(row),
                _ => column.as_binary_view().value(row),
            };
            utf8(bytes, first + row).map(Some)
        }
    };
    let texts = (0..column.len()).map(text).collect::<PyResult<LargeStringArray>>()?;
    Ok(Arc::new(texts))
}

/// A column of conversations, lists of messages with a content each, as texts.
fn conversations(column: &ArrayRef, first: usize) -> PyResult<ArrayRef> {
    let said = |row| match column.is_null(row) {
        true => Ok(None),
        false => {
            let json = json_of(&**column, row);
            let json = json.map_err(|error| PyTypeError::new_err(error.to_string()))?;
            said_in(first + row, &json).map(Some)
        }
    };
    let texts = (0..column.len()).map(said).collect::<PyResult<LargeStringArray>>()?;
    Ok(Arc::new(texts))
}

/// The column of a name of what hands over a table as Arrow, whole.
pub(crate) fn named_column(data: &Bound<'_, PyAny>, name: &str) -> PyResult<ArrayRef> {
    let named = |chunk: &ArrayRef| {
        let table = chunk.as_struct_opt().ok_or_else(|| {
            PyTypeError::new_err(format!(
                "{name:?} names a column of a table, but this is not a table"
            ))
        })?;
        present(&plain(table, column(table, Some(name))?)?, table)
    };
    whole(&chunks(data)?.iter().map(named).collect::<PyResult<Vec<_>>>()?)
}

/// The chunks of a column as one.
fn whole(chunks: &[ArrayRef]) -> PyResult<ArrayRef> {
    let chunks: Vec<_> = chunks.iter().map(AsRef::as_ref).collect();
    arrow_select::concat::concat(&chunks).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// A column of a table, without the runs that it may be encoded in; of UUIDs their texts, and of JSON the strings that it is.
fn plain(table: &StructArray, at: usize) -> PyResult<ArrayRef> {
    let column = table.column(at);
    let Some(field) = table.fields().get(at).filter(|field| are_told(field)) else {
        return decoded(column);
    };
    let text = |row| match value_at(field, &**column, row) {
        Ok(Value::String(text)) => Ok(Some(text)),
        Ok(Value::Null) => Ok(None),
        Ok(_) => Err(PyTypeError::new_err(format!(
            "the column {:?} is marked as JSON, and has a value that is no text: give the texts",
            field.name()
        ))),
        Err(error) => Err(PyTypeError::new_err(error.to_string())),
    };
    let texts = (0..column.len()).map(text).collect::<PyResult<LargeStringArray>>()?;
    Ok(Arc::new(texts))
}

/// Whether the field tells what its values are, be they in runs: UUIDs, or JSON.
fn are_told(field: &Field) -> bool {
    is_marked(field, "arrow.uuid") || is_marked(field, JSON)
}

/// Whether the field, or that of its runs, is of such an extension.
fn is_marked(field: &Field, extension: &str) -> bool {
    let is_it =
        |field: &Field| field.metadata().get(EXTENSION).is_some_and(|name| name == extension);
    match field.data_type() {
        DataType::RunEndEncoded(_, values) => is_it(field) || is_it(values),
        _ => is_it(field),
    }
}

/// Whether a column that is none of plain strings has texts, by its first value: bytes in UTF-8, a string of JSON, or a
/// list of messages beyond doubt.
fn holds_texts(field: &Field, column: &ArrayRef) -> bool {
    let Some(row) = (0..column.len()).find(|row| column.is_valid(*row)) else { return false };
    match column.data_type() {
        kind if may_be_bytes(kind) => texts_of(column.slice(row, 1), None, row, false)
            .is_ok_and(|text| text_at(&text, 0).is_some_and(|text| !text.contains('\0'))),
        kind if are_lists(kind) || is_marked(field, JSON) => value_at(field, &**column, row)
            .is_ok_and(|value| {
                value.is_string() || messages_in("messages", &value.to_string()).is_some()
            }),
        _ => false,
    }
}

/// A column of a table, null where the whole row is.
fn present(column: &ArrayRef, table: &StructArray) -> PyResult<ArrayRef> {
    if table.null_count() == 0 {
        return Ok(Arc::clone(column));
    }
    let nulls = NullBuffer::union(column.logical_nulls().as_ref(), table.nulls());
    let column = column.to_data().into_builder().nulls(nulls).build();
    let column = column.map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(arrow_array::make_array(column))
}

/// A column without the runs that it may be encoded in.
pub(crate) fn decoded(column: &ArrayRef) -> PyResult<ArrayRef> {
    fn of<I: RunEndIndexType>(column: &ArrayRef) -> Option<(ArrayRef, UInt64Array)> {
        let runs = column.as_any().downcast_ref::<RunArray<I>>()?;
        let places = (0..runs.len()).map(|row| runs.get_physical_index(row) as u64);
        Some((Arc::clone(runs.values()), places.collect::<Vec<_>>().into()))
    }
    let runs = of::<Int16Type>(column).or_else(|| of::<Int32Type>(column));
    let Some((values, places)) = runs.or_else(|| of::<Int64Type>(column)) else {
        return Ok(Arc::clone(column));
    };
    arrow_select::take::take(&values, &places, None)
        .map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The place of the column of a name in a table, or of its texts.
fn column(table: &StructArray, name: Option<&str>) -> PyResult<usize> {
    let fields = table.fields();
    let named = |names: Vec<&str>| {
        names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
    };
    if let Some(name) = name {
        if fields.iter().filter(|field| field.name() == name).nth(1).is_some() {
            return Err(PyValueError::new_err(format!(
                "two columns have the name {name:?}; rename one of them"
            )));
        }
        return fields.iter().position(|field| field.name() == name).ok_or_else(|| {
            let there = named(fields.iter().map(|field| field.name().as_str()).collect());
            PyValueError::new_err(format!("no column {name:?}; there are {there}"))
        });
    }
    // pandas hands over its index too.
    let is_index = |field: &FieldRef| field.name().starts_with("__index_level_");
    // Columns of strings come before those of bytes, which need not be texts, and of nulls alone.
    let rank = |(field, column): (&FieldRef, &ArrayRef)| match of_runs(field.data_type()) {
        _ if is_index(field) => None,
        DataType::Null => Some(2),
        _ if is_marked(field, JSON) => Some(if holds_texts(field, column) { 0 } else { 2 }),
        kind if is_text(kind) => Some(0),
        kind => may_be_bytes(kind).then_some(1),
    };
    let ranks: Vec<_> = fields.iter().zip(table.columns()).map(rank).collect();
    let first = ranks.iter().flatten().min();
    // The only column of strings may be that of ids, where another one has texts too.
    let is_likely = |(rank, (field, column)): (&Option<_>, (&FieldRef, &ArrayRef))| {
        first.is_some() && rank.as_ref() == first
            || first == Some(&0) && !is_index(field) && holds_texts(field, column)
    };
    let columns = ranks.iter().zip(fields.iter().zip(table.columns())).enumerate();
    let texts = columns.filter(|(_, column)| is_likely(*column));
    let texts: Vec<(usize, &str)> =
        texts.map(|(at, (_, (field, _)))| (at, field.name().as_str())).collect();
    match texts.as_slice() {
        [(at, _)] => Ok(*at),
        [] => Err(PyValueError::new_err("the table has no column of strings")),
        several => Err(PyValueError::new_err(format!(
            "which column has the texts? There are {}; name one by text=",
            named(several.iter().map(|(_, name)| *name).collect())
        ))),
    }
}

/// The type of values that may be encoded in runs.
fn of_runs(kind: &DataType) -> &DataType {
    match kind {
        DataType::RunEndEncoded(_, values) => values.data_type(),
        kind => kind,
    }
}

/// Whether a column of this type has texts. One of nulls alone has none, and is no error.
pub(crate) fn is_text(kind: &DataType) -> bool {
    match kind {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null => true,
        DataType::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}

/// Whether values of this type are lists.
fn are_lists(kind: &DataType) -> bool {
    use DataType::{FixedSizeList, LargeList, LargeListView, List, ListView};
    matches!(kind, List(_) | LargeList(_) | ListView(_) | LargeListView(_) | FixedSizeList(..))
}

/// Whether values of this type are bytes of any length, be they in a dictionary.
fn may_be_bytes(kind: &DataType) -> bool {
    match kind {
        DataType::Dictionary(_, values) => are_bytes(values),
        kind => are_bytes(kind),
    }
}

/// Whether values of this type are bytes of any length.
fn are_bytes(kind: &DataType) -> bool {
    matches!(kind, DataType::Binary | DataType::LargeBinary | DataType::BinaryView)
}

/// The text at a row of one chunk; `None` where it is missing.
pub(crate) fn text_at(chunk: &ArrayRef, row: usize) -> Option<&str> {
    if row >= chunk.len() || chunk.is_null(row) {
        return None;
    }
    match chunk.data_type() {
        DataType::Utf8 => Some(chunk.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => Some(chunk.as_string::<i64>().value(row)),
        DataType::Utf8View => Some(chunk.as_string_view().value(row)),
        DataType::Dictionary(..) => downcast_dictionary_array!(
            chunk => text_at(chunk.values(), chunk.key(row)?),
            _ => None
        ),
        _ => None,
    }
}
