//! Writing rows of columns: what a format does whose records are no bytes of their own.

use crate::error::Error;
use crate::records::record::Record;
use crate::write::finished::Finished;
use crate::write::new_column::NewCell;

/// A file of rows being written, with the schema and the metadata of the first file of which rows are kept.
/// Nothing of a row is lost on the way: the writer reads it again, as it is stored.
pub trait RowWriter: Send {
    /// Keeps a row, with the cells of the columns that are
    /// [added](crate::Outputs::add_columns), in their order. Rows come in the order of the
    /// [`Reader`](crate::Reader) that reads their files.
    ///
    /// # Errors
    ///
    /// [`Error::Write`] if the disk is full or fails, and what reading the file again fails with.
    fn write(&mut self, record: &Record<'_>, cells: &[NewCell<'_>]) -> Result<(), Error>;

    /// Keeps a row with another text in its column `field`, which holds a text in this row.
    ///
    /// # Errors
    ///
    /// As for [`write`](Self::write).
    fn write_text(&mut self, record: &Record<'_>, field: &str, text: &str) -> Result<(), Error>;

    /// Ends the data, safe on disk; a regular file still waits for its name.
    ///
    /// # Errors
    ///
    /// As for [`write`](Self::write).
    fn finish(self: Box<Self>) -> Result<Finished, Error>;
}
