//! A table that Python gets: named Arrow columns, which any library of Arrow takes.

use crate::codes::word;
use crate::exported;
use crate::imported::chunks;
use crate::values::values;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array as _, ArrayRef, Int64Array, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use arrow_select::take::TakeOptions;
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyCapsule};
use std::sync::Arc;

/// The column whose values are fingerprints.
const FINGERPRINT: &str = "fingerprint";

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

    /// The same table with another column of this name.
    pub(crate) fn with_column(&self, name: &str, column: &ArrayRef) -> PyResult<Self> {
        let wrong = |error: ArrowError| PyValueError::new_err(error.to_string());
        let whole = arrow_select::concat::concat_batches(&self.schema, &self.batches);
        let (schema, mut columns, _) = whole.map_err(wrong)?.into_parts();
        let at = schema.index_of(name).map_err(wrong)?;
        let mut fields = schema.fields().to_vec();
        if let (Some(field), Some(old)) = (fields.get_mut(at), columns.get_mut(at)) {
            *field = Arc::new(Field::new(name, column.data_type().clone(), true));
            *old = Arc::clone(column);
        }
        let schema = Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()));
        let batch = RecordBatch::try_new(Arc::clone(&schema), columns).map_err(wrong)?;
        Ok(Self { schema, batches: vec![batch] })
    }
}

#[pymethods]
impl Table {
    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    fn __repr__(&self) -> String {
        format!("<nearprint.Table {} rows: {}>", self.__len__(), self.column_names().join(", "))
    }

    /// The table in pyarrow.
    fn to_pyarrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyarrow")?.call_method1("table", (slf,))
    }

    /// The table in polars.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("polars")?.call_method1("DataFrame", (slf,))
    }

    /// The table in pandas.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let frame = slf.py().import("pandas")?.getattr("DataFrame")?;
        match frame.getattr_opt("from_arrow")? {
            Some(from_arrow) => from_arrow.call1((slf,)),
            // Before pandas 3.
            None => Self::to_pyarrow(slf)?.call_method0("to_pandas"),
        }
    }

    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<&str> {
        self.schema.fields().iter().map(|field| field.name().as_str()).collect()
    }

    /// A column as a NumPy array; of numbers with nulls a masked array, of fingerprints of more than 64 bits
    /// rows of words, the lowest first. What NumPy has no such type of comes in the form that rows of JSON have.
    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let at = self.schema.index_of(name).map_err(|_| PyKeyError::new_err(name.to_owned()))?;
        let columns: Vec<_> = self.batches.iter().map(|batch| batch.column(at).as_ref()).collect();
        let kind = self.schema.field(at).data_type();
        let column = match columns.as_slice() {
            [] => arrow_array::new_empty_array(kind),
            columns => arrow_select::concat::concat(columns)
                .map_err(|error| PyValueError::new_err(error.to_string()))?,
        };
        match kind {
            // Such as an id.
            DataType::FixedSizeBinary(_) if name != FINGERPRINT => {
                objects(py, self.schema.field(at), &column)
            }
            _ => numpy_of(py, &column),
        }
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A wish: see `exported`.
        let _ = requested_schema;
        exported::stream(py, Arc::clone(&self.schema), self.batches.clone())
    }
}

/// Some rows of a table of any library of Arrow, in their order.
#[pyfunction]
pub(crate) fn take(data: &Bound<'_, PyAny>, rows: PyReadonlyArray1<'_, i64>) -> PyResult<Table> {
    let wrong = |error: ArrowError| PyValueError::new_err(error.to_string());
    let chunks = chunks(data)?;
    let whole: Vec<_> = chunks.iter().map(AsRef::as_ref).collect();
    let whole = arrow_select::concat::concat(&whole).map_err(wrong)?;
    let rows = Int64Array::from_iter_values(rows.as_array().iter().copied());
    let taken = arrow_select::take::take(&whole, &rows, Some(TakeOptions { check_bounds: true }));
    let taken = taken.map_err(wrong)?;
    let Some(table) = taken.as_struct_opt() else { return Table::of(vec![("text", taken)]) };
    if table.null_count() > 0 {
        return Err(PyValueError::new_err("a row of the table is missing (null): leave it out"));
    }
    let batch = RecordBatch::from(table.clone());
    Ok(Table { schema: batch.schema(), batches: vec![batch] })
}

/// A column of this field for NumPy, of objects in the form that rows of JSON have.
fn objects<'py>(py: Python<'py>, field: &Field, column: &ArrayRef) -> PyResult<Bound<'py, PyAny>> {
    if column.data_type().is_nested() {
        return Err(PyTypeError::new_err(format!(
            "a column of {} has no NumPy form: take the table by a library of Arrow",
            column.data_type()
        )));
    }
    py.import("numpy")?.call_method1("array", (values(py, field, column)?, "object"))
}

/// A column for NumPy.
pub(crate) fn numpy_of<'py>(py: Python<'py>, column: &ArrayRef) -> PyResult<Bound<'py, PyAny>> {
    macro_rules! numbers {
        ($kind:ty) => {
            PyArray1::from_slice(py, column.as_primitive::<$kind>().values()).into_any()
        };
    }
    let mut columns = 0;
    let values = match column.data_type() {
        DataType::Int8 => numbers!(Int8Type),
        DataType::Int16 => numbers!(Int16Type),
        DataType::Int32 => numbers!(Int32Type),
        DataType::Int64 => numbers!(Int64Type),
        DataType::UInt8 => numbers!(UInt8Type),
        DataType::UInt16 => numbers!(UInt16Type),
        DataType::UInt32 => numbers!(UInt32Type),
        DataType::UInt64 => numbers!(UInt64Type),
        DataType::Float32 => numbers!(Float32Type),
        DataType::Float64 => numbers!(Float64Type),
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
        // Fingerprints: as `Codes` takes them, the lowest word first.
        DataType::FixedSizeBinary(bytes) if bytes % 8 == 0 => {
            let codes = column.as_fixed_size_binary();
            let of = |row| codes.value(row).rchunks(8).map(word);
            let words: Vec<u64> = (0..codes.len()).flat_map(of).collect();
            columns = usize::try_from(bytes / 8)?;
            PyArray1::from_vec(py, words).reshape([codes.len(), columns])?.into_any()
        }
        DataType::Dictionary(..) => {
            let dictionary = column.as_any_dictionary();
            let plain = arrow_select::take::take(dictionary.values(), dictionary.keys(), None);
            let plain = plain.map_err(|error| PyValueError::new_err(error.to_string()))?;
            return numpy_of(py, &plain);
        }
        other => return objects(py, &Field::new("", other.clone(), true), column),
    };
    if column.null_count() == 0 {
        return Ok(values);
    }
    let missing = (0..column.len()).map(|row| column.is_null(row));
    let mask = if columns == 0 {
        PyArray1::from_vec(py, missing.collect()).into_any()
    } else {
        let each = missing.flat_map(|missing| std::iter::repeat_n(missing, columns));
        PyArray1::from_vec(py, each.collect()).reshape([column.len(), columns])?.into_any()
    };
    let mask = [("mask", mask)].into_py_dict(py)?;
    py.import("numpy.ma")?.call_method("array", (values,), Some(&mask))
}
