//! How usual each token of the items is: the documents that have it, in a sample from all over the corpus.

use crate::contamination::vocabulary::{OTHER, Vocabulary};
use crate::error::Error;
use crate::passages::corpus::Corpus;
use crate::passages::units::UnitReader;
use crate::progress::Stage;
use nearprint_corpus::{Reader, Source};

/// Parts of the corpus that are read, and the bytes of each.
const PARTS: u64 = 32;
const PART: u64 = 1 << 20;

/// Documents of a sample.
pub(crate) struct Sample {
    pub(crate) documents: u32,
    /// Those of them that have each token.
    pub(crate) with: Vec<u32>,
}

/// Documents that are counted.
struct Counting<'a> {
    vocabulary: &'a Vocabulary,
    units: UnitReader,
    sampled: u32,
    documents: Vec<u32>,
    /// The last document with each token.
    last: Vec<u32>,
}

/// Counts the documents with each token, in some 32 MiB of the corpus.
///
/// Of a corpus of many files some are read, evenly apart; of a file of lines parts from all over it, of any other its
/// beginning. What cannot be read is left out here.
///
/// # Errors
/// A file that cannot be read; temporary files.
pub(crate) fn sample(corpus: &Corpus<'_>, vocabulary: &Vocabulary) -> Result<Sample, Error> {
    corpus.progress.enter(Stage::Sample);
    let rule = corpus.rule;
    let tokens = vocabulary.len();
    let mut counting = Counting {
        vocabulary,
        units: UnitReader::new(corpus.recipe, rule.unit, rule.digits)?,
        sampled: 0,
        documents: vec![0; tokens],
        last: vec![0; tokens],
    };
    let all: u64 = corpus.sources.iter().filter_map(Source::bytes).sum();
    let most = crate::numbers::index(PARTS);
    let step = corpus.sources.len().div_ceil(most).max(1);
    for source in corpus.sources.iter().step_by(step) {
        let bytes = source.bytes().unwrap_or(PART);
        let share = u128::from(PARTS) * u128::from(bytes) / u128::from(all.max(1));
        let parts = u64::try_from(share).unwrap_or(PARTS).clamp(1, PARTS);
        let windows = source.windows(parts, PART, corpus.dir)?;
        if windows.is_empty() {
            counting.read(corpus, std::slice::from_ref(source), parts * PART)?;
        } else {
            counting.read(corpus, &windows, u64::MAX)?;
        }
    }
    let Counting { sampled, documents, .. } = counting;
    Ok(Sample { documents: sampled, with: documents })
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
            let last = &mut self.last[number as usize];
            if *last != self.sampled {
                *last = self.sampled;
                self.documents[number as usize] += 1;
            }
        }
    }
}
