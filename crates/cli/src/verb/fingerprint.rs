//! `nearprint fingerprint`: one row a document.

use crate::at_width::at_width;
use crate::flags::heading::DUPLICATE;
use crate::flags::input::{Format, InputFlags};
use crate::flags::output::OutputFlags;
use crate::flags::recipe::RecipeFlags;
use crate::flags::run::RunFlags;
use crate::input::corpus::remark;
use crate::show::bar::Bar;
use crate::usage::wrong;
use nearprint_corpus::{Output, Part, Source, Trust, total_bytes};
use nearprint_dedup::{Counts, Progress, Reading, State, rows};
use nearprint_fingerprint::DocumentPart;
use std::sync::Arc;

/// Print the fingerprint of every document
///
/// One row a document: {"id","fingerprint"}, the fingerprint in lower-case hexadecimal with the
/// most significant bit first. Documents that are no near-duplicates of others have "flags": "empty"
/// (no feature, fingerprint 0), "short" (fewer features than the recipe asks for) and "dominant" (one
/// feature has more than half of all weight). The last two have a "content" too: only rows of equal
/// content are duplicates, where the recipe has degenerate = "exact", the default.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES, mut_arg("input_format", |arg| arg.value_parser(Format::of_text())))]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputFlags,
    #[command(flatten)]
    output: OutputFlags,
    #[command(flatten)]
    recipe: RecipeFlags,
    /// Take both the main text and all text of HTML pages
    ///
    /// One pass makes both; rows have "fingerprint" and "fingerprint_full".
    #[arg(long, help_heading = DUPLICATE)]
    both: bool,
    #[command(flatten)]
    run: RunFlags,
}

const EXAMPLES: &str = "Examples:
  nearprint fingerprint corpus.jsonl -o fingerprints.jsonl
  nearprint fingerprint articles/ --width 128
  nearprint fingerprint crawl/ --recipe web --both
  cat rows.jsonl | nearprint fingerprint - --text-field body";

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if args.input.input_format.is_some_and(|format| format.raw_width().is_some()) {
        return wrong("fingerprint makes fingerprints of text: this input has them already");
    }
    let (recipe, content) = args.recipe.content()?;
    if args.both && recipe.content != DocumentPart::HtmlMain {
        return wrong(format!(
            "--both: recipe {} does not take the main text of HTML; pass --html main, or use \
             --recipe web",
            recipe.name
        ));
    }
    let width = recipe.width;
    let sources = args.input.discover(&args.input.inputs)?;
    let mut output = args.output.create(&sources)?;
    let mut reading = args.input.reading(content, args.run.threads()?)?;
    reading.fields.part = args.both.then_some(Part::Both(Trust::of_version(recipe.version)));
    let progress = Arc::new(Progress::default());
    let bar = Bar::show(&progress, total_bytes(&sources), args.run.quiet);
    let counts = at_width!(width, write(&reading, &sources, &mut output, &progress))?;
    drop(bar);
    output.commit()?;
    if !args.run.quiet {
        remark(&counts);
    }
    Ok(())
}

fn write<const WORDS: usize>(
    reading: &Reading,
    sources: &[Source],
    output: &mut Output,
    progress: &Progress,
) -> anyhow::Result<Counts> {
    let mut counts = Counts::default();
    reading.sketches::<WORDS>(sources, progress, |sketch| {
        for (outcome, id) in sketch.iter() {
            if outcome.state != State::Skipped {
                output.write_record(rows::fingerprint(id, outcome).as_bytes())?;
            }
        }
        counts.add(&sketch);
        Ok(())
    })?;
    Ok(counts)
}
