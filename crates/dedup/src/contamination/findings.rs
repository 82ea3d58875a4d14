//! What was found in all documents: an entry for each place, with its text apart; and what is known of each item.

use crate::contamination::items::Items;
use crate::contamination::part::Part;
use crate::contamination::rule::{ContaminationRule, Short, Verdict};
use crate::error::Error;
use crate::passages::column::{Column, ColumnWriter};
use crate::passages::lent::{Lending, Lent};
use crate::passages::place::{halves, pair};
use std::path::Path;

/// No place among the strings.
pub(crate) const NOWHERE: u64 = u64::MAX;

/// Bits of an entry, beside the number of its verdict: the bytes of the breaks before its part, whether that is the last one,
/// and whether other parts go too.
const BYTE: u32 = 0xff;
const LEAD: u32 = 8;
const LAST: u32 = 1 << 16;
const PARTED: u32 = 1 << 17;

/// An entry of a column.
pub(crate) type Entry = [u64; 6];

/// An item at a place of a document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Finding {
    pub(crate) record: u32,
    pub(crate) item: u32,
    /// What of the text goes where the place is cut, or the first part of it.
    pub(crate) part: Part,
    /// Whether others go too.
    pub(crate) is_parted: bool,
    /// The place as reports say it.
    pub(crate) from: u32,
    pub(crate) until: u32,
    pub(crate) share: f32,
    pub(crate) bits: f32,
    pub(crate) verdict: Verdict,
    pub(crate) answers: u32,
    /// Where the id of the document and the text of the place are among the strings, and behind them the other parts.
    pub(crate) strings: u64,
}

impl Finding {
    pub(crate) const fn entry(&self) -> Entry {
        let Self { record, item, part, from, until, .. } = *self;
        let Part { start, end, lead, is_last } = part;
        let last = if is_last { LAST } else { 0 };
        let parted = if self.is_parted { PARTED } else { 0 };
        [
            pair(record, item),
            pair(start, end),
            pair(from, until),
            pair(self.share.to_bits(), self.bits.to_bits()),
            pair(self.verdict.number() | lead << LEAD | last | parted, self.answers),
            self.strings,
        ]
    }

    /// The finding of an entry.
    pub(crate) fn of_entry([head, bytes, place, weight, verdict, strings]: Entry) -> Self {
        let ((record, item), (start, end), (from, until)) =
            (halves(head), halves(bytes), halves(place));
        let ((share, bits), (verdict, answers)) = (halves(weight), halves(verdict));
        let (lead, is_last) = (verdict >> LEAD & BYTE, verdict & LAST != 0);
        Self {
            record,
            item,
            part: Part { start, end, lead, is_last },
            is_parted: verdict & PARTED != 0,
            from,
            until,
            share: f32::from_bits(share),
            bits: f32::from_bits(bits),
            verdict: Verdict::of_number(verdict & BYTE),
            answers,
            strings,
        }
    }

    /// The same of a record so many behind.
    pub(crate) fn moved(self, records: u64) -> Self {
        Self { record: crate::numbers::narrow(u64::from(self.record) + records), ..self }
    }

    /// The record of an entry.
    pub(crate) const fn record_of(entry: &Entry) -> u32 {
        halves(entry[0]).0
    }
}

/// What was found in a document.
pub(crate) struct OfDocument {
    /// Its id, as JSON text.
    pub(crate) id: String,
    /// What was found, each with the text it is of, the text of the place, and the other parts that go.
    pub(crate) findings: Vec<(Finding, u32, String, Vec<Part>)>,
    /// Texts of which too little stands there, with the share.
    pub(crate) nearly: Vec<(u32, f32)>,
}

/// What is known of each item, and of each text of the items.
pub(crate) struct Known {
    /// Documents that each item contaminates.
    pub(crate) documents: Vec<u32>,
    /// The number of the highest verdict of each.
    pub(crate) highest: Vec<u32>,
    /// The greatest share of each text, and where the id of its document is among the strings.
    pub(crate) shares: Vec<f32>,
    pub(crate) ids: Vec<u64>,
}

impl Known {
    /// Nothing is known.
    pub(crate) fn nothing(items: &Items) -> Self {
        Self {
            documents: vec![0; items.items.len()],
            highest: vec![Verdict::Clean.number(); items.items.len()],
            shares: vec![0.0; items.soughts.len()],
            ids: vec![NOWHERE; items.soughts.len()],
        }
    }
}

/// Findings as they come in.
pub(crate) struct Gathering {
    column: ColumnWriter<Entry>,
    strings: Lending,
    known: Known,
}

/// All findings.
pub(crate) struct Findings {
    pub(crate) column: Column<Entry>,
    pub(crate) told: Told,
}

/// Ids and texts of findings, and what is known of each item.
pub(crate) struct Told {
    pub(crate) strings: Lent,
    pub(crate) known: Known,
}

impl Gathering {
    /// Nothing; so many bytes of texts are in memory.
    pub(crate) fn new(items: &Items, dir: &Path, held: usize) -> Self {
        Self {
            column: ColumnWriter::new(dir),
            strings: Lending::new(dir, held),
            known: Known::nothing(items),
        }
    }

    /// Adds what was found in a document, which comes behind all before it.
    ///
    /// # Errors
    /// Temporary files.
    pub(crate) fn take(&mut self, of: OfDocument) -> Result<(), Error> {
        let OfDocument { id, findings, nearly } = of;
        let mut at = None;
        let of_findings = findings.iter().map(|(finding, sought, ..)| (*sought, finding.share));
        for (sought, share) in nearly.into_iter().chain(of_findings) {
            let sought = sought as usize;
            if share > self.known.shares[sought] {
                let at = match at {
                    Some(at) => at,
                    None => *at.insert(put(&mut self.strings, &id)?),
                };
                (self.known.shares[sought], self.known.ids[sought]) = (share, at);
            }
        }
        let mut items = Vec::new();
        for (finding, _, text, parts) in findings {
            let strings = put(&mut self.strings, &id)?;
            put(&mut self.strings, &text)?;
            let is_parted = !parts.is_empty();
            if is_parted {
                put(&mut self.strings, &Part::list(&parts))?;
            }
            self.column.push(Finding { strings, is_parted, ..finding }.entry())?;
            let highest = &mut self.known.highest[finding.item as usize];
            *highest = (*highest).max(finding.verdict.number());
            if finding.verdict == Verdict::Contaminated {
                items.push(finding.item);
            }
        }
        items.sort_unstable();
        items.dedup();
        for item in items {
            self.known.documents[item as usize] += 1;
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<Findings, Error> {
        let Self { column, strings, known } = self;
        Ok(Findings { column: column.finish()?, told: Told { strings: strings.finish()?, known } })
    }
}

/// Puts in a text with its length.
pub(crate) fn put(strings: &mut Lending, text: &str) -> Result<u64, Error> {
    let at = strings.push(&crate::numbers::narrow(text.len() as u64).to_le_bytes())?;
    strings.push(text.as_bytes())?;
    Ok(at)
}

impl Told {
    /// The id of the document of a finding, as JSON text, and the text of its place.
    pub(crate) fn texts(&self, finding: &Finding) -> Result<(String, String), Error> {
        let (id, next) = self.string(finding.strings)?;
        Ok((id, self.string(next)?.0))
    }

    /// What goes beside the part of a finding.
    pub(crate) fn other_parts(&self, finding: &Finding) -> Result<Vec<Part>, Error> {
        if !finding.is_parted {
            return Ok(Vec::new());
        }
        let (_, text) = self.string(finding.strings)?;
        let (_, parts) = self.string(text)?;
        Ok(Part::of_list(&self.string(parts)?.0))
    }

    /// The id of the document that has most of a text, with its share.
    pub(crate) fn best(&self, sought: u32) -> Result<Option<(f32, String)>, Error> {
        match self.known.ids[sought as usize] {
            NOWHERE => Ok(None),
            at => Ok(Some((self.known.shares[sought as usize], self.string(at)?.0))),
        }
    }

    /// A text, and where the next one begins.
    pub(crate) fn string(&self, at: u64) -> Result<(String, u64), Error> {
        let gone = || Error::Bug { problem: "a text that was found is gone".to_owned() };
        let mut length = [0; 4];
        if !self.strings.read(at, &mut length)? {
            return Err(gone());
        }
        let length = u32::from_le_bytes(length);
        let mut text = vec![0; length as usize];
        if !self.strings.read(at + 4, &mut text)? {
            return Err(gone());
        }
        Ok((String::from_utf8_lossy(&text).into_owned(), at + 4 + u64::from(length)))
    }
}

/// The verdicts of a job, now that all documents are known.
pub(crate) struct Verdicts<'a> {
    pub(crate) rule: ContaminationRule,
    pub(crate) known: &'a Known,
    /// Documents that were read.
    pub(crate) documents: u64,
}

impl Verdicts<'_> {
    /// What is said in the end.
    pub(crate) fn of(&self, finding: &Finding) -> Verdict {
        match finding.verdict {
            Verdict::Contaminated if self.is_common(finding.item) => Verdict::Common,
            verdict => verdict,
        }
    }

    /// Whether a document goes because of it.
    pub(crate) fn goes(&self, finding: &Finding) -> bool {
        self.rule.removes(self.of(finding))
    }

    /// What is said of an item: of one that was not found nothing is known where it cannot be.
    pub(crate) fn of_item(&self, item: u32, items: &Items) -> Verdict {
        let is_open = || {
            let cannot_be =
                items.is_undecidable(item, &self.rule) && self.rule.short != Short::Flag;
            let stands = |text: u32| ContaminationRule::is_all(self.known.shares[text as usize]);
            cannot_be || !items.is_sought(item) || items.texts_of(item).any(stands)
        };
        match Verdict::of_number(self.known.highest[item as usize]) {
            Verdict::Contaminated if self.is_common(item) => Verdict::Common,
            Verdict::Clean if is_open() => Verdict::Undecidable,
            verdict => verdict,
        }
    }

    fn is_common(&self, item: u32) -> bool {
        let documents = self.known.documents[item as usize];
        ContaminationRule::is_common(documents.into(), self.documents)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_holds_all_of_a_finding() {
        let finding = Finding {
            record: 1,
            item: 2,
            part: Part { start: 3, end: 4, lead: 2, is_last: true },
            is_parted: true,
            from: 5,
            until: 6,
            share: 0.75,
            bits: 88.5,
            verdict: Verdict::Partial,
            answers: 7,
            strings: 8,
        };
        assert_eq!(Finding::of_entry(finding.entry()), finding);
        assert_eq!(Finding::record_of(&finding.entry()), 1);
    }
}
