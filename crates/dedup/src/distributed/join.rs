//! Links between documents: of a range of the keys of some bands, of a range of contents, or of all within the
//! radius.

use crate::distributed::codes::{code, content_of, fingerprint_of, sketch_code_of};
use crate::distributed::columns::{A, ANGLE, B, CODE, CONTENT, FINGERPRINT};
use crate::distributed::keyed::Keyed;
use crate::distributed::label_columns::Groups;
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
use crate::search::bucket::{self, BUCKET, BandScan, Parts};
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
/// Memory: 56 bytes a document of the range and 5 a band; for a radius, a fingerprint and 12 bytes a document, and the room
/// of the join. Where documents are compared within groups, 8 bytes more for each.
pub(crate) fn run(of: &ShardJob<'_>, unit: usize) -> Result<(), Error> {
    let likeness = of.job.criteria.likeness;
    of.write(Step::Join, unit, |file| match Links::of(unit, of.schema.groups(), of.plan.ranges) {
        Links::Bands(group, range) => {
            let (keyed, reference) = read(of, group, range)?;
            let (ranges, progress) = (of.plan.ranges, of.progress);
            let part = KeyRange { keyed: &keyed, reference, ranges, range, progress };
            let (number, sets) = (|row| keyed.number(row), sets(keyed.len() as u64)?);
            BandSearch(likeness).link(part, &sets)?;
            put(&sets, (keyed.len() as u64, &number), file)
        }
        Links::Content(range) => {
            let all = contents(of, range)?;
            let number = |row: u32| entry(&all, row as usize).1;
            put(&by_content(&all)?, (all.len() as u64, &number), file)
        }
        // Contents alone join.
        Links::Radius if likeness.finding() == Finding::Bytes => Ok(0),
        Links::Radius => {
            let Fingerprints { codes, numbers, groups, documents: count } = fingerprints(of)?;
            let (width, codes) = (codes.width(), codes.codes());
            let of_one = (width.words() + 1) * size_of::<u64>() + size_of::<u32>();
            let held = numbers.len() * of_one + size_of_val(&*groups);
            let room = of.job.memory.left(count, held, 2 * LEAST)?;
            let (sets, work_dir, progress) = (sets(count)?, &of.job.work_dir, of.progress);
            let mut places: Vec<u32> = (0..narrow(numbers.len() as u64)).collect();
            let group = |place: &u32| groups.get(*place as usize);
            places.sort_by_key(group);
            for places in places.chunk_by(|a, b| group(a) == group(b)) {
                let code = |place: &u32| {
                    let at = *place as usize;
                    Some(Ok((codes.get(at)?, entry(&numbers, at))))
                };
                let entries = &mut places.iter().filter_map(code);
                let part = Within { width, entries, room, work_dir, progress };
                RadiusSearch(likeness).link(part, &sets)?;
            }
            put(&sets, (count, &u64::from), file)
        }
    })
}

/// The number of documents, and the number of the document in a row.
type Numbered<'a> = (u64, &'a dyn Fn(u32) -> u64);

/// Fingerprints that are joined by distance.
struct Fingerprints {
    codes: CodeList,
    /// The number of the document of each.
    numbers: Vec<u64>,
    /// The group of each, of which alone documents are linked; none where all are of one.
    groups: Vec<u64>,
    /// The number of all documents.
    documents: u64,
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
            let groups = Groups::of(of, &sketch, group)?;
            Ok((keys, sketch.column(group, &CONTENT)?, sketch.column(group, &CODE)?, groups))
        };
        each(of, &sketch, columns, |row, (keys, contents, codes, groups)| {
            let keys = keys.at(row.at);
            if row.state == code(State::Full) && Keyed::ranged(keys, of.plan.ranges, range) {
                let content = content_of(contents.at(row.at));
                let code = sketch_code_of(codes.at(row.at));
                keyed.push(keys, content, first + row.document, code, groups.at(row.at));
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

impl KeyRange<'_> {
    /// Links the documents at these places, which have an equal key.
    fn bucket(
        &self,
        scan: &BandScan<'_>,
        places: impl ExactSizeIterator<Item = u32> + Clone,
        sets: &UnionFind,
    ) {
        let Self { keyed, reference, .. } = self;
        let is_asked = |a, b| keyed.number(a).max(keyed.number(b)) >= *reference;
        let link = |a, b| {
            if !keyed.are_equal(a, b) {
                sets.union(a, b);
            }
            Ok::<(), Infallible>(())
        };
        let Ok(()) = if places.len() > BUCKET {
            let mut firsts: Vec<u32> = places.collect();
            keyed.firsts_of_contents(&mut firsts);
            scan.links(firsts.into_iter(), is_asked, link)
        } else {
            scan.links(places, is_asked, link)
        };
    }
}

impl LinkSearch for BandSearch {
    type Part<'a> = KeyRange<'a>;

    /// Documents of equal content have links of their own: the first of them stands for the others.
    fn link(&self, of: KeyRange<'_>, sets: &UnionFind) -> Result<(), Error> {
        let scan = BandScan { codes: of.keyed.codes(), radius: self.0.sketch_radius() };
        let groups = of.keyed.groups();
        let mut parts = Parts::default();
        for band in 0..of.keyed.bands() {
            of.keyed.scatter(band, of.ranges, of.range, &mut parts)?;
            parts.parts().into_par_iter().try_for_each(|part| {
                of.progress.check()?;
                let mut by_group = Vec::new();
                bucket::scan(part, |bucket| {
                    if groups.is_empty() {
                        of.bucket(&scan, bucket.places(), sets);
                        return;
                    }
                    for group in bucket.by_group(groups, &mut by_group) {
                        of.bucket(&scan, group.iter().map(|(_, at)| *at), sets);
                    }
                });
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

/// The fingerprints that are joined by distance.
fn fingerprints(of: &ShardJob<'_>) -> Result<Fingerprints, Error> {
    let width = of.schema.width;
    let (mut codes, mut documents) = (CodeList::new(width), 0);
    let (mut numbers, mut all_groups) = (Vec::new(), Vec::new());
    let none = AnyFingerprint::zero(width);
    for unit in 0..of.files() {
        let sketch = of.sketch(unit)?;
        let column = if of.schema.angle { ANGLE } else { FINGERPRINT };
        let columns = |group| Ok((sketch.column(group, &column)?, Groups::of(of, &sketch, group)?));
        each(of, &sketch, columns, |row, (fingerprints, groups)| {
            if row.state == code(State::Full) {
                codes.push_or_zero(fingerprint_of(fingerprints.at(row.at)).unwrap_or(none));
                numbers.push(documents + row.document);
                all_groups.extend(groups.at(row.at));
            }
            Ok(())
        })?;
        documents += of.documents(&sketch)?;
    }
    Ok(Fingerprints { codes, numbers, groups: all_groups, documents })
}
