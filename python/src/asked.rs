//! What is asked of a search among texts, in words of Python.

use crate::recipe::{Recipe, of_texts};
use nearprint_corpus::{Fields, Tie};
use nearprint_dedup::{CriteriaSpec, FingerprintSpec, JobSpec, KeepRule, Recall, Verify};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::fmt::Display;
use std::str::FromStr;

/// What makes texts near-duplicates, as it is asked for by name.
pub(crate) struct Asked<'a> {
    pub(crate) similarity: Option<f64>,
    pub(crate) recall: Option<&'a str>,
    pub(crate) k: Option<u32>,
    pub(crate) width: Option<u32>,
    pub(crate) verify: Option<&'a str>,
    pub(crate) equal: Option<&'a str>,
}

impl Asked<'_> {
    /// The search for them among texts.
    pub(crate) fn of(&self, recipe: &Recipe) -> PyResult<JobSpec> {
        let own = recipe.at(None, None)?;
        of_texts(&own)?;
        if self.similarity.is_some() && self.k.is_some() {
            return Err(PyValueError::new_err(
                "near-duplicates go by similarity or by k: give one",
            ));
        }
        if self.equal.is_some() && self.width.is_some() {
            return Err(PyValueError::new_err(
                "with equal='bytes' nothing is fingerprinted: leave width out",
            ));
        }
        let fingerprints = FingerprintSpec { recipe: own, ..FingerprintSpec::default() };
        let criteria = CriteriaSpec {
            similarity: self.similarity,
            recall: self.recall.map(|recall| named::<Recall>("recall", recall)).transpose()?,
            k: self.k,
            verify: self.verify.map(|verify| named::<Verify>("verify", verify)).transpose()?,
            equal_bytes: match self.equal {
                None => false,
                Some("bytes") => true,
                Some(other) => {
                    return Err(PyValueError::new_err(format!(
                        "equal: expected 'bytes', not {other:?}"
                    )));
                }
            },
            ..CriteriaSpec::default()
        };
        let asked = JobSpec { fingerprints, criteria, ..JobSpec::default() };
        let recipe = recipe.at(self.width, Some(asked.usual_width()))?;
        let width = Some(recipe.width);
        let fingerprints = FingerprintSpec { recipe, width, ..FingerprintSpec::default() };
        Ok(JobSpec { fingerprints, ..asked })
    }
}

/// Has the job keep texts by columns, of which the least or the greatest value decides: they come in that order.
pub(crate) fn keep_in_order(spec: &mut JobSpec, rules: Vec<(String, bool)>) -> PyResult<()> {
    let most = 1 + Fields::TIES;
    if rules.len() > most {
        return Err(PyValueError::new_err(format!(
            "keep_by= names {} columns, and at most {most} are read",
            rules.len()
        )));
    }
    let mut rules = rules.into_iter();
    if let Some((field, is_least)) = rules.next() {
        spec.criteria.keep = Some(if is_least { KeepRule::Lowest } else { KeepRule::Highest });
        spec.reading.fields.score = Some(field);
    }
    let mut ties = rules.map(|(field, is_least)| Tie { field, is_least });
    spec.reading.fields.ties = std::array::from_fn(|_| ties.next());
    Ok(())
}

/// A value by its name on the command line.
pub(crate) fn named<T: FromStr>(argument: &str, name: &str) -> PyResult<T>
where
    T::Err: Display,
{
    name.parse().map_err(|error| PyValueError::new_err(format!("{argument} is {name:?}: {error}")))
}
