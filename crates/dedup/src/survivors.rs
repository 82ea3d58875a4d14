//! The second reading: what stays is written as it came.

use crate::clusters::Clusters;
use crate::documents::{LeftOut, Reading};
use crate::error::Error;
use crate::pipeline;
use crate::progress::{Progress, Stage};
use crate::rows;
use crate::sketch::checksum;
use nearprint_corpus::batch::Batch;
use nearprint_corpus::charset::Markup;
use nearprint_corpus::finished::Finished;
use nearprint_corpus::format::InputFormat;
use nearprint_corpus::mirror::Mirror;
use nearprint_corpus::output::Output;
use nearprint_corpus::reader::Reader;
use nearprint_corpus::record::Record;
use nearprint_corpus::source::Source;
use nearprint_fingerprint::hash::mix64;
use std::iter::Peekable;
use std::slice;
use std::sync::atomic::Ordering;

/// Where survivors go.
pub enum Destination {
    /// One file of rows; a text or HTML file becomes a row, in UTF-8.
    File(Output),
    /// A folder with a file for each of the input.
    Folder(Mirror),
}

impl Destination {
    fn write(
        &mut self,
        record: &Record<'_>,
        format: InputFormat,
        reading: &Reading,
    ) -> Result<(), Error> {
        match self {
            Self::File(output) if format.is_whole() => {
                let text = match format {
                    InputFormat::Html => Markup::decode(record.raw(), None).text,
                    _ => String::from_utf8_lossy(record.raw()),
                };
                let id = record.default_id();
                let fields = &reading.fields;
                let row = rows::text(&fields.id, id.as_json(), &fields.text, &text);
                output.write_record(row.as_bytes())?;
            }
            Self::File(output) => output.write_record(record.raw())?,
            Self::Folder(mirror) => mirror.write_record(record)?,
        }
        Ok(())
    }

    /// Ends what was written, safe on disk; its name is still to come.
    ///
    /// # Errors
    /// The disk's.
    pub fn finish(self) -> Result<Finished, Error> {
        Ok(match self {
            Self::File(output) => output.finish()?,
            Self::Folder(mirror) => mirror.finish()?,
        })
    }
}

/// Reads `sources` again and writes every record that stays to `destination`, without committing
/// it. Returns how many were written.
///
/// `read_checksum` is that of the first reading.
///
/// # Errors
/// Input that changed since; input that cannot be read or output that cannot be written.
pub fn write(
    reading: &Reading,
    sources: &[Source],
    (clusters, left_out): (&Clusters, &[LeftOut]),
    read_checksum: u64,
    destination: &mut Destination,
    progress: &Progress,
) -> Result<u64, Error> {
    progress.enter(Stage::Write);
    let reader = Reader::new(sources, reading.options);
    let bytes_read = reader.bytes_read();
    let mut verdicts = Verdicts { clusters, left_out: left_out.iter().peekable(), document: 0 };
    let (mut kept, mut sum) = (0, 0);
    let checked = |(): &mut (), batch: Result<Batch, _>| batch.map(|b| (checksum(&b), b)).ok();
    pipeline::ordered(
        reader,
        1,
        || (),
        checked,
        |batch| -> Result<(), Error> {
            // What could not be read the first time is not there the second time either.
            let Some((checksum, batch)) = batch else {
                sum = mix64(sum);
                return Ok(());
            };
            sum = mix64(sum ^ checksum);
            for (number, record) in (batch.first_record()..).zip(batch.records()) {
                if verdicts.keeps(number) {
                    destination.write(&record, batch.format(), reading)?;
                    kept += 1;
                }
            }
            progress.advance(bytes_read.load(Ordering::Relaxed), batch.len() as u64);
            Ok(())
        },
    )?;
    if sum == read_checksum { Ok(kept) } else { Err(Error::InputChanged) }
}

/// Whether a record stays, asked in the order of the records.
struct Verdicts<'a> {
    clusters: &'a Clusters,
    left_out: Peekable<slice::Iter<'a, LeftOut>>,
    document: u64,
}

impl Verdicts<'_> {
    fn keeps(&mut self, record: u64) -> bool {
        if let Some(left_out) = self.left_out.next_if(|left_out| left_out.record == record) {
            return left_out.empty;
        }
        self.document += 1;
        self.clusters.keeps(self.document - 1)
    }
}
