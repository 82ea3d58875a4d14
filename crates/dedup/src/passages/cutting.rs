//! The fourth reading: every run is compared with its firsts, and what is equal becomes cuts.

use crate::error::Error;
use crate::memory::shares;
use crate::passages::column::{Column, ColumnWriter};
use crate::passages::corpus::{Checksums, Corpus, Planned, Worker};
use crate::passages::cut::{Cut, Gone, Joint, cuts};
use crate::passages::hashing::Hashing;
use crate::passages::lending::{LentRun, Loans};
use crate::passages::lent::{Lending, Lent};
use crate::passages::offsets::Counted;
use crate::passages::overview::CutDocument;
use crate::passages::place::{document_of, halves, pair, unit_of};
use crate::passages::rows::{Found, Names, Removed, write_whole};
use crate::passages::units::Units;
use crate::progress::Stage;
use nearprint_fingerprint::{Measure, Unit};
use nearprint_rules::KeepRule;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A cut of a record, as a column has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CutOf {
    pub(crate) record: u32,
    /// Bytes of the text.
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// The same as reports say it.
    pub(crate) from: u32,
    pub(crate) until: u32,
    pub(crate) copies: u32,
    pub(crate) kind: Kind,
}

/// What a cut takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A part, in whose place something may stand.
    Part(Joint),
    /// The document.
    Whole,
}

impl CutOf {
    const fn entry(&self) -> [u64; 4] {
        let kind = match self.kind {
            Kind::Part(Joint::Nothing) => 0,
            Kind::Part(Joint::Blank) => 1,
            Kind::Part(Joint::Break) => 2,
            Kind::Whole => 3,
        };
        let Self { record, start, end, from, until, copies, .. } = *self;
        [pair(record, kind), pair(start, end), pair(from, until), copies as u64]
    }

    /// The cut of such an entry.
    pub(crate) const fn of_entry([head, bytes, place, copies]: [u64; 4]) -> Self {
        let ((record, kind), (start, end), (from, until)) =
            (halves(head), halves(bytes), halves(place));
        let kind = match kind {
            0 => Kind::Part(Joint::Nothing),
            1 => Kind::Part(Joint::Blank),
            2 => Kind::Part(Joint::Break),
            _ => Kind::Whole,
        };
        Self { record, start, end, from, until, copies: halves(copies).1, kind }
    }

    /// The record of an entry.
    pub(crate) const fn record_of(entry: &[u64; 4]) -> u32 {
        halves(entry[0]).0
    }

    /// The bytes that an entry takes of a text; `None` where it takes all of it.
    pub(crate) const fn part_of(entry: &[u64; 4]) -> Option<(Range<usize>, Joint)> {
        let Self { start, end, kind, .. } = Self::of_entry(*entry);
        match kind {
            Kind::Part(joint) => Some((start as usize..end as usize, joint)),
            Kind::Whole => None,
        }
    }
}

/// What was cut, in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CutCounts {
    /// Documents that something was cut out of, and of these the ones that go as a whole.
    pub(crate) documents: u64,
    pub(crate) whole: u64,
    /// Documents that stay without a token; and of these the ones that stay because they lend.
    #[serde(default)]
    pub(crate) emptied: u64,
    #[serde(default)]
    pub(crate) emptied_lenders: u64,
    pub(crate) cuts: u64,
    pub(crate) tokens: u64,
    pub(crate) characters: u64,
    pub(crate) bytes: u64,
    /// Tokens of the longest cut.
    pub(crate) longest: u64,
    /// The most equal windows of what was cut.
    pub(crate) copies: u64,
}

impl CutCounts {
    /// Adds what was cut elsewhere.
    pub(crate) fn add(&mut self, other: Self) {
        self.documents += other.documents;
        self.whole += other.whole;
        self.emptied += other.emptied;
        self.emptied_lenders += other.emptied_lenders;
        self.cuts += other.cuts;
        self.tokens += other.tokens;
        self.characters += other.characters;
        self.bytes += other.bytes;
        self.longest = self.longest.max(other.longest);
        self.copies = self.copies.max(other.copies);
    }
}

/// What goes.
pub(crate) struct Cuts {
    /// The cuts of all records, in their order.
    pub(crate) cuts: Column<[u64; 4]>,
    /// Rows of what was removed.
    pub(crate) removed: Lent,
    pub(crate) counts: CutCounts,
    /// Tokens that were cut of each source, up to the last that has some.
    pub(crate) of_sources: Vec<u64>,
    /// The documents that most was cut out of, where they are shown.
    pub(crate) documents: Vec<CutDocument>,
}

/// What goes; or the hashes that windows have which are not equal.
pub(crate) type Compared = Result<Cuts, Vec<u64>>;

/// How documents are cut.
#[derive(Clone, Copy)]
pub(crate) struct Cutting<'a> {
    pub(crate) corpus: &'a Corpus<'a>,
    pub(crate) hashing: &'a Hashing,
    pub(crate) whole: Option<Unit>,
    pub(crate) min_left: u64,
    /// Whether rows of what was removed are written.
    pub(crate) lists_removed: bool,
    /// Whether documents are shown.
    pub(crate) shows_documents: bool,
    pub(crate) names: &'a Names<'a>,
    /// By what measure runs are near-duplicates, where they need not be equal.
    pub(crate) measure: Option<Measure>,
}

/// What is asked of a batch.
struct Plan {
    runs: Vec<[u64; 7]>,
    /// The documents that lend to others.
    lenders: Vec<u64>,
}

/// What a worker makes of a batch.
#[derive(Default)]
struct Batch {
    cuts: Vec<CutOf>,
    removed: Vec<u8>,
    counts: CutCounts,
    shared: Vec<u64>,
    source: usize,
    documents: Vec<CutDocument>,
}

impl Cutting<'_> {
    /// Compares every run with the firsts that were lent.
    ///
    /// # Errors
    /// Input that changed or cannot be read; temporary files.
    pub(crate) fn compare(
        self,
        checksums: Checksums,
        loans: Loans,
        room: usize,
    ) -> Result<Compared, Error> {
        let dir = self.corpus.dir;
        let Loans { lent, runs, lenders, .. } = loans;
        let (lent, is_empty, mut runs) = (&lent, runs.len() == 0, runs.walk());
        let mut lenders = lenders.walk();
        let (mut cuts, mut removed) =
            (ColumnWriter::new(dir), Lending::new(dir, shares::ROWS.of(room)));
        let (mut counts, mut shared) = (CutCounts::default(), Vec::new());
        let (mut of_sources, mut documents) = (Vec::new(), Vec::new());
        if !is_empty {
            self.corpus.reread(
                Stage::Cut,
                checksums,
                |batch| {
                    let end = self.corpus.end_of(batch);
                    let runs = runs.take_while(|run| u64::from(document_of(run[0])) < end)?;
                    Ok(Plan { runs, lenders: lenders.take_while(|lender| *lender < end)? })
                },
                |worker, planned| self.batch(lent, worker, &planned),
                |batch: Batch| {
                    batch.cuts.iter().try_for_each(|cut| cuts.push(cut.entry()))?;
                    removed.push(&batch.removed)?;
                    counts.add(batch.counts);
                    if of_sources.len() <= batch.source {
                        of_sources.resize(batch.source + 1, 0);
                    }
                    if let Some(tokens) = of_sources.get_mut(batch.source) {
                        *tokens += batch.counts.tokens;
                    }
                    documents.extend(batch.documents);
                    CutDocument::keep_most(&mut documents);
                    shared.extend(batch.shared);
                    Ok(())
                },
            )?;
        }
        if !shared.is_empty() {
            return Ok(Err(shared));
        }
        Ok(Ok(Cuts {
            cuts: cuts.finish()?,
            removed: removed.finish()?,
            counts,
            of_sources,
            documents,
        }))
    }

    fn batch(
        &self,
        lent: &Lent,
        worker: &mut Worker,
        planned: &Planned<Plan>,
    ) -> Result<Batch, Error> {
        let mut batch = Batch { source: planned.batch.source_index(), ..Batch::default() };
        let Plan { runs, lenders } = &planned.plan;
        for runs in runs.chunk_by(|a, b| document_of(a[0]) == document_of(b[0])) {
            let number = runs.first().map_or(0, |run| document_of(run[0]));
            let record = planned.record(number)?;
            let document = self.corpus.document(&record).map_err(|_| Error::InputChanged)?;
            let Worker { units: reader, windows, texts: [own, other], .. } = worker;
            let units = reader.read_without_hashes(&document.text);
            let (mut compared, mut differ) = (Vec::with_capacity(runs.len()), Vec::new());
            for entry in runs {
                let run = LentRun::of_entry(*entry);
                let Some(range) = self.units_of(&run, &units) else {
                    return Err(Error::InputChanged);
                };
                if self.measure.is_none() && !self.is_equal(&run, &units, lent, own, other)? {
                    differ.push((range.start, run.run.windows as usize));
                    continue;
                }
                compared.push((run, self.gone(&run, range)));
            }
            if !differ.is_empty() {
                self.hashing.windows(reader.hashes(&document.text).0, windows);
                let of_run = |(first, count)| windows.iter().skip(first).take(count);
                batch.shared.extend(differ.into_iter().flat_map(of_run));
            } else if batch.shared.is_empty() {
                let id = self.names.id(document.id.as_ref(), &record);
                let lends = lenders.binary_search(&number.into()).is_ok();
                let text = &document.text;
                let document = Cutter { cutting: self, number, id: &id, text, units, lent, lends };
                document.cut(&compared, &mut batch)?;
            }
        }
        Ok(batch)
    }

    /// The units of a run; `None` where the document has fewer.
    fn units_of(&self, LentRun { run, .. }: &LentRun, units: &Units<'_>) -> Option<Range<usize>> {
        let start = unit_of(run.at) as usize;
        let end = start + run.windows as usize - 1 + self.hashing.length;
        (end <= units.len()).then_some(start..end)
    }

    /// Whether a run has the text of its firsts.
    fn is_equal(
        &self,
        LentRun { run, text, .. }: &LentRun,
        units: &Units<'_>,
        lent: &Lent,
        own: &mut Vec<u8>,
        other: &mut Vec<u8>,
    ) -> Result<bool, Error> {
        let (start, length) = (unit_of(run.at) as usize, self.hashing.length);
        let once = run.firsts().min(run.windows) as usize - 1 + length;
        own.clear();
        units.push_text(start..start + once, own);
        other.resize(own.len(), 0);
        if !lent.read(*text, other)? || own != other {
            return Ok(false);
        }
        if run.period == 0 {
            return Ok(true);
        }
        // Where the firsts come around, each window equals the one a period before.
        let (period, end) = (run.period as usize, start + run.windows as usize - 1 + length);
        Ok((start + period..end).all(|unit| {
            own.clear();
            other.clear();
            units.push_text(unit..unit + 1, own);
            units.push_text(unit - period..unit - period + 1, other);
            own == other
        }))
    }

    /// The units that go: all of the run, but for those of its first where that reaches into it.
    fn gone(&self, LentRun { run, .. }: &LentRun, units: Range<usize>) -> Range<usize> {
        let stays = self.corpus.rule.keep != KeepRule::Nothing;
        if stays && document_of(run.at) == document_of(run.first) {
            return units.start.max(unit_of(run.first) as usize + self.hashing.length)..units.end;
        }
        units
    }
}

/// A document that is cut.
struct Cutter<'a> {
    cutting: &'a Cutting<'a>,
    number: u32,
    id: &'a str,
    text: &'a str,
    units: Units<'a>,
    lent: &'a Lent,
    /// Whether another document is cut for a text of it: then it stays, as the cuts name it.
    lends: bool,
}

/// What goes because of one document.
struct Because {
    bytes: Range<usize>,
    run: LentRun,
}

impl Cutter<'_> {
    /// Cuts what was compared.
    fn cut(&self, compared: &[(LentRun, Range<usize>)], batch: &mut Batch) -> Result<(), Error> {
        let gone = compared
            .iter()
            .map(|(run, units)| Gone { units: units.clone(), copies: run.run.copies });
        let cuts = cuts(self.text, &self.units, gone.collect(), self.cutting.whole);
        if cuts.is_empty() {
            return Ok(());
        }
        let places = Counted::new(self.text, self.cutting.corpus.offsets);
        let mut gone = 0;
        for Cut { bytes, joint, copies } in &cuts {
            let tokens = self.tokens(bytes) as u64;
            gone += tokens;
            let [start, end, from, until] =
                [bytes.start, bytes.end, places.at(bytes.start), places.at(bytes.end)]
                    .map(|at| crate::numbers::narrow(at as u64));
            let (record, copies, kind) = (self.number, *copies, Kind::Part(*joint));
            batch.cuts.push(CutOf { record, start, end, from, until, copies, kind });
            let text = self.text.get(bytes.clone()).unwrap_or_default();
            batch.counts.add(CutCounts {
                cuts: 1,
                tokens,
                characters: text.chars().count() as u64,
                bytes: text.len() as u64,
                longest: tokens,
                copies: copies.into(),
                ..CutCounts::default()
            });
        }
        batch.counts.documents += 1;
        if self.cutting.lists_removed {
            self.list(compared, &cuts, &places, batch)?;
        }
        let (all, left) = (self.units.tokens(), self.units.tokens() as u64 - gone);
        if self.cutting.shows_documents && CutDocument::is_wanted(&batch.documents, gone) {
            batch.documents.push(CutDocument::of(self.id, self.text, &cuts, all as u64, gone));
            CutDocument::keep_most(&mut batch.documents);
        }
        if left < self.cutting.min_left && !self.lends {
            batch.counts.whole += 1;
            let end = places.at(self.text.len());
            let [end_byte, until] =
                [self.text.len(), end].map(|at| crate::numbers::narrow(at as u64));
            let kind = Kind::Whole;
            let cut = CutOf {
                record: self.number,
                start: 0,
                end: end_byte,
                from: 0,
                until,
                copies: 0,
                kind,
            };
            batch.cuts.push(cut);
            if self.cutting.lists_removed {
                let left = crate::numbers::index(left);
                let id = self.cutting.names.named(self.id, self.number);
                write_whole(&id, end, all, left, &mut batch.removed)?;
            }
        } else if left == 0 {
            batch.counts.emptied += 1;
            batch.counts.emptied_lenders += u64::from(self.lends);
        }
        Ok(())
    }

    /// Tokens that begin within some bytes.
    fn tokens(&self, bytes: &Range<usize>) -> usize {
        self.units.tokens_before(bytes.end) - self.units.tokens_before(bytes.start)
    }

    /// Writes a row for each document because of which something goes. Rows together have all bytes of the cuts, and
    /// no others.
    fn list(
        &self,
        compared: &[(LentRun, Range<usize>)],
        cuts: &[Cut],
        places: &Counted<'_>,
        batch: &mut Batch,
    ) -> Result<(), Error> {
        for Because { bytes, run } in self.because(compared, cuts) {
            let names = self.cutting.names;
            let kept = self.name_of(run.name)?;
            let row = Removed {
                id: names.named(self.id, self.number),
                place: (places.at(bytes.start), places.at(bytes.end)),
                tokens: self.tokens(&bytes),
                kept: names.named(&kept, document_of(run.run.first)),
                kept_place: (run.start, run.end),
                stays: self.cutting.corpus.rule.keep != KeepRule::Nothing,
                copies: run.run.copies,
                found: match self.cutting.measure {
                    None => Found::Equal { documents: run.run.documents },
                    Some(measure) => Found::Near { similarity: f64::from_bits(run.text), measure },
                },
            };
            row.write(&mut batch.removed)?;
        }
        Ok(())
    }

    /// What goes because of which document: runs that touch and have the same are one.
    fn because(&self, compared: &[(LentRun, Range<usize>)], cuts: &[Cut]) -> Vec<Because> {
        let mut joined: Vec<(LentRun, Range<usize>)> = Vec::new();
        let mut compared: Vec<_> = compared.iter().filter(|(_, units)| !units.is_empty()).collect();
        compared.sort_by_key(|(_, units)| units.start);
        for (run, units) in compared {
            if let Some((last, of_last)) = joined.last_mut()
                && units.start <= of_last.end
                && self.cutting.measure.is_none()
                && document_of(run.run.first) == document_of(last.run.first)
                && run.start <= last.end
                && run.end >= last.start
            {
                of_last.end = of_last.end.max(units.end);
                (last.start, last.end) = (last.start.min(run.start), last.end.max(run.end));
                last.run.copies = last.run.copies.max(run.run.copies);
                last.run.documents = last.run.documents.max(run.run.documents);
            } else {
                joined.push((*run, units.clone()));
            }
        }
        // All that goes because of one document is within one cut.
        let mut rows: Vec<(usize, Because)> = Vec::new();
        for (run, units) in joined {
            let bytes = self.units.span(units);
            let at = cuts.partition_point(|cut| cut.bytes.end <= bytes.start);
            let Some(cut) = cuts.get(at).filter(|cut| cut.bytes.start < bytes.end) else {
                continue;
            };
            let bytes = bytes.start.max(cut.bytes.start)..bytes.end.min(cut.bytes.end);
            rows.push((at, Because { bytes, run }));
        }
        rows.sort_by_key(|(at, row)| (*at, row.bytes.start, row.bytes.end));
        for of_cut in rows.chunk_by_mut(|a, b| a.0 == b.0) {
            let Some(cut) = of_cut.first().and_then(|(at, _)| cuts.get(*at)) else { continue };
            // What goes with a line, and between two runs, goes because of what stands before it.
            if let Some((_, first)) = of_cut.first_mut() {
                first.bytes.start = cut.bytes.start;
            }
            let mut farthest = 0;
            for at in 1..=of_cut.len() {
                let next = of_cut.get(at).map_or(cut.bytes.end, |(_, row)| row.bytes.start);
                if let Some((_, row)) = of_cut.get_mut(farthest) {
                    row.bytes.end = row.bytes.end.max(next);
                }
                let end = |at: usize| of_cut.get(at).map_or(0, |(_, row)| row.bytes.end);
                if end(at) >= end(farthest) {
                    farthest = at;
                }
            }
        }
        rows.into_iter().map(|(_, row)| row).collect()
    }

    /// A name that was lent.
    fn name_of(&self, at: u64) -> Result<String, Error> {
        let mut length = [0; 4];
        let mut is_there = self.lent.read(at, &mut length)?;
        let mut name = vec![0; u32::from_le_bytes(length) as usize];
        is_there &= self.lent.read(at + 4, &mut name)?;
        match String::from_utf8(name) {
            Ok(name) if is_there => Ok(name),
            _ => Err(Error::Bug { problem: "a name was not lent".to_owned() }),
        }
    }
}
