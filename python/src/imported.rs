//! Arrow arrays that another program hands over: what it calls an array need not be one.

use arrow_array::{Array as _, ArrayRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;

/// Whether an object hands over Arrow arrays.
pub(crate) fn has_arrow(data: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(data.hasattr("__arrow_c_array__")? || data.hasattr("__arrow_c_stream__")?)
}

/// The arrays of an object, each checked to its last offset and byte, without those that are empty.
pub(crate) fn chunks(data: &Bound<'_, PyAny>) -> PyResult<Vec<ArrayRef>> {
    let (mut chunks, _) = data.extract::<AnyArray>()?.into_chunked_array()?.into_inner();
    chunks.retain(|chunk| !chunk.is_empty());
    for chunk in &chunks {
        let valid = chunk.to_data().validate_full();
        valid.map_err(|error| PyValueError::new_err(format!("a broken Arrow array: {error}")))?;
    }
    Ok(chunks)
}
