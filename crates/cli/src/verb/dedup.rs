//! `nearprint dedup`: a corpus back without its near-duplicates.

mod estimate;
mod report;

use crate::allocator::return_large_buffers;
use crate::flags::endings;
use crate::flags::folding::{FoldingFlags, pairs_said};
use crate::flags::heading::{DUPLICATE, OUTPUT, RESOURCES};
use crate::flags::input::{Format, Found, InputFlags, with_reference};
use crate::flags::keeping::KeepFlags;
use crate::flags::likeness::{LikenessFlags, or_similarity};
use crate::flags::names::{matches_of, of_verb};
use crate::flags::recipe::{RecipeFlags, say_of_streams};
use crate::flags::run::{RunFlags, say_resumed, work_dir_of};
use crate::flags::size;
use crate::flags::survivors::SurvivorFlags;
use crate::flags::within::WithinFlags;
use crate::input::seen;
use crate::show::bar::Bar;
use crate::show::figures::{bytes, count, count_of};
use crate::show::format;
use crate::show::kept::kept;
use crate::show::remarks::{remarks, skipped, skipped_by};
use crate::show::warnings::{by_source, warnings};
use crate::signals::heed_in_order;
use crate::usage::{WrongUsage, say, wrong};
use crate::verb::dedup::estimate::Estimate;
use clap::FromArgMatches;
use nearprint_corpus::Fields;
use nearprint_dedup::{
    Audit, CriteriaSpec, Error, Featureless, InputSpec, JobSpec, Memory, Origin, Outcome,
    OutputSpec, Page, Progress, Reading, ReadingSpec, Resources, Shards, Summary,
};
use nearprint_fingerprint::Recipe;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Keep one document of every group of near-duplicates
///
/// Kept documents are written in input order, byte for byte as they were read; text in other character sets becomes
/// UTF-8. Documents are near-duplicates if they share at least 80 % of their features (--similarity); each pair is
/// compared exactly. With -k they are near-duplicates if their fingerprints differ in at most K bits. One document of
/// each group is kept, and every other is a near-duplicate of it. Documents without text are kept (--featureless).
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES, override_usage = USAGE, mut_arg("input_format", |arg| arg.value_parser(Format::of_text())), mut_arg("k", or_similarity), mut_arg("fold_equal", |arg| arg.requires("pairs")))]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputFlags,
    #[command(flatten)]
    recipe: RecipeFlags,
    #[command(flatten)]
    likeness: LikenessFlags,
    #[command(flatten)]
    within: WithinFlags,
    #[command(flatten)]
    keeping: KeepFlags,
    /// Documents without any feature, such as an empty text or emoji alone: keep, or collapse
    ///
    /// keep: all are kept, as no fingerprint distinguishes them. collapse: of those with the same text,
    /// byte for byte, one is kept.
    #[arg(long, default_value = "keep", value_name = "WHAT", help_heading = DUPLICATE, hide_short_help = true)]
    featureless: Featureless,
    /// Also remove near-duplicates of these documents
    ///
    /// Files, folders or patterns, which are read and never written. May be repeated. A segment
    /// (from --index-out) gives the same answers as its documents, without kept_record.
    #[arg(long, value_name = "FILE|SEG", help_heading = DUPLICATE)]
    against: Vec<String>,
    /// Survivors: a file, a folder, or - for standard output
    ///
    /// The ending of a name decides the compression: .gz, .zst, .bz2 or .xz. Parquet files may become one file that
    /// ends in .parquet. OUT is treated as a folder if it already is one, or if it ends in /. So is a name without
    /// extension if the input is several files, text or HTML. A folder gets one file for each input file.
    #[arg(short, long, value_name = "OUT", required_unless_present_any = ["estimate", "decisions"], help_heading = OUTPUT)]
    output: Option<PathBuf>,
    /// Replace outputs that exist
    #[arg(long, help_heading = OUTPUT)]
    force: bool,
    /// Write what was removed, and because of which document
    ///
    /// Rows are {"id","kept","distance","similarity","measure","cluster"}. The measure says what the similarity is:
    /// "jaccard", "containment", "cosine" or "weighted-jaccard", computed from all features, or "estimated-cosine",
    /// estimated from the distance.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, value_parser = endings::rows())]
    removed: Option<PathBuf>,
    /// Write every near-duplicate pair
    ///
    /// Rows are {"a","b","distance"}, with "similarity" and "measure" where pairs are verified. A thousand
    /// equal documents are half a million pairs: --fold-equal makes the list short.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, value_parser = endings::rows())]
    pairs: Option<PathBuf>,
    #[command(flatten)]
    folding: FoldingFlags,
    /// Write every pair that was compared and is not similar enough
    ///
    /// Rows are like those of --pairs. A pair in neither list was never compared: no sketch, rare feature or radius
    /// proposed it. Equal documents are represented by the first one.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, hide_short_help = true, value_parser = endings::rows())]
    rejected: Option<PathBuf>,
    /// Write every document of a group
    ///
    /// Rows are {"id","cluster","representative"}.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, value_parser = endings::rows())]
    clusters: Option<PathBuf>,
    /// Keep every pair with its similarity, for nearprint decide
    ///
    /// From this file `nearprint decide` computes in seconds what another similarity (this one or more), cluster rule
    /// or document to keep would leave, without the corpus. Set a low similarity. The file also has the values of the
    /// fields of --within, --count-by and --keep-by. With it -o may be left out.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, hide_short_help = true)]
    decisions: Option<PathBuf>,
    /// Write the figures of the run as JSON
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, value_parser = endings::figures())]
    summary: Option<PathBuf>,
    /// Write a page with the largest groups and the most doubtful removals
    ///
    /// One HTML file that needs no network: the figures, and what became of each file. It shows how the documents
    /// of the largest groups differ, those of a random sample, and the least similar removals.
    #[arg(long, value_name = "FILE.html", help_heading = OUTPUT, value_parser = endings::page())]
    report: Option<PathBuf>,
    /// Show N pairs just above the similarity, and N just below it
    ///
    /// They show what the run nearly did. Pairs within 0.05 of the similarity are drawn with equal probability,
    /// among those with different content that were compared. --report shows their texts, --summary has their ids
    /// as "audit".
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=10_000), help_heading = OUTPUT, hide_short_help = true)]
    audit: Option<u16>,
    #[command(flatten)]
    survivors: SurvivorFlags,
    /// Write the kept documents as a segment, for --against of a later run
    ///
    /// The segment holds the id, the fingerprint and the features of each document, compressed, about 6 bytes a word. A
    /// later run with the same recipe and width compares with it as with the texts. For nearprint shard this is a
    /// folder, with a segment for each input file. Its name ends in .seen.jsonl.zst (or .seg).
    #[arg(long, value_name = "SEG", help_heading = OUTPUT, hide_short_help = true)]
    index_out: Option<PathBuf>,
    /// Memory that the program may take [default: what it needs]
    ///
    /// With less memory, more goes to --work-dir; with more than it needs, the run is faster. By
    /// default the program takes 40 bytes a document at 128 bits, the ids, and about 30 MB. K, M, G and
    /// T stand for powers of 1000, KiB and so on for powers of 1024.
    #[arg(long, value_name = "SIZE", value_parser = size::bytes, help_heading = RESOURCES)]
    memory: Option<usize>,
    /// Folder for temporary files, and for --resume [default: the system's]
    ///
    /// It holds a copy of standard input, and pairs and features that memory has no room for. If
    /// the folder is given, it also keeps finished stages until the run succeeds.
    #[arg(long, value_name = "DIR", help_heading = RESOURCES)]
    work_dir: Option<PathBuf>,
    /// Resume after the last finished stage of the same command
    ///
    /// For a run that was killed or failed. Half-written files that it left next to its outputs
    /// are removed.
    #[arg(long, requires = "work_dir", help_heading = RESOURCES)]
    resume: bool,
    /// Print what the run would take, and write nothing
    ///
    /// Reads some of the input and forecasts documents, time, memory and disk.
    #[arg(long, help_heading = RESOURCES)]
    estimate: bool,
    /// How an estimate is printed
    #[arg(long, value_enum, default_value = "table", requires = "estimate", value_name = "FORMAT", help_heading = RESOURCES, hide_short_help = true)]
    format: format::Format,
    #[command(flatten)]
    run: RunFlags,
}

const USAGE: &str = "nearprint dedup [OPTIONS] --output <OUT> <IN>...
       nearprint dedup [OPTIONS] --estimate <IN>...";

/// Above this input size, warn if the join will take long.
const LARGE: u64 = 1_000_000_000;

const EXAMPLES: &str = "Examples:
  nearprint dedup corpus.jsonl -o kept.jsonl
  nearprint dedup crawl/*.jsonl.zst -o clean/ --removed removed.jsonl --summary summary.json
  nearprint dedup pages/ -o unique/ --keep longest --similarity 0.9
  nearprint dedup corpus.jsonl -o kept.jsonl -k 3
  nearprint dedup crawl/ --keep-by crawled:max --memory 4G --estimate
  nearprint dedup crawl/ -o clean/ --work-dir /scratch --resume
  nearprint dedup 'raw/*.parquet' -o clean/part.parquet --shard-size 1G
  nearprint dedup dumps/ -o clean/ --within dump --copies --count-by dump
  nearprint dedup crawl/ --similarity 0.6 --decisions crawl.decisions
  nearprint dedup today.jsonl -o new.jsonl --against 'archive/*.jsonl.zst' --removed seen.jsonl
  zcat dump.jsonl.gz | nearprint dedup - -o - --text-field body > kept.jsonl";

/// Memory below which a run gives back what it frees: in more there is room for what the allocator keeps.
const LITTLE: usize = 64_000_000;

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if args.memory.is_some_and(|memory| memory < LITTLE) {
        return_large_buffers();
    }
    let found = args.found()?;
    args.input.refuse_idle_marks(&found.0, !args.against.is_empty())?;
    let (recipe, content) = args.text_recipe(&found)?;
    let progress = Arc::new(Progress::default());
    let (asked, with) = (args.asked(&recipe, &content)?, args.resources()?);
    let likeness = LikenessFlags::of(&asked)?;
    let spec = args.whole(found, asked, content)?;
    let threads = args.run.threads()?;
    let estimate = |forecast| Estimate {
        forecast,
        likeness: &likeness,
        width: recipe.width,
        threads,
        allowed: args.memory,
    };
    if args.estimate {
        let job = spec.resolve(&with, &progress);
        let forecast = job.and_then(|job| job.forecast(&progress));
        let forecast = forecast.map_err(|error| args.by_flag(error, "--estimate"))?;
        if !args.run.quiet {
            skipped_by(&forecast.skipped).iter().for_each(|line| say(line));
        }
        return estimate(forecast).print(args.format);
    }
    heed_in_order(&progress);
    let job = spec.open(&with, &progress).map_err(|error| args.by_flag(error, "--resume"))?;
    if args.resume && !args.run.quiet {
        say_resumed(job.finished_stages(), args.work_dir.as_ref());
    }
    let total = job.total_bytes();
    if !args.run.quiet && total.is_some_and(|bytes| bytes > LARGE) {
        estimate(job.forecast(&progress)?).warn();
    }
    let bar = Bar::follow(&progress, total, args.run.quiet);
    let instead = args.input.told_instead(job.sources(), args.run.quiet);
    let Outcome { summary, .. } = job.run(&progress)?;
    drop(bar);
    if !args.run.quiet {
        say_of_streams(&spec.input, &summary.recipe);
        tell(&summary, args);
    }
    instead.iter().for_each(|told| say(told));
    Ok(())
}

/// Refuses what the job would refuse before it reads, for a run over one input.
pub(crate) fn check(args: &Args, progress: &Progress) -> anyhow::Result<()> {
    args.input.refuse_further("--dedup")?;
    let found = args.found()?;
    let (recipe, content) = args.text_recipe(&found)?;
    let spec = args.whole(found, args.asked(&recipe, &content)?, content)?;
    spec.open(&args.resources()?, progress)
        .map(drop)
        .map_err(|error| args.by_flag(error, "--dedup"))
}

/// Does the job and says nothing.
pub(crate) fn run_for(args: &Args, progress: &Arc<Progress>) -> anyhow::Result<Summary> {
    if args.estimate {
        return wrong("dedup: give an output, and no --estimate");
    }
    let found = args.found()?;
    let (recipe, content) = args.text_recipe(&found)?;
    let spec = args.whole(found, args.asked(&recipe, &content)?, content)?;
    Ok(spec.open(&args.resources()?, progress)?.run(progress)?.summary)
}

/// The job of these arguments in shards, with the folder of its files.
pub(crate) fn shards(args: &[String], work: &Path) -> anyhow::Result<Shards> {
    let name = std::iter::once("dedup".into());
    let parsed = Args::parse_args(name.chain(args.iter().map(Into::into)));
    let args = parsed.map_err(|error| of_verb::<Args>("dedup", error))?;
    if args.output.is_none() || args.estimate || args.resume {
        return wrong("shard: give an output folder, and neither --estimate nor --resume");
    }
    let found = args.found()?;
    args.input.refuse_idle_marks(&found.0, !args.against.is_empty())?;
    let (recipe, content) = args.text_recipe(&found)?;
    let mut spec = args.over_input(found, args.asked(&recipe, &content)?, content)?;
    if let Some(folder) = &args.index_out {
        spec.outputs.segment = Some(seen::folder(folder)?.to_owned());
    }
    let shards = spec.shards(&args.resources()?, work);
    shards.map_err(|error| match error {
        Error::Undivided { .. } => WrongUsage(error.to_string()).into(),
        error => args.survivors.by_flag(error),
    })
}

impl Args {
    /// The arguments of the verb alone, the first of which is its name, for a run that says nothing.
    pub(crate) fn parse_args(args: impl Iterator<Item = OsString>) -> anyhow::Result<Self> {
        let mut args = Self::from_arg_matches(&matches_of::<Self>("dedup", args)?)?;
        args.run.quiet = true;
        Ok(args)
    }

    /// The files that the flags name.
    fn found(&self) -> anyhow::Result<Found> {
        let found = self.input.find_beside(&self.input.inputs, &self.against, self.room()?)?;
        self.input.refuse_idle_requests(&found.0, self.survivors.keep_requests)?;
        Ok(found)
    }

    /// Files that there is room for in memory, where that is limited.
    fn room(&self) -> anyhow::Result<Option<u64>> {
        // An estimate tells what a run would take, whatever it may take.
        let memory = self.memory.filter(|_| !self.estimate).map(Memory::Process);
        let threads = self.run.threads()?;
        Ok(memory.and_then(|memory| memory.for_lists(threads)))
    }

    /// The recipe, and where fingerprints come from.
    fn text_recipe(&self, (sources, _): &Found) -> anyhow::Result<(Recipe, Origin)> {
        if self.input.input_format.is_some_and(|format| format.raw_width().is_some()) {
            return wrong(
                "dedup writes documents back: raw fingerprints have none (see pairs, clusters)",
            );
        }
        let flags = self.recipe.suiting(sources, self.run.quiet);
        let (recipe, content) = flags.wide(&self.likeness)?.content()?;
        self.likeness.check(recipe.width)?;
        Ok((recipe, content))
    }

    /// What is asked for, but for the input and the segment.
    fn asked(&self, recipe: &Recipe, content: &Origin) -> anyhow::Result<JobSpec> {
        let (keep, scores) = self.keeping.rule()?;
        let mut spec = self.likeness.by(recipe);
        if let Origin::Text { statistics, .. } = content {
            spec.fingerprints.statistics.clone_from(statistics);
        }
        spec.reading.fields = scores.among(spec.reading.fields);
        spec.criteria = CriteriaSpec {
            cluster_rule: self.keeping.cluster_rule(),
            keep: Some(keep),
            featureless: self.featureless,
            ..spec.criteria
        };
        spec.labels = self.survivors.labels(self.within.labels());
        let page = self.report.clone().map(|path| Page { path, render: report::page });
        spec.outputs = OutputSpec {
            survivors: self.output.clone(),
            removed: self.removed.clone(),
            pairs: self.pairs.clone(),
            fold_equal: self.folding.fold_equal,
            rejected: self.rejected.clone(),
            clusters: self.clusters.clone(),
            decisions: self.decisions.clone(),
            summary: self.summary.clone(),
            page,
            audit: self.audit.map_or(0, usize::from),
            ..self.survivors.outputs()
        };
        Ok(spec)
    }

    /// What the job may take.
    fn resources(&self) -> anyhow::Result<Resources> {
        Ok(Resources {
            threads: Some(self.run.threads()?),
            memory: self.memory.map_or(Memory::Frugal, Memory::Process),
            work_dir: work_dir_of(self.work_dir.as_ref(), self.estimate),
            resume: self.resume,
            force: self.force,
        })
    }

    /// The job that the flags ask for, on this machine.
    fn whole(&self, found: Found, asked: JobSpec, content: Origin) -> anyhow::Result<JobSpec> {
        let mut spec = self.over_input(found, asked, content)?;
        if let Some(path) = &self.index_out {
            spec.outputs.segment = Some(seen::named(path)?.to_owned());
        }
        Ok(spec)
    }

    /// What is asked for over the files that were found.
    fn over_input(&self, found: Found, asked: JobSpec, content: Origin) -> anyhow::Result<JobSpec> {
        let (threads, room) = (self.run.threads()?, self.room()?);
        let reference = match self.against.as_slice() {
            [] => Found::default(),
            against => self.input.find_against(against, room)?,
        };
        let input = with_reference(found, reference, self.run.quiet);
        if self.audit.is_some() && self.report.is_none() && self.summary.is_none() {
            return wrong(
                "--audit: pairs are shown in --report and in --summary; give one of them",
            );
        }
        let Reading { fields, on_error, fail_on_empty, options, .. } =
            self.input.reading(content, threads)?;
        let Fields { score, ties, .. } = asked.reading.fields.clone();
        let fields = Fields { score, ties, ..fields };
        let reading = ReadingSpec { fields, on_error, fail_on_empty, options };
        let archives_recipe = self.recipe.of_streams(&input.sources)?;
        let input = InputSpec { archives_recipe, ..input };
        Ok(JobSpec { input, reading, ..asked })
    }

    /// What the job refuses, with the flag that asked for it; `reading_twice` is the flag for which the
    /// input must be read more than once.
    fn by_flag(&self, error: Error, reading_twice: &str) -> anyhow::Error {
        let message = match &error {
            Error::NoAudit => format!("--audit: {error}"),
            Error::Undecidable { .. } => {
                let flag = if self.decisions.is_some() { "--decisions" } else { "--rejected" };
                format!("{flag}: {error}")
            }
            Error::ReadOnce { .. } => format!("{reading_twice}: {error}"),
            _ => return self.survivors.by_flag(error),
        };
        WrongUsage(message).into()
    }
}

/// The closing lines: what was read, removed and kept, and what shows more.
fn tell(summary: &Summary, args: &Args) {
    let took = format!(" ({} in {:.2} s)", bytes(summary.bytes), summary.seconds.total);
    let place = args.output.as_deref().map(|output| args.survivors.place(output));
    kept(summary, &took, place.as_deref()).iter().for_each(|line| say(line));
    if let Some(pairs) = summary.pairs {
        say(&pairs_said(summary.pairs_listed.unwrap_or(pairs), pairs, "written"));
    }
    if let Some(Audit { above, below }) = &summary.audit {
        say(&format!(
            "from {:.2} to {:.2} in similarity: about {} of different content above the threshold and {} below; {} and {} were \
             drawn",
            below.from,
            above.to,
            count_of(above.pairs, "pair"),
            count(below.pairs),
            above.drawn.len(),
            below.drawn.len()
        ));
    }
    by_source(summary).iter().chain(&remarks(summary)).for_each(|line| say(line));
    skipped(summary).iter().chain(&warnings(summary)).for_each(|line| say(line));
    let shows = args.report.is_some() || args.removed.is_some() || args.survivors.annotate;
    if summary.removed > 0 && !shows {
        say("not sure? --report page.html shows what was removed next to what was kept");
    }
}
