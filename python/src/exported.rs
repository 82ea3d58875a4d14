//! Arrow arrays and tables handed over to another program.
//!
//! A type that the other program asks for is a wish, which the interface lets the producer leave to the consumer:
//! `pyarrow.table` casts what comes, and `pyarrow.array` of pyarrow 25 fails at it.
//!
//! Source: "The Arrow PyCapsule Interface", Apache Arrow.

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, RecordBatch, RecordBatchIterator};
use arrow_schema::{ArrowError, Field, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// The schema and the array.
pub(crate) fn array<'py>(
    py: Python<'py>,
    array: &dyn Array,
) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
    let field = Field::new("", array.data_type().clone(), true);
    let schema = FFI_ArrowSchema::try_from(field)
        .map_err(|error: ArrowError| PyValueError::new_err(error.to_string()))?;
    Ok((
        PyCapsule::new_with_value(py, schema, c"arrow_schema")?,
        PyCapsule::new_with_value(py, FFI_ArrowArray::new(&array.to_data()), c"arrow_array")?,
    ))
}

/// A stream of batches.
pub(crate) fn stream(
    py: Python<'_>,
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
) -> PyResult<Bound<'_, PyCapsule>> {
    let batches = RecordBatchIterator::new(batches.into_iter().map(Ok), schema);
    let stream = FFI_ArrowArrayStream::new(Box::new(batches));
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}
