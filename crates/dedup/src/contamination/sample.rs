//! How usual each token of the items is: the documents that have it, in a sample from all over the corpus.

use crate::contamination::vocabulary::{OTHER, Vocabulary};
use crate::error::Error;
use crate::passages::corpus::Corpus;
use crate::passages::units::UnitReader;
use crate::progress::Stage;
use crate::threads;
use nearprint_corpus::{Reader, Source};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};

/// Parts of the corpus that are read, and the bytes of each.
const PARTS: u64 = 32;
const PART: u64 = 1 << 20;

/// Documents of a sample.
pub(crate) struct Sample {
    pub(crate) documents: u32,
    /// Those of them that have each token.
    pub(crate) with: Vec<u32>,
}

/// A part of the sample as it is counted.
struct Counting<'a> {
    vocabulary: &'a Vocabulary,
    units: UnitReader,
    sampled: u32,
    /// The documents of all parts with each token.
    with: &'a [AtomicU32],
    /// A bit for each token, on where a document has it, and the tokens that it has.
    seen: Vec<u64>,
    tokens: Vec<u32>,
}

/// Counts the documents with each token, in some 32 MiB of the corpus.
///
/// Of a corpus of many files some are read, evenly apart; of a file of lines parts from all over it, of any other its
/// beginning. What cannot be read is left out here. Threads take a part each.
///
/// # Errors
/// A file that cannot be read; temporary files.
pub(crate) fn sample(corpus: &Corpus<'_>, vocabulary: &Vocabulary) -> Result<Sample, Error> {
    corpus.progress.enter(Stage::Sample);
    let all: u64 = corpus.sources.iter().filter_map(Source::bytes).sum();
    let most = crate::numbers::index(PARTS);
    let step = corpus.sources.len().div_ceil(most).max(1);
    let mut parts: Vec<(Source, u64)> = Vec::new();
    for source in corpus.sources.iter().step_by(step) {
        let bytes = source.bytes().unwrap_or(PART);
        let share = u128::from(PARTS) * u128::from(bytes) / u128::from(all.max(1));
        let count = u64::try_from(share).unwrap_or(PARTS).clamp(1, PARTS);
        let windows = source.windows(count, PART, corpus.dir)?;
        if windows.is_empty() {
            parts.push((source.clone(), count * PART));
        }
        parts.extend(windows.into_iter().map(|window| (window, u64::MAX)));
    }
    let with: Vec<AtomicU32> = (0..vocabulary.len()).map(|_| AtomicU32::new(0)).collect();
    let read = |(source, most): &(Source, u64)| -> Result<u32, Error> {
        let mut counting = Counting {
            vocabulary,
            units: UnitReader::new(corpus.recipe, corpus.rule.unit, corpus.rule.digits)?,
            sampled: 0,
            with: &with,
            seen: vec![0; vocabulary.len().div_ceil(64)],
            tokens: Vec::new(),
        };
        counting.read(corpus, std::slice::from_ref(source), *most)?;
        Ok(counting.sampled)
    };
    let pool = threads::pool(corpus.reading.threads)?;
    let sampled: Vec<u32> =
        pool.install(|| parts.par_iter().with_max_len(1).map(read).collect::<Result<_, _>>())?;
    let with = with.into_iter().map(AtomicU32::into_inner).collect();
    Ok(Sample { documents: sampled.iter().sum(), with })
}

impl Counting<'_> {
    /// Counts the documents of some sources, of so many bytes.
    fn read(&mut self, corpus: &Corpus<'_>, sources: &[Source], most: u64) -> Result<(), Error> {
        let mut read = 0;
        for batch in Reader::new(sources, corpus.reading.options) {
            // The first reading of all tells what is wrong.
            let Ok(batch) = batch else { continue };
            for record in batch.records() {
                if read >= most {
                    return Ok(());
                }
                read += record.held().len() as u64;
                let Ok(document) = corpus.document(&record) else { continue };
                self.add(&document.text);
            }
            corpus.progress.check()?;
        }
        Ok(())
    }

    fn add(&mut self, text: &str) {
        self.sampled += 1;
        for hash in self.units.hashes(text).0 {
            let number = self.vocabulary.number(*hash);
            if number == OTHER {
                continue;
            }
            let (word, bit) = (number as usize / 64, 1 << (number % 64));
            if self.seen[word] & bit == 0 {
                self.seen[word] |= bit;
                self.tokens.push(number);
            }
        }
        for number in self.tokens.drain(..) {
            self.seen[number as usize / 64] = 0;
            self.with[number as usize].fetch_add(1, Ordering::Relaxed);
        }
    }
}
