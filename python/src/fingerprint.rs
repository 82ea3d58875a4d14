//! Texts to fingerprints, and how far two are apart.

use crate::array::Array;
use crate::codes::{Codes, widths_differ};
use crate::error;
use crate::job;
use crate::pool;
use crate::recipe::{Recipe, of_texts};
use crate::text_column::TextColumn;
use arrow_array::{ArrayRef, FixedSizeBinaryArray, UInt64Array};
use arrow_buffer::NullBuffer;
use nearprint::{Fingerprint, Width};
use nearprint_dedup::text_of;
use nearprint_fingerprint::{
    DocumentPart, FeatureError, Fingerprinter, Recipe as Bits, RecipeError, Weighting,
};
use numpy::PyArray1;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;
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
        Ok(made.fingerprint(&text_of(recipe, text)).fingerprint.le_bytes().collect())
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
    let mut codes: Vec<Fingerprint<WORDS>> = Vec::new();
    let mut present = Vec::with_capacity(TOGETHER);
    while codes.len() < column.len() && !stop.load(Ordering::Relaxed) {
        let rows = codes.len()..column.len().min(codes.len() + TOGETHER);
        present.clear();
        present.extend(rows.map(|row| column.text(row).unwrap_or_default()));
        if recipe.content == DocumentPart::Text {
            codes.extend(made.fingerprint_all(&present));
        } else {
            let parts: Vec<_> = present.par_iter().map(|page| text_of(recipe, page)).collect();
            codes.extend(made.fingerprint_all(&parts));
        }
    }
    let nulls: NullBuffer = (0..codes.len()).map(|row| column.text(row).is_some()).collect();
    let nulls = (nulls.null_count() > 0).then_some(nulls);
    Ok(arrow_of(&codes, nulls))
}

/// The features of a document with their weights.
type Features = Vec<(String, f64)>;

/// The fingerprints of features that come with their weights, by a recipe that takes such: an Arrow array, null
/// where a row is missing.
#[pyfunction]
#[pyo3(signature = (rows, recipe, width=None))]
pub(crate) fn fingerprint_vectors(
    py: Python<'_>,
    rows: Vec<Option<Bound<'_, PyDict>>>,
    recipe: &Recipe,
    width: Option<u32>,
) -> PyResult<Array> {
    let recipe = recipe.at(width, None)?;
    if recipe.weights != Weighting::Given {
        return Err(PyTypeError::new_err(format!(
            "the recipe {} takes texts; features with weights are for recipes with weights = \"given\", such \
             as vectors",
            recipe.name
        )));
    }
    let features = |row: Bound<'_, PyDict>| {
        let features = row.iter().map(|(name, weight)| Ok((name.extract()?, weight.extract()?)));
        features.collect::<PyResult<Features>>()
    };
    let rows = rows.into_iter().map(|row| row.map(features).transpose());
    let rows: Vec<Option<Features>> = rows.collect::<PyResult<_>>()?;
    let made = match recipe.width {
        Width::W64 => vectors_of::<1>(py, &recipe, rows),
        Width::W128 => vectors_of::<2>(py, &recipe, rows),
        Width::W256 => vectors_of::<4>(py, &recipe, rows),
    };
    made.map(Array)
}

fn vectors_of<const WORDS: usize>(
    py: Python<'_>,
    recipe: &Bits,
    rows: Vec<Option<Features>>,
) -> PyResult<ArrayRef> {
    let made = Fingerprinter::<WORDS>::new(recipe);
    let mut made = made.map_err(|error| error::recipe(py, &error))?;
    let present: NullBuffer = rows.iter().map(Option::is_some).collect();
    let codes = rows.into_iter().enumerate().map(|(row, features)| {
        let code = made.fingerprint_features(features.unwrap_or_default());
        let code = code
            .map_err(|error: FeatureError| PyValueError::new_err(format!("row {row}: {error}")));
        Ok(code?.fingerprint)
    });
    let codes = codes.collect::<PyResult<Vec<_>>>()?;
    Ok(arrow_of(&codes, (present.null_count() > 0).then_some(present)))
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
