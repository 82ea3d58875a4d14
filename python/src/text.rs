//! A text as Python holds it.

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

/// The text of a row.
pub(crate) fn text_of(row: usize, text: &Bound<'_, PyAny>) -> PyResult<PyBackedStr> {
    text.extract().inspect_err(|error: &PyErr| {
        // Half of a surrogate pair: Python says where in the text it stands, and not in which.
        let value = error.value(text.py());
        if let Ok(reason) = value.getattr("reason") {
            let _kept = value.setattr("reason", format!("{reason} (row {row})"));
        }
    })
}
