//! Whether documents of the other parts stand in the first one: the search of `decontaminate`, over the parts that were
//! written. They get their names behind it, so that a search that fails leaves none.

use crate::show::figures::{count, count_of};
use crate::usage::wrong;
use nearprint_corpus::{Dialect, Fields, InputFormat, Source};
use nearprint_dedup::{
    ContaminationOutput, ContaminationSpec, CutParts, Error, InputSpec, ItemFields, NamedSet,
    Progress, Resources, SplitSpec, SplitSummary,
};
use nearprint_fingerprint::{DocumentPart, Weighting};
use std::path::PathBuf;

/// A search that waits for the parts.
pub(super) struct Check {
    spec: ContaminationSpec,
    with: Resources,
    /// Each part, with its file or folder.
    parts: Vec<(String, PathBuf)>,
    /// How what is written is to be read.
    dialect: Dialect,
    report: PathBuf,
}

/// A part as it is read.
struct Part {
    name: String,
    /// Its file or folder, where a store has it; else its files.
    inputs: Vec<String>,
    sources: Vec<Source>,
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
        // What is written is UTF-8.
        let dialect = Dialect { encoding: None, ..dialect };
        let spec = ContaminationSpec {
            input: InputSpec { dialect, ..InputSpec::default() },
            reading: job.reading.clone(),
            fields: ItemFields { answer, id, ..ItemFields::default() },
            may_lack_fields: true,
            outputs: ContaminationOutput {
                removed: Some(report.clone()),
                ..ContaminationOutput::default()
            },
            ..ContaminationSpec::default()
        };
        spec.check_memory(&job.input.sources, &with)?;
        let parts = parts.iter().zip(paths).map(|(part, path)| (part.name.clone(), path.clone()));
        Ok(Self { spec, with, parts: parts.collect(), dialect, report })
    }

    /// Looks in the parts that were cut, and gives them their names; what was cut, and a line of what was found. What a
    /// store has it shows under its name alone, and has that before.
    pub(super) fn over(
        self,
        cut: CutParts,
        progress: &Progress,
    ) -> anyhow::Result<(SplitSummary, String)> {
        let named = self.parts.iter().map(|(name, path)| (name.clone(), path));
        match cut.sources(self.dialect)? {
            Some(sources) => {
                let part = |((name, _), sources)| Part { name, inputs: Vec::new(), sources };
                let parts = named.zip(sources).map(part).collect();
                let line = self.run(cut.summary(), parts, progress)?;
                Ok((cut.publish()?, line))
            }
            None => {
                let input = |path: &PathBuf| vec![path.display().to_string()];
                let part = |(name, path)| Part { name, inputs: input(path), sources: Vec::new() };
                let parts = named.map(part).collect();
                let summary = cut.publish()?;
                let line = self.run(&summary, parts, progress)?;
                Ok((summary, line))
            }
        }
    }

    /// Looks in the parts; a line of what was found.
    fn run(
        mut self,
        cut: &SplitSummary,
        mut parts: Vec<Part>,
        progress: &Progress,
    ) -> anyhow::Result<String> {
        let has_documents =
            |name: &str| cut.parts.iter().any(|part| part.part == name && part.documents > 0);
        let report = self.report.display().to_string();
        let nothing = |why: &str| {
            format!("check: {why}, and there is nothing to look for; {report} is not written")
        };
        let has_first = parts.first().is_some_and(|first| has_documents(&first.name));
        parts.retain(|part| has_documents(&part.name));
        if !has_first || parts.len() < 2 {
            return Ok(nothing("a part is empty"));
        }
        let Part { name: first, inputs, sources } = parts.remove(0);
        (self.spec.input.inputs, self.spec.input.sources) = (inputs, sources);
        let set = |Part { name, inputs: files, sources }| NamedSet { name, files, sources };
        self.spec.sets = parts.into_iter().map(set).collect();
        let found = match self.spec.open(&self.with, progress)?.run(progress) {
            Err(Error::NoWords { .. }) => {
                return Ok(nothing("no document of the other parts has a word"));
            }
            found => found?,
        };
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
}
