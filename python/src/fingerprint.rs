//! Texts to fingerprints, and how far two are apart.

use crate::array::Array;
use crate::codes::{codes_of, widths_differ};
use crate::error;
use crate::job;
use crate::pool;
use crate::recipe::{Recipe, of_texts};
use crate::text_column::TextColumn;
use arrow_array::{ArrayRef, FixedSizeBinaryArray, UInt64Array};
use arrow_buffer::NullBuffer;
use nearprint::{Fingerprint, Width, at_width};
use nearprint_dedup::text_of;
use nearprint_fingerprint::{
    AnyFingerprint, AnyFingerprinter, DocumentPart, FeatureError, Recipe as Bits, RecipeError,
    Weighting,
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
    let recipe = recipe.at(width, None)?;
    of_texts(&recipe)?;
    let made = AnyFingerprinter::new(&recipe, None);
    let mut made = made.map_err(|error| error::recipe(py, &error))?;
    let fingerprint = made.fingerprint_in(&text_of(&recipe, text), None).fingerprint;
    let bytes: Vec<u8> = fingerprint.words().iter().flat_map(|word| word.to_le_bytes()).collect();
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
    let made =
        job::run_until(py, |stop| pool::install(threads, || column_of(&recipe, &column, stop)))?;
    Ok(Array(made?.map_err(|error| error::recipe(py, &error))?))
}

fn column_of(
    recipe: &Bits,
    column: &TextColumn,
    stop: &AtomicBool,
) -> Result<ArrayRef, RecipeError> {
    let made = AnyFingerprinter::new(recipe, None)?;
    let mut codes = Vec::new();
    let mut present = Vec::with_capacity(TOGETHER);
    while codes.len() < column.len() && !stop.load(Ordering::Relaxed) {
        let rows = codes.len()..column.len().min(codes.len() + TOGETHER);
        present.clear();
        present.extend(rows.map(|row| column.text(row).unwrap_or_default()));
        if recipe.content == DocumentPart::Text {
            codes.extend(made.fingerprint_all(&present));
        } else {
            let parts: Vec<_> = present.par_iter().map(|page| text_of(recipe, page)).collect();
            let parts: Vec<&str> = parts.iter().map(AsRef::as_ref).collect();
            codes.extend(made.fingerprint_all(&parts));
        }
    }
    let nulls: NullBuffer = (0..codes.len()).map(|row| column.text(row).is_some()).collect();
    let nulls = (nulls.null_count() > 0).then_some(nulls);
    Ok(arrow_of(recipe.width, &codes, nulls))
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
    let made = AnyFingerprinter::new(&recipe, None);
    let mut made = made.map_err(|error| error::recipe(py, &error))?;
    let present: NullBuffer = rows.iter().map(Option::is_some).collect();
    let codes = rows.into_iter().enumerate().map(|(row, features)| {
        let features = features.unwrap_or_default();
        let mut named = features.iter().map(|(name, weight)| (name.as_str(), *weight));
        let code = made.fingerprint_features(&mut named);
        let code = code
            .map_err(|error: FeatureError| PyValueError::new_err(format!("row {row}: {error}")));
        Ok(code?.fingerprint)
    });
    let codes = codes.collect::<PyResult<Vec<_>>>()?;
    let nulls = (present.null_count() > 0).then_some(present);
    Ok(Array(arrow_of(recipe.width, &codes, nulls)))
}

/// Fingerprints of a width as an Arrow column.
fn arrow_of(width: Width, codes: &[AnyFingerprint], nulls: Option<NullBuffer>) -> ArrayRef {
    if width == Width::W64 {
        let words = codes.iter().flat_map(|code| code.words().first().copied());
        return Arc::new(UInt64Array::new(words.collect::<Vec<u64>>().into(), nulls));
    }
    let size = width.bits() / 8;
    let mut bytes = Vec::with_capacity(codes.len() * size as usize);
    for code in codes {
        code.words().iter().rev().for_each(|word| bytes.extend(word.to_be_bytes()));
    }
    let size = i32::try_from(size).unwrap_or(i32::MAX);
    Arc::new(FixedSizeBinaryArray::new(size, bytes.into(), nulls))
}

/// Bits in which fingerprints differ, row by row; one fingerprint stands for as many as there are of others.
#[pyfunction]
pub(crate) fn distance<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray1<u16>>> {
    let py = a.py();
    let (a, b) = (codes_of(a)?, codes_of(b)?);
    let (rows, others) = (a.len(), b.len());
    if rows != others && rows != 1 && others != 1 {
        return Err(PyValueError::new_err(format!("{rows} fingerprints and {others} others")));
    }
    if a.width() != b.width() {
        return Err(widths_differ(a.width(), b.width()));
    }
    let rows = if rows == 1 { others } else { rows };
    let distances: Vec<u16> = at_width!(a.codes() => a, {
        let b = b.codes().of_width().unwrap_or_default().iter().cycle();
        let distance = |(a, b): (&Fingerprint<_>, _)| a.distance(b);
        let distances = a.iter().cycle().zip(b).take(rows).map(distance);
        distances.map(|distance| u16::try_from(distance).unwrap_or(u16::MAX)).collect()
    });
    Ok(PyArray1::from_vec(py, distances))
}
