//! What rows are worth beside others, as texts of their values.

use nearprint_corpus::{NoScore, Scale, Score};
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;

/// The place of a value among others, by what its text stands for: a number, a truth value, a date or a time, a duration;
/// with whether it is compared with dates alone, or else with none of them. `None` for NaN.
#[pyfunction]
pub(crate) fn score_of(text: &str) -> PyResult<Option<(u128, Option<bool>)>> {
    let score = Score::of_text(text).map_err(|problem| match problem {
        NoScore::Number => PyOverflowError::new_err("numbers are compared to 35 digits"),
        NoScore::Other => PyValueError::new_err("no number, date or time"),
    });
    let is_date = |score: Score| match score.scale() {
        Scale::Calendar => Some(true),
        Scale::Numbers => Some(false),
        Scale::Both => None,
    };
    Ok(score?.map(|score| (score.order(), is_date(score))))
}
