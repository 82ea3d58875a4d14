//! What every format does. Which there are is `list`'s.

use crate::error::Error;
use crate::format::InputFormat;
use crate::formats::record_reader::RecordReader;
use crate::records::opened::Opened;
use crate::records::source::Source;
use crate::write::new_column::NewColumn;
use crate::write::row_writer::RowWriter;
use crate::write::shards::Shards;
use crate::write::stated;
use crate::write::target::Target;
use std::path::Path;
use std::sync::Arc;

/// A format of files.
pub(crate) trait Format: Sync {
    /// Its name, endings and shape.
    fn kind(&self) -> InputFormat;

    /// Whether content is of this format that begins with `head`, its first
    /// [`HEAD_BYTES`](InputFormat::HEAD_BYTES) or all of it. White space and a byte order mark before the
    /// first character of a text are cut off.
    fn is_at(&self, _head: &[u8]) -> bool {
        false
    }

    /// Reads an open source.
    ///
    /// # Errors
    ///
    /// A source that cannot be read at all.
    fn reader(&self, opened: Opened) -> Result<Box<dyn RecordReader>, Error>;

    /// Bytes of memory that reading a source takes beside batches and its decompression. Where memory is capped all of
    /// it may be read to tell them.
    fn reading_bytes(&self, _source: &Source, _is_capped: bool) -> u64 {
        0
    }

    /// The names of the columns of a source; none of what has no schema.
    ///
    /// # Errors
    ///
    /// What reading its beginning or end fails with.
    fn column_names(&self, _source: &Source) -> Result<Vec<String>, Error> {
        Ok(Vec::new())
    }

    /// Fails where rows of the second source cannot go to one file with those of the first, but for the
    /// columns that are `added`.
    ///
    /// # Errors
    ///
    /// The refusal, and what reading their beginnings fails with.
    fn same_columns(
        &self,
        _first: &Source,
        _second: &Source,
        _added: &[NewColumn],
    ) -> Result<(), Error> {
        Ok(())
    }

    /// Begins to write rows of this format to one of its files. Most formats have none: their records are
    /// bytes, which an [`Output`](crate::Output) copies.
    ///
    /// # Errors
    ///
    /// The disk's, and what reading the beginning of `out.like` fails with.
    fn writer(&self, out: RowsOut<'_>) -> Result<Box<dyn RowWriter>, Error> {
        Err(stated::refused(out.path, out.like, self.kind()))
    }
}

/// Where rows go.
pub(crate) struct RowsOut<'a> {
    /// The output as the user calls it.
    pub(crate) path: &'a Path,
    pub(crate) to: RowsTo,
    /// The file whose schema the output has.
    pub(crate) like: &'a Source,
    /// All files whose rows go there.
    pub(crate) sources: &'a [Source],
    /// The column in which other texts may stand in the place of those of the rows.
    pub(crate) text: Option<&'a str>,
    /// Columns behind those of the schema.
    pub(crate) added: Arc<[NewColumn]>,
}

/// One file or several.
pub(crate) enum RowsTo {
    File(Target),
    Shards(Shards),
}

impl RowsTo {
    /// The first file, and the shards that follow.
    pub(crate) fn first(self, path: &Path) -> (std::path::PathBuf, Target, Option<Box<Shards>>) {
        match self {
            Self::File(target) => (path.to_owned(), target, None),
            Self::Shards(mut shards) => {
                let (path, target) = shards.next();
                (path, target, Some(Box::new(shards)))
            }
        }
    }
}
