//! Links between documents: of a range of the keys of some bands, of a range of contents, or of all within the
//! radius.

use crate::distributed::codes::{code, content_of, fingerprint_of, sketch_code_of};
use crate::distributed::columns::{A, ANGLE, B, CODE, CONTENT, FINGERPRINT};
use crate::distributed::keyed::Keyed;
use crate::distributed::links::{Links, range_of};
use crate::distributed::shard_job::ShardJob;
use crate::distributed::sketch_rows::each;
use crate::distributed::step::Step;
use crate::distributed::unit_file::{GROUP, UnitWriter};
use crate::error::Error;
use crate::numbers::{entry, narrow};
use crate::progress::Progress;
use crate::read::sketched::State;
use crate::search::band_search::BandSearch;
use crate::search::bucket::{self, BandScan, Bucket, Parts};
use crate::search::candidate_search::LinkSearch;
use crate::search::radius_search::{RadiusSearch, Within};
use crate::search::spilled_join::LEAST;
use nearprint_fingerprint::{AnyFingerprint, CodeList};
use nearprint_index::UnionFind;
use nearprint_rules::Finding;
use rayon::prelude::*;
use std::convert::Infallible;

/// Documents that are held before copies are left out.
const COPIES: usize = 1 << 24;

/// Finds the links of a unit: so few that they join what it joins.
///
/// Memory: 56 bytes a document of the range and 5 a band; for a radius, 12 bytes a document and the room of the
/// join.
pub(crate) fn run(of: &ShardJob<'_>, unit: usize) -> Result<(), Error> {
    let likeness = of.job.criteria.likeness;
    of.write(Step::Join, unit, |file| match Links::of(unit, of.schema.groups(), of.plan.ranges) {
        Links::Bands(group, range) => {
            let (keyed, reference) = read(of, group, range)?;
            let (ranges, progress) = (of.plan.ranges, of.progress);
            let part = KeyRange { keyed: &keyed, reference, ranges, range, progress };
            let number = |row| keyed.number(row);
            linked(&BandSearch(likeness), part, (keyed.len() as u64, &number), file)
        }
        Links::Content(range) => {
            let all = contents(of, range)?;
            let number = |row: u32| entry(&all, row as usize).1;
            put(&by_content(&all)?, (all.len() as u64, &number), file)
        }
        // Contents alone join.
        Links::Radius if likeness.finding() == Finding::Bytes => Ok(0),
        Links::Radius => {
            let (codes, numbers, count) = fingerprints(of)?;
            let (width, codes) = (codes.width(), codes.codes());
            let held = numbers.len() * (width.words() + 1) * size_of::<u64>();
            let code = |(at, number): (usize, &u64)| Some(Ok((codes.get(at)?, *number)));
            let part = Within {
                width,
                entries: &mut numbers.iter().enumerate().filter_map(code),
                room: of.job.memory.left(count, held, 2 * LEAST)?,
                work_dir: &of.job.work_dir,
                progress: of.progress,
            };
            linked(&RadiusSearch(likeness), part, (count, &u64::from), file)
        }
    })
}

/// The number of documents, and the number of the document in a row.
type Numbered<'a> = (u64, &'a dyn Fn(u32) -> u64);

/// Writes what a search links of a part of the documents; returns the number of links.
fn linked<S: LinkSearch>(
    search: &S,
    part: S::Part<'_>,
    numbered: Numbered<'_>,
    file: &mut UnitWriter<'_>,
) -> Result<u64, Error> {
    let sets = sets(numbered.0)?;
    search.link(part, &sets)?;
    put(&sets, numbered, file)
}

/// Writes each document with the first of its set; returns their number.
fn put(
    sets: &UnionFind,
    (count, number): Numbered<'_>,
    file: &mut UnitWriter<'_>,
) -> Result<u64, Error> {
    let (mut rows, mut links) = (file.rows(), 0);
    for row in 0..narrow(count) {
        let root = sets.find(row);
        if root == row {
            continue;
        }
        links += 1;
        rows.push(&A, number(root))?;
        rows.push(&B, number(row))?;
        if rows.held_bytes() >= GROUP {
            file.put(&mut rows)?;
        }
    }
    file.put(&mut rows)?;
    Ok(links)
}

/// The documents of which a key of a group of bands is in a range, and the number of those of the reference.
fn read(of: &ShardJob<'_>, group: usize, range: usize) -> Result<(Keyed, u64), Error> {
    let mut keyed = Keyed::new(of.schema.key_bytes(group));
    let column = of.schema.group(group);
    let (mut first, mut reference, mut most) = (0, 0, COPIES);
    for unit in 0..of.files() {
        let sketch = of.sketch(unit)?;
        let columns = |group| {
            let keys = sketch.column(group, &column)?;
            Ok((keys, sketch.column(group, &CONTENT)?, sketch.column(group, &CODE)?))
        };
        each(of, &sketch, columns, |row, (keys, contents, codes)| {
            let keys = keys.at(row.at);
            if row.state == code(State::Full) && Keyed::ranged(keys, of.plan.ranges, range) {
                let content = content_of(contents.at(row.at));
                let code = sketch_code_of(codes.at(row.at));
                keyed.push(keys, content, first + row.document, code);
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

/// Documents whose keys in some bands are in a range.
pub(crate) struct KeyRange<'a> {
    keyed: &'a Keyed,
    /// The number of documents of the reference, of which no two are linked.
    reference: u64,
    ranges: usize,
    range: usize,
    progress: &'a Progress,
}

impl LinkSearch for BandSearch {
    type Part<'a> = KeyRange<'a>;

    /// Documents of equal content have links of their own: the first of them stands for the others.
    fn link(&self, of: KeyRange<'_>, sets: &UnionFind) -> Result<(), Error> {
        let KeyRange { keyed, reference, ranges, range, progress } = of;
        let is_asked = |a, b| keyed.number(a).max(keyed.number(b)) >= reference;
        let link = |a, b| {
            if !keyed.are_equal(a, b) {
                sets.union(a, b);
            }
            Ok::<(), Infallible>(())
        };
        let scan = BandScan { codes: keyed.codes(), radius: self.0.sketch_radius() };
        let links = |bucket: Bucket<'_>| {
            let Ok(()) = if bucket.is_crowded() {
                let mut firsts: Vec<u32> = bucket.places().collect();
                keyed.firsts_of_contents(&mut firsts);
                scan.links(firsts.into_iter(), is_asked, link)
            } else {
                scan.links(bucket.places(), is_asked, link)
            };
        };
        let mut parts = Parts::new();
        for band in 0..keyed.bands() {
            keyed.scatter(band, ranges, range, &mut parts);
            parts.parts().into_par_iter().try_for_each(|part| {
                progress.check()?;
                bucket::scan(part, links);
                Ok::<(), Error>(())
            })?;
        }
        Ok(())
    }
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

/// The fingerprints that are joined by distance, the number of the document of each, and that of all documents.
fn fingerprints(of: &ShardJob<'_>) -> Result<(CodeList, Vec<u64>, u64), Error> {
    let width = of.schema.width;
    let (mut joined, mut numbers, mut count) = (CodeList::new(width), Vec::new(), 0);
    let none = AnyFingerprint::zero(width);
    for unit in 0..of.files() {
        let sketch = of.sketch(unit)?;
        let column = if of.schema.angle { ANGLE } else { FINGERPRINT };
        let codes = |group| sketch.column(group, &column);
        each(of, &sketch, codes, |row, codes| {
            if row.state == code(State::Full) {
                joined.push_or_zero(fingerprint_of(codes.at(row.at)).unwrap_or(none));
                numbers.push(count + row.document);
            }
            Ok(())
        })?;
        count += of.documents(&sketch)?;
    }
    Ok((joined, numbers, count))
}
