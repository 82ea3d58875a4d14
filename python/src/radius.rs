//! The radius, as callers in Python give it.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A number of bits. What is no whole number is a `TypeError`, and one that is none of bits a `ValueError`.
pub(crate) fn radius(k: &Bound<'_, PyAny>) -> PyResult<u32> {
    let number = match k.extract::<i64>() {
        Err(error) if error.is_instance_of::<pyo3::exceptions::PyOverflowError>(k.py()) => -1,
        number => number?,
    };
    u32::try_from(number).map_err(|_| {
        PyValueError::new_err(format!("k is a number of bits, from 0 on, and not {k}"))
    })
}

/// The same where it may be `None`.
pub(crate) fn radius_or_none(k: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
    if k.is_none() { Ok(None) } else { radius(k).map(Some) }
}
