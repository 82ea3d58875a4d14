//! The recipe: how a text becomes a fingerprint.

use crate::codes;
use crate::error;
use crate::table::Table;
use crate::word_files::{Bytes, WordFiles, WordPaths};
use arrow_array::{ArrayRef, StringArray};
use nearprint_fingerprint as fingerprint;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::Arc;

/// How a text becomes a fingerprint: all that decides the bits. Recipes are equal where their ids are, and both
/// name a width or neither does.
///
/// A recipe is built in and goes by its name, may have other values under the keys of its TOML (``_`` for ``-``), as
/// in ``Recipe("text", shingle=4)``, or comes from TOML: :meth:`from_toml`. A recipe for Chinese may take words from
/// files of jieba.
#[pyclass(frozen, module = "nearprint")]
pub(crate) struct Recipe {
    pub(crate) recipe: fingerprint::Recipe,
    /// Whether the user named the width.
    pub(crate) names_width: bool,
    files: Arc<WordFiles>,
}

/// The arguments of [`Recipe::_restored`].
type Pickled<'a> = (String, bool, String, Bytes<'a>);

/// The argument ``stop_words``: the key of that name, or a file.
#[derive(FromPyObject)]
enum StopWords {
    OfLanguage(bool),
    File(PathBuf),
}

impl Recipe {
    /// How its features weigh.
    pub(crate) fn weights(&self) -> fingerprint::Weighting {
        self.recipe.weights
    }

    /// The recipe at the width that is asked for, that it names, or that is usual for the task.
    pub(crate) fn at(
        &self,
        bits: Option<u32>,
        usual: Option<fingerprint::Width>,
    ) -> PyResult<fingerprint::Recipe> {
        Ok(match (bits, usual) {
            (Some(bits), _) => self.recipe.with_width(codes::width(bits)?),
            (None, Some(usual)) if !self.names_width => self.recipe.with_width(usual),
            _ => self.recipe.clone(),
        })
    }
}

#[pymethods]
impl Recipe {
    #[new]
    #[pyo3(signature = (name="text", *, width=None, dictionary=None, stop_words=None, idf=None, **keys))]
    fn new(
        py: Python<'_>,
        name: &str,
        width: Option<u32>,
        dictionary: Option<PathBuf>,
        stop_words: Option<StopWords>,
        idf: Option<PathBuf>,
        keys: Option<Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let mut recipe =
            fingerprint::Recipe::named(name).map_err(|error| error::recipe(py, &error))?;
        let keys = keys.unwrap_or_else(|| PyDict::new(py));
        let stop_words = match stop_words {
            Some(StopWords::OfLanguage(are_left_out)) => {
                keys.set_item("stop_words", are_left_out)?;
                None
            }
            Some(StopWords::File(path)) => Some(path),
            None => None,
        };
        if !keys.is_empty() {
            recipe = changed(&recipe, &keys)?;
        }
        if let Some(bits) = width {
            recipe.width = codes::width(bits)?;
        }
        let (recipe, files) = WordPaths { dictionary, stop_words, idf }.bind(py, recipe)?;
        Ok(Self { recipe, names_width: width.is_some(), files: Arc::new(files) })
    }

    /// A recipe of one's own, from the text of a TOML file. ``to_toml`` of a built-in one is a beginning.
    #[classmethod]
    #[pyo3(signature = (text, *, dictionary=None, stop_words=None, idf=None))]
    fn from_toml(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        text: &str,
        dictionary: Option<PathBuf>,
        stop_words: Option<PathBuf>,
        idf: Option<PathBuf>,
    ) -> PyResult<Self> {
        let recipe = fingerprint::Recipe::from_toml(text);
        let recipe = recipe.map_err(|error| error::recipe(py, &error))?;
        let (recipe, files) = WordPaths { dictionary, stop_words, idf }.bind(py, recipe)?;
        let names_width = fingerprint::Recipe::names_width(text);
        Ok(Self { recipe, names_width, files: Arc::new(files) })
    }

    /// What a pickle holds: the TOML, whether it names a width, the id that must come out, and the bytes of its
    /// files.
    #[classmethod]
    fn _restored(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        toml: &str,
        names_width: bool,
        id: &str,
        files: Bytes<'_>,
    ) -> PyResult<Self> {
        let recipe = fingerprint::Recipe::from_toml(toml);
        let recipe = recipe.map_err(|error| error::recipe(py, &error))?;
        let (recipe, files) = WordFiles::restore(py, recipe, files)?;
        let own = recipe.id().to_string();
        if own != id {
            return Err(error::raised(
                py,
                "RecipeError",
                format!(
                    "a recipe pickled as {id} is {own} in this release: its fingerprints would be others"
                ),
            ));
        }
        Ok(Self { recipe, names_width, files: Arc::new(files) })
    }

    fn __reduce__<'a, 'py>(
        slf: &'a Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Pickled<'a>)> {
        let own = slf.get();
        let id = own.recipe.id().to_string();
        let arguments = (own.recipe.to_toml(), own.names_width, id, own.files.bytes());
        Ok((slf.get_type().getattr("_restored")?, arguments))
    }

    /// The recipe as TOML; where it names no width, that is a comment.
    fn to_toml(&self) -> String {
        let toml = self.recipe.to_toml();
        if self.names_width { toml } else { toml.replace("\nwidth = ", "\n# width = ") }
    }

    /// The recipe at another width.
    fn with_width(&self, width: u32) -> PyResult<Self> {
        let recipe = self.recipe.with_width(codes::width(width)?);
        Ok(Self { recipe, names_width: true, files: Arc::clone(&self.files) })
    }

    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        &self.recipe.name
    }

    /// What files hold in which its fingerprints are.
    #[getter]
    fn id(&self) -> String {
        self.recipe.id().to_string()
    }

    /// Bits of a fingerprint; ``None`` where each task takes what is usual for it.
    #[getter]
    fn width(&self) -> Option<u32> {
        self.names_width.then_some(self.recipe.width.bits())
    }

    /// Whether it takes features that come with their weights, and no texts.
    #[getter]
    fn takes_features(&self) -> bool {
        self.recipe.weights == fingerprint::Weighting::Given
    }

    /// The features of a text with their weights.
    fn features(&self, py: Python<'_>, text: &str) -> PyResult<Vec<(String, f64)>> {
        let made = fingerprint::AnyFingerprinter::new(&self.recipe, None);
        let mut made = made.map_err(|error| error::recipe(py, &error))?;
        let features = made.features(text);
        Ok(features.iter().map(|(feature, weight)| (feature.to_owned(), weight)).collect())
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.recipe.id() == other.recipe.id() && self.names_width == other.names_width
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.recipe.id().to_string().hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        let width = self.width().map_or_else(String::new, |bits| format!(", {bits} bits"));
        format!("<nearprint.Recipe {}{width}, id {}>", self.recipe.name, self.recipe.id())
    }
}

/// The recipe with other values under some keys of its TOML.
fn changed(
    recipe: &fingerprint::Recipe,
    keys: &Bound<'_, PyDict>,
) -> PyResult<fingerprint::Recipe> {
    let py = keys.py();
    let wrong = |error: &dyn std::fmt::Display| error::raised(py, "RecipeError", error.to_string());
    let json: String = py.import("json")?.call_method1("dumps", (keys,))?.extract()?;
    let keys: toml::Table = serde_json::from_str(&json).map_err(|error| wrong(&error))?;
    let mut toml: toml::Table = recipe.to_toml().parse().map_err(|error| wrong(&error))?;
    // By the newest rules for what the recipe is about now, unless the keys name others.
    toml.remove("version");
    let keys = keys.into_iter().map(|(key, value)| (key.replace('_', "-"), value));
    let toml = toml.into_iter().chain(keys).collect::<toml::Table>().to_string();
    fingerprint::Recipe::from_toml(&toml).map_err(|error| error::recipe(py, &error))
}

/// The built-in recipes: name, description and id.
#[pyfunction]
pub(crate) fn recipes() -> PyResult<Table> {
    let all = fingerprint::Recipe::builtin();
    let column = |of: fn(&fingerprint::Recipe) -> String| -> ArrayRef {
        Arc::new(all.iter().map(|recipe| Some(of(recipe))).collect::<StringArray>())
    };
    Table::of(vec![
        ("name", column(|recipe| recipe.name.clone())),
        ("description", column(|recipe| recipe.description.clone())),
        ("id", column(|recipe| recipe.id().to_string())),
    ])
}

/// Refuses a recipe that takes other things than texts.
pub(crate) fn of_texts(recipe: &fingerprint::Recipe) -> PyResult<()> {
    if recipe.weights == fingerprint::Weighting::Given {
        return Err(PyValueError::new_err(format!(
            "the recipe {} takes features that are given, and no text",
            recipe.name
        )));
    }
    Ok(())
}
