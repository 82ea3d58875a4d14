//! Values of Arrow columns as objects of Python, each in the one form that rows of JSON have.

use crate::text_column::named_column;
use arrow_array::{Array as _, ArrayRef};
use arrow_schema::Field;
use nearprint_corpus::value_at;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyString};
use serde_json::Value;

/// The values of the column of a name of what hands over a table as Arrow; ``None`` where one is missing.
#[pyfunction]
pub(crate) fn values_of<'py>(
    data: &Bound<'py, PyAny>,
    name: &str,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    values(data.py(), &named_column(data, name)?)
}

/// The values of a column.
pub(crate) fn values<'py>(py: Python<'py>, column: &ArrayRef) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let field = Field::new("", column.data_type().clone(), true);
    let value = |row| match value_at(&field, &**column, row) {
        Ok(value) => object(py, &value),
        Err(error) => Err(PyTypeError::new_err(error.to_string())),
    };
    (0..column.len()).map(value).collect()
}

/// A value of JSON as Python reads it.
fn object<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(truth) => PyBool::new(py, *truth).to_owned().into_any(),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(number), _) => number.into_pyobject(py)?.into_any(),
            (None, Some(number)) => number.into_pyobject(py)?.into_any(),
            (None, None) => number.as_f64().into_pyobject(py)?.into_any(),
        },
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Array(values) => {
            let values = values.iter().map(|value| object(py, value));
            PyList::new(py, values.collect::<PyResult<Vec<_>>>()?)?.into_any()
        }
        Value::Object(members) => {
            let dict = PyDict::new(py);
            for (name, value) in members {
                dict.set_item(name, object(py, value)?)?;
            }
            dict.into_any()
        }
    })
}
