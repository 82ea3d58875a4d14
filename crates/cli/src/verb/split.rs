//! `nearprint split`: train, validation and test sets without near-duplicates across them.

mod check;

use crate::allocator::return_large_buffers;
use crate::flags::endings;
use crate::flags::heading::{INPUT, OUTPUT, RESOURCES};
use crate::flags::input::{Format, InputFlags, say_passed_over, told_of_passed_over};
use crate::flags::likeness::{LikenessFlags, or_all, or_similarity, said};
use crate::flags::names::matches_of;
use crate::flags::recipe::{RecipeFlags, say_of_streams};
use crate::flags::run::RunFlags;
use crate::flags::size;
use crate::show::bar::Bar;
use crate::show::figures::{count, count_of, percent};
use crate::show::remarks::{EARLIER_ID, left_out, skipped_by};
use crate::signals::heed_in_order;
use crate::usage::{WrongUsage, say, wrong};
use check::Check;
use clap::FromArgMatches;
use nearprint_corpus::{PassedOver, Source};
use nearprint_dedup::{
    ByReason, Error, ExactShare, InputSpec, JobSpec, Memory, Origin, PartShare, Progress, Reading,
    ReadingSpec, ReadySplit, Recall, Resources, SplitLeak, SplitSpec, SplitSummary,
};
use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Split a corpus into train, validation and test sets that share no near-duplicates
///
/// Documents that are connected by near-duplicates are in one part, and so are documents of one id. All pairs at the
/// similarity are found (--recall exact, unless another is given), so no pair crosses. The part of a cluster comes from
/// a hash of the id of its first document, or of its content if it has none. When documents are appended, the others
/// keep their parts, unless a new one connects two clusters. Records are written in input order, byte for byte as they
/// were read; text in other character sets becomes UTF-8.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES, mut_arg("input_format", |arg| arg.value_parser(Format::of_text())), mut_arg("k", or_similarity), mut_arg("recall", or_all))]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputFlags,
    #[command(flatten)]
    recipe: RecipeFlags,
    #[command(flatten)]
    likeness: LikenessFlags,
    /// Names and shares of the parts, in percent or as shares of 1
    #[arg(long, value_name = "PARTS", default_value = "train=90,valid=5,test=5", help_heading = OUTPUT)]
    parts: String,
    /// Another seed puts other documents into each part
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = OUTPUT)]
    seed: u64,
    /// Give the parts their sizes as nearly as the clusters allow
    ///
    /// By default the share of a part is a probability: of 10,000 documents a part of 5 % gets 500, give or take 40.
    /// The closing lines say which shares were reached. When documents are added, some others may change their part.
    #[arg(long, help_heading = OUTPUT)]
    balance: bool,
    /// Give every value of FIELD the same shares in all parts: each language or source
    ///
    /// Parts are balanced then. A cluster counts for the value of its first document. @folder is the first folder below
    /// the input.
    #[arg(long, value_name = "FIELD", help_heading = INPUT)]
    stratify: Option<String>,
    /// A folder for the parts, or a path with {part} in it
    ///
    /// OUT/train.jsonl and so on for one input file; for several, a folder OUT/train/ with a file for
    /// each. Or a path such as out/{part}.parquet.
    #[arg(short, long, value_name = "OUT", help_heading = OUTPUT)]
    output: PathBuf,
    /// Replace outputs that exist
    #[arg(long, help_heading = OUTPUT)]
    force: bool,
    /// Write which part each document is in
    ///
    /// Rows are {"id","part"}.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, value_parser = endings::rows())]
    assignments: Option<PathBuf>,
    /// Look in the first part for documents of the others, and write what stands there
    ///
    /// It finds documents that are a part of a longer one, which no similarity tells. Rows are those of
    /// `nearprint decontaminate --removed`, the other parts its eval sets. It needs rows, such as JSONL.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, value_parser = endings::rows())]
    check: Option<PathBuf>,
    /// Write the figures as JSON
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, value_parser = endings::figures())]
    summary: Option<PathBuf>,
    /// Memory that the program may take [default: what it needs]
    #[arg(long, value_name = "SIZE", value_parser = size::bytes, help_heading = RESOURCES)]
    memory: Option<usize>,
    /// Folder for temporary files [default: the system's]
    #[arg(long, value_name = "DIR", help_heading = RESOURCES)]
    work_dir: Option<PathBuf>,
    #[command(flatten)]
    run: RunFlags,
}

const EXAMPLES: &str = "Examples:
  nearprint split corpus.jsonl -o parts/
  nearprint split corpus.jsonl -o parts/ --parts train=80,test=20 --seed 7 --assignments parts.jsonl
  nearprint split 'raw/*.parquet' -o 'parts/{part}.parquet' --stratify language
  nearprint split corpus.jsonl -o parts/ --similarity 0.6 --balance
  nearprint split corpus.jsonl -o parts/ --check leaks.jsonl";

/// What stands for the name of a part in an output.
const PART: &str = "{part}";

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if args.memory.is_some() {
        return_large_buffers();
    }
    let (spec, likeness) = args.asked()?;
    args.input.refuse_idle_marks(&spec.job.input.sources, false)?;
    let quiet = args.run.quiet;
    if !quiet {
        say_passed_over(&spec.job.input.passed_over);
    }
    let progress = Arc::new(Progress::default());
    heed_in_order(&progress);
    let ready = args.open(&spec, &progress)?;
    let check = args.check(&spec, &ready)?;
    let paths = ready.paths().to_vec();
    let instead = args.input.told_instead(ready.sources(), quiet);
    let bar = Bar::follow(&progress, ready.total_bytes(), quiet);
    let (summary, checked) = cut(ready, check, &progress)?;
    drop(bar);
    if !quiet {
        say_of_streams(&spec.job.input, &summary.recipe);
        tell(&summary, &spec.parts, &likeness);
        checked.iter().chain(&args.others(&spec, &paths)).for_each(|line| say(line));
    }
    instead.iter().for_each(|told| say(told));
    Ok(())
}

/// Splits for a program: the figures, and lines of what was passed over in folders and of what a check found.
pub(crate) fn run_for(
    args: &Args,
    progress: &Arc<Progress>,
) -> anyhow::Result<(SplitSummary, Vec<String>)> {
    let (spec, _) = args.asked()?;
    let mut lines = told_of_passed_over(&spec.job.input.passed_over, "");
    let ready = args.open(&spec, progress)?;
    let check = args.check(&spec, &ready)?;
    let paths = ready.paths().to_vec();
    let (summary, checked) = cut(ready, check, progress)?;
    lines.extend(not_read(&summary));
    lines.extend(checked);
    lines.extend(args.others(&spec, &paths));
    Ok((summary, lines))
}

/// Cuts the parts, and looks in them where that is asked for: what was cut, and a line of what was found.
fn cut(
    ready: ReadySplit,
    check: Option<Check>,
    progress: &Progress,
) -> anyhow::Result<(SplitSummary, Option<String>)> {
    match check {
        None => Ok((ready.run(progress)?, None)),
        Some(check) => {
            let (summary, line) = check.over(ready.cut(progress)?, progress)?;
            Ok((summary, Some(line)))
        }
    }
}

impl Args {
    /// Takes the arguments, of which the first is the name of the verb, for a program.
    pub(crate) fn parse_args(args: impl Iterator<Item = OsString>) -> anyhow::Result<Self> {
        let mut args = Self::from_arg_matches(&matches_of::<Self>("split", args)?)?;
        args.run.quiet = true;
        Ok(args)
    }

    /// What the flags ask for, and what makes two documents near-duplicates in words.
    fn asked(&self) -> anyhow::Result<(SplitSpec, String)> {
        if self.input.input_format.is_some_and(|format| format.raw_width().is_some()) {
            return wrong("split writes documents back: raw fingerprints have none");
        }
        let found = self.found()?;
        let flags = self.recipe.suiting(&found.0, self.run.quiet);
        let (recipe, content) = flags.wide(&self.likeness)?.content()?;
        self.likeness.check(recipe.width)?;
        let mut job = self.likeness.by(&recipe);
        if let Origin::Text { statistics, .. } = &content {
            job.fingerprints.statistics.clone_from(statistics);
        }
        if self.likeness.is_by_default() {
            job.criteria.recall = Some(Recall::Exact);
        }
        let likeness = said(&LikenessFlags::of(&job)?, recipe.width);
        let parts = SplitSpec::parts_of(&self.parts).map_err(|error| by_flag(error, "--parts"))?;
        let spec = SplitSpec {
            job: self.over_input(found, job, content)?,
            parts,
            seed: self.seed,
            balanced: self.balance,
            stratify: self.stratify.clone(),
            output: self.output.clone(),
            assignments: self.assignments.clone(),
            summary: self.summary.clone(),
            reserved: self.check.clone(),
        };
        Ok((spec, likeness))
    }

    /// A line on what lies beside the parts and could be taken for one, such as a part of an earlier run.
    fn others(&self, spec: &SplitSpec, paths: &[PathBuf]) -> Option<String> {
        /// Names that are shown.
        const NAMES: usize = 3;
        let own = [&self.assignments, &self.summary, &self.check].into_iter().flatten();
        let own: HashSet<_> =
            own.chain(paths).filter_map(|path| path.canonicalize().ok()).collect();
        let folder = Path::new(".").join(paths.first()?.parent()?).canonicalize().ok()?;
        let asked = self.output.file_name().unwrap_or_default().to_string_lossy();
        let affixes = asked.split_once(PART);
        // Inside of a folder that the placeholder names nothing is known of others.
        if affixes.is_none() && self.output.to_string_lossy().contains(PART) {
            return None;
        }
        let may_be_part = |name: &str| match affixes {
            Some((before, behind)) => {
                name.strip_prefix(before).is_some_and(|rest| rest.ends_with(behind))
            }
            None => !name.starts_with('.'),
        };
        let entries = fs::read_dir(&folder).ok()?.flatten();
        let entries = entries.map(|entry| (entry.path(), entry.file_name()));
        let entries = entries.map(|(path, name)| (path, name.to_string_lossy().into_owned()));
        let is_other = |(path, name): &(PathBuf, String)| may_be_part(name) && !own.contains(path);
        let mut others: Vec<_> = entries.filter(is_other).collect();
        if !others.is_empty() {
            for source in &spec.job.input.sources {
                let Ok(source) = Path::new(source.name()).canonicalize() else { continue };
                others.retain(|(other, _)| !source.starts_with(other));
            }
        }
        others.sort();
        let shown = others.iter().take(NAMES).map(|(_, name)| name.as_str());
        let shown: Vec<_> = shown.chain((others.len() > NAMES).then_some("...")).collect();
        let folder = self.output.parent().filter(|_| affixes.is_some()).unwrap_or(&self.output);
        let line = || {
            format!(
                "beside the parts, and not of this run: {} in {}",
                shown.join(", "),
                folder.display()
            )
        };
        (!others.is_empty()).then(line)
    }

    /// The job with its resources.
    fn open(&self, spec: &SplitSpec, progress: &Arc<Progress>) -> anyhow::Result<ReadySplit> {
        spec.open(&self.resources()?, progress).map_err(|error| by_flag(error, "--output"))
    }

    /// What the job may take.
    fn resources(&self) -> anyhow::Result<Resources> {
        Ok(Resources {
            threads: Some(self.run.threads()?),
            memory: self.memory.map_or(Memory::Frugal, Memory::Process),
            work_dir: self.work_dir.clone(),
            resume: false,
            force: self.force,
        })
    }

    /// The search in the first part that is asked for, if one is.
    fn check(&self, spec: &SplitSpec, ready: &ReadySplit) -> anyhow::Result<Option<Check>> {
        let dialect = self.input.dialect()?;
        let of = |report: &PathBuf| {
            Check::of(report.clone(), (spec, dialect), ready.paths(), self.resources()?)
        };
        self.check.as_ref().map(of).transpose()
    }

    /// The files that the flags name, and what was found and is none of them.
    fn found(&self) -> anyhow::Result<(Vec<Source>, Vec<PassedOver>)> {
        let threads = self.run.threads()?;
        let memory = self.memory.map(Memory::Process);
        let room = memory.and_then(|memory| memory.for_lists(threads));
        self.input.find(&self.input.inputs, room)
    }

    /// The job over the files that were found.
    fn over_input(
        &self,
        (sources, passed_over): (Vec<Source>, Vec<PassedOver>),
        asked: JobSpec,
        content: Origin,
    ) -> anyhow::Result<JobSpec> {
        let threads = self.run.threads()?;
        let reading = self.input.reading(content, threads)?;
        let Reading { fields, on_error, fail_on_empty, options, .. } = reading;
        Ok(JobSpec {
            input: InputSpec {
                archives_recipe: self.recipe.of_streams(&sources)?,
                sources,
                passed_over,
                ..InputSpec::default()
            },
            reading: ReadingSpec { fields, on_error, fail_on_empty, options },
            ..asked
        })
    }
}

/// What is refused, with the flag that asked for it.
fn by_flag(error: Error, flag: &str) -> anyhow::Error {
    match error {
        Error::Parts { problem } => WrongUsage(format!("{flag}: {problem}")).into(),
        error => error.into(),
    }
}

/// What could not be read as it stands, a line each.
fn not_read(summary: &SplitSummary) -> Vec<String> {
    let mut lines = skipped_by(&summary.skipped);
    lines.extend(left_out(&ByReason::default(), &summary.few_documents));
    if summary.replaced_utf8 > 0 {
        let documents = count_of(summary.replaced_utf8, "document");
        lines.push(format!("{documents} with invalid UTF-8, replaced to compare them"));
    }
    lines
}

/// The closing lines.
fn tell(summary: &SplitSummary, parts: &[PartShare], likeness: &str) {
    let SplitSummary { documents, clusters, largest_cluster, .. } = *summary;
    not_read(summary).iter().for_each(|line| say(line));
    for (part, asked) in summary.parts.iter().zip(parts) {
        say(&format!(
            "{}: {} ({}, asked for {})",
            part.part,
            count_of(part.documents, "document"),
            percent(part.documents, documents),
            ExactShare::of(asked.share)
        ));
    }
    if summary.parts.iter().any(|part| part.documents == 0) {
        say(match summary.balanced {
            true => "a part is empty: there are too few groups of documents",
            false => {
                "a part is empty: --balance gives parts their sizes, if there are groups enough"
            }
        });
    }
    if let Some(id) = &summary.repeated_id {
        let [one, several] = EARLIER_ID;
        let repeat = if summary.repeated_ids == 1 { one } else { several };
        let documents = count_of(summary.repeated_ids, "document");
        say(&format!(
            "{documents} {repeat}, the first is {id}: documents of one id are in one part"
        ));
    }
    if let Some(first) = summary.parts.first().filter(|_| summary.others > 0) {
        say(&format!(
            "{} of archives without a document of their own, such as errors and revisits: all in {}",
            count_of(summary.others, "record"),
            first.part
        ));
    }
    let several = summary.parts.iter().filter(|part| part.documents > 0).count() > 1;
    if let Some(least) = summary.compared_below.filter(|_| several) {
        let leak = match &summary.largest_leak {
            Some(SplitLeak { similarity, a, part_of_a, b, part_of_b }) => {
                format!(
                    "{similarity:.4} ({a} in {part_of_a}, {b} in {part_of_b}); others may be closer"
                )
            }
            None => "none; others may be across parts".to_owned(),
        };
        say(&format!("closest pair across parts, among those compared below {least}: {leak}"));
    }
    let near = match clusters {
        0 => "no near-duplicates".to_owned(),
        clusters => format!(
            "{} of near-duplicates, the largest of {} documents, each in one part",
            count_of(clusters, "cluster"),
            count(largest_cluster)
        ),
    };
    let documents = count_of(documents, "document");
    say(&format!("{documents}, {near}; recipe {}: {likeness}", summary.recipe));
}
