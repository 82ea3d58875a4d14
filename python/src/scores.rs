//! What rows are worth beside others: the places of their values in order.

use crate::imported::has_arrow;
use crate::text_column::named_column;
use arrow_array::{Array as _, ArrayRef};
use arrow_schema::Field;
use nearprint_corpus::{NoScore, Scale, Score, value_at};
use numpy::PyArray1;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use serde_json::Value;

/// Characters of a value that a message shows.
const SHOWN: usize = 40;

/// The places of values among each other: numbers, truth values, dates, times or durations, as rows of a file have them. A
/// greater value has a greater place, from 0 on, and equal values have one; what is missing or NaN has -1. `values` hands
/// over a table as Arrow, of which they are the column of a name, or is a list of texts.
#[pyfunction]
pub(crate) fn places_of<'py>(
    values: &Bound<'py, PyAny>,
    name: &str,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let py = values.py();
    let scores = match has_arrow(values)? {
        true => {
            let column = named_column(values, name)?;
            let field = Field::new(name, column.data_type().clone(), true);
            let texts = (0..column.len()).map(|row| text_at(&field, &column, row));
            scores_of(py, texts, name)?
        }
        false => {
            let texts = values.extract::<Vec<Option<String>>>()?;
            scores_of(py, texts.into_iter().map(Ok), name)?
        }
    };
    let mut orders: Vec<u128> = scores.iter().flatten().copied().collect();
    orders.sort_unstable();
    orders.dedup();
    let place = |order: &Option<u128>| {
        let place = order.and_then(|order| orders.binary_search(&order).ok());
        place.map_or(Ok(-1), i64::try_from)
    };
    let places = scores.iter().map(place).collect::<Result<Vec<i64>, _>>()?;
    Ok(PyArray1::from_vec(py, places))
}

/// The text of a value, as a row of JSON has it; none of one that is missing.
fn text_at(field: &Field, column: &ArrayRef, row: usize) -> PyResult<Option<String>> {
    match value_at(field, &**column, row) {
        Ok(Value::Null) => Ok(None),
        Ok(Value::String(text)) => Ok(Some(text)),
        Ok(other) => Ok(Some(other.to_string())),
        Err(error) => Err(PyTypeError::new_err(error.to_string())),
    }
}

/// The orders of the values of rows, of which none may be a date beside one that is no date.
fn scores_of(
    py: Python<'_>,
    texts: impl Iterator<Item = PyResult<Option<String>>>,
    name: &str,
) -> PyResult<Vec<Option<u128>>> {
    let shown = |text: &str| {
        let shown = text.chars().take(SHOWN).collect::<String>();
        PyString::new(py, &shown).repr().map(|shown| shown.to_string())
    };
    let column = || Ok::<_, PyErr>(format!("the column {} of keep_by=", shown(name)?));
    let (mut scores, mut date, mut number) = (Vec::new(), None, None);
    for (row, text) in texts.enumerate() {
        let Some(text) = text? else {
            scores.push(None);
            continue;
        };
        let score = match Score::of_text(&text) {
            Ok(score) => score,
            Err(NoScore::Number) => {
                let number = text.chars().take(SHOWN).collect::<String>();
                return Err(PyValueError::new_err(format!(
                    "row {row}: {} holds {number}, and numbers are compared to 35 digits, from 5e-324 to 1.7e308; round \
                     it, or give inf",
                    column()?
                )));
            }
            Err(NoScore::Other) => {
                return Err(PyValueError::new_err(format!(
                    "row {row}: {} must have numbers, truth values, times or dates such as 2024-12-31 or \
                     2024-12-31T23:59:59Z, found {}",
                    column()?,
                    shown(&text)?
                )));
            }
        };
        match score.map(Score::scale) {
            Some(Scale::Calendar) => date = date.or(Some(row)),
            Some(Scale::Numbers) => number = number.or(Some(row)),
            Some(Scale::Both) | None => {}
        }
        scores.push(score.map(Score::order));
    }
    match (date, number) {
        (Some(date), Some(number)) => Err(PyValueError::new_err(format!(
            "{} is a date in row {date}, and a number or a time in row {number}: these have no order; give dates in all \
             rows, or numbers",
            column()?
        ))),
        _ => Ok(scores),
    }
}
