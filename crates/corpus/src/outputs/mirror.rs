//! A folder of outputs that looks like the inputs. Which paths may be written is `outputs`'.

use crate::error::Error;
use crate::format::InputFormat;
use crate::formats::format::{RowsOut, RowsTo};
use crate::records::batch::Carried;
use crate::records::record::Record;
use crate::records::source::Source;
use crate::write::finished::{Finished, FinishedFile, publish};
use crate::write::new_column::{NewCell, NewColumn};
use crate::write::new_folders::NewFolders;
use crate::write::output::Output;
use crate::write::row_writer::RowWriter;
use crate::write::target::Target;
use nearprint_bits::ErrorKind;
use std::path::PathBuf;
use std::slice;
use std::sync::Arc;

/// A file for every source, with the records that are kept of it.
///
/// Each has the source's name below the output folder, and is compressed as that name asks. A
/// source of which no record is kept gives a file without any, with what is carried along; a text
/// or HTML file that is not kept gives none, nor does a file of columns whose columns cannot be read.
///
/// No file carries its final name before [`commit`](Self::commit); where it does not come to that, folders
/// that were made go again.
///
/// # Complexity
///
/// One open file at a time; memory for the name of every file.
///
/// # Examples
///
/// ```
/// use nearprint_corpus::{OutputOptions, Outputs, ReadOptions, Reader, discover};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = |name: &str| folder.path().join(name);
/// # std::fs::create_dir(path("in"))?;
/// std::fs::write(path("in/a.jsonl"), "{\"text\": \"one\"}\n{\"text\": \"two\"}\n")?;
/// let sources = discover(&[path("in").display().to_string()], None)?;
/// let mut outputs = Outputs::new(&sources, OutputOptions::default());
/// let mut kept = outputs.mirror(&path("out"), &sources)?;
/// for batch in Reader::new(&sources, ReadOptions::default()) {
///     kept.write_record(&batch?.record(0).unwrap())?;
/// }
/// kept.commit()?;
/// assert_eq!(std::fs::read(path("out/a.jsonl"))?, b"{\"text\": \"one\"}\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Mirror {
    slots: std::vec::IntoIter<Slot>,
    /// Slots handed out so far.
    opened: usize,
    current: Option<Current>,
    finished: Vec<FinishedFile>,
    /// The columns that rows of columns get.
    added: Arc<[NewColumn]>,
    /// The column that other texts may get into.
    text: Option<Arc<str>>,
    /// Dropped after the files in them.
    folders: NewFolders,
}

/// The file that is open.
enum Current {
    Bytes(Box<Output>),
    Rows(Box<dyn RowWriter>),
}

/// The file of one source.
pub(crate) struct Slot {
    pub(crate) source: Source,
    pub(crate) path: PathBuf,
    pub(crate) target: Target,
}

impl Mirror {
    pub(crate) fn new(
        slots: Vec<Slot>,
        folders: NewFolders,
        added: Arc<[NewColumn]>,
        text: Option<Arc<str>>,
    ) -> Self {
        let (slots, finished) = (slots.into_iter(), Vec::new());
        Self { slots, opened: 0, current: None, finished, added, text, folders }
    }

    /// Appends a record to the file of its source, byte for byte. Records come in the order of the
    /// [`Reader`](crate::read::reader::Reader) that read the same sources.
    ///
    /// # Errors
    ///
    /// [`Error::Write`] if the disk is full or fails.
    pub fn write_record(&mut self, record: &Record<'_>) -> Result<(), Error> {
        match self.of(record.source_index())? {
            Some(Current::Bytes(output)) => output.write_record(&record.raw()),
            Some(Current::Rows(output)) => output.write(record, &[]),
            None => Ok(()),
        }
    }

    /// Appends what `raw` makes of the bytes of a record in its place; a row of columns as it is, with the
    /// cells of [added columns](crate::outputs::outputs::Outputs::add_columns).
    ///
    /// # Errors
    ///
    /// As for [`write_record`](Self::write_record).
    pub fn write_as(
        &mut self,
        record: &Record<'_>,
        raw: impl FnOnce(&[u8]) -> Vec<u8>,
        cells: &[NewCell<'_>],
    ) -> Result<(), Error> {
        match self.of(record.source_index())? {
            Some(Current::Bytes(output)) => output.write_record(&raw(&record.raw())),
            Some(Current::Rows(output)) => output.write(record, cells),
            None => Ok(()),
        }
    }

    /// Appends a record with another text in the place of its own: as `raw`, or of a row of columns with the text in
    /// the column `field`.
    ///
    /// # Errors
    ///
    /// As for [`write_record`](Self::write_record).
    pub fn write_text(
        &mut self,
        record: &Record<'_>,
        raw: &[u8],
        field: &str,
        text: &str,
    ) -> Result<(), Error> {
        match self.of(record.source_index())? {
            Some(Current::Bytes(output)) => output.write_record(raw),
            Some(Current::Rows(output)) => output.write_text(record, field, text),
            None => Ok(()),
        }
    }

    /// Appends bytes to the file of a source, by its place among those given to the reader; none to
    /// a file of columns.
    ///
    /// # Errors
    ///
    /// As for [`write_record`](Self::write_record).
    pub fn write_bytes(&mut self, source_index: usize, raw: &[u8]) -> Result<(), Error> {
        match self.of(source_index)? {
            Some(Current::Bytes(output)) => output.write_record(raw),
            Some(Current::Rows(_)) | None => Ok(()),
        }
    }

    /// Appends what is carried along with the records of its source, as `raw`.
    ///
    /// # Errors
    ///
    /// As for [`write_record`](Self::write_record).
    pub fn carry(&mut self, carried: &Carried<'_>, raw: &[u8]) -> Result<(), Error> {
        match self.of(carried.source_index())? {
            Some(Current::Bytes(output)) => output.carry(carried, raw),
            Some(Current::Rows(_)) | None => Ok(()),
        }
    }

    /// The file of a source, behind which no other is open.
    fn of(&mut self, source_index: usize) -> Result<Option<&mut Current>, Error> {
        while self.opened <= source_index {
            let Some(slot) = self.slots.next() else { break };
            let wanted = self.opened == source_index;
            self.open(slot, wanted)?;
        }
        assert_eq!(self.opened, source_index + 1, "records come in order");
        Ok(self.current.as_mut())
    }

    /// Ends every file: when this returns, all are safe on disk under their final names. Each name
    /// appears with the whole file behind it, one after the other.
    ///
    /// # Errors
    ///
    /// As for [`Output::commit`].
    pub fn commit(self) -> Result<(), Error> {
        publish([self.finish()?])
    }

    /// Ends the data of every file, safe on disk; all still wait for their names.
    ///
    /// # Errors
    ///
    /// As for [`Output::finish`].
    pub fn finish(mut self) -> Result<Finished, Error> {
        while let Some(slot) = self.slots.next() {
            self.open(slot, false)?;
        }
        self.finish_current()?;
        Ok(Finished { files: self.finished, folders: self.folders })
    }

    /// Goes on to the next file, which is made if it is wanted or stays even empty.
    fn open(&mut self, slot: Slot, wanted: bool) -> Result<(), Error> {
        self.finish_current()?;
        self.opened += 1;
        let format = slot.source.format().unwrap_or(InputFormat::JSONL);
        if wanted || !format.is_whole() {
            if let Target::File { .. } = slot.target
                && let Some(folder) = slot.path.parent()
            {
                self.folders.create(folder).map_err(|source| Error::Write {
                    path: folder.display().to_string(),
                    source,
                })?;
            }
            let Slot { source, path, target } = slot;
            self.current = if format.is_columns() {
                // Without its columns nothing was read of it.
                let is_damaged = |error: Error| error.kind() != ErrorKind::Io;
                if !wanted && format.format().column_names(&source).is_err_and(is_damaged) {
                    return Ok(());
                }
                let (to, added) = (RowsTo::File(target), Arc::clone(&self.added));
                let (sources, text) = (slice::from_ref(&source), self.text.as_deref());
                let out = RowsOut { path: &path, to, like: &source, sources, text, added };
                Some(Current::Rows(format.format().writer(out)?))
            } else {
                Some(Current::Bytes(Box::new(Output::open(&path, target, format)?)))
            };
        }
        Ok(())
    }

    fn finish_current(&mut self) -> Result<(), Error> {
        let finished = match self.current.take() {
            Some(Current::Bytes(output)) => output.finish()?,
            Some(Current::Rows(output)) => output.finish()?,
            None => return Ok(()),
        };
        self.finished.extend(finished.files);
        Ok(())
    }
}
