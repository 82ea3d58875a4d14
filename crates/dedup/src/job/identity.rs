//! What decides what the stages of a job hold: a job that goes on must be the one that was begun.

use crate::error::Error;
use crate::job::dedup_job::DedupJob;
use crate::report::reports::Reports;
use nearprint_corpus::Part;
use nearprint_fingerprint::Recipe;
use serde_json::{Map, Value, json};

impl DedupJob {
    /// All that decides the outcome, field by field.
    ///
    /// # Errors
    /// A source of which an earlier state cannot be told from a later one: a stream.
    pub(crate) fn identity(
        &self,
        recipe: &Recipe,
        reports: &Reports,
    ) -> Result<Map<String, Value>, Error> {
        let Self { reading, sources, reference, annotate, whole_captures, criteria, .. } = self;
        let fields = &reading.fields;
        let sources = sources.iter().map(|source| match source.version() {
            Some(version) => Ok(json!([
                source.name(),
                version,
                source.format().map(|format| format.to_string())
            ])),
            None => Err(Error::NoResume { name: source.name().to_owned() }),
        });
        let job = json!({
            "recipe": format!("{} ({})", recipe.name, recipe.id()),
            "width": recipe.width.bits(),
            "k": criteria.likeness.k(),
            "candidates": match criteria.likeness.finds_by_angle() {
                true => "angles".to_owned(),
                false => criteria.likeness.finding().to_string(),
            },
            "verify": criteria.likeness.verify().to_string(),
            "cluster rule": criteria.cluster_rule.name(),
            "keep": criteria.keep.name_by(fields.score.as_deref()),
            "annotate": annotate,
            "whole captures": whole_captures,
            "fold equal": self.fold_equal,
            "featureless": criteria.featureless.name(),
            "reference files": reference,
            "id field": fields.id,
            "text field": fields.text,
            "language field": fields.tag,
            "null text": fields.null_text.name(),
            "html": fields.part.map(name_of),
            "on error": reading.on_error.name(),
            "longest record": reading.options.max_record_bytes,
            "reports": reports.names(),
            "audit": reports.audit,
            "input": sources.collect::<Result<Vec<_>, _>>()?,
        });
        Ok(job.as_object().cloned().unwrap_or_default())
    }
}

/// The part of a page, as a checkpoint has it.
const fn name_of(part: Part) -> &'static str {
    match part {
        Part::Main(_) => "main",
        Part::Full(_) => "full",
        Part::Both(_) => "both",
    }
}
