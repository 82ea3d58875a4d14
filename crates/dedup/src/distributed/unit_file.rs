//! The file of a unit: Parquet, with what it is in its metadata.

use crate::distributed::cells::{Cell, Cells, Column, Field, Kind, Values};
use crate::distributed::chunk::Chunk;
use crate::distributed::step::Step;
use crate::distributed::stored::Stored;
use crate::distributed::work_folder::WorkFolder;
use crate::error::Error;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::page::{Page, PageReader};
use parquet::data_type::{
    ByteArray, ByteArrayType, FixedLenByteArray, FixedLenByteArrayType, Int64Type,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::{KeyValue, ParquetMetaData, ParquetMetaDataReader};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::io::{self, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// The key of what a file is.
const KEY: &str = "nearprint";
/// Bytes at the end of a file that are read first: what is in it, mostly.
const TAIL: u64 = 1 << 16;
/// Bytes of the rows of a group in memory, about.
pub(crate) const GROUP: usize = 16 << 20;

/// What a file of a unit is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Head {
    /// The id of the job.
    pub(crate) job: String,
    /// The stage.
    pub(crate) stage: String,
    /// The unit, from 0.
    pub(crate) unit: usize,
    /// What the stage counted.
    pub(crate) counts: Value,
    /// Of each row group the least and the greatest of what its rows are of, such as shards, and a checksum of
    /// each column.
    groups: Vec<(u64, u64, Vec<u64>)>,
}

/// Some rows that wait to be written.
pub(crate) struct Rows {
    columns: Vec<(Field, Cells)>,
    /// Where the next value is looked for first: values come in the order of the columns, mostly.
    next: usize,
    /// The least and the greatest of what they are of.
    span: Option<(u64, u64)>,
}

/// Where the bytes of a file go.
type Disk<'a> = &'a mut (dyn Write + Send);

/// A file of a unit that is being written.
pub(crate) struct UnitWriter<'a> {
    fields: Vec<Field>,
    writer: SerializedFileWriter<Disk<'a>>,
    head: Head,
}

/// A file of a unit that is read.
pub(crate) struct UnitFile {
    path: PathBuf,
    stored: Stored,
    metadata: ParquetMetaData,
    fields: Vec<Field>,
    stage: &'static str,
    pub(crate) head: Head,
}

impl Head {
    /// What a file of a unit will be.
    pub(crate) fn new(job: &str, step: Step, unit: usize) -> Self {
        let (job, stage) = (job.to_owned(), step.name().to_owned());
        Self { job, stage, unit, ..Self::default() }
    }
}

impl Rows {
    /// Bytes in memory.
    pub(crate) fn held_bytes(&self) -> usize {
        self.columns.iter().map(|(_, cells)| cells.held_bytes()).sum()
    }

    /// Notes what a row is of, such as a shard.
    pub(crate) fn note(&mut self, of: u64) {
        let (first, last) = self.span.unwrap_or((of, of));
        self.span = Some((first.min(of), last.max(of)));
    }

    /// Appends a value to a column.
    ///
    /// # Errors
    /// [`Error::Bug`] where the stage has no such column.
    pub(crate) fn push<T: Cell + ?Sized>(
        &mut self,
        column: &Column<T>,
        value: T::Of<'_>,
    ) -> Result<(), Error> {
        let named = |(field, _): &(Field, Cells)| field.name == column.name();
        let (before, behind) = self.columns.split_at(self.next.min(self.columns.len()));
        let at = match behind.iter().position(named) {
            Some(at) => Some(self.next + at),
            None => before.iter().position(named),
        };
        let Some((at, (_, cells))) = at.and_then(|at| Some((at, self.columns.get_mut(at)?))) else {
            let problem =
                format!("a stage wrote the column {}, which it does not have", column.name());
            return Err(Error::Bug { problem });
        };
        T::push(value, cells);
        self.next = at + 1;
        Ok(())
    }

    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.columns.first().map_or(0, |(_, cells)| cells.len())
    }
}

impl UnitWriter<'_> {
    /// Writes the file of a unit whole: the rows that `write` puts, and the counts that it returns. The same
    /// rows make the same bytes.
    pub(crate) fn write<T: Serialize>(
        folder: &WorkFolder,
        step: Step,
        unit: usize,
        job: &str,
        fields: Vec<Field>,
        write: impl FnOnce(&mut UnitWriter<'_>) -> Result<T, Error>,
    ) -> Result<(), Error> {
        let mut failed = None;
        let written = folder.write(&folder.unit(step, unit), |file| {
            let mut writer = UnitWriter {
                writer: begin(file, &fields).map_err(as_io)?,
                fields,
                head: Head::new(job, step, unit),
            };
            let counts = match write(&mut writer) {
                Ok(counts) => counts,
                Err(error) => {
                    failed = Some(error);
                    return Err(io::Error::other("the unit failed"));
                }
            };
            writer.end(&counts)
        });
        match failed {
            Some(error) => Err(error),
            None => written,
        }
    }

    /// No rows of the file's columns.
    pub(crate) fn rows(&self) -> Rows {
        let empty = |field: &Field| (field.clone(), field.cells());
        Rows { columns: self.fields.iter().map(empty).collect(), next: 0, span: None }
    }

    /// Row groups so far.
    pub(crate) fn groups(&self) -> usize {
        self.head.groups.len()
    }

    /// Writes rows, if there are any, as a group.
    pub(crate) fn put(&mut self, rows: &mut Rows) -> Result<(), Error> {
        if rows.len() == 0 {
            return Ok(());
        }
        let rows = std::mem::replace(rows, self.rows());
        let sums = rows.columns.iter().map(|(_, cells)| cells.checksum()).collect();
        let (first, last) = rows.span.unwrap_or_default();
        self.head.groups.push((first, last, sums));
        self.group(rows).map_err(|error| {
            let path = PathBuf::from(format!("{} {}", self.head.stage, self.head.unit));
            Error::Io { path, source: as_io(error) }
        })
    }

    fn group(&mut self, rows: Rows) -> Result<(), ParquetError> {
        let mut group = self.writer.next_row_group()?;
        for (field, cells) in rows.columns {
            if let Some(mut column) = group.next_column()? {
                put(&mut column, field.kind, cells)?;
                column.close()?;
            }
        }
        group.close()?;
        Ok(())
    }

    fn end<T: Serialize>(mut self, counts: &T) -> io::Result<()> {
        self.head.counts = serde_json::to_value(counts)?;
        let head = serde_json::to_string(&self.head)?;
        self.writer.append_key_value_metadata(KeyValue::new(KEY.to_owned(), head));
        self.writer.close().map_err(as_io)?;
        Ok(())
    }
}

impl UnitFile {
    /// Opens the file of a unit of a job, which has these columns.
    ///
    /// # Errors
    /// No file, a damaged one, or one of another job, stage or unit.
    pub(crate) fn open(
        folder: &WorkFolder,
        step: Step,
        unit: usize,
        job: &str,
        fields: Vec<Field>,
    ) -> Result<Self, Error> {
        let name = folder.unit(step, unit);
        let (path, stored) = (folder.path(&name), folder.open(&name)?);
        let refused =
            |problem: String| Error::Unit { path: path.clone(), problem, stage: step.name() };
        let metadata = metadata_of(&stored).map_err(|error| match error {
            ParquetError::External(_) => Error::Io { path: path.clone(), source: as_io(error) },
            error => refused(format!("cut short or damaged ({error})")),
        })?;
        let of_file = metadata.file_metadata();
        let values = of_file.key_value_metadata().into_iter().flatten();
        let head = values.into_iter().find(|entry| entry.key == KEY);
        let head = head.and_then(|entry| entry.value.as_deref());
        let head: Option<Head> = head.and_then(|head| serde_json::from_str(head).ok());
        let head = head.ok_or_else(|| refused("not a file of a unit".to_owned()))?;
        let expected = Head::new(job, step, unit);
        let of = |head: &Head| format!("unit {} of {} of job {}", head.unit, head.stage, head.job);
        if of(&head) != of(&expected) {
            return Err(refused(format!("it is {}, not {}", of(&head), of(&expected))));
        }
        let names = of_file.schema_descr().columns().iter().map(|column| column.name());
        if !names.eq(fields.iter().map(|field| &*field.name))
            || head.groups.len() != metadata.num_row_groups()
        {
            return Err(refused("it has other columns or row groups than were written".to_owned()));
        }
        Ok(Self { path, stored, metadata, fields, stage: step.name(), head })
    }

    /// The row groups.
    pub(crate) fn groups(&self) -> Range<usize> {
        0..self.head.groups.len()
    }

    /// The row groups of what is in a range.
    pub(crate) fn groups_of(&self, wanted: Range<u64>) -> Vec<usize> {
        let groups = self.groups().zip(&self.head.groups);
        let ours =
            groups.filter(|(_, (first, last, _))| *first < wanted.end && wanted.start <= *last);
        ours.map(|(group, _)| group).collect()
    }

    /// What the stage counted.
    pub(crate) fn counts<T: for<'de> Deserialize<'de>>(&self) -> Result<T, Error> {
        T::deserialize(&self.head.counts).map_err(|error| self.damaged(error.to_string()))
    }

    /// The values of a column in a row group.
    ///
    /// # Errors
    /// Damage; [`Error::Bug`] where the stage has no such column.
    pub(crate) fn column<T: Cell + ?Sized>(
        &self,
        group: usize,
        column: &Column<T>,
    ) -> Result<Values<T>, Error> {
        let name = column.name();
        let Some((at, field)) =
            self.fields.iter().enumerate().find(|(_, field)| field.name == name)
        else {
            let problem = format!("a stage reads the column {name}, which is not there");
            return Err(Error::Bug { problem });
        };
        let cells = self.read(group, at, field).map_err(|error| match error {
            ParquetError::External(_) => {
                Error::Io { path: self.path.clone(), source: as_io(error) }
            }
            error => self.damaged(error.to_string()),
        })?;
        let sums = self.head.groups.get(group).map(|(_, _, sums)| sums.as_slice());
        if sums.unwrap_or_default().get(at) != Some(&cells.checksum()) {
            return Err(self.damaged(format!("the checksum of its column {name} is wrong")));
        }
        Ok(Values::new(cells))
    }

    /// The values of a column chunk: its pages as they are, for `begin` has them written plainly.
    fn read(&self, group: usize, at: usize, field: &Field) -> Result<Cells, ParquetError> {
        let damaged = |problem: &str| Err(ParquetError::General(problem.to_owned()));
        let chunk = self.metadata.row_groups().get(group).and_then(|group| group.columns().get(at));
        let Some(chunk) = chunk else { return damaged("a column is not there") };
        let number = |number: i64| u64::try_from(number).ok();
        let start =
            number(chunk.data_page_offset()).filter(|_| chunk.dictionary_page_offset().is_none());
        let place = start.zip(number(chunk.compressed_size()));
        let place = place.and_then(|(start, bytes)| Some((start, start.checked_add(bytes)?)));
        let Some((start, end)) = place.filter(|(_, end)| *end <= self.stored.bytes()) else {
            return damaged("a column lies beyond its end");
        };
        let bytes = Arc::new(Chunk { start, bytes: self.stored.read(start..end)? });
        let rows = usize::try_from(chunk.num_values()).unwrap_or(0);
        let mut pages = SerializedPageReader::new(bytes, chunk, rows, None)?;
        let mut cells = field.cells();
        while let Some(page) = pages.get_next_page()? {
            let is_read = match page {
                Page::DataPage { buf, encoding: Encoding::PLAIN, .. } => cells.extend_plain(&buf),
                _ => false,
            };
            if !is_read {
                return damaged("a page was not written so");
            }
        }
        Ok(cells)
    }

    /// What is wrong with it.
    pub(crate) fn damaged(&self, problem: String) -> Error {
        Error::Unit { path: self.path.clone(), problem, stage: self.stage }
    }
}

/// What a file says at its end of what is in it.
fn metadata_of(stored: &Stored) -> Result<ParquetMetaData, ParquetError> {
    let (bytes, mut reader, mut wanted) = (stored.bytes(), ParquetMetaDataReader::new(), TAIL);
    loop {
        let tail = stored.read(bytes.saturating_sub(wanted)..bytes)?;
        match reader.try_parse_sized(&tail, bytes) {
            Err(ParquetError::NeedMoreData(needed)) if needed as u64 > wanted => {
                wanted = needed as u64
            }
            parsed => return parsed.and_then(|()| reader.finish()),
        }
    }
}

/// Begins a file of these columns. Pages are plain, and hashes are not compressed.
fn begin<'a>(
    file: Disk<'a>,
    fields: &[Field],
) -> Result<SerializedFileWriter<Disk<'a>>, ParquetError> {
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::UNCOMPRESSED)
        .set_data_page_row_count_limit(usize::MAX)
        .set_dictionary_enabled(false)
        .set_statistics_enabled(EnabledStatistics::None)
        .set_offset_index_disabled(true)
        .set_created_by(KEY.to_owned());
    let mut schema = String::new();
    for Field { name, kind } in fields {
        let physical = match kind {
            Kind::Number => "int64".to_owned(),
            Kind::Fixed(bytes) => format!("fixed_len_byte_array({bytes})"),
            Kind::Bytes | Kind::Text => "binary".to_owned(),
        };
        schema += &format!("required {physical} {name}; ");
        if let Kind::Number | Kind::Text = kind {
            let zstd = Compression::ZSTD(ZstdLevel::try_new(1)?);
            properties = properties.set_column_compression((&**name).into(), zstd);
        }
    }
    let schema = Arc::new(parse_message_type(&format!("message unit {{ {schema}}}"))?);
    SerializedFileWriter::new(file, schema, Arc::new(properties.build()))
}

/// Writes the values of a column of a row group.
fn put(
    column: &mut SerializedColumnWriter<'_>,
    kind: Kind,
    cells: Cells,
) -> Result<(), ParquetError> {
    match kind {
        Kind::Number => {
            column.typed::<Int64Type>().write_batch(&cells.numbers(), None, None)?;
        }
        Kind::Fixed(_) => {
            let values = cells.into_slices().into_iter().map(ByteArray::from);
            let values: Vec<FixedLenByteArray> = values.map(FixedLenByteArray::from).collect();
            column.typed::<FixedLenByteArrayType>().write_batch(&values, None, None)?;
        }
        Kind::Bytes | Kind::Text => {
            let values: Vec<_> = cells.into_slices().into_iter().map(ByteArray::from).collect();
            column.typed::<ByteArrayType>().write_batch(&values, None, None)?;
        }
    }
    Ok(())
}

/// The failure of the disk that the library met, or what it cannot write.
fn as_io(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distributed::columns::{A, B, ID, NUMBER};

    #[test]
    fn a_value_goes_to_the_column_of_its_handle_or_nowhere() {
        let room = tempfile::tempdir().unwrap();
        let folder = WorkFolder::new(room.path()).unwrap();
        folder.create(&Step::ALL).unwrap();
        let fields = || vec![A.numbers(), ID.text(), B.numbers()];
        UnitWriter::write(&folder, Step::Join, 0, "job", fields(), |file| {
            let mut rows = file.rows();
            rows.push(&B, 2)?;
            rows.push(&A, 1)?;
            rows.push(&ID, "x")?;
            file.put(&mut rows)?;
            let mut rows = file.rows();
            let error = rows.push(&NUMBER, 7).unwrap_err().to_string();
            assert!(error.contains("the column number, which it does not have"), "{error}");
            Ok(())
        })
        .unwrap();
        let file = UnitFile::open(&folder, Step::Join, 0, "job", fields()).unwrap();
        let (a, b) = (file.column(0, &A).unwrap(), file.column(0, &B).unwrap());
        assert_eq!((a.at(0), b.at(0), a.len()), (1, 2, 1));
        assert_eq!(file.column(0, &ID).unwrap().at(0), "x");
        assert!(matches!(file.column(0, &NUMBER), Err(Error::Bug { .. })));
    }
}
