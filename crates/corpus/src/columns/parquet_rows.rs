//! A Parquet file as packed rows, the form of which is `packed_row`'s.

use crate::columns::arrow_messages::STREAM;
use crate::columns::library::library;
use crate::columns::packed_row::Columns;
use crate::columns::parquet_encryption::explained;
use crate::columns::parquet_error::as_io;
use crate::columns::parquet_group::ParquetGroup;
use crate::columns::parquet_leaves::Meanings;
use crate::columns::unpacking::{Packing, Unpacking};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use parquet::file::reader::FileReader;
use parquet::file::serialized_reader::SerializedFileReader;
use parquet::schema::types::Type;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The key of metadata that repeats the schema as Arrow has it.
pub(crate) const ARROW_SCHEMA: &str = "ARROW:schema";

/// Unpacks a file of `bytes` bytes from its first row on; `read` grows by them as rows are read. Chunks are of
/// `room` bytes, but of one row where that is longer.
///
/// Memory: some pages of every column, and some chunks of rows.
pub(crate) fn unpack(
    (mut file, bytes): (File, u64),
    room: usize,
    read: Arc<AtomicU64>,
) -> io::Result<Unpacking> {
    let (again, whole) = (file.try_clone()?, file.try_clone()?);
    let reader = library(|| SerializedFileReader::new(again)).map_err(ParquetError::General);
    let reader = reader.flatten().map_err(|error| explained(file.try_clone(), as_io(error)))?;
    check_single(&mut file, reader.metadata().row_groups())?;
    let metadata = reader.metadata().file_metadata();
    let fields = metadata.schema_descr().root_schema().get_fields();
    let columns = Columns(fields.iter().map(|it| it.name().to_owned()).collect());
    let rows = u64::try_from(metadata.num_rows()).unwrap_or(0);
    let progress = Progress { read, bytes, rows, done: 0 };
    Unpacking::start("parquet", columns, room, move |packing| {
        groups(&reader, packing, progress).map_err(|error| explained(Ok(whole), error))
    })
}

/// Fails where another file stands in front: the footer counts from the start of its own, so that rows of the one would be
/// taken for those of the other.
fn check_single(file: &mut (impl Read + Seek), row_groups: &[RowGroupMetaData]) -> io::Result<()> {
    const MAGIC: u64 = 4;
    /// The length of the footer, and the magic number.
    const TAIL: i64 = 8;
    let mut bytes = [0; 8];
    let tail = file.seek(SeekFrom::End(-TAIL))?;
    file.read_exact(&mut bytes)?;
    let [size, _] = bytes.as_chunks::<4>().0 else { return Ok(()) };
    let footer = tail.saturating_sub(u32::from_le_bytes(*size).into());
    let ends = row_groups.iter().flat_map(RowGroupMetaData::columns).map(end);
    // Nothing stands between the last of them and the footer.
    let in_front = footer.saturating_sub(ends.max().unwrap_or(0).max(MAGIC));
    let Some(seam) = in_front.checked_sub(MAGIC) else { return Ok(()) };
    file.seek(SeekFrom::Start(seam))?;
    file.read_exact(&mut bytes)?;
    if &bytes == b"PAR1PAR1" {
        let told = "a second file follows the first; write the rows of both as one";
        return Err(io::Error::new(io::ErrorKind::Unsupported, told));
    }
    Ok(())
}

/// Where the pages of a column end, and what its footer tells of them.
fn end(column: &ColumnChunkMetaData) -> u64 {
    let pages = column.dictionary_page_offset().filter(|at| *at > 0);
    let pages = pages.unwrap_or_else(|| column.data_page_offset());
    let index = |at: Option<i64>, length: Option<i32>| Some((at?, i64::from(length?)));
    let parts = [
        Some((pages, column.compressed_size())),
        index(column.column_index_offset(), column.column_index_length()),
        index(column.offset_index_offset(), column.offset_index_length()),
        index(column.bloom_filter_offset(), column.bloom_filter_length()),
    ];
    let ends = parts.into_iter().flatten().map(|(at, length)| at.saturating_add(length));
    ends.filter_map(|end| u64::try_from(end).ok()).max().unwrap_or(0)
}

/// Packs the rows of all groups.
fn groups(
    reader: &SerializedFileReader<File>,
    packing: &mut Packing,
    mut progress: Progress,
) -> io::Result<()> {
    let stored = reader.metadata().file_metadata().key_value_metadata().into_iter().flatten();
    let stored = stored.filter(|it| it.key == ARROW_SCHEMA).find_map(|it| it.value.as_deref());
    let root = reader.metadata().file_metadata().schema_descr().root_schema();
    let meanings = stored.map(|schema| meanings(schema, root)).unwrap_or_default();
    let mut form = None;
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group).map_err(as_io)?;
        let opened =
            library(|| ParquetGroup::open(&*group, &meanings)).map_err(ParquetError::General);
        let mut group = opened.flatten().map_err(as_io)?;
        while group.pack(&mut form, packing.row())? {
            progress.advance();
            if !packing.end_row() {
                return Ok(());
            }
        }
    }
    progress.end();
    Ok(())
}

/// What leaves hold, by the schema that is stored beside.
fn meanings(schema: &str, root: &Type) -> Meanings {
    let bytes = BASE64_STANDARD.decode(schema).unwrap_or_default();
    // The length of the message follows.
    let message = bytes.strip_prefix(STREAM).and_then(|rest| rest.get(4..)).unwrap_or(&bytes);
    Meanings::of(message, root)
}

/// How far a file of known size is read, as its rows tell.
struct Progress {
    read: Arc<AtomicU64>,
    bytes: u64,
    rows: u64,
    done: u64,
}

/// Rows between two looks at how far the file is read.
const STEP: u64 = 128;

impl Progress {
    /// Another row is read.
    fn advance(&mut self) {
        self.done += 1;
        if self.done.is_multiple_of(STEP) {
            self.add(STEP);
        }
    }

    /// All rows are read.
    fn end(&self) {
        self.add(self.done % STEP);
    }

    /// Adds the part of the file that the last rows are.
    fn add(&self, rows: u64) {
        let part =
            |rows: u64| u128::from(self.bytes) * u128::from(rows) / u128::from(self.rows.max(1));
        let step = part(self.done) - part(self.done - rows);
        self.read.fetch_add(u64::try_from(step).unwrap_or(0), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::packed_row::PackedRow;
    use crate::columns::unpacking::Chunk;
    use parquet::basic::Compression;
    use parquet::data_type::{
        ByteArray, ByteArrayType, FixedLenByteArray, FixedLenByteArrayType, Int64Type,
    };
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;
    use std::io::Write;

    const SCHEMA: &str = "message rows {
        required byte_array id (UTF8);
        required int64 n (INTEGER(64,false));
        required fixed_len_byte_array(16) fingerprint;
    }";

    /// Three rows in two groups.
    fn file(compression: Compression) -> Vec<u8> {
        let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
        let properties = WriterProperties::builder().set_compression(compression).build();
        let mut writer =
            SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).unwrap();
        for rows in [&[0_u8, 1][..], &[2]] {
            let mut group = writer.next_row_group().unwrap();
            let ids: Vec<_> =
                rows.iter().map(|row| ByteArray::from(format!("\"{row}").as_str())).collect();
            let numbers: Vec<_> = rows.iter().map(|row| i64::from(*row) - 1).collect();
            let codes: Vec<_> =
                rows.iter().map(|row| FixedLenByteArray::from(vec![*row; 16])).collect();
            let mut column = group.next_column().unwrap().unwrap();
            column.typed::<ByteArrayType>().write_batch(&ids, None, None).unwrap();
            column.close().unwrap();
            let mut column = group.next_column().unwrap().unwrap();
            column.typed::<Int64Type>().write_batch(&numbers, None, None).unwrap();
            column.close().unwrap();
            let mut column = group.next_column().unwrap().unwrap();
            column.typed::<FixedLenByteArrayType>().write_batch(&codes, None, None).unwrap();
            column.close().unwrap();
            group.close().unwrap();
        }
        writer.into_inner().unwrap()
    }

    fn lines(bytes: &[u8]) -> io::Result<String> {
        let mut stored = tempfile::tempfile().unwrap();
        stored.write_all(bytes).unwrap();
        let read = Arc::new(AtomicU64::new(0));
        let size = bytes.len() as u64;
        let mut rows = unpack((stored, size), 60, Arc::clone(&read))?;
        let mut lines = Vec::new();
        while let Some(Chunk { bytes, ends }) = rows.next()? {
            let starts = [0].into_iter().chain(ends.iter().copied());
            for (start, end) in starts.zip(&ends) {
                lines
                    .extend(PackedRow::new(&bytes[start..*end]).to_line(rows.columns(), |_| false));
            }
        }
        assert_eq!(read.load(Ordering::Relaxed), size);
        Ok(String::from_utf8(lines).unwrap())
    }

    #[test]
    fn rows_of_all_groups_are_lines_whatever_the_compression() {
        let digits = |row: &str| row.repeat(16);
        let expected: String =
            [("0", "18446744073709551615", "00"), ("1", "0", "01"), ("2", "1", "02")]
                .map(|(id, n, row)| {
                    format!(
                        "{{\"id\":\"\\\"{id}\",\"n\":{n},\"fingerprint\":\"{}\"}}\n",
                        digits(row)
                    )
                })
                .concat();
        let zstd = Compression::ZSTD(parquet::basic::ZstdLevel::default());
        for compression in
            [Compression::UNCOMPRESSED, Compression::SNAPPY, Compression::LZ4_RAW, zstd]
        {
            assert_eq!(lines(&file(compression)).unwrap(), expected, "{compression}");
        }
    }

    #[test]
    fn a_file_cut_short_or_damaged_is_an_error() {
        let whole = file(Compression::SNAPPY);
        for length in [4, 11, whole.len() / 2, whole.len() - 1] {
            assert!(lines(&whole[..length]).is_err(), "{length} bytes");
        }
        let mut damaged = whole;
        let at = damaged.len() - 7;
        damaged[at] ^= 0xff;
        assert!(lines(&damaged).is_err());
    }

    #[test]
    fn files_one_behind_the_other_are_no_file() {
        let [one, packed] = [Compression::UNCOMPRESSED, Compression::SNAPPY].map(file);
        let [one, packed] = [&one[..], &packed[..]];
        for both in [[one, one], [one, packed], [packed, one]] {
            let told = lines(&both.concat()).unwrap_err();
            assert_eq!(told.kind(), io::ErrorKind::Unsupported, "{told}");
        }
    }
}
