//! All pairs among fingerprints, or between two sets of them, and the groups that pairs connect.

use crate::codes::{codes_of, widths_differ};
use crate::error;
use crate::job;
use crate::pool;
use crate::radius::radius;
use crate::table::Table;
use arrow_array::{ArrayRef, UInt16Array, UInt64Array};
use nearprint::{Codes, Pair, at_width};
use nearprint_index::{Distinct, Error, Pairing, SelfJoin, StreamJoin, UnionFind};
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::slice::ParallelSliceMut;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Ranks, or rows, between two looks at whether Python was interrupted.
const LOOK: u32 = 1 << 16;

/// Pairs that are within `k` bits: `a`, `b`, `distance`. Equal fingerprints stay folded where that is asked for.
#[pyfunction]
#[pyo3(signature = (codes, k, other=None, threads=None, fold_equal=false))]
pub(crate) fn pairs(
    codes: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = radius)] k: u32,
    other: Option<&Bound<'_, PyAny>>,
    threads: Option<usize>,
    fold_equal: bool,
) -> PyResult<Table> {
    let py = codes.py();
    let (codes, threads) = (codes_of(codes)?, pool::threads(threads)?);
    if fold_equal && other.is_some() {
        return Err(PyValueError::new_err(
            "fold_equal is for the pairs of one column: leave it or other out",
        ));
    }
    let other = other.map(codes_of).transpose()?;
    if let Some(other) = &other
        && other.width() != codes.width()
    {
        return Err(widths_differ(codes.width(), other.width()));
    }
    let found = job::run_until(py, |stop| {
        pool::install(threads, || match &other {
            None => {
                let pairing = Pairing::within(k).stopped_by(stop);
                let pairing = if fold_equal { pairing.folding_equal() } else { pairing };
                pairing.list(codes.codes())
            }
            Some(other) => between(codes.codes(), other.codes(), k, stop),
        })
    })?;
    let found = found?.map_err(|error| match error {
        Error::PairMemory { pairs } => error::raised(
            py,
            "MemoryBudgetError",
            format!("{pairs} pairs or more take more memory than there is: every two equal fingerprints \
                     are a pair; set fold_equal, or ask for clusters"),
        ),
        error => error::index(py, &error),
    })?;
    let numbers = |of: fn(&Pair) -> u64| -> ArrayRef {
        Arc::new(found.iter().map(of).collect::<UInt64Array>())
    };
    let distances = found.iter().map(|pair| u16::try_from(pair.distance).unwrap_or(u16::MAX));
    Table::of(vec![
        ("a", numbers(|pair| pair.a)),
        ("b", numbers(|pair| pair.b)),
        ("distance", Arc::new(distances.collect::<UInt16Array>())),
    ])
}

/// The pairs of one of `a` and one of `b`, sorted.
fn between(a: Codes<'_>, b: Codes<'_>, k: u32, stop: &AtomicBool) -> Result<Vec<Pair>, Error> {
    let (found, mut pairs) = (Mutex::new(Vec::new()), Vec::new());
    at_width!(a => a, {
        let distinct = Distinct::stopped_by(a, stop)?;
        let join = StreamJoin::stopped_by(distinct.codes(), k, stop)?;
        let b = b.of_width().unwrap_or_default();
        join.chunk(b, 0, |pair| found.lock().unwrap_or_else(PoisonError::into_inner).push(pair))?;
        for near in found.into_inner().unwrap_or_else(PoisonError::into_inner) {
            if stop.load(Ordering::Relaxed) {
                return Err(Error::Interrupted);
            }
            let more = distinct.docs(near.query).len();
            let listed = (pairs.len() + more) as u64;
            let refused = |_| Error::PairMemory { pairs: listed };
            pairs.try_reserve(more).map_err(refused)?;
            let pair = |a| Pair { a, b: near.doc, distance: near.distance };
            pairs.extend(distinct.docs(near.query).map(pair));
        }
    });
    pairs.par_sort_unstable_by_key(|pair| (pair.a, pair.b));
    Ok(pairs)
}

/// The number of each row's group; -1 for a row that is near no other. Groups are numbered by their first
/// rows.
#[pyfunction]
#[pyo3(signature = (codes, k, threads=None))]
pub(crate) fn clusters<'py>(
    codes: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = radius)] k: u32,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let py = codes.py();
    let (codes, threads) = (codes_of(codes)?, pool::threads(threads)?);
    let labels =
        job::run_until(py, |stop| pool::install(threads, || connected(codes.codes(), k, stop)))?;
    let labels = labels?.map_err(|error| error::index(py, &error))?;
    Ok(PyArray1::from_vec(py, labels))
}

fn connected(codes: Codes<'_>, k: u32, stop: &AtomicBool) -> Result<Vec<i64>, Error> {
    // The root of each document's group, and how many documents each root has.
    let (root_of, sizes) = at_width!(codes => codes, {
        let distinct = Distinct::stopped_by(codes, stop)?;
        // 2^32 fingerprints take 34 GB before a group is looked for.
        let ranks = u32::try_from(distinct.len()).unwrap_or(u32::MAX);
        let groups = UnionFind::new(ranks);
        let join = SelfJoin::new(distinct.codes(), k)?.stopped_by(stop);
        let find = |rank: u64| u32::try_from(rank).map_or(rank, |rank| groups.find(rank).into());
        let unite = |pair: Pair| {
            if let (Ok(a), Ok(b)) = (u32::try_from(pair.a), u32::try_from(pair.b)) {
                groups.union(a, b);
            }
        };
        join.links(find, unite)?;
        let (mut root_of, mut sizes) = (vec![0_u32; codes.len()], vec![0_u32; distinct.len()]);
        for rank in 0..ranks {
            if rank.is_multiple_of(LOOK) && stop.load(Ordering::Relaxed) {
                return Err(Error::Interrupted);
            }
            let root = groups.find(rank);
            for doc in distinct.docs(rank.into()) {
                let own = usize::try_from(doc).ok().and_then(|doc| root_of.get_mut(doc));
                if let (Some(own), Some(size)) = (own, sizes.get_mut(root as usize)) {
                    *own = root;
                    *size = size.saturating_add(1);
                }
            }
        }
        (root_of, sizes)
    });
    let (mut numbers, mut next) = (vec![-1_i64; sizes.len()], 0);
    let mut label = |root: u32| {
        if sizes.get(root as usize).is_none_or(|size| *size < 2) {
            return -1;
        }
        let Some(number) = numbers.get_mut(root as usize) else { return -1 };
        if *number < 0 {
            (*number, next) = (next, next + 1);
        }
        *number
    };
    let mut labels = Vec::with_capacity(root_of.len());
    for roots in root_of.chunks(LOOK as usize) {
        if stop.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
        labels.extend(roots.iter().copied().map(&mut label));
    }
    Ok(labels)
}
