//! The first reading: a corpus becomes a few bytes a document. What is done with them is elsewhere.

use crate::entries::ids::Ids;
use crate::entries::pages::Pages;
use crate::entries::summary::Skipped;
use crate::error::Error;
use crate::progress::{Progress, Stage};
use crate::read::pipeline;
use crate::read::sketch::{OnError, Origin, SketchedBatch, Sketcher, State};
use crate::read::source_counts::SourceCounts;
use crate::rules::keep::KeepRule;
use nearprint_corpus::{Fields, ReadOptions, Reader, Source};
use nearprint_fingerprint::{Fingerprint, mix64};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::atomic::Ordering;

/// How a corpus is read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Where the fingerprints come from.
    pub content: Origin,
    /// Names of the fields of a row.
    pub fields: Fields,
    /// What happens to records that cannot be read.
    pub on_error: OnError,
    /// Limits of the reader.
    pub options: ReadOptions,
    /// Threads that parse and fingerprint; one more reads.
    pub threads: usize,
}

impl Reading {
    /// Reads `sources` once and hands the outcome of every batch to `sink`, in input order.
    ///
    /// # Errors
    /// The first record that cannot be read, where `on_error` says so; what `sink` answers.
    pub fn sketches<const WORDS: usize>(
        &self,
        sources: &[Source],
        progress: &Progress,
        mut sink: impl FnMut(SketchedBatch<WORDS>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        progress.enter(Stage::Fingerprint);
        let reader = Reader::new(sources, self.options);
        let bytes_read = reader.bytes_read();
        let sketcher = || Sketcher::new(&self.content, &self.fields, self.on_error);
        pipeline::ordered(
            reader,
            self.threads,
            sketcher,
            |sketcher, batch| match (sketcher, batch) {
                (Ok(sketcher), Ok(batch)) => sketcher.sketch(&batch),
                (Err(error), _) => SketchedBatch::unreadable(error.clone().into()),
                (_, Err(error)) => SketchedBatch::unreadable(error.into()),
            },
            |mut sketch| {
                if self.on_error == OnError::Fail && !sketch.errors.is_empty() {
                    return Err(sketch.errors.swap_remove(0));
                }
                progress.advance(bytes_read.load(Ordering::Relaxed), sketch.records.len() as u64);
                progress.check()?;
                sink(sketch)
            },
        )
    }
}

/// Counts of the first reading.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Documents, empty ones included, skipped records not.
    pub documents: u64,
    /// Bytes of the records, decompressed.
    pub bytes: u64,
    /// Documents without any feature.
    pub empty: u64,
    /// Documents with fewer features than the recipe asks for.
    pub short: u64,
    /// Documents that a single feature decides.
    pub dominant: u64,
    /// Documents whose invalid UTF-8 was replaced.
    pub replaced_utf8: u64,
    /// Pages whose main text was not found.
    pub pages: Pages,
    /// WARC records that are no documents, and are written as they are.
    pub others: u64,
    /// Documents that state an id which an earlier one stated.
    pub repeated_ids: u64,
    /// Records left out.
    pub skipped: Skipped,
}

impl Counts {
    /// Adds the outcomes of a batch.
    pub fn add<const WORDS: usize>(&mut self, sketch: &SketchedBatch<WORDS>) {
        let number = |state| sketch.records.iter().filter(|r| r.state == state).count() as u64;
        self.documents += sketch.records.len() as u64 - number(State::Skipped);
        self.bytes += sketch.bytes;
        self.empty += number(State::Empty);
        self.short += sketch.records.iter().filter(|r| r.flags.short).count() as u64;
        self.dominant += sketch.records.iter().filter(|r| r.flags.dominant).count() as u64;
        self.replaced_utf8 += sketch.replaced_utf8;
        self.pages += sketch.pages;
        self.others += sketch.others;
        sketch.errors.iter().for_each(|error| self.skipped.add(error));
    }
}

/// A record that takes no part in the join.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its number among all records, from 0.
    pub record: u64,
    /// Whether it is a document, which then is kept.
    pub empty: bool,
}

/// A document with too little in it to be near others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeftApart {
    /// Its number among the documents.
    pub document: u64,
    /// Documents of equal content are duplicates. `None` for nobody's duplicate.
    pub content: Option<u64>,
}

impl LeftApart {
    /// The documents of each content that several of `all` have, ascending.
    ///
    /// # Complexity
    /// One sort.
    #[must_use]
    pub fn groups(all: &[Self]) -> Vec<Vec<u64>> {
        let mut equal: Vec<(u64, u64)> =
            all.iter().filter_map(|d| Some((d.content?, d.document))).collect();
        equal.sort_unstable();
        let groups = equal.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1);
        groups.map(|group| group.iter().map(|entry| entry.1).collect()).collect()
    }
}

/// What is kept of each document beside its fingerprint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Its id.
    pub ids: bool,
    /// What the rule finds it worth, if that is one by worth.
    pub keep: KeepRule,
    /// A hash of its content.
    pub contents: bool,
    /// How many of the sources, the first ones, are there to be compared with only.
    pub reference: usize,
}

/// The part of a corpus that is there to be compared with only: its first records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// Its records.
    pub records: u64,
    /// Its documents that have features.
    pub documents: u64,
    /// A checksum of what was read up to its end.
    pub checksum: u64,
}

/// A corpus after its first reading: the documents that have features, numbered from 0 in input
/// order.
///
/// Memory: `8 * WORDS` bytes a document, 8 for the hash of its id while reading, 16 for that of its
/// content and 8 for its worth where they are [wanted](Wanted), its id where a report asks for it,
/// and 24 for a degenerate one.
#[derive(Clone, Debug, Default)]
pub struct Documents<const WORDS: usize> {
    /// Fingerprints.
    pub fingerprints: Vec<Fingerprint<WORDS>>,
    /// What each is worth; empty where nobody asked.
    pub worths: Vec<u64>,
    /// A hash of each content; empty where nobody asked.
    pub contents: Vec<u128>,
    /// The documents' ids.
    pub ids: Ids,
    /// Records that are not among the documents, ascending.
    pub left_out: Vec<LeftOut>,
    /// Documents that take no part in the join by radius, ascending.
    pub degenerate: Vec<LeftApart>,
    /// What was counted on the way.
    pub counts: Counts,
    /// The same of each source, up to the last that has records.
    pub sources: Vec<SourceCounts>,
    /// A checksum of all that was read.
    pub checksum: u64,
    /// What of it is there to be compared with only.
    pub reference: Reference,
}

impl<const WORDS: usize> Documents<WORDS> {
    /// Reads `sources`, keeping what is wanted.
    ///
    /// # Errors
    /// See [`Reading::sketches`].
    pub fn read(
        reading: &Reading,
        sources: &[Source],
        wanted: Wanted,
        progress: &Progress,
    ) -> Result<Self, Error> {
        let ids = if wanted.ids { Ids::listed() } else { Ids::Absent };
        let mut documents = Self { ids, ..Self::default() };
        let mut id_hashes = Vec::new();
        let mut records = 0;
        reading.sketches(sources, progress, |sketch| {
            id_hashes.extend_from_slice(&sketch.id_hashes);
            documents.take(&sketch, records, wanted);
            records += sketch.records.len() as u64;
            Ok(())
        })?;
        id_hashes.par_sort_unstable();
        let distinct = id_hashes.chunk_by(|a, b| a == b).count();
        documents.counts.repeated_ids = (id_hashes.len() - distinct) as u64;
        Ok(documents)
    }

    /// Bytes that stay in memory.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        size_of_val(&*self.fingerprints)
            + size_of_val(&*self.left_out)
            + size_of_val(&*self.degenerate)
            + size_of_val(&*self.worths)
            + size_of_val(&*self.contents)
            + self.ids.held_bytes()
    }

    /// The fingerprints with their documents' numbers among all records.
    pub fn numbered(&self) -> impl Iterator<Item = (Fingerprint<WORDS>, u64)> {
        let mut left_out = self.left_out.iter().map(|left_out| left_out.record).peekable();
        let numbers = (0_u64..).filter(move |record| left_out.next_if_eq(record).is_none());
        self.fingerprints.iter().copied().zip(numbers)
    }

    fn take(&mut self, sketch: &SketchedBatch<WORDS>, first_record: u64, wanted: Wanted) {
        for (record, (outcome, id)) in (first_record..).zip(sketch.iter()) {
            if matches!(outcome.state, State::Skipped | State::Empty) {
                self.left_out.push(LeftOut { record, empty: outcome.state == State::Empty });
                continue;
            }
            let document = self.fingerprints.len() as u64;
            match outcome.state {
                State::Exact(content) => {
                    self.degenerate.push(LeftApart { document, content: Some(content) });
                }
                State::Apart => self.degenerate.push(LeftApart { document, content: None }),
                _ => {}
            }
            if id.is_empty() {
                self.ids.push(&record.to_string());
            } else {
                self.ids.push(id);
            }
            self.fingerprints.push(outcome.fingerprint);
            self.worths.extend(wanted.keep.worth(outcome.length, outcome.score));
            if wanted.contents {
                self.contents.push(outcome.content);
            }
        }
        self.counts.add(sketch);
        SourceCounts::add(&mut self.sources, sketch);
        self.checksum = mix64(self.checksum ^ sketch.checksum);
        if sketch.source < wanted.reference {
            self.reference = Reference {
                records: first_record + sketch.records.len() as u64,
                documents: self.fingerprints.len() as u64,
                checksum: self.checksum,
            };
        }
    }
}
