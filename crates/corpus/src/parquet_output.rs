//! A Parquet file of rows that stay of other Parquet files: their columns, types and metadata. Rows as
//! documents are `parquet_rows`'.

#![deny(clippy::indexing_slicing)]

use std::fs::File;
use std::io::BufWriter;
use std::mem;
use std::path::{Path, PathBuf};

use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::column::writer::ColumnWriterImpl;
use parquet::data_type::{
    BoolType, ByteArrayType, DataType, DoubleType, FixedLenByteArrayType, FloatType, Int32Type,
    Int64Type, Int96Type,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, RowGroupReader};
use parquet::file::serialized_reader::SerializedFileReader;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};

use crate::encoder::Disk;
use crate::error::Error;
use crate::finished::Finished;
use crate::format::InputFormat;
use crate::parquet_rows::told;
use crate::record::Record;
use crate::shards::Shards;
use crate::source::Source;
use crate::target::{Target, Temp, name};

/// Rows copied at a time.
const ROWS: usize = 128;

/// A Parquet file being written, with the schema, the key-value metadata and the compression of the
/// first file of which rows are kept.
///
/// A source's rows are noted as they come, a bit each, and copied when it ends: from each row group of
/// the source that has some to one of the output, column by column, so that nothing of them is lost
/// on the way through a document. No column is held whole.
pub struct ParquetOutput {
    shard: Shard,
    /// The first file of which rows are kept.
    like: Box<ParquetMetaData>,
    shards: Option<Box<Shards>>,
    /// The source whose rows are being noted, with its place among those that are read.
    current: Option<(usize, Source)>,
    kept: Kept,
}

/// A file of the output.
struct Shard {
    path: PathBuf,
    writer: Box<SerializedFileWriter<BufWriter<Disk>>>,
    temp: Option<Temp>,
}

/// Numbers of rows.
#[derive(Default)]
struct Kept {
    bits: Vec<u64>,
    rows: u64,
}

impl ParquetOutput {
    /// `path` is the output's name for the user, `like` the file whose schema it has.
    pub(crate) fn open(path: &Path, target: Target, like: &Source) -> Result<ParquetOutput, Error> {
        let like = Box::new(open(like)?.metadata().clone());
        let shard = Shard::open(path, target, &like)?;
        Ok(ParquetOutput { shard, like, shards: None, current: None, kept: Kept::default() })
    }

    /// The first of these shards.
    pub(crate) fn open_first(mut shards: Shards, like: &Source) -> Result<ParquetOutput, Error> {
        let (path, target) = shards.next();
        let first = ParquetOutput::open(&path, target, like)?;
        Ok(ParquetOutput { shards: Some(Box::new(shards)), ..first })
    }

    /// Keeps a row. Rows come in the order of the [`Reader`](crate::reader::Reader) that reads their
    /// files.
    ///
    /// # Errors
    ///
    /// [`Error::Write`] if the disk is full or fails, and what reading the file before fails with.
    pub fn write_record(&mut self, record: &Record<'_>) -> Result<(), Error> {
        let index = record.source_index();
        if self.current.as_ref().is_none_or(|(current, _)| *current != index) {
            self.copy()?;
            self.current = Some((index, record.source().clone()));
        }
        // A row is a line.
        self.kept.insert(record.line() - 1);
        Ok(())
    }

    /// Ends the data, safe on disk; a regular file still waits for its name.
    ///
    /// # Errors
    ///
    /// As for [`write_record`](Self::write_record).
    pub fn finish(mut self) -> Result<Finished, Error> {
        self.copy()?;
        let path = name(&self.shard.path);
        let last = self.shard.finish()?;
        match self.shards {
            Some(shards) => shards.finish(last).map_err(|source| Error::Write { path, source }),
            None => Ok(last),
        }
    }

    /// Goes on in the next shard where this one is full.
    fn go_on(&mut self) -> Result<(), Error> {
        let written = self.shard.writer.bytes_written() as u64;
        let begun = !self.shard.writer.flushed_row_groups().is_empty();
        if let Some(shards) = self.shards.as_mut().filter(|s| begun && s.is_full(written, 1)) {
            let (path, target) = shards.next();
            let next = Shard::open(&path, target, &self.like)?;
            shards.keep(mem::replace(&mut self.shard, next).finish()?);
        }
        Ok(())
    }

    /// Copies the rows that were noted.
    fn copy(&mut self) -> Result<(), Error> {
        let kept = mem::take(&mut self.kept);
        let Some((_, source)) = self.current.take() else { return Ok(()) };
        let reader = open(&source)?;
        let mut first = 0;
        for group in 0..reader.num_row_groups() {
            let read = |error| damaged(&source, error);
            let group = reader.get_row_group(group).map_err(read)?;
            let rows = u64::try_from(group.metadata().num_rows()).unwrap_or(0);
            let runs = kept.runs(first, first + rows);
            first += rows;
            if !runs.is_empty() {
                self.go_on()?;
                let shard = &mut self.shard;
                copy_group(&*group, &mut shard.writer, &runs).map_err(|error| match error {
                    Failure::Read(error) => damaged(&source, error),
                    Failure::Write(error) => {
                        Error::Write { path: name(&shard.path), source: told(error) }
                    }
                })?;
            }
        }
        if kept.rows > first {
            return Err(damaged(&source, ParquetError::General("rows are missing".to_owned())));
        }
        Ok(())
    }
}

impl Shard {
    fn open(path: &Path, target: Target, like: &ParquetMetaData) -> Result<Shard, Error> {
        let schema = like.file_metadata().schema_descr().root_schema_ptr();
        let (disk, temp) = target.begin(path)?;
        let writer =
            SerializedFileWriter::new(BufWriter::new(disk), schema, properties(like).into())
                .map_err(|error| Error::Write { path: name(path), source: told(error) })?;
        Ok(Shard { path: path.to_owned(), writer: Box::new(writer), temp })
    }

    fn finish(self) -> Result<Finished, Error> {
        let failed = |source| Error::Write { path: name(&self.path), source };
        let disk = self.writer.into_inner().map_err(|error| failed(told(error)))?;
        drop(disk.into_inner().map_err(|error| failed(error.into_error()))?);
        self.temp.map_or_else(|| Ok(Finished::default()), |temp| temp.finish().map_err(failed))
    }
}

/// Whether a source is a Parquet file, by its bytes.
pub(crate) fn is_parquet(source: &Source) -> bool {
    source.format() == Some(InputFormat::Jsonl) && source.is_parquet()
}

/// Fails where two files do not have the same columns.
pub(crate) fn same_schema(first: &Source, second: &Source) -> Result<(), Error> {
    let schema = |source: &Source| -> Result<_, Error> {
        Ok(open(source)?.metadata().file_metadata().schema_descr().root_schema_ptr())
    };
    let (a, b) = (schema(first)?, schema(second)?);
    // The name of the whole is that of the program that wrote it.
    if a.get_fields() == b.get_fields() {
        return Ok(());
    }
    let columns = |schema: &parquet::schema::types::TypePtr| {
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

/// Where copying failed.
enum Failure {
    Read(ParquetError),
    Write(ParquetError),
}

fn open(source: &Source) -> Result<SerializedFileReader<File>, Error> {
    let (file, _) = source.file()?;
    SerializedFileReader::new(file).map_err(|error| damaged(source, error))
}

fn damaged(source: &Source, error: ParquetError) -> Error {
    let (path, error) = (source.name().to_owned(), told(error));
    if error.raw_os_error().is_some() {
        return Error::Read { path, source: error };
    }
    Error::Corrupt { path, compression: "Parquet", offset: 0, detail: error.to_string() }
}

/// What a writer takes over from a file beside its schema.
fn properties(metadata: &ParquetMetaData) -> WriterProperties {
    let of_file = metadata.file_metadata().key_value_metadata().cloned();
    let mut properties = WriterProperties::builder().set_key_value_metadata(of_file);
    for column in metadata.row_groups().first().map_or(&[][..], |group| group.columns()) {
        let path = || column.column_path().clone();
        properties = properties
            .set_column_compression(path(), column.compression())
            .set_column_dictionary_enabled(path(), column.dictionary_page_offset().is_some());
    }
    properties.build()
}

/// Copies runs of rows, (how many to pass over, how many to take), to a row group of their own.
fn copy_group(
    from: &dyn RowGroupReader,
    writer: &mut SerializedFileWriter<BufWriter<Disk>>,
    runs: &[(usize, usize)],
) -> Result<(), Failure> {
    let mut to = writer.next_row_group().map_err(Failure::Write)?;
    for column in 0..from.num_columns() {
        let reader = from.get_column_reader(column).map_err(Failure::Read)?;
        let Some(mut writer) = to.next_column().map_err(Failure::Write)? else { break };
        copy_column(reader, &mut writer, runs)?;
        writer.close().map_err(Failure::Write)?;
    }
    to.close().map_err(Failure::Write)?;
    Ok(())
}

fn copy_column(
    from: ColumnReader,
    to: &mut SerializedColumnWriter<'_>,
    runs: &[(usize, usize)],
) -> Result<(), Failure> {
    match from {
        ColumnReader::BoolColumnReader(from) => copy_values(from, to.typed::<BoolType>(), runs),
        ColumnReader::Int32ColumnReader(from) => copy_values(from, to.typed::<Int32Type>(), runs),
        ColumnReader::Int64ColumnReader(from) => copy_values(from, to.typed::<Int64Type>(), runs),
        ColumnReader::Int96ColumnReader(from) => copy_values(from, to.typed::<Int96Type>(), runs),
        ColumnReader::FloatColumnReader(from) => copy_values(from, to.typed::<FloatType>(), runs),
        ColumnReader::DoubleColumnReader(from) => copy_values(from, to.typed::<DoubleType>(), runs),
        ColumnReader::ByteArrayColumnReader(from) => {
            copy_values(from, to.typed::<ByteArrayType>(), runs)
        }
        ColumnReader::FixedLenByteArrayColumnReader(from) => {
            copy_values(from, to.typed::<FixedLenByteArrayType>(), runs)
        }
    }
}

fn copy_values<T: DataType>(
    mut from: ColumnReaderImpl<T>,
    to: &mut ColumnWriterImpl<'_, T>,
    runs: &[(usize, usize)],
) -> Result<(), Failure> {
    let (mut values, mut definitions, mut repetitions) = (Vec::new(), Vec::new(), Vec::new());
    let column = to.get_descriptor();
    let (optional, repeated) = (column.max_def_level() > 0, column.max_rep_level() > 0);
    let mut gathered = 0;
    let runs = runs.iter().copied().chain([(0, 0)]);
    for (skip, mut take) in runs {
        if skip > 0 {
            from.skip_records(skip).map_err(Failure::Read)?;
        }
        loop {
            let want = take.min(ROWS - gathered);
            if want > 0 {
                let (found, ..) = from
                    .read_records(want, Some(&mut definitions), Some(&mut repetitions), &mut values)
                    .map_err(Failure::Read)?;
                if found < want {
                    let error = ParquetError::EOF("a column has too few rows".to_owned());
                    return Err(Failure::Read(error));
                }
            }
            gathered += want;
            take -= want;
            if gathered == ROWS {
                let levels = (optional.then_some(&*definitions), repeated.then_some(&*repetitions));
                to.write_batch(&values, levels.0, levels.1).map_err(Failure::Write)?;
                values.clear();
                definitions.clear();
                repetitions.clear();
                gathered = 0;
            }
            if take == 0 {
                break;
            }
        }
    }
    let levels = (optional.then_some(&*definitions), repeated.then_some(&*repetitions));
    to.write_batch(&values, levels.0, levels.1).map_err(Failure::Write)?;
    Ok(())
}

impl Kept {
    fn insert(&mut self, row: u64) {
        let at = usize::try_from(row / 64).unwrap_or(usize::MAX);
        if at >= self.bits.len() {
            self.bits.resize(at + 1, 0);
        }
        if let Some(word) = self.bits.get_mut(at) {
            *word |= 1 << (row % 64);
        }
        self.rows = row + 1;
    }

    fn has(&self, row: u64) -> bool {
        let word = usize::try_from(row / 64).ok().and_then(|at| self.bits.get(at));
        word.is_some_and(|word| word >> (row % 64) & 1 == 1)
    }

    /// The runs of kept rows from `start` to before `end`: rows to pass over, then rows to take.
    fn runs(&self, start: u64, end: u64) -> Vec<(usize, usize)> {
        let mut runs: Vec<(usize, usize)> = Vec::new();
        let mut skip = 0;
        for row in start..end.min(self.rows) {
            match (self.has(row), runs.last_mut()) {
                (true, Some((_, take))) if skip == 0 => *take += 1,
                (true, _) => {
                    runs.push((skip, 1));
                    skip = 0;
                }
                (false, _) => skip += 1,
            }
        }
        runs
    }
}
