//! A Parquet file as lines of JSON, a row a line. Whether a file is one is told by
//! [`crate::compression`].
//!
//! Strings, numbers, lists and groups become what they are in JSON. A column named `fingerprint`
//! becomes hexadecimal digits, whether it holds those, integers of 64 bits, or 8, 16 or 32 bytes of
//! which the most significant is the first.

use std::fs::File;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::vec;

use parquet::errors::ParquetError;
use parquet::file::serialized_reader::SerializedFileReader;
use parquet::record::reader::RowIter;
use parquet::record::{Field, Row};

/// The column whose values are fingerprints.
const FINGERPRINT: &str = "fingerprint";
/// Rows that are handed over at a time, fewer where their strings have so many bytes.
const CHUNK: (usize, usize) = (64, 1 << 17);
/// Chunks that wait.
const AHEAD: usize = 2;

/// The rows of a file, from the first on.
///
/// A thread of its own unpacks them while the one that reads writes them down; it ends with the
/// rows, or when they are dropped.
///
/// Memory: some pages of every column, and some chunks of rows.
pub(crate) struct ParquetRows {
    chunks: Receiver<Chunk>,
    rows: vec::IntoIter<Row>,
    end: Option<Result<(), ParquetError>>,
    /// Lines that were not read yet, from `at` on.
    line: Vec<u8>,
    at: usize,
    progress: Progress,
}

/// Rows that follow each other.
struct Chunk {
    rows: Vec<Row>,
    /// What comes behind them in place of further rows.
    end: Option<Result<(), ParquetError>>,
}

/// How far a file of known size is read, as its rows tell.
struct Progress {
    read: Arc<AtomicU64>,
    bytes: u64,
    rows: u64,
    done: u64,
}

impl ParquetRows {
    /// Opens a file of `bytes` bytes; `read` grows by them as rows are read.
    pub(crate) fn open(file: File, bytes: u64, read: Arc<AtomicU64>) -> io::Result<ParquetRows> {
        use parquet::file::reader::FileReader;
        let reader = SerializedFileReader::new(file).map_err(told)?;
        let rows = reader.metadata().file_metadata().num_rows();
        let rows = u64::try_from(rows).unwrap_or(0);
        let progress = Progress { read, bytes, rows, done: 0 };
        let (send, chunks) = sync_channel(AHEAD);
        let unpack = move || unpack(RowIter::from_file_into(Box::new(reader)), &send);
        thread::Builder::new().name("parquet".to_owned()).spawn(unpack)?;
        let (rows, line) = (Vec::new().into_iter(), Vec::new());
        Ok(ParquetRows { chunks, rows, end: None, line, at: 0, progress })
    }

    /// The next row; none behind the last.
    fn next(&mut self) -> io::Result<Option<Row>> {
        loop {
            if let Some(row) = self.rows.next() {
                return Ok(Some(row));
            }
            match self.end.take() {
                None => {
                    let died =
                        |_| io::Error::new(io::ErrorKind::InvalidData, "unpacking broke off");
                    let chunk = self.chunks.recv().map_err(died)?;
                    (self.rows, self.end) = (chunk.rows.into_iter(), chunk.end);
                }
                Some(Err(error)) => return Err(told(error)),
                Some(Ok(())) => {
                    self.end = Some(Ok(()));
                    return Ok(None);
                }
            }
        }
    }
}

impl Chunk {
    fn of(rows: &mut RowIter<'_>) -> Chunk {
        let (mut chunk, mut bytes) = (Chunk { rows: Vec::new(), end: None }, 0);
        while chunk.end.is_none() && chunk.rows.len() < CHUNK.0 && bytes < CHUNK.1 {
            match rows.next() {
                Some(Ok(row)) => {
                    bytes += row.get_column_iter().map(|(_, field)| strings(field)).sum::<usize>();
                    chunk.rows.push(row);
                }
                Some(Err(error)) => chunk.end = Some(Err(error)),
                None => chunk.end = Some(Ok(())),
            }
        }
        chunk
    }
}

/// Sends the rows in chunks, until nobody takes them.
fn unpack(mut rows: RowIter<'_>, send: &SyncSender<Chunk>) {
    loop {
        let chunk = Chunk::of(&mut rows);
        let ended = chunk.end.is_some();
        if send.send(chunk).is_err() || ended {
            return;
        }
    }
}

/// Bytes of the text of a value.
fn strings(field: &Field) -> usize {
    match field {
        Field::Str(text) => text.len(),
        Field::Bytes(bytes) => bytes.len(),
        _ => 0,
    }
}

impl Read for ParquetRows {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.line.len() {
            let Some(row) = self.next()? else { return Ok(0) };
            self.line.clear();
            self.at = 0;
            write_line(&row, &mut self.line)?;
            self.progress.advance();
        }
        let rest = self.line.get(self.at..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        if let (Some(to), Some(from)) = (buffer.get_mut(..count), rest.get(..count)) {
            to.copy_from_slice(from);
        }
        self.at += count;
        Ok(count)
    }
}

impl Progress {
    fn advance(&mut self) {
        let part =
            |rows: u64| u128::from(self.bytes) * u128::from(rows) / u128::from(self.rows.max(1));
        let step = part(self.done + 1) - part(self.done);
        self.done += 1;
        self.read.fetch_add(u64::try_from(step).unwrap_or(0), Ordering::Relaxed);
    }
}

/// Appends a row as one line.
fn write_line(row: &Row, line: &mut Vec<u8>) -> io::Result<()> {
    line.push(b'{');
    for (i, (name, field)) in row.get_column_iter().enumerate() {
        if i > 0 {
            line.push(b',');
        }
        serde_json::to_writer(&mut *line, name)?;
        line.push(b':');
        let digits = (name == FINGERPRINT).then(|| digits(field)).flatten();
        match (digits, field) {
            (Some(digits), _) => write!(line, "\"{digits}\"")?,
            (None, Field::Str(text)) => serde_json::to_writer(&mut *line, text)?,
            (None, field) => serde_json::to_writer(&mut *line, &field.to_json_value())?,
        }
    }
    line.extend_from_slice(b"}\n");
    Ok(())
}

/// The digits of a fingerprint that is no text.
fn digits(field: &Field) -> Option<String> {
    match field {
        Field::Long(value) => Some(format!("{value:016x}")),
        Field::ULong(value) => Some(format!("{value:016x}")),
        Field::Bytes(bytes) => {
            Some(bytes.data().iter().map(|byte| format!("{byte:02x}")).collect())
        }
        _ => None,
    }
}

/// What the library found wrong, as the readers of bytes tell it.
pub(crate) fn told(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::new(io::ErrorKind::InvalidData, error),
        },
        error => io::Error::new(io::ErrorKind::InvalidData, error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::basic::Compression;
    use parquet::data_type::{
        ByteArray, ByteArrayType, FixedLenByteArray, FixedLenByteArrayType, Int64Type,
    };
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;

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
        let (read, mut text) = (Arc::new(AtomicU64::new(0)), String::new());
        let size = bytes.len() as u64;
        ParquetRows::open(stored, size, Arc::clone(&read))?.read_to_string(&mut text)?;
        assert_eq!(read.load(Ordering::Relaxed), size);
        Ok(text)
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
}
