//! `nearprint fingerprint`: one row a document.

use crate::flags::heading::{DUPLICATE, OUTPUT};
use crate::flags::input::{Format, InputFlags};
use crate::flags::output::OutputFlags;
use crate::flags::recipe::RecipeFlags;
use crate::flags::run::RunFlags;
use crate::input::corpus::remark;
use crate::show::bar::Bar;
use crate::usage::wrong;
use clap::ValueEnum;
use nearprint_corpus::{
    Output, OutputOptions, Outputs, PageRules, Part, Source, publish, total_bytes,
};
use nearprint_dedup::{Counts, Progress, Reading, Sketched, State, rows};
use nearprint_fingerprint::{DocumentPart, Width};
use std::path::PathBuf;
use std::sync::Arc;

/// Print the fingerprint of every document
///
/// One row a document: {"id","fingerprint"}, the fingerprint in lower-case hexadecimal with the most significant bit
/// first. Documents that are not compared by fingerprint have "flags". These are "empty" (no feature, fingerprint 0),
/// "short" (fewer features than the recipe asks for) and "dominant" (one feature has over half of all weight). The last
/// two have a "content" too: only rows of equal content are duplicates, if the recipe has degenerate = "exact", the
/// default.
///
/// Raw words (--format) are 8, 16 or 32 bytes a document. They hold nothing else: a program that reads
/// them cannot see flags, except for an empty document, which is 0.
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
    /// Rows of JSON, or raw little-endian words of that many bits
    ///
    /// Words are what --input-format u64, u128 and u256 read, in files larger than memory too. They
    /// decide the --width.
    #[arg(long, value_enum, default_value = "jsonl", value_name = "FORMAT", help_heading = OUTPUT)]
    format: Written,
    /// File for the ids of raw words, one a line, as JSON
    ///
    /// The commands that read raw words take it as --ids.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    ids: Option<PathBuf>,
    #[command(flatten)]
    run: RunFlags,
}

/// What is written of a document.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Written {
    /// A row of JSON
    Jsonl,
    /// A word of 64 bits
    U64,
    /// Two words
    U128,
    /// Four words
    U256,
}

impl Written {
    /// The width of raw words.
    fn width(self) -> Option<Width> {
        match self {
            Self::Jsonl => None,
            Self::U64 => Some(Width::W64),
            Self::U128 => Some(Width::W128),
            Self::U256 => Some(Width::W256),
        }
    }
}

const EXAMPLES: &str = "Examples:
  nearprint fingerprint corpus.jsonl -o fingerprints.jsonl
  nearprint fingerprint articles/ --width 128
  nearprint fingerprint crawl/ --recipe web --both
  nearprint fingerprint crawl/ --format u64 -o codes.bin --ids ids.jsonl
  cat rows.jsonl | nearprint fingerprint - --text-field body";

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if args.input.input_format.is_some_and(|format| format.raw_width().is_some()) {
        return wrong(
            "fingerprint makes fingerprints of text: this input already has fingerprints",
        );
    }
    let raw = args.format.width();
    let sources = args.input.awaited(&args.input.inputs)?;
    let named = args.recipe.suiting(&sources, args.run.quiet);
    let flags = raw.map_or_else(|| Ok(named.clone()), |width| named.or_width(width))?;
    let (recipe, content) = flags.content()?;
    args.suit_raw(raw, recipe.width)?;
    if args.both && recipe.content != DocumentPart::HtmlMain {
        return wrong(format!(
            "--both: recipe {} does not take the main text of HTML; pass --html main, or use \
             --recipe web",
            recipe.name
        ));
    }
    let (path, force) = args.output.named();
    let mut outputs = Outputs::new(&sources, OutputOptions { force });
    let output = outputs.create(path)?;
    let ids = args.ids.as_ref().map(|path| outputs.create(path)).transpose()?;
    let mut reading = args.input.reading(content, args.run.threads()?)?;
    reading.fields.part = args.both.then_some(Part::Both(PageRules::of_version(recipe.version)));
    let progress = Arc::new(Progress::default());
    let bar = Bar::show(&progress, total_bytes(&sources), args.run.quiet);
    let mut rows = Rows { output, raw: raw.is_some(), ids };
    let counts = write(&reading, &sources, &mut rows, &progress)?;
    drop(bar);
    rows.commit()?;
    if !args.run.quiet {
        remark(&counts);
    }
    args.input.say_instead(&sources, args.run.quiet);
    Ok(())
}

impl Args {
    /// Refuses what does not go with raw words of this width, or goes with them alone.
    fn suit_raw(&self, raw: Option<Width>, width: Width) -> anyhow::Result<()> {
        let Some(words) = raw else {
            return match &self.ids {
                Some(_) => wrong(
                    "--ids is for raw words (--format u64): rows of JSON have the ids in them",
                ),
                None => Ok(()),
            };
        };
        if self.both {
            return wrong("--both: raw words have one fingerprint a document; leave --format out");
        }
        if words != width {
            return wrong(format!(
                "--format u{words}: the fingerprints have {width} bits; pass --format u{width}, or \
                 --width {words}"
            ));
        }
        Ok(())
    }
}

/// Where documents are written, and as what.
struct Rows {
    output: Output,
    raw: bool,
    /// Ids beside raw words.
    ids: Option<Output>,
}

impl Rows {
    fn push(&mut self, id: &str, sketched: &Sketched) -> Result<(), nearprint_corpus::Error> {
        if !self.raw {
            return self.output.write_record(rows::fingerprint(id, sketched).as_bytes());
        }
        let is_empty = sketched.state == State::Empty;
        for word in sketched.fingerprint.words() {
            let word = if is_empty { 0 } else { *word };
            self.output.write_bytes(&word.to_le_bytes())?;
        }
        match &mut self.ids {
            Some(ids) => ids.write_record(format!("{id}\n").as_bytes()),
            None => Ok(()),
        }
    }

    /// Ends the files; they appear together.
    fn commit(self) -> Result<(), nearprint_corpus::Error> {
        let ids = self.ids.map(Output::finish).transpose()?;
        publish(ids.into_iter().chain([self.output.finish()?]))
    }
}

fn write(
    reading: &Reading,
    sources: &[Source],
    rows: &mut Rows,
    progress: &Progress,
) -> anyhow::Result<Counts> {
    let mut counts = Counts::default();
    let few = reading.sketches(sources, progress, &mut |sketch| {
        for (outcome, id) in sketch.iter() {
            if outcome.state != State::Skipped {
                rows.push(id, outcome)?;
            }
        }
        counts.add(&sketch);
        Ok(())
    })?;
    counts.few_documents = few;
    Ok(counts)
}
