//! What is written of one input file: what stays of it, and its part of the reports.

use crate::error::Error;
use crate::matching::matches::Nearness;
use crate::matching::places::Places;
use crate::numbers::{DocumentNumber, narrow};
use crate::read::input::{FirstReading, Input, Reference};
use crate::read::names::Name;
use crate::report::rows;
use crate::report::survivors::{self, Destination, Writing};
use crate::rules::keep::KeepRule;
use crate::shards::cells::Cells;
use crate::shards::schema::{ClusterCounts, FileCounts, WrittenCounts};
use crate::shards::shard_job::ShardJob;
use crate::shards::sketch_rows::each;
use crate::shards::step::Step;
use nearprint_corpus::{Output, OutputOptions, Outputs, publish};
use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

/// Columns that are read where there are no reports.
const FATE: [&str; 2] = ["number", "removed"];

/// A row of a report.
struct Row {
    number: u64,
    removed: Option<String>,
    cluster: Option<String>,
    goes: bool,
}

impl Row {
    fn removed(&self) -> Option<&str> {
        self.removed.as_deref()
    }

    fn cluster(&self) -> Option<&str> {
        self.cluster.as_deref()
    }
}

/// Writes what stays of the input file of a number.
///
/// Memory: the fates of the documents of the file; with reports, 8 bytes a cluster of the corpus and the rows of the
/// file too.
pub(crate) fn run(of: &ShardJob<'_>, unit: usize) -> Result<(), Error> {
    of.write(Step::Write, unit, |_| {
        let sketch = of.sketch(unit)?;
        let counts: FileCounts = sketch.counts()?;
        let left_out = each(of, &sketch, [], |_, []| Ok(()))?;
        let of_all: ClusterCounts = of.open(Step::Cluster, 0)?.counts()?;
        let ours = of.documents_of(unit, &of_all);
        let first = ours.start;
        let rows = report_rows(of, unit, &of_all, ours)?;
        let removed = rows.iter().filter(|row| row.goes);
        let goes = Places::of(removed.map(|row| DocumentNumber(row.number - first)));
        let mut outputs = Outputs::new(of.source(unit), OutputOptions { force: true });
        let mut finished = Vec::new();
        for (folder, of_row) in [
            (of.outputs.removed, Row::removed as fn(&Row) -> Option<&str>),
            (of.outputs.clusters, Row::cluster),
        ] {
            let Some(folder) = folder else { continue };
            let mut output = part(&mut outputs, folder, unit)?;
            for text in rows.iter().filter_map(of_row) {
                output.write_record(text.as_bytes())?;
            }
            finished.push(output.finish()?);
        }
        let mut written = WrittenCounts::default();
        if unit >= of.job.reference {
            let source = of.source(unit);
            let input = Input { reading: &of.job.reading, sources: source, reference: 0 };
            let (reference, checksum) = (Reference::default(), counts.checksum);
            let first = FirstReading { left_out: &left_out, reference, checksum };
            let mut destination =
                Destination::Folder(outputs.mirror(of.outputs.survivors, source)?);
            let stays = |document: DocumentNumber| {
                (document.0 < counts.documents).then(|| !goes.contain(document))
            };
            let writing = Writing { note: None, whole_captures: of.job.whole_captures };
            let done =
                survivors::write(input, first, &stays, &mut destination, writing, of.progress)?;
            finished.insert(0, destination.finish()?);
            let removed = rows.iter().filter(|row| row.goes).count() as u64;
            written = WrittenCounts { kept: done.kept, removed };
        }
        publish(finished)?;
        Ok(written)
    })
}

/// The part of a report that an input file has.
fn part(outputs: &mut Outputs, folder: &Path, unit: usize) -> Result<Output, Error> {
    std::fs::create_dir_all(folder)
        .map_err(|source| Error::Io { path: folder.to_owned(), source })?;
    Ok(outputs.create(&folder.join(format!("{unit:05}.jsonl")))?)
}

/// The rows of the documents of these numbers that are in clusters, in their order.
fn report_rows(
    of: &ShardJob<'_>,
    unit: usize,
    counts: &ClusterCounts,
    ours: Range<u64>,
) -> Result<Vec<Row>, Error> {
    let mut fates = Vec::new();
    let mut heads: Vec<u64> = Vec::new();
    for shard in 0..of.plan.shards {
        let file = of.open(Step::Solve, shard)?;
        fates.extend(file.groups_of(ours.clone()).into_iter().map(|group| (shard, group)));
        // Reports alone number clusters.
        for group in file.groups().filter(|_| of.named) {
            let of_rows = file.column(group, "head")?;
            let mut of_group: Vec<u64> =
                (0..of_rows.len()).map(|row| of_rows.number(row)).collect();
            of_group.sort_unstable();
            of_group.dedup();
            heads.append(&mut of_group);
        }
    }
    heads.sort_unstable();
    heads.dedup();
    let cluster_of = |head: u64| narrow(heads.partition_point(|other| *other < head) as u64);
    let mut rows = Vec::new();
    for (shard, group) in fates {
        let file = of.open(Step::Solve, shard)?;
        let cells: Vec<Cells> = of
            .schema
            .columns(Step::Solve)
            .iter()
            .map(|column| match of.named || FATE.contains(&&*column.name) {
                true => file.column(group, &column.name),
                false => Ok(column.cells()),
            })
            .collect::<Result<_, _>>()?;
        let number = |at: usize, row: usize| cells.get(at).map_or(0, |cells| cells.number(row));
        let text = |at: usize, row: usize| cells.get(at).map_or("", |cells| cells.text(row));
        for row in 0..cells.first().map_or(0, Cells::len) {
            if !ours.contains(&number(0, row)) {
                continue;
            }
            let name = |id: usize, file: u64, record: u64| Name {
                id: Cow::Borrowed(text(id, row)),
                place: (counts.repeated_ids > 0).then(|| (of.name(file), record + 1)),
            };
            let own = name(13, unit as u64, number(1, row));
            let representative = name(14, number(4, row), number(5, row));
            let near = name(15, number(8, row), number(9, row));
            let cluster = cluster_of(number(2, row));
            let goes = number(6, row) == 1;
            let nearness = Nearness {
                distance: narrow(number(10, row)),
                similarity: f64::from_bits(number(11, row)),
                is_cosine: number(12, row) == 1,
            };
            let stays = of.job.criteria.keep != KeepRule::Nothing;
            let removed = || rows::removed(&own, (&near, stays), nearness, Some(cluster));
            let of_cluster = || rows::cluster(&own, cluster, &representative);
            rows.push(Row {
                number: number(0, row),
                removed: (goes && of.outputs.removed.is_some()).then(removed),
                cluster: of.outputs.clusters.is_some().then(of_cluster),
                goes,
            });
        }
    }
    rows.sort_unstable_by_key(|row| row.number);
    Ok(rows)
}
