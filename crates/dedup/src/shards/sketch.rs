//! The first reading of one input file: what the stages behind it know of its records.

use crate::error::Error;
use crate::read::sketched::State;
use crate::read::sketched_batch::SketchedBatch;
use crate::read::source_counts::SourceCounts;
use crate::shards::codes::{bytes_of, code};
use crate::shards::schema::{FileCounts, SKETCH};
use crate::shards::shard_job::ShardJob;
use crate::shards::step::Step;
use crate::shards::unit_file::{GROUP, Rows};
use nearprint_fingerprint::mix64;

/// Reads the input file of a number.
pub(crate) fn run(of: &ShardJob<'_>, unit: usize) -> Result<(), Error> {
    let job = of.job;
    let task = of.groundwork_task();
    of.write(Step::Sketch, unit, |file| {
        let (mut rows, mut counts) = (file.rows(), FileCounts::default());
        let mut sources: Vec<SourceCounts> = Vec::new();
        let mut take = |batch: SketchedBatch| {
            take(&batch, of, &mut rows);
            counts.counts.add(&batch);
            counts.checksum = mix64(counts.checksum ^ batch.checksum);
            SourceCounts::add(&mut sources, &batch, job.criteria.featureless);
            if rows.held_bytes() < GROUP { Ok(()) } else { file.put(&mut rows) }
        };
        let source = of.source(unit);
        let seen = job.reading.sketches_seen(&task, source, of.progress, &mut take)?;
        counts.fields = seen;
        counts.documents = sources.first().map_or(0, |counts| counts.numbered);
        file.put(&mut rows)?;
        Ok(counts)
    })
}

/// Appends the rows of a batch.
fn take(batch: &SketchedBatch, of: &ShardJob<'_>, rows: &mut Rows) {
    let keep = of.job.criteria.keep;
    let hashes: Vec<u8> = batch.id_hashes.iter().flat_map(|hash| hash.to_le_bytes()).collect();
    let mut hashes = hashes.as_slice();
    let compared = of.schema.compared();
    let bytes: usize = compared.iter().map(|(_, bytes)| bytes).sum();
    let mut bands = batch.bands.chunks_exact(bytes.max(1));
    for (outcome, id) in batch.iter() {
        rows.push(0, code(outcome.state));
        rows.push_bytes(1, &bytes_of(&outcome.fingerprint));
        rows.push_bytes(2, &outcome.content_hash.to_be_bytes());
        rows.push(3, keep.worth(outcome.length, outcome.score).unwrap_or(0));
        rows.push_bytes(4, if of.named { id.as_bytes() } else { &[] });
        // Those of a batch are in its first row.
        rows.push_bytes(5, std::mem::take(&mut hashes));
        rows.push(6, if let State::Exact(short) = outcome.state { short } else { 0 });
        let mut bands = bands.next().unwrap_or_default();
        for (column, (_, bytes)) in (SKETCH..).zip(&compared) {
            let (keys, rest) = bands.split_at_checked(*bytes).unwrap_or_default();
            rows.push_bytes(column, keys);
            bands = rest;
        }
    }
}
