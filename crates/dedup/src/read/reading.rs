//! How a corpus is read, and one reading of it in input order.

use crate::error::Error;
use crate::progress::{Progress, Stage};
use crate::read::extra::Packing;
use crate::read::few_documents::{FewByPart, FewDocuments, FileTally};
use crate::read::fields_seen::{FieldsByPart, OF_NOTES};
use crate::read::pipeline;
use crate::read::search_input::Task;
use crate::read::segment_row::refuse_segments;
use crate::read::sketch::{OnError, Origin, Sketcher};
use crate::read::sketched_batch::SketchedBatch;
use nearprint_corpus::{Fields, InputFormat, Lot, NullText, Outputs, ReadOptions, Reader, Source};
use nearprint_fingerprint::{BandShape, RecipeError};
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

/// How a corpus is read.
///
/// # Examples
/// ```
/// use nearprint_corpus::{Fields, ReadOptions, discover};
/// use nearprint_dedup::{Documents, OnError, Origin, Progress, Reading, Wanted};
/// use nearprint_fingerprint::Recipe;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("in.jsonl");
/// std::fs::write(&path, "{\"text\":\"a b c d\"}\n{\"text\":\"\"}\n{\"text\":\"e f g h\"}\n")?;
/// let reading = Reading {
///     content: Origin::from(Recipe::default()),
///     fields: Fields::default(),
///     on_error: OnError::Fail,
///     fail_on_empty: false,
///     options: ReadOptions::default(),
///     threads: 2,
/// };
/// let sources = discover(&[path.display().to_string()], None)?;
/// let progress = Progress::default();
/// let documents = Documents::read(&reading, &sources, Wanted::default(), &progress)?;
/// assert_eq!((documents.len(), documents.counts.empty), (2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Reading {
    /// Where the fingerprints come from.
    pub content: Origin,
    /// Names of the fields of a row.
    pub fields: Fields,
    /// What happens to records that cannot be read.
    pub on_error: OnError,
    /// Whether a file ends the reading that gives no document, or of which more than half of the records are passed
    /// over.
    pub fail_on_empty: bool,
    /// Limits of the reader.
    pub options: ReadOptions,
    /// Threads that parse and fingerprint; one more reads.
    pub threads: usize,
}

/// Whether texts are made of markup, out of which nothing can be cut. A row is a page where `rows_are_pages`, a text file
/// or a line never is.
pub(crate) fn is_markup(format: InputFormat, rows_are_pages: bool) -> bool {
    format.is_page() || format.is_archive() || rows_are_pages && format.is_rows()
}

impl Reading {
    /// Reads `sources` once and hands the outcome of every batch to `sink`, in input order. Where a record
    /// ends the reading, `sink` gets all that is before it. Returns the files that gave few documents.
    ///
    /// # Errors
    /// The first record that cannot be read, where `on_error` says so; what `sink` answers;
    /// [`Error::FewDocuments`], where that is an error; in the end [`Error::FieldMissing`], where no row has a field that was asked for by a name of its own.
    pub fn sketches(
        &self,
        sources: &[Source],
        progress: &Progress,
        sink: &mut dyn FnMut(SketchedBatch) -> Result<(), Error>,
    ) -> Result<FewDocuments, Error> {
        refuse_segments(sources)?;
        self.sketches_with(&Task::Nothing, sources, progress, sink)
    }

    /// As [`sketches`](Self::sketches), with the bands of documents that may be near others, and with the
    /// keys of their features if `keys` asks for them: [`SketchedBatch::compared`].
    ///
    /// # Errors
    /// Those of [`sketches`](Self::sketches).
    pub fn sketches_with_bands(
        &self,
        shape: BandShape,
        keys: bool,
        sources: &[Source],
        progress: &Progress,
        sink: &mut dyn FnMut(SketchedBatch) -> Result<(), Error>,
    ) -> Result<FewDocuments, Error> {
        refuse_segments(sources)?;
        let task = if keys { Task::SketchAndKeys(shape) } else { Task::Sketch(shape) };
        self.sketches_with(&task, sources, progress, sink)
    }

    /// As [`sketches`](Self::sketches), with the keys of the features of documents that may be near others, and with
    /// their weights: [`SketchedBatch::compared`].
    ///
    /// # Errors
    /// Those of [`sketches`](Self::sketches).
    pub fn sketches_with_weights(
        &self,
        sources: &[Source],
        progress: &Progress,
        sink: &mut dyn FnMut(SketchedBatch) -> Result<(), Error>,
    ) -> Result<FewDocuments, Error> {
        refuse_segments(sources)?;
        self.sketches_with(&Task::KeysAndWeights, sources, progress, sink)
    }

    /// Whether this error ends the reading: it is one of a record that is not to be left out, or one that the job is
    /// to blame for.
    #[must_use]
    pub fn ends_with(&self, error: &Error) -> bool {
        if matches!(error, Error::SeveralTexts { .. } | Error::LongRecord { .. }) {
            return true;
        }
        let too_long = matches!(error, Error::Corpus(nearprint_corpus::Error::TooLong { .. }));
        if too_long && self.options.short_of_memory {
            return true;
        }
        let null = matches!(error, Error::Corpus(nearprint_corpus::Error::TextNull { .. }));
        match (self.on_error, self.fields.null_text) {
            (OnError::Skip, _) => false,
            (OnError::Fail, NullText::Skip) => !null,
            (OnError::Fail, _) => true,
        }
    }

    /// Whether this is a file of columns that cannot be read at all and is skipped.
    pub(crate) fn skips_columns_of(&self, source: &Source) -> bool {
        self.on_error == OnError::Skip && Outputs::column_names(source).is_err()
    }

    /// As [`sketches`](Self::sketches), with a task for the workers beside fingerprints.
    pub(crate) fn sketches_with(
        &self,
        task: &Task,
        sources: &[Source],
        progress: &Progress,
        sink: &mut dyn FnMut(SketchedBatch) -> Result<(), Error>,
    ) -> Result<FewDocuments, Error> {
        let (seen, few) = self.sketches_seen(task, (sources, 0), false, progress, None, sink)?;
        seen.check(&self.fields, [None, None])?;
        Ok(few.ours)
    }

    /// As [`sketches_with`](Self::sketches_with) of a part of what is read, of which so many sources, the first ones, are
    /// there to be compared with only: returns the fields that its rows have, too, and does not ask for any. Whether some may
    /// have the names of notes is seen where it is looked for.
    pub(crate) fn sketches_seen(
        &self,
        task: &Task,
        (sources, reference): (&[Source], usize),
        looks_for_notes: bool,
        progress: &Progress,
        packing: Option<Packing>,
        sink: &mut dyn FnMut(SketchedBatch) -> Result<(), Error>,
    ) -> Result<(FieldsByPart, FewByPart), Error> {
        progress.enter(Stage::Fingerprint);
        let reader = Reader::new(sources, self.options);
        let bytes_read = reader.bytes_read();
        let sketcher = || {
            let sketcher = Sketcher::new(&self.content, &self.fields, self.on_error)?;
            Ok::<_, RecipeError>(sketcher.with_task(task).packing(packing.clone()))
        };
        let mut seen = FieldsByPart::default();
        let tally = FileTally::new(sources, self.fail_on_empty);
        let mut tally = tally.with_reference(reference);
        pipeline::ordered(
            reader.lots(),
            Lot::bytes,
            self.threads,
            sketcher,
            |sketcher, lot| match (sketcher, lot.read()) {
                (Ok(sketcher), Ok(batch)) => {
                    let mut sketch = sketcher.sketch(&batch);
                    sketch.fields.noted |= looks_for_notes
                        && batch.format().is_archive()
                        && OF_NOTES.iter().any(|it| batch.holds(it));
                    sketch
                }
                (Err(error), _) => SketchedBatch::unreadable(error.clone().into()),
                (_, Err(error)) => SketchedBatch::unreadable(error.into()),
            },
            |mut sketch| {
                let end = sketch.errors.iter().position(|error| self.ends_with(error));
                let end = end.map(|error| sketch.cut(error));
                let source = sources.get(sketch.source);
                progress.advance(bytes_read.load(Ordering::Relaxed), sketch.records.len() as u64);
                progress.check()?;
                seen.add(sketch.source < reference, &sketch.fields);
                match (sketch.shares(), sketch.errors.first()) {
                    _ if end.is_some() => {}
                    ((0, _), Some(error)) => tally.fail(error)?,
                    ((records, documents), _) => {
                        tally.add(sketch.source, records, documents, || sketch.why())?;
                    }
                }
                sink(sketch)?;
                end.map_or(Ok(()), |error| Err(explained(error, source, progress)))
            },
        )?;
        Ok((seen, tally.end_by_part()?))
    }
}

/// An error of a record, or of the compressed data that it is in where they are damaged: then nothing is
/// wrong with the record that was written.
pub(crate) fn explained(error: Error, source: Option<&Source>, progress: &Progress) -> Error {
    let go_on = || match progress.check() {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    };
    match &error {
        Error::Corpus(of_record) if of_record.may_be_damage() => {
            source.and_then(|source| source.damage(go_on)).map_or(error, Error::from)
        }
        _ => error,
    }
}
