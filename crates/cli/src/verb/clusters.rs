//! `nearprint clusters`: who belongs together.

use crate::flags::heading::DUPLICATE;
use crate::flags::ids::IdsFlags;
use crate::flags::likeness::{LikenessFlags, by_chance, or_similarity};
use crate::flags::output::OutputFlags;
use crate::flags::within::WithinFlags;
use crate::input::budget::{BudgetFlags, JoinInput};
use crate::input::corpus::{Corpus, CorpusFlags, remark};
use crate::input::text_search::TextSearch;
use crate::show::figures::{count, count_of};
use crate::usage::{say, wrong};
use nearprint_dedup::{Budget, ClusterRule, Clusters, FilePlaces, Likeness, Names, write_clusters};
use nearprint_fingerprint::Recipe;

/// Print the groups of near-duplicates
///
/// One row for every document in a group of two or more, in input order: {"id","cluster", "representative"}. Groups are
/// connected by pairs of near-duplicates, and numbered from 0 in the order of their first documents; the representative
/// is the first. The groups of `dedup` are stars by default (--cluster-rule). Texts are near-duplicates as for
/// `dedup`. Either they share at least 80 % of their features (--similarity), or their fingerprints differ in at most K
/// bits (-k). Fingerprints without texts are joined within a radius.
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
    /// What makes a group: star or connected
    ///
    /// star: a document and its near-duplicates, as of `dedup`, whose kept document is the representative. connected:
    /// also documents that are linked through others.
    #[arg(long, default_value = "connected", value_name = "RULE", help_heading = DUPLICATE)]
    cluster_rule: ClusterRule,
    #[command(flatten)]
    budget: BudgetFlags,
    #[command(flatten)]
    output: OutputFlags,
}

const EXAMPLES: &str = "Examples:
  nearprint clusters corpus.jsonl -o clusters.jsonl
  nearprint clusters articles/ --similarity 0.9
  nearprint clusters fingerprints.jsonl -k 3
  nearprint clusters codes.bin --input-format u64 -k 3
  nearprint clusters codes.bin --input-format u64 -k 3 --memory 4G -o clusters.jsonl";

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let corpus = args.corpus.open_wide(&args.likeness)?;
    args.ids.file(corpus.is_raw())?;
    match corpus.recipe() {
        Some(recipe) if args.likeness.radius().is_none() || args.is_of_texts() => {
            by_texts(args, &corpus, recipe)
        }
        _ if args.within.is_given() => wrong(format!(
            "{}: the input holds fingerprints, which are read without other fields; give the texts",
            args.within.flag()
        )),
        _ if args.cluster_rule == ClusterRule::Star => wrong(
            "--cluster-rule star: the input holds fingerprints, whose pairs connect; give the texts, or leave it out",
        ),
        _ => by_radius(args, &corpus),
    }?;
    args.corpus.input.say_instead(&corpus.sources, args.corpus.run.quiet);
    Ok(())
}

impl Args {
    /// Whether flags are given that the job of `dedup` alone heeds.
    fn is_of_texts(&self) -> bool {
        self.within.is_given() || self.cluster_rule == ClusterRule::Star
    }
}

/// The groups of the pairs that the job of `dedup` compares.
fn by_texts(args: &Args, corpus: &Corpus, recipe: &Recipe) -> anyhow::Result<()> {
    let mut spec = args.corpus.job(corpus, recipe, &args.likeness);
    spec.labels = args.within.labels();
    spec.criteria.cluster_rule = args.cluster_rule;
    let search = TextSearch::new(&args.corpus, corpus, recipe, args.budget.memory, spec)?;
    let summary = search.run(&args.output, |outputs| &mut outputs.clusters)?;
    if !args.corpus.run.quiet {
        say(&format!(
            "{} of {} among {}; recipe {}: {}",
            count_of(summary.clusters, &format!("{} cluster", args.cluster_rule.name())),
            count_of(summary.removed + summary.clusters, "document"),
            count(summary.documents),
            summary.recipe,
            search.said()
        ));
    }
    Ok(())
}

/// What fingerprints within the radius connect.
fn by_radius(args: &Args, corpus: &Corpus) -> anyhow::Result<()> {
    let k = args.likeness.stored_radius(corpus.width)?;
    let ids = args.ids.file(corpus.is_raw())?;
    let mut output = args.output.create(&corpus.with(ids))?;
    let pool = corpus.pool()?;
    let (clusters, documents) = if let Some(memory) = args.budget.memory {
        let entries = JoinInput::open(&args.corpus, corpus, &args.ids)?;
        let budget = entries.budget(memory, Budget::OF_CLUSTERS)?;
        let join = entries.join(&args.corpus, k, budget, Budget::for_clusters)?;
        let join = join.stopped_by(&corpus.progress);
        let documents = entries.documents();
        let clusters = pool.install(|| {
            let codes = (corpus.width, &mut *entries.iter());
            Clusters::spilled(&join, documents, codes, entries.degenerate())
        })?;
        let places = entries.places(corpus);
        write_clusters(&mut output, &clusters, Names::with(entries.ids(), places.as_ref()))?;
        if !args.corpus.run.quiet {
            entries.remark();
        }
        (clusters, documents)
    } else {
        let documents = args.corpus.read_named(corpus, &args.ids)?;
        let clusters = pool.install(|| {
            let codes = documents.fingerprints.codes();
            Clusters::new(codes, &documents.degenerate, k, &corpus.progress)
        })?;
        let places = FilePlaces::of_repeated(&documents, &corpus.sources);
        write_clusters(&mut output, &clusters, Names::of_documents(&documents, places.as_ref()))?;
        if !args.corpus.run.quiet {
            remark(&documents.counts);
        }
        (clusters, documents.counts.documents)
    };
    output.commit()?;
    if !args.corpus.run.quiet {
        let members: u64 = clusters.sizes().iter().sum();
        say(&format!(
            "{} of {} among {}, within {}{}",
            count_of(clusters.len() as u64, "connected cluster"),
            count_of(members, "document"),
            count(documents),
            count_of(k.into(), "bit"),
            by_chance(Likeness::by_radius(k, corpus.width)?.chance())
        ));
    }
    Ok(())
}
