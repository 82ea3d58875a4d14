//! Arrow arrays that another program hands over: what it calls an array need not be one.

use arrow_array::{Array as _, ArrayRef, new_empty_array};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;

/// Whether an object hands over Arrow arrays.
pub(crate) fn has_arrow(data: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(data.hasattr("__arrow_c_array__")? || data.hasattr("__arrow_c_stream__")?)
}

/// The arrays of an object, each checked to its last offset and byte; where all are empty, one of their type.
pub(crate) fn chunks(data: &Bound<'_, PyAny>) -> PyResult<Vec<ArrayRef>> {
    let refused = |error: PyErr| {
        let said = error.value(data.py()).to_string();
        PyTypeError::new_err(format!("what it hands over as Arrow cannot be read: {said}"))
    };
    let handed = data.extract::<AnyArray>().map_err(refused)?;
    let (mut chunks, field) =
        handed.into_chunked_array().map_err(|e| refused(e.into()))?.into_inner();
    chunks.retain(|chunk| !chunk.is_empty());
    for chunk in &chunks {
        let valid = chunk.to_data().validate_full();
        valid.map_err(|error| PyValueError::new_err(format!("a broken Arrow array: {error}")))?;
    }
    if chunks.is_empty() {
        chunks.push(new_empty_array(field.data_type()));
    }
    Ok(chunks)
}
