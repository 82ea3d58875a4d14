//! One file written by a run. Which paths may be written is `outputs`', a whole folder `mirror`'s.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::{Builder, NamedTempFile};

use crate::batch::Carried;
use crate::compression::Compression;
use crate::encoder::{Disk, Encoder};
use crate::error::Error;
use crate::finished::{Data, Finished, FinishedFile, publish};
use crate::format::InputFormat;
use crate::object::{self, Upload};
use crate::object_url::ObjectUrl;
use crate::row::listed;
use crate::table::Table;

/// How the names of files that have no final name yet end.
const PARTIAL: &str = ".partial";

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

/// What has no final name yet.
struct Temp {
    data: Written,
    target: PathBuf,
    replace: bool,
}

/// Where the bytes go until then.
enum Written {
    File(NamedTempFile),
    Object(Upload),
}

/// Where an output goes.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    /// Standard output.
    Stdout,
    /// A pipe or a device.
    Device,
    /// A regular file, links resolved, which is there already or not.
    File { path: PathBuf, replace: bool },
    /// An object.
    Object { url: ObjectUrl, replace: bool },
}

impl Output {
    /// `path` is the output's name for the user, `format` that of its records.
    pub(crate) fn open(path: &Path, target: Target, format: InputFormat) -> Result<Output, Error> {
        let failed = |source| Error::Write { path: name(path), source };
        let (disk, temp): (Disk, _) = match target {
            Target::Stdout => (Box::new(io::stdout()), None),
            Target::Device => {
                (Box::new(OpenOptions::new().write(true).open(path).map_err(failed)?), None)
            }
            Target::File { path: target, replace } => {
                let file = create_partial(&target).map_err(failed)?;
                let disk = file.as_file().try_clone().map_err(failed)?;
                (Box::new(disk), Some(Temp { data: Written::File(file), target, replace }))
            }
            Target::Object { url, replace } => {
                let upload = object::upload(&url).map_err(failed)?;
                let (disk, data) = (Box::new(upload.clone()), Written::Object(upload));
                (disk, Some(Temp { data, target: path.to_owned(), replace }))
            }
        };
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
            (Encoder::Plain(_), Some(Temp { data: Written::File(file), .. })) => {
                Some(file.as_file_mut())
            }
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
        let Some(Temp { data, target, replace }) = self.temp else {
            return Ok(Finished::default());
        };
        let data = match data {
            Written::File(file) => {
                file.as_file().sync_all().map_err(failed)?;
                Data::File(file.into_temp_path())
            }
            Written::Object(upload) => {
                upload.finish().map_err(failed)?;
                Data::Object(upload)
            }
        };
        Ok(Finished(vec![FinishedFile { data, target, replace }]))
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

/// An output as messages name it.
fn name(path: &Path) -> String {
    if path == Path::new("-") { "standard output".to_owned() } else { path.display().to_string() }
}

/// Removes the files that were to become `target` and that no run goes on with.
pub(crate) fn sweep(target: &Path) -> io::Result<()> {
    let Some((folder, name)) = target.parent().zip(target.file_name()) else { return Ok(()) };
    let prefix = format!(".{}.", name.to_string_lossy());
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let left = entry.file_name().to_string_lossy().strip_prefix(&prefix).is_some_and(|rest| {
            rest.strip_suffix(PARTIAL).is_some_and(|random| !random.contains('.'))
        });
        if left {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Creates the file that will become `target`, beside it and with the permissions that `target` has
/// or a new file would get.
fn create_partial(target: &Path) -> io::Result<NamedTempFile<File>> {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let prefix = format!(".{name}.");
    let mut builder = Builder::new();
    builder.prefix(&prefix).suffix(PARTIAL);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let file = builder.tempfile_in(target.parent().unwrap_or(Path::new("")))?;
    if let Ok(metadata) = fs::metadata(target) {
        file.as_file().set_permissions(metadata.permissions())?;
    }
    Ok(file)
}
