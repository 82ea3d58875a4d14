//! `nearprint pairs`: every pair within the radius.

use crate::at_width::at_width;
use crate::flags::output::OutputFlags;
use crate::flags::radius::RadiusFlags;
use crate::input::budget::{BudgetFlags, Entries};
use crate::input::corpus::{Corpus, CorpusFlags, remark};
use crate::show::figures::count_of;
use crate::usage::say;
use nearprint_dedup::{Budget, Groups, write_pairs, write_spilled_pairs};

/// Print every pair of near-duplicates
///
/// One row a pair: {"a","b","distance"}, a before b in input order, each pair once, identical
/// documents included. The input is text, rows with a `fingerprint` field, or raw words; those are
/// named by their number from 0. With --memory, of equal fingerprints only the first appears in more
/// than one pair: it has one with each of the others, and stands for them in all further ones.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    corpus: CorpusFlags,
    #[command(flatten)]
    radius: RadiusFlags,
    #[command(flatten)]
    budget: BudgetFlags,
    #[command(flatten)]
    output: OutputFlags,
}

const EXAMPLES: &str = "Examples:
  nearprint pairs corpus.jsonl -o pairs.jsonl
  nearprint pairs articles/ --width 128 -k 12
  nearprint pairs fingerprints.jsonl -k 3
  nearprint pairs codes.bin --input-format u64 -k 3
  nearprint pairs codes.bin --input-format u64 -k 3 --memory 2G -o pairs.jsonl";

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let corpus = args.corpus.open()?;
    at_width!(corpus.width, run_wide(args, &corpus))
}

fn run_wide<const WORDS: usize>(args: &Args, corpus: &Corpus) -> anyhow::Result<()> {
    let k = args.radius.k(corpus.width)?;
    let mut output = args.output.create(&corpus.sources)?;
    let pool = corpus.pool()?;
    let (pairs, documents) = if let Some(memory) = args.budget.memory {
        let entries = Entries::<WORDS>::open(&args.corpus, corpus)?;
        let budget = entries.budget(memory, 0)?;
        let join = entries.join(&args.corpus, k, budget, Budget::for_pairs)?;
        let join = join.stopped_by(&corpus.progress);
        let ids = entries.ids();
        let pairs = pool.install(|| {
            write_spilled_pairs(&mut output, &join, entries.iter(), entries.degenerate(), &ids)
        })?;
        if !args.corpus.run.quiet {
            entries.remark();
        }
        (pairs, entries.documents())
    } else {
        let documents = args.corpus.read::<WORDS>(corpus)?;
        let pairs = pool.install(|| {
            let groups = Groups::new(&documents, &corpus.progress)?;
            write_pairs(&mut output, &groups, &documents, k, &corpus.progress)
        })?;
        if !args.corpus.run.quiet {
            remark(&documents.counts);
        }
        (pairs, documents.counts.documents)
    };
    output.commit()?;
    if !args.corpus.run.quiet {
        let documents = count_of(documents, "document");
        say(&format!(
            "{} within {} among {documents}",
            count_of(pairs, "pair"),
            count_of(k.into(), "bit")
        ));
    }
    Ok(())
}
