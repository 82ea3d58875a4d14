//! The features of some documents, read again and kept on disk for exact comparison.

use crate::disk::state::{StateReader, StateWriter};
use crate::error::Error;
use crate::progress::{Progress, Stage};
use crate::read::documents::{LeftOut, Reading};
use crate::read::pipeline;
use crate::read::sketch::{Sketcher, checksum};
use nearprint_corpus::{Reader, Source};
use nearprint_fingerprint::mix64;
use std::collections::HashMap;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tempfile::SpooledTempFile;

/// Bytes of lists that are held where they come from a checkpoint, to be looked up for reports alone.
const HELD: usize = 4 << 20;
/// Bytes a list of features takes in memory beside its keys.
const OF_LIST: usize = 64;

/// Lists of feature keys, one a document, in a temporary file without a name as far as memory has no
/// room for them; those used last are in memory.
///
/// Memory: 16 bytes a document and what is allowed for lists.
#[derive(Debug, Default)]
pub(crate) struct Features {
    /// None where there is no document.
    file: Option<SpooledTempFile>,
    dir: PathBuf,
    /// Ascending.
    documents: Vec<u64>,
    /// Where the list of each begins and, one further, ends: in keys.
    starts: Vec<u64>,
    held: HashMap<u64, Arc<[u64]>>,
    held_bytes: usize,
    budget: usize,
}

impl Features {
    /// Reads `sources` once more and keeps the features of `documents`, which ascend, in `dir`; in
    /// memory as many as fit into `budget` bytes.
    ///
    /// `read_checksum` is that of the first reading.
    ///
    /// # Errors
    /// Input that changed since; the disk's.
    pub(crate) fn read<const WORDS: usize>(
        reading: &Reading,
        sources: &[Source],
        documents: Vec<u64>,
        (left_out, read_checksum): (&[LeftOut], u64),
        (dir, budget): (&Path, usize),
        progress: &Progress,
    ) -> Result<Self, Error> {
        progress.enter(Stage::Verify);
        let failed = |source| Error::Spill { dir: dir.to_path_buf(), source };
        let mut file = SpooledTempFile::new_in(budget / 2, dir);
        let records = records_of(&documents, left_out);
        let reader = Reader::new(sources, reading.options);
        let bytes_read = reader.bytes_read();
        let (mut starts, mut end, mut sum) = (Vec::with_capacity(documents.len() + 1), 0, 0);
        let sketcher =
            || Sketcher::<WORDS>::new(&reading.content, &reading.fields, reading.on_error);
        pipeline::ordered(
            reader,
            reading.threads,
            sketcher,
            |sketcher, batch| {
                let (Ok(sketcher), Ok(batch)) = (sketcher, batch) else { return None };
                let first = batch.first_record();
                let from = records.partition_point(|record| *record < first);
                let of_batch = records.get(from..).unwrap_or_default().iter();
                let ours = of_batch.map_while(|record| {
                    batch.record(usize::try_from(record - first).unwrap_or(usize::MAX))
                });
                let lists: Vec<_> = ours.map(|record| sketcher.keys(&record)).collect();
                Some((checksum(&batch), batch.len() as u64, lists))
            },
            |read| -> Result<(), Error> {
                let Some((checksum, records, lists)) = read else {
                    sum = mix64(sum);
                    return Ok(());
                };
                sum = mix64(sum ^ checksum);
                for list in lists {
                    starts.push(end);
                    end += list.len() as u64;
                    let bytes: Vec<u8> = list.iter().flat_map(|key| key.to_le_bytes()).collect();
                    file.write_all(&bytes).map_err(failed)?;
                }
                progress.advance(bytes_read.load(Ordering::Relaxed), records);
                progress.check()
            },
        )?;
        if sum != read_checksum {
            return Err(Error::InputChanged);
        }
        starts.push(end);
        let (held, held_bytes) = (HashMap::new(), 0);
        let (file, budget) = (Some(file), budget / 2);
        Ok(Self { file, dir: dir.to_path_buf(), documents, starts, held, held_bytes, budget })
    }

    /// Puts in every list.
    pub(crate) fn save(&mut self, state: &mut StateWriter) -> io::Result<()> {
        state.numbers(self.documents.iter().copied())?;
        state.numbers(self.starts.iter().copied())?;
        let length = 8 * self.starts.last().copied().unwrap_or(0);
        match &mut self.file {
            Some(file) => {
                file.rewind()?;
                state.copy(file, length)
            }
            None => state.copy(&mut io::empty(), 0),
        }
    }

    /// What [`Self::save`] put in; lists are looked up in a file in `dir`.
    pub(crate) fn restore(state: &mut StateReader, dir: &Path) -> io::Result<Self> {
        let (documents, starts) = (state.numbers()?, state.numbers()?);
        let mut file = SpooledTempFile::new_in(HELD, dir);
        state.copy(&mut file)?;
        let (file, dir) = (Some(file), dir.to_path_buf());
        Ok(Self { file, dir, documents, starts, budget: HELD, ..Self::default() })
    }

    /// The keys of a document's features, ascending; none of a document that was not asked for.
    pub(crate) fn of(&mut self, document: u64) -> Result<Arc<[u64]>, Error> {
        if let Some(list) = self.held.get(&document) {
            return Ok(Arc::clone(list));
        }
        let list = self.load(document)?;
        let bytes = size_of_val(&*list) + OF_LIST;
        if self.held_bytes + bytes > self.budget {
            self.held.clear();
            self.held_bytes = 0;
        }
        self.held_bytes += bytes;
        self.held.insert(document, Arc::clone(&list));
        Ok(list)
    }

    fn load(&mut self, document: u64) -> Result<Arc<[u64]>, Error> {
        let at = self.documents.binary_search(&document).ok();
        let place = at.and_then(|at| Some((*self.starts.get(at)?, *self.starts.get(at + 1)?)));
        let (Some(file), Some((start, end))) = (&mut self.file, place) else {
            return Ok(Arc::default());
        };
        let keys = usize::try_from(end - start).unwrap_or(usize::MAX);
        let mut bytes = vec![0; keys.saturating_mul(8)];
        let read = file.seek(SeekFrom::Start(8 * start));
        read.and_then(|_| file.read_exact(&mut bytes))
            .map_err(|source| Error::Spill { dir: self.dir.clone(), source })?;
        Ok(bytes.as_chunks::<8>().0.iter().map(|key| u64::from_le_bytes(*key)).collect())
    }
}

/// The numbers of documents among all records.
pub(crate) fn records_of(documents: &[u64], left_out: &[LeftOut]) -> Vec<u64> {
    let mut left_out = left_out.iter().map(|left_out| left_out.record).peekable();
    let mut before = 0;
    let record = |document: &u64| {
        while left_out.next_if(|record| *record <= document + before).is_some() {
            before += 1;
        }
        document + before
    };
    documents.iter().map(record).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_counted_without_the_records_that_were_left_out() {
        let out = |record| LeftOut { record, empty: true };
        let left_out = [out(0), out(3), out(4), out(9)];
        // Records 1, 2, 5, 6, 7, 8, 10 are documents 0 to 6.
        assert_eq!(records_of(&[0, 1, 2, 5, 6], &left_out), [1, 2, 5, 8, 10]);
        assert_eq!(records_of(&[3], &[]), [3]);
    }
}
