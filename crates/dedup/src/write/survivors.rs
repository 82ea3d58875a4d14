//! The last reading: what stays is written as it came.

use crate::error::Error;
use crate::numbers::{DocumentNumber, RecordNumber};
use crate::progress::{Progress, Stage};
use crate::read::input::{FirstReading, Input, Reference};
use crate::read::left_out::Role;
use crate::read::pipeline;
use crate::read::reading::Reading;
use crate::read::sketch::checksum as checksum_of;
use crate::write::annotation::{Annotation, Columns, on_header};
use crate::write::captures::{self, Captures};
use crate::write::note_columns::NoteColumns;
use crate::write::note_names::{Manner, Taken, without_columns};
use crate::write::revisits::Revisits;
use crate::write::rows;
use nearprint_corpus::{
    Carried, Finished, InputFormat, LineWriter, Mirror, Output, Reader, Record, RowWriter,
};
use nearprint_fingerprint::mix64;
use std::cell::Cell;
use std::sync::atomic::Ordering;

/// Where survivors go.
pub(crate) enum Destination {
    /// One file; a text or HTML file becomes a row of JSON, in UTF-8.
    File(Box<Output>),
    /// One file of columns, of rows of such files.
    Rows(Box<dyn RowWriter>),
    /// A folder with a file for each of the input.
    Folder(Mirror),
    /// Nowhere: the reports are all that is asked for.
    Nowhere,
}

impl Destination {
    /// Writes a record, with its note in these columns where it is a row that has some, else by a name that is not taken.
    pub(crate) fn write<N: Annotation>(
        &mut self,
        record: &Record<'_>,
        format: InputFormat,
        reading: &Reading,
        note: Option<&N>,
        (columns, taken): (Option<&Columns>, Taken),
    ) -> Result<Manner, Error> {
        let in_columns = columns.filter(|_| note.is_some()).map(|columns| Manner {
            renamed: columns.renamed,
            replaced: !columns.earlier.is_empty(),
        });
        let manner = Cell::new(in_columns.unwrap_or_default());
        let on = |note: &N, row: &[u8]| {
            if let Some((table, columns)) = record.table().zip(columns) {
                return note.on_cells(table, row, columns);
            }
            let (noted, how) = match (format.is_archive(), columns) {
                (true, _) => note.on_capture(row, taken),
                // Of a row of columns that becomes one of JSON an earlier note is in columns.
                (false, Some(columns)) if !columns.earlier.is_empty() => {
                    let is_earlier = |name: &str| columns.any::<N>().any(|it| it.name == name);
                    let (noted, how) = note.on_object(&without_columns(row, is_earlier), taken);
                    (noted, Manner { replaced: true, ..how })
                }
                (false, _) => note.on_object(row, taken),
            };
            manner.set(how);
            noted
        };
        match self {
            Self::File(output) if format.is_whole() => {
                let text = match format.is_page() {
                    true => record.markup().text,
                    false => String::from_utf8_lossy(record.held()),
                };
                let row = row_of(record, reading, &text);
                let noted = note.map(|note| on(note, row.as_bytes()));
                output.write_record(noted.as_deref().unwrap_or(row.as_bytes()))?;
            }
            Self::File(output) => {
                let raw = record.raw();
                let noted = note.map(|note| on(note, &raw));
                output.write_record(noted.as_deref().unwrap_or(&raw))?;
            }
            Self::Rows(output) => match note {
                Some(note) => output.write(record, &note.cells())?,
                None => output.write(record, &[])?,
            },
            Self::Folder(mirror) => match note {
                Some(note) => mirror.write_as(record, |row| on(note, row), &note.cells())?,
                None => mirror.write_record(record)?,
            },
            Self::Nowhere => {}
        }
        Ok(manner.get())
    }

    /// Writes a record with another text in the place of its own: as `raw`, where it has bytes of its own.
    pub(crate) fn write_text(
        &mut self,
        record: &Record<'_>,
        format: InputFormat,
        reading: &Reading,
        text: &str,
        raw: &[u8],
    ) -> Result<(), Error> {
        match self {
            Self::File(output) if format.is_whole() => {
                output.write_record(row_of(record, reading, text).as_bytes())?;
            }
            Self::File(output) => output.write_record(raw)?,
            Self::Rows(output) => output.write_text(record, &reading.fields.text, text)?,
            Self::Folder(mirror) => mirror.write_text(record, raw, &reading.fields.text, text)?,
            Self::Nowhere => {}
        }
        Ok(())
    }

    /// Writes bytes behind what was written of a source.
    pub(crate) fn write_bytes(&mut self, source_index: usize, raw: &[u8]) -> Result<(), Error> {
        match self {
            Self::File(output) => output.write_record(raw)?,
            Self::Folder(mirror) => mirror.write_bytes(source_index, raw)?,
            Self::Rows(_) | Self::Nowhere => {}
        }
        Ok(())
    }

    /// Writes what is carried along with the records, of which notes are in these columns.
    pub(crate) fn carry(
        &mut self,
        carried: &Carried<'_>,
        columns: Option<&Columns>,
    ) -> Result<(), Error> {
        let header = carried.table().zip(columns);
        let header = header.map(|(table, columns)| on_header(table, carried.raw(), columns));
        let raw = header.as_deref().unwrap_or(carried.raw());
        match self {
            Self::File(output) => output.carry(carried, raw)?,
            Self::Rows(_) | Self::Nowhere => {}
            Self::Folder(mirror) => mirror.carry(carried, raw)?,
        }
        Ok(())
    }

    /// Whether what is written is out of hand at once.
    pub(crate) fn is_stream(&self) -> bool {
        matches!(self, Self::File(output) if output.is_stream())
    }

    /// Ends what was written, safe on disk; its name is still to come.
    ///
    /// # Errors
    /// The disk's.
    pub(crate) fn finish(self) -> Result<Finished, Error> {
        Ok(match self {
            Self::File(output) => output.finish()?,
            Self::Rows(output) => output.finish()?,
            Self::Folder(mirror) => mirror.finish()?,
            Self::Nowhere => Finished::default(),
        })
    }
}

/// The row of JSON that a file becomes which is one document.
fn row_of(record: &Record<'_>, reading: &Reading, text: &str) -> String {
    let (id, fields) = (record.default_id(), &reading.fields);
    rows::text(&fields.id, id.as_json(), &fields.text, text)
}

/// How often a document is written.
pub(crate) type Times<'a> = &'a dyn Fn(Option<DocumentNumber>) -> u64;

/// Makes the note of a document, `None` for a document without any feature.
pub(crate) type Noting<'a, N> = &'a mut dyn FnMut(Option<DocumentNumber>) -> Result<N, Error>;

/// How records are written.
pub(crate) struct Writing<'a, N> {
    /// Makes the note of a document that is written, where these have notes.
    pub(crate) note: Option<Noting<'a, N>>,
    /// Where the notes go in the sources that have columns.
    pub(crate) columns: &'a NoteColumns,
    /// Whether documents are written that do not stay.
    pub(crate) all: bool,
    /// How often each document is written, where that is not once.
    pub(crate) times: Option<Times<'a>>,
    /// Whether records of WARC go with the response of their capture.
    pub(crate) whole_captures: bool,
    /// Whether records of WARC that go with no document are written, and of all archives those that tell of none,
    /// where that is not always so.
    pub(crate) alone: Option<bool>,
    /// Looks at all documents, whether they stay or go.
    pub(crate) watch: Option<Watching<'a>>,
    /// Revisits, and responses that go, are added to these.
    pub(crate) revisits: &'a mut Revisits,
}

/// Takes the number of a file that is written of, a document of it, whether that stays, and its record with its format.
pub(crate) type Watching<'a> =
    &'a mut dyn FnMut(usize, Option<DocumentNumber>, bool, (&Record<'_>, InputFormat));

/// How many records were written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Written {
    /// Documents that stay.
    pub(crate) kept: u64,
    /// Records of documents: more than stay where all are written or some several times.
    pub(crate) rows: u64,
    /// Records of WARC that went with the response of their capture.
    pub(crate) others_removed: u64,
    /// Rows that have a field of their own by the usual name of a note.
    pub(crate) renamed: u64,
    /// Rows with a note in the place of one that an earlier run wrote.
    pub(crate) replaced: u64,
    /// Records that go with no document, where it is said what becomes of them.
    pub(crate) alone: u64,
    /// Revisits of responses that went.
    pub(crate) revisits_of_removed: u64,
}

/// Records that say what an archive is, and begin each part of one.
const HEADS: [&str; 2] = ["filedesc", "warcinfo"];

/// What a record of an archive is to the documents, where `alone` says what becomes of those that are nothing to them.
pub(crate) fn role(carried: &Carried<'_>, alone: Option<bool>) -> captures::Role {
    let is_head = || carried.obstacle().is_some_and(|what| HEADS.contains(&&*what));
    match carried.capture() {
        Some(capture) => captures::Role::Linked(capture),
        None if alone.is_none() || is_head() => captures::Role::Stays,
        None => captures::Role::Alone,
    }
}

impl Written {
    /// The records, where they are not the documents that stay.
    pub(crate) fn other_rows(&self) -> Option<u64> {
        Some(self.rows).filter(|rows| *rows != self.kept && *rows > 0)
    }
}

/// Reads the sources after the reference again and writes every kept record to `destination`, without committing
/// it. `stays` says whether a document is kept, and `None` if the number is not a document.
///
/// # Errors
/// Input that changed since the `first` reading; input that cannot be read or output that cannot be
/// written.
pub(crate) fn write<N: Annotation>(
    input: Input<'_>,
    first: FirstReading<'_>,
    stays: &(dyn Fn(DocumentNumber) -> Option<bool> + Sync),
    destination: &mut Destination,
    writing: Writing<'_, N>,
    progress: &Progress,
) -> Result<Written, Error> {
    progress.enter(Stage::Write);
    let reader = Reader::new(input.written(), input.reading.options);
    let bytes_read = reader.bytes_read();
    let Reference { records: before, checksum, .. } = first.reference;
    let mut roles = first.roles();
    let Writing { mut note, columns, all, times, whole_captures, alone, mut watch, revisits } =
        writing;
    let (mut kept, mut rows, mut renamed, mut replaced) = (0, 0, 0, 0);
    let mut sum = checksum;
    let (mut captures, mut source) = (Captures::new(alone == Some(false)), 0);
    let as_they_come = note.is_none() && !all && times.is_none();
    let lines = match destination {
        Destination::File(output) if as_they_come => output.line_writer(input.written())?,
        _ => None,
    };
    let writer = lines.as_ref();
    let lots = reader.lots().map(|lot| (lot, writer.map(LineWriter::place)));
    pipeline::ordered(
        lots,
        |(lot, _)| lot.bytes(),
        if writer.is_some() { input.reading.threads } else { 1 },
        Vec::new,
        |gathered, (lot, place)| {
            let batch = lot.read().ok()?;
            let written = writer.zip(place).map(|(writer, place)| {
                let mut roles = first.roles_from(RecordNumber(before + batch.first_record()));
                let stays = |at: usize| {
                    let number = RecordNumber(before + batch.first_record() + at as u64);
                    match roles.of(number) {
                        Role::Skipped => false,
                        Role::Empty => true,
                        Role::Document(document) => stays(document) == Some(true),
                    }
                };
                writer.write(place, &batch, stays, gathered)
            });
            Some((checksum_of(&batch), batch, written.transpose()))
        },
        |read| -> Result<(), Error> {
            // What could not be read the first time is not there the second time either.
            let Some((checksum, batch, written)) = read else {
                sum = mix64(sum);
                return Ok(());
            };
            let is_written = written?.is_some();
            sum = mix64(sum ^ checksum);
            if batch.source_index() != source {
                captures.end(|raw| destination.write_bytes(source, raw))?;
                source = batch.source_index();
            }
            let (columns, taken) = (columns.of(source), columns.taken());
            let held = whole_captures && batch.format().is_archive();
            if alone.is_none() {
                batch.carried().for_each(|carried| revisits.see(&carried));
            }
            let carry = |destination: &mut Destination, captures: &mut Captures, at| {
                let mut carried = batch.carried_before(at);
                carried.try_for_each(|carried| match held {
                    true => captures.carry(carried.raw(), role(&carried, alone), |raw| {
                        destination.write_bytes(source, raw)
                    }),
                    false => destination.carry(&carried, columns),
                })
            };
            for (at, record) in batch.records().enumerate() {
                carry(destination, &mut captures, at)?;
                let number = RecordNumber(before + batch.first_record() + at as u64);
                let mut decide = |destination: &mut Destination, stays| match held {
                    true => captures.decide(record.capture(), stays, |raw| {
                        destination.write_bytes(source, raw)
                    }),
                    false => Ok(()),
                };
                let document = match roles.of(number) {
                    Role::Skipped => {
                        decide(destination, false)?;
                        continue;
                    }
                    Role::Empty => None,
                    Role::Document(document) => Some(document),
                };
                let stays = document.map_or(Some(true), stays).ok_or(Error::InputChanged)?;
                kept += u64::from(stays);
                if let Some(watch) = &mut watch {
                    watch(source, document, stays, (&record, batch.format()));
                }
                decide(destination, stays)?;
                if !(stays || all) && alone.is_none() {
                    revisits.lose(&record);
                }
                if stays || all {
                    let note = note.as_mut().map(|note| note(document)).transpose()?;
                    let (format, reading) = (batch.format(), input.reading);
                    for _ in 0..times.map_or(1, |times| times(document)) {
                        let note = note.as_ref();
                        let place = (columns, taken);
                        rows += 1;
                        if is_written {
                            continue;
                        }
                        let manner = destination.write(&record, format, reading, note, place)?;
                        renamed += u64::from(manner.renamed);
                        replaced += u64::from(manner.replaced);
                    }
                }
            }
            carry(destination, &mut captures, batch.len())?;
            progress.advance(bytes_read.load(Ordering::Relaxed), batch.len() as u64);
            progress.check()
        },
    )?;
    if sum != first.checksum {
        return Err(Error::InputChanged);
    }
    lines.map_or(Ok(()), LineWriter::finish)?;
    captures.end(|raw| destination.write_bytes(source, raw))?;
    let (others_removed, alone) = (captures.removed(), captures.alone());
    let revisits_of_removed = revisits.of_gone();
    Ok(Written { kept, rows, others_removed, renamed, replaced, alone, revisits_of_removed })
}
