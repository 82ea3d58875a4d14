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
use crate::shards::unit_file::{GROUP, Rows, UnitWriter};
use std::collections::VecDeque;

/// Columns of a sketch that go along as they are.
const COPIED: [&str; 4] = ["fingerprint", "content", "worth", "id"];

/// Bytes of the documents of all shards that wait to be written, and of one beside its lists, about.
const HELD: usize = 8 * GROUP;
const OF_ROW: usize = 256;
/// Row groups of a file: Parquet numbers 32 767. A part of those that are left goes to the documents that wait at a
/// time, so that some are left however often that is.
const GROUPS: usize = 1 << 14;
const PART: usize = 32;

/// A document of a component, by the columns that it has in the file.
struct Member {
    shard: u64,
    numbers: [u64; 4],
    bytes: [Vec<u8>; 4],
    features: Vec<u8>,
}

impl Member {
    /// Bytes in memory.
    fn held_bytes(&self) -> usize {
        OF_ROW + self.features.len() + self.bytes.iter().map(Vec::len).sum::<usize>()
    }

    fn push(&self, rows: &mut Rows) {
        let [worth, number, record, state] = self.numbers;
        let [fingerprint, content, id, bands] = &self.bytes;
        rows.note(self.shard);
        rows.push(0, self.shard);
        rows.push_bytes(1, fingerprint);
        rows.push_bytes(2, content);
        rows.push(3, worth);
        rows.push_bytes(4, id);
        rows.push(5, number);
        rows.push(6, record);
        rows.push(7, state);
        rows.push_bytes(8, &self.features);
        // A file without bands has no such column.
        rows.push_bytes(9, bands);
    }
}

/// Gathers the documents of the input file of a number.
///
/// Memory: some 400 bytes a document of a component in the file, and 128 MiB.
pub(crate) fn run<const WORDS: usize>(of: &ShardJob<'_>, unit: usize) -> Result<(), Error> {
    let components = of.open(Step::Cluster, 0)?;
    let ours = of.documents_of(unit, &components.counts()?);
    let first = ours.start;
    let mut members: Vec<(u64, u64)> = Vec::new();
    for group in components.groups_of(ours.clone()) {
        let [numbers, shards] = components.columns(group, ["number", "shard"])?;
        let rows = (0..numbers.len()).filter(|row| ours.contains(&numbers.number(*row)));
        members.extend(rows.map(|row| (numbers.number(row) - first, shards.number(row))));
    }
    let sketch = of.sketch(unit)?;
    let mut waiting: VecDeque<Member> = VecDeque::new();
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
        waiting.push_back(Member {
            shard: *shard,
            features: Vec::new(),
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
        let (mut held, mut ready) = (0, Vec::new());
        let mut take = |features: Vec<u8>| {
            let Some(member) = waiting.pop_front() else { return Ok(()) };
            let member = Member { features, ..member };
            held += member.held_bytes();
            ready.push(member);
            if held < HELD {
                return Ok(());
            }
            put(&mut ready, std::mem::take(&mut held), file)
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
        put(&mut ready, held, file)?;
        Ok(members.len() as u64)
    })
}

/// Writes documents that take so many bytes in the order of their shards: row groups of a shard each, or of several
/// where that would be too many.
fn put(ready: &mut Vec<Member>, held: usize, file: &mut UnitWriter<'_>) -> Result<(), Error> {
    ready.sort_by_key(|member| member.shard);
    let most = GROUPS.saturating_sub(file.groups()) / PART + 1;
    let mut rows = file.rows();
    for of_shard in ready.chunk_by(|a, b| a.shard == b.shard) {
        if rows.held_bytes() > held / most {
            file.put(&mut rows)?;
        }
        for member in of_shard {
            member.push(&mut rows);
            if rows.held_bytes() >= GROUP {
                file.put(&mut rows)?;
            }
        }
    }
    ready.clear();
    file.put(&mut rows)
}
