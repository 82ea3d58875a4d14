//! `nearprint index query`: who in a segment is near.

use crate::flags::heading::{INPUT, OUTPUT, RESOURCES};
use crate::flags::ids::IdsFlags;
use crate::flags::output::OutputFlags;
use crate::flags::reach::ReachFlags;
use crate::input::budget::BudgetFlags;
use crate::input::corpus::{Corpus, CorpusFlags, remark};
use crate::mapped::map;
use crate::show::figures::{count_of, queries as number_of_queries};
use crate::usage::{say, wrong};
use crate::verb::index::segment::{open, recipe_name};
use memmap2::Mmap;
use nearprint_corpus::Output;
use nearprint_dedup::{DocumentNumber, Documents, Ids};
use nearprint_fingerprint::{Codes, Recipe, RecipeId};
use nearprint_index::{AnyMatch, AnySegment, Error, Means, Neighbor};
use rayon::ThreadPool;
use rayon::prelude::*;
use std::fmt::Write as _;
use std::path::Path;

/// Queries that one thread answers at a time.
const SHARE: usize = 1024;
/// Shares a thread that are answered before they are written.
const SHARES: usize = 4;

/// Print the documents of a segment that are near each query
///
/// One row an answer: {"query","doc","distance"}, queries in input order, the nearest document
/// first. Queries are texts, rows with a `fingerprint` field, or raw words; "query" is the query's
/// id, "doc" the number of the document in the segment. A segment built with --no-ids answers with the
/// "fingerprint" in place of "doc", equal ones once.
#[derive(clap::Args)]
#[command(
    after_long_help = EXAMPLES,
    override_usage = "nearprint index query [OPTIONS] <SEG> <QUERIES>...\n       \
                      nearprint index query [OPTIONS] --stream <BIG> <QUERIES>..."
)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(super) corpus: CorpusFlags,
    #[command(flatten)]
    pub(super) ids: IdsFlags,
    #[command(flatten)]
    pub(super) reach: ReachFlags,
    /// In place of a segment, a file of raw fingerprints, which may be larger than memory
    ///
    /// Its little-endian words are as wide as the queries. nearprint builds tables on the queries and
    /// reads the file past them: once, or with --memory once for as many queries as memory holds.
    #[arg(long, value_name = "BIG", conflicts_with = "scan", help_heading = INPUT)]
    pub(super) stream: Option<String>,
    #[command(flatten)]
    pub(super) budget: BudgetFlags,
    /// Compare with everything instead of using the tables: any radius, slowly
    #[arg(long, help_heading = RESOURCES)]
    scan: bool,
    /// Most answers a query
    #[arg(long, value_name = "N", help_heading = OUTPUT)]
    limit: Option<usize>,
    /// One answer a query, the first that is found
    #[arg(long, conflicts_with = "limit", help_heading = OUTPUT)]
    any: bool,
    #[command(flatten)]
    pub(super) output: OutputFlags,
}

const EXAMPLES: &str = "Examples:
  nearprint index query corpus.seg new.jsonl -o near.jsonl
  nearprint index query corpus.seg new.jsonl -k 2 --limit 10
  nearprint index query codes.seg queries.bin --input-format u64 --any
  nearprint index query --stream codes.bin queries.bin --input-format u64 -k 3
  nearprint index query --stream a.bin b.bin --input-format u64 -k 3 --memory 2G -o near.jsonl";

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    if args.budget.memory.is_some() {
        return wrong(
            "--memory is for --stream: a segment is mapped, and its answers are not held",
        );
    }
    let Some((segment, queries)) = args.corpus.input.inputs.split_first() else {
        return wrong("name a segment and the queries");
    };
    let path = Path::new(segment);
    let segment = path.display();
    if queries.is_empty() {
        return wrong(format!(
            "no queries: after the segment {segment}, name files of queries, or - for standard input"
        ));
    }
    let file = map(path)?;
    let opened = open(path, &file)?;
    let stored = opened.width();
    let corpus = args.corpus.open_of(queries)?;
    if corpus.width != stored {
        return wrong(format!(
            "{segment} holds fingerprints of {stored} bits, the queries have {}: {}",
            corpus.width,
            match corpus.recipe() {
                Some(_) => format!("pass --width {stored}"),
                None => "build a segment of that width".to_owned(),
            }
        ));
    }
    answer(args, path, &opened, &corpus).map_err(|error| match error.downcast_ref() {
        Some(Error::Corrupt { .. }) => error.context(path.display().to_string()),
        _ => error,
    })?;
    args.corpus.input.say_rows_instead(&corpus.sources, args.corpus.run.quiet);
    Ok(())
}

fn answer(
    args: &Args,
    path: &Path,
    segment: &AnySegment<&Mmap>,
    corpus: &Corpus,
) -> anyhow::Result<()> {
    same_recipe(path, segment.recipe(), corpus)?;
    let asked = args.reach.asked(corpus.width)?;
    let (built, scans) = (segment.layout().k(), args.scan || segment.layout().is_scan());
    if segment.layout().tells_no_radius() && asked.is_none() {
        return wrong(format!(
            "{}: an earlier release built it without tables, and did not record the radius: pass -k K, with --scan \
             above 0, or build it again",
            path.display()
        ));
    }
    let k = asked.unwrap_or(built);
    if k > built && !scans {
        return wrong(format!(
            "-k {k}: {} has tables for k up to {built}; build it with -k {k}, or pass --scan to \
             compare with everything",
            path.display()
        ));
    }
    let ids = args.ids.file(corpus.is_raw())?;
    let mut output = args.output.create(&corpus.with(ids))?;
    let documents = args.corpus.read_named(corpus, &args.ids)?;
    let pool = corpus.pool()?;
    let means = if scans { Means::Scan } else { Means::Tables };
    let (limit, one) = (args.most(), args.any && !scans);
    let mut ask = |each: &(dyn Fn(Codes<'_>) -> Result<Rows, Error> + Sync)| {
        answers(&mut output, &documents, &pool, SHARE * SHARES * corpus.threads, each)
    };
    let rows = if segment.has_ids() {
        let rows = ask(&|queries| {
            let near = match one {
                true => any(segment, queries, k)?,
                false => segment.batch(queries, k, limit, means)?,
            };
            Ok(Rows::of(&near, members))
        })?;
        count_of(rows, "document")
    } else {
        let rows = ask(&|queries| {
            let near = match one {
                true => {
                    let any = segment.any_of_each(queries, k)?.into_iter();
                    any.map(|near| near.into_iter().collect()).collect()
                }
                false => segment.matches(queries, k, limit, means)?,
            };
            Ok(Rows::of(&near, |text, AnyMatch { fingerprint, distance, .. }| {
                write!(text, "\"fingerprint\":\"{fingerprint}\",\"distance\":{distance}")
            }))
        })?;
        count_of(rows, "distinct fingerprint")
    };
    output.commit()?;
    if !args.corpus.run.quiet {
        remark(&documents.counts);
    }
    args.report(documents.len() as u64, &rows, k);
    Ok(())
}

/// One document near each query, as a list.
fn any(
    segment: &AnySegment<&Mmap>,
    queries: Codes<'_>,
    k: u32,
) -> Result<Vec<Vec<Neighbor>>, Error> {
    let one = |near: Option<AnyMatch>| {
        let Some(near) = near else { return Ok(Vec::new()) };
        let doc = segment.first_document(&near)?;
        Ok(doc.map(|doc| Neighbor { doc, distance: near.distance }).into_iter().collect())
    };
    segment.any_of_each(queries, k)?.into_iter().map(one).collect()
}

/// What near documents are in rows, for each query of a share.
struct Rows(Vec<Vec<String>>);

impl Rows {
    fn of<T>(near: &[Vec<T>], members: impl Fn(&mut String, &T) -> std::fmt::Result) -> Self {
        let text = |near: &T| {
            let mut text = String::new();
            // Writing to a string cannot fail.
            let _written = members(&mut text, near);
            text
        };
        Self(near.iter().map(|near| near.iter().map(text).collect()).collect())
    }
}

/// Answers all queries, `together` at a time, and writes the rows; tells how many.
fn answers(
    output: &mut Output,
    documents: &Documents,
    pool: &ThreadPool,
    together: usize,
    each: &(dyn Fn(Codes<'_>) -> Result<Rows, Error> + Sync),
) -> anyhow::Result<u64> {
    let (mut rows, mut text) = (0, String::new());
    let codes = documents.fingerprints.codes();
    for first in (0..codes.len()).step_by(together) {
        let queries = codes.slice(first..codes.len().min(first + together));
        let share = |number: usize| {
            let start = number * SHARE;
            each(queries.slice(start..queries.len().min(start + SHARE)))
        };
        let shares = (0..queries.len().div_ceil(SHARE)).into_par_iter();
        let shares = || shares.map(share).collect::<Result<Vec<_>, Error>>();
        let shares = pool.install(shares)?;
        for (query, near) in (first as u64..).zip(shares.iter().flat_map(|share| &share.0)) {
            let id = documents.ids.json(DocumentNumber(query));
            for near in near {
                let _written = writeln!(text, "{{\"query\":{id},{near}}}");
            }
            rows += near.len() as u64;
            output.write_record(text.as_bytes())?;
            text.clear();
        }
    }
    Ok(rows)
}

/// `"doc","distance"`.
fn members(text: &mut String, near: &Neighbor) -> std::fmt::Result {
    write!(text, "\"doc\":{},\"distance\":{}", near.doc, near.distance)
}

/// `{"query","doc","distance"}`.
pub(super) fn row(ids: &Ids, query: u64, near: &Neighbor) -> String {
    let mut row = format!("{{\"query\":{},", ids.json(DocumentNumber(query)));
    // Writing to a string cannot fail.
    let _written = members(&mut row, near);
    row + "}\n"
}

impl Args {
    /// Most answers a query.
    pub(super) fn most(&self) -> Option<usize> {
        if self.any { Some(1) } else { self.limit }
    }

    /// Says how it went; `found` is how many of what were found.
    pub(super) fn report(&self, queries: u64, found: &str, k: u32) {
        if !self.corpus.run.quiet {
            say(&format!(
                "{found} within {} to {}",
                count_of(k.into(), "bit"),
                number_of_queries(queries)
            ));
        }
    }
}

/// Refuses queries made by another recipe than the segment's, and says how they differ.
fn same_recipe(path: &Path, stored: Option<u128>, corpus: &Corpus) -> anyhow::Result<()> {
    let (Some(stored), Some(ours)) = (stored, corpus.recipe()) else { return Ok(()) };
    let stored = RecipeId::from(stored);
    if stored == ours.id() {
        return Ok(());
    }
    let differ = match (ours.version_with_id(stored), Recipe::with_id(stored)) {
        (Some(version), _) => format!(
            "it is the same recipe by the rules of version {version}: pass it as a file that says version = {version} \
             (see nearprint recipe show), or build the segment again"
        ),
        (None, Some(theirs)) => format!(
            "{}; pass --recipe {} --width {}",
            theirs.differences_between(ours, ["in the index", "in the queries"]).join(", "),
            theirs.name,
            theirs.width
        ),
        (None, None) => "it is not a built-in recipe: pass its file with --recipe".to_owned(),
    };
    wrong(format!(
        "{} was built by the recipe {}, the queries would be made by {}, and their distances mean \
         nothing: {differ}",
        path.display(),
        recipe_name(stored),
        recipe_name(ours.id()),
    ))
}
