//! Whether documents of the other parts stand in the first one: the search of `decontaminate`, over the parts that were
//! written.

use crate::show::figures::count_of;
use crate::usage::wrong;
use nearprint_corpus::{Error, InputFormat, Source};
use nearprint_dedup::{
    ContaminationOutput, ContaminationSpec, InputSpec, ItemFields, NamedSet, PartShare,
    PartSummary, Progress, Resources, SplitSpec,
};
use std::path::{Path, PathBuf};

/// A search that waits for the parts.
pub(super) struct Check {
    spec: ContaminationSpec,
    with: Resources,
    first: String,
    report: PathBuf,
}

impl Check {
    /// The search in the first of the parts, at these paths, for documents of the others; `report` gets its rows.
    pub(super) fn of(
        report: PathBuf,
        SplitSpec { job, parts, .. }: &SplitSpec,
        paths: &[PathBuf],
        with: Resources,
    ) -> anyhow::Result<Self> {
        let of_rows = |source: &Source| source.format().is_none_or(InputFormat::is_rows);
        if let Some(source) = job.input.sources.iter().find(|source| !of_rows(source)) {
            return wrong(format!(
                "--check: {} has no rows, and documents are looked for by rows of JSONL, CSV, TSV, Parquet or Arrow",
                source.name()
            ));
        }
        if report.exists() && !with.force {
            return Err(Error::OutputExists { path: report.display().to_string() }.into());
        }
        let path = |path: &Path| path.display().to_string();
        let mut parts = parts.iter().zip(paths);
        let (first, inputs) = match parts.next() {
            Some((part, file)) => (part.name.clone(), vec![path(file)]),
            None => Default::default(),
        };
        let set = |(PartShare { name, .. }, file): (&PartShare, &PathBuf)| NamedSet {
            name: name.clone(),
            files: vec![path(file)],
            ..NamedSet::default()
        };
        // Where only answers are named, they are what is looked for.
        let answer = job.reading.fields.text.split(',').map(|name| name.trim().to_owned());
        let spec = ContaminationSpec {
            input: InputSpec { inputs, format: job.input.format, ..InputSpec::default() },
            reading: job.reading.clone(),
            sets: parts.map(set).collect(),
            fields: ItemFields { answer: answer.collect(), ..ItemFields::default() },
            outputs: ContaminationOutput {
                removed: Some(report.clone()),
                ..ContaminationOutput::default()
            },
            ..ContaminationSpec::default()
        };
        Ok(Self { spec, with, first, report })
    }

    /// Looks in the parts that were cut; a line of what was found.
    pub(super) fn run(self, cut: &[PartSummary], progress: &Progress) -> anyhow::Result<String> {
        let Self { mut spec, with, first, report } = self;
        let has_documents =
            |name: &str| cut.iter().any(|part| part.part == name && part.documents > 0);
        spec.sets.retain(|set| has_documents(&set.name));
        if spec.sets.is_empty() || !has_documents(&first) {
            return Ok(format!(
                "check: there is nothing to look for in {first}, and {} is not written",
                report.display()
            ));
        }
        let found = spec.open(&with, progress)?.run(progress)?;
        let whole = found.contaminated + found.common;
        Ok(format!(
            "check: {} of {} of the other parts stand in {first}, and a part of {}; {} has the places",
            whole,
            count_of(found.items, "document"),
            found.partial,
            report.display()
        ))
    }
}
