//! What a checkpoint keeps of each stage, put in and taken out in one order.

use crate::decide::matches::Matches;
use crate::memory::marks::Marks;
use crate::memory::state::{StateReader, StateWriter};
use crate::numbers::{DocumentNumber, Rank, RecordNumber, entry, narrow};
use crate::read::documents::{Documents, LeftApart, Measures};
use crate::read::ids::Ids;
use crate::read::labels::Labels;
use crate::read::left_out::LeftOut;
use crate::search::exact::Exact;
use crate::search::features::Features;
use crate::search::order::Order;
use nearprint_fingerprint::{AnyFingerprint, CodeList, Fingerprint128, Width, at_width};
use nearprint_rules::{Check, KeepRule};
use std::io::{self, Write};
use std::path::Path;

impl Documents {
    /// Puts in what was read. The high halves of worths come last, and only where `keep` goes by scores.
    pub(crate) fn save<W: Write>(
        &self,
        keep: KeepRule,
        state: &mut StateWriter<W>,
    ) -> io::Result<()> {
        at_width!(self.fingerprints.codes() => codes, {
            for word in 0..self.fingerprints.width().words() {
                state.numbers(codes.iter().map(|code| entry(code.words(), word)))?;
            }
        });
        state.numbers(self.worths.iter().map(|worth| low(*worth)))?;
        state.numbers(self.contents.iter().map(|content| low(*content)))?;
        state.numbers(self.contents.iter().map(|content| low(content >> 64)))?;
        let listed = match &self.ids {
            Ids::Listed { text, ends } => Some((text, ends)),
            _ => None,
        };
        state.value(&listed.is_some())?;
        if let Some((text, ends)) = listed {
            state.bytes(text.as_bytes())?;
            state.numbers(ends.iter().copied())?;
        }
        let left_out = self.left_out.iter();
        state.numbers(left_out.map(|one| one.record.0 << 1 | u64::from(one.empty)))?;
        state.numbers(self.degenerate.iter().map(|one| one.document.0))?;
        state.numbers(self.degenerate.iter().map(|one| u64::from(one.content.is_some())))?;
        state.numbers(self.degenerate.iter().map(|one| one.content.unwrap_or(0)))?;
        state.value(&(&self.counts, &self.of_reference, &self.sources, self.reference))?;
        state.numbers([self.checksum].into_iter())?;
        if keep.is_by_score() {
            state.numbers(self.worths.iter().map(|worth| low(*worth >> 64)))?;
        }
        self.labels.iter().try_for_each(|labels| labels.save(state))?;
        let Measures { lengths, scores } = &self.measures;
        state.numbers(lengths.iter().copied())?;
        state.numbers(scores.iter().map(|score| low(*score)))?;
        state.numbers(scores.iter().map(|score| low(score >> 64)))?;
        self.few.save(state)
    }

    /// What [`Self::save`] put in, of fingerprints of a width and of labels of so many fields.
    pub(crate) fn load(
        state: &mut StateReader,
        width: Width,
        keep: KeepRule,
        (fields, within, across): (usize, Option<usize>, Option<usize>),
    ) -> io::Result<Self> {
        let mut words: Vec<Vec<u64>> = Vec::with_capacity(width.words());
        for _ in 0..width.words() {
            words.push(state.numbers()?);
        }
        let count = words.iter().map(Vec::len).min().unwrap_or(0);
        let (mut fingerprints, mut own) = (CodeList::new(width), vec![0; width.words()]);
        for document in 0..count {
            own.iter_mut().zip(&words).for_each(|(own, list)| *own = entry(list, document));
            AnyFingerprint::from_words(&own)
                .into_iter()
                .for_each(|code| fingerprints.push_or_zero(code));
        }
        drop(words);
        let mut worths: Vec<u128> = state.numbers()?.into_iter().map(u128::from).collect();
        let contents = wide(state)?;
        let ids = if state.value::<bool>()? {
            let text = String::from_utf8(state.bytes()?).map_err(io::Error::other)?;
            Ids::Listed { text, ends: state.numbers()? }
        } else {
            Ids::Absent
        };
        let left_out = state.numbers()?.into_iter();
        let left_out =
            left_out.map(|one| LeftOut { record: RecordNumber(one >> 1), empty: one & 1 == 1 });
        let (documents, known, content) = (state.numbers()?, state.numbers()?, state.numbers()?);
        let degenerate = documents.iter().enumerate().map(|(i, document)| LeftApart {
            document: DocumentNumber(*document),
            content: (entry(&known, i) == 1).then(|| entry(&content, i)),
        });
        let (counts, of_reference, sources, reference) = state.value()?;
        let checksum = entry(&state.numbers()?, 0);
        if keep.is_by_score() {
            let high = state.numbers()?;
            worths.iter_mut().zip(high).for_each(|(worth, high)| *worth |= u128::from(high) << 64);
        }
        let labels = (0..fields).map(|_| Labels::load(state)).collect::<io::Result<_>>()?;
        let lengths = state.numbers()?;
        let scores = wide(state)?;
        Ok(Self {
            fingerprints,
            codes: Vec::new(),
            worths,
            contents,
            keys: Vec::new(),
            ids,
            left_out: left_out.collect(),
            degenerate: degenerate.collect(),
            counts,
            of_reference,
            sources,
            reference,
            checksum,
            labels,
            within,
            across,
            levels: Vec::new(),
            measures: Measures { lengths, scores },
            few: Marks::load(state)?,
        })
    }
}

impl Documents {
    /// Puts in the codes of sketches, behind [all else](Self::save) that was read.
    pub(crate) fn save_codes(&self, state: &mut StateWriter) -> io::Result<()> {
        let codes = self.codes.iter().map(|code| u128::from(*code));
        state.numbers(codes.clone().map(low))?;
        state.numbers(codes.map(|code| low(code >> 64)))
    }

    /// Takes [these](Self::save_codes) out.
    pub(crate) fn load_codes(&mut self, state: &mut StateReader) -> io::Result<()> {
        self.codes = wide(state)?.into_iter().map(Fingerprint128::from).collect();
        Ok(())
    }
}

impl Matches {
    /// Puts in what was found.
    pub(crate) fn save(&mut self, state: &mut StateWriter) -> io::Result<()> {
        state.numbers(self.exact.iter().map(|(rank, _)| rank.0.into()))?;
        state.numbers(self.exact.iter().map(|(_, first)| first.0.into()))?;
        state.numbers(self.roots.iter().map(|root| root.0.into()))?;
        let counts = (self.candidates, self.compared, self.crowded, self.cut_short);
        state.value(&(counts, &self.accepted, &self.audit, self.features.is_some()))?;
        self.features.as_mut().map_or(Ok(()), |features| features.save(state))
    }

    /// What [`Self::save`] put in, of the same documents and rules; features are looked up in a file in
    /// `work_dir`.
    pub(crate) fn load(
        documents: &mut Documents,
        keep: KeepRule,
        check: Check,
        work_dir: &Path,
        state: &mut StateReader,
    ) -> io::Result<Self> {
        let ranks = |numbers: Vec<u64>| numbers.into_iter().map(Rank::of);
        let exact = ranks(state.numbers()?).zip(ranks(state.numbers()?));
        let exact = Exact::of(exact.collect());
        let roots: Vec<Rank> = ranks(state.numbers()?).collect();
        let ((candidates, compared, crowded, cut_short), accepted, audit, verified) =
            state.value()?;
        let features = match verified {
            true => Some(Features::restore(state, check.weighs(), work_dir)?),
            false => None,
        };
        let count = narrow(roots.len() as u64);
        let order = Order::new(keep, count, documents.reference.documents, &documents.worths);
        documents.worths = Vec::new();
        Ok(Self {
            exact,
            candidates,
            compared,
            crowded,
            cut_short,
            accepted,
            audit,
            order,
            roots,
            rule: check.rule(),
            features,
            signer: None,
            known: Vec::new(),
            contents: None,
            rejected: None,
        })
    }
}

/// Numbers of which the low halves come first, then the high ones.
fn wide(state: &mut StateReader) -> io::Result<Vec<u128>> {
    let mut both: Vec<u128> = state.numbers()?.into_iter().map(u128::from).collect();
    let high = state.numbers()?;
    both.truncate(high.len());
    both.iter_mut().zip(high).for_each(|(both, high)| *both |= u128::from(high) << 64);
    Ok(both)
}

#[expect(clippy::cast_possible_truncation, reason = "half of it")]
fn low(number: u128) -> u64 {
    number as u64
}
