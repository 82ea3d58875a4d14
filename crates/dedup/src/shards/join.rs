//! Links between documents: of a range of the keys of some bands, of a range of contents, or of all within the
//! radius.

use crate::disk::spilled_join::{LEAST, SpilledJoin};
use crate::error::Error;
use crate::matching::bucket::{self, BandScan, Parts};
use crate::numbers::{entry, narrow};
use crate::read::sketched::State;
use crate::shards::codes::{code, content_of, fingerprint_of};
use crate::shards::columns::{A, ANGLE, B, CONTENT, FINGERPRINT};
use crate::shards::keyed::Keyed;
use crate::shards::links::{Links, range_of};
use crate::shards::shard_job::ShardJob;
use crate::shards::sketch_rows::each;
use crate::shards::step::Step;
use crate::shards::unit_file::{GROUP, UnitWriter};
use nearprint_fingerprint::Fingerprint;
use nearprint_index::UnionFind;
use rayon::prelude::*;
use std::convert::Infallible;

/// Documents that are held before copies are left out.
const COPIES: usize = 1 << 24;

/// Finds the links of a unit: so few that they join what it joins.
///
/// Memory: 56 bytes a document of the range and 5 a band; for a radius, 12 bytes a document and the room of the
/// join.
pub(crate) fn run<const WORDS: usize>(of: &ShardJob<'_>, unit: usize) -> Result<(), Error> {
    of.write(Step::Join, unit, |file| match Links::of(unit, of.schema.groups(), of.plan.ranges) {
        Links::Bands(group, range) => {
            let (keyed, reference) = read::<WORDS>(of, group, range)?;
            put(&by_bands(of, &keyed, reference, range)?, &keyed.numbers, file)
        }
        Links::Content(range) => {
            let all = contents(of, range)?;
            let numbers: Vec<u64> = all.iter().map(|(_, number)| *number).collect();
            put(&by_content(&all)?, &numbers, file)
        }
        Links::Radius => {
            let (sets, count) = by_radius::<WORDS>(of)?;
            put(&sets, &(0..count).collect::<Vec<u64>>(), file)
        }
    })
}

/// Writes each document with the first of its set; returns their number.
fn put(sets: &UnionFind, numbers: &[u64], file: &mut UnitWriter<'_>) -> Result<u64, Error> {
    let (mut rows, mut links) = (file.rows(), 0);
    for (row, number) in (0..).zip(numbers) {
        let root = sets.find(row);
        if root == row {
            continue;
        }
        links += 1;
        rows.push(&A, entry(numbers, root as usize))?;
        rows.push(&B, *number)?;
        if rows.held_bytes() >= GROUP {
            file.put(&mut rows)?;
        }
    }
    file.put(&mut rows)?;
    Ok(links)
}

/// The documents of which a key of a group of bands is in a range, and the number of those of the reference.
fn read<const WORDS: usize>(
    of: &ShardJob<'_>,
    group: usize,
    range: usize,
) -> Result<(Keyed<WORDS>, u64), Error> {
    let mut keyed = Keyed::new(of.schema.key_bytes(group));
    let column = of.schema.group(group);
    let (mut first, mut reference, mut most) = (0, 0, COPIES);
    for unit in 0..of.files() {
        let sketch = of.sketch(unit)?;
        let columns = |group| {
            let keys = sketch.column(group, &column)?;
            Ok((keys, sketch.column(group, &CONTENT)?, sketch.column(group, &FINGERPRINT)?))
        };
        each(of, &sketch, columns, |row, (keys, contents, codes)| {
            let keys = keys.at(row.at);
            if row.state == code(State::Full) && Keyed::<WORDS>::ranged(keys, of.plan.ranges, range)
            {
                let content = content_of(contents.at(row.at));
                keyed.push(keys, content, first + row.document, fingerprint_of(codes.at(row.at)));
            }
            if keyed.len() >= most {
                keyed.leave_out_copies();
                most = COPIES.max(2 * keyed.len());
            }
            Ok(())
        })?;
        first += of.documents(&sketch)?;
        if unit < of.job.reference {
            reference = first;
        }
    }
    Ok((keyed, reference))
}

/// Documents that agree in a band: what a search by bands joins, with those of equal content as one.
fn by_bands<const WORDS: usize>(
    of: &ShardJob<'_>,
    keyed: &Keyed<WORDS>,
    reference: u64,
    range: usize,
) -> Result<UnionFind, Error> {
    let sets = sets(keyed.len() as u64)?;
    let radius = of.job.criteria.likeness.k();
    let scan = BandScan { codes: keyed.codes(), radius };
    // Documents of equal content have links of their own.
    let is_asked = |a, b| keyed.number(a).max(keyed.number(b)) >= reference;
    let link = |a, b| {
        if !keyed.are_equal(a, b) {
            sets.union(a, b);
        }
        Ok::<(), Infallible>(())
    };
    let mut parts = Parts::new();
    for band in 0..keyed.bands() {
        keyed.scatter(band, of.plan.ranges, range, &mut parts);
        parts.parts().into_par_iter().try_for_each(|part| {
            of.progress.check()?;
            bucket::scan(part, |bucket| {
                let Ok(()) = if bucket.is_crowded() {
                    let mut firsts: Vec<u32> = bucket.places().collect();
                    keyed.firsts_of_contents(&mut firsts);
                    scan.links(firsts.into_iter(), is_asked, link)
                } else {
                    scan.links(bucket.places(), is_asked, link)
                };
            });
            Ok::<(), Error>(())
        })?;
    }
    Ok(sets)
}

/// The contents in a range, those of short documents too, each with its document: sorted.
fn contents(of: &ShardJob<'_>, range: usize) -> Result<Vec<(u128, u64)>, Error> {
    let mut all: Vec<(u128, u64)> = Vec::new();
    let mut first = 0;
    for unit in 0..of.files() {
        let sketch = of.sketch(unit)?;
        each(
            of,
            &sketch,
            |group| sketch.column(group, &CONTENT),
            |row, contents| {
                let content = contents.at(row.at);
                let ours =
                    content.first().is_some_and(|byte| range_of(*byte, of.plan.ranges) == range);
                if ours && row.state != code(State::Apart) {
                    all.push((content_of(content), first + row.document));
                }
                Ok(())
            },
        )?;
        first += of.documents(&sketch)?;
    }
    all.par_sort_unstable();
    Ok(all)
}

/// Documents of equal content.
fn by_content(all: &[(u128, u64)]) -> Result<UnionFind, Error> {
    let sets = sets(all.len() as u64)?;
    for ((place, one), other) in (0..).zip(all).zip(all.iter().skip(1)) {
        if one.0 == other.0 {
            sets.union(place, place + 1);
        }
    }
    Ok(sets)
}

/// A set for each of so many documents of a unit.
fn sets(found: u64) -> Result<UnionFind, Error> {
    match found < u64::from(u32::MAX) {
        true => Ok(UnionFind::new(narrow(found))),
        false => Err(Error::TooManyDocuments { found }),
    }
}

/// All documents within the radius of each other, and their number.
fn by_radius<const WORDS: usize>(of: &ShardJob<'_>) -> Result<(UnionFind, u64), Error> {
    let (mut entries, mut count) = (Vec::new(), 0);
    for unit in 0..of.files() {
        let sketch = of.sketch(unit)?;
        let column = if of.schema.angle { ANGLE } else { FINGERPRINT };
        each(
            of,
            &sketch,
            |group| sketch.column(group, &column),
            |row, codes| {
                if row.state == code(State::Full) {
                    let code: Fingerprint<WORDS> = fingerprint_of(codes.at(row.at));
                    entries.push((code, count + row.document));
                }
                Ok(())
            },
        )?;
        count += of.documents(&sketch)?;
    }
    let sets = sets(count)?;
    let held = size_of_val(&*entries);
    let room = of.job.memory.left(count, held, 2 * LEAST)?;
    let join = SpilledJoin::new(of.job.criteria.likeness.k(), room, &of.job.work_dir)?;
    join.stopped_by(of.progress).run(entries.into_iter().map(Ok), |pair| {
        sets.union(narrow(pair.a), narrow(pair.b));
    })?;
    Ok((sets, count))
}
