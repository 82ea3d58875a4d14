//! A text as Python holds it, be it that of a conversation.

use nearprint_corpus::messages_in;
use pyo3::exceptions::{PyTypeError, PyUnicodeEncodeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyDict, PyList, PyString};

/// The text of a row.
pub(crate) fn text_of(row: usize, text: &Bound<'_, PyAny>) -> PyResult<PyBackedStr> {
    text.extract().inspect_err(|error: &PyErr| tell_row(error, text.py(), row))
}

/// Whether this is a list of messages or of texts, be it of none.
pub(crate) fn may_be_conversation(value: &Bound<'_, PyAny>) -> bool {
    let is_turn = |turn: &Bound<'_, PyAny>| {
        turn.is_none() || turn.is_instance_of::<PyString>() || turn.is_instance_of::<PyDict>()
    };
    value.cast::<PyList>().is_ok_and(|turns| turns.iter().all(|turn| is_turn(&turn)))
}

/// The text of a list of messages with a content.
pub(crate) fn conversation<'py>(
    row: usize,
    turns: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = turns.py();
    let how = PyDict::new(py);
    // Half of a surrogate pair stays one, and is refused as in any other text.
    how.set_item("ensure_ascii", false)?;
    let json = py.import("json")?.call_method("dumps", (turns,), Some(&how))?;
    Ok(PyString::new(py, &said_in(row, &text_of(row, &json)?)?).into_any())
}

/// What was `said`, where that is asked for, in a value of a field of this name that is a list of texts or of messages, or
/// has messages as a string of JSON. `None` for any other value.
pub(crate) fn said_of<'py>(
    row: usize,
    value: &Bound<'py, PyAny>,
    field: &str,
    said: bool,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    if said && may_be_conversation(value) {
        return conversation(row, value).map(Some);
    }
    if !value.is_instance_of::<PyString>() {
        return Ok(None);
    }
    let text = text_of(row, value)?;
    let told = said_in_text(row, &text, field, said)?;
    Ok(told.map(|told| PyString::new(value.py(), &told).into_any()))
}

/// What was said in the messages that a text of a field of this name has as JSON, as in files. `None` for any other text.
pub(crate) fn said_in_text(
    row: usize,
    text: &str,
    field: &str,
    said: bool,
) -> PyResult<Option<String>> {
    match messages_in(field, text) {
        None => Ok(None),
        Some(list) if said => said_in(row, &list).map(Some),
        Some(_) => Err(PyTypeError::new_err(format!(
            "row {row}: nothing can be cut out of lists of texts or messages: give each of these texts as a row"
        ))),
    }
}

/// What was said in a conversation that JSON has.
pub(crate) fn said_in(row: usize, json: &str) -> PyResult<String> {
    match nearprint_corpus::conversation(json) {
        Some(text) if text.contains('\u{fffd}') && nearprint_corpus::has_half_pair(json) => {
            Err(PyValueError::new_err(format!("row {row} escapes half of a surrogate pair")))
        }
        Some(text) => Ok(text),
        None => {
            let problem = match nearprint_corpus::unknown_part(json) {
                Some(kind) => format!(
                    "has a part of the unknown kind {kind:?}: give what it says as its \"text\""
                ),
                None => "is a list of messages of which one has no content".to_owned(),
            };
            Err(PyTypeError::new_err(format!("row {row} {problem}")))
        }
    }
}

/// Adds the row to an error of half a surrogate pair: Python says where in the text it stands, and not in which.
fn tell_row(error: &PyErr, py: Python<'_>, row: usize) {
    let value = error.value(py);
    if let Ok(reason) = value.getattr("reason") {
        let _kept = value.setattr("reason", format!("{reason} (row {row})"));
    }
}

/// The same for a table or a series that could not be handed over because of such a text.
pub(crate) fn tell_row_of(error: &PyErr, data: &Bound<'_, PyAny>) {
    let py = data.py();
    if error.is_instance_of::<PyUnicodeEncodeError>(py)
        && let Ok(text) = error.value(py).getattr("object")
        && let Some(row) = row_of(&text, data)
    {
        tell_row(error, py, row);
    }
}

/// The first row with a text.
fn row_of(text: &Bound<'_, PyAny>, data: &Bound<'_, PyAny>) -> Option<usize> {
    let columns = match data.getattr("columns") {
        Ok(names) => {
            let names = names.try_iter().ok()?;
            names.map(|name| data.get_item(name.ok()?).ok()).collect::<Option<Vec<_>>>()?
        }
        Err(_) => vec![data.clone()],
    };
    columns.iter().find_map(|column| {
        let mut values = column.call_method0("tolist").ok()?.try_iter().ok()?;
        values.position(|value| value.is_ok_and(|value| value.eq(text).unwrap_or(false)))
    })
}
