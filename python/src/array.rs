//! An Arrow array that Python gets: any library of Arrow takes it.

use crate::table::numpy_of;
use arrow_array::{Array as _, ArrayRef};
use arrow_schema::Field;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use pyo3_arrow::ffi::to_array_pycapsules;
use std::sync::Arc;

/// An Arrow array. ``pyarrow.array``, ``polars.Series`` and other libraries of Arrow take it without a copy.
#[pyclass(frozen, module = "nearprint")]
pub(crate) struct Array(pub(crate) ArrayRef);

#[pymethods]
impl Array {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __repr__(&self) -> String {
        let nulls = self.0.null_count();
        format!("<nearprint.Array {} of {}, {nulls} null>", self.0.len(), self.0.data_type())
    }

    /// The name of the Arrow type.
    #[getter]
    fn dtype(&self) -> String {
        self.0.data_type().to_string()
    }

    /// The values as a NumPy array; of numbers with nulls a masked array, of fingerprints of more than 64 bits
    /// rows of words, the lowest first.
    fn to_numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        numpy_of(py, &self.0)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let field = Arc::new(Field::new("", self.0.data_type().clone(), true));
        Ok(to_array_pycapsules(py, field, &self.0, requested_schema)?)
    }
}
