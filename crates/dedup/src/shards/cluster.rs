//! Links to connected components, and components to shards: in one process.

use crate::error::Error;
use crate::numbers::{entry, set};
use crate::read::fields_seen::FieldsSeen;
use crate::read::repeated_ids::RepeatedIds;
use crate::shards::schema::{ClusterCounts, FileCounts};
use crate::shards::shard_job::ShardJob;
use crate::shards::step::Step;
use crate::shards::unit_file::GROUP;
use nearprint_index::UnionFind;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Joins all links, and gives every component a shard: the largest first, each the shard with the fewest
/// documents.
///
/// Memory: 8 bytes a document, 8 a component, and half a byte an id.
pub(crate) fn run(of: &ShardJob<'_>) -> Result<(), Error> {
    let count = of.document_count()?;
    of.write(Step::Cluster, 0, |file| {
        let repeated_ids = of_fields_and_ids(of)?;
        let sets = UnionFind::new(count);
        for unit in 0..of.units(Step::Join) {
            let links = of.open(Step::Join, unit)?;
            for (group, _) in links.groups() {
                let [a, b] = links.columns(group, ["a", "b"])?;
                for row in 0..a.len() {
                    let [a, b] = [&a, &b].map(|cells| u32::try_from(cells.number(row)));
                    if let (Ok(a), Ok(b)) = (a, b) {
                        sets.union(a, b);
                    }
                }
                of.progress.check()?;
            }
        }
        let mut sizes = vec![0_u32; count as usize];
        for document in 0..count {
            let root = sets.find(document) as usize;
            let size = entry(&sizes, root);
            set(&mut sizes, root, size + 1);
        }
        let mut components: Vec<(Reverse<u32>, u32)> = Vec::new();
        components.extend(
            (0..)
                .zip(&sizes)
                .filter(|(_, size)| **size > 1)
                .map(|(root, size)| (Reverse(*size), root)),
        );
        components.sort_unstable();
        let mut counts = ClusterCounts {
            documents: count.into(),
            components: components.len() as u64,
            largest: components.first().map_or(0, |(Reverse(size), _)| (*size).into()),
            repeated_ids,
            ..ClusterCounts::default()
        };
        // From here on the shard of a root, from 1.
        sizes.fill(0);
        let mut shards: BinaryHeap<Reverse<(u64, u32)>> =
            (1..).take(of.plan.shards).map(|shard| Reverse((0, shard))).collect();
        for (Reverse(size), root) in components {
            if let Some(Reverse((documents, shard))) = shards.pop() {
                set(&mut sizes, root as usize, shard);
                shards.push(Reverse((documents + u64::from(size), shard)));
            }
            counts.joined += u64::from(size);
        }
        let (mut rows, mut document) = (file.rows(), 0);
        for unit in 0..of.files() {
            let end = document + of.documents(&of.sketch(unit)?)?;
            for number in document..end {
                let root = u32::try_from(number).map_or(0, |number| sets.find(number));
                if let Some(shard) = entry(&sizes, root as usize).checked_sub(1) {
                    rows.push(0, number);
                    rows.push(1, shard.into());
                }
                if rows.held_bytes() >= GROUP {
                    file.put(unit as u64, &mut rows)?;
                }
            }
            file.put(unit as u64, &mut rows)?;
            document = end;
        }
        Ok(counts)
    })
}

/// Checks that some row has the fields that were asked for by name; counts the ids that come again.
fn of_fields_and_ids(of: &ShardJob<'_>) -> Result<u64, Error> {
    let mut seen = FieldsSeen::default();
    let mut repeated = RepeatedIds::new(Some(&of.job.work_dir));
    for unit in 0..of.files() {
        let sketch = of.sketch(unit)?;
        seen.merge(&sketch.counts::<FileCounts>()?.fields);
        for (group, _) in sketch.groups() {
            let hashes = sketch.column(group, "id_hashes")?;
            for row in 0..hashes.len() {
                let (hashes, _) = hashes.bytes(row).as_chunks::<8>();
                hashes.iter().try_for_each(|hash| repeated.push(u64::from_le_bytes(*hash)))?;
            }
        }
    }
    seen.check(&of.job.reading.fields)?;
    repeated.count()
}
