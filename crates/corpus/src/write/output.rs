//! One file written by a run. Which paths may be written is `outputs`', a whole folder `mirror`'s.

use crate::archive::record::{describes_file, ended};
use crate::compression::Compression;
use crate::documents::row::listed;
use crate::documents::table::Table;
use crate::error::Error;
use crate::format::InputFormat;
use crate::records::batch::Carried;
use crate::records::source::Source;
use crate::write::encoder::Encoder;
use crate::write::finished::{Finished, publish};
use crate::write::line_writer::LineWriter;
use crate::write::shards::Shards;
use crate::write::target::{Target, Temp, name};
use std::fs::File;
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file being written, compressed as its name asks (`.gz`, `.zst`, `.bz2`, `.xz`); of an archive every
/// record by itself.
///
/// A regular file carries a hidden name that ends in `.partial` until [`commit`](Self::commit), and
/// is removed if the output is dropped before; an object has no name until then. Standard output,
/// pipes and devices are written as they are.
///
/// In [shards](crate::outputs::outputs::Outputs::shard) it goes on in a new file before a record
/// for which the last has no room; each begins with the header of a table, or the record that describes an ARC file.
pub struct Output {
    path: PathBuf,
    format: InputFormat,
    encoder: Encoder,
    temp: Option<Temp>,
    /// Bytes written, before compression, but for those that the file begins with.
    written: u64,
    /// Bytes of headers.
    head: u64,
    /// Whether the next byte begins a line.
    line_start: bool,
    /// Whether lines end in a carriage return alone, as those of the header do.
    returns: bool,
    header: Option<Header>,
    shards: Option<Box<Shards>>,
}

/// What every file of an output begins with.
struct Header {
    /// The table that it is of, and the name of its source.
    table: Option<(Arc<Table>, String)>,
    raw: Vec<u8>,
}

impl Output {
    /// `path` is the output's name for the user, `format` that of its records.
    pub(crate) fn open(path: &Path, target: Target, format: InputFormat) -> Result<Self, Error> {
        Self::open_compressed(path, target, format, Compression::of_name(path))
    }

    /// As [`open`](Self::open), with this compression.
    pub(crate) fn open_compressed(
        path: &Path,
        target: Target,
        format: InputFormat,
        compression: Compression,
    ) -> Result<Self, Error> {
        let (disk, temp) = target.begin(path)?;
        let failed = |source| Error::Write { path: name(path), source };
        // Readers of archives go to single records.
        let each = format.is_archive();
        let encoder = Encoder::new(disk, compression, each).map_err(failed)?;
        let (path, header, shards) = (path.to_owned(), None, None);
        Ok(Self {
            path,
            format,
            encoder,
            temp,
            written: 0,
            head: 0,
            line_start: true,
            returns: false,
            header,
            shards,
        })
    }

    /// The first of these shards.
    pub(crate) fn open_first(mut shards: Shards, format: InputFormat) -> Result<Self, Error> {
        let (path, target) = shards.next();
        let first = Self::open(&path, target, format)?;
        Ok(Self { shards: Some(Box::new(shards)), ..first })
    }

    /// Goes on in the next of the shards.
    fn go_on(&mut self, mut shards: Box<Shards>) -> Result<(), Error> {
        let (path, target) = shards.next();
        let mut full = mem::replace(self, Self::open(&path, target, self.format)?);
        self.returns = full.returns;
        if let Some(header) = full.header.take() {
            self.begin(header)?;
        }
        shards.keep(full.finish()?);
        self.shards = Some(shards);
        Ok(())
    }

    /// The path as the user gave it; `-` for standard output.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a record, byte for byte. If the one before lacks its line end, as the last of a file
    /// may, a newline comes first; in a table whose header ends in a carriage return alone, that.
    ///
    /// # Errors
    ///
    /// [`Error::Write`] if the disk is full or fails, or the reader of a pipe has gone
    /// ([`Error::is_broken_pipe`]).
    pub fn write_record(&mut self, raw: &[u8]) -> Result<(), Error> {
        // Of several files in one output each is described where it begins, and the shards that follow by the last.
        let describes = self.shards.is_some() && self.format.is_archive() && describes_file(raw);
        let header = || Header { table: None, raw: raw.to_owned() };
        let more = raw.len() as u64 + u64::from(!self.line_start);
        let full = |shards: &mut Box<Shards>| shards.is_full((self.head, self.written), more);
        if let Some(shards) = self.shards.take_if(full) {
            if describes {
                self.header = Some(header());
                return self.go_on(shards);
            }
            self.go_on(shards)?;
        }
        if describes { self.begin(header()) } else { self.write(raw) }
    }

    /// Writes what every file begins with.
    fn begin(&mut self, header: Header) -> Result<(), Error> {
        let before = self.written;
        self.write(&header.raw)?;
        self.header = Some(header);
        self.head += self.written - before;
        self.written = before;
        Ok(())
    }

    /// Appends bytes that are no lines: nothing comes between them and what follows.
    ///
    /// # Errors
    ///
    /// As for [`write_record`](Self::write_record).
    pub fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.written += bytes.len() as u64;
        self.encoder.write_all(bytes).map_err(|source| self.failed(source))
    }

    fn write(&mut self, raw: &[u8]) -> Result<(), Error> {
        let ended = self.format.is_archive().then(|| ended(raw));
        let raw = ended.as_deref().unwrap_or(raw);
        let Some(last) = raw.last() else {
            return Ok(());
        };
        self.written += raw.len() as u64 + u64::from(!self.line_start);
        let end = if self.returns { b"\r" } else { b"\n" };
        let begun = if self.line_start { Ok(()) } else { self.encoder.write_all(end) };
        let written = begun.and_then(|()| self.encoder.write_all(raw));
        self.line_start = *last == b'\n' || self.returns && *last == b'\r';
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
        match self.header.as_ref().and_then(|header| header.table.as_ref()) {
            Some((first, of)) => same_columns((of, first), (source, table)),
            None => {
                self.returns = raw.ends_with(b"\r");
                let table = Some((Arc::clone(table), source.to_owned()));
                self.begin(Header { table, raw: raw.to_owned() })
            }
        }
    }

    /// Whether it is standard output, a pipe or a device: what is written is read at once.
    pub fn is_stream(&self) -> bool {
        self.temp.is_none()
    }

    /// The file itself, for what is written at any place instead of record by record; none where the
    /// output is a stream, an object or compressed.
    pub fn file(&mut self) -> Option<&mut File> {
        match (&self.encoder, &mut self.temp) {
            (Encoder::Plain(_), Some(temp)) => temp.file(),
            _ => None,
        }
    }

    /// What writes lines of these sources from several threads, which are then all that is written; none where they go to a
    /// stream, an object, shards or compressed data, or some records have another form.
    ///
    /// # Errors
    ///
    /// [`Error::Write`].
    pub fn line_writer(&mut self, sources: &[Source]) -> Result<Option<LineWriter>, Error> {
        let are_alike = sources.iter().all(|source| source.format() == Some(self.format));
        if !(are_alike && self.format.is_by_line()) || self.shards.is_some() || self.written > 0 {
            return Ok(None);
        }
        let path = name(&self.path);
        let writer = self.file().map(|file| LineWriter::new(file, path)).transpose();
        writer.map_err(|source| self.failed(source))
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
        let finished = self.temp.map_or_else(|| Ok(Finished::default()), Temp::finish);
        let all = finished.and_then(|last| match self.shards {
            Some(shards) => shards.finish(last),
            None => Ok(last),
        });
        all.map_err(failed)
    }

    fn failed(&self, source: io::Error) -> Error {
        Error::Write { path: name(&self.path), source }
    }
}

/// Fails where two sources have different columns, or other characters between them.
pub(crate) fn same_columns(first: (&str, &Table), second: (&str, &Table)) -> Result<(), Error> {
    let same_names = first.1.names() == second.1.names();
    if same_names && first.1.delimiter() == second.1.delimiter() {
        return Ok(());
    }
    let named = |(name, table): (&str, &Table)| {
        let delimiter = char::from(table.delimiter());
        let parted = if same_names { format!(", parted by {delimiter:?}") } else { String::new() };
        (name.to_owned(), listed(table.names()) + &parted)
    };
    let ((first, first_columns), (second, second_columns)) = (named(first), named(second));
    Err(Error::OutputColumns { first, first_columns, second, second_columns })
}
