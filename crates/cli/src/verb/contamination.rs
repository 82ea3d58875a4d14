//! `nearprint contamination`: which items of eval sets stand in a corpus. The search is that of `decontaminate`.

use crate::allocator::return_large_buffers;
use crate::flags::endings;
use crate::flags::heading::{DUPLICATE, INPUT, OUTPUT, RESOURCES};
use crate::flags::input::{Format, InputFlags};
use crate::flags::items::ItemFlags;
use crate::flags::keeping::ScoreFields;
use crate::flags::recipe::{RecipeFlags, RecipeParts, say_of_streams};
use crate::flags::run::RunFlags;
use crate::flags::size;
use crate::input::within_texts::within_texts;
use crate::show::bar::Bar;
use crate::signals::heed_in_order;
use crate::usage::{command_line, say, wrong};
use crate::verb::decontaminate::by_flag;
use crate::verb::decontaminate::remarks::{remarks, told_of_items, told_of_sets};
use nearprint_corpus::Source;
use nearprint_dedup::{
    ContaminationOutput, ContaminationSpec, InputSpec, Memory, Progress, Resources,
};
use std::path::PathBuf;
use std::sync::Arc;

/// Print which items of eval sets occur in a corpus, and which are clean
///
/// A row for each item: how many documents contain it, the largest share of it that was found, and a verdict. Trust
/// only scores on the clean items. `nearprint decontaminate` removes the documents.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES, override_usage = "nearprint contamination [OPTIONS] --in <CORPUS> <EVAL>...",
    mut_arg("input_format", |arg| arg.value_parser(Format::of_text())),
    mut_arg("inputs", |arg| arg.long("in").value_name("CORPUS").num_args(1).help_heading(INPUT).help("The corpus: files, folders, glob patterns, or - for standard input").long_help("The corpus: files, folders, glob patterns, or - for standard input. May be repeated.")))]
pub(crate) struct Args {
    /// Eval sets: files or folders of JSONL, CSV, TSV, Parquet or Arrow
    ///
    /// Flags such as --delimiter and --encoding are for them too, where they cannot be read without.
    #[arg(value_name = "EVAL")]
    evals: Vec<String>,
    #[command(flatten)]
    input: InputFlags,
    #[command(flatten)]
    items: ItemFlags,
    /// Recipe whose tokens are compared, by name or file [default: text]
    #[arg(long, value_name = "NAME|FILE", help_heading = DUPLICATE, hide_short_help = true)]
    recipe: Option<String>,
    #[command(flatten)]
    parts: RecipeParts,
    /// File for the rows [default: standard output]
    ///
    /// Rows have "item", "eval", "documents", "best_share", "best_id", "of_bits" and "verdict". No document of a file
    /// that is an eval set itself is among "documents".
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true, help_heading = OUTPUT, value_parser = endings::rows())]
    output: PathBuf,
    /// Replace the output if it exists
    #[arg(long, help_heading = OUTPUT)]
    force: bool,
    /// Write the figures of each eval set as JSON
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, value_parser = endings::figures())]
    summary: Option<PathBuf>,
    /// Memory that the program may take [default: about 1.1 GB and the items]
    ///
    /// K, M, G and T stand for powers of 1000, KiB and so on for powers of 1024.
    #[arg(long, value_name = "SIZE", value_parser = size::bytes, help_heading = RESOURCES)]
    memory: Option<usize>,
    /// Folder for temporary files [default: the system's]
    #[arg(long, value_name = "DIR", help_heading = RESOURCES)]
    work_dir: Option<PathBuf>,
    #[command(flatten)]
    run: RunFlags,
}

const EXAMPLES: &str = "Examples:
  nearprint contamination mmlu.jsonl gsm8k/ --in corpus/ -o items.jsonl
  nearprint contamination evals/ --in today.jsonl --in archive/ --summary card.json -o items.jsonl";

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if args.memory.is_some() {
        return_large_buffers();
    }
    if args.evals.is_empty() && args.items.index.is_none() {
        return wrong(
            "contamination: name the eval sets, or an index of their items with --index FILE",
        );
    }
    let progress = Arc::new(Progress::default());
    let recipe = RecipeFlags::of_parts(args.recipe.clone(), None, &args.parts);
    let recipe = |sources: &[Source]| recipe.texts(sources, args.run.quiet);
    let flags = (&args.input, &args.run);
    let (recipe, input, reading) = within_texts(
        "items of eval sets",
        flags,
        args.memory,
        &[],
        recipe,
        ScoreFields::default(),
    )?;
    let spec = ContaminationSpec {
        recipe,
        input: InputSpec { against: args.evals.clone(), ..input },
        reading,
        index: args.items.index.clone(),
        fields: args.items.fields(),
        rule: args.items.rule(true),
        outputs: ContaminationOutput {
            items: Some(args.output.clone()),
            summary: args.summary.clone(),
            command: command_line("contamination"),
            ..ContaminationOutput::default()
        },
        ..ContaminationSpec::default()
    };
    let with = Resources {
        threads: Some(args.run.threads()?),
        memory: args.memory.map_or(Memory::Frugal, Memory::Process),
        work_dir: args.work_dir.clone(),
        resume: false,
        force: args.force,
    };
    heed_in_order(&progress);
    let mut job = spec.open(&with, &progress).map_err(by_flag)?;
    let bar = Bar::follow(&progress, job.total_bytes(), args.run.quiet);
    let items = job.read_items(&progress).map_err(by_flag)?;
    let instead = args.input.told_instead(job.sources(), args.run.quiet);
    let summary = job.run(&progress).map_err(by_flag)?;
    drop(bar);
    if !args.run.quiet {
        say_of_streams(&spec.input, &summary.recipe);
        let lines = [told_of_items(&items), told_of_sets(&summary), remarks(&summary)].concat();
        lines.iter().for_each(|line| say(line));
    }
    instead.iter().for_each(|told| say(told));
    Ok(())
}
