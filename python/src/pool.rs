//! The threads of this process. A pool that was made before a fork has no threads in the child, so each
//! process has its own.

use crate::error::raised;
use arc_swap::ArcSwapOption;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Threads of a call, at most.
const MOST: usize = 1024;
/// Threads where a call names none; 0 where nobody has said.
static ASKED: AtomicUsize = AtomicUsize::new(0);
/// The pool of the last call. It is swapped and never locked: a lock that is held at a fork stays held.
static POOL: ArcSwapOption<Pool> = ArcSwapOption::const_empty();

struct Pool {
    process: u32,
    threads: usize,
    pool: ThreadPool,
}

/// Sets the threads that calls take which name none; ``None`` for all processors.
#[pyfunction]
#[pyo3(signature = (threads=None))]
pub(crate) fn set_threads(threads: Option<usize>) -> PyResult<()> {
    ASKED.store(threads.map_or(Ok(0), at_least_one)?, Ordering::Relaxed);
    Ok(())
}

/// The threads of a call: what it names, what [`set_threads`] or `NEARPRINT_THREADS` say, or all.
pub(crate) fn threads(named: Option<usize>) -> PyResult<usize> {
    if let Some(threads) = named {
        return at_least_one(threads);
    }
    Ok(asked()?.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, NonZero::get)))
}

/// The threads that [`set_threads`] or `NEARPRINT_THREADS` say.
pub(crate) fn asked() -> PyResult<Option<usize>> {
    let asked = ASKED.load(Ordering::Relaxed);
    if asked > 0 {
        return Ok(Some(asked));
    }
    let Ok(said) = std::env::var("NEARPRINT_THREADS") else { return Ok(None) };
    let wrong =
        |_| PyValueError::new_err(format!("NEARPRINT_THREADS is {said:?}; give a number from 1"));
    at_least_one(said.parse().map_err(wrong)?).map(Some)
}

fn at_least_one(threads: usize) -> PyResult<usize> {
    match threads {
        0 => Err(PyValueError::new_err("threads is 0; use at least one")),
        1..=MOST => Ok(threads),
        _ => Err(PyValueError::new_err(format!("threads is {threads}; at most {MOST} can work"))),
    }
}

/// Runs `work` on a pool of so many threads.
pub(crate) fn install<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let process = std::process::id();
    let kept = POOL.load_full();
    if let Some(pool) = &kept
        && pool.process == process
        && pool.threads == threads
    {
        return Ok(pool.pool.install(work));
    }
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| {
        Python::attach(|py| raised(py, "NearprintError", format!("cannot start threads: {error}")))
    })?;
    let pool = Arc::new(Pool { process, threads, pool });
    let old = POOL.swap(Some(Arc::clone(&pool)));
    drop(kept);
    if old.as_ref().is_some_and(|old| old.process != process) {
        // Its threads are the parent's: to end them here would wait for ever.
        std::mem::forget(old);
    }
    Ok(pool.pool.install(work))
}
