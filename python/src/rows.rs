//! Rows as a caller holds them, in a temporary file over which a job runs; and what the job says of them.

use crate::error;
use crate::text_column::{TextColumn, is_text};
use anyhow::Context as _;
use arrow_array::{ArrayRef, Int64Array, LargeStringArray, RecordBatch};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{DataType, Field, Schema};
use nearprint_dedup::temporary_folder;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write as _};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;

/// The columns of the temporary file: the number of a row, and its text.
pub(crate) const ROW: &str = "(row)";
pub(crate) const TEXT: &str = "(text)";
/// Rows and bytes of text that are written together.
const ROWS: usize = 1 << 13;
const BYTES: usize = 1 << 20;

/// Rows as a caller holds them.
pub(crate) struct Rows {
    pub(crate) texts: TextColumn,
    /// The name of the column of texts.
    pub(crate) name: Option<String>,
    ids: Option<ArrayRef>,
    /// Other columns that the job reads.
    others: Vec<(String, ArrayRef)>,
}

/// A folder for the temporary files of a call.
pub(crate) fn folder(py: Python<'_>, work_dir: Option<&Path>) -> PyResult<TempDir> {
    let dir = temporary_folder(work_dir).map_err(|failure| error::dedup(py, &failure))?;
    TempDir::with_prefix_in("nearprint-rows-", &dir).map_err(|failure| {
        error::of_file(py, "IoError", format!("no folder for temporary files: {failure}"), &dir)
    })
}

/// A flag of the command that names a path.
pub(crate) fn named(flag: &str, path: &Path) -> OsString {
    let mut arg = OsString::from(flag);
    arg.push(path);
    arg
}

impl Rows {
    /// The rows of a table; what was `said` in conversations is texts too, where that is asked for.
    pub(crate) fn of(
        data: &Bound<'_, PyAny>,
        text: Option<&str>,
        id: Option<&str>,
        columns: &[(String, String)],
        said: bool,
    ) -> PyResult<Self> {
        let id = id.map(|id| ("id", id));
        let named = columns.iter().map(|(argument, name)| (argument.as_str(), name.as_str()));
        let others: Vec<_> = named.chain(id).collect();
        let (texts, name, mut others) = TextColumn::with_columns(data, text, &others, said)?;
        let ids = id.and_then(|_| others.pop());
        let names = columns.iter().map(|(_, name)| name.clone());
        Ok(Self { texts, name, ids, others: names.zip(others).collect() })
    }

    /// Refuses ids that cannot stand in one column with these.
    pub(crate) fn check_ids(&self, others: &Self) -> PyResult<()> {
        let (Some(ids), Some(others)) = (&self.ids, &others.ids) else { return Ok(()) };
        let (own, other) = (ids.data_type(), others.data_type());
        if own == other || is_text(own) && is_text(other) {
            return Ok(());
        }
        let problem = format!("ids of data are of type {own}, and those of against of {other}");
        Err(PyTypeError::new_err(problem))
    }

    /// Writes the rows, each with the number that it has there.
    pub(crate) fn write(&self, path: &Path, number: impl Fn(i64) -> i64) -> anyhow::Result<()> {
        let failed = || format!("cannot write {}", path.display());
        let mut fields = vec![
            Field::new(ROW, DataType::Int64, false),
            Field::new(TEXT, DataType::LargeUtf8, true),
        ];
        let others = self.others.iter();
        fields.extend(
            others.map(|(name, column)| Field::new(name, column.data_type().clone(), true)),
        );
        let schema = Arc::new(Schema::new(fields));
        let file = BufWriter::new(File::create(path).with_context(failed)?);
        let mut writer = FileWriter::try_new(file, &schema).with_context(failed)?;
        let mut start = 0;
        while start < self.texts.len() {
            let rows = self.together(start);
            let numbers = rows.clone().map(|row| number(counted(row)));
            let mut columns: Vec<ArrayRef> = vec![
                Arc::new(Int64Array::from_iter_values(numbers)),
                Arc::new(LargeStringArray::from_iter(rows.clone().map(|row| self.texts.text(row)))),
            ];
            let others = self.others.iter();
            columns.extend(others.map(|(_, column)| column.slice(start, rows.len())));
            start = rows.end;
            writer
                .write(&RecordBatch::try_new(Arc::clone(&schema), columns)?)
                .with_context(failed)?;
        }
        writer.finish().with_context(failed)
    }

    /// Writes the rows as lines of JSON, of which a sample can be read from all over the file.
    pub(crate) fn write_lines(&self, path: &Path) -> anyhow::Result<()> {
        #[derive(Serialize)]
        struct Line<'a> {
            #[serde(rename = "(row)")]
            row: usize,
            #[serde(rename = "(text)")]
            text: Option<&'a str>,
        }
        let failed = || format!("cannot write {}", path.display());
        let mut file = BufWriter::new(File::create(path).with_context(failed)?);
        for row in 0..self.texts.len() {
            serde_json::to_writer(&mut file, &Line { row, text: self.texts.text(row) })
                .with_context(failed)?;
            file.write_all(b"\n").with_context(failed)?;
        }
        file.flush().with_context(failed)
    }

    /// Rows from one on that are written together.
    fn together(&self, start: usize) -> Range<usize> {
        let (mut end, mut bytes) = (start, 0);
        while end < self.texts.len() && end - start < ROWS && bytes < BYTES {
            bytes += self.texts.text(end).map_or(0, str::len);
            end += 1;
        }
        start..end
    }

    /// The ids of some rows, of which some are none.
    pub(crate) fn ids_of(&self, rows: &[Option<i64>]) -> PyResult<Option<ArrayRef>> {
        let Some(ids) = &self.ids else { return Ok(None) };
        let rows: Int64Array = rows.iter().copied().collect();
        let taken = arrow_select::take::take(ids, &rows, None);
        taken.map(Some).map_err(|error| PyTypeError::new_err(error.to_string()))
    }
}

/// The lines of a report.
pub(crate) fn lines<T: DeserializeOwned>(path: &Path) -> anyhow::Result<Vec<T>> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    BufReader::new(file).lines().map(|line| Ok(serde_json::from_str(&line?)?)).collect()
}

/// A row as Arrow and NumPy count.
pub(crate) fn counted(row: usize) -> i64 {
    i64::try_from(row).unwrap_or(i64::MAX)
}

/// A column of numbers, of which some may be missing.
pub(crate) fn numbers(numbers: impl Iterator<Item = Option<i64>>) -> ArrayRef {
    Arc::new(numbers.collect::<Int64Array>())
}
