//! Queries to a segment: many at a time, one by one, and on several threads.
//!
//! Each run asks queries that no run before it asked, so that none finds its answers in the caches.
//! A batch is timed twice: for the fingerprints alone, and with the documents of each.

use crate::args::{Args, Failure};
use crate::codes;
use crate::report::{Line, memory, timed};
use crate::segments::{self, Bytes};
use nearprint_fingerprint::Fingerprint;
use nearprint_index::{Match, Segment};
use rayon::prelude::*;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;

pub fn run<const WORDS: usize>(args: &mut Args, threads: usize) -> Result<(), Failure> {
    let ks = args.numbers("k")?;
    let built_for = ks.iter().copied().max().unwrap_or(0);
    let segment = segments::build::<WORDS>(args, built_for)?;
    // Reads all of it too, which brings a file into memory as far as it fits.
    let (verified, seconds) = timed(|| segment.verify());
    verified?;
    Line::new("verify").number("seconds", seconds).print();

    let queries = codes::read::<WORDS>(&args.path("queries")?)?;
    let (asked, runs) = (args.number("asked", 10_000)?, args.number("runs", 5)?);
    let checked: usize = args.number("checked", 50)?;
    if queries.len() < asked * (runs + 1) {
        return Err(format!("{} queries are too few for {runs} runs", queries.len()).into());
    }
    for &k in &ks {
        let figures = measure(&segment, k, &queries, asked, runs)?;
        let plan = segments::plan(args, 64 * WORDS as u32, k, segment.len())?;
        figures
            .number("plan_query_us", plan.query_microseconds())
            .number("plan_batch_us", plan.batch_microseconds())
            .print();
    }
    if let Some(k) = args.text("batch").and(Some(built_for)) {
        let size: usize = args.number("batch", 0)?;
        parallel(&segment, k, &queries[..size.min(queries.len())], threads)?;
    }
    // After the figures: where both do not fit, reading the codes takes the segment out of memory.
    let truth = scan(&args.file, &queries[..checked.min(asked)], built_for);
    for k in ks {
        let counts = counts(&segment, &queries[..asked * (runs + 1)], k)?;
        check(&counts, &truth, k)?;
        if let Some(prefix) = args.text("counts") {
            write_counts(format!("{prefix}.k{k}").as_ref(), &counts)?;
        }
    }
    Line::new("memory")
        .number("peak_bytes", memory("VmHWM"))
        .number("anonymous_bytes", memory("RssAnon"))
        .print();
    Ok(())
}

/// Distances of each query from everything within `k`, by comparing with everything: an independent
/// answer, from the file itself.
fn scan<const WORDS: usize>(file: &Path, queries: &[Fingerprint<WORDS>], k: u32) -> Vec<Vec<u32>> {
    let mut found = vec![Vec::new(); queries.len()];
    for code in codes::stream::<WORDS>(file) {
        for (query, found) in queries.iter().zip(&mut found) {
            let distance = query.distance(&code);
            if distance <= k {
                found.push(distance);
            }
        }
    }
    found
}

/// The figures of one radius.
fn measure<const WORDS: usize>(
    segment: &Segment<Bytes, WORDS>,
    k: u32,
    queries: &[Fingerprint<WORDS>],
    asked: usize,
    runs: usize,
) -> Result<Line, Failure> {
    let (mut batch, mut with_ids, mut alone) = (Vec::new(), Vec::new(), Vec::new());
    let each = |seconds: f64| seconds * 1e6 / asked as f64;
    for turn in 0..=runs {
        let own = &queries[turn * asked..(turn + 1) * asked];
        // The halves of a run are of one kind each, so both timings see both kinds.
        let (here, there) = own.split_at(asked / 2);
        let (found, seconds) = timed(|| fingerprints(segment, here, k));
        std::hint::black_box(found?);
        let (found, seconds_with_ids) = timed(|| documents(segment, there, k));
        std::hint::black_box(found?);
        if turn > 0 {
            batch.push(2.0 * each(seconds));
            with_ids.push(2.0 * each(seconds_with_ids));
        }
    }
    // One by one: of the first run, after a search elsewhere has emptied the caches of it.
    for query in &queries[..asked] {
        let (found, seconds) = timed(|| segment.neighbors(query, k, None));
        std::hint::black_box(found?);
        alone.push(seconds * 1e6);
    }
    alone.sort_unstable_by(f64::total_cmp);
    let rank = |share: f64| alone[((alone.len() - 1) as f64 * share) as usize];
    Ok(Line::new("search")
        .number("k", k)
        .number("asked", asked)
        .numbers("batch_us", &batch)
        .numbers("batch_with_ids_us", &with_ids)
        .number("p50_us", rank(0.5))
        .number("p99_us", rank(0.99)))
}

fn matches<const WORDS: usize>(
    segment: &Segment<Bytes, WORDS>,
    queries: &[Fingerprint<WORDS>],
    k: u32,
) -> Result<Vec<Match<WORDS>>, Failure> {
    let mut found = Vec::new();
    segment.search(queries, k, |one| {
        found.push(one);
        ControlFlow::Continue(())
    })?;
    Ok(found)
}

/// A batch answered with fingerprints.
fn fingerprints<const WORDS: usize>(
    segment: &Segment<Bytes, WORDS>,
    queries: &[Fingerprint<WORDS>],
    k: u32,
) -> Result<usize, Failure> {
    Ok(matches(segment, queries, k)?.len())
}

/// A batch answered with query, document and distance.
fn documents<const WORDS: usize>(
    segment: &Segment<Bytes, WORDS>,
    queries: &[Fingerprint<WORDS>],
    k: u32,
) -> Result<Vec<(usize, u64, u32)>, Failure> {
    let mut near = Vec::new();
    segment.documents_of_each(&matches(segment, queries, k)?, |found, doc| {
        near.push((found.query, doc, found.distance));
    })?;
    Ok(near)
}

/// How many documents are at each distance of each query.
fn counts<const WORDS: usize>(
    segment: &Segment<Bytes, WORDS>,
    queries: &[Fingerprint<WORDS>],
    k: u32,
) -> Result<Vec<Vec<u32>>, Failure> {
    let mut counts = vec![vec![0; k as usize + 1]; queries.len()];
    for (query, _, distance) in documents(segment, queries, k)? {
        counts[query][distance as usize] += 1;
    }
    Ok(counts)
}

/// Compares with the scan, and expects every planted neighbour that is near enough.
fn check(counts: &[Vec<u32>], truth: &[Vec<u32>], k: u32) -> Result<(), Failure> {
    let mut documents = 0_usize;
    for (query, distances) in truth.iter().enumerate() {
        for distance in 0..=k {
            let expected = distances.iter().filter(|other| **other == distance).count();
            if counts[query][distance as usize] as usize != expected {
                return Err(format!("query {query}, k = {k}: wrong at distance {distance}").into());
            }
            documents += expected;
        }
    }
    let answered = counts.iter().filter(|counts| counts.iter().any(|count| *count > 0)).count();
    let found: u64 = counts.iter().flatten().map(|count| u64::from(*count)).sum();
    Line::new("exact")
        .number("k", k)
        .number("queries_compared_with_scan", truth.len())
        .number("documents_compared", documents)
        .number("queries_answered", answered)
        .number("documents_found", found)
        .print();
    Ok(())
}

/// The documents found for each query, as 32-bit words.
fn write_counts(path: &Path, counts: &[Vec<u32>]) -> Result<(), Failure> {
    let mut out = BufWriter::new(File::create(path)?);
    for count in counts {
        out.write_all(&count.iter().sum::<u32>().to_le_bytes())?;
    }
    Ok(out.flush()?)
}

/// One large batch with documents, on all threads.
fn parallel<const WORDS: usize>(
    segment: &Segment<Bytes, WORDS>,
    k: u32,
    queries: &[Fingerprint<WORDS>],
    threads: usize,
) -> Result<(), Failure> {
    let (found, seconds) = timed(|| {
        let parts = queries.par_chunks(10_000).with_max_len(1);
        parts.map(|part| documents(segment, part, k).map(|near| near.len())).collect()
    });
    let found: Result<Vec<usize>, Failure> = found;
    Line::new("parallel")
        .number("k", k)
        .number("queries", queries.len())
        .number("threads", threads)
        .number("seconds", seconds)
        .number("documents", found?.iter().sum::<usize>())
        .print();
    Ok(())
}
