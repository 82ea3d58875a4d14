//! `nearprint index query --stream`: a big file read past tables on the queries.

use crate::input::budget::JoinInput;
use crate::input::corpus::Corpus;
use crate::show::figures::count_of;
use crate::usage::say;
use crate::verb::index::query::{Args, row};
use nearprint_corpus::{InputFormat, Source, discover};
use nearprint_dedup::Budget;
use nearprint_dedup::CrossJoin;
use nearprint_dedup::stored::words;
use nearprint_index::Neighbor;
use std::sync::Arc;

pub(super) fn run(args: &Args, big: &str) -> anyhow::Result<()> {
    let corpus = args.corpus.open()?;
    let big = discover(&[big], Some(InputFormat::TEXT))?;
    answer(args, &big, &corpus)
}

fn answer(args: &Args, big: &[Source], corpus: &Corpus) -> anyhow::Result<()> {
    let k = args.reach.k(corpus.width)?;
    let read = corpus.with(big.iter().cloned().chain(args.ids.file(corpus.is_raw())?));
    let mut output = args.output.create(&read)?;
    let queries = JoinInput::open(&args.corpus, corpus, &args.ids)?;
    let rest = |memory| queries.share(queries.budget(memory, 0)?, Budget::rest);
    let budget = args.budget.memory.map(rest).transpose()?;
    let join = CrossJoin::new(k, budget, args.corpus.spill_dir()?)?.stopped_by(&corpus.progress);
    let limit = args.most().unwrap_or(usize::MAX);
    let (mut rows, mut before, mut of_query) = (0, None, 0);
    let ids = queries.ids();
    let passes = corpus.pool()?.install(|| {
        join.run(
            corpus.width,
            &mut *queries.fingerprints(),
            &mut |most, each| {
                let (read, width) = (Arc::default(), corpus.width);
                big.iter().try_for_each(|file| words(file, width, most, &read, each).map(drop))
            },
            &mut |query, doc, distance| {
                of_query = if before.replace(query) == Some(query) { of_query + 1 } else { 1 };
                if of_query > limit {
                    return Ok(());
                }
                rows += 1;
                output.write_record(row(ids, query, &Neighbor { doc, distance }).as_bytes())?;
                Ok(())
            },
        )
    })?;
    output.commit()?;
    if !args.corpus.run.quiet {
        queries.remark();
        if passes > 1 {
            say(&format!("read {passes} times: --memory has no room for all queries at once"));
        }
    }
    args.report(queries.documents(), &count_of(rows, "document"), k);
    Ok(())
}
