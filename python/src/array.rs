//! An Arrow array that Python gets: any library of Arrow takes it.

use crate::exported;
use crate::table::numpy_of;
use arrow_array::{Array as _, ArrayRef};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

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
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        // A wish: see `exported`.
        let _ = requested_schema;
        exported::array(py, &self.0)
    }
}
