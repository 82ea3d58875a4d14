//! `nearprint idf build`: a corpus read for how common its features are, and for its phrases.

use crate::flags::heading::OUTPUT;
use crate::flags::input::{Format, InputFlags};
use crate::flags::recipe::RecipeFlags;
use crate::flags::run::RunFlags;
use crate::input::corpus::{remark, spooled};
use crate::show::bar::Bar;
use crate::show::figures::count_of;
use crate::usage::{say, wrong};
use nearprint_corpus::{OutputOptions, Outputs, total_bytes};
use nearprint_dedup::{Progress, train};
use nearprint_fingerprint::{Statistics, Weighting};
use std::path::PathBuf;
use std::sync::Arc;

/// Count in how many documents each feature occurs
///
/// The file lists a hash of each feature with its number of documents: 12 bytes a feature. For a
/// recipe with phrases it lists these too, 8 bytes each: pairs of words that occur together more often than
/// by chance. The corpus is then read three times. The file is mapped into memory where it is
/// used; no other program may change it meanwhile.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES, mut_arg("input_format", |arg| arg.value_parser(Format::of_text())))]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputFlags,
    /// File for the statistics
    #[arg(short, long, value_name = "FILE", help_heading = OUTPUT)]
    output: PathBuf,
    /// Replace the output if it exists
    #[arg(long, help_heading = OUTPUT)]
    force: bool,
    /// List only features that N documents have or more
    ///
    /// Half of all features are in one document.
    #[arg(long, default_value_t = 1, value_name = "N", help_heading = OUTPUT)]
    min_documents: u32,
    #[command(flatten)]
    recipe: RecipeFlags,
    #[command(flatten)]
    run: RunFlags,
}

const EXAMPLES: &str = "Examples:
  nearprint idf build corpus.jsonl --recipe mine.toml -o corpus.idf
  nearprint idf build crawl/*.jsonl.zst --recipe words -o words.idf --min-documents 2";

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if args.input.input_format.is_some_and(|format| format.raw_width().is_some()) {
        return wrong("idf build counts features of text: this input has fingerprints");
    }
    if args.recipe.has_statistics() {
        return wrong("idf build makes a statistics file: leave --idf out");
    }
    let mut sources = args.input.awaited(&args.input.inputs)?;
    let recipe = args.recipe.suiting(&sources, args.run.quiet).unbound()?;
    if recipe.weights == Weighting::Given {
        return wrong(format!(
            "--recipe {}: its features come with their weights, and take none from a corpus",
            recipe.name
        ));
    }
    let mut output =
        Outputs::new(&sources, OutputOptions { force: args.force }).create(&args.output)?;
    if output.file().is_none() {
        return wrong(format!(
            "-o {}: a statistics file is a plain file on disk; name one that does not end in .gz, \
             .zst, .bz2 or .xz",
            args.output.display()
        ));
    }
    if !args.run.quiet {
        recipe.remarks().iter().for_each(|remark| say(&format!("note: {remark}")));
    }
    if recipe.phrases > 0 {
        // Phrases take readings of their own.
        sources = spooled(&sources, None, args.input.longest())?;
    }
    let reading = args.input.reading(recipe.clone().into(), args.run.threads()?)?;
    let progress = Arc::new(Progress::default());
    let bar = Bar::show(&progress, total_bytes(&sources), args.run.quiet);
    let (builder, counts) = train(&reading, &recipe, &sources, &progress)?;
    drop(bar);
    let bytes = builder.least_documents(args.min_documents).finish();
    output.write_record(&bytes)?;
    output.commit()?;
    if !args.run.quiet {
        remark(&counts);
        let statistics = Statistics::open(bytes)?;
        let phrases = match statistics.phrases().len() as u64 {
            0 if recipe.phrases == 0 => String::new(),
            number => format!(", {}", count_of(number, "phrase")),
        };
        say(&format!(
            "{} of {}{phrases}, statistics {}",
            count_of(statistics.terms() as u64, "feature"),
            count_of(statistics.documents(), "document"),
            statistics.id()
        ));
    }
    args.input.say_instead(&sources, args.run.quiet);
    Ok(())
}
