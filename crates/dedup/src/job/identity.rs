//! What a job is known by: all that decides what its stages hold. A job that goes on must be the one that was begun.

use crate::error::Error;
use crate::job::resolved::Job;
use crate::job::spec::OutputSpec;
use crate::read::reading::Reading;
use crate::read::sketch::Origin;
use crate::read::ties::rule_name;
use nearprint_corpus::{Fields, InputFormat, Part, Source};
use nearprint_rules::Criteria;
use serde_json::{Map, Value, json};
use xxhash_rust::xxh3::xxh3_64;

impl Job {
    /// All that decides the outcome, field by field: for checkpoints and plans of shards. Every field of the job is
    /// named here, so that a new one is a decision.
    ///
    /// # Errors
    /// A source of which an earlier state cannot be told from a later one: a stream.
    pub(crate) fn identity(&self) -> Result<Map<String, Value>, Error> {
        // Threads, memory and folders decide nothing; the outputs themselves are named by whoever keeps the identity.
        let Self {
            reading:
                Reading { content: _, fields, on_error, fail_on_empty: _, options: _, threads: _ },
            sources,
            reference,
            passed_over: _,
            asked: _,
            criteria: Criteria { likeness, cluster_rule, keep, featureless },
            within,
            across,
            count_by,
            stratify: _,
            group_by,
            // The similarity says what it came to.
            target: _,
            names: _,
            keys: _,
            outputs,
            note_columns: _,
            form: _,
            memory: _,
            needs: _,
            longest_asked,
            work_dir: _,
        } = self;
        // What scores go by, and what breaks ties, is in the name of the rule.
        let Fields {
            id,
            text,
            tag,
            score: _,
            ties: _,
            labels,
            part,
            null_text,
            id_required: _,
            id_named: _,
            metadata: _,
        } = fields;
        let OutputSpec {
            survivors: _,
            shard_size: _,
            annotate,
            copies,
            rehydrate,
            most_removed: _,
            keep_requests,
            removed: _,
            pairs: _,
            fold_equal,
            rejected: _,
            clusters: _,
            kept: _,
            decisions: _,
            summary: _,
            segment: _,
            page: _,
            audit,
        } = outputs;
        let recipe = self.recipe()?;
        let mut job = json!({
            "recipe": format!("{} ({})", recipe.name, recipe.id()),
            "width": recipe.width.bits(),
            "k": likeness.k(),
            "candidates": match likeness.finds_by_angle() {
                true => "angles".to_owned(),
                false => likeness.finding().to_string(),
            },
            "verify": likeness.verify().to_string(),
            "cluster rule": cluster_rule.name(),
            "keep": rule_name(*keep, fields),
            "annotate": annotate,
            "whole captures": !keep_requests,
            "fold equal": fold_equal,
            "featureless": featureless.name(),
            "reference files": reference,
            "id field": id,
            "text field": text,
            "language field": tag,
            "null text": null_text.name(),
            "html": part.map(name_of),
            "on error": on_error.name(),
            "longest record": longest_asked,
            "reports": outputs.reports(),
            "audit": audit,
            "input": inputs(sources)?,
        });
        if keep.is_by_score() {
            // Work of releases that kept a double of each score is not gone on with.
            job["scores"] = "exact".into();
        }
        let label = |at: &Option<usize>| at.and_then(|at| labels.get(at));
        for (what, asked) in [
            ("within", label(within).cloned()),
            ("across", label(across).cloned()),
            ("count by", label(count_by).cloned()),
            ("group by", label(group_by).cloned()),
            ("copies", copies.then(|| "counted".to_owned())),
            ("rehydrate", rehydrate.map(|rule| rule.to_string())),
        ] {
            if let Some(asked) = asked {
                job[what] = asked.into();
            }
        }
        Ok(job.as_object().cloned().unwrap_or_default())
    }
}

/// The state of each source, by its name.
///
/// # Errors
/// A source of which an earlier state cannot be told from a later one: a stream.
pub(crate) fn inputs(sources: &[Source]) -> Result<Vec<Value>, Error> {
    let state = |source: &Source| match source.version() {
        Some(version) => {
            let mut stated = vec![json!(source.name()), json!(version), json!(cut(source))];
            stated.extend(source.dialect().name().map(Value::from));
            Ok(Value::from(stated))
        }
        None => Err(Error::NoResume { name: source.name().to_owned() }),
    };
    sources.iter().map(state).collect()
}

/// What entries of an engine have in common that are of one job: its recipe and its bands.
pub(crate) fn stamp(origin: &Origin, criteria: &Criteria, is_grouped: bool) -> u64 {
    let Criteria { likeness, cluster_rule: _, keep: _, featureless: _ } = criteria;
    let recipe = match origin {
        Origin::Text { recipe, statistics: _ } => recipe.id().to_string(),
        Origin::Hex(_) => String::new(),
    };
    let (finding, radius) = (likeness.finding(), likeness.sketch_radius());
    let grouped = if is_grouped { ", by group" } else { "" };
    xxh3_64(format!("{recipe}, {finding}, within {radius} bits of a code{grouped}").as_bytes())
}

/// The part of a page, as a checkpoint has it.
const fn name_of(part: Part) -> &'static str {
    match part {
        Part::Main(_) => "main",
        Part::Full(_) => "full",
        Part::Both(_) => "both",
        Part::Headings => "headings",
    }
}

/// How a source is cut. Rows of Parquet are called those of JSONL: so runs that earlier releases began go on.
fn cut(source: &Source) -> Option<&'static str> {
    let format = source.format()?;
    Some(if format == InputFormat::PARQUET { InputFormat::JSONL } else { format }.name())
}

#[cfg(test)]
mod tests {
    use crate::job::spec::{CriteriaSpec, InputSpec, JobSpec, OutputSpec, Resources};
    use crate::memory::limits::Memory;
    use crate::progress::Progress;
    use nearprint_corpus::{Fields, ReadOptions};
    use serde_json::{Value, json};
    use std::path::PathBuf;

    #[test]
    fn a_job_is_known_by_what_is_asked_and_not_by_what_it_may_take() {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("in.jsonl");
        std::fs::write(&input, "{\"text\":\"a b c d\"}\n").unwrap();
        let inputs = vec![input.display().to_string()];
        let spec = JobSpec {
            input: InputSpec { inputs, ..InputSpec::default() },
            criteria: CriteriaSpec { k: Some(3), ..CriteriaSpec::default() },
            outputs: OutputSpec {
                removed: Some(PathBuf::from("removed")),
                fold_equal: true,
                audit: 3,
                ..OutputSpec::default()
            },
            ..JobSpec::default()
        };
        let job = |with| spec.resolve(&with, &Progress::default()).unwrap();
        let one = job(Resources { threads: Some(2), ..Resources::default() });
        let (recipe, mut known) = (one.recipe().unwrap(), one.identity().unwrap());
        let other = job(Resources {
            threads: Some(7),
            memory: Memory::Join(1 << 20),
            work_dir: Some(folder.path().to_owned()),
            resume: true,
            force: true,
        });
        assert_eq!(other.identity().unwrap(), known);
        let input = known.remove("input").unwrap();
        assert_eq!(input[0][0], json!(one.sources[0].name()));
        assert_eq!(input[0][2], json!("jsonl"));
        let expected = json!({
            "recipe": format!("{} ({})", recipe.name, recipe.id()),
            "width": 64,
            "k": 3,
            "candidates": one.criteria.likeness.finding().to_string(),
            "verify": "none",
            "cluster rule": "star",
            "keep": "central",
            "annotate": false,
            "whole captures": true,
            "fold equal": true,
            "featureless": "keep",
            "reference files": 0,
            "id field": "id",
            "text field": "text",
            "language field": null,
            "null text": Fields::default().null_text.name(),
            "html": null,
            "on error": "fail",
            "longest record": ReadOptions::default().max_record_bytes,
            "reports": ["removed"],
            "audit": 3,
        });
        assert_eq!(Value::from(known), expected);
    }
}
