//! The outcome for a document: a row, as the command writes it.

use crate::request::problem::Problem;
use nearprint_store::{AnyFingerprint, Measure, Near, Outcome};
use serde::Serialize;
use std::borrow::Cow;
use utoipa::ToSchema;

/// The outcome for a document.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Row {
    /// Its id; null if none was given.
    pub(crate) id: Option<String>,
    /// Its fingerprint, in hexadecimal digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fingerprint: Option<String>,
    pub(crate) verdict: Verdict,
    /// For a duplicate, the nearest stored document, in a store by similarity the most alike; of several the
    /// oldest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) near: Option<NearRow>,
    /// For a line that was refused, the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<Cow<'static, str>>,
}

/// The outcome for a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Verdict {
    /// No near-duplicate is stored. If the request adds documents, the document is stored now.
    New,
    /// The id was stored already with the same fingerprint.
    Exists,
    /// A near-duplicate is stored. The document was not added.
    Duplicate,
    /// The document is stored in place of the one that had its id.
    Updated,
    /// The document was removed.
    Deleted,
    /// No document with this id was stored, so none was removed.
    Absent,
    /// The server could not take the line: `error` says why.
    Refused,
}

/// A stored document that is near.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct NearRow {
    /// Its id.
    pub(crate) id: String,
    /// Bits in which the fingerprints differ.
    pub(crate) distance: u32,
    /// In a store by similarity: the share of features that both have (Jaccard).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) similarity: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) measure: Option<MeasureName>,
}

/// How a similarity is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum MeasureName {
    /// Sketches of the features estimate it.
    Estimated,
    /// It was computed of all features.
    Exact,
}

impl From<Measure> for MeasureName {
    fn from(measure: Measure) -> Self {
        match measure {
            Measure::Estimated => Self::Estimated,
            Measure::Exact => Self::Exact,
        }
    }
}

/// The document of a row.
#[derive(Debug)]
pub(crate) struct About {
    id: Option<String>,
    fingerprint: Option<String>,
}

impl About {
    /// A document with its fingerprint.
    pub(crate) fn document(id: Option<String>, fingerprint: &AnyFingerprint) -> Self {
        Self { id, fingerprint: Some(fingerprint.to_string()) }
    }

    /// An id alone, if that is known.
    pub(crate) fn id(id: Option<String>) -> Self {
        Self { id, fingerprint: None }
    }
}

impl Row {
    /// The row of an outcome.
    pub(crate) fn of(About { id, fingerprint }: About, outcome: Outcome) -> Self {
        let (verdict, near) = match outcome {
            Outcome::New => (Verdict::New, None),
            Outcome::Exists => (Verdict::Exists, None),
            Outcome::Duplicate(near) => (Verdict::Duplicate, Some(near.into())),
            Outcome::Updated => (Verdict::Updated, None),
            Outcome::Deleted => (Verdict::Deleted, None),
            Outcome::Absent => (Verdict::Absent, None),
        };
        Self { id, fingerprint, verdict, near, error: None }
    }

    /// The nearest document of a duplicate, to be counted.
    pub(crate) fn near(&self) -> impl Iterator<Item = (&str, u32)> {
        self.near.iter().map(|near| (near.id.as_str(), near.distance))
    }

    /// The row of a line of a batch that the server cannot take.
    pub(crate) fn refused(About { id, fingerprint }: About, problem: Problem) -> Self {
        let error = match problem.field {
            Some(field) if !field.is_empty() => format!("{field}: {}", problem.detail).into(),
            _ => problem.detail,
        };
        let verdict = Verdict::Refused;
        Self { id, fingerprint, verdict, near: None, error: Some(error) }
    }
}

impl From<Near> for NearRow {
    fn from(near: Near) -> Self {
        Self {
            id: near.id,
            distance: near.distance,
            similarity: near.alike.map(|alike| alike.similarity),
            measure: near.alike.map(|alike| alike.measure.into()),
        }
    }
}
