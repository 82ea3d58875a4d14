//! Errors of the library as exceptions of the package, with the library's messages.

use nearprint_fingerprint::RecipeError;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use std::path::Path;

/// The exception of this name in `nearprint.errors`.
pub(crate) fn raised(py: Python<'_>, class: &str, message: impl Into<String>) -> PyErr {
    let made = py
        .import("nearprint.errors")
        .and_then(|module| module.getattr(class))
        .and_then(|class| class.call1((message.into(),)));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// The same about a file.
fn of_file(py: Python<'_>, class: &str, message: String, file: Option<&Path>) -> PyErr {
    let error = raised(py, class, message);
    if let Some(file) = file {
        // The message names the file too.
        let _told = error.value(py).setattr("file", file);
    }
    error
}

pub(crate) fn recipe(py: Python<'_>, error: &RecipeError) -> PyErr {
    raised(py, "RecipeError", error.to_string())
}

pub(crate) fn index(py: Python<'_>, error: &nearprint_index::Error) -> PyErr {
    use nearprint_index::Error;
    let class = match error {
        Error::Interrupted => return PyKeyboardInterrupt::new_err(()),
        _ => "InputError",
    };
    raised(py, class, error.to_string())
}

pub(crate) fn index_file(py: Python<'_>, error: &nearprint::IndexError) -> PyErr {
    use nearprint::IndexError;
    let message = error.to_string();
    match error {
        IndexError::File { path, .. } => of_file(py, "IoError", message, Some(path)),
        IndexError::Bytes { path, .. } => of_file(py, "CorruptError", message, Some(path)),
        IndexError::Index(error) => index(py, error),
        _ => raised(py, "NearprintError", message),
    }
}

pub(crate) fn dedup(py: Python<'_>, error: &nearprint_dedup::Error) -> PyErr {
    use nearprint_dedup::Error;
    let message = error.to_string();
    match error {
        Error::Interrupted => PyKeyboardInterrupt::new_err(()),
        Error::Recipe(error) => recipe(py, error),
        Error::Io { path, .. } => of_file(py, "IoError", message, Some(path)),
        Error::Spill { dir, .. } => of_file(py, "IoError", message, Some(dir)),
        Error::Memory { .. } | Error::Budget { .. } | Error::LongRecord { .. } => {
            raised(py, "MemoryBudgetError", message)
        }
        Error::SegmentRow { .. } | Error::Checkpoint { .. } => raised(py, "CorruptError", message),
        _ => raised(py, "InputError", message),
    }
}

pub(crate) fn store(py: Python<'_>, error: &nearprint_store::Error) -> PyErr {
    use nearprint_store::Error;
    let class = match error {
        Error::Recipe(_) => "RecipeError",
        Error::InUse { .. } | Error::Busy => "BusyError",
        Error::Corrupt { .. } | Error::Segment { .. } | Error::LostTail { .. } => "CorruptError",
        Error::Io { .. } | Error::Database { .. } | Error::ReadOnly { .. } => "IoError",
        _ => "InputError",
    };
    raised(py, class, error.to_string())
}
