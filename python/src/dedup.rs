//! Near-duplicates among texts in memory.

use crate::asked::{Asked, keep_in_order, named};
use crate::error;
use crate::job;
use crate::labels::labels_of;
use crate::pool;
use crate::radius::radius_or_none;
use crate::recipe::Recipe;
use crate::table::Table;
use crate::text_column::TextColumn;
use arrow_array::{ArrayRef, Float32Array, Int64Array, StringArray, UInt16Array, UInt64Array};
use nearprint_dedup::{
    ClusterRule, Dedup, Evidence, Featureless, KeepRule, LabelSpec, Match, Progress, Stage,
    TextLabels, source_name,
};
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// What was found among texts. A text goes by its row.
#[pyclass(frozen, module = "nearprint")]
pub(crate) struct Found {
    found: nearprint_dedup::Found,
    column: TextColumn,
    /// Texts that others are only compared with, in front of these.
    against: Option<TextColumn>,
    /// The row at each place, where texts are not in the order of their rows.
    order: Option<Vec<usize>>,
    /// The ids of the rows, and behind them those of the texts that others are only compared with, where these have some.
    ids: Option<ArrayRef>,
    /// What copies are counted by.
    count_by: Option<Vec<Option<String>>>,
    pairs: Option<Vec<Match<usize>>>,
}

/// Where a text stands that a job knows by its position.
#[derive(Clone, Copy)]
enum Place {
    Row(usize),
    Against(usize),
}

/// Finds the near-duplicates among texts. `progress` is called with a stage, what is done, what there is to do
/// (0 where nobody knows), and the documents done. The figures have `text_field` as the field of the texts, or else the column
/// that is found, and `keep_by`, columns of which the least or the greatest value decides, as the rule that `order` follows.
#[pyfunction]
#[pyo3(signature = (data, recipe, *, text=None, id=None, similarity=None, recall=None, k=None, width=None,
    verify=None, equal=None, keep=None, cluster_rule=None, threads=None, progress=None, pairs=false, fold_equal=false,
    reference=0, within=None, across=None, count_by=None, collapse=false, against=None, against_text=None, order=None, keep_by=None,
    text_field=None))]
#[expect(clippy::too_many_arguments, reason = "each is an argument in Python, by name")]
pub(crate) fn dedup(
    data: &Bound<'_, PyAny>,
    recipe: &Recipe,
    text: Option<&str>,
    id: Option<&str>,
    similarity: Option<f64>,
    recall: Option<&str>,
    #[pyo3(from_py_with = radius_or_none)] k: Option<u32>,
    width: Option<u32>,
    verify: Option<&str>,
    equal: Option<&str>,
    keep: Option<&str>,
    cluster_rule: Option<&str>,
    threads: Option<usize>,
    progress: Option<&Bound<'_, PyAny>>,
    pairs: bool,
    fold_equal: bool,
    reference: usize,
    within: Option<&str>,
    across: Option<&str>,
    count_by: Option<&str>,
    collapse: bool,
    against: Option<&Bound<'_, PyAny>>,
    against_text: Option<&str>,
    order: Option<Vec<usize>>,
    keep_by: Option<Vec<(String, bool)>>,
    text_field: Option<String>,
) -> PyResult<Found> {
    let py = data.py();
    let asked = Asked { similarity, recall, k, width, verify, equal };
    let named_columns =
        [("id", id), ("within", within), ("across", across), ("count_by", count_by)];
    let names: Vec<(&str, &str)> =
        named_columns.into_iter().filter_map(|(argument, name)| Some((argument, name?))).collect();
    let (column, named_text, columns) = TextColumn::with_columns(data, text, &names, true)?;
    let of = |argument: &str| {
        let at = names.iter().position(|(other, _)| *other == argument)?;
        columns.get(at)
    };
    let labels =
        |argument: &str| of(argument).map(|column| labels_of(argument, column)).transpose();
    let groups = ["within", "across"];
    let of_groups: Vec<(&str, &str)> =
        names.iter().copied().filter(|(argument, _)| groups.contains(argument)).collect();
    if across.is_some() && within == across {
        return Err(PyValueError::new_err(
            "within= and across= name one column: no two rows have the same value and different values of it",
        ));
    }
    let ids = of("id").cloned();
    if let Some(order) = &order {
        check_order(order, column.len())?;
    }
    let in_order = |labels: Option<Vec<Option<String>>>| match &order {
        None => labels,
        Some(order) => labels
            .map(|labels| order.iter().map(|row| labels.get(*row).cloned().flatten()).collect()),
    };
    let (against, ids, of_against) = with_others(against, against_text, id, (ids, &of_groups))?;
    // Those of `against` come first.
    let grouped = |argument: &str| -> PyResult<Option<Vec<Option<String>>>> {
        let Some(own) = in_order(labels(argument)?) else { return Ok(None) };
        let at = of_groups.iter().position(|(other, _)| *other == argument);
        let before = at.and_then(|at| of_against.get(at));
        let mut all = before
            .map_or(Ok(Vec::new()), |column| labels_of(argument, column))
            .inspect_err(|error| error::tell_against(error, py))?;
        all.extend(own);
        Ok(Some(all))
    };
    let text_labels = TextLabels { within: grouped("within")?, across: grouped("across")? };
    let counted = labels("count_by")?;
    let counters = Arc::new(Progress::default());
    let mut spec = asked.of(recipe)?;
    let before = against.as_ref().map_or(0, TextColumn::len);
    spec.input.reference_texts = reference + before;
    spec.outputs.fold_equal = fold_equal;
    if collapse {
        spec.criteria.featureless = Featureless::Collapse;
    }
    let threads = pool::threads(threads)?;
    if let Some(rule) = cluster_rule {
        spec.criteria.cluster_rule = named::<ClusterRule>("cluster_rule", rule)?;
    }
    spec.criteria.keep = keep.map(|keep| named::<KeepRule>("keep", keep)).transpose()?;
    if let Some(rules) = keep_by {
        keep_in_order(&mut spec, rules)?;
    }
    if let Some(field) = text_field.or(named_text) {
        spec.reading.fields.text = field;
    }
    let [within, across, count_by] = [within, across, count_by].map(|name| name.map(str::to_owned));
    spec.labels = LabelSpec { within, across, count_by, ..LabelSpec::default() };
    let dedup = Dedup::from(spec).threads(threads).progress(Arc::clone(&counters));
    let dedup = dedup.text_labels(text_labels);
    let tell = || told(progress, &counters, None);
    let (mut listed, mut has_room) = (Vec::new(), true);
    let (texts, others, rows) = (&column, against.as_ref(), order.as_deref());
    let found = job::run(
        py,
        || counters.cancel(),
        tell,
        || {
            let text = move |position| text_at(texts, others, place_of(position, before, rows));
            let number = before + texts.len();
            if !pairs {
                return Ok((dedup.texts_by(number, text)?, None));
            }
            let found = dedup.texts_and_pairs_by(number, text, |pair| {
                if listed.try_reserve(1).is_ok() {
                    listed.push(pair);
                } else {
                    has_room = false;
                    counters.cancel();
                }
            })?;
            Ok((found, Some(std::mem::take(&mut listed))))
        },
    )?;
    if !has_room {
        return Err(error::raised(
            py,
            "MemoryBudgetError",
            format!(
                "{} pairs or more take more memory than there is: every two equal texts are a pair; \
                 set fold_equal",
                listed.len()
            ),
        ));
    }
    let (found, pairs) = found.map_err(|error| error::dedup(py, &error))?;
    Ok(Found { found, column, against, order, ids, count_by: counted, pairs })
}

/// The texts that others are only compared with, the ids with theirs, where they have such a column, and their columns
/// of groups.
fn with_others(
    against: Option<&Bound<'_, PyAny>>,
    text: Option<&str>,
    id: Option<&str>,
    (ids, groups): (Option<ArrayRef>, &[(&str, &str)]),
) -> PyResult<(Option<TextColumn>, Option<ArrayRef>, Vec<ArrayRef>)> {
    let Some(against) = against else { return Ok((None, ids, Vec::new())) };
    let with = |others: &[(&str, &str)]| TextColumn::with_columns(against, text, others, true);
    let named: Vec<_> = groups.iter().copied().chain(id.map(|id| ("id", id))).collect();
    let found = match with(&named) {
        Err(_) if id.is_some() => with(groups),
        found => found,
    };
    let (column, _, mut columns) =
        found.inspect_err(|error| error::tell_against(error, against.py()))?;
    let others = if columns.len() > groups.len() { columns.pop() } else { None };
    let ids = match (ids, others) {
        (Some(own), Some(others)) if own.data_type() == others.data_type() => {
            let both = arrow_select::concat::concat(&[own.as_ref(), others.as_ref()]);
            Some(both.map_err(|error| PyValueError::new_err(error.to_string()))?)
        }
        (own, _) => own,
    };
    Ok((Some(column), ids, columns))
}

/// Where the text at a position stands, with so many others in front.
fn place_of(position: usize, before: usize, order: Option<&[usize]>) -> Place {
    match position.checked_sub(before) {
        None => Place::Against(position),
        Some(at) => Place::Row(order.and_then(|order| order.get(at)).copied().unwrap_or(at)),
    }
}

/// The text there; empty where it is missing.
fn text_at<'t>(texts: &'t TextColumn, others: Option<&'t TextColumn>, place: Place) -> &'t str {
    let text = match place {
        Place::Row(row) => texts.text(row),
        Place::Against(row) => others.and_then(|others| others.text(row)),
    };
    text.unwrap_or_default()
}

/// Refuses an order that has not every row once.
fn check_order(order: &[usize], rows: usize) -> PyResult<()> {
    let mut seen = vec![false; rows];
    for row in order {
        if let Some(seen) = seen.get_mut(*row) {
            *seen = true;
        }
    }
    if order.len() == rows && seen.iter().all(|seen| *seen) {
        return Ok(());
    }
    Err(PyValueError::new_err("the order does not have every row once"))
}

/// Calls the caller's function with how far a job is.
pub(crate) fn told(
    progress: Option<&Bound<'_, PyAny>>,
    counters: &Progress,
    total: Option<u64>,
) -> PyResult<()> {
    let Some(progress) = progress else { return Ok(()) };
    let stage = match counters.stage() {
        Stage::Fingerprint => "fingerprint",
        Stage::Prefixes => "prefixes",
        Stage::Join => "join",
        Stage::Verify => "verify",
        Stage::Compare => "compare",
        Stage::Overview => "overview",
        Stage::Write => "write",
        Stage::Segment => "segment",
        Stage::Anchors => "anchors",
        Stage::Windows => "windows",
        Stage::Lend => "lend",
        Stage::Cut => "cut",
        Stage::Items => "items",
        Stage::Sample => "sample",
        Stage::Count => "count",
        Stage::Look => "look",
    };
    progress.call1((stage, counters.share(total), counters.documents())).map(drop)
}

impl Found {
    /// Where the text at a position stands.
    fn place(&self, position: usize) -> Place {
        let before = self.against.as_ref().map_or(0, TextColumn::len);
        place_of(position, before, self.order.as_deref())
    }

    /// The kept rows, ascending.
    fn kept_rows(&self) -> Vec<usize> {
        let rows = self.found.kept().iter().filter_map(|position| match self.place(*position) {
            Place::Row(row) => Some(row),
            Place::Against(_) => None,
        });
        let mut rows: Vec<_> = rows.collect();
        rows.sort_unstable();
        rows
    }

    /// The number of the cluster of each row, from 0 in the order of their first rows.
    fn clusters(&self) -> Vec<Option<u32>> {
        let before = self.against.as_ref().map_or(0, TextColumn::len);
        let mut of_rows = vec![None; self.column.len()];
        for position in before..before + self.column.len() {
            if let Place::Row(row) = self.place(position)
                && let Some(cluster) = of_rows.get_mut(row)
            {
                *cluster = self.found.cluster_of(position);
            }
        }
        if before > 0 || self.order.is_some() {
            let mut numbers = HashMap::new();
            for cluster in of_rows.iter_mut().flatten() {
                let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
                *cluster = *numbers.entry(*cluster).or_insert(next);
            }
        }
        of_rows
    }

    /// What does not stay, by rows: the row, and where the text stands because of which.
    fn gone(&self) -> Vec<(usize, Place, Evidence)> {
        let removed = self.found.removed().iter();
        let gone = removed.filter_map(|one| match self.place(one.position) {
            Place::Row(row) => Some((row, self.place(one.near), one.evidence)),
            Place::Against(_) => None,
        });
        let mut gone: Vec<_> = gone.collect();
        gone.sort_by_key(|(row, ..)| *row);
        gone
    }

    /// The rows that another row stands for, with that row.
    fn stood_for(&self) -> impl Iterator<Item = (usize, usize)> {
        let gone = if self.found.near_stays() { self.gone() } else { Vec::new() };
        gone.into_iter().filter_map(|(row, near, _)| match near {
            Place::Row(near) => Some((row, near)),
            Place::Against(_) => None,
        })
    }
}

#[pymethods]
impl Found {
    fn __len__(&self) -> usize {
        self.column.len()
    }

    /// The text of a row; ``None`` where it is missing.
    fn text(&self, row: usize) -> Option<&str> {
        self.column.text(row)
    }

    /// The text that stays for a row.
    fn kept_text(&self, row: usize) -> Option<&str> {
        let gone = self.gone();
        let at = gone.binary_search_by_key(&row, |(row, ..)| *row).ok();
        match at.and_then(|at| gone.get(at)).map(|(_, near, _)| *near) {
            Some(Place::Row(near)) => self.column.text(near),
            Some(Place::Against(near)) => self.against.as_ref().and_then(|it| it.text(near)),
            None => self.column.text(row),
        }
    }

    /// The kept rows, ascending.
    #[getter]
    fn kept<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_iter(py, self.kept_rows().into_iter().map(number))
    }

    /// For each row whether it stays.
    #[getter]
    fn mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let mut mask = vec![false; self.column.len()];
        for row in self.kept_rows() {
            if let Some(stays) = mask.get_mut(row) {
                *stays = true;
            }
        }
        PyArray1::from_vec(py, mask)
    }

    /// The number of each row's cluster; -1 for a row without near-duplicates.
    #[getter]
    fn cluster<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let clusters = self.clusters().into_iter();
        PyArray1::from_iter(py, clusters.map(|cluster| cluster.map_or(-1, i64::from)))
    }

    /// The row that stays for each row; a row that stays, for itself; -1 where that is one of those compared with.
    #[getter]
    fn representative<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let mut stays: Vec<i64> = (0..self.column.len()).map(number).collect();
        for (row, near, _) in self.gone() {
            if let Some(own) = stays.get_mut(row) {
                *own = match near {
                    Place::Row(near) => number(near),
                    Place::Against(_) => -1,
                };
            }
        }
        PyArray1::from_vec(py, stays)
    }

    /// How many rows each row stands for, itself included: 0 for one that does not stay.
    #[getter]
    fn copies<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let mut copies = vec![0; self.column.len()];
        let stands = self.kept_rows().into_iter().chain(self.stood_for().map(|(_, kept)| kept));
        for row in stands {
            if let Some(copies) = copies.get_mut(row) {
                *copies += 1;
            }
        }
        PyArray1::from_vec(py, copies)
    }

    /// For each row that stays how many rows of each label it stands for, most first, then by label.
    #[getter]
    fn sources<'py>(&self, py: Python<'py>) -> PyResult<Option<Vec<Bound<'py, PyDict>>>> {
        let Some(labels) = &self.count_by else { return Ok(None) };
        let mut of: BTreeMap<usize, BTreeMap<Cow<'_, str>, i64>> = BTreeMap::new();
        let stays = self.found.kept().iter().filter_map(|position| match self.place(*position) {
            Place::Row(row) => Some((row, row)),
            Place::Against(_) => None,
        });
        for (row, kept) in stays.chain(self.stood_for()) {
            let label = source_name(labels.get(row).and_then(Option::as_deref));
            *of.entry(kept).or_default().entry(label).or_default() += 1;
        }
        let told = |row: &usize| {
            let mut counts: Vec<_> = of.remove(row).unwrap_or_default().into_iter().collect();
            counts.sort_by_key(|(_, count)| Reverse(*count));
            let told = PyDict::new(py);
            counts.iter().try_for_each(|(label, count)| told.set_item(label, count))?;
            Ok(told)
        };
        self.kept_rows().iter().map(told).collect::<PyResult<_>>().map(Some)
    }

    /// What does not stay, and because of which row: `row`, `kept` (`near` where none stays), `distance`, `similarity`,
    /// `measure`, `cluster`; with ids also `id` and `kept_id`, and with texts that others are only compared with also
    /// `against`.
    #[getter]
    fn removed(&self) -> PyResult<Table> {
        let gone = self.gone();
        let row: Int64Array = gone.iter().map(|(row, ..)| number(*row)).collect();
        let of_row = |near: &Place| match near {
            Place::Row(row) => Some(number(*row)),
            Place::Against(_) => None,
        };
        let near: Int64Array = gone.iter().map(|(_, near, _)| of_row(near)).collect();
        let (near_name, near_id) =
            if self.found.near_stays() { ("kept", "kept_id") } else { ("near", "near_id") };
        let mut columns: Vec<(&str, ArrayRef)> = Vec::new();
        if let Some(ids) = &self.ids {
            let are_of_all = ids.len() > self.column.len();
            let at = |near: &Place| match near {
                Place::Row(row) => Some(number(*row)),
                Place::Against(row) => are_of_all.then(|| number(self.column.len() + row)),
            };
            let near_ids: Int64Array = gone.iter().map(|(_, near, _)| at(near)).collect();
            columns.push(("id", ids_of(ids, &row)?));
            columns.push((near_id, ids_of(ids, &near_ids)?));
        }
        let clusters = self.clusters();
        let cluster = row.values().iter().map(|row| {
            let at = usize::try_from(*row).ok();
            at.and_then(|at| clusters.get(at)).copied().flatten().map_or(-1, i64::from)
        });
        let cluster: Int64Array = cluster.collect();
        columns.push(("row", Arc::new(row)));
        columns.push((near_name, Arc::new(near)));
        if self.against.is_some() {
            let of_against = |near: &Place| match near {
                Place::Row(_) => None,
                Place::Against(row) => Some(number(*row)),
            };
            let against = gone.iter().map(|(_, near, _)| of_against(near));
            columns.push(("against", Arc::new(against.collect::<Int64Array>())));
        }
        columns.extend(of_evidence(gone.iter().map(|(.., evidence)| *evidence)));
        columns.push(("cluster", Arc::new(cluster)));
        Table::of(columns)
    }

    /// All pairs, where they were asked for: `a`, `b`, `distance`, `similarity` and `measure` (null where pairs are not
    /// verified). Rows with ids go by these.
    #[getter]
    fn pairs(&self) -> PyResult<Table> {
        let pairs = self.pairs.as_deref().unwrap_or_default();
        let called = |of: fn(&Match<usize>) -> usize| -> PyResult<ArrayRef> {
            let rows: Int64Array = pairs.iter().map(|one| number(of(one))).collect();
            match &self.ids {
                Some(ids) => ids_of(ids, &rows),
                None => Ok(Arc::new(rows)),
            }
        };
        let mut columns = vec![("a", called(|one| one.a)?), ("b", called(|one| one.b)?)];
        columns.extend(of_evidence(pairs.iter().map(|one| one.evidence)));
        Table::of(columns)
    }

    /// The figures, as JSON.
    #[getter]
    fn summary(&self) -> String {
        self.found.summary().to_json()
    }
}

/// The ids of some rows; null where there is no row.
fn ids_of(ids: &ArrayRef, rows: &Int64Array) -> PyResult<ArrayRef> {
    let rows: UInt64Array = rows.iter().map(|row| row.map(i64::unsigned_abs)).collect();
    arrow_select::take::take(ids, &rows, None)
        .map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The columns `distance`, `similarity` and `measure`.
fn of_evidence(found: impl Iterator<Item = Evidence> + Clone) -> [(&'static str, ArrayRef); 3] {
    let distance = found.clone().map(|one| u16::try_from(one.distance).unwrap_or(u16::MAX));
    let alike = found.map(|one| one.alike);
    #[expect(clippy::cast_possible_truncation, reason = "seven digits tell a similarity")]
    let similarity = alike.clone().map(|alike| alike.map(|alike| alike.similarity as f32));
    let measure = alike.map(|alike| alike.map(|alike| alike.measure.name()));
    [
        ("distance", Arc::new(distance.collect::<UInt16Array>())),
        ("similarity", Arc::new(similarity.collect::<Float32Array>())),
        ("measure", Arc::new(measure.collect::<StringArray>())),
    ]
}

/// A row as Arrow and NumPy count.
fn number(row: usize) -> i64 {
    i64::try_from(row).unwrap_or(i64::MAX)
}
