//! A part of a file that pages are read from.

use bytes::{Buf, Bytes};
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};

/// Bytes of a file from a place on.
pub(crate) struct Chunk {
    pub(crate) start: u64,
    pub(crate) bytes: Bytes,
}

impl Length for Chunk {
    fn len(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }
}

impl ChunkReader for Chunk {
    type T = bytes::buf::Reader<Bytes>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        let length = self.len().saturating_sub(start);
        Ok(self.get_bytes(start, usize::try_from(length).unwrap_or(0))?.reader())
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        let beyond = || ParquetError::EOF("a page lies beyond its column".to_owned());
        let start = start.checked_sub(self.start).and_then(|start| usize::try_from(start).ok());
        let start = start.ok_or_else(beyond)?;
        let end = start.checked_add(length).filter(|end| *end <= self.bytes.len());
        Ok(self.bytes.slice(start..end.ok_or_else(beyond)?))
    }
}
