//! The stage that writes, and what its last task writes: every item, and the figures.

use crate::contamination::eval_file::{eval_files, names_of as names_of_files};
use crate::contamination::figures::Figures;
use crate::contamination::findings::{Entry, Finding, Told, Verdicts};
use crate::contamination::gone::{Going, Gone};
use crate::contamination::rows::{Rows, names_of};
use crate::contamination::summary::{ContaminationSeconds, ContaminationSummary};
use crate::contamination::writing::Leaving;
use crate::distributed::contamination::job::{
    ContaminationJob, LookCounts, SumCounts, WriteCounts,
};
use crate::distributed::lists::{List, each_entry};
use crate::distributed::part::part;
use crate::distributed::step::Step;
use crate::error::Error;
use crate::passages::column::{Column, ColumnWriter};
use crate::passages::lent::Lent;
use crate::passages::rows::Names;
use crate::passages::tally::places;
use crate::passages::writing::WrittenCounts;
use crate::write::destination::Destination;
use nearprint_corpus::{OutputOptions, Outputs, publish};

/// Hands rows over findings to `each`: of the strings of a unit, with what all units told.
fn with_rows<T>(
    of: &ContaminationJob<'_>,
    sum: &SumCounts,
    strings: Lent,
    each: impl FnOnce(Rows<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let items = &of.prepared()?.items;
    let told = Told { strings, known: of.known()? };
    let counts = &sum.tallied.counts;
    let names = Names::new(places(counts, &sum.tallied.records, &of.job.sources), 0);
    let verdicts =
        Verdicts { rule: of.job.spec.rule, known: &told.known, documents: counts.documents };
    let named = names_of(items);
    each(Rows { items, told: &told, verdicts: &verdicts, names: &names, named: &named })
}

/// Writes a file without what goes of it, and the rows of what was found there.
pub(crate) fn write(of: &ContaminationJob<'_>, file: usize) -> Result<(), Error> {
    of.write(Step::Write, file, |_| {
        let sum: SumCounts = of.open(Step::Sum, 0)?.counts()?;
        let first = sum.firsts.get(file).copied().unwrap_or(0);
        let looked = of.open(Step::Look, file)?;
        let LookCounts { tallied, checksums, .. } = looked.counts()?;
        let mut found = ColumnWriter::new(&of.job.dir);
        each_entry(&looked, List::Found, 0, |entry: Entry| {
            found.push(Finding::of_entry(entry).moved(first).entry())
        })?;
        let found: Column<Entry> = found.finish()?;
        let (spec, corpus) = (&of.job.spec, of.file(file, first));
        let mut outputs = Outputs::new(corpus.sources, OutputOptions { force: true });
        let columns = spec.fit_columns(&mut outputs, (corpus.reading, corpus.sources))?;
        let mut destination = match &spec.outputs.corpus {
            None => Destination::Nowhere,
            Some(folder) => Destination::Folder(outputs.mirror(folder, corpus.sources)?),
        };
        let removed = spec.outputs.removed.as_ref();
        let mut removed = removed.map(|folder| part(&mut outputs, folder, file)).transpose()?;
        let (gone, written) = with_rows(of, &sum, of.strings(&looked)?, |rows| {
            let going = Going::new(rows, spec, false, &of.job.dir);
            let all = going.take(&found, &mut removed, of.progress)?;
            let gone = all.gone.clone();
            let leaving = Leaving {
                corpus: &corpus,
                rows,
                action: spec.action,
                columns: &columns,
                columns_alone: false,
                documents: tallied.counts.documents,
            };
            Ok((gone, leaving.write(checksums, all, &mut destination)?))
        })?;
        let mut finished = vec![destination.finish()?];
        if let Some(output) = removed {
            finished.push(output.finish()?);
        }
        publish(finished)?;
        Ok(WriteCounts { gone, written, found: found.len() })
    })
}

/// Writes every item, and the figures, of a job whose units are all done.
pub(crate) fn finish(of: &ContaminationJob<'_>) -> Result<(), Error> {
    let asked = &of.job.spec.outputs;
    let sum = of.open(Step::Sum, 0)?;
    let counts: SumCounts = sum.counts()?;
    let mut outputs = Outputs::new(&of.job.sources, OutputOptions { force: true });
    let mut finished = Vec::new();
    with_rows(of, &counts, of.strings(&sum)?, |rows| {
        if let Some(path) = &asked.items {
            let mut output = outputs.create(path)?;
            for name in &rows.items.names {
                output.write_record(rows.item(name)?.as_bytes())?;
            }
            finished.push(output.finish()?);
        }
        if let Some(path) = &asked.summary {
            let mut output = outputs.create(path)?;
            output.write_record(summary(of, &counts, rows)?.to_json().as_bytes())?;
            finished.push(output.finish()?);
        }
        Ok(())
    })?;
    Ok(publish(finished)?)
}

/// The figures: those of one machine, without times and memory.
fn summary(
    of: &ContaminationJob<'_>,
    sum: &SumCounts,
    rows: Rows<'_>,
) -> Result<ContaminationSummary, Error> {
    let (prepared, sources) = (of.prepared()?, &of.job.sources);
    let eval_files = eval_files(sources, &rows.items.notes.files, of.progress)?;
    let mut gone = Gone { of_sets: vec![0; rows.items.sets.len()], ..Gone::default() };
    let (mut written, mut found) = (WrittenCounts::default(), 0);
    for file in 0..of.files() {
        let counts: WriteCounts = of.open(Step::Write, file)?.counts()?;
        gone.add(&counts.gone);
        written.merge(counts.written);
        found += counts.found;
    }
    Ok(ContaminationSummary {
        peak_memory: None,
        ..ContaminationSummary::of(Figures {
            spec: &of.job.spec,
            items: rows.items,
            repeated_item_ids: prepared.repeated.count,
            verdicts: rows.verdicts,
            tallied: sum.tallied.clone(),
            gone,
            written,
            found,
            eval_files: names_of_files(sources, &eval_files),
            sampled: prepared.sampled,
            aligned: sum.aligned,
            index_bytes: prepared.held_bytes(),
            passed_over: &of.job.passed_over,
            seconds: ContaminationSeconds::default(),
            threads: of.job.reading.threads,
        })
    })
}
