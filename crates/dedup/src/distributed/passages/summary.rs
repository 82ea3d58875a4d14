//! What the last task of a job over passages writes: the passages of all files, and the figures.

use crate::distributed::lists::{Blocks, List};
use crate::distributed::passages::job::{CutUnitCounts, Known, PassagesJob, RangeCounts};
use crate::distributed::step::Step;
use crate::error::Error;
use crate::passages::census::Census;
use crate::passages::corpus::Checksums;
use crate::passages::cutting::CutCounts;
use crate::passages::figures::Figures;
use crate::passages::origins::Origins;
use crate::passages::searching::Searched;
use crate::passages::summary::{PassagesSeconds, PassagesSummary};
use crate::passages::tally::Tallied;
use crate::passages::writing::WrittenCounts;
use crate::search::order::Order;
use nearprint_corpus::{OutputOptions, Outputs, publish};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Bytes of what sorts a passage, in front of its row.
const SORTED_BY: usize = 16;

/// Writes the list of passages and the figures of a job whose units are all done.
///
/// Memory: of each file the passages of a row group, 64 KB or more.
pub(crate) fn write(of: &PassagesJob<'_>) -> Result<(), Error> {
    let asked = &of.job.spec.outputs;
    let mut outputs = Outputs::new(&of.job.sources, OutputOptions { force: true });
    let mut finished = Vec::new();
    let round = of.round_count() - 1;
    let mut passages = 0;
    for file in 0..of.files() {
        passages += of.open(Step::Lend, round * of.files() + file)?.counts::<u64>()?;
    }
    if let Some(path) = &asked.passages {
        let mut output = outputs.create(path)?;
        each_passage(of, round, |row| Ok(output.write_record(row)?))?;
        finished.push(output.finish()?);
    }
    if let Some(path) = &asked.summary {
        let mut output = outputs.create(path)?;
        let passages = asked.passages.as_ref().map(|_| passages);
        output.write_record(summary(of, round, passages)?.to_json().as_bytes())?;
        finished.push(output.finish()?);
    }
    Ok(publish(finished)?)
}

/// Hands the rows of passages to `each`, in the order of all.
fn each_passage(
    of: &PassagesJob<'_>,
    round: usize,
    mut each: impl FnMut(&[u8]) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut files = Vec::with_capacity(of.files());
    let mut next = BinaryHeap::new();
    for file in 0..of.files() {
        let unit = of.open(Step::Lend, round * of.files() + file)?;
        let mut blocks = Blocks::new(unit, List::Passages);
        next.extend(blocks.next()?.map(|row| Reverse((row, file))));
        files.push(blocks);
    }
    while let Some(Reverse((row, file))) = next.pop() {
        of.progress.check()?;
        each(row.get(SORTED_BY..).unwrap_or_default())?;
        if let Some(blocks) = files.get_mut(file) {
            next.extend(blocks.next()?.map(|row| Reverse((row, file))));
        }
    }
    Ok(())
}

/// The figures: those of one machine, without times and memory.
fn summary(
    of: &PassagesJob<'_>,
    round: usize,
    passages: Option<u64>,
) -> Result<PassagesSummary, Error> {
    let known = of.known()?;
    let mut searched = Searched::default();
    for step in [Step::Repeats, Step::Firsts] {
        let units = of.units_of_round(step);
        for unit in 0..units {
            let counts: RangeCounts = of.open(step, round * units + unit)?.counts()?;
            searched.add(counts.searched);
        }
    }
    let (mut cut, mut lent) = (CutCounts::default(), 0);
    let mut written = WrittenCounts::default();
    for file in 0..of.files() {
        let unit: CutUnitCounts = of.open(Step::Cut, round * of.files() + file)?.counts()?;
        cut.add(unit.counts);
        lent += unit.lent;
        written.merge(of.open(Step::Write, file)?.counts()?);
    }
    let Known { tallied, .. } = known;
    let Tallied { mut counts, records, reference, of_reference, tokens } = tallied;
    counts.repeated_ids = of.open(Step::Repeats, 0)?.counts::<RangeCounts>()?.repeated_ids;
    let census = Census {
        counts,
        records,
        reference,
        of_reference,
        tokens,
        checksums: Checksums::default(),
        repeated: of.no_stretches()?,
        spilled: 0,
        origins: Origins::uncounted(Order::Input),
    };
    let shared_hashes = of.rounds.iter().map(|shared| shared.len() as u64).sum();
    Ok(PassagesSummary {
        peak_memory: None,
        ..PassagesSummary::of(Figures {
            spec: &of.job.spec,
            census: &census,
            reference: of.job.reference,
            searched,
            counts: cut,
            written,
            passages,
            shared_hashes,
            lent,
            passed_over: &of.job.passed_over,
            seconds: PassagesSeconds::default(),
            length: of.job.spec.rule.length()?,
            threads: of.job.reading.threads,
        })
    })
}
