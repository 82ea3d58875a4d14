//! The file of a source that is read at any place, as columns are. Reading one from front to back is `decoder`'s.

use crate::compression::Compression;
use crate::error::Error;
use crate::format::InputFormat;
use crate::records::decoder::Decoder;
use crate::records::source::{Origin, Source};
use std::fs::File;
use std::io;
use std::sync::Arc;

impl Source {
    /// The file with its size, for formats that are not read from front to back.
    ///
    /// # Errors
    ///
    /// [`Error::Read`], [`Error::Pointer`], and [`Error::CompressedColumns`] where all of it is compressed.
    pub(crate) fn file(&self) -> Result<(File, u64), Error> {
        let file = match &self.origin {
            Origin::File(path) => File::open(path),
            Origin::Spooled(file, _) => file.try_clone(),
            Origin::Pipe(_)
            | Origin::Stdin(_)
            | Origin::Object(_)
            | Origin::Part(..)
            | Origin::Damaged(..) => Err(io::Error::new(
                io::ErrorKind::Unsupported,
                "Parquet is read from its end: give it as a file",
            )),
        };
        let file = file.and_then(|file| {
            let bytes = file.metadata()?.len();
            Ok((file, bytes))
        });
        let file = file.map_err(|source| Error::Read { path: self.name.clone(), source })?;
        self.refuse_pointer(
            &mut self.magic()?,
            &mut self.open_at(Compression::MAGIC_BYTES as u64)?,
        )?;
        match self.compression()? {
            Compression::None if self.begins_as_json()? => Err(self.of_other_format()),
            Compression::None => Ok(file),
            compression => Err(self.compressed(compression)),
        }
    }

    /// Whether these are rows of JSON under the name of columns.
    fn begins_as_json(&self) -> Result<bool, Error> {
        Ok(matches!(self.magic()?.first(), Some(b'{' | b'[')))
    }

    fn of_other_format(&self) -> Error {
        let data = self.format.map_or("Parquet", InputFormat::title);
        Error::OtherFormat { path: self.name.clone(), data }
    }

    /// What a file of columns is whose bytes are compressed.
    fn compressed(&self, compression: Compression) -> Error {
        let (path, format) = (self.name.clone(), self.format);
        let data = format.map_or("Parquet", InputFormat::title);
        match self.decoded_head() {
            Ok(head) if InputFormat::of_columns(&head) == format => {
                let (compression, command) = (compression.name(), compression.undone_by());
                Error::CompressedColumns { path, data, compression, command }
            }
            Ok(_) => self.of_other_format(),
            Err(error) => error,
        }
    }

    /// The first bytes, decompressed, as many as tell a format; fewer where the data are damaged.
    pub(crate) fn decoded_head(&self) -> Result<Vec<u8>, Error> {
        let (mut head, mut decoder) = (Vec::new(), Decoder::open(self, Arc::default())?);
        // What is wrong is told again when the records are read.
        let _ = decoder.fill(&mut head, InputFormat::HEAD_BYTES);
        Ok(head)
    }
}
