//! The durable store.

use crate::error;
use crate::job;
use crate::radius::radius_or_none;
use crate::recipe::{Recipe, of_texts};
use crate::table::Table;
use crate::text_column::TextColumn;
use crate::word_files::WordPaths;
use arrow_array::{ArrayRef, Float32Array, StringArray, UInt16Array};
use nearprint_dedup::text_of;
use nearprint_store::{Document, Error, NearDocument, Outcome, Settings, Write};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, RwLock};

/// Documents between two looks at whether Python was interrupted.
const TOGETHER: usize = 1024;

/// Documents that were seen, on disk: one process at a time has a store open.
#[pyclass(frozen, module = "nearprint")]
pub(crate) struct Store {
    /// `None` once it is closed.
    store: RwLock<Option<Arc<nearprint_store::Store>>>,
    path: PathBuf,
    process: u32,
}

impl Store {
    fn of(store: nearprint_store::Store, path: PathBuf) -> Self {
        Self { store: RwLock::new(Some(Arc::new(store))), path, process: std::process::id() }
    }

    /// The open store. In a process that was forked from the one that opened it nothing may be done.
    fn open_one(&self) -> PyResult<Arc<nearprint_store::Store>> {
        if std::process::id() != self.process {
            return Err(PyRuntimeError::new_err(
                "a store is used in a process forked from the one that opened it: open stores after a fork",
            ));
        }
        let store =
            self.store.read().map_err(|_| PyRuntimeError::new_err("a call on the store failed"))?;
        store.clone().ok_or_else(|| PyValueError::new_err("the store is closed"))
    }

    /// Does something on the store while other Python threads run.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&nearprint_store::Store) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        let store = self.open_one()?;
        py.detach(|| work(&store)).map_err(|error| error::store(py, &error))
    }

    /// One write for each text, with its outcome.
    fn written(
        &self,
        py: Python<'_>,
        ids: &Bound<'_, PyAny>,
        texts: &Bound<'_, PyAny>,
        write: fn(Document) -> Write,
    ) -> PyResult<Table> {
        let (store, ids) = (self.open_one()?, present(ids, "id")?);
        // A missing text is one without a word, as in a row of the command.
        let column = TextColumn::of(texts, None)?;
        let texts = (0..column.len()).map(|row| column.text(row).unwrap_or_default().to_owned());
        let texts: Vec<String> = texts.collect();
        if ids.len() != texts.len() {
            let (ids, texts) = (ids.len(), texts.len());
            return Err(PyValueError::new_err(format!("{ids} ids for {texts} texts")));
        }
        let outcomes = job::run_until(py, |stop| {
            let mut outcomes = Vec::with_capacity(ids.len());
            for (ids, texts) in ids.chunks(TOGETHER).zip(texts.chunks(TOGETHER)) {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                let writes = ids.iter().zip(texts).map(|(id, text)| {
                    Ok(write(Document::new(id.clone(), store.sketch(&*text_in(&store, text))?)))
                });
                let writes = writes.collect::<Result<Vec<_>, Error>>()?;
                outcomes.extend(store.write_all(writes)?);
            }
            Ok(outcomes)
        })?;
        let outcomes = outcomes.map_err(|error: Error| error::store(py, &error))?;
        let outcomes = outcomes.into_iter().map(|outcome| match outcome {
            Ok(outcome) => Ok((named(&outcome), near_of(outcome), None)),
            Err(refused @ (Error::IdTaken { .. } | Error::IdLength { .. })) => {
                Ok(("refused", None, Some(refused.to_string())))
            }
            Err(error) => Err(error::store(py, &error)),
        });
        let outcomes: Vec<(&str, Option<NearDocument>, Option<String>)> =
            outcomes.collect::<PyResult<_>>()?;
        let near = outcomes.iter().map(|(_, near, _)| near.as_ref());
        let mut columns: Vec<(&str, ArrayRef)> = vec![
            ("id", Arc::new(ids.iter().map(Some).collect::<StringArray>())),
            (
                "outcome",
                Arc::new(outcomes.iter().map(|(name, ..)| Some(*name)).collect::<StringArray>()),
            ),
        ];
        columns.extend(columns_of("near", near));
        let reasons = outcomes.iter().map(|(.., reason)| reason.as_deref());
        columns.push(("reason", Arc::new(reasons.collect::<StringArray>())));
        Table::of(columns)
    }
}

/// The text of a document that a store fingerprints.
fn text_in<'a>(store: &nearprint_store::Store, document: &'a str) -> Cow<'a, str> {
    let recipe = store.settings().recipe.as_ref();
    recipe.map_or(Cow::Borrowed(document), |recipe| text_of(recipe, document))
}

/// Ids or texts, of which none may be missing.
fn present(data: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<String>> {
    let column = TextColumn::of(data, None)?;
    let row = |row: usize| {
        let missing =
            || PyValueError::new_err(format!("row {row} has no {what} (null): leave it out"));
        column.text(row).map(str::to_owned).ok_or_else(missing)
    };
    (0..column.len()).map(row).collect()
}

/// Columns of documents that were found: id, distance, similarity, and what that is one of.
fn columns_of<'a>(
    id: &'static str,
    near: impl Iterator<Item = Option<&'a NearDocument>> + Clone,
) -> [(&'static str, ArrayRef); 4] {
    let ids = near.clone().map(|near| near.map(|near| near.id.as_str()));
    let distances =
        near.clone().map(|near| near.and_then(|near| u16::try_from(near.distance).ok()));
    #[expect(clippy::cast_possible_truncation, reason = "seven digits tell a similarity")]
    let similarity = |near: &NearDocument| near.alike.map(|alike| alike.similarity as f32);
    let similarities = near.clone().map(|near| near.and_then(similarity));
    let measures = near.map(|near| near.and_then(|near| Some(near.alike?.measure.name())));
    [
        (id, Arc::new(ids.collect::<StringArray>())),
        ("distance", Arc::new(distances.collect::<UInt16Array>())),
        ("similarity", Arc::new(similarities.collect::<Float32Array>())),
        ("measure", Arc::new(measures.collect::<StringArray>())),
    ]
}

fn named(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::New => "new",
        Outcome::Exists => "exists",
        Outcome::Duplicate(_) => "duplicate",
        Outcome::Updated => "updated",
        Outcome::Deleted => "deleted",
        Outcome::Absent => "absent",
    }
}

fn near_of(outcome: Outcome) -> Option<NearDocument> {
    if let Outcome::Duplicate(near) = outcome { Some(near) } else { None }
}

#[pymethods]
impl Store {
    /// Makes a store in a new folder: by similarity, or within `k` bits.
    #[staticmethod]
    #[pyo3(signature = (path, recipe, *, similarity=None, k=None, width=None, estimate=false))]
    fn create(
        py: Python<'_>,
        path: PathBuf,
        recipe: &Recipe,
        similarity: Option<f64>,
        #[pyo3(from_py_with = radius_or_none)] k: Option<u32>,
        width: Option<u32>,
        estimate: bool,
    ) -> PyResult<Self> {
        use nearprint_dedup::Likeness;
        use nearprint_store::Threshold;
        let by_angle = k.is_none() && !recipe.weights().is_integer();
        let usual = match k {
            Some(_) => None,
            None if by_angle => Some(Likeness::WIDTH_BY_ANGLE),
            None => Some(Likeness::WIDTH),
        };
        let recipe = recipe.at(width, usual)?;
        of_texts(&recipe)?;
        recipe.ready().map_err(|error| error::recipe(py, &error))?;
        let settings = match (similarity, k) {
            (Some(_), Some(_)) => {
                return Err(PyValueError::new_err("a store goes by similarity or by k: give one"));
            }
            _ if estimate && (k.is_some() || by_angle) => {
                return Err(PyValueError::new_err(
                    "estimate=True: sketches estimate the share of features in common; leave it out with k, and for \
                     recipes of real weights",
                ));
            }
            (None, Some(k)) => {
                Settings { threshold: Threshold::Radius(k), ..Settings::of(recipe.clone()) }
            }
            (similarity, None) => {
                let usual = Likeness::SIMILARITY;
                let settings = Settings::by_similarity(recipe.clone(), similarity.unwrap_or(usual));
                let Settings { threshold, .. } = settings;
                let threshold = if estimate { threshold.estimated() } else { threshold };
                Settings { threshold, ..settings }
            }
        };
        // On disk the recipe names its files; here it has what is in them.
        let create = || nearprint_store::Store::create(&path, &settings)?.with_recipe(recipe);
        let store = py.detach(create);
        Ok(Self::of(store.map_err(|error| error::store(py, &error))?, path))
    }

    /// Opens a store, with the files of words that its recipe names.
    #[staticmethod]
    #[pyo3(signature = (path, *, dictionary=None, stop_words=None, idf=None))]
    fn open(
        py: Python<'_>,
        path: PathBuf,
        dictionary: Option<PathBuf>,
        stop_words: Option<PathBuf>,
        idf: Option<PathBuf>,
    ) -> PyResult<Self> {
        let store = py.detach(|| nearprint_store::Store::open(&path));
        let mut store = store.map_err(|error| error::store(py, &error))?;
        let files = WordPaths { dictionary, stop_words, idf };
        if !files.is_none() {
            let recipe = store.settings().recipe.clone().ok_or_else(|| {
                PyValueError::new_err("the store holds ready-made fingerprints: it takes no files")
            })?;
            let (recipe, _) = files.bind(py, recipe)?;
            store = store.with_recipe(recipe).map_err(|error| error::store(py, &error))?;
        }
        Ok(Self::of(store, path))
    }

    /// Stores documents, near-duplicate or not: for each id an outcome.
    fn add(
        &self,
        py: Python<'_>,
        ids: &Bound<'_, PyAny>,
        texts: &Bound<'_, PyAny>,
    ) -> PyResult<Table> {
        self.written(py, ids, texts, Write::Add)
    }

    /// Stores documents of which no near-duplicate is stored: for each id an outcome, and what it is near.
    fn check_and_add(
        &self,
        py: Python<'_>,
        ids: &Bound<'_, PyAny>,
        texts: &Bound<'_, PyAny>,
    ) -> PyResult<Table> {
        self.written(py, ids, texts, Write::CheckAndAdd)
    }

    /// Stores documents in place of those that have their ids.
    fn update(
        &self,
        py: Python<'_>,
        ids: &Bound<'_, PyAny>,
        texts: &Bound<'_, PyAny>,
    ) -> PyResult<Table> {
        self.written(py, ids, texts, Write::Update)
    }

    /// The nearest stored near-duplicate of each text: nulls where there is none.
    fn check(&self, py: Python<'_>, texts: &Bound<'_, PyAny>) -> PyResult<Table> {
        let (store, column) = (self.open_one()?, TextColumn::of(texts, None)?);
        let near = job::run_until(py, |stop| {
            let mut near = Vec::with_capacity(column.len());
            for text in (0..column.len()).map(|row| column.text(row)) {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                near.push(text.map_or(Ok(None), |text| store.check(&*text_in(&store, text)))?);
            }
            Ok(near)
        })?;
        let near: Vec<Option<NearDocument>> =
            near.map_err(|error: Error| error::store(py, &error))?;
        Table::of(columns_of("near", near.iter().map(Option::as_ref)).into())
    }

    /// The stored documents near one text, at most `top`: by the store's similarity or radius, or within `k`.
    #[pyo3(signature = (text, k=None, *, top=100))]
    fn query(
        &self,
        py: Python<'_>,
        text: &str,
        #[pyo3(from_py_with = radius_or_none)] k: Option<u32>,
        top: usize,
    ) -> PyResult<Table> {
        let near = self.with(py, |store| match k {
            Some(k) => store.query(&*text_in(store, text), k, top),
            None => store.near_duplicates(&*text_in(store, text), top),
        })?;
        Table::of(columns_of("id", near.iter().map(Some)).into())
    }

    /// Removes documents; returns how many were there.
    fn delete(&self, py: Python<'_>, ids: &Bound<'_, PyAny>) -> PyResult<usize> {
        let ids = present(ids, "id")?;
        let outcomes =
            self.with(py, |store| store.write_all(ids.into_iter().map(Write::Delete).collect()))?;
        let mut deleted = 0;
        for outcome in outcomes {
            let outcome = outcome.map_err(|error| error::store(py, &error))?;
            deleted += usize::from(outcome == Outcome::Deleted);
        }
        Ok(deleted)
    }

    /// Whether a document with this id is stored.
    fn __contains__(&self, py: Python<'_>, id: &str) -> PyResult<bool> {
        self.with(py, |store| Ok(store.get(id)?.is_some()))
    }

    /// The fingerprint that is stored with an id, in hexadecimal digits.
    fn fingerprint(&self, py: Python<'_>, id: &str) -> PyResult<Option<String>> {
        self.with(py, |store| {
            Ok(store.get(id)?.map(|document| document.sketch.fingerprint.to_string()))
        })
    }

    /// Copies the store to a new folder, whole or not at all.
    fn snapshot(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.with(py, |store| store.snapshot(&path))
    }

    /// Compares all that is stored with its checksums.
    fn verify(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, |store| store.verify().map(drop))
    }

    /// Makes one segment of all documents.
    fn compact(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, nearprint_store::Store::compact)
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(usize::try_from(self.open_one()?.len())?)
    }

    /// Its folder.
    #[getter]
    fn path(&self) -> &PathBuf {
        &self.path
    }

    /// Closes the store: what was answered is on disk already.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        if std::process::id() != self.process {
            return Ok(());
        }
        let closed = self.store.write().map(|mut store| store.take());
        let closed = closed.map_err(|_| PyRuntimeError::new_err("a call on the store failed"))?;
        py.detach(|| drop(closed));
        Ok(())
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        if std::process::id() != self.process {
            // Its threads are the parent's: to end them here would fail.
            std::mem::forget(self.store.get_mut().map(Option::take));
        }
    }
}
