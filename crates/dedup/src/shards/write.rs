//! What is written of one input file: what stays of it, and its part of the reports.

use crate::error::Error;
use crate::matching::places::Places;
use crate::numbers::{DocumentNumber, narrow};
use crate::read::input::{FirstReading, Input, Reference};
use crate::read::names::Name;
use crate::report::note::{Note, Place};
use crate::report::rows;
use crate::report::survivors::{self, Destination, Noting, Writing};
use crate::shards::cells::Cells;
use crate::shards::measure;
use crate::shards::part::{part, segment};
use crate::shards::schema::{ClusterCounts, FileCounts, WrittenCounts};
use crate::shards::segment_part;
use crate::shards::shard_job::ShardJob;
use crate::shards::sketch_rows::each;
use crate::shards::step::Step;
use nearprint_corpus::{OutputOptions, Outputs, publish};
use nearprint_rules::{Evidence, KeepRule};
use std::ops::Range;

/// Columns that are read where no document is named.
const FATE: [&str; 2] = ["number", "removed"];

/// What becomes of a document of a cluster.
struct Fate<'a> {
    number: u64,
    goes: bool,
    cluster: u32,
    name: Name<'a>,
    representative: Name<'a>,
    /// The document because of which it goes.
    near: Name<'a>,
    evidence: Evidence,
}

impl<'a> Fate<'a> {
    fn note(&self) -> Note<'a> {
        let place = Place { cluster: Some(self.cluster), name: self.representative.clone() };
        Note { place: Some(place), removed: self.goes.then_some(self.evidence) }
    }
}

/// Writes what stays of the input file of a number.
///
/// Memory: the fates of the documents of the file, with their names where one is asked for; then 8 bytes a cluster
/// of the corpus, too. With segments, also the fingerprint, the content and the id of each document of the file that
/// stays.
pub(crate) fn run<const WORDS: usize>(of: &ShardJob<'_>, unit: usize) -> Result<(), Error> {
    of.write(Step::Write, unit, |_| {
        let sketch = of.sketch(unit)?;
        let counts: FileCounts = sketch.counts()?;
        let left_out = each(of, &sketch, [], |_, []| Ok(()))?;
        let of_all: ClusterCounts = of.open(Step::Cluster, 0)?.counts()?;
        let ours = of.documents_of(unit, &of_all);
        let first = ours.start;
        let fates = fates(of, unit, &of_all, ours)?;
        let removed = || fates.iter().filter(|fate| fate.goes);
        let goes = Places::of(removed().map(|fate| DocumentNumber(fate.number - first)));
        let mut outputs = Outputs::new(of.source(unit), OutputOptions { force: true });
        let mut finished = Vec::new();
        if let Some(folder) = of.outputs.removed {
            let mut output = part(&mut outputs, folder, unit)?;
            let stays = of.job.criteria.keep != KeepRule::Nothing;
            for Fate { name, near, evidence, cluster, .. } in removed() {
                let row = rows::removed(name, (near, stays), *evidence, Some(*cluster));
                output.write_record(row.as_bytes())?;
            }
            finished.push(output.finish()?);
        }
        if let Some(folder) = of.outputs.clusters {
            let mut output = part(&mut outputs, folder, unit)?;
            for Fate { name, cluster, representative, .. } in &fates {
                output.write_record(rows::cluster(name, *cluster, representative).as_bytes())?;
            }
            finished.push(output.finish()?);
        }
        let mut written = WrittenCounts::default();
        if unit >= of.job.reference {
            let source = of.source(unit);
            let input = Input { reading: &of.job.reading, sources: source, reference: 0 };
            let (reference, checksum) = (Reference::default(), counts.checksum);
            let reading = FirstReading { left_out: &left_out, reference, checksum };
            if of.job.annotate {
                outputs.add_columns(&Note::COLUMNS);
            }
            let mut destination =
                Destination::Folder(outputs.mirror(of.outputs.survivors, source)?);
            let stays = |document: DocumentNumber| {
                (document.0 < counts.documents).then(|| !goes.contain(document))
            };
            let mut note = |document: Option<DocumentNumber>| {
                let fate = document.and_then(|document| {
                    let number = document.0 + first;
                    let at = fates.binary_search_by_key(&number, |fate| fate.number).ok()?;
                    fates.get(at)
                });
                Ok(fate.map(Fate::note).unwrap_or_default())
            };
            let note = of.job.annotate.then_some(&mut note as Noting<'_, '_>);
            let writing = Writing { note, whole_captures: of.job.whole_captures };
            let done =
                survivors::write(input, reading, &stays, &mut destination, writing, of.progress)?;
            finished.insert(0, destination.finish()?);
            if let Some(folder) = of.outputs.segments {
                let output = segment(&mut outputs, folder, unit)?;
                let stay = segment_part::Stay { sketch: &sketch, left_out: &left_out, goes: &goes };
                finished.push(segment_part::write(output, of, unit, stay)?);
            }
            let removed = removed().count() as u64;
            written =
                WrittenCounts { kept: done.kept, removed, others_removed: done.others_removed };
        }
        publish(finished)?;
        Ok(written)
    })
}

/// The fates of the documents of these numbers that are in clusters, in their order.
fn fates<'a>(
    of: &'a ShardJob<'_>,
    unit: usize,
    counts: &ClusterCounts,
    ours: Range<u64>,
) -> Result<Vec<Fate<'a>>, Error> {
    let mut groups = Vec::new();
    let mut heads: Vec<u64> = Vec::new();
    for shard in 0..of.plan.shards {
        let file = of.open(Step::Solve, shard)?;
        groups.extend(file.groups_of(ours.clone()).into_iter().map(|group| (shard, group)));
        // A cluster has its number where it is named alone.
        for group in file.groups().filter(|_| of.named) {
            let cells = file.column(group, "head")?;
            let mut of_group: Vec<u64> = (0..cells.len()).map(|row| cells.number(row)).collect();
            of_group.sort_unstable();
            of_group.dedup();
            heads.append(&mut of_group);
        }
    }
    heads.sort_unstable();
    heads.dedup();
    let cluster_of = |head: u64| narrow(heads.partition_point(|other| *other < head) as u64);
    let mut fates = Vec::new();
    for (shard, group) in groups {
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
        for row in 0..cells.first().map_or(0, Cells::len) {
            if !ours.contains(&number(0, row)) {
                continue;
            }
            let name = |id: usize, file: u64, record: u64| Name {
                id: cells.get(id).map_or("", |cells| cells.text(row)).to_owned().into(),
                place: (counts.repeated_ids > 0).then(|| (of.name(file), record + 1)),
            };
            fates.push(Fate {
                number: number(0, row),
                goes: number(6, row) == 1,
                cluster: cluster_of(number(2, row)),
                name: name(13, unit as u64, number(1, row)),
                representative: name(14, number(4, row), number(5, row)),
                near: name(15, number(8, row), number(9, row)),
                evidence: Evidence::measured(
                    narrow(number(10, row)),
                    f64::from_bits(number(11, row)),
                    measure::of_number(number(12, row)),
                ),
            });
        }
    }
    fates.sort_unstable_by_key(|fate| fate.number);
    Ok(fates)
}
