//! `nearprint index query --stream`: a big file read once past tables on the queries.

use crate::at_width::at_width;
use crate::corpus::Corpus;
use crate::index::query::{Args, write};
use nearprint_corpus::decoder::Decoder;
use nearprint_corpus::inputs::discover;
use nearprint_corpus::outputs::{OutputOptions, Outputs};
use nearprint_corpus::source::Source;
use nearprint_dedup::error::Error;
use nearprint_fingerprint::fingerprint::Fingerprint;
use nearprint_index::cross_pair::CrossPair;
use nearprint_index::distinct::Distinct;
use nearprint_index::neighbor::Neighbor;
use nearprint_index::stream_join::StreamJoin;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Bytes of the big file that are in memory at a time.
const CHUNK: usize = 8 << 20;

pub(super) fn run(args: &Args, big: &str) -> anyhow::Result<()> {
    let corpus = args.corpus.open()?;
    let big = discover(&[big.to_owned()], None)?;
    at_width!(corpus.width, answer(args, &big, &corpus))
}

fn answer<const WORDS: usize>(args: &Args, big: &[Source], corpus: &Corpus) -> anyhow::Result<()> {
    let k = args.radius.k(corpus.width)?;
    let sources: Vec<_> = corpus.sources.iter().chain(big).cloned().collect();
    let options = OutputOptions { force: args.force };
    let mut output = Outputs::new(&sources, options).create(&args.output)?;
    let documents = args.corpus.read::<WORDS>(corpus)?;
    let pool = corpus.pool()?;
    let distinct = pool.install(|| Distinct::new(&documents.fingerprints));
    let join = pool.install(|| StreamJoin::new(distinct.codes(), k))?;
    let found = Mutex::new(Vec::new());
    let mut first = 0;
    for source in big {
        chunks::<WORDS>(source, |codes| {
            let emit = |pair: CrossPair| {
                let code = usize::try_from(pair.doc - first).ok().and_then(|at| codes.get(at));
                // Empty documents are nobody's duplicates.
                if code.is_some_and(|code| *code != Fingerprint::ZERO) {
                    found.lock().unwrap_or_else(PoisonError::into_inner).push(pair);
                }
            };
            pool.install(|| join.chunk(codes, first, emit));
            first += codes.len() as u64;
        })?;
    }
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_unstable_by_key(|pair| (pair.query, pair.distance, pair.doc));
    let limit = if args.any { 1 } else { args.limit.unwrap_or(usize::MAX) };
    let mut answers = vec![Vec::new(); documents.fingerprints.len()];
    for near in found.chunk_by(|a, b| a.query == b.query) {
        let Some(rank) = near.first().map(|pair| pair.query) else { continue };
        let nearest = near.iter().take(limit);
        let answer: Vec<_> =
            nearest.map(|pair| Neighbor { doc: pair.doc, distance: pair.distance }).collect();
        for query in distinct.docs(rank) {
            if let Some(slot) = usize::try_from(query).ok().and_then(|at| answers.get_mut(at)) {
                slot.clone_from(&answer);
            }
        }
    }
    let rows = write(&mut output, &documents, 0, answers.iter())?;
    output.commit()?;
    args.report(&documents, rows, k);
    Ok(())
}

/// Reads a file of raw words and hands them over by the chunk.
fn chunks<const WORDS: usize>(
    source: &Source,
    mut each: impl FnMut(&[Fingerprint<WORDS>]),
) -> anyhow::Result<()> {
    let mut decoder = Decoder::open(source, std::sync::Arc::default())?;
    let (mut bytes, mut length) = (Vec::new(), 0);
    loop {
        bytes.clear();
        let end = decoder.fill(&mut bytes, CHUNK)?;
        length += bytes.len() as u64;
        let words = bytes.chunks_exact(Fingerprint::<WORDS>::BYTES);
        if !words.remainder().is_empty() {
            let (path, width) = (PathBuf::from(source.name()), Fingerprint::<WORDS>::BITS);
            return Err(Error::RawLength { path, bytes: length, width }.into());
        }
        let codes: Vec<_> = words.filter_map(Fingerprint::from_le_bytes).collect();
        each(&codes);
        if end {
            return Ok(());
        }
    }
}
