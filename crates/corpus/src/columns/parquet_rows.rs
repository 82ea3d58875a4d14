//! A Parquet file as packed rows, the form of which is `packed_row`'s. Whether a file is one is told by
//! [`crate::compression`].

use crate::buffers::Buffers;
use crate::columns::packed_row::Columns;
use crate::columns::parquet_error::as_io;
use crate::columns::parquet_group::ParquetGroup;
use parquet::file::reader::FileReader;
use parquet::file::serialized_reader::SerializedFileReader;
use std::fs::File;
use std::io;
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// Chunks that wait: enough of the usual size for a page of 1024 texts, whose rows come all at once.
const AHEAD: usize = 16;

/// The rows of a file, from the first on.
///
/// A thread of its own unpacks them; it ends with the rows, or when they are dropped.
///
/// Memory: some pages of every column, and some chunks of rows.
pub(crate) struct ParquetRows {
    columns: Arc<Columns>,
    buffers: Arc<Buffers>,
    chunks: Receiver<io::Result<Option<Chunk>>>,
    progress: Progress,
}

/// Rows that follow each other, packed.
pub(crate) struct Chunk {
    pub(crate) bytes: Vec<u8>,
    /// Where each of the rows ends in them.
    pub(crate) ends: Vec<usize>,
}

/// How far a file of known size is read, as its rows tell.
struct Progress {
    read: Arc<AtomicU64>,
    bytes: u64,
    rows: u64,
    done: u64,
}

/// What the thread has.
struct Unpacking {
    chunks: SyncSender<io::Result<Option<Chunk>>>,
    buffers: Arc<Buffers>,
    /// Bytes of a buffer.
    room: usize,
}

impl ParquetRows {
    /// Opens a file of `bytes` bytes; `read` grows by them as rows are read. Chunks are of `room`
    /// bytes, but of one row where that is longer.
    pub(crate) fn open(
        (file, bytes): (File, u64),
        room: usize,
        read: Arc<AtomicU64>,
    ) -> io::Result<Self> {
        let reader = SerializedFileReader::new(file).map_err(as_io)?;
        let metadata = reader.metadata().file_metadata();
        let fields = metadata.schema_descr().root_schema().get_fields();
        let columns = Arc::new(Columns(fields.iter().map(|it| it.name().to_owned()).collect()));
        let rows = u64::try_from(metadata.num_rows()).unwrap_or(0);
        let progress = Progress { read, bytes, rows, done: 0 };
        let (send, chunks) = sync_channel(AHEAD);
        let buffers = Arc::new(Buffers::new(room));
        let unpacking = Unpacking { chunks: send, buffers: Arc::clone(&buffers), room };
        let unpack = move || unpacking.run(&reader);
        thread::Builder::new().name("parquet".to_owned()).spawn(unpack)?;
        Ok(Self { columns, buffers, chunks, progress })
    }

    pub(crate) fn columns(&self) -> &Arc<Columns> {
        &self.columns
    }

    /// Where the memory of chunks goes.
    pub(crate) fn buffers(&self) -> &Arc<Buffers> {
        &self.buffers
    }

    /// The next rows; none behind the last, where nobody asks again.
    pub(crate) fn next(&mut self) -> io::Result<Option<Chunk>> {
        let died = |_| io::Error::new(io::ErrorKind::InvalidData, "unpacking broke off");
        let chunk = self.chunks.recv().map_err(died).flatten()?;
        if let Some(chunk) = &chunk {
            self.progress.advance(chunk.ends.len() as u64);
        }
        Ok(chunk)
    }
}

impl Unpacking {
    /// Sends the rows in chunks and the end behind them, until nobody takes them.
    fn run(&self, reader: &SerializedFileReader<File>) {
        let mut chunk = self.chunk();
        let unpacked = self.groups(reader, &mut chunk);
        let rest = (!chunk.ends.is_empty()).then_some(Ok(Some(chunk)));
        for last in rest.into_iter().chain([unpacked.map(|()| None)]) {
            // Nobody may be there any more.
            let _ = self.chunks.send(last);
        }
    }

    /// Leaves the last chunk.
    fn groups(&self, reader: &SerializedFileReader<File>, chunk: &mut Chunk) -> io::Result<()> {
        for group in 0..reader.num_row_groups() {
            let group = reader.get_row_group(group).map_err(as_io)?;
            let mut group = ParquetGroup::open(&*group).map_err(as_io)?;
            while group.pack(&mut chunk.bytes)? {
                chunk.ends.push(chunk.bytes.len());
                // Of the usual rows another still has room, so that the buffer does not grow.
                if chunk.bytes.len() >= self.room - self.room / 4 {
                    let full = mem::replace(chunk, self.chunk());
                    if self.chunks.send(Ok(Some(full))).is_err() {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    fn chunk(&self) -> Chunk {
        Chunk { bytes: self.buffers.take(self.room), ends: Vec::new() }
    }
}

impl Progress {
    fn advance(&mut self, rows: u64) {
        let part =
            |rows: u64| u128::from(self.bytes) * u128::from(rows) / u128::from(self.rows.max(1));
        let step = part(self.done + rows) - part(self.done);
        self.done += rows;
        self.read.fetch_add(u64::try_from(step).unwrap_or(0), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::packed_row::PackedRow;
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
        let mut rows = ParquetRows::open((stored, size), 60, Arc::clone(&read))?;
        let mut lines = Vec::new();
        while let Some(Chunk { bytes, ends }) = rows.next()? {
            let starts = [0].into_iter().chain(ends.iter().copied());
            for (start, end) in starts.zip(&ends) {
                lines.extend(PackedRow::new(&bytes[start..*end]).to_line(rows.columns()));
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
}
