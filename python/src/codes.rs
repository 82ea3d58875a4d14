//! Fingerprints as Python holds them: NumPy `uint64` or `int64`, wide ones as rows of two or four words (the lowest word
//! first), or Arrow columns.

use crate::imported::{chunks, has_arrow};
use crate::text_column::decoded;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int64Type, UInt64Type};
use arrow_array::{Array as _, ArrayRef};
use arrow_schema::DataType;
use nearprint::{CodeList, Width};
use nearprint_corpus::BytesForm;
use numpy::{PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyByteArray, PyBytes, PyDict, PyFrozenSet, PyMemoryView, PySet, PyString,
};
use std::borrow::Cow;

/// The fingerprints that Python holds: a copy, which nobody changes while it is in use. Integers of 64 bits with a sign
/// are the bits that they have.
pub(crate) fn codes_of(data: &Bound<'_, PyAny>) -> PyResult<CodeList> {
    read(data, false)
}

/// Numbers from 0 on of 64 bits, in the place of fingerprints.
pub(crate) fn numbers_of(data: &Bound<'_, PyAny>) -> PyResult<CodeList> {
    read(data, true)
}

fn read(data: &Bound<'_, PyAny>, are_numbers: bool) -> PyResult<CodeList> {
    let py = data.py();
    if has_arrow(data)? {
        let (mut codes, mut form): (Option<CodeList>, _) = (None, None);
        for chunk in chunks(data)? {
            let more = of_arrow(&chunk, are_numbers, &mut form)?;
            // Of a chunk without a row nothing tells what its bytes would be.
            let Some(codes) = codes.as_mut().filter(|codes| !codes.is_empty()) else {
                codes = Some(more);
                continue;
            };
            let width = more.width();
            if !more.is_empty() && !codes.append(more) {
                return Err(widths_differ(codes.width(), width));
            }
        }
        return Ok(codes.unwrap_or(CodeList::W64(Vec::new())));
    }
    if data.is_instance(&py.import("numpy")?.getattr("generic")?)? {
        // An element of an array.
        let one = py.import("numpy")?.call_method1("atleast_1d", (data,))?;
        return of_numpy(&one, are_numbers);
    }
    of_numpy(data, are_numbers)
}

/// Those of an array of NumPy, or of another sequence.
fn of_numpy(data: &Bound<'_, PyAny>, are_numbers: bool) -> PyResult<CodeList> {
    let is_signed = data.cast::<PyArrayDyn<i64>>().is_ok();
    let data = if is_signed { &data.call_method1("view", ("uint64",))? } else { data };
    let Ok(array) = data.cast::<PyArrayDyn<u64>>() else { return of_sequence(data, are_numbers) };
    if let Ok(mask) = data.getattr("mask")
        && mask.call_method0("any")?.is_truthy()?
    {
        return Err(missing());
    }
    // A field of records need not lie where a word may.
    let aligned = data.getattr("flags")?.getattr("aligned")?.is_truthy()?;
    let copy = if aligned { data.clone() } else { data.call_method0("copy")? };
    let array = copy.cast::<PyArrayDyn<u64>>().unwrap_or(array);
    let (shape, readonly) = (array.shape().to_vec(), array.readonly());
    let view = readonly.as_array();
    // Rows one after the other, as they are or copied so.
    let words: Cow<'_, [u64]> =
        view.as_slice().map_or_else(|| view.iter().copied().collect(), Cow::Borrowed);
    if are_numbers && is_signed && words.iter().any(|word| word.cast_signed() < 0) {
        return Err(negative());
    }
    match shape.as_slice() {
        [_] | [_, 1] => Ok(CodeList::from_words(Width::W64, &words)),
        [_, 2] => Ok(CodeList::from_words(Width::W128, &words)),
        [_, 4] => Ok(CodeList::from_words(Width::W256, &words)),
        _ => Err(PyValueError::new_err(format!(
            "fingerprints have the shape (n,), (n, 2) or (n, 4), not {shape:?}"
        ))),
    }
}

/// Those of a sequence of numbers.
fn of_sequence(data: &Bound<'_, PyAny>, are_numbers: bool) -> PyResult<CodeList> {
    let refused = |kind: String| {
        PyTypeError::new_err(format!(
            "fingerprints are an array of uint64 or a column of Arrow, not {kind}"
        ))
    };
    if let Ok(kind) = data.getattr("dtype") {
        // Such as an index of pandas.
        return match data.call_method0("to_numpy") {
            Ok(array) if array.cast::<PyUntypedArray>().is_ok() => of_numpy(&array, are_numbers),
            _ => Err(refused(format!("one of {}", kind.str()?))),
        };
    }
    let is_none = data.is_instance_of::<PyString>()
        || data.is_instance_of::<PyBytes>()
        || data.is_instance_of::<PyByteArray>()
        || data.is_instance_of::<PyMemoryView>()
        || data.is_instance_of::<PyDict>()
        || data.is_instance_of::<PySet>()
        || data.is_instance_of::<PyFrozenSet>();
    if is_none {
        return Err(refused(data.get_type().name()?.to_string()));
    }
    let Ok(items) = data.try_iter() else {
        return Err(refused(data.get_type().name()?.to_string()));
    };
    let mut words = Vec::new();
    for (row, item) in items.enumerate() {
        let item = item?;
        let kind = item.get_type().name()?;
        if item.is_instance_of::<PyBool>() {
            return Err(refused(format!("a sequence of {kind}")));
        }
        let word = item.extract::<u64>().or_else(|error| match item.extract::<i64>() {
            Ok(_) if are_numbers => Err(negative()),
            Ok(signed) => Ok(signed.cast_unsigned()),
            Err(_) if error.is_instance_of::<PyTypeError>(item.py()) => {
                Err(refused(format!("a sequence of {kind}")))
            }
            Err(_) => Err(PyOverflowError::new_err(format!(
                "row {row} has a number of more than 64 bits: wider fingerprints are rows of words, or a column of Arrow"
            ))),
        });
        words.push(word?);
    }
    Ok(CodeList::from_words(Width::W64, &words))
}

/// Those of a chunk; `form` is what bytes are, as earlier chunks have told.
fn of_arrow(
    chunk: &ArrayRef,
    are_numbers: bool,
    form: &mut Option<BytesForm>,
) -> PyResult<CodeList> {
    let chunk = decoded(chunk)?;
    if let Some(dictionary) = chunk.as_any_dictionary_opt() {
        let plain = arrow_select::take::take(dictionary.values(), dictionary.keys(), None);
        let plain = plain.map_err(|error| PyValueError::new_err(error.to_string()))?;
        return of_arrow(&plain, are_numbers, form);
    }
    if chunk.logical_null_count() > 0 {
        return Err(missing());
    }
    match chunk.data_type() {
        DataType::UInt64 => {
            Ok(CodeList::from_words(Width::W64, chunk.as_primitive::<UInt64Type>().values()))
        }
        DataType::Int64 => {
            let signed = chunk.as_primitive::<Int64Type>().values();
            if are_numbers && signed.iter().any(|number| *number < 0) {
                return Err(negative());
            }
            let words: Vec<u64> = signed.iter().map(|word| word.cast_unsigned()).collect();
            Ok(CodeList::from_words(Width::W64, &words))
        }
        DataType::FixedSizeBinary(bytes) => {
            let bytes = usize::try_from(*bytes).ok();
            of_bytes(chunk.as_fixed_size_binary().iter(), bytes, form)
        }
        // Libraries without a binary of a fixed size hold these.
        DataType::Binary => of_bytes(chunk.as_binary::<i32>().iter(), None, form),
        DataType::LargeBinary => of_bytes(chunk.as_binary::<i64>().iter(), None, form),
        DataType::BinaryView => of_bytes(chunk.as_binary_view().iter(), None, form),
        other => Err(PyTypeError::new_err(format!(
            "fingerprints are 64-bit integers or binary of 8, 16 or 32 bytes, not {other}"
        ))),
    }
}

/// Fingerprints of which the most significant byte or digit comes first, all of one width.
fn of_bytes<'b>(
    codes: impl Iterator<Item = Option<&'b [u8]>> + Clone,
    mut bytes: Option<usize>,
    form: &mut Option<BytesForm>,
) -> PyResult<CodeList> {
    *form = form.or_else(|| BytesForm::of(codes.clone().flatten()));
    let are_digits = *form == Some(BytesForm::Digits);
    if are_digits {
        bytes = bytes.map(|digits| digits / 2);
    }
    let mut words = Vec::new();
    for code in codes.flatten() {
        let code = if are_digits { of_digits(code)?.into() } else { Cow::Borrowed(code) };
        // The lowest word comes first.
        words.extend(code.rchunks(8).map(word));
        if !matches!(code.len(), 8 | 16 | 32) || *bytes.get_or_insert(code.len()) != code.len() {
            return Err(PyTypeError::new_err(format!(
                "fingerprints have 8, 16 or 32 bytes, all the same; one has {}",
                code.len()
            )));
        }
    }
    Ok(match bytes {
        Some(16) => CodeList::from_words(Width::W128, &words),
        Some(32) => CodeList::from_words(Width::W256, &words),
        _ => CodeList::from_words(Width::W64, &words),
    })
}

/// The bytes that hexadecimal digits stand for.
fn of_digits(digits: &[u8]) -> PyResult<Vec<u8>> {
    let byte = |pair: &[u8]| {
        let pair = str::from_utf8(pair).ok().filter(|it| it.len() == 2 && !it.starts_with('+'))?;
        u8::from_str_radix(pair, 16).ok()
    };
    digits.chunks(2).map(byte).collect::<Option<_>>().ok_or_else(|| {
        PyValueError::new_err(format!(
            "fingerprints are hexadecimal digits here; one is \"{}\"",
            digits.escape_ascii()
        ))
    })
}

/// A word of a fingerprint as Arrow holds it: the most significant byte first.
pub(crate) fn word(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte))
}

pub(crate) fn widths_differ(a: Width, b: Width) -> PyErr {
    PyValueError::new_err(format!(
        "fingerprints of {} bits, and others of {}: compare those of one width",
        a.bits(),
        b.bits()
    ))
}

fn negative() -> PyErr {
    PyValueError::new_err("a number is negative: these are numbers from 0 on (uint64)")
}

fn missing() -> PyErr {
    PyValueError::new_err("a fingerprint is missing (null): leave such rows out")
}

/// A width of 64, 128 or 256 bits.
pub(crate) fn width(bits: u32) -> PyResult<Width> {
    Width::ALL.into_iter().find(|width| width.bits() == bits).ok_or_else(|| {
        PyValueError::new_err(format!("width is {bits}; fingerprints have 64, 128 or 256 bits"))
    })
}
