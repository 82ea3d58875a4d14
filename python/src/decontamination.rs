//! The items of eval sets that stand in the texts of a table, and the texts without them.
//!
//! The rows go to a temporary file, over which the job of `nearprint decontaminate` runs: so it finds what the command
//! finds.

use crate::array::Array;
use crate::command::with_threads;
use crate::dedup::told;
use crate::error;
use crate::imported::{chunks, has_arrow};
use crate::job;
use crate::recipe::{Recipe, of_texts};
use crate::rows::{ROW, Rows, TEXT, counted, folder, lines, named, numbers};
use crate::table::Table;
use anyhow::Context as _;
use arrow_array::cast::AsArray;
use arrow_array::{
    Array as _, ArrayRef, BooleanArray, Float64Array, LargeStringArray, RecordBatch, StringArray,
};
use arrow_ipc::writer::StreamWriter;
use nearprint_cli::Decontaminate;
use nearprint_corpus::Source;
use nearprint_dedup::{
    ContaminationRule, ContaminationSummary, NamedSet, Progress, ShownFinding, Verdict,
};
use numpy::PyArray1;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What was found among texts. A text goes by its row.
#[pyclass(frozen, module = "nearprint")]
pub(crate) struct FoundContamination {
    asked: Asked,
    leaks: Vec<Leak>,
    items: Vec<Item>,
    /// The rows that are contaminated.
    contaminated: HashSet<usize>,
    /// Where texts are cut, what is left of each that was; where they are noted, the note of each.
    changed: HashMap<usize, String>,
    summary: ContaminationSummary,
}

/// What a call was given: also what a self-test needs.
struct Asked {
    data: Rows,
    evals: Vec<Eval>,
    recipe: nearprint_fingerprint::Recipe,
    args: Vec<OsString>,
    work_dir: Option<PathBuf>,
}

/// Eval sets as a caller gives them: files, which need no name, or rows.
struct Eval {
    name: Option<String>,
    given: Given,
}

enum Given {
    Files(Vec<String>),
    /// Lines of JSON.
    Lines(Vec<u8>),
    Table(Vec<RecordBatch>),
}

/// A row of `--removed`.
#[derive(Deserialize)]
struct Leak {
    id: i64,
    item: Value,
    eval: String,
    #[serde(default)]
    equal: i64,
    share: f64,
    bits: f64,
    of_bits: f64,
    answers: i64,
    of_answers: i64,
    verdict: Verdict,
    start: i64,
    end: i64,
    text: String,
    removed: bool,
}

/// A row of `--items`.
#[derive(Deserialize)]
struct Item {
    item: Value,
    eval: String,
    documents: i64,
    best_share: f64,
    best_id: Option<i64>,
    of_bits: f64,
    verdict: Verdict,
}

/// A row of the corpus that was written.
#[derive(Deserialize)]
struct Written {
    #[serde(rename = "(row)")]
    row: usize,
    #[serde(rename = "(text)")]
    text: Option<String>,
    nearprint: Option<Note>,
}

#[derive(Deserialize)]
struct Note {
    contamination: Box<RawValue>,
}

/// Looks for the items of eval sets in texts. `args` are arguments of the command, `action` those that say what becomes of
/// rows; `evals` are the sets, each with its name if it has one: paths in a list, rows as lines of JSON, or a table.
/// `progress` is called as by `dedup`.
#[pyfunction]
#[pyo3(signature = (data, recipe, args, action, evals, *, text=None, id=None, work_dir=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "each is an argument in Python, by name")]
pub(crate) fn decontaminate(
    data: &Bound<'_, PyAny>,
    recipe: &Recipe,
    args: Vec<OsString>,
    action: Vec<OsString>,
    evals: Vec<(Option<String>, Bound<'_, PyAny>)>,
    text: Option<&str>,
    id: Option<&str>,
    work_dir: Option<PathBuf>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<FoundContamination> {
    let own = recipe.at(None, None)?;
    of_texts(&own)?;
    // What is left of a conversation is none.
    let said = !action.iter().any(|arg| arg == "--action=cut");
    let asked = Asked {
        data: Rows::of(data, text, id, &[], said)?,
        evals: evals.into_iter().map(Eval::of).collect::<PyResult<_>>()?,
        recipe: own,
        args: with_threads(args)?,
        work_dir,
    };
    asked.find(data.py(), action, progress)
}

impl Eval {
    fn of((name, given): (Option<String>, Bound<'_, PyAny>)) -> PyResult<Self> {
        let given = if given.is_instance_of::<PyList>() {
            Given::Files(given.extract()?)
        } else if let Ok(lines) = given.cast::<PyBytes>() {
            Given::Lines(lines.as_bytes().to_vec())
        } else if has_arrow(&given)? {
            Given::Table(chunks(&given)?.iter().map(table).collect::<PyResult<_>>()?)
        } else {
            let kind = given.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "an eval set is a path, a list of paths, a table or a list of dicts, not {kind}"
            )));
        };
        Ok(Self { name, given })
    }

    /// The set, whose rows go to a file in a folder.
    fn named(&self, folder: &Path, number: usize) -> anyhow::Result<Option<NamedSet>> {
        let Some(name) = &self.name else { return Ok(None) };
        let mut set = NamedSet { name: name.clone(), ..NamedSet::default() };
        let path = folder.join(format!("eval-{number}"));
        match &self.given {
            Given::Files(files) => set.files.clone_from(files),
            Given::Lines(lines) => {
                let path = path.with_extension("jsonl");
                fs::write(&path, lines).with_context(|| failed(&path))?;
                set.sources.push(source(&path)?.called(name));
            }
            Given::Table(batches) => {
                let path = path.with_extension("arrow");
                write(batches, &path).with_context(|| failed(&path))?;
                set.sources.push(source(&path)?.called(name));
            }
        }
        Ok(Some(set))
    }
}

/// A table of a chunk that was handed over.
fn table(chunk: &ArrayRef) -> PyResult<RecordBatch> {
    let Some(rows) = chunk.as_struct_opt() else {
        return Err(PyTypeError::new_err(
            "an eval set is a table with a column of questions, and this is one column",
        ));
    };
    match rows.null_count() {
        0 => Ok(RecordBatch::from(rows.clone())),
        _ => Err(PyValueError::new_err("a row of the eval set is missing (null): leave it out")),
    }
}

/// Writes a table. Of a stream dictionaries may differ from batch to batch.
fn write(batches: &[RecordBatch], path: &Path) -> anyhow::Result<()> {
    let Some(first) = batches.first() else { return Ok(()) };
    let mut writer = StreamWriter::try_new(BufWriter::new(File::create(path)?), &first.schema())?;
    batches.iter().try_for_each(|batch| writer.write(batch))?;
    Ok(writer.finish()?)
}

fn failed(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

fn source(path: &Path) -> anyhow::Result<Source> {
    let mut found = nearprint_corpus::discover(&[path.display().to_string()], None)?;
    Ok(found.remove(0))
}

impl Asked {
    fn find(
        self,
        py: Python<'_>,
        mut flags: Vec<OsString>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<FoundContamination> {
        let folder = folder(py, self.work_dir.as_deref())?;
        let path = |name: &str| folder.path().join(name);
        let (removed, items, written) =
            (path("removed.jsonl"), path("items.jsonl"), path("written.jsonl"));
        let is_written = ["--action=cut", "--action=annotate"];
        let is_written = flags.iter().any(|flag| is_written.iter().any(|action| flag == action));
        flags.extend([named("--removed=", &removed), named("--items=", &items)]);
        if is_written {
            flags.push(named("--output=", &written));
        }
        let (summary, leaks, items, contaminated, changed) =
            self.run(py, folder.path(), flags, progress, |job, sets, counters| {
                let (summary, _) = job.run(Some(self.recipe.clone()), sets, counters)?;
                let leaks: Vec<Leak> = lines(&removed)?;
                let rule = ContaminationRule {
                    common: summary.common_text == "flag",
                    ..Default::default()
                };
                let contaminated = leaks.iter().filter(|leak| rule.removes(leak.verdict));
                let contaminated = contaminated
                    .map(|leak| Ok(usize::try_from(leak.id)?))
                    .collect::<anyhow::Result<HashSet<usize>>>()?;
                let changed = match is_written {
                    true => changed(&written, &contaminated)?,
                    false => HashMap::new(),
                };
                Ok((summary, leaks, lines(&items)?, contaminated, changed))
            })?;
        Ok(FoundContamination { asked: self, leaks, items, contaminated, changed, summary })
    }

    /// Does a job over the rows.
    fn run<T: Send>(
        &self,
        py: Python<'_>,
        folder: &Path,
        flags: Vec<OsString>,
        progress: Option<&Bound<'_, PyAny>>,
        work: impl FnOnce(&Decontaminate, Vec<NamedSet>, &Arc<Progress>) -> anyhow::Result<T> + Send,
    ) -> PyResult<T> {
        let data = folder.join("data.jsonl");
        let mut args = [self.args.as_slice(), &flags].concat();
        args.extend(self.work_dir.as_ref().map(|_| named("--work-dir=", folder)));
        for eval in self.evals.iter().filter(|eval| eval.name.is_none()) {
            if let Given::Files(files) = &eval.given {
                args.extend(files.iter().map(|file| named("--against=", Path::new(file))));
            }
        }
        args.push(format!("--id-field={ROW}").into());
        args.push(format!("--text-field={TEXT}").into());
        args.push("--".into());
        args.push(data.clone().into());
        let parsed = Decontaminate::parse(args);
        let asked = parsed.map_err(|refusal| error::command(py, &refusal))?.of_utf_8();
        let counters = Arc::new(Progress::default());
        let tell = || told(progress, &counters, None);
        let done = job::run(
            py,
            || counters.cancel(),
            tell,
            || -> anyhow::Result<T> {
                self.data.write_lines(&data)?;
                let sets = (0..).zip(&self.evals).map(|(number, eval)| eval.named(folder, number));
                let sets: Vec<Option<NamedSet>> = sets.collect::<anyhow::Result<_>>()?;
                work(&asked, sets.into_iter().flatten().collect(), &counters)
            },
        )?;
        let of_rows = |said: String| said.replace(&data.display().to_string(), "the data");
        done.map_err(|refusal| error::command_over_rows(py, &refusal, of_rows))
    }
}

/// What was written of some rows: the note of each where they have notes, else the text of those that were cut.
fn changed(path: &Path, cut: &HashSet<usize>) -> anyhow::Result<HashMap<usize, String>> {
    let mut changed = HashMap::new();
    for Written { row, text, nearprint } in lines(path)? {
        match (nearprint, text) {
            (Some(note), _) => {
                changed.insert(row, note.contamination.get().to_owned());
            }
            (None, Some(text)) if cut.contains(&row) => {
                changed.insert(row, text);
            }
            (None, _) => {}
        }
    }
    Ok(changed)
}

/// An id, which is JSON, as text.
fn text_of(id: &Value) -> String {
    id.as_str().map_or_else(|| id.to_string(), str::to_owned)
}

/// A column of texts.
fn texts<T: AsRef<str>>(texts: impl Iterator<Item = T>) -> ArrayRef {
    Arc::new(texts.map(Some).collect::<LargeStringArray>())
}

fn floats(numbers: impl Iterator<Item = f64>) -> ArrayRef {
    Arc::new(Float64Array::from_iter_values(numbers))
}

fn verdicts(verdicts: impl Iterator<Item = Verdict>) -> ArrayRef {
    Arc::new(StringArray::from_iter_values(verdicts.map(Verdict::name)))
}

impl FoundContamination {
    /// The kept rows, ascending.
    fn left(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        (0..self.asked.data.texts.len()).filter(|row| !self.contaminated.contains(row))
    }

    /// Columns that name rows: their ids where these were given, and their numbers.
    fn named(
        &self,
        [id, row]: [&'static str; 2],
        rows: &[Option<i64>],
    ) -> PyResult<Vec<(&'static str, ArrayRef)>> {
        let ids = self.asked.data.ids_of(rows)?.map(|ids| (id, ids));
        Ok(ids.into_iter().chain([(row, numbers(rows.iter().copied()))]).collect())
    }

    /// The places of a self-test that are nearest to an item.
    fn nearest(&self, places: &[ShownFinding]) -> PyResult<Table> {
        let rows: Vec<_> = places.iter().map(|place| place.id.parse::<i64>().ok()).collect();
        let mut columns = self.named(["id", "row"], &rows)?;
        let text = |of: fn(&ShownFinding) -> &String| texts(places.iter().map(of));
        let float = |of: fn(&ShownFinding) -> f32| floats(places.iter().map(|it| of(it).into()));
        columns.extend([
            ("item", text(|it| &it.item)),
            ("eval", text(|it| &it.eval)),
            ("share", float(|it| it.share)),
            ("bits", float(|it| it.bits)),
            ("verdict", verdicts(places.iter().map(|it| it.verdict))),
            ("question", text(|it| &it.question)),
            ("text", text(|it| &it.text)),
        ]);
        Table::of(columns)
    }
}

#[pymethods]
impl FoundContamination {
    fn __len__(&self) -> usize {
        self.asked.data.texts.len()
    }

    /// The name of the column of texts; ``None`` where they are no column of a table.
    #[getter]
    fn name(&self) -> Option<&str> {
        self.asked.data.name.as_deref()
    }

    /// The kept rows, ascending.
    #[getter]
    fn kept<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_iter(py, self.left().map(counted))
    }

    /// For each row whether it stays.
    #[getter]
    fn mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        PyArray1::from_iter(py, (0..self.__len__()).map(|row| !self.contaminated.contains(&row)))
    }

    /// The texts of all rows, without what was cut of them.
    #[getter]
    fn texts(&self) -> Array {
        let text = |row| match self.changed.get(&row) {
            Some(text) => Some(text.as_str()),
            None => self.asked.data.texts.text(row),
        };
        Array(Arc::new((0..self.__len__()).map(text).collect::<LargeStringArray>()))
    }

    /// The notes of all rows, as JSON.
    #[getter]
    fn notes(&self) -> Array {
        let note = |row| self.changed.get(&row).map(String::as_str);
        Array(Arc::new((0..self.__len__()).map(note).collect::<LargeStringArray>()))
    }

    /// Everything that was found, with the evidence.
    #[getter]
    fn removed(&self) -> PyResult<Table> {
        let leaks = &self.leaks;
        let of = |value: fn(&Leak) -> i64| numbers(leaks.iter().map(|leak| Some(value(leak))));
        let float = |value: fn(&Leak) -> f64| floats(leaks.iter().map(value));
        let rows: Vec<_> = leaks.iter().map(|leak| Some(leak.id)).collect();
        let mut columns = self.named(["id", "row"], &rows)?;
        let removed = leaks.iter().map(|leak| Some(leak.removed));
        columns.extend([
            ("item", texts(leaks.iter().map(|leak| text_of(&leak.item)))),
            ("eval", texts(leaks.iter().map(|leak| &leak.eval))),
            ("equal", of(|leak| leak.equal)),
            ("share", float(|leak| leak.share)),
            ("bits", float(|leak| leak.bits)),
            ("of_bits", float(|leak| leak.of_bits)),
            ("answers", of(|leak| leak.answers)),
            ("of_answers", of(|leak| leak.of_answers)),
            ("verdict", verdicts(leaks.iter().map(|leak| leak.verdict))),
            ("start", of(|leak| leak.start)),
            ("end", of(|leak| leak.end)),
            ("text", texts(leaks.iter().map(|leak| &leak.text))),
            ("removed", Arc::new(removed.collect::<BooleanArray>())),
        ]);
        Table::of(columns)
    }

    /// Every item with what is known of it.
    #[getter]
    fn items(&self) -> PyResult<Table> {
        let items = &self.items;
        let best: Vec<_> = items.iter().map(|item| item.best_id).collect();
        let mut columns = vec![
            ("item", texts(items.iter().map(|item| text_of(&item.item)))),
            ("eval", texts(items.iter().map(|item| &item.eval))),
            ("documents", numbers(items.iter().map(|item| Some(item.documents)))),
            ("best_share", floats(items.iter().map(|item| item.best_share))),
        ];
        columns.extend(self.named(["best_id", "best"], &best)?);
        columns.push(("of_bits", floats(items.iter().map(|item| item.of_bits))));
        columns.push(("verdict", verdicts(items.iter().map(|item| item.verdict))));
        Table::of(columns)
    }

    /// The figures, as JSON.
    #[getter]
    fn summary(&self) -> String {
        self.summary.to_json()
    }

    /// Puts so many items into rows, in memory, and looks for them: the figures as JSON, what the command prints of them, and
    /// the places of untouched rows that are nearest to an item.
    #[pyo3(signature = (items, progress=None))]
    fn self_test(
        &self,
        py: Python<'_>,
        items: u32,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(String, String, Table)> {
        let asked = &self.asked;
        let folder = folder(py, asked.work_dir.as_deref())?;
        let flags = vec![format!("--self-test={items}").into()];
        let (tested, told) =
            asked.run(py, folder.path(), flags, progress, |job, sets, counters| {
                job.self_test(Some(asked.recipe.clone()), sets, counters)
            })?;
        Ok((tested.to_json(), told, self.nearest(&tested.highest)?))
    }
}
