//! What goes because of what was found: findings, in the order of documents, to cuts, counts, and what a page shows.

use crate::contamination::findings::{Entry, Finding};
use crate::contamination::overview::{ContaminationOverview, Showing, ShownFinding};
use crate::contamination::part::Part;
use crate::contamination::rows::Rows;
use crate::contamination::rule::{Verdict, single};
use crate::contamination::spec::{Action, ContaminationSpec};
use crate::error::Error;
use crate::passages::column::{Column, ColumnWriter};
use crate::passages::cut::Joint;
use crate::passages::place::{halves, pair};
use crate::progress::Progress;
use nearprint_corpus::Output;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::Path;

/// A part of a record that goes, or all of it.
pub(crate) type Cut = [u64; 2];

const PART: u32 = 0;
const WHOLE: u32 = 1;

/// The record of a cut.
pub(crate) const fn record_of(cut: &Cut) -> u32 {
    halves(cut[0]).0
}

/// The bytes that a cut takes of a text; `None` where it takes the document.
pub(crate) const fn part_of(cut: &Cut) -> Option<(Range<usize>, Joint)> {
    let (start, end) = halves(cut[1]);
    match halves(cut[0]).1 {
        PART => Some((start as usize..end as usize, Joint::Nothing)),
        _ => None,
    }
}

/// Findings as they come in.
pub(crate) struct Going<'a> {
    rows: Rows<'a>,
    spec: &'a ContaminationSpec,
    cuts: ColumnWriter<Cut>,
    /// A copy of all findings, where documents are noted.
    noted: ColumnWriter<Entry>,
    /// The document that comes in.
    record: Option<u32>,
    /// What of it goes, and because of which items.
    parts: Vec<Part>,
    items: Vec<u32>,
    gone: Gone,
    removed: Option<Showing<Finding>>,
    told: Option<Showing<Finding>>,
}

/// What goes, in numbers.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Gone {
    /// Documents that go or lose a place.
    pub(crate) documents: u64,
    pub(crate) cuts: u64,
    pub(crate) cut_bytes: u64,
    /// The documents of each eval set.
    pub(crate) of_sets: Vec<u64>,
}

impl Gone {
    /// Adds what goes of other documents.
    pub(crate) fn add(&mut self, other: &Self) {
        self.documents += other.documents;
        self.cuts += other.cuts;
        self.cut_bytes += other.cut_bytes;
        self.of_sets.resize(self.of_sets.len().max(other.of_sets.len()), 0);
        self.of_sets.iter_mut().zip(&other.of_sets).for_each(|(sum, more)| *sum += more);
    }
}

/// All that goes.
pub(crate) struct AllGone {
    pub(crate) gone: Gone,
    pub(crate) cuts: Column<Cut>,
    pub(crate) noted: Column<Entry>,
    pub(crate) overview: ContaminationOverview,
}

impl<'a> Going<'a> {
    pub(crate) fn new(
        rows: Rows<'a>,
        spec: &'a ContaminationSpec,
        shows: bool,
        dir: &Path,
    ) -> Self {
        Self {
            rows,
            spec,
            cuts: ColumnWriter::new(dir),
            noted: ColumnWriter::new(dir),
            record: None,
            parts: Vec::new(),
            items: Vec::new(),
            gone: Gone { of_sets: vec![0; rows.items.sets.len()], ..Gone::default() },
            removed: shows.then(Showing::removed),
            told: shows.then(Showing::told),
        }
    }

    /// Takes all findings, and writes the row of each.
    ///
    /// # Errors
    /// Temporary files; those of the output.
    pub(crate) fn take(
        mut self,
        found: &Column<Entry>,
        output: &mut Option<Output>,
        progress: &Progress,
    ) -> Result<AllGone, Error> {
        let is_noted = self.spec.action == Action::Annotate;
        found.for_each(|entry| {
            progress.check()?;
            if let Some(output) = output {
                let row = self.rows.finding(&Finding::of_entry(entry), is_noted)?;
                output.write_record(row.as_bytes())?;
            }
            self.add(entry)
        })?;
        self.finish()
    }

    /// Adds a finding, which comes behind all before it.
    ///
    /// # Errors
    /// Temporary files.
    fn add(&mut self, entry: Entry) -> Result<(), Error> {
        let finding = Finding::of_entry(entry);
        if self.record.is_some_and(|record| record != finding.record) {
            self.end()?;
        }
        self.record = Some(finding.record);
        if self.spec.action == Action::Annotate {
            self.noted.push(entry)?;
        }
        let goes = self.rows.verdicts.goes(&finding);
        if goes {
            self.parts.push(finding.part);
            self.parts.extend(self.rows.told.other_parts(&finding)?);
            self.items.push(finding.item);
        }
        let rule = &self.spec.rule;
        // How far it is above what is asked.
        let doubt = (finding.share / single(rule.share)).min(finding.bits / single(rule.bits));
        match (goes, &mut self.removed, &mut self.told) {
            (true, Some(removed), _) => removed.add(doubt, finding),
            (false, _, Some(told)) if finding.verdict != Verdict::Undecidable => {
                told.add(-finding.share, finding);
            }
            _ => {}
        }
        Ok(())
    }

    /// Ends the document that came in.
    fn end(&mut self) -> Result<(), Error> {
        let Some(record) = self.record.take().filter(|_| !self.parts.is_empty()) else {
            return Ok(());
        };
        self.gone.documents += 1;
        let mut sets: Vec<u32> =
            self.items.drain(..).flat_map(|item| self.rows.items.sets_of(item)).collect();
        sets.sort_unstable();
        sets.dedup();
        for set in sets {
            self.gone.of_sets[set as usize] += 1;
        }
        match self.spec.action {
            Action::Annotate => {}
            Action::Drop => self.cuts.push([pair(record, WHOLE), 0])?,
            Action::Cut { .. } => {
                self.parts.sort_unstable_by_key(|part| (part.start, part.end));
                let parts = Part::joined(self.parts.drain(..));
                for Range { start, end } in parts.iter().map(Part::bytes) {
                    self.gone.cuts += 1;
                    self.gone.cut_bytes += u64::from(end - start);
                    self.cuts.push([pair(record, PART), pair(start, end)])?;
                }
            }
        }
        self.parts.clear();
        Ok(())
    }

    /// # Errors
    /// Temporary files.
    fn finish(mut self) -> Result<AllGone, Error> {
        self.end()?;
        let rows = self.rows;
        let shown = |showing: Option<Showing<Finding>>| -> Result<Vec<ShownFinding>, Error> {
            let all = showing.into_iter().flat_map(Showing::finish);
            all.map(|finding| rows.shown(&finding)).collect()
        };
        let overview =
            ContaminationOverview { removed: shown(self.removed)?, told: shown(self.told)? };
        let (cuts, noted) = (self.cuts.finish()?, self.noted.finish()?);
        Ok(AllGone { gone: self.gone, cuts, noted, overview })
    }
}
