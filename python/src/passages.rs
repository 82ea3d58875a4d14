//! What repeats inside the texts of a table, and the texts without it.
//!
//! The rows go to a temporary file, over which the job of `nearprint passages` runs: so it cuts what the command cuts,
//! and takes no more memory than the command.

use crate::array::Array;
use crate::command::with_threads;
use crate::dedup::told;
use crate::dict_rows::is_dicts;
use crate::error;
use crate::imported::has_arrow;
use crate::job;
use crate::recipe::{Recipe, of_texts};
use crate::rows::{ROW, Rows, TEXT, counted, folder, lines, named, numbers};
use crate::table::Table;
use crate::text_column::{is_text, text_at};
use anyhow::Context as _;
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array as _, ArrayRef, Float32Array, Int64Array, LargeStringArray, StringArray};
use arrow_ipc::reader::FileReader;
use nearprint_cli::Passages;
use nearprint_dedup::{PassagesSummary, Progress};
use numpy::PyArray1;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use serde::Deserialize;
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What was found among texts. A text goes by its row.
#[pyclass(frozen, module = "nearprint")]
pub(crate) struct FoundPassages {
    data: Rows,
    against: Option<Rows>,
    /// The rows that were cut, with what is left of each, and those that went as a whole.
    changed: HashMap<usize, String>,
    gone: HashSet<usize>,
    cuts: Vec<Cut>,
    passages: Vec<Passage>,
    /// Whether a copy stays of what goes.
    is_kept: bool,
    is_near: bool,
    summary: PassagesSummary,
}

/// A place in a row. Rows that are there to be compared with only count down from -1.
#[derive(Clone, Copy, Deserialize)]
struct Place {
    id: i64,
    start: i64,
    end: i64,
}

/// A row of `--removed`.
#[derive(Deserialize)]
struct Cut {
    #[serde(flatten)]
    place: Place,
    tokens: i64,
    #[serde(alias = "near")]
    kept: Option<Place>,
    copies: Option<i64>,
    documents: Option<i64>,
    similarity: Option<f32>,
    measure: Option<String>,
    left: Option<i64>,
}

/// A row of `--passages`.
#[derive(Deserialize)]
struct Passage {
    text: String,
    tokens: i64,
    copies: i64,
    documents: i64,
    sources: i64,
    first: Place,
}

/// Finds what repeats inside texts. `args` are arguments of the command; `columns` are those that it reads, each behind the
/// argument that names it. `progress` is called as by `dedup`.
#[pyfunction]
#[pyo3(signature = (data, recipe, args, columns, *, text=None, id=None, against=None, work_dir=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "each is an argument in Python, by name")]
pub(crate) fn passages(
    data: &Bound<'_, PyAny>,
    recipe: &Recipe,
    args: Vec<OsString>,
    columns: Vec<(String, String)>,
    text: Option<&str>,
    id: Option<&str>,
    against: Option<&Bound<'_, PyAny>>,
    work_dir: Option<PathBuf>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<FoundPassages> {
    let py = data.py();
    let own = recipe.at(None, None)?;
    of_texts(&own)?;
    let folder = folder(py, work_dir.as_deref())?;
    let files = Files::of(folder.path(), against.is_some());
    let is_near = args.iter().any(|arg| arg.to_string_lossy().starts_with("--similarity="));
    let kept_in = work_dir.map(|_| folder.path());
    let args = with_threads([args, files.args(kept_in, !is_near)].concat())?;
    let asked = Passages::parse(args).map_err(|refusal| error::command(py, &refusal))?;
    let data = Rows::of(data, text, id, &columns, false)?;
    let against = against.map(|against| match has_arrow(against)? || is_dicts(against) {
        true => Rows::of(against, text, id, &columns, false),
        false => Rows::of(against, None, None, &[], false),
    });
    let against = against.transpose().inspect_err(|error| error::tell_against(error, py))?;
    if let Some(rows) = &against {
        data.check_ids(rows)?;
    }
    let counters = Arc::new(Progress::default());
    let tell = || told(progress, &counters, None);
    let done = job::run(
        py,
        || counters.cancel(),
        tell,
        || -> anyhow::Result<_> {
            data.write(&files.data, |row| row)?;
            if let (Some(rows), Some(path)) = (&against, &files.against) {
                rows.write(path, |row| -1 - row)?;
            }
            let summary = asked.run(Some(own), &counters)?;
            let cuts: Vec<Cut> = lines(&files.removed)?;
            let passages = if is_near { Vec::new() } else { lines(&files.passages)? };
            let (mut of_cuts, mut gone) = (HashSet::new(), HashSet::new());
            for cut in &cuts {
                let rows = if cut.left.is_some() { &mut gone } else { &mut of_cuts };
                rows.insert(usize::try_from(cut.place.id)?);
            }
            of_cuts.retain(|row| !gone.contains(row));
            let changed = texts_of(&files.cut, &of_cuts)?;
            Ok((summary, cuts, passages, changed, gone))
        },
    )?;
    let of_rows = |said: String| files.as_rows(&said);
    let (summary, cuts, passages, changed, gone) =
        done.map_err(|refusal| error::command_over_rows(py, &refusal, of_rows))?;
    let is_kept = summary.keep != "none";
    Ok(FoundPassages { data, against, changed, gone, cuts, passages, is_kept, is_near, summary })
}

/// A table with other texts in a column.
#[pyfunction]
pub(crate) fn with_texts(table: &Table, name: &str, texts: &Array) -> PyResult<Table> {
    table.with_column(name, &texts.0)
}

/// The temporary files of a call.
struct Files {
    data: PathBuf,
    against: Option<PathBuf>,
    cut: PathBuf,
    removed: PathBuf,
    passages: PathBuf,
}

impl Files {
    fn of(folder: &Path, against: bool) -> Self {
        Self {
            data: folder.join("data.arrow"),
            against: against.then(|| folder.join("against.arrow")),
            cut: folder.join("cut.arrow"),
            removed: folder.join("removed.jsonl"),
            passages: folder.join("passages.jsonl"),
        }
    }

    /// The arguments that name them.
    fn args(&self, work_dir: Option<&Path>, lists_passages: bool) -> Vec<OsString> {
        let mut args = vec![
            format!("--id-field={ROW}").into(),
            format!("--text-field={TEXT}").into(),
            named("--output=", &self.cut),
            named("--removed=", &self.removed),
        ];
        args.extend(work_dir.map(|folder| named("--work-dir=", folder)));
        args.extend(lists_passages.then(|| named("--passages=", &self.passages)));
        args.extend(self.against.as_deref().map(|path| named("--against=", path)));
        args.push(OsString::from("--"));
        args.push(self.data.clone().into());
        args
    }

    /// A message that names the caller's rows in place of these files.
    fn as_rows(&self, message: &str) -> String {
        let said = |message: String, path: &Path, name: &str| {
            message.replace(&path.display().to_string(), name)
        };
        let message = said(message.to_owned(), &self.data, "the data");
        match &self.against {
            Some(path) => said(message, path, "against"),
            None => message,
        }
    }
}

/// The texts of some rows of the file that was written.
fn texts_of(path: &Path, rows: &HashSet<usize>) -> anyhow::Result<HashMap<usize, String>> {
    let mut texts = HashMap::with_capacity(rows.len());
    if rows.is_empty() {
        return Ok(texts);
    }
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    for batch in FileReader::try_new(BufReader::new(file), None)? {
        let batch = batch?;
        let column = |name| batch.column_by_name(name).context("a column was not written");
        let (numbers, text) = (column(ROW)?, column(TEXT)?);
        let (numbers, text) = (numbers.as_primitive::<Int64Type>(), text.as_string::<i64>());
        for (at, number) in numbers.values().iter().enumerate() {
            let row = usize::try_from(*number)?;
            if rows.contains(&row) {
                texts.insert(row, text.value(at).to_owned());
            }
        }
    }
    Ok(texts)
}

impl FoundPassages {
    /// The rows that are left, ascending.
    fn left(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        (0..self.data.texts.len()).filter(|row| !self.gone.contains(row))
    }

    /// Columns that name rows: their ids where these were given, the row, and of `against` the row there.
    fn named(
        &self,
        ids: &'static str,
        rows: &'static str,
        of_against: &'static str,
        places: &[Option<Place>],
    ) -> PyResult<Vec<(&'static str, ArrayRef)>> {
        let own = |place: &Option<Place>| place.map(|place| place.id).filter(|row| *row >= 0);
        let other = |place: &Option<Place>| place.filter(|place| place.id < 0).map(|it| -1 - it.id);
        let own: Vec<_> = places.iter().map(own).collect();
        let other: Vec<_> = places.iter().map(other).collect();
        let mut columns = Vec::new();
        if let Some(of_own) = self.data.ids_of(&own)? {
            let of_other = self.against.as_ref().map(|rows| rows.ids_of(&other)).transpose()?;
            columns.push((
                ids,
                match of_other.flatten() {
                    None => of_own,
                    Some(of_other) => first_of(&of_own, &of_other)?,
                },
            ));
        }
        columns.push((rows, Arc::new(own.into_iter().collect::<Int64Array>())));
        if self.against.is_some() {
            columns.push((of_against, Arc::new(other.into_iter().collect::<Int64Array>())));
        }
        Ok(columns)
    }
}

/// Of each row the first of two values that is not null; texts of whatever types they are.
fn first_of(first: &ArrayRef, second: &ArrayRef) -> PyResult<ArrayRef> {
    let (first_kind, second_kind) = (first.data_type(), second.data_type());
    if first_kind != second_kind && is_text(first_kind) && is_text(second_kind) {
        let text = |row| text_at(first, row).or_else(|| text_at(second, row));
        return Ok(Arc::new((0..first.len()).map(text).collect::<LargeStringArray>()));
    }
    let from = |row| (usize::from(first.is_null(row)), row);
    let places: Vec<_> = (0..first.len()).map(from).collect();
    arrow_select::interleave::interleave(&[first.as_ref(), second.as_ref()], &places)
        .map_err(|error| PyTypeError::new_err(error.to_string()))
}

#[pymethods]
impl FoundPassages {
    fn __len__(&self) -> usize {
        self.data.texts.len()
    }

    /// The name of the column of texts; ``None`` where they are no column of a table.
    #[getter]
    fn name(&self) -> Option<&str> {
        self.data.name.as_deref()
    }

    /// The rows that are left, ascending.
    #[getter]
    fn kept<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_iter(py, self.left().map(counted))
    }

    /// For each row whether it is left.
    #[getter]
    fn mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        PyArray1::from_iter(py, (0..self.__len__()).map(|row| !self.gone.contains(&row)))
    }

    /// The texts of the rows that are left.
    #[getter]
    fn texts(&self) -> Array {
        let text = |row| match self.changed.get(&row) {
            Some(text) => Some(text.as_str()),
            None => self.data.texts.text(row),
        };
        Array(Arc::new(self.left().map(text).collect::<LargeStringArray>()))
    }

    /// What was cut, and where it stays.
    #[getter]
    fn cuts(&self) -> PyResult<Table> {
        let cuts = &self.cuts;
        let of = |value: fn(&Cut) -> Option<i64>| numbers(cuts.iter().map(value));
        let own: Vec<_> = cuts.iter().map(|cut| Some(cut.place)).collect();
        let kept: Vec<_> = cuts.iter().map(|cut| cut.kept).collect();
        let mut columns = self.named("id", "row", "against", &own)?;
        columns.retain(|(name, _)| *name != "against");
        columns.push(("start", of(|cut| Some(cut.place.start))));
        columns.push(("end", of(|cut| Some(cut.place.end))));
        columns.push(("tokens", of(|cut| Some(cut.tokens))));
        let [ids, rows, of_against, start, end] = match self.is_kept {
            true => ["kept_id", "kept", "kept_against", "kept_start", "kept_end"],
            false => ["near_id", "near", "near_against", "near_start", "near_end"],
        };
        columns.extend(self.named(ids, rows, of_against, &kept)?);
        columns.push((start, of(|cut| cut.kept.map(|kept| kept.start))));
        columns.push((end, of(|cut| cut.kept.map(|kept| kept.end))));
        columns.push(("copies", of(|cut| cut.copies)));
        if self.is_near {
            let similarity = cuts.iter().map(|cut| cut.similarity);
            columns.push(("similarity", Arc::new(similarity.collect::<Float32Array>())));
            let measure = cuts.iter().map(|cut| cut.measure.as_deref());
            columns.push(("measure", Arc::new(measure.collect::<StringArray>())));
        } else {
            columns.push(("documents", of(|cut| cut.documents)));
        }
        columns.push(("left", of(|cut| cut.left)));
        Table::of(columns)
    }

    /// Each passage that repeats once, those first that do so most; ``None`` where near-duplicates were looked for.
    #[getter]
    fn passages(&self) -> PyResult<Option<Table>> {
        if self.is_near {
            return Ok(None);
        }
        let passages = &self.passages;
        let of = |value: fn(&Passage) -> i64| numbers(passages.iter().map(|it| Some(value(it))));
        let first: Vec<_> = passages.iter().map(|it| Some(it.first)).collect();
        let texts = passages.iter().map(|it| Some(it.text.as_str()));
        let mut columns: Vec<(&str, ArrayRef)> = vec![
            ("text", Arc::new(texts.collect::<LargeStringArray>())),
            ("tokens", of(|it| it.tokens)),
            ("copies", of(|it| it.copies)),
            ("documents", of(|it| it.documents)),
            ("sources", of(|it| it.sources)),
        ];
        columns.extend(self.named("first_id", "first", "first_against", &first)?);
        columns.push(("first_start", of(|it| it.first.start)));
        columns.push(("first_end", of(|it| it.first.end)));
        Table::of(columns).map(Some)
    }

    /// The figures, as JSON.
    #[getter]
    fn summary(&self) -> String {
        self.summary.to_json()
    }
}
