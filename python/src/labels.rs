//! Labels of rows: the values of a column that groups them, as texts. What the text of a value is, the crate `corpus` says.

use arrow_array::{Array as _, ArrayRef};
use nearprint_corpus::column_labels;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// The labels of the rows of a column, which an argument names: those that rows of a file have; `None` where it is
/// missing.
pub(crate) fn labels_of(argument: &str, column: &ArrayRef) -> PyResult<Vec<Option<String>>> {
    column_labels(argument, column).map_err(|_| {
        PyTypeError::new_err(format!(
            "{argument}= names a column of {}: rows are grouped by texts, numbers or truth values",
            column.data_type()
        ))
    })
}
