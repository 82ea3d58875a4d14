//! Near-duplicates among texts, found as `dedup` finds them: what verbs that write no survivors run.

use crate::flags::likeness::{LikenessFlags, said};
use crate::flags::output::OutputFlags;
use crate::input::corpus::{Corpus, CorpusFlags};
use crate::show::bar::Bar;
use crate::show::remarks::{of_input, skipped};
use crate::usage::say;
use nearprint_corpus::total_bytes;
use nearprint_dedup::{JobSpec, Likeness, Memory, OutputSpec, Resources, Summary};
use nearprint_fingerprint::{Recipe, Width};
use std::path::PathBuf;

/// A job that is ready but for what it writes.
pub(crate) struct TextSearch<'a> {
    corpus: &'a Corpus,
    spec: JobSpec,
    with: Resources,
    likeness: Likeness,
    width: Width,
    quiet: bool,
}

impl<'a> TextSearch<'a> {
    /// A search that `spec` states but for its files, in the memory that is given.
    pub(crate) fn new(
        flags: &CorpusFlags,
        corpus: &'a Corpus,
        recipe: &Recipe,
        memory: Option<usize>,
        spec: JobSpec,
    ) -> anyhow::Result<Self> {
        let likeness = LikenessFlags::of(&spec)?;
        let with = Resources {
            threads: Some(corpus.threads),
            memory: memory.map_or(Memory::Frugal, Memory::Process),
            work_dir: flags.work_dir.clone(),
            ..Resources::default()
        };
        let spec = flags.files(corpus, spec)?;
        Ok(Self { corpus, spec, with, likeness, width: recipe.width, quiet: flags.run.quiet })
    }

    /// Writes the report that `report` names among the outputs, and says what a reader would want to know of the input.
    pub(crate) fn run(
        &self,
        output: &OutputFlags,
        report: fn(&mut OutputSpec) -> &mut Option<PathBuf>,
    ) -> anyhow::Result<Summary> {
        let (path, force) = output.named();
        let (mut spec, with) = (self.spec.clone(), Resources { force, ..self.with.clone() });
        *report(&mut spec.outputs) = Some(path.to_owned());
        let job = spec.open(&with, &self.corpus.progress)?;
        let bar = Bar::show(&self.corpus.progress, total_bytes(&self.corpus.sources), self.quiet);
        let summary = job.run(&self.corpus.progress)?.summary;
        drop(bar);
        if !self.quiet {
            of_input(&summary).iter().chain(&skipped(&summary)).for_each(|remark| say(remark));
        }
        Ok(summary)
    }

    /// How near-duplicates were found.
    pub(crate) fn said(&self) -> String {
        said(&self.likeness, self.width)
    }
}
