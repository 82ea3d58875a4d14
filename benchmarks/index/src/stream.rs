//! The streamed join: queries in memory, the other side read once from its file and never indexed.

use crate::args::{Args, Failure};
use crate::codes;
use crate::report::{Line, memory, timed};
use nearprint_fingerprint::Fingerprint;
use nearprint_index::{Distinct, StreamJoin};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

/// Codes read at a time.
const CHUNK: usize = 1 << 20;

pub fn run<const WORDS: usize>(args: &mut Args, threads: usize) -> Result<(), Failure> {
    let queries = codes::read::<WORDS>(&args.path("queries")?)?;
    let (k, runs): (u32, usize) = (args.number("k", 3)?, args.number("runs", 3)?);
    let mut seconds = Vec::new();
    let mut counts = Vec::new();
    let mut tables = 0;
    for _ in 0..runs {
        let (found, took) = timed(|| once::<WORDS>(&args.file, &queries, k));
        (tables, counts) = found?;
        seconds.push(took);
    }
    if let Some(path) = args.text("counts") {
        let bytes: Vec<u8> = counts.iter().flat_map(|count| count.to_le_bytes()).collect();
        std::fs::write(path, bytes)?;
    }
    Line::new("stream")
        .number("queries", queries.len())
        .number("k", k)
        .number("threads", threads)
        .number("tables", tables)
        .numbers("seconds", &seconds)
        .number("pairs", counts.iter().map(|count| u64::from(*count)).sum::<u64>())
        .number("peak_bytes", memory("VmHWM"))
        .print();
    Ok(())
}

/// One join, reading included: the tables used, and the documents found for each query.
fn once<const WORDS: usize>(
    file: &Path,
    queries: &[Fingerprint<WORDS>],
    k: u32,
) -> Result<(usize, Vec<u32>), Failure> {
    let distinct = Distinct::new(queries);
    let join = StreamJoin::new(distinct.codes(), k)?;
    let found: Vec<AtomicU32> = distinct.codes().iter().map(|_| AtomicU32::new(0)).collect();
    let mut stream = codes::stream::<WORDS>(file);
    let mut chunk: Vec<Fingerprint<WORDS>> = Vec::with_capacity(CHUNK);
    let mut first = 0;
    loop {
        chunk.clear();
        chunk.extend(stream.by_ref().take(CHUNK));
        if chunk.is_empty() {
            break;
        }
        join.chunk(&chunk, first, |pair| {
            found[pair.query as usize].fetch_add(1, Ordering::Relaxed);
        })?;
        first += chunk.len() as u64;
    }
    let mut counts = vec![0; queries.len()];
    for (rank, found) in (0..).zip(&found) {
        for query in distinct.docs(rank) {
            counts[query as usize] = found.load(Ordering::Relaxed);
        }
    }
    Ok((join.plan().tables(), counts))
}
