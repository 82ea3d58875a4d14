//! `nearprint pairs`: every pair of near-duplicates.

use crate::flags::folding::{FoldingFlags, pairs_said};
use crate::flags::ids::IdsFlags;
use crate::flags::likeness::{LikenessFlags, by_chance, or_similarity};
use crate::flags::output::OutputFlags;
use crate::flags::within::WithinFlags;
use crate::input::budget::{BudgetFlags, JoinInput};
use crate::input::corpus::{Corpus, CorpusFlags, remark};
use crate::input::text_search::TextSearch;
use crate::show::figures::count_of;
use crate::usage::{say, wrong};
use nearprint_dedup::{Budget, Likeness, Names, write_pairs, write_spilled_pairs};
use nearprint_fingerprint::Recipe;

/// Print every pair of near-duplicates
///
/// One row a pair: {"a","b","distance"}, a before b in input order, each pair once. Texts are near-duplicates as for
/// `dedup`. Either they share at least 80 % of their features (--similarity), and the row has a "similarity" too. Or
/// their fingerprints differ in at most K bits (-k). For rows with a `fingerprint` field and for raw words, which are
/// named by their number from 0, all pairs within a radius are printed. A thousand equal documents are half a million
/// pairs: --fold-equal lists each group of equal documents once.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES, mut_arg("k", or_similarity))]
pub(crate) struct Args {
    #[command(flatten)]
    corpus: CorpusFlags,
    #[command(flatten)]
    ids: IdsFlags,
    #[command(flatten)]
    likeness: LikenessFlags,
    #[command(flatten)]
    within: WithinFlags,
    #[command(flatten)]
    folding: FoldingFlags,
    #[command(flatten)]
    budget: BudgetFlags,
    #[command(flatten)]
    output: OutputFlags,
}

const EXAMPLES: &str = "Examples:
  nearprint pairs corpus.jsonl -o pairs.jsonl
  nearprint pairs articles/ --similarity 0.9
  nearprint pairs crawl.jsonl.zst --fold-equal -o pairs.jsonl
  nearprint pairs articles/ -k 6 --width 128
  nearprint pairs fingerprints.jsonl -k 3
  nearprint pairs codes.bin --input-format u64 -k 3
  nearprint pairs codes.bin --input-format u64 -k 3 --memory 2G -o pairs.jsonl";

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let corpus = args.corpus.open_wide(&args.likeness)?;
    args.ids.file(corpus.is_raw())?;
    match corpus.recipe() {
        Some(recipe) if args.likeness.radius().is_none() || args.within.is_given() => {
            by_texts(args, &corpus, recipe)
        }
        _ if args.within.is_given() => wrong(format!(
            "{}: the input holds fingerprints, which are read without other fields; give the texts",
            args.within.flag()
        )),
        _ => by_radius(args, &corpus),
    }?;
    args.corpus.input.say_instead(&corpus.sources, args.corpus.run.quiet);
    Ok(())
}

/// The pairs that the job of `dedup` compares.
fn by_texts(args: &Args, corpus: &Corpus, recipe: &Recipe) -> anyhow::Result<()> {
    let mut spec = args.corpus.job(corpus, recipe, &args.likeness);
    spec.labels = args.within.labels();
    spec.outputs.fold_equal = args.folding.fold_equal;
    let search = TextSearch::new(&args.corpus, corpus, recipe, args.budget.memory, spec)?;
    let summary = search.run(&args.output, |outputs| &mut outputs.pairs)?;
    if !args.corpus.run.quiet {
        let [rows, pairs] = [summary.pairs_listed, summary.pairs].map(Option::unwrap_or_default);
        say(&format!(
            "{} among {}; recipe {}: {}",
            pairs_said(rows, pairs, ""),
            count_of(summary.documents, "document"),
            summary.recipe,
            search.said()
        ));
    }
    Ok(())
}

/// The pairs of fingerprints within the radius.
fn by_radius(args: &Args, corpus: &Corpus) -> anyhow::Result<()> {
    let k = args.likeness.stored_radius(corpus.width)?;
    let fold_equal = args.folding.fold_equal;
    let ids = args.ids.file(corpus.is_raw())?;
    let mut output = args.output.create(&corpus.with(ids))?;
    let pool = corpus.pool()?;
    let (listed, documents) = if let Some(memory) = args.budget.memory {
        let entries = JoinInput::open(&args.corpus, corpus, &args.ids)?;
        let budget = entries.budget(memory, 0)?;
        let join = entries.join(&args.corpus, k, budget, Budget::for_pairs)?;
        let join = join.stopped_by(&corpus.progress);
        let places = entries.places(corpus);
        let names = Names::with(entries.ids(), places.as_ref());
        let listed = pool.install(|| {
            let (codes, apart) = (&mut *entries.iter(), entries.degenerate());
            write_spilled_pairs(&mut output, &join, corpus.width, codes, apart, fold_equal, names)
        })?;
        if !args.corpus.run.quiet {
            entries.remark();
        }
        (listed, entries.documents())
    } else {
        let documents = args.corpus.read_named(corpus, &args.ids)?;
        let read = (&documents, &*corpus.sources);
        let listed =
            pool.install(|| write_pairs(&mut output, read, k, fold_equal, &corpus.progress))?;
        if !args.corpus.run.quiet {
            remark(&documents.counts);
        }
        (listed, documents.counts.documents)
    };
    output.commit()?;
    if !args.corpus.run.quiet {
        let documents = count_of(documents, "document");
        say(&format!(
            "{} within {} among {documents}{}",
            pairs_said(listed.rows, listed.pairs, ""),
            count_of(k.into(), "bit"),
            by_chance(Likeness::by_radius(k, corpus.width)?.chance())
        ));
    }
    Ok(())
}
