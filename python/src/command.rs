//! The command itself, and its job over files for programs.

use crate::dedup::told;
use crate::error;
use crate::job;
use crate::pool;
use nearprint_cli::{Decontaminate, Passages};
use nearprint_dedup::Progress;
use pyo3::prelude::*;
use std::ffi::OsString;
use std::sync::Arc;

/// Runs the command with these arguments, of which the first is its name, and returns its exit status.
#[pyfunction]
pub(crate) fn run(py: Python<'_>, args: Vec<OsString>) -> u8 {
    py.detach(|| nearprint_cli::run(args))
}

/// Runs `nearprint dedup` with these arguments, without its signals and its talk; returns the figures as JSON,
/// what it would say of the input, and what it left out of it or warns of.
#[pyfunction]
#[pyo3(signature = (args, progress=None))]
pub(crate) fn dedup_files(
    py: Python<'_>,
    args: Vec<OsString>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(String, Vec<String>, Vec<String>)> {
    let args = with_threads(args)?;
    let counters = Arc::new(Progress::default());
    let tell = || told(progress, &counters, None);
    let done = job::run(py, || counters.cancel(), tell, || nearprint_cli::dedup(args, &counters))?;
    match done {
        Ok(summary) => {
            let (left_out, skipped) =
                (nearprint_cli::passed_over(&summary), nearprint_cli::skipped(&summary));
            let warned = [left_out, skipped, nearprint_cli::warnings(&summary)].concat();
            Ok((summary.to_json(), nearprint_cli::remarks(&summary), warned))
        }
        Err(refusal) => Err(error::command(py, &refusal)),
    }
}

/// Runs `nearprint decide` with these arguments, as [`dedup_files`] runs `nearprint dedup`: the figures, and what it warns of.
#[pyfunction]
#[pyo3(signature = (args, progress=None))]
pub(crate) fn decide(
    py: Python<'_>,
    args: Vec<OsString>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(String, Vec<String>)> {
    let args = with_threads(args)?;
    let counters = Arc::new(Progress::default());
    let tell = || told(progress, &counters, None);
    let done = job::run(py, || counters.cancel(), tell, || nearprint_cli::decide(args, &counters))?;
    let summary = done.map_err(|refusal| error::command(py, &refusal))?;
    Ok((summary.to_json(), nearprint_cli::warnings(&summary)))
}

/// Runs `nearprint passages` with these arguments, as [`dedup_files`] runs `nearprint dedup`.
#[pyfunction]
#[pyo3(signature = (args, progress=None))]
pub(crate) fn passages_files(
    py: Python<'_>,
    args: Vec<OsString>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(String, Vec<String>)> {
    let parsed = Passages::parse(with_threads(args)?);
    let asked = parsed.map_err(|refusal| error::command(py, &refusal))?;
    let counters = Arc::new(Progress::default());
    let tell = || told(progress, &counters, None);
    let done = job::run(py, || counters.cancel(), tell, || asked.run(None, &counters))?;
    let summary = done.map_err(|refusal| error::command(py, &refusal))?;
    Ok((summary.to_json(), Passages::remarks(&summary)))
}

/// Runs `nearprint decontaminate` with these arguments, as [`dedup_files`] runs `nearprint dedup`.
#[pyfunction]
#[pyo3(signature = (args, progress=None))]
pub(crate) fn decontaminate_files(
    py: Python<'_>,
    args: Vec<OsString>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(String, Vec<String>)> {
    let parsed = Decontaminate::parse(with_threads(args)?);
    let asked = parsed.map_err(|refusal| error::command(py, &refusal))?;
    let counters = Arc::new(Progress::default());
    let tell = || told(progress, &counters, None);
    let run = || asked.run(None, Vec::new(), &counters);
    let done = job::run(py, || counters.cancel(), tell, run)?;
    let (summary, told) = done.map_err(|refusal| error::command(py, &refusal))?;
    Ok((summary.to_json(), told))
}

/// Runs `nearprint split` with these arguments, as [`dedup_files`] runs `nearprint dedup`: the figures, and what was
/// passed over.
#[pyfunction]
#[pyo3(signature = (args, progress=None))]
pub(crate) fn split_files(
    py: Python<'_>,
    args: Vec<OsString>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(String, Vec<String>)> {
    let args = with_threads(args)?;
    let counters = Arc::new(Progress::default());
    let tell = || told(progress, &counters, None);
    let done = job::run(py, || counters.cancel(), tell, || nearprint_cli::split(args, &counters))?;
    let (summary, passed_over) = done.map_err(|refusal| error::command(py, &refusal))?;
    Ok((serde_json::json!(summary).to_string(), passed_over))
}

/// Runs `nearprint clean` with these arguments, as [`dedup_files`] runs `nearprint dedup`: the figures of all steps.
#[pyfunction]
#[pyo3(signature = (args, progress=None))]
pub(crate) fn clean_files(
    py: Python<'_>,
    args: Vec<OsString>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let args = with_threads(args)?;
    let counters = Arc::new(Progress::default());
    let tell = || told(progress, &counters, None);
    let done = job::run(py, || counters.cancel(), tell, || nearprint_cli::clean(args, &counters))?;
    Ok(done.map_err(|refusal| error::command(py, &refusal))?.to_string())
}

/// What a paper says of a run with this summary.
#[pyfunction]
pub(crate) fn methods(py: Python<'_>, summary: &str, is_latex: bool) -> PyResult<String> {
    nearprint_cli::methods(summary, is_latex).map_err(|refusal| error::command(py, &refusal))
}

/// Arguments of the command, with the threads that were set for all calls where they name none.
pub(crate) fn with_threads(args: Vec<OsString>) -> PyResult<Vec<OsString>> {
    let names_threads = args.iter().any(|arg| arg.to_string_lossy().starts_with("--threads"));
    let threads = pool::asked()?.filter(|_| !names_threads);
    let threads = threads.map(|threads| OsString::from(format!("--threads={threads}")));
    Ok(threads.into_iter().chain(args).collect())
}
