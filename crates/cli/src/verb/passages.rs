//! `nearprint passages`: a corpus without what repeats inside its documents.

mod estimate;
mod page;
pub(crate) mod remarks;

use crate::allocator::return_large_buffers;
use crate::flags::endings;
use crate::flags::heading::{DUPLICATE, OUTPUT, RESOURCES};
use crate::flags::input::{Format, InputFlags};
use crate::flags::keeping::{BY_FIELD, KeepBy, ScoreFields};
use crate::flags::likeness::share;
use crate::flags::names::{matches_of, of_verb};
use crate::flags::recipe::{RecipeFlags, RecipeParts, say_of_streams};
use crate::flags::run::{RunFlags, say_resumed, work_dir_of};
use crate::flags::size;
use crate::input::within_texts::within_texts;
use crate::show::bar::Bar;
use crate::show::figures::{bytes, count, count_of, percent, rate};
use crate::show::format;
use crate::show::kept::of_bytes;
use crate::show::remarks::skipped_by;
use crate::signals::heed_in_order;
use crate::usage::{WrongUsage, say, wrong};
use crate::verb::passages::estimate::print_forecast;
use crate::verb::passages::remarks::{emptied, remarks};
use clap::{FromArgMatches, ValueEnum};
use nearprint_dedup::{
    CorpusSize, CutRule, Error, KeepRule, Memory, Offsets, PassageRule, PassageUnit,
    PassagesOutput, PassagesPage, PassagesShards, PassagesSpec, PassagesSummary, Progress,
    Resources, Unannotated,
};
use nearprint_fingerprint::{Digits, Recipe, Unit};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Cut passages that an earlier document contains
///
/// A passage of 50 tokens or more is cut if an earlier document contains it, or the same one further up; the first is
/// kept. Tokens are compared, so wrapping, case, quotes and Markdown hide nothing. Every other byte of the corpus is
/// unchanged. Run `nearprint dedup` first: it removes whole documents.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES, override_usage = USAGE, mut_arg("input_format", |arg| arg.value_parser(Format::of_text())), mut_arg("html", |arg| arg.hide_short_help(true)))]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputFlags,
    /// Recipe whose tokens are compared, by name or file [default: text]
    ///
    /// `nearprint recipe list` has the names.
    #[arg(long, value_name = "NAME|FILE", help_heading = DUPLICATE)]
    recipe: Option<String>,
    #[command(flatten)]
    parts: RecipeParts,
    /// Unit of passages: token, line, sentence, paragraph
    ///
    /// Lines, sentences and paragraphs are equal if their tokens are. A sentence ends with its line at the latest.
    #[arg(long, default_value = "token", value_name = "UNIT", help_heading = DUPLICATE)]
    unit: PassageUnit,
    /// Units of a passage, at least [default: 50 tokens, 3 sentences, 1]
    ///
    /// A token of Chinese or Japanese is a character: 100 suits such texts.
    #[arg(long, value_name = "N", help_heading = DUPLICATE)]
    length: Option<u32>,
    /// Cut lines or paragraphs that are near-duplicates: those of at least this similarity, from 0 to 1
    ///
    /// With --unit paragraph or line. They are compared as `nearprint dedup --similarity` compares documents, by the
    /// features of the recipe, and one of each group is kept. Rows of --removed have "similarity" and "measure" in
    /// place of "documents".
    #[arg(long, value_name = "S", value_parser = share, allow_negative_numbers = true, help_heading = DUPLICATE)]
    similarity: Option<f64>,
    /// Cut only what at least N documents contain
    #[arg(long, default_value = "1", value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = DUPLICATE)]
    copies: u32,
    /// Passage to keep: first (default), last, longest, shortest, none
    ///
    /// That of the first document, the longest, and so on; none cuts all of them.
    #[arg(long, default_value = "first", hide_default_value = true, value_name = "RULE", value_parser = keep, help_heading = DUPLICATE)]
    keep: KeepRule,
    /// Keep the passage of the highest (or lowest) value in FIELD
    ///
    /// It is that of the document with this value. The value is a number, a date or a time. Examples: score:max, crawled:min. Of
    /// several fields, such as crawled:max,rating:min, the later ones break ties of those before: at most four.
    #[arg(long, value_name = "FIELD:max|min", value_delimiter = ',', conflicts_with = "keep", help_heading = DUPLICATE)]
    keep_by: Vec<KeepBy>,
    /// What repeats within one document only: cut or keep
    #[arg(long, value_enum, default_value = "cut", value_name = "WHAT", help_heading = DUPLICATE, hide_possible_values = true, hide_short_help = true)]
    inside: Inside,
    /// Digits of tokens: keep, or one, which makes all digits alike
    #[arg(long, value_enum, default_value = "keep", value_name = "WHAT", help_heading = DUPLICATE, hide_possible_values = true, hide_short_help = true)]
    digits: WhatOfDigits,
    /// Also cut what these documents contain
    ///
    /// Files, folders or patterns, which are read and never written. Their passages come before all others. May be
    /// repeated.
    #[arg(long, value_name = "FILE", help_heading = DUPLICATE)]
    against: Vec<String>,
    /// The corpus: a file, a folder, or - for standard output
    ///
    /// As for `nearprint dedup`. A document without a cut is written byte for byte as it was read, and a row keeps its
    /// other fields. HTML and archives are refused: extract their text with `nearprint text` first. Without the flag
    /// only the reports are written.
    #[arg(short, long, value_name = "OUT", help_heading = OUTPUT)]
    output: Option<PathBuf>,
    /// Replace outputs that exist
    #[arg(long, help_heading = OUTPUT)]
    force: bool,
    /// Write what was cut, and where it is kept
    ///
    /// Rows are {"id","start","end","tokens","kept":{"id","start","end"},"copies","documents"}: how often its most
    /// frequent window occurs, and in how many documents. With --keep none it is "near" instead of "kept".
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, value_parser = endings::rows())]
    removed: Option<PathBuf>,
    /// Write each passage that repeats once, most copies first
    ///
    /// Rows are {"text","tokens","copies","documents","sources","first":{"id","start","end"}}. A passage is a longest
    /// run of windows that all occur equally often.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, value_parser = endings::rows())]
    passages: Option<PathBuf>,
    /// Write the figures of the run as JSON
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, value_parser = endings::figures())]
    summary: Option<PathBuf>,
    /// Write a page with the most frequent passages
    ///
    /// One HTML file that needs no network: the figures, the most frequent passages, and the share that each file
    /// loses. It shows the documents that lose most, before and after.
    #[arg(long, value_name = "FILE.html", help_heading = OUTPUT, value_parser = endings::page())]
    report: Option<PathBuf>,
    /// Cut nothing: write every document with what would be cut
    ///
    /// The field "nearprint" is {"passages":[[start,end,copies],...]}; tables and Parquet files get a column
    /// nearprint_passages.
    #[arg(long, requires = "output", help_heading = OUTPUT)]
    annotate: bool,
    /// Cut only whole sentences, lines or paragraphs
    #[arg(long, value_enum, value_name = "UNIT", help_heading = OUTPUT, hide_short_help = true)]
    whole: Option<Whole>,
    /// Text to put where something was cut
    ///
    /// By default a line break if one was cut, and else a space. At the start or the end of a line, or next to white
    /// space, nothing. A line without a token left is cut whole.
    #[arg(long, value_name = "TEXT", conflicts_with = "annotate", help_heading = OUTPUT, hide_short_help = true)]
    joint: Option<String>,
    /// Remove a document that was cut and has fewer tokens left
    ///
    /// One that has the kept copy of another document's passage stays.
    #[arg(long, default_value = "0", value_name = "N", conflicts_with = "annotate", help_heading = OUTPUT, hide_short_help = true)]
    min_left: u64,
    /// Unit of places in reports: characters, as in slices of Python, or bytes
    #[arg(long, default_value = "characters", value_name = "WHAT", help_heading = OUTPUT, hide_short_help = true)]
    offsets: Offsets,
    /// Field of a row that names its source, for "sources" in --passages [default: its file]
    #[arg(long, value_name = "FIELD", requires = "passages", help_heading = OUTPUT, hide_short_help = true)]
    source_field: Option<String>,
    /// Split the corpus into files of at most SIZE bytes
    ///
    /// As for `nearprint dedup`.
    #[arg(long, value_name = "SIZE", value_parser = size::of_shard, help_heading = OUTPUT, hide_short_help = true)]
    shard_size: Option<NonZeroU64>,
    /// Memory that the program may take [default: about 1.1 GB]
    ///
    /// What does not fit goes to --work-dir. K, M, G and T stand for powers of 1000, KiB and so on for powers
    /// of 1024.
    #[arg(long, value_name = "SIZE", value_parser = size::bytes, help_heading = RESOURCES)]
    memory: Option<usize>,
    /// Folder for temporary files, and for --resume [default: the system's]
    ///
    /// It holds a copy of standard input, and up to one and a half times the bytes of the corpus. If the folder is
    /// given, it also keeps finished stages until the run succeeds.
    #[arg(long, value_name = "DIR", help_heading = RESOURCES)]
    work_dir: Option<PathBuf>,
    /// Resume after the last finished stage of the same command
    ///
    /// For a run that was killed or failed. Half-written files that it left next to its outputs are removed.
    #[arg(long, requires = "work_dir", requires = "output", help_heading = RESOURCES)]
    resume: bool,
    /// Print what the run would take, and write nothing
    ///
    /// Does the job over some of the input. Forecasts documents, time, memory and disk, and says what is cut of that part.
    #[arg(long, help_heading = RESOURCES)]
    estimate: bool,
    /// How an estimate is printed
    #[arg(long, value_enum, default_value = "table", requires = "estimate", value_name = "FORMAT", help_heading = RESOURCES, hide_short_help = true)]
    format: format::Format,
    #[command(flatten)]
    run: RunFlags,
}

const USAGE: &str = "nearprint passages [OPTIONS] --output <OUT> <IN>...
       nearprint passages [OPTIONS] --removed <FILE> <IN>...";

const EXAMPLES: &str = "Examples:
  nearprint passages clean/ -o cut/ --removed cuts.jsonl
  nearprint passages corpus.jsonl -o cut.jsonl --whole sentence --min-left 20
  nearprint passages clean/ -o cut/ --unit line --copies 10
  nearprint passages clean/ -o cut/ --unit paragraph --similarity 0.9
  nearprint passages clean/ -o - --unit sentence --annotate
  nearprint passages corpus.jsonl --passages repeats.jsonl --report repeats.html
  nearprint passages best/ rest/ -o cut/ --memory 4G --work-dir /scratch --resume
  nearprint passages today/ -o new/ --against archive/
  nearprint passages clean/ --estimate";

/// What becomes of what repeats within one document.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Inside {
    Cut,
    Keep,
}

/// [`Digits`] as a flag.
#[derive(Clone, Copy, ValueEnum)]
enum WhatOfDigits {
    Keep,
    One,
}

/// [`Unit`] as a flag.
#[derive(Clone, Copy, ValueEnum)]
enum Whole {
    Sentence,
    Line,
    Paragraph,
}

/// A rule by its name; there is no central passage.
fn keep(name: &str) -> Result<KeepRule, String> {
    match name.parse() {
        Ok(KeepRule::Central) | Err(_) => {
            Err(format!("use first, last, longest, shortest or none; {BY_FIELD}"))
        }
        Ok(rule) => Ok(rule),
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let reports = [&args.output, &args.removed, &args.passages, &args.summary, &args.report];
    if reports.iter().all(|path| path.is_none()) && !args.estimate {
        return wrong(
            "passages: no output; give one with -o, or a report with --removed, --passages, --summary or --report",
        );
    }
    if args.memory.is_some() {
        return_large_buffers();
    }
    let progress = Arc::new(Progress::default());
    let spec = args.spec()?;
    args.input.refuse_idle_marks(&spec.input.sources, !args.against.is_empty())?;
    heed_in_order(&progress);
    if args.estimate {
        let forecast =
            spec.forecast(&args.resources()?, &progress).map_err(|error| match error {
                Error::ReadOnce { .. } => WrongUsage(format!("--estimate: {error}")).into(),
                error => by_flag(error),
            })?;
        if !args.run.quiet {
            skipped_by(&forecast.skipped).iter().for_each(|line| say(line));
        }
        return print_forecast(&forecast, args.memory, args.format);
    }
    let job = spec.open(&args.resources()?, &progress).map_err(by_flag)?;
    if args.resume && !args.run.quiet {
        say_resumed(job.finished_stages(), args.work_dir.as_ref());
    }
    let bar = Bar::follow(&progress, job.total_bytes(), args.run.quiet);
    let instead = args.input.told_instead(job.sources(), args.run.quiet);
    let summary = job.run(&progress).map_err(by_flag)?;
    drop(bar);
    if !args.run.quiet {
        say_of_streams(&spec.input, &summary.recipe);
        tell(&summary, args.output.is_some() && !args.annotate);
    }
    instead.iter().for_each(|told| say(told));
    Ok(())
}

/// Refuses what the job would refuse before it reads, for a run over one input.
pub(crate) fn check(args: &Args, progress: &Progress) -> anyhow::Result<()> {
    args.input.refuse_further("--passages")?;
    let opened = args.spec()?.open(&args.resources()?, progress);
    opened.map(drop).map_err(|error| match error {
        // This run always has an output.
        Error::NoWayBack { name } => WrongUsage(no_way_back(&name)).into(),
        error @ Error::SeveralTexts { .. } => error.into(),
        error => by_flag(error),
    })
}

/// What the input holds.
pub(crate) fn size(args: &Args, progress: &Progress) -> anyhow::Result<CorpusSize> {
    args.spec()?.size(&args.resources()?, progress).map_err(by_flag)
}

/// Does the job and says nothing; with a recipe in place of the one that is named, if there is one.
pub(crate) fn run_for(
    args: &Args,
    recipe: Option<Recipe>,
    progress: &Arc<Progress>,
) -> anyhow::Result<PassagesSummary> {
    if args.estimate {
        return wrong("passages: no --estimate");
    }
    let mut spec = args.spec()?;
    spec.recipe = recipe.unwrap_or(spec.recipe);
    spec.open(&args.resources()?, progress).and_then(|job| job.run(progress)).map_err(by_flag)
}

/// The job of these arguments in shards, with the folder of its files.
pub(crate) fn shards(args: &[String], work: &Path) -> anyhow::Result<PassagesShards> {
    let name = std::iter::once("passages".into());
    let parsed = Args::parse_args(name.chain(args.iter().map(Into::into)));
    let args = parsed.map_err(|error| of_verb::<Args>("passages", error))?;
    if args.resume || args.estimate {
        return wrong("shard: give neither --estimate nor --resume");
    }
    let spec = args.spec()?;
    args.input.refuse_idle_marks(&spec.input.sources, !args.against.is_empty())?;
    let shards = spec.shards(&args.resources()?, work);
    shards.map_err(|error| match error {
        Error::Undivided { .. } => WrongUsage(error.to_string()).into(),
        error => by_flag(error),
    })
}

impl Args {
    /// The arguments of the verb alone, the first of which is its name, for a run that says nothing.
    pub(crate) fn parse_args(args: impl Iterator<Item = OsString>) -> anyhow::Result<Self> {
        let mut args = Self::from_arg_matches(&matches_of::<Self>("passages", args)?)?;
        args.run.quiet = true;
        Ok(args)
    }

    /// Calls files of the input otherwise than by their names.
    pub(crate) fn call(&mut self, names: BTreeMap<String, String>) {
        self.input.call(names);
    }

    /// Takes the input for what nearprint wrote.
    pub(crate) fn own(&mut self) {
        self.input.own();
    }

    /// What is asked for.
    fn spec(&self) -> anyhow::Result<PassagesSpec> {
        let recipe = RecipeFlags::of_parts(self.recipe.clone(), None, &self.parts);
        let by_scores = ScoreFields::of(&self.keep_by)?;
        let (keep, scores) = by_scores.unwrap_or((self.keep, ScoreFields::default()));
        let (recipe, input, reading) = within_texts(
            "passages",
            (&self.input, &self.run),
            self.memory,
            &self.against,
            |sources| recipe.texts(sources, self.run.quiet),
            scores,
        )?;
        Ok(PassagesSpec {
            recipe,
            input,
            reading,
            rule: PassageRule {
                unit: self.unit,
                length: self.length,
                keep,
                inside: self.inside == Inside::Cut,
                copies: self.copies,
                digits: match self.digits {
                    WhatOfDigits::Keep => Digits::Keep,
                    WhatOfDigits::One => Digits::One,
                },
                similarity: self.similarity,
            },
            cut: CutRule {
                whole: self.whole.map(|whole| match whole {
                    Whole::Sentence => Unit::Sentence,
                    Whole::Line => Unit::Line,
                    Whole::Paragraph => Unit::Paragraph,
                }),
                joint: self.joint.clone(),
                min_left: self.min_left,
            },
            outputs: PassagesOutput {
                corpus: self.output.clone(),
                shard_size: self.shard_size,
                annotate: self.annotate,
                removed: self.removed.clone(),
                passages: self.passages.clone(),
                summary: self.summary.clone(),
                page: self.report.clone().map(|path| PassagesPage { path, render: page::page }),
                offsets: self.offsets,
                source_field: self.source_field.clone(),
            },
        })
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
}

/// What the job refuses, with the flag that asked for it.
fn by_flag(error: Error) -> anyhow::Error {
    let message = match &error {
        Error::ReadOnce { .. } => format!("--resume: {error}"),
        Error::PassageLength { .. } => format!("--length: {error}"),
        Error::NearPassages { problem } => format!("--similarity {problem}"),
        Error::NoWayBack { name } => format!("{}; the reports need no -o", no_way_back(name)),
        Error::SeveralTexts { .. } => {
            let message = format!("{error}, or give --annotate; the reports need no -o");
            return anyhow::Error::from(error).context(message);
        }
        Error::ShardedFolder { .. } => format!("--shard-size: {error}"),
        Error::Unannotated { name, problem } => match problem {
            Unannotated::NoFields => {
                format!(
                    "--annotate: the documents of {name} have no fields; give rows, or see --removed"
                )
            }
            _ => format!(
                "--annotate: {name} is a document, not a row, so no field can be added; name one \
                 output file, such as noted.jsonl"
            ),
        },
        _ => return error.into(),
    };
    WrongUsage(message).into()
}

/// The refusal to cut passages out of a page.
fn no_way_back(name: &str) -> String {
    format!(
        "-o: passages cannot be cut out of {name}: a page cannot be rebuilt from its text. Extract the text with \
         `nearprint text` first"
    )
}

/// The closing summary; whether a corpus is written, out of which passages are cut.
fn tell(summary: &PassagesSummary, is_written: bool) {
    let PassagesSummary { tokens, cut_tokens, cuts, cut_documents, .. } = summary;
    say(&format!(
        "{}, {}: {} {} ({}), in {} of {}",
        count_of(summary.documents - summary.reference, "document"),
        count_of(*tokens, "token"),
        count(*cut_tokens),
        if is_written { "cut" } else { "to cut" },
        percent(*cut_tokens, *tokens),
        count_of(*cuts, "place"),
        count_of(*cut_documents, "document"),
    ));
    if summary.reference > 0 {
        say(&format!(
            "also compared with {} of --against{}",
            count_of(summary.reference, "document"),
            of_bytes(summary.of_reference.as_ref())
        ));
    }
    if *cuts > 0 {
        let copies = count(summary.most_copies);
        say(&format!(
            "the longest cut has {}; the most frequent passage occurs {copies} times",
            count_of(summary.longest_cut, "token")
        ));
    }
    if let Some(characters) = window_characters(summary) {
        let window = count_of(summary.length.into(), "token");
        say(&format!("{window} are about {} here", count_of(characters, "character")));
    }
    if summary.removed > 0 {
        let documents = count_of(summary.removed, "document");
        say(&format!("{documents} removed, with fewer tokens left than --min-left"));
    }
    emptied(summary, "--min-left 1").filter(|_| is_written).iter().for_each(|line| say(line));
    if let Some(passages) = summary.passages {
        let verb = if passages == 1 { "repeats" } else { "repeat" };
        say(&format!("{} {verb}", count_of(passages, "passage")));
    }
    remarks(summary).iter().for_each(|remark| say(remark));
    let memory = summary
        .peak_memory
        .map_or_else(String::new, |peak| format!(", peak memory {}", bytes(peak)));
    let read = summary.bytes + summary.of_reference.as_ref().map_or(0, |counts| counts.bytes);
    say(&format!(
        "{} in {:.2} s ({}/s){memory}; recipe {}, {}",
        bytes(summary.bytes),
        summary.seconds.total,
        bytes(rate(read, summary.seconds.total)),
        summary.recipe,
        count_of(summary.length.into(), summary.unit),
    ));
}

/// Characters of a window, as far as what was cut tells.
fn window_characters(summary: &PassagesSummary) -> Option<u64> {
    let is_token = summary.unit == PassageUnit::Token.name();
    let all = summary.cut_characters.checked_mul(summary.length.into())?;
    all.checked_div(summary.cut_tokens).filter(|_| is_token)
}
