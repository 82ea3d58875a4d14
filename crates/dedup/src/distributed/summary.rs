//! The figures of a job in shards, once all of it is done.

use crate::distributed::label_shares::LabelShares;
use crate::distributed::revisit_rows;
use crate::distributed::schema::{ClusterCounts, FileCounts, SolvedCounts, WrittenCounts};
use crate::distributed::shard_job::ShardJob;
use crate::distributed::step::Step;
use crate::error::Error;
use crate::job::resolved::Job;
use crate::read::counts::Counts;
use crate::read::few_documents::FileList;
use crate::read::labels::Labels;
use crate::write::by_source::{Share, by_file};
use crate::write::removed_files;
use crate::write::revisits::Revisits;
use crate::write::summary::Summary;
use crate::write::warnings::Warning;
use nearprint_corpus::{OutputOptions, Outputs};
use std::path::Path;

/// Writes the figures of a job whose units are all done.
pub(crate) fn write(of: &ShardJob<'_>, path: &Path) -> Result<(), Error> {
    let sources = of.job.sources.as_slice();
    let mut output = Outputs::new(sources, OutputOptions { force: true }).create(path)?;
    output.write_record(summary(of)?.to_json().as_bytes())?;
    Ok(output.commit()?)
}

/// The figures of a job whose units are all done: those of `dedup`, without times and memory.
pub(crate) fn summary(of: &ShardJob<'_>) -> Result<Summary, Error> {
    let clusters: ClusterCounts = of.open(Step::Cluster, 0)?.counts()?;
    let (mut counts, mut of_reference) = (Counts::default(), Counts::default());
    let (mut written, mut all_removed) = (WrittenCounts::default(), FileList::default());
    let (mut shares, mut by_label, mut labels) =
        (Vec::new(), LabelShares::default(), Labels::default());
    let mut revisits = Revisits::default();
    for unit in 0..of.files() {
        let of_file: FileCounts = of.sketch(unit)?.counts()?;
        let documents = of_file.counts.documents;
        let all = if unit < of.job.reference { &mut of_reference } else { &mut counts };
        all.merge(of_file.counts);
        let file = of.open(Step::Write, unit)?;
        let of_unit: WrittenCounts = file.counts()?;
        by_label.read(&file, &mut labels)?;
        revisit_rows::read(&file, &mut revisits)?;
        if of_unit.kept == 0 {
            let source = of.source(unit).iter();
            source.for_each(|source| removed_files::add(&mut all_removed, source, of_unit.removed));
        }
        if unit >= of.job.reference {
            let WrittenCounts { kept, bytes, kept_bytes, .. } = of_unit;
            let (bytes, kept_bytes) = (Some(bytes), Some(kept_bytes));
            let share = Share { documents, kept, bytes, kept_bytes };
            shares.extend(of.source(unit).iter().map(|source| (source, share)));
        }
        written += of_unit;
    }
    let Job { group_by, reading, .. } = of.job;
    let by_source = match group_by.and_then(|at| reading.fields.labels.get(at)) {
        Some(field) => by_label.told(field),
        None => by_file(shares.into_iter()),
    };
    let mut solved = SolvedCounts::default();
    for shard in 0..of.plan.shards {
        solved.merge(of.open(Step::Solve, shard)?.counts()?);
    }
    let documents = counts.documents + of_reference.documents;
    let warnings = Warning::of_figures(&by_source, solved.largest_cluster, documents);
    Ok(Summary {
        documents,
        bytes: counts.bytes,
        kept: written.kept,
        rows_written: Some(written.rows).filter(|rows| *rows != written.kept && *rows > 0),
        reference: of_reference.documents,
        removed: written.removed,
        empty: counts.empty,
        short: counts.short,
        dominant: counts.dominant,
        replaced_utf8: counts.replaced_utf8,
        pages: counts.pages,
        others: counts.others,
        other_records: counts.other_records,
        others_removed: written.others_removed,
        revisits_of_removed: revisits.of_gone(),
        notes_renamed: written.renamed,
        notes_replaced: written.replaced,
        repeated_ids: clusters.repeated_ids,
        skipped: counts.skipped,
        few_documents: counts.few_documents,
        all_removed,
        of_urls: written.of_urls,
        exact: solved.exact,
        candidates: solved.candidates,
        crowded: solved.crowded,
        cut_short: solved.cut_short,
        compared: solved.compared,
        pairs: of.outputs.pairs.map(|_| solved.pairs),
        pairs_listed: of.outputs.pairs.map(|_| solved.pairs_listed),
        clusters: solved.clusters,
        largest_cluster: solved.largest_cluster,
        by_source,
        warnings,
        of_reference: Some(of_reference).filter(|_| of.job.reference > 0),
        settings: of.job.settings(),
        ..Summary::of_rules(of.job.rules()?)
    })
}
