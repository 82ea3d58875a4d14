//! The third reading: documents lend the text of first occurrences to the runs that are compared with it, and the
//! text of passages to their list.

use crate::error::Error;
use crate::memory::shares;
use crate::memory::spilled_sort::{Room, sorted_of};
use crate::passages::column::{Column, ColumnWriter};
use crate::passages::corpus::{Checksums, Corpus, Planned, Worker};
use crate::passages::lent::{Lending, Lent};
use crate::passages::offsets::Counted;
use crate::passages::place::{document_of, halves, pair, unit_of};
use crate::passages::rows::{Names, passage_row};
use crate::passages::runs::{Repeated, Run};
use crate::passages::units::Units;
use crate::progress::Stage;
use nearprint_rules::KeepRule;
use std::path::Path;

/// A run with the text of its firsts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LentRun {
    pub(crate) run: Run,
    /// Where the text of the firsts begins, and the name of their document, among what was lent. Of a near-duplicate, in
    /// place of the text, the bits of the similarity.
    pub(crate) text: u64,
    pub(crate) name: u64,
    /// Where the firsts stand in their document.
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl LentRun {
    /// As an entry that sorts by where the run begins.
    pub(crate) const fn entry(&self) -> [u64; 7] {
        let [first, at, size, count] = self.run.entry();
        [at, first, size, count, self.text, self.name, pair(self.start, self.end)]
    }

    /// The same where what was lent begins so much farther behind.
    pub(crate) const fn moved(self, by: u64) -> Self {
        Self { text: self.text + by, name: self.name + by, ..self }
    }

    /// The run of such an entry.
    pub(crate) const fn of_entry([at, first, size, count, text, name, place]: [u64; 7]) -> Self {
        let (start, end) = halves(place);
        Self { run: Run::of_entry([first, at, size, count]), text, name, start, end }
    }
}

/// What was lent, and to whom.
pub(crate) struct Loans {
    pub(crate) lent: Lent,
    /// Runs with the text of their firsts, by the records that they are in.
    pub(crate) runs: Column<[u64; 7]>,
    /// Documents with a text that stays in place of another document's, in their order.
    pub(crate) lenders: Column<u64>,
    /// Rows of passages, and their order with where each begins in `rows`.
    pub(crate) passages: Passages,
    /// Bytes that were sorted on disk.
    pub(crate) spilled: u64,
}

/// Passages as they are listed: those that there are most of come first.
pub(crate) struct Passages {
    pub(crate) rows: Lent,
    /// For each passage what sorts it, where it stands, and where its row begins, with its length.
    pub(crate) order: Column<[u64; 4]>,
    pub(crate) count: u64,
}

impl Passages {
    /// No passages.
    pub(crate) fn none(dir: &Path) -> Result<Self, Error> {
        let rows = Lending::new(dir, 0).finish()?;
        Ok(Self { rows, order: ColumnWriter::new(dir).finish()?, count: 0 })
    }

    /// Hands the rows in their order to `each`, until it answers false.
    pub(crate) fn each(
        &self,
        each: &mut dyn FnMut(&[u8]) -> Result<bool, Error>,
    ) -> Result<(), Error> {
        let (mut row, mut goes_on) = (Vec::new(), true);
        self.order.for_each(|[_, _, at, length]| {
            if goes_on {
                row.resize(crate::numbers::index(length), 0);
                if !self.rows.read(at, &mut row)? {
                    return Err(Error::Bug { problem: "a passage has no row".to_owned() });
                }
                goes_on = each(&row)?;
            }
            Ok(())
        })
    }
}

/// What a batch lends.
#[derive(Default)]
pub(crate) struct LentBatch {
    pub(crate) bytes: Vec<u8>,
    /// Places in them are those of the batch.
    pub(crate) runs: Vec<LentRun>,
    /// The documents that lend to others.
    pub(crate) lenders: Vec<u64>,
    pub(crate) rows: Vec<u8>,
    pub(crate) passages: Vec<[u64; 4]>,
}

/// What is asked of a batch.
struct Plan {
    runs: Vec<[u64; 4]>,
    repeated: Vec<[u64; 3]>,
}

impl Loans {
    /// Reads the documents with first occurrences, for the runs and the passages that were found.
    ///
    /// # Errors
    /// Input that changed or cannot be read; temporary files.
    pub(crate) fn take(
        corpus: &Corpus<'_>,
        checksums: Checksums,
        (runs, repeated): (Column<[u64; 4]>, Column<[u64; 3]>),
        names: &Names<'_>,
        room: usize,
    ) -> Result<Self, Error> {
        let dir = corpus.dir;
        let count = repeated.len();
        let mut found = Some((runs, repeated));
        let mut lending = Lending::new(dir, shares::LENT.of(room));
        let mut rows = Lending::new(dir, shares::ROWS.of(room));
        let (mut by_place, mut order) = (ColumnWriter::new(dir), ColumnWriter::new(dir));
        let mut lenders = ColumnWriter::new(dir);
        let [of_runs, of_passages] =
            [shares::LENT_RUNS, shares::PASSAGES].map(|share| Room::within(share.of(room)));
        let mut spilled = 0;
        let of_order = sorted_of::<[u64; 4]>(
            of_passages,
            dir,
            &mut |emit_passages| {
                spilled += sorted_of::<[u64; 7]>(
                    of_runs,
                    dir,
                    &mut |emit| {
                        let Some(found) = found.take() else { return Ok(()) };
                        let to_all = |lender: &Lender<'_>, runs: &[_], batch: &mut _| {
                            lender.runs(runs, batch)
                        };
                        read(corpus, checksums, found, names, to_all, |batch| {
                            let LentBatch { bytes, runs, rows: of_batch, passages, .. } = &batch;
                            batch.lenders.iter().try_for_each(|one| lenders.push(*one))?;
                            let base = lending.push(bytes)?;
                            let moved = runs.iter().map(|lent| lent.moved(base).entry());
                            emit(&moved.collect::<Vec<_>>());
                            let base = rows.push(of_batch)?;
                            let moved = passages
                                .iter()
                                .map(|[key, at, start, length]| [*key, *at, base + start, *length]);
                            emit_passages(&moved.collect::<Vec<_>>());
                            Ok(())
                        })
                    },
                    &mut |runs| runs.iter().try_for_each(|run| by_place.push(*run)),
                )?;
                Ok(())
            },
            &mut |passages| passages.iter().try_for_each(|one| order.push(*one)),
        )?;
        Ok(Self {
            lent: lending.finish()?,
            runs: by_place.finish()?,
            lenders: lenders.finish()?,
            passages: Passages { rows: rows.finish()?, order: order.finish()?, count },
            spilled: spilled + of_order,
        })
    }
}

/// Reads the documents with the firsts of runs and with passages; hands what batches lend to `sink`, in their order.
/// `lend` has a document lend to its runs.
///
/// # Errors
/// Input that changed or cannot be read; the first of `lend` and `sink`.
pub(crate) fn read(
    corpus: &Corpus<'_>,
    checksums: Checksums,
    (runs, repeated): (Column<[u64; 4]>, Column<[u64; 3]>),
    names: &Names<'_>,
    lend: impl Fn(&Lender<'_>, &[[u64; 4]], &mut LentBatch) -> Result<(), Error> + Sync,
    sink: impl FnMut(LentBatch) -> Result<(), Error>,
) -> Result<(), Error> {
    if runs.len() + repeated.len() == 0 {
        return Ok(());
    }
    let (mut runs, mut repeated) = (runs.walk(), repeated.walk());
    corpus.reread(
        Stage::Lend,
        checksums,
        |batch| {
            let end = corpus.end_of(batch);
            let is_in = |place: u64| u64::from(document_of(place)) < end;
            let runs = runs.take_while(|run| is_in(run[0]))?;
            Ok(Plan { runs, repeated: repeated.take_while(|one| is_in(one[0]))? })
        },
        |worker, planned| lent_by(corpus, names, worker, &planned, &lend),
        sink,
    )
}

/// What the documents of a batch lend.
fn lent_by(
    corpus: &Corpus<'_>,
    names: &Names<'_>,
    worker: &mut Worker,
    planned: &Planned<Plan>,
    lend: &impl Fn(&Lender<'_>, &[[u64; 4]], &mut LentBatch) -> Result<(), Error>,
) -> Result<LentBatch, Error> {
    let mut batch = LentBatch::default();
    let Plan { runs, repeated } = &planned.plan;
    let (mut runs, mut repeated) = (runs.as_slice(), repeated.as_slice());
    while let Some(place) = [runs.first().map(|run| run[0]), repeated.first().map(|one| one[0])]
        .into_iter()
        .flatten()
        .min()
    {
        let number = document_of(place);
        let of_runs = runs.partition_point(|run| document_of(run[0]) == number);
        let of_repeated = repeated.partition_point(|one| document_of(one[0]) == number);
        let record = planned.record(number)?;
        let document = corpus.document(&record).map_err(|_| Error::InputChanged)?;
        let units = worker.units.read_without_hashes(&document.text);
        let lender = Lender {
            name: names.id(document.id.as_ref(), &record),
            places: Counted::new(&document.text, corpus.offsets),
            units,
            length: corpus.rule.length()? as usize,
        };
        lend(&lender, &runs[..of_runs], &mut batch)?;
        let lends = corpus.rule.keep != KeepRule::Nothing
            && runs[..of_runs].iter().any(|run| document_of(run[1]) != number);
        batch.lenders.extend(lends.then_some(u64::from(number)));
        lender.passages(&repeated[..of_repeated], &document.text, names, &mut batch)?;
        (runs, repeated) = (&runs[of_runs..], &repeated[of_repeated..]);
    }
    Ok(batch)
}

/// A document that lends.
pub(crate) struct Lender<'a> {
    /// Its id, as JSON text.
    name: String,
    places: Counted<'a>,
    units: Units<'a>,
    length: usize,
}

impl Lender<'_> {
    /// The units of so many windows, the first of which begins at a place.
    fn units_of(&self, place: u64, windows: u32) -> Result<std::ops::Range<usize>, Error> {
        let start = unit_of(place) as usize;
        let end = start + windows as usize - 1 + self.length;
        if end <= self.units.len() { Ok(start..end) } else { Err(Error::InputChanged) }
    }

    /// Where units stand, as reports say it.
    fn place_of(&self, units: std::ops::Range<usize>) -> (u32, u32) {
        let bytes = self.units.span(units);
        let at = |byte| crate::numbers::narrow(self.places.at(byte) as u64);
        (at(bytes.start), at(bytes.end))
    }

    /// Lends the text of the firsts of runs, which ascend: where they overlap once.
    pub(crate) fn runs(&self, runs: &[[u64; 4]], batch: &mut LentBatch) -> Result<(), Error> {
        if runs.is_empty() {
            return Ok(());
        }
        let name = batch.bytes.len() as u64;
        batch
            .bytes
            .extend_from_slice(&crate::numbers::narrow(self.name.len() as u64).to_le_bytes());
        batch.bytes.extend_from_slice(self.name.as_bytes());
        // The units that were lent one after the other, and where the text of each begins.
        let (mut from, mut until, mut texts) = (0, 0, Vec::new());
        for entry in runs {
            let run = Run::of_entry(*entry);
            let units = self.units_of(run.first, run.firsts())?;
            if units.start > until || texts.is_empty() {
                (from, until) = (units.start, units.start);
                texts.clear();
            }
            if until < units.end {
                self.units
                    .push_texts(until..units.end, &mut batch.bytes, |at| texts.push(at as u64));
                until = units.end;
            }
            let text = crate::numbers::entry(&texts, units.start - from);
            let (start, end) = self.place_of(units);
            batch.runs.push(LentRun { run, text, name, start, end });
        }
        Ok(())
    }

    /// Writes the rows of passages.
    fn passages(
        &self,
        passages: &[[u64; 3]],
        text: &str,
        names: &Names<'_>,
        batch: &mut LentBatch,
    ) -> Result<(), Error> {
        for entry in passages {
            let passage = Repeated::of_entry(*entry);
            let units = self.units_of(passage.first, passage.windows)?;
            let bytes = self.units.span(units.clone());
            let tokens =
                self.units.tokens_before(bytes.end) - self.units.tokens_before(bytes.start);
            let start = batch.rows.len();
            let name = names.named(&self.name, document_of(passage.first));
            let said = text.get(bytes).unwrap_or_default();
            passage_row(&passage, said, tokens, &name, self.place_of(units), &mut batch.rows)?;
            let key = pair(u32::MAX - passage.copies, u32::MAX - passage.documents);
            let length = (batch.rows.len() - start) as u64;
            batch.passages.push([key, passage.first, start as u64, length]);
        }
        Ok(())
    }
}
