//! The first reading: every document is looked at for every item.

use crate::contamination::finder::Finder;
use crate::contamination::findings::{Finding, Findings, Gathering, OfDocument};
use crate::contamination::following::{End, Following};
use crate::contamination::index::Index;
use crate::contamination::instructions::Instructions;
use crate::contamination::item_text::ItemText;
use crate::contamination::items::Items;
use crate::contamination::judging::{Behind, Judge, Judged};
use crate::contamination::lines::Widening;
use crate::contamination::part::Part;
use crate::contamination::parted::parted;
use crate::contamination::rule::{ContaminationRule, Short, Verdict, WHOLE};
use crate::contamination::spec::Action;
use crate::error::Error;
use crate::passages::corpus::{Checksums, Corpus, Planned};
use crate::passages::line_breaks::{first_line, is_break};
use crate::passages::offsets::Counted;
use crate::passages::tally::{BatchTally, Tallied, Tally};
use crate::passages::units::{UnitReader, Units};
use crate::progress::Stage;
use nearprint_fingerprint::RecipeError;
use std::ops::Range;

/// What the first reading tells.
pub(crate) struct Looked {
    pub(crate) tallied: Tallied,
    pub(crate) checksums: Checksums,
    pub(crate) findings: Findings,
    /// Places that were aligned.
    pub(crate) aligned: u64,
}

/// What the first reading tells of a part of the input.
pub(crate) struct LookedAtPart<'a> {
    pub(crate) tally: Tally<'a>,
    pub(crate) checksums: Checksums,
    pub(crate) findings: Findings,
    pub(crate) aligned: u64,
}

/// Refuses more records than a job numbers.
pub(crate) fn check_number(found: u64) -> Result<(), Error> {
    u32::try_from(found).map(|_| ()).map_err(|_| Error::TooManyDocuments { found })
}

/// How documents are looked at.
#[derive(Clone, Copy)]
pub(crate) struct Looking<'a> {
    pub(crate) corpus: &'a Corpus<'a>,
    pub(crate) items: &'a Items,
    pub(crate) index: &'a Index,
    pub(crate) rule: &'a ContaminationRule,
    pub(crate) action: Action,
    /// Whether a text of several parts is refused: what is cut out of it has no one place.
    pub(crate) one_place: bool,
    /// Whether a field that is named may be in no row.
    pub(crate) may_lack_fields: bool,
    /// Of each source, whether it is a file of the eval sets.
    pub(crate) eval_files: &'a [bool],
}

/// A text with its units, and with what tells their places.
type Own<'a> = (&'a str, &'a Units<'a>, &'a Counted<'a>);

/// What a worker has.
struct Worker<'a> {
    units: UnitReader,
    finder: Finder<'a>,
    judge: Judge<'a>,
    instructions: Instructions<'a>,
}

/// A batch as it was seen.
struct Seen {
    tally: BatchTally,
    found: Vec<OfDocument>,
    aligned: u64,
}

impl Looking<'_> {
    /// Reads all documents; so many bytes of texts are in memory.
    ///
    /// # Errors
    /// Those of [`look_at_part`](Self::look_at_part); more documents than a job numbers.
    pub(crate) fn look(&self, held: usize) -> Result<Looked, Error> {
        let LookedAtPart { tally, checksums, findings, aligned } = self.look_at_part(held)?;
        let tallied = if self.may_lack_fields { tally.lacking()? } else { tally.finish()? };
        check_number(tallied.records.iter().sum())?;
        Ok(Looked { tallied, checksums, findings, aligned })
    }

    /// The same where the documents are a part of the input.
    ///
    /// # Errors
    /// Records that cannot be read, where that ends the job; temporary files.
    pub(crate) fn look_at_part(&self, held: usize) -> Result<LookedAtPart<'_>, Error> {
        let corpus = self.corpus;
        let mut tally = Tally::new(corpus);
        let mut gathering = Gathering::new(self.items, corpus.dir, held);
        let mut aligned = 0;
        // Of a short item all places go, or the first one is told.
        let every = self.rule.short == Short::Flag && matches!(self.action, Action::Cut { .. });
        let worker = || -> Result<Worker<'_>, RecipeError> {
            let units = || UnitReader::new(corpus.recipe, corpus.rule.unit, corpus.rule.digits);
            Ok(Worker {
                units: units()?,
                finder: Finder::new(self.items, self.index, every),
                judge: Judge::new(self.items, self.rule),
                instructions: Instructions::new(self.items, units()?),
            })
        };
        let checksums = corpus.read_by(
            Stage::Look,
            worker,
            |_| Ok(()),
            |worker, planned| self.seen(worker, &planned),
            |seen| match seen {
                Err(error) => tally.fail(error),
                Ok(seen) => {
                    tally.take(seen.tally)?;
                    aligned += seen.aligned;
                    seen.found.into_iter().try_for_each(|found| gathering.take(found))
                }
            },
        )?;
        Ok(LookedAtPart { tally, checksums, findings: gathering.finish()?, aligned })
    }

    /// What a worker makes of a batch.
    fn seen(&self, worker: &mut Worker<'_>, planned: &Planned<()>) -> Result<Seen, Error> {
        let batch = &planned.batch;
        let (mut tally, mut found) =
            (BatchTally::of(batch, &self.corpus.reading.fields), Vec::new());
        let before = worker.finder.aligned;
        let is_eval_file = self.eval_files.get(batch.source_index()).copied().unwrap_or(false);
        for (number, record) in (planned.first()..).zip(batch.records()) {
            tally.counts.bytes += record.held().len() as u64;
            match self.corpus.document_to_cut(&record, self.one_place) {
                Err(error) => tally.fail(error),
                Ok(document) => {
                    tally.add(&self.corpus.reading.fields, &record, &document);
                    let Worker { units, finder, judge, instructions } = &mut *worker;
                    let parted = parted(&document.text);
                    let (hashes, tokens) = units.hashes(&parted);
                    tally.add_tokens(tokens);
                    let Ok(number) = u32::try_from(number) else { continue };
                    let texts = finder.find(hashes);
                    if texts.is_empty() {
                        continue;
                    }
                    let judgement = judge.judge(&texts, hashes);
                    let units = units.read(&parted);
                    let places = Counted::new(&document.text, self.corpus.offsets);
                    let own = (document.text.as_ref(), &units, &places);
                    let mut widening = match self.action {
                        Action::Cut { margin } => Some(Widening::new(own.0, own.1, margin)),
                        Action::Drop | Action::Annotate => None,
                    };
                    let finding = |judged: &Judged| {
                        let (judged, behind) = Self::whole(judged, own, judge, instructions)?;
                        let widening = widening.as_mut();
                        Ok(self.finding(number, &judged, is_eval_file, own, &behind, widening))
                    };
                    let findings = judgement.judged.iter().map(finding);
                    let findings = findings.collect::<Result<_, Error>>()?;
                    let id = document.id.as_ref().map(|id| id.as_json().to_owned());
                    found.push(OfDocument {
                        id: id.unwrap_or_else(|| record.default_id().as_json().to_owned()),
                        findings,
                        nearly: judgement.nearly,
                    });
                }
            }
        }
        Ok(Seen { tally, found, aligned: worker.finder.aligned - before })
    }

    /// A place with its instructions, and what of its item stands behind it.
    fn whole(
        judged: &Judged,
        own: Own<'_>,
        judge: &mut Judge<'_>,
        instructions: &mut Instructions<'_>,
    ) -> Result<(Judged, Behind), Error> {
        // Of a part nothing follows.
        if matches!(judged.verdict, Verdict::Partial | Verdict::Context) {
            return Ok((judged.clone(), Behind::default()));
        }
        let (item, hashes) = (judged.item, own.1.hashes());
        let cut = if judged.share < WHOLE { trimmed(&judged.cut, own) } else { judged.cut.clone() };
        let cut = instructions.around(item, &cut, (own.0, own.1))?;
        let mut tokens = judged.tokens.start.min(cut.start)..judged.tokens.end;
        // A row tells the whole place, whose thin ends stay where it is cut.
        if tokens.end > cut.end {
            let behind = judge.behind(item, tokens.end, hashes);
            tokens.end = tokens.end.max(Self::end(&tokens, own, &behind).token);
        }
        let behind = judge.behind(item, cut.end, hashes);
        Ok((Judged { cut, tokens, ..judged.clone() }, behind))
    }

    /// Where an item of these tokens ends with what follows it.
    fn end(tokens: &Range<usize>, (text, units, _): Own<'_>, behind: &Behind) -> End {
        let asked = units.span(tokens.clone());
        Following { of: ItemText { text, units, behind }, start: asked.start }
            .end(tokens.end, asked.end)
    }

    /// A finding, with the text of the item that it is of, the text of the place, and what goes beside its part.
    fn finding(
        &self,
        record: u32,
        judged: &Judged,
        is_eval_file: bool,
        (text, units, places): Own<'_>,
        behind: &Behind,
        widening: Option<&mut Widening<'_>>,
    ) -> (Finding, u32, String, Vec<Part>) {
        let asked = units.span(judged.cut.clone());
        let end = Self::end(&judged.cut, (text, units, places), behind);
        let bytes = units.span(judged.tokens.start..judged.tokens.end.max(end.token));
        let parts = widening.map(|widening| widening.around(asked, end, behind));
        let mut parts = parts.unwrap_or_else(|| vec![Part::of(text, bytes.clone())]).into_iter();
        let part = parts.next().unwrap_or_default();
        let narrow = |at: usize| crate::numbers::narrow(at as u64);
        let verdict = match judged.verdict {
            // A row of the file is an item, however short.
            Verdict::Contaminated | Verdict::Undecidable if is_eval_file => Verdict::EvalFile,
            verdict => verdict,
        };
        let finding = Finding {
            record,
            item: judged.item,
            part,
            is_parted: false,
            from: narrow(places.at(bytes.start)),
            until: narrow(places.at(bytes.end)),
            share: judged.share,
            bits: judged.bits,
            verdict,
            answers: judged.answers,
            strings: 0,
        };
        (finding, judged.sought, text.get(bytes).unwrap_or_default().to_owned(), parts.collect())
    }
}

/// Tokens of a part of an item without a single one at an end that a blank line parts from the rest: it may be the first word of
/// another paragraph.
fn trimmed(tokens: &Range<usize>, (text, units, _): Own<'_>) -> Range<usize> {
    let is_parted = |token: usize| {
        let gap = units.span(token - 1..token).end..units.span(token..token + 1).start;
        let gap = text.get(gap).unwrap_or_default();
        gap.get(first_line(gap)..).is_some_and(|rest| rest.contains(is_break))
    };
    let Range { start, end } = *tokens;
    if end - start < 3 {
        return start..end;
    }
    start + usize::from(is_parted(start + 1))..end - usize::from(is_parted(end - 1))
}
