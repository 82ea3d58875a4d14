//! Where documents go, and how each is written there.

use crate::error::Error;
use crate::read::reading::Reading;
use crate::write::annotation::{Annotation, Columns, on_header};
use crate::write::note_names::{Manner, Taken, without_columns};
use crate::write::rows;
use nearprint_corpus::{Carried, Finished, InputFormat, Mirror, Output, Record, RowWriter};
use std::cell::Cell;

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
                let raw = record.raw_with(&reading.fields);
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
