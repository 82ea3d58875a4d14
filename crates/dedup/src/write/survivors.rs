//! The last reading: what stays is written as it came.

use crate::error::Error;
use crate::numbers::{DocumentNumber, RecordNumber};
use crate::progress::{Progress, Stage};
use crate::read::input::{FirstReading, Input, Reference};
use crate::read::left_out::Role;
use crate::read::pipeline;
use crate::read::sketch::checksum as checksum_of;
use crate::write::annotation::Annotation;
use crate::write::captures::Companions;
use crate::write::destination::Destination;
use crate::write::note_columns::NoteColumns;
use crate::write::revisits::Revisits;
use nearprint_corpus::{InputFormat, LineWriter, Reader, Record};
use nearprint_fingerprint::mix64;
use std::sync::atomic::Ordering;

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
    let mut companions = Companions::new(alone);
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
            let source = batch.source_index();
            let (columns, taken) = (columns.of(source), columns.taken());
            let held = whole_captures && batch.format().is_archive();
            companions.begin(&batch, held, destination)?;
            if alone.is_none() {
                batch.carried().for_each(|carried| revisits.see(&carried));
            }
            for (at, record) in batch.records().enumerate() {
                companions.carry(&batch, at, columns, destination)?;
                let number = RecordNumber(before + batch.first_record() + at as u64);
                let document = match roles.of(number) {
                    Role::Skipped => {
                        companions.decide(&record, false, destination)?;
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
                companions.decide(&record, stays, destination)?;
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
            companions.carry(&batch, batch.len(), columns, destination)?;
            progress.advance(bytes_read.load(Ordering::Relaxed), batch.len() as u64);
            progress.check()
        },
    )?;
    if sum != first.checksum {
        return Err(Error::InputChanged);
    }
    lines.map_or(Ok(()), LineWriter::finish)?;
    companions.end(destination)?;
    let (others_removed, alone) = (companions.removed(), companions.alone());
    let revisits_of_removed = revisits.of_gone();
    Ok(Written { kept, rows, others_removed, renamed, replaced, alone, revisits_of_removed })
}
