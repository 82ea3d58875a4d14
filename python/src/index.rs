//! An index: built once, kept in a file, mapped anywhere.

use crate::codes::{codes_of, numbers_of};
use crate::error;
use crate::job;
use crate::pool;
use crate::radius::{radius, radius_or_none};
use crate::table::Table;
use arrow_array::{ArrayRef, UInt16Array, UInt64Array};
use nearprint::{AnyIndex, CodeList, Codes, IndexError, Neighbor};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use rayon::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Queries between two looks at whether Python was interrupted.
const TOGETHER: usize = 1 << 16;

/// Fingerprints that can be asked which of them are within a radius of others: always all of them.
#[pyclass(frozen, module = "nearprint")]
pub(crate) struct Index {
    index: AnyIndex,
    path: Option<PathBuf>,
}

#[pymethods]
impl Index {
    /// Builds an index. `ids` are numbers; without them a fingerprint goes by its row.
    #[staticmethod]
    #[pyo3(signature = (codes, ids=None, *, k=3, threads=None))]
    fn build(
        codes: &Bound<'_, PyAny>,
        ids: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = radius)] k: u32,
        threads: Option<usize>,
    ) -> PyResult<Self> {
        let py = codes.py();
        let codes = codes_of(codes)?;
        let ids = match ids.map(numbers_of).transpose()? {
            None => None,
            Some(CodeList::W64(ids)) => {
                Some(ids.iter().flat_map(|id| id.words().first().copied()).collect::<Vec<u64>>())
            }
            Some(_) => {
                return Err(PyTypeError::new_err("ids are uint64, one for each fingerprint"));
            }
        };
        let (ids, threads) = (ids.as_deref(), pool::threads(threads)?);
        let index = job::run_until(py, |stop| {
            pool::install(threads, || AnyIndex::build_stopped_by(ids, codes.codes(), k, stop))
        })??;
        Ok(Self { index: index.map_err(|error| error::index_file(py, &error))?, path: None })
    }

    /// Opens a file by mapping it.
    #[staticmethod]
    #[pyo3(signature = (path, *, width=None))]
    fn open(py: Python<'_>, path: PathBuf, width: Option<u32>) -> PyResult<Self> {
        let width = width.map(crate::codes::width).transpose()?;
        let index = AnyIndex::open(&path, width);
        let path = std::path::absolute(&path).unwrap_or(path);
        Ok(Self { index: index.map_err(|error| error::index_file(py, &error))?, path: Some(path) })
    }

    /// Writes the index to a file: the whole file, or nothing.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let saved = py.detach(|| self.index.save(&path));
        saved.map_err(|error| error::index_file(py, &error))
    }

    /// What is within `k` bits of each of `codes`: the row of the query, the id, the distance; nearest first.
    #[pyo3(signature = (codes, k=None, *, top=None, threads=None))]
    fn query(
        &self,
        codes: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = radius_or_none)] k: Option<u32>,
        top: Option<usize>,
        threads: Option<usize>,
    ) -> PyResult<Table> {
        let py = codes.py();
        let (codes, threads) = (codes_of(codes)?, pool::threads(threads)?);
        let own = self.index.k();
        if k.is_some_and(|k| k > codes.width().bits()) {
            return Err(PyValueError::new_err("k is more than the width of the fingerprints"));
        }
        let k = k.filter(|k| *k != own);
        if codes.width() != self.index.width() {
            return Err(PyValueError::new_err(format!(
                "fingerprints of {} bits for an index of {}",
                codes.width().bits(),
                self.width()
            )));
        }
        let found = job::run_until(py, |stop| {
            pool::install(threads, || answers(&self.index, codes.codes(), k, stop))
        })??;
        let found = found.map_err(|error| error::index_file(py, &error))?;
        let rows = || {
            (0_u64..).zip(&found).flat_map(|(row, near)| {
                near.iter().take(top.unwrap_or(usize::MAX)).map(move |near| (row, near))
            })
        };
        let queries: UInt64Array = rows().map(|(row, _)| row).collect();
        let ids: UInt64Array = rows().map(|(_, near)| near.doc).collect();
        let distance = |near: &Neighbor| u16::try_from(near.distance).unwrap_or(u16::MAX);
        let distances: UInt16Array = rows().map(|(_, near)| distance(near)).collect();
        Table::of(vec![
            ("query", Arc::new(queries) as ArrayRef),
            ("id", Arc::new(ids)),
            ("distance", Arc::new(distances)),
        ])
    }

    /// Reads the whole index and compares it with its checksums; ``open`` reads its last bytes alone.
    fn verify(&self, py: Python<'_>) -> PyResult<()> {
        let sound = py.detach(|| self.index.verify());
        sound.map_err(|error| error::index_file(py, &error))
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(usize::try_from(self.index.len())?)
    }

    /// The radius in bits.
    #[getter]
    fn k(&self) -> u32 {
        self.index.k()
    }

    /// Bits of a fingerprint.
    #[getter]
    fn width(&self) -> u32 {
        self.index.width().bits()
    }

    /// The file that it was opened from.
    #[getter]
    fn path(&self) -> Option<&PathBuf> {
        self.path.as_ref()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (PathBuf,))> {
        let Some(path) = &slf.get().path else {
            return Err(PyTypeError::new_err(
                "an index in memory is not pickled: save it to a file and open that",
            ));
        };
        Ok((slf.get_type().getattr("open")?, (path.clone(),)))
    }

    fn __repr__(&self) -> String {
        let length = self.index.len();
        format!("<nearprint.Index {length} of {} bits, k={}>", self.width(), self.k())
    }
}

/// What each query finds, within `k` bits where it is another radius than the index has.
fn answers(
    index: &AnyIndex,
    codes: Codes<'_>,
    k: Option<u32>,
    stop: &AtomicBool,
) -> Result<Vec<Vec<Neighbor>>, IndexError> {
    let mut found = Vec::with_capacity(codes.len());
    // Beyond the radius each query looks at every code.
    let together = if k.is_some() { TOGETHER / 1024 } else { TOGETHER };
    for first in (0..codes.len()).step_by(together) {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let codes = codes.slice(first..codes.len().min(first + together));
        match k {
            Some(k) => {
                let codes = (0..codes.len()).into_par_iter().filter_map(|at| codes.get(at));
                let near = codes.map(|code| index.query_within(code, k));
                found.extend(near.collect::<Result<Vec<_>, _>>()?);
            }
            None => found.extend(index.query_all(codes)?),
        }
    }
    Ok(found)
}
