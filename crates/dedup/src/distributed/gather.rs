//! The documents of components of one input file, with their features, by shard: the file is read once more.

use crate::distributed::cells::Column;
use crate::distributed::columns::{
    COMPARED, CONTENT, FEATURES, FINGERPRINT, ID, NUMBER, RECORD, SHARD, STATE,
};
use crate::distributed::label_columns::LabelColumns;
use crate::distributed::schema::{FileCounts, Schema};
use crate::distributed::shard_job::ShardJob;
use crate::distributed::sketch_rows::each;
use crate::distributed::step::Step;
use crate::distributed::unit_file::{GROUP, Rows, UnitWriter};
use crate::distributed::worths::Worths;
use crate::error::Error;
use crate::numbers::DocumentNumber;
use crate::read::input::{FirstReading, Input, Reference};
use crate::search::features::{FeatureSource as _, packed};
use crate::search::reread::Reread;
use std::collections::VecDeque;

/// Bytes of the documents of all shards that wait to be written, and of one beside its lists, about.
const HELD: usize = 8 * GROUP;
const OF_ROW: usize = 256;
/// Bytes of a content.
const OF_CONTENT: usize = 16;
/// Row groups of a file: Parquet numbers 32 767. A part of those that are left goes to the documents that wait at a
/// time, so that some are left however often that is.
const GROUPS: usize = 1 << 14;
const PART: usize = 32;

/// A document of a component, by the columns that it has in the file.
struct Member {
    shard: u64,
    /// Whether its features may be compared with those of others.
    compared: bool,
    worths: Vec<u128>,
    number: u64,
    record: u64,
    state: u64,
    /// Its fingerprint, its content and its bands.
    sketch: Vec<u8>,
    id: String,
    labels: Vec<Option<String>>,
    features: Vec<u8>,
}

/// The columns of members that a job decides about.
struct Further {
    bands: Option<Column<[u8]>>,
    labels: Vec<Column<str>>,
    worths: Vec<Column<u64>>,
}

impl Member {
    /// Bytes in memory.
    fn held_bytes(&self) -> usize {
        let labels = self.labels.iter().map(|label| label.as_ref().map_or(0, String::len));
        let labels = labels.sum::<usize>() + size_of_val(&*self.labels);
        OF_ROW + self.features.len() + self.sketch.len() + self.id.len() + labels
    }

    /// Appends it to rows.
    fn push(
        &self,
        schema: Schema,
        Further { bands, labels, worths }: &Further,
        rows: &mut Rows,
    ) -> Result<(), Error> {
        let part = |range| self.sketch.get(range).unwrap_or_default();
        let of_code = 8 * schema.width.words();
        let of_sketch = of_code + OF_CONTENT;
        rows.note(self.shard);
        rows.push(&SHARD, self.shard)?;
        rows.push(&FINGERPRINT, part(0..of_code))?;
        rows.push(&CONTENT, part(of_code..of_sketch))?;
        Worths::push(self.worths.iter().copied(), worths, rows)?;
        rows.push(&ID, &self.id)?;
        rows.push(&NUMBER, self.number)?;
        rows.push(&RECORD, self.record)?;
        rows.push(&STATE, self.state)?;
        rows.push(&FEATURES, &self.features)?;
        if let Some(bands) = bands {
            rows.push(bands, part(of_sketch..self.sketch.len()))?;
        }
        LabelColumns::push(self.labels.iter().map(Option::as_deref), labels, rows)
    }
}

/// Gathers the documents of the input file of a number.
///
/// Memory: some 400 bytes a document of a component in the file, and 128 MiB.
pub(crate) fn run(of: &ShardJob<'_>, unit: usize) -> Result<(), Error> {
    let components = of.open(Step::Cluster, 0)?;
    let ours = of.documents_of(unit, &components.counts()?);
    let first = ours.start;
    let mut members: Vec<(u64, u64, bool)> = Vec::new();
    for group in components.groups_of(ours.clone()) {
        let numbers = components.column(group, &NUMBER)?;
        let shards = components.column(group, &SHARD)?;
        let compared = components.column(group, &COMPARED)?;
        let rows = (0..numbers.len()).filter(|row| ours.contains(&numbers.at(*row)));
        members.extend(
            rows.map(|row| (numbers.at(row) - first, shards.at(row), compared.at(row) == 1)),
        );
    }
    let sketch = of.sketch(unit)?;
    let mut waiting: VecDeque<Member> = VecDeque::new();
    let mut coming = members.iter().peekable();
    let compared = of.schema.compared();
    let (mut group_at, mut bands) = (usize::MAX, Vec::new());
    let columns = |group| {
        let (codes, contents) =
            (sketch.column(group, &FINGERPRINT)?, sketch.column(group, &CONTENT)?);
        let worths = Worths::of(&sketch, group, of.schema)?;
        let labels = LabelColumns::of(&sketch, group, of.schema)?;
        Ok((codes, contents, worths, sketch.column(group, &ID)?, labels))
    };
    let left_out = each(of, &sketch, columns, |row, (codes, contents, worths, ids, labels)| {
        let ours = coming.next_if(|(document, ..)| *document == row.document);
        let Some((_, shard, is_compared)) = ours else {
            return Ok(());
        };
        if row.group != group_at {
            bands.clear();
            for (column, _) in &compared {
                bands.push(sketch.column(row.group, column)?);
            }
            group_at = row.group;
        }
        let parts = [codes, contents].into_iter().chain(&bands);
        let parts: Vec<&[u8]> = parts.map(|values| values.at(row.at)).collect();
        waiting.push_back(Member {
            shard: *shard,
            compared: *is_compared,
            features: Vec::new(),
            worths: worths.at(row.at).collect(),
            number: first + row.document,
            record: row.record,
            state: row.state,
            sketch: parts.concat(),
            id: ids.at(row.at).to_owned(),
            labels: labels.at(row.at).map(|label| label.map(str::to_owned)).collect(),
        });
        Ok(())
    })?;
    of.write(Step::Gather, unit, |file| {
        let (mut held, mut ready) = (0, Vec::new());
        let mut push = |member: Member| {
            held += member.held_bytes();
            ready.push(member);
            if held < HELD {
                return Ok(());
            }
            put(&mut ready, std::mem::take(&mut held), of, file)
        };
        let is_checked = of.job.criteria.likeness.verify().is_checked();
        let compared = members.iter().filter(|(.., compared)| is_checked && *compared);
        let documents: Vec<_> = compared.map(|(document, ..)| DocumentNumber(*document)).collect();
        if !documents.is_empty() {
            let counts: FileCounts = sketch.counts()?;
            let (reference, checksum) = (Reference::default(), counts.checksum);
            let reread: Reread<'_> = Reread {
                input: Input { reading: &of.job.reading, sources: of.source(unit), reference: 0 },
                first: FirstReading { left_out: &left_out, reference, checksum },
            };
            let weighs = of.job.check()?.weighs();
            let mut member_of = |features| {
                while waiting.front().is_some_and(|member| !member.compared)
                    && let Some(member) = waiting.pop_front()
                {
                    push(member)?;
                }
                waiting.pop_front().map_or(Ok(()), |member| push(Member { features, ..member }))
            };
            reread.features(
                &documents,
                weighs,
                of.progress,
                |lists| lists.map(|list| packed(&list).collect()).collect(),
                |some: Vec<Vec<u8>>| some.into_iter().try_for_each(&mut member_of),
            )?;
        }
        waiting.into_iter().try_for_each(&mut push)?;
        put(&mut ready, held, of, file)?;
        Ok(members.len() as u64)
    })
}

/// Writes documents that take so many bytes in the order of their shards: row groups of a shard each, or of several
/// where that would be too many.
fn put(
    ready: &mut Vec<Member>,
    held: usize,
    of: &ShardJob<'_>,
    file: &mut UnitWriter<'_>,
) -> Result<(), Error> {
    ready.sort_by_key(|member| member.shard);
    let most = GROUPS.saturating_sub(file.groups()) / PART + 1;
    let schema = of.schema;
    let further = Further {
        bands: schema.bands_column(),
        labels: schema.labels(),
        worths: Worths::columns(schema),
    };
    let mut rows = file.rows();
    for of_shard in ready.chunk_by(|a, b| a.shard == b.shard) {
        if rows.held_bytes() > held / most {
            file.put(&mut rows)?;
        }
        for member in of_shard {
            member.push(schema, &further, &mut rows)?;
            if rows.held_bytes() >= GROUP {
                file.put(&mut rows)?;
            }
        }
    }
    ready.clear();
    file.put(&mut rows)
}
