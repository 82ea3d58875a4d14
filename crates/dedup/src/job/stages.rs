//! The stages whose outcome a checkpoint keeps: what an earlier run kept, or the stage itself.

use crate::decide::matches::Matches;
use crate::decide::search::Search;
use crate::error::Error;
use crate::job::checkpoint::Checkpoint;
use crate::job::decisions_file;
use crate::job::resolved::Job;
use crate::job::spec::OutputSpec;
use crate::memory::spill::Entry;
use crate::memory::spilled_sort::Room;
use crate::progress::Progress;
use crate::read::documents::{Documents, Wanted};
use crate::read::names::{FilePlaces, Names};
use crate::read::search_input::SearchInput;
use crate::read::ties::Ties;
use crate::search::folded_pairs::{FoldedPair, FoldedPairs, Listed};
use crate::search::ranking::Ranking;
use crate::search::reread::Reread;
use crate::write::reports::Reports;
use crate::write::rows;
use nearprint_corpus::{Output, total_bytes};
use nearprint_fingerprint::Recipe;
use nearprint_rules::{Criteria, Match};
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use tempfile::SpooledTempFile;

/// Stages that a checkpoint keeps.
const DOCUMENTS: &str = "documents";
const MATCHES: &str = "matches";
/// Bytes of folded pairs that are kept in memory until they are saved, and of those that are read again.
const FOLDED: usize = 1 << 20;
/// Bytes of input that is assumed where the size is unknown.
const UNKNOWN: u64 = 1 << 30;

/// What is wanted of a search beside near-duplicates.
#[derive(Clone, Copy)]
pub(crate) struct Beside {
    /// Whether the contents of documents are still needed.
    pub(crate) keeps_contents: bool,
    /// How many pairs to draw on each side of the similarity.
    pub(crate) audit: usize,
    /// Whether all pairs are listed.
    pub(crate) lists_pairs: bool,
    /// Whether candidates that the check refuses are listed.
    pub(crate) lists_rejected: bool,
}

impl Job {
    /// Whether a report has the distances of pairs, or a segment the fingerprints of documents. What is said of a document
    /// that goes can do without: the features of both tell it.
    pub(crate) fn asks_for_fingerprints(&self) -> bool {
        let OutputSpec { pairs, rejected, decisions, segment, page, audit, .. } = &self.outputs;
        let lists = [pairs, rejected, decisions, segment];
        lists.into_iter().any(Option::is_some) || page.is_some() || *audit > 0
    }

    /// Whether the first reading makes fingerprints where sketches find pairs: they are `asked` for, or cannot be told
    /// by features.
    pub(crate) fn is_signed(&self, asked: bool) -> bool {
        asked || !self.recipe().is_ok_and(Recipe::is_told_by_keys)
    }

    /// The first reading, with what the search needs of them. Fingerprints that find no pairs are there where they are
    /// `asked` for.
    pub(crate) fn documents(
        &self,
        asked: bool,
        checkpoint: Option<&mut Checkpoint>,
        progress: &Progress,
    ) -> Result<(Documents, SearchInput), Error> {
        let (likeness, signed) = (&self.criteria.likeness, self.is_signed(asked));
        if let Some(checkpoint) = &checkpoint
            && let Some(mut state) = checkpoint.load(DOCUMENTS)?
        {
            let (width, keep) = (self.reading.content.width(), self.criteria.keep);
            let labels = (self.reading.fields.labels.len(), self.within, self.across);
            let loaded =
                Documents::load(&mut state, width, keep, labels).and_then(|mut documents| {
                    documents.load_codes(&mut state)?;
                    let search_input =
                        SearchInput::restore(likeness, signed, &mut state, &self.work_dir)?;
                    Ok((documents, search_input))
                });
            return loaded.map_err(|source| checkpoint.failed(&source));
        }
        let bytes = total_bytes(&self.sources).unwrap_or(UNKNOWN);
        let mut search_input =
            SearchInput::new(likeness, signed, bytes, self.memory, &self.work_dir);
        let ids = self.names;
        let Criteria { keep, featureless, .. } = self.criteria;
        let decides_again = self.outputs.decisions.is_some();
        let wanted = Wanted {
            ids,
            keep,
            ties: Ties::of(keep, &self.reading.fields),
            contents: true,
            keys: self.keys,
            featureless,
            reference: self.reference,
            within: self.within,
            across: self.across,
            lengths: decides_again,
            scores: decides_again && self.reading.fields.score.is_some(),
            notes: decides_again || self.outputs.annotate || self.outputs.notes_copies(),
        };
        let (reading, sources) = (&self.reading, &self.sources);
        let documents =
            Documents::read_with(reading, sources, wanted, &mut search_input, progress)?;
        if let Some(checkpoint) = checkpoint {
            checkpoint.save(DOCUMENTS, |state| {
                documents.save(keep, state)?;
                documents.save_codes(state)?;
                search_input.save(state)
            })?;
        }
        Ok((documents, search_input))
    }

    /// The files, to be read for the features of documents.
    pub(crate) fn reread<'a>(&'a self, documents: &'a Documents) -> Reread<'a> {
        Reread { input: self.input(), first: documents.first_reading() }
    }

    /// The near-duplicates, with how many pairs were written. The contents of `documents` stay there where
    /// a segment is to be written, or a file for later decisions.
    pub(crate) fn matches(
        &self,
        documents: &mut Documents,
        search_input: SearchInput,
        reports: &mut Reports,
        checkpoint: Option<&mut Checkpoint>,
        progress: &Progress,
    ) -> Result<(Matches, Option<Listed>), Error> {
        let beside = Beside {
            keeps_contents: reports.segment.is_some() || reports.decisions.is_some(),
            audit: self.outputs.audit,
            lists_pairs: reports.pairs.is_some() || reports.decisions.is_some(),
            lists_rejected: reports.rejected.is_some(),
        };
        let (mut matches, pairs) = match checkpoint {
            Some(checkpoint) => self.kept(documents, search_input, beside, checkpoint, progress)?,
            None => self.find(documents, search_input, beside, progress)?,
        };
        matches.sign_by(&self.reading.content, documents)?;
        if let Some((pairs, output)) = pairs.as_ref().zip(reports.decisions.as_mut()) {
            decisions_file::write(output, self, documents, pairs)?;
        }
        let places = FilePlaces::of_repeated(documents, &self.sources);
        let names = Names::of_documents(documents, places.as_ref());
        let list = |pairs: &FoldedPairs, folded, output: &mut Output| {
            pairs.listed(folded, documents, &mut |Match { a, b, evidence }| {
                progress.check()?;
                let row = rows::pair(&names.of(a), &names.of(b), evidence);
                Ok(output.write_record(row.as_bytes())?)
            })
        };
        if let Some((rejected, output)) = matches.rejected.take().zip(reports.rejected.as_mut()) {
            list(&rejected, true, output)?;
        }
        let listed = match pairs.zip(reports.pairs.as_mut()) {
            Some((pairs, output)) => Some(list(&pairs, self.outputs.fold_equal, output)?),
            None => None,
        };
        Ok((matches, listed))
    }

    /// What an earlier run kept, or what is found and kept.
    fn kept(
        &self,
        documents: &mut Documents,
        search_input: SearchInput,
        beside: Beside,
        checkpoint: &mut Checkpoint,
        progress: &Progress,
    ) -> Result<(Matches, Option<FoldedPairs>), Error> {
        // Pairs are kept too, folded: what made them is gone when they are.
        let Some(mut state) = checkpoint.load(MATCHES)? else {
            let (mut matches, pairs) = self.find(documents, search_input, beside, progress)?;
            let (mut listed, length) = self.spooled(pairs.as_ref())?;
            let (mut rejected, rejected_length) = self.spooled(matches.rejected.as_ref())?;
            checkpoint.save(MATCHES, |state| {
                matches.save(state)?;
                state.copy(&mut listed, length)?;
                state.copy(&mut rejected, rejected_length)
            })?;
            return Ok((matches, pairs));
        };
        let (keep, check) = (self.criteria.keep, self.check()?);
        let found = Matches::load(documents, keep, check, &self.work_dir, &mut state);
        let mut spooled = || {
            let mut file = SpooledTempFile::new_in(FOLDED, &self.work_dir);
            let length = state.copy(&mut file)?;
            Ok::<_, io::Error>((file, length))
        };
        let loaded = found.and_then(|found| Ok((found, spooled()?, spooled()?)));
        let (mut matches, listed, rejected) =
            loaded.map_err(|source| checkpoint.failed(&source))?;
        let again =
            |is_listed: bool, file| is_listed.then(|| self.unspooled(documents, file)).transpose();
        matches.rejected = again(beside.lists_rejected, rejected)?;
        Ok((matches, again(beside.lists_pairs, listed)?))
    }

    /// Pairs in a file, with their bytes.
    fn spooled(&self, pairs: Option<&FoldedPairs>) -> Result<(SpooledTempFile, u64), Error> {
        let failed = |source: io::Error| Error::Spill { dir: self.work_dir.clone(), source };
        let kept = SpooledTempFile::new_in(FOLDED, &self.work_dir);
        let (mut kept, mut bytes) = (BufWriter::new(kept), Vec::new());
        let mut write = |pair: FoldedPair| {
            bytes.clear();
            pair.write(&mut bytes);
            kept.write_all(&bytes).map_err(failed)
        };
        pairs.map_or(Ok(()), |pairs| pairs.folded(&mut write))?;
        let mut kept = kept.into_inner().map_err(|error| failed(error.into_error()))?;
        let length = kept.stream_position().map_err(failed)?;
        kept.rewind().map_err(failed)?;
        Ok((kept, length))
    }

    /// The pairs of a file.
    fn unspooled(
        &self,
        documents: &Documents,
        (mut kept, length): (SpooledTempFile, u64),
    ) -> Result<FoldedPairs, Error> {
        let failed = |source: io::Error| Error::Spill { dir: self.work_dir.clone(), source };
        kept.rewind().map_err(failed)?;
        let mut kept = BufReader::new(kept);
        let room = (Room::within(FOLDED), self.work_dir.as_path());
        let of = (documents.reference.documents, self.check()?.rule().reported());
        FoldedPairs::found(room, of, &mut |emit| {
            let mut bytes = [0; FoldedPair::BYTES];
            for _ in 0..length / FoldedPair::BYTES as u64 {
                kept.read_exact(&mut bytes).map_err(failed)?;
                emit(&[FoldedPair::read(&bytes)]);
            }
            Ok(())
        })
    }

    /// Finds the near-duplicates among `documents`, whose worths are taken from them; and all pairs, where they
    /// are listed.
    pub(crate) fn find(
        &self,
        documents: &mut Documents,
        search_input: SearchInput,
        beside: Beside,
        progress: &Progress,
    ) -> Result<(Matches, Option<FoldedPairs>), Error> {
        let ranking = Ranking::of(documents, self.criteria.keep)?;
        if !beside.keeps_contents {
            documents.contents = Vec::new();
        }
        let search = Search {
            criteria: self.criteria,
            check: self.check()?,
            features: &self.reread(documents),
            audit: beside.audit,
            rejects: beside.lists_rejected,
            memory: self.memory,
            work_dir: &self.work_dir,
            progress,
        };
        search.run(documents, search_input, ranking, beside.lists_pairs)
    }
}
