//! Whether documents of the other parts stand in the first one: the search of `decontaminate`, over the parts that were
//! written.

use crate::show::figures::{count, count_of};
use crate::usage::wrong;
use nearprint_corpus::{Dialect, Fields, InputFormat, Source};
use nearprint_dedup::{
    ContaminationOutput, ContaminationSpec, InputSpec, ItemFields, NamedSet, PartSummary, Progress,
    Resources, SplitSpec,
};
use nearprint_fingerprint::{DocumentPart, Weighting};
use std::path::{Path, PathBuf};

/// A search that waits for the parts.
pub(super) struct Check {
    spec: ContaminationSpec,
    with: Resources,
    /// Each part, with its file or folder.
    parts: Vec<(String, PathBuf)>,
    /// What files are called in the folder of a part.
    names: Vec<PathBuf>,
    report: PathBuf,
}

impl Check {
    /// The search in the first of the parts, at these paths, for documents of the others; `report` gets its rows. The input is
    /// written in `dialect`.
    pub(super) fn of(
        report: PathBuf,
        (SplitSpec { job, parts, .. }, dialect): (&SplitSpec, Dialect),
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
        let recipe = &job.fingerprints.recipe;
        if recipe.content != DocumentPart::Text || recipe.weights == Weighting::Given {
            return wrong(format!(
                "--check: recipe {} does not compare texts as they are; texts are looked for in texts",
                recipe.name
            ));
        }
        let Fields { id, text, .. } = &job.reading.fields;
        // Where only answers are named, they are what is looked for.
        let answer = text.split(',').map(|name| name.trim().to_owned()).collect();
        let id = Some(id.clone()).filter(|id| *id != Fields::default().id);
        let spec = ContaminationSpec {
            // What is written is UTF-8.
            input: InputSpec {
                dialect: Dialect { encoding: None, ..dialect },
                ..InputSpec::default()
            },
            reading: job.reading.clone(),
            fields: ItemFields { answer, id, ..ItemFields::default() },
            outputs: ContaminationOutput {
                removed: Some(report.clone()),
                ..ContaminationOutput::default()
            },
            ..ContaminationSpec::default()
        };
        let parts = parts.iter().zip(paths).map(|(part, path)| (part.name.clone(), path.clone()));
        let names = job.input.sources.iter().map(|source| source.relative().to_owned()).collect();
        Ok(Self { spec, with, parts: parts.collect(), names, report })
    }

    /// Looks in the parts that were cut; a line of what was found.
    pub(super) fn run(
        mut self,
        cut: &[PartSummary],
        progress: &Progress,
    ) -> anyhow::Result<String> {
        let has_documents =
            |name: &str| cut.iter().any(|part| part.part == name && part.documents > 0);
        let report = self.report.display().to_string();
        let set = |(name, path): &(String, PathBuf)| NamedSet {
            name: name.clone(),
            files: self.files(path),
            ..NamedSet::default()
        };
        let (first, others) = match self.parts.split_first() {
            Some((first, others)) if has_documents(&first.0) => (first.clone(), others),
            _ => Default::default(),
        };
        let sets: Vec<_> = others.iter().filter(|(name, _)| has_documents(name)).map(set).collect();
        if sets.is_empty() {
            return Ok(format!(
                "check: a part is empty, and there is nothing to look for; {report} is not written"
            ));
        }
        let (first, path) = first;
        (self.spec.input.inputs, self.spec.sets) = (self.files(&path), sets);
        let found = self.spec.open(&self.with, progress)?.run(progress)?;
        let short = match found.undecidable {
            0 => String::new(),
            short => format!("; {} too short to tell", count(short)),
        };
        let unread = match found.skipped_eval_rows.total {
            0 => String::new(),
            unread => format!("; {} skipped", count(unread)),
        };
        Ok(format!(
            "check: {} of {} of the other parts stand in {first}, and a part of {}{short}{unread}; {report} has the places",
            count(found.contaminated + found.common),
            count_of(found.items, "document"),
            count(found.partial),
        ))
    }

    /// The files of a part that this run wrote.
    fn files(&self, path: &Path) -> Vec<String> {
        if !path.is_dir() {
            return vec![path.display().to_string()];
        }
        let files = self.names.iter().map(|name| path.join(name));
        files.filter(|file| file.exists()).map(|file| file.display().to_string()).collect()
    }
}
