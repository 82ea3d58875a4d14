//! The second reading: what stays is written as it came.

use crate::cluster::clusters::Clusters;
use crate::entries::note::Note;
use crate::entries::rows;
use crate::error::Error;
use crate::progress::{Progress, Stage};
use crate::read::documents::{LeftOut, Reading, Reference};
use crate::read::pipeline;
use crate::read::sketch::checksum;
use nearprint_corpus::{
    Batch, Carried, Finished, InputFormat, Markup, Mirror, Output, ParquetOutput, Reader, Record,
    Source, with_fields,
};
use nearprint_fingerprint::mix64;
use std::iter::Peekable;
use std::slice;
use std::sync::atomic::Ordering;

/// Where survivors go.
pub enum Destination {
    /// One file; a text or HTML file becomes a row of JSON, in UTF-8.
    File(Output),
    /// One Parquet file of rows of Parquet.
    Parquet(ParquetOutput),
    /// A folder with a file for each of the input.
    Folder(Mirror),
}

impl Destination {
    fn write(
        &mut self,
        record: &Record<'_>,
        format: InputFormat,
        reading: &Reading,
        note: Option<&Note>,
    ) -> Result<(), Error> {
        let on = |note: &Note, row: &[u8]| match record.table() {
            Some(table) => note.on_cells(row, table.delimiter()),
            None => note.on_object(row),
        };
        match self {
            Self::File(output) if format.is_whole() => {
                let text = match format {
                    InputFormat::Html => Markup::decode(record.held(), None).text,
                    _ => String::from_utf8_lossy(record.held()),
                };
                let id = record.default_id();
                let fields = &reading.fields;
                let row = rows::text(&fields.id, id.as_json(), &fields.text, &text);
                let noted = note.map(|note| on(note, row.as_bytes()));
                output.write_record(noted.as_deref().unwrap_or(row.as_bytes()))?;
            }
            Self::File(output) => {
                let raw = record.raw();
                let noted = note.map(|note| on(note, &raw));
                output.write_record(noted.as_deref().unwrap_or(&raw))?;
            }
            Self::Parquet(output) => output.write_record(record)?,
            Self::Folder(mirror) => match note {
                Some(note) => mirror.write_as(record, &on(note, &record.raw()))?,
                None => mirror.write_record(record)?,
            },
        }
        Ok(())
    }

    /// Writes what is carried along with the records; `noted` if these have notes.
    fn carry(&mut self, carried: &Carried<'_>, noted: bool) -> Result<(), Error> {
        let header = carried
            .table()
            .filter(|_| noted)
            .map(|table| with_fields(carried.raw(), table.delimiter(), &Note::COLUMNS));
        let raw = header.as_deref().unwrap_or(carried.raw());
        match self {
            Self::File(output) => output.carry(carried, raw)?,
            Self::Parquet(_) => {}
            Self::Folder(mirror) => mirror.carry(carried, raw)?,
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
            Self::Parquet(output) => output.finish()?,
            Self::Folder(mirror) => mirror.finish()?,
        })
    }
}

/// Makes the note of a document, `None` for one without any feature.
pub(crate) type Noting<'a> = &'a mut dyn FnMut(Option<u64>) -> Result<Note, Error>;

/// Reads `sources`, those after the reference, again and writes every record that stays to
/// `destination`, without committing it; with `note` every document, with its note. Returns how many
/// stay.
///
/// `read_checksum` is that of the first reading, the reference's included.
///
/// # Errors
/// Input that changed since; input that cannot be read or output that cannot be written.
pub(crate) fn write(
    reading: &Reading,
    sources: &[Source],
    (clusters, left_out, reference): (&Clusters, &[LeftOut], Reference),
    read_checksum: u64,
    destination: &mut Destination,
    mut note: Option<Noting<'_>>,
    progress: &Progress,
) -> Result<u64, Error> {
    progress.enter(Stage::Write);
    let reader = Reader::new(sources, reading.options);
    let bytes_read = reader.bytes_read();
    let before = left_out.partition_point(|left_out| left_out.record < reference.records);
    let left_out = left_out.get(before..).unwrap_or_default().iter().peekable();
    let mut numbers = Numbers { left_out, document: reference.documents };
    let (mut kept, mut sum, annotated) = (0, reference.checksum, note.is_some());
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
            let carry = |destination: &mut Destination, at| {
                let mut carried = batch.carried_before(at);
                carried.try_for_each(|carried| destination.carry(&carried, annotated))
            };
            for (at, record) in batch.records().enumerate() {
                carry(destination, at)?;
                let number = batch.first_record() + at as u64;
                let Some(document) = numbers.document(reference.records + number) else {
                    continue;
                };
                let stays = document.is_none_or(|document| clusters.keeps(document));
                kept += u64::from(stays);
                let note = note.as_mut().map(|note| note(document)).transpose()?;
                if stays || note.is_some() {
                    destination.write(&record, batch.format(), reading, note.as_ref())?;
                }
            }
            carry(destination, batch.len())?;
            progress.advance(bytes_read.load(Ordering::Relaxed), batch.len() as u64);
            Ok(())
        },
    )?;
    if sum == read_checksum { Ok(kept) } else { Err(Error::InputChanged) }
}

/// Which documents records are, asked in the order of the records.
struct Numbers<'a> {
    left_out: Peekable<slice::Iter<'a, LeftOut>>,
    document: u64,
}

impl Numbers<'_> {
    /// The document of a record: `None` for what is none, `Some(None)` for one without any feature.
    #[expect(clippy::option_option, reason = "what is no document, and what is none of the join")]
    fn document(&mut self, record: u64) -> Option<Option<u64>> {
        if let Some(left_out) = self.left_out.next_if(|left_out| left_out.record == record) {
            return left_out.empty.then_some(None);
        }
        self.document += 1;
        Some(Some(self.document - 1))
    }
}
