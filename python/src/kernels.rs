//! The parts of a search that an engine moves between machines: texts to entries, entries to links, links to shards.

use crate::asked::Asked;
use crate::error;
use crate::imported::chunks;
use crate::labels::labels_of;
use crate::recipe::Recipe;
use crate::table::Table;
use crate::text_column::TextColumn;
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array as _, ArrayRef, BinaryArray, Int32Array, Int64Array};
use arrow_schema::DataType;
use nearprint_dedup::Dedup;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::num::NonZeroU32;
use std::sync::Arc;

/// Texts that are handed over together.
const TOGETHER: usize = 4096;
/// Bytes of links in a row at most, whole pairs.
const LINKS: usize = 64 << 20;

/// Makes entries of texts. Use :func:`nearprint.kernels.route`.
#[pyclass(module = "nearprint")]
pub(crate) struct Router {
    router: nearprint_dedup::Router,
    /// The column of the labels within which documents are compared.
    within: Option<String>,
}

/// Finds links among entries. Use :func:`nearprint.kernels.link`.
#[pyclass(module = "nearprint")]
pub(crate) struct Linker(nearprint_dedup::Linker);

/// Joins links. Use :func:`nearprint.kernels.shards`.
#[pyclass(module = "nearprint")]
#[derive(Default)]
pub(crate) struct Components(nearprint_dedup::Components);

#[pymethods]
impl Router {
    #[new]
    #[pyo3(signature = (recipe, ranges, *, similarity=None, recall=None, width=None, verify=None, within=None))]
    #[expect(clippy::too_many_arguments, reason = "each is an argument in Python, by name")]
    fn new(
        py: Python<'_>,
        recipe: &Recipe,
        ranges: u32,
        similarity: Option<f64>,
        recall: Option<&str>,
        width: Option<u32>,
        verify: Option<&str>,
        within: Option<String>,
    ) -> PyResult<Self> {
        let ranges = NonZeroU32::new(ranges)
            .ok_or_else(|| PyValueError::new_err("ranges is 0: at least one is needed"))?;
        let asked = Asked { similarity, recall, k: None, width, verify, equal: None };
        let mut spec = asked.of(recipe)?;
        spec.labels.within = within.clone();
        let router = Dedup::from(spec).router(ranges).map_err(|error| error::dedup(py, &error))?;
        Ok(Self { router, within })
    }

    /// Takes the texts of a table, by their addresses.
    fn push(&mut self, data: &Bound<'_, PyAny>, text: &str, address: &str) -> PyResult<()> {
        let mut names = vec![("id", address)];
        names.extend(self.within.as_deref().map(|within| ("within", within)));
        let (texts, _, columns) = TextColumn::with_columns(data, Some(text), &names, true)?;
        let labels = columns
            .get(1)
            .map(|column| labels_of("within", column))
            .transpose()?
            .unwrap_or_default();
        let addresses = columns
            .first()
            .and_then(|column| column.as_primitive_opt::<Int64Type>())
            .filter(|column| column.null_count() == 0)
            .ok_or_else(|| PyTypeError::new_err("addresses are a column of int64 without nulls"))?;
        let own = &mut self.router;
        data.py().detach(|| {
            let all = addresses.values().iter().enumerate();
            let mut all = all.map(|(row, address)| {
                let label = labels.get(row).and_then(Option::as_deref);
                (address.cast_unsigned(), texts.text(row).unwrap_or_default(), label)
            });
            loop {
                let some: Vec<(u64, &str, Option<&str>)> = all.by_ref().take(TOGETHER).collect();
                if some.is_empty() {
                    break;
                }
                own.push(&some);
            }
        });
        Ok(())
    }

    /// Bytes of the entries that wait.
    #[getter]
    fn held(&self) -> usize {
        self.router.held_bytes()
    }

    /// The entries that wait: `range`, `documents`, `bytes`, `entries`.
    fn take(&mut self, py: Python<'_>) -> PyResult<Table> {
        let routed = py.detach(|| self.router.take());
        let count = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        let range = routed.iter().map(|one| one.range.cast_signed()).collect::<Int32Array>();
        let documents = routed.iter().map(|one| count(one.documents)).collect::<Int64Array>();
        let bytes = routed.iter().map(|one| count(one.bytes)).collect::<Int64Array>();
        let entries = BinaryArray::from_iter_values(routed.iter().map(|one| &one.entries));
        Table::of(vec![
            ("range", Arc::new(range) as ArrayRef),
            ("documents", Arc::new(documents)),
            ("bytes", Arc::new(bytes)),
            ("entries", Arc::new(entries)),
        ])
    }
}

#[pymethods]
impl Linker {
    #[new]
    #[pyo3(signature = (recipe, *, similarity=None, recall=None, width=None, verify=None, within=None))]
    fn new(
        py: Python<'_>,
        recipe: &Recipe,
        similarity: Option<f64>,
        recall: Option<&str>,
        width: Option<u32>,
        verify: Option<&str>,
        within: Option<String>,
    ) -> PyResult<Self> {
        let asked = Asked { similarity, recall, k: None, width, verify, equal: None };
        let mut spec = asked.of(recipe)?;
        spec.labels.within = within;
        Ok(Self(Dedup::from(spec).linker().map_err(|error| error::dedup(py, &error))?))
    }

    /// Takes all entries of a range, a column of bytes.
    fn push(&mut self, entries: &Bound<'_, PyAny>) -> PyResult<()> {
        let (py, chunks) = (entries.py(), binary(entries)?);
        let range: Vec<&[u8]> =
            chunks.iter().flat_map(|chunk| chunk.as_binary::<i32>().iter().flatten()).collect();
        py.detach(|| self.0.push(&range)).map_err(|error| error::dedup(py, &error))
    }

    /// The links, as rows of bytes.
    fn take<'py>(&mut self, py: Python<'py>) -> Vec<Bound<'py, PyBytes>> {
        let links = py.detach(|| self.0.take());
        links.chunks(LINKS).map(|some| PyBytes::new(py, some)).collect()
    }
}

#[pymethods]
impl Components {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Takes links, a column of bytes.
    fn push(&mut self, links: &Bound<'_, PyAny>) -> PyResult<()> {
        let (py, chunks) = (links.py(), binary(links)?);
        let taken = py.detach(|| {
            let mut rows =
                chunks.iter().flat_map(|chunk| chunk.as_binary::<i32>().iter().flatten());
            rows.try_for_each(|links| self.0.push(links))
        });
        taken.map_err(|error| error::dedup(py, &error))
    }

    /// The documents that have links, `address` and `shard`, with about so many documents a shard.
    fn shards(&mut self, py: Python<'_>, documents: usize) -> PyResult<Table> {
        let components = std::mem::take(&mut self.0);
        let shards = py.detach(|| components.shards(documents));
        let address = shards.iter().map(|(address, _)| address.cast_signed());
        let shard = shards.iter().map(|(_, shard)| shard.cast_signed());
        Table::of(vec![
            ("address", Arc::new(address.collect::<Int64Array>()) as ArrayRef),
            ("shard", Arc::new(shard.collect::<Int32Array>())),
        ])
    }

    /// The documents that have links, `address` and `component`, the least address of it.
    fn labels(&mut self, py: Python<'_>) -> PyResult<Table> {
        let components = std::mem::take(&mut self.0);
        let labels = py.detach(|| components.labels());
        let column = |of: fn(&(u64, u64)) -> u64| -> ArrayRef {
            Arc::new(labels.iter().map(|one| of(one).cast_signed()).collect::<Int64Array>())
        };
        Table::of(vec![("address", column(|one| one.0)), ("component", column(|one| one.1))])
    }
}

/// The arrays of a column of bytes.
fn binary(column: &Bound<'_, PyAny>) -> PyResult<Vec<ArrayRef>> {
    let chunks = chunks(column)?;
    match chunks.iter().find(|chunk| *chunk.data_type() != DataType::Binary) {
        Some(other) => {
            let found = other.data_type();
            Err(PyTypeError::new_err(format!("a column of binary is expected, not {found}")))
        }
        None => Ok(chunks),
    }
}
