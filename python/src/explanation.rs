//! One fingerprint step by step.

use crate::error;
use crate::recipe::{Recipe, of_texts};
use nearprint_dedup::text_of;
use nearprint_fingerprint as fingerprint;
use nearprint_fingerprint::{AnyFingerprinter, BitString, FeatureError, SignRule, Weighting};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// How a fingerprint comes about.
#[pyclass(frozen, module = "nearprint")]
pub(crate) struct Explanation(fingerprint::Explanation);

#[pymethods]
impl Explanation {
    /// The tokens of a text in their order; none where features were given.
    #[getter]
    fn tokens(&self) -> Vec<String> {
        self.0.tokens.clone()
    }

    /// The features that count: text or name, how often, weight, and bits.
    #[getter]
    fn features(&self) -> Vec<(String, u32, f64, String)> {
        let all = self.0.features.iter();
        all.map(|one| (one.feature.clone(), one.count, one.weight, one.bits.to_string())).collect()
    }

    /// The vector V, one sum for each bit, the most significant first.
    #[getter]
    fn sums(&self) -> Vec<f64> {
        self.0.sums.clone()
    }

    /// The fingerprint in binary digits.
    #[getter]
    fn bits(&self) -> String {
        self.0.bits.to_string()
    }

    /// The fingerprint in hexadecimal digits.
    #[getter]
    fn fingerprint(&self) -> String {
        self.0.bits.to_hex()
    }

    /// What is wrong with the document as a near-duplicate of others.
    #[getter]
    fn flags(&self) -> Vec<&'static str> {
        self.0.flags.names().collect()
    }
}

/// Explains the fingerprint of a text by a recipe.
#[pyfunction]
#[pyo3(signature = (text, recipe, width=None))]
pub(crate) fn explain_text(
    py: Python<'_>,
    text: &str,
    recipe: &Recipe,
    width: Option<u32>,
) -> PyResult<Explanation> {
    let recipe = recipe.at(width, None)?;
    of_texts(&recipe)?;
    let text = text_of(&recipe, text);
    let why = py.detach(|| fingerprint::Explanation::of(&recipe, &text));
    Ok(Explanation(why.map_err(|error| error::recipe(py, &error))?))
}

/// Explains the fingerprint of features that come with their weights.
#[pyfunction]
#[pyo3(signature = (features, recipe, width=None))]
pub(crate) fn explain_features(
    py: Python<'_>,
    features: Vec<(String, f64)>,
    recipe: &Recipe,
    width: Option<u32>,
) -> PyResult<Explanation> {
    let recipe = recipe.at(width, None)?;
    if recipe.weights != Weighting::Given {
        return Err(PyValueError::new_err(format!(
            "the recipe {} takes texts, and no features that are given",
            recipe.name
        )));
    }
    let made = AnyFingerprinter::new(&recipe, None);
    let mut made = made.map_err(|error| error::recipe(py, &error))?;
    let mut named = features.iter().map(|(name, weight)| (name.as_str(), *weight));
    made.explain_features(&mut named).map(Explanation).map_err(|error| wrong(py, &error))
}

/// Explains the fingerprint of features whose bits are given.
#[pyfunction]
#[pyo3(signature = (features, non_negative=false))]
pub(crate) fn explain_bits(
    py: Python<'_>,
    features: Vec<(String, String, f64)>,
    non_negative: bool,
) -> PyResult<Explanation> {
    let sign = if non_negative { SignRule::NonNegative } else { SignRule::Positive };
    let read = |(name, bits, weight): (String, String, f64)| {
        let bits = bits.parse::<BitString>().map_err(|error| {
            error::raised(py, "InputError", format!("feature \"{name}\": {error}"))
        })?;
        Ok((name, bits, weight))
    };
    let features = features.into_iter().map(read).collect::<PyResult<Vec<_>>>()?;
    let why = fingerprint::Explanation::by_hand(features, sign);
    why.map(Explanation).map_err(|error| wrong(py, &error))
}

fn wrong(py: Python<'_>, error: &FeatureError) -> PyErr {
    error::raised(py, "InputError", error.to_string())
}
