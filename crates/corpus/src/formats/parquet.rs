//! Parquet: rows in column chunks, read from the end of the file.

use crate::columns::pages::page_bytes;
use crate::columns::parquet_rows::unpack;
use crate::error::Error;
use crate::format::{InputFormat, Kind, Shape};
use crate::formats::format::{Format, RowsOut};
use crate::formats::packed::Packed;
use crate::formats::record_reader::RecordReader;
use crate::records::opened::Opened;
use crate::records::source::Source;
use crate::write::new_column::NewColumn;
use crate::write::parquet_output::{ParquetOutput, column_names, same_schema};
use crate::write::row_writer::RowWriter;
use std::sync::Arc;

pub(crate) struct Parquet;

impl InputFormat {
    /// Rows of Parquet.
    pub const PARQUET: Self = InputFormat(&Kind {
        names: &["parquet"],
        title: "Parquet",
        about: Some("Rows of Parquet"),
        endings: &["parquet"],
        shape: Shape::Columns,
    });
}

impl Format for Parquet {
    fn kind(&self) -> InputFormat {
        InputFormat::PARQUET
    }

    fn is_at(&self, head: &[u8]) -> bool {
        // The second is that of a file whose footer is encrypted, and may begin a text.
        head.starts_with(b"PAR1") || head.starts_with(b"PARE") && head.contains(&0)
    }

    fn reader(&self, opened: Opened) -> Result<Box<dyn RecordReader>, Error> {
        let unpack = |opened: &mut Opened, room: usize| {
            Ok(unpack(opened.source.file()?, room, Arc::clone(&opened.read)))
        };
        Ok(Box::new(Packed::open(opened, "Parquet", unpack)?))
    }

    fn reading_bytes(&self, source: &Source, _is_capped: bool) -> u64 {
        source.file().ok().and_then(|(file, _)| page_bytes(file).ok()).unwrap_or(0)
    }

    fn column_names(&self, source: &Source) -> Result<Vec<String>, Error> {
        column_names(source)
    }

    fn same_columns(
        &self,
        first: &Source,
        second: &Source,
        added: &[NewColumn],
    ) -> Result<(), Error> {
        same_schema(first, second, added)
    }

    fn writer(&self, out: RowsOut<'_>) -> Result<Box<dyn RowWriter>, Error> {
        let (path, target, shards) = out.to.first(out.path);
        Ok(Box::new(ParquetOutput::open(&path, target, out.like, out.added, shards)?))
    }
}
