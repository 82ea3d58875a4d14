//! The documents of components of one input file, with their features, by shard: the file is read once more.

use crate::error::Error;
use crate::matching::features::FeatureSource as _;
use crate::matching::reread::Reread;
use crate::numbers::DocumentNumber;
use crate::read::input::{FirstReading, Input, Reference};
use crate::shards::cells::Cells;
use crate::shards::schema::FileCounts;
use crate::shards::shard_job::ShardJob;
use crate::shards::sketch_rows::each;
use crate::shards::step::Step;
use crate::shards::unit_file::{GROUP, Rows};
use std::collections::{BTreeMap, VecDeque};

/// Columns of a sketch that go along as they are.
const COPIED: [&str; 4] = ["fingerprint", "content", "worth", "id"];

/// Bytes of the rows of all shards that wait, and of a row beside its lists, about.
const HELD: usize = 8 * GROUP;
const OF_ROW: usize = 96;

/// A document that waits for its features.
struct Waiting {
    shard: u64,
    numbers: [u64; 4],
    bytes: [Vec<u8>; 4],
}

/// Gathers the documents of the input file of a number.
///
/// Memory: some 400 bytes a document of a component in the file, and 128 MiB.
pub(crate) fn run<const WORDS: usize>(of: &ShardJob<'_>, unit: usize) -> Result<(), Error> {
    let components = of.open(Step::Cluster, 0)?;
    let first = of.first_document(unit)?;
    let mut members: Vec<(u64, u64)> = Vec::new();
    for (group, _) in components.groups().filter(|(_, file)| *file == unit as u64) {
        let [numbers, shards] = components.columns(group, ["number", "shard"])?;
        let rows = 0..numbers.len();
        members.extend(rows.map(|row| (numbers.number(row) - first, shards.number(row))));
    }
    let sketch = of.sketch(unit)?;
    let mut waiting: VecDeque<Waiting> = VecDeque::new();
    let mut coming = members.iter().peekable();
    let (mut group_at, mut band_cells) = (usize::MAX, Vec::new());
    let left_out = each(of, &sketch, COPIED, |row, cells: &[Cells; 4]| {
        let Some((_, shard)) = coming.next_if(|(document, _)| *document == row.document) else {
            return Ok(());
        };
        if row.group != group_at {
            band_cells.clear();
            for group in 0..of.schema.groups() {
                band_cells.push(sketch.column(row.group, &of.schema.group_name(group))?);
            }
            group_at = row.group;
        }
        let [fingerprint, content, worth, id] = cells;
        let bands = band_cells.iter().flat_map(|cells: &Cells| cells.bytes(row.at)).copied();
        waiting.push_back(Waiting {
            shard: *shard,
            numbers: [worth.number(row.at), first + row.document, row.record, row.state],
            bytes: [
                fingerprint.bytes(row.at).to_vec(),
                content.bytes(row.at).to_vec(),
                id.bytes(row.at).to_vec(),
                bands.collect(),
            ],
        });
        Ok(())
    })?;
    of.write(Step::Gather, unit, |file| {
        let mut shards: BTreeMap<u64, Rows> = BTreeMap::new();
        let mut held = 0;
        let mut take = |keys: Vec<u8>| {
            let Some(Waiting { shard, numbers, bytes }) = waiting.pop_front() else {
                return Ok(());
            };
            let rows = shards.entry(shard).or_insert_with(|| file.rows());
            let [worth, number, record, state] = numbers;
            let [fingerprint, content, id, bands] = bytes;
            rows.push_bytes(0, &fingerprint);
            rows.push_bytes(1, &content);
            rows.push(2, worth);
            rows.push_bytes(3, &id);
            rows.push(4, number);
            rows.push(5, record);
            rows.push(6, state);
            rows.push_bytes(7, &keys);
            if of.schema.shape.is_some() {
                rows.push_bytes(8, &bands);
            }
            held += OF_ROW + keys.len() + bands.len() + id.len();
            if held < HELD {
                return Ok(());
            }
            held = 0;
            shards.iter_mut().try_for_each(|(shard, rows)| file.put(*shard, rows))
        };
        if of.job.criteria.likeness.verify().is_checked() && !members.is_empty() {
            let documents: Vec<_> =
                members.iter().map(|(document, _)| DocumentNumber(*document)).collect();
            let counts: FileCounts = sketch.counts()?;
            let (reference, checksum) = (Reference::default(), counts.checksum);
            let reread: Reread<'_, WORDS> = Reread {
                input: Input { reading: &of.job.reading, sources: of.source(unit), reference: 0 },
                first: FirstReading { left_out: &left_out, reference, checksum },
            };
            let pack =
                |keys: &[u64]| keys.iter().flat_map(|key| key.to_le_bytes()).collect::<Vec<u8>>();
            reread.features(&documents, of.progress, pack, take)?;
        } else {
            (0..members.len()).try_for_each(|_| take(Vec::new()))?;
        }
        for (shard, rows) in &mut shards {
            file.put(*shard, rows)?;
        }
        Ok(members.len() as u64)
    })
}
