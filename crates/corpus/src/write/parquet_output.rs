//! A Parquet file of rows that stay of other Parquet files: their columns, types and metadata. Values are copied by
//! `parquet_values`; rows as documents are `parquet_rows`'.

#![deny(clippy::indexing_slicing)]

use crate::columns::parquet_encryption::explained;
use crate::columns::parquet_error::as_io;
use crate::columns::parquet_rows::ARROW_SCHEMA;
use crate::error::Error;
use crate::records::explained::explain;
use crate::records::record::Record;
use crate::records::source::Source;
use crate::write::encoder::Disk;
use crate::write::finished::Finished;
use crate::write::new_cells::NewCells;
use crate::write::new_column::{NewCell, NewColumn};
use crate::write::new_texts::NewTexts;
use crate::write::parquet_values::{Failure, Run, copy_column, copy_values, replace};
use crate::write::row_writer::RowWriter;
use crate::write::shards::Shards;
use crate::write::stored_schema::with_columns;
use crate::write::target::{Target, Temp, name};
use parquet::column::reader::ColumnReader;
use parquet::data_type::ByteArrayType;
use parquet::errors::ParquetError;
use parquet::file::metadata::{KeyValue, ParquetMetaData};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, RowGroupReader};
use parquet::file::serialized_reader::SerializedFileReader;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, Type, TypePtr};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::mem;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

/// Row groups that wait to be copied.
const AHEAD: usize = 1;

/// A Parquet file being written, with the schema, the key-value metadata and the compression of the
/// first file of which rows are kept.
///
/// Rows are noted as they come, and copied by a thread of its own when their row group is over: from
/// each row group of a source that has some to one of the output, column by column, so that nothing
/// of them is lost on the way through a document. No column is held whole.
///
/// With [further columns](crate::outputs::outputs::Outputs::add_columns) each row has their cells behind its own. Then
/// a row group also ends where 4 MiB of these cells wait.
///
/// Memory: some pages of one column, and three numbers for each run of rows of a few row groups; with further
/// columns some 8 MB of their cells for each of three row groups.
pub(crate) struct ParquetOutput {
    added: Arc<[NewColumn]>,
    noted: Option<Noted>,
    copying: Copying,
}

/// A file that rows are copied from.
struct Original {
    source: Source,
    reader: SerializedFileReader<File>,
}

/// The rows kept so far of the row group that the last of them is in.
struct Noted {
    original: Arc<Original>,
    /// The place of the source among those that are read.
    index: usize,
    group: usize,
    /// The number of the first row behind the group in its file.
    end: u64,
    /// The number of the row behind the last that was noted.
    next: u64,
    runs: Vec<Run>,
    cells: NewCells,
    texts: NewTexts,
    /// Rows that were noted.
    rows: usize,
}

/// Rows of one row group.
struct Task {
    original: Arc<Original>,
    group: usize,
    runs: Vec<Run>,
    cells: NewCells,
    texts: NewTexts,
}

/// The thread that copies. It is waited for even where nobody asks what it did, so that no file is
/// left behind.
struct Copying {
    path: PathBuf,
    send: Option<SyncSender<Task>>,
    thread: Option<JoinHandle<Result<Copier, Error>>>,
}

/// What that thread has.
struct Copier {
    shard: Shard,
    like: Like,
    shards: Option<Box<Shards>>,
}

/// What decides the schema of the output.
struct Like {
    /// The first file of which rows are kept.
    metadata: ParquetMetaData,
    added: Arc<[NewColumn]>,
}

/// A file of the output.
struct Shard {
    path: PathBuf,
    writer: Box<SerializedFileWriter<BufWriter<Disk>>>,
    temp: Option<Temp>,
}

impl ParquetOutput {
    /// `path` is the output's name for the user, `like` the file whose schema it has, with the columns
    /// `added`; `shards` are those that follow.
    pub(crate) fn open(
        path: &Path,
        target: Target,
        like: &Source,
        added: Arc<[NewColumn]>,
        shards: Option<Box<Shards>>,
    ) -> Result<Self, Error> {
        let like = Like { metadata: open(like)?.metadata().clone(), added: Arc::clone(&added) };
        let shard = Shard::open(path, target, &like)?;
        let copying = Copying::start(path, Copier { shard, like, shards })?;
        Ok(Self { added, noted: None, copying })
    }

    /// Has the rows copied that were noted.
    fn copy(&mut self) -> Result<(), Error> {
        let Some(noted) = &mut self.noted else { return Ok(()) };
        let runs = mem::take(&mut noted.runs);
        if runs.is_empty() {
            return Ok(());
        }
        let cells = mem::replace(&mut noted.cells, NewCells::of(&self.added));
        // What follows in the group counts from its first row again.
        noted.next = noted.end - noted.original.rows_of(noted.group);
        let texts = noted.texts.take();
        noted.rows = 0;
        let (original, group) = (Arc::clone(&noted.original), noted.group);
        self.copying.take(Task { original, group, runs, cells, texts })
    }

    /// Notes a row.
    fn note(&mut self, record: &Record<'_>, cells: &[NewCell<'_>]) -> Result<(), Error> {
        let index = record.source_index();
        if self.noted.as_ref().is_none_or(|noted| noted.index != index) {
            self.copy()?;
            self.noted = Some(Noted::of(record.source(), index, &self.added)?);
        }
        // A row is a line.
        let row = record.line() - 1;
        if self.noted.as_ref().is_some_and(|noted| row >= noted.end || noted.is_full()) {
            self.copy()?;
        }
        self.noted.as_mut().map_or(Ok(()), |noted| noted.insert(row, cells))
    }
}

impl RowWriter for ParquetOutput {
    fn write(&mut self, record: &Record<'_>, cells: &[NewCell<'_>]) -> Result<(), Error> {
        self.note(record, cells)
    }

    fn write_text(&mut self, record: &Record<'_>, field: &str, text: &str) -> Result<(), Error> {
        self.note(record, &[])?;
        if let Some(noted) = &mut self.noted {
            noted.texts.push(noted.rows - 1, field, text);
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<Finished, Error> {
        self.copy()?;
        let copier = self.copying.end()?;
        let path = name(&copier.shard.path);
        let last = copier.shard.finish()?;
        match copier.shards {
            Some(shards) => shards.finish(last).map_err(|source| Error::Write { path, source }),
            None => Ok(last),
        }
    }
}

impl Noted {
    fn of(source: &Source, index: usize, added: &[NewColumn]) -> Result<Self, Error> {
        let original = Arc::new(Original { source: source.clone(), reader: open(source)? });
        let end = original.rows_of(0);
        let (runs, cells, texts) = (Vec::new(), NewCells::of(added), NewTexts::default());
        Ok(Self { original, index, group: 0, end, next: 0, runs, cells, texts, rows: 0 })
    }

    /// Whether there is no room for more.
    fn is_full(&self) -> bool {
        self.cells.is_full() || self.texts.is_full()
    }

    /// Notes a row, behind those that were noted. None of another group is noted still.
    fn insert(&mut self, row: u64, cells: &[NewCell<'_>]) -> Result<(), Error> {
        while row >= self.end {
            self.group += 1;
            if self.group >= self.original.reader.num_row_groups() {
                let missing = ParquetError::General("rows are missing".to_owned());
                return Err(damaged(&self.original.source, missing));
            }
            self.next = self.end;
            self.end += self.original.rows_of(self.group);
        }
        match self.runs.last_mut() {
            // The one that was noted last, once more.
            Some(last) if row + 1 == self.next => {
                if last.take == 1 {
                    last.times += 1;
                } else {
                    last.take -= 1;
                    self.runs.push(Run { skip: 0, take: 1, times: 2 });
                }
            }
            Some(last) if row == self.next && last.times == 1 => last.take += 1,
            _ => {
                let skip = usize::try_from(row - self.next).unwrap_or(usize::MAX);
                self.runs.push(Run { skip, take: 1, times: 1 });
            }
        }
        self.next = row + 1;
        self.rows += 1;
        self.cells.push(cells);
        Ok(())
    }
}

impl Original {
    fn rows_of(&self, group: usize) -> u64 {
        let group = self.reader.metadata().row_groups().get(group);
        group.and_then(|group| u64::try_from(group.num_rows()).ok()).unwrap_or(0)
    }
}

impl Copying {
    fn start(path: &Path, mut copier: Copier) -> Result<Self, Error> {
        let (send, tasks) = sync_channel::<Task>(AHEAD);
        let work = move || {
            tasks.into_iter().try_for_each(|task| copier.copy(&task))?;
            Ok(copier)
        };
        let thread = thread::Builder::new()
            .name("parquet copy".to_owned())
            .spawn(work)
            .map_err(|source| Error::Write { path: name(path), source })?;
        Ok(Self { path: path.to_owned(), send: Some(send), thread: Some(thread) })
    }

    /// Hands a task over, once there is room.
    fn take(&mut self, task: Task) -> Result<(), Error> {
        if self.send.as_ref().is_some_and(|send| send.send(task).is_ok()) {
            return Ok(());
        }
        self.end().map(drop)
    }

    /// Waits until all is copied.
    fn end(&mut self) -> Result<Copier, Error> {
        self.send = None;
        match self.thread.take() {
            Some(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            // It has told why.
            None => Err(Error::Write {
                path: name(&self.path),
                source: io::Error::other("copying broke off"),
            }),
        }
    }
}

impl Drop for Copying {
    fn drop(&mut self) {
        self.send = None;
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

impl Copier {
    /// Goes on in the next shard where this one is full.
    fn go_on(&mut self) -> Result<(), Error> {
        let written = self.shard.writer.bytes_written() as u64;
        let begun = !self.shard.writer.flushed_row_groups().is_empty();
        if let Some(shards) = self.shards.as_mut().filter(|s| begun && s.is_full((0, written), 1)) {
            let (path, target) = shards.next();
            let next = Shard::open(&path, target, &self.like)?;
            shards.keep(mem::replace(&mut self.shard, next).finish()?);
        }
        Ok(())
    }

    fn copy(&mut self, task: &Task) -> Result<(), Error> {
        let Original { source, reader } = &*task.original;
        let group = reader.get_row_group(task.group).map_err(|error| damaged(source, error))?;
        self.go_on()?;
        let shard = &mut self.shard;
        copy_group(&*group, &mut shard.writer, task, &self.like.added).map_err(
            |error| match error {
                Failure::Read(error) => damaged(source, error),
                Failure::Write(error) => {
                    Error::Write { path: name(&shard.path), source: as_io(error) }
                }
            },
        )
    }
}

impl Shard {
    fn open(path: &Path, target: Target, like: &Like) -> Result<Self, Error> {
        let failed = |error| Error::Write { path: name(path), source: as_io(error) };
        let schema = like.schema().map_err(failed)?;
        let (disk, temp) = target.begin(path)?;
        let properties = like.properties().into();
        let writer =
            SerializedFileWriter::new(BufWriter::new(disk), schema, properties).map_err(failed)?;
        Ok(Self { path: path.to_owned(), writer: Box::new(writer), temp })
    }

    fn finish(self) -> Result<Finished, Error> {
        let failed = |source| Error::Write { path: name(&self.path), source };
        let disk = self.writer.into_inner().map_err(|error| failed(as_io(error)))?;
        let mut disk = disk.into_inner().map_err(|error| failed(error.into_error()))?;
        disk.flush().map_err(failed)?;
        self.temp.map_or_else(|| Ok(Finished::default()), |temp| temp.finish().map_err(failed))
    }
}

/// Fails where two files do not have the same columns, those apart that are `added`.
pub(crate) fn same_schema(
    first: &Source,
    second: &Source,
    added: &[NewColumn],
) -> Result<(), Error> {
    let schema = |source: &Source| -> Result<_, Error> {
        Ok(open(source)?.metadata().file_metadata().schema_descr().root_schema_ptr())
    };
    let (a, b) = (schema(first)?, schema(second)?);
    // The name of the whole is that of the program that wrote it.
    if own_fields(&a, added).eq(own_fields(&b, added)) {
        return Ok(());
    }
    let columns = |schema: &TypePtr| {
        let mut text = Vec::new();
        for field in schema.get_fields() {
            parquet::schema::printer::print_schema(&mut text, field);
        }
        String::from_utf8_lossy(&text).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    Err(Error::OutputColumns {
        first: first.name().to_owned(),
        first_columns: columns(&a),
        second: second.name().to_owned(),
        second_columns: columns(&b),
    })
}

/// The names of the columns of a file.
pub(crate) fn column_names(source: &Source) -> Result<Vec<String>, Error> {
    let schema = open(source)?.metadata().file_metadata().schema_descr().root_schema_ptr();
    Ok(schema.get_fields().iter().map(|field| field.name().to_owned()).collect())
}

fn open(source: &Source) -> Result<SerializedFileReader<File>, Error> {
    let (file, _) = source.file()?;
    SerializedFileReader::new(file).map_err(|error| damaged(source, error))
}

fn damaged(source: &Source, error: ParquetError) -> Error {
    let file = source.file().map(|(file, _)| file).map_err(io::Error::other);
    explain(source.name(), "Parquet", 0, explained(file, as_io(error)))
}

/// The fields of a file that added columns do not take the place of.
fn own_fields<'a>(schema: &'a Type, added: &[NewColumn]) -> impl Iterator<Item = &'a TypePtr> {
    schema.get_fields().iter().filter(|field| !is_added(field.name(), added))
}

/// Whether an added column has this name.
fn is_added(name: &str, added: &[NewColumn]) -> bool {
    added.iter().any(|column| column.name == name)
}

impl Like {
    fn schema(&self) -> Result<TypePtr, ParquetError> {
        let schema = self.metadata.file_metadata().schema_descr().root_schema_ptr();
        if self.added.is_empty() {
            return Ok(schema);
        }
        let mut fields: Vec<TypePtr> = own_fields(&schema, &self.added).cloned().collect();
        for column in self.added.iter().filter(|column| column.comes()) {
            fields.push(column.field()?.into());
        }
        Ok(Type::group_type_builder(schema.name()).with_fields(fields).build()?.into())
    }

    /// What a writer takes over from the file beside its schema.
    fn properties(&self) -> WriterProperties {
        let mut of_file = self.metadata.file_metadata().key_value_metadata().cloned();
        if let Some(pairs) = of_file.as_mut().filter(|_| !self.added.is_empty()) {
            for KeyValue { value, .. } in pairs.iter_mut().filter(|pair| pair.key == ARROW_SCHEMA) {
                *value = value.as_deref().and_then(|stored| with_columns(stored, &self.added));
            }
            // What is no schema tells nothing of the file.
            pairs.retain(|KeyValue { key, value }| key != ARROW_SCHEMA || value.is_some());
        }
        let mut properties = WriterProperties::builder().set_key_value_metadata(of_file);
        let columns = self.metadata.row_groups().first().map_or(&[][..], |group| group.columns());
        for column in columns {
            let path = || column.column_path().clone();
            properties = properties
                .set_column_compression(path(), column.compression())
                .set_column_dictionary_enabled(path(), column.dictionary_page_offset().is_some());
        }
        if let Some(first) = columns.first() {
            for column in self.added.iter().filter(|column| column.comes()) {
                let path = ColumnPath::new(vec![column.name.to_owned()]);
                properties = properties.set_column_compression(path, first.compression());
            }
        }
        properties.build()
    }
}

/// Copies the rows of a task to a row group of their own, with the cells of added columns.
fn copy_group(
    from: &dyn RowGroupReader,
    writer: &mut SerializedFileWriter<BufWriter<Disk>>,
    task: &Task,
    added: &[NewColumn],
) -> Result<(), Failure> {
    let mut to = writer.next_row_group().map_err(Failure::Write)?;
    let wanted = task.texts.field();
    let mut wanted_is_there = wanted.is_none();
    for (column, described) in from.metadata().columns().iter().enumerate() {
        let field = described.column_path().parts().first();
        if field.is_some_and(|field| is_added(field, added)) {
            continue;
        }
        let reader = from.get_column_reader(column).map_err(Failure::Read)?;
        let Some(mut writer) = to.next_column().map_err(Failure::Write)? else { break };
        match (reader, wanted) {
            (ColumnReader::ByteArrayColumnReader(from), Some(wanted))
                if *described.column_path().parts() == [wanted] =>
            {
                wanted_is_there = true;
                let to = writer.typed::<ByteArrayType>();
                copy_values(from, to, &task.runs, |first, levels, values| {
                    replace(&task.texts, first, levels, values);
                })?;
            }
            (reader, _) => copy_column(reader, &mut writer, &task.runs)?,
        }
        writer.close().map_err(Failure::Write)?;
    }
    if !wanted_is_there {
        let missing = "the column of the text does not hold only texts";
        return Err(Failure::Read(ParquetError::General(missing.to_owned())));
    }
    for (column, _) in added.iter().filter(|column| column.comes()).enumerate() {
        let Some(mut writer) = to.next_column().map_err(Failure::Write)? else { break };
        task.cells.write(column, &mut writer).map_err(Failure::Write)?;
        writer.close().map_err(Failure::Write)?;
    }
    to.close().map_err(Failure::Write)?;
    Ok(())
}
