//! Links to connected components, and components to shards: in one process.

use crate::decide::packing::packed;
use crate::distributed::columns::{A, B, COMPARED, ID_HASHES, NUMBER, SHARD};
use crate::distributed::links::Links;
use crate::distributed::schema::{ClusterCounts, FileCounts};
use crate::distributed::shard_job::ShardJob;
use crate::distributed::step::Step;
use crate::distributed::unit_file::GROUP;
use crate::error::Error;
use crate::numbers::{DocumentNumber, entry, narrow, set};
use crate::read::fields_seen::FieldsByPart;
use crate::read::repeated_ids::RepeatedIds;
use crate::search::places::Places;
use nearprint_index::UnionFind;
use std::cmp::Reverse;

/// Joins all links, and gives every component a shard: the largest first, each the shard with the fewest
/// documents.
///
/// Memory: a fifth of a byte a document, 9 bytes a linked document, 8 a component, and half a byte an id. Links are
/// read twice.
pub(crate) fn run(of: &ShardJob<'_>) -> Result<(), Error> {
    of.write(Step::Cluster, 0, |file| {
        let mut counts = of_files(of)?;
        let mut linked = Places::default();
        each_link(of, |_, a, b| [a, b].into_iter().for_each(|one| linked.insert(one)))?;
        let linked = linked.counted();
        let joined = linked.documents().count() as u64;
        let Some(count) = u32::try_from(joined).ok().filter(|count| *count < u32::MAX) else {
            return Err(Error::TooManyLinked { found: joined });
        };
        let sets = UnionFind::new(count);
        let place = |document| narrow(linked.place(document) as u64);
        // Whether the component of a root holds documents of different content: their features are compared.
        let mut compared = vec![false; count as usize];
        each_link(of, |links, a, b| {
            sets.union(place(a), place(b));
            if !links.are_of_content() {
                set(&mut compared, place(a) as usize, true);
            }
        })?;
        for place in 0..count {
            if entry(&compared, place as usize) {
                set(&mut compared, sets.find(place) as usize, true);
            }
        }
        let shards = shards_of(of, &sets, count, &mut counts);
        let mut rows = file.rows();
        for (place, document) in (0..).zip(linked.documents()) {
            rows.note(document.0);
            rows.push(&NUMBER, document.0)?;
            let root = sets.find(place) as usize;
            rows.push(&SHARD, entry(&shards, root).into())?;
            rows.push(&COMPARED, entry(&compared, root).into())?;
            if rows.held_bytes() >= GROUP {
                file.put(&mut rows)?;
            }
        }
        file.put(&mut rows)?;
        Ok(counts)
    })
}

/// Counts documents; checks that some row has the fields that were asked for by name; counts the ids that come
/// again.
fn of_files(of: &ShardJob<'_>) -> Result<ClusterCounts, Error> {
    let mut counts = ClusterCounts::default();
    let mut seen = FieldsByPart::default();
    let mut repeated = RepeatedIds::new(Some(&of.job.work_dir));
    for unit in 0..of.files() {
        let sketch = of.sketch(unit)?;
        let of_file: FileCounts = sketch.counts()?;
        seen.add(unit < of.job.reference, &of_file.fields);
        counts.taken.add(of_file.taken);
        counts.firsts.push(counts.documents);
        counts.documents += of_file.documents;
        for group in sketch.groups() {
            let hashes = sketch.column(group, &ID_HASHES)?;
            for row in 0..hashes.len() {
                let (hashes, _) = hashes.at(row).as_chunks::<8>();
                hashes.iter().try_for_each(|hash| repeated.push(u64::from_le_bytes(*hash)))?;
            }
        }
        of.progress.check()?;
    }
    seen.check(&of.job.reading.fields, [of.job.within, of.job.across])?;
    counts.repeated_ids = repeated.count()?;
    Ok(counts)
}

/// Hands both documents of every link to `each`, with what links they are of.
fn each_link(
    of: &ShardJob<'_>,
    mut each: impl FnMut(Links, DocumentNumber, DocumentNumber),
) -> Result<(), Error> {
    for unit in 0..of.units(Step::Join) {
        let file = of.open(Step::Join, unit)?;
        let links = Links::of(unit, of.schema.groups(), of.plan.ranges);
        for group in file.groups() {
            let (a, b) = (file.column(group, &A)?, file.column(group, &B)?);
            (0..a.len())
                .for_each(|row| each(links, DocumentNumber(a.at(row)), DocumentNumber(b.at(row))));
            of.progress.check()?;
        }
    }
    Ok(())
}

/// The shard of each component, at the place of its root.
fn shards_of(
    of: &ShardJob<'_>,
    sets: &UnionFind,
    count: u32,
    counts: &mut ClusterCounts,
) -> Vec<u32> {
    let mut sizes = vec![0_u32; count as usize];
    for place in 0..count {
        let root = sets.find(place) as usize;
        let size = entry(&sizes, root);
        set(&mut sizes, root, size + 1);
    }
    let sized = (0..).zip(&sizes).filter(|(_, size)| **size > 0);
    let mut components: Vec<(Reverse<u32>, u32)> =
        sized.map(|(root, size)| (Reverse(*size), root)).collect();
    components.sort_unstable();
    counts.components = components.len() as u64;
    counts.joined = count.into();
    counts.largest = components.first().map_or(0, |(Reverse(size), _)| (*size).into());
    let shards = packed(components.iter().map(|(Reverse(size), _)| *size), of.plan.shards);
    // From here on the shard of a root.
    for ((_, root), shard) in components.iter().zip(shards) {
        set(&mut sizes, *root as usize, shard);
    }
    sizes
}
