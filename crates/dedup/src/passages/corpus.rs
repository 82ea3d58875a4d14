//! Documents that are read again and again: batches to workers, what they make in input order.

use crate::error::Error;
use crate::passages::offsets::Offsets;
use crate::passages::rule::PassageRule;
use crate::passages::units::UnitReader;
use crate::progress::{Progress, Stage};
use crate::read::pipeline;
use crate::read::reading::{Reading, is_markup};
use crate::read::sketch::{OnError, checksum};
use crate::read::ties::Ties;
use nearprint_corpus::{Batch, Document, InvalidUtf8, Order, Reader, Record, Source};
use nearprint_fingerprint::{DocumentPart, Recipe, RecipeError, mix64};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The documents of a job, and how they are looked at.
#[derive(Clone, Copy)]
pub(crate) struct Corpus<'a> {
    pub(crate) reading: &'a Reading,
    pub(crate) recipe: &'a Recipe,
    /// All sources, first those of the reference.
    pub(crate) sources: &'a [Source],
    /// How many of the sources are there to be compared with only.
    pub(crate) reference: usize,
    /// The number of the first record.
    pub(crate) first: u64,
    pub(crate) rule: PassageRule,
    pub(crate) offsets: Offsets,
    /// Where temporary files go.
    pub(crate) dir: &'a Path,
    pub(crate) progress: &'a Progress,
}

impl Corpus<'_> {
    /// What breaks ties between documents that are worth the same.
    pub(crate) fn ties(&self) -> Ties {
        Ties::of(self.rule.keep, &self.reading.fields)
    }

    /// Whether a field, the one label that is read, says the origin of a document.
    pub(crate) fn says_origins(&self) -> bool {
        !self.reading.fields.labels.is_empty()
    }
}

/// What a worker has: it is made once a thread.
pub(crate) struct Worker {
    pub(crate) units: UnitReader,
    /// Hashes of windows and of their runs, and text that is compared.
    pub(crate) windows: Vec<u64>,
    pub(crate) runs: Vec<u64>,
    pub(crate) texts: [Vec<u8>; 2],
}

/// Checksums of what was read: of the reference, and of what is written. What cannot be read has none.
pub(crate) type Checksums = [u64; 2];

/// Which part a batch is of, its checksum and its records, with what was made of it; or why it cannot be read.
type Outcome<R> = Result<((usize, u64), u64, R), Error>;

/// A batch with what is to be done with it.
pub(crate) struct Planned<P> {
    pub(crate) batch: Batch,
    pub(crate) plan: P,
    first: u64,
}

impl<P> Planned<P> {
    /// The record of a number.
    ///
    /// # Errors
    /// [`Error::InputChanged`] where the batch has none.
    pub(crate) fn record(&self, number: u32) -> Result<Record<'_>, Error> {
        let at = crate::numbers::index(u64::from(number).wrapping_sub(self.first()));
        self.batch.record(at).ok_or(Error::InputChanged)
    }

    /// The number of the first record.
    pub(crate) fn first(&self) -> u64 {
        self.first
    }
}

impl Corpus<'_> {
    /// Reads all documents once. `plan` says, of one batch after the other, what is to be done with it, `work` does it on
    /// the threads of the job, and `sink` takes what comes of it, in input order, or why a batch cannot
    /// be read. Returns the checksums of what was read.
    ///
    /// # Errors
    /// The first of `plan`, `work` and `sink`.
    pub(crate) fn read<P: Send, R: Send>(
        &self,
        stage: Stage,
        plan: impl FnMut(&Batch) -> Result<P, Error> + Send,
        work: impl Fn(&mut Worker, Planned<P>) -> Result<R, Error> + Sync,
        sink: impl FnMut(Result<R, Error>) -> Result<(), Error>,
    ) -> Result<Checksums, Error> {
        let worker = || -> Result<Worker, RecipeError> {
            let units = UnitReader::new(self.recipe, self.rule.unit, self.rule.digits)?;
            Ok(Worker { units, windows: Vec::new(), runs: Vec::new(), texts: Default::default() })
        };
        self.read_by(stage, worker, plan, work, sink)
    }

    /// As [`read`](Self::read), with other workers.
    ///
    /// # Errors
    /// The first of `plan`, `work` and `sink`.
    pub(crate) fn read_by<W, P: Send, R: Send>(
        &self,
        stage: Stage,
        worker: impl Fn() -> Result<W, RecipeError> + Sync,
        plan: impl FnMut(&Batch) -> Result<P, Error> + Send,
        work: impl Fn(&mut W, Planned<P>) -> Result<R, Error> + Sync,
        mut sink: impl FnMut(Result<R, Error>) -> Result<(), Error>,
    ) -> Result<Checksums, Error> {
        self.progress.enter(stage);
        let reader = Reader::new(self.sources, self.reading.options);
        let bytes_read = reader.bytes_read();
        let plans = Arc::new(Order::new(plan));
        let lots = reader.lots().map(|lot| (lot, plans.give()));
        let mut sums = Checksums::default();
        pipeline::ordered(
            lots,
            |(lot, _)| lot.bytes(),
            self.reading.threads,
            worker,
            |worker, (lot, place)| {
                let worker = worker.as_mut().map_err(|error| Error::from(error.clone()))?;
                let batch = match lot.read() {
                    Err(error) => return Ok(Err(Error::from(error))),
                    Ok(batch) => batch,
                };
                let plan = place.pass(|plan| plan(&batch))?;
                let part = usize::from(batch.source_index() >= self.reference);
                let (sum, records) = (checksum(&batch), batch.len() as u64);
                let first = self.first + batch.first_record();
                Ok(Ok(((part, sum), records, work(worker, Planned { batch, plan, first })?)))
            },
            |outcome: Result<Outcome<R>, Error>| {
                let records = match outcome? {
                    Err(error) => {
                        sink(Err(error))?;
                        0
                    }
                    Ok(((part, sum), records, made)) => {
                        sums[part] = mix64(sums[part] ^ sum);
                        sink(Ok(made))?;
                        records
                    }
                };
                self.progress.advance(bytes_read.load(Ordering::Relaxed), records);
                self.progress.check()
            },
        )?;
        Ok(sums)
    }

    /// As [`read`](Self::read) again: fails where it is not what was read for the first time. What could not be
    /// read then is not there again.
    pub(crate) fn reread<P: Send, R: Send>(
        &self,
        stage: Stage,
        checksums: Checksums,
        plan: impl FnMut(&Batch) -> Result<P, Error> + Send,
        work: impl Fn(&mut Worker, Planned<P>) -> Result<R, Error> + Sync,
        mut sink: impl FnMut(R) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let sink = |made: Result<R, Error>| made.map_or(Ok(()), &mut sink);
        match self.read(stage, plan, work, sink)? {
            sums if sums == checksums => Ok(()),
            _ => Err(Error::InputChanged),
        }
    }

    /// The number behind those of the records of a batch.
    pub(crate) fn end_of(&self, batch: &Batch) -> u64 {
        self.first + batch.first_record() + batch.len() as u64
    }

    /// What a record says.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn document<'b>(
        &self,
        record: &Record<'b>,
    ) -> Result<Document<'b>, nearprint_corpus::Error> {
        let invalid = match self.reading.on_error {
            OnError::Fail => InvalidUtf8::Fail,
            OnError::Skip => InvalidUtf8::Replace,
        };
        record.document(&self.reading.fields, invalid)
    }

    /// The same of a record with a text that stands in one place where something is to be cut out
    /// of it.
    ///
    /// # Errors
    /// What is wrong with it; [`Error::SeveralTexts`].
    pub(crate) fn document_to_cut<'b>(
        &self,
        record: &Record<'b>,
        one_place: bool,
    ) -> Result<Document<'b>, Error> {
        let document = self.document(record)?;
        match one_place && document.joined {
            true => Err(Error::SeveralTexts { place: record.place() }),
            false => Ok(document),
        }
    }
}

/// Refuses files whose texts are made of markup. A row is a page where the recipe says so.
pub(crate) fn refuse_markup(recipe: &Recipe, written: &[Source]) -> Result<(), Error> {
    let rows_are_pages = recipe.content != DocumentPart::Text;
    let has_markup =
        |source: &&Source| source.format().is_some_and(|it| is_markup(it, rows_are_pages));
    match written.iter().find(has_markup) {
        Some(source) => Err(Error::NoWayBack { name: source.name().to_owned() }),
        None => Ok(()),
    }
}

/// Refuses documents of which the first has a text of several parts: nothing can be cut out of it. Others are refused when
/// they are read.
pub(crate) fn refuse_several_texts(reading: &Reading, written: &[Source]) -> Result<(), Error> {
    let first = written.get(..1).unwrap_or_default();
    let Some(Ok(batch)) = Reader::new(first, reading.options).next() else { return Ok(()) };
    let joined = batch.records().find_map(|record| {
        let document = record.document(&reading.fields, InvalidUtf8::Replace).ok()?;
        Some(document.joined.then(|| record.place()))
    });
    joined.flatten().map_or(Ok(()), |place| Err(Error::SeveralTexts { place }))
}
