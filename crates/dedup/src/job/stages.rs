//! The stages whose outcome a checkpoint keeps: what an earlier run kept, or the stage itself.

use crate::error::Error;
use crate::job::dedup_job::DedupJob;
use crate::matching::clustering::PairSink;
use crate::matching::matches::Matches;
use crate::matching::near::FoundPair;
use crate::matching::ranking::Ranking;
use crate::matching::reread::Reread;
use crate::matching::search::Search;
use crate::progress::Progress;
use crate::read::documents::{Documents, Wanted};
use crate::read::groundwork::Groundwork;
use crate::read::names::{FilePlaces, Names};
use crate::report::reports::Reports;
use crate::report::rows;
use crate::resume::checkpoint::Checkpoint;
use crate::rules::criteria::Criteria;
use nearprint_corpus::total_bytes;
use std::io::{self, BufRead, BufReader, Seek, Write};
use tempfile::SpooledTempFile;

/// Stages that a checkpoint keeps.
const DOCUMENTS: &str = "documents";
const MATCHES: &str = "matches";
/// Bytes of rows that are kept in memory until they are written.
const ROWS: usize = 1 << 20;
/// Bytes of input where nobody knows.
const UNKNOWN: u64 = 1 << 30;

/// What is wanted of a search beside near-duplicates.
#[derive(Clone, Copy)]
struct Beside {
    /// Whether the contents of documents are still needed.
    keeps_contents: bool,
    /// How many pairs to draw on each side of the similarity.
    audit: usize,
}

impl DedupJob {
    /// The first reading, with the groundwork for the join.
    pub(crate) fn documents<const WORDS: usize>(
        &self,
        reports: &Reports,
        checkpoint: Option<&mut Checkpoint>,
        progress: &Progress,
    ) -> Result<(Documents<WORDS>, Groundwork), Error> {
        let likeness = &self.criteria.likeness;
        if let Some(checkpoint) = &checkpoint
            && let Some(mut state) = checkpoint.load(DOCUMENTS)?
        {
            let loaded = Documents::load(&mut state).and_then(|documents| {
                let groundwork = Groundwork::restore(likeness, &mut state, &self.work_dir)?;
                Ok((documents, groundwork))
            });
            return loaded.map_err(|source| checkpoint.failed(&source));
        }
        let bytes = total_bytes(&self.sources).unwrap_or(UNKNOWN);
        let mut groundwork = Groundwork::new(likeness, bytes, self.memory, &self.work_dir);
        let ids = reports.name_documents() || self.annotate;
        let Criteria { keep, featureless, .. } = self.criteria;
        let wanted = Wanted { ids, keep, contents: true, featureless, reference: self.reference };
        let (reading, sources) = (&self.reading, &self.sources);
        let documents = Documents::read_with(reading, sources, wanted, &mut groundwork, progress)?;
        if let Some(checkpoint) = checkpoint {
            checkpoint.save(DOCUMENTS, |state| {
                documents.save(state)?;
                groundwork.save(state)
            })?;
        }
        Ok((documents, groundwork))
    }

    /// The files, to be read for the features of documents.
    pub(crate) fn reread<'a, const WORDS: usize>(
        &'a self,
        documents: &'a Documents<WORDS>,
    ) -> Reread<'a, WORDS> {
        Reread { input: self.input(), first: documents.first_reading() }
    }

    /// The near-duplicates, with the number of pairs written. The contents of `documents` stay there where
    /// a segment is to be written.
    pub(crate) fn matches<const WORDS: usize>(
        &self,
        documents: &mut Documents<WORDS>,
        groundwork: Groundwork,
        reports: &mut Reports,
        checkpoint: Option<&mut Checkpoint>,
        progress: &Progress,
    ) -> Result<(Matches, Option<u64>), Error> {
        let beside = Beside { keeps_contents: reports.segment.is_some(), audit: reports.audit };
        let pairs = reports.pairs.as_mut();
        let Some(checkpoint) = checkpoint else {
            let write = pairs.map(|output| move |row: &[u8]| Ok(output.write_record(row)?));
            return self.find(documents, groundwork, beside, write, progress);
        };
        // Rows of pairs are kept too: what made them is gone when they are.
        let failed = |source: io::Error| Error::Spill { dir: self.work_dir.clone(), source };
        let mut kept = SpooledTempFile::new_in(ROWS, &self.work_dir);
        let found = match checkpoint.load(MATCHES)? {
            Some(mut state) => {
                let rules = (self.criteria.keep, self.check()?);
                let found = Matches::load(documents, rules, &self.work_dir, &mut state);
                let copied = found.and_then(|found| {
                    state.copy(&mut kept)?;
                    Ok(found)
                });
                copied.map_err(|source| checkpoint.failed(&source))?
            }
            None => {
                let write = |row: &[u8]| kept.write_all(row).map_err(failed);
                let write = pairs.is_some().then_some(write);
                let (mut matches, pairs) =
                    self.find(documents, groundwork, beside, write, progress)?;
                let length = kept.stream_position().map_err(failed)?;
                kept.rewind().map_err(failed)?;
                checkpoint.save(MATCHES, |state| {
                    matches.save(pairs, state)?;
                    state.copy(&mut kept, length)
                })?;
                (matches, pairs)
            }
        };
        if let Some(output) = pairs {
            kept.rewind().map_err(failed)?;
            let mut lines = BufReader::new(kept);
            let mut row = Vec::new();
            while lines.read_until(b'\n', &mut row).map_err(failed)? > 0 {
                output.write_record(&row)?;
                row.clear();
            }
        }
        Ok(found)
    }

    /// Finds the near-duplicates among `documents`, whose worths are taken from them;
    /// writes a row of every pair, where that is asked for, and returns their number.
    fn find<const WORDS: usize>(
        &self,
        documents: &mut Documents<WORDS>,
        groundwork: Groundwork,
        beside: Beside,
        write: Option<impl FnMut(&[u8]) -> Result<(), Error> + Send>,
        progress: &Progress,
    ) -> Result<(Matches, Option<u64>), Error> {
        let ranking = Ranking::of(documents, self.criteria.keep)?;
        if !beside.keeps_contents {
            documents.contents = Vec::new();
        }
        let search = Search {
            criteria: self.criteria,
            check: self.check()?,
            features: &self.reread(documents),
            audit: beside.audit,
            memory: self.memory,
            work_dir: &self.work_dir,
            progress,
        };
        let places = FilePlaces::of_repeated(documents, &self.sources);
        let names = Names::with(&documents.ids, places.as_ref());
        let mut rows = write.map(|write| pair_rows(names, write));
        let sink = rows.as_mut().map(|rows| rows as &mut PairSink<'_>);
        search.run(documents, groundwork, ranking, sink)
    }
}

/// Makes rows of pairs.
fn pair_rows(
    names: Names<'_>,
    mut write: impl FnMut(&[u8]) -> Result<(), Error> + Send,
) -> impl FnMut(FoundPair) -> Result<(), Error> + Send {
    move |FoundPair { a, b, distance, similarity }| {
        write(rows::pair(&names.of(a), &names.of(b), distance, similarity).as_bytes())
    }
}
