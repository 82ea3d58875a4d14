//! `nearprint index build`: fingerprints to a segment.

use crate::flags::heading::{OUTPUT, RESOURCES};
use crate::flags::reach::{ReachFlags, reached};
use crate::flags::size::bytes;
use crate::input::corpus::{Corpus, CorpusFlags, remark};
use crate::input::words::Words;
use crate::show::figures::count_of;
use crate::show::plans::{chosen, much_faster};
use crate::show::remarks::EMPTY;
use crate::usage::{say, wrong};
use nearprint_corpus::{ByteSize, Output, OutputOptions, Outputs};
use nearprint_dedup::{Budget, Wanted};
use nearprint_fingerprint::Width;
use nearprint_index::{Built, EachBlock, Plan, Planner, Purpose, Request, SegmentBuilder};
use std::path::PathBuf;

/// Fingerprints that are handed over together.
const BLOCK: usize = 1 << 10;

/// Build a segment of the fingerprints of a corpus
///
/// The input is text, rows with a `fingerprint` field, or raw words. The segment names a document by
/// its number in the input, from 0: for one JSONL file the line less one. Documents without any
/// feature are left out. Raw words in plain files are mapped, so that they may be larger than memory.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    corpus: CorpusFlags,
    #[command(flatten)]
    reach: ReachFlags,
    /// Tables to build, by a name that `nearprint plan` prints
    ///
    /// [default: the fastest for queries in a batch within the memory]
    #[arg(long, value_name = "NAME", help_heading = RESOURCES)]
    plan: Option<String>,
    /// Leave the numbers of the documents out: answers are fingerprints
    ///
    /// The segment takes less: 64 GB hold 8 billion fingerprints of 64 bits.
    #[arg(long, help_heading = OUTPUT)]
    no_ids: bool,
    /// Memory for building; the segment takes no more either [default: by size]
    ///
    /// The memory holds the fingerprints (raw words in plain files are not held) and the work of building. What does
    /// not fit is sorted on disk. The default is 2GiB for building, and a segment of two and a half times the
    /// fingerprints. It is up to ten times if a query then takes a quarter of the time or less. K, M, G and T stand for
    /// powers of 1000, KiB and so on for powers of 1024.
    #[arg(long, value_parser = bytes, value_name = "SIZE", help_heading = RESOURCES)]
    memory: Option<usize>,
    /// File for the segment
    #[arg(short, long, value_name = "SEG", help_heading = OUTPUT)]
    output: PathBuf,
    /// Replace the output if it exists
    #[arg(long, help_heading = OUTPUT)]
    force: bool,
}

const EXAMPLES: &str = "Examples:
  nearprint index build corpus.jsonl -o corpus.seg
  nearprint index build articles/ -o articles.seg --width 128 -k 8
  nearprint index build articles/ -o near.seg --width 256 --similarity 0.95
  nearprint index build codes.bin --input-format u64 -o codes.seg -k 3 --plan paper-10
  nearprint index build codes.bin --input-format u64 -o known.seg --no-ids
  nearprint index build fingerprints.jsonl -o small.seg --memory 64M";

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let corpus = args.corpus.open()?;
    build(args, &corpus)
}

fn build(args: &Args, corpus: &Corpus) -> anyhow::Result<()> {
    let k = args.reach.k(corpus.width)?;
    let options = OutputOptions { force: args.force };
    let mut output = Outputs::new(&corpus.sources, options).create(&args.output)?;
    if output.file().is_none() {
        return wrong(format!(
            "-o {}: a segment is a plain file on disk; name one that does not end in .gz, .zst, .bz2 or .xz",
            args.output.display()
        ));
    }
    let words = if corpus.is_raw() { Words::map(&corpus.sources, corpus.width)? } else { None };
    let (planned, built) = if let Some(words) = words {
        let planned = args.plan(corpus.width, k, words.count())?;
        let left_out = words.empty();
        let built =
            args.write(corpus, &planned.plan, 0, &mut output, &|each| words.blocks(each))?;
        if left_out > 0 && !args.corpus.run.quiet {
            say(&format!("{} {EMPTY}", count_of(left_out, "document")));
        }
        (planned, built)
    } else {
        let documents = args.corpus.read_with(corpus, Wanted::default())?;
        let codes = documents.fingerprints.codes();
        let planned = args.plan(corpus.width, k, codes.len() as u64)?;
        let held = 8 * corpus.width.words() * codes.len() + size_of_val(&*documents.left_out);
        let entries = |each: &mut EachBlock<'_>| {
            let mut records = documents.records();
            for first in (0..codes.len()).step_by(BLOCK) {
                let codes = codes.slice(first..codes.len().min(first + BLOCK));
                let records: Vec<_> = records.by_ref().take(codes.len()).collect();
                if each(codes, &records).is_break() {
                    return;
                }
            }
        };
        let built = args.write(corpus, &planned.plan, held, &mut output, &entries)?;
        if !args.corpus.run.quiet {
            remark(&documents.counts);
        }
        (planned, built)
    };
    output.commit()?;
    if !args.corpus.run.quiet {
        report(k, &planned, &built);
        if corpus.recipe().is_some() {
            say(&reached(k, corpus.width));
        }
    }
    args.corpus.input.say_instead(&corpus.sources, args.corpus.run.quiet);
    Ok(())
}

/// The plan of a segment.
struct Planned {
    plan: Plan,
    /// What more memory would buy, where nobody named a plan.
    faster: Option<Plan>,
}

impl Args {
    /// The plan for `documents` fingerprints.
    fn plan(&self, width: Width, k: u32, documents: u64) -> anyhow::Result<Planned> {
        let (width, memory) = (width.bits(), self.memory.map(|bytes| bytes as u64));
        let (ids, purpose) = (!self.no_ids, Purpose::Batch);
        let planner = Planner::new(Request { documents, width, k, ids, memory, purpose })?;
        Ok(match &self.plan {
            Some(name) => Planned { plan: planner.named(name)?.clone(), faster: None },
            None => {
                let (plan, faster) = (chosen(&planner)?.clone(), planner.faster()?.cloned());
                Planned { plan, faster }
            }
        })
    }

    /// Writes the segment of `entries`, beside which `held` bytes are held.
    fn write(
        &self,
        corpus: &Corpus,
        plan: &Plan,
        held: usize,
        output: &mut Output,
        entries: &(dyn Fn(&mut EachBlock<'_>) + Sync),
    ) -> anyhow::Result<Built> {
        let layout = plan.layout().clone();
        let (tables, bits) = (layout.tables(), layout.bucket_bits());
        let budget = self.memory.map(|given| Budget { given, held });
        let sorting = match budget.map(|budget| (budget, budget.for_segment(tables, bits))) {
            None => Budget::SORTING,
            Some((_, Some(sorting))) => sorting,
            Some((budget, None)) => {
                return wrong(format!(
                    "--memory: building {tables} tables takes {}, of which {} for the fingerprints; \
                     allow that much, or choose a --plan of fewer tables",
                    ByteSize(budget.needed_for_segment(tables, bits) as u64).at_least(),
                    ByteSize(held as u64)
                ));
            }
        };
        let recipe = corpus.recipe().map(|recipe| recipe.id().into());
        let builder = SegmentBuilder::new(layout, recipe, sorting);
        let builder = if self.no_ids { builder.without_ids() } else { builder };
        let Some(file) = output.file() else { return wrong("a segment is a plain file") };
        Ok(corpus.pool()?.install(|| builder.build_blocks(entries, file))?)
    }
}

/// Says what was built.
#[expect(clippy::cast_precision_loss, reason = "for two digits after the point")]
fn report(k: u32, Planned { plan, faster }: &Planned, built: &Built) {
    say(&format!(
        "{} of {}: plan {} for {}, {:.2} bytes a fingerprint, {:.1} MB",
        count_of(built.fingerprints, "distinct fingerprint"),
        count_of(built.documents, "document"),
        plan.name(),
        count_of(k.into(), "bit"),
        built.bytes as f64 / built.fingerprints.max(1) as f64,
        built.bytes as f64 / 1e6
    ));
    if let Some(faster) = faster {
        say(&much_faster(plan, faster, &format!("pass --plan {}", faster.name())));
    }
    if plan.is_scan() {
        say(&format!(
            "no tables: each query is compared with all {}",
            count_of(built.fingerprints, "distinct fingerprint")
        ));
    }
}
