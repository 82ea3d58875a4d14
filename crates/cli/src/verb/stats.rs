//! `nearprint stats`: how the fingerprints of a corpus behave.

mod figures;
mod plot;

use crate::flags::heading::OUTPUT;
use crate::flags::plot::PlotFlags;
use crate::input::corpus::{Corpus, CorpusFlags, remark};
use crate::show::format::Format;
use crate::usage::print;
use figures::Figures;
use nearprint_corpus::{OutputOptions, Outputs};

/// Print how the fingerprints of a corpus behave
///
/// Shows whether their bits are balanced and independent, over distinct fingerprints, and where sorted fingerprints
/// begin to differ from their neighbours. It also shows which parts of the range are fullest, with the largest groups
/// of equal fingerprints there, such as pages without content.
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
    #[command(flatten)]
    plot: PlotFlags,
    /// Replace files of --plot that exist
    #[arg(long, help_heading = OUTPUT)]
    force: bool,
}

const EXAMPLES: &str = "Examples:
  nearprint stats corpus.jsonl
  nearprint stats fingerprints.jsonl --plot fingerprints.svg
  nearprint stats codes.bin --input-format u64 --format json";

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    args.plot.formats()?;
    let corpus = args.corpus.open()?;
    draw(args, &corpus)
}

fn draw(args: &Args, corpus: &Corpus) -> anyhow::Result<()> {
    let mut outputs = Outputs::new(&corpus.sources, OutputOptions { force: args.force });
    let plots = args.plot.open(&mut outputs)?;
    let documents = args.corpus.read(corpus)?;
    let figures = corpus.pool()?.install(|| Figures::of(&documents, args.top));
    if !plots.is_empty() {
        plots.write(&plot::figure(&figures))?;
    }
    if !args.corpus.run.quiet {
        remark(&documents.counts);
    }
    args.corpus.input.say_instead(&corpus.sources, args.corpus.run.quiet);
    match args.format {
        Format::Json => print(&format!("{:#}\n", figures.json())),
        Format::Table => print(&figures.table()?),
    }
}
