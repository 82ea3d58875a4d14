//! An Arrow array that Python gets: any library of Arrow takes it.

use crate::exported;
use crate::table::numpy_of;
use arrow_array::{Array as _, ArrayRef, UInt64Array};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PySlice};

/// An Arrow array. ``pyarrow.array``, ``polars.Series`` and other libraries of Arrow take it without a copy.
#[pyclass(frozen, module = "nearprint")]
pub(crate) struct Array(pub(crate) ArrayRef);

#[pymethods]
impl Array {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// The row of a number, from the end where that is negative, as an array of one; of a slice an array of its rows.
    fn __getitem__(&self, at: &Bound<'_, PyAny>) -> PyResult<Self> {
        let rows = self.0.len();
        if let Ok(slice) = at.cast::<PySlice>() {
            let of = slice.indices(isize::try_from(rows)?)?;
            let mut next = Some(of.start);
            let places = (0..of.slicelength).map_while(|_| {
                let place = next;
                next = place.and_then(|place| place.checked_add(of.step));
                place.and_then(|place| u64::try_from(place).ok())
            });
            let places = UInt64Array::from(places.collect::<Vec<_>>());
            let taken = arrow_select::take::take(&self.0, &places, None);
            return taken.map(Self).map_err(|error| PyValueError::new_err(error.to_string()));
        }
        let Ok(row) = at.extract::<isize>() else {
            let kind = at.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "a row is a whole number or a slice, not {kind}"
            )));
        };
        let back = rows.checked_sub(row.unsigned_abs()).filter(|_| row < 0);
        let place = usize::try_from(row).ok().or(back).filter(|place| *place < rows);
        let none = || PyIndexError::new_err(format!("row {row} of an array of {rows}"));
        Ok(Self(self.0.slice(place.ok_or_else(none)?, 1)))
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
