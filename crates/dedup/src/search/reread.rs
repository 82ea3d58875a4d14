//! Features of documents in files: the input is read once more.

use crate::error::Error;
use crate::numbers::{DocumentNumber, RecordNumber, index};
use crate::progress::Progress;
use crate::read::input::{FirstReading, Input};
use crate::read::left_out::records_of;
use crate::read::pipeline;
use crate::read::sketch::{Sketcher, checksum};
use crate::search::features::FeatureSource;
use nearprint_corpus::{Lot, Reader};
use nearprint_fingerprint::{FeatureList, mix64};
use std::sync::atomic::Ordering;

/// The files of a job.
pub(crate) struct Reread<'a> {
    pub(crate) input: Input<'a>,
    pub(crate) first: FirstReading<'a>,
}

impl FeatureSource for Reread<'_> {
    fn features<T: Send>(
        &self,
        documents: &[DocumentNumber],
        weighs: bool,
        progress: &Progress,
        make: impl Fn(&mut dyn Iterator<Item = FeatureList>) -> T + Sync,
        mut keep: impl FnMut(T) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let reading = self.input.reading;
        let records = records_of(documents, self.first.left_out);
        let reader = Reader::new(self.input.sources, reading.options);
        let bytes_read = reader.bytes_read();
        let mut sum = 0;
        pipeline::ordered(
            reader.lots(),
            Lot::bytes,
            reading.threads,
            || Sketcher::new(&reading.content, &reading.fields, reading.on_error),
            |sketcher, lot| {
                let (Ok(sketcher), Ok(batch)) = (sketcher, lot.read()) else { return None };
                let first = batch.first_record();
                let from = records.partition_point(|record| record.0 < first);
                let of_batch = records.get(from..).unwrap_or_default().iter();
                let ours =
                    of_batch.map_while(|RecordNumber(record)| batch.record(index(record - first)));
                let mut ours = ours.peekable();
                // Most batches of few documents have none of them.
                let made = ours.peek().is_some().then(|| {
                    make(&mut ours.map(|record| sketcher.list(&record, batch.format(), weighs)))
                });
                Some((checksum(&batch), batch.len() as u64, made))
            },
            |read| -> Result<(), Error> {
                let Some((checksum, records, made)) = read else {
                    sum = mix64(sum);
                    return Ok(());
                };
                sum = mix64(sum ^ checksum);
                made.map_or(Ok(()), &mut keep)?;
                progress.advance(bytes_read.load(Ordering::Relaxed), records);
                progress.check()
            },
        )?;
        if sum == self.first.checksum { Ok(()) } else { Err(Error::InputChanged) }
    }
}
