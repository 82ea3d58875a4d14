//! How usual each token of the items is: the documents that have it, in a sample from all over the corpus.

use crate::contamination::parted::parted;
use crate::contamination::vocabulary::{OTHER, Vocabulary};
use crate::error::Error;
use crate::passages::corpus::Corpus;
use crate::passages::units::UnitReader;
use crate::progress::Stage;
use crate::threads;
use nearprint_corpus::{Reader, Source};
use rayon::prelude::*;
use std::path::Path;
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

/// A part of the corpus: sources one behind the other, of which so many bytes are read.
struct Part {
    sources: Vec<Source>,
    most: u64,
}

/// Parts from all over the corpus, of some 32 MiB together; all of a corpus that is no larger.
///
/// Of a file of lines that is larger than others they are windows at even distances, of any other large file its
/// beginning. Smaller files are taken together until they are as large as a part of the corpus, and read from the first
/// on.
///
/// # Errors
/// A file that cannot be read; temporary files.
fn parts(sources: &[Source], dir: &Path) -> Result<Vec<Part>, Error> {
    let bytes = |source: &Source| source.bytes().unwrap_or(PART);
    let share = (sources.iter().map(bytes).sum::<u64>() / PARTS).max(1);
    let mut parts = Vec::new();
    let (mut small, mut of_small) = (Vec::new(), 0);
    for source in sources {
        let own = bytes(source);
        if own >= share {
            let count = (own / share).min(PARTS);
            let windows = source.windows(count, PART, dir)?;
            if windows.is_empty() {
                // Where windows would be most of it, all of it.
                let most = if own <= 2 * count * PART { 2 * count * PART } else { count * PART };
                parts.push(Part { sources: vec![source.clone()], most });
            }
            let part = |window| Part { sources: vec![window], most: u64::MAX };
            parts.extend(windows.into_iter().map(part));
            continue;
        }
        small.push(source.clone());
        of_small += own;
        if of_small >= share {
            parts.push(of_several(&mut small, &mut of_small, share));
        }
    }
    if !small.is_empty() {
        parts.push(of_several(&mut small, &mut of_small, share));
    }
    Ok(parts)
}

/// Sources of so many bytes as a part of a corpus of which a part has `share` bytes: all of them, if that is few.
fn of_several(small: &mut Vec<Source>, bytes: &mut u64, share: u64) -> Part {
    let bytes = std::mem::take(bytes);
    let most = if share <= PART { bytes.max(PART) } else { PART };
    Part { sources: std::mem::take(small), most }
}

/// Counts the documents with each token, in [parts](parts) of the corpus. What cannot be read is left out here. Threads
/// take a part each.
///
/// # Errors
/// A file that cannot be read; temporary files.
pub(crate) fn sample(corpus: &Corpus<'_>, vocabulary: &Vocabulary) -> Result<Sample, Error> {
    corpus.progress.enter(Stage::Sample);
    let parts = parts(corpus.sources, corpus.dir)?;
    let with: Vec<AtomicU32> = (0..vocabulary.len()).map(|_| AtomicU32::new(0)).collect();
    let read = |Part { sources, most }: &Part| -> Result<u32, Error> {
        let mut counting = Counting {
            vocabulary,
            units: UnitReader::new(corpus.recipe, corpus.rule.unit, corpus.rule.digits)?,
            sampled: 0,
            with: &with,
            seen: vec![0; vocabulary.len().div_ceil(64)],
            tokens: Vec::new(),
        };
        counting.read(corpus, sources, *most)?;
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
                let Ok(document) = corpus.document_to_cut(&record, false) else { continue };
                self.add(&document.text);
            }
            corpus.progress.check()?;
        }
        Ok(())
    }

    fn add(&mut self, text: &str) {
        self.sampled += 1;
        for hash in self.units.hashes(&parted(text)).0 {
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

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_corpus::discover;

    /// Parts of a folder of files of so many bytes each, whose names are in order.
    fn parts_of(sizes: &[usize]) -> Vec<(usize, u64)> {
        let folder = tempfile::tempdir().unwrap();
        for (number, size) in sizes.iter().enumerate() {
            let row = "{\"text\":\"some words that are here\"}\n";
            let rows = row.repeat(size.div_ceil(row.len()));
            std::fs::write(folder.path().join(format!("{number:04}.jsonl")), rows).unwrap();
        }
        let sources = discover(&[folder.path()], None).unwrap();
        let scratch = tempfile::tempdir().unwrap();
        let parts = parts(&sources, scratch.path()).unwrap();
        parts.iter().map(|part| (part.sources.len(), part.most)).collect()
    }

    #[test]
    fn a_small_corpus_is_read_as_a_whole_whatever_its_files() {
        for sizes in [vec![7000; 300], [40, 90_000].repeat(40), vec![3_000_000]] {
            let parts = parts_of(&sizes);
            assert_eq!(parts.iter().map(|(count, _)| count).sum::<usize>(), sizes.len());
            assert!(
                parts.iter().map(|(_, most)| most).sum::<u64>()
                    > sizes.iter().sum::<usize>() as u64
            );
            assert!(parts.iter().all(|(_, most)| *most >= PART));
        }
    }

    #[test]
    fn a_large_corpus_is_read_in_parts_of_equal_bytes() {
        // A file that is no more than twice as large as its windows is read as a whole.
        assert_eq!(parts_of(&[40 << 20]), [(1, 64 << 20)]);
        // Small files are taken together, however large others are.
        let parts = parts_of(&[[100, 400_000].repeat(100), vec![40 << 20]].concat());
        let of_small: Vec<_> = parts.iter().filter(|(count, _)| *count > 1).collect();
        assert_eq!(of_small.iter().map(|(count, _)| count).sum::<usize>(), 200);
        assert!((14..=17).contains(&of_small.len()), "{parts:?}");
        assert!(of_small.iter().all(|(_, most)| *most == PART));
        let windows = parts.iter().filter(|(_, most)| *most == u64::MAX).count();
        assert_eq!((windows, parts.len() - of_small.len()), (16, 16), "{parts:?}");
    }
}
