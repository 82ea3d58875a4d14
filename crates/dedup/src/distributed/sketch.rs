//! The first reading of one input file: what the stages behind it know of its records.

use crate::distributed::codes::{bytes_of, bytes_of_sketch_code, code};
use crate::distributed::columns::{CODE, CONTENT, FINGERPRINT, ID, ID_HASHES, SHORT, STATE};
use crate::distributed::label_columns::LabelColumns;
use crate::distributed::schema::FileCounts;
use crate::distributed::shard_job::ShardJob;
use crate::distributed::step::Step;
use crate::distributed::unit_file::{GROUP, Rows};
use crate::distributed::worths::Worths;
use crate::error::Error;
use crate::read::sketched::State;
use crate::read::sketched_batch::SketchedBatch;
use crate::read::source_counts::SourceCounts;
use crate::write::annotation::Annotation;
use crate::write::copies::{Copies, with_copies};
use crate::write::note::Note;
use crate::write::note_names::Taken;
use nearprint_corpus::Score;
use nearprint_fingerprint::mix64;

/// Reads the input file of a number.
pub(crate) fn run(of: &ShardJob<'_>, unit: usize) -> Result<(), Error> {
    let job = of.job;
    let task = of.reading_task();
    of.write(Step::Sketch, unit, |file| {
        let (mut rows, mut counts) = (file.rows(), FileCounts::default());
        let mut sources: Vec<SourceCounts> = Vec::new();
        let mut take = |batch: SketchedBatch| {
            take(&batch, of, &mut rows)?;
            counts.counts.add(&batch);
            counts.checksum = mix64(counts.checksum ^ batch.checksum);
            SourceCounts::add(&mut sources, &batch, job.criteria.featureless);
            if rows.held_bytes() < GROUP { Ok(()) } else { file.put(&mut rows) }
        };
        let source = of.source(unit);
        let (asked, options) = (&job.outputs, job.reading.options);
        let notes = unit >= job.reference && (asked.annotate || asked.notes_copies());
        let (seen, few) =
            job.reading.sketches_seen(&task, (source, 0), notes, of.progress, None, &mut take)?;
        if seen.ours.noted {
            counts.taken = match asked.annotate {
                true => Taken::of(Note::form(), source, options),
                false => with_copies!(asked, job.count_by.is_some() => BY, WEIGHS, {
                    Taken::of(Copies::<BY, WEIGHS>::form(), source, options)
                }),
            };
        }
        (counts.fields, counts.counts.few_documents) = (seen.ours, few.ours);
        counts.documents = sources.first().map_or(0, |counts| counts.numbered);
        file.put(&mut rows)?;
        Ok(counts)
    })
}

/// Appends the rows of a batch.
fn take(batch: &SketchedBatch, of: &ShardJob<'_>, rows: &mut Rows) -> Result<(), Error> {
    let (keep, ties) = (of.job.criteria.keep, of.ties());
    let (of_worths, mut all_ties) = (Worths::columns(of.schema), batch.ties());
    let hashes: Vec<u8> = batch.id_hashes.iter().flat_map(|hash| hash.to_le_bytes()).collect();
    let mut hashes = hashes.as_slice();
    let compared = of.schema.compared();
    let bytes: usize = compared.iter().map(|(_, bytes)| bytes).sum();
    let mut bands = batch.bands.chunks_exact(bytes.max(1));
    let columns = of.schema.labels();
    let mut labels = batch.labels.chunks_exact(columns.len().max(1));
    let mut codes = batch.codes.iter();
    for (outcome, id) in batch.iter() {
        let labels = labels.next().unwrap_or_default();
        let outcome = outcome.labelled(labels, of.job.within);
        rows.push(&STATE, code(outcome.state))?;
        rows.push(&FINGERPRINT, &bytes_of(&outcome.fingerprint))?;
        rows.push(&CONTENT, &outcome.content_hash.to_be_bytes())?;
        let worth = keep.worth(outcome.length, outcome.score.map(Score::order));
        let of_ties = ties.worths(all_ties.next().unwrap_or_default());
        Worths::push(worth.into_iter().chain(of_ties), &of_worths, rows)?;
        rows.push(&ID, if of.named { id } else { "" })?;
        // Those of a batch are in its first row.
        rows.push(&ID_HASHES, std::mem::take(&mut hashes))?;
        rows.push(&SHORT, if let State::Exact(short) = outcome.state { short } else { 0 })?;
        let mut bands = bands.next().unwrap_or_default();
        if let Some(code) = codes.next() {
            rows.push(&CODE, &bytes_of_sketch_code(*code))?;
        }
        for (column, bytes) in &compared {
            let (keys, rest) = bands.split_at_checked(*bytes).unwrap_or_default();
            rows.push(column, keys)?;
            bands = rest;
        }
        LabelColumns::push(labels.iter().map(Option::as_deref), &columns, rows)?;
    }
    Ok(())
}
