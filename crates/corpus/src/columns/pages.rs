//! How large the pages of a Parquet file are, told by its metadata and first pages. Reading rows is
//! `parquet_rows`'.

use parquet::column::page::PageReader;
use parquet::errors::ParquetError;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::FileReader;
use parquet::file::serialized_reader::SerializedFileReader;
use std::fs::File;

/// Bytes of chunks of rows that wait, of those that are packed and of their buffers.
const CHUNKS: u64 = 16_000_000;

/// Bytes of memory that the rows of a file take while they are read: of each column of the largest row group a
/// page as it is stored and as it is unpacked, with its dictionary, and chunks of rows.
pub(crate) fn page_bytes(file: File) -> Result<u64, ParquetError> {
    let reader = SerializedFileReader::new(file)?;
    let groups = reader.metadata().row_groups();
    let largest = (0..groups.len())
        .max_by_key(|at| groups.get(*at).map_or(0, RowGroupMetaData::total_byte_size));
    let Some(at) = largest else { return Ok(CHUNKS) };
    let group = reader.get_row_group(at)?;
    let rows = u64::try_from(group.metadata().num_rows()).unwrap_or(0).max(1);
    let mut bytes = CHUNKS;
    for (at, column) in group.metadata().columns().iter().enumerate() {
        let sizes = [column.compressed_size(), column.uncompressed_size()];
        let all: u64 = sizes.iter().map(|size| u64::try_from(*size).unwrap_or(0)).sum();
        let in_page = rows_of_page(&mut *group.get_column_page_reader(at)?)?.unwrap_or(rows);
        bytes += u64::try_from(u128::from(all) * u128::from(in_page.min(rows)) / u128::from(rows))
            .unwrap_or(all);
    }
    Ok(bytes)
}

/// Rows of the first page of data, where it tells them.
fn rows_of_page(pages: &mut dyn PageReader) -> Result<Option<u64>, ParquetError> {
    while let Some(page) = pages.peek_next_page()? {
        if !page.is_dict {
            return Ok(page.num_rows.or(page.num_levels).map(|rows| rows as u64));
        }
        pages.skip_next_page()?;
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::data_type::{ByteArray, ByteArrayType};
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;
    use std::sync::Arc;

    /// 64 texts of 10 kB, of which so many make a page.
    fn file(rows_of_page: usize) -> File {
        let schema = Arc::new(
            parse_message_type("message rows { required byte_array text (UTF8); }").unwrap(),
        );
        let properties = WriterProperties::builder()
            .set_dictionary_enabled(false)
            .set_write_batch_size(1)
            .set_data_page_row_count_limit(rows_of_page);
        let file = tempfile::tempfile().unwrap();
        let mut writer = SerializedFileWriter::new(
            file.try_clone().unwrap(),
            schema,
            Arc::new(properties.build()),
        )
        .unwrap();
        let mut group = writer.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        let texts: Vec<_> =
            (0..64_u8).map(|at| ByteArray::from(vec![b'a' + at % 26; 10_000])).collect();
        column.typed::<ByteArrayType>().write_batch(&texts, None, None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
        writer.close().unwrap();
        file
    }

    #[test]
    fn large_pages_take_more_than_small_ones() {
        let of_page = |rows| page_bytes(file(rows)).unwrap() - CHUNKS;
        let (small, large) = (of_page(4), of_page(64));
        assert!((70_000..100_000).contains(&small), "{small}");
        assert!((1_200_000..1_400_000).contains(&large), "{large}");
    }
}
