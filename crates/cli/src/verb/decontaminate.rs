//! `nearprint decontaminate`: a corpus without the items of eval sets.

mod page;
pub(crate) mod remarks;
pub(crate) mod self_test;

use crate::allocator::return_large_buffers;
use crate::flags::endings;
use crate::flags::heading::{DUPLICATE, OUTPUT, RESOURCES};
use crate::flags::input::{Format, InputFlags};
use crate::flags::items::ItemFlags;
use crate::flags::keeping::ScoreFields;
use crate::flags::names::{matches_of, of_verb};
use crate::flags::recipe::{RecipeFlags, RecipeParts, say_of_streams};
use crate::flags::run::{RunFlags, say_resumed};
use crate::flags::size;
use crate::input::within_texts::within_texts;
use crate::show::bar::Bar;
use crate::show::figures::{bytes, count, count_of, percent, rate};
use crate::signals::heed_in_order;
use crate::usage::{WrongUsage, command_line, print, say, wrong};
use crate::verb::decontaminate::remarks::{emptied, remarks, told_of_items, told_of_sets};
use clap::{FromArgMatches as _, ValueEnum};
use nearprint_corpus::Source;
use nearprint_dedup::{
    Action, ContaminationOutput, ContaminationPage, ContaminationShards, ContaminationSpec,
    ContaminationSummary, Error, InputSpec, ItemsFound, Memory, NamedSet, Offsets, Progress,
    ReadyContamination, Resources, SelfTest, Unannotated,
};
use nearprint_fingerprint::Recipe;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Remove items of eval sets from a corpus, with the evidence for each
///
/// Every place of every document is compared with every question of the eval sets. Wrapping, case, punctuation, Unicode
/// forms and Markdown hide nothing, and a tenth of the words may have been changed. A document is removed if it
/// contains words of an item, in order, with enough weight. Words weigh more if they are rare in the corpus and few
/// items share them. Run it after `nearprint dedup` and `nearprint passages`.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES, override_usage = USAGE, mut_arg("input_format", |arg| arg.value_parser(Format::of_text()).hide_short_help(true)), mut_arg("html", |arg| arg.hide_short_help(true)))]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputFlags,
    /// Eval set: a file or a folder of JSONL, CSV, TSV, Parquet or Arrow
    ///
    /// A row is an item, each file a set. May be repeated. Equal items are one, with all their names. Flags such as
    /// --delimiter and --encoding are for eval sets too, where they cannot be read without.
    #[arg(long, value_name = "EVAL", help_heading = DUPLICATE)]
    against: Vec<String>,
    #[command(flatten)]
    item_flags: ItemFlags,
    /// Recipe whose tokens are compared, by name or file [default: text]
    #[arg(long, value_name = "NAME|FILE", help_heading = DUPLICATE, hide_short_help = true)]
    recipe: Option<String>,
    #[command(flatten)]
    parts: RecipeParts,
    /// Documents with an item that occurs in very many: flag, or keep
    ///
    /// Such as a famous speech: an item that more than 20 documents have, and more than 0.01 % of all.
    #[arg(long, value_enum, default_value = "flag", value_name = "WHAT", hide_possible_values = true, help_heading = DUPLICATE)]
    common: Common,
    /// What becomes of a contaminated document: drop, cut or annotate
    ///
    /// With cut, the lines with the item are removed (see --margin), with a label above such as "Question:", and its
    /// choices and answers below. Every other byte is kept. With annotate every document is written. The field
    /// "nearprint" is then {"contamination":[...]} with a row of --removed for each place; tables and Parquet files
    /// get a column nearprint_contamination.
    #[arg(long, default_value = "drop", value_name = "WHAT", help_heading = OUTPUT)]
    action: Action,
    /// With --action cut: cut N characters on each side of an item, not its whole lines
    ///
    /// No word is split: one that the margin reaches is cut whole. Without the flag the lines of the item are cut.
    #[arg(long, value_name = "N", help_heading = OUTPUT, hide_short_help = true)]
    margin: Option<usize>,
    /// The corpus: a file, a folder, or - for standard output
    ///
    /// As for `nearprint dedup`. A document from which nothing is removed is written byte for byte as it was read.
    /// Without the flag only the reports are written.
    #[arg(short, long, value_name = "OUT", help_heading = OUTPUT)]
    output: Option<PathBuf>,
    /// Replace outputs that exist
    #[arg(long, help_heading = OUTPUT)]
    force: bool,
    /// Write everything that was found, with the evidence
    ///
    /// Rows have "id", "item", "eval", "share", "bits", "of_bits", "answers", "of_answers", "verdict", "start", "end",
    /// "text" and "removed". The verdict is contaminated, common, partial (half of an item, which is kept), context,
    /// undecidable or eval-file. An eval-file is a file of the corpus that is one of the eval sets itself. Where other
    /// items are equal to this one, "equal" says how many. "answers" and "of_answers" count choices and answers: those
    /// found, and all.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, value_parser = endings::rows())]
    removed: Option<PathBuf>,
    /// Write every item with what was found of it, clean ones too
    ///
    /// Rows have "item", "eval", "documents", "best_share", "best_id", "of_bits" and "verdict". No document of an
    /// eval-file is among "documents".
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, value_parser = endings::rows())]
    items: Option<PathBuf>,
    /// Write the figures of the run as JSON
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, value_parser = endings::figures())]
    summary: Option<PathBuf>,
    /// Write a page with items next to the places where they occur, the most doubtful first
    #[arg(long, value_name = "FILE.html", help_heading = OUTPUT, value_parser = endings::page())]
    report: Option<PathBuf>,
    /// Plant N items in documents of the corpus, in memory, and print how many are found
    ///
    /// Each is planted in nine forms: as it is, re-wrapped, with other case and punctuation, in other Unicode forms,
    /// with LaTeX markup. The others have 10 or 20 % of the words edited, no choices, or other numbers. The recall of
    /// each form is printed with its 95 % interval. The same documents are also tested untouched: how many are flagged,
    /// with the ten places nearest to an item. Only --summary is written. Two runs plant the same items.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000), conflicts_with_all = ["output", "removed", "items", "report"], help_heading = OUTPUT)]
    self_test: Option<u32>,
    /// Unit of places in reports: characters, as in slices of Python, or bytes
    #[arg(long, default_value = "characters", value_name = "WHAT", help_heading = OUTPUT, hide_short_help = true)]
    offsets: Offsets,
    /// Split the corpus into files of at most SIZE bytes
    ///
    /// As for `nearprint dedup`.
    #[arg(long, value_name = "SIZE", value_parser = size::of_shard, help_heading = OUTPUT, hide_short_help = true)]
    shard_size: Option<NonZeroU64>,
    /// Memory that the program may take [default: about 1.1 GB and the items]
    ///
    /// The items and their index take about 20 bytes a word. What was found goes to --work-dir if it does not
    /// fit. K, M, G and T stand for powers of 1000, KiB and so on for powers of 1024.
    #[arg(long, value_name = "SIZE", value_parser = size::bytes, help_heading = RESOURCES)]
    memory: Option<usize>,
    /// Folder for temporary files, and for --resume [default: the system's]
    ///
    /// It holds a copy of standard input, and what was found if it does not fit into memory. If the folder is given, it
    /// also keeps what was found until the run succeeds.
    #[arg(long, value_name = "DIR", help_heading = RESOURCES, hide_short_help = true)]
    work_dir: Option<PathBuf>,
    /// Resume the same command, if all that it found was kept
    ///
    /// For a run that was killed or failed while it wrote. Half-written files that it left next to its outputs are
    /// removed.
    #[arg(long, requires = "work_dir", requires = "output", help_heading = RESOURCES, hide_short_help = true)]
    resume: bool,
    #[command(flatten)]
    run: RunFlags,
}

const USAGE: &str = "nearprint decontaminate [OPTIONS] --against <EVAL> --output <OUT> <IN>...
       nearprint decontaminate [OPTIONS] --against <EVAL> --items <FILE> <IN>...
       nearprint decontaminate [OPTIONS] --index <FILE> --output <OUT> <IN>...";

const EXAMPLES: &str = "Examples:
  nearprint decontaminate cut/ --against mmlu.jsonl --against gsm8k/ -o final/ --removed leaks.jsonl
  nearprint decontaminate corpus.jsonl --against evals/ --items items.jsonl --report leaks.html
  nearprint decontaminate corpus.jsonl --against evals/ -o cut.jsonl --action cut --margin 200
  nearprint decontaminate today.jsonl --against evals/ --index evals.index -o clean.jsonl
  nearprint decontaminate corpus.jsonl --against hellaswag.jsonl --item-fields question=ctx,choices=endings -o kept.jsonl
  nearprint decontaminate train.jsonl --against test.jsonl -o train-only.jsonl";

/// What becomes of documents with common text.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Common {
    Flag,
    Keep,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if args.memory.is_some() {
        return_large_buffers();
    }
    if args.against.is_empty() && args.item_flags.index.is_none() {
        return wrong(
            "decontaminate: name the eval sets with --against EVAL, or an index of their items with --index FILE",
        );
    }
    let progress = Arc::new(Progress::default());
    let mut spec = args.spec()?;
    args.refuse_idle_marks(&spec)?;
    spec.outputs.command = command_line("decontaminate");
    heed_in_order(&progress);
    let mut job = spec.open(&args.resources()?, &progress).map_err(by_flag)?;
    if args.resume && !args.run.quiet {
        say_resumed(job.finished_stages(), args.work_dir.as_ref());
    }
    let bar = Bar::follow(&progress, job.total_bytes(), args.run.quiet);
    let items = job.read_items(&progress).map_err(by_flag)?;
    drop(bar);
    if !args.run.quiet {
        told_of_items(&items).iter().for_each(|line| say(line));
    }
    let bar = Bar::follow(&progress, job.total_bytes(), args.run.quiet);
    if let Some(items) = args.self_test {
        let tested = job.self_test(items as usize, &progress).map_err(by_flag)?;
        drop(bar);
        return print(&self_test::told(&tested));
    }
    let instead = args.input.told_instead(job.sources(), args.run.quiet);
    let summary = job.run(&progress).map_err(by_flag)?;
    drop(bar);
    if !args.run.quiet {
        say_of_streams(&spec.input, &summary.recipe);
        tell(&summary);
    }
    instead.iter().for_each(|told| say(told));
    Ok(())
}

/// The job of these arguments in shards, with the folder of its files.
pub(crate) fn shards(args: &[String], work: &Path) -> anyhow::Result<ContaminationShards> {
    let name = std::iter::once("decontaminate".into());
    let parsed = Args::parse_args(name.chain(args.iter().map(Into::into)));
    let args = parsed.map_err(|error| of_verb::<Args>("decontaminate", error))?;
    if args.resume || args.self_test.is_some() {
        return wrong("shard: give neither --self-test nor --resume");
    }
    let spec = args.spec()?;
    args.refuse_idle_marks(&spec)?;
    let shards = spec.shards(&args.resources()?, work);
    shards.map_err(|error| match error {
        Error::Undivided { .. } => WrongUsage(error.to_string()).into(),
        error => by_flag(error),
    })
}

impl Args {
    /// The arguments of the verb alone, the first of which is its name, for a run that says nothing.
    pub(crate) fn parse_args(args: impl Iterator<Item = OsString>) -> anyhow::Result<Self> {
        let mut args = Self::from_arg_matches(&matches_of::<Self>("decontaminate", args)?)?;
        args.run.quiet = true;
        Ok(args)
    }

    /// The job that is asked for, ready to run.
    fn ready(
        &self,
        recipe: Option<Recipe>,
        sets: Vec<NamedSet>,
        progress: &Progress,
    ) -> anyhow::Result<ReadyContamination> {
        let mut spec = self.spec()?;
        spec.recipe = recipe.unwrap_or(spec.recipe);
        spec.sets = sets;
        spec.open(&self.resources()?, progress).map_err(by_flag)
    }

    /// Calls files of the input otherwise than by their names.
    pub(crate) fn call(&mut self, names: BTreeMap<String, String>) {
        self.input.call(names);
    }

    /// Takes the input for what nearprint wrote.
    pub(crate) fn own(&mut self) {
        self.input.own();
    }

    /// Refuses how tables are written where none is read; an index may be of tables.
    fn refuse_idle_marks(&self, spec: &ContaminationSpec) -> anyhow::Result<()> {
        let may_be_beside = !self.against.is_empty() || self.item_flags.index.is_some();
        self.input.refuse_idle_marks(&spec.input.sources, may_be_beside)
    }

    /// What is asked for.
    fn spec(&self) -> anyhow::Result<ContaminationSpec> {
        let reports = [&self.output, &self.removed, &self.items, &self.summary, &self.report];
        if reports.iter().all(|path| path.is_none()) && self.self_test.is_none() {
            return wrong(
                "decontaminate: no output; give one with -o, or a report with --removed, --items, --summary or --report",
            );
        }
        if self.margin.is_some() && !matches!(self.action, Action::Cut { .. }) {
            return wrong("--margin: it needs --action cut");
        }
        if self.action == Action::Annotate && self.output.is_none() {
            return wrong("--action annotate: name the output with -o");
        }
        let recipe = RecipeFlags::of_parts(self.recipe.clone(), None, &self.parts);
        let recipe = |sources: &[Source]| recipe.texts(sources, self.run.quiet);
        let (recipe, input, reading) = within_texts(
            "items of eval sets",
            (&self.input, &self.run),
            self.memory,
            &[],
            recipe,
            ScoreFields::default(),
        )?;
        Ok(ContaminationSpec {
            recipe,
            input: InputSpec { against: self.against.clone(), ..input },
            reading,
            sets: Vec::new(),
            index: self.item_flags.index.clone(),
            fields: self.item_flags.fields(),
            may_lack_fields: false,
            rule: self.item_flags.rule(self.common == Common::Flag),
            action: match self.action {
                Action::Cut { .. } => Action::Cut { margin: self.margin },
                action => action,
            },
            outputs: ContaminationOutput {
                corpus: self.output.clone(),
                shard_size: self.shard_size,
                removed: self.removed.clone(),
                items: self.items.clone(),
                summary: self.summary.clone(),
                page: self
                    .report
                    .clone()
                    .map(|path| ContaminationPage { path, render: page::page }),
                offsets: self.offsets,
                command: Vec::new(),
            },
        })
    }

    /// What the job may take.
    fn resources(&self) -> anyhow::Result<Resources> {
        Ok(Resources {
            threads: Some(self.run.threads()?),
            memory: self.memory.map_or(Memory::Frugal, Memory::Process),
            work_dir: self.work_dir.clone(),
            resume: self.resume,
            force: self.force,
        })
    }
}

/// Does the job and says nothing; with a recipe in place of the one that is named, if there is one, and with eval sets
/// beside those that are named. Also what is known of the items.
pub(crate) fn run_for(
    args: &Args,
    recipe: Option<Recipe>,
    sets: Vec<NamedSet>,
    progress: &Arc<Progress>,
) -> anyhow::Result<(ItemsFound, ContaminationSummary)> {
    if args.self_test.is_some() {
        return wrong("decontaminate: no --self-test here");
    }
    let mut job = args.ready(recipe, sets, progress)?;
    let items = job.read_items(progress).map_err(by_flag)?;
    Ok((items, job.run(progress).map_err(by_flag)?))
}

/// Refuses what the job would refuse before it looks, for a run over one input; what is known of the items.
pub(crate) fn check(args: &Args, progress: &Progress) -> anyhow::Result<ItemsFound> {
    args.input.refuse_further("--decontaminate")?;
    args.ready(None, Vec::new(), progress)?.read_items(progress).map_err(by_flag)
}

/// Does the self-test that is asked for, and says nothing.
pub(crate) fn test_for(
    args: &Args,
    recipe: Option<Recipe>,
    sets: Vec<NamedSet>,
    progress: &Arc<Progress>,
) -> anyhow::Result<SelfTest> {
    let Some(items) = args.self_test.map(|items| items as usize) else {
        return wrong("decontaminate: --self-test says how many items are planted");
    };
    args.ready(recipe, sets, progress)?.self_test(items, progress).map_err(by_flag)
}

/// What the job refuses, with the flag that asked for it.
pub(crate) fn by_flag(error: Error) -> anyhow::Error {
    let message = match &error {
        Error::Contamination { problem } => problem.clone(),
        Error::OtherIndex { .. } => format!("--index: {error}"),
        Error::ReadOnce { .. } => format!("--resume: {error}"),
        Error::NoWayBack { name } => format!(
            "-o: items cannot be cut out of {name}: a page cannot be rebuilt from its text. Extract the text \
             with `nearprint text` first, or leave --action cut out"
        ),
        Error::SeveralTexts { .. } => {
            let message = format!("{error}, or leave --action cut out");
            return anyhow::Error::from(error).context(message);
        }
        Error::ShardedFolder { .. } => format!("--shard-size: {error}"),
        Error::Unannotated { name, problem } => match problem {
            Unannotated::NoFields => {
                format!(
                    "--action annotate: the documents of {name} have no fields; give rows, or see --removed"
                )
            }
            _ => format!(
                "--action annotate: {name} is a document, not a row, so no field can be added; name one \
                 output file, such as noted.jsonl"
            ),
        },
        _ => return error.into(),
    };
    WrongUsage(message).into()
}

/// The closing summary.
fn tell(summary: &ContaminationSummary) {
    let ContaminationSummary { documents, contaminated_documents, .. } = summary;
    let fate = match summary.action {
        "drop" => "removed",
        "cut" => "cut",
        _ => "contaminated",
    };
    say(&format!(
        "{}: {} {fate} ({}), for {} of {}",
        count_of(*documents, "document"),
        count(*contaminated_documents),
        percent(*contaminated_documents, *documents),
        count(summary.items_found()),
        count_of(summary.items, "item"),
    ));
    told_of_sets(summary).iter().for_each(|line| say(line));
    emptied(summary).iter().for_each(|line| say(line));
    remarks(summary).iter().for_each(|remark| say(remark));
    let memory = summary
        .peak_memory
        .map_or_else(String::new, |peak| format!(", peak memory {}", bytes(peak)));
    // An earlier run may have looked.
    let look = summary.seconds.look;
    let pace = match look > 0.0 {
        true => format!(" ({}/s to look)", bytes(rate(summary.bytes, look))),
        false => String::new(),
    };
    say(&format!(
        "{} in {:.2} s{pace}{memory}; recipe {}, share {}, {} bits",
        bytes(summary.bytes),
        summary.seconds.total,
        summary.recipe,
        summary.share,
        summary.bits,
    ));
}
