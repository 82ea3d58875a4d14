//! Near-duplicates among texts, found as `dedup` finds them: what verbs that write no survivors run.

use crate::flags::likeness::{LikenessFlags, said};
use crate::flags::output::OutputFlags;
use crate::input::corpus::{Corpus, CorpusFlags};
use crate::show::bar::Bar;
use crate::show::remarks::{remarks, skipped};
use crate::usage::say;
use nearprint_corpus::total_bytes;
use nearprint_dedup::{Dedup, DedupFiles, Likeness, Memory, Summary};
use nearprint_fingerprint::{Recipe, Width};
use std::path::PathBuf;

/// A job that is ready but for what it writes.
pub(crate) struct TextSearch<'a> {
    corpus: &'a Corpus,
    files: DedupFiles,
    likeness: Likeness,
    width: Width,
    quiet: bool,
}

impl<'a> TextSearch<'a> {
    /// A search that `dedup` states, in the memory that is given.
    pub(crate) fn new(
        flags: &CorpusFlags,
        corpus: &'a Corpus,
        recipe: &Recipe,
        memory: Option<usize>,
        dedup: Dedup,
    ) -> anyhow::Result<Self> {
        let dedup = match memory {
            Some(bytes) => dedup.memory(Memory::Process(bytes)),
            None => dedup,
        };
        let likeness = LikenessFlags::of(&dedup)?;
        let files = flags.files(corpus, dedup)?;
        Ok(Self { corpus, files, likeness, width: recipe.width, quiet: flags.run.quiet })
    }

    /// Writes the report that `ask` asks for, and says what a reader would want to know of the input.
    pub(crate) fn run(
        &self,
        output: &OutputFlags,
        ask: fn(DedupFiles, PathBuf) -> DedupFiles,
    ) -> anyhow::Result<Summary> {
        let (path, force) = output.named();
        let job = ask(self.files.clone().force(force), path.to_owned()).prepare_reports()?;
        let bar = Bar::show(&self.corpus.progress, total_bytes(&self.corpus.sources), self.quiet);
        let summary = job.run(&self.corpus.progress)?;
        drop(bar);
        if !self.quiet {
            remarks(&summary).iter().chain(&skipped(&summary)).for_each(|remark| say(remark));
        }
        Ok(summary)
    }

    /// How near-duplicates were found.
    pub(crate) fn said(&self) -> String {
        said(&self.likeness, self.width)
    }
}
