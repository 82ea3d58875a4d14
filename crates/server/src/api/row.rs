//! The outcome for a document: a row, as the command writes it.

use crate::api::op::Op;
use crate::request::problem::Problem;
use crate::shared::Service;
use crate::work::metrics::{Answers, Line, Metrics};
use nearprint_store::{Measure, NearDocument, Outcome, Sketch};
use serde::Serialize;
use std::borrow::Cow;
use utoipa::ToSchema;

/// The outcome for a document.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Row {
    /// In a batch: the number of its line, from 1 on. Blank lines count, and have no row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u64>,
    /// Its id; null if none was given.
    pub(crate) id: Option<String>,
    /// Its fingerprint, in hexadecimal digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fingerprint: Option<String>,
    pub(crate) verdict: Verdict,
    /// What makes its fingerprint tell little, if anything does: "empty", "short", "dominant".
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub(crate) flags: Vec<&'static str>,
    /// For a duplicate, the nearest stored document, in a store by similarity the most alike; of several the
    /// oldest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) near: Option<NearRow>,
    /// For a line that was refused, the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<Cow<'static, str>>,
    /// For a line that was refused, the `type` of the problem.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub(crate) kind: Option<&'static str>,
    /// For a line that was refused, the `status` that a request of its own would have been answered with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<u16>,
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

impl Verdict {
    const ALL: [Self; 7] = [
        Self::New,
        Self::Exists,
        Self::Duplicate,
        Self::Updated,
        Self::Deleted,
        Self::Absent,
        Self::Refused,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Exists => "exists",
            Self::Duplicate => "duplicate",
            Self::Updated => "updated",
            Self::Deleted => "deleted",
            Self::Absent => "absent",
            Self::Refused => "refused",
        }
    }
}

/// Begins all counts of answers at zero: a rise from nothing is no rise to those who look on.
pub(crate) fn begin_counts(metrics: &Metrics) {
    for op in Op::ALL {
        let verdicts: &[_] = match op {
            Op::Check => &[Verdict::New, Verdict::Duplicate],
            Op::Add | Op::Import => &[Verdict::New, Verdict::Exists],
            Op::CheckAndAdd => &[Verdict::New, Verdict::Exists, Verdict::Duplicate],
            Op::Put => &[Verdict::New, Verdict::Exists, Verdict::Updated],
            Op::CheckAndPut => {
                &[Verdict::New, Verdict::Exists, Verdict::Updated, Verdict::Duplicate]
            }
            Op::Delete => &[Verdict::Deleted, Verdict::Absent],
        };
        for verdict in verdicts.iter().chain(&[Verdict::Refused]) {
            let answers = Answers { op: op.name(), verdict: verdict.name() };
            metrics.answers.get_or_create(&answers).inc_by(0);
        }
        metrics.batch_lines.get_or_create(&Line { op: op.name() }).inc_by(0);
    }
}

/// A stored document that is near.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct NearRow {
    /// Its id.
    pub(crate) id: String,
    /// Bits in which the fingerprints differ.
    pub(crate) distance: u32,
    /// In a store by similarity: how alike the documents are, by the measure beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) similarity: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) measure: Option<MeasureName>,
}

/// What a similarity is one of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum MeasureName {
    /// The share of features that both have.
    Jaccard,
    /// The cosine of the weights of the features.
    Cosine,
    /// The share of features that both have, by their weights.
    WeightedJaccard,
    /// The share of features that both have, as sketches estimate it.
    EstimatedJaccard,
    /// The cosine, as the distance of the fingerprints estimates it.
    EstimatedCosine,
}

impl From<Measure> for MeasureName {
    fn from(measure: Measure) -> Self {
        match measure {
            // No store goes by a containment.
            Measure::Jaccard | Measure::Containment => Self::Jaccard,
            Measure::Cosine => Self::Cosine,
            Measure::WeightedJaccard => Self::WeightedJaccard,
            Measure::EstimatedJaccard => Self::EstimatedJaccard,
            Measure::EstimatedCosine => Self::EstimatedCosine,
        }
    }
}

/// The document of a row.
#[derive(Debug)]
pub(crate) struct About {
    id: Option<String>,
    fingerprint: Option<String>,
    flags: Vec<&'static str>,
}

impl About {
    /// A document with its sketch.
    pub(crate) fn document(id: Option<String>, sketch: &Sketch) -> Self {
        let fingerprint = Some(sketch.fingerprint.to_string());
        Self { id, fingerprint, flags: sketch.flags.names().collect() }
    }

    /// An id alone, if that is known.
    pub(crate) fn id(id: Option<String>) -> Self {
        Self { id, fingerprint: None, flags: Vec::new() }
    }
}

impl Row {
    /// The row of an outcome.
    pub(crate) fn of(about: About, outcome: Outcome) -> Self {
        let (verdict, near) = match outcome {
            Outcome::New => (Verdict::New, None),
            Outcome::Exists => (Verdict::Exists, None),
            Outcome::Duplicate(near) => (Verdict::Duplicate, Some(near.into())),
            Outcome::Updated => (Verdict::Updated, None),
            Outcome::Deleted => (Verdict::Deleted, None),
            Outcome::Absent => (Verdict::Absent, None),
        };
        Self { near, ..Self::plain(about, verdict) }
    }

    /// The row of a line of a batch that the server cannot take.
    pub(crate) fn refused(about: About, problem: Problem) -> Self {
        let (kind, status) = (problem.kind.name(), problem.kind.status().as_u16());
        Self {
            error: Some(problem.reason()),
            kind: Some(kind),
            status: Some(status),
            ..Self::plain(about, Verdict::Refused)
        }
    }

    fn plain(About { id, fingerprint, flags }: About, verdict: Verdict) -> Self {
        let (line, near, error, kind, status) = (None, None, None, None, None);
        Self { line, id, fingerprint, verdict, flags, near, error, kind, status }
    }

    /// Notes answers in the figures.
    pub(crate) fn note(rows: &[Self], service: &Service, op: Op) {
        let near = rows.iter().filter_map(|row| row.near.as_ref());
        service.duplicates.note(near.map(|near| (near.id.as_str(), near.distance)));
        if matches!(op, Op::Check | Op::CheckAndAdd | Op::CheckAndPut) {
            let checked = rows.iter().filter(|row| row.verdict != Verdict::Refused);
            service.duplicates.count_checked(checked.count());
        }
        for verdict in Verdict::ALL {
            let count = rows.iter().filter(|row| row.verdict == verdict).count();
            if count > 0 {
                let answers = Answers { op: op.name(), verdict: verdict.name() };
                let answers = service.observer.metrics.answers.get_or_create(&answers);
                answers.inc_by(count as u64);
            }
        }
    }
}

impl From<NearDocument> for NearRow {
    fn from(near: NearDocument) -> Self {
        Self {
            id: near.id,
            distance: near.distance,
            similarity: near.alike.map(|alike| alike.similarity),
            measure: near.alike.map(|alike| alike.measure.into()),
        }
    }
}
