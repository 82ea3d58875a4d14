//! An Arrow file or stream of rows that stay of others: their columns, types and metadata.

#![deny(clippy::indexing_slicing)]

use crate::columns::arrow_plain::plain;
use crate::columns::arrow_rows::{Batches, as_io};
use crate::columns::arrow_wide::{Place, stand_in, widened};
use crate::error::Error;
use crate::records::record::Record;
use crate::records::source::Source;
use crate::write::arrow_schema::{Like, damaged, open, own_fields};
use crate::write::encoder::Disk;
use crate::write::finished::Finished;
use crate::write::new_column::{NewCell, NewColumn, NewColumnKind};
use crate::write::new_texts::NewTexts;
use crate::write::row_writer::RowWriter;
use crate::write::shards::Shards;
use crate::write::target::{Target, Temp, name};
use arrow_array::builder::{BooleanBuilder, Float64Builder, Int64Builder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, LargeBinaryArray, LargeStringArray, RecordBatch,
    StringArray, StringViewArray, UInt64Array,
};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::{ArrowError, DataType, SchemaRef};
use arrow_select::take::take_record_batch;
use std::io::{self, BufWriter, Write};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes of added cells that wait, at most.
const FULL: usize = 4 << 20;

/// Arrow rows being written, in the format, with the [schema](Like) and the compression of the first file of which rows
/// are kept.
///
/// Rows are noted as they come, and taken when their record batch is over: of each record batch of a source that has
/// some one is written.
///
/// Memory: a record batch of the input, and what is taken of it.
pub(crate) struct ArrowOutput {
    like: Like,
    shard: Shard,
    shards: Option<Box<Shards>>,
    original: Option<Original>,
    /// Rows of the current batch that are kept, from its first.
    rows: Vec<u64>,
    cells: Cells,
    texts: NewTexts,
}

/// The source that rows are taken from.
struct Original {
    source: Source,
    /// Its place among those that are read.
    index: usize,
    batches: Batches,
    batch: Option<RecordBatch>,
    /// The number of the first row of the batch, and of the first behind it.
    start: u64,
    end: u64,
}

/// A file of the output.
struct Shard {
    path: PathBuf,
    /// Whether it has a batch: the schema alone fills no shard.
    begun: bool,
    writer: Writer,
    temp: Option<Temp>,
}

enum Writer {
    File(Box<FileWriter<Counted>>),
    Stream(Box<StreamWriter<Counted>>),
}

/// Where bytes go, counted.
struct Counted {
    disk: BufWriter<Disk>,
    written: u64,
    /// Where the schema has marks: what is being written, and that schema.
    widened: Option<(Place, SchemaRef)>,
}

impl ArrowOutput {
    /// `path` is the output's name for the user, `shards` are those that follow.
    pub(crate) fn open(
        path: &Path,
        target: Target,
        like: Like,
        shards: Option<Box<Shards>>,
    ) -> Result<Self, Error> {
        let cells = Cells::of(&like.added);
        let shard = Shard::open(path, target, &like)?;
        let (rows, texts) = (Vec::new(), NewTexts::default());
        Ok(Self { like, shard, shards, original: None, rows, cells, texts })
    }

    /// Writes what is kept of the current batch.
    fn flush(&mut self) -> Result<(), Error> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let rows = UInt64Array::from(mem::take(&mut self.rows));
        let Some(Original { batch: Some(batch), batches, source, .. }) = &self.original else {
            return Ok(());
        };
        let taken =
            take_record_batch(batch, &rows).map_err(|error| damaged(source, as_io(error)))?;
        let texts = self.texts.take();
        let own = own_fields(&batches.schema, &self.like.added);
        let own = own.zip(self.like.schema.fields()).map(|((at, field), to)| {
            let column = taken.column(at);
            let column = match column.data_type() == to.data_type() {
                true => Arc::clone(column),
                false => plain(column).map_err(|error| damaged(source, as_io(error)))?,
            };
            match texts.field().filter(|text| field.name() == text) {
                Some(text) => with_texts(&column, &texts).ok_or_else(|| Error::TextPlace {
                    place: format!("{}, column {text:?}", source.name()),
                    problem: "the column holds no texts of any length; write it as strings",
                }),
                None => Ok(column),
            }
        });
        let own = own.collect::<Result<Vec<_>, _>>()?.into_iter();
        let columns = own.chain(self.cells.finish()).collect();
        let batch = RecordBatch::try_new(Arc::clone(&self.like.schema), columns)
            .map_err(|error| damaged(source, as_io(error)))?;
        let (begun, written) = (self.shard.begun, self.shard.writer.written());
        if let Some(shards) = self.shards.as_mut().filter(|it| begun && it.is_full((0, written), 1))
        {
            let (path, target) = shards.next();
            let next = Shard::open(&path, target, &self.like)?;
            shards.keep(mem::replace(&mut self.shard, next).finish()?);
        }
        self.shard.write(&batch)
    }

    /// Notes a row.
    fn note(&mut self, record: &Record<'_>, cells: &[NewCell<'_>]) -> Result<(), Error> {
        let index = record.source_index();
        if self.original.as_ref().is_none_or(|original| original.index != index) {
            self.flush()?;
            self.original = Some(Original::open(record.source(), index)?);
        }
        // A row is a line.
        let row = record.line() - 1;
        while self.original.as_ref().is_some_and(|original| row >= original.end) {
            self.flush()?;
            self.original.as_mut().map_or(Ok(()), Original::go_on)?;
        }
        if self.cells.bytes >= FULL || self.texts.is_full() {
            self.flush()?;
        }
        let start = self.original.as_ref().map_or(0, |original| original.start);
        self.rows.push(row - start);
        self.cells.push(cells);
        Ok(())
    }
}

impl RowWriter for ArrowOutput {
    fn write(&mut self, record: &Record<'_>, cells: &[NewCell<'_>]) -> Result<(), Error> {
        self.note(record, cells)
    }

    fn write_text(&mut self, record: &Record<'_>, field: &str, text: &str) -> Result<(), Error> {
        self.note(record, &[])?;
        self.texts.push(self.rows.len() - 1, field, text);
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<Finished, Error> {
        self.flush()?;
        let path = name(&self.shard.path);
        let last = self.shard.finish()?;
        match self.shards {
            Some(shards) => shards.finish(last).map_err(|source| Error::Write { path, source }),
            None => Ok(last),
        }
    }
}

impl Original {
    fn open(source: &Source, index: usize) -> Result<Self, Error> {
        let batches = open(source)?;
        Ok(Self { source: source.clone(), index, batches, batch: None, start: 0, end: 0 })
    }

    /// Goes on to the next batch.
    fn go_on(&mut self) -> Result<(), Error> {
        let batch = self.batches.next().transpose();
        let batch = batch.map_err(|error| damaged(&self.source, error))?;
        let missing = || io::Error::new(io::ErrorKind::InvalidData, "rows are missing");
        let batch = batch.ok_or_else(|| damaged(&self.source, missing()))?;
        (self.start, self.end) = (self.end, self.end + batch.num_rows() as u64);
        self.batch = Some(batch);
        Ok(())
    }
}

impl Shard {
    fn open(path: &Path, target: Target, like: &Like) -> Result<Self, Error> {
        let failed = |error| Error::Write { path: name(path), source: as_io(error) };
        let (disk, temp) = target.begin(path)?;
        let stand_in = stand_in(&like.marked);
        let widened = stand_in.is_some().then(|| (Place::Message, Arc::clone(&like.marked)));
        let disk = Counted { disk: BufWriter::new(disk), written: 0, widened };
        let (schema, options) = (stand_in.as_ref().unwrap_or(&like.schema), like.options.clone());
        let mut writer = if like.is_file {
            let mut writer =
                FileWriter::try_new_with_options(disk, schema, options).map_err(failed)?;
            for (key, value) in &like.metadata {
                writer.write_metadata(key, value);
            }
            Writer::File(Box::new(writer))
        } else {
            let writer = StreamWriter::try_new_with_options(disk, schema, options);
            Writer::Stream(Box::new(writer.map_err(failed)?))
        };
        if let Some((place, _)) = &mut writer.counted().widened {
            *place = Place::Batches;
        }
        Ok(Self { path: path.to_owned(), begun: false, writer, temp })
    }

    fn write(&mut self, batch: &RecordBatch) -> Result<(), Error> {
        self.begun = true;
        let written = match &mut self.writer {
            Writer::File(writer) => writer.write(batch),
            Writer::Stream(writer) => writer.write(batch),
        };
        written.map_err(|error| Error::Write { path: name(&self.path), source: as_io(error) })
    }

    fn finish(self) -> Result<Finished, Error> {
        let failed = |source| Error::Write { path: name(&self.path), source };
        let disk = self.writer.finish().map_err(|error| failed(as_io(error)))?;
        let mut disk = disk.disk.into_inner().map_err(|error| failed(error.into_error()))?;
        disk.flush().map_err(failed)?;
        self.temp.map_or_else(|| Ok(Finished::default()), |temp| temp.finish().map_err(failed))
    }
}

impl Writer {
    /// Bytes written of batches and the schema.
    fn written(&self) -> u64 {
        match self {
            Self::File(writer) => writer.get_ref().written,
            Self::Stream(writer) => writer.get_ref().written,
        }
    }

    fn counted(&mut self) -> &mut Counted {
        match self {
            Self::File(writer) => writer.get_mut(),
            Self::Stream(writer) => writer.get_mut(),
        }
    }

    fn finish(mut self) -> Result<Counted, ArrowError> {
        if let Some((place, _)) = &mut self.counted().widened {
            *place = Place::Footer;
        }
        match self {
            Self::File(writer) => writer.into_inner(),
            Self::Stream(writer) => writer.into_inner(),
        }
    }
}

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some((place, schema)) = &self.widened
            && let Some(bytes) = widened(bytes, *place, schema)
        {
            self.disk.write_all(&bytes)?;
            self.written += bytes.len() as u64;
            return Ok(bytes.len());
        }
        let count = self.disk.write(bytes)?;
        self.written += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.disk.flush()
    }
}

/// The cells of added columns, of the rows that are noted.
struct Cells {
    columns: Vec<Column>,
    bytes: usize,
}

enum Column {
    Integers(Int64Builder),
    Reals(Float64Builder),
    Truths(BooleanBuilder),
    Texts(StringBuilder),
}

impl Cells {
    fn of(added: &[NewColumn]) -> Self {
        let come = added.iter().filter(|column| column.comes());
        let columns = come.map(|column| match column.kind {
            NewColumnKind::Integer => Column::Integers(Int64Builder::new()),
            NewColumnKind::Real => Column::Reals(Float64Builder::new()),
            NewColumnKind::Truth => Column::Truths(BooleanBuilder::new()),
            NewColumnKind::Text | NewColumnKind::Gone => Column::Texts(StringBuilder::new()),
        });
        Self { columns: columns.collect(), bytes: 0 }
    }

    /// Adds a row; cells that are missing, or of another kind than their column's, are empty.
    fn push(&mut self, row: &[NewCell<'_>]) {
        for (at, column) in self.columns.iter_mut().enumerate() {
            let cell = row.get(at).unwrap_or(&NewCell::Empty);
            self.bytes += 8;
            match (column, cell) {
                (Column::Integers(column), NewCell::Integer(value)) => column.append_value(*value),
                (Column::Integers(column), _) => column.append_null(),
                (Column::Reals(column), NewCell::Real(value)) => column.append_value(*value),
                (Column::Reals(column), _) => column.append_null(),
                (Column::Truths(column), NewCell::Truth(value)) => column.append_value(*value),
                (Column::Truths(column), _) => column.append_null(),
                (Column::Texts(column), NewCell::Text(text)) => {
                    self.bytes += text.len();
                    column.append_value(text);
                }
                (Column::Texts(column), _) => column.append_null(),
            }
        }
    }

    /// The columns, which begin anew.
    fn finish(&mut self) -> Vec<ArrayRef> {
        self.bytes = 0;
        let columns = self.columns.iter_mut().map(|column| -> ArrayRef {
            match column {
                Column::Integers(column) => Arc::new(column.finish()),
                Column::Reals(column) => Arc::new(column.finish()),
                Column::Truths(column) => Arc::new(column.finish()),
                Column::Texts(column) => Arc::new(column.finish()),
            }
        });
        columns.collect()
    }
}

/// A column with new texts in the place of those of some rows; none of a type that holds other values.
fn with_texts(column: &ArrayRef, texts: &NewTexts) -> Option<ArrayRef> {
    let mut new = texts.of(0..column.len()).peekable();
    macro_rules! of {
        ($array:ty, $as:expr, $bytes:expr) => {
            Arc::new(
                $as.iter()
                    .enumerate()
                    .map(|(row, old)| match new.next_if(|(at, _)| *at == row) {
                        Some((_, text)) => Some($bytes(text)),
                        None => old,
                    })
                    .collect::<$array>(),
            )
        };
    }
    Some(match column.data_type() {
        DataType::Utf8 => of!(StringArray, column.as_string::<i32>(), std::convert::identity),
        DataType::LargeUtf8 => {
            of!(LargeStringArray, column.as_string::<i64>(), std::convert::identity)
        }
        DataType::Utf8View => of!(StringViewArray, column.as_string_view(), std::convert::identity),
        DataType::Binary => of!(BinaryArray, column.as_binary::<i32>(), str::as_bytes),
        DataType::LargeBinary => of!(LargeBinaryArray, column.as_binary::<i64>(), str::as_bytes),
        DataType::BinaryView => of!(BinaryViewArray, column.as_binary_view(), str::as_bytes),
        _ => return None,
    })
}
