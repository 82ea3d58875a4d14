//! Documents of a corpus that are read for the keys of their features, as a sample does it. The caller chooses which.

use crate::error::Error;
use crate::numbers::{RecordNumber, index};
use crate::progress::{Progress, Stage};
use crate::read::by_reason::ByReason;
use crate::read::few_documents::FileTally;
use crate::read::fields_seen::FieldsSeen;
use crate::read::pipeline;
use crate::read::reading::{Reading, explained};
use crate::read::search_input::Task;
use crate::read::segment_row::refuse_segments;
use crate::read::sketch::Sketcher;
use crate::read::sketched::Sketched;
use crate::read::sketched_batch::SketchedBatch;
use nearprint_corpus::{Lot, Reader, Source};
use nearprint_fingerprint::RecipeError;
use std::sync::atomic::Ordering;

/// A document that is looked at.
#[derive(Clone, Copy, Debug)]
pub struct SeenRecord<'a> {
    /// Its number among all records.
    pub record: RecordNumber,
    /// What it turned out to be.
    pub sketched: &'a Sketched,
    /// The keys of its features, ascending; none of a document that is near no other.
    pub keys: &'a [u64],
}

/// What is made of a batch.
struct Made<T> {
    made: Vec<T>,
    /// The records that were looked at.
    sketch: SketchedBatch,
    /// How many were not: each may be a document.
    unseen: u64,
}

impl Reading {
    /// Reads `sources` once, and hands each document whose record is `chosen` to `make`, on the threads of the
    /// reading, each with a state of its own. What `make` makes of the documents of a batch goes to `keep`, in input
    /// order, with what is passed over: chosen records, and parts of files, that cannot be read; and with hashes of the ids
    /// that chosen records state.
    ///
    /// # Complexity
    /// One sequential reading; the chosen records alone are parsed.
    ///
    /// Returns a field that was asked for and that none of them has. Where all records are chosen, that is an error.
    ///
    /// # Errors
    /// As [`sketches`](Self::sketches), of the records that are chosen. Others count as documents of their file.
    ///
    /// # Examples
    /// ```
    /// use nearprint_corpus::{Fields, ReadOptions, discover};
    /// use nearprint_dedup::{OnError, Origin, Progress, Reading, RecordNumber};
    /// use nearprint_fingerprint::Recipe;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("in.jsonl");
    /// std::fs::write(&path, "{\"text\":\"a b c d\"}\n{\"text\":\"\"}\n{\"text\":\"e f g h i\"}\n")?;
    /// let reading = Reading {
    ///     content: Origin::from(Recipe::default()),
    ///     fields: Fields::default(),
    ///     on_error: OnError::Fail,
    ///     fail_on_empty: false,
    ///     options: ReadOptions::default(),
    ///     threads: 2,
    /// };
    /// let sources = discover(&[path.display().to_string()], None)?;
    /// let mut features = Vec::new();
    /// reading.look(
    ///     &sources,
    ///     |record| record > RecordNumber(0),
    ///     &Progress::default(),
    ///     || (),
    ///     |(), seen| seen.keys.len(),
    ///     |counts, _, _| Ok(features.extend(counts)),
    /// )?;
    /// assert_eq!(features, [0, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn look<S, T: Send>(
        &self,
        sources: &[Source],
        chosen: impl Fn(RecordNumber) -> bool + Sync,
        progress: &Progress,
        state: impl Fn() -> S + Sync,
        make: impl Fn(&mut S, SeenRecord<'_>) -> T + Sync,
        mut keep: impl FnMut(Vec<T>, &ByReason, &[u64]) -> Result<(), Error>,
    ) -> Result<Option<String>, Error> {
        refuse_segments(sources)?;
        progress.enter(Stage::Fingerprint);
        let reader = Reader::new(sources, self.options);
        let bytes_read = reader.bytes_read();
        let worker = || {
            let sketcher = Sketcher::new(&self.content, &self.fields, self.on_error)?;
            Ok::<_, RecipeError>((sketcher.with_task(&Task::Keys), state()))
        };
        let (mut fields, mut all) = (FieldsSeen::default(), true);
        let mut tally = FileTally::new(sources, self.fail_on_empty);
        pipeline::ordered(
            reader.lots(),
            Lot::bytes,
            self.threads,
            worker,
            |worker, lot| {
                let batch = lot.read();
                let worker = worker.as_mut().map_err(|error| (usize::MAX, error.clone().into()));
                let (sketcher, state) = worker?;
                let batch = match batch.map_err(Error::from) {
                    Ok(batch) => batch,
                    Err(error) if self.ends_with(&error) => return Err((usize::MAX, error)),
                    Err(error) => {
                        let (made, sketch) = (Vec::new(), SketchedBatch::unreadable(error));
                        return Ok(Made { made, sketch, unseen: 0 });
                    }
                };
                let first = batch.first_record();
                let numbers = (first..).map(RecordNumber).take(batch.len());
                let numbers: Vec<_> = numbers.filter(|record| chosen(*record)).collect();
                let ours =
                    numbers.iter().filter_map(|record| batch.record(index(record.0 - first)));
                let mut sketch = sketcher.sketch_some(&batch, ours);
                if let Some(at) = sketch.errors.iter().position(|error| self.ends_with(error)) {
                    return Err((sketch.source, sketch.errors.swap_remove(at)));
                }
                sketch.others = ByReason::of_archive(&batch);
                let mut start = 0;
                let looked = numbers.iter().zip(&sketch.records).zip(&sketch.key_ends);
                let made = looked.map(|((&record, sketched), &end)| {
                    let keys = sketch.keys.get(start..end).unwrap_or_default();
                    start = end;
                    make(state, SeenRecord { record, sketched, keys })
                });
                let made: Vec<T> = made.collect();
                sketch.keys = Vec::new();
                Ok(Made { made, sketch, unseen: (batch.len() - numbers.len()) as u64 })
            },
            |made: Result<Made<T>, (usize, Error)>| {
                let explained = |(at, error)| explained(error, sources.get(at), progress);
                let Made { made, sketch, unseen } = made.map_err(explained)?;
                fields.merge(&sketch.fields);
                all &= unseen == 0;
                let records = sketch.records.len() as u64 + unseen;
                progress.advance(bytes_read.load(Ordering::Relaxed), records);
                progress.check()?;
                match (sketch.shares(), sketch.errors.first()) {
                    ((0, _), Some(error)) => tally.fail(error)?,
                    ((seen, documents), _) => {
                        let (records, documents) = (seen + unseen, documents + unseen);
                        tally.add(sketch.source, records, documents, || sketch.why())?;
                    }
                }
                let mut skipped = ByReason::default();
                sketch.errors.iter().for_each(|error| skipped.add_error(error));
                keep(made, &skipped, &sketch.id_hashes)
            },
        )?;
        tally.end()?;
        match fields.check(&self.fields) {
            Err(Error::FieldMissing { field, .. }) if !all => Ok(Some(field)),
            checked => checked.map(|()| None),
        }
    }
}
