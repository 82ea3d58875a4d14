//! Links between documents: of a range of the keys of a band, of a range of contents, or of all within the radius.

use crate::disk::spilled_join::{LEAST, SpilledJoin};
use crate::error::Error;
use crate::matching::band_join::BUCKET;
use crate::numbers::{entry, narrow};
use crate::read::sketched::State;
use crate::shards::codes::{code, content_of, fingerprint_of};
use crate::shards::links::{Links, range_of};
use crate::shards::schema::band_name;
use crate::shards::shard_job::ShardJob;
use crate::shards::sketch_rows::each;
use crate::shards::step::Step;
use crate::shards::unit_file::{GROUP, UnitWriter};
use nearprint_fingerprint::Fingerprint;
use nearprint_index::UnionFind;
use rayon::prelude::*;

/// Documents that are collected before copies are left out.
const SORTED: usize = 1 << 20;

/// A document in a band.
#[derive(Clone, Copy, Debug, Default)]
struct Keyed<const WORDS: usize> {
    key: u64,
    content: u128,
    number: u32,
    code: Fingerprint<WORDS>,
}

/// Finds the links of a unit: so few that they join what it joins.
///
/// Memory: some 50 bytes a document of the range; for a radius, 4 bytes a document and the room of the join.
pub(crate) fn run<const WORDS: usize>(of: &ShardJob<'_>, unit: usize) -> Result<(), Error> {
    of.write(Step::Join, unit, |file| {
        let (sets, numbers) = match Links::of(unit, of.schema.shape, of.plan.ranges) {
            Links::Band(band, range) => by_band::<WORDS>(of, band, range)?,
            Links::Content(range) => by_content(of, range)?,
            Links::Radius => by_radius::<WORDS>(of)?,
        };
        put(&sets, &numbers, file)
    })
}

/// Writes each document with the first of its set; returns their number.
fn put(sets: &UnionFind, numbers: &[u32], file: &mut UnitWriter<'_>) -> Result<u64, Error> {
    let (mut rows, mut links) = (file.rows(), 0);
    for (at, number) in (0..).zip(numbers) {
        let root = sets.find(at);
        if root == at {
            continue;
        }
        links += 1;
        rows.push(0, entry(numbers, root as usize).into());
        rows.push(1, (*number).into());
        if rows.held_bytes() >= GROUP {
            file.put(0, &mut rows)?;
        }
    }
    file.put(0, &mut rows)?;
    Ok(links)
}

/// Documents that agree in a band: as in `BandJoin`, with those of equal content as one.
fn by_band<const WORDS: usize>(
    of: &ShardJob<'_>,
    band: u32,
    range: usize,
) -> Result<(UnionFind, Vec<u32>), Error> {
    let mut all: Vec<Keyed<WORDS>> = Vec::new();
    let name = band_name(band);
    let (mut first, mut most) = (0, SORTED);
    for unit in 0..of.files() {
        let sketch = of.sketch(unit)?;
        each(of, &sketch, [&name, "content", "fingerprint"], |row, [keys, contents, codes]| {
            let key = keys.bytes(row.at);
            let ours = key.last().is_some_and(|byte| range_of(*byte, of.plan.ranges) == range);
            if ours && row.state == code(State::Full) {
                all.push(Keyed {
                    key: key.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)),
                    content: content_of(contents.bytes(row.at)),
                    number: narrow(first + row.document),
                    code: fingerprint_of(codes.bytes(row.at)),
                });
            }
            if all.len() >= most {
                without_copies(&mut all);
                most = SORTED.max(2 * all.len());
            }
            Ok(())
        })?;
        first += of.documents(&sketch)?;
    }
    without_copies(&mut all);
    let sets = UnionFind::new(narrow(all.len() as u64));
    let (reference, radius) = (of.reference()?, of.job.criteria.likeness.k());
    let mut start = 0;
    for bucket in all.chunk_by(|a, b| a.key == b.key) {
        of.progress.check()?;
        let places = start..start + narrow(bucket.len() as u64);
        start = places.end;
        if bucket.len() > BUCKET {
            places.clone().for_each(|place| sets.union(places.start, place));
            continue;
        }
        for (place, a) in places.clone().zip(bucket) {
            for (other, b) in places.clone().zip(bucket).skip((place - places.start) as usize + 1) {
                let compared = u64::from(a.number.max(b.number)) >= reference;
                if compared && a.code.distance(&b.code) <= radius {
                    sets.union(place, other);
                }
            }
        }
    }
    Ok((sets, all.iter().map(|one| one.number).collect()))
}

/// Sorts documents by key, and leaves of those with equal content the first.
fn without_copies<const WORDS: usize>(all: &mut Vec<Keyed<WORDS>>) {
    all.par_sort_unstable_by_key(|one| (one.key, one.content, one.number));
    all.dedup_by_key(|one| (one.key, one.content));
}

/// Documents of equal content, short ones too.
fn by_content(of: &ShardJob<'_>, range: usize) -> Result<(UnionFind, Vec<u32>), Error> {
    let mut all: Vec<(u128, u32)> = Vec::new();
    let mut first = 0;
    for unit in 0..of.files() {
        let sketch = of.sketch(unit)?;
        each(of, &sketch, ["content"], |row, [contents]| {
            let content = contents.bytes(row.at);
            let ours = content.first().is_some_and(|byte| range_of(*byte, of.plan.ranges) == range);
            if ours && row.state != code(State::Apart) {
                all.push((content_of(content), narrow(first + row.document)));
            }
            Ok(())
        })?;
        first += of.documents(&sketch)?;
    }
    all.par_sort_unstable();
    let sets = UnionFind::new(narrow(all.len() as u64));
    for ((place, one), other) in (0..).zip(&all).zip(all.iter().skip(1)) {
        if one.0 == other.0 {
            sets.union(place, place + 1);
        }
    }
    Ok((sets, all.into_iter().map(|(_, number)| number).collect()))
}

/// All documents within the radius of each other.
fn by_radius<const WORDS: usize>(of: &ShardJob<'_>) -> Result<(UnionFind, Vec<u32>), Error> {
    let count = of.document_count()?;
    let sets = UnionFind::new(count);
    let (mut entries, mut first) = (Vec::new(), 0);
    for unit in 0..of.files() {
        let sketch = of.sketch(unit)?;
        each(of, &sketch, ["fingerprint"], |row, [codes]| {
            if row.state == code(State::Full) {
                let code: Fingerprint<WORDS> = fingerprint_of(codes.bytes(row.at));
                entries.push((code, first + row.document));
            }
            Ok(())
        })?;
        first += of.documents(&sketch)?;
    }
    let held = size_of_val(&*entries);
    let room = of.job.memory.left(count.into(), held, 2 * LEAST)?;
    let join = SpilledJoin::new(of.job.criteria.likeness.k(), room, &of.job.work_dir)?;
    join.stopped_by(of.progress).run(entries.into_iter().map(Ok), |pair| {
        sets.union(narrow(pair.a), narrow(pair.b));
    })?;
    Ok((sets, (0..count).collect()))
}
