//! One file written by a run. Which paths may be written is `outputs`', a whole folder `mirror`'s.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::batch::Carried;
use crate::compression::Compression;
use crate::encoder::Encoder;
use crate::error::Error;
use crate::finished::{Finished, publish};
use crate::format::InputFormat;
use crate::row::listed;
use crate::table::Table;
use crate::target::{Target, Temp, name};

/// A file being written, compressed as its name asks (`.gz`, `.zst`, `.bz2`, `.xz`); of an archive every
/// record by itself.
///
/// A regular file carries a hidden name that ends in `.partial` until [`commit`](Self::commit), and
/// is removed if the output is dropped before; an object has no name until then. Standard output,
/// pipes and devices are written as they are.
pub struct Output {
    path: PathBuf,
    encoder: Encoder,
    temp: Option<Temp>,
    /// Whether the next byte begins a line.
    line_start: bool,
    /// The header that was written, and whose it is.
    table: Option<(Arc<Table>, String)>,
}

impl Output {
    /// `path` is the output's name for the user, `format` that of its records.
    pub(crate) fn open(path: &Path, target: Target, format: InputFormat) -> Result<Output, Error> {
        let (disk, temp) = target.begin(path)?;
        let failed = |source| Error::Write { path: name(path), source };
        // Readers of archives go to single records.
        let each = format == InputFormat::Warc;
        let encoder = Encoder::new(disk, Compression::of_name(path), each).map_err(failed)?;
        Ok(Output { path: path.to_owned(), encoder, temp, line_start: true, table: None })
    }

    /// The path as the user gave it; `-` for standard output.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a record, byte for byte. If the one before lacks its line end, as the last of a file
    /// may, a newline comes first.
    ///
    /// # Errors
    ///
    /// [`Error::Write`] if the disk is full or fails, or the reader of a pipe has gone
    /// ([`Error::is_broken_pipe`]).
    pub fn write_record(&mut self, raw: &[u8]) -> Result<(), Error> {
        let Some(last) = raw.last() else {
            return Ok(());
        };
        let begun = if self.line_start { Ok(()) } else { self.encoder.write_all(b"\n") };
        let written = begun.and_then(|()| self.encoder.write_all(raw));
        self.line_start = *last == b'\n';
        written.map_err(|source| self.failed(source))
    }

    /// Appends what is carried along with the records, as `raw`. Of a header only the first is
    /// written.
    ///
    /// # Errors
    ///
    /// As for [`write_record`](Self::write_record), and [`Error::OutputColumns`] for the header of
    /// another table.
    pub fn carry(&mut self, carried: &Carried<'_>, raw: &[u8]) -> Result<(), Error> {
        let Some(table) = carried.table() else { return self.write_record(raw) };
        let source = carried.source().name();
        match &self.table {
            Some((first, name)) => same_columns((name, first), (source, table)),
            None => {
                self.table = Some((Arc::clone(table), source.to_owned()));
                self.write_record(raw)
            }
        }
    }

    /// The file itself, for what is written at any place instead of record by record; none where the
    /// output is a stream, an object or compressed.
    pub fn file(&mut self) -> Option<&mut File> {
        match (&self.encoder, &mut self.temp) {
            (Encoder::Plain(_), Some(temp)) => temp.file(),
            _ => None,
        }
    }

    /// Ends the output: when this returns, the whole file is safe on disk under its final name.
    ///
    /// # Errors
    ///
    /// [`Error::Write`] as for [`write_record`](Self::write_record), and [`Error::OutputExists`] if
    /// a file of that name has appeared since and may not be replaced.
    pub fn commit(self) -> Result<(), Error> {
        publish([self.finish()?])
    }

    /// Ends the data, safe on disk; a regular file still waits for its name.
    ///
    /// # Errors
    ///
    /// [`Error::Write`] as for [`write_record`](Self::write_record).
    pub fn finish(self) -> Result<Finished, Error> {
        let failed = |source| Error::Write { path: name(&self.path), source };
        self.encoder.finish().map_err(failed)?;
        self.temp.map_or_else(|| Ok(Finished::default()), |temp| temp.finish().map_err(failed))
    }

    fn failed(&self, source: io::Error) -> Error {
        Error::Write { path: name(&self.path), source }
    }
}

/// Fails where two sources have different columns.
pub(crate) fn same_columns(first: (&str, &Table), second: (&str, &Table)) -> Result<(), Error> {
    if first.1.names() == second.1.names() {
        return Ok(());
    }
    let named = |(name, table): (&str, &Table)| (name.to_owned(), listed(table.names()));
    let ((first, first_columns), (second, second_columns)) = (named(first), named(second));
    Err(Error::OutputColumns { first, first_columns, second, second_columns })
}
