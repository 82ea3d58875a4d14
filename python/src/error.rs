//! Errors of the library as exceptions of the package, with the library's messages.

use nearprint_bits::ErrorKind;
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

/// Notes that an error is about the rows that others are only compared with: the face tells these from the others.
pub(crate) fn tell_against(error: &PyErr, py: Python<'_>) {
    let _told = error.value(py).setattr("about", "against");
}

/// What is raised for a failure of this kind, about a file and a line of it, from 1, where these are known.
fn of_kind(
    py: Python<'_>,
    kind: ErrorKind,
    message: String,
    file: Option<&Path>,
    line: Option<u64>,
) -> PyErr {
    let class = match kind {
        ErrorKind::Usage | ErrorKind::Input => "InputError",
        ErrorKind::Corrupt => "CorruptError",
        ErrorKind::Io => "IoError",
        ErrorKind::Memory => "MemoryBudgetError",
        ErrorKind::Busy => "BusyError",
        ErrorKind::NotReady | ErrorKind::Bug => "NearprintError",
        ErrorKind::Interrupted => return PyKeyboardInterrupt::new_err(()),
    };
    of_line(py, class, message, file, line)
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
    let line = if let WordFileError::Line { line, .. } | WordFileError::NotUtf8 { line, .. } = error
    {
        Some(*line as u64)
    } else {
        None
    };
    of_kind(py, error.kind(), message, Some(file), line)
}

pub(crate) fn index(py: Python<'_>, error: &nearprint_index::Error) -> PyErr {
    of_kind(py, error.kind(), error.to_string(), None, None)
}

pub(crate) fn index_file(py: Python<'_>, error: &nearprint::IndexError) -> PyErr {
    use nearprint::IndexError;
    let file = if let IndexError::File { path, .. } | IndexError::Bytes { path, .. } = error {
        Some(path.as_path())
    } else {
        None
    };
    of_kind(py, error.kind(), error.to_string(), file, None)
}

pub(crate) fn dedup(py: Python<'_>, error: &nearprint_dedup::Error) -> PyErr {
    job(py, error, error.to_string())
}

/// An error of a job, in a message that may say more.
fn job(py: Python<'_>, error: &nearprint_dedup::Error, message: String) -> PyErr {
    use nearprint_dedup::Error;
    if let Error::Recipe(error) = error {
        return recipe(py, error);
    }
    if let Error::Corpus(error) = error {
        return corpus(py, error, message);
    }
    let file = if let Error::Io { path, .. }
    | Error::Spill { dir: path, .. }
    | Error::TemporaryFolder { folder: path, .. } = error
    {
        Some(path.as_path())
    } else {
        None
    };
    of_kind(py, error.kind(), message, file, None)
}

/// What the command refuses, with the flag that helps.
pub(crate) fn command(py: Python<'_>, refusal: &anyhow::Error) -> PyErr {
    let message = nearprint_cli::message(refusal);
    match (refusal.downcast_ref(), refusal.downcast_ref()) {
        (Some(error), _) => job(py, error, message),
        (None, Some(error)) => corpus(py, error, message),
        (None, None) => raised(py, "InputError", message),
    }
}

/// What the command says, with causes that it does not tell already.
fn said(refusal: &anyhow::Error) -> String {
    refusal.chain().map(ToString::to_string).fold(String::new(), |said, cause| {
        match said.contains(&cause) {
            true => said,
            false if said.is_empty() => cause,
            false => format!("{said}: {cause}"),
        }
    })
}

/// The same about rows that a caller gave, which are in a file that it does not know.
pub(crate) fn command_over_rows(
    py: Python<'_>,
    refusal: &anyhow::Error,
    message: impl Fn(String) -> String,
) -> PyErr {
    use nearprint_dedup::Error;
    let said = message(said(refusal));
    match (refusal.downcast_ref::<Error>(), refusal.downcast_ref::<nearprint_corpus::Error>()) {
        (Some(Error::Recipe(error)), _) => recipe(py, error),
        (Some(error), _) => of_kind(py, error.kind(), said, None, None),
        (None, Some(error)) => of_kind(py, error.kind(), said, None, None),
        (None, None) => raised(py, "InputError", said),
    }
}

pub(crate) fn corpus(py: Python<'_>, error: &nearprint_corpus::Error, message: String) -> PyErr {
    of_kind(py, error.kind(), message, error.file().map(Path::new), error.line())
}

pub(crate) fn store(py: Python<'_>, error: &nearprint_store::Error) -> PyErr {
    if let nearprint_store::Error::Recipe(error) = error {
        return recipe(py, error);
    }
    of_kind(py, error.kind(), error.to_string(), None, None)
}
