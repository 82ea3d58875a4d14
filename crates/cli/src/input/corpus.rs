//! From input flags to fingerprints in memory: what `pairs` and `clusters` start from.

use crate::flags::heading::{INPUT, RESOURCES};
use crate::flags::ids::IdsFlags;
use crate::flags::input::{Format, InputFlags};
use crate::flags::likeness::LikenessFlags;
use crate::flags::recipe::RecipeFlags;
use crate::flags::run::{RunFlags, work_dir};
use crate::show::bar::Bar;
use crate::show::figures::count_of;
use crate::show::remarks::{
    EARLIER_ID, EMPTY, ONE_PHRASE, OTHER_RECORD, TOO_SHORT, left_out, of_pages, skipped_by,
    skipped_for_store,
};
use crate::usage::{say, wrong};
use clap::Args;
use nearprint_corpus::{Source, total_bytes};
use nearprint_dedup::{
    Counts, Documents, InputSpec, JobSpec, Origin, Progress, Reading, ReadingSpec, Wanted, stored,
};
use nearprint_fingerprint::{Recipe, Width};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::Arc;

/// Flags of the verbs that take texts or fingerprints.
#[derive(Args)]
pub(crate) struct CorpusFlags {
    #[command(flatten)]
    pub(crate) input: InputFlags,
    #[command(flatten)]
    pub(crate) recipe: RecipeFlags,
    /// Read rows with a field `fingerprint` [default: if the first row has one]
    #[arg(long, help_heading = INPUT)]
    fingerprints: bool,
    /// Folder for temporary files [default: the system's]
    ///
    /// It holds copies of standard input, and what memory has no room for.
    #[arg(long, value_name = "DIR", help_heading = RESOURCES)]
    pub(crate) work_dir: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) run: RunFlags,
}

/// Input that is ready to be read: its files, where fingerprints come from, and their width.
pub(crate) struct Corpus {
    pub(crate) sources: Vec<Source>,
    pub(crate) width: Width,
    pub(crate) threads: usize,
    content: Option<Origin>,
    /// How far the reading is, and whether the user asked to end.
    pub(crate) progress: Arc<Progress>,
}

impl CorpusFlags {
    /// Where temporary files go.
    pub(crate) fn spill_dir(&self) -> anyhow::Result<PathBuf> {
        work_dir(self.work_dir.as_ref())
    }

    /// Finds the input and tells what it holds.
    pub(crate) fn open(&self) -> anyhow::Result<Corpus> {
        self.open_of(&self.input.inputs)
    }

    /// As [`Self::open`], for a verb that looks for near-duplicates: see [`RecipeFlags::wide`].
    pub(crate) fn open_wide(&self, likeness: &LikenessFlags) -> anyhow::Result<Corpus> {
        self.open_by(|flags| flags.wide(likeness), &self.input.inputs)
    }

    /// As [`Self::open`], of these inputs in place of those given.
    pub(crate) fn open_of<S: AsRef<OsStr>>(&self, inputs: &[S]) -> anyhow::Result<Corpus> {
        self.open_by(|flags| Ok(flags.clone()), inputs)
    }

    /// As [`Self::open`], of texts by the recipe that `recipe` tells.
    fn open_by<S: AsRef<OsStr>>(
        &self,
        recipe: impl FnOnce(&RecipeFlags) -> anyhow::Result<RecipeFlags>,
        inputs: &[S],
    ) -> anyhow::Result<Corpus> {
        let threads = self.run.threads()?;
        let raw_width = self.input.input_format.and_then(Format::raw_width);
        let sources = self.input.discover(inputs)?;
        let sources = spooled(&sources, self.work_dir.as_ref(), self.input.longest())?;
        let stored = |sources, width, content| {
            self.recipe.refuse_for_stored(width)?;
            Ok(Corpus { sources, width, threads, content, progress: Arc::default() })
        };
        if let Some(width) = raw_width {
            return stored(sources, width, None);
        }
        let on_error = self.input.on_error();
        let of_rows = || stored::width_of_rows(&sources, on_error);
        if self.fingerprints {
            let Some(width) = of_rows()? else {
                if stored::without_rows(&sources, on_error)? {
                    let width = self.recipe.unbound()?.width;
                    let (content, progress) = (Some(Origin::Hex(width)), Arc::default());
                    return Ok(Corpus { sources, width, threads, content, progress });
                }
                return wrong(format!(
                    "--fingerprints: the first row of {} has no field \"{}\"",
                    sources.first().map_or("the input", Source::name),
                    stored::FIELD
                ));
            };
            return stored(sources, width, Some(Origin::Hex(width)));
        }
        // Rows that hold both are read as text, as the flags of the recipe ask.
        if !stored::first_row_has(&sources, &self.input.text_field, on_error)
            && let Some(width) = of_rows()?
        {
            return stored(sources, width, Some(Origin::Hex(width)));
        }
        let flags = self.recipe.suiting(&sources, self.run.quiet);
        let (recipe, content) = recipe(&flags)?.content()?;
        let (content, progress) = (Some(content), Arc::default());
        Ok(Corpus { sources, width: recipe.width, threads, content, progress })
    }

    /// The job that looks for near-duplicates in texts by similarity, without anything to write yet.
    pub(crate) fn job(
        &self,
        corpus: &Corpus,
        recipe: &Recipe,
        likeness: &LikenessFlags,
    ) -> JobSpec {
        let mut spec = likeness.by(recipe);
        if let Some(Origin::Text { statistics, .. }) = &corpus.content {
            spec.fingerprints.statistics.clone_from(statistics);
        }
        spec
    }

    /// Such a job over the files of the input.
    pub(crate) fn files(&self, corpus: &Corpus, spec: JobSpec) -> anyhow::Result<JobSpec> {
        let Some(content) = corpus.content.clone() else { return wrong("raw words hold no texts") };
        let reading = self.input.reading(content, corpus.threads)?;
        let Reading { fields, on_error, fail_on_empty, options, .. } = reading;
        Ok(JobSpec {
            input: InputSpec { sources: corpus.sources.clone(), ..InputSpec::default() },
            reading: ReadingSpec { fields, on_error, fail_on_empty, options },
            ..spec
        })
    }

    /// Reads the input and its ids, with a bar.
    pub(crate) fn read(&self, corpus: &Corpus) -> anyhow::Result<Documents> {
        self.read_with(corpus, Wanted { ids: true, ..Wanted::default() })
    }

    /// As [`Self::read`], with the ids of raw words from where `ids` says.
    pub(crate) fn read_named(&self, corpus: &Corpus, ids: &IdsFlags) -> anyhow::Result<Documents> {
        let mut documents = self.read(corpus)?;
        let words = (documents.len() + documents.left_out.len()) as u64;
        let left_out: Vec<_> = documents.left_out.iter().map(|left_out| left_out.record).collect();
        if let Some(ids) = ids.read(corpus.is_raw(), words, &left_out)? {
            documents.ids = ids;
        }
        Ok(documents)
    }

    /// Reads the input and what is wanted of it, with a bar.
    pub(crate) fn read_with(&self, corpus: &Corpus, wanted: Wanted) -> anyhow::Result<Documents> {
        let progress = &corpus.progress;
        let _bar = Bar::show(progress, total_bytes(&corpus.sources), self.run.quiet);
        let documents = match &corpus.content {
            None => stored::read_words(&corpus.sources, corpus.width, progress)?,
            Some(content) => {
                let reading = self.input.reading(content.clone(), corpus.threads)?;
                Documents::read(&reading, &corpus.sources, wanted, progress)?
            }
        };
        Ok(documents)
    }
}

impl Corpus {
    /// The recipe that makes the fingerprints, where they are made of text.
    pub(crate) fn recipe(&self) -> Option<&Recipe> {
        match &self.content {
            Some(Origin::Text { recipe, .. }) => Some(recipe),
            _ => None,
        }
    }

    /// The files of the input and others that are read with it.
    pub(crate) fn with(&self, others: impl IntoIterator<Item = Source>) -> Vec<Source> {
        self.sources.iter().cloned().chain(others).collect()
    }

    /// Whether the input is raw words.
    pub(crate) fn is_raw(&self) -> bool {
        self.content.is_none()
    }

    /// The threads that join.
    pub(crate) fn pool(&self) -> anyhow::Result<ThreadPool> {
        Ok(ThreadPoolBuilder::new().num_threads(self.threads).build()?)
    }
}

/// The sources with standard input and pipes copied to `work_dir`, so that they can be read twice; no record
/// is to be longer than `longest`.
pub(crate) fn spooled(
    sources: &[Source],
    work_dir_flag: Option<&PathBuf>,
    longest: Option<usize>,
) -> anyhow::Result<Vec<Source>> {
    let folder = work_dir(work_dir_flag)?;
    Ok(sources.iter().map(|source| source.spooled(&folder, longest)).collect::<Result<_, _>>()?)
}

/// Says what a reader of the result would want to know of the input.
pub(crate) fn remark(counts: &Counts) {
    remark_beside(counts, &skipped_by(&counts.skipped));
}

/// The same of what a store was given.
pub(crate) fn remark_for_store(counts: &Counts) {
    remark_beside(counts, &skipped_for_store(&counts.skipped));
}

fn remark_beside(counts: &Counts, skipped: &[String]) {
    let Counts { empty, short, dominant, repeated_ids, replaced_utf8, pages, others, .. } = counts;
    skipped.iter().for_each(|line| say(line));
    for (documents, what) in
        [(*empty, EMPTY), (*replaced_utf8, "with invalid UTF-8, which was replaced")]
    {
        if documents > 0 {
            say(&format!("{} {what}", count_of(documents, "document")));
        }
    }
    of_pages(*pages).iter().for_each(|line| say(line));
    let degenerate =
        ": only identical copies count as duplicates, unless the recipe says otherwise";
    for (documents, [one, several], more) in [
        (*short, TOO_SHORT, degenerate),
        (*dominant, ONE_PHRASE, degenerate),
        (*repeated_ids, EARLIER_ID, ""),
    ] {
        if documents > 0 {
            let what = if documents == 1 { one } else { several };
            say(&format!("{} {what}{more}", count_of(documents, "document")));
        }
    }
    if *others > 0 {
        say(&count_of(*others, OTHER_RECORD));
    }
    left_out(&counts.other_records, &counts.few_documents).iter().for_each(|line| say(line));
}
