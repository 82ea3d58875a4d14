//! A table that Python gets: named Arrow columns, which any library of Arrow takes.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Int64Type, UInt16Type, UInt64Type};
use arrow_array::{Array as _, ArrayRef, RecordBatch, StructArray};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use numpy::PyArray1;
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyCapsule};
use pyo3_arrow::ffi::{ArrayIterator, to_stream_pycapsule};
use std::sync::Arc;

/// A table of Arrow columns. ``pyarrow.table``, ``polars.DataFrame``, ``pandas.DataFrame.from_arrow`` and DuckDB
/// take it without a copy.
#[pyclass(frozen, module = "nearprint")]
pub(crate) struct Table {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl Table {
    /// A table of columns of equal length.
    pub(crate) fn of(columns: Vec<(&str, ArrayRef)>) -> PyResult<Self> {
        let fields: Vec<_> = columns
            .iter()
            .map(|(name, column)| {
                Field::new(*name, column.data_type().clone(), column.is_nullable())
            })
            .collect();
        let schema = Arc::new(Schema::new(fields));
        let columns = columns.into_iter().map(|(_, column)| column).collect();
        let batch = RecordBatch::try_new(Arc::clone(&schema), columns);
        let batch = batch.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Self { schema, batches: vec![batch] })
    }

    /// A table of one column in pieces.
    pub(crate) fn of_chunks(name: &str, chunks: Vec<ArrayRef>) -> PyResult<Self> {
        let kind = chunks.first().map_or(DataType::Utf8, |chunk| chunk.data_type().clone());
        let schema = Arc::new(Schema::new(vec![Field::new(name, kind, true)]));
        let batches =
            chunks.into_iter().map(|chunk| RecordBatch::try_new(Arc::clone(&schema), vec![chunk]));
        let batches = batches.collect::<Result<_, _>>();
        let batches = batches.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Self { schema, batches })
    }
}

#[pymethods]
impl Table {
    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<&str> {
        self.schema.fields().iter().map(|field| field.name().as_str()).collect()
    }

    /// A column as a NumPy array; of numbers with nulls a masked array.
    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let at = self.schema.index_of(name).map_err(|_| PyKeyError::new_err(name.to_owned()))?;
        let columns: Vec<_> = self.batches.iter().map(|batch| batch.column(at).as_ref()).collect();
        let kind = self.schema.field(at).data_type();
        let column = match columns.as_slice() {
            [] => arrow_array::new_empty_array(kind),
            columns => arrow_select::concat::concat(columns)
                .map_err(|error| PyValueError::new_err(error.to_string()))?,
        };
        numpy_of(py, &column)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let fields = self.schema.fields().clone();
        let field = Arc::new(Field::new("", DataType::Struct(fields), false));
        let batches = self.batches.clone().into_iter();
        let chunks = batches.map(|batch| Ok(Arc::new(StructArray::from(batch)) as ArrayRef));
        Ok(to_stream_pycapsule(py, Box::new(ArrayIterator::new(chunks, field)), requested_schema)?)
    }
}

/// A column for NumPy.
pub(crate) fn numpy_of<'py>(py: Python<'py>, column: &ArrayRef) -> PyResult<Bound<'py, PyAny>> {
    let values = match column.data_type() {
        DataType::UInt64 => {
            PyArray1::from_slice(py, column.as_primitive::<UInt64Type>().values()).into_any()
        }
        DataType::Int64 => {
            PyArray1::from_slice(py, column.as_primitive::<Int64Type>().values()).into_any()
        }
        DataType::UInt16 => {
            PyArray1::from_slice(py, column.as_primitive::<UInt16Type>().values()).into_any()
        }
        DataType::Float32 => {
            PyArray1::from_slice(py, column.as_primitive::<Float32Type>().values()).into_any()
        }
        DataType::Boolean => {
            let values: Vec<bool> = column.as_boolean().values().iter().collect();
            PyArray1::from_vec(py, values).into_any()
        }
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
            let mut texts = Vec::with_capacity(column.len());
            match column.data_type() {
                DataType::Utf8 => texts.extend(column.as_string::<i32>().iter()),
                DataType::LargeUtf8 => texts.extend(column.as_string::<i64>().iter()),
                _ => texts.extend(column.as_string_view().iter()),
            }
            let numpy = py.import("numpy")?;
            return numpy.call_method1("array", (texts, "object"));
        }
        other => {
            return Err(PyTypeError::new_err(format!(
                "a column of {other} has no NumPy form: take the table by a library of Arrow"
            )));
        }
    };
    if column.null_count() == 0 {
        return Ok(values);
    }
    let missing: Vec<bool> = (0..column.len()).map(|row| column.is_null(row)).collect();
    let mask = [("mask", PyArray1::from_vec(py, missing))].into_py_dict(py)?;
    py.import("numpy.ma")?.call_method("array", (values,), Some(&mask))
}
