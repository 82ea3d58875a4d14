//! What rows are worth beside others, as texts of their values.

use nearprint_corpus::Score;
use pyo3::prelude::*;

/// The place of a value among others, by what its text stands for: a number, a truth value, a date or a time, a duration.
/// `None` for what is none of these.
#[pyfunction]
pub(crate) fn score_of(text: &str) -> Option<u128> {
    Score::of_text(text).map(Score::order)
}
