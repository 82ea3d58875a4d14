//! An Arrow file or stream of rows that stay of others: their columns, types and metadata.

#![deny(clippy::indexing_slicing)]

use crate::columns::arrow_rows::{Batches, as_io, compression, is_file};
use crate::error::Error;
use crate::records::explained::explain;
use crate::records::record::Record;
use crate::records::source::Source;
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
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema, SchemaRef};
use arrow_select::take::take_record_batch;
use std::collections::HashMap;
use std::io::{self, BufWriter, Write};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes of added cells that wait, at most.
const FULL: usize = 4 << 20;

/// Arrow rows being written, in the format, with the schema and the compression of the first file of which rows are
/// kept.
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

/// What decides the form of the output.
struct Like {
    schema: SchemaRef,
    metadata: HashMap<String, String>,
    is_file: bool,
    options: IpcWriteOptions,
    added: Arc<[NewColumn]>,
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
}

impl ArrowOutput {
    /// `path` is the output's name for the user, `like` the file whose schema it has, with the columns
    /// `added`; `shards` are those that follow.
    pub(crate) fn open(
        path: &Path,
        target: Target,
        like: &Source,
        added: Arc<[NewColumn]>,
        shards: Option<Box<Shards>>,
    ) -> Result<Self, Error> {
        let cells = Cells::of(&added);
        let like = Like::of(like, added)?;
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
        let Some(Original { batch: Some(batch), source, .. }) = &self.original else {
            return Ok(());
        };
        let taken =
            take_record_batch(batch, &rows).map_err(|error| damaged(source, as_io(error)))?;
        let texts = self.texts.take();
        let column = texts.field().map(|field| batch.schema_ref().index_of(field)).transpose();
        let column = column.map_err(|error| damaged(source, as_io(error)))?;
        let own = own_fields(batch.schema_ref(), &self.like.added);
        let own = own.map(|(at, _)| match column {
            Some(column) if column == at => with_texts(taken.column(at), &texts),
            _ => Ok(Arc::clone(taken.column(at))),
        });
        let own = own.collect::<Result<Vec<_>, _>>();
        let own = own.map_err(|error| damaged(source, as_io(error)))?.into_iter();
        let columns = own.chain(self.cells.finish()).collect();
        let batch = RecordBatch::try_new(Arc::clone(&self.like.schema), columns)
            .map_err(|error| damaged(source, as_io(error)))?;
        let (begun, written) = (self.shard.begun, self.shard.writer.written());
        if let Some(shards) = self.shards.as_mut().filter(|it| begun && it.is_full(written, 1)) {
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

impl Like {
    fn of(source: &Source, added: Arc<[NewColumn]>) -> Result<Self, Error> {
        let Batches { schema, metadata, .. } = open(source)?;
        let (mut file, _) = source.file()?;
        let failed = |error| damaged(source, error);
        let is_file = is_file(&mut file).map_err(failed)?;
        let options = IpcWriteOptions::default().try_with_compression(compression(file));
        let options = options.map_err(|error| failed(as_io(error)))?;
        let mut fields: Vec<FieldRef> =
            own_fields(&schema, &added).map(|(_, field)| Arc::clone(field)).collect();
        fields.extend(added.iter().map(|column| Arc::new(field(column))));
        let schema = Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()));
        Ok(Self { schema, metadata, is_file, options, added })
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
        let disk = Counted { disk: BufWriter::new(disk), written: 0 };
        let (schema, options) = (&like.schema, like.options.clone());
        let writer = if like.is_file {
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

    fn finish(self) -> Result<Counted, ArrowError> {
        match self {
            Self::File(writer) => writer.into_inner(),
            Self::Stream(writer) => writer.into_inner(),
        }
    }
}

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
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
        let columns = added.iter().map(|column| match column.kind {
            NewColumnKind::Integer => Column::Integers(Int64Builder::new()),
            NewColumnKind::Real => Column::Reals(Float64Builder::new()),
            NewColumnKind::Truth => Column::Truths(BooleanBuilder::new()),
            NewColumnKind::Text => Column::Texts(StringBuilder::new()),
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

/// Fails where two files do not have the same columns, those apart that are `added`.
pub(crate) fn same_schema(
    first: &Source,
    second: &Source,
    added: &[NewColumn],
) -> Result<(), Error> {
    let (a, b) = (open(first)?.schema, open(second)?.schema);
    let fields = |schema: &SchemaRef| -> Vec<FieldRef> {
        own_fields(schema, added).map(|(_, field)| Arc::clone(field)).collect()
    };
    let (a, b) = (fields(&a), fields(&b));
    let same = a.len() == b.len()
        && a.iter().zip(&b).all(|(a, b)| {
            (a.name(), a.data_type(), a.is_nullable()) == (b.name(), b.data_type(), b.is_nullable())
        });
    if same {
        return Ok(());
    }
    let named = |fields: &[FieldRef]| {
        let fields = fields.iter().map(|field| format!("{} {}", field.name(), field.data_type()));
        fields.collect::<Vec<_>>().join(", ")
    };
    Err(Error::OutputColumns {
        first: first.name().to_owned(),
        first_columns: named(&a),
        second: second.name().to_owned(),
        second_columns: named(&b),
    })
}

/// The names of the columns of a file.
pub(crate) fn column_names(source: &Source) -> Result<Vec<String>, Error> {
    Ok(open(source)?.schema.fields().iter().map(|field| field.name().clone()).collect())
}

fn open(source: &Source) -> Result<Batches, Error> {
    let (file, _) = source.file()?;
    Batches::of_file(file, Arc::default()).map_err(|error| damaged(source, error))
}

fn damaged(source: &Source, error: io::Error) -> Error {
    explain(source.name(), "Arrow", 0, error)
}

/// The fields of a file that added columns do not take the place of, with their places.
fn own_fields<'a>(
    schema: &'a SchemaRef,
    added: &'a [NewColumn],
) -> impl Iterator<Item = (usize, &'a FieldRef)> {
    let is_added = |field: &FieldRef| added.iter().any(|column| column.name == field.name());
    schema.fields().iter().enumerate().filter(move |(_, field)| !is_added(field))
}

/// A column with new texts in the place of those of some rows.
fn with_texts(column: &ArrayRef, texts: &NewTexts) -> Result<ArrayRef, ArrowError> {
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
    Ok(match column.data_type() {
        DataType::Utf8 => of!(StringArray, column.as_string::<i32>(), std::convert::identity),
        DataType::LargeUtf8 => {
            of!(LargeStringArray, column.as_string::<i64>(), std::convert::identity)
        }
        DataType::Utf8View => of!(StringViewArray, column.as_string_view(), std::convert::identity),
        DataType::Binary => of!(BinaryArray, column.as_binary::<i32>(), str::as_bytes),
        DataType::LargeBinary => of!(LargeBinaryArray, column.as_binary::<i64>(), str::as_bytes),
        DataType::BinaryView => of!(BinaryViewArray, column.as_binary_view(), str::as_bytes),
        other => {
            let problem = format!("the column of the text has the type {other}");
            return Err(ArrowError::SchemaError(problem));
        }
    })
}

/// The field of an added column; its cells may be empty.
fn field(column: &NewColumn) -> Field {
    let data_type = match column.kind {
        NewColumnKind::Integer => DataType::Int64,
        NewColumnKind::Real => DataType::Float64,
        NewColumnKind::Truth => DataType::Boolean,
        NewColumnKind::Text => DataType::Utf8,
    };
    Field::new(column.name, data_type, true)
}
