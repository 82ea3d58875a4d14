//! Two texts side by side.

use crate::error;
use crate::recipe::{Recipe, of_texts};
use nearprint_dedup::{Dedup, text_of};
use nearprint_fingerprint as fingerprint;
use nearprint_fingerprint::{Difference, Piece};
use pyo3::prelude::*;

/// How alike two texts are by a recipe, and why.
#[pyclass(frozen, module = "nearprint")]
pub(crate) struct Comparison {
    why: fingerprint::Comparison,
    texts: [String; 2],
}

/// Pieces of a line: whether they are of one text alone, and their text.
type Pieces = Vec<(bool, String)>;

#[pymethods]
impl Comparison {
    /// Bits in which the fingerprints differ.
    #[getter]
    fn distance(&self) -> u32 {
        self.why.distance
    }

    /// Bits of a fingerprint.
    #[getter]
    fn width(&self) -> u32 {
        self.why.width.bits()
    }

    /// The two fingerprints, in hexadecimal digits.
    #[getter]
    fn fingerprints(&self) -> (String, String) {
        let [a, b] = self.why.fingerprints.clone();
        (a, b)
    }

    /// The share of features that both have, of those that either has.
    #[getter]
    fn jaccard(&self) -> f64 {
        self.why.similarity.jaccard
    }

    /// The share of the features of the smaller text that the other has.
    #[getter]
    fn containment(&self) -> f64 {
        self.why.similarity.containment
    }

    /// The cosine of the weighted features.
    #[getter]
    fn cosine(&self) -> f64 {
        self.why.similarity.cosine
    }

    /// That cosine as the distance estimates it.
    #[getter]
    fn cosine_estimated(&self) -> f64 {
        self.why.cosine_estimated
    }

    /// The least radius that makes the two near-duplicates; ``None`` where none does.
    #[getter]
    fn least_radius(&self) -> Option<u32> {
        self.why.least_radius
    }

    /// Features with their weights in each text, where those differ: the greatest difference first.
    #[getter]
    fn differences(&self) -> Vec<(String, f64, f64)> {
        let all = self.why.differences();
        all.iter().map(|one| (one.feature.to_owned(), one.a, one.b)).collect()
    }

    /// The places where the texts differ, at most `rows` of them: for each the words left out before it,
    /// and the pieces of both texts.
    #[pyo3(signature = (rows=20))]
    fn rows(&self, rows: usize) -> Vec<(usize, Pieces, Pieces)> {
        let pieces = |line: Vec<Piece>| line.into_iter().map(piece_of).collect();
        let [a, b] = &self.texts;
        let found = Difference::of(a, b, rows).rows.into_iter();
        found.map(|row| (row.gap, pieces(row.left), pieces(row.right))).collect()
    }
}

fn piece_of(piece: Piece) -> (bool, String) {
    match piece {
        Piece::Alike(text) => (false, text),
        Piece::Changed(text) => (true, text),
        Piece::LeftOut(characters) => (false, format!(" [{characters} characters] ")),
    }
}

/// Compares two texts by a recipe.
#[pyfunction]
#[pyo3(signature = (a, b, recipe, width=None))]
pub(crate) fn compare(
    py: Python<'_>,
    a: &str,
    b: &str,
    recipe: &Recipe,
    width: Option<u32>,
) -> PyResult<Comparison> {
    let usual = Dedup::new().recipe(recipe.at(None, None)?).usual_width();
    let recipe = recipe.at(width, Some(usual))?;
    of_texts(&recipe)?;
    let texts = [a, b].map(|document| text_of(&recipe, document).into_owned());
    let [a, b] = &texts;
    let why = py.detach(|| fingerprint::Comparison::of(&recipe, a, b));
    let why = why.map_err(|error| error::recipe(py, &error))?;
    Ok(Comparison { why, texts })
}
