//! TSV: a header and rows of fields with tabs between them.

use crate::error::Error;
use crate::format::{InputFormat, Kind, Shape};
use crate::formats::cutting::Cutting;
use crate::formats::format::Format;
use crate::formats::record_reader::RecordReader;
use crate::formats::table_cutter::{TableCutter, is_header};
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

    fn is_at(&self, head: &[u8]) -> bool {
        is_header(head, b'\t')
    }

    fn reader(&self, opened: Opened) -> Result<Box<dyn RecordReader>, Error> {
        let cutter =
            TableCutter::new(b'\t', opened.source.dialect(), opened.options.max_record_bytes);
        Ok(Box::new(Cutting::new(opened, cutter, 0)))
    }
}
