//! Values of Arrow columns as objects of Python, each in the one form that rows of JSON have.

use crate::text_column::{TextColumn, named_column};
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
    let column = named_column(data, name)?;
    values(data.py(), &Field::new(name, column.data_type().clone(), true), &column)
}

/// The texts of what holds some, those of conversations too; ``None`` where one is missing. Of a table they are the column
/// of a name, or the only one of strings. Conversations are refused where what was `said` is not asked for.
#[pyfunction]
#[pyo3(signature = (data, name=None, said=true))]
pub(crate) fn texts_of<'py>(
    data: &Bound<'py, PyAny>,
    name: Option<&str>,
    said: bool,
) -> PyResult<Vec<Option<Bound<'py, PyString>>>> {
    let (texts, _, _) = TextColumn::with_columns(data, name, &[], said)?;
    let text = |row| texts.text(row).map(|text| PyString::new(data.py(), text));
    Ok((0..texts.len()).map(text).collect())
}

/// The values of a column of this field.
pub(crate) fn values<'py>(
    py: Python<'py>,
    field: &Field,
    column: &ArrayRef,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let value = |row| match value_at(field, &**column, row) {
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
