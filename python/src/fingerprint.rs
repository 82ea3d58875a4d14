//! Texts to fingerprints, and how far two are apart.

use crate::array::Array;
use crate::codes::Codes;
use crate::error;
use crate::job;
use crate::pool;
use crate::recipe::{Recipe, of_texts};
use crate::text_column::TextColumn;
use arrow_array::{ArrayRef, FixedSizeBinaryArray, UInt64Array};
use arrow_buffer::NullBuffer;
use nearprint::{Fingerprint, Width};
use nearprint_fingerprint::{Fingerprinter, Recipe as Bits, RecipeError};
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Texts between two looks at whether Python was interrupted.
const TOGETHER: usize = 4096;

/// The fingerprint of a text, as a number of `width` bits.
#[pyfunction]
#[pyo3(signature = (text, recipe, width=None))]
pub(crate) fn fingerprint_text<'py>(
    py: Python<'py>,
    text: &str,
    recipe: &Recipe,
    width: Option<u32>,
) -> PyResult<Bound<'py, PyAny>> {
    fn of<const WORDS: usize>(recipe: &Bits, text: &str) -> Result<Vec<u8>, RecipeError> {
        let mut made = Fingerprinter::<WORDS>::new(recipe)?;
        Ok(made.fingerprint(text).fingerprint.le_bytes().collect())
    }
    let recipe = recipe.at(width, None)?;
    of_texts(&recipe)?;
    let bytes = match recipe.width {
        Width::W64 => of::<1>(&recipe, text),
        Width::W128 => of::<2>(&recipe, text),
        Width::W256 => of::<4>(&recipe, text),
    };
    let bytes = bytes.map_err(|error| error::recipe(py, &error))?;
    py.get_type::<pyo3::types::PyInt>().call_method1("from_bytes", (bytes, "little"))
}

/// The fingerprints of texts: an Arrow array, `uint64` or fixed-size binary; null where a text is missing.
#[pyfunction]
#[pyo3(signature = (data, recipe, text=None, width=None, threads=None))]
pub(crate) fn fingerprint_column(
    data: &Bound<'_, PyAny>,
    recipe: &Recipe,
    text: Option<&str>,
    width: Option<u32>,
    threads: Option<usize>,
) -> PyResult<Array> {
    let py = data.py();
    let recipe = recipe.at(width, None)?;
    of_texts(&recipe)?;
    let column = TextColumn::of(data, text)?;
    let threads = pool::threads(threads)?;
    let made = job::run_until(py, |stop| {
        pool::install(threads, || match recipe.width {
            Width::W64 => column_of::<1>(&recipe, &column, stop),
            Width::W128 => column_of::<2>(&recipe, &column, stop),
            Width::W256 => column_of::<4>(&recipe, &column, stop),
        })
    })?;
    Ok(Array(made?.map_err(|error| error::recipe(py, &error))?))
}

fn column_of<const WORDS: usize>(
    recipe: &Bits,
    column: &TextColumn,
    stop: &AtomicBool,
) -> Result<ArrayRef, RecipeError> {
    let made = Fingerprinter::<WORDS>::new(recipe)?;
    let texts = column.texts();
    let mut codes: Vec<Fingerprint<WORDS>> = Vec::with_capacity(texts.len());
    let mut present = Vec::with_capacity(TOGETHER);
    for texts in texts.chunks(TOGETHER) {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        present.clear();
        present.extend(texts.iter().map(|text| text.unwrap_or("")));
        codes.extend(made.fingerprint_all(&present));
    }
    let missing = texts.iter().any(Option::is_none);
    let nulls = missing.then(|| texts.iter().map(Option::is_some).collect::<NullBuffer>());
    let length = codes.len();
    let nulls = nulls.map(|nulls| nulls.slice(0, length));
    Ok(arrow_of(&codes, nulls))
}

/// Fingerprints as an Arrow column.
pub(crate) fn arrow_of<const WORDS: usize>(
    codes: &[Fingerprint<WORDS>],
    nulls: Option<NullBuffer>,
) -> ArrayRef {
    if WORDS == 1 {
        let words = codes.iter().flat_map(|code| code.words().first().copied());
        return Arc::new(UInt64Array::new(words.collect::<Vec<u64>>().into(), nulls));
    }
    let mut bytes = Vec::with_capacity(codes.len() * WORDS * 8);
    for code in codes {
        code.words().iter().rev().for_each(|word| bytes.extend(word.to_be_bytes()));
    }
    let size = i32::try_from(WORDS * 8).unwrap_or(i32::MAX);
    Arc::new(FixedSizeBinaryArray::new(size, bytes.into(), nulls))
}

/// Bits in which fingerprints differ, row by row; one fingerprint stands for as many as there are of others.
#[pyfunction]
pub(crate) fn distance<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray1<u16>>> {
    fn each<const WORDS: usize>(a: &[Fingerprint<WORDS>], b: &[Fingerprint<WORDS>]) -> Vec<u16> {
        let rows = if a.len() == 1 { b.len() } else { a.len() };
        let (a, b) = (a.iter().cycle(), b.iter().cycle());
        a.zip(b).take(rows).map(|(a, b)| u16::try_from(a.distance(b)).unwrap_or(u16::MAX)).collect()
    }
    let py = a.py();
    let (a, b) = (Codes::of(a)?, Codes::of(b)?);
    let (rows, others) = (a.len(), b.len());
    if rows != others && rows != 1 && others != 1 {
        return Err(PyValueError::new_err(format!("{rows} fingerprints beside {others}")));
    }
    let distances = match (&a, &b) {
        (Codes::W64(a), Codes::W64(b)) => each(a, b),
        (Codes::W128(a), Codes::W128(b)) => each(a, b),
        (Codes::W256(a), Codes::W256(b)) => each(a, b),
        _ => return Err(widths_differ(&a, &b)),
    };
    Ok(PyArray1::from_vec(py, distances))
}

pub(crate) fn widths_differ(a: &Codes, b: &Codes) -> PyErr {
    PyValueError::new_err(format!(
        "fingerprints of {} bits beside fingerprints of {}: compare those of one width",
        a.width().bits(),
        b.width().bits()
    ))
}
