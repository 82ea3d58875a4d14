//! `nearprint stats`: how the fingerprints of a corpus behave.

mod figures;
mod plot;

use crate::flags::heading::OUTPUT;
use crate::input::corpus::{Corpus, CorpusFlags, remark};
use crate::show::format::Format;
use crate::usage::{print, wrong};
use figures::Figures;
use nearprint_corpus::{OutputOptions, Outputs};
use std::path::PathBuf;

/// Print how the fingerprints of a corpus behave
///
/// Shows whether their bits are balanced and independent (over distinct fingerprints), where sorted
/// fingerprints begin to differ from their neighbours, and which parts of the range are fullest, with
/// the largest groups of equal fingerprints in them, such as pages without content.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    corpus: CorpusFlags,
    /// How the figures are printed
    #[arg(long, value_enum, default_value = "table", value_name = "FORMAT", help_heading = OUTPUT)]
    format: Format,
    /// Fullest parts of the range to show
    #[arg(long, default_value_t = 5, value_name = "N", help_heading = OUTPUT)]
    top: usize,
    /// Draw the figures too, to a file that ends in .svg
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    plot: Option<PathBuf>,
    /// Replace the plot if it exists
    #[arg(long, help_heading = OUTPUT)]
    force: bool,
}

const EXAMPLES: &str = "Examples:
  nearprint stats corpus.jsonl
  nearprint stats fingerprints.jsonl --plot fingerprints.svg
  nearprint stats codes.bin --input-format u64 --format json";

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if let Some(path) = &args.plot
        && !path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"))
    {
        return wrong(format!(
            "--plot {}: plots are SVG; name a file that ends in .svg",
            path.display()
        ));
    }
    let corpus = args.corpus.open()?;
    draw(args, &corpus)
}

fn draw(args: &Args, corpus: &Corpus) -> anyhow::Result<()> {
    let mut outputs = Outputs::new(&corpus.sources, OutputOptions { force: args.force });
    let plot = args.plot.as_ref().map(|path| outputs.create(path)).transpose()?;
    let documents = args.corpus.read(corpus)?;
    let figures = corpus.pool()?.install(|| Figures::of(&documents, args.top));
    if let Some(mut output) = plot {
        output.write_record(plot::svg(&figures)?.as_bytes())?;
        output.commit()?;
    }
    if !args.corpus.run.quiet {
        remark(&documents.counts);
    }
    match args.format {
        Format::Json => print(&format!("{:#}\n", figures.json())),
        Format::Table => print(&figures.table()?),
    }
}
