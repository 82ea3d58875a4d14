//! Arrow arrays that another program hands over.

use crate::arrow_c;
use crate::text::tell_row_of;
use arrow_array::{ArrayRef, new_empty_array};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// Whether an object hands over Arrow arrays.
pub(crate) fn has_arrow(data: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(data.hasattr("__arrow_c_array__")? || data.hasattr("__arrow_c_stream__")?)
}

/// The arrays of an object, each checked to its last offset and byte; where all are empty, one of their type.
pub(crate) fn chunks(data: &Bound<'_, PyAny>) -> PyResult<Vec<ArrayRef>> {
    let py = data.py();
    let unread = |said: &dyn std::fmt::Display| {
        PyTypeError::new_err(format!("what it hands over as Arrow cannot be read: {said}"))
    };
    // What the object itself raises goes on as it is.
    let imported = if data.hasattr("__arrow_c_array__")? {
        let handed = data.call_method0("__arrow_c_array__")?;
        let capsules = handed.extract::<(Bound<'_, PyCapsule>, Bound<'_, PyCapsule>)>();
        let (schema, array) = capsules.map_err(|error| unread(&error.value(py)))?;
        arrow_c::array(&schema, &array)
            .map_err(|error| unread(&error.value(py)))?
            .map(|array| (array.data_type().clone(), vec![array]))
    } else if !data.hasattr("__arrow_c_stream__")? {
        let kind = data.get_type().name()?;
        return Err(PyTypeError::new_err(format!("{kind} hands over no Arrow array or stream")));
    } else {
        let handed = data.call_method0("__arrow_c_stream__");
        let handed = handed.inspect_err(|error| tell_row_of(error, data))?;
        let capsule = handed.cast::<PyCapsule>().map_err(|error| unread(&error))?;
        let interrupted = std::cell::Cell::new(false);
        let look = || py.check_signals().inspect_err(|_| interrupted.set(true));
        let read = arrow_c::stream(capsule, look);
        read.map_err(|error| if interrupted.get() { error } else { unread(&error.value(py)) })?
    };
    let (kind, mut chunks) =
        imported.map_err(|lie| match lie.starts_with("a broken Arrow array") {
            true => PyValueError::new_err(lie),
            false => unread(&lie),
        })?;
    chunks.retain(|chunk| !chunk.is_empty());
    if chunks.is_empty() {
        chunks.push(new_empty_array(&kind));
    }
    Ok(chunks)
}
