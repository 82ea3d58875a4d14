//! TSV: a header and rows of fields with tabs between them.

use crate::error::Error;
use crate::format::{InputFormat, Kind, Shape};
use crate::formats::cutting::Cutting;
use crate::formats::format::Format;
use crate::formats::record_reader::RecordReader;
use crate::formats::table_cutter::TableCutter;
use crate::records::opened::Opened;

pub(crate) struct Tsv;

impl InputFormat {
    /// A header and rows of fields with tabs between them.
    pub const TSV: Self = InputFormat(&Kind {
        names: &["tsv"],
        title: "TSV",
        about: Some("A header and rows of fields with tabs between them"),
        endings: &["tsv", "tab"],
        shape: Shape::Table,
    });
}

impl Format for Tsv {
    fn kind(&self) -> InputFormat {
        InputFormat::TSV
    }

    fn reader(&self, opened: Opened) -> Result<Box<dyn RecordReader>, Error> {
        Ok(Box::new(Cutting::new(opened, TableCutter::new(b'\t'), 0)))
    }
}
