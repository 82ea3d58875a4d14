//! Errors of the library as exceptions of the package, with the library's messages.

use nearprint_fingerprint::{RecipeError, WordFileError, WordFileKind};
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
pub(crate) fn of_file(py: Python<'_>, class: &str, message: String, file: &Path) -> PyErr {
    of_line(py, class, message, Some(file), None)
}

/// The same about a line of a file, from 1.
fn of_line(
    py: Python<'_>,
    class: &str,
    message: String,
    file: Option<&Path>,
    line: Option<u64>,
) -> PyErr {
    let error = raised(py, class, message);
    // The message names both too: nothing is lost where the exception takes no attribute.
    let value = error.value(py);
    let _told = file.map(|file| value.setattr("file", file));
    let _told = line.map(|line| value.setattr("line", line));
    error
}

pub(crate) fn recipe(py: Python<'_>, error: &RecipeError) -> PyErr {
    let mut message = error.to_string();
    if let RecipeError::WordFileMissing { file, .. } = error {
        let argument = match file {
            WordFileKind::User => "dictionary",
            WordFileKind::Stop => "stop_words",
            _ => "idf",
        };
        message.push_str(&format!("; give it as {argument}"));
    }
    raised(py, "RecipeError", message)
}

/// What is wrong in a file of words, in a message that names the file.
pub(crate) fn word_file(
    py: Python<'_>,
    error: &WordFileError,
    message: String,
    file: &Path,
) -> PyErr {
    let line = match error {
        WordFileError::Line { line, .. } | WordFileError::NotUtf8 { line, .. } => {
            Some(*line as u64)
        }
        _ => None,
    };
    of_line(py, "InputError", message, Some(file), line)
}

pub(crate) fn index(py: Python<'_>, error: &nearprint_index::Error) -> PyErr {
    use nearprint_index::Error;
    let class = match error {
        Error::Interrupted => return PyKeyboardInterrupt::new_err(()),
        Error::Corrupt { .. } => "CorruptError",
        _ => "InputError",
    };
    raised(py, class, error.to_string())
}

pub(crate) fn index_file(py: Python<'_>, error: &nearprint::IndexError) -> PyErr {
    use nearprint::IndexError;
    let message = error.to_string();
    match error {
        IndexError::File { path, .. } => of_file(py, "IoError", message, path),
        IndexError::Bytes { path, .. } => of_file(py, "CorruptError", message, path),
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
        Error::Corpus(error) => corpus(py, error, message),
        Error::Io { path, .. } => of_file(py, "IoError", message, path),
        Error::Spill { dir, .. } => of_file(py, "IoError", message, dir),
        Error::Memory { .. } | Error::Budget { .. } | Error::LongRecord { .. } => {
            raised(py, "MemoryBudgetError", message)
        }
        Error::SegmentRow { .. } | Error::Checkpoint { .. } => raised(py, "CorruptError", message),
        _ => raised(py, "InputError", message),
    }
}

pub(crate) fn corpus(py: Python<'_>, error: &nearprint_corpus::Error, message: String) -> PyErr {
    use nearprint_corpus::Error;
    let class = match error {
        Error::Read { .. } | Error::Spool { .. } | Error::Write { .. } => "IoError",
        Error::Truncated { .. } | Error::Corrupt { .. } => "CorruptError",
        _ => "InputError",
    };
    of_line(py, class, message, error.file().map(Path::new), error.line())
}

pub(crate) fn store(py: Python<'_>, error: &nearprint_store::Error) -> PyErr {
    use nearprint_store::Error;
    let class = match error {
        Error::Recipe(error) => return recipe(py, error),
        Error::InUse { .. } | Error::Busy => "BusyError",
        Error::Corrupt { .. }
        | Error::Segment { .. }
        | Error::LostTail { .. }
        | Error::UnknownTail { .. }
        | Error::OtherSettings { .. } => "CorruptError",
        Error::Io { .. } | Error::Database { .. } | Error::ReadOnly { .. } => "IoError",
        _ => "InputError",
    };
    raised(py, class, error.to_string())
}
